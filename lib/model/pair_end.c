/* pair_end.c - what a completion ends. Knows how disks, md and dm say it.
 *
 * A completion belongs to the oldest open I/O of its place, length and operation. Of several equal
 * ones the oldest may be lost, and is if it is far older than any that ended ever was. Only where
 * there is none of that length it is of a part, or of several. md completes each part by itself, in
 * any order; dm completes the last one only, which stands for the whole: which it is shows when a
 * part other than the last completes, or when I/Os begin and end so without one. */
#include "model/pair_life.h"

enum { SEARCH_MAX = 64 };

/* ---- the ends of bios ------------------------------------------------------------------- */

static void end_io(struct btvi_pair *p, uint32_t b, struct btvi_pair_result *ret)
{
	struct btvi_bio *const bio = &p->bios[b];

	if (bio->known & BTVI_KNOWN_LOST) /* it is forgotten */
		p->lost_ios--;
	else
		p->outstanding--;
	ret->rest_sectors += bio->ahead;
	bio->sibling = ret->done;
	ret->done = b;
}

/* Ends a part; returns whether it was the last one of its I/O. */
static bool finish_part(struct btvi_pair *p, uint32_t b)
{
	const uint32_t whole = p->bios[b].whole;
	struct btvi_bio *w = &p->bios[whole];

	w->remaining -= p->bios[b].sectors < w->remaining ? p->bios[b].sectors : w->remaining;
	btvi_part_remove(p, b);
	btvi_bio_free(p, b);
	return w->newer == whole;
}

static inline void finish(struct btvi_pair *p, uint32_t b, struct btvi_pair_result *ret)
{
	const uint32_t whole = p->bios[b].whole;

	if (p->bios[b].known & BTVI_KNOWN_APPEND)
		btvi_list_remove(p, &p->appends, b);
	if (whole != BTVI_NONE) {
		if (!finish_part(p, b))
			return;
		b = whole;
	}
	p->bios[b].known &= (uint8_t)~BTVI_KNOWN_TAIL; /* it ends now, not with its last part */
	end_io(p, b, ret);
}

void btvi_bio_finish(struct btvi_pair *p, uint32_t b, struct btvi_pair_result *ret)
{
	finish(p, b, ret);
}

void btvi_pace_note(struct btvi_pace *pace, uint64_t since_ns, uint64_t now_ns)
{
	if (now_ns < since_ns)
		return;
	if (now_ns - since_ns > pace->longest_ns)
		pace->longest_ns = now_ns - since_ns;
	if (since_ns > pace->newest_ns)
		pace->newest_ns = since_ns;
}

/* A bio is about to be over. */
static inline void note_bio(struct btvi_pair *p, uint32_t b, uint64_t now_ns)
{
	btvi_io_find_again(p, p->bios[b].whole == BTVI_NONE ? b : p->bios[b].whole);
	if (p->bios[b].whole == BTVI_NONE || p->bios[p->bios[b].whole].newer == b)
		btvi_pace_note(&p->io_pace, p->bios[b].queue_ns, now_ns);
}

/* ---- of a part -------------------------------------------------------------------------- */

/* Ends an I/O of which only the last part completed, then. */
static void end_by_tail(struct btvi_pair *p, uint32_t io, struct btvi_pair_result *ret)
{
	struct btvi_bio *const bio = &p->bios[io];

	while (bio->has_parts && bio->newer != io) {
		const uint32_t part = bio->newer;

		btvi_bio_unhash(p, part);
		btvi_part_remove(p, part);
		btvi_bio_free(p, part);
	}
	btvi_bio_unhash(p, io);
	ret->rest_sectors += bio->remaining;
	end_io(p, io, ret);
}

/* A second I/O, begun after a first one's last part completed, shows the way of this device: all
 * whose last part completed are over since then. */
static void learn_tails(struct btvi_pair *p, struct btvi_pair_result *ret)
{
	p->tails_end = true;
	for (uint32_t b = 0; b < p->bio_capacity; b++) {
		struct btvi_bio *const bio = &p->bios[b];

		if (!bio->open || !(bio->known & BTVI_KNOWN_TAIL))
			continue;
		btvi_io_find_again(p, b);
		btvi_pace_note(&p->io_pace, bio->queue_ns, bio->tail_ns);
		end_by_tail(p, b, ret);
		if (p->loss_count < BTVI_LOSSES_MAX)
			p->losses[p->loss_count++] =
				(struct btvi_loss){ bio->tail_ns, false, BTVI_WHY_OVER };
	}
}

