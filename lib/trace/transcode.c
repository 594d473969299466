/* transcode.c - saved recordings of the blk tracer to ordinary streams. Holds back what does not
 * make a whole page or record yet; knows pages through ring.c and the text between records itself.
 */
#include "trace/transcode.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/status.h"
#include "trace/ring.h"
#include "trace/wire.h"
#include "trace/numbering.h"

enum {
	V7 = BTVI_WIRE_V7_SIZE,
	V8 = BTVI_WIRE_V8_SIZE,
	NOTIFY = 1 << 26,
	CONTEXT = 16, /* bytes before each record with the option context-info */
	LINE_MAX = 64,
	SENSE_MIN = 2,                                /* of 4: an action, or a device and a CPU */
	RING_SIZE_HELD = 2 * BTVI_RING_PAGE_MAX + 16, /* to tell the size of pages from */
};

struct btvi_transcoder {
	enum btvi_stream_kind kind;
	struct btvi_ring ring;
	size_t page_size; /* of the ring, 0: not yet known */
	struct btvi_numbering sequence;
	struct btvi_transcoder_stats stats;
	unsigned char *held;
	size_t held_size, held_room;
	unsigned char *out;
	size_t out_size, out_room;
	uint64_t offset; /* of held[0] in the input */
	bool in_bad;     /* the byte before was bad too */
};

static void put_le32(unsigned char *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (unsigned char)(v >> 8 * i);
}

struct btvi_transcoder *btvi_transcoder_new(enum btvi_stream_kind kind)
{
	struct btvi_transcoder *t = calloc(1, sizeof *t);

	if (t)
		t->kind = kind;
	return t;
}

void btvi_transcoder_free(struct btvi_transcoder *t)
{
	if (!t)
		return;
	btvi_numbering_done(&t->sequence);
	free(t->held);
	free(t->out);
	free(t);
}

const struct btvi_transcoder_stats *btvi_transcoder_stats(const struct btvi_transcoder *t)
{
	return &t->stats;
}

static bool reserve(unsigned char **buffer, size_t *room, size_t need)
{
	unsigned char *more;
	size_t n = *room ? *room : 65536;

	if (need <= *room)
		return true;
	while (n < need)
		n *= 2;
	more = realloc(*buffer, n);
	if (!more)
		return false;
	*buffer = more;
	*room = n;
	return true;
}

static void count_bad(struct btvi_transcoder *t, size_t at, size_t bytes)
{
	if (!t->in_bad && t->stats.bad_stretches++ == 0)
		t->stats.first_bad_offset = t->offset + at;
	t->stats.bad_bytes += bytes;
	t->in_bad = true;
}

/* ---- pages --------------------------------------------------------------------------------- */

static bool take_page(struct btvi_transcoder *t, size_t at, size_t size)
{
	struct btvi_ring_page page;
	struct btvi_ring_entry entry;
	const uint64_t bad_before = t->ring.bad_bytes;

	if (!btvi_ring_page_begin(&t->ring, &page, t->held + at, size)) {
		count_bad(t, at, size);
		return true;
	}
	t->in_bad = false;
	btvi_numbering_lose(&t->sequence, page.lost_unknown ? 1 : page.lost);
	t->stats.losses_unsized += page.lost_unknown;
	while (btvi_ring_page_next(&t->ring, &page, &entry)) {
		if (!reserve(&t->out, &t->out_room, t->out_size + entry.size))
			return false;
		btvi_ring_record(&entry,
			entry.note ? 0 : btvi_numbering_next(&t->sequence, entry.device),
			t->out + t->out_size);
		t->out_size += entry.size;
	}
	if (t->ring.bad_bytes > bad_before) {
		count_bad(t, at, (size_t)(t->ring.bad_bytes - bad_before));
		t->in_bad = false;
	}
	t->stats.torn_tails += page.torn;
	t->stats.skipped_entries = t->ring.skipped_entries + t->ring.bad_entries;
	return true;
}

