/* compare.h - runs of one label against runs of another, and a verdict that admits doubt.
 *
 * A comparison is about one metric. It takes runs, each a label and a figure; runs of one label are
 * a group. Judging compares each group with the base, the group of the first label (or of the one
 * named), and gives it one of four verdicts. How they are reached is said in btviz-compare(1),
 * section "The rule", and in short at enum btviz_verdict.
 *
 * Labels "NAME@NUMBER" make series: each group is then compared with the base series' group of the
 * same number. Labels that are numbers are one series without a name. */
#ifndef BTVIZ_COMPARE_H
#define BTVIZ_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/plot.h>
#include <btviz/status.h>
#include <btviz/summary.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- metrics: one figure of a run ----------------------------------------------------------- */

enum btviz_metric {
	BTVIZ_METRIC_MB_PER_S, /* data read and written, by the devices' basis, over the run's span
				*/
	BTVIZ_METRIC_IOS_PER_S,
	BTVIZ_METRIC_SEEKS_PER_S,
	BTVIZ_METRIC_LATENCY_P50, /* D2C; Q2C of devices that have no D; milliseconds */
	BTVIZ_METRIC_LATENCY_P99,
	BTVIZ_METRIC_GAP_TIME, /* standstill: submit, queue and device gaps, seconds */
	BTVIZ_METRIC_EFFECTIVE_MEMBERS,
	BTVIZ_METRIC_RUN_TIME, /* first to last I/O event, seconds */
	BTVIZ_METRIC_COUNT,
};

struct btviz_metric_info {
	const char *name;  /* "mb_per_s": what --metric takes, and the key in JSON */
	const char *title; /* "throughput" */
	const char *unit;  /* "MB/s", "" */
	bool lower_is_better;
	double least; /* smaller differences than this, in its unit, are never called a loss */
	double floor; /* nor are such from a base of 0. Since 0.2 */
};

/* Never NULL for a valid metric. Since 0.1. */
BTVIZ_EXPORT const struct btviz_metric_info *btviz_metric_info(enum btviz_metric metric);

/* The metric of a run, over its top devices (see btviz_figures.top): rates are those of all of
 * them together, gap time that of the one that stood still longest, latencies and members
 * those of the busiest. NaN where the trace does not tell. Since 0.1. */
BTVIZ_EXPORT double btviz_metric_value(enum btviz_metric metric, const struct btviz_figures *f);

/* ---- verdicts ------------------------------------------------------------------------------ */

/* "Far below" means worse than the base by more than the threshold (for a metric of which less is
 * better: above). */
enum btviz_verdict {
	BTVIZ_VERDICT_BASE,         /* the group that others are compared with */
	BTVIZ_VERDICT_GOOD,         /* not far below, and the runs are enough to say so */
	BTVIZ_VERDICT_BAD,          /* far below on average, and more so than chance explains */
	BTVIZ_VERDICT_SPORADIC,     /* some runs like the base, others far below, nothing between */
	BTVIZ_VERDICT_INCONCLUSIVE, /* too few runs, or too noisy ones, for any of these */
};

/* "good" … Never NULL. Since 0.1. */
BTVIZ_EXPORT const char *btviz_verdict_name(enum btviz_verdict verdict);

/* What a verdict rests on. */
enum btviz_method {
	BTVIZ_METHOD_NONE,       /* no figure on one side */
	BTVIZ_METHOD_THRESHOLD,  /* a single run on one side: the practical threshold alone */
	BTVIZ_METHOD_SEPARATION, /* so few runs that no rank test can speak: how far apart they are
				  */
	BTVIZ_METHOD_RANK_TEST,  /* threshold and exact rank test */
};

/* The runs of one label and what became of them. Fields may be appended. */
struct btviz_group {
	const char *label;
	const char *series; /* what stands before the @, "" for a plain number; NULL: no sweep's
			       label */
	double number;      /* what stands behind it; NaN where there is none */
	size_t base; /* index of the group it was compared with; its own for a base; SIZE_MAX: none
		      */

	const double *values; /* in the order they were added; NaN where a run has no such figure */
	const char *const *names; /* of the runs, "" where not told */
	size_t count;
	size_t known; /* values that are not NaN; all below is about these */
	double mean, min, max;
	double low, high; /* 95 % bootstrap interval of the mean; NaN with fewer than two runs */

