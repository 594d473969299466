/* tabular.h - a table of short texts: side by side as far as they fit, or in Markdown. */
#ifndef BTVIZ_TOOLS_TABULAR_H
#define BTVIZ_TOOLS_TABULAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TABULAR_CELL_BYTES = 320 };

/* The first column is flush left, the others flush right. Without memory there are no cells: to be
 * asked once, before the first is written. */
struct tabular {
	size_t row_count, column_count;
	char (*cells)[TABULAR_CELL_BYTES]; /* [row * column_count + column], "" at first */
};

struct tabular tabular_new(size_t rows, size_t columns);
void tabular_free(struct tabular *t);

/* The cell's text, TABULAR_CELL_BYTES long. */
char *tabular_cell(const struct tabular *t, size_t row, size_t column);

/* Prints as many columns side by side as fit into width, further ones below, each time beside the
 * first column and beside column `repeated` (0: none). */
void tabular_print(const struct tabular *t, FILE *out, size_t width, size_t repeated);

void tabular_print_markdown(const struct tabular *t, FILE *out);

/* Text with what Markdown would take for its own escaped. */
void markdown_print(const char *text, FILE *out);

#endif
