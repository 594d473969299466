/* devices.c - the block devices of a run as sysfs shows them: numbers, sizes, array level, members.
 * Reads only; the tree's root is given, so that a test can bring its own. */
#include "record/devices.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <btviz/event.h>

#include "base/limits.h"
#include "base/status.h"
#include "base/text.h"
#include "base/control.h"

enum { STACK_MAX = 16 /* arrays on arrays */ };

/* "9:0" to a number; false where the text is anything else. */
static bool parse_number(const char *text, uint32_t *ret_number)
{
	unsigned major, minor;
	int used = 0;

	if (!isdigit((unsigned char)text[0]) ||
		sscanf(text, "%9u:%9u%n", &major, &minor, &used) != 2 || text[used] != '\0' ||
		major > 0xfff || minor > 0xfffff)
		return false;
	*ret_number = BTVIZ_DEVICE(major, minor);
	return true;
}

static bool read_number(const char *dir, uint32_t *ret_number)
{
	char line[32];

	return btvi_control_line(dir, "dev", line, sizeof line) && parse_number(line, ret_number);
}

/* The number of what a user wrote. */
static enum btviz_status resolve(
	const char *sys, const char *what, uint32_t *ret_number, struct btviz_error *err)
{
	char path[PATH_MAX];
	struct stat st;

	if (what[0] == '\0' || strlen(what) > PATH_MAX / 2)
		return btvi_fail(err, BTVIZ_ERR_USAGE, "no device name: \"%.100s\"", what);
	if (parse_number(what, ret_number))
		return BTVIZ_OK;
	if (what[0] != '/' && what[0] != '.') {
		const int n = snprintf(path, sizeof path, "%s/class/block/", sys);

		snprintf(path + n, sizeof path - (size_t)n, "%s", what);
		for (char *c = path + n; *c; c++)
			*c = *c == '/' ? '!' : *c;
		if (read_number(path, ret_number))
			return BTVIZ_OK;
		snprintf(path, sizeof path, "/dev/%s", what);
	} else {
		snprintf(path, sizeof path, "%s", what);
	}
	if (stat(path, &st) != 0)
		return btvi_fail(err, BTVIZ_ERR_NOT_FOUND,
			"no device %s: there is no %s (lsblk shows the devices of this machine)",
			what, path);
	if (!S_ISBLK(st.st_mode))
		return btvi_fail(err, BTVIZ_ERR_USAGE, "%s is not a block device", path);
	*ret_number = BTVIZ_DEVICE(major(st.st_rdev), minor(st.st_rdev));
	return BTVIZ_OK;
}

/* Fills in what the device's own directory says. */
static enum btviz_status describe(
	struct btvi_block_device *d, const char *sys, uint32_t number, struct btviz_error *err)
{
	char path[PATH_MAX], line[128];
	const char *base;
	char *slash;

	*d = (struct btvi_block_device){ .number = number };
	snprintf(path, sizeof path, "%s/dev/block/%u:%u", sys, BTVIZ_MAJOR(number),
		BTVIZ_MINOR(number));
	d->sysfs = realpath(path, NULL);
	if (!d->sysfs)
		return btvi_fail(err, BTVIZ_ERR_NOT_FOUND, "no device %u:%u: there is no %s",
			BTVIZ_MAJOR(number), BTVIZ_MINOR(number), path);
	base = strrchr(d->sysfs, '/') + 1;
	btvi_text_printable(base, strlen(base), d->file, sizeof d->file);
	memcpy(d->name, d->file, sizeof d->name);
	for (size_t i = 0; d->file[i]; i++) {
		if (d->file[i] == '!') {
			d->name[i] = '/';
			d->file[i] = '_';
		}
	}
	d->size_bytes = btvi_control_number(d->sysfs, "size") * BTVIZ_SECTOR_BYTES;
	if (btvi_control_line(d->sysfs, "dm/name", line, sizeof line))
		btvi_text_printable(line, strlen(line), d->label, sizeof d->label);
	if (btvi_control_line(d->sysfs, "md/level", line, sizeof line))
		btvi_text_printable(line, strlen(line), d->level, sizeof d->level);
	d->chunk_bytes = btvi_control_number(d->sysfs, "md/chunk_size");
	if (!btvi_control_line(d->sysfs, "partition", line, sizeof line))
		return BTVIZ_OK;
	d->start_sector = btvi_control_number(d->sysfs, "start");
	snprintf(path, sizeof path, "%s", d->sysfs);
	slash = strrchr(path, '/');
	*slash = '\0';
	if (!read_number(path, &d->disk))
		return btvi_fail(err, BTVIZ_ERR_IO, "%s: cannot read the number of the disk", path);
	return BTVIZ_OK;
}

static void device_done(struct btvi_block_device *d)
{
	free(d->sysfs);
	free(d->members);
}

struct btvi_block_device *btvi_devices_find(const struct btvi_devices *d, uint32_t number)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->list[i].number == number)
			return &d->list[i];
	return NULL;
}

static enum btviz_status append(
	struct btvi_devices *d, const char *sys, uint32_t number, struct btviz_error *err)
{
	struct btvi_block_device *list;
	enum btviz_status status;

