/* test_power.c - what runs miss, how low they fall by chance, outliers, drift: against values
 * worked out by hand or by other means. And what a comparison makes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <btviz/compare.h>

#include "judge/power.h"
#include "judge/statistic.h"

static void test_miss(void **state)
{
	(void)state;
	assert_true(fabs(btvi_power_miss(0.5, 3) - 0.125) < 1e-12);
	assert_true(fabs(btvi_power_miss(1.0 / 3, 3) - 8.0 / 27) < 1e-12);
	assert_int_equal(btvi_power_runs(1.0 / 3, 0.01), 12); /* 11 miss 1.16 % */
	assert_int_equal(btvi_power_runs(0.5, 0.125), 3);     /* exactly */
	assert_int_equal(btvi_power_runs(0.5, 0.12), 4);
	assert_int_equal(btvi_power_runs(0.3, 0.001), 20);
	assert_int_equal(btvi_power_runs(1, 0.01), 1);
}

/* One low run of one: Student's distribution itself. Several: a simulation's. */
static void test_chance(void **state)
{
	struct btvi_random r = { 4 };
	int hits = 0, rounds = 400000;

	(void)state;
	for (double t = 1; t < 8; t += 1.5)
		assert_true(fabs(btvi_chance_low(t * sqrt(1 + 1.0 / 5), 1, 1, 5, 4) /
					    btvi_student(-t, 4) -
				    1) < 2e-3);
	assert_true(fabs(btvi_chance_low(0, 1, 1, 5, 4) - 0.5) < 1e-6);
	assert_true(fabs(btvi_chance_low(1, 0, 3, 5, 4) - 1) < 1e-9);
	for (int i = 0; i < rounds; i++) {
		double x[9];
		int low = 0;

		for (int k = 0; k < 9; k++)
			x[k] = sqrt(-2 * log(1 - btvi_random_unit(&r))) *
				cos(2 * acos(-1) * btvi_random_unit(&r));
		const double bound = btvi_mean(x, 5) - 2 * sqrt(btvi_squares(x, 5) / 4);
		for (int k = 5; k < 9; k++)
			low += x[k] < bound;
		hits += low >= 2;
	}
	assert_true(fabs((double)hits / rounds / btvi_chance_low(2, 2, 4, 5, 4) - 1) < 0.05);
}

