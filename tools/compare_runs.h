/* compare_runs.h - the runs of a comparison: reading them, and what each brings to it. Judges
 * nothing. */
#ifndef BTVIZ_TOOLS_COMPARE_RUNS_H
#define BTVIZ_TOOLS_COMPARE_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/compare.h>
#include <btviz/contrast.h>

#include "compare_arguments.h"

struct compare_run {
	char *label;
	const char *name;  /* as on the command line */
	size_t contrasted; /* its number in the contrast; SIZE_MAX: idle, or a repeat */
	size_t repeats; /* number of the run here that it is the same recording as; else SIZE_MAX */
	double values[BTVIZ_METRIC_COUNT];
	double time_s; /* by the wall clock; 0: not known */
};

struct compare_runs {
	struct compare_run *list; /* in the order of the command line */
	size_t count;
	struct btviz_contrast *contrast;
	double gap_threshold_s; /* common to all runs */
};

/* Reads all runs; all that fail are named. False: something was said, r holds what could be read.
 * To be freed in any case. */
bool compare_runs_read(const struct compare_arguments *a, struct compare_runs *r);
void compare_runs_free(struct compare_runs *r);

/* Adds all runs' values of a metric to a comparison, repeats left out. */
enum btviz_status compare_runs_add(const struct compare_runs *r, enum btviz_metric metric,
	struct btviz_comparison *c, struct btviz_error *err);

#endif
