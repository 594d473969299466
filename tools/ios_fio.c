/* ios_fio.c - lines of fio's log of I/Os: microseconds, file, action, offset, length. */
#include "ios_fio.h"

#include <stdio.h>
#include <string.h>

static const char *action(const struct btviz_event *ev)
{
	switch (btviz_event_op(ev)) {
	case BTVIZ_OP_READ:
		return ev->bytes > 0 ? "read" : NULL;
	case BTVIZ_OP_WRITE:
	case BTVIZ_OP_ZEROES:
		return ev->bytes > 0 ? "write" : NULL;
	case BTVIZ_OP_DISCARD:
		return "trim";
	case BTVIZ_OP_FLUSH:
		return ev->categories & BTVIZ_CAT_FLUSH ? "sync" : NULL;
	default:
		return NULL;
	}
}

static void put_head(struct line *l, uint64_t ns, const char *file, const char *what)
{
	line_u(l, ns / 1000);
	line_char(l, ' ');
	line_text(l, file);
	line_char(l, ' ');
	line_text(l, what);
}

/* fio wants each file added and opened before its first I/O. */
static const char *file_of(struct fio_log *f, struct lines *out, const char *device, uint64_t ns)
{
	static const char *const begins[] = { "add", "open" };
	char name[sizeof f->files[0]];

	snprintf(name, sizeof name, "/dev/%.70s", device);
	for (char *c = name; *c; c++)
		if (*c == ' ')
			*c = '_'; /* a blank ends a field */
	for (size_t i = 0; i < f->file_count; i++)
		if (strcmp(f->files[i], name) == 0)
			return f->files[i];
	if (f->file_count == FIO_FILES_MAX)
		return NULL;
	memcpy(f->files[f->file_count], name, sizeof name);
	for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
		struct line line = lines_begin(out);

		put_head(&line, ns, name, begins[i]);
		line_char(&line, '\n');
		lines_add(out, &line);
	}
	return f->files[f->file_count++];
}

void fio_log_begin(struct line *l)
{
	line_text(l, "fio version 3 iolog\n");
}

void fio_log_add(struct fio_log *f, struct lines *out, const struct btviz_event *ev,
	uint64_t origin_ns, const char *device)
{
	const unsigned wanted = f->when == FIO_QUEUED ? BTVIZ_ACT_QUEUE : BTVIZ_ACT_ISSUE;
	const uint64_t ns = ev->time_ns - origin_ns;
	const char *const what = ev->event == wanted ? action(ev) : NULL;
	const char *file;
	struct line line;

	if (!what)
		return;
	file = file_of(f, out, device, ns);
	if (!file)
		return;
	line = lines_begin(out);
	put_head(&line, ns, file, what);
	line_char(&line, ' ');
	line_u(&line, ev->sector == UINT64_MAX ? 0 : ev->sector * BTVIZ_SECTOR_BYTES);
	line_char(&line, ' ');
	line_u(&line, ev->bytes);
	line_char(&line, '\n');
	lines_add(out, &line);
}

void fio_log_end(struct fio_log *f, struct lines *out, uint64_t span_ns)
{
	for (size_t i = 0; i < f->file_count; i++) {
		struct line line = lines_begin(out);

		put_head(&line, span_ns, f->files[i], "close");
		line_char(&line, '\n');
		lines_add(out, &line);
	}
}
