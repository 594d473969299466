/* test_saved.c - a saved summary, loaded, is the summary that was saved, to the last bit; and
 * whatever else is in the file, it is refused or at least does no harm. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <zlib.h>

#include <btviz/btviz.h>

#include "dump.h"
#include "measure/saved_row.h"
#include "scratch.h"

static struct btviz_summary *read_named(const char *name, const struct btviz_summary_options *o)
{
	struct btviz_summary *s = NULL;
	struct btviz_error err = { .message = "" };

	if (btviz_summary_read(name, NULL, o, &s, &err) != BTVIZ_OK)
		fail_msg("%s: %s", name, err.message);
	return s;
}

static void save(struct btviz_summary *s, const char *name)
{
	struct btviz_error err;

	if (btviz_summary_save(s, scratch_path(name), &err) != BTVIZ_OK)
		fail_msg("%s: %s", name, err.message);
}

static char *file_bytes(const char *name, size_t *ret_size)
{
	const gzFile file = gzopen(scratch_path(name), "rb");
	char *bytes = malloc(64 << 20);
	const int n = gzread(file, bytes, 64 << 20);

	assert_true(n > 0);
	gzclose(file);
	*ret_size = (size_t)n;
	bytes[n] = '\0';
	return bytes;
}

static long file_size(const char *name)
{
	struct stat st;

	assert_int_equal(stat(scratch_path(name), &st), 0);
	return (long)st.st_size;
}

static char *health(struct btviz_summary *s)
{
	const struct btviz_figures *f;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
	dump_health(out, f->health);
	fclose(out);
	return text;
}

/* ---- what is saved is loaded -------------------------------------------------------------------
 */

static void test_round_trip(void **state)
{
	static const char *const names[] = { "raid0-bad", "raid10-ext4-fsync", "cgroup-ids",
		"bfq-messages", "v8-zone-plug" };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct btviz_summary *const s = read_named(recording(names[i]), NULL);
		struct btviz_summary *t;
		size_t size, again_size;
		char *bytes, *again;

		save(s, "run.btviz.json");
		assert_true(file_size("run.btviz.json") < 256 << 10);
		t = read_named(scratch_path("run.btviz.json"), NULL);
		assert_same(health(s), health(t));
		assert_same(dump(s), dump(t));
		/* And once more: the second generation is the first, byte for byte. */
		save(t, "again.btviz.json");
		bytes = file_bytes("run.btviz.json", &size);
		again = file_bytes("again.btviz.json", &again_size);
		assert_int_equal(size, again_size);
		assert_memory_equal(bytes, again, size);
		free(bytes);
		free(again);
		btviz_summary_free(s);
		btviz_summary_free(t);
	}
}

static void test_round_trip_options(void **state)
{
	static const char *const only[] = { "sdc", "9,0" };
	struct btviz_summary_options o = BTVIZ_SUMMARY_OPTIONS_INIT;
	uint32_t owners[64], loaded[64];
	float map[64];

	(void)state;
	o.gap_threshold_ns = 20000000;
	o.seek_sectors = 8;
	o.start_ns = 2000000000;
	o.end_ns = 5000000000;
	o.devices = only;
	o.device_count = 2;
	o.map_columns = 64;
	o.map_rows = 128;
	o.map_owners = true;

	struct btviz_summary *const s = read_named(recording("raid0-bad"), &o);
	const struct btviz_figures *f;
	struct btviz_summary *t;

	save(s, "part.btviz.json");
	t = read_named(scratch_path("part.btviz.json"), NULL);
	assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
	assert_int_equal(f->device_count, 2);
	assert_int_equal(btviz_summary_map(s, 0, BTVIZ_OP_WRITE, f->start_ns, f->end_ns + 1, 8, 0,
				 1 << 20, 8, map, owners),
		BTVIZ_OK);
	assert_int_equal(btviz_summary_map(t, 0, BTVIZ_OP_WRITE, f->start_ns, f->end_ns + 1, 8, 0,
				 1 << 20, 8, map, loaded),
		BTVIZ_OK);
	assert_memory_equal(owners, loaded, sizeof owners);
	assert_same(dump(s), dump(t));
	btviz_summary_free(t);
	/* With the same options again it is the same, too. */
	o.devices = NULL;
	o.device_count = 0;
	t = read_named(scratch_path("part.btviz.json"), &o);
	assert_same(dump(s), dump(t));
	btviz_summary_free(s);
	btviz_summary_free(t);
}

