/* decode.c - one stream of bytes to records: all that is not the ordinary case. No input of its
 * own, no memory but the carry; what is damaged is counted and passed over. Pieces may be of any
 * size: the result never depends on where they are cut. */
#include "trace/decode.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "trace/carry.h"
#include "trace/plausible.h"
#include "trace/layout.h"
#include "trace/neighbours.h"
#include "trace/resync.h"

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

static bool is_native(const struct btviz_decoder *d)
{
	return d->big == (btvi_native16((const unsigned char *)"\0\1") == 1);
}

/* The fast path may go on from here, if these are records for it and the piece has whole ones left.
 */
static void allow_fast(struct btviz_decoder *d, unsigned version)
{
	const bool possible = is_native(d) && btvi_carried(d) == 0 && !(version == 7 && d->wide7);

	d->fast_magic = BTVI_WIRE_MAGIC | version;
	d->fast_end = d->start;
	if (possible && (size_t)(d->end - d->pos) >= BTVI_DECODE_FAST_MAX)
		d->fast_end = d->end - (BTVI_DECODE_FAST_MAX - 1);
}

/* ---- one record ------------------------------------------------------------------------------ */

/* A record whose neighbours contradict its time: no event, but no loss either. */
static void set_aside(struct btviz_decoder *d, const struct btviz_event *ev)
{
	struct btviz_health *const h = &d->health;

	if (h->wrong_times++ > 0)
		return;
	h->wrong_time_ns = ev->time_ns;
	h->wrong_time_device = ev->device;
	h->wrong_time_cpu = ev->cpu;
	h->wrong_time_sequence = ev->sequence;
}

/* Whether the sequence can be asked about the record. Where its CPU is not known it may be the next
 * one of the CPU before it, or of any other. */
static bool has_place(const struct btviz_decoder *d, const struct btviz_event *ev, unsigned odd)
{
	const struct btvi_sequence_lane *const lane =
		odd & BTVI_ODD_CPU ? btvi_sequence_lane(&d->sequence, ev->device, ev->cpu) : NULL;

	return !lane || lane->next == ev->sequence;
}

/* Takes the event's sequence number, at that time. False where the event is one that was there
 * before, or its time is wrong. */
static bool count_sequence(struct btviz_decoder *d, struct btviz_event *ev, uint64_t time_ns)
{
	uint32_t lost = 0;

	if (btvi_sequence_follows(&d->sequence, ev->device, ev->cpu, ev->sequence, d->last_ns))
		return true;
	switch (btvi_sequence_take(
		&d->sequence, ev->device, ev->cpu, ev->sequence, time_ns, d->last_ns, &lost)) {
	case BTVI_SEQUENCE_FOLLOWS:
		break;
	case BTVI_SEQUENCE_HOLE:
		ev->flags |= BTVIZ_EV_LOSS;
		ev->lost_before = lost;
		d->health.lost_events += lost;
		d->health.sequence_holes++;
		break;
	case BTVI_SEQUENCE_FILLS:
		d->health.lost_events -= d->health.lost_events > 0;
		break;
	case BTVI_SEQUENCE_FILLS_LATE:
		d->health.lost_events -= d->health.lost_events > 0;
		set_aside(d, ev);
		return false;
	case BTVI_SEQUENCE_REPEATED:
		d->health.repeated_events++;
		return false;
	case BTVI_SEQUENCE_ODD:
		d->health.odd_fields++;
		break;
	case BTVI_SEQUENCE_NOMEM:
		d->nomem = true;
		break;
	}
	return true;
}

