/* test_summary.c - the summary of the parts is the summary of the whole: by devices, by slices of
 * time, and with any number of threads. What is compared is a dump of all figures and courses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <btviz/btviz.h>

#include "dump.h"
#include "script.h"

/* All events of a recording in one go, as one sequence over all devices; cut_ns after the first
 * event a second summary takes over, which is then merged into the first. 0: never. */
static struct btviz_summary *add_all(const char *name, uint64_t cut_ns)
{
	struct btviz_summary *s, *later, *now;
	const struct btviz_event *ev;
	struct btviz_trace *t;
	struct btviz_error err;
	uint64_t first_ns = 0;
	bool any = false;

	assert_int_equal(btviz_summary_new(NULL, &s, NULL), BTVIZ_OK);
	assert_int_equal(btviz_summary_new(NULL, &later, NULL), BTVIZ_OK);
	if (btviz_trace_open(recording(name), NULL, &t, &err) != BTVIZ_OK)
		fail_msg("%s", err.message);
	while (btviz_trace_next(t, &ev, &err) == BTVIZ_OK) {
		if (!btviz_event_is_note(ev) && !any) {
			first_ns = ev->time_ns;
			any = true;
		}
		now = cut_ns && any && ev->time_ns >= first_ns + cut_ns ? later : s;
		assert_int_equal(btviz_summary_add(now, ev, NULL), BTVIZ_OK);
		if (!btviz_event_is_note(ev))
			assert_int_equal(btviz_summary_name_device(now, ev->device,
						 btviz_trace_device_name(t, ev->device), NULL),
				BTVIZ_OK);
	}
	btviz_summary_add_health(s, btviz_trace_health(t));
	btviz_trace_close(t);
	if (cut_ns)
		assert_int_equal(btviz_summary_merge(s, later, NULL), BTVIZ_OK);
	btviz_summary_free(later);
	return s;
}

static struct btviz_summary *read_with(const char *name, unsigned jobs)
{
	struct btviz_summary_options o = BTVIZ_SUMMARY_OPTIONS_INIT;
	struct btviz_summary *s;
	struct btviz_error err;

	o.jobs = jobs;
	if (btviz_summary_read(recording(name), NULL, &o, &s, &err) != BTVIZ_OK)
		fail_msg("%s", err.message);
	return s;
}

static void test_devices(void **state)
{
	static const char *const names[] = { "raid0-bad", "lvm-on-raid0", "raid10-discard",
		"drops-nullblk", "mask-issue-complete", "cgroup-ids", "v8-fsync" };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct btviz_summary *one = add_all(names[i], 0), *parts = read_with(names[i], 1);

		assert_same(dump(one), dump(parts));
		btviz_summary_free(one);
		btviz_summary_free(parts);
	}
}

static void test_threads(void **state)
{
	(void)state;
	for (unsigned jobs = 2; jobs <= 8; jobs *= 2) {
		struct btviz_summary *one = read_with("raid5-bad", 1),
				     *many = read_with("raid5-bad", jobs);

		assert_same(dump(one), dump(many));
		btviz_summary_free(one);
		btviz_summary_free(many);
	}
}

/* Cut where nothing is outstanding, the gap over the border included. */
static void test_slices(void **state)
{
	struct btviz_summary *whole = add_all("raid0-bad", 0);

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		/* In the first and in the sixth gap. */
		struct btviz_summary *cut = add_all("raid0-bad", i == 0 ? 1500000000 : 9500000000);

		assert_same(dump(whole), dump(cut));
		btviz_summary_free(cut);
	}
	btviz_summary_free(whole);
}

static void test_options(void **state)
{
	struct btviz_summary_options o = BTVIZ_SUMMARY_OPTIONS_INIT;
	struct btviz_summary *a, *b;
	struct btviz_error err;

	(void)state;
	assert_int_equal(btviz_summary_new(NULL, &a, NULL), BTVIZ_OK);
	o.seek_sectors = 8;
	assert_int_equal(btviz_summary_new(&o, &b, NULL), BTVIZ_OK);
	assert_int_equal(btviz_summary_merge(a, b, &err), BTVIZ_ERR_USAGE);
	btviz_summary_free(a);
	btviz_summary_free(b);
	o.map_rows = 1000; /* no power of two */
	assert_int_equal(btviz_summary_new(&o, &a, &err), BTVIZ_ERR_USAGE);
	o.size = 1;
	assert_int_equal(btviz_summary_new(&o, &a, &err), BTVIZ_ERR_USAGE);
}

