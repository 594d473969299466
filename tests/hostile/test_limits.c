/* test_limits.c - every limit of lib/base/limits.h that a trace can reach, at its edge: up to it
 * all is kept, beyond it things are counted or made coarser. Memory is bounded whatever is in the
 * trace: each flood is summed up by a process of its own, which tells how much it took at most. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <btviz/btviz.h>

#include "../fuzz/fuzz.h"
#include "../fuzz/promises.h"
#include "../unit/dump.h"
#include "../unit/records.h"
#include "../unit/scratch.h"
#include "base/limits.h"

#if defined __SANITIZE_ADDRESS__
enum { MEMORY_KNOWN = 0 }; /* the sanitizer's own is many times as much */
#else
enum { MEMORY_KNOWN = 1 };
#endif

/* ---- floods ----------------------------------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 31) * 0x9e3779b97f4a7c15U;
	x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9U;
	return x ^ x >> 32;
}

/* Event number i of an I/O on a device: the nth of its life Q G I D C. */
static void live(struct btviz_event *ev, uint64_t i, uint32_t device, uint64_t io, unsigned nth)
{
	static const uint16_t life[] = { BTVIZ_ACT_QUEUE, BTVIZ_ACT_GETRQ, BTVIZ_ACT_INSERT,
		BTVIZ_ACT_ISSUE, BTVIZ_ACT_COMPLETE };
	static const uint32_t ops[] = { BTVIZ_CAT_READ, BTVIZ_CAT_WRITE, BTVIZ_CAT_DISCARD };
	const uint64_t r = mix(io * 4096 + device);

	ev->event = life[nth];
	ev->categories = categories_of(life[nth]) | ops[r % 3];
	ev->device = BTVIZ_DEVICE(8 + device / 256, device % 256);
	ev->time_ns = 1000000000 + i * (1 + (io & 1023) * 1000);
	ev->sector = r >> 20 & 0x7fffffff8;
	ev->bytes = 4096U << (r >> 8 & 15);
	ev->pid = 1 + (uint32_t)(r >> 12 & 1023);
	ev->cgroup_id = 1 + (r >> 3 & 1023);
}

/* Thirty events a device, the devices in turn. */
static bool many_devices(uint64_t i, struct btviz_event *ev)
{
	live(ev, i, (uint32_t)(i % 1024), i / 5120, (unsigned)(i / 1024 % 5));
	return i < 30 * 1024;
}

static bool one_device_more(uint64_t i, struct btviz_event *ev)
{
	live(ev, i, (uint32_t)(i % 1025), i / 5125, (unsigned)(i / 1025 % 5));
	return i < UINT64_C(10) * 1025;
}

static bool busy_devices(uint64_t i, struct btviz_event *ev)
{
	live(ev, i, (uint32_t)(i % 1024), i / 5120, (unsigned)(i / 1024 % 5));
	return i < UINT64_C(1) << 20;
}

/* Every cell of every map: each I/O is as long as the device; each latency is another. A few more
 * devices, one after the other, than are kept at their finest. */
static bool every_cell(uint64_t i, struct btviz_event *ev)
{
	enum { DEVICES = 36, IOS = 3 * 1024 };
	const uint64_t io = i / 5 % IOS, r = mix(io);

	live(ev, i, (uint32_t)(i / 5 / IOS), io, (unsigned)(i % 5));
	ev->time_ns = 1000000000 + io * 40000000 + (r % 5 * (i % 5) << (r >> 8 & 31) >> 8);
	ev->sector = 0;
	ev->bytes = 0xfffffe00U;
	return i < UINT64_C(5) * IOS * DEVICES;
}

/* Q and C of each of 1,024 processes, each in a cgroup of its own, on each of 100 devices. */
static bool many_processes(uint64_t i, struct btviz_event *ev)
{
	const uint64_t io = i / 2;

	live(ev, i, (uint32_t)(io / 1024), io, i % 2 ? 4 : 0);
	ev->sector = io % 1024 * 8;
	ev->time_ns = 1000000000 + io * 3000 + (i % 2) * mix(io) % 2000000;
	ev->pid = 1 + (uint32_t)(io % 1024);
	ev->cgroup_id = 1 + io % 1024;
	return i < UINT64_C(2) * 1024 * 100;
}

/* The same on one device, and one process more. */
static bool one_process_more(uint64_t i, struct btviz_event *ev)
{
	many_processes(i, ev);
	ev->device = BTVIZ_DEVICE(8, 0);
	ev->sector = i / 2 * 8;
	ev->pid = 1 + (uint32_t)(i / 2);
	ev->cgroup_id = 0;
	return i < UINT64_C(2) * (BTVI_PROCESS_MAX + 1);
}

