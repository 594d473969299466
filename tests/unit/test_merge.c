/* test_merge.c - many streams to one: order, ties, windows, notes without a usable time, late
 * events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <errno.h>

#include <btviz/trace.h>

#include "records.h"
#include "scratch.h"

static const struct form v7 = { 7, false }, v8 = { 8, true };

enum {
	EVENTS_MAX = 20000,
};

/* What a trace gave. */
static struct btviz_event got[EVENTS_MAX];
static size_t count;
static struct btviz_health health;

static void read_all(struct btviz_trace *t)
{
	const struct btviz_event *ev;
	struct btviz_error err;
	enum btviz_status status;

	count = 0;
	while ((status = btviz_trace_next(t, &ev, &err)) == BTVIZ_OK) {
		assert_true(count < EVENTS_MAX);
		got[count++] = *ev;
		/* what is handed out, is counted; what is not yet, is not */
		assert_int_equal(
			btviz_trace_health(t)->events + btviz_trace_health(t)->notes, count);
	}
	assert_int_equal(status, BTVIZ_END);
	health = *btviz_trace_health(t);
}

/* A stream of bytes, given in pieces of an odd size. */
struct reader {
	const struct bytes *bytes;
	size_t at;
	int error; /* at the end, instead of 0 */
};

static ptrdiff_t read_bytes(void *data, void *buffer, size_t size)
{
	struct reader *const r = data;
	size_t n = r->bytes->size - r->at;

	if (n == 0)
		return -r->error;
	if (n > 37)
		n = 37;
	if (n > size)
		n = size;
	memcpy(buffer, r->bytes->data + r->at, n);
	r->at += n;
	return (ptrdiff_t)n;
}

static void read_stream(const struct bytes *b, uint32_t window_events)
{
	struct btviz_trace_options o = BTVIZ_TRACE_OPTIONS_INIT;
	struct reader r = { b, 0, 0 };
	struct btviz_trace *t;
	struct btviz_error err;

	o.window_events = window_events;
	assert_int_equal(btviz_trace_open_callback("test", read_bytes, &r, &o, &t, &err), BTVIZ_OK);
	read_all(t);
	btviz_trace_close(t);
}

static void read_scratch(const char *name)
{
	struct btviz_trace_options o = BTVIZ_TRACE_OPTIONS_INIT;
	struct btviz_trace *t;
	struct btviz_error err;

	o.dir = scratch_dir;
	assert_int_equal(btviz_trace_open(name, &o, &t, &err), BTVIZ_OK);
	read_all(t);
	btviz_trace_close(t);
}

static void put_bytes(const char *name, struct bytes *b)
{
	FILE *const f = fopen(scratch_path(name), "wb");

	assert_non_null(f);
	if (b->size > 0)
		assert_int_equal(fwrite(b->data, 1, b->size, f), b->size);
	fclose(f);
	bytes_free(b);
}

static void add_io(struct bytes *b, uint32_t cpu, uint64_t time_ns, uint32_t sequence)
{
	struct btviz_event ev = io_event(BTVIZ_ACT_QUEUE, time_ns, sequence);

	ev.cpu = cpu;
	bytes_add_event(b, cpu % 2 ? &v8 : &v7, &ev);
}

static void add_note(struct bytes *b, uint64_t time_ns)
{
	const struct btviz_event ev = note_event(BTVIZ_NOTE_MESSAGE, time_ns, "note", 4);

	bytes_add_event(b, &v7, &ev);
}

static void assert_in_order(void)
{
	uint64_t last_ns = 0;

	for (size_t i = 0; i < count; i++) {
		if (btviz_event_is_note(&got[i]))
			continue;
		assert_true(got[i].time_ns >= last_ns);
		assert_int_equal(got[i].flags & BTVIZ_EV_LATE, 0);
		last_ns = got[i].time_ns;
	}
}

static int set_up(void **state)
{
	(void)state;
	scratch_new();
	srand(4711);
	return 0;
}

/* One to 40 streams, each with times of its own that grow: all events come, in order. */
static void many_streams(void **state)
{
	(void)state;
	for (unsigned streams = 1; streams <= 40; streams++) {
		size_t events = 0;

		for (unsigned cpu = 0; cpu < streams; cpu++) {
			struct bytes b = { NULL, 0, 0 };
			uint64_t time_ns = 1000;
			char name[64];
			const unsigned n = (unsigned)rand() % 60;

			for (unsigned i = 1; i <= n; i++)
				add_io(&b, cpu, time_ns += (unsigned)rand() % 50, i);
			events += n;
			snprintf(name, sizeof name, "s%u.blktrace.%u", streams, cpu);
			put_bytes(name, &b);
		}
		char base[16];

		snprintf(base, sizeof base, "s%u", streams);
		read_scratch(base);
		assert_int_equal(count, events);
		assert_in_order();
		assert_int_equal(health.late_events, 0);
		assert_int_equal(health.streams, streams);
	}
}

