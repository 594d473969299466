/* output.h - a result that appears whole or not at all: it is written to a temporary file beside
 * its target, which is renamed at the end. */
#ifndef BTVIZ_TOOLS_OUTPUT_H
#define BTVIZ_TOOLS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
	const char *path; /* as given, for messages */
	FILE *file;       /* to write to */
	char *target;     /* the file itself, symbolic links resolved; NULL: written to directly */
	char *temporary;  /* NULL: written to directly */
};

/* Opens path; "-" or NULL is standard output, and what is no regular file (a device, a pipe) is
 * written to directly. Says what is wrong and returns false where that does not work. */
bool output_open(struct output *o, const char *path);

/* Puts the result in its place. Says what is wrong and returns false where something could not be
 * written; the old file is then untouched. Of standard output main() says it. */
bool output_finish(struct output *o);

/* Gives up: nothing is left behind. */
void output_drop(struct output *o);

/* Removes the file of that name should a signal end the program; NULL: no more. One at a time. */
void output_guard(char *temporary);

#endif
