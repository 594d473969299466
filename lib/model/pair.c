/* pair.c - follows each I/O of one device from its queueing to its issue; what ends it is in
 * pair_end.c, what never ends in pair_lost.c. Knows events and their order; does not measure: what
 * ended is reported, and added up elsewhere. */
#include "model/pair.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "model/pair_life.h"
#include "model/pair_zero.h"

enum { SEARCH_MAX = 64 };

void btvi_pair_init(struct btvi_pair *p)
{
	memset(p, 0, sizeof *p);
	p->free_bio = p->free_request = BTVI_NONE;
	p->appends = p->zeroes = (struct btvi_list){ BTVI_NONE, BTVI_NONE };
	p->oldest_request = p->newest_request = BTVI_NONE;
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

/* ---- I/Os with bytes -------------------------------------------------------------------- */

static enum btviz_status queue(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, struct btvi_pair_result *ret)
{
	p->queued = true;
	if (p->outstanding + p->lost_ios >= p->open_max && !btvi_pair_raise_max(p) &&
		!btvi_pair_drop_some(p)) {
		p->given_up++;
		return BTVIZ_OK;
	}
	const uint32_t b = btvi_bio_new(p);

	if (b == BTVI_NONE)
		return BTVIZ_ERR_NOMEM;
	struct btvi_bio *bio = &p->bios[b];

	bio->sector = ev->sector;
	bio->sectors = bio->remaining = btvi_sectors_of(ev);
	bio->queue_ns = ev->time_ns;
	bio->pid = ev->pid;
	bio->cgroup_id = ev->cgroup_id;
	bio->op = op;
	p->outstanding++;
	ret->matched = true;
	if (ev->bytes == 0) {
		btvi_list_add(p, &p->zeroes, b);
		return BTVIZ_OK;
	}
	if (ev->categories & BTVIZ_CAT_ZONE_APPEND) {
		btvi_list_add(p, &p->appends, b);
		p->bios[b].known |= BTVI_KNOWN_APPEND;
	}
	return btvi_bio_hash(p, b) ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
}

/* An emulated zone append gets its place between Q and G: finds it by its length, and moves it. */
static uint32_t place_append(struct btvi_pair *p, const struct btviz_event *ev)
{
	uint32_t b = p->appends.oldest;

	for (unsigned i = 0; b != BTVI_NONE && i < SEARCH_MAX; i++, b = p->bios[b].newer) {
		struct btvi_bio *bio = &p->bios[b];

		if (bio->sectors == btvi_sectors_of(ev) && bio->sector <= ev->sector) {
			btvi_bio_unhash(p, b);
			bio->sector = ev->sector;
			return btvi_bio_hash(p, b) ? b : BTVI_NONE;
		}
	}
	return BTVI_NONE;
}

static void get_request(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, struct btvi_pair_result *ret)
{
	const unsigned lacking = BTVI_KNOWN_GET | BTVI_KNOWN_MERGE | BTVI_KNOWN_LOST;
	uint32_t b = btvi_bio_find(p, ev->sector, btvi_sectors_of(ev), op, lacking);

	if (b == BTVI_NONE)
		b = place_append(p, ev);
	if (b == BTVI_NONE)
		return;
	if (p->bios[b].known & BTVI_KNOWN_APPEND) {
		btvi_list_remove(p, &p->appends, b);
		p->bios[b].known &= (uint8_t)~BTVI_KNOWN_APPEND;
	}
	p->bios[b].known |= BTVI_KNOWN_GET;
	p->bios[b].get_ns = ev->time_ns;
	ret->q2g_ns = btvi_since(p->bios[b].queue_ns, ev->time_ns);
	ret->have |= BTVI_HAVE_Q2G;
	ret->matched = true;
}

/* What an I or D at this place is about: of its length, else, since requests grow, beginning there.
 */
static uint32_t first_bio(struct btvi_pair *p, const struct btviz_event *ev, uint8_t op)
{
	const uint32_t b = btvi_bio_find(p, ev->sector, btvi_sectors_of(ev), op, BTVI_KNOWN_LOST);

	return b != BTVI_NONE ? b : btvi_bio_beginning(p, ev->sector, op);
}

static void insert(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, struct btvi_pair_result *ret)
{
	const uint32_t b = first_bio(p, ev, op);

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

static void merge(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, struct btvi_pair_result *ret)
{
	const uint32_t sectors = btvi_sectors_of(ev);
	const uint32_t b = btvi_bio_find(p, ev->sector, sectors, op,
		BTVI_KNOWN_GET | BTVI_KNOWN_MERGE | BTVI_KNOWN_REQUEUE | BTVI_KNOWN_LOST);

	if (b == BTVI_NONE) {
		/* Two requests that meet are merged with an M of the second: no bio to be found. */
		ret->matched = btvi_bio_beginning(p, ev->sector, op) != BTVI_NONE;
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
	const uint32_t head = btvi_bio_beginning(p, ev->sector + sectors, op);

	if (head == BTVI_NONE)
		return;
	bio->known |= p->bios[head].known & (BTVI_KNOWN_GET | BTVI_KNOWN_INSERT);
	bio->get_ns = p->bios[head].get_ns;
	bio->insert_ns = p->bios[head].insert_ns;
}

/* Whether an equal request is in flight, and there is no I/O that this one would be for. */
static bool is_issued(const struct btvi_pair *p, uint64_t sector, uint64_t end, uint8_t op)
{
	const uint32_t r = btvi_request_find(p, sector, end, op);

	return r != BTVI_NONE && p->requests[r].end == end && !p->requests[r].lost;
}

static enum btviz_status issue(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, struct btvi_pair_result *ret)
{
	const uint64_t end = ev->sector + btvi_sectors_of(ev);
	uint64_t at = ev->sector;
	uint32_t b = op == BTVIZ_OP_PC ? BTVI_NONE : first_bio(p, ev, op);

	if (b == BTVI_NONE && p->queued && op != BTVIZ_OP_PC && is_issued(p, ev->sector, end, op)) {
		p->repeats++;
		ret->matched = ret->extra = true;
		return BTVIZ_OK;
	}
	if (b == BTVI_NONE && op != BTVIZ_OP_PC)
		b = btvi_bio_next_in(p, &at, end, op, false);
	if (p->in_flight + p->lost_requests >= p->open_max && !btvi_pair_raise_max(p) &&
		p->oldest_request != BTVI_NONE)
		btvi_pair_drop_request(p, p->oldest_request);

	const uint32_t r = btvi_request_new(p);

	if (r == BTVI_NONE)
		return BTVIZ_ERR_NOMEM;
	struct btvi_request *rq = &p->requests[r];
	uint32_t *link = &rq->first;

	rq->sector = ev->sector;
	rq->end = end;
	rq->issue_ns = ev->time_ns;
	rq->op = op;
	rq->append = (ev->categories & BTVIZ_CAT_ZONE_APPEND) != 0;
	/* Whatever merging made of them, the request's bios lie end to end, but for lost ones. */
	while (b != BTVI_NONE && p->bios[b].sectors <= end - at) {
		struct btvi_bio *bio = &p->bios[b];

		if (at == ev->sector) {
			ret->pid = bio->pid;
			ret->matched = true;
			if ((bio->known & BTVI_KNOWN_INSERT) &&
				!(bio->known & BTVI_KNOWN_REQUEUE)) {
				ret->i2d_ns = btvi_since(bio->insert_ns, ev->time_ns);
				ret->have |= BTVI_HAVE_I2D;
			}
		}
		at += bio->sectors;
		btvi_bio_unhash(p, b);
		bio->request = r;
		*link = b;
		link = &bio->sibling;
		b = btvi_bio_next_in(p, &at, end, op, false);
	}
	ret->issued = rq->first;
	ret->have |= BTVI_HAVE_ISSUED;
	return btvi_request_hash(p, r) ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
}

static enum btviz_status requeue(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, struct btvi_pair_result *ret)
{
	const uint64_t end = ev->sector + btvi_sectors_of(ev);
	const uint32_t r = btvi_request_find(p, ev->sector, end, op);
	bool hashed = true;

	if (r == BTVI_NONE)
		return BTVIZ_OK;
	ret->matched = true;
	btvi_request_find_again(p, r);
	btvi_request_unhash(p, r);
	for (uint32_t b = p->requests[r].first; b != BTVI_NONE;) {
		const uint32_t next = p->bios[b].sibling;

		p->bios[b].sibling = BTVI_NONE;
		p->bios[b].request = BTVI_NONE;
		p->bios[b].known |= BTVI_KNOWN_REQUEUE;
		hashed = btvi_bio_hash(p, b) && hashed;
		b = next;
	}
	btvi_request_free(p, r);
	return hashed ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
}

enum btviz_status btvi_pair_add(
	struct btvi_pair *p, const struct btviz_event *ev, struct btvi_pair_result *ret)
{
	const uint8_t op = (uint8_t)btviz_event_op(ev);

	*ret = (struct btvi_pair_result){ .issued = BTVI_NONE, .done = BTVI_NONE };
	p->loss_count = 0;
	if (ev->sector > UINT64_MAX / 2 &&
		ev->bytes > 0) { /* no disk is that large; nothing below can overflow */
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
		get_request(p, ev, op, ret);
		return BTVIZ_OK;
	case BTVIZ_ACT_INSERT:
		p->request_based = true;
		insert(p, ev, op, ret);
		return BTVIZ_OK;
	case BTVIZ_ACT_BACKMERGE:
	case BTVIZ_ACT_FRONTMERGE:
		p->request_based = true;
		merge(p, ev, op, ret);
		return BTVIZ_OK;
	case BTVIZ_ACT_ISSUE:
		p->request_based = true;
		return issue(p, ev, op, ret);
	case BTVIZ_ACT_REQUEUE:
		return requeue(p, ev, op, ret);
	case BTVIZ_ACT_COMPLETE:
		return btvi_pair_complete(p, ev, op, ret);
	case BTVIZ_ACT_SPLIT:
		return btvi_pair_split(p, ev, op, ret);
	default:
		ret->matched = true;
		return BTVIZ_OK;
	}
}

void btvi_pair_give_back(struct btvi_pair *p, struct btvi_pair_result *r)
{
	while (r->done != BTVI_NONE) {
		const uint32_t b = r->done;

		r->done = p->bios[b].sibling;
		btvi_bio_free(p, b);
	}
}
