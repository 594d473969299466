/* measure/saved_row.h - long rows of numbers as one text: decimal, with a blank between, "7*4" for
 * 7 7 7 7. So a parser of JSON meets few values, and a file that lies about a length is found out
 * before anything is allocated for it. */
#ifndef BTVI_MEASURE_SAVED_ROW_H
#define BTVI_MEASURE_SAVED_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing text. failed: out of memory; what follows is lost. */
struct btvi_row_writer {
	char *text;
	size_t size, room;
	uint64_t value, repeats; /* not written yet */
	bool failed;
};

void btvi_row_put(struct btvi_row_writer *w, uint64_t value);

/* Ends the row: text is NUL-terminated, and free()d by the caller. False: out of memory. */
bool btvi_row_end(struct btvi_row_writer *w);

struct btvi_row_reader {
	const char *at, *end;
	uint64_t value, repeats;
};

/* False at the end of the row, and where it is no row; reader->at tells which: it is end or not. */
bool btvi_row_get(struct btvi_row_reader *r, uint64_t *ret_value);

/* Whether all of it was read. */
bool btvi_row_is_over(const struct btvi_row_reader *r);

#endif
