/* test_devices.c - which devices a run traces, from a small sysfs of the test's own: a raid0 of a
 * disk and a partition, a dm device on it, and a second partition of the same disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <btviz/event.h>

#include "record/devices.h"
#include "scratch.h"

static const char *sys;

static void add_block(const char *dir, const char *dev, const char *size)
{
	char name[PATH_MAX];

	snprintf(name, sizeof name, "%s/dev", dir);
	scratch_file(name, dev);
	snprintf(name, sizeof name, "%s/size", dir);
	scratch_file(name, size);
	snprintf(name, sizeof name, "dev/block/%.*s", (int)strcspn(dev, "\n"), dev);
	scratch_link(name, dir);
	snprintf(name, sizeof name, "class/block/%s", strrchr(dir, '/') + 1);
	scratch_link(name, dir);
}

static int setup(void **state)
{
	(void)state;
	scratch_new();
	sys = scratch_dir;
	add_block("devices/virtual/block/md0", "9:0\n", "4096\n");
	scratch_file("devices/virtual/block/md0/md/level", "raid0\n");
	scratch_file("devices/virtual/block/md0/md/chunk_size", "65536\n");
	add_block("devices/pci/block/sdb", "8:16\n", "2048\n");
	add_block("devices/pci/block/sdc", "8:32\n", "9000\n");
	add_block("devices/pci/block/sdc/sdc1", "8:33\n", "2048\n");
	scratch_file("devices/pci/block/sdc/sdc1/partition", "1\n");
	scratch_file("devices/pci/block/sdc/sdc1/start", "2048\n");
	add_block("devices/pci/block/sdc/sdc2", "8:34\n", "2048\n");
	scratch_file("devices/pci/block/sdc/sdc2/partition", "2\n");
	scratch_file("devices/pci/block/sdc/sdc2/start", "4096\n");
	scratch_link("devices/virtual/block/md0/slaves/sdc1", "devices/pci/block/sdc/sdc1");
	scratch_link("devices/virtual/block/md0/slaves/sdb", "devices/pci/block/sdb");
	add_block("devices/virtual/block/dm-0", "253:0\n", "4000\n");
	scratch_file("devices/virtual/block/dm-0/dm/name", "vg-home\n");
	scratch_link("devices/virtual/block/dm-0/slaves/md0", "devices/virtual/block/md0");
	add_block("devices/pci/block/cciss!c0d0", "104:0\n", "100\n");
	/* md1 stands on itself: no kernel says so, no reader may loop. */
	add_block("devices/virtual/block/md1", "9:1\n", "1\n");
	scratch_link("devices/virtual/block/md1/slaves/md1", "devices/virtual/block/md1");
	return 0;
}

static const struct {
	const char *what;
	bool members;
	enum btviz_status status;
	const char *names; /* in the order found, each with a space behind */
} cases[] = {
	{ "sdb", true, BTVIZ_OK, "sdb " },
	{ "8:16", true, BTVIZ_OK, "sdb " },
	{ "md0", true, BTVIZ_OK, "md0 sdb sdc1 " },
	{ "md0", false, BTVIZ_OK, "md0 " },
	{ "dm-0", true, BTVIZ_OK, "dm-0 md0 sdb sdc1 " },
	{ "cciss/c0d0", true, BTVIZ_OK, "cciss/c0d0 " },
	{ "cciss!c0d0", true, BTVIZ_OK, "cciss/c0d0 " },
	{ "md1", true, BTVIZ_OK, "md1 " },
	{ "sdz", true, BTVIZ_ERR_NOT_FOUND, "" },
	{ "8:99", true, BTVIZ_ERR_NOT_FOUND, "" },
	{ "/dev/null", true, BTVIZ_ERR_USAGE, "" },
	{ "/nowhere/sda", true, BTVIZ_ERR_NOT_FOUND, "" },
	{ "", true, BTVIZ_ERR_USAGE, "" },
};

