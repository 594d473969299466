/* model/pair_life.h - the steps of an I/O's life that pair.c takes and other files know: cutting it
 * in parts, ending it, taking it for lost. Private to model/pair*.c. */
#ifndef BTVI_MODEL_PAIR_LIFE_H
#define BTVI_MODEL_PAIR_LIFE_H

#include "base/limits.h"
#include "model/pair_table.h"

/* Lengths that are no whole sectors occur with passthrough only, which has no place. */
static inline uint32_t btvi_sectors_of(const struct btviz_event *ev)
{
	return ev->bytes / BTVIZ_SECTOR_BYTES + (ev->bytes % BTVIZ_SECTOR_BYTES != 0);
}

/* Doubles how many I/Os may be open, if there are so many left for all devices. */
static inline bool btvi_pair_raise_max(struct btvi_pair *p)
{
	if (p->open_max >= BTVI_INFLIGHT_MAX || !btvi_quota_take(p->quota, p->open_max))
		return false;
	p->open_max *= 2;
	return true;
}

/* Cuts a bio in two (X). */
enum btviz_status btvi_pair_split(struct btvi_pair *p, const struct btviz_event *ev, uint8_t op,
	struct btvi_pair_result *ret);

/* Takes a bio out of its I/O's parts. */
void btvi_part_remove(struct btvi_pair *p, uint32_t b);

/* Takes a completion. */
enum btviz_status btvi_pair_complete(struct btvi_pair *p, const struct btviz_event *ev, uint8_t op,
	struct btvi_pair_result *ret);

/* Ends a bio: straight away, or, where it is a part of a split I/O, with the last of the parts. */
void btvi_bio_finish(struct btvi_pair *p, uint32_t b, struct btvi_pair_result *ret);

/* One that began then ends. */
void btvi_pace_note(struct btvi_pace *pace, uint64_t since_ns, uint64_t now_ns);

/* An I/O (not a part) or a request is taken for lost, and is no longer counted as open; or it ends
 * after all. */
void btvi_io_lose(struct btvi_pair *p, uint32_t b);
void btvi_io_unlose(struct btvi_pair *p, uint32_t b);
void btvi_request_lose(struct btvi_pair *p, uint32_t r);
void btvi_request_find_again(struct btvi_pair *p, uint32_t r);
void btvi_flush_lose(struct btvi_pair *p);

/* The same where it need not be lost. */
static inline void btvi_io_find_again(struct btvi_pair *p, uint32_t b)
{
	if (p->bios[b].known & BTVI_KNOWN_LOST)
		btvi_io_unlose(p, b);
}

/* Whether one that began then is too old to be what ends now where an equal one is younger. */
static inline bool btvi_is_stale(const struct btvi_pace *pace, uint64_t since_ns, uint64_t now_ns)
{
	enum { TIMES = 4 };
	const uint64_t first_ns =
		UINT64_C(30000000000); /* where none ended yet: a disk's timeout */
	const uint64_t limit_ns = pace->longest_ns > 0 ? TIMES * pace->longest_ns : first_ns;

	return btvi_since(since_ns, now_ns) > limit_ns;
}

/* Looks at the oldest request and at one bio after the other, so that it costs nothing. */
void btvi_pair_look_for_lost(struct btvi_pair *p);

/* Makes room for one more: forgets one of those that are open for long. */
bool btvi_pair_drop_some(struct btvi_pair *p);
void btvi_pair_drop_request(struct btvi_pair *p, uint32_t r);

#endif
