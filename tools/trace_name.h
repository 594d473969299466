/* trace_name.h - what commands need around a trace and its output: a run's short name, what is
 * wrong with its data, whether a file can be written. */
#ifndef BTVIZ_TOOLS_TRACE_NAME_H
#define BTVIZ_TOOLS_TRACE_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/summary.h>

/* The last part of a trace's name, for a label: "md0.trace" of "runs/md0.trace" or "md0.trace/".
 * Returns out. */
const char *run_name(const char *name, char *out, size_t size);

/* Says once what is wrong with the data of a run; false if nothing is. */
bool say_health(const char *name, const struct btviz_figures *f);
/* The same of a trace that was only read. suspected_loss: I/Os that do not pair, 0 where none were
 * looked for. */
bool say_trace_health(const char *name, const struct btviz_health *h, uint64_t suspected_loss);

/* Says why a trace could not be read, and of a quoted pattern what it would stand for. An exit code
 * as say_error()'s. */
int say_unread(const char *name, const char *dir, const struct btviz_error *err);

/* Whether path can be written; says so if not. Touches nothing: for a check before long work. */
bool check_writable(const char *path);

/* Whether output, which may be NULL, "-" or not there, is none of the inputs (names that may be
 * joined by commas, relative to dir if that is not NULL) and no recording at all: a block trace is
 * not written over. Says so if not. */
bool check_spares(const char *output, const char *const *inputs, size_t count, const char *dir);

#endif
