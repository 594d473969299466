/* bytes.c - a growing piece of memory. */
#include "draw/bytes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void btvi_bytes_add(struct btvi_bytes *b, const void *data, size_t size)
{
	if (b->failed || size == 0)
		return;
	if (size > SIZE_MAX / 4 - b->size) {
		b->failed = true;
		return;
	}
	if (b->capacity - b->size < size) {
		const size_t capacity = (b->size + size) * 2;
		unsigned char *bigger = realloc(b->data, capacity);

		if (!bigger) {
			b->failed = true;
			return;
		}
		b->data = bigger;
		b->capacity = capacity;
	}
	memcpy(b->data + b->size, data, size);
	b->size += size;
}

void btvi_bytes_text(struct btvi_bytes *b, const char *text)
{
	btvi_bytes_add(b, text, strlen(text));
}

void btvi_bytes_done(struct btvi_bytes *b)
{
	free(b->data);
	*b = (struct btvi_bytes){ 0 };
}
