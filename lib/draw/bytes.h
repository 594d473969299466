/* draw/bytes.h - a growing piece of memory that encoders write into. */
#ifndef BTVI_DRAW_BYTES_H
#define BTVI_DRAW_BYTES_H

#include <stdbool.h>
#include <stddef.h>

struct btvi_bytes {
	unsigned char *data; /* from malloc() */
	size_t size, capacity;
	bool failed; /* memory ran out: data is what fitted */
};

void btvi_bytes_add(struct btvi_bytes *b, const void *data, size_t size);
void btvi_bytes_text(struct btvi_bytes *b, const char *text);
void btvi_bytes_done(struct btvi_bytes *b);

#endif