/* A part of an I/O completed, and the I/O goes on; tail says whether it is its end. */
static void note_part(
	struct btvi_pair *p, uint32_t io, bool tail, uint64_t now_ns, struct btvi_pair_result *ret)
{
	struct btvi_bio *const bio = &p->bios[io];

	if (p->request_based || bio->op == BTVIZ_OP_PC)
		return;
	if (!tail || (bio->known & BTVI_KNOWN_TAIL)) {
		p->parts_end = true;
		p->tails_end = false;
	}
	if (!tail || p->parts_end)
		return;
	if (p->tails_end) {
		note_bio(p, io, now_ns);
		end_by_tail(p, io, ret);
		return;
	}
	bio->known |= BTVI_KNOWN_TAIL;
	bio->tail_ns = now_ns;
	if (p->tail_ns == 0)
		p->tail_ns = now_ns;
	else if (bio->queue_ns >= p->tail_ns)
		learn_tails(p, ret);
}

/* What lies in the completed stretch ends, or a part of it. */
static void complete_stretch(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, struct btvi_pair_result *ret)
{
	const uint64_t end = ev->sector + btvi_sectors_of(ev);

	for (uint64_t at = ev->sector; at < end;) {
		const uint32_t b = btvi_bio_next_in(p, &at, end, op, true);

		if (b == BTVI_NONE)
			break;
		struct btvi_bio *const bio = &p->bios[b];
		const uint32_t whole = bio->whole, io = whole == BTVI_NONE ? b : whole;
		const uint64_t bio_end = bio->sector + bio->sectors;
		const uint64_t stop = bio_end < end ? bio_end : end;
		const uint32_t n = (uint32_t)(stop - at);
		const bool tail =
			at > bio->sector && stop == p->bios[io].sector + p->bios[io].sectors;

		ret->matched = true;
		at = stop;
		bio->remaining -= n < bio->remaining ? n : bio->remaining;
		if (bio->remaining == 0 || ev->error != 0) {
			btvi_bio_unhash(p, b);
			note_bio(p, b, ev->time_ns);
			finish(p, b, ret);
		} else {
			note_part(p, io, tail, ev->time_ns, ret);
		}
	}
}

/* The whole of a bio completed; it may be a part of an I/O. */
static void complete_bio(
	struct btvi_pair *p, uint32_t b, uint64_t now_ns, struct btvi_pair_result *ret)
{
	const uint32_t io = p->bios[b].whole;
	const uint64_t end = p->bios[b].sector + p->bios[b].sectors;
	const bool front = io != BTVI_NONE && p->bios[b].sector == p->bios[io].sector;

	ret->matched = true;
	btvi_bio_unhash(p, b);
	note_bio(p, b, now_ns);
	finish(p, b, ret);
	if (io != BTVI_NONE && p->bios[io].newer != io && p->bios[io].open)
		note_part(p, io, !front && end == p->bios[io].sector + p->bios[io].sectors, now_ns,
			ret);
}

/* ---- of a request ----------------------------------------------------------------------- */

/* A native zone append completes where it was written, which is not where it was issued. */
static uint32_t find_append(const struct btvi_pair *p, const struct btviz_event *ev)
{
	uint32_t r = p->oldest_request;

	for (unsigned i = 0; r != BTVI_NONE && i < SEARCH_MAX; i++, r = p->requests[r].newer) {
		const struct btvi_request *rq = &p->requests[r];

		if (rq->append && rq->end - rq->sector == btvi_sectors_of(ev) &&
			rq->sector <= ev->sector)
			return r;
	}
	return BTVI_NONE;
}

static enum btviz_status complete_request(
	struct btvi_pair *p, uint32_t r, const struct btviz_event *ev, struct btvi_pair_result *ret)
{
	struct btvi_request *rq = &p->requests[r];
	const uint64_t end = ev->sector + btvi_sectors_of(ev);
	const bool part = !rq->append && ev->error == 0 && end < rq->end;