/* As many I/Os as may be open; none completes. */
static bool open_ios(uint64_t i, struct btviz_event *ev)
{
	live(ev, i, 0, 0, 0);
	ev->time_ns = 1000000000 + i * 1000;
	ev->sector = i * 8;
	ev->bytes = 4096;
	return i < BTVI_INFLIGHT_MAX;
}

static bool one_open_io_more(uint64_t i, struct btviz_event *ev)
{
	open_ios(i, ev);
	return i < BTVI_INFLIGHT_MAX + 1;
}

/* Queued and issued on 1,024 devices, never completed. */
static bool open_everywhere(uint64_t i, struct btviz_event *ev)
{
	open_ios(i / 2048, ev);
	live(ev, i, (uint32_t)(i % 1024), i / 2048, i / 1024 % 2 ? 3 : 0);
	ev->sector = i / 2048 * 8;
	ev->bytes = 4096;
	return i < UINT64_C(1024) * 2048;
}

/* One I/O cut into ever smaller pieces, again and again. */
static bool splits(uint64_t i, struct btviz_event *ev)
{
	enum { PIECES = 8000 };

	live(ev, i, 0, 0, 0);
	ev->categories = BTVIZ_CAT_READ | BTVIZ_CAT_QUEUE;
	ev->time_ns = 1000000000 + i * 1000;
	ev->sector = i / PIECES * 8388608 + i % PIECES;
	ev->bytes = 0xfffffe00U;
	if (i % PIECES > 0) {
		ev->event = BTVIZ_ACT_SPLIT;
		ev->categories = BTVIZ_CAT_READ;
		ev->sector--;
		ev->flags = BTVIZ_EV_PAYLOAD;
		ev->u.split_sector = ev->sector + 1;
	}
	return i < 1000000;
}

/* Names of processes that come in falling order. */
static bool names(uint64_t i, struct btviz_event *ev)
{
	static unsigned char comm[16];

	if (i == 0) {
		live(ev, 0, 0, 0, 0);
		return true;
	}
	memset(comm, 0, sizeof comm);
	snprintf((char *)comm, sizeof comm, "p%u", (unsigned)i);
	*ev = note_event(BTVIZ_NOTE_PROCESS, 1000000000 + i, (const char *)comm, sizeof comm);
	ev->pid = (uint32_t)(1000000 - i);
	return i < 200000;
}

static bool messages(uint64_t i, struct btviz_event *ev)
{
	static char text[1000];

	if (i == 0) {
		live(ev, 0, 0, 0, 0);
		return true;
	}
	memset(text, 'a' + (int)(i % 26), sizeof text);
	*ev = note_event(BTVIZ_NOTE_MESSAGE, 2000000000 - i, text, sizeof text);
	return i <= 200000;
}

struct flood {
	const char *name;
	bool (*make)(uint64_t i, struct btviz_event *ev);
	unsigned memory_mb;
	/* what comes of it; 0 where it is not looked at */
	size_t devices, processes;
	uint64_t left_out, given_up_most;
	bool gives_up;
};

static const struct flood floods[] = {
	{ "1,024 devices of 30 events", many_devices, 192, 1024, 0, 0, 0, false },
	{ "1,025 devices", one_device_more, 192, 1024, 0, 10, 0, false },
	{ "1,024 busy devices", busy_devices, 320, 1024, 0, 0, 0, false },
	{ "every cell of 36 devices", every_cell, 400, 36, 0, 0, 0, false },
	{ "100 devices x 1,024 processes and cgroups", many_processes, 256, 100, 0, 0, 0, false },
	{ "1,025 processes", one_process_more, 64, 1, 1025, 0, 0, false },
	{ "262,144 open I/Os", open_ios, 128, 1, 0, 0, 0, false },
	{ "262,145 open I/Os", one_open_io_more, 128, 1, 0, 0, 1, true },
	{ "1,024 open I/Os on each of 1,024 devices", open_everywhere, 400, 1024, 0, 0, 1 << 20,
		true },
	{ "a million splits", splits, 256, 1, 0, 0, 0, false },
	{ "200,000 names in falling order", names, 64, 1, 0, 0, 0, false },
	{ "200,000 messages in falling order", messages, 64, 1, 0, 0, 0, false },
};

enum { FLOODS = sizeof floods / sizeof floods[0] };

