/* ios_fio.h - what is queued or issued as a log that fio replays (version 3). */
#ifndef BTVIZ_TOOLS_IOS_FIO_H
#define BTVIZ_TOOLS_IOS_FIO_H

#include <btviz/event.h>

#include "lines.h"

enum fio_time { FIO_QUEUED, FIO_ISSUED };

enum { FIO_FILES_MAX = 64 };

struct fio_log {
	enum fio_time when;
	char files[FIO_FILES_MAX][80];
	size_t file_count;
};

void fio_log_begin(struct line *l);
/* Reads, writes, discards and flushes at their time; other events are passed over. */
void fio_log_add(struct fio_log *f, struct lines *out, const struct btviz_event *ev,
	uint64_t origin_ns, const char *device);
void fio_log_end(struct fio_log *f, struct lines *out, uint64_t span_ns);

#endif