/* CPU 1 begins 10 ns before CPU 0, CPU 2 after 17 s, CPU 3 not at all. */
static void first_events_far_apart(void **state)
{
	struct bytes b = { NULL, 0, 0 };

	(void)state;
	add_io(&b, 0, 1000000010, 1);
	put_bytes("sdb.blktrace.0", &b);
	add_io(&b, 1, 1000000000, 1);
	put_bytes("sdb.blktrace.1", &b);
	add_io(&b, 2, 18000000000, 1);
	put_bytes("sdb.blktrace.2", &b);
	put_bytes("sdb.blktrace.3", &b);
	read_scratch("sdb");
	assert_int_equal(count, 3);
	assert_int_equal(got[0].cpu, 1);
	assert_int_equal(got[1].cpu, 0);
	assert_int_equal(got[2].cpu, 2);
}

/* Of streams with events of the same time, the one that came in last is first, as in blkparse. */
static void ties(void **state)
{
	struct bytes b = { NULL, 0, 0 };

	(void)state;
	add_io(&b, 0, 10, 1);
	add_io(&b, 0, 30, 2);
	put_bytes("sdb.blktrace.0", &b);
	add_io(&b, 1, 20, 1);
	add_io(&b, 1, 30, 2);
	put_bytes("sdb.blktrace.1", &b);
	read_scratch("sdb");
	assert_int_equal(count, 4);
	assert_int_equal(got[2].cpu, 1);
	assert_int_equal(got[3].cpu, 0);
}

/* As `blktrace -o -`: buffers of several CPUs, each in order, in the order in which they were read.
 */
static void one_stream_of_several(void **state)
{
	struct bytes b = { NULL, 0, 0 };
	uint32_t sequence[4] = { 0, 0, 0, 0 };
	uint64_t time_ns[4] = { 0, 0, 0, 0 };

	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		const unsigned cpu = (unsigned)rand() % 4;

		/* a buffer's worth; CPUs stay within a second of one another */
		while (time_ns[cpu] < (uint64_t)i * 10000000) {
			time_ns[cpu] += 1 + (unsigned)rand() % 1000000;
			add_io(&b, cpu, time_ns[cpu], ++sequence[cpu]);
		}
	}
	read_stream(&b, 0);
	assert_int_equal(count, sequence[0] + sequence[1] + sequence[2] + sequence[3]);
	assert_in_order();
	assert_int_equal(health.late_events, 0);
	assert_int_equal(health.lost_events, 0);
	assert_true(health.steps_back > 0);
	bytes_free(&b);
}

/* Too far out of order for the window: nothing is lost, what is late is marked and counted. */
static void late_events(void **state)
{
	struct bytes b = { NULL, 0, 0 };
	uint64_t late = 0, last_ns = 0;

	(void)state;
	for (unsigned i = 1; i <= 1000; i++)
		add_io(&b, 0, 1000000 + i, i);
	for (unsigned i = 1; i <= 500; i++)
		add_io(&b, 1, i, i);
	read_stream(&b, 100);
	assert_int_equal(count, 1500);
	for (size_t i = 0; i < count; i++) {
		const bool is_late = got[i].time_ns < last_ns;

		assert_int_equal((got[i].flags & BTVIZ_EV_LATE) != 0, is_late);
		late += is_late;
		if (!is_late)
			last_ns = got[i].time_ns;
	}
	assert_true(late > 0);
	assert_int_equal(health.late_events, late);
	/* with room enough, all is in order */
	read_stream(&b, 1500);
	assert_int_equal(count, 1500);
	assert_in_order();
	bytes_free(&b);
}

/* Times that fall all the way: as many runs as events. */
static void backwards(void **state)
{
	struct bytes b = { NULL, 0, 0 };

	(void)state;
	for (unsigned i = 0; i < 10000; i++)
		add_io(&b, 0, 20000 - i, i + 1);
	read_stream(&b, 0);
	assert_int_equal(count, 10000);
	bytes_free(&b);
}

/* A per-CPU file that is two recordings, the later one first. */
static void two_recordings_in_one_file(void **state)
{
	struct bytes b = { NULL, 0, 0 };

	(void)state;
	for (unsigned i = 1; i <= 3000; i++)
		add_io(&b, 0, 9000000000 + i, i);
	for (unsigned i = 1; i <= 3000; i++)
		add_io(&b, 0, 1000000000 + i, i);
	put_bytes("sdb.blktrace.0", &b);
	read_scratch("sdb");
	assert_int_equal(count, 6000);
	assert_in_order();
	assert_int_equal(health.repeated_events, 0);
	assert_int_equal(health.lost_events, 0);
}

