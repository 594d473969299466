/* decode.c - one stream of bytes to records: all that is not the ordinary case. No input of its
 * own, no memory but the carry; what is damaged is counted and passed over. Pieces may be of any
 * size: the result never depends on where they are cut. */
#include "trace/decode.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "trace/carry.h"
#include "trace/layout.h"

enum {
	EVENT_PLAUSIBLE = 255, /* no kernel has reached 32 */
	PDU_PLAUSIBLE = 1024, /* the kernel's payloads end at 136; a longer one must prove itself */
};
#define FOUND_NEAR_NS 3600000000000ULL /* a record found in rubbish is of the same hour */

void btvi_decoder_init(struct btviz_decoder *d)
{
	static const unsigned char nothing[1];

	memset(d, 0, sizeof *d);
	d->pos = d->end = d->start = d->fast_end = nothing;
	btvi_sequence_init(&d->sequence);
}

void btvi_decoder_done(struct btviz_decoder *d)
{
	btvi_sequence_done(&d->sequence);
	free(d->carry);
	d->carry = NULL;
}

struct btviz_decoder *btviz_decoder_new(void)
{
	struct btviz_decoder *const d = malloc(sizeof *d);

	if (d)
		btvi_decoder_init(d);
	return d;
}

void btviz_decoder_free(struct btviz_decoder *d)
{
	if (!d)
		return;
	btvi_decoder_done(d);
	free(d);
}

void btviz_decoder_feed(struct btviz_decoder *d, const void *bytes, size_t size)
{
	assert(d->pos == d->end);
	if (size == 0)
		return;
	d->start = d->pos = d->fast_end = bytes;
	d->end = d->start + size;
	for (size_t i = 0; i < size && d->fed + i < sizeof d->head; i++)
		d->head[d->fed + i] = d->start[i];
	d->fed += size;
	d->health.bytes += size;
}

void btviz_decoder_feed_end(struct btviz_decoder *d)
{
	d->ended = true;
}

const struct btviz_health *btviz_decoder_health(const struct btviz_decoder *d)
{
	return &d->health;
}

/* The fast path may go on from here, if the piece has whole records left. */
static void allow_fast(struct btviz_decoder *d, unsigned version)
{
	const bool possible = btvi_carried(d) == 0 && !(version == 7 && d->wide7);

	d->fast_magic = BTVI_WIRE_MAGIC | version;
	d->fast_end = d->pos;
	if (possible && (size_t)(d->end - d->pos) >= BTVI_DECODE_FAST_MAX)
		d->fast_end = d->end - (BTVI_DECODE_FAST_MAX - 1);
}

/* ---- one record ------------------------------------------------------------------------------ */

/* How much payload a record of this kind has when all is well; BTVI_WIRE_PDU_MAX: it varies. */
static unsigned usual_pdu_len(const struct btviz_event *ev, bool cgroup)
{
	unsigned usual = cgroup ? 8 : 0;

	if (btviz_event_is_note(ev)) {
		if (ev->event == BTVIZ_NOTE_PROCESS)
			return usual + BTVI_WIRE_NAME_SIZE;
		if (ev->event == BTVIZ_NOTE_TIMESTAMP)
			return usual + 8;
		return BTVI_WIRE_PDU_MAX;
	}
	if (ev->event < BTVI_EVENT_KNOWN_END)
		usual += btvi_payload_size[ev->event];
	return usual;
}

/* Whether a record's first n bytes, up to four, may be these. */
static bool may_begin(const struct btviz_decoder *d, const unsigned char *p, size_t n)
{
	const unsigned char little[4] = { p[0] == 8 ? 8 : 7, 0x74, 0x61, 0x65 };
	const unsigned char big[4] = { 0x65, 0x61, 0x74, n == 4 && p[3] == 8 ? 8 : 7 };

	return memcmp(p, d->big ? big : little, n) == 0;
}

/* A message is text, and no text looks like a record: where one begins in it, even if the length
 * ends within its first bytes, there the text ends. False: more bytes are needed to tell. */
static bool check_text_len(
	struct btviz_decoder *d, size_t header, unsigned *pdu_len, bool *ret_nomem)
{
	const size_t size = header + *pdu_len;
	const size_t there = d->ended && btvi_available(d) < size ? btvi_available(d) : size;
	const unsigned char *p = btvi_want(d, there, ret_nomem);

