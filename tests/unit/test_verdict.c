/* test_verdict.c - the rule on hand-made groups, and how often it errs on simulated ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "judge/statistic.h"
#include "judge/verdict.h"

enum {
	G = BTVIZ_VERDICT_GOOD,
	B = BTVIZ_VERDICT_BAD,
	S = BTVIZ_VERDICT_SPORADIC,
	I = BTVIZ_VERDICT_INCONCLUSIVE
};
enum { T1 = BTVIZ_METHOD_THRESHOLD, SEP = BTVIZ_METHOD_SEPARATION, RANK = BTVIZ_METHOD_RANK_TEST };

static const struct {
	const char *name;
	double base[8];
	size_t m;
	double runs[8];
	size_t n;
	struct btvi_rule rule;
	int verdict, method;
} cases[] = {
	/* one run on a side */
	{ "1:1, alike", { 27.1371 }, 1, { 27.0948 }, 1, { .threshold = 0.1 }, G, T1 },
	{ "1:1, a quarter less", { 27.1219 }, 1, { 20.5753 }, 1, { .threshold = 0.1 }, B, T1 },
	{ "1:1, exactly the threshold", { 100 }, 1, { 90 }, 1, { .threshold = 0.1 }, B, T1 },
	{ "1:1, just within it", { 100 }, 1, { 90.1 }, 1, { .threshold = 0.1 }, G, T1 },
	{ "1:1, wider threshold", { 100 }, 1, { 80 }, 1, { .threshold = 0.25 }, G, T1 },
	{ "1:1, latency up", { 10 }, 1, { 12 }, 1, { .threshold = 0.1, .lower_is_better = true }, B,
		T1 },
	{ "1:1, latency down", { 10 }, 1, { 5 }, 1, { .threshold = 0.1, .lower_is_better = true },
		G, T1 },
	{ "5:1, below all", { 138, 140, 142, 144, 142 }, 5, { 110 }, 1, { .threshold = 0.1 }, B,
		T1 },
	{ "5:1, among the base's", { 100, 60, 140, 100, 100 }, 5, { 70 }, 1, { .threshold = 0.1 },
		I, T1 },
	{ "1:5, one far below", { 100 }, 1, { 101, 99, 100, 100, 88 }, 5, { .threshold = 0.1 }, I,
		T1 },
	{ "1:5, two kinds", { 279 }, 1, { 278, 278, 113, 69.2, 75.6 }, 5, { .threshold = 0.1 }, S,
		T1 },
	{ "1:3, two kinds", { 279 }, 1, { 280, 70, 65 }, 3, { .threshold = 0.1 }, S, T1 },
	/* few */
	{ "2:2, alike", { 100, 101 }, 2, { 100, 99 }, 2, { .threshold = 0.1 }, G, SEP },
	{ "2:2, far apart", { 100, 101 }, 2, { 60, 61 }, 2, { .threshold = 0.1 }, B, SEP },
	{ "2:2, apart, but wide", { 100, 120 }, 2, { 75, 98 }, 2, { .threshold = 0.1 }, I, SEP },
	{ "2:2, one of each kind", { 100, 101 }, 2, { 100, 60 }, 2, { .threshold = 0.1 }, I, SEP },
	{ "3:3, alike", { 100, 101, 99 }, 3, { 100, 99, 98 }, 3, { .threshold = 0.1 }, G, RANK },
	{ "3:3, far apart", { 100, 101, 99 }, 3, { 70, 75, 80 }, 3, { .threshold = 0.1 }, B, SEP },
	{ "3:3, one far below", { 100, 101, 99 }, 3, { 100, 60, 101 }, 3, { .threshold = 0.1 }, S,
		SEP },
	{ "3:3, noisy", { 100, 70, 130 }, 3, { 60, 110, 80 }, 3, { .threshold = 0.1 }, I, SEP },
	/* enough */
	{ "5:5, equal to the digit", { 5, 5, 5, 5, 5 }, 5, { 5, 5, 5, 5, 5 }, 5,
		{ .threshold = 0.1 }, G, RANK },
	{ "5:5, surely worse, but little", { 100, 100, 101, 101, 100 }, 5, { 97, 97, 98, 98, 97 },
		5, { .threshold = 0.1 }, G, RANK },
	{ "5:5, much better", { 100, 100, 101, 101, 100 }, 5, { 150, 190, 160, 170, 180 }, 5,
		{ .threshold = 0.1 }, G, RANK },
	{ "5:5, a fifth less", { 100, 103, 98, 101, 99 }, 5, { 80, 83, 79, 81, 77 }, 5,
		{ .threshold = 0.1 }, B, RANK },
	{ "5:5, noise hides it", { 100, 140, 60, 120, 80 }, 5, { 85, 125, 50, 100, 70 }, 5,
		{ .threshold = 0.1 }, I, RANK },
	{ "5:5, no stretch between", { 100, 101, 99, 100, 100 }, 5, { 95, 90, 85, 80, 75 }, 5,
		{ .threshold = 0.1 }, B, RANK },
	{ "5:5, the base is sporadic, too", { 279, 281, 70, 279, 278 }, 5, { 278, 278, 69, 70, 71 },
		5, { .threshold = 0.1 }, I, RANK },
	{ "5:5, latency has two kinds", { 10, 10.1, 9.9, 10, 10 }, 5, { 10, 10.1, 30, 50, 10 }, 5,
		{ .threshold = 0.1, .lower_is_better = true }, S, RANK },
	/* expectations */
	{ "20 % expected, 0 came", { 100, 101, 99, 100, 100 }, 5, { 100, 99, 101, 100, 101 }, 5,
		{ .threshold = 0.1, .expect = 0.2 }, B, RANK },
	{ "20 % expected, 21 came", { 100, 101, 99, 100, 100 }, 5, { 120, 121, 122, 120, 121 }, 5,
		{ .threshold = 0.1, .expect = 0.2 }, G, RANK },
	{ "8 % expected, 0 came: the threshold alone would let it pass", { 100, 101, 99, 100, 100 },
		5, { 100, 99, 101, 100, 101 }, 5, { .threshold = 0.1, .expect = 0.08 }, B, RANK },
	{ "8 % expected, 7 came", { 100, 101, 99, 100, 100 }, 5, { 107, 107, 106, 107, 108 }, 5,
		{ .threshold = 0.1, .expect = 0.08 }, G, RANK },
	{ "15 % loss expected and come", { 100, 101, 99, 100, 100 }, 5, { 85, 84, 86, 85, 85 }, 5,
		{ .threshold = 0.1, .expect = -0.15 }, G, RANK },
	{ "latency to halve, did not", { 10 }, 1, { 9 }, 1,
		{ .threshold = 0.1, .expect = -0.5, .lower_is_better = true }, B, T1 },
	{ "latency to halve, did", { 10 }, 1, { 5.2 }, 1,
		{ .threshold = 0.1, .expect = -0.5, .lower_is_better = true }, G, T1 },
	/* a base of 0 */
	{ "no gaps, then a tiny one", { 0, 0, 0 }, 3, { 0, 0.06, 0 }, 3,
		{ .threshold = 0.1, .least = 0.1, .lower_is_better = true }, G, RANK },
	{ "no gaps, then long ones", { 0, 0, 0, 0 }, 4, { 8, 9, 8.5, 7 }, 4,
		{ .threshold = 0.1, .least = 0.1, .lower_is_better = true }, B, RANK },
	{ "all 0", { 0, 0, 0, 0 }, 4, { 0, 0, 0, 0 }, 4, { .threshold = 0.1 }, G, SEP },
	{ "0 and 0, single", { 0 }, 1, { 0 }, 1, { .threshold = 0.1 }, G, T1 },
	{ "no seeks, then next to none", { 0, 0, 0 }, 3, { 0.13, 0.2, 0 }, 3,
		{ .threshold = 0.1, .floor = 1, .lower_is_better = true }, G, RANK },
	{ "no seeks, then many", { 0 }, 1, { 40 }, 1,
		{ .threshold = 0.1, .floor = 1, .lower_is_better = true }, B, T1 },
	{ "the floor is of a base of 0 alone", { 0.4 }, 1, { 0.6 }, 1,
		{ .threshold = 0.1, .floor = 1, .lower_is_better = true }, B, T1 },
	/* better than all of the base is a third kind, and widens nothing */
	{ "5:5, three kinds: a raid5 whose fault comes with a gain", { 138, 140, 142, 144, 142 }, 5,
		{ 177, 109, 119, 120, 165 }, 5, { .threshold = 0.1 }, S, RANK },
	{ "5:5, several low ones are less likely than one", { 100, 104, 96, 102, 98 }, 5,
		{ 101, 99, 84, 83, 82 }, 5, { .threshold = 0.1 }, S, RANK },
	{ "8:8, one just beyond the bar hides no fault", { 100, 106, 94, 103, 97, 101, 99, 100 }, 8,
		{ 89, 92, 95, 99, 101, 104, 50, 48 }, 8, { .threshold = 0.1 }, S, RANK },
	{ "5:5, one as low as those", { 100, 104, 96, 102, 98 }, 5, { 101, 99, 100, 102, 83 }, 5,
		{ .threshold = 0.1 }, I, RANK },
	/* exactly the threshold, whatever the binary fractions */
	{ "of 20 % exactly half came", { 100 }, 1, { 110 }, 1, { .threshold = 0.1, .expect = 0.2 },
		B, T1 },
	{ "of 8 % a bit more than half came", { 100 }, 1, { 104.01 }, 1,
		{ .threshold = 0.1, .expect = 0.08 }, G, T1 },
	{ "0.3 less 0.03", { 0.3 }, 1, { 0.27 }, 1, { .threshold = 0.1 }, B, T1 },
};

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct btvi_ruling r;

		assert_int_equal(btvi_rule_apply(&cases[i].rule, cases[i].base, cases[i].m,
					 cases[i].runs, cases[i].n, &r),
			BTVIZ_OK);
		if ((int)r.verdict != cases[i].verdict || (int)r.method != cases[i].method)
			fail_msg("%s: %s by method %d (%s)", cases[i].name,
				btviz_verdict_name(r.verdict), r.method, r.reason);
		assert_true(strlen(r.reason) > 10);
		assert_int_equal(strstr(r.reason, "threshold only") != NULL,
			cases[i].method == T1 &&
				!(r.verdict == BTVIZ_VERDICT_SPORADIC && cases[i].m > 1));
	}
}

