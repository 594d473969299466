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

#include "script.h"

static const char *recording(const char *name)
{
	static char path[512];

	snprintf(path, sizeof path, "%s/real/%s.tar.xz", getenv("TESTDATA"), name);
	return path;
}

static void dump_distribution(FILE *out, const char *what, const struct btviz_distribution *d)
{
	fprintf(out, " %s %llu %a %a %a %a %a %a %a\n", what, (unsigned long long)d->count, d->min,
		d->avg, d->p50, d->p90, d->p99, d->p999, d->max);
}

static void dump_courses(FILE *out, struct btviz_summary *s, const struct btviz_figures *f, size_t i)
{
	enum { N = 777, W = 40, H = 30 };
	static double cells[N];
	static float map[W * H];

	for (unsigned c = 0; c <= BTVIZ_COURSE_QUEUE_LATENCY; c++)
		for (unsigned dir = 0; dir < BTVIZ_DIR_COUNT; dir++) {
			assert_int_equal(btviz_summary_series(s, i, (enum btviz_course)c,
						 (enum btviz_direction)dir, f->origin_ns, f->end_ns + 1, N,
						 cells),
				BTVIZ_OK);
			fprintf(out, " course %u %u", c, dir);
			for (size_t k = 0; k < N; k++)
				fprintf(out, " %a", cells[k]);
			fputc('\n', out);
		}
	for (unsigned op = 0; op < 3; op++) {
		assert_int_equal(btviz_summary_map(s, i, (enum btviz_op)op, f->origin_ns, f->end_ns + 1, W,
					 0, 1 << 21, H, map, NULL),
			BTVIZ_OK);
		fprintf(out, " map %u", op);
		for (size_t k = 0; k < W * H; k++)
			fprintf(out, " %a", (double)map[k]);
		fputc('\n', out);
	}
	assert_int_equal(btviz_summary_heat(s, i, f->origin_ns, f->end_ns + 1, W, 1e-6, 10, H, map),
		BTVIZ_OK);
	for (size_t k = 0; k < W * H; k++)
		fprintf(out, " %a", (double)map[k]);
	fputc('\n', out);
}

static void dump_device(FILE *out, const struct btviz_device *d)
{
	fprintf(out, "device %x %s role %d basis %d events %llu %llu..%llu seeks %llu\n", d->device,
		d->name, d->role, d->basis, (unsigned long long)d->events,
		(unsigned long long)d->first_ns, (unsigned long long)d->last_ns,
		(unsigned long long)d->seeks);
	for (unsigned op = 0; op < BTVIZ_OP_COUNT; op++)
		for (unsigned st = 0; st < BTVIZ_STATION_COUNT; st++)
			fprintf(out, " %llu/%llu", (unsigned long long)d->actions[op][st].ios,
				(unsigned long long)d->actions[op][st].bytes);
	for (unsigned dir = 0; dir < BTVIZ_DIR_COUNT; dir++) {
		fprintf(out, "\n moved %llu %llu\n", (unsigned long long)d->moved[dir].ios,
			(unsigned long long)d->moved[dir].bytes);
		for (unsigned i = 0; i < BTVIZ_INTERVAL_COUNT; i++)
			dump_distribution(out, "latency", &d->latency[i][dir]);
		dump_distribution(out, "queued", &d->queued_bytes[dir]);
		dump_distribution(out, "issued", &d->issued_bytes[dir]);
	}
	dump_distribution(out, "seek", &d->seek_sectors);
	fprintf(out, " depth %a %a %a %a util %a ratio %a cut %llu %llu unpaired %llu\n",
		d->outstanding_avg, d->outstanding_max, d->in_flight_avg, d->in_flight_max,
		d->utilisation, d->merge_ratio, (unsigned long long)d->cut_head,
		(unsigned long long)d->cut_tail, (unsigned long long)d->unpaired);
	for (size_t i = 0; i < d->gap_count; i++)
		fprintf(out, " gap %d %a %a %a %u %x %u %s %u %s\n", d->gaps[i].kind, d->gaps[i].start_s,
			d->gaps[i].end_s, d->gaps[i].idle_s, d->gaps[i].outstanding, d->gaps[i].member,
			d->gaps[i].before_pid, d->gaps[i].before_comm, d->gaps[i].after_pid,
			d->gaps[i].after_comm);
	for (unsigned k = 0; k < BTVIZ_GAP_KIND_COUNT; k++)
		fprintf(out, " total %llu %a\n", (unsigned long long)d->gap_totals[k].count,
			d->gap_totals[k].total_s);
}

/* Everything there is to know of a summary, as text; the caller frees it. */
static char *dump(struct btviz_summary *s)
{
	const struct btviz_figures *f;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
	fprintf(out, "origin %llu span %a wall %d %lld %u loss %llu\n",
		(unsigned long long)f->origin_ns, f->span_s, f->has_wall, (long long)f->wall_sec,
		f->wall_nsec, (unsigned long long)f->suspected_loss);
	for (size_t i = 0; i < f->device_count; i++) {
		dump_device(out, &f->devices[i]);
		dump_courses(out, s, f, i);
	}
	for (size_t i = 0; i < f->array_count; i++)
		fprintf(out, "array %s members %zu effective %a level %s chunk %llu\n",
			f->arrays[i].name, f->arrays[i].member_count, f->arrays[i].effective_members,
			f->arrays[i].level ? f->arrays[i].level : "-",
			(unsigned long long)f->arrays[i].chunk_bytes);
	for (size_t i = 0; i < f->process_count; i++) {
		const struct btviz_process *p = &f->processes[i];

		fprintf(out, "process %u %s %llu %llu %llu\n", p->pid, p->comm,
			(unsigned long long)p->read.bytes, (unsigned long long)p->write.bytes,
			(unsigned long long)p->seeks);
		dump_distribution(out, "latency", &p->latency);
	}
	for (size_t i = 0; i < f->message_count; i++)
		fprintf(out, "message %a %s\n", f->messages[i].time_s, f->messages[i].text);
	fclose(out);
	return text;
}

static void assert_same(char *a, char *b)
{
	const char *x = a, *y = b;

	while (*x && *x == *y) {
		x++;
		y++;
	}
	if (*x != *y) {
		const size_t back = x - a > 200 ? 200 : (size_t)(x - a);

		fail_msg("differs at byte %td:\n  %.400s\n  %.400s", x - a, x - back, y - back);
	}
	free(a);
	free(b);
}

/* All events of a recording in one go, as one sequence over all devices; cut_ns after the first event
 * a second summary takes over, which is then merged into the first. 0: never. */
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
		struct btviz_summary *one = read_with("raid5-bad", 1), *many = read_with("raid5-bad", jobs);

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

		o.start_ns = edges[i] ? edges[i] + 1 : 0;
		o.end_ns = edges[i + 1];
		assert_int_equal(btviz_summary_read(recording("raid0-bad"), NULL, &o, &s, NULL), BTVIZ_OK);
		assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
		bytes += f->devices[0].moved[BTVIZ_DIR_WRITE].bytes;
		if (i == 1) {
			assert_int_equal(f->devices[0].gap_totals[BTVIZ_GAP_SUBMIT].count, 2);
			assert_true(f->devices[0].gaps[1].start_s > 3.929);
			assert_true(f->devices[0].gaps[1].start_s < 3.931);
		}
		btviz_summary_free(s);
	}
	assert_int_equal(bytes, 100511744); /* what dd wrote */
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
	assert_string_equal(f->devices[0].name, "sdb");
	assert_string_equal(f->devices[1].name, "sdc");
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
		cmocka_unit_test(test_device_filter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
