/* judge/statistic.h - the few statistics that judging runs needs. Exact where runs are few, the
 * same result on every machine and in every call. Knows numbers only: no labels, no traces. */
#ifndef BTVI_JUDGE_STATISTIC_H
#define BTVI_JUDGE_STATISTIC_H

#include <stddef.h>
#include <stdint.h>

#include <btviz/status.h>

/* A reproducible stream of random numbers (Steele, Lea, Flood: Fast splittable pseudorandom number
 * generators, OOPSLA 2014). Any seed is good. */
struct btvi_random {
	uint64_t state;
};

uint64_t btvi_random_next(struct btvi_random *r);
double btvi_random_unit(struct btvi_random *r);            /* 0 <= u < 1 */
size_t btvi_random_below(struct btvi_random *r, size_t n); /* 0 .. n - 1; n > 0 */

/* NaN for n = 0. */
double btvi_mean(const double *x, size_t n);
double btvi_min(const double *x, size_t n);
double btvi_max(const double *x, size_t n);

/* Sum of squared distances from the mean; 0 for n < 2. */
double btvi_squares(const double *x, size_t n);

/* The one-sided p of Mann and Whitney's rank test (Ann. Math. Stat. 18, 1947) that b tends to be
 * lower than a: the chance that runs which all come from one distribution, dealt out blindly, give
 * b ranks as low as these. Equal values share their ranks. Exact, ties included (by the shift
 * algorithm of Streitberg and Roehmel, 1986), up to BTVI_RANK_EXACT values in both together; the
 * normal approximation with correction for ties and continuity beyond. BTVIZ_OK or BTVIZ_ERR_NOMEM.
 */
enum { BTVI_RANK_EXACT = 128 };
enum btviz_status btvi_rank_lower(
	const double *a, size_t m, const double *b, size_t n, double *ret_p);

/* The lowest p that the rank test can give with m and n runs: 1 / C(m + n, n). */
double btvi_rank_floor(size_t m, size_t n);

/* Student's distribution: P(T <= t), and the t with that probability; df > 0, 0 < p < 1. */
double btvi_student(double t, double df);
double btvi_student_quantile(double p, double df);

struct btvi_interval {
	double low, high; /* NaN where there is none */
};

/* The 95 % bootstrap percentile interval of the mean, widened for small n as Hesterberg shows (What
 * teachers should know about the bootstrap, The American Statistician 69, 2015). Fixed seed. It
 * only illustrates: no verdict hangs on it. None for n < 2. BTVIZ_OK or BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_bootstrap_mean(const double *x, size_t n, struct btvi_interval *ret_i);

/* The same for the relative change of the mean, mean(b) / mean(a) - 1, both sides drawn anew. A
 * side with one run stays as it is; none where both have one, or the mean of a is not positive. */
enum btviz_status btvi_bootstrap_change(
	const double *a, size_t m, const double *b, size_t n, struct btvi_interval *ret_i);

#endif