/* Parts that were kept in files merge as parts in memory do. */
static void test_merge_of_saved(void **state)
{
	static const char *const halves[] = { "sdb", "sdc" };
	struct btviz_summary *parts[2], *loaded[2];
	struct btviz_error err;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct btviz_summary_options o = BTVIZ_SUMMARY_OPTIONS_INIT;

		o.devices = &halves[i];
		o.device_count = 1;
		parts[i] = read_named(recording("raid10-ext4-fsync"), &o);
		save(parts[i], "half.btviz.json");
		loaded[i] = read_named(scratch_path("half.btviz.json"), NULL);
	}
	assert_int_equal(btviz_summary_merge(parts[0], parts[1], &err), BTVIZ_OK);
	assert_int_equal(btviz_summary_merge(loaded[0], loaded[1], &err), BTVIZ_OK);
	assert_same(dump(parts[0]), dump(loaded[0]));
	for (unsigned i = 0; i < 2; i++) {
		btviz_summary_free(parts[i]);
		btviz_summary_free(loaded[i]);
	}
}

/* A random load touches more cells than are kept: the map gets coarser, nothing else changes. */
static void test_large_map(void **state)
{
	struct btviz_summary *s = NULL, *t;
	const struct btviz_figures *f, *g;
	uint64_t seed = 1;
	float map[16], loaded[16];
	double sum = 0, loaded_sum = 0;

	(void)state;
	assert_int_equal(btviz_summary_new(NULL, &s, NULL), BTVIZ_OK);
	for (uint64_t i = 0; i < 160000; i++) {
		struct btviz_event ev = { .time_ns = 1000000000 + i * 60000,
			.bytes = 4096,
			.device = 8 << 20,
			.categories = BTVIZ_CAT_READ,
			.event = i % 2 ? BTVIZ_ACT_COMPLETE : BTVIZ_ACT_ISSUE };

		if (i % 2 == 0)
			seed = seed * 6364136223846793005u + 1442695040888963407u;
		ev.sector = (seed >> 40) << 3;
		assert_int_equal(btviz_summary_add(s, &ev, NULL), BTVIZ_OK);
	}
	save(s, "random.btviz.json");
	assert_true(file_size("random.btviz.json") < 256 << 10);
	t = read_named(scratch_path("random.btviz.json"), NULL);
	assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
	assert_int_equal(btviz_summary_figures(t, &g, NULL), BTVIZ_OK);
	assert_memory_equal(
		f->devices[0]->moved, g->devices[0]->moved, sizeof f->devices[0]->moved);
	assert_int_equal(f->devices[0]->seeks, g->devices[0]->seeks);
	assert_true(f->devices[0]->map_last_sector == g->devices[0]->map_last_sector);
	assert_int_equal(btviz_summary_map(s, 0, BTVIZ_OP_READ, f->origin_ns, f->end_ns + 1, 4, 0,
				 1 << 27, 4, map, NULL),
		BTVIZ_OK);
	assert_int_equal(btviz_summary_map(t, 0, BTVIZ_OP_READ, f->origin_ns, f->end_ns + 1, 4, 0,
				 1 << 27, 4, loaded, NULL),
		BTVIZ_OK);
	for (unsigned i = 0; i < 16; i++) {
		sum += (double)map[i];
		loaded_sum += (double)loaded[i];
		assert_true((double)loaded[i] > 0.97 * (double)map[i]);
		assert_true((double)loaded[i] < 1.03 * (double)map[i]);
	}
	assert_true(loaded_sum > 0.999 * sum && loaded_sum < 1.001 * sum);
	btviz_summary_free(s);
	btviz_summary_free(t);
}