static void test_no_figures(void **state)
{
	const struct btvi_rule rule = { .threshold = 0.1 };
	const double one[] = { 1 };
	struct btvi_ruling r;

	(void)state;
	assert_int_equal(btvi_rule_apply(&rule, one, 0, one, 1, &r), BTVIZ_OK);
	assert_int_equal(r.verdict, I);
	assert_int_equal(r.method, BTVIZ_METHOD_NONE);
	assert_int_equal(btvi_rule_apply(&rule, one, 1, one, 0, &r), BTVIZ_OK);
	assert_int_equal(r.verdict, I);
	assert_true(isnan(r.change));
}

/* Neither the order of runs nor the unit may matter. */
static void test_order_and_unit(void **state)
{
	const struct btvi_rule rule = { .threshold = 0.1 };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct btvi_rule scaled = cases[i].rule;
		double base[8], runs[8];
		struct btvi_ruling r;

		for (size_t j = 0; j < cases[i].m; j++)
			base[j] = cases[i].base[cases[i].m - 1 - j] * 1024;
		for (size_t j = 0; j < cases[i].n; j++)
			runs[j] = cases[i].runs[cases[i].n - 1 - j] * 1024;
		scaled.least *= 1024;
		scaled.floor *= 1024;
		assert_int_equal(
			btvi_rule_apply(&scaled, base, cases[i].m, runs, cases[i].n, &r), BTVIZ_OK);
		assert_int_equal(r.verdict, cases[i].verdict);
	}
	(void)rule;
}

