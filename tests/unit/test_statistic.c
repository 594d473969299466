/* test_statistic.c - the rank test against published tables and against plain counting, Student's
 * quantiles against published tables, the bootstrap against what it must not do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>

#include "judge/statistic.h"

static double p_lower(const double *a, size_t m, const double *b, size_t n)
{
	double p = -1;

	assert_int_equal(btvi_rank_lower(a, m, b, n, &p), BTVIZ_OK);
	return p;
}

/* The p of two groups without ties in which u of the m x n pairs have the b above the a. */
static double p_of_u(size_t m, size_t n, size_t u)
{
	double a[64], b[64];

	for (size_t i = 0; i < m; i++)
		a[i] = (double)(i + 1) * 1000;
	for (size_t i = 0; i < n; i++) {
		const size_t below = u < m ? u : m; /* so many a are below this b */

		b[i] = (double)below * 1000 + 500 + (double)i;
		u -= below;
	}
	return p_lower(a, m, b, n);
}

/* The whole distribution for 5 and 5, in 252nds: Mann and Whitney's own table. */
static void test_rank_five_and_five(void **state)
{
	static const int cumulated[] = { 1, 2, 4, 7, 12, 19, 28, 39, 53, 69, 87, 106, 126 };

	(void)state;
	for (size_t u = 0; u < sizeof cumulated / sizeof *cumulated; u++)
		assert_true(fabs(p_of_u(5, 5, u) - cumulated[u] / 252.0) < 1e-12);
	assert_true(fabs(p_of_u(5, 5, 25) - 1) < 1e-12);
}

