/* test_gaps.c - gaps of real recordings against what was done to them (testdata/README.md), and the
 * tracker on small scripts. Times in s from the run's first I/O event. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <btviz/btviz.h>

#include "script.h"

struct want {
	enum btviz_gap_kind kind;
	double start_s, end_s, idle_s;
	const char *member, *before, *after;
};

static struct btviz_summary *read_recording(const char *name, double threshold_s)
{
	struct btviz_summary_options o = BTVIZ_SUMMARY_OPTIONS_INIT;
	struct btviz_error err;
	struct btviz_summary *s;
	char path[512];

	o.gap_threshold_ns = (uint64_t)(threshold_s * 1e9);
	snprintf(path, sizeof path, "%s/real/%s.tar.xz", getenv("TESTDATA"), name);
	if (btviz_summary_read(path, NULL, &o, &s, &err) != BTVIZ_OK)
		fail_msg("%s: %s", path, err.message);
	return s;
}

static const struct btviz_device *device(const struct btviz_figures *f, const char *name)
{
	for (size_t i = 0; i < f->device_count; i++)
		if (strcmp(f->devices[i]->name, name) == 0)
			return f->devices[i];
	fail_msg("no device %s", name);
	return NULL;
}

static const char *name_of(const struct btviz_figures *f, uint32_t number)
{
	for (size_t i = 0; i < f->device_count; i++)
		if (f->devices[i]->device == number)
			return f->devices[i]->name;
	return "";
}

/* All gaps of a kind on md0 are those, and no others. */
static void check(const char *recording, double threshold_s, enum btviz_gap_kind kind,
	const struct want *want, size_t count)
{
	struct btviz_summary *s = read_recording(recording, threshold_s);
	const struct btviz_figures *f;
	const struct btviz_device *d;
	size_t n = 0;

	assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
	d = device(f, "md0");
	for (size_t i = 0; i < d->gap_count; i++) {
		const struct btviz_gap *g = d->gaps[i];

		if (g->kind != kind)
			continue;
		if (n >= count)
			fail_msg("%s: unwanted gap at %.3f s to %.3f s", recording, g->start_s,
				g->end_s);
		if (fabs(g->start_s - want[n].start_s) > 0.0006 ||
			fabs(g->end_s - want[n].end_s) > 0.0006 ||
			(kind == BTVIZ_GAP_SUBMIT && fabs(g->idle_s - want[n].idle_s) > 0.0006))
			fail_msg("%s: gap %zu is %.3f to %.3f idle %.3f", recording, n, g->start_s,
				g->end_s, g->idle_s);
		if (want[n].member)
			assert_string_equal(name_of(f, g->member), want[n].member);
		if (want[n].before)
			assert_string_equal(g->before_comm, want[n].before);
		if (want[n].after)
			assert_string_equal(g->after_comm, want[n].after);
		n++;
	}
	assert_int_equal(n, count);
	assert_int_equal(d->gap_totals[kind].count, count);
	btviz_summary_free(s);
}

static const struct want raid0_bad[] = {
	{ BTVIZ_GAP_SUBMIT, 0.480, 2.002, 1.400, "", "kworker/u8:0", "kworker/u8:4" },
	{ BTVIZ_GAP_SUBMIT, 2.576, 3.149, 0.443, "", "kworker/u8:4", "kworker/u8:4" },
	{ BTVIZ_GAP_SUBMIT, 3.930, 4.768, 0.742, "", "kworker/u8:0", "kworker/u8:4" },
	{ BTVIZ_GAP_SUBMIT, 5.326, 6.823, 1.414, "", "kworker/u8:4", "kworker/u8:4" },
	{ BTVIZ_GAP_SUBMIT, 7.206, 7.674, 0.314, "", "kworker/u8:4", "kworker/u8:4" },
	{ BTVIZ_GAP_SUBMIT, 8.625, 10.525, 1.760, "", "kworker/u8:4", "kworker/u8:4" },
	{ BTVIZ_GAP_SUBMIT, 11.344, 13.163, 1.728, "", "kworker/u8:4", "kworker/u8:4" },
};

static const struct want raid5_bad[] = {
	{ BTVIZ_GAP_SUBMIT, 0.954, 2.026, 0.934, "", "kworker/u8:3", "kworker/u8:3" },
	{ BTVIZ_GAP_SUBMIT, 2.621, 3.142, 0.250, "", "kworker/u8:3", "kworker/u8:3" },
	{ BTVIZ_GAP_SUBMIT, 3.900, 4.746, 0.670, "", "kworker/u8:3", "kworker/u8:3" },
	{ BTVIZ_GAP_SUBMIT, 5.209, 6.807, 1.336, "", "kworker/u8:3", "kworker/u8:3" },
	{ BTVIZ_GAP_SUBMIT, 7.253, 7.687, 0.170, "", "kworker/u8:3", "kworker/u8:3" },
	{ BTVIZ_GAP_SUBMIT, 8.707, 10.527, 1.687, "", "kworker/u8:3", "kworker/u8:3" },
	{ BTVIZ_GAP_SUBMIT, 11.343, 13.166, 1.702, "", "kworker/u8:3", "kworker/u8:3" },
	{ BTVIZ_GAP_SUBMIT, 13.879, 14.809, 0.556, "", "kworker/u8:2", "kworker/u8:2" },
};

