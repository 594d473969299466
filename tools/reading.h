/* reading.h - which traces a command reads, and how: the options that commands share, and reading a
 * run as they say. */
#ifndef BTVIZ_TOOLS_READING_H
#define BTVIZ_TOOLS_READING_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/summary.h>
#include <btviz/trace.h>

#include "options.h"

enum { WORDS_MAX = 256 };

/* What a repeatable option was given. */
struct words {
	const char *list[WORDS_MAX];
	size_t count;
};

/* Appends the option's value; says so and returns false where there are too many. */
bool words_add(const struct option_parser *p, struct words *w);

struct reading {
	struct btviz_trace_options trace;
	struct btviz_summary_options summary; /* points into devices: not to be copied */
	struct words traces, labels, devices;
	bool strict, no_progress;
};

void reading_init(struct reading *r);

/* Takes -t, -l, -d, -D, -x, -j, --gap-threshold, --seek-distance, --strict and --no-progress. */
enum reading_took { READING_TOOK, READING_WRONG, READING_OTHER };
enum reading_took reading_take(struct reading *r, const struct option_parser *p, int id);

/* False after saying what is wrong with the traces that were asked for; rest: the operands. */
bool reading_check(const struct reading *r, const struct option_parser *p);

/* Reads a run, showing progress where wanted, and says once what is wrong with its data. An exit
 * code; EXIT_DONE: *ret_s is the caller's, *ret_f lasts until it changes. */
int reading_run(const struct reading *r, const char *name, struct btviz_summary **ret_s,
	const struct btviz_figures **ret_f);

#endif