	for (size_t i = header; p && i < there; i++) {
		if (!may_begin(d, p + i, there - i < 4 ? there - i : 4))
			continue;
		if (d->ended && btvi_available(d) < i + 4)
			return true;
		p = btvi_want(d, i + 4 > there ? i + 4 : there, ret_nomem);
		if (p && may_begin(d, p + i, 4)) {
			*pdu_len = (unsigned)(i - header);
			d->health.odd_fields++;
			return true;
		}
	}
	return p != NULL;
}

/* Puts the payload's length right where it is an unusual one that leads nowhere. False: more bytes
 * are needed to tell. */
static bool check_pdu_len(struct btviz_decoder *d, const struct btviz_event *ev, bool cgroup,
	size_t header, unsigned *pdu_len, bool *ret_nomem)
{
	const unsigned usual = usual_pdu_len(ev, cgroup);
	enum btvi_next next;

	if (usual == BTVI_WIRE_PDU_MAX && !check_text_len(d, header, pdu_len, ret_nomem))
		return false;
	if (*pdu_len == usual || (usual == BTVI_WIRE_PDU_MAX && *pdu_len <= PDU_PLAUSIBLE))
		return true;
	/* No payload looks like a record: where one stands at the usual place, it is one. */
	if (usual != BTVI_WIRE_PDU_MAX) {
		next = btvi_next_at(d, header + usual, ret_nomem);
		if (next == BTVI_NEXT_UNKNOWN)
			return false;
		if (next == BTVI_NEXT_RECORD) {
			*pdu_len = usual;
			d->health.odd_fields++;
			return true;
		}
	}
	next = btvi_next_at(d, header + *pdu_len, ret_nomem);
	if (next == BTVI_NEXT_UNKNOWN)
		return false;
	if (btvi_begins_well(next))
		return true;
	/* Nothing it says can be right: the search for the next record begins at once. */
	if (*pdu_len > PDU_PLAUSIBLE || (usual != BTVI_WIRE_PDU_MAX && next == BTVI_NEXT_OTHER)) {
		*pdu_len = 0;
		d->health.odd_fields++;
	}
	return true;
}

/* Fields that cannot be are replaced as far as there is something to replace them with. */
static void check_fields(struct btviz_decoder *d, struct btviz_event *ev)
{
	bool odd = false;

	if (ev->cpu >= BTVI_CPU_MAX) {
		ev->cpu = d->last_cpu;
		odd = true;
	}
	if (ev->time_ns > BTVI_TIME_MAX_NS) {
		ev->time_ns = d->last_ns;
		odd = true;
	}
	if (!btviz_event_is_note(ev) && ev->sector > BTVI_SECTOR_MAX && ev->bytes > 0)
		odd = true;
	d->last_cpu = ev->cpu;
	if (odd) {
		ev->flags |= BTVIZ_EV_ODD;
		d->health.odd_fields++;
	}
}

/* Counts the event; false where it is one that was there before. */
static bool count_event(struct btviz_decoder *d, struct btviz_event *ev, bool *ret_nomem)
{
	uint32_t lost = 0;

	if (!btvi_event_is_known(ev->event)) {
		ev->flags |= BTVIZ_EV_UNKNOWN;
		d->health.unknown_actions++;
	}
	if (!(ev->flags & BTVIZ_EV_ODD) &&
		!btvi_sequence_follows(
			&d->sequence, ev->device, ev->cpu, ev->sequence, d->last_ns)) {
		switch (btvi_sequence_take(&d->sequence, ev->device, ev->cpu, ev->sequence,
			ev->time_ns, d->last_ns, &lost)) {
		case BTVI_SEQUENCE_FOLLOWS:
			break;
		case BTVI_SEQUENCE_HOLE:
			ev->flags |= BTVIZ_EV_LOSS;
			ev->lost_before = lost;
			d->health.lost_events += lost;
			d->health.sequence_holes++;
			break;
		case BTVI_SEQUENCE_FILLS:
			if (d->health.lost_events > 0)
				d->health.lost_events--;
			break;
		case BTVI_SEQUENCE_REPEATED:
			d->health.repeated_events++;
			return false;
		case BTVI_SEQUENCE_ODD:
			d->health.odd_fields++;
			break;
		case BTVI_SEQUENCE_NOMEM:
			*ret_nomem = true;
			return false;
		}
	}
	if (ev->time_ns < d->last_ns)
		d->health.steps_back++;
	d->last_ns = ev->time_ns;
	d->health.events++;
	return true;
}