static void test_submit(void **state)
{
	static const double thresholds[] = { 0, 0.1 }; /* the adaptive one and a given one */

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		check("raid0-bad", thresholds[i], BTVIZ_GAP_SUBMIT, raid0_bad, 7);
		check("raid5-bad", thresholds[i], BTVIZ_GAP_SUBMIT, raid5_bad, 8);
		check("raid0-good", thresholds[i], BTVIZ_GAP_SUBMIT, NULL, 0);
		check("raid5-good", thresholds[i], BTVIZ_GAP_SUBMIT, NULL, 0);
	}
}

static void test_stalls(void **state)
{
	static const struct want hw[] = {
		{ BTVIZ_GAP_DEVICE, 3.044, 4.533, 0, "sdd", "", "" },
		{ BTVIZ_GAP_DEVICE, 6.126, 7.605, 0, "sdd", "", "" },
	};
	static const struct want dm[] = {
		{ BTVIZ_GAP_QUEUE, 2.750, 4.517, 0, "dm-0", "", "" },
		{ BTVIZ_GAP_QUEUE, 6.497, 8.263, 0, "dm-0", "", "" },
	};

	(void)state;
	check("raid0-devstall-hw", 0, BTVIZ_GAP_DEVICE, hw, 2);
	check("raid0-devstall-hw", 0, BTVIZ_GAP_SUBMIT, NULL, 0);
	check("raid0-devstall-hw", 0, BTVIZ_GAP_QUEUE, NULL, 0);
	check("raid0-devstall-dm", 0, BTVIZ_GAP_QUEUE, dm, 2);
	check("raid0-devstall-dm", 0, BTVIZ_GAP_SUBMIT, NULL, 0);
	check("raid0-devstall-dm", 0, BTVIZ_GAP_DEVICE, NULL, 0);
}

/* No healthy recording has a gap of any kind on its array. */
static void test_none(void **state)
{
	static const char *const healthy[] = { "raid0-good", "raid5-good", "raid0-onedisk",
		"raid5-rmw", "raid1-threads-1", "raid1-threads-4", "raid1-threads-16" };

	(void)state;
	for (size_t i = 0; i < sizeof healthy / sizeof healthy[0]; i++)
		for (unsigned k = 0; k < BTVIZ_GAP_KIND_COUNT; k++)
			check(healthy[i], 0, (enum btviz_gap_kind)k, NULL, 0);
}

static struct btviz_summary *run_script(const char *text, double threshold_s)
{
	struct script s = { .at = text, .device = BTVIZ_DEVICE(8, 0), .pid = 1 };
	struct btviz_summary_options o = BTVIZ_SUMMARY_OPTIONS_INIT;
	struct btviz_summary *sum;
	struct btviz_event ev;

	o.gap_threshold_ns = (uint64_t)(threshold_s * 1e9);
	assert_int_equal(btviz_summary_new(&o, &sum, NULL), BTVIZ_OK);
	while (script_next(&s, &ev))
		assert_int_equal(btviz_summary_add(sum, &ev, NULL), BTVIZ_OK);
	return sum;
}

