/* trace/ring.h - pages of the kernel's trace ring buffer (per_cpu/cpuN/trace_pipe_raw) to the
 * blktrace records in them. Takes bytes, gives bytes; does no input or output.
 *
 * The blk tracer stores each event as a struct trace_entry laid over the magic and the sequence of
 * an ordinary record (version 7 up to kernel 6.18, version 8 from 6.19), its time not set; the time
 * stands in the ring buffer's own deltas. So an entry becomes a record by writing magic, sequence
 * and time. */
#ifndef BTVI_TRACE_RING_H
#define BTVI_TRACE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BTVI_RING_PAGE_MIN = 4096,
	BTVI_RING_PAGE_MAX = 65536,
};

/* What is known about a buffer, and what was met in it. */
struct btvi_ring {
	uint16_t
		blk_type; /* number of the blk tracer's entries; 0: the first plausible one tells */
	uint64_t skipped_entries; /* of other types (trace_marker, events): not ours */
	uint64_t bad_entries;     /* ours by their type, but no record in them */
	uint64_t bad_bytes;       /* no page's header, or entries that run over its end */
};

/* A page being read. */
struct btvi_ring_page {
	const unsigned char *bytes;
	size_t at, end;
	uint64_t time_ns;
	uint64_t lost;     /* events lost before this page, as far as the page tells */
	bool lost_unknown; /* some were, but not how many */
	bool torn;         /* the bytes end before the page does */
};

struct btvi_ring_entry {
	const unsigned char
		*bytes; /* of the record, within the page; its first 16 bytes are not yet set */
	size_t size;    /* header and payload */
	uint64_t time_ns;
	uint32_t device, pid, cpu;
	uint8_t version;
	bool note;
};

/* Begins a page; false (counted) where the bytes are none. size is the page's, or less of a torn
 * one. */
bool btvi_ring_page_begin(
	struct btvi_ring *r, struct btvi_ring_page *page, const unsigned char *bytes, size_t size);

/* The next record of the page; false at its end. *ret_entry is valid as long as the page's bytes.
 */
bool btvi_ring_page_next(
	struct btvi_ring *r, struct btvi_ring_page *page, struct btvi_ring_entry *ret_entry);

/* Writes the entry's record: entry->size bytes. sequence is of no account for a note. */
void btvi_ring_record(const struct btvi_ring_entry *entry, uint32_t sequence, unsigned char *out);

/* Whether bytes (at least a page of BTVI_RING_PAGE_MIN, or the whole stream) begin with a ring
 * page. */
bool btvi_ring_sniff(const unsigned char *bytes, size_t size);

/* The size of the pages that bytes begin with; `end` says that nothing follows them. 0: not to be
 * told. */
size_t btvi_ring_page_size(const unsigned char *bytes, size_t size, bool end);

#endif
