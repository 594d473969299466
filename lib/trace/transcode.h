/* trace/transcode.h - recordings of the kernel's blk tracer, as saved from tracefs, made ordinary
 * blktrace streams: bytes in, record bytes out, no input or output of its own.
 *
 * Two forms: pages of trace_pipe_raw, and the stream of trace_pipe with the option `bin` (records
 * with lines of text between them: "CPU:1 [LOST 21660 EVENTS]", "type: 5"; from kernel 6.19 on
 * records that are cut short and labelled 7 in spite of their version 8 layout). Records of either
 * come out in version 7 or 8 with sequence numbers of their own, in which a loss is a jump. */
#ifndef BTVI_TRACE_TRANSCODE_H
#define BTVI_TRACE_TRANSCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/status.h>

#include "trace/sniff.h"

/* Whether an ordinary-looking stream came from trace_pipe. */
enum btvi_sniffed btvi_pipe_sniff(const unsigned char *begin, size_t size, bool end);

/* Whether a record or line of trace_pipe begins so. */
bool btvi_pipe_mark(const unsigned char *begin, size_t size);

struct btvi_transcoder_stats {
	uint64_t lost_at_end;     /* lost behind the last record: no jump shows them */
	uint64_t losses_unsized;  /* holes whose size is not known: each shows as one event */
	uint64_t skipped_entries; /* other tracers' entries, "type: N" lines */
	uint64_t cut_records;     /* of 6.19 and later: error and payload were not kept */
	uint64_t torn_tails;      /* 1 where the input ends inside a record or page */
	uint64_t bad_bytes;
	uint64_t bad_stretches;
	uint64_t first_bad_offset; /* in the input; valid where bad_stretches > 0 */
};

struct btvi_transcoder;

/* NULL when out of memory. kind is BTVI_STREAM_RING or BTVI_STREAM_PIPE. */
struct btvi_transcoder *btvi_transcoder_new(enum btvi_stream_kind kind);
void btvi_transcoder_free(struct btvi_transcoder *t);

/* Takes the next bytes of the stream, in pieces of any size; `end` says that nothing follows. What
 * came of them is at *ret_out, whole records; valid until the next call on t, or its free. Not more
 * than three times the bytes given (and BTVI_TRANSCODER_HELD more). BTVIZ_ERR_NOMEM. */
enum { BTVI_TRANSCODER_HELD = 256 << 10 };
enum btviz_status btvi_transcoder_put(struct btvi_transcoder *t, const unsigned char *bytes,
	size_t size, bool end, const unsigned char **ret_out, size_t *ret_size,
	struct btviz_error *err);

const struct btvi_transcoder_stats *btvi_transcoder_stats(const struct btvi_transcoder *t);

#endif
