/* trace/sniff.h - what a stream is, by its first bytes. A format is a row of the table in sniff.c.
 */
#ifndef BTVI_TRACE_SNIFF_H
#define BTVI_TRACE_SNIFF_H

#include <stdbool.h>
#include <stddef.h>

enum btvi_stream_kind {
	BTVI_STREAM_RECORDS,   /* an ordinary stream, or nothing known: leave it to the decoder */
	BTVI_STREAM_RING,      /* trace_pipe_raw: to be transcoded */
	BTVI_STREAM_PIPE,      /* trace_pipe, bin: to be transcoded */
	BTVI_STREAM_PACKED,    /* compressed, or an archive: to be unpacked, and looked at again */
	BTVI_STREAM_UNDECIDED, /* more bytes are needed to tell */
};

/* How many bytes of a stream's beginning tell at most (or all, where it has fewer). */
enum { BTVI_STREAM_SNIFF = 4096 };

/* Tells by content; a name that ends in ".raw" helps where the content is not sure. `end` says that
 * nothing follows these bytes, or that no more are to be waited for. Whatever the pieces in which
 * the bytes come, the answer is the same in the end. */
enum btvi_stream_kind btvi_sniff(
	const char *name, const unsigned char *begin, size_t size, bool end);

/* Whether what begins so is compressed, or an archive. */
bool btvi_sniff_packed(const unsigned char *begin, size_t size);

/* What a row of the table answers. */
enum btvi_sniffed { BTVI_SNIFFED_NO, BTVI_SNIFFED_YES, BTVI_SNIFFED_MORE };

#endif