/* Counts the event; false where it is none. */
static bool count_event(struct btviz_decoder *d, struct btviz_event *ev, unsigned odd)
{
	if (!btvi_event_is_known(ev->event)) {
		ev->flags |= BTVIZ_EV_UNKNOWN;
		d->health.unknown_actions++;
	}
	if (has_place(d, ev, odd) && !count_sequence(d, ev, ev->time_ns))
		return false;
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

/* ---- the steps together ---------------------------------------------------------------------- */

static enum btviz_status at_end(struct btviz_decoder *d, struct btviz_error *err)
{
	const struct btviz_health *const h = &d->health;
	bool text = true;

	if (h->events + h->notes + h->torn_tails + h->wrong_times > 0 || h->bytes == 0)
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
	if (d->gave_up)
		return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
			"no block trace: given up, as none of its first %llu MB begins a record (it starts "
			"with %02x %02x %02x %02x)",
			BTVI_SEARCH_MAX_BYTES / 1000000, d->head[0], d->head[1], d->head[2],
			d->head[3]);
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
static enum btviz_status last_bytes(struct btviz_decoder *d)
{
	static const unsigned char tail[3] = { 0x74, 0x61, 0x65 };
	const size_t n = btvi_available(d);
	const unsigned char *const p = btvi_want(d, n);
	bool little = !d->order_known || !d->big, big = !d->order_known || d->big;

	if (!p || n == 0)
		return BTVIZ_END;
	for (size_t i = 0; i < n; i++) {
		big &= p[i] == tail[2 - i];
		little &= i == 0 ? p[0] == 7 || p[0] == 8 : p[i] == tail[i - 1];
	}
	if (little || big)
		return torn(d);
	btvi_begin_search(d);
	d->searching = false;
	btvi_skip_bad(d, btvi_available(d));
	return BTVIZ_END;
}

/* Waits for the record's other bytes, or for those behind it; where there are none it is torn. */
static enum btviz_status wait_or_torn(struct btviz_decoder *d)
{
	return btvi_is_all(d) ? torn(d) : BTVIZ_NEED_INPUT;
}

/* Whether a header with so many odd fields is one: what stands behind it tells. */
static enum btviz_status check_header(struct btviz_decoder *d, unsigned odd, size_t size)
{
	enum btvi_next next;

	if ((odd & (odd - 1)) == 0)
		return BTVIZ_OK;
	next = btvi_next_at(d, size);
	if (next == BTVI_NEXT_UNKNOWN)
		return BTVIZ_NEED_INPUT;
	return btvi_begins_well(next) ? BTVIZ_OK : BTVIZ_END;
}

/* Takes the record that begins here. BTVIZ_OK with *ret_taken false: it was passed over. Nothing is
 * changed or counted before it is sure that no byte is lacking. */
static enum btviz_status take_record(
	struct btviz_decoder *d, unsigned version, struct btviz_event *ret_ev, bool *ret_taken)
{
	const bool v8_layout = version == 8 || d->wide7;
	const size_t header = v8_layout ? BTVI_WIRE_V8_SIZE : BTVI_WIRE_V7_SIZE;
	const unsigned char *p = btvi_want(d, header);
	enum btviz_status status, contradicted = BTVIZ_END;
	unsigned pdu_len, said, odd;
	uint64_t before_ns = 0;
	bool cgroup;

	*ret_taken = false;
	if (!p)
		return wait_or_torn(d);
	pdu_len = said = btvi_wire_header(p, v8_layout, version, d->big, ret_ev);
	cgroup = (btvi_wire_action_low(p, v8_layout, d->big) & BTVI_WIRE_CGROUP_BIT) != 0;
	odd = btvi_odd_fields(ret_ev, pdu_len);
	status = check_header(d, odd, header + pdu_len);
	if (status == BTVIZ_END)
		btvi_begin_search(d);
	if (status != BTVIZ_OK)
		return status == BTVIZ_END ? BTVIZ_OK : status;
	if (!btvi_mend_length(d, ret_ev, cgroup, header, &pdu_len))
		return BTVIZ_NEED_INPUT;
	if (!btviz_event_is_note(ret_ev) && !(odd & (BTVI_ODD_CPU | BTVI_ODD_TIME)))
		contradicted = btvi_contradict_time(d, ret_ev, header + pdu_len, &before_ns);
	if (contradicted == BTVIZ_NEED_INPUT)
		return contradicted;
	p = btvi_want(d, header + pdu_len);
	if (!p)
		return wait_or_torn(d);
	if (!btvi_wire_payload(ret_ev, cgroup, p + header, pdu_len, d->big))
		d->health.no_payload++;
	d->health.odd_fields += pdu_len != said;
	btvi_mend_fields(d, ret_ev, odd);
	if (btviz_event_is_note(ret_ev)) {
		count_note(d, ret_ev);
		*ret_taken = true;
	} else if (contradicted == BTVIZ_OK) {
		count_sequence(d, ret_ev, before_ns);
		set_aside(d, ret_ev);
		d->last_ns = before_ns;
	} else {
		*ret_taken = count_event(d, ret_ev, odd);
	}
	btvi_use(d, header + pdu_len);
	d->health.versions |= (version == 7 ? 1U : 2U) | (is_native(d) ? 0U : 4U);
	allow_fast(d, version);
	return BTVIZ_OK;
}

/* Whether a record begins at p, as far as its first four bytes tell. BTVIZ_OK, BTVIZ_END: none
 * does; BTVIZ_NEED_INPUT; or BTVIZ_ERR_VERSION. */
static enum btviz_status check_magic(struct btviz_decoder *d, const unsigned char *p,
	unsigned *ret_version, struct btviz_error *err)
{
	bool big = false;
	const int version = btvi_magic_at(p, &big);
	enum btviz_status status = BTVIZ_OK;

	if (version >= 0 && version != 7 && version != 8 && btvi_offset(d) == 0)
		return btvi_fail(err, BTVIZ_ERR_VERSION,
			"a block trace of version %d: versions 7 and 8 are read", version);
	if (version != 7 && version != 8)
		return BTVIZ_END;
	/* A writer does not change its byte order: other files may follow. */
	if (d->order_known && big != d->big)
		status = btvi_check_found(d, version == 8, (unsigned)version, big);
	if (status == BTVIZ_OK) {
		d->big = big;
		d->order_known = true;
		*ret_version = (unsigned)version;
	}
	return status;
}

static enum btviz_status next_record(
	struct btviz_decoder *d, struct btviz_event *ret_ev, struct btviz_error *err)
{
	bool taken = false;

	/* A piece that was used up need not be there any more: nothing goes back to it. */
	if (d->pos == d->end)
		d->start = d->pos;
	d->fast_end = d->start;
	if (d->gave_up)
		return at_end(d, err);
	for (;;) {
		enum btviz_status status = d->searching ? btvi_search(d) : BTVIZ_OK;
		const unsigned char *p;
		unsigned version = 0;

		if (status != BTVIZ_OK)
			return status == BTVIZ_END ? at_end(d, err) : status;
		p = btvi_want(d, 4);
		if (!p && !btvi_is_all(d))
			return BTVIZ_NEED_INPUT;
		if (!p) {
			last_bytes(d);
			return at_end(d, err);
		}
		status = check_magic(d, p, &version, err);
		if (status == BTVIZ_END) {
			btvi_begin_search(d);
			continue;
		}
		if (status != BTVIZ_OK)
			return status;
		if (version == 7 && !d->wide7_known && !btvi_decide_layout(d))
			return BTVIZ_NEED_INPUT;
		status = take_record(d, version, ret_ev, &taken);
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

	if (d->nomem)
		return btvi_fail_nomem(err);
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
