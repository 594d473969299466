/* output.h - a result that appears whole or not at all, or on standard output. */
#ifndef BTVIZ_TOOLS_OUTPUT_H
#define BTVIZ_TOOLS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include <btviz/output.h>

struct output {
	const char *path;            /* as given, for messages */
	FILE *file;                  /* to write to */
	struct btviz_output *output; /* NULL: standard output */
};

/* Opens path; "-" or NULL is standard output. Says what is wrong and returns false where that does
 * not work. */
bool output_open(struct output *o, const char *path);

/* Puts the result in its place. Says what is wrong and returns false where something could not be
 * written; the old file is then untouched. Of standard output main() says it. */
bool output_finish(struct output *o);

/* Gives up: nothing is left behind. */
void output_drop(struct output *o);

#endif
