/* base/status.h - the one place where a struct btviz_error is filled. */
#ifndef BTVI_BASE_STATUS_H
#define BTVI_BASE_STATUS_H

#include <stdarg.h>

#include <btviz/status.h>

#if defined(__GNUC__)
#define BTVI_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define BTVI_PRINTF(f, a)
#endif

/* Fills err (where it is not NULL) with the status and a message, and returns the status, so that a
 * caller writes: return btvi_fail(err, BTVIZ_ERR_LIMIT, "…", …). The message is made printable. */
enum btviz_status btvi_fail(struct btviz_error *err, enum btviz_status status, const char *format,
	...) BTVI_PRINTF(3, 4);

/* The same for a system call that failed: BTVIZ_ERR_IO (BTVIZ_ERR_NOMEM for ENOMEM), sys_errno, and
 * ": reason" behind the message. */
enum btviz_status btvi_fail_errno(struct btviz_error *err, int sys_errno, const char *format, ...)
	BTVI_PRINTF(3, 4);

/* Out of memory, with the usual words. */
enum btviz_status btvi_fail_nomem(struct btviz_error *err);

/* Names the stream and the byte at which an error already filled in happened. */
void btvi_error_where(struct btviz_error *err, const char *stream, uint64_t offset);

#endif
