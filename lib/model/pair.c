/* pair.c - follows each I/O of one device from its queueing to its completion. Knows events and
 * their order; does not measure: what ended is reported, and added up elsewhere.
 *
 * Two rules keep it right on damaged traces. Of several open I/Os at one place the newest is taken:
 * where all complete, the sum of the latencies is the same in any order, and where one's completion
 * was lost, the newest is the one that did complete. And an I/O overtaken by very many others for a
 * long time is given up as lost, since it would count as outstanding for ever. */
#include "model/pair.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "model/pair_table.h"
#include "model/pair_zero.h"

enum { SEARCH_MAX = 64, OVERTAKEN_MAX = 65536 };
#define GIVE_UP_NS UINT64_C(30000000000)

void btvi_pair_init(struct btvi_pair *p)
{
	memset(p, 0, sizeof *p);
	p->free_bio = p->free_request = BTVI_NONE;
	p->oldest_append = p->newest_append = BTVI_NONE;
	p->oldest_request = p->newest_request = BTVI_NONE;
	p->zero_first = p->zero_last = BTVI_NONE;
	p->open_max = BTVI_INFLIGHT_MIN;
}

void btvi_pair_done(struct btvi_pair *p)
{
	free(p->bios);
	free(p->requests);
	free(p->bio_hash);
	free(p->request_hash);
	btvi_quota_give(p->quota, p->open_max - BTVI_INFLIGHT_MIN);
}

static uint32_t sectors_of(const struct btviz_event *ev)
{
	/* Lengths that are no whole sectors occur with passthrough only, which has no place. */
	return ev->bytes / BTVIZ_SECTOR_BYTES + (ev->bytes % BTVIZ_SECTOR_BYTES != 0);
}

/* Doubles how many I/Os may be open, if there are so many left for all devices. */
static bool raise_max(struct btvi_pair *p)
{
	if (p->open_max >= BTVI_INFLIGHT_MAX || !btvi_quota_take(p->quota, p->open_max))
		return false;
	p->open_max *= 2;
	return true;
}

/* ---- giving up -------------------------------------------------------------------------- */

/* Ends a bio: straight away, or, where it is a part of a split I/O, with the last of the parts. */
static void finish_bio(struct btvi_pair *p, uint32_t b, struct btvi_pair_result *ret)
{
	struct btvi_bio *bio = &p->bios[b];
	const uint32_t whole = bio->whole;

	if (bio->known & BTVI_KNOWN_APPEND)
		btvi_append_remove(p, b);
	if (whole != BTVI_NONE) {
		struct btvi_bio *w = &p->bios[whole];

		w->remaining -= bio->sectors < w->remaining ? bio->sectors : w->remaining;
		btvi_bio_free(p, b);
		if (w->remaining > 0)
			return;
		b = whole;
		bio = w;
	}
	p->outstanding--;
	bio->sibling = ret->done;
	ret->done = b;
}

/* Drops a request and its bios: its completion will not come any more. */
static void drop_request(struct btvi_pair *p, uint32_t r)
{
	struct btvi_pair_result lost = { .done = BTVI_NONE };
	uint32_t b = p->requests[r].first;

	while (b != BTVI_NONE) {
		const uint32_t next = p->bios[b].sibling;

		finish_bio(p, b, &lost);
		b = next;
	}
	btvi_pair_release(p, &lost);
	btvi_request_unhash(p, r);
	btvi_request_free(p, r);
	p->given_up++;
}

static bool drop_bio(struct btvi_pair *p, uint32_t b)
{
	struct btvi_pair_result lost = { .done = BTVI_NONE };

	if (p->bios[b].request != BTVI_NONE) {
		drop_request(p, p->bios[b].request);
		return true;
	}
	if (p->bios[b].hashed) {
		btvi_bio_unhash(p, b);
	} else if (p->zero_first == b) {
		btvi_zero_drop_first(p);
	} else {
		return false; /* the whole of a split I/O: it goes with its parts */
	}
	finish_bio(p, b, &lost);
	btvi_pair_release(p, &lost);
	p->given_up++;
	return true;
}