/* ---- simulations --------------------------------------------------------------------------- */

enum noise { NORMAL, UNIFORM, LAPLACE, SKEWED, NOISE_COUNT };

static double draw(struct btvi_random *r, enum noise noise)
{
	const double u = 1 - btvi_random_unit(r), v = btvi_random_unit(r);

	switch (noise) {
	case NORMAL:
		return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
	case UNIFORM:
		return (u - 0.5) * sqrt(12);
	case LAPLACE:
		return (v < 0.5 ? -1 : 1) * log(u) / sqrt(2);
	case SKEWED: /* its long tail is on the bad side */
		return log(u) + 1;
	case NOISE_COUNT:
		break;
	}
	return 0;
}

/* How many of so many simulated comparisons get each verdict. */
static void simulate(uint64_t seed, int rounds, size_t m, size_t n, enum noise noise, double share,
	double loss, int *ret_counts)
{
	const struct btvi_rule rule = { .threshold = 0.1 };
	struct btvi_random r = { seed };

	memset(ret_counts, 0, 5 * sizeof *ret_counts);
	for (int i = 0; i < rounds; i++) {
		double a[50], b[50];
		struct btvi_ruling ruling;

		for (size_t j = 0; j < m; j++)
			a[j] = 280 * (1 + share * draw(&r, noise));
		for (size_t j = 0; j < n; j++)
			b[j] = 280 * (1 - loss) * (1 + share * draw(&r, noise));
		assert_int_equal(btvi_rule_apply(&rule, a, m, b, n, &ruling), BTVIZ_OK);
		ret_counts[ruling.verdict]++;
	}
}

