/* test_metadata.c - NAME.btviz.json: written and read back, found by every name of a run, and
 * hostile ones refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <btviz/event.h>
#include <btviz/metadata.h>

#include "record/metadata_write.h"
#include "scratch.h"

static enum btviz_status parse(const char *text, struct btviz_metadata **ret_m)
{
	struct btviz_error err;

	return btviz_metadata_parse(text, strlen(text), ret_m, &err);
}

static void write_run(const char *path)
{
	static const char *const argv[] = { "env", "-c", "echo it's", "", NULL };
	uint32_t members[] = { BTVIZ_DEVICE(8, 16), BTVIZ_DEVICE(259, 300) };
	struct btvi_block_device list[] = {
		{ .name = "md0",
			.file = "md0",
			.level = "raid0",
			.number = BTVIZ_DEVICE(9, 0),
			.size_bytes = 1 << 30,
			.chunk_bytes = 65536,
			.members = members,
			.member_count = 2,
			.traced = true },
		{ .name = "cciss/c0d0",
			.file = "cciss_c0d0",
			.label = "caf\xe9",
			.number = BTVIZ_DEVICE(8, 16),
			.disk = BTVIZ_DEVICE(8, 0),
			.start_sector = 2048 },
	};
	const struct btvi_devices devices = { list, 2 };
	const uint64_t lost[] = { 0, 42 };
	const struct btvi_metadata_out out = { .kernel = "6.18.44",
		.host = "h",
		.backend = "tracefs",
		.argv = argv,
		.devices = &devices,
		.finished = true,
		.has_exit_status = true,
		.exit_status = 3,
		.record_version = 7,
		.start_ns = 5000000000,
		.end_ns = 7500000000,
		.wall_start_ns = 1796052792847899979,
		.events = 1000,
		.lost_events = 42,
		.cpu_lost = lost,
		.cpu_count = 2,
		.user_s = 0.25,
		.system_s = 1.5,
		.sample_interval_ns = 100000000 };
	struct btviz_error err;

	assert_int_equal(btvi_metadata_write(path, &out, &err), BTVIZ_OK);
}

static void test_round_trip(void **state)
{
	const struct btviz_metadata_device *d;
	const struct btviz_metadata_run *run;
	struct btviz_metadata *m;

	(void)state;
	scratch_new();
	write_run(scratch_path("run.btviz.json"));
	assert_int_equal(btviz_metadata_open("run", scratch_dir, &m, NULL), BTVIZ_OK);
	run = btviz_metadata_run(m);
	assert_string_equal(run->command, "env -c 'echo it'\\''s' ''");
	assert_string_equal(run->kernel, "6.18.44");
	assert_string_equal(run->backend, "tracefs");
	assert_string_equal(run->wall_start, "2026-11-30T15:33:12.847899Z");
	assert_int_equal(run->flags, 0);
	assert_true(run->has_exit_status);
	assert_int_equal(run->exit_status, 3);
	assert_int_equal(run->start_ns, 5000000000);
	assert_int_equal(run->end_ns, 7500000000);
	assert_int_equal(run->events, 1000);
	assert_int_equal(run->lost_events, 42);
	assert_float_equal(run->user_s, 0.25, 1e-9);
	assert_int_equal(btviz_metadata_device_count(m), 2);
	d = btviz_metadata_find(m, BTVIZ_DEVICE(9, 0));
	assert_non_null(d);
	assert_string_equal(d->name, "md0");
	assert_string_equal(d->level, "raid0");
	assert_int_equal(d->chunk_bytes, 65536);
	assert_int_equal(d->member_count, 2);
	assert_int_equal(d->members[1], BTVIZ_DEVICE(259, 300));
	d = btviz_metadata_device(m, 1);
	assert_string_equal(d->label, "caf\xef\xbf\xbd");
	assert_int_equal(d->disk, BTVIZ_DEVICE(8, 0));
	assert_int_equal(d->start_sector, 2048);
	assert_false(d->traced);
	assert_null(btviz_metadata_device(m, 2));
	assert_null(btviz_metadata_find(m, 1));
	btviz_metadata_close(m);
	assert_int_not_equal(access(scratch_path("run.btviz.json.tmp"), F_OK), 0);
	scratch_remove();
}

static const struct {
	const char *name;
	enum btviz_status status;
} names[] = {
	{ "my.run", BTVIZ_OK },
	{ "my.run.blktrace", BTVIZ_OK },
	{ "my.run.blktrace.0", BTVIZ_OK },
	{ "my.run.md0", BTVIZ_OK },
	{ "my.run.md0.blktrace.12", BTVIZ_OK },
	{ "my.run.cciss_c0d0.blktrace.0", BTVIZ_OK },
	{ "my.run.md0,my.run.cciss_c0d0", BTVIZ_OK },
	{ "other,my.run", BTVIZ_OK },
	{ "my.run.sdz", BTVIZ_ERR_NOT_FOUND }, /* some other run's: not a device of this one */
	{ "my", BTVIZ_ERR_NOT_FOUND },
	{ "my.run.blktrace.x", BTVIZ_ERR_NOT_FOUND },
	{ "", BTVIZ_ERR_NOT_FOUND },
	{ ",", BTVIZ_ERR_NOT_FOUND },
	{ "-", BTVIZ_ERR_NOT_FOUND },
	{ ".", BTVIZ_OK },
};

