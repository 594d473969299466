/* pair_table.c - pools, hashes and lists of open I/Os. Knows nothing of events. */
#include "model/pair_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

/* A hostile trace can put everything into one chain: no search goes farther than this. */
enum { CHAIN_MAX = 64, FIRST_BITS = 6 };

static uint32_t slot_of(unsigned level, uint64_t block, unsigned bits)
{
	const uint64_t key = (block + 1) * 0x9e3779b97f4a7c15U + level * 0xc2b2ae3d27d4eb4fU;

	return (uint32_t)((key ^ key >> 29) * 0xbf58476d1ce4e5b9U >> (64 - bits));
}

/* ---- pools ---------------------------------------------------------------------------------- */

/* Doubles a pool, on whole cache lines; the new items' free chain is made by the caller. */
static void *grow(void *items, uint32_t *capacity, size_t item_size)
{
	const uint32_t more = *capacity ? *capacity * 2 : BTVI_INFLIGHT_MIN;
	void *p = aligned_alloc(64, more * item_size); /* 64 items of any size are whole lines */

	if (!p)
		return NULL;
	if (items)
		memcpy(p, items, *capacity * item_size);
	free(items);
	*capacity = more;
	return p;
}

uint32_t btvi_bio_new(struct btvi_pair *p)
{
	if (p->free_bio == BTVI_NONE) {
		const uint32_t from = p->bio_capacity;
		void *bios = grow(p->bios, &p->bio_capacity, sizeof *p->bios);

		if (!bios)
			return BTVI_NONE;
		p->bios = bios;
		for (uint32_t i = p->bio_capacity; i-- > from;) {
			p->bios[i].sibling = p->free_bio;
			p->bios[i].open = false;
			p->free_bio = i;
		}
	}
	const uint32_t b = p->free_bio;
	struct btvi_bio *bio = &p->bios[b];

	/* Fields that known and hashed tell the validity of are left as they are. */
	p->free_bio = bio->sibling;
	bio->request = BTVI_NONE;
	bio->sibling = BTVI_NONE;
	bio->whole = BTVI_NONE;
	bio->known = 0;
	bio->hashed = false;
	bio->open = true;
	return b;
}

void btvi_bio_free(struct btvi_pair *p, uint32_t b)
{
	p->bios[b].open = false;
	p->bios[b].sibling = p->free_bio;
	p->free_bio = b;
}

void btvi_append_add(struct btvi_pair *p, uint32_t b)
{
	struct btvi_bio *bio = &p->bios[b];

	bio->older = p->newest_append;
	bio->newer = BTVI_NONE;
	if (p->newest_append == BTVI_NONE)
		p->oldest_append = b;
	else
		p->bios[p->newest_append].newer = b;
	p->newest_append = b;
	bio->known |= BTVI_KNOWN_APPEND;
}

void btvi_append_remove(struct btvi_pair *p, uint32_t b)
{
	struct btvi_bio *bio = &p->bios[b];

	if (bio->older == BTVI_NONE)
		p->oldest_append = bio->newer;
	else
		p->bios[bio->older].newer = bio->newer;
	if (bio->newer == BTVI_NONE)
		p->newest_append = bio->older;
	else
		p->bios[bio->newer].older = bio->older;
	bio->known &= (uint8_t)~BTVI_KNOWN_APPEND;
}

uint32_t btvi_request_new(struct btvi_pair *p)
{
	if (p->free_request == BTVI_NONE) {
		const uint32_t from = p->request_capacity;
		void *requests = grow(p->requests, &p->request_capacity, sizeof *p->requests);

		if (!requests)
			return BTVI_NONE;
		p->requests = requests;
		for (uint32_t i = p->request_capacity; i-- > from;) {
			p->requests[i].next = p->free_request;
			p->free_request = i;
		}
	}
	const uint32_t r = p->free_request;
	struct btvi_request *rq = &p->requests[r];

	p->free_request = rq->next;
	*rq = (struct btvi_request){ .first = BTVI_NONE,
		.next = BTVI_NONE,
		.older = p->newest_request,
		.newer = BTVI_NONE };
	if (p->newest_request == BTVI_NONE)
		p->oldest_request = r;
	else
		p->requests[p->newest_request].newer = r;
	p->newest_request = r;
	p->in_flight++;
	return r;
}

