/* remap.c - collects a device's remap events by source. */
#include "model/remap.h"

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

/* Counts a stride; the rarest makes room for a new one, so that the usual ones stay. */
static void count_stride(struct btvi_source *s, uint64_t sectors, uint64_t count)
{
	struct btvi_stride *rarest = &s->strides[0];

	for (unsigned i = 0; i < BTVI_STRIDE_MAX; i++) {
		struct btvi_stride *st = &s->strides[i];

		if (st->count > 0 && st->sectors == sectors) {
			st->count += count;
			return;
		}
		if (st->count < rarest->count)
			rarest = st;
	}
	*rarest = (struct btvi_stride){ sectors, count };
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
	const uint64_t from = ev->u.remap.sector_from;
	const uint64_t sectors = ev->bytes / BTVIZ_SECTOR_BYTES;

	if (op != BTVIZ_OP_READ && op != BTVIZ_OP_WRITE)
		return;
	s->ios[op == BTVIZ_OP_WRITE]++;
	s->bytes[op == BTVIZ_OP_WRITE] += ev->bytes;
	if (from == 0 && ev->sector > 16384) {
		s->from_zero++;
		return;
	}
	if (!s->has_offset) {
		s->has_offset = true;
		s->first_offset = ev->sector - from;
	}
	if (ev->sector - from == s->first_offset)
		s->same_offset++;
	if (s->last_to_end == ev->sector && from > s->last_from_end)
		count_stride(s, from - s->last_from_end, 1);
	s->last_from_end = from + sectors;
	s->last_to_end = ev->sector + sectors;
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
		s->from_zero += p->from_zero;
		if (!s->has_offset) {
			s->has_offset = p->has_offset;
			s->first_offset = p->first_offset;
			s->same_offset = p->same_offset;
		} else if (p->has_offset && p->first_offset == s->first_offset) {
			s->same_offset += p->same_offset;
		}
		for (unsigned k = 0; k < BTVI_STRIDE_MAX; k++)
			if (p->strides[k].count > 0)
				count_stride(s, p->strides[k].sectors, p->strides[k].count);
		s->last_from_end = p->last_from_end;
		s->last_to_end = p->last_to_end;
	}
}
