/* trace/source.h - what a name stands for: lanes of streams, found once, opened as often as needed.
 *
 * A lane is one base, normally one device with its per-CPU streams; a dump or a pipe is a lane of
 * one stream that may hold many devices. Lanes are independent: each can be opened as a trace of
 * its own (btvi_trace_open_lane()), on a thread of its own.
 *
 * How the kind of a stream is recognised, in this order: a per-CPU name (NAME.blktrace.N) is plain
 * records; the first bytes of any other file tell a compressed file or an archive
 * or a stream that must be transcoded (btvi_sniff()), else plain
 * records are supposed and the decoder judges. */
#ifndef BTVI_TRACE_SOURCE_H
#define BTVI_TRACE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <btviz/status.h>

enum btvi_input_kind {
	BTVI_INPUT_FILE,     /* a regular file, or a range of the spool */
	BTVI_INPUT_PIPE,     /* can be read once, from front to back */
	BTVI_INPUT_PACKED,   /* compressed: goes through libarchive */
	BTVI_INPUT_CALLBACK, /* the caller's function */
};

/* Where one stream's bytes come from. */
struct btvi_input {
	enum btvi_input_kind kind;
	char *path;      /* to be opened; for messages too */
	bool spooled;    /* path is for messages only: the bytes are in the spool */
	uint64_t offset; /* in the spool */
	uint64_t size;   /* as far as known beforehand; a file may grow or shrink */
	bool cut;        /* what was unpacked breaks off at its end */
	bool ordered;    /* a per-CPU file: its records are in order, most likely */
	unsigned cpu;    /* of a per-CPU file, by its name */
	dev_t file_device;
	ino_t file_inode;
	int fd; /* PIPE: to read from, not closed (standard input) or taken over */
	ptrdiff_t (*read)(void *data, void *buffer, size_t size);
	void *read_data;
};

struct btvi_lane {
	char *base;
	char *device; /* name of the device, where the lane turns out to hold one */
	struct btvi_input *inputs;
	size_t input_count;
};

struct btvi_sources {
	struct btvi_lane *lanes;
	size_t lane_count, lane_capacity;
	size_t input_count; /* of all lanes */
	int spool_fd;       /* of an unlinked file, -1: none */
	uint64_t spool_size;
	uint32_t packing; /* BTVIZ_PACKING_... of what was unpacked into the spool */
};

/* Finds what name stands for, looked for in dir where it is relative (NULL: the current directory).
 * BTVIZ_OK: *ret_sources is the caller's. BTVIZ_ERR_NOT_FOUND (says what was tried), BTVIZ_ERR_IO,
 * BTVIZ_ERR_LIMIT, BTVIZ_ERR_USAGE, BTVIZ_ERR_UNSUPPORTED, BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_sources_find(const char *name, const char *dir,
	struct btvi_sources **ret_sources, struct btviz_error *err);

/* Sources of one stream, whose bytes the caller brings. */
enum btviz_status btvi_sources_callback(const char *name,
	ptrdiff_t (*read)(void *data, void *buffer, size_t size), void *data,
	struct btvi_sources **ret_sources, struct btviz_error *err);

void btvi_sources_free(struct btvi_sources *s);

/* Bytes of a lane, as far as known: for sharing lanes out among threads. */
uint64_t btvi_sources_lane_bytes(const struct btvi_sources *s, size_t lane);

/* Sources of nothing yet, NULL when out of memory. */
struct btvi_sources *btvi_sources_new(void);

/* For those who find: a lane of that base (path for messages), made where there is none yet;
 * and one more input in it. NULL, false: out of memory. The strings are copied. */
struct btvi_lane *btvi_sources_lane(
	struct btvi_sources *s, const char *base, size_t base_size, const char *run);
bool btvi_sources_add(
	struct btvi_sources *s, struct btvi_lane *lane, const struct btvi_input *input);

#endif
