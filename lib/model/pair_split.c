/* pair_split.c - cuts queued I/Os in parts. Knows how md, dm and disks say it. */
#include "model/pair_life.h"

/* A bio for a stretch of another, which it was queued with. */
static uint32_t cut_from(struct btvi_pair *p, uint32_t b, uint64_t sector, uint32_t sectors)
{
	const uint32_t c = btvi_bio_new(p);

	if (c == BTVI_NONE)
		return BTVI_NONE;
	const struct btvi_bio *const from = &p->bios[b];
	struct btvi_bio *const bio = &p->bios[c];

	bio->sector = sector;
	bio->sectors = bio->remaining = sectors;
	bio->queue_ns = from->queue_ns;
	bio->cgroup_id = from->cgroup_id;
	bio->pid = from->pid;
	bio->op = from->op;
	bio->whole = from->whole;
	return c;
}

/* The parts of an I/O are a ring with it. */
static void part_add(struct btvi_pair *p, uint32_t whole, uint32_t b)
{
	const uint32_t newer = p->bios[whole].newer;

	p->bios[b].whole = whole;
	p->bios[b].older = whole;
	p->bios[b].newer = newer;
	p->bios[newer].older = b;
	p->bios[whole].newer = b;
}

void btvi_part_remove(struct btvi_pair *p, uint32_t b)
{
	const struct btvi_bio *const bio = &p->bios[b];

	p->bios[bio->older].newer = bio->newer;
	p->bios[bio->newer].older = bio->older;
}

/* md and disks write X with the front part and where the remainder begins; dm cuts the bio itself
 * and writes X with the remainder, and only that will complete. */
enum btviz_status btvi_pair_split(
	struct btvi_pair *p, const struct btviz_event *ev, uint8_t op, struct btvi_pair_result *ret)
{
	const uint64_t at = ev->u.split_sector;
	uint32_t b;

	if (!(ev->flags & BTVIZ_EV_PAYLOAD))
		return BTVIZ_OK;
	b = btvi_bio_containing(p, ev->sector, op);
	if (b == BTVI_NONE)
		return BTVIZ_OK;
	struct btvi_bio *bio = &p->bios[b];
	const uint64_t end = bio->sector + bio->sectors;

	if (at <= bio->sector || at >= end || bio->remaining != bio->sectors ||
		(bio->known & BTVI_KNOWN_APPEND) ||
		(p->hashed >= 2 * p->open_max && !btvi_pair_raise_max(p)))
		return BTVIZ_OK;
	ret->matched = true;
	btvi_bio_unhash(p, b);
	if (at == ev->sector) { /* dm */
		struct btvi_bio *const io = bio->whole == BTVI_NONE ? bio : &p->bios[bio->whole];

		io->ahead += (uint32_t)(at - bio->sector);
		if (io != bio)
			io->remaining -= (uint32_t)(at - bio->sector);
		bio->sector = at;
		bio->sectors = bio->remaining = (uint32_t)(end - at);
		return btvi_bio_hash(p, b) ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
	}
	if (bio->whole == BTVI_NONE) { /* b becomes a part, a new bio the whole */
		const uint32_t w = cut_from(p, b, bio->sector, bio->sectors);

		if (w == BTVI_NONE)
			return BTVIZ_ERR_NOMEM;
		p->bios[w].has_parts = true;
		p->bios[w].older = p->bios[w].newer = w;
		part_add(p, w, b);
	}
	const uint32_t rest = cut_from(p, b, at, (uint32_t)(end - at));

	if (rest == BTVI_NONE)
		return BTVIZ_ERR_NOMEM;
	bio = &p->bios[b];
	part_add(p, bio->whole, rest);
	bio->sectors = bio->remaining = (uint32_t)(at - bio->sector);
	return btvi_bio_hash(p, b) && btvi_bio_hash(p, rest) ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
}