/* A file of several ordered ones, one behind the other: in order, however long they are. */
static void files_one_behind_the_other(void **state)
{
	struct btviz_trace_options o = BTVIZ_TRACE_OPTIONS_INIT;
	struct bytes b = { NULL, 0, 0 };
	struct btviz_trace *t;
	struct btviz_error err;

	(void)state;
	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		add_note(&b, 1000 + cpu);
		for (unsigned i = 1; i <= 3000; i++)
			add_io(&b, cpu, 2000 + 10 * i + cpu, i);
	}
	put_bytes("all.bin", &b);
	o.dir = scratch_dir;
	o.window_events = 10;
	assert_int_equal(btviz_trace_open("all.bin", &o, &t, &err), BTVIZ_OK);
	read_all(t);
	assert_int_equal(count, 12004);
	assert_in_order();
	/* the notes that stand before a CPU's events come before them */
	for (unsigned i = 0; i < 4; i++)
		assert_true(btviz_event_is_note(&got[i]));
	assert_int_equal(health.streams, 1);
	btviz_trace_close(t);
}

/* Notes with raw times where the I/O counts from 0 (blkparse -d): they keep their places. */
static void notes_of_a_dump(void **state)
{
	struct bytes b = { NULL, 0, 0 };

	(void)state;
	add_note(&b, 3550000000000);
	add_io(&b, 0, 0, 1);
	add_note(&b, 3550000000010);
	add_io(&b, 0, 1000, 2);
	add_io(&b, 1, 900, 1);
	read_stream(&b, 0);
	assert_int_equal(count, 5);
	assert_true(btviz_event_is_note(&got[0]));
	assert_int_equal(got[1].time_ns, 0);
	assert_true(btviz_event_is_note(&got[2]));
	assert_int_equal(got[3].time_ns, 900);
	assert_int_equal(got[4].time_ns, 1000);
	assert_int_equal(health.late_events, 0);
	/* the same in per-CPU files */
	put_bytes("sdb.blktrace.0", &b);
	add_note(&b, 3550000000000);
	add_io(&b, 1, 500, 2);
	add_note(&b, 3550000000000);
	add_io(&b, 1, 600, 3);
	put_bytes("sdb.blktrace.1", &b);
	read_scratch("sdb");
	assert_int_equal(count, 9);
	assert_in_order();
}

/* 1000 messages between two I/Os, the first message at the very start. */
static void many_notes(void **state)
{
	struct bytes b = { NULL, 0, 0 };

	(void)state;
	add_note(&b, 5);
	add_io(&b, 0, 1000000, 1);
	for (unsigned i = 0; i < 1000; i++)
		add_note(&b, 1000001 + i);
	add_io(&b, 0, 2000000, 2);
	put_bytes("sdb.blktrace.0", &b);
	read_scratch("sdb");
	assert_int_equal(health.events, 2);
	assert_int_equal(health.notes, 1001);
	assert_int_equal(got[1].sequence, 1);
	assert_int_equal(got[count - 1].sequence, 2);
}

/* A reader that fails: what it gave first is there, then the error. */
static void read_errors(void **state)
{
	struct bytes b = { NULL, 0, 0 };
	struct reader r = { &b, 0, EIO };
	struct btviz_trace *t;
	struct btviz_error err;
	const struct btviz_event *ev;
	struct btviz_trace_options o = BTVIZ_TRACE_OPTIONS_INIT;
	enum btviz_status status;
	size_t n = 0;

	(void)state;
	for (unsigned i = 1; i <= 5000; i++)
		add_io(&b, 0, i, i);
	o.window_events = 10;
	assert_int_equal(
		btviz_trace_open_callback("a pipe", read_bytes, &r, &o, &t, &err), BTVIZ_OK);
	while ((status = btviz_trace_next(t, &ev, &err)) == BTVIZ_OK)
		n++;
	assert_int_equal(status, BTVIZ_ERR_IO);
	assert_int_equal(err.sys_errno, EIO);
	assert_non_null(strstr(err.message, "a pipe"));
	assert_true(n > 4900);
	btviz_trace_close(t);
	bytes_free(&b);
}

static void options_of_a_later_library(void **state)
{
	struct {
		struct btviz_trace_options known;
		unsigned char more[8];
	} o = { BTVIZ_TRACE_OPTIONS_INIT, { 0 } };
	struct bytes b = { NULL, 0, 0 };
	struct reader r = { &b, 0, 0 };
	struct btviz_trace *t;
	struct btviz_error err;

	(void)state;
	o.known.size = sizeof o;
	assert_int_equal(
		btviz_trace_open_callback("x", read_bytes, &r, &o.known, &t, &err), BTVIZ_OK);
	btviz_trace_close(t);
	o.more[3] = 1;
	assert_int_equal(btviz_trace_open_callback("x", read_bytes, &r, &o.known, &t, &err),
		BTVIZ_ERR_USAGE);
}

#define SCRATCH_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, scratch_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRATCH_TEST(many_streams),
		SCRATCH_TEST(first_events_far_apart),
		SCRATCH_TEST(ties),
		cmocka_unit_test(one_stream_of_several),
		cmocka_unit_test(late_events),
		cmocka_unit_test(backwards),
		SCRATCH_TEST(two_recordings_in_one_file),
		SCRATCH_TEST(files_one_behind_the_other),
		SCRATCH_TEST(notes_of_a_dump),
		SCRATCH_TEST(many_notes),
		cmocka_unit_test(read_errors),
		cmocka_unit_test(options_of_a_later_library),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
