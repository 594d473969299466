/* clean.h - text that came out of a trace or a file name, made harmless for a terminal, for JSON
 * and for a spreadsheet. */
#ifndef BTVIZ_TOOLS_CLEAN_H
#define BTVIZ_TOOLS_CLEAN_H

#include <stddef.h>

enum { CLEAN_SIZE = 512 };

/* Text as btviz_text_printable() makes it; longer one is cut at a character's border and ends in an
 * ellipsis. size: 5 to 2 * CLEAN_SIZE. Returns out. NULL is "". */
const char *clean_text(const char *text, char *out, size_t size);

/* Clean text as a field of CSV: quoted where it must be, and never a formula: what a spreadsheet
 * would take for one gets an apostrophe in front. size: twice that of the text, and 4. Returns out.
 */
const char *clean_csv(const char *text, char *out, size_t size);

/* Columns that clean text takes on a terminal, as far as one column a character is right. */
size_t clean_width(const char *text);

/* Clean text cut to so many columns, with an ellipsis where something went. Returns out. */
const char *clean_cut(const char *text, size_t columns, char *out, size_t size);

#endif
