/* pair_lost.c - which open I/Os will not end any more: their completion is missing in the trace.
 *
 * One that began when an I/O was already much older than any that ended ever was, and has ended,
 * tells that this one is lost: it is not outstanding any more, and was not since it began. It is
 * kept, since it may end after all (a disk that lets one request starve); then all is put back.
 * What hangs while nothing that began later ends is not lost. */
#include "model/pair_life.h"

enum { SEARCH_MAX = 64, OLDER_TIMES = 2 };

static bool is_lost(const struct btvi_pace *pace, uint64_t since_ns)
{
	return btvi_since(since_ns, pace->newest_ns) / OLDER_TIMES > pace->longest_ns;
}

static void tell(struct btvi_pair *p, uint64_t since_ns, bool request, enum btvi_why why)
{
	if (p->loss_count < BTVI_LOSSES_MAX)
		p->losses[p->loss_count++] = (struct btvi_loss){ since_ns, request, why };
}

void btvi_io_lose(struct btvi_pair *p, uint32_t b)
{
	struct btvi_bio *const bio = &p->bios[b];

	bio->known |= BTVI_KNOWN_LOST;
	p->outstanding--;
	p->lost_ios++;
	tell(p, bio->queue_ns, false, BTVI_WHY_LOST);
	if (bio->known & BTVI_KNOWN_ISSUE) {
		p->in_flight--;
		tell(p, bio->issue_ns, true, BTVI_WHY_LOST);
	}
}

void btvi_io_unlose(struct btvi_pair *p, uint32_t b)
{
	struct btvi_bio *const bio = &p->bios[b];

	bio->known &= (uint8_t)~BTVI_KNOWN_LOST;
	p->outstanding++;
	p->lost_ios--;
	tell(p, bio->queue_ns, false, BTVI_WHY_FOUND);
	if (bio->known & BTVI_KNOWN_ISSUE) {
		p->in_flight++;
		tell(p, bio->issue_ns, true, BTVI_WHY_FOUND);
	}
}

void btvi_request_lose(struct btvi_pair *p, uint32_t r)
{
	p->requests[r].lost = true;
	p->in_flight--;
	p->lost_requests++;
	btvi_request_to_end(p, r);
	tell(p, p->requests[r].issue_ns, true, BTVI_WHY_LOST);
}

void btvi_request_find_again(struct btvi_pair *p, uint32_t r)
{
	if (!p->requests[r].lost)
		return;
	p->requests[r].lost = false;
	p->in_flight++;
	p->lost_requests--;
	tell(p, p->requests[r].issue_ns, true, BTVI_WHY_FOUND);
}

void btvi_flush_lose(struct btvi_pair *p)
{
	p->flush_in_flight = false;
	p->in_flight--;
	tell(p, p->flush_issue_ns, true, BTVI_WHY_LOST);
}

static bool may_tell(const struct btvi_pair *p)
{
	return p->loss_count + 6 <= BTVI_LOSSES_MAX;
}

static void look_at_bio(struct btvi_pair *p, uint32_t b)
{
	const struct btvi_bio *const bio = &p->bios[b];

	if (bio->open && bio->whole == BTVI_NONE && !(bio->known & BTVI_KNOWN_LOST) &&
		is_lost(&p->io_pace, bio->queue_ns))
		btvi_io_lose(p, b);
}

static void look_at_request(struct btvi_pair *p, uint32_t r)
{
	const struct btvi_request *const rq = &p->requests[r];

	if (!rq->lost && is_lost(&p->request_pace, rq->issue_ns))
		btvi_request_lose(p, r);
}

void btvi_pair_look_for_lost(struct btvi_pair *p)
{
	p->hand = p->hand + 1 < p->bio_capacity ? p->hand + 1 : 0;
	if (p->oldest_request != BTVI_NONE)
		look_at_request(p, p->oldest_request);
	if (p->hand < p->bio_capacity)
		look_at_bio(p, p->hand);
}

bool btvi_pair_sweep(struct btvi_pair *p, uint32_t *at)
{
	p->loss_count = 0;
	for (; *at < p->bio_capacity && may_tell(p); (*at)++)
		look_at_bio(p, *at);
	for (uint32_t r = p->oldest_request; r != BTVI_NONE && may_tell(p);) {
		const uint32_t newer = p->requests[r].newer;

		if (p->requests[r].lost)
			break; /* so are all behind it */
		look_at_request(p, r);
		r = newer;
	}
	if (p->flush_in_flight && may_tell(p) && is_lost(&p->request_pace, p->flush_issue_ns))
		btvi_flush_lose(p);
	return p->loss_count > 0;
}

/* ---- room ------------------------------------------------------------------------------- */

/* What is forgotten was not there, as far as can be known. */
static void forget_bio(struct btvi_pair *p, uint32_t b, struct btvi_pair_result *gone)
{
	const uint32_t io = p->bios[b].whole == BTVI_NONE ? b : p->bios[b].whole;

	btvi_bio_finish(p, b, gone);
	if (gone->done == io && !(p->bios[io].known & BTVI_KNOWN_LOST)) {
		tell(p, p->bios[io].queue_ns, false, BTVI_WHY_OVER);
		if (p->bios[io].known & BTVI_KNOWN_ISSUE) {
			p->in_flight--;
			tell(p, p->bios[io].issue_ns, true, BTVI_WHY_OVER);
		}
	}
	btvi_pair_release(p, gone);
}

void btvi_pair_drop_request(struct btvi_pair *p, uint32_t r)
{
	struct btvi_pair_result gone = { .done = BTVI_NONE };
	struct btvi_request *const rq = &p->requests[r];

	while (rq->first != BTVI_NONE) {
		const uint32_t b = rq->first;

		rq->first = p->bios[b].sibling;
		forget_bio(p, b, &gone);
	}
	btvi_request_unhash(p, r);
	if (rq->lost) {
		p->lost_requests--;
		p->in_flight++; /* for whom it is freed */
	} else {
		tell(p, rq->issue_ns, true, BTVI_WHY_OVER);
		p->given_up++;
	}
	btvi_request_free(p, r);
}

static bool drop_bio(struct btvi_pair *p, uint32_t b)
{
	struct btvi_pair_result gone = { .done = BTVI_NONE };
	struct btvi_bio *const bio = &p->bios[b];

	if (bio->request != BTVI_NONE) {
		btvi_pair_drop_request(p, bio->request);
		return true;
	}
	if (bio->has_parts)
		return false; /* it goes with its parts */
	p->given_up += !(bio->known & BTVI_KNOWN_LOST);
	if (bio->hashed)
		btvi_bio_unhash(p, b);
	else
		btvi_list_remove(p, &p->zeroes, b);
	forget_bio(p, b, &gone);
	return true;
}

bool btvi_pair_drop_some(struct btvi_pair *p)
{
	for (unsigned i = 0; i < SEARCH_MAX; i++) {
		p->hand = p->hand + 1 < p->bio_capacity ? p->hand + 1 : 0;
		if (p->bios[p->hand].open && drop_bio(p, p->hand))
			return true;
	}
	return false;
}
