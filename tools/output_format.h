/* output_format.h - what form a result has: what --format says, else what the file's name says. */
#ifndef BTVIZ_TOOLS_OUTPUT_FORMAT_H
#define BTVIZ_TOOLS_OUTPUT_FORMAT_H

#include <stdbool.h>

enum { FORMAT_UNTOLD = -1 };

/* formats: the words of the command's --format, ends with NULL; the first is that of a name that
 * says nothing. *format: what --format said, or FORMAT_UNTOLD; then what it is, an index. path may
 * be NULL. False after saying what is wrong: a suffix that the command cannot fill, or a name such
 * as x.json for what is no JSON. */
bool output_format(const char *command, const char *path, const char *const *formats, int *format);

/* Whether the name ends like one of data or text (.json, .jsonl, .csv, .md, .txt), not of a
 * picture. */
bool output_is_text(const char *path);

#endif