/* Takes what is whole; returns the bytes used, or SIZE_MAX without memory. */
static size_t take_pages(struct btvi_transcoder *t, bool end)
{
	size_t at = 0;

	if (t->page_size == 0) {
		if (!end && t->held_size < RING_SIZE_HELD)
			return 0;
		t->page_size = btvi_ring_page_size(t->held, t->held_size, end);
		if (t->page_size == 0)
			t->page_size = BTVI_RING_PAGE_MIN;
	}
	while (t->held_size - at >= t->page_size) {
		if (!take_page(t, at, t->page_size))
			return SIZE_MAX;
		at += t->page_size;
	}
	if (end && at < t->held_size) {
		if (!take_page(t, at, t->held_size - at))
			return SIZE_MAX;
		at = t->held_size;
	}
	return at;
}

/* ---- trace_pipe ----------------------------------------------------------------------------- */

enum piece { PIECE_BAD, PIECE_MORE, PIECE_TORN, PIECE_LINE, PIECE_V7, PIECE_CUT, PIECE_V8 };

static bool begins(const unsigned char *p, size_t size, const char *text)
{
	const size_t n = strlen(text);

	return size >= n && memcmp(p, text, n) == 0;
}

/* The digits at p as a number, saturated; *p ends behind them. */
static bool digits(const unsigned char **p, const unsigned char *end, uint64_t *ret)
{
	const unsigned char *const begin = *p;
	uint64_t n = 0;

	for (; *p < end && **p >= '0' && **p <= '9'; (*p)++)
		n = n < UINT64_MAX / 16 ? n * 10 + (uint64_t)(**p - '0') : n;
	*ret = n;
	return *p > begin;
}

/* "CPU:1 [LOST 21660 EVENTS]", "CPU:1 [LOST EVENTS]", "type: 5", each with a line's end. */
static enum piece look_at_line(
	const unsigned char *p, size_t size, bool end, size_t *ret_size, uint64_t *ret_lost)
{
	const unsigned char *nl = memchr(p, '\n', size < LINE_MAX ? size : LINE_MAX);
	const unsigned char *c;
	uint64_t n;

	if (!nl)
		return size >= LINE_MAX ? PIECE_BAD : end ? PIECE_TORN : PIECE_MORE;
	*ret_size = (size_t)(nl - p) + 1;
	*ret_lost = 0;
	if (begins(p, size, "type: ")) {
		c = p + 6;
		return digits(&c, nl, &n) && c == nl ? PIECE_LINE : PIECE_BAD;
	}
	c = p + 4;
	if (!digits(&c, nl, &n) || !begins(c, (size_t)(nl - c), " [LOST "))
		return PIECE_BAD;
	c += 7;
	if (digits(&c, nl, ret_lost) && c < nl)
		c++;
	else
		*ret_lost = 0;
	return (size_t)(nl - c) == 7 && begins(c, 7, "EVENTS]") ? PIECE_LINE : PIECE_BAD;
}

static bool is_mark(const unsigned char *p, size_t size)
{
	return begins(p, size, "\x07\x74\x61\x65") || begins(p, size, "\x08\x74\x61\x65") ||
		begins(p, size, "CPU:") || begins(p, size, "type:");
}

/* Whether an action can be one: a number with a meaning, some category, one direction at most. A
 * thread's number, which stands there in the other order of fields, is hardly ever like that. */
static bool is_action(uint32_t action)
{
	const unsigned event = action & 0xffff & ~BTVI_WIRE_CGROUP_BIT;
	const uint32_t categories = action >> 16;
	const uint32_t directions = categories & (BTVIZ_CAT_READ | BTVIZ_CAT_WRITE);

	if (categories & BTVIZ_CAT_NOTIFY)
		return event <= BTVIZ_NOTE_MESSAGE;
	return btvi_event_is_known(event) && categories != 0 &&
		directions != (BTVIZ_CAT_READ | BTVIZ_CAT_WRITE);
}

