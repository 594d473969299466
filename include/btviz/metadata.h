/* metadata.h - what the recorder knew about a run: NAME.btviz.json.
 *
 * A trace knows its devices by number only, and neither the array's level nor the command that ran.
 * The recorder writes what it knew beside the streams: device names, sizes, members, levels, the
 * command and its exit status, the kernel, losses. Everything here is optional for a reader: traces
 * of other recorders have no such file.
 *
 * The file is foreign input: its text is made printable, its numbers are checked, its size is
 * bounded. */
#ifndef BTVIZ_METADATA_H
#define BTVIZ_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct btviz_metadata;

/* One device of the run. Handed out as a const pointer; fields may be appended. Strings are never
 * NULL. */
struct btviz_metadata_device {
	uint32_t device;       /* as in struct btviz_event: BTVIZ_MAJOR(), BTVIZ_MINOR() */
	const char *name;      /* "md0", "sdb1", "cciss/c0d0" */
	const char *label;     /* another name to show ("vg-home" of dm-0), or "" */
	const char *level;     /* "raid0", "raid5", "linear" ... of an array, or "" */
	uint64_t size_bytes;   /* 0: not known */
	uint64_t start_sector; /* of a partition on its disk, else 0 */
	uint64_t chunk_bytes;  /* of an array, 0: not known or none */
	uint32_t disk;         /* the whole disk of a partition, else 0 */
	bool traced; /* false: described only, its events are in its disk's or its partition's */
	const uint32_t *members; /* the devices below it (numbers, as device) */
	size_t member_count;
};

enum {
	BTVIZ_META_FUA_MISSING = 1
		<< 0, /* a version 7 recording by blktrace on a kernel that leaves out FUA writes */
	BTVIZ_META_UNFINISHED =
		1 << 1, /* the recorder did not come to its end: no exit status, no losses */
};

/* The run. Handed out as a const pointer; fields may be appended. Strings are never NULL. */
struct btviz_metadata_run {
	const char *command;    /* as typed in a shell, or "" where no program was started */
	const char *kernel;     /* "6.18.44", or "" */
	const char *host;       /* or "" */
	const char *backend;    /* "tracefs", "blktrace", or "" */
	const char *wall_start; /* ISO 8601, UTC, or "" */
	uint32_t flags;         /* BTVIZ_META_... */
	bool has_exit_status;
	int exit_status;   /* of the program; 128 + signal when one killed it */
	uint64_t start_ns; /* of the program (of the recording, where there is none), on the trace's
			      clock; 0: not known */
	uint64_t end_ns;
	uint64_t
		lost_events; /* as the recorder counted; they may be beyond what the streams show */
	uint64_t events;     /* as the recorder counted, 0: not known */
	double user_s, system_s; /* CPU time of the program, 0 where not known */
};

/* Finds and reads the metadata of the run that NAME stands for, as given to btviz_trace_open():
 * NAME.btviz.json; for one stream or one device's base of a run (NAME.sdb, NAME.sdb.blktrace.3) the
 * run's; for a directory the only one in it; of "A,B,C" the first. dir is where relative names are
 * looked for, NULL: the current directory. BTVIZ_OK: *ret_m is the caller's, close it with
 * btviz_metadata_close(). BTVIZ_ERR_NOT_FOUND (there is none: most traces have none), BTVIZ_ERR_IO,
 * BTVIZ_ERR_NOT_A_TRACE (not such a file), BTVIZ_ERR_VERSION, BTVIZ_ERR_LIMIT, BTVIZ_ERR_NOMEM.
 * Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_metadata_open(
	const char *name, const char *dir, struct btviz_metadata **ret_m, struct btviz_error *err);

/* The same of text in memory, which is not needed afterwards. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_metadata_parse(
	const char *text, size_t size, struct btviz_metadata **ret_m, struct btviz_error *err);

/* Frees it. NULL is nothing. Since 0.1. */
BTVIZ_EXPORT void btviz_metadata_close(struct btviz_metadata *m);

/* Borrowed: valid until m is closed. Since 0.1. */
BTVIZ_EXPORT const struct btviz_metadata_run *btviz_metadata_run(const struct btviz_metadata *m);
BTVIZ_EXPORT size_t btviz_metadata_device_count(const struct btviz_metadata *m);

/* The i-th device, or NULL behind the last; the device of that number, or NULL. Borrowed: valid
 * until m is closed. Since 0.1. */
BTVIZ_EXPORT const struct btviz_metadata_device *btviz_metadata_device(
	const struct btviz_metadata *m, size_t i);
BTVIZ_EXPORT const struct btviz_metadata_device *btviz_metadata_find(
	const struct btviz_metadata *m, uint32_t device);

#ifdef __cplusplus
}
#endif
#endif