static void count_note(struct btviz_decoder *d, struct btviz_event *ev)
{
	if (ev->event > BTVIZ_NOTE_MESSAGE) {
		ev->flags |= BTVIZ_EV_UNKNOWN;
		d->health.unknown_actions++;
	}
	d->health.notes++;
}

/* ---- finding the next record ----------------------------------------------------------------- */

static void skip(struct btviz_decoder *d, size_t n)
{
	btvi_use(d, n);
	d->health.bad_bytes += n;
}

/* Whether a header that begins here, where none was to be expected, can be trusted.
 * BTVIZ_NEED_INPUT: that cannot be told yet; BTVIZ_END: no. A record behind it, or the stream's
 * end, is the best witness; where there is rubbish again, the header must be beyond suspicion. */
static enum btviz_status check_found(
	struct btviz_decoder *d, bool v8_layout, unsigned version, bool big, bool *ret_nomem)
{
	const size_t header = v8_layout ? BTVI_WIRE_V8_SIZE : BTVI_WIRE_V7_SIZE;
	const struct btvi_sequence_lane *const lane = d->sequence.current;
	const unsigned char *const p = btvi_want(d, header, ret_nomem);
	struct btviz_event ev;
	uint32_t direction;
	enum btvi_next next;
	unsigned pdu_len;
	bool note;

	if (!p)
		return *ret_nomem || !d->ended ? BTVIZ_NEED_INPUT : BTVIZ_END;
	pdu_len = btvi_wire_header(p, v8_layout, version, big, &ev);
	note = btviz_event_is_note(&ev);
	direction = ev.categories & (BTVIZ_CAT_READ | BTVIZ_CAT_WRITE);

	if (ev.cpu >= BTVI_CPU_MAX || ev.time_ns > BTVI_TIME_MAX_NS || pdu_len > PDU_PLAUSIBLE ||
		ev.device == 0 || (note && ev.event > BTVIZ_NOTE_MESSAGE) ||
		(!note && ev.sector > BTVI_SECTOR_MAX && ev.bytes > 0))
		return BTVIZ_END;
	next = btvi_next_at(d, header + pdu_len, ret_nomem);
	if (next == BTVI_NEXT_UNKNOWN)
		return BTVIZ_NEED_INPUT;
	if (btvi_begins_well(next))
		return BTVIZ_OK;
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

/* Goes on to the next byte that could begin a record. BTVIZ_OK: a record begins here. */
static enum btviz_status search(struct btviz_decoder *d)
{
	bool nomem = false;

	for (;;) {
		const unsigned char *p;
		bool big = false;
		int version;

		btvi_uncarry(d);
		if (btvi_carried(d) == 0 && d->end - d->pos > 4)
			skip(d, find_magic(d->pos, (size_t)(d->end - d->pos)));
		p = btvi_want(d, 4, &nomem);
		if (!p)
			break;
		version = btvi_magic_at(p, &big);
		if ((version == 7 || version == 8) && (!d->order_known || big == d->big)) {
			switch (check_found(
				d, version == 8 || d->wide7, (unsigned)version, big, &nomem)) {
			case BTVIZ_OK:
				d->searching = false;
				return BTVIZ_OK;
			case BTVIZ_NEED_INPUT:
				return nomem ? BTVIZ_ERR_NOMEM : BTVIZ_NEED_INPUT;
			default:
				break;
			}
		}
		skip(d, 1);
	}
	if (nomem)
		return BTVIZ_ERR_NOMEM;
	if (!d->ended)
		return BTVIZ_NEED_INPUT;
	skip(d, btvi_available(d));
	return BTVIZ_END;
}

static void begin_search(struct btviz_decoder *d)
{
	if (d->health.bad_stretches++ == 0)
		d->health.first_bad_offset = btvi_offset(d);
	d->searching = true;
	skip(d, 1);
}

/* ---- the steps together ---------------------------------------------------------------------- */

static enum btviz_status at_end(struct btviz_decoder *d, struct btviz_error *err)
{
	const struct btviz_health *const h = &d->health;
	bool text = true;