/* How many of the fields that differ make sense in the order of version 7, or of 8. */
static unsigned sense(const unsigned char *p, bool v8_layout)
{
	const unsigned char *const action =
		p + (v8_layout ? BTVI_WIRE_V8_ACTION : BTVI_WIRE_V7_ACTION);
	const unsigned char *const device =
		p + (v8_layout ? BTVI_WIRE_V8_DEVICE : BTVI_WIRE_V7_DEVICE);
	const unsigned char *const cpu = p + (v8_layout ? BTVI_WIRE_V8_CPU : BTVI_WIRE_V7_CPU);

	return 2U * is_action(btvi_le32(action)) + (btvi_le32(device) >> 20 != 0) +
		(btvi_le32(cpu) < BTVI_CPU_MAX);
}

/* What stands at p, and how long it is. */
static enum piece look(
	const unsigned char *p, size_t size, bool end, size_t *ret_size, uint64_t *ret_lost)
{
	enum piece piece;

	if (begins(p, size, "CPU:") || begins(p, size, "type:"))
		return look_at_line(p, size, end, ret_size, ret_lost);
	if (!is_mark(p, size))
		return !end && size < 5 ? PIECE_MORE : PIECE_BAD;
	if (size < V8 && !end)
		return PIECE_MORE;
	if (size < (p[0] == 8 ? (size_t)V8 : (size_t)V7))
		return PIECE_TORN;
	if (p[0] == 8) {
		if (btvi_le32(p + 44) >= BTVI_CPU_MAX)
			return PIECE_BAD;
		piece = PIECE_V8;
		*ret_size = V8 + btvi_le16(p + 50);
	} else if (sense(p, false) >= SENSE_MIN && sense(p, false) >= sense(p, true)) {
		piece = PIECE_V7;
		*ret_size = V7 + btvi_le16(p + 46);
	} else if (sense(p, true) >= SENSE_MIN) {
		/* Version 8 order under a 7, cut to 48 bytes and as many more as the payload had:
		 * they begin with error and the payload's length. Without payload the next thing
		 * follows. */
		piece = PIECE_CUT;
		*ret_size = V7;
		if (size >= V7 + 5 ? !is_mark(p + V7, size - V7) : size > V7)
			*ret_size = size >= V7 + 4 ? (size_t)V7 + btvi_le16(p + V7 + 2) : size;
		if (*ret_size > V7 && *ret_size < V7 + 4)
			return PIECE_BAD;
	} else {
		return PIECE_BAD;
	}
	if (*ret_size > size)
		return end ? PIECE_TORN : PIECE_MORE;
	return piece;
}

/* Writes one record with a sequence of its own. */
static bool put_record(
	struct btvi_transcoder *t, const unsigned char *p, size_t size, enum piece piece)
{
	const bool v7 = piece == PIECE_V7;
	unsigned char *out;
	bool note;
	size_t have;

	if (!reserve(&t->out, &t->out_room, t->out_size + size + (V8 - V7)))
		return false;
	out = t->out + t->out_size;
	if (piece == PIECE_CUT) {
		/* Of the payload, what lies behind error, length and padding. */
		const size_t payload = size > V8 ? size - V8 : 0;

		memset(out, 0, V8);
		memcpy(out, p, V7);
		out[0] = 8;
		if (size > V7)
			memcpy(out + 48, p + V7, 2);
		out[50] = (unsigned char)payload;
		out[51] = (unsigned char)(payload >> 8);
		memcpy(out + V8, p + V8, payload);
		have = V8 + payload;
		t->stats.cut_records++;
	} else {
		memcpy(out, p, size);
		have = size;
	}
	note = (btvi_le32(out + (v7 ? 28 : 32)) & NOTIFY) != 0;
	put_le32(out + 4,
		note ? 0 : btvi_numbering_next(&t->sequence, btvi_le32(out + (v7 ? 36 : 40))));
	if (note) {
		/* Sector, bytes and error of a note are left-overs. */
		memset(out + 16, 0, 12);
		memset(out + (v7 ? 44 : 48), 0, 2);
	}
	t->out_size += have;
	return true;
}