/* Makes room for one more: drops one of those that are open for long. */
static bool drop_some(struct btvi_pair *p)
{
	for (unsigned i = 0; i < SEARCH_MAX; i++) {
		p->hand = p->hand + 1 < p->bio_capacity ? p->hand + 1 : 0;
		if (p->bios[p->hand].open && drop_bio(p, p->hand))
			return true;
	}
	return false;
}

static bool is_overtaken(
	const struct btvi_pair *p, uint32_t serial, uint64_t since_ns, uint64_t now_ns)
{
	return p->completions - serial > OVERTAKEN_MAX && btvi_since(since_ns, now_ns) > GIVE_UP_NS;
}

/* Looks at the oldest request and at one bio after the other, so that it costs nothing; keep is
 * about to be completed. */
static void drop_overtaken(struct btvi_pair *p, uint64_t now_ns, uint32_t keep)
{
	const uint32_t r = p->oldest_request;

	p->hand = p->hand + 1 < p->bio_capacity ? p->hand + 1 : 0;
	if (r != BTVI_NONE && r != keep &&
		is_overtaken(p, p->requests[r].serial, p->requests[r].issue_ns, now_ns)) {
		drop_request(p, r);
		return;
	}
	if (p->hand >= p->bio_capacity)
		return;

	const struct btvi_bio *bio = &p->bios[p->hand];

	if (bio->open && bio->request == BTVI_NONE &&
		is_overtaken(p, bio->serial, bio->queue_ns, now_ns))
		(void)drop_bio(p, p->hand);
}

/* ---- I/Os with bytes -------------------------------------------------------------------- */

static enum btviz_status queue(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, struct btvi_pair_result *ret)
{
	if (p->outstanding >= p->open_max && !raise_max(p) && !drop_some(p)) {
		p->given_up++;
		return BTVIZ_OK;
	}
	const uint32_t b = btvi_bio_new(p);

	if (b == BTVI_NONE)
		return BTVIZ_ERR_NOMEM;
	struct btvi_bio *bio = &p->bios[b];

	bio->sector = ev->sector;
	bio->sectors = bio->remaining = sectors_of(ev);
	bio->queue_ns = ev->time_ns;
	bio->pid = ev->pid;
	bio->cgroup_id = ev->cgroup_id;
	bio->op = op;
	bio->serial = p->completions;
	p->outstanding++;
	ret->matched = true;
	if (ev->bytes == 0) {
		btvi_zero_queue(p, b);
		return BTVIZ_OK;
	}
	if (ev->categories & BTVIZ_CAT_ZONE_APPEND) {
		btvi_append_add(p, b);
	}
	return btvi_bio_hash(p, b) ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
}

/* An emulated zone append gets its place between Q and G: finds it by its length, and moves it. */
static uint32_t place_append(struct btvi_pair *p, const struct btviz_event *ev)
{
	uint32_t b = p->oldest_append;

	for (unsigned i = 0; b != BTVI_NONE && i < SEARCH_MAX; i++, b = p->bios[b].newer) {
		struct btvi_bio *bio = &p->bios[b];

		if (bio->sectors == sectors_of(ev) && bio->sector <= ev->sector) {
			btvi_bio_unhash(p, b);
			bio->sector = ev->sector;
			return btvi_bio_hash(p, b) ? b : BTVI_NONE;
		}
	}
	return BTVI_NONE;
}

static void get_request(
	struct btvi_pair *p, const struct btviz_event *ev, struct btvi_pair_result *ret)
{
	const unsigned lacking = BTVI_KNOWN_GET | BTVI_KNOWN_MERGE;
	uint32_t b = btvi_bio_find(p, ev->sector, sectors_of(ev), true, lacking);

	if (b == BTVI_NONE)
		b = place_append(p, ev);
	if (b == BTVI_NONE)
		return;
	if (p->bios[b].known & BTVI_KNOWN_APPEND)
		btvi_append_remove(p, b);
	p->bios[b].known |= BTVI_KNOWN_GET;
	p->bios[b].get_ns = ev->time_ns;
	ret->q2g_ns = btvi_since(p->bios[b].queue_ns, ev->time_ns);
	ret->have |= BTVI_HAVE_Q2G;
	ret->matched = true;
}