/* Runs of one distribution are called bad or sporadic in under 5 % of cases, whatever its shape and
 * width, as soon as both sides have two runs. (Student's bound for "sporadic" is of normal noise,
 * so a skewed one gets a bit more.) */
static void test_false_alarms(void **state)
{
	static const size_t sizes[][2] = { { 2, 2 }, { 2, 3 }, { 3, 3 }, { 5, 2 }, { 3, 5 },
		{ 4, 4 }, { 5, 5 }, { 10, 10 }, { 20, 5 } };
	static const double shares[] = { 0.01, 0.05, 0.1, 0.2 };

	(void)state;
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
			for (enum noise noise = 0; noise < NOISE_COUNT; noise++) {
				const int rounds = 600;
				int c[5];

				simulate(1000 + s, rounds, sizes[s][0], sizes[s][1], noise,
					shares[k], 0, c);
				if ((c[B] + c[S]) * 100 >= rounds * (noise == SKEWED ? 8 : 5))
					fail_msg(
						"%zu:%zu, noise %d of %g: %d bad and %d sporadic of %d",
						sizes[s][0], sizes[s][1], (int)noise, shares[k],
						c[B], c[S], rounds);
			}
}

/* With 5 % of noise a single pair of runs is beyond the threshold by chance in 8 % of cases: that
 * is what "threshold only" warns of. */
static void test_false_alarms_single(void **state)
{
	int c[5];

	(void)state;
	simulate(5, 4000, 1, 1, NORMAL, 0.03, 0, c);
	assert_true(c[B] * 100 < 4000 * 2);
	simulate(5, 4000, 5, 1, NORMAL, 0.05, 0, c);
	assert_true((c[B] + c[S]) * 100 < 4000 * 5);
	simulate(5, 4000, 1, 5, NORMAL, 0.05, 0, c);
	assert_true((c[B] + c[S]) * 100 < 4000 * 5);
	simulate(5, 4000, 1, 1, NORMAL, 0.05, 0, c);
	assert_in_range(c[B] * 100 / 4000, 5, 9);
}

