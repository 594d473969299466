/* base/arena.h - memory that is given back all at once. */
#ifndef BTVI_BASE_ARENA_H
#define BTVI_BASE_ARENA_H

#include <stddef.h>

struct btvi_arena_block;

struct btvi_arena {
	struct btvi_arena_block *blocks;
	int failed; /* an allocation failed: everything after it is NULL too */
};

/* count items of item_size bytes, zeroed; NULL when out of memory. A count of 0 gives a pointer
 * that must not be read. */
void *btvi_arena_alloc(struct btvi_arena *a, size_t count, size_t item_size);

/* A copy of a string. */
char *btvi_arena_text(struct btvi_arena *a, const char *text);

void btvi_arena_done(struct btvi_arena *a);

#endif
