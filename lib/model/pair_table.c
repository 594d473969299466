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
	bio->ahead = 0;
	bio->hashed = bio->has_parts = false;
	bio->open = true;
	return b;
}

void btvi_bio_free(struct btvi_pair *p, uint32_t b)
{
	p->bios[b].open = false;
	p->bios[b].sibling = p->free_bio;
	p->free_bio = b;
}

void btvi_list_add(struct btvi_pair *p, struct btvi_list *l, uint32_t b)
{
	p->bios[b].older = l->newest;
	p->bios[b].newer = BTVI_NONE;
	if (l->newest == BTVI_NONE)
		l->oldest = b;
	else
		p->bios[l->newest].newer = b;
	l->newest = b;
}

void btvi_list_remove(struct btvi_pair *p, struct btvi_list *l, uint32_t b)
{
	const struct btvi_bio *const bio = &p->bios[b];

	if (bio->older == BTVI_NONE)
		l->oldest = bio->newer;
	else
		p->bios[bio->older].newer = bio->newer;
	if (bio->newer == BTVI_NONE)
		l->newest = bio->older;
	else
		p->bios[bio->newer].older = bio->older;
}

/* Puts a request at the end of the list by age; takes it out. */
static void append_request(struct btvi_pair *p, uint32_t r)
{
	p->requests[r].older = p->newest_request;
	p->requests[r].newer = BTVI_NONE;
	if (p->newest_request == BTVI_NONE)
		p->oldest_request = r;
	else
		p->requests[p->newest_request].newer = r;
	p->newest_request = r;
}

static void remove_request(struct btvi_pair *p, uint32_t r)
{
	const struct btvi_request *const rq = &p->requests[r];

	if (rq->older == BTVI_NONE)
		p->oldest_request = rq->newer;
	else
		p->requests[rq->older].newer = rq->newer;
	if (rq->newer == BTVI_NONE)
		p->newest_request = rq->older;
	else
		p->requests[rq->newer].older = rq->older;
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
	*rq = (struct btvi_request){ .first = BTVI_NONE };
	append_request(p, r);
	p->in_flight++;
	return r;
}

void btvi_request_free(struct btvi_pair *p, uint32_t r)
{
	remove_request(p, r);
	p->requests[r].next = p->free_request;
	p->free_request = r;
	p->in_flight--;
}

void btvi_request_to_end(struct btvi_pair *p, uint32_t r)
{
	remove_request(p, r);
	append_request(p, r);
}

/* ---- bios by place -------------------------------------------------------------------------- */

static unsigned level_of(uint32_t sectors)
{
	/* Eight sectors is a page: shorter bios share its level, so that levels stay few. */
	return sectors <= 8 ? 3 : 32U - (unsigned)__builtin_clz(sectors - 1);
}

/* A link names a bio and, by its lowest bit, which of the bio's two blocks it stands for. Chains go
 * from the oldest to the newest; the oldest's prev is the newest. */
static void chain(struct btvi_pair *p, uint32_t slot, uint32_t link)
{
	const uint32_t first = p->bio_hash[slot];

	p->bios[link >> 1].next[link & 1] = BTVI_NONE;
	if (first == BTVI_NONE) {
		p->bios[link >> 1].prev[link & 1] = link;
		p->bio_hash[slot] = link;
		return;
	}
	const uint32_t last = p->bios[first >> 1].prev[first & 1];

	p->bios[link >> 1].prev[link & 1] = last;
	p->bios[last >> 1].next[last & 1] = link;
	p->bios[first >> 1].prev[first & 1] = link;
}

