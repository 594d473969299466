/* test_comparison.c - the tables that were posted to kernel mailing lists, judged: their averages
 * and percentages as posted, and a verdict for each kernel. And who is compared with whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <btviz/compare.h>

static struct btviz_comparison *comparison(const char *table, double expect, const char *baseline)
{
	struct btviz_comparison_options o = BTVIZ_COMPARISON_OPTIONS_INIT;
	struct btviz_comparison *c = NULL;
	struct btviz_error err;

	o.expect = expect;
	o.baseline = baseline;
	assert_int_equal(btviz_comparison_new(&o, &c, &err), BTVIZ_OK);
	if (btviz_comparison_add_table(c, table, strlen(table), &err) != BTVIZ_OK)
		fail_msg("%s", err.message);
	return c;
}

static const struct btviz_judgement *judged(struct btviz_comparison *c)
{
	const struct btviz_judgement *j = NULL;
	struct btviz_error err;

	if (btviz_comparison_judge(c, &j, &err) != BTVIZ_OK)
		fail_msg("%s", err.message);
	return j;
}

/* "base good bad …" */
static const char *verdicts(const struct btviz_judgement *j, char *out)
{
	out[0] = '\0';
	for (size_t i = 0; i < j->group_count; i++) {
		strcat(out, i > 0 ? " " : "");
		strcat(out, btviz_verdict_name(j->groups[i]->verdict));
	}
	return out;
}

/* raid5 of four disks, MB/s, five runs a kernel. */
static const char raid5_table[] =
	"label,value\n"
	"2.6.25.8-fc8,138\n2.6.25.8-fc8,140\n2.6.25.8-fc8,142\n2.6.25.8-fc8,144\n2.6.25.8-fc8,142\n"
	"2.6.25.9+,168\n2.6.25.9+,168\n2.6.25.9+,165\n2.6.25.9+,168\n2.6.25.9+,165\n"
	"dac1d27b+,169\ndac1d27b+,172\ndac1d27b+,169\ndac1d27b+,169\ndac1d27b+,174\n"
	"18ea7e71+,167\n18ea7e71+,170\n18ea7e71+,164\n18ea7e71+,171\n18ea7e71+,166\n"
	"54a6eb5c+,177\n54a6eb5c+,109\n54a6eb5c+,119\n54a6eb5c+,120\n54a6eb5c+,165\n"
	"2.6.26-rc1,149\n2.6.26-rc1,138\n2.6.26-rc1,138\n2.6.26-rc1,139\n2.6.26-rc1,122\n"
	"2.6.26-rc8,144\n2.6.26-rc8,142\n2.6.26-rc8,129\n2.6.26-rc8,135\n2.6.26-rc8,154\n";

static const char raid0_table[] =
	"label,value\n"
	"2.6.25.8-fc8,279\n2.6.25.8-fc8,281\n2.6.25.8-fc8,281\n2.6.25.8-fc8,279\n2.6.25.8-fc8,278\n"
	"54a6eb5c,278\n54a6eb5c,278\n54a6eb5c,113\n54a6eb5c,69.2\n54a6eb5c,75.6\n"
	"54a6eb5c-nohighmem,273\n54a6eb5c-nohighmem,275\n54a6eb5c-nohighmem,68.7\n"
	"54a6eb5c-nohighmem,277\n54a6eb5c-nohighmem,62.5\n"
	"2.6.26-rc8,277\n2.6.26-rc8,277\n2.6.26-rc8,66.8\n2.6.26-rc8,73.7\n2.6.26-rc8,80.3\n";

/* Read test of 2.2.15 against 2.2.16 with 1 to 32 threads, MB/s. */
static const char threads_table[] =
	"label,value\n"
	"2.2.15@1,27.1371\n2.2.15@2,27.1219\n2.2.15@4,26.9915\n2.2.15@16,26.4320\n2.2.15@32,25.3407\n"
	"2.2.16@1,27.0948\n2.2.16@2,20.5753\n2.2.16@4,13.0397\n2.2.16@16,9.38573\n2.2.16@32,6.96358\n";