	if (h->events + h->notes + h->torn_tails > 0 || h->bytes == 0)
		return BTVIZ_END;
	for (size_t i = 0; i < sizeof d->head && i < h->bytes; i++)
		text &= (d->head[i] >= 0x20 && d->head[i] < 0x7f) || d->head[i] == '\n' ||
			d->head[i] == '\t' || d->head[i] == '\r';
	if (memmem(d->head, sizeof d->head, "\"btviz.summary/", 15))
		return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
			"a saved summary, not a trace: btviz compare takes it, its events are gone");
	if (text)
		return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
			"text, not a block trace: the binary files that blktrace writes are wanted");
	return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
		"no block trace: none of its %llu bytes begins a record (it starts with %02x %02x %02x "
		"%02x)",
		(unsigned long long)h->bytes, d->head[0], d->head[1], d->head[2], d->head[3]);
}

/* The rest of the stream is shorter than the record that begins there. */
static enum btviz_status torn(struct btviz_decoder *d)
{
	d->health.torn_tails++;
	btvi_use(d, btvi_available(d));
	return BTVIZ_END;
}

/* Fewer than four bytes are left: the beginning of a magic number, or rubbish. */
static enum btviz_status last_bytes(struct btviz_decoder *d, bool *ret_nomem)
{
	static const unsigned char tail[3] = { 0x74, 0x61, 0x65 };
	const size_t n = btvi_available(d);
	const unsigned char *const p = btvi_want(d, n, ret_nomem);
	bool little = !d->order_known || !d->big, big = !d->order_known || d->big;

	if (!p || n == 0)
		return BTVIZ_END;
	for (size_t i = 0; i < n; i++) {
		big &= p[i] == tail[2 - i];
		little &= i == 0 ? p[0] == 7 || p[0] == 8 : p[i] == tail[i - 1];
	}
	if (little || big)
		return torn(d);
	begin_search(d);
	d->searching = false;
	skip(d, btvi_available(d));
	return BTVIZ_END;
}

/* One field that cannot be is a damaged record; several are none, only its magic number. */
static unsigned absurd_fields(const struct btviz_event *ev, unsigned pdu_len)
{
	const bool note = btviz_event_is_note(ev);

	return (ev->cpu >= BTVI_CPU_MAX) + (ev->time_ns > BTVI_TIME_MAX_NS) +
		(pdu_len > PDU_PLAUSIBLE) + (ev->device == 0) +
		(!note && ev->sector > BTVI_SECTOR_MAX && ev->bytes > 0) +
		(note ? ev->event > BTVIZ_NOTE_MESSAGE : ev->event > EVENT_PLAUSIBLE);
}

/* Takes the record that begins here. BTVIZ_OK with *ret_taken false: it was passed over. */
static enum btviz_status take_record(struct btviz_decoder *d, unsigned version,
	struct btviz_event *ret_ev, bool *ret_taken, bool *ret_nomem)
{
	const bool v8_layout = version == 8 || d->wide7;
	const size_t header = v8_layout ? BTVI_WIRE_V8_SIZE : BTVI_WIRE_V7_SIZE;
	const unsigned char *p = btvi_want(d, header, ret_nomem);
	unsigned pdu_len;
	bool cgroup, counted;