/* ---- what a saved summary cannot do ------------------------------------------------------------
 */

static void test_options_refused(void **state)
{
	static const char *const one[] = { "sdb" }, *const none[] = { "sdz" };
	static const struct {
		const char *name;
		struct btviz_summary_options o;
		enum btviz_status status;
		const char *message;
	} cases[] = {
		{ "window", { .end_ns = 1000000000 }, BTVIZ_ERR_USAGE, "stretch of time" },
		{ "sectors", { .last_sector = 4096 }, BTVIZ_ERR_USAGE, "other sectors" },
		{ "seeks", { .seek_sectors = 8 }, BTVIZ_ERR_USAGE, "another distance" },
		{ "same seeks", { .seek_sectors = 128 }, BTVIZ_OK, "" },
		{ "short gaps", { .gap_threshold_ns = 1000000 }, BTVIZ_ERR_USAGE, "shorter gaps" },
		{ "long gaps", { .gap_threshold_ns = 900000000 }, BTVIZ_OK, "" },
		{ "device", { .devices = one, .device_count = 1 }, BTVIZ_OK, "" },
		{ "no such device", { .devices = none, .device_count = 1 }, BTVIZ_ERR_EMPTY,
			"no I/O" },
	};
	struct btviz_summary *s = read_named(recording("raid0-bad"), NULL);

	(void)state;
	save(s, "run.btviz.json");
	btviz_summary_free(s);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct btviz_summary_options o = cases[i].o;
		struct btviz_error err = { .message = "" };

		o.size = sizeof o;
		s = NULL;
		if (btviz_summary_read(scratch_path("run.btviz.json"), NULL, &o, &s, &err) !=
				cases[i].status ||
			!strstr(err.message, cases[i].message))
			fail_msg("%s: '%s'", cases[i].name, err.message);
		if (s && o.device_count > 0) {
			const struct btviz_figures *f;

			assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
			assert_int_equal(f->device_count, 1);
		}
		btviz_summary_free(s);
	}
	/* -D finds it, too. */
	const struct btviz_trace_options in = { sizeof in, scratch_dir, 0 };

	assert_int_equal(btviz_summary_read("run.btviz.json", &in, NULL, &s, NULL), BTVIZ_OK);
	btviz_summary_free(s);
	assert_int_equal(btviz_summary_read("/nowhere/run.btviz.json", &in, NULL, &s, NULL),
		BTVIZ_ERR_NOT_FOUND);
}

static void test_not_written(void **state)
{
	struct btviz_summary *s = read_named(recording("v8-zone-plug"), NULL);
	struct btviz_error err;

	(void)state;
	assert_int_equal(
		btviz_summary_save(s, scratch_path("nowhere/run.json"), &err), BTVIZ_ERR_IO);
	assert_non_null(strstr(err.message, "nowhere"));
	/* A directory in its place: nothing is left behind. */
	scratch_file("dir/x", "");
	assert_int_equal(btviz_summary_save(s, scratch_path("dir"), &err), BTVIZ_ERR_IO);
	DIR *const dir = opendir(scratch_dir);
	const struct dirent *entry;

	while ((entry = readdir(dir)))
		assert_null(strstr(entry->d_name, ".tmp"));
	closedir(dir);
	btviz_summary_free(s);
}

/* ---- files that lie ----------------------------------------------------------------------------
 */