static const struct {
	const char *name, *table;
	double expect;
	const char *averages, *changes, *verdicts;
	enum btviz_verdict all;
} posted[] = {
	{ "raid5", raid5_table, 0, "141 167 171 168 138 137 141", "0 18 21 19 -2 -3 0",
		"base good good good sporadic sporadic good", BTVIZ_VERDICT_SPORADIC },
	{ "raid5, 15 % more expected", raid5_table, 0.15, "141 167 171 168 138 137 141",
		"0 18 21 19 -2 -3 0", "base good good good sporadic bad bad", BTVIZ_VERDICT_BAD },
	{ "raid0", raid0_table, 0, "280 163 191 155", "0 -42 -32 -45",
		"base sporadic sporadic sporadic", BTVIZ_VERDICT_SPORADIC },
	{ "threads", threads_table, 0, "27 27 27 26 25 27 21 13 9 7", "0 0 0 0 0 0 -24 -52 -64 -73",
		"base base base base base good bad bad bad bad", BTVIZ_VERDICT_BAD },
};

static void test_posted(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof posted / sizeof *posted; i++) {
		struct btviz_comparison *const c =
			comparison(posted[i].table, posted[i].expect, NULL);
		const struct btviz_judgement *const j = judged(c);
		char averages[256] = "", changes[256] = "", words[256];

		for (size_t k = 0; k < j->group_count; k++) {
			const char *const space = k > 0 ? " " : "";
			const double percent = round(100 * j->groups[k]->change);

			sprintf(averages + strlen(averages), "%s%.0f", space, j->groups[k]->mean);
			sprintf(changes + strlen(changes), "%s%.0f", space, percent + 0.0);
		}
		assert_string_equal(averages, posted[i].averages);
		assert_string_equal(changes, posted[i].changes);
		assert_string_equal(verdicts(j, words), posted[i].verdicts);
		assert_int_equal(j->verdict, posted[i].all);
		btviz_comparison_free(c);
	}
}

static void test_single_runs_say_so(void **state)
{
	struct btviz_comparison *const c = comparison(threads_table, 0, NULL);
	const struct btviz_judgement *const j = judged(c);

	(void)state;
	assert_true(j->sweep);
	for (size_t i = 5; i < j->group_count; i++) {
		assert_int_equal(j->groups[i]->base, i - 5);
		assert_int_equal(j->groups[i]->method, BTVIZ_METHOD_THRESHOLD);
		assert_non_null(strstr(j->groups[i]->reason, "single run: threshold only"));
		assert_string_equal(j->groups[i]->series, "2.2.16");
		assert_true(isnan(j->groups[i]->low));
	}
	assert_true(j->groups[9]->number > 31.9 && j->groups[9]->number < 32.1);
	btviz_comparison_free(c);
}

