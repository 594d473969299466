/* trace/ahead.h - reads a trace ahead on a thread of its own, for who has a core to spare.
 *
 * Decoding and merging then go on beside what is done with the events: they are handed over in
 * batches through a short ring. The order of events is that of the trace. While it runs, the trace
 * belongs to the thread: its health and names may be asked for after btvi_ahead_free(). */
#ifndef BTVI_TRACE_AHEAD_H
#define BTVI_TRACE_AHEAD_H

#include <btviz/trace.h>

enum {
	BTVI_AHEAD_BATCH = 512,    /* events handed over at a time */
	BTVI_AHEAD_TEXT = 256,     /* bytes of a note's text; the kernel's have at most 128 */
	BTVI_AHEAD_PAYLOAD = 8192, /* of all texts in a batch */
	BTVI_AHEAD_RING = 8,       /* batches */
};

struct btvi_batch {
	struct btviz_event events[BTVI_AHEAD_BATCH];
	unsigned char payload[BTVI_AHEAD_PAYLOAD];
	uint32_t count;
	enum btviz_status status; /* what follows the last event: OK (more), END or an error */
	struct btviz_error err;
};

struct btvi_ahead;

/* Starts reading t, which must outlive the reader. NULL: no thread or memory to be had. */
struct btvi_ahead *btvi_ahead_new(struct btviz_trace *t);

/* Stops the thread and waits for it. */
void btvi_ahead_free(struct btvi_ahead *a);

/* The next batch, at least one event or an end: valid until the next call. */
const struct btvi_batch *btvi_ahead_next(struct btvi_ahead *a);

#endif
