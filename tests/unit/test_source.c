/* test_source.c - what a name stands for: each way that people name traces, in a directory of its
 * own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

#include <btviz/summary.h>
#include <btviz/trace.h>

#include "base/limits.h"
#include "records.h"
#include "scratch.h"
#include "trace/names.h"
#include "trace/source.h"

static const struct form v7 = { 7, false };

/* A per-CPU file with count events of a device, from time_ns on. */
static void put_file(
	const char *name, uint32_t device, uint32_t cpu, uint64_t time_ns, unsigned count)
{
	struct bytes b = { NULL, 0, 0 };
	FILE *f;

	for (unsigned i = 0; i < count; i++) {
		struct btviz_event ev = io_event(BTVIZ_ACT_QUEUE, time_ns + 1000 * i, i + 1);

		ev.device = device;
		ev.cpu = cpu;
		bytes_add_event(&b, &v7, &ev);
	}
	scratch_parents(name);
	f = fopen(scratch_path(name), "wb");
	assert_non_null(f);
	if (b.size > 0)
		assert_int_equal(fwrite(b.data, 1, b.size, f), b.size);
	fclose(f);
	bytes_free(&b);
}

/* Opens a name in the scratch directory, and counts its events; -1: failed. */
static struct btviz_error err;
static struct btviz_health health;
static char names[512]; /* of the devices, in order of appearance */

static int count_of(const char *name)
{
	struct btviz_trace_options o = BTVIZ_TRACE_OPTIONS_INIT;
	const struct btviz_event *ev;
	struct btviz_trace *t;
	uint64_t last_ns = 0;
	uint32_t devices[8];
	size_t device_count = 0;
	int count = 0;

	o.dir = scratch_dir;
	names[0] = '\0';
	if (btviz_trace_open(name, &o, &t, &err) != BTVIZ_OK)
		return -1;
	while (btviz_trace_next(t, &ev, &err) == BTVIZ_OK) {
		size_t i = 0;

		if (btviz_event_is_note(ev))
			continue;
		count++;
		assert_true(ev->time_ns >= last_ns || (ev->flags & BTVIZ_EV_LATE));
		last_ns = ev->time_ns;
		while (i < device_count && devices[i] != ev->device)
			i++;
		if (i < device_count || device_count == 8)
			continue;
		devices[device_count++] = ev->device;
		snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
			names[0] ? " " : "", btviz_trace_device_name(t, ev->device));
	}
	health = *btviz_trace_health(t);
	btviz_trace_close(t);
	return count;
}

#define SDB BTVIZ_DEVICE(8, 16)
#define SDC BTVIZ_DEVICE(8, 32)
#define MD0 BTVIZ_DEVICE(9, 0)

/* Everything that tests below find, or must not find. */
static void put_all(void)
{
	put_file("md0.trace.blktrace.0", MD0, 0, 1000000, 3);
	put_file("md0.trace.blktrace.1", MD0, 1, 2000000, 4);
	put_file("md0.tracer.blktrace.0", MD0, 0, 1000000, 50); /* begins the same */
	put_file("run.sdb.blktrace.0", SDB, 0, 1000000, 5);
	put_file("run..dev.sdc.blktrace.0", SDC, 0, 1000001, 6);
	put_file("runner.sdb.blktrace.0", SDB, 0, 1000000, 50);
	put_file("dir/sdb.blktrace.0", SDB, 0, 1000000, 7);
	put_file("dir/md0.blktrace.3", MD0, 3, 1000001, 8);
	put_file("hot.blktrace.0", SDB, 0, 1000000, 1);
	put_file("hot.blktrace.1", SDB, 1, 1000000, 2);
	put_file("hot.blktrace.4", SDB, 4, 1000000, 4);
	put_file("late.blktrace.0", SDB, 0, 1000000, 0);
	put_file("late.blktrace.1", SDB, 1, 17000000000, 9);
	put_file("swap.blktrace.0", SDB, 7, 1000000, 3);
	put_file("cciss_c0d0.blktrace.0", BTVIZ_DEVICE(104, 0), 0, 1000000, 2);
	put_file("a b.c.blktrace.0", SDB, 0, 1000000, 2);
	put_file("one,two.blktrace.0", SDB, 0, 1000000, 11);
	put_file("dump.bin", SDB, 0, 0, 12);
	put_file("x.blktrace.d/sdb.blktrace.0", SDB, 0, 1000000, 13);
	put_file("void.blktrace.0", SDB, 0, 0, 0);
	put_file("void.blktrace.1", SDB, 1, 0, 0);
	scratch_file("text", "just text, nothing else\n");
	scratch_file("nodir/readme", "no trace\n");
}

