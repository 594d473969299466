/* judge/power.h - how sure runs make one: what so many of them would miss, whether their base has
 * outliers, whether they drift. Knows numbers only. */
#ifndef BTVI_JUDGE_POWER_H
#define BTVI_JUDGE_POWER_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/status.h>

/* The chance that n runs all miss a fault that shows in a share of runs, and the least number of
 * runs that misses it with no more than that chance. 0 < share <= 1, 0 < miss < 1. */
double btvi_power_miss(double share, size_t n);
size_t btvi_power_runs(double share, double miss);

/* The chance that, of n further runs that are like m normal ones, k or more fall below the mean of
 * the m by so many of their deviations, where that deviation is estimated with df degrees of
 * freedom. For k = 1 it is what Hahn's prediction bound promises. */
double btvi_chance_low(double deviations, size_t k, size_t n, size_t m, double df);

/* Runs that stand far below or above the others: two kinds with nothing between, as among the runs
 * of a sporadic label. sorted: ascending. The larger kind are the others. */
struct btvi_outliers {
	size_t low, high; /* how many at each end */
};
struct btvi_outliers btvi_outliers_find(const double *sorted, size_t n, double allowed_share);

/* Whether the runs, in the order in which they were made, rise or fall steadily: Mann and Kendall's
 * test, two-sided, and a rise (Theil and Sen's slope) of at least so much from the first to the
 * last. *ret_rise and *ret_p are set in any case. BTVIZ_OK or BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_drift_find(
	const double *x, size_t n, double least, bool *ret_drifts, double *ret_rise, double *ret_p);

#endif