static void test_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct btvi_devices d = { NULL, 0 };
		struct btviz_error err;
		char names[256] = "";

		assert_int_equal(btvi_devices_add(&d, sys, cases[i].what, cases[i].members, &err),
			cases[i].status);
		for (size_t j = 0; j < d.count; j++) {
			strcat(names, d.list[j].name);
			strcat(names, " ");
		}
		assert_string_equal(names, cases[i].names);
		btvi_devices_done(&d);
	}
}

static void test_described(void **state)
{
	struct btvi_devices d = { NULL, 0 };
	const struct btvi_block_device *device;

	(void)state;
	assert_int_equal(btvi_devices_add(&d, sys, "dm-0", true, NULL), BTVIZ_OK);
	assert_int_equal(btvi_devices_add(&d, sys, "cciss/c0d0", true, NULL), BTVIZ_OK);
	assert_int_equal(btvi_devices_add(&d, sys, "md0", true, NULL), BTVIZ_OK);
	assert_int_equal(d.count, 5);
	assert_string_equal(d.list[0].label, "vg-home");
	device = btvi_devices_find(&d, BTVIZ_DEVICE(9, 0));
	assert_non_null(device);
	assert_string_equal(device->level, "raid0");
	assert_int_equal(device->chunk_bytes, 65536);
	assert_int_equal(device->size_bytes, 4096 * 512);
	assert_int_equal(device->member_count, 2);
	assert_int_equal(device->members[0], BTVIZ_DEVICE(8, 16));
	assert_int_equal(device->members[1], BTVIZ_DEVICE(8, 33));
	device = btvi_devices_find(&d, BTVIZ_DEVICE(8, 33));
	assert_int_equal(device->disk, BTVIZ_DEVICE(8, 32));
	assert_int_equal(device->start_sector, 2048);
	device = btvi_devices_find(&d, BTVIZ_DEVICE(104, 0));
	assert_string_equal(device->file, "cciss_c0d0");
	btvi_devices_done(&d);
}

/* A partition alone is traced itself; with its disk, or with a second one, only the disk is. */
static void test_settled(void **state)
{
	static const struct {
		const char *what[3];
		size_t changed;
		const char *traced;
	} runs[] = {
		{ { "sdc1" }, 0, "sdc1 " },
		{ { "sdc1", "sdc2" }, 2, "sdc " },
		{ { "sdc", "sdc1" }, 1, "sdc " },
		{ { "md0", "sdc2" }, 2, "md0 sdb sdc " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		struct btvi_devices d = { NULL, 0 };
		char traced[256] = "";
		size_t changed;

		for (size_t j = 0; j < 3 && runs[i].what[j]; j++)
			assert_int_equal(
				btvi_devices_add(&d, sys, runs[i].what[j], true, NULL), BTVIZ_OK);
		assert_int_equal(btvi_devices_settle(&d, sys, &changed, NULL), BTVIZ_OK);
		assert_int_equal(changed, runs[i].changed);
		for (size_t j = 0; j < d.count; j++) {
			if (!d.list[j].traced)
				continue;
			strcat(traced, d.list[j].name);
			strcat(traced, " ");
		}
		assert_string_equal(traced, runs[i].traced);
		btvi_devices_done(&d);
	}
}

static void test_touch(void **state)
{
	struct btvi_devices d = { NULL, 0 };

	(void)state;
	assert_int_equal(btvi_devices_add(&d, sys, "sdb", true, NULL), BTVIZ_OK);
	assert_true(btvi_devices_touch(&d, sys, BTVIZ_DEVICE(8, 16)));
	assert_true(btvi_devices_touch(&d, sys, BTVIZ_DEVICE(253, 0))); /* stands on it */
	assert_false(btvi_devices_touch(&d, sys, BTVIZ_DEVICE(8, 33)));
	assert_false(btvi_devices_touch(&d, sys, BTVIZ_DEVICE(0, 20)));
	assert_int_equal(btvi_devices_add(&d, sys, "sdc", true, NULL), BTVIZ_OK);
	assert_true(btvi_devices_touch(&d, sys, BTVIZ_DEVICE(8, 33))); /* a partition of it */
	btvi_devices_done(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_described),
		cmocka_unit_test(test_settled),
		cmocka_unit_test(test_touch),
	};

	return cmocka_run_group_tests(tests, setup, scratch_tear_down);
}
