/* power.c - what so many runs can tell and miss. Knows numbers only. */
#include "judge/power.h"

#include <math.h>
#include <stdlib.h>

#include "judge/statistic.h"

#define OUTLIER_TAIL 0.01
#define DRIFT_LEVEL  0.02

double btvi_power_miss(double share, size_t n)
{
	return pow(1 - share, (double)n);
}

size_t btvi_power_runs(double share, double miss)
{
	const double n = log(miss) / log1p(-share);

	/* (1 - share)^n is exactly the miss for some n: no run more for a rounding error. */
	return share < 1 ? (size_t)fmax(ceil(n - 1e-9), 1) : 1;
}

/* ---- how low runs fall by chance ----------------------------------------------------------- */

static double normal(double z)
{
	return 0.5 * erfc(-z / sqrt(2));
}

/* P(at least k of n) where each comes with chance p. */
static double at_least(size_t k, size_t n, double p)
{
	double term, sum = 0;

	const bool from_below = (double)n * p > (double)k; /* the shorter way to add them up */

	if (k == 0 || p >= 1)
		return 1;
	if (from_below) {
		term = pow(1 - p, (double)n);
		for (size_t i = 0; i < k; i++) {
			sum += term;
			term *= (double)(n - i) / (double)(i + 1) * p / (1 - p);
		}
		return fmax(1 - sum, 0);
	}
	term = pow(1 - p, (double)(n - k));
	for (size_t i = 0; i < k; i++)
		term *= (double)(n - i) / (double)(i + 1) * p;
	for (size_t i = k; i <= n && term > 1e-18 * sum; i++) {
		sum += term;
		term *= (double)(n - i) / (double)(i + 1) * p / (1 - p);
	}
	return fmin(sum, 1);
}

double btvi_chance_low(double deviations, size_t k, size_t n, size_t m, double df)
{
	enum { STEPS_Z = 48, STEPS_S = 400 };
	const double most = 1 + 8 / sqrt(2 * df);
	int sign;
	const double front = log(2) + df / 2 * log(df / 2) - lgamma_r(df / 2, &sign);
	double sum = 0, weight = 0;

	/* Over the estimated deviation s (chi's distribution over the root of df) and the error z
	 * of the mean, by the midpoint rule; the weights are made to sum up to 1. */
	for (int i = 0; i < STEPS_S; i++) {
		const double s = most * (i + 0.5) / STEPS_S;
		const double density = exp(front + (df - 1) * log(s) - df * s * s / 2);

		for (int j = 0; j < STEPS_Z; j++) {
			const double z = 12 * (j + 0.5) / STEPS_Z - 6;
			const double w = density * exp(-z * z / 2);
			const double p = normal(z / sqrt((double)m) - deviations * s);

			weight += w;
			sum += w * at_least(k, n, p);
		}
	}
	return weight > 0 ? sum / weight : 1;
}

/* ---- outliers ------------------------------------------------------------------------------ */

/* How many runs at the low end are of another kind than those above them. */
static size_t low_end(const double *x, size_t n, double allowed_share)
{
	for (size_t k = (n - 1) / 2; k > 0; k--) {
		const double *const like = x + k;
		const size_t count = n - k;
		const double mean = btvi_mean(like, count), stretch = like[0] - x[k - 1];
		const double df = (double)count - 1;
		const double deviation = sqrt(btvi_squares(like, count) / df);

		if (count < 2 || !(stretch >= allowed_share * fabs(mean)) || !(stretch > 0) ||
			stretch <= like[count - 1] - like[0])
			continue;
		if (!(deviation > 0) ||
			btvi_chance_low((mean - x[k - 1]) / deviation, k, n, count, df) <=
				OUTLIER_TAIL)
			return k;
	}
	return 0;
}

struct btvi_outliers btvi_outliers_find(const double *sorted, size_t n, double allowed_share)
{
	struct btvi_outliers o = { 0, 0 };
	double *const mirrored = n >= 3 ? malloc(n * sizeof *mirrored) : NULL;

	if (!mirrored)
		return o; /* too few to tell kinds apart */
	for (size_t i = 0; i < n; i++)
		mirrored[i] = -sorted[n - 1 - i];
	o.low = low_end(sorted, n, allowed_share);
	o.high = low_end(mirrored, n, allowed_share);
	free(mirrored);
	return o;
}

/* ---- drift --------------------------------------------------------------------------------- */

static int by_number(const void *x, const void *y)
{
	const double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

/* P(|S| >= s) of Kendall's S for n values in random order: exact up to EXACT values by counting
 * orders, the normal approximation beyond. */
static enum btviz_status kendall(size_t n, double s, double *ret_p)
{
	enum { EXACT = 40 };
	const size_t pairs = n * (n - 1) / 2;
	double *ways, all = 1, hit = 0;

	if (n > EXACT) {
		const double count = (double)n;
		const double deviation = sqrt(count * (count - 1) * (2 * count + 5) / 18);

		*ret_p = fmin(2 * normal(-(fabs(s) - 1) / deviation), 1);
		return BTVIZ_OK;
	}
	ways = calloc(2 * (pairs + 1), sizeof *ways); /* orders with so many inversions */
	if (!ways)
		return BTVIZ_ERR_NOMEM;
	double *next = ways + pairs + 1;
	ways[0] = 1;
	for (size_t i = 2; i <= n; i++) {
		for (size_t k = 0; k <= pairs; k++) {
			next[k] = 0;
			for (size_t add = 0; add < i && add <= k; add++)
				next[k] += ways[k - add];
		}
		for (size_t k = 0; k <= pairs; k++)
			ways[k] = next[k];
		all *= (double)i;
	}
	for (size_t k = 0; k <= pairs; k++)
		if (fabs((double)pairs - 2 * (double)k) >= fabs(s) - 1e-9)
			hit += ways[k];
	free(ways);
	*ret_p = hit / all;
	return BTVIZ_OK;
}

enum btviz_status btvi_drift_find(
	const double *x, size_t n, double least, bool *ret_drifts, double *ret_rise, double *ret_p)
{
	enum { RUNS_MAX = 500 };
	const size_t used = n < RUNS_MAX ? n : RUNS_MAX; /* the first ones tell as much */
	const size_t pairs = used * (used - 1) / 2;
	double *slopes, s = 0;
	enum btviz_status status;

	*ret_drifts = false;
	*ret_rise = 0;
	*ret_p = 1;
	if (used < 5)
		return BTVIZ_OK; /* no order of four is rare enough */
	slopes = malloc(pairs * sizeof *slopes);
	if (!slopes)
		return BTVIZ_ERR_NOMEM;
	for (size_t i = 0, k = 0; i < used; i++)
		for (size_t j = i + 1; j < used; j++) {
			s += (x[j] > x[i]) - (x[j] < x[i]);
			slopes[k++] = (x[j] - x[i]) / (double)(j - i);
		}
	qsort(slopes, pairs, sizeof *slopes, by_number);
	*ret_rise = (slopes[pairs / 2] + slopes[(pairs - 1) / 2]) / 2 * (double)(used - 1);
	free(slopes);
	status = kendall(used, s, ret_p);
	*ret_drifts = status == BTVIZ_OK && *ret_p <= DRIFT_LEVEL && fabs(*ret_rise) >= least;
	return status;
}
