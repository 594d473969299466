/* tabular.c - tables of short texts. Knows nothing of what is in them. */
#include "tabular.h"

#include <stdlib.h>
#include <string.h>

#include "clean.h"

struct tabular tabular_new(size_t rows, size_t columns)
{
	struct tabular t = { rows, columns, NULL };

	t.cells = calloc(rows * columns, sizeof *t.cells);
	return t;
}

void tabular_free(struct tabular *t)
{
	free(t->cells);
	t->cells = NULL;
}

char *tabular_cell(const struct tabular *t, size_t row, size_t column)
{
	return t->cells[row * t->column_count + column];
}

static size_t column_width(const struct tabular *t, size_t column)
{
	size_t width = 0;

	for (size_t row = 0; row < t->row_count; row++) {
		const size_t w = clean_width(tabular_cell(t, row, column));

		width = w > width ? w : width;
	}
	return width;
}

static void print_padded(const struct tabular *t, FILE *out, size_t row, size_t column)
{
	const char *const text = tabular_cell(t, row, column);

	fprintf(out, "  %*s%s", (int)(column_width(t, column) - clean_width(text)), "", text);
}

static void print_columns(
	const struct tabular *t, FILE *out, size_t first, size_t count, size_t repeated)
{
	for (size_t row = 0; row < t->row_count; row++) {
		const char *const head = tabular_cell(t, row, 0);
		size_t end = first + count;

		while (end > first && tabular_cell(t, row, end - 1)[0] == '\0')
			end--; /* no blanks at the end of a line */
		fputs(head, out);
		if (end > first || repeated > 0)
			fprintf(out, "%*s", (int)(column_width(t, 0) - clean_width(head)), "");
		if (repeated > 0)
			print_padded(t, out, row, repeated);
		for (size_t i = first; i < end; i++)
			print_padded(t, out, row, i);
		fputc('\n', out);
	}
}

void tabular_print(const struct tabular *t, FILE *out, size_t width, size_t repeated)
{
	size_t next = 1;

	while (next < t->column_count) {
		const size_t again = next > 1 && repeated < next ? repeated : 0;
		size_t used = column_width(t, 0), count = 0;

		if (again > 0)
			used += 2 + column_width(t, again);
		while (next + count < t->column_count) {
			used += 2 + column_width(t, next + count);
			if (count > 0 && used > width)
				break;
			count++;
		}
		if (next > 1)
			fputc('\n', out);
		print_columns(t, out, next, count, again);
		next += count;
	}
}

void markdown_print(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (strchr("|\\<>&*_`", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

void tabular_print_markdown(const struct tabular *t, FILE *out)
{
	for (size_t row = 0; row < t->row_count; row++) {
		for (size_t i = 0; i < t->column_count; i++) {
			fputs(i > 0 ? " | " : "| ", out);
			markdown_print(tabular_cell(t, row, i), out);
		}
		fputs(" |\n", out);
		for (size_t i = 0; row == 0 && i < t->column_count; i++)
			fputs(i > 0 ? "---:|" : "|---|", out);
		if (row == 0)
			fputc('\n', out);
	}
}
