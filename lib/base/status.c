/* status.c - status texts and the filling of struct btviz_error. Knows nothing of traces. */
#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

const char *btviz_status_text(enum btviz_status status)
{
	switch (status) {
	case BTVIZ_OK:
		return "done";
	case BTVIZ_NEED_INPUT:
		return "more input needed";
	case BTVIZ_END:
		return "end of stream";
	case BTVIZ_ERR_NOMEM:
		return "out of memory";
	case BTVIZ_ERR_IO:
		return "input/output error";
	case BTVIZ_ERR_NOT_FOUND:
		return "not found";
	case BTVIZ_ERR_NOT_A_TRACE:
		return "not a block trace";
	case BTVIZ_ERR_VERSION:
		return "unsupported version";
	case BTVIZ_ERR_EMPTY:
		return "nothing in it";
	case BTVIZ_ERR_DAMAGED:
		return "damaged";
	case BTVIZ_ERR_LIMIT:
		return "over a limit";
	case BTVIZ_ERR_USAGE:
		return "wrong usage";
	case BTVIZ_ERR_UNSUPPORTED:
		return "not supported here";
	case BTVIZ_ERR_BUSY:
		return "in use by somebody else";
	}
	return "unknown status";
}

const char *btviz_version(void)
{
	return BTVIZ_VERSION;
}

static void BTVI_PRINTF(4, 0) fill(struct btviz_error *err, enum btviz_status status, int sys_errno,
	const char *format, va_list ap)
{
	char raw[sizeof err->message];
	char reason[128];

	vsnprintf(raw, sizeof raw, format, ap);
	if (sys_errno != 0) {
		const size_t n = strlen(raw);

		/* GNU's strerror_r() (_GNU_SOURCE): returns the text, which need not be in the
		 * buffer. */
		snprintf(raw + n, sizeof raw - n, ": %s",
			strerror_r(sys_errno, reason, sizeof reason));
	}
	err->status = status;
	err->sys_errno = sys_errno;
	err->offset = 0;
	memset(err->reserved, 0, sizeof err->reserved);
	err->stream[0] = '\0';
	btvi_text_printable(raw, strlen(raw), err->message, sizeof err->message);
}

enum btviz_status btvi_fail(
	struct btviz_error *err, enum btviz_status status, const char *format, ...)
{
	if (err) {
		va_list ap;

		va_start(ap, format);
		fill(err, status, 0, format, ap);
		va_end(ap);
	}
	return status;
}

enum btviz_status btvi_fail_errno(struct btviz_error *err, int sys_errno, const char *format, ...)
{
	const enum btviz_status status = sys_errno == ENOMEM ? BTVIZ_ERR_NOMEM : BTVIZ_ERR_IO;

	if (err) {
		va_list ap;

		va_start(ap, format);
		fill(err, status, sys_errno, format, ap);
		va_end(ap);
	}
	return status;
}

enum btviz_status btvi_fail_nomem(struct btviz_error *err)
{
	return btvi_fail(err, BTVIZ_ERR_NOMEM, "out of memory");
}

void btvi_error_where(struct btviz_error *err, const char *stream, uint64_t offset)
{
	if (!err)
		return;
	err->offset = offset;
	btvi_text_printable(stream, strlen(stream), err->stream, sizeof err->stream);
}
