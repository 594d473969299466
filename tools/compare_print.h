/* compare_print.h - the ways to write a comparison down. All write on standard output. */
#ifndef BTVIZ_TOOLS_COMPARE_PRINT_H
#define BTVIZ_TOOLS_COMPARE_PRINT_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/compare.h>

/* What is printed: the metric that decides first, then the others. */
struct comparison_report {
	const struct btviz_compared *metrics;
	size_t metric_count;
	double threshold, expect; /* shares */
	bool exact; /* runs' figures are shown as they were given: they came from a table */
	int exit_code;
};

/* False: out of memory, and nothing was written. */
bool compare_print_text(const struct comparison_report *r);
bool compare_print_markdown(const struct comparison_report *r);
bool compare_print_json(const struct comparison_report *r);

void compare_print_csv(const struct comparison_report *r);

#endif
