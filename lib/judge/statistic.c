/* statistic.c - rank test, Student's distribution, bootstrap. Knows numbers only; what they mean
 * for a run is decided in verdict.c. */
#include "judge/statistic.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BOOTSTRAP_ROUNDS = 4999, BOOTSTRAP_SEED = 20080620 };

uint64_t btvi_random_next(struct btvi_random *r)
{
	uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

double btvi_random_unit(struct btvi_random *r)
{
	return (double)(btvi_random_next(r) >> 11) * 0x1p-53;
}

size_t btvi_random_below(struct btvi_random *r, size_t n)
{
	/* The bias of a product of 53 random bits is far below what a few thousand draws can show.
	 */
	return (size_t)(btvi_random_unit(r) * (double)n);
}

double btvi_mean(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return n > 0 ? sum / (double)n : NAN;
}

double btvi_min(const double *x, size_t n)
{
	double low = n > 0 ? x[0] : NAN;

	for (size_t i = 1; i < n; i++)
		low = fmin(low, x[i]);
	return low;
}

double btvi_max(const double *x, size_t n)
{
	double high = n > 0 ? x[0] : NAN;

	for (size_t i = 1; i < n; i++)
		high = fmax(high, x[i]);
	return high;
}

double btvi_squares(const double *x, size_t n)
{
	const double mean = btvi_mean(x, n);
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sum;
}

/* ---- the rank test ------------------------------------------------------------------------- */

struct ranked {
	double value;
	size_t rank2; /* twice the rank, so that shared ranks stay whole */
	bool in_b;
};

static int by_value(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;

	return (a->value > b->value) - (a->value < b->value);
}

/* Sorts v and gives each value twice its rank, equal ones the average. Returns the sum of t^3 - t
 * over the sets of t equal values, which is 0 if all differ. */
static double rank(struct ranked *v, size_t count)
{
	double ties = 0;

	qsort(v, count, sizeof *v, by_value);
	for (size_t i = 0, end; i < count; i = end) {
		end = i + 1;
		while (end < count && v[end].value <= v[i].value)
			end++;
		for (size_t j = i; j < end; j++)
			v[j].rank2 = i + end + 1; /* twice the average of i + 1 .. end */
		const double t = (double)(end - i);
		ties += t * t * t - t;
	}
	return ties;
}

/* The share of all ways to choose n of the count values whose ranks sum up to at most `most`. Ways
 * are counted in doubles: all terms are positive, so nothing cancels. */
static enum btviz_status exact_share(
	const struct ranked *v, size_t count, size_t n, size_t most, double *ret_share)
{
	const size_t width = most + 1;
	double *const ways = calloc((n + 1) * width, sizeof *ways); /* [chosen][sum] */
	double hit = 0, all = 1;

	if (!ways)
		return BTVIZ_ERR_NOMEM;
	ways[0] = 1;
	for (size_t i = 0; i < count; i++) {
		const size_t r = v[i].rank2;

		for (size_t k = i < n ? i + 1 : n; k > 0; k--)
			for (size_t s = r; s < width; s++)
				ways[k * width + s] += ways[(k - 1) * width + s - r];
	}
	for (size_t s = 0; s < width; s++)
		hit += ways[n * width + s];
	for (size_t i = 1; i <= n; i++)
		all = all * (double)(count - n + i) / (double)i;
	free(ways);
	*ret_share = fmin(hit / all, 1);
	return BTVIZ_OK;
}

static double normal_share(size_t m, size_t n, size_t sum2, double ties)
{
	const double count = (double)m + (double)n;
	const double mean = (double)n * (count + 1) / 2;
	const double variance =
		(double)m * (double)n / 12 * (count + 1 - ties / (count * (count - 1)));

	if (variance <= 0)
		return 1;
	return 0.5 * erfc(-((double)sum2 / 2 + 0.5 - mean) / sqrt(2 * variance));
}

enum btviz_status btvi_rank_lower(
	const double *a, size_t m, const double *b, size_t n, double *ret_p)
{
	struct ranked *const v = calloc(m + n + 1, sizeof *v);
	enum btviz_status status = BTVIZ_OK;
	size_t sum2 = 0;

	if (!v)
		return BTVIZ_ERR_NOMEM;
	for (size_t i = 0; i < m + n; i++)
		v[i] = (struct ranked){ .value = i < m ? a[i] : b[i - m], .in_b = i >= m };
	const double ties = rank(v, m + n);
	for (size_t i = 0; i < m + n; i++)
		sum2 += v[i].in_b ? v[i].rank2 : 0;
	if (m + n <= BTVI_RANK_EXACT)
		status = exact_share(v, m + n, n, sum2, ret_p);
	else
		*ret_p = normal_share(m, n, sum2, ties);
	free(v);
	return status;
}

double btvi_rank_floor(size_t m, size_t n)
{
	double all = 1;

	for (size_t i = 1; i <= n; i++)
		all = all * (double)(m + i) / (double)i;
	return 1 / all;
}

/* ---- Student's distribution ---------------------------------------------------------------- */

/* The incomplete beta function's continued fraction, evaluated from the front (Lentz); for x below
 * (a + 1) / (a + b + 2), where it converges fast. */
static double beta_fraction(double x, double a, double b)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (int i = 1; i < 500; i++) {
		const double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
		const double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));

		for (int half = 0; half < 2; half++) {
			const double term = half == 0 ? even : odd;

			d = 1 + term * d;
			d = 1 / (fabs(d) < tiny ? tiny : d);
			c = 1 + term / c;
			c = fabs(c) < tiny ? tiny : c;
			f *= c * d;
		}
		if (fabs(c * d - 1) < 1e-15)
			break;
	}
	return f;
}

