/* lines.c - writes lines in large pieces. Knows nothing of what is in them. */
#include "lines.h"

#include <errno.h>
#include <unistd.h>

struct line lines_begin(struct lines *o)
{
	return (struct line){ o->buffer + o->size, 0, LINE_MAX_SIZE };
}

void lines_add(struct lines *o, const struct line *line)
{
	o->size += line->size;
	o->count++;
	if (o->size >= LINES_SIZE)
		lines_flush(o);
}

void lines_flush(struct lines *o)
{
	size_t at = 0;

	while (at < o->size && !o->closed && o->error == 0) {
		const ssize_t n = write(o->fd, o->buffer + at, o->size - at);

		if (n >= 0)
			at += (size_t)n;
		else if (errno == EPIPE)
			o->closed = true; /* like `| head`: enough has been seen */
		else if (errno != EINTR)
			o->error = errno;
	}
	o->size = 0;
}
