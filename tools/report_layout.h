/* report_layout.h - words, names and paragraphs of the text report in their columns. */
#ifndef BTVIZ_TOOLS_REPORT_LAYOUT_H
#define BTVIZ_TOOLS_REPORT_LAYOUT_H

#include <stdio.h>

enum { REPORT_WIDTH = 80 };

/* A word of foreign text in so many columns, the last of which stays blank: longer ones are cut. */
void report_word(FILE *out, const char *word, int columns);

/* A device's name in front of its row, so far from the left. One that would touch what follows has
 * a line of its own. */
void report_name(FILE *out, int indent, const char *name, int columns);

/* Text after a lead of `indent` columns, broken between words, further lines indented. */
void report_wrapped(FILE *out, const char *lead, const char *text, int indent);

void report_heading(FILE *out, const char *text);

#endif