static void every_way_to_name_it(void **state)
{
	static const struct {
		const char *name;
		int count;
		const char *devices;
	} cases[] = {
		{ "md0.trace.blktrace.0", 7, "md0.trace" },
		{ "md0.trace.blktrace.1", 7, "md0.trace" },
		{ "md0.trace.blktrace", 7, "md0.trace" },
		{ "md0.trace.blktrace.", 7, "md0.trace" },
		{ "md0.trace", 7, "md0.trace" },
		{ "./md0.trace", 7, "md0.trace" },
		{ "run", 11, "sdb sdc" },
		{ "run.sdb", 5, "run.sdb" },
		{ "run..dev.sdc", 6, "sdc" },
		{ "dir", 15, "sdb md0" },
		{ "dir/", 15, "sdb md0" },
		{ "dir/md0", 8, "md0" },
		{ "dir/sdb,dir/md0", 15, "sdb md0" },
		{ "dir/sdb,dir/sdb", 7, "sdb" },
		{ "dir/sdb,dir/../dir/sdb.blktrace.0,dir/md0", 15, "sdb md0" },
		{ "hot", 7, "hot" },
		{ "late", 9, "late" },
		{ "swap", 3, "swap" },
		{ "cciss!c0d0", 2, "cciss/c0d0" },
		{ "cciss/c0d0", 2, "cciss/c0d0" },
		{ "cciss_c0d0", 2, "cciss/c0d0" },
		{ "a b.c", 2, "a b.c" },
		{ "one,two", 11, "one,two" },
		{ "dump.bin", 12, "8,16" },
		{ "x.blktrace.d/sdb", 13, "sdb" },
		{ "x.blktrace.d", 13, "sdb" },
		{ "void", 0, "" },
	};

	(void)state;
	put_all();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		print_message("# %s\n", cases[i].name);
		assert_int_equal(count_of(cases[i].name), cases[i].count);
		assert_string_equal(names, cases[i].devices);
	}
}

static void what_is_not_found_is_said(void **state)
{
	static const struct {
		const char *name;
		enum btviz_status status;
		const char *said;
	} cases[] = {
		{ "nothere", BTVIZ_ERR_NOT_FOUND, "nothere.*.blktrace.N" },
		{ "md0.trac", BTVIZ_ERR_NOT_FOUND, "md0.trac" },
		{ "ru", BTVIZ_ERR_NOT_FOUND, "ru" },
		{ "nodir", BTVIZ_ERR_NOT_FOUND, "no file NAME.blktrace.N" },
		{ "no/such/dir/sdb", BTVIZ_ERR_NOT_FOUND, "no/such/dir/sdb" },
		{ "dir/sdb,nothere", BTVIZ_ERR_NOT_FOUND, "nothere" },
		{ "dir/sdb,,dir/md0", BTVIZ_ERR_USAGE, "comma" },
		{ "", BTVIZ_ERR_USAGE, "empty" },
		{ "text", BTVIZ_ERR_NOT_A_TRACE, "text" },
	};

	(void)state;
	put_all();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		print_message("# %s\n", cases[i].name);
		assert_int_equal(count_of(cases[i].name), -1);
		assert_int_equal(err.status, cases[i].status);
		assert_non_null(strstr(err.message, cases[i].said));
	}
}

static void an_absolute_name_wins_over_the_directory(void **state)
{
	char path[256];

	(void)state;
	put_file("dir/sdb.blktrace.0", SDB, 0, 1000000, 7);
	snprintf(path, sizeof path, "%s/dir/sdb", scratch_dir);
	assert_int_equal(count_of(path), 7);
}

