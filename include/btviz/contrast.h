/* contrast.h - what differs between two groups of runs, and whether they can be compared at all.
 *
 * A comparison (compare.h) says that a label is bad; a contrast says what is different about it. It
 * takes the figures of each run, keeps some kilobytes of them, and lists for two labels
 *
 *   - what is unlike about the runs themselves: their work, their arrays, how they were recorded
 * and read. A verdict about runs that did other work says little;
 *   - what changed: findings, gaps, arrays, latencies, sizes and more; only what differs by more
 *     than the runs of either label differ among themselves, largest first;
 *   - which layer that speaks of, or that it is not clear.
 *
 * Two single runs can be contrasted as well. */
#ifndef BTVIZ_CONTRAST_H
#define BTVIZ_CONTRAST_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/finding.h>
#include <btviz/status.h>
#include <btviz/summary.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where in an I/O's way something is, in its order. */
enum btviz_layer {
	BTVIZ_LAYER_NONE,      /* an outcome, such as throughput: it follows from the others */
	BTVIZ_LAYER_WORKLOAD,  /* what was asked for: sizes, directions, places, by how many */
	BTVIZ_LAYER_SUBMITTER, /* when it was asked for: pauses of programs and of writeback */
	BTVIZ_LAYER_MEMORY,    /* writeback and reclaim, where the recorder sampled them */
	BTVIZ_LAYER_ARRAY,     /* md and dm: time above the members, balance, splits, extra I/O */
	BTVIZ_LAYER_QUEUE,     /* the disks' queues: merges, time before issue */
	BTVIZ_LAYER_DEVICE,    /* the disks */
	BTVIZ_LAYER_COUNT,
};

/* "workload", "submitter" ... ; "outcome" for BTVIZ_LAYER_NONE. Never NULL. Since 0.2. */
BTVIZ_EXPORT const char *btviz_layer_name(enum btviz_layer layer);

/* What about runs is unlike. */
enum btviz_unlike_kind {
	BTVIZ_UNLIKE_WORK,    /* other work: operations, sizes, order, places, totals, processes */
	BTVIZ_UNLIKE_ARRAY,   /* level, chunk, members */
	BTVIZ_UNLIKE_DEVICES, /* other devices */
	BTVIZ_UNLIKE_READING, /* another window, other devices asked for */
	BTVIZ_UNLIKE_RECORDING, /* loss, damage, masks: of one run, or of several */
	BTVIZ_UNLIKE_COMMAND,   /* another command was traced */
	BTVIZ_UNLIKE_KERNEL,    /* another kernel: usually what is compared */
	BTVIZ_UNLIKE_SAME,      /* one recording is in both labels */
};

/* "work", "array" ... Never NULL. Since 0.2. */
BTVIZ_EXPORT const char *btviz_unlike_kind_name(enum btviz_unlike_kind kind);

/* One thing that is unlike, in words. Handed out by address; fields may be appended. */
struct btviz_unlike {
	enum btviz_unlike_kind kind;
	const char *name; /* stable: "write-size", "loss" */
	const char *text; /* "writes of 4.0 KiB against 64.0 KiB on average" */
	size_t runs;      /* how many of the label's runs it is true of (loss: of both labels') */
};

/* One thing that changed. Handed out by address; fields may be appended. */
struct btviz_change {
	const char *name;    /* stable: "d2c_ms", "finding:submission-gaps" */
	const char *subject; /* "md0", "disks", "dd"; "" for the run */
	enum btviz_layer layer;
	const char *unit;
	double before, after; /* averages of the runs; NaN of findings and lists */
	double size;          /* how much, on one scale for all: about the logarithm of the ratio */
	const char *text;     /* "md0: submit gaps 0 -> 8.62 s" */
};

struct btviz_differences {
	const char *base, *label;
	const struct btviz_unlike *const *unlike;
	size_t unlike_count;
	bool other_work; /* the work is so unlike that "good" would say nothing */
	bool lossy;      /* so many records are missing that figures say little: none is compared */
	bool strict;     /* something is unlike that a strict comparison does not bear */
	const struct btviz_change *const *changes; /* largest first */
	size_t change_count;
	enum btviz_layer likely;      /* NONE: not clear, or nothing changed */
	const char *likely_text;      /* "likely layer: submitter (md0: submit gaps 0 -> 8.62 s)" */
	size_t base_runs, label_runs; /* that it rests on */
};

struct btviz_contrast;

/* BTVIZ_OK: *ret_c is the caller's. BTVIZ_ERR_NOMEM. Since 0.2. */
BTVIZ_EXPORT enum btviz_status btviz_contrast_new(
	struct btviz_contrast **ret_c, struct btviz_error *err);
BTVIZ_EXPORT void btviz_contrast_free(struct btviz_contrast *c);

/* Adds a run; label and name are copied, f is not kept. *ret_same, where not NULL, becomes the
 * number (from 0, in the order of adding) of an earlier run of the same label that is the same
 * recording: this run then does not count again and gets no number; SIZE_MAX: there is none.
 * BTVIZ_OK, BTVIZ_ERR_LIMIT (over 10000 runs), BTVIZ_ERR_NOMEM. Since 0.2. */
BTVIZ_EXPORT enum btviz_status btviz_contrast_add(struct btviz_contrast *c, const char *label,
	const char *name, const struct btviz_figures *f, size_t *ret_same, struct btviz_error *err);

/* How many runs were added, repeats left out. Since 0.2. */
BTVIZ_EXPORT size_t btviz_contrast_count(const struct btviz_contrast *c);

/* The shortest standstill that counts in all runs: the largest of the thresholds to which the runs
 * adapted, in seconds; and the gap time of a run by it: comparable, while the runs' own are not.
 * NaN for no such run. Since 0.2. */
BTVIZ_EXPORT double btviz_contrast_gap_threshold(const struct btviz_contrast *c);
BTVIZ_EXPORT double btviz_contrast_gap_time(const struct btviz_contrast *c, size_t run);

/* Contrasts the runs of label with those of base. only: NULL for all runs of label; else one flag a
 * run of it, in the order of adding, and the runs without it are taken with the base's (for a label
 * of two kinds of runs). Borrowed: valid until the next call or until c is changed or freed.
 * BTVIZ_OK, BTVIZ_ERR_USAGE (a label without runs), BTVIZ_ERR_NOMEM. Since 0.2. */
BTVIZ_EXPORT enum btviz_status btviz_contrast_between(struct btviz_contrast *c, const char *base,
	const char *label, const bool *only, const struct btviz_differences **ret_d,
	struct btviz_error *err);

#ifdef __cplusplus
}
#endif
#endif
