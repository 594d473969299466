/* record/devices.h - what sysfs says of the devices to trace, and of what lies under them. Opens
 * nothing but sysfs (and stat()s device nodes); changes nothing. */
#ifndef BTVI_RECORD_DEVICES_H
#define BTVI_RECORD_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/status.h>

struct btvi_block_device {
	char name[64];   /* "md0", "cciss/c0d0" */
	char file[64];   /* the name in file names: '_' for '/' */
	char label[128]; /* a dm device's own name, or "" */
	char level[24];  /* of an md array, or "" */
	char *sysfs;     /* its directory */
	uint32_t number;
	uint32_t disk; /* the whole disk of a partition, else 0 */
	uint64_t size_bytes, start_sector, chunk_bytes;
	uint32_t *members; /* devices below: of an array, a dm device */
	size_t member_count;
	bool traced; /* false: only told of */
};

struct btvi_devices {
	struct btvi_block_device *list;
	size_t count;
};

/* Adds a device ("/dev/md0", "md0", "9:0") that is to be traced, and with members what lies under
 * it: slaves, recursively. A device that is there already is not added again. sys is "/sys" or a
 * test's tree. BTVIZ_ERR_NOT_FOUND, BTVIZ_ERR_USAGE (not a block device), BTVIZ_ERR_LIMIT,
 * BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_devices_add(struct btvi_devices *d, const char *sys, const char *what,
	bool members, struct btviz_error *err);

/* A disk's queue has one trace, shared with its partitions: of a disk of which it and a partition,
 * or two partitions, are to be traced, only the disk is. To be called when all are added.
 * *ret_changed says how many partitions are told of only. */
enum btviz_status btvi_devices_settle(
	struct btvi_devices *d, const char *sys, size_t *ret_changed, struct btviz_error *err);

/* The device of that number, or NULL. */
struct btvi_block_device *btvi_devices_find(const struct btvi_devices *d, uint32_t number);

/* Whether the device lies on one that is traced (is it, a partition of it, or stands on it). */
bool btvi_devices_touch(const struct btvi_devices *d, const char *sys, uint32_t number);

void btvi_devices_done(struct btvi_devices *d);

#endif