/* A window's figures are those of its events only, but relative to the run's beginning. */
static void test_window(void **state)
{
	struct btviz_summary_options o = BTVIZ_SUMMARY_OPTIONS_INIT;
	const struct btviz_figures *f;
	struct btviz_summary *s;
	uint64_t bytes = 0;

	(void)state;
	for (unsigned i = 0; i < 4; i++) { /* four windows, together the whole */
		static const uint64_t edges[] = { 0, 2500000000, 5000000000, 11000000000, 0 };

		o.start_ns = edges[i];
		o.end_ns = edges[i + 1];
		assert_int_equal(
			btviz_summary_read(recording("raid0-bad"), NULL, &o, &s, NULL), BTVIZ_OK);
		assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
		bytes += f->devices[0]->moved[BTVIZ_DIR_WRITE].bytes;
		if (i == 1) {
			assert_int_equal(f->devices[0]->gap_totals[BTVIZ_GAP_SUBMIT].count, 2);
			assert_true(f->devices[0]->gaps[1]->start_s > 3.929);
			assert_true(f->devices[0]->gaps[1]->start_s < 3.931);
		}
		btviz_summary_free(s);
	}
	assert_int_equal(bytes, 100511744); /* what dd wrote */
}

/* A window in which a run hangs: what is counted is in it, and rates and shares are over the window
 * that was asked for, unless the run ends before. */
static void test_window_of_a_hang(void **state)
{
	static const char text[] = "1000000000 Q W 0+8\n1100000000 C W 0+8\n1200000000 Q W 8+8\n"
				   "2000000000 Q W 16+8\n3000000000 C W 8+8\n3000000000 C W 16+8\n";
	static const struct {
		uint64_t end_ns;
		double span_s, busy;
		unsigned events;
	} cases[] = { { 1000000000, 1, 0.9, 3 }, { 10000000000, 2, 1.9 / 2, 6 } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct script script = { .at = text, .device = BTVIZ_DEVICE(9, 0) };
		struct btviz_summary_options o = BTVIZ_SUMMARY_OPTIONS_INIT;
		const struct btviz_figures *f;
		struct btviz_summary *s;
		struct btviz_event ev;

		o.end_ns = cases[i].end_ns;
		assert_int_equal(btviz_summary_new(&o, &s, NULL), BTVIZ_OK);
		while (script_next(&script, &ev))
			assert_int_equal(btviz_summary_add(s, &ev, NULL), BTVIZ_OK);
		assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
		assert_float_equal(f->span_s, cases[i].span_s, 1e-9);
		assert_float_equal(f->devices[0]->utilisation, cases[i].busy, 1e-9);
		assert_int_equal(f->health->events, cases[i].events);
		btviz_summary_free(s);
	}
}

/* The wall clock of a run whose I/Os have times counted from 0, and its notes times of uptime: the
 * note was written when the recording began. */
static void test_wall_clock_of_another_clock(void **state)
{
	static const uint64_t note_times[] = { 0, 600000000, 3550000000000 };
	static const int64_t begun[] = { 1600000001, 1600000000, 1600000000 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		static const char text[] = "1000000000 Q W 0+8\n1100000000 C W 0+8\n";
		struct script script = { .at = text, .device = BTVIZ_DEVICE(9, 0) };
		struct btviz_event ev = { .time_ns = note_times[i],
			.categories = BTVIZ_CAT_NOTIFY,
			.event = BTVIZ_NOTE_TIMESTAMP,
			.flags = BTVIZ_EV_PAYLOAD,
			.u.wall = { .sec = 1600000000 } };
		const struct btviz_figures *f;
		struct btviz_summary *s;

		assert_int_equal(btviz_summary_new(NULL, &s, NULL), BTVIZ_OK);
		assert_int_equal(btviz_summary_add(s, &ev, NULL), BTVIZ_OK);
		while (script_next(&script, &ev))
			assert_int_equal(btviz_summary_add(s, &ev, NULL), BTVIZ_OK);
		assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
		assert_true(f->has_wall);
		assert_int_equal(f->wall_sec, begun[i]);
		btviz_summary_free(s);
	}
}