static void test_outliers(void **state)
{
	static const struct {
		const char *name;
		double x[8];
		size_t n, low, high;
	} cases[] = {
		{ "none", { 138, 140, 142, 142, 144 }, 5, 0, 0 },
		{ "one low", { 70, 278, 279, 279, 281 }, 5, 1, 0 },
		{ "two low", { 65, 70, 278, 279, 279, 281 }, 6, 2, 0 },
		{ "one low of three", { 70, 279, 281 }, 3, 1, 0 },
		{ "one high", { 100, 100, 101, 102, 180 }, 5, 0, 1 },
		{ "half and half are no outliers", { 70, 70, 280, 280 }, 4, 0, 0 },
		{ "noise", { 60, 80, 100, 120, 140 }, 5, 0, 0 },
		{ "low, but within the threshold", { 95, 100, 100, 100, 100 }, 5, 0, 0 },
		{ "two runs", { 70, 280 }, 2, 0, 0 },
		{ "all equal", { 5, 5, 5, 5 }, 4, 0, 0 },
		{ "all 0", { 0, 0, 0, 0 }, 4, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct btvi_outliers o = btvi_outliers_find(cases[i].x, cases[i].n, 0.1);

		if (o.low != cases[i].low || o.high != cases[i].high)
			fail_msg("%s: %zu low, %zu high", cases[i].name, o.low, o.high);
	}
}

static void test_drift(void **state)
{
	static const struct {
		const char *name;
		double x[8];
		size_t n;
		bool drifts;
		double p;
	} cases[] = {
		{ "five falling", { 100, 97, 94, 90, 88 }, 5, true, 2.0 / 120 },
		{ "five rising", { 88, 90, 94, 97, 100 }, 5, true, 2.0 / 120 },
		{ "four are too few", { 100, 90, 80, 70 }, 4, false, 1 },
		{ "up and down", { 100, 88, 97, 90, 94 }, 5, false, NAN },
		{ "falling, but by nothing", { 100, 99.9, 99.8, 99.7, 99.6 }, 5, false, 2.0 / 120 },
		{ "six, two of them swapped", { 100, 97, 94, 95, 90, 88 }, 6, true, 12.0 / 720 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double rise, p;
		bool drifts;

		assert_int_equal(
			btvi_drift_find(cases[i].x, cases[i].n, 5, &drifts, &rise, &p), BTVIZ_OK);
		if (drifts != cases[i].drifts ||
			(!isnan(cases[i].p) && fabs(p - cases[i].p) > 1e-9))
			fail_msg("%s: %d, p %g", cases[i].name, drifts, p);
	}
}

/* ---- in a comparison ----------------------------------------------------------------------- */

static void add(struct btviz_comparison *c, const char *label, const double *x, size_t n,
	const char *blocks)
{
	for (size_t i = 0; i < n; i++) {
		struct btviz_comparison_run run = BTVIZ_COMPARISON_RUN_INIT;
		const char block[2] = { blocks ? blocks[i] : '\0', '\0' };

		run.label = label;
		run.value = x[i];
		run.block = blocks ? block : NULL;
		assert_int_equal(btviz_comparison_add_run(c, &run, NULL), BTVIZ_OK);
	}
}

static const struct btviz_judgement *judge(struct btviz_comparison *c)
{
	const struct btviz_judgement *j = NULL;

	assert_int_equal(btviz_comparison_judge(c, &j, NULL), BTVIZ_OK);
	return j;
}

static const double steady[] = { 100, 101, 99, 100, 100 };

/* Good, but with too few runs to have met a fault in every third: more are asked for. */
static void test_sporadic_rate(void **state)
{
	struct btviz_comparison_options o = BTVIZ_COMPARISON_OPTIONS_INIT;
	struct btviz_comparison *c = NULL;

	(void)state;
	o.sporadic_rate = 1.0 / 3;
	o.miss = 0.15;
	assert_int_equal(btviz_comparison_new(&o, &c, NULL), BTVIZ_OK);
	add(c, "a", steady, 5, NULL);
	add(c, "b", steady, 4, NULL);
	assert_int_equal(judge(c)->groups[1]->verdict, BTVIZ_VERDICT_INCONCLUSIVE);
	assert_int_equal(judge(c)->groups[1]->runs_needed, 5);
	assert_non_null(strstr(judge(c)->groups[1]->reason, "4 of 5 runs, 1 more: no fault yet"));
	add(c, "b", steady, 1, NULL);
	assert_int_equal(judge(c)->groups[1]->verdict, BTVIZ_VERDICT_GOOD);
	assert_string_equal(judge(c)->groups[1]->power,
		"a fault in every 2nd run would be missed in 3.1 %, in every 3rd in 13 %; "
		"12 runs for 1 %");
	btviz_comparison_free(c);
	o.sporadic_rate = 1.5;
	assert_int_equal(btviz_comparison_new(&o, &c, NULL), BTVIZ_ERR_USAGE);
}

/* An outlier in the base is named, and what is good by it alone is not called good. */
static void test_dirty_base(void **state)
{
	static const double dirty[] = { 279, 281, 70, 279, 278 },
			    low[] = { 225, 226, 224, 225, 226 };
	static const double two[] = { 279, 70, 281, 72, 279, 278 };
	struct btviz_comparison *c = NULL;
	const struct btviz_group *g;

	(void)state;
	assert_int_equal(btviz_comparison_new(NULL, &c, NULL), BTVIZ_OK);
	add(c, "a", dirty, 5, NULL);
	add(c, "low", low, 5, NULL);
	add(c, "same", steady, 0, NULL);
	assert_string_equal(judge(c)->groups[0]->note,
		"run 3 (70.0) is far below the others: an outlier, or sporadic");
	g = judge(c)->groups[1];
	assert_int_equal(g->verdict, BTVIZ_VERDICT_INCONCLUSIVE);
	assert_non_null(strstr(g->reason, "without the base's outliers: bad ("));
	btviz_comparison_free(c);

	assert_int_equal(btviz_comparison_new(NULL, &c, NULL), BTVIZ_OK);
	add(c, "a", two, 6, NULL);
	add(c, "b", dirty, 2, NULL);
	assert_string_equal(
		judge(c)->groups[0]->note, "sporadic: 2 of its 6 runs far below the others");
	btviz_comparison_free(c);
}

/* Nine runs of three boots are three observations: what looks sure by runs is not by boots. */
static void test_blocks(void **state)
{
	static const double base[] = { 100, 100.5, 101, 106, 106.5, 107, 94, 94.5, 95 };
	static const double runs[] = { 89, 89.5, 90, 93, 93.5, 94, 83, 83.5, 84 };
	static const double mixed[] = { 100, 50, 101, 106, 51, 107, 94, 94.5, 49 };
	struct btviz_comparison_options o = BTVIZ_COMPARISON_OPTIONS_INIT;
	struct btviz_comparison *c = NULL;
	double width[3];

	(void)state;
	for (int how = 0; how < 3; how++) {
		o.block = how == 2 ? 3 : 0;
		assert_int_equal(btviz_comparison_new(&o, &c, NULL), BTVIZ_OK);
		add(c, "a", base, 9, how == 1 ? "xxxyyyzzz" : NULL);
		add(c, "b", runs, 9, how == 1 ? "uuuvvvwww" : NULL);
		add(c, "mixed", mixed, 9, how == 1 ? "uuuvvvwww" : NULL);
		const struct btviz_group *const g = judge(c)->groups[1];

		assert_int_equal(
			g->verdict, how == 0 ? BTVIZ_VERDICT_BAD : BTVIZ_VERDICT_INCONCLUSIVE);
		assert_int_equal(g->blocks, how == 0 ? 9 : 3);
		width[how] = g->change_high - g->change_low;
		/* A fault that comes and goes within a boot is no boot's own. */
		assert_int_equal(judge(c)->groups[2]->verdict, BTVIZ_VERDICT_SPORADIC);
		btviz_comparison_free(c);
	}
	assert_true(width[1] > 1.3 * width[0]);
	assert_true(fabs(width[1] - width[2]) < 1e-12);
}

static void test_drift_note(void **state)
{
	static const double falling[] = { 88, 100, 94, 97, 90 };
	static const double times[] = { 5, 1, 3, 2, 4 };
	struct btviz_comparison *c = NULL;

	(void)state;
	assert_int_equal(btviz_comparison_new(NULL, &c, NULL), BTVIZ_OK);
	add(c, "a", steady, 5, NULL);
	for (size_t i = 0; i < 5; i++) {
		struct btviz_comparison_run run = BTVIZ_COMPARISON_RUN_INIT;

		run.label = "b";
		run.value = falling[i];
		run.time_s = times[i]; /* the order in which they were made, not given */
		assert_int_equal(btviz_comparison_add_run(c, &run, NULL), BTVIZ_OK);
	}
	assert_string_equal(judge(c)->groups[0]->note, "");
	assert_string_equal(judge(c)->groups[1]->note,
		"drift: falls steadily by 13 % from its first run to its last");
	btviz_comparison_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_miss),
		cmocka_unit_test(test_chance),
		cmocka_unit_test(test_outliers),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_sporadic_rate),
		cmocka_unit_test(test_dirty_base),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_drift_note),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