	double change;                  /* mean / base's mean - 1; 0 for a base; NaN: not defined */
	double change_low, change_high; /* its 95 % bootstrap interval; NaN where there is none */
	double bar;                     /* figures from here on are far below; NaN for a base */
	size_t far_below;               /* runs that are */
	double p_worse;  /* one-sided p of the rank test: worse than the base? NaN: it cannot speak
			  */
	double p_within; /* one-sided p of the rank test: better than the base less the threshold?
			  */
	enum btviz_method method;
	enum btviz_verdict verdict;
	const char *reason; /* one line: "3 of 5 runs far below, 2 like the base" */
	const char *note; /* what is odd about its runs: drift; of a base outliers; "". Since 0.2 */
	const char *power;  /* of a good label: what so many runs would miss; else "". Since 0.2 */
	size_t blocks;      /* observations that means rest on: blocks of runs. Since 0.2 */
	size_t runs_needed; /* by the options' sporadic_rate and miss; 0: not asked. Since 0.2 */
	const char *doubt;  /* what btviz_comparison_doubt() said, where it made the label
			       inconclusive; else NULL. Since 0.2 */
};

struct btviz_judgement {
	const struct btviz_group *const *groups; /* in the order of their first run */
	size_t group_count;
	size_t base;                /* index of the base, or of its series' first group */
	bool sweep;                 /* all labels are numbers, or all are NAME@NUMBER */
	enum btviz_verdict verdict; /* the worst of all: bad, sporadic, inconclusive, good */
	double threshold, expect;   /* as in the options */
};

struct btviz_comparison_options {
	size_t size;          /* = sizeof of this struct, set by BTVIZ_COMPARISON_OPTIONS_INIT */
	const char *baseline; /* the base's label, or its series' name; NULL: the first label */
	double threshold;     /* what counts as far below, a share of the base's mean; 0.10 */
	double expect;        /* the change that is expected, as a share: 0.15 for +15 % */
	double least;         /* differences smaller than this, in the metric's unit, never count */
	bool lower_is_better;
	double floor;         /* where the base is 0: less than this is no difference. Since 0.2 */
	double sporadic_rate; /* a fault in this share of runs must not be missed: labels with too
				 few runs for it are inconclusive instead of good; 0: not asked */
	double miss;          /* with more than this chance; 0: 0.01. Since 0.2 */
	size_t block; /* so many runs of a label after one another are a block (a boot), where
			 runs do not tell theirs; 0: each is one of its own. Since 0.2 */
};
#define BTVIZ_COMPARISON_OPTIONS_INIT                                                        \
	{                                                                                    \
		sizeof(struct btviz_comparison_options), NULL, 0.10, 0, 0, false, 0, 0, 0, 0 \
	}

struct btviz_comparison;

/* BTVIZ_OK: *ret_c is the caller's. options may be NULL. BTVIZ_ERR_USAGE (a threshold that is not
 * between 0 and 1 ...), BTVIZ_ERR_NOMEM. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_comparison_new(const struct btviz_comparison_options *options,
	struct btviz_comparison **ret_c, struct btviz_error *err);
BTVIZ_EXPORT void btviz_comparison_free(struct btviz_comparison *c);

/* Adds a run. name may be NULL. value may be NaN: the run is listed and does not count. label and
 * name are made printable. BTVIZ_OK, BTVIZ_ERR_USAGE (an empty label, an infinite value),
 * BTVIZ_ERR_LIMIT (over 1000 labels or 100000 runs), BTVIZ_ERR_NOMEM. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_comparison_add(struct btviz_comparison *c, const char *label,
	const char *name, double value, struct btviz_error *err);

/* A run with all that can be told of it. */
struct btviz_comparison_run {
	size_t size; /* = sizeof of this struct, set by BTVIZ_COMPARISON_RUN_INIT */
	const char *label, *name;
	double value;      /* NaN: the run is listed and does not count */
	const char *block; /* runs of one block (one boot) are not independent; NULL: not told */
	double time_s;     /* when it was made, on one clock for all; 0: as it was added */
};
#define BTVIZ_COMPARISON_RUN_INIT                                           \
	{                                                                   \
		sizeof(struct btviz_comparison_run), NULL, NULL, 0, NULL, 0 \
	}

/* Adds a run, as btviz_comparison_add() does. Since 0.2. */
BTVIZ_EXPORT enum btviz_status btviz_comparison_add_run(struct btviz_comparison *c,
	const struct btviz_comparison_run *run, struct btviz_error *err);