static void insert(struct btvi_pair *p, const struct btviz_event *ev, struct btvi_pair_result *ret)
{
	/* The request may have grown since G: only its start is sure. */
	const uint32_t b = btvi_bio_find(p, ev->sector, 0, true, 0);

	if (b == BTVI_NONE)
		return;
	struct btvi_bio *bio = &p->bios[b];

	ret->matched = true;
	if ((bio->known & BTVI_KNOWN_GET) && !(bio->known & BTVI_KNOWN_INSERT)) {
		ret->g2i_ns = btvi_since(bio->get_ns, ev->time_ns);
		ret->have |= BTVI_HAVE_G2I;
	}
	bio->known |= BTVI_KNOWN_INSERT;
	bio->insert_ns = ev->time_ns;
}

static void merge(struct btvi_pair *p, const struct btviz_event *ev, struct btvi_pair_result *ret)
{
	const uint32_t sectors = sectors_of(ev);
	const uint32_t b = btvi_bio_find(
		p, ev->sector, sectors, true, BTVI_KNOWN_GET | BTVI_KNOWN_MERGE | BTVI_KNOWN_ISSUE);

	if (b == BTVI_NONE) {
		/* Two requests that meet are merged with an M of the second: no bio to be found. */
		ret->matched = btvi_bio_find(p, ev->sector, 0, true, 0) != BTVI_NONE;
		return;
	}
	struct btvi_bio *bio = &p->bios[b];

	bio->known |= BTVI_KNOWN_MERGE;
	bio->merge_ns = ev->time_ns;
	ret->q2m_ns = btvi_since(bio->queue_ns, ev->time_ns);
	ret->have |= BTVI_HAVE_Q2M;
	ret->matched = true;
	if (ev->event != BTVIZ_ACT_FRONTMERGE)
		return;
	/* The request begins here now: what is known of it moves to its new first bio. */
	const uint32_t head = btvi_bio_find(p, ev->sector + sectors, 0, true, 0);

	if (head == BTVI_NONE)
		return;
	bio->known |= p->bios[head].known & (BTVI_KNOWN_GET | BTVI_KNOWN_INSERT);
	bio->get_ns = p->bios[head].get_ns;
	bio->insert_ns = p->bios[head].insert_ns;
}

/* Cuts a bio in two. md and disks write X with the front part and where the remainder begins; dm
 * cuts the bio itself and writes X with the remainder, and only that will complete. */
static enum btviz_status split(
	struct btvi_pair *p, const struct btviz_event *ev, struct btvi_pair_result *ret)
{
	if (!(ev->flags & BTVIZ_EV_PAYLOAD))
		return BTVIZ_OK;

	const uint64_t at = ev->u.split_sector;
	const uint32_t b = btvi_bio_find(p, ev->sector, 0, false, 0);

	if (b == BTVI_NONE)
		return BTVIZ_OK;
	struct btvi_bio *bio = &p->bios[b];
	const uint64_t end = bio->sector + bio->sectors;

	if (at <= bio->sector || at >= end || bio->remaining != bio->sectors ||
		(p->hashed >= 2 * p->open_max && !raise_max(p)))
		return BTVIZ_OK;
	ret->matched = true;
	btvi_bio_unhash(p, b);
	if (at == ev->sector) { /* dm */
		if (bio->whole != BTVI_NONE) {
			struct btvi_bio *w = &p->bios[bio->whole];

			w->remaining -= (uint32_t)(at - bio->sector);
		}
		bio->sector = at;
		bio->sectors = bio->remaining = (uint32_t)(end - at);
		return btvi_bio_hash(p, b) ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
	}
	if (bio->whole == BTVI_NONE) { /* b becomes a part, a new bio the whole */
		const uint32_t w = btvi_bio_new(p);

		if (w == BTVI_NONE)
			return BTVIZ_ERR_NOMEM;
		struct btvi_bio *whole = &p->bios[w];

		bio = &p->bios[b];
		whole->sector = bio->sector;
		whole->sectors = whole->remaining = bio->sectors;
		whole->queue_ns = bio->queue_ns;
		whole->cgroup_id = bio->cgroup_id;
		whole->pid = bio->pid;
		whole->op = bio->op;
		whole->serial = bio->serial;
		bio->whole = w;
	}
	const uint32_t r = btvi_bio_new(p);