/* Takes what is whole; returns the bytes used, or SIZE_MAX without memory. */
static size_t take_pipe(struct btvi_transcoder *t, bool end)
{
	size_t at = 0;

	while (at < t->held_size) {
		const unsigned char *p = t->held + at;
		const size_t left = t->held_size - at;
		size_t size = 0;
		uint64_t lost = 0;
		enum piece piece = look(p, left, end, &size, &lost);

		if (piece == PIECE_BAD && !t->in_bad && !is_mark(p, left)) {
			if (!end && left < CONTEXT + 5)
				break;
			if (left > CONTEXT && is_mark(p + CONTEXT, left - CONTEXT)) {
				at += CONTEXT;
				continue;
			}
		}
		if (piece == PIECE_MORE)
			break;
		if (piece == PIECE_TORN) {
			t->stats.torn_tails++;
			return t->held_size;
		}
		if (piece == PIECE_BAD) {
			count_bad(t, at++, 1);
			continue;
		}
		t->in_bad = false;
		if (piece == PIECE_LINE) {
			const bool loss = p[0] == 'C';

			btvi_numbering_lose(&t->sequence, loss && lost == 0 ? 1 : lost);
			t->stats.losses_unsized += loss && lost == 0;
			t->stats.skipped_entries += !loss;
		} else if (!put_record(t, p, size, piece)) {
			return SIZE_MAX;
		}
		at += size;
	}
	return at;
}

enum btviz_status btvi_transcoder_put(struct btvi_transcoder *t, const unsigned char *bytes,
	size_t size, bool end, const unsigned char **ret_out, size_t *ret_size,
	struct btviz_error *err)
{
	size_t used;

	t->out_size = 0;
	if (size > SIZE_MAX / 4 || !reserve(&t->held, &t->held_room, t->held_size + size))
		return btvi_fail_nomem(err);
	if (size > 0)
		memcpy(t->held + t->held_size, bytes, size);
	t->held_size += size;
	used = t->kind == BTVI_STREAM_RING ? take_pages(t, end) : take_pipe(t, end);
	if (used == SIZE_MAX)
		return btvi_fail_nomem(err);
	if (used > 0)
		memmove(t->held, t->held + used, t->held_size - used);
	t->held_size -= used;
	t->offset += used;
	if (end)
		t->stats.lost_at_end = t->sequence.pending;
	*ret_out = t->out;
	*ret_size = t->out_size;
	return BTVIZ_OK;
}

/* ---- what a stream is ------------------------------------------------------------------------ */

/* Whether an ordinary-looking stream came from trace_pipe: its I/O events have no sequence number,
 * which blktrace's always have; or it begins with one of the lines. */
enum btvi_sniffed btvi_pipe_sniff(const unsigned char *p, size_t size, bool end)
{
	size_t at = 0;

	while (at < size) {
		size_t piece_size;
		uint64_t lost;
		const enum piece piece = look(p + at, size - at, end, &piece_size, &lost);

		if (piece == PIECE_LINE || piece == PIECE_CUT)
			return BTVI_SNIFFED_YES;
		if (piece == PIECE_MORE)
			return BTVI_SNIFFED_MORE;
		if (piece == PIECE_TORN)
			return BTVI_SNIFFED_NO;
		if (piece == PIECE_BAD)
			return !end && size - at <= CONTEXT + V7 ? BTVI_SNIFFED_MORE
				: size - at > CONTEXT + V7 && !is_mark(p + at, size - at) &&
					btvi_le32(p + at + CONTEXT) == (BTVI_WIRE_MAGIC | 7) &&
					btvi_le32(p + at + CONTEXT + 4) == 0
				? BTVI_SNIFFED_YES
				: BTVI_SNIFFED_NO;
		if (!(btvi_le32(p + at + (piece == PIECE_V7 ? 28 : 32)) & NOTIFY))
			return btvi_le32(p + at + 4) == 0 ? BTVI_SNIFFED_YES : BTVI_SNIFFED_NO;
		at += piece_size;
	}
	return end ? BTVI_SNIFFED_NO : BTVI_SNIFFED_MORE;
}

bool btvi_pipe_mark(const unsigned char *p, size_t size)
{
	return is_mark(p, size);
}
