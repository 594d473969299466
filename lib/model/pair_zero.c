/* pair_zero.c - I/Os without bytes: flushes and zone management. They have no place by which they
 * could be found; they are few, and end in the order of a list.
 *
 * A flush is a dance of several events: the bio that asks for it (Q, G, and at last a C without
 * bytes) and the kernel's own flush request between (D and C), which may serve several bios. */
#include "model/pair_zero.h"

#include "model/pair_life.h"

enum { SEARCH_MAX = 64 };

static bool is_flush_machinery(const struct btviz_event *ev)
{
	/* The kernel's own flush request carries READ, the bios that asked for it WRITE. */
	return (ev->categories & BTVIZ_CAT_FLUSH) && !(ev->categories & BTVIZ_CAT_WRITE);
}

/* A flush that is issued serves what was queued before it, and that ends before the next is issued:
 * what waits since before the last one is lost. */
static void lose_unserved(struct btvi_pair *p)
{
	enum { AT_ONCE = 4 };
	uint32_t b = p->zeroes.oldest;

	for (unsigned i = 0; b != BTVI_NONE && i < AT_ONCE; i++, b = p->bios[b].newer) {
		const struct btvi_bio *const bio = &p->bios[b];

		if (bio->queue_ns >= p->flush_issue_ns)
			break;
		if (bio->op == BTVIZ_OP_FLUSH && !(bio->known & BTVI_KNOWN_LOST))
			btvi_io_lose(p, b);
	}
}

static uint32_t find_zero(const struct btvi_pair *p, const struct btviz_event *ev, uint8_t op,
	uint32_t from, unsigned lacking)
{
	uint32_t b = from;

	for (unsigned i = 0; b != BTVI_NONE && i < SEARCH_MAX; i++) {
		const struct btvi_bio *bio = &p->bios[b];

		if (bio->op == op && bio->sector == ev->sector && !(bio->known & lacking))
			return b;
		b = bio->newer;
	}
	return BTVI_NONE;
}

/* The oldest that this completion can be of; not one that is far older than any that ended ever
 * was where there is a younger one. */
static uint32_t find_done(struct btvi_pair *p, const struct btviz_event *ev, uint8_t op)
{
	uint32_t b = find_zero(p, ev, op, p->zeroes.oldest, BTVI_KNOWN_LOST);

	if (b == BTVI_NONE)
		return find_zero(p, ev, op, p->zeroes.oldest, 0);
	if (btvi_is_stale(&p->io_pace, p->bios[b].queue_ns, ev->time_ns)) {
		const uint32_t younger = find_zero(p, ev, op, p->bios[b].newer, BTVI_KNOWN_LOST);

		if (younger != BTVI_NONE &&
			!btvi_is_stale(&p->io_pace, p->bios[younger].queue_ns, ev->time_ns)) {
			btvi_io_lose(p, b);
			return younger;
		}
	}
	return b;
}

void btvi_zero_add(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, struct btvi_pair_result *ret)
{
	uint32_t b;

	switch (ev->event) {
	case BTVIZ_ACT_GETRQ:
		p->request_based = true;
		b = find_zero(p, ev, op, p->zeroes.oldest, BTVI_KNOWN_GET | BTVI_KNOWN_LOST);
		if (b != BTVI_NONE) {
			p->bios[b].known |= BTVI_KNOWN_GET;
			ret->q2g_ns = btvi_since(p->bios[b].queue_ns, ev->time_ns);
			ret->have |= BTVI_HAVE_Q2G;
		}
		ret->matched = true;
		break;
	case BTVIZ_ACT_ISSUE:
		p->request_based = true;
		ret->matched = true;
		if (is_flush_machinery(ev)) {
			/* A device has one flush on its way at a time: a second D means a lost C.
			 */
			if (p->flush_in_flight)
				btvi_flush_lose(p);
			lose_unserved(p);
			p->in_flight++;
			p->flush_in_flight = true;
			p->flush_issue_ns = ev->time_ns;
			break;
		}
		b = find_zero(p, ev, op, p->zeroes.oldest, BTVI_KNOWN_ISSUE | BTVI_KNOWN_LOST);
		if (b != BTVI_NONE) {
			p->bios[b].known |= BTVI_KNOWN_ISSUE;
			p->bios[b].issue_ns = ev->time_ns;
			p->in_flight++;
		}
		break;
	case BTVIZ_ACT_COMPLETE:
		ret->matched = true;
		if (is_flush_machinery(ev)) {
			ret->extra = true;
			if (p->flush_in_flight) {
				p->in_flight--;
				p->flush_in_flight = false;
				btvi_pace_note(&p->request_pace, p->flush_issue_ns, ev->time_ns);
				ret->d2c_ns = btvi_since(p->flush_issue_ns, ev->time_ns);
				ret->have |= BTVI_HAVE_D2C;
			}
			break;
		}
		b = find_done(p, ev, op);
		if (b == BTVI_NONE) {
			ret->extra = true; /* the second completion of a flush with data */
			break;
		}
		btvi_io_find_again(p, b);
		btvi_pace_note(&p->io_pace, p->bios[b].queue_ns, ev->time_ns);
		if (p->bios[b].known & BTVI_KNOWN_ISSUE) {
			p->in_flight--;
			ret->d2c_ns = btvi_since(p->bios[b].issue_ns, ev->time_ns);
			ret->have |= BTVI_HAVE_D2C;
		}
		btvi_list_remove(p, &p->zeroes, b);
		p->outstanding--;
		ret->done = b;
		break;
	default:
		ret->matched = true;
		break;
	}
}
