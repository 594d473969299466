/* model/thread_names.h - which name a thread had at a time.
 *
 * The kernel writes a note when it first sees a thread, into the streams of all traced devices; a
 * thread may be renamed (exec) and a number used again. So names are kept with their times. */
#ifndef BTVI_MODEL_THREAD_NAMES_H
#define BTVI_MODEL_THREAD_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include <btviz/status.h>

#define BTVI_COMM_BYTES 48 /* 16 bytes of the kernel's, each of which may become three of UTF-8 */

struct btvi_name {
	uint64_t since_ns;
	uint32_t pid;
	char comm[BTVI_COMM_BYTES];
};

struct btvi_names {
	struct btvi_name *items; /* sorted by pid, then by time */
	size_t count, capacity;
};

void btvi_names_done(struct btvi_names *n);

/* Adds a note's name (raw, as in the payload). Names beyond a limit are left out. */
enum btviz_status btvi_names_add(
	struct btvi_names *n, uint32_t pid, uint64_t time_ns, const char *raw, size_t size);

enum btviz_status btvi_names_merge(struct btvi_names *n, const struct btvi_names *part);

/* The name at a time: that of the last note before it, else of the first after it; "" if there is
 * none. Borrowed: valid until n is changed. */
const char *btvi_names_get(const struct btvi_names *n, uint32_t pid, uint64_t time_ns);

#endif
