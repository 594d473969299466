/* remap.c - collects a device's remap events by source. */
#include "model/remap.h"

#include <string.h>

static struct btvi_source *source(struct btvi_remap *r, uint32_t device)
{
	for (unsigned i = 0; i < r->source_count; i++)
		if (r->sources[i].device == device)
			return &r->sources[i];
	if (r->source_count == BTVI_SOURCE_MAX)
		return NULL;
	r->sources[r->source_count] = (struct btvi_source){ .device = device };
	return &r->sources[r->source_count++];
}

/* Spreads sectors: each has its own value (a product by an odd number, with its high half mixed
 * in). */
static uint64_t hash(uint64_t sector)
{
	const uint64_t x = sector * UINT64_C(0x9e3779b97f4a7c15);

	return x ^ x >> 32;
}

static bool is_before(const struct btvi_place *a, const struct btvi_place *b)
{
	const uint64_t x = hash(a->from), y = hash(b->from);

	return x != y ? x < y : a->to < b->to;
}

static void keep_place(struct btvi_source *s, const struct btvi_place *p)
{
	unsigned low = 0, high = s->place_count;

	if (high == BTVI_PLACE_MAX && !is_before(p, &s->places[high - 1]))
		return;
	while (low < high) {
		const unsigned middle = low + (high - low) / 2;

		if (is_before(&s->places[middle], p))
			low = middle + 1;
		else
			high = middle;
	}
	struct btvi_place *const at = &s->places[low];

	/* The longest I/O of a place says most. */
	if (low < s->place_count && at->from == p->from && at->to == p->to) {
		if (p->sectors > at->sectors)
			at->sectors = p->sectors;
		at->is_write |= p->is_write;
		return;
	}
	if (s->place_count < BTVI_PLACE_MAX)
		s->place_count++;
	memmove(at + 1, at, (s->place_count - low - 1) * sizeof *at);
	*at = *p;
}

static void from_zero(struct btvi_source *s, uint64_t to, uint64_t ios)
{
	s->zero_differs |= s->zero_ios > 0 && to != s->zero_to;
	if (s->zero_ios == 0 || to < s->zero_to)
		s->zero_to = to;
	s->zero_ios += ios;
}

void btvi_remap_add(struct btvi_remap *r, const struct btviz_event *ev)
{
	if (!(ev->flags & BTVIZ_EV_PAYLOAD))
		return;

	const unsigned thread = ev->pid % BTVI_REMAP_PENDING;

	r->pending[thread].sector = ev->sector;
	r->pending[thread].valid = true;
	/* A partition's own trace: from itself to the whole disk. That is no layer above it. */
	if (ev->u.remap.device_from == ev->device)
		return;

	struct btvi_source *s = source(r, ev->u.remap.device_from);

	if (!s) {
		r->ignored++;
		return;
	}
	const enum btviz_op op = btviz_event_op(ev);
	const bool write = op == BTVIZ_OP_WRITE;
	const uint64_t from = ev->u.remap.sector_from;

	if (op != BTVIZ_OP_READ && op != BTVIZ_OP_WRITE)
		return;
	s->ios[write]++;
	s->bytes[write] += ev->bytes;
	if (from == 0) {
		from_zero(s, ev->sector, 1);
		return;
	}
	keep_place(
		s, &(struct btvi_place){ from, ev->sector, ev->bytes / BTVIZ_SECTOR_BYTES, write });
}

void btvi_remap_merge(struct btvi_remap *r, const struct btvi_remap *part)
{
	r->ignored += part->ignored;
	for (unsigned i = 0; i < part->source_count; i++) {
		const struct btvi_source *p = &part->sources[i];
		struct btvi_source *s = source(r, p->device);

		if (!s) {
			r->ignored += p->ios[0] + p->ios[1];
			continue;
		}
		for (unsigned k = 0; k < 2; k++) {
			s->ios[k] += p->ios[k];
			s->bytes[k] += p->bytes[k];
		}
		s->zero_differs |= p->zero_differs;
		if (p->zero_ios > 0)
			from_zero(s, p->zero_to, p->zero_ios);
		for (unsigned k = 0; k < p->place_count; k++)
			keep_place(s, &p->places[k]);
	}
}
