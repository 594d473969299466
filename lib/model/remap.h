/* model/remap.h - what remap events (A) tell of one device: whose I/O it carries.
 *
 * An A stands in the trace of the device that an I/O goes to, names the device and sector it came
 * from, and is followed by the Q of the same I/O. Chains (dm on md on a partition) give several As
 * for one Q. Counts per source; hints at an array's chunk and level are collected beside them. */
#ifndef BTVI_MODEL_REMAP_H
#define BTVI_MODEL_REMAP_H

#include <stdbool.h>
#include <stdint.h>

#include <btviz/event.h>

enum { BTVI_SOURCE_MAX = 16, BTVI_STRIDE_MAX = 8, BTVI_REMAP_PENDING = 64 };

/* How often the array's sector jumped by so much while the member's went on without a break. */
struct btvi_stride {
	uint64_t sectors, count;
};

struct btvi_source {
	uint32_t device;
	uint64_t ios[2], bytes[2]; /* reads, writes (data only) */
	uint64_t from_zero; /* came from the array's sector 0 though the place is another: parity */
	uint64_t same_offset; /* distance of member and array sector equal to the first one's */
	uint64_t first_offset;
	bool has_offset;
	struct btvi_stride strides[BTVI_STRIDE_MAX];
	uint64_t last_from_end, last_to_end; /* ends of the last A, to find strides */
};

struct btvi_remap {
	struct btvi_source sources[BTVI_SOURCE_MAX];
	unsigned source_count;
	uint64_t ignored; /* remaps from more sources than are kept */
	struct {
		uint64_t sector;
		bool valid;
	} pending[BTVI_REMAP_PENDING]; /* by thread: its next Q, at this place, is not the device's
					  own */
};

void btvi_remap_add(struct btvi_remap *r, const struct btviz_event *ev);

/* Whether this Q follows an A, that is, came from another device. Uses it up. */
static inline bool btvi_remap_follows(struct btvi_remap *r, const struct btviz_event *ev)
{
	const unsigned i = ev->pid % BTVI_REMAP_PENDING;
	const bool follows = r->pending[i].valid && r->pending[i].sector == ev->sector;

	r->pending[i].valid = false;
	return follows;
}

void btvi_remap_merge(struct btvi_remap *r, const struct btvi_remap *part);

#endif