	if (r == BTVI_NONE)
		return BTVIZ_ERR_NOMEM;
	struct btvi_bio *rest = &p->bios[r];

	bio = &p->bios[b];
	rest->sector = at;
	rest->sectors = rest->remaining = (uint32_t)(end - at);
	rest->queue_ns = bio->queue_ns;
	rest->cgroup_id = bio->cgroup_id;
	rest->pid = bio->pid;
	rest->op = bio->op;
	rest->serial = bio->serial;
	rest->whole = bio->whole;
	bio->sectors = bio->remaining = (uint32_t)(at - bio->sector);
	return btvi_bio_hash(p, b) && btvi_bio_hash(p, r) ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
}

static enum btviz_status issue(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, struct btvi_pair_result *ret)
{
	if (p->in_flight >= p->open_max && !raise_max(p) && p->oldest_request != BTVI_NONE)
		drop_request(p, p->oldest_request);

	const uint32_t r = btvi_request_new(p);

	if (r == BTVI_NONE)
		return BTVIZ_ERR_NOMEM;
	struct btvi_request *rq = &p->requests[r];
	const uint64_t end = ev->sector + sectors_of(ev);
	uint32_t *link = &rq->first;

	rq->sector = ev->sector;
	rq->end = end;
	rq->issue_ns = ev->time_ns;
	rq->serial = p->completions;
	rq->op = op;
	rq->append = (ev->categories & BTVIZ_CAT_ZONE_APPEND) != 0;
	/* Whatever merging made of them, the request's bios lie end to end. */
	for (uint64_t at = ev->sector; at < end && op != BTVIZ_OP_PC;) {
		const uint32_t b = btvi_bio_find(p, at, 0, true, 0);

		if (b == BTVI_NONE || p->bios[b].sectors > end - at)
			break;
		struct btvi_bio *bio = &p->bios[b];

		if (at == ev->sector) {
			ret->pid = bio->pid;
			ret->matched = true;
			if ((bio->known & BTVI_KNOWN_INSERT) && !(bio->known & BTVI_KNOWN_ISSUE)) {
				ret->i2d_ns = btvi_since(bio->insert_ns, ev->time_ns);
				ret->have |= BTVI_HAVE_I2D;
			}
		}
		at += bio->sectors;
		btvi_bio_unhash(p, b);
		bio->request = r;
		*link = b;
		link = &bio->sibling;
	}
	ret->issued = rq->first;
	ret->have |= BTVI_HAVE_ISSUED;
	return btvi_request_hash(p, r) ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
}

static enum btviz_status requeue(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, struct btvi_pair_result *ret)
{
	const uint32_t r = btvi_request_find(p, ev->sector, op);
	bool hashed = true;

	if (r == BTVI_NONE)
		return BTVIZ_OK;
	ret->matched = true;
	btvi_request_unhash(p, r);
	for (uint32_t b = p->requests[r].first; b != BTVI_NONE;) {
		const uint32_t next = p->bios[b].sibling;

		p->bios[b].sibling = BTVI_NONE;
		p->bios[b].request = BTVI_NONE;
		p->bios[b].known |= BTVI_KNOWN_ISSUE;
		hashed = btvi_bio_hash(p, b) && hashed;
		b = next;
	}
	btvi_request_free(p, r);
	return hashed ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
}

/* A native zone append completes where it was written, which is not where it was issued. */
static uint32_t find_append(const struct btvi_pair *p, const struct btviz_event *ev)
{
	uint32_t r = p->oldest_request;

	for (unsigned i = 0; r != BTVI_NONE && i < SEARCH_MAX; i++, r = p->requests[r].newer) {
		const struct btvi_request *rq = &p->requests[r];

		if (rq->append && rq->end - rq->sector == sectors_of(ev) &&
			rq->sector <= ev->sector)
			return r;
	}
	return BTVI_NONE;
}

static enum btviz_status complete_request(
	struct btvi_pair *p, uint32_t r, const struct btviz_event *ev, struct btvi_pair_result *ret)
{
	struct btvi_request *rq = &p->requests[r];
	const uint64_t end = ev->sector + sectors_of(ev);
	const bool part = !rq->append && ev->error == 0 && end < rq->end;