static void a_file_that_may_not_be_read_is_named(void **state)
{
	(void)state;
	if (geteuid() == 0) {
		/* cmocka's skip() reads "not ok" in TAP, which meson takes for a failure */
		print_message(
			"# a_file_that_may_not_be_read_is_named: skipped: root may read all\n");
		return;
	}
	put_file("sdb.blktrace.0", SDB, 0, 1000000, 7);
	put_file("sdb.blktrace.1", SDB, 1, 1000000, 7);
	assert_int_equal(chmod(scratch_path("sdb.blktrace.1"), 0), 0);
	assert_int_equal(count_of("sdb"), -1);
	assert_int_equal(err.sys_errno, EACCES);
	assert_non_null(strstr(err.message, "sdb.blktrace.1"));
}

/* 20 devices with 16 CPUs each, and hardly any descriptors. */
static void more_files_than_may_be_open(void **state)
{
	struct rlimit before, few = { 32, 32 };

	(void)state;
	for (unsigned d = 0; d < 20; d++) {
		for (unsigned cpu = 0; cpu < 16; cpu++) {
			char name[64];

			snprintf(name, sizeof name, "many/sd%c.blktrace.%u", 'a' + d, cpu);
			put_file(name, BTVIZ_DEVICE(8, 16 * d), cpu, 1000000 + 7 * d + cpu, 500);
		}
	}
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_int_equal(count_of("many"), 20 * 16 * 500);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(health.late_events, 0);
	assert_int_equal(health.streams, 320);
}

/* A stream that is no trace among others that are. */
static void rubbish_among_the_streams(void **state)
{
	(void)state;
	put_file("sdb.blktrace.0", SDB, 0, 1000000, 7);
	scratch_file("sdb.blktrace.1", "this is not a trace");
	assert_int_equal(count_of("sdb"), 7);
	assert_int_equal(health.bad_bytes, 19);
	scratch_file("sdb.blktrace.2", "\006tae");
	assert_int_equal(count_of("sdb"), -1);
	assert_int_equal(err.status, BTVIZ_ERR_VERSION);
	assert_non_null(strstr(err.message, "sdb.blktrace.2"));
}

/* Input without an end, or of a size that would take days, is given up. */
static void endless_input_is_given_up(void **state)
{
	int fd;

	(void)state;
	assert_int_equal(count_of("/dev/zero"), -1);
	assert_int_equal(err.status, BTVIZ_ERR_NOT_A_TRACE);
	assert_non_null(strstr(err.message, "given up"));
	put_file("late.bin", SDB, 0, 1000000, 0);
	fd = open(scratch_path("late.bin"), O_WRONLY);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0);
	close(fd);
	assert_int_equal(count_of("late.bin"), -1);
	assert_int_equal(err.status, BTVIZ_ERR_NOT_A_TRACE);
	assert_non_null(strstr(err.message, "given up"));
}

/* One recording under two names is counted once; another one of the same device is not. */
static void a_device_under_two_names(void **state)
{
	struct btviz_trace_options o = BTVIZ_TRACE_OPTIONS_INIT;
	const struct btviz_figures *f;
	struct btviz_summary *s;

	(void)state;
	o.dir = scratch_dir;
	for (unsigned later = 0; later < 2; later++) {
		for (unsigned cpu = 0; cpu < 2; cpu++) {
			put_file(cpu ? "sdb.blktrace.1" : "sdb.blktrace.0", SDB, cpu, 1000000 + cpu,
				7);
			put_file(cpu ? "wwn-1.blktrace.1" : "wwn-1.blktrace.0", SDB, cpu,
				1000000 + cpu + later, 7);
		}
		assert_int_equal(btviz_summary_read("sdb,wwn-1", &o, NULL, &s, &err), BTVIZ_OK);
		assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
		assert_int_equal(f->health->repeated_events, later ? 0 : 14);
		assert_int_equal(f->devices[0]->events, later ? 28 : 14);
		btviz_summary_free(s);
	}
}

#if BTVI_HAVE_ARCHIVE
static void pack(const char *command)
{
	char line[512];

	snprintf(line, sizeof line, "cd '%s' && %s", scratch_dir, command);
	assert_int_equal(system(line), 0);
}

