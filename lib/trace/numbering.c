/* numbering.c - counts events by device. Knows nothing of records. */
#include "trace/numbering.h"

#include <stdlib.h>

#include "base/limits.h"

enum { JUMP_MAX = 1 << 19 };

static struct btvi_numbering_device *find(struct btvi_numbering *s, uint32_t device)
{
	struct btvi_numbering_device *devices;

	if (s->recent < s->count && s->devices[s->recent].device == device)
		return &s->devices[s->recent];
	for (size_t i = 0; i < s->count; i++) {
		if (s->devices[i].device == device) {
			s->recent = i;
			return &s->devices[i];
		}
	}
	if (s->count == s->capacity) {
		const size_t capacity = s->capacity ? s->capacity * 2 : 8;

		if (s->count >= BTVI_DEVICE_MAX)
			return NULL;
		devices = realloc(s->devices, capacity * sizeof *devices);
		if (!devices)
			return NULL;
		s->devices = devices;
		s->capacity = capacity;
	}
	s->recent = s->count++;
	s->devices[s->recent] = (struct btvi_numbering_device){ device, 0 };
	return &s->devices[s->recent];
}

uint32_t btvi_numbering_next(struct btvi_numbering *s, uint32_t device)
{
	struct btvi_numbering_device *d = find(s, device);

	if (!d)
		return 0;
	if (d->last > 0 && s->pending > 0) {
		/* In steps that a reader believes; the rest with the next event. */
		const uint32_t jump = s->pending < JUMP_MAX ? (uint32_t)s->pending : JUMP_MAX;

		d->last += jump;
		s->pending -= jump;
	}
	if (++d->last == 0)
		d->last = 1;
	return d->last;
}

void btvi_numbering_lose(struct btvi_numbering *s, uint64_t count)
{
	s->pending = count < UINT64_MAX - s->pending ? s->pending + count : UINT64_MAX;
}

void btvi_numbering_done(struct btvi_numbering *s)
{
	free(s->devices);
	*s = (struct btvi_numbering){ 0 };
}
