/* lines.h - lines on their way to a file or to standard output, in large pieces. */
#ifndef BTVIZ_TOOLS_LINES_H
#define BTVIZ_TOOLS_LINES_H

#include <stdbool.h>

#include "line.h"

enum { LINES_SIZE = 1 << 16 };

struct lines {
	char buffer[LINES_SIZE + LINE_MAX_SIZE];
	size_t size;
	uint64_t count;
	bool closed; /* nobody reads any more */
	int error;   /* errno of a write that failed otherwise */
	int fd;
};

/* An empty line at the end of what there is; lines_add() takes it. */
struct line lines_begin(struct lines *o);
void lines_add(struct lines *o, const struct line *line);

/* Writes what has come together; closed or error tell what became of it. */
void lines_flush(struct lines *o);

#endif
