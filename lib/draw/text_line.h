/* draw/text_line.h - lines of text for a terminal: a fixed width, counted in the columns that
 * characters take there, colours where they are wanted, ASCII where nothing else is. */
#ifndef BTVI_DRAW_TEXT_LINE_H
#define BTVI_DRAW_TEXT_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "draw/bytes.h"

struct btvi_text {
	struct btvi_bytes *out;
	unsigned columns;
	bool ascii, color;
	unsigned at;  /* column of what comes next */
	int painting; /* the colour that is on, 0: none */
};

/* A colour of the 256, or one of these. */
enum { BTVI_PAINT_NONE = 0, BTVI_PAINT_BOLD = -1, BTVI_PAINT_DIM = -2 };

/* Columns that the character at text takes: 0, 1 or 2. *ret_bytes is its length. */
unsigned btvi_text_width(const char *text, size_t *ret_bytes);

/* Adds text, cut with "…" at width columns or the end of the line. Ends no line. */
void btvi_text_add(struct btvi_text *t, int paint, const char *text, unsigned width);
/* The same at the right end of width columns. */
void btvi_text_add_right(struct btvi_text *t, int paint, const char *text, unsigned width);
/* Blanks up to a column. */
void btvi_text_to(struct btvi_text *t, unsigned column);
void btvi_text_end_line(struct btvi_text *t);

/* Adds text in lines broken at blanks; the first begins where the line is, all at column indent. */
void btvi_text_wrap(struct btvi_text *t, int paint, const char *text, unsigned indent);

#endif
