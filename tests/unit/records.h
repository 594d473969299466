/* records.h - streams of records for tests: made of events, kept as bytes. */
#ifndef TEST_RECORDS_H
#define TEST_RECORDS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/wire.h"

struct bytes {
	unsigned char *data;
	size_t size, capacity;
};

static inline void bytes_add(struct bytes *b, const void *data, size_t size)
{
	if (b->size + size > b->capacity) {
		b->capacity = (b->size + size) * 2;
		b->data = realloc(b->data, b->capacity);
		if (!b->data)
			abort();
	}
	if (size > 0)
		memcpy(b->data + b->size, data, size);
	b->size += size;
}

static inline void bytes_zero(struct bytes *b, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes_add(b, "", 1);
}

static inline void bytes_free(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){ NULL, 0, 0 };
}

/* How the records of a stream are written. */
struct form {
	unsigned version;
	bool big;
};

static inline void bytes_add_event(
	struct bytes *b, const struct form *form, const struct btviz_event *ev)
{
	static unsigned char out[BTVI_WIRE_RECORD_MAX];

	bytes_add(b, out, btvi_wire_encode(ev, form->version, form->big, out));
}

/* The categories that the kernel writes beside an action. */
static inline uint32_t categories_of(unsigned event)
{
	switch (event) {
	case BTVIZ_ACT_REQUEUE:
		return BTVIZ_CAT_REQUEUE;
	case BTVIZ_ACT_ISSUE:
		return BTVIZ_CAT_ISSUE;
	case BTVIZ_ACT_COMPLETE:
		return BTVIZ_CAT_COMPLETE;
	case BTVIZ_ACT_SPLIT:
	case BTVIZ_ACT_BOUNCE:
		return 0;
	default:
		return BTVIZ_CAT_QUEUE;
	}
}

/* An I/O event as the kernel would write it: a write of 8 sectors on 8,16, CPU 0. */
static inline struct btviz_event io_event(unsigned event, uint64_t time_ns, uint32_t sequence)
{
	struct btviz_event ev = {
		.time_ns = time_ns,
		.sector = 1000 + 8 * sequence,
		.bytes = 4096,
		.categories = BTVIZ_CAT_WRITE | categories_of(event),
		.device = BTVIZ_DEVICE(8, 16),
		.pid = 77,
		.sequence = sequence,
		.event = (uint16_t)event,
	};

	if (event == BTVIZ_ACT_REMAP) {
		ev.flags = BTVIZ_EV_PAYLOAD;
		ev.u.remap.device_from = BTVIZ_DEVICE(9, 0);
		ev.u.remap.device_to = BTVIZ_DEVICE(8, 16);
		ev.u.remap.sector_from = 0x123456789aULL;
	} else if (event == BTVIZ_ACT_SPLIT) {
		ev.flags = BTVIZ_EV_PAYLOAD;
		ev.u.split_sector = ev.sector + 4;
	} else if (event == BTVIZ_ACT_UNPLUG || event == BTVIZ_ACT_UNPLUG_TIMER) {
		ev.flags = BTVIZ_EV_PAYLOAD;
		ev.u.depth = 3;
	}
	return ev;
}

static inline struct btviz_event note_event(
	unsigned note, uint64_t time_ns, const char *text, size_t size)
{
	return (struct btviz_event){
		.time_ns = time_ns,
		.categories = BTVIZ_CAT_NOTIFY,
		.device = BTVIZ_DEVICE(8, 16),
		.pid = 77,
		.event = (uint16_t)note,
		.payload = (const unsigned char *)text,
		.payload_size = (uint16_t)size,
	};
}

/* count queue events, numbered from 1, a microsecond apart from time_ns on. */
static inline void bytes_add_ios(
	struct bytes *b, const struct form *form, uint64_t time_ns, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		const struct btviz_event ev = io_event(BTVIZ_ACT_QUEUE, time_ns + 1000 * i, i + 1);

		bytes_add_event(b, form, &ev);
	}
}

#endif