/* A loss of 20 % is found with 5 runs and 5 % of noise; a steady 20 % is found with any number. */
static void test_power(void **state)
{
	static const struct {
		size_t m, n;
		double share;
		int at_least; /* percent */
	} cases_of_power[] = {
		{ 5, 5, 0.05, 98 },
		{ 4, 4, 0.05, 95 },
		{ 10, 5, 0.05, 98 },
		{ 10, 10, 0.1, 95 },
		{ 3, 3, 0.05, 85 },
		{ 2, 2, 0.03, 85 },
		{ 3, 3, 0.03, 99 },
		{ 50, 50, 0.1, 99 },
		{ 1, 1, 0.01, 99 },
		{ 2, 2, 0.01, 99 },
		{ 1, 5, 0.03, 99 },
		{ 5, 1, 0.03, 99 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases_of_power / sizeof *cases_of_power; i++) {
		const int rounds = cases_of_power[i].m + cases_of_power[i].n > 50 ? 60 : 2000;
		int c[5];

		simulate(77 + i, rounds, cases_of_power[i].m, cases_of_power[i].n, NORMAL,
			cases_of_power[i].share, 0.2, c);
		if (c[B] * 100 < rounds * cases_of_power[i].at_least)
			fail_msg("%zu:%zu, noise %g: only %d of %d called bad", cases_of_power[i].m,
				cases_of_power[i].n, cases_of_power[i].share, c[B], rounds);
	}
}

/* Equal kernels are mostly called good, not left open. */
static void test_good_is_said(void **state)
{
	int c[5];

	(void)state;
	simulate(9, 2000, 5, 5, NORMAL, 0.05, 0, c);
	assert_true(c[G] * 100 > 2000 * 85);
	simulate(9, 2000, 3, 3, NORMAL, 0.03, 0, c);
	assert_true(c[G] * 100 > 2000 * 90);
	simulate(9, 2000, 2, 2, NORMAL, 0.01, 0, c);
	assert_true(c[G] * 100 > 2000 * 95);
}

/* A fault that hits two or three of five runs is found as what it is. */
static void test_sporadic_found(void **state)
{
	const struct btvi_rule rule = { .threshold = 0.1 };
	struct btvi_random r = { 21 };
	int found = 0, alarms = 0, rounds = 2000;

	(void)state;
	for (int i = 0; i < rounds; i++) {
		const size_t hit = 1 + btvi_random_below(&r, 4);
		struct btvi_ruling ruling;
		double a[5], b[5];

		for (size_t j = 0; j < 5; j++) {
			a[j] = 280 * (1 + 0.02 * draw(&r, NORMAL));
			b[j] = 280 * (1 + 0.02 * draw(&r, NORMAL)) *
				(j < hit ? 0.2 + 0.3 * btvi_random_unit(&r) : 1);
		}
		assert_int_equal(btvi_rule_apply(&rule, a, 5, b, 5, &ruling), BTVIZ_OK);
		found += ruling.verdict == BTVIZ_VERDICT_SPORADIC;
		alarms += ruling.verdict == BTVIZ_VERDICT_SPORADIC ||
			ruling.verdict == BTVIZ_VERDICT_BAD;
	}
	assert_true(found * 100 > rounds * 98);
	assert_true(alarms * 100 > rounds * 98);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_no_figures),
		cmocka_unit_test(test_order_and_unit),
		cmocka_unit_test(test_false_alarms),
		cmocka_unit_test(test_false_alarms_single),
		cmocka_unit_test(test_power),
		cmocka_unit_test(test_good_is_said),
		cmocka_unit_test(test_sporadic_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
