/* reading.h - which traces a command reads, and how: the options that commands share, and reading a
 * run as they say. */
#ifndef BTVIZ_TOOLS_READING_H
#define BTVIZ_TOOLS_READING_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/summary.h>
#include <btviz/trace.h>

#include "options.h"

struct reading {
	struct btviz_trace_options trace;
	struct btviz_summary_options summary; /* points into devices: not to be copied */
	struct words traces, labels, devices;
	bool strict, no_progress;
};

void reading_init(struct reading *r);

/* Takers of options: the request begins with its struct reading. */
bool reading_take_device(const struct option_parser *p, void *request);
bool reading_take_window(const struct option_parser *p, void *request);

/* Rows of option tables; their places are in the request's member `read`. */
/* clang-format off */
#define OPTION_TRACE	{ "trace", 't', "NAME", "a run: trace's base name, file, directory, archive;\n'-' is standard input; A,B,C joins several", TO_WORDS(read.traces) }
#define OPTION_LABEL	{ "label", 'l', "TEXT", "label of the -t in the same place; repeatable", TO_WORDS(read.labels) }
#define OPTION_DIR	{ "trace-dir", 'D', "DIR", "look for relative trace names in DIR", TO_TEXT(read.trace.dir) }
#define OPTION_DEVICE	{ "device", 'd', "DEV", "only this device (md0, /dev/md0 or 9,0); repeatable", BY(reading_take_device) }
#define OPTION_XZOOM	{ "xzoom", 'x', "A:B", "only from second A to second B of the run", BY(reading_take_window) }
#define OPTION_JOBS	{ "jobs", 'j', "N", "use N processor cores (all)", TO_SMALL(read.summary.jobs, 1, 1024) }
#define OPTION_GAP	{ "gap-threshold", OPT_GAP_THRESHOLD, "TIME", "shortest standstill that counts (adapts to the run)", TO_TIME(read.summary.gap_threshold_ns) }
#define OPTION_SEEK	{ "seek-distance", OPT_SEEK_DISTANCE, "SECTORS", "farther from the last I/O's end is a seek (128)", TO_COUNT(read.summary.seek_sectors, 1, UINT64_MAX) }
#define OPTION_STRICT	{ "strict", OPT_STRICT, NULL, "damage in a trace is an error", TO_FLAG(read.strict) }
#define OPTION_NO_PROGRESS { "no-progress", OPT_NO_PROGRESS, NULL, "no progress on the terminal", TO_FLAG(read.no_progress) }
/* clang-format on */

/* False after saying what is wrong with the traces that were asked for, and what is no option. */
bool reading_check(const struct reading *r, const char *command, int argc, char **argv);

/* Reads a run, showing progress where wanted, and says once what is wrong with its data. An exit
 * code; EXIT_DONE: *ret_s is the caller's, *ret_f lasts until it changes. */
int reading_run(const struct reading *r, const char *name, struct btviz_summary **ret_s,
	const struct btviz_figures **ret_f);

#endif
