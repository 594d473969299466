/* report_layout.c - words, names and paragraphs of the text report in their columns. Knows no
 * figure. */
#include "report_layout.h"

#include <string.h>

#include "clean.h"

/* A word of foreign text, cut to the column's width and padded by hand: printf counts bytes. */
void report_word(FILE *out, const char *word, int columns)
{
	char text[CLEAN_SIZE];

	clean_cut(word, (size_t)columns - 1, text, sizeof text);
	fprintf(out, "%s%*s", text, columns - (int)clean_width(text), "");
}

/* A device's name in front of its row, so far from the left. One that would touch what follows has
 * a line of its own. */
void report_name(FILE *out, int indent, const char *name, int columns)
{
	char text[CLEAN_SIZE];

	clean_cut(name, (size_t)(REPORT_WIDTH - indent), text, sizeof text);
	if ((int)clean_width(text) < columns) {
		fprintf(out, "%*s%s%*s", indent, "", text, columns - (int)clean_width(text), "");
		return;
	}
	fprintf(out, "%*s%s\n%*s", indent, "", text, indent + columns, "");
}

/* Prints text after a lead of `indent` columns, broken between words, further lines indented. */
void report_wrapped(FILE *out, const char *lead, const char *text, int indent)
{
	char clean[2 * CLEAN_SIZE];
	const char *p = clean_text(text, clean, sizeof clean);
	int column = indent;

	fprintf(out, "%s%*s", lead, indent - (int)clean_width(lead), "");
	while (*p) {
		char word[2 * CLEAN_SIZE];
		const size_t n = strcspn(p, " ");

		memcpy(word, p, n);
		word[n] = '\0';
		if (column > indent && column + 1 + (int)clean_width(word) > REPORT_WIDTH) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		}
		if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fputs(word, out);
		column += (int)clean_width(word);
		p += n + (p[n] == ' ');
	}
	fputc('\n', out);
}

void report_heading(FILE *out, const char *text)
{
	fprintf(out, "\n%s\n", text);
}
