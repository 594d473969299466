/* trace/resync.h - finding the next record where none stands. */
#ifndef BTVI_TRACE_RESYNC_H
#define BTVI_TRACE_RESYNC_H

#include "trace/decode.h"

/* Whether a header that begins here, where none was to be expected, can be trusted. BTVIZ_OK,
 * BTVIZ_END: no; BTVIZ_NEED_INPUT: more bytes are needed to tell. */
enum btviz_status btvi_check_found(
	struct btviz_decoder *d, bool v8_layout, unsigned version, bool big);

/* No record begins here: a bad stretch does, and the search for the next record. */
void btvi_begin_search(struct btviz_decoder *d);

/* Goes on to the next byte that could begin a record. BTVIZ_OK: one begins here, and the search is
 * over. BTVIZ_END: there is none. */
enum btviz_status btvi_search(struct btviz_decoder *d);

/* Uses up bytes that belong to no record. */
void btvi_skip_bad(struct btviz_decoder *d, size_t n);

#endif