	if (!p)
		return d->ended ? torn(d) : BTVIZ_NEED_INPUT;
	pdu_len = btvi_wire_header(p, v8_layout, version, d->big, ret_ev);
	cgroup = (btvi_wire_action_low(p, v8_layout, d->big) & BTVI_WIRE_CGROUP_BIT) != 0;
	if (absurd_fields(ret_ev, pdu_len) > 1) {
		const enum btvi_next next = btvi_next_at(d, header + pdu_len, ret_nomem);

		if (next == BTVI_NEXT_UNKNOWN)
			return BTVIZ_NEED_INPUT;
		if (!btvi_begins_well(next)) {
			begin_search(d);
			return BTVIZ_OK;
		}
	}
	if (!check_pdu_len(d, ret_ev, cgroup, header, &pdu_len, ret_nomem))
		return BTVIZ_NEED_INPUT;
	p = btvi_want(d, header + pdu_len, ret_nomem);
	if (!p)
		return d->ended ? torn(d) : BTVIZ_NEED_INPUT;
	if (!btvi_wire_payload(ret_ev, cgroup, p + header, pdu_len, d->big))
		d->health.no_payload++;
	check_fields(d, ret_ev);
	counted = true;
	if (btviz_event_is_note(ret_ev))
		count_note(d, ret_ev);
	else
		counted = count_event(d, ret_ev, ret_nomem);
	if (*ret_nomem)
		return BTVIZ_ERR_NOMEM;
	btvi_use(d, header + pdu_len);
	d->health.versions |= (version == 7 ? 1U : 2U) |
		(d->big != (btvi_native16((const unsigned char *)"\0\1") == 1) ? 4U : 0U);
	if (d->big == (btvi_native16((const unsigned char *)"\0\1") == 1))
		allow_fast(d, version);
	*ret_taken = counted;
	return BTVIZ_OK;
}

static enum btviz_status next_record(
	struct btviz_decoder *d, struct btviz_event *ret_ev, struct btviz_error *err)
{
	bool nomem = false, taken = false;

	/* A piece that was used up need not be there any more: nothing goes back to it. */
	if (d->pos == d->end)
		d->start = d->pos;
	d->fast_end = d->start;
	for (;;) {
		enum btviz_status status = d->searching ? search(d) : BTVIZ_OK;
		const unsigned char *p;
		bool big;
		int version;

		if (status == BTVIZ_END)
			return at_end(d, err);
		if (status == BTVIZ_ERR_NOMEM)
			return btvi_fail_nomem(err);
		if (status != BTVIZ_OK)
			return status;
		p = btvi_want(d, 4, &nomem);
		if (!p) {
			if (!nomem && !d->ended)
				return BTVIZ_NEED_INPUT;
			if (!nomem)
				last_bytes(d, &nomem);
			return nomem ? btvi_fail_nomem(err) : at_end(d, err);
		}
		version = btvi_magic_at(p, &big);
		if (version >= 0 && version != 7 && version != 8 && btvi_offset(d) == 0)
			return btvi_fail(err, BTVIZ_ERR_VERSION,
				"a block trace of version %d: versions 7 and 8 are read", version);
		if (version == 7 || version == 8)
			status = d->order_known && big != d->big
				?
				/* A writer does not change its byte order: other files may follow.
				 */
				check_found(d, version == 8, (unsigned)version, big, &nomem)
				: BTVIZ_OK;
		else
			status = BTVIZ_END;
		if (nomem)
			return btvi_fail_nomem(err);
		if (status == BTVIZ_NEED_INPUT)
			return status;
		if (status == BTVIZ_END) {
			begin_search(d);
			continue;
		}
		d->big = big;
		d->order_known = true;
		if (version == 7 && !d->wide7_known && !btvi_decide_layout(d, &nomem))
			return nomem ? btvi_fail_nomem(err) : BTVIZ_NEED_INPUT;
		status = take_record(d, (unsigned)version, ret_ev, &taken, &nomem);
		if (nomem)
			return btvi_fail_nomem(err);
		if (status == BTVIZ_END)
			return at_end(d, err);
		if (status != BTVIZ_OK || taken)
			return status;
	}
}

enum btviz_status btvi_decoder_next_slow(
	struct btviz_decoder *d, struct btviz_event *ret_ev, struct btviz_error *err)
{
	const enum btviz_status status = next_record(d, ret_ev, err);

	/* The piece goes back to its owner: what is still wanted of it has been carried. */
	if (status == BTVIZ_NEED_INPUT) {
		assert(d->pos == d->end);
		d->start = d->pos;
	}
	return status;
}

enum btviz_status btviz_decoder_next(
	struct btviz_decoder *d, const struct btviz_event **ret_ev, struct btviz_error *err)
{
	const enum btviz_status status = btvi_decoder_next(d, &d->ev, err);

	if (status == BTVIZ_OK)
		*ret_ev = &d->ev;
	return status;
}
