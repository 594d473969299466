/* trace/order.h - whether a stream is in order by itself, or must be put in order. */
#ifndef BTVI_TRACE_ORDER_H
#define BTVI_TRACE_ORDER_H

#include "trace/stream.h"

/* Finds where in a file (not yet opened as s, and never read through it afterwards) time goes back:
 * the offsets at which an ordered run begins, the first being 0. *ret_count is 0 where that is of
 * no use: more than max runs, or records that repeat others. Reads the whole file. */
enum btviz_status btvi_stream_find_runs(struct btvi_stream *s, uint64_t *ret_starts, size_t max,
	size_t *ret_count, struct btviz_error *err);

/* Whether the stream is to have a window: it is no per-CPU file, or its end is before its
 * beginning, or it is short and not in order. Opens it. */
enum btviz_status btvi_stream_needs_window(
	struct btvi_stream *s, bool *ret_needs, struct btviz_error *err);

#endif
