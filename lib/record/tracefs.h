/* record/tracefs.h - the kernel's blk tracer as a source of events, by way of tracefs. Sets the
 * tracer up, reads its pages, puts it back; does not know what becomes of the pages. */
#ifndef BTVI_RECORD_TRACEFS_H
#define BTVI_RECORD_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/status.h>

#include "record/devices.h"
#include "record/undo.h"

struct btvi_tracefs_cpu {
	unsigned cpu;
	int fd;           /* -1: the CPU has no buffer */
	uint64_t overrun; /* events overwritten, as last asked */
	uint64_t told;    /* of these, told to the reader of the pages */
};

struct btvi_tracefs {
	char dir[256]; /* where it is mounted */
	struct btvi_tracefs_cpu *cpus;
	size_t cpu_count;
	size_t page_size;
	uint16_t blk_type; /* of the tracer's entries, 0: to be found out from them */
	uint64_t buffer_kb;
	unsigned char *page;
};

/* Finds tracefs and looks whether it can be used, for these devices, now. Changes nothing.
 * BTVIZ_ERR_UNSUPPORTED: no permission, not mounted, locked down, not compiled in.
 * BTVIZ_ERR_BUSY: another tracer, other users, a device that is traced. BTVIZ_ERR_NOMEM,
 * BTVIZ_ERR_IO. */
enum btviz_status btvi_tracefs_open(
	struct btvi_tracefs *t, const struct btvi_devices *devices, struct btviz_error *err);

/* Fills u with the steps that put everything back, none of them armed. */
enum btviz_status btvi_tracefs_plan(const struct btvi_tracefs *t,
	const struct btvi_devices *devices, struct btvi_undo *u, struct btviz_error *err);

/* Switches tracing on: arms in u what it changes. buffer_kb of each CPU, 0: a default. On failure
 * the caller runs u. */
enum btviz_status btvi_tracefs_start(struct btvi_tracefs *t, const struct btvi_devices *devices,
	uint64_t buffer_kb, struct btvi_undo *u, struct btviz_error *err);

/* Reads at most `most` pages of the i-th CPU and gives each to take(); *ret_pages says how many
 * there were (fewer than most: that was all for now). */
enum btviz_status btvi_tracefs_read(struct btvi_tracefs *t, size_t i, size_t most,
	enum btviz_status (*take)(void *data, size_t i, const unsigned char *page, size_t size,
		struct btviz_error *err),
	void *data, size_t *ret_pages, struct btviz_error *err);

/* Asks the kernel how many events of the i-th CPU were overwritten so far. */
void btvi_tracefs_stats(struct btvi_tracefs *t, size_t i);

/* Closes the pipes. Before that, u must have disabled the devices; after it, u may do the rest. */
void btvi_tracefs_close_pipes(struct btvi_tracefs *t);
void btvi_tracefs_done(struct btvi_tracefs *t);

/* Text on who may be using block tracing: processes with a trace pipe open, running blktrace,
 * trace-cmd or perf. "look for …" where none is seen. */
void btvi_tracefs_users(char *text, size_t size);

#endif