/* Sums the flood up, asks for everything, and looks at what came of it. */
static void sum_up(const struct flood *f)
{
	const struct btviz_figures *figures;
	struct btviz_summary *s;
	uint64_t given_up = 0;

	require(btviz_summary_new(NULL, &s, NULL) == BTVIZ_OK);
	for (uint64_t i = 0;; i++) {
		struct btviz_event ev = { .cpu = 0 };

		if (!f->make(i, &ev))
			break;
		require(btviz_summary_add(s, &ev, NULL) == BTVIZ_OK);
	}
	promises_summary(s, false);
	require(btviz_summary_figures(s, &figures, NULL) == BTVIZ_OK);
	require(figures->device_count == f->devices);
	require(figures->health->left_out_events == f->left_out);
	require(f->processes == 0 || figures->process_count == f->processes);
	require(figures->message_count <= BTVI_MESSAGE_KEPT);
	for (size_t i = 0; i < figures->device_count; i++)
		given_up += figures->devices[i]->given_up;
	require(f->gives_up ? given_up > 0 && given_up <= f->given_up_most : given_up == 0);
	btviz_summary_free(s);
}

static void test_floods(void **state)
{
	(void)state;
	for (size_t i = 0; i < FLOODS; i++) {
		const pid_t pid = fork();
		struct rusage used;
		int status;

		assert_true(pid >= 0);
		if (pid == 0) {
			sum_up(&floods[i]);
			_exit(0);
		}
		assert_int_equal(wait4(pid, &status, 0, &used), pid);
		print_message("# %s: %ld MB, %ld.%02ld s\n", floods[i].name, used.ru_maxrss / 1024,
			(long)used.ru_utime.tv_sec, (long)used.ru_utime.tv_usec / 10000);
		assert_int_equal(status, 0);
		if (MEMORY_KNOWN)
			assert_true(used.ru_maxrss / 1024 <= floods[i].memory_mb);
	}
}

/* ---- many devices, coarse as they are, are the same by any way ----------------------------- */

enum { FILES = 80 };

static struct btviz_summary *read_files(unsigned jobs)
{
	struct btviz_summary_options o = BTVIZ_SUMMARY_OPTIONS_INIT;
	struct btviz_summary *s;

	o.jobs = jobs;
	assert_int_equal(btviz_summary_read(scratch_path("many"), NULL, &o, &s, NULL), BTVIZ_OK);
	return s;
}

/* The busy devices' streams, each in a file of its own. */
static void write_files(void)
{
	static const struct form form = { 8, false };
	struct bytes streams[FILES] = { { 0 } };
	struct btviz_event ev = { .cpu = 0 };

	for (uint64_t i = 0; i < 1024 * 400; i++) {
		busy_devices(i, &ev);
		ev.sequence = (uint32_t)(i / 1024) + 1;
		if (i % 1024 < FILES)
			bytes_add_event(&streams[i % 1024], &form, &ev);
	}
	scratch_file("many/README", "not a stream");
	for (unsigned k = 0; k < FILES; k++) {
		char name[32];
		FILE *file;

		snprintf(name, sizeof name, "many/sd%02u.blktrace.0", k);
		file = fopen(scratch_path(name), "wb");
		assert_non_null(file);
		assert_int_equal(
			fwrite(streams[k].data, 1, streams[k].size, file), streams[k].size);
		assert_int_equal(fclose(file), 0);
		bytes_free(&streams[k]);
	}
}

static void assert_same_dump(struct btviz_summary *a, struct btviz_summary *b)
{
	char *const x = dump(a), *const y = dump(b);

	assert_string_equal(x, y);
	free(x);
	free(y);
}

static void test_ways(void **state)
{
	struct btviz_summary *one, *other;
	const struct btviz_figures *f;

	(void)state;
	scratch_new();
	write_files();
	one = read_files(1);
	assert_int_equal(btviz_summary_figures(one, &f, NULL), BTVIZ_OK);
	assert_int_equal(f->device_count, FILES);
	for (unsigned jobs = 2; jobs <= 8; jobs *= 2) {
		other = read_files(jobs);
		assert_same_dump(one, other);
		btviz_summary_free(other);
	}
	btviz_summary_free(one);
	scratch_remove();
}

/* Coarse devices are saved and loaded as what they are. */
static void test_saved(void **state)
{
	struct btviz_summary *s, *loaded;

	(void)state;
	scratch_new();
	assert_int_equal(btviz_summary_new(NULL, &s, NULL), BTVIZ_OK);
	for (uint64_t i = 0;; i++) {
		struct btviz_event ev = { .cpu = 0 };

		if (!many_devices(i, &ev))
			break;
		if (i % 1024 < 200)
			assert_int_equal(btviz_summary_add(s, &ev, NULL), BTVIZ_OK);
	}
	assert_int_equal(btviz_summary_save(s, scratch_path("s.btviz.json"), NULL), BTVIZ_OK);
	assert_int_equal(
		btviz_summary_read(scratch_path("s.btviz.json"), NULL, NULL, &loaded, NULL),
		BTVIZ_OK);
	assert_same_dump(s, loaded);
	btviz_summary_free(s);
	btviz_summary_free(loaded);
	scratch_remove();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_floods),
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_saved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