	if (d->count == BTVI_DEVICE_MAX)
		return btvi_fail(err, BTVIZ_ERR_LIMIT, "more than %d devices", BTVI_DEVICE_MAX);
	list = realloc(d->list, (d->count + 1) * sizeof *list);
	if (!list)
		return btvi_fail_nomem(err);
	d->list = list;
	status = describe(&list[d->count], sys, number, err);
	if (status != BTVIZ_OK) {
		device_done(&list[d->count]);
		return status;
	}
	list[d->count].traced = true;
	d->count++;
	return BTVIZ_OK;
}

static enum btviz_status add_number(struct btvi_devices *d, const char *sys, uint32_t number,
	bool members, int depth, struct btviz_error *err);

/* Adds what the directory `sysfs`/slaves holds, and notes it as members of the device `of`. */
static enum btviz_status add_slaves(struct btvi_devices *d, const char *sys, const char *sysfs,
	uint32_t of, int depth, struct btviz_error *err)
{
	uint32_t found[BTVI_MEMBER_MAX];
	char path[PATH_MAX];
	struct btvi_block_device *device;
	size_t n = 0;
	DIR *dir;

	if (snprintf(path, sizeof path, "%s/slaves", sysfs) >= (int)sizeof path)
		return BTVIZ_OK;
	dir = opendir(path);
	if (!dir)
		return BTVIZ_OK;
	for (const struct dirent *e; n < BTVI_MEMBER_MAX && (e = readdir(dir));) {
		char slave[PATH_MAX];

		if (e->d_name[0] != '.' &&
			snprintf(slave, sizeof slave, "%s/%s", path, e->d_name) < (int)sizeof slave)
			n += read_number(slave, &found[n]);
	}
	closedir(dir);
	/* In the order of their numbers, whatever order the directory has. */
	for (size_t i = 1; i < n; i++) {
		for (size_t j = i; j > 0 && found[j - 1] > found[j]; j--) {
			const uint32_t swap = found[j];

			found[j] = found[j - 1];
			found[j - 1] = swap;
		}
	}
	if (n == 0)
		return BTVIZ_OK;
	device = btvi_devices_find(d, of);
	device->members = malloc(n * sizeof *device->members);
	if (!device->members)
		return btvi_fail_nomem(err);
	memcpy(device->members, found, n * sizeof *found);
	device->member_count = n;
	for (size_t i = 0; i < n; i++) {
		const enum btviz_status status = add_number(d, sys, found[i], true, depth + 1, err);

		if (status != BTVIZ_OK)
			return status;
	}
	return BTVIZ_OK;
}

static enum btviz_status add_number(struct btvi_devices *d, const char *sys, uint32_t number,
	bool members, int depth, struct btviz_error *err)
{
	char sysfs[PATH_MAX];
	enum btviz_status status;

	if (btvi_devices_find(d, number))
		return BTVIZ_OK;
	if (depth > STACK_MAX)
		return btvi_fail(
			err, BTVIZ_ERR_LIMIT, "devices on devices more than %d deep", STACK_MAX);
	status = append(d, sys, number, err);
	if (status != BTVIZ_OK || !members)
		return status;
	/* A partition's directory has no slaves, the disk's has: md0p1 stands on what md0 stands
	 * on. */
	snprintf(sysfs, sizeof sysfs, "%s", d->list[d->count - 1].sysfs);
	if (d->list[d->count - 1].disk != 0)
		*strrchr(sysfs, '/') = '\0';
	return add_slaves(d, sys, sysfs, number, depth, err);
}

enum btviz_status btvi_devices_add(struct btvi_devices *d, const char *sys, const char *what,
	bool members, struct btviz_error *err)
{
	uint32_t number;
	const enum btviz_status status = resolve(sys, what, &number, err);

	return status == BTVIZ_OK ? add_number(d, sys, number, members, 0, err) : status;
}

enum btviz_status btvi_devices_settle(
	struct btvi_devices *d, const char *sys, size_t *ret_changed, struct btviz_error *err)
{
	size_t changed = 0;

	for (size_t i = 0; i < d->count; i++) {
		const uint32_t disk = d->list[i].disk;
		size_t users = 0;

		if (disk == 0)
			continue;
		for (size_t j = 0; j < d->count; j++)
			users += d->list[j].disk == disk || d->list[j].number == disk;
		if (users < 2)
			continue;
		if (!btvi_devices_find(d, disk)) {
			const enum btviz_status status = append(d, sys, disk, err);

			if (status != BTVIZ_OK)
				return status;
		}
		d->list[i].traced = false;
		changed++;
	}
	*ret_changed = changed;
	return BTVIZ_OK;
}

bool btvi_devices_touch(const struct btvi_devices *d, const char *sys, uint32_t number)
{
	struct btvi_devices under = { NULL, 0 };
	bool touch = false;

	if (add_number(&under, sys, number, true, 0, NULL) == BTVIZ_OK) {
		for (size_t i = 0; i < under.count && !touch; i++) {
			const struct btvi_block_device *self =
				btvi_devices_find(d, under.list[i].number);
			const struct btvi_block_device *disk =
				btvi_devices_find(d, under.list[i].disk);

			touch = (self && self->traced) || (disk && disk->traced);
		}
	}
	btvi_devices_done(&under);
	return touch;
}

void btvi_devices_done(struct btvi_devices *d)
{
	for (size_t i = 0; i < d->count; i++)
		device_done(&d->list[i]);
	free(d->list);
	*d = (struct btvi_devices){ NULL, 0 };
}
