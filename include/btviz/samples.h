/* samples.h - what the machine did beside its I/O: NAME.samples.csv.
 *
 * The recorder reads /proc/vmstat and /proc/stat at fixed intervals, on the same clock as the trace
 * (CLOCK_MONOTONIC), and writes one line a reading. A column is either a *level* (nr_dirty: pages
 * at that moment) or a *count* that only grows (pgscan_direct: pages; cpu_user: seconds of CPU
 * time). Resampling gives a level's mean, and a count's increase a second: so cpu_user comes out as
 * the number of CPUs that were busy with it, and cpu1_user as that CPU's share.
 *
 * The columns that the recorder writes (a kernel without one leaves it out):
 *   levels  nr_dirty nr_writeback nr_free_pages nr_inactive_file nr_active_file nr_dirty_threshold
 *           nr_dirty_background_threshold, in pages
 *   counts  nr_dirtied nr_written pgscan_direct pgscan_kswapd pgsteal_direct pgsteal_kswapd
 * allocstall (all zones together), in pages and times; pgpgin pgpgout, in KiB counts  cpu_user
 * (with nice) cpu_system cpu_iowait cpu_irq cpu_softirq cpu_idle, in seconds of all CPUs, and the
 * same of each CPU as cpu0_user, cpu0_system ...
 *
 * The file is foreign input: a bad line is counted and skipped, and memory is bounded (a file with
 * more readings than fit is thinned out evenly). */
#ifndef BTVIZ_SAMPLES_H
#define BTVIZ_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct btviz_samples;

/* Finds and reads the samples of the run that NAME stands for (NAME.samples.csv, found as
 * btviz_metadata_open() finds its file). dir is where relative names are looked for, NULL: the
 * current directory. BTVIZ_OK: *ret_s is the caller's, close it with btviz_samples_close().
 * BTVIZ_ERR_NOT_FOUND (there are none: most traces have none), BTVIZ_ERR_IO, BTVIZ_ERR_NOT_A_TRACE
 * (no such table), BTVIZ_ERR_NOMEM. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_samples_open(
	const char *name, const char *dir, struct btviz_samples **ret_s, struct btviz_error *err);

/* The same of text in memory, for callers with their own input. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_samples_parse(
	const char *text, size_t size, struct btviz_samples **ret_s, struct btviz_error *err);

/* Frees them. NULL is nothing. Since 0.1. */
BTVIZ_EXPORT void btviz_samples_close(struct btviz_samples *s);

/* Readings kept, and lines that were not understood. Since 0.1. */
BTVIZ_EXPORT size_t btviz_samples_row_count(const struct btviz_samples *s);
BTVIZ_EXPORT size_t btviz_samples_bad_rows(const struct btviz_samples *s);

/* Time of the first and the last reading, in ns on the trace's clock. Since 0.1. */
BTVIZ_EXPORT void btviz_samples_span(
	const struct btviz_samples *s, uint64_t *ret_first_ns, uint64_t *ret_last_ns);

/* Columns without the time. Names are printable. Borrowed: valid until s is closed. NULL behind the
 * last column. Since 0.1. */
BTVIZ_EXPORT size_t btviz_samples_column_count(const struct btviz_samples *s);
BTVIZ_EXPORT const char *btviz_samples_column_name(const struct btviz_samples *s, size_t column);

/* Whether a column only grows (see above). Since 0.1. */
BTVIZ_EXPORT bool btviz_samples_column_is_count(const struct btviz_samples *s, size_t column);

/* The column of that name, or -1. Since 0.1. */
BTVIZ_EXPORT ptrdiff_t btviz_samples_column_find(const struct btviz_samples *s, const char *name);

/* Spreads a column over n cells of equal width between t0_ns and t1_ns: a level's mean in the cell,
 * a count's increase a second in it; both follow the straight line between readings, so that a cell
 * narrower than the interval has a value too. NAN where there was no reading on both sides. A
 * column that does not exist gives NAN throughout. Since 0.1. */
BTVIZ_EXPORT void btviz_samples_resample(const struct btviz_samples *s, ptrdiff_t column,
	uint64_t t0_ns, uint64_t t1_ns, double *ret_cells, size_t n);

/* A column between t0_ns and t1_ns. NAN where there was no reading around it. Of fixed size for
 * ever. Since 0.1. */
struct btviz_samples_range {
	double mean;     /* a level's mean; a count's increase a second */
	double min, max; /* of the readings, at the two ends interpolated; of a count: of its
			    increase a second */
	double increase; /* last minus first */
};
BTVIZ_EXPORT void btviz_samples_range(const struct btviz_samples *s, ptrdiff_t column,
	uint64_t t0_ns, uint64_t t1_ns, struct btviz_samples_range *ret_range);

#ifdef __cplusplus
}
#endif
#endif