static void test_names(void **state)
{
	struct btviz_metadata *m;

	(void)state;
	scratch_new();
	write_run(scratch_path("my.run.btviz.json"));
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		m = NULL;
		assert_int_equal(
			btviz_metadata_open(names[i].name, scratch_dir, &m, NULL), names[i].status);
		btviz_metadata_close(m);
	}
	/* An absolute name does not care for dir. */
	assert_int_equal(
		btviz_metadata_open(scratch_path("my.run"), "/nowhere", &m, NULL), BTVIZ_OK);
	btviz_metadata_close(m);
	/* Two runs in a directory: it is not one run's. */
	write_run(scratch_path("second.btviz.json"));
	assert_int_equal(btviz_metadata_open(".", scratch_dir, &m, NULL), BTVIZ_ERR_NOT_FOUND);
	scratch_remove();
}

static const struct {
	const char *name, *text;
	enum btviz_status status;
} hostile[] = {
	{ "empty", "", BTVIZ_ERR_NOT_A_TRACE },
	{ "no JSON", "{", BTVIZ_ERR_NOT_A_TRACE },
	{ "an array", "[]", BTVIZ_ERR_NOT_A_TRACE },
	{ "another schema", "{\"schema\":\"btviz.report/1\"}", BTVIZ_ERR_NOT_A_TRACE },
	{ "schema is a number", "{\"schema\":1}", BTVIZ_ERR_NOT_A_TRACE },
	{ "a later form", "{\"schema\":\"btviz.metadata/2\"}", BTVIZ_ERR_VERSION },
	{ "nothing but the schema", "{\"schema\":\"btviz.metadata/1\"}", BTVIZ_OK },
	{ "wrong kinds throughout",
		"{\"schema\":\"btviz.metadata/1\",\"command\":7,\"kernel\":[],\"exit_status\":\"0\","
		"\"start_ns\":-5,\"end_ns\":1.5,\"events\":true,\"flags\":{},\"resources\":3,"
		"\"devices\":\"sda\"}",
		BTVIZ_OK },
	{ "an exit status that is none",
		"{\"schema\":\"btviz.metadata/1\",\"exit_status\":4294967296}", BTVIZ_OK },
	{ "broken UTF-8", "{\"schema\":\"btviz.metadata/1\",\"kernel\":\"\xff\"}",
		BTVIZ_ERR_NOT_A_TRACE },
};

static void test_hostile(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
		struct btviz_metadata *m = NULL;

		assert_int_equal(parse(hostile[i].text, &m), hostile[i].status);
		if (!m)
			continue;
		assert_string_equal(btviz_metadata_run(m)->command, "");
		assert_string_equal(btviz_metadata_run(m)->kernel, "");
		assert_int_equal(btviz_metadata_run(m)->start_ns, 0);
		assert_false(btviz_metadata_run(m)->has_exit_status);
		assert_int_equal(btviz_metadata_device_count(m), 0);
		btviz_metadata_close(m);
	}
}

static void test_hostile_devices(void **state)
{
	static const char text[] =
		"{\"schema\":\"btviz.metadata/1\",\"command\":[\"a\\u001b[31m\",null,\"c\"],\"devices\":["
		"{\"name\":\"no number\"},{\"dev\":\"8:0\"},7,null,{\"name\":\"x\",\"dev\":\"8:-1\"},"
		"{\"name\":\"x\",\"dev\":\"99999999999:0\"},{\"name\":\"x\",\"dev\":\"8\"},"
		"{\"name\":\"sd\\u202ea\\n\",\"dev\":\"8,0\",\"members\":[\"8:1\",9,\"x\",{}],"
		"\"size_bytes\":1e300,\"chunk_bytes\":-1}]}";
	const struct btviz_metadata_device *d;
	struct btviz_metadata *m;

	(void)state;
	assert_int_equal(parse(text, &m), BTVIZ_OK);
	assert_string_equal(btviz_metadata_run(m)->command, "'a?[31m'");
	assert_int_equal(btviz_metadata_device_count(m), 1);
	d = btviz_metadata_device(m, 0);
	assert_string_equal(d->name, "sd?a?");
	assert_int_equal(d->device, BTVIZ_DEVICE(8, 0));
	assert_int_equal(d->member_count, 1);
	assert_int_equal(d->size_bytes, 0);
	assert_int_equal(d->chunk_bytes, 0);
	btviz_metadata_close(m);
}

/* The command as one would type it. */
static const struct {
	const char *json, *command;
} commands[] = {
	{ "[]", "" },
	{ "null", "" },
	{ "[\"dd\",\"if=/dev/zero\",\"of=/dev/md0\"]", "dd if=/dev/zero of=/dev/md0" },
	{ "[\"a b\",\"\",\"$x\"]", "'a b' '' '$x'" },
	{ "[\"sh\",\"-c\",\"dd if=a | cat; it's\"]", "dd if=a | cat; it's" },
	{ "[\"sh\",\"-c\",\"a b\",\"name\"]", "sh -c 'a b' name" },
};

static void test_commands(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		struct btviz_metadata *m;
		char text[256];

		snprintf(text, sizeof text, "{\"schema\":\"btviz.metadata/1\",\"command\":%s}",
			commands[i].json);
		assert_int_equal(parse(text, &m), BTVIZ_OK);
		assert_string_equal(btviz_metadata_run(m)->command, commands[i].command);
		btviz_metadata_close(m);
	}
}

/* A thousand and one devices, and a depth no reader should follow. */
static void test_limits(void **state)
{
	char *text = malloc(1 << 20), *p = text;
	struct btviz_metadata *m;

	(void)state;
	assert_non_null(text);
	p += sprintf(p, "{\"schema\":\"btviz.metadata/1\",\"devices\":[{}");
	for (int i = 0; i < 1024; i++)
		p += sprintf(p, ",{}");
	sprintf(p, "]}");
	assert_int_equal(parse(text, &m), BTVIZ_ERR_LIMIT);
	memset(text, '[', 500000);
	text[500000] = '\0';
	assert_int_equal(parse(text, &m), BTVIZ_ERR_NOT_A_TRACE);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_hostile_devices),
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