void btvi_request_free(struct btvi_pair *p, uint32_t r)
{
	struct btvi_request *rq = &p->requests[r];

	if (rq->older == BTVI_NONE)
		p->oldest_request = rq->newer;
	else
		p->requests[rq->older].newer = rq->newer;
	if (rq->newer == BTVI_NONE)
		p->newest_request = rq->older;
	else
		p->requests[rq->newer].older = rq->older;
	rq->next = p->free_request;
	p->free_request = r;
	p->in_flight--;
}

/* ---- bios by place -------------------------------------------------------------------------- */

static unsigned level_of(uint32_t sectors)
{
	/* Eight sectors is a page: shorter bios share its level, so that levels stay few. */
	return sectors <= 8 ? 3 : 32U - (unsigned)__builtin_clz(sectors - 1);
}

/* A link names a bio and, by its lowest bit, which of the bio's two blocks it stands for. */
static void chain(struct btvi_pair *p, uint32_t slot, uint32_t link)
{
	const uint32_t next = p->bio_hash[slot];

	p->bios[link >> 1].next[link & 1] = next;
	p->bios[link >> 1].prev[link & 1] = BTVI_NONE;
	if (next != BTVI_NONE)
		p->bios[next >> 1].prev[next & 1] = link;
	p->bio_hash[slot] = link;
}

static void unchain(struct btvi_pair *p, uint32_t slot, uint32_t link)
{
	const uint32_t next = p->bios[link >> 1].next[link & 1];
	const uint32_t prev = p->bios[link >> 1].prev[link & 1];

	if (prev == BTVI_NONE)
		p->bio_hash[slot] = next;
	else
		p->bios[prev >> 1].next[prev & 1] = next;
	if (next != BTVI_NONE)
		p->bios[next >> 1].prev[next & 1] = prev;
}

static bool grow_bio_hash(struct btvi_pair *p)
{
	const unsigned old_bits = p->bio_hash_bits;
	const unsigned bits = old_bits ? old_bits + 1 : FIRST_BITS;
	uint32_t *const old = p->bio_hash;
	uint32_t *slots = malloc(sizeof *slots << bits);

	if (!slots)
		return old != NULL; /* longer chains will do */
	memset(slots, 0xff, sizeof *slots << bits);
	p->bio_hash = slots;
	p->bio_hash_bits = bits;
	for (uint32_t s = 0; old && s < 1U << old_bits; s++) {
		uint32_t link = old[s], last = BTVI_NONE;

		/* From the last to the first, so that the newest is first in its chain again. */
		for (; link != BTVI_NONE; link = p->bios[link >> 1].next[link & 1])
			last = link;
		for (link = last; link != BTVI_NONE; link = last) {
			const struct btvi_bio *bio = &p->bios[link >> 1];
			const uint64_t at = link & 1 ? bio->sector + bio->sectors - 1 : bio->sector;

			last = bio->prev[link & 1];
			chain(p, slot_of(bio->level, at >> bio->level, bits), link);
		}
	}
	free(old);
	return true;
}

bool btvi_bio_hash(struct btvi_pair *p, uint32_t b)
{
	struct btvi_bio *bio = &p->bios[b];

	if ((p->hashed >> p->bio_hash_bits != 0 || p->bio_hash_bits == 0) && !grow_bio_hash(p))
		return false;
	const unsigned level = level_of(bio->sectors);
	const uint64_t first = bio->sector >> level;
	const uint64_t last = (bio->sector + bio->sectors - 1) >> level;

	bio->level = (uint8_t)level;
	bio->hashed = true;
	p->hashed++;
	p->level_count[level]++;
	p->levels |= UINT64_C(1) << level;
	chain(p, slot_of(level, first, p->bio_hash_bits), b << 1);
	if (last != first)
		chain(p, slot_of(level, last, p->bio_hash_bits), b << 1 | 1);
	return true;
}

void btvi_bio_unhash(struct btvi_pair *p, uint32_t b)
{
	struct btvi_bio *bio = &p->bios[b];

	if (!bio->hashed)
		return;
	const unsigned level = bio->level;
	const uint64_t first = bio->sector >> level;
	const uint64_t last = (bio->sector + bio->sectors - 1) >> level;

	unchain(p, slot_of(level, first, p->bio_hash_bits), b << 1);
	if (last != first)
		unchain(p, slot_of(level, last, p->bio_hash_bits), b << 1 | 1);
	bio->hashed = false;
	p->hashed--;
	if (--p->level_count[level] == 0)
		p->levels &= ~(UINT64_C(1) << level);
}