/* Adds the runs of a table: CSV (RFC 4180) with a header that has the columns "label" and "value"
 * in any place; empty lines and lines that begin with # are skipped. An empty value is a run
 * without a figure; a column "block" names the runs' blocks. Nothing is added unless the whole
 * table is right. BTVIZ_OK, BTVIZ_ERR_NOT_A_TRACE (the message names the line and what is wrong
 * with it), and what btviz_comparison_add() returns. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_comparison_add_table(
	struct btviz_comparison *c, const char *bytes, size_t size, struct btviz_error *err);

/* Says why the runs of a label cannot well be compared with those of the base, as it will stand in
 * the reason: "different workload". The label is then inconclusive where it would be good, or
 * always. A label not (yet) there is none to doubt. BTVIZ_OK, BTVIZ_ERR_USAGE (no such label).
 * Since 0.2. */
BTVIZ_EXPORT enum btviz_status btviz_comparison_doubt(struct btviz_comparison *c, const char *label,
	const char *why, bool always, struct btviz_error *err);

/* Judges all groups. Borrowed: valid until c is changed or freed. BTVIZ_OK, BTVIZ_ERR_EMPTY (no
 * runs), BTVIZ_ERR_USAGE (one label only; no label of the baseline's name), BTVIZ_ERR_NOMEM. Since
 * 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_comparison_judge(
	struct btviz_comparison *c, const struct btviz_judgement **ret_j, struct btviz_error *err);

/* ---- pictures ------------------------------------------------------------------------------ */

/* One metric and what became of it. Of fixed size for ever. */
struct btviz_compared {
	const struct btviz_metric_info *metric;
	const struct btviz_judgement *judgement;
};

enum btviz_chart {
	BTVIZ_CHART_AUTO, /* a sweep where the labels make one, else dots */
	BTVIZ_CHART_DOTS, /* a column a label: a dot a run, mean and interval, the verdict's word */
	BTVIZ_CHART_SWEEP, /* the metric over the label's number, a line a series */
};

struct btviz_comparison_plot_options {
	size_t size; /* = sizeof of this struct, set by BTVIZ_COMPARISON_PLOT_OPTIONS_INIT */
	double width_px, height_px; /* 0: what the content needs */
	double dpi;        /* 0: 96. Scales the page where no width is given; goes into the file */
	const char *title; /* NULL: the first metric's */
	enum btviz_chart chart;
	const char *command;      /* what made the picture, kept in the file; may be NULL */
	bool boxes_for_text;      /* draw text as boxes, so that no font matters (for tests) */
	const char *const *notes; /* lines to stand below, such as what changed. Since 0.2 */
	size_t note_count;
	const char *axis; /* what a sweep's numbers are ("threads"); NULL: not told. Since 0.2 */
};
#define BTVIZ_COMPARISON_PLOT_OPTIONS_INIT                                                     \
	{                                                                                      \
		sizeof(struct btviz_comparison_plot_options), 0, 0, 0, NULL, BTVIZ_CHART_AUTO, \
			NULL, false, NULL, 0, NULL                                             \
	}

/* Draws metrics, the first large, into the file path, as btviz_plot_write_file() does. options may
 * be NULL. BTVIZ_OK, BTVIZ_ERR_USAGE (no metric, a size that makes no sense, HTML, a sweep of
 * labels without numbers), BTVIZ_ERR_LIMIT, BTVIZ_ERR_IO, BTVIZ_ERR_NOMEM. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_comparison_plot_write_file(
	const struct btviz_compared *metrics, size_t metric_count,
	const struct btviz_comparison_plot_options *options, enum btviz_plot_kind kind,
	const char *path, struct btviz_error *err);

/* The same to an open file descriptor, which stays open. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_comparison_plot_write_fd(const struct btviz_compared *metrics,
	size_t metric_count, const struct btviz_comparison_plot_options *options,
	enum btviz_plot_kind kind, int fd, struct btviz_error *err);

/* The same to memory. *ret_bytes is the caller's; free it with free(). Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_comparison_plot_write_buffer(
	const struct btviz_compared *metrics, size_t metric_count,
	const struct btviz_comparison_plot_options *options, enum btviz_plot_kind kind,
	unsigned char **ret_bytes, size_t *ret_size, struct btviz_error *err);

#ifdef __cplusplus
}
#endif
#endif
