/* arena.c - blocks in a list. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct btvi_arena_block {
	struct btvi_arena_block *next;
	size_t used, size;
	alignas(max_align_t) unsigned char bytes[];
};

enum { BLOCK_BYTES = 16384 };

void *btvi_arena_alloc(struct btvi_arena *a, size_t count, size_t item_size)
{
	struct btvi_arena_block *b = a->blocks;
	size_t size;
	void *p;

	if (a->failed || (item_size != 0 && count > SIZE_MAX / 2 / item_size)) {
		a->failed = 1;
		return NULL;
	}
	size = (count * item_size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	if (!b || b->size - b->used < size) {
		const size_t want = size > BLOCK_BYTES ? size : BLOCK_BYTES;

		b = calloc(1, sizeof *b + want);
		if (!b) {
			a->failed = 1;
			return NULL;
		}
		b->size = want;
		b->next = a->blocks;
		a->blocks = b;
	}
	p = b->bytes + b->used;
	b->used += size;
	return p;
}

char *btvi_arena_text(struct btvi_arena *a, const char *text)
{
	const size_t size = strlen(text) + 1;
	char *copy = btvi_arena_alloc(a, size, 1);

	return copy ? memcpy(copy, text, size) : NULL;
}

void btvi_arena_done(struct btvi_arena *a)
{
	while (a->blocks) {
		struct btvi_arena_block *b = a->blocks;

		a->blocks = b->next;
		free(b);
	}
}
