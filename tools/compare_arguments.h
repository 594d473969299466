/* compare_arguments.h - what the words after "btviz compare" ask for. Knows the command line only:
 * nothing is read, judged or printed here but what is wrong with the words themselves. */
#ifndef BTVIZ_TOOLS_COMPARE_ARGUMENTS_H
#define BTVIZ_TOOLS_COMPARE_ARGUMENTS_H

#include <stdbool.h>

#include <btviz/compare.h>

#include "reading.h"

enum compare_format { COMPARE_TEXT, COMPARE_JSON, COMPARE_CSV, COMPARE_MARKDOWN };

struct compare_arguments {
	struct reading read;
	struct words tables;
	enum btviz_metric metric;
	bool all, bisect;
	int format; /* enum compare_format */
	struct btviz_comparison_options compare;
	const char *output;
	enum btviz_plot_kind kind;
	struct btviz_comparison_plot_options plot;
	double figure_w, figure_h;
	char **words; /* LABEL: TRACE... */
	int word_count;
};

/* Takes argv apart. *a points into argv. ARGUMENTS_WRONG: what is wrong was said. ARGUMENTS_HELP:
 * help was printed. a->bisect is set in any case: the exit code depends on it. */
enum compare_parsed { ARGUMENTS_GOOD, ARGUMENTS_WRONG, ARGUMENTS_HELP };
enum compare_parsed compare_arguments_parse(struct compare_arguments *a, int argc, char **argv);

/* Whether the word begins a group. */
bool compare_is_label(const char *word);

#endif