static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign); /* lgamma() writes to a global */
}

/* The regularised incomplete beta function I_x(a, b). */
static double incomplete_beta(double x, double a, double b)
{
	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	const double front =
		exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));

	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double btvi_student(double t, double df)
{
	const double tail = 0.5 * incomplete_beta(df / (df + t * t), df / 2, 0.5);

	return t > 0 ? 1 - tail : tail;
}

double btvi_student_quantile(double p, double df)
{
	double low = -1, high = 1;

	if (p > 0.5)
		return -btvi_student_quantile(1 - p, df);
	while (low > -1e100 && btvi_student(low, df) > p)
		low *= 2;
	for (int i = 0; i < 200 && high - low > 1e-14 * fabs(low); i++) {
		const double middle = low + (high - low) / 2;

		if (btvi_student(middle, df) < p)
			low = middle;
		else
			high = middle;
	}
	return low + (high - low) / 2;
}

/* ---- bootstrap ----------------------------------------------------------------------------- */

static double drawn_mean(struct btvi_random *r, const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[btvi_random_below(r, n)];
	return sum / (double)n;
}

static int by_number(const void *x, const void *y)
{
	const double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static double quantile(const double *sorted, size_t n, double p)
{
	const double at = p * (double)(n - 1);
	const size_t i = (size_t)at;

	return i + 1 < n ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i])
			 : sorted[n - 1];
}

/* a may be absent (m = 0): the interval is then of the mean of b, else of the change from a to b.
 */
static enum btviz_status bootstrap(
	const double *a, size_t m, const double *b, size_t n, struct btvi_interval *ret_i)
{
	struct btvi_random r = { BOOTSTRAP_SEED };
	const size_t few = m > 1 && (m < n || n == 1) ? m : n;
	double *const drawn = malloc(BOOTSTRAP_ROUNDS * sizeof *drawn);

	if (!drawn)
		return BTVIZ_ERR_NOMEM;
	for (size_t i = 0; i < BOOTSTRAP_ROUNDS; i++) {
		const double before = m > 0 ? drawn_mean(&r, a, m) : 1;
		const double after = drawn_mean(&r, b, n);

		drawn[i] = m > 0 ? after / before - 1 : after;
	}
	qsort(drawn, BOOTSTRAP_ROUNDS, sizeof *drawn, by_number);

	/* A resampled spread is too small by sqrt((n - 1) / n), and its tails are the normal's
	 * where Student's are due; the tail is taken so much farther out. */
	const double t = btvi_student_quantile(0.025, (double)few - 1);
	const double tail = 0.5 * erfc(-t * sqrt((double)few / (double)(few - 1)) / sqrt(2));

	*ret_i = (struct btvi_interval){ quantile(drawn, BOOTSTRAP_ROUNDS, tail),
		quantile(drawn, BOOTSTRAP_ROUNDS, 1 - tail) };
	free(drawn);
	return BTVIZ_OK;
}

enum btviz_status btvi_bootstrap_mean(const double *x, size_t n, struct btvi_interval *ret_i)
{
	*ret_i = (struct btvi_interval){ NAN, NAN };
	return n < 2 ? BTVIZ_OK : bootstrap(NULL, 0, x, n, ret_i);
}

enum btviz_status btvi_bootstrap_change(
	const double *a, size_t m, const double *b, size_t n, struct btvi_interval *ret_i)
{
	*ret_i = (struct btvi_interval){ NAN, NAN };
	if (m == 0 || n == 0 || m + n < 3 || !(btvi_min(a, m) > 0))
		return BTVIZ_OK;
	return bootstrap(a, m, b, n, ret_i);
}