static void packed_streams_and_archives(void **state)
{
	static const struct {
		const char *command, *name;
		int count;
		const char *devices;
	} cases[] = {
		{ "gzip -k dump.bin", "dump.bin.gz", 12, "8,16" },
		{ "xz -k dump.bin", "dump.bin.xz", 12, "8,16" },
		{ "mkdir gz && cp dir/* gz && gzip gz/*", "gz", 15, "sdb md0" },
		{ "true", "gz/md0", 8, "md0" },
		{ "true", "gz/sdb.blktrace.0.gz", 7, "sdb" },
		{ "cp dir/sdb.blktrace.0 gz", "gz", 15, "sdb md0" }, /* both, packed and not */
		{ "tar cf dir.tar dir text", "dir.tar", 15, "md0 sdb" },
		{ "tar czf dir.tar.gz -C dir .", "dir.tar.gz", 15, "md0 sdb" },
		{ "tar cf dump.tar dump.bin", "dump.tar", 12, "8,16" },
	};

	(void)state;
	put_all();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		print_message("# %s\n", cases[i].name);
		pack(cases[i].command);
		assert_int_equal(count_of(cases[i].name), cases[i].count);
		if (i < 6) /* the order of names in a tar is the directory's */
			assert_string_equal(names, cases[i].devices);
	}
	pack("tar cf text.tar text");
	assert_int_equal(count_of("text.tar"), -1);
	assert_int_equal(err.status, BTVIZ_ERR_NOT_FOUND);
	/* cut short: what is there counts, and the cut is said */
	put_file("long.bin", SDB, 0, 1000, 20000);
	pack("gzip long.bin && head -c 20000 long.bin.gz > cut.gz");
	assert_true(count_of("cut.gz") > 100);
	assert_int_equal(health.torn_tails, 1);
}

/* Writes what a file holds, cut after size bytes, one bit of byte flip turned, text behind it. */
static void put_damaged(
	const char *from, const char *to, size_t size, size_t flip, const char *behind)
{
	static unsigned char bytes[1 << 16];
	FILE *f = fopen(scratch_path(from), "rb");
	size_t got;

	assert_non_null(f);
	got = fread(bytes, 1, sizeof bytes, f);
	fclose(f);
	assert_true(got < sizeof bytes);
	if (size > got)
		size = got;
	if (flip < size)
		bytes[flip] ^= 1;
	f = fopen(scratch_path(to), "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fwrite(behind, 1, strlen(behind), f), strlen(behind));
	fclose(f);
}

/* An archive or compressed file that is not whole is read as far as it goes, and that is said. The
 * tar holds two members of 7 and 8 records, a block of header and a block of data each. */
static void packing_that_is_not_whole(void **state)
{
	static const struct {
		const char *from;
		size_t size, flip;
		const char *behind;
		int count;
		uint32_t packing;
	} cases[] = {
		{ "a.tar", SIZE_MAX, SIZE_MAX, "", 15, 0 },
		{ "a.tar", 1024, SIZE_MAX, "", 7, BTVIZ_PACKING_NO_END },
		{ "a.tar", 2048, SIZE_MAX, "", 15, BTVIZ_PACKING_NO_END },
		{ "a.tar", 1000, SIZE_MAX, "", 7, 0 }, /* torn, which is said elsewhere */
		{ "a.tar", 1124, SIZE_MAX, "", 7, BTVIZ_PACKING_HEADER },
		{ "a.tar", SIZE_MAX, 1024 + 130, "", 7, BTVIZ_PACKING_HEADER },
		{ "a.tar", SIZE_MAX, 130, "", 15,
			0 }, /* no tar any more, but bytes with records in them */
		{ "a.gz", SIZE_MAX, SIZE_MAX, "", 7, 0 },
		{ "a.gz", SIZE_MAX, SIZE_MAX, "something behind it", 7, BTVIZ_PACKING_BEHIND },
		{ "a.bz2", SIZE_MAX, SIZE_MAX, "", 7, 0 },
		{ "a.bz2", SIZE_MAX, SIZE_MAX, "x", 7, BTVIZ_PACKING_BEHIND },
	};

	(void)state;
	put_file("sdb.blktrace.0", SDB, 0, 1000000, 7);
	put_file("md0.blktrace.0", BTVIZ_DEVICE(9, 0), 0, 1000000, 8);
	pack("tar cf a.tar sdb.blktrace.0 md0.blktrace.0 && gzip -c sdb.blktrace.0 > a.gz && "
	     "bzip2 -c sdb.blktrace.0 > a.bz2");
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		put_damaged(
			cases[i].from, "damaged", cases[i].size, cases[i].flip, cases[i].behind);
		print_message("# case %zu, %s\n", i, cases[i].from);
		assert_int_equal(count_of("damaged"), cases[i].count);
		assert_int_equal(health.packing, cases[i].packing);
		assert_int_equal(health.torn_tails, cases[i].size == 1000);
	}
	/* without its trailer, all that there is was in one piece: an error */
	put_damaged("a.gz", "damaged", 40, SIZE_MAX, "");
	assert_int_equal(count_of("damaged"), -1);
}

