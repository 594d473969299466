/* model/remap.h - what remap events (A) tell of one device: whose I/O it carries, and to where.
 *
 * An A stands in the trace of the device that an I/O goes to, names the device and sector it came
 * from, and is followed by the Q of the same I/O. Chains (dm on md on a partition) give several As
 * for one Q. Counts per source; beside them a sample of places, the array's sector and this
 * device's, from which measure/geometry finds level and chunk. */
#ifndef BTVI_MODEL_REMAP_H
#define BTVI_MODEL_REMAP_H

#include <stdbool.h>
#include <stdint.h>

#include <btviz/event.h>

enum { BTVI_SOURCE_MAX = 16, BTVI_PLACE_MAX = 32, BTVI_REMAP_PENDING = 64 };

/* One remapped I/O: sectors, and whether it was a write. */
struct btvi_place {
	uint64_t from, to, sectors, is_write;
};

/* The sample is the places with the smallest hashes of their array sector: of all that were met,
 * whatever their order and however the run was cut into parts, and on all members of an array the
 * same array sectors, so that copies of one I/O meet. Sorted by hash, then by to. */
struct btvi_source {
	uint32_t device, place_count;
	uint64_t ios[2], bytes[2]; /* reads, writes (data only) */
	/* Came from the array's sector 0, which a device has in one place at most: md says 0 of
	 * parity, too. */
	uint64_t zero_ios, zero_to; /* how many, and the lowest place of them */
	bool zero_differs;          /* there are several places: parity */
	struct btvi_place places[BTVI_PLACE_MAX];
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
