/* status.h - how every fallible btviz function reports what happened.
 *
 * A function returns an enum btviz_status. Zero is success, a positive value is not an error
 * ("feed me more", "that was all"), a negative one is. The numbers are stable and sparse: new ones
 * are added between, old ones never change. Detail goes into a struct btviz_error that the caller
 * owns and may leave out (NULL); it is written only on failure. */
#ifndef BTVIZ_STATUS_H
#define BTVIZ_STATUS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define BTVIZ_EXPORT __attribute__((visibility("default")))
#else
#define BTVIZ_EXPORT
#endif

/* The version of these headers; btviz_version() is that of the library in use. A program needs a
 * library that is not older than the headers that it was built with. */
#define BTVIZ_VERSION_MAJOR 0
#define BTVIZ_VERSION_MINOR 2
#define BTVIZ_VERSION_MICRO 0

/* Whether these headers are at least of that version: #if BTVIZ_VERSION_AT_LEAST(0, 2, 0) */
#define BTVIZ_VERSION_AT_LEAST(major, minor, micro)                \
	(BTVIZ_VERSION_MAJOR > (major) ||                          \
		(BTVIZ_VERSION_MAJOR == (major) &&                 \
			(BTVIZ_VERSION_MINOR > (minor) ||          \
				(BTVIZ_VERSION_MINOR == (minor) && \
					BTVIZ_VERSION_MICRO >= (micro)))))

#ifdef __cplusplus
extern "C" {
#endif

enum btviz_status {
	BTVIZ_OK = 0,
	BTVIZ_NEED_INPUT = 1, /* the decoder has used up its bytes: feed it, or say that it ends */
	BTVIZ_END = 2,        /* the stream is at its end */

	BTVIZ_ERR_NOMEM = -10,       /* out of memory */
	BTVIZ_ERR_IO = -20,          /* the system refused: see sys_errno */
	BTVIZ_ERR_NOT_FOUND = -30,   /* no trace, device or tool of that name */
	BTVIZ_ERR_NOT_A_TRACE = -40, /* bytes that are no block trace (or no saved summary) */
	BTVIZ_ERR_VERSION = -50,     /* a block trace of a version that is not read */
	BTVIZ_ERR_EMPTY = -60, /* a trace without events, or without I/O in the window asked for */
	BTVIZ_ERR_DAMAGED = -70, /* damage, where the caller asked for strictness */
	BTVIZ_ERR_LIMIT = -80, /* more devices, streams, bytes or pixels than the library allows */
	BTVIZ_ERR_USAGE = -90, /* an argument that makes no sense */
	BTVIZ_ERR_UNSUPPORTED = -100, /* this build or this kernel cannot do it */
	BTVIZ_ERR_BUSY = -110,        /* somebody else holds what is needed */
};

/* What went wrong and where. Of fixed size for ever; need not be initialised. All text is
 * NUL-terminated, valid UTF-8 without control characters. */
struct btviz_error {
	enum btviz_status status;
	int sys_errno;        /* errno for BTVIZ_ERR_IO, else 0 */
	uint64_t offset;      /* byte offset in the stream, where that means something, else 0 */
	uint64_t reserved[4]; /* 0 */
	char stream[256];     /* name of the file or stream concerned, or "" */
	char message[512];    /* one line: what was found, where, what to do */
};

/* A fixed English phrase for a status, never NULL ("out of memory"). Since 0.1. */
BTVIZ_EXPORT const char *btviz_status_text(enum btviz_status status);

/* The library's version, "0.1.0". Never NULL. Since 0.1. */
BTVIZ_EXPORT const char *btviz_version(void);

#ifdef __cplusplus
}
#endif
#endif
