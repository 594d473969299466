/* resync.c - see resync.h. */
#include "trace/resync.h"

#include "trace/carry.h"
#include "trace/plausible.h"

#define FOUND_NEAR_NS 3600000000000ULL /* a record found in rubbish is of the same hour */

void btvi_skip_bad(struct btviz_decoder *d, size_t n)
{
	btvi_use(d, n);
	d->health.bad_bytes += n;
}

/* A record behind it, or the stream's end, is the best witness; where there is rubbish again, the
 * header must be beyond suspicion. */
enum btviz_status btvi_check_found(
	struct btviz_decoder *d, bool v8_layout, unsigned version, bool big)
{
	const size_t header = v8_layout ? BTVI_WIRE_V8_SIZE : BTVI_WIRE_V7_SIZE;
	const struct btvi_sequence_lane *const lane = d->sequence.current;
	const unsigned char *const p = btvi_want(d, header);
	struct btviz_event ev;
	uint32_t direction;
	enum btvi_next next;
	unsigned pdu_len;
	bool note;

	if (!p)
		return btvi_is_all(d) ? BTVIZ_END : BTVIZ_NEED_INPUT;
	pdu_len = btvi_wire_header(p, v8_layout, version, big, &ev);
	if (btvi_odd_fields(&ev, pdu_len) != 0)
		return BTVIZ_END;
	next = btvi_next_at(d, header + pdu_len);
	if (next == BTVI_NEXT_UNKNOWN)
		return BTVIZ_NEED_INPUT;
	if (btvi_begins_well(next))
		return BTVIZ_OK;
	note = btviz_event_is_note(&ev);
	direction = ev.categories & (BTVIZ_CAT_READ | BTVIZ_CAT_WRITE);
	return lane->device == ev.device &&
			(note ||
				(btvi_event_is_known(ev.event) &&
					(direction == BTVIZ_CAT_READ ||
						direction == BTVIZ_CAT_WRITE) &&
					ev.time_ns + FOUND_NEAR_NS > d->last_ns &&
					ev.time_ns < d->last_ns + FOUND_NEAR_NS))
		? BTVIZ_OK
		: BTVIZ_END;
}

/* The bytes of a magic number that both versions share stand behind the version or before it. */
static size_t find_magic(const unsigned char *p, size_t size)
{
	size_t i = 1;

	while (i + 1 < size) {
		const unsigned char *const a = memchr(p + i, 0x61, size - 1 - i);
		bool big;

		if (!a)
			break;
		i = (size_t)(a - p);
		/* little-endian: version 74 61 65; big-endian: 65 61 74 version */
		if (i >= 2 && i + 2 <= size && btvi_magic_at(p + i - 2, &big) >= 0 && !big)
			return i - 2;
		if (i + 3 <= size && btvi_magic_at(p + i - 1, &big) >= 0 && big)
			return i - 1;
		i++;
	}
	return size > 3 ? size - 3 : 0;
}

/* How far it may be gone on from here: nobody waits for the first record of an endless stream. */
static uint64_t bytes_to_look_through(const struct btviz_decoder *d)
{
	const uint64_t offset = btvi_offset(d);

	if (d->health.events + d->health.notes + d->health.wrong_times > 0)
		return UINT64_MAX;
	return offset < BTVI_SEARCH_MAX_BYTES ? BTVI_SEARCH_MAX_BYTES - offset : 0;
}

enum btviz_status btvi_search(struct btviz_decoder *d)
{
	for (;;) {
		const unsigned char *p;
		bool big = false;
		int version;

		btvi_uncarry(d);
		if (btvi_carried(d) == 0 && d->end - d->pos > 4) {
			const uint64_t left = bytes_to_look_through(d);
			const size_t n = find_magic(d->pos, (size_t)(d->end - d->pos));

			btvi_skip_bad(d, n < left ? n : (size_t)left);
		}
		if (bytes_to_look_through(d) == 0) {
			d->gave_up = true;
			return BTVIZ_END;
		}
		p = btvi_want(d, 4);
		if (!p)
			break;
		version = btvi_magic_at(p, &big);
		if ((version == 7 || version == 8) && (!d->order_known || big == d->big)) {
			switch (btvi_check_found(
				d, version == 8 || d->wide7, (unsigned)version, big)) {
			case BTVIZ_OK:
				d->searching = false;
				return BTVIZ_OK;
			case BTVIZ_NEED_INPUT:
				return BTVIZ_NEED_INPUT;
			default:
				break;
			}
		}
		btvi_skip_bad(d, 1);
	}
	if (!btvi_is_all(d))
		return BTVIZ_NEED_INPUT;
	btvi_skip_bad(d, btvi_available(d));
	return BTVIZ_END;
}

void btvi_begin_search(struct btviz_decoder *d)
{
	if (d->health.bad_stretches++ == 0)
		d->health.first_bad_offset = btvi_offset(d);
	d->searching = true;
	btvi_skip_bad(d, 1);
}
