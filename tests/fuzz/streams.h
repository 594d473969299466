/* streams.h - an input of several streams, with FUZZ_STREAM_MARK between them, as what a trace is
 * opened from. */
#ifndef FUZZ_STREAMS_H
#define FUZZ_STREAMS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/source.h"

enum { STREAMS_MAX = 8 };

/* What is left of one stream, given out in pieces of so many bytes. */
struct streams_bytes {
	const uint8_t *at, *end;
	size_t piece;
};

struct streams {
	struct streams_bytes of[STREAMS_MAX];
	size_t count;
};

/* Borrows data. */
struct streams streams_divide(const uint8_t *data, size_t size, size_t piece);

/* Two streams a lane, every other one ordered. Borrows in; free with btvi_sources_free(). */
struct btvi_sources *streams_sources(struct streams *in);

#endif