	ret->matched = true;
	btvi_request_find_again(p, r);
	btvi_request_unhash(p, r);
	while (rq->first != BTVI_NONE) {
		const uint32_t b = rq->first;

		if (part && p->bios[b].sector + p->bios[b].sectors > end)
			break;
		rq->first = p->bios[b].sibling;
		note_bio(p, b, ev->time_ns);
		finish(p, b, ret);
	}
	if (part) {
		ret->part = true;
		rq->sector = end;
		return btvi_request_hash(p, r) ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
	}
	btvi_pace_note(&p->request_pace, rq->issue_ns, ev->time_ns);
	ret->d2c_ns = btvi_since(rq->issue_ns, ev->time_ns);
	ret->have |= BTVI_HAVE_D2C;
	btvi_request_free(p, r);
	return BTVIZ_OK;
}

static uint32_t find_request(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, uint64_t end)
{
	const uint32_t r = btvi_request_find(p, ev->sector, end, op);

	if (r == BTVI_NONE)
		return ev->categories & BTVIZ_CAT_ZONE_APPEND ? find_append(p, ev) : BTVI_NONE;
	if (btvi_is_stale(&p->request_pace, p->requests[r].issue_ns, ev->time_ns)) {
		const uint32_t younger = btvi_request_next_equal(p, r);

		if (younger != BTVI_NONE &&
			!btvi_is_stale(
				&p->request_pace, p->requests[younger].issue_ns, ev->time_ns)) {
			if (!p->requests[r].lost)
				btvi_request_lose(p, r);
			return younger;
		}
	}
	return r;
}

static uint32_t find_bio(struct btvi_pair *p, const struct btviz_event *ev, uint8_t op)
{
	const uint32_t sectors = btvi_sectors_of(ev);
	const uint32_t b = btvi_bio_find(p, ev->sector, sectors, op, BTVI_KNOWN_LOST);

	if (b == BTVI_NONE)
		return btvi_bio_find(p, ev->sector, sectors, op, 0);
	if (btvi_is_stale(&p->io_pace, p->bios[b].queue_ns, ev->time_ns)) {
		const uint32_t younger = btvi_bio_next_equal(p, b);

		if (younger != BTVI_NONE &&
			!btvi_is_stale(&p->io_pace, p->bios[younger].queue_ns, ev->time_ns)) {
			if (p->bios[b].whole == BTVI_NONE)
				btvi_io_lose(p, b);
			return younger;
		}
	}
	return b;
}

/* ---- repeats ---------------------------------------------------------------------------- */

static void remember(struct btvi_pair *p, const struct btviz_event *ev, uint8_t op)
{
	const unsigned i = p->recent_count++ % BTVI_RECENT_MAX;

	p->recent[i].sector = ev->sector;
	p->recent[i].sectors = btvi_sectors_of(ev);
	p->recent[i].op = op;
}

/* Whether all of it completed a short while ago. */
static bool is_repeat(const struct btvi_pair *p, const struct btviz_event *ev, uint8_t op)
{
	const uint32_t n = p->recent_count < BTVI_RECENT_MAX ? p->recent_count : BTVI_RECENT_MAX;
	const uint64_t end = ev->sector + btvi_sectors_of(ev);

	for (uint32_t i = 0; i < n; i++)
		if (p->recent[i].op == op && p->recent[i].sector <= ev->sector &&
			p->recent[i].sector + p->recent[i].sectors >= end)
			return true;
	return false;
}

enum btviz_status btvi_pair_complete(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, struct btvi_pair_result *ret)
{
	const uint64_t end = ev->sector + btvi_sectors_of(ev);
	enum btviz_status status = BTVIZ_OK;
	uint32_t r, b;

	/* Zone appends end twice; the second event lacks the category. */
	if (!(ev->categories & BTVIZ_CAT_COMPLETE)) {
		ret->matched = ret->extra = true;
		return BTVIZ_OK;
	}
	r = find_request(p, ev, op, end);
	if (r != BTVI_NONE) {
		status = complete_request(p, r, ev, ret);
	} else if (op != BTVIZ_OP_PC) {
		/* A bio device, or a D that was lost. */
		b = find_bio(p, ev, op);
		if (b != BTVI_NONE)
			complete_bio(p, b, ev->time_ns, ret);
		else
			complete_stretch(p, ev, op, ret);
		ret->unissued = ret->matched && p->request_based;
	}
	if (ret->matched) {
		remember(p, ev, op);
	} else if ((p->queued || p->request_based) && is_repeat(p, ev, op)) {
		p->repeats++;
		ret->matched = ret->extra = true;
	}
	btvi_pair_look_for_lost(p);
	return status;
}
