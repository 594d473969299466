/* trace/decode.h - the decoder's inside: what the merge needs to take records without a call.
 *
 * Bytes are used where the caller has them. Only a record that lies across two pieces, or that must
 * be looked at twice, is gathered in a buffer of the decoder's own (the carry). */
#ifndef BTVI_TRACE_DECODE_H
#define BTVI_TRACE_DECODE_H

#include <btviz/trace.h>

#include "base/limits.h"
#include "trace/sequence.h"
#include "trace/wire.h"

/* Behind a longer pause than this a record is looked at closer: see neighbours.h. */
#define BTVI_TIME_JUMP_NS 10000000ULL

/* No I/O record that the fast path takes is longer. */
enum {
	BTVI_DECODE_FAST_MAX = BTVI_WIRE_V8_SIZE + 16,
};

struct btviz_decoder {
	const unsigned char *pos, *end; /* what is left of the piece fed last */
	const unsigned char *fast_end;  /* the fast path may begin before it; start: never */
	uint32_t fast_magic;            /* and only at this magic, in the machine's order */
	uint64_t last_ns;               /* time of the last I/O event */
	struct btvi_sequence sequence;
	struct btviz_health health;

	const unsigned char *start; /* of the piece fed last */
	uint64_t fed;               /* bytes given so far, that piece included */
	unsigned char *carry;
	size_t carry_at, carry_end, carry_capacity;
	uint32_t last_cpu;      /* the last sane one */
	unsigned char head[32]; /* the stream's first bytes, for messages */
	bool ended;
	bool nomem;              /* memory has lacked: nothing can be done any more */
	bool gave_up;            /* nothing like a record in as many bytes as are looked through */
	bool big, order_known;   /* byte order of the records seen */
	bool wide7, wide7_known; /* records labelled 7 have the layout of 8 */
	bool searching;          /* for the next record, within a bad stretch */
	struct btviz_event ev;   /* for the public function */
};

void btvi_decoder_init(struct btviz_decoder *d);
void btvi_decoder_done(struct btviz_decoder *d);

/* Everything that is not ordinary. As btviz_decoder_next(), into *ret_ev. */
enum btviz_status btvi_decoder_next_slow(
	struct btviz_decoder *d, struct btviz_event *ret_ev, struct btviz_error *err);

static inline bool btvi_decoder_fast_record(
	struct btviz_decoder *d, const unsigned char *p, bool v8, struct btviz_event *ev)
{
	const uint32_t bytes = btvi_native32(p + BTVI_WIRE_BYTES);
	const uint32_t sequence = btvi_native32(p + BTVI_WIRE_SEQUENCE);
	const uint64_t time_ns = btvi_native64(p + BTVI_WIRE_TIME);
	const uint64_t sector = btvi_native64(p + BTVI_WIRE_SECTOR);
	const uint64_t action = v8 ? btvi_native64(p + BTVI_WIRE_V8_ACTION)
				   : btvi_native32(p + BTVI_WIRE_V7_ACTION);
	const unsigned event = (unsigned)(action & 0xffff);
	const uint32_t categories = (uint32_t)(action >> 16);
	const uint32_t device = btvi_native32(p + (v8 ? BTVI_WIRE_V8_DEVICE : BTVI_WIRE_V7_DEVICE));
	const uint32_t cpu = btvi_native32(p + (v8 ? BTVI_WIRE_V8_CPU : BTVI_WIRE_V7_CPU));
	const unsigned pdu_len =
		btvi_native16(p + (v8 ? BTVI_WIRE_V8_PDU_LEN : BTVI_WIRE_V7_PDU_LEN));
	const unsigned char *const payload = p + (v8 ? BTVI_WIRE_V8_SIZE : BTVI_WIRE_V7_SIZE);

	/* An event of ordinary number without cgroup id, with exactly the payload it should have,
	 * not before the last one nor far behind it, and next in its sequence; all else is slow. */
	if (!btvi_event_is_known(event) || (categories & BTVIZ_CAT_NOTIFY) ||
		pdu_len != btvi_payload_size[event] || cpu >= BTVI_CPU_MAX ||
		time_ns - d->last_ns > BTVI_TIME_JUMP_NS || time_ns > BTVI_TIME_MAX_NS ||
		sector > BTVI_SECTOR_MAX)
		return false;
	if (!btvi_sequence_follows(&d->sequence, device, cpu, sequence, d->last_ns))
		return false;
	ev->time_ns = time_ns;
	ev->sector = sector;
	ev->bytes = bytes;
	ev->categories = categories;
	ev->device = device;
	ev->pid = btvi_native32(p + (v8 ? BTVI_WIRE_V8_PID : BTVI_WIRE_V7_PID));
	ev->cpu = cpu;
	ev->sequence = sequence;
	ev->event = (uint16_t)event;
	ev->error = (int16_t)btvi_native16(p + (v8 ? BTVI_WIRE_V8_ERROR : BTVI_WIRE_V7_ERROR));
	ev->version = v8 ? 8 : 7;
	ev->flags = 0;
	ev->payload_size = (uint16_t)pdu_len;
	ev->lost_before = 0;
	ev->cgroup_id = 0;
	ev->payload = payload;
	if (pdu_len == 16) {
		ev->flags = BTVIZ_EV_PAYLOAD;
		ev->u.remap.device_from = btvi_be32(payload);
		ev->u.remap.device_to = btvi_be32(payload + 4);
		ev->u.remap.sector_from = btvi_be64(payload + 8);
	} else if (pdu_len == 8) {
		ev->flags = BTVIZ_EV_PAYLOAD;
		ev->u.depth = btvi_be64(payload); /* or split_sector: the same bytes */
	}
	d->last_ns = time_ns;
	d->health.events++;
	d->pos = payload + pdu_len;
	return true;
}

/* The next record into *ev, where it is an ordinary one that lies whole in the piece fed last; else
 * false, nothing is changed, and btvi_decoder_next_slow() is to be asked. */
static inline bool btvi_decoder_fast(struct btviz_decoder *d, struct btviz_event *ev)
{
	const unsigned char *const p = d->pos;

	if (p >= d->fast_end || btvi_native32(p) != d->fast_magic)
		return false;
	/* Streams are read side by side: the next record of this one may have left the cache. */
	__builtin_prefetch(p + 256);
	return btvi_decoder_fast_record(d, p, d->fast_magic == (BTVI_WIRE_MAGIC | 8), ev);
}

static inline enum btviz_status btvi_decoder_next(
	struct btviz_decoder *d, struct btviz_event *ev, struct btviz_error *err)
{
	return btvi_decoder_fast(d, ev) ? BTVIZ_OK : btvi_decoder_next_slow(d, ev, err);
}

#endif
