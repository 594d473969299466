/* promises.h - what must hold for the figures of any trace, however torn: no nonsense. */
#ifndef FUZZ_PROMISES_H
#define FUZZ_PROMISES_H

#include <stdbool.h>

#include <btviz/summary.h>

/* Each aborts with a message that names what was not kept. joined: the summary was merged of parts
 * that may hold the same device at the same time, so that its depths add up. */
void promises_figures(const struct btviz_figures *f, bool joined);

/* Asks for every course, a map and the heat of the first devices. */
void promises_courses(struct btviz_summary *s, const struct btviz_figures *f);

/* All that can be asked of a summary: the two above, findings, metrics. */
void promises_summary(struct btviz_summary *s, bool joined);

#endif