/* A file of zeroes that was packed to nothing: refused long before the disk is full. */
static void bombs_are_refused(void **state)
{
	(void)state;
	put_file("sdb.blktrace.0", SDB, 0, 1000000, 1);
	pack("head -c 300000000 /dev/zero | gzip > sdb.blktrace.1.gz && gzip sdb.blktrace.0");
	assert_int_equal(count_of("sdb"), -1);
	assert_int_equal(err.status, BTVIZ_ERR_LIMIT);
}
#endif

static void per_cpu_names(void **state)
{
	static const struct {
		const char *name;
		bool is;
		size_t base_size;
		int cpu;
	} cases[] = {
		{ "sdb.blktrace.0", true, 3, 0 },
		{ "a/b.c/sdb.blktrace.127", true, 9, 127 },
		{ "x.blktrace.1.blktrace.2", true, 12, 2 },
		{ "sdb.blktrace.12.gz", true, 3, 12 },
		{ "rec/cpu3.raw", true, 7, 3 },
		{ "cpu12.bin.xz", true, 3, 12 },
		{ "cpu.raw", false, 0, 0 },
		{ "cpu1.txt", false, 0, 0 },
		{ "mycpu1.raw", false, 0, 0 },
		{ "sdb.blktrace.1.txt", false, 0, 0 },
		{ "sdb.blktrace.", false, 0, 0 },
		{ "sdb.blktrace.x", false, 0, 0 },
		{ "sdb.blktrace.-1", false, 0, 0 },
		{ "sdb.blktrace.12345678901234567890", false, 0, 0 },
		{ ".blktrace.0", false, 0, 0 },
		{ "dir/.blktrace.0", false, 0, 0 },
		{ "sdb.blktrace", false, 0, 0 },
		{ "", false, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct btvi_cpu_name parsed = { 0, 0, false };

		print_message("# %s\n", cases[i].name);
		assert_int_equal(btvi_cpu_name_parse(cases[i].name, &parsed), cases[i].is);
		assert_int_equal(parsed.base_size, cases[i].base_size);
		assert_int_equal(parsed.cpu, cases[i].cpu);
	}
}

#define SCRATCH_TEST(f) cmocka_unit_test_setup_teardown(f, scratch_set_up, scratch_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(per_cpu_names),
		SCRATCH_TEST(every_way_to_name_it),
		SCRATCH_TEST(what_is_not_found_is_said),
		SCRATCH_TEST(an_absolute_name_wins_over_the_directory),
		SCRATCH_TEST(a_file_that_may_not_be_read_is_named),
		SCRATCH_TEST(more_files_than_may_be_open),
		SCRATCH_TEST(rubbish_among_the_streams),
		SCRATCH_TEST(endless_input_is_given_up),
		SCRATCH_TEST(a_device_under_two_names),
#if BTVI_HAVE_ARCHIVE
		SCRATCH_TEST(packed_streams_and_archives),
		SCRATCH_TEST(packing_that_is_not_whole),
		SCRATCH_TEST(bombs_are_refused),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
