/* neighbours.c - see neighbours.h. Looks a few records ahead; takes none of them. */
#include "trace/neighbours.h"

#include "trace/carry.h"
#include "trace/plausible.h"

enum {
	LOOK_AHEAD = 8, /* records, for */
	WITNESSES = 2,  /* of the same device and CPU: of one, it might be that its time is wrong */
};

/* The header at bytes on, where a sound one stands there. BTVIZ_OK, BTVIZ_END: none;
 * BTVIZ_NEED_INPUT. */
static enum btviz_status look(
	struct btviz_decoder *d, size_t at, struct btviz_event *ret_ev, size_t *ret_size)
{
	const unsigned char *p = btvi_want(d, at + BTVI_WIRE_V7_SIZE);
	bool big, v8_layout;
	unsigned pdu_len;
	size_t header;
	int version;

	if (!p)
		return btvi_is_all(d) ? BTVIZ_END : BTVIZ_NEED_INPUT;
	version = btvi_magic_at(p + at, &big);
	if ((version != 7 && version != 8) || big != d->big)
		return BTVIZ_END;
	v8_layout = version == 8 || d->wide7;
	header = v8_layout ? BTVI_WIRE_V8_SIZE : BTVI_WIRE_V7_SIZE;
	p = btvi_want(d, at + header);
	if (!p)
		return btvi_is_all(d) ? BTVIZ_END : BTVIZ_NEED_INPUT;
	pdu_len = btvi_wire_header(p + at, v8_layout, (unsigned)version, big, ret_ev);
	*ret_size = header + pdu_len;
	return btvi_odd_fields(ret_ev, pdu_len) == 0 ? BTVIZ_OK : BTVIZ_END;
}

enum btviz_status btvi_contradict_time(
	struct btviz_decoder *d, const struct btviz_event *ev, size_t size, uint64_t *ret_before_ns)
{
	const struct btvi_sequence_lane *const lane =
		btvi_sequence_lane(&d->sequence, ev->device, ev->cpu);
	const uint64_t before_ns = !lane      ? 0
		: lane == d->sequence.current ? d->last_ns
					      : lane->last_ns;
	const bool early = ev->time_ns < before_ns;
	uint64_t last_ns = before_ns;
	unsigned found = 0;
	size_t at = size;

	if (ev->sequence == 0 || (lane && lane->next != ev->sequence) ||
		(early ? before_ns - ev->time_ns : ev->time_ns - before_ns) <= BTVI_TIME_JUMP_NS)
		return BTVIZ_END;
	for (unsigned i = 0; i < LOOK_AHEAD && found < WITNESSES; i++) {
		struct btviz_event next;
		size_t next_size;
		const enum btviz_status status = look(d, at, &next, &next_size);

		if (status == BTVIZ_NEED_INPUT)
			return status;
		if (status == BTVIZ_END) {
			/* the stream's last record has one neighbour behind it, or is it itself */
			if (!btvi_is_all(d) || btvi_available(d) != at)
				return BTVIZ_END;
			break;
		}
		at += next_size;
		if (btviz_event_is_note(&next) || next.device != ev->device || next.cpu != ev->cpu)
			continue;
		found++;
		/* in its place, not before what came before, and on the other side of the time */
		if (next.sequence != ev->sequence + found || next.time_ns < last_ns ||
			(!early && next.time_ns >= ev->time_ns))
			return BTVIZ_END;
		last_ns = next.time_ns;
	}
	if (found == 0)
		return BTVIZ_END;
	*ret_before_ns = before_ns;
	return BTVIZ_OK;
}
