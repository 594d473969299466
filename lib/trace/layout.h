/* trace/layout.h - which layout the records have that call themselves version 7. */
#ifndef BTVI_TRACE_LAYOUT_H
#define BTVI_TRACE_LAYOUT_H

#include "trace/decode.h"

/* A dump of a version-7 trace by a blkparse that knows version 8 may hold records of 64 bytes in
 * the layout of 8, still labelled 7. Where the first record ends tells. False: more bytes are
 * needed. */
bool btvi_decide_layout(struct btviz_decoder *d);

#endif
