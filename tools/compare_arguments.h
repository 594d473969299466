/* compare_arguments.h - what the words after "btviz compare" ask for. Knows the command line only:
 * nothing is read, judged or printed here but what is wrong with the words themselves. */
#ifndef BTVIZ_TOOLS_COMPARE_ARGUMENTS_H
#define BTVIZ_TOOLS_COMPARE_ARGUMENTS_H

#include <stdbool.h>

#include <btviz/compare.h>

#include "figure.h"
#include "reading.h"

enum compare_format { COMPARE_TEXT, COMPARE_JSON, COMPARE_CSV, COMPARE_MARKDOWN, COMPARE_JSONL };

struct compare_arguments {
	struct reading read;
	struct words tables;
	enum btviz_metric metric;
	bool all, bisect;
	int format;   /* enum compare_format */
	bool picture; /* the output is one */
	struct btviz_comparison_options compare;
	const char *output;
	enum btviz_plot_kind kind;
	struct btviz_comparison_plot_options plot;
	struct figure figure;
	char **words; /* LABEL: TRACE... */
	int word_count;
};

extern const struct option_spec compare_options[];

/* Before the options are taken: what is not 0 by default, and whether --bisect is among the words,
 * which decides the exit code of what goes wrong. */
void compare_arguments_prepare(void *request);
void compare_arguments_look(void *request, int argc, char **argv);

/* Takes the operands, which must last as long as *a. False after saying what is wrong. */
bool compare_arguments_check(struct compare_arguments *a, int argc, char **argv);

/* Whether the word begins a group. */
bool compare_is_label(const char *word);

#endif