/* Critical values as tables of the test print them: the largest u that is significant. */
static void test_rank_critical_values(void **state)
{
	static const struct {
		size_t m, n;
		double level;
		size_t u;
	} cases[] = {
		{ 3, 3, 0.05, 0 },
		{ 4, 4, 0.05, 1 },
		{ 5, 5, 0.05, 4 },
		{ 6, 6, 0.05, 7 },
		{ 7, 7, 0.05, 11 },
		{ 8, 8, 0.05, 15 },
		{ 10, 10, 0.05, 27 },
		{ 15, 15, 0.05, 72 },
		{ 20, 20, 0.05, 138 },
		{ 4, 4, 0.025, 0 },
		{ 5, 5, 0.025, 2 },
		{ 6, 6, 0.025, 5 },
		{ 7, 7, 0.025, 8 },
		{ 8, 8, 0.025, 13 },
		{ 9, 9, 0.025, 17 },
		{ 10, 10, 0.025, 23 },
		{ 15, 15, 0.025, 64 },
		{ 20, 20, 0.025, 127 },
		{ 5, 8, 0.025, 6 },
		{ 8, 5, 0.025, 6 },
		{ 5, 10, 0.025, 8 },
		{ 10, 5, 0.025, 8 },
		{ 10, 20, 0.025, 55 },
		{ 5, 10, 0.05, 11 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_true(p_of_u(cases[i].m, cases[i].n, cases[i].u) <= cases[i].level + 1e-12);
		assert_true(p_of_u(cases[i].m, cases[i].n, cases[i].u + 1) > cases[i].level);
	}
}

/* All ways to deal values out, one by one: what the test is by its definition. */
static double p_by_counting(const double *a, size_t m, const double *b, size_t n)
{
	const size_t count = m + n;
	double v[16], rank2[16], observed = 0;
	size_t low = 0, all = 0;

	for (size_t i = 0; i < count; i++)
		v[i] = i < m ? a[i] : b[i - m];
	for (size_t i = 0; i < count; i++) {
		rank2[i] = 1;
		for (size_t j = 0; j < count; j++)
			rank2[i] += v[j] < v[i] ? 2 : v[j] > v[i] ? 0 : 1;
		observed += i >= m ? rank2[i] : 0;
	}
	for (unsigned pick = 0; pick < 1U << count; pick++) {
		double sum = 0;
		size_t picked = 0;

		for (size_t i = 0; i < count; i++)
			if (pick >> i & 1) {
				sum += rank2[i];
				picked++;
			}
		all += picked == n;
		low += picked == n && sum <= observed;
	}
	return (double)low / (double)all;
}

static void test_rank_ties(void **state)
{
	struct btvi_random r = { 42 };

	(void)state;
	for (int round = 0; round < 200; round++) {
		const size_t m = 1 + btvi_random_below(&r, 6), n = 1 + btvi_random_below(&r, 6);
		double a[6], b[6];

		for (size_t i = 0; i < m; i++)
			a[i] = (double)btvi_random_below(&r, 4);
		for (size_t i = 0; i < n; i++)
			b[i] = (double)btvi_random_below(&r, 4);
		assert_true(fabs(p_lower(a, m, b, n) - p_by_counting(a, m, b, n)) < 1e-12);
	}
}

static void test_rank_all_equal(void **state)
{
	const double a[] = { 7, 7, 7, 7, 7 };

	(void)state;
	assert_true(fabs(p_lower(a, 5, a, 5) - 1) < 1e-12);
}

/* Beyond BTVI_RANK_EXACT the normal approximation takes over: no jump where they meet. */
static void test_rank_large(void **state)
{
	struct btvi_random r = { 3 };
	double a[70], b[70];
	const size_t half = BTVI_RANK_EXACT / 2;

	(void)state;
	for (int round = 0; round < 20; round++) {
		for (size_t i = 0; i < 70; i++) {
			a[i] = btvi_random_unit(&r);
			b[i] = btvi_random_unit(&r) * 0.9;
		}
		a[half] = 0.45; /* in the middle of b: says nothing */
		const double exact = p_lower(a, half, b, half);
		const double normal = p_lower(a, half + 1, b, half);
		assert_true(fabs(exact - normal) < 0.02);
	}
	for (size_t i = 0; i < 70; i++)
		a[i] = b[i] = 1;
	assert_true(fabs(p_lower(a, 70, b, 70) - 1) < 1e-12);
}

static void test_rank_floor(void **state)
{
	(void)state;
	assert_true(fabs(btvi_rank_floor(1, 1) - 1 / 2.0) < 1e-15);
	assert_true(fabs(btvi_rank_floor(2, 2) - 1 / 6.0) < 1e-15);
	assert_true(fabs(btvi_rank_floor(3, 3) - 1 / 20.0) < 1e-15);
	assert_true(fabs(btvi_rank_floor(5, 5) - 1 / 252.0) < 1e-15);
	assert_true(btvi_rank_floor(100000, 100000) >= 0);
}

static void test_student(void **state)
{
	static const struct {
		double p, df, t;
	} cases[] = {
		{ 0.975, 1, 12.706 },
		{ 0.975, 2, 4.303 },
		{ 0.975, 4, 2.776 },
		{ 0.975, 10, 2.228 },
		{ 0.975, 30, 2.042 },
		{ 0.95, 8, 1.860 },
		{ 0.9995, 1, 636.619 },
		{ 0.9995, 3, 12.924 },
		{ 0.99, 120, 2.358 },
		{ 0.9, 5, 1.476 },
		{ 0.75, 1, 1.000 },
		{ 0.95, 40, 1.684 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const double t = btvi_student_quantile(cases[i].p, cases[i].df);

		assert_true(fabs(t - cases[i].t) < 0.00055);
		assert_true(
			fabs(btvi_student_quantile(1 - cases[i].p, cases[i].df) + t) < 1e-6 * t);
		assert_true(fabs(btvi_student(t, cases[i].df) - cases[i].p) < 1e-9);
	}
	assert_true(fabs(btvi_student(0, 3) - 0.5) < 1e-12);
	/* One degree of freedom is Cauchy's distribution, which has a formula. */
	for (double t = -50; t <= 50; t += 3.7)
		assert_true(fabs(btvi_student(t, 1) - (0.5 + atan(t) / acos(-1))) < 1e-12);
}

static void test_bootstrap(void **state)
{
	const double one[] = { 5 }, two[] = { 5, 9 }, same[] = { 7, 7, 7, 7 };
	const double runs[] = { 138, 140, 142, 144, 142 }, more[] = { 168, 168, 165, 168, 165 };
	struct btvi_interval i, again;

	(void)state;
	assert_int_equal(btvi_bootstrap_mean(one, 1, &i), BTVIZ_OK);
	assert_true(isnan(i.low) && isnan(i.high));
	assert_int_equal(btvi_bootstrap_mean(two, 2, &i), BTVIZ_OK);
	assert_true(i.low >= 5 && i.low < 5.01 && i.high > 8.99 && i.high <= 9);
	assert_int_equal(btvi_bootstrap_mean(same, 4, &i), BTVIZ_OK);
	assert_true(i.low >= 7 && i.high <= 7);
	assert_int_equal(btvi_bootstrap_mean(runs, 5, &i), BTVIZ_OK);
	assert_true(i.low > 138 && i.low < 140.5 && i.high > 142 && i.high < 144);
	assert_int_equal(btvi_bootstrap_mean(runs, 5, &again), BTVIZ_OK);
	assert_true(i.low >= again.low && i.low <= again.low && i.high >= again.high);

	assert_int_equal(btvi_bootstrap_change(runs, 5, more, 5, &i), BTVIZ_OK);
	assert_true(i.low > 0.14 && i.low < 0.1813 && i.high > 0.1813 && i.high < 0.22);
	assert_int_equal(btvi_bootstrap_change(one, 1, one, 1, &i), BTVIZ_OK);
	assert_true(isnan(i.low));
	assert_int_equal(btvi_bootstrap_change(one, 1, two, 2, &i), BTVIZ_OK);
	assert_true(i.low >= 0 && i.high <= 0.8000001 && i.high > 0.79);
}

/* The interval holds the true mean about as often as it says. */
static void test_bootstrap_coverage(void **state)
{
	static const size_t sizes[] = { 5, 10, 20 };
	struct btvi_random r = { 11 };

	(void)state;
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		int hits = 0;

		for (int round = 0; round < 400; round++) {
			double x[20];
			struct btvi_interval i;

			for (size_t j = 0; j < sizes[k]; j++) {
				const double u = 1 - btvi_random_unit(&r);

				x[j] = sqrt(-2 * log(u)) * cos(2 * acos(-1) * btvi_random_unit(&r));
			}
			assert_int_equal(btvi_bootstrap_mean(x, sizes[k], &i), BTVIZ_OK);
			hits += i.low <= 0 && i.high >= 0;
		}
		assert_true(hits >= 400 * 0.89);
	}
}

static void test_random(void **state)
{
	struct btvi_random r = { 0 };
	size_t seen[3] = { 0, 0, 0 };

	(void)state;
	/* The first outputs for seed 0, as the algorithm's authors give them. */
	assert_true(btvi_random_next(&r) == UINT64_C(0xe220a8397b1dcdaf));
	assert_true(btvi_random_next(&r) == UINT64_C(0x6e789e6aa1b965f4));
	for (int i = 0; i < 3000; i++)
		seen[btvi_random_below(&r, 3)]++;
	for (int i = 0; i < 3; i++)
		assert_true(seen[i] > 850 && seen[i] < 1150);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rank_five_and_five),
		cmocka_unit_test(test_rank_critical_values),
		cmocka_unit_test(test_rank_ties),
		cmocka_unit_test(test_rank_all_equal),
		cmocka_unit_test(test_rank_large),
		cmocka_unit_test(test_rank_floor),
		cmocka_unit_test(test_student),
		cmocka_unit_test(test_bootstrap),
		cmocka_unit_test(test_bootstrap_coverage),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
