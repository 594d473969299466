/* pair_zero.c - I/Os without bytes: flushes and zone management. They have no place by which they
 * could be found; they are few, and end in the order of a list.
 *
 * A flush is a dance of several events: the bio that asks for it (Q, G, and at last a C without
 * bytes) and the kernel's own flush request between (D and C), which may serve several bios. */
#include "model/pair_zero.h"

#include "model/pair_table.h"

enum { SEARCH_MAX = 64 };

static bool is_flush_machinery(const struct btviz_event *ev)
{
	/* The kernel's own flush request carries READ, the bios that asked for it WRITE. */
	return (ev->categories & BTVIZ_CAT_FLUSH) && !(ev->categories & BTVIZ_CAT_WRITE);
}

static uint32_t find_zero(const struct btvi_pair *p, const struct btviz_event *ev, uint8_t op,
	unsigned lacking, uint32_t *ret_before)
{
	uint32_t before = BTVI_NONE;
	uint32_t b = p->zero_first;

	for (unsigned i = 0; b != BTVI_NONE && i < SEARCH_MAX; i++) {
		const struct btvi_bio *bio = &p->bios[b];

		if (bio->op == op && bio->sector == ev->sector && !(bio->known & lacking)) {
			if (ret_before)
				*ret_before = before;
			return b;
		}
		before = b;
		b = bio->sibling;
	}
	return BTVI_NONE;
}

static void unlink_zero(struct btvi_pair *p, uint32_t b, uint32_t before)
{
	if (before == BTVI_NONE)
		p->zero_first = p->bios[b].sibling;
	else
		p->bios[before].sibling = p->bios[b].sibling;
	if (p->zero_last == b)
		p->zero_last = before;
	p->bios[b].sibling = BTVI_NONE;
}

void btvi_zero_add(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, struct btvi_pair_result *ret)
{
	uint32_t before, b;

	switch (ev->event) {
	case BTVIZ_ACT_GETRQ:
		b = find_zero(p, ev, op, BTVI_KNOWN_GET, NULL);
		if (b != BTVI_NONE) {
			p->bios[b].known |= BTVI_KNOWN_GET;
			ret->q2g_ns = btvi_since(p->bios[b].queue_ns, ev->time_ns);
			ret->have |= BTVI_HAVE_Q2G;
		}
		ret->matched = true;
		break;
	case BTVIZ_ACT_ISSUE:
		ret->matched = true;
		if (is_flush_machinery(ev)) {
			/* A device has one flush on its way at a time: a second D means a lost C.
			 */
			if (!p->flush_in_flight)
				p->in_flight++;
			p->flush_in_flight = true;
			p->flush_issue_ns = ev->time_ns;
			break;
		}
		b = find_zero(p, ev, op, BTVI_KNOWN_ISSUE, NULL);
		if (b != BTVI_NONE) {
			p->bios[b].known |= BTVI_KNOWN_ISSUE;
			p->bios[b].merge_ns = ev->time_ns;
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
				ret->d2c_ns = btvi_since(p->flush_issue_ns, ev->time_ns);
				ret->have |= BTVI_HAVE_D2C;
			}
			break;
		}
		b = find_zero(p, ev, op, 0, &before);
		if (b == BTVI_NONE) {
			ret->extra = true; /* the second completion of a flush with data */
			break;
		}
		if (p->bios[b].known & BTVI_KNOWN_ISSUE) {
			p->in_flight--;
			ret->d2c_ns = btvi_since(p->bios[b].merge_ns, ev->time_ns);
			ret->have |= BTVI_HAVE_D2C;
		}
		unlink_zero(p, b, before);
		p->outstanding--;
		ret->done = b;
		break;
	default:
		ret->matched = true;
		break;
	}
}

void btvi_zero_queue(struct btvi_pair *p, uint32_t b)
{
	if (p->zero_last == BTVI_NONE)
		p->zero_first = b;
	else
		p->bios[p->zero_last].sibling = b;
	p->zero_last = b;
}

void btvi_zero_drop_first(struct btvi_pair *p)
{
	if (p->bios[p->zero_first].known & BTVI_KNOWN_ISSUE)
		p->in_flight--;
	unlink_zero(p, p->zero_first, BTVI_NONE);
}
