/* compare_print.h - the ways to write a comparison down. A write error shows in ferror(out). */
#ifndef BTVIZ_TOOLS_COMPARE_PRINT_H
#define BTVIZ_TOOLS_COMPARE_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <btviz/compare.h>

struct compare_runs;

enum { COMPARE_LINE_COLUMNS = 100 };

/* What is printed: the metric that decides first, then the others. */
struct comparison_report {
	const struct btviz_compared *metrics;
	size_t metric_count;
	double threshold, expect; /* shares */
	bool exact;    /* runs' figures are shown as they were given: they came from a table */
	bool one_line; /* JSON: all in one line */
	int exit_code;
	const struct compare_runs *runs; /* NULL: figures from tables, without traces */
};

/* False: out of memory. */
bool compare_print_text(FILE *out, const struct comparison_report *r);
bool compare_print_markdown(FILE *out, const struct comparison_report *r);
bool compare_print_json(FILE *out, const struct comparison_report *r);

void compare_print_csv(FILE *out, const struct comparison_report *r);

#endif