static inline void unchain(struct btvi_pair *p, uint32_t slot, uint32_t link)
{
	const uint32_t next = p->bios[link >> 1].next[link & 1];
	const uint32_t prev = p->bios[link >> 1].prev[link & 1];
	const uint32_t first = p->bio_hash[slot];

	if (first == link)
		p->bio_hash[slot] = next;
	else
		p->bios[prev >> 1].next[prev & 1] = next;
	if (next != BTVI_NONE)
		p->bios[next >> 1].prev[next & 1] = prev;
	else if (first != link)
		p->bios[first >> 1].prev[first & 1] = prev;
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
	for (uint32_t s = 0; old && s < 1U << old_bits; s++)
		for (uint32_t link = old[s], next; link != BTVI_NONE; link = next) {
			const struct btvi_bio *bio = &p->bios[link >> 1];
			const uint64_t at = link & 1 ? bio->sector + bio->sectors - 1 : bio->sector;

			next = bio->next[link & 1];
			chain(p, slot_of(bio->level, at >> bio->level, bits), link);
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

static inline uint32_t begins_in_level(const struct btvi_pair *p, unsigned level, uint64_t sector,
	uint32_t sectors, uint8_t op, unsigned lacking)
{
	uint32_t link = p->bio_hash[slot_of(level, sector >> level, p->bio_hash_bits)];

	for (unsigned i = 0; link != BTVI_NONE && i < CHAIN_MAX; i++) {
		const struct btvi_bio *bio = &p->bios[link >> 1];

		if (bio->sector == sector && (sectors == 0 || bio->sectors == sectors) &&
			bio->op == op && !(bio->known & lacking))
			return link >> 1;
		link = bio->next[link & 1];
	}
	return BTVI_NONE;
}

static uint32_t contains_in_level(
	const struct btvi_pair *p, unsigned level, uint64_t sector, uint8_t op)
{
	uint32_t link = p->bio_hash[slot_of(level, sector >> level, p->bio_hash_bits)];

	for (unsigned i = 0; link != BTVI_NONE && i < CHAIN_MAX; i++) {
		const struct btvi_bio *bio = &p->bios[link >> 1];

		if (sector >= bio->sector && sector - bio->sector < bio->sectors && bio->op == op &&
			!(bio->known & BTVI_KNOWN_LOST))
			return link >> 1;
		link = bio->next[link & 1];
	}
	return BTVI_NONE;
}

uint32_t btvi_bio_find(
	struct btvi_pair *p, uint64_t sector, uint32_t sectors, uint8_t op, unsigned lacking)
{
	const unsigned level = level_of(sectors);

	return p->levels >> level & 1 ? begins_in_level(p, level, sector, sectors, op, lacking)
				      : BTVI_NONE;
}

uint32_t btvi_bio_beginning(struct btvi_pair *p, uint64_t sector, uint8_t op)
{
	uint32_t b = BTVI_NONE;

	if (p->levels >> p->last_level & 1)
		b = begins_in_level(p, p->last_level, sector, 0, op, BTVI_KNOWN_LOST);
	for (uint64_t left = p->levels; b == BTVI_NONE && left != 0; left &= left - 1) {
		const unsigned level = (unsigned)__builtin_ctzll(left);

		if (level == p->last_level)
			continue;
		b = begins_in_level(p, level, sector, 0, op, BTVI_KNOWN_LOST);
		if (b != BTVI_NONE)
			p->last_level = level;
	}
	return b;
}

uint32_t btvi_bio_containing(struct btvi_pair *p, uint64_t sector, uint8_t op)
{
	uint32_t b = BTVI_NONE;

	for (uint64_t left = p->levels; b == BTVI_NONE && left != 0; left &= left - 1)
		b = contains_in_level(p, (unsigned)__builtin_ctzll(left), sector, op);
	return b;
}

uint32_t btvi_bio_next_in(
	struct btvi_pair *p, uint64_t *at, uint64_t end, uint8_t op, bool contains)
{
	enum { PAGE = 8, STEPS_MAX = 512 };
	const uint64_t step = *at % PAGE == 0 && end % PAGE == 0 ? PAGE : 1;

	for (unsigned i = 0; *at < end && i < STEPS_MAX; i++, *at += step) {
		const uint32_t b =
			contains ? btvi_bio_containing(p, *at, op) : btvi_bio_beginning(p, *at, op);

		if (b != BTVI_NONE)
			return b;
		if (!p->queued || p->hashed == 0)
			break; /* there was none to be lost */
	}
	return BTVI_NONE;
}

uint32_t btvi_bio_next_equal(const struct btvi_pair *p, uint32_t b)
{
	const struct btvi_bio *const bio = &p->bios[b];
	uint32_t link = bio->next[0];

	for (unsigned i = 0; link != BTVI_NONE && i < CHAIN_MAX; i++) {
		const struct btvi_bio *other = &p->bios[link >> 1];

		if (other->sector == bio->sector && other->sectors == bio->sectors &&
			other->op == bio->op && !(other->known & BTVI_KNOWN_LOST))
			return link >> 1;
		link = other->next[link & 1];
	}
	return BTVI_NONE;
}

/* ---- requests by first sector --------------------------------------------------------------- */

static void chain_request(struct btvi_pair *p, uint32_t r)
{
	uint32_t *const slot =
		&p->request_hash[slot_of(0, p->requests[r].sector, p->request_hash_bits)];

	p->requests[r].next = BTVI_NONE;
	if (*slot == BTVI_NONE) {
		p->requests[r].prev = r;
		*slot = r;
		return;
	}
	const uint32_t last = p->requests[*slot].prev;

	p->requests[r].prev = last;
	p->requests[last].next = r;
	p->requests[*slot].prev = r;
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
	if ((p->in_flight + p->lost_requests) >> p->request_hash_bits != 0 ||
		p->request_hash_bits == 0)
		if (!grow_request_hash(p, r))
			return false;
	chain_request(p, r);
	return true;
}

void btvi_request_unhash(struct btvi_pair *p, uint32_t r)
{
	uint32_t *const slot =
		&p->request_hash[slot_of(0, p->requests[r].sector, p->request_hash_bits)];
	const uint32_t next = p->requests[r].next, prev = p->requests[r].prev;

	if (*slot == r)
		*slot = next;
	else
		p->requests[prev].next = next;
	if (next != BTVI_NONE)
		p->requests[next].prev = prev;
	else if (*slot != BTVI_NONE)
		p->requests[*slot].prev = prev;
}

/* How well a request is what an event at its place is about; larger is better. */
static unsigned fitness(const struct btvi_request *rq, uint64_t end)
{
	return (rq->end == end ? 2 : 0) + (rq->lost ? 0 : 1);
}

uint32_t btvi_request_find(const struct btvi_pair *p, uint64_t sector, uint64_t end, uint8_t op)
{
	uint32_t best = BTVI_NONE, r;

	if (p->oldest_request == BTVI_NONE || p->request_hash_bits == 0)
		return BTVI_NONE;
	r = p->request_hash[slot_of(0, sector, p->request_hash_bits)];
	for (unsigned i = 0; r != BTVI_NONE && i < CHAIN_MAX; i++) {
		const struct btvi_request *const rq = &p->requests[r];

		if (rq->sector == sector && rq->op == op) {
			if (rq->end == end && !rq->lost)
				return r;
			if (best == BTVI_NONE ||
				fitness(rq, end) > fitness(&p->requests[best], end))
				best = r;
		}
		r = rq->next;
	}
	return best;
}

uint32_t btvi_request_next_equal(const struct btvi_pair *p, uint32_t r)
{
	const struct btvi_request *const rq = &p->requests[r];
	uint32_t next = rq->next;

	for (unsigned i = 0; next != BTVI_NONE && i < CHAIN_MAX; i++) {
		const struct btvi_request *const other = &p->requests[next];

		if (other->sector == rq->sector && other->end == rq->end && other->op == rq->op &&
			!other->lost)
			return next;
		next = other->next;
	}
	return BTVI_NONE;
}