static void test_sweeps_and_bases(void **state)
{
	static const struct {
		const char *name, *table, *baseline;
		bool sweep;
		size_t bases[6];
		const char *verdicts;
	} cases[] = {
		{ "numbers", "label,value\n1,33\n4,22.5\n16,27\n", NULL, true, { 0, 0, 0 },
			"base bad bad" },
		{ "base by name", "label,value\na,33\nb,22.5\nc,33\n", "c", false, { 2, 2, 2 },
			"good bad base" },
		{ "one series", "label,value\nx@1,33\nx@4,22.5\n", NULL, true, { 0, 0 },
			"base bad" },
		{ "base series by name", "label,value\nx@1,33\ny@1,22.5\nx@2,1\ny@2,1\n", "y", true,
			{ 1, 1, 3, 3 }, "good base good base" },
		{ "base series by a label", "label,value\nx@1,33\ny@1,22.5\nx@2,1\ny@2,1\n", "y@2",
			true, { 1, 1, 3, 3 }, "good base good base" },
		{ "no partner", "label,value\nx@1,33\ny@1,33\ny@8,33\n", NULL, true,
			{ 0, 0, SIZE_MAX }, "base good inconclusive" },
		{ "1 is 1.0", "label,value\nx@1,33\ny@1.0,33\nx@2,1\n", NULL, true, { 0, 0, 2 },
			"base good base" },
		{ "numbers and names", "label,value\nbase,33\n4,22.5\n", NULL, false, { 0, 0 },
			"base bad" },
		{ "one number twice is no sweep", "label,value\nx@4,33\ny@4,33\n", NULL, false,
			{ 0, 0 }, "base good" },
		{ "an @ that is no series", "label,value\nme@host,33\nyou@host,33\n", NULL, false,
			{ 0, 0 }, "base good" },
		{ "a run without a figure", "label,value\na,33\na,\nb,\n", NULL, false, { 0, 0 },
			"base inconclusive" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct btviz_comparison *const c = comparison(cases[i].table, 0, cases[i].baseline);
		const struct btviz_judgement *const j = judged(c);
		char words[256];

		if (j->sweep != cases[i].sweep ||
			strcmp(verdicts(j, words), cases[i].verdicts) != 0)
			fail_msg("%s: %s", cases[i].name, words);
		for (size_t k = 0; k < j->group_count; k++)
			assert_true(j->groups[k]->base == cases[i].bases[k]);
		btviz_comparison_free(c);
	}
}

static void test_wrong_use(void **state)
{
	struct btviz_comparison_options o = BTVIZ_COMPARISON_OPTIONS_INIT;
	const struct btviz_judgement *j = NULL;
	struct btviz_comparison *c = NULL;
	struct btviz_error err;

	(void)state;
	o.threshold = 0;
	assert_int_equal(btviz_comparison_new(&o, &c, &err), BTVIZ_ERR_USAGE);
	o.threshold = NAN;
	assert_int_equal(btviz_comparison_new(&o, &c, NULL), BTVIZ_ERR_USAGE);
	o.threshold = 0.1;
	o.expect = -1;
	assert_int_equal(btviz_comparison_new(&o, &c, &err), BTVIZ_ERR_USAGE);
	o.expect = 0;
	o.size = 1;
	assert_int_equal(btviz_comparison_new(&o, &c, &err), BTVIZ_ERR_USAGE);

	assert_int_equal(btviz_comparison_new(NULL, &c, &err), BTVIZ_OK);
	assert_int_equal(btviz_comparison_judge(c, &j, &err), BTVIZ_ERR_EMPTY);
	assert_int_equal(btviz_comparison_add(c, "", NULL, 1, &err), BTVIZ_ERR_USAGE);
	assert_int_equal(
		btviz_comparison_add(c, "a", NULL, (double)INFINITY, &err), BTVIZ_ERR_USAGE);
	assert_int_equal(btviz_comparison_add(c, "a", "run 1", 1, &err), BTVIZ_OK);
	assert_int_equal(btviz_comparison_judge(c, &j, &err), BTVIZ_ERR_USAGE);
	assert_non_null(strstr(err.message, "'a'"));
	assert_int_equal(btviz_comparison_add(c, "b\n\x1b", NULL, 1, &err), BTVIZ_OK);
	assert_int_equal(btviz_comparison_judge(c, &j, &err), BTVIZ_OK);
	assert_string_equal(j->groups[1]->label, "b??");
	assert_string_equal(j->groups[0]->names[0], "run 1");
	assert_string_equal(j->groups[1]->names[0], "");
	btviz_comparison_free(c);
	btviz_comparison_free(NULL);

	o = (struct btviz_comparison_options)BTVIZ_COMPARISON_OPTIONS_INIT;
	o.baseline = "nobody";
	assert_int_equal(btviz_comparison_new(&o, &c, &err), BTVIZ_OK);
	assert_int_equal(btviz_comparison_add(c, "a", NULL, 1, &err), BTVIZ_OK);
	assert_int_equal(btviz_comparison_judge(c, &j, &err), BTVIZ_ERR_USAGE);
	assert_non_null(strstr(err.message, "nobody"));
	btviz_comparison_free(c);
}

static void test_limits(void **state)
{
	struct btviz_comparison *c = NULL;
	struct btviz_error err;
	char label[16];

	(void)state;
	assert_int_equal(btviz_comparison_new(NULL, &c, &err), BTVIZ_OK);
	for (int i = 0; i < 1000; i++) {
		sprintf(label, "l%d", i);
		assert_int_equal(btviz_comparison_add(c, label, NULL, 1, &err), BTVIZ_OK);
	}
	assert_int_equal(btviz_comparison_add(c, "one more", NULL, 1, &err), BTVIZ_ERR_LIMIT);
	for (int i = 1000; i < 100000; i++)
		assert_int_equal(btviz_comparison_add(c, "l0", NULL, 1, NULL), BTVIZ_OK);
	assert_int_equal(btviz_comparison_add(c, "l0", NULL, 1, &err), BTVIZ_ERR_LIMIT);
	btviz_comparison_free(c);
}

/* The metrics, from figures made by hand: an array of 100 MB in 4 s. */
static void test_metrics(void **state)
{
	struct btviz_device d[2] = {
		{ .device = 9 << 20, .basis = BTVIZ_BASIS_COMPLETE, .seeks = 80 },
		{ .device = 8 << 20, .basis = BTVIZ_BASIS_COMPLETE, .seeks = 1000 }
	};
	/* A volume on an array of four: it has one member, and nothing to balance. */
	const struct btviz_array volume = {
		.device = 9 << 20, .member_count = 1, .effective_members = 1
	};
	const struct btviz_array array = { .member_count = 4, .effective_members = 3.5 };
	const struct btviz_device *const devices[] = { &d[0], &d[1] };
	const struct btviz_array *const arrays[] = { &volume, &array };
	const size_t top[] = { 0 };
	struct btviz_figures f = { .span_s = 4,
		.devices = devices,
		.device_count = 2,
		.arrays = arrays,
		.array_count = 2,
		.top = top,
		.top_count = 1 };
	static const double want[BTVIZ_METRIC_COUNT] = { 25, 500, 20, 2, 30, 1.75, 3.5, 4 };

	(void)state;
	d[0].moved[BTVIZ_DIR_ALL] = (struct btviz_count){ 2000, 100000000 };
	d[0].moved[BTVIZ_DIR_OTHER] = (struct btviz_count){ 1, 1 << 30 };
	d[1].moved[BTVIZ_DIR_ALL] = (struct btviz_count){ 1500, 600000000 };
	d[0].latency[BTVIZ_Q2C][BTVIZ_DIR_ALL] =
		(struct btviz_distribution){ .count = 5, .p50 = 0.002, .p99 = 0.03 };
	d[0].gap_totals[BTVIZ_GAP_SUBMIT].total_s = 1.25;
	d[0].gap_totals[BTVIZ_GAP_DEVICE].total_s = 0.5;
	d[0].gap_totals[BTVIZ_GAP_SLOW].total_s = 2;
	for (enum btviz_metric m = 0; m < BTVIZ_METRIC_COUNT; m++) {
		assert_true(fabs(btviz_metric_value(m, &f) - want[m]) < 1e-9);
		assert_true(strlen(btviz_metric_info(m)->name) > 0);
	}

	/* What a trace does not tell is not a number, not 0. */
	const struct btviz_figures nothing = { .span_s = 4 };
	assert_true(isnan(btviz_metric_value(BTVIZ_METRIC_MB_PER_S, &nothing)));
	d[0].latency[BTVIZ_Q2C][BTVIZ_DIR_ALL].count = 0;
	assert_true(isnan(btviz_metric_value(BTVIZ_METRIC_LATENCY_P99, &f)));
	d[0].latency[BTVIZ_D2C][BTVIZ_DIR_ALL] =
		(struct btviz_distribution){ .count = 5, .p50 = 0.001, .p99 = 0.01 };
	assert_true(fabs(btviz_metric_value(BTVIZ_METRIC_LATENCY_P99, &f) - 10) < 1e-9);
	f.array_count = 1;
	assert_true(isnan(btviz_metric_value(BTVIZ_METRIC_EFFECTIVE_MEMBERS, &f)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_posted),
		cmocka_unit_test(test_single_runs_say_so),
		cmocka_unit_test(test_sweeps_and_bases),
		cmocka_unit_test(test_wrong_use),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_metrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