static void write_bytes(const char *name, const char *bytes, size_t size)
{
	FILE *const file = fopen(scratch_path(name), "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* Whatever the outcome, there is one; and what was loaded can be looked at. */
static enum btviz_status try_load(const char *name, char *message)
{
	struct btviz_summary *s = NULL;
	struct btviz_error err = { .message = "" };
	const enum btviz_status status =
		btviz_summary_read(scratch_path(name), NULL, NULL, &s, &err);

	if (message)
		strcpy(message, err.message);
	if (status == BTVIZ_OK) {
		static double cells[300];
		static float map[50 * 20];
		struct btviz_findings *findings = NULL;
		const struct btviz_figures *f;

		assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
		for (size_t i = 0; i < f->device_count; i++) {
			for (unsigned c = 0; c <= BTVIZ_COURSE_QUEUE_LATENCY; c++)
				btviz_summary_series(s, i, (enum btviz_course)c, BTVIZ_DIR_ALL,
					f->origin_ns, f->end_ns + 1, 300, cells);
			btviz_summary_map(s, i, BTVIZ_OP_WRITE, f->origin_ns, f->end_ns + 1, 50,
				f->devices[i]->map_first_sector, f->devices[i]->map_last_sector, 20,
				map, NULL);
			btviz_summary_heat(
				s, i, f->origin_ns, f->end_ns + 1, 50, 1e-6, 10, 20, map);
		}
		if (btviz_findings_new(f, &findings, NULL) == BTVIZ_OK)
			btviz_findings_free(findings);
	}
	btviz_summary_free(s);
	return status;
}

static void test_other_files(void **state)
{
	static const struct {
		const char *text;
		enum btviz_status status;
		const char *message;
	} cases[] = {
		{ "{}", BTVIZ_ERR_NOT_A_TRACE, "its schema is not given" },
		{ "{\"schema\":\"btviz.report/1\"}", BTVIZ_ERR_NOT_A_TRACE, "btviz.report/1" },
		{ "{\"schema\":\"btviz.summary/1\"}", BTVIZ_ERR_VERSION, "btviz.summary/1" },
		{ "{\"schema\":\"btviz.summary/2\"}", BTVIZ_ERR_NOT_A_TRACE,
			"'options' is missing" },
		{ "{\"schema\":7}", BTVIZ_ERR_NOT_A_TRACE, "not given" },
		{ " \n {\"schema\":", BTVIZ_ERR_NOT_A_TRACE, "no JSON at byte" },
		{ "{\"schema\":\"a\",\"schema\":\"b\"}", BTVIZ_ERR_NOT_A_TRACE, "duplicate" },
		{ "{\"\xff\":1}", BTVIZ_ERR_NOT_A_TRACE, "no JSON" },
	};
	char message[512];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		write_bytes("x.json", cases[i].text, strlen(cases[i].text));
		if (try_load("x.json", message) != cases[i].status ||
			!strstr(message, cases[i].message))
			fail_msg("%s: '%s'", cases[i].text, message);
	}

	/* Deep and wide JSON is not even parsed. */
	char *const many = malloc(6 << 20);

	memset(many, '[', 6 << 20);
	many[0] = '{';
	write_bytes("x.json", many, 6 << 20);
	assert_int_equal(try_load("x.json", message), BTVIZ_ERR_LIMIT);
	write_bytes("x.json", many, 5000);
	assert_int_equal(try_load("x.json", message), BTVIZ_ERR_NOT_A_TRACE);
	free(many);
}

static void test_cut_short(void **state)
{
	struct btviz_summary *s = read_named(recording("v8-zone-plug"), NULL);
	char bytes[65536], message[512];
	FILE *file;
	size_t size, harmless = 0;

	(void)state;
	save(s, "run.btviz.json");
	btviz_summary_free(s);
	file = fopen(scratch_path("run.btviz.json"), "rb");
	size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	assert_in_range(size, 100, sizeof bytes - 1);
	for (size_t n = 64; n < size; n += 37) {
		write_bytes("cut.btviz.json", bytes, n);
		assert_int_not_equal(try_load("cut.btviz.json", message), BTVIZ_OK);
	}
	/* Only the bits that fill up the last byte before the checksum may be anything. */
	for (size_t i = 20; i < size; i += 13) {
		bytes[i] ^= 0x10;
		write_bytes("flip.btviz.json", bytes, size);
		harmless += try_load("flip.btviz.json", message) == BTVIZ_OK;
		bytes[i] ^= 0x10;
	}
	assert_true(harmless <= 1);
}

/* Replaces one number, or one byte, of the JSON at a time. */
static void test_mutations(void **state)
{
	static const char *const numbers[] = { "0", "1", "-1", "18446744073709551615",
		"9223372036854775807", "4294967296", "7*99999999999", "\"\"", "null", "[]", "63",
		"1e9" };
	struct btviz_summary *s = read_named(recording("v7-raid0-direct"), NULL);
	uint64_t seed = 4711;
	size_t size, loaded = 0;
	char *text, *mutant;

	(void)state;
	save(s, "run.btviz.json");
	btviz_summary_free(s);
	text = file_bytes("run.btviz.json", &size);
	mutant = malloc(size + 64);
	for (int round = 0; round < 300; round++) {
		size_t at, end;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		at = (size_t)((seed >> 20) % size);
		if (round % 3 == 0) { /* a byte */
			memcpy(mutant, text, size);
			mutant[at] = "0\"[]{}:,9* -x"[(seed >> 40) % 13];
			end = size;
		} else { /* a number */
			const char *const with = numbers[(seed >> 52) % 12];

			while (at + 1 < size && (text[at] < '0' || text[at] > '9'))
				at++;
			while (at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9')
				at--;
			size_t skip = at;
			while (text[skip] >= '0' && text[skip] <= '9')
				skip++;
			memcpy(mutant, text, at);
			strcpy(mutant + at, with);
			memcpy(mutant + at + strlen(with), text + skip, size - skip);
			end = at + strlen(with) + size - skip;
		}
		write_bytes("mutant.json", mutant, end);
		loaded += try_load("mutant.json", NULL) == BTVIZ_OK;
	}
	/* Some figure was changed to another plausible one, most often it was found out. */
	assert_in_range(loaded, 10, 290);
	free(mutant);
	free(text);
}

/* ---- rows of numbers ---------------------------------------------------------------------------
 */

static void test_rows(void **state)
{
	static const struct {
		const char *text;
		size_t count; /* that are read before it ends or breaks */
		bool whole;
	} cases[] = {
		{ "", 0, true },
		{ "7", 1, true },
		{ "1 2 3", 3, true },
		{ "5*3 1", 4, true },
		{ "18446744073709551615", 1, true },
		{ "18446744073709551616", 0, false },
		{ "99999999999999999999", 0, false },
		{ "1 ", 0, false },
		{ " 1", 0, false },
		{ "1  2", 1, false },
		{ "1*0", 0, false },
		{ "1*", 0, false },
		{ "*3", 0, false },
		{ "01", 0, false },
		{ "1*2*3", 0, false },
		{ "-1", 0, false },
		{ "1,2", 0, false },
		{ "1 x", 1, false },
		{ "0*2 0", 3, true },
	};
	struct btvi_row_writer w = { NULL, 0, 0, 0, 0, false };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct btvi_row_reader r = { cases[i].text, cases[i].text + strlen(cases[i].text),
			0, 0 };
		size_t count = 0;
		uint64_t value;

		while (count < 10 && btvi_row_get(&r, &value))
			count++;
		if (count != cases[i].count || btvi_row_is_over(&r) != cases[i].whole)
			fail_msg("'%s': %zu, %s", cases[i].text, count,
				btvi_row_is_over(&r) ? "whole" : "broken");
	}
	for (unsigned i = 0; i < 5; i++)
		btvi_row_put(&w, 0);
	btvi_row_put(&w, UINT64_MAX);
	btvi_row_put(&w, 0);
	assert_true(btvi_row_end(&w));
	assert_string_equal(w.text, "0*5 18446744073709551615 0");
	free(w.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_round_trip, scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(
			test_round_trip_options, scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(
			test_merge_of_saved, scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(test_large_map, scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(
			test_options_refused, scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(
			test_not_written, scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(
			test_other_files, scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(test_cut_short, scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(test_mutations, scratch_set_up, scratch_tear_down),
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
