/* trace/numbering.h - sequence numbers for a source that has none: one count a device, with a jump
 * where events are known to be missing, so that a reader sees the loss where it happened. */
#ifndef BTVI_TRACE_NUMBERING_H
#define BTVI_TRACE_NUMBERING_H

#include <stddef.h>
#include <stdint.h>

struct btvi_numbering {
	struct btvi_numbering_device {
		uint32_t device, last;
	} * devices;
	size_t count, capacity;
	size_t recent;    /* index of the device asked for last */
	uint64_t pending; /* lost, not yet shown as a jump */
};

/* The number of the device's next event; 0 where there is no memory or are too many devices. A
 * pending loss shows in it, unless it is the device's first event (there is nothing to jump from):
 * then in a later one. */
uint32_t btvi_numbering_next(struct btvi_numbering *s, uint32_t device);

/* Events are missing here, of whichever device. */
void btvi_numbering_lose(struct btvi_numbering *s, uint64_t count);

void btvi_numbering_done(struct btvi_numbering *s);

#endif
