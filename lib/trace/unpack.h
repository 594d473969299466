/* trace/unpack.h - packed bytes in, unpacked bytes out: one compressed stream, or the members of an
 * archive. Opens no file. */
#ifndef BTVI_TRACE_UNPACK_H
#define BTVI_TRACE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/status.h>

struct btvi_unpacker;

/* read() as in btviz_trace_open_callback(); name is for messages, and borrowed.
 * single: it is known to be one compressed stream, whatever it looks like (zeroes look like an
 * empty tar). */
enum btviz_status btvi_unpacker_open(ptrdiff_t (*read)(void *data, void *buffer, size_t size),
	void *data, const char *name, bool single, struct btvi_unpacker **ret_u,
	struct btviz_error *err);
void btvi_unpacker_close(struct btvi_unpacker *u);

/* BTVIZ_PACKING_... met so far; all of them once the end has been reached. */
uint32_t btvi_unpacker_faults(const struct btvi_unpacker *u);

/* Up to size bytes; *ret_got is 0 at the end. Packed data that breaks off ends it, too: *ret_cut.
 */
enum btviz_status btvi_unpacker_read(struct btvi_unpacker *u, void *buffer, size_t size,
	size_t *ret_got, bool *ret_cut, struct btviz_error *err);

/* ---- member by member ------------------------------------------------------------------------ */

struct btvi_unpacker_member {
	const char *name; /* the unpacker's, until the next member */
	bool is_file;     /* a regular file, no directory or link */
	bool is_all;      /* no archive at all, but one compressed stream */
};

/* Goes to the next member. *ret_any is false at the end. */
enum btviz_status btvi_unpacker_member(struct btvi_unpacker *u,
	struct btvi_unpacker_member *ret_member, bool *ret_any, struct btviz_error *err);

/* As btvi_unpacker_read(), but to the end of this member. */
enum btviz_status btvi_unpacker_read_member(struct btvi_unpacker *u, void *buffer, size_t size,
	size_t *ret_got, bool *ret_cut, struct btviz_error *err);

/* How many members there were so far. */
unsigned btvi_unpacker_members(const struct btvi_unpacker *u);

#endif