/* Each kind alone, on a disk; times in ms would be shorter, but the script's unit is ns. */
static void test_kinds(void **state)
{
	static const struct {
		const char *name, *in;
		enum btviz_gap_kind kind;
		double start_s, end_s, idle_s;
	} cases[] = {
		{ "nothing submitted",
			"0 Q W 0+8\n1000 G W 0+8\n2000 D W 0+8\n100000000 C W 0+8\n"
			"900000000 Q W 8+8\n900001000 G W 8+8\n900002000 D W 8+8\n910000000 C W 8+8",
			BTVIZ_GAP_SUBMIT, 0, 0.9, 0.8 },
		{ "a flush in the gap does not end it",
			"0 Q W 0+8\n1000 G W 0+8\n2000 D W 0+8\n100000000 C W 0+8\n"
			"300000000 Q FWS 0+0\n300001000 D FN 0+0\n310000000 C FN 0+0\n310000000 C WS 0+0\n"
			"900000000 Q W 8+8\n900001000 G W 8+8\n900002000 D W 8+8\n910000000 C W 8+8",
			BTVIZ_GAP_SUBMIT, 0, 0.9, 0.79 },
		{ "held in the queue",
			"0 Q W 0+8\n1000 G W 0+8\n700000000 D W 0+8\n710000000 C W 0+8",
			BTVIZ_GAP_QUEUE, 0, 0.7, 0 },
		{ "held by the disk",
			"0 Q W 0+8\n1000 G W 0+8\n2000000 D W 0+8\n3000000 Q W 8+8\n4000000 G W 8+8\n"
			"5000000 D W 8+8\n702000000 C W 0+8\n703000000 C W 8+8",
			BTVIZ_GAP_DEVICE, 0.002, 0.702, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct btviz_summary *s = run_script(cases[i].in, 0.5);
		const struct btviz_figures *f;

		assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
		if (f->devices[0]->gap_count != 1)
			fail_msg("%s: %zu gaps", cases[i].name, f->devices[0]->gap_count);
		const struct btviz_gap *g = f->devices[0]->gaps[0];

		assert_int_equal(g->kind, cases[i].kind);
		assert_true(
			fabs(g->start_s - cases[i].start_s) < 2e-6); /* known with the first G */
		assert_true(fabs(g->end_s - cases[i].end_s) < 1e-9);
		assert_true(fabs(g->idle_s - cases[i].idle_s) < 1e-4);
		btviz_summary_free(s);
	}
}

/* One small write every four seconds: the machine is idle, nothing holds it up. */
static void test_idle_machine(void **state)
{
	char text[4096] = "";
	struct btviz_summary *s;
	const struct btviz_figures *f;

	(void)state;
	for (unsigned i = 0; i < 15; i++) {
		const size_t n = strlen(text);
		const unsigned long long t = i * 4000000000ULL + i % 3 * 100000000ULL;

		snprintf(text + n, sizeof text - n,
			"%llu Q W %u+8\n%llu G W %u+8\n%llu D W %u+8\n%llu C W %u+8\n", t, i * 8,
			t + 1000, i * 8, t + 2000, i * 8, t + 5000000, i * 8);
	}
	s = run_script(text, 0);
	assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
	assert_int_equal(f->devices[0]->gap_count, 0);
	btviz_summary_free(s);
}

/* A single silence in a short run is a gap, however much of the run it takes. */
static void test_one_silence(void **state)
{
	struct btviz_event ev = {
		.device = BTVIZ_DEVICE(8, 0), .pid = 1, .bytes = 4096, .version = 7
	};
	const struct btviz_figures *f;
	struct btviz_summary *s;

	(void)state;
	assert_int_equal(btviz_summary_new(NULL, &s, NULL), BTVIZ_OK);
	for (uint64_t i = 0; i < 100; i++) {
		ev.sector = i * 8;
		ev.event = BTVIZ_ACT_QUEUE;
		ev.categories = BTVIZ_CAT_WRITE | BTVIZ_CAT_QUEUE;
		assert_int_equal(btviz_summary_add(s, &ev, NULL), BTVIZ_OK);
		ev.time_ns += 500000;
		ev.event = BTVIZ_ACT_COMPLETE;
		ev.categories = BTVIZ_CAT_WRITE | BTVIZ_CAT_COMPLETE;
		assert_int_equal(btviz_summary_add(s, &ev, NULL), BTVIZ_OK);
		ev.time_ns += i == 60 ? 7500000000 : 9500000;
	}
	assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
	assert_int_equal(f->devices[0]->gap_count, 1);
	assert_true(fabs(f->devices[0]->gaps[0]->idle_s - 7.5) < 1e-9);
	btviz_summary_free(s);
}

/* More gaps than are kept: the longest stay, the others are counted and summed. */
static void test_many(void **state)
{
	struct btviz_summary_options o = BTVIZ_SUMMARY_OPTIONS_INIT;
	struct btviz_event ev = {
		.device = BTVIZ_DEVICE(8, 0), .pid = 1, .bytes = 4096, .version = 7
	};
	struct btviz_summary *s;
	const struct btviz_figures *f;
	double total_s = 0;

	(void)state;
	o.gap_threshold_ns = 1000000; /* 1 ms */
	assert_int_equal(btviz_summary_new(&o, &s, NULL), BTVIZ_OK);
	for (uint64_t i = 0; i < 1001; i++) {
		ev.sector = i * 8;
		ev.event = BTVIZ_ACT_QUEUE;
		ev.categories = BTVIZ_CAT_WRITE | BTVIZ_CAT_QUEUE;
		assert_int_equal(btviz_summary_add(s, &ev, NULL), BTVIZ_OK);
		ev.event = BTVIZ_ACT_COMPLETE;
		ev.categories = BTVIZ_CAT_WRITE | BTVIZ_CAT_COMPLETE;
		assert_int_equal(btviz_summary_add(s, &ev, NULL), BTVIZ_OK);
		ev.time_ns += (i + 2) * 1000000; /* gaps of 2, 3, ... 1002 ms */
		if (i < 1000)
			total_s += (double)(i + 2) * 1e-3;
	}
	assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
	const struct btviz_device *d = f->devices[0];

	assert_int_equal(d->gap_count, 256);
	for (size_t i = 0; i < d->gap_count; i++)
		assert_true(d->gaps[i]->end_s - d->gaps[i]->start_s > 0.745);
	assert_int_equal(d->gap_totals[BTVIZ_GAP_SUBMIT].count, 1000);
	assert_true(fabs(d->gap_totals[BTVIZ_GAP_SUBMIT].total_s - total_s) < 0.01 * total_s);
	btviz_summary_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_submit),
		cmocka_unit_test(test_stalls),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_idle_machine),
		cmocka_unit_test(test_one_silence),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
