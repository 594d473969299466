/* ios_print.h - one I/O as a line: text, CSV or JSON. */
#ifndef BTVIZ_TOOLS_IOS_PRINT_H
#define BTVIZ_TOOLS_IOS_PRINT_H

#include <btviz/io.h>

#include "line.h"

enum ios_format { IOS_TEXT, IOS_CSV, IOS_JSONL };

/* What is known about an I/O beside itself. */
struct io_context {
	uint64_t origin_ns;  /* of the first I/O event */
	const char *process; /* name of io->pid, printable; NULL: not known */
	const char *device;  /* name of io->device */
};

/* When it began: queued, or, where no queueing was seen, the first station that was. */
uint64_t io_begin_ns(const struct btviz_io *io);

/* The line that names the columns. */
void ios_print_header(struct line *l, enum ios_format format);

void ios_print(struct line *l, enum ios_format format, const struct btviz_io *io,
	const struct io_context *c);

#endif