/* An event from before the first one, which comes late: the run begins with it; a window, which is
 * counted from the first one, does not move. */
static void test_late_event(void **state)
{
	static const char text[] = "5000000000 Q W 0+8\n4000000000 Q W 8+8\n6000000000 C W 0+8\n";
	struct btviz_summary_options o = BTVIZ_SUMMARY_OPTIONS_INIT;
	const struct btviz_figures *f;

	(void)state;
	for (int windowed = 0; windowed < 2; windowed++) {
		struct script script = { .at = text, .device = BTVIZ_DEVICE(9, 0) };
		const double span_s = windowed ? 1 : 2;
		struct btviz_summary *s;
		struct btviz_event ev;

		o.end_ns = windowed ? 3000000000 : 0;
		assert_int_equal(btviz_summary_new(&o, &s, NULL), BTVIZ_OK);
		while (script_next(&script, &ev))
			assert_int_equal(btviz_summary_add(s, &ev, NULL), BTVIZ_OK);
		assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
		assert_int_equal(f->origin_ns, windowed ? 5000000000 : 4000000000);
		assert_float_equal(f->span_s, span_s, 1e-9);
		assert_int_equal(
			f->devices[0]->actions[BTVIZ_OP_WRITE][BTVIZ_QUEUED].ios, windowed ? 1 : 2);
		btviz_summary_free(s);
	}
}

/* Three bios that merged into one request and one alone: bios count where their request completes.
 */
static void test_merge_ratio(void **state)
{
	static const char text[] = "1000 Q W 0+8\n1010 G W 0+8\n1020 Q W 8+8\n1030 M W 8+8\n"
				   "1040 Q W 16+8\n1050 M W 16+8\n900000 D W 0+24\n"
				   "1000000 C W 0+24\n1500000 Q W 100+8\n1500010 G W 100+8\n"
				   "1600000 D W 100+8\n1900000 C W 100+8\n";
	struct script script = { .at = text, .device = BTVIZ_DEVICE(8, 0) };
	struct btviz_summary *s;
	struct btviz_event ev;
	double halves[2], whole;

	(void)state;
	assert_int_equal(btviz_summary_new(NULL, &s, NULL), BTVIZ_OK);
	while (script_next(&script, &ev))
		assert_int_equal(btviz_summary_add(s, &ev, NULL), BTVIZ_OK);
	assert_int_equal(btviz_summary_series(s, 0, BTVIZ_COURSE_MERGE_RATIO, BTVIZ_DIR_WRITE, 0,
				 2000000, 1, &whole),
		BTVIZ_OK);
	assert_float_equal(whole, 2, 1e-9);
	assert_int_equal(btviz_summary_series(s, 0, BTVIZ_COURSE_MERGE_RATIO, BTVIZ_DIR_ALL, 500000,
				 2500000, 2, halves),
		BTVIZ_OK);
	assert_float_equal(halves[0], 3, 1e-6);
	assert_float_equal(halves[1], 1, 1e-6);
	assert_int_equal(btviz_summary_series(s, 0, BTVIZ_COURSE_MERGE_RATIO, BTVIZ_DIR_READ, 0,
				 2000000, 1, &whole),
		BTVIZ_OK);
	assert_true(whole != whole);
	btviz_summary_free(s);
}

static void test_device_filter(void **state)
{
	static const char *const names[] = { "/dev/sdc", "8,16" };
	struct btviz_summary_options o = BTVIZ_SUMMARY_OPTIONS_INIT;
	const struct btviz_figures *f;
	struct btviz_summary *s;

	(void)state;
	o.devices = names;
	o.device_count = 2;
	assert_int_equal(btviz_summary_read(recording("raid0-bad"), NULL, &o, &s, NULL), BTVIZ_OK);
	assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
	assert_int_equal(f->device_count, 2);
	assert_string_equal(f->devices[0]->name, "sdb");
	assert_string_equal(f->devices[1]->name, "sdc");
	btviz_summary_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_devices),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_window_of_a_hang),
		cmocka_unit_test(test_wall_clock_of_another_clock),
		cmocka_unit_test(test_late_event),
		cmocka_unit_test(test_merge_ratio),
		cmocka_unit_test(test_device_filter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
