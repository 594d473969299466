/* draw/sampled.h - what the panels vm and cpu show of the samples beside a trace, in the picture
 * and in the page. */
#ifndef BTVI_DRAW_SAMPLED_H
#define BTVI_DRAW_SAMPLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/plot.h>

enum { BTVI_SAMPLED_MAX = 4 };

struct btvi_sampled {
	const char *columns[2]; /* added up */
	const char *name;       /* NULL behind the last */
	uint32_t color;
};

/* BTVI_SAMPLED_MAX of them at most. */
const struct btvi_sampled *btvi_sampled(enum btviz_panel panel);

/* Into sum, count cells; scratch is as large. False: nothing was sampled there. */
bool btvi_sampled_course(const struct btviz_samples *samples, const struct btvi_sampled *what,
	uint64_t start_ns, uint64_t end_ns, size_t count, double *sum, double *scratch);

#endif