	ret->matched = true;
	btvi_request_unhash(p, r);
	while (rq->first != BTVI_NONE) {
		const uint32_t b = rq->first;

		if (part && p->bios[b].sector + p->bios[b].sectors > end)
			break;
		rq->first = p->bios[b].sibling;
		finish_bio(p, b, ret);
	}
	if (part) {
		rq->sector = end;
		return btvi_request_hash(p, r) ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
	}
	ret->d2c_ns = btvi_since(rq->issue_ns, ev->time_ns);
	ret->have |= BTVI_HAVE_D2C;
	btvi_request_free(p, r);
	return BTVIZ_OK;
}

static enum btviz_status complete(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, struct btvi_pair_result *ret)
{
	p->completions++;
	/* Zone appends end twice; the second event lacks the category. */
	if (!(ev->categories & BTVIZ_CAT_COMPLETE)) {
		ret->matched = ret->extra = true;
		return BTVIZ_OK;
	}
	uint32_t r = btvi_request_find(p, ev->sector, op);

	if (r == BTVI_NONE && (ev->categories & BTVIZ_CAT_ZONE_APPEND))
		r = find_append(p, ev);
	drop_overtaken(p, ev->time_ns, r);
	if (r != BTVI_NONE)
		return complete_request(p, r, ev, ret);

	/* A bio device, or a D that was lost: what lies in the completed stretch ends, or a part of
	 * it. */
	const uint64_t end = ev->sector + sectors_of(ev);

	for (uint64_t at = ev->sector; at < end && op != BTVIZ_OP_PC;) {
		const uint32_t b = btvi_bio_find(p, at, 0, false, 0);

		if (b == BTVI_NONE)
			break;
		struct btvi_bio *bio = &p->bios[b];
		const uint64_t bio_end = bio->sector + bio->sectors;
		const uint64_t stop = bio_end < end ? bio_end : end;
		const uint32_t n = (uint32_t)(stop - at);

		ret->matched = true;
		at = stop;
		bio->remaining -= n < bio->remaining ? n : bio->remaining;
		if (bio->remaining == 0 || ev->error != 0) {
			btvi_bio_unhash(p, b);
			finish_bio(p, b, ret);
		}
	}
	return BTVIZ_OK;
}

enum btviz_status btvi_pair_add(
	struct btvi_pair *p, const struct btviz_event *ev, struct btvi_pair_result *ret)
{
	const uint8_t op = (uint8_t)btviz_event_op(ev);

	*ret = (struct btvi_pair_result){ .issued = BTVI_NONE, .done = BTVI_NONE };
	if (ev->sector > UINT64_MAX / 2) { /* no disk is that large; nothing below can overflow */
		ret->matched = true;
		return BTVIZ_OK;
	}
	if (ev->event == BTVIZ_ACT_QUEUE)
		return queue(p, ev, op, ret);
	if (ev->bytes == 0) {
		btvi_zero_add(p, ev, op, ret);
		return BTVIZ_OK;
	}
	switch (ev->event) {
	case BTVIZ_ACT_GETRQ:
		p->request_based = true;
		get_request(p, ev, ret);
		return BTVIZ_OK;
	case BTVIZ_ACT_INSERT:
		p->request_based = true;
		insert(p, ev, ret);
		return BTVIZ_OK;
	case BTVIZ_ACT_BACKMERGE:
	case BTVIZ_ACT_FRONTMERGE:
		p->request_based = true;
		merge(p, ev, ret);
		return BTVIZ_OK;
	case BTVIZ_ACT_ISSUE:
		p->request_based = true;
		return issue(p, ev, op, ret);
	case BTVIZ_ACT_REQUEUE:
		return requeue(p, ev, op, ret);
	case BTVIZ_ACT_COMPLETE:
		return complete(p, ev, op, ret);
	case BTVIZ_ACT_SPLIT:
		return split(p, ev, ret);
	default:
		ret->matched = true;
		return BTVIZ_OK;
	}
}

void btvi_pair_release(struct btvi_pair *p, struct btvi_pair_result *r)
{
	while (r->done != BTVI_NONE) {
		const uint32_t b = r->done;

		r->done = p->bios[b].sibling;
		btvi_bio_free(p, b);
	}
}
