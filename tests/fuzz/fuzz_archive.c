/* fuzz_archive.c - a compressed stream or an archive: once as bytes that a caller brings, once as a
 * file on disk (in memory), whose members become lanes. Nothing may be written but the spool. */
#include <string.h>

#include <btviz/summary.h>
#include <btviz/trace.h>

#include "fuzz.h"

struct bytes {
	const uint8_t *at, *end;
};

static ptrdiff_t give(void *data, void *buffer, size_t size)
{
	struct bytes *const b = data;
	const size_t n = (size_t)(b->end - b->at) < size ? (size_t)(b->end - b->at) : size;

	if (n > 0)
		memcpy(buffer, b->at, n);
	b->at += n;
	return (ptrdiff_t)n;
}

static void drain(enum btviz_status status, struct btviz_trace **opened, struct btviz_error *err)
{
	struct btviz_trace *const t = *opened;
	const struct btviz_event *ev;

	if (status != BTVIZ_OK) {
		require(status < 0 && err->status == status && err->message[0] != '\0');
		return;
	}
	while ((status = btviz_trace_next(t, &ev, err)) == BTVIZ_OK)
		require(btviz_trace_device_name(t, ev->device)[0] != '\0');
	require(status == BTVIZ_END || (err->status == status && err->message[0] != '\0'));
	btviz_trace_close(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = { data, data + size };
	struct btviz_trace *t = NULL;
	struct btviz_error err = { .status = BTVIZ_OK };
	char path[FUZZ_PATH_SIZE];
	int fd;

	drain(btviz_trace_open_callback("bytes", give, &b, NULL, &t, &err), &t, &err);
	fd = fuzz_file(data, size, path);
	drain(btviz_trace_open(path, NULL, &t, &err), &t, &err);
	close(fd);
	return 0;
}
