/* model/pair_table.h - where pairing keeps its open I/Os: two pools and two hashes.
 * Private to pair.c and pair_table.c.
 *
 * The bio hash answers "which open bio contains this sector?" in constant time: a bio of n sectors
 * is filed under the one or two aligned blocks of 2^level >= n sectors that it touches; a question
 * asks once for each level in use, and those are few. */
#ifndef BTVI_MODEL_PAIR_TABLE_H
#define BTVI_MODEL_PAIR_TABLE_H

#include "model/pair.h"

/* Never negative: a clock that stepped back gives 0. */
static inline uint64_t btvi_since(uint64_t then_ns, uint64_t now_ns)
{
	return now_ns > then_ns ? now_ns - then_ns : 0;
}

/* A new bio; a new request in the list by age. Not hashed; BTVI_NONE when out of memory. */
uint32_t btvi_bio_new(struct btvi_pair *p);
uint32_t btvi_request_new(struct btvi_pair *p);

/* Gives it back to the pool; it must not be hashed or in a list any more. */
void btvi_bio_free(struct btvi_pair *p, uint32_t b);
void btvi_request_free(struct btvi_pair *p, uint32_t r);

/* Makes a request the last one of the list by age. */
void btvi_request_to_end(struct btvi_pair *p, uint32_t r);

/* Adds the newest to a list by age; takes one out that is in it. */
void btvi_list_add(struct btvi_pair *p, struct btvi_list *l, uint32_t b);
void btvi_list_remove(struct btvi_pair *p, struct btvi_list *l, uint32_t b);

/* Files a bio under its sectors (false when out of memory); takes it out again. */
bool btvi_bio_hash(struct btvi_pair *p, uint32_t b);
void btvi_bio_unhash(struct btvi_pair *p, uint32_t b);

/* The oldest hashed bio of the operation that begins at the sector, has so many, and knows none of
 * lacking; the oldest of any length that begins there; that contains the sector. BTVI_NONE if there
 * is none. The latter two leave out those that are lost. */
uint32_t btvi_bio_find(
	struct btvi_pair *p, uint64_t sector, uint32_t sectors, uint8_t op, unsigned lacking);
uint32_t btvi_bio_beginning(struct btvi_pair *p, uint64_t sector, uint8_t op);
uint32_t btvi_bio_containing(struct btvi_pair *p, uint64_t sector, uint8_t op);

/* The first place from at to end where a bio begins or, with contains, that lies in one, and the
 * bio; past what a bio that is not known may cover. */
uint32_t btvi_bio_next_in(
	struct btvi_pair *p, uint64_t *at, uint64_t end, uint8_t op, bool contains);

/* The next younger one of the same place, length and operation, not lost. */
uint32_t btvi_bio_next_equal(const struct btvi_pair *p, uint32_t b);
uint32_t btvi_request_next_equal(const struct btvi_pair *p, uint32_t r);

/* false when out of memory. */
bool btvi_request_hash(struct btvi_pair *p, uint32_t r);
void btvi_request_unhash(struct btvi_pair *p, uint32_t r);

/* The request in flight that begins at sector and moves data the same way as op: the oldest that
 * ends at end, rather than one that is lost, rather than one of another length. */
uint32_t btvi_request_find(const struct btvi_pair *p, uint64_t sector, uint64_t end, uint8_t op);

#endif
