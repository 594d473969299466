/* trace/trace.h - what the library's own analysis needs beside <btviz/trace.h>: a trace of one
 * lane, so that devices can be gone through side by side.
 *
 * btviz_trace_next() is the internal iterator, too: it does no more than the merge. */
#ifndef BTVI_TRACE_TRACE_H
#define BTVI_TRACE_TRACE_H

#include <btviz/trace.h>

#include "trace/source.h"

enum {
	BTVI_ALL_LANES = -1,
};

/* Opens one lane of the sources, or all of them merged. options may be NULL; its dir is of no
 * account. The sources are borrowed and must outlive the trace; distinct lanes may be opened and
 * read on distinct threads. Returns as btviz_trace_open(), but for BTVIZ_ERR_NOT_FOUND. */
enum btviz_status btvi_trace_open_lane(const struct btvi_sources *sources, int lane,
	const struct btviz_trace_options *options, struct btviz_trace **ret_t,
	struct btviz_error *err);

/* A caller's options of any age, or NULL, as this library's. BTVIZ_OK or BTVIZ_ERR_USAGE. */
enum btviz_status btvi_trace_options(const struct btviz_trace_options *given,
	struct btviz_trace_options *ret, struct btviz_error *err);

/* What has been read, as a number: that of two lanes which are the same recording is the same. 0:
 * no numbered event. */
uint64_t btvi_trace_fingerprint(const struct btviz_trace *t);

/* Streams that are no trace at all (their bytes are in health.bad_bytes), while others are. */
uint64_t btvi_trace_strangers(const struct btviz_trace *t);

#endif