static uint32_t find_in_level(const struct btvi_pair *p, unsigned level, uint64_t sector,
	uint32_t sectors, bool exact, unsigned lacking)
{
	uint32_t link = p->bio_hash[slot_of(level, sector >> level, p->bio_hash_bits)];

	for (unsigned i = 0; link != BTVI_NONE && i < CHAIN_MAX; i++) {
		const struct btvi_bio *bio = &p->bios[link >> 1];

		if (sector >= bio->sector && sector - bio->sector < bio->sectors &&
			(!exact || bio->sector == sector) &&
			(sectors == 0 || bio->sectors == sectors) && !(bio->known & lacking))
			return link >> 1;
		link = bio->next[link & 1];
	}
	return BTVI_NONE;
}

uint32_t btvi_bio_find(
	struct btvi_pair *p, uint64_t sector, uint32_t sectors, bool exact, unsigned lacking)
{
	if (p->hashed == 0)
		return BTVI_NONE;
	if (sectors != 0)
		return find_in_level(p, level_of(sectors), sector, sectors, exact, lacking);

	uint32_t b = BTVI_NONE;

	if (p->levels >> p->last_level & 1)
		b = find_in_level(p, p->last_level, sector, 0, exact, lacking);
	for (uint64_t left = p->levels; b == BTVI_NONE && left != 0; left &= left - 1) {
		const unsigned level = (unsigned)__builtin_ctzll(left);

		if (level == p->last_level)
			continue;
		b = find_in_level(p, level, sector, 0, exact, lacking);
		if (b != BTVI_NONE)
			p->last_level = level;
	}
	return b;
}

/* ---- requests by first sector --------------------------------------------------------------- */

static void chain_request(struct btvi_pair *p, uint32_t r)
{
	uint32_t *const slot =
		&p->request_hash[slot_of(0, p->requests[r].sector, p->request_hash_bits)];

	p->requests[r].next = *slot;
	p->requests[r].prev = BTVI_NONE;
	if (*slot != BTVI_NONE)
		p->requests[*slot].prev = r;
	*slot = r;
}

static bool grow_request_hash(struct btvi_pair *p, uint32_t without)
{
	const unsigned bits = p->request_hash_bits ? p->request_hash_bits + 1 : FIRST_BITS;
	uint32_t *slots = malloc(sizeof *slots << bits);

	if (!slots)
		return p->request_hash_bits != 0;
	memset(slots, 0xff, sizeof *slots << bits);
	free(p->request_hash);
	p->request_hash = slots;
	p->request_hash_bits = bits;
	for (uint32_t r = p->oldest_request; r != BTVI_NONE; r = p->requests[r].newer)
		if (r != without)
			chain_request(p, r);
	return true;
}

bool btvi_request_hash(struct btvi_pair *p, uint32_t r)
{
	if (p->in_flight >> p->request_hash_bits != 0 || p->request_hash_bits == 0)
		if (!grow_request_hash(p, r))
			return false;
	chain_request(p, r);
	return true;
}

void btvi_request_unhash(struct btvi_pair *p, uint32_t r)
{
	const uint32_t next = p->requests[r].next, prev = p->requests[r].prev;

	if (prev == BTVI_NONE)
		p->request_hash[slot_of(0, p->requests[r].sector, p->request_hash_bits)] = next;
	else
		p->requests[prev].next = next;
	if (next != BTVI_NONE)
		p->requests[next].prev = prev;
}

uint32_t btvi_request_find(const struct btvi_pair *p, uint64_t sector, uint8_t op)
{
	if (p->in_flight == 0 || p->request_hash_bits == 0)
		return BTVI_NONE;

	uint32_t r = p->request_hash[slot_of(0, sector, p->request_hash_bits)];

	for (unsigned i = 0; r != BTVI_NONE && i < CHAIN_MAX; i++) {
		if (p->requests[r].sector == sector && p->requests[r].op == op)
			return r;
		r = p->requests[r].next;
	}
	return BTVI_NONE;
}
