/* trace/plausible.h - what can be in a record's fields, and what cannot: the one test of that, and
 * the length of its payload. */
#ifndef BTVI_TRACE_PLAUSIBLE_H
#define BTVI_TRACE_PLAUSIBLE_H

#include "trace/decode.h"

/* Fields that cannot be as they are. One such field is a damaged record; several are no record, but
 * the four bytes of a magic number somewhere. */
enum btvi_odd {
	BTVI_ODD_CPU = 1 << 0,
	BTVI_ODD_TIME = 1 << 1,
	BTVI_ODD_SECTOR = 1 << 2,
	BTVI_ODD_DEVICE = 1 << 3,
	BTVI_ODD_ACTION = 1 << 4, /* far above any number that a kernel has given out */
	BTVI_ODD_LENGTH = 1 << 5, /* of the payload: longer than any kernel's */
};

/* BTVI_ODD_... of a header. */
unsigned btvi_odd_fields(const struct btviz_event *ev, unsigned pdu_len);

/* Replaces what cannot be as far as there is something to replace it with: cpu and time are then
 * those of the record before. Flags and counts it. */
void btvi_mend_fields(struct btviz_decoder *d, struct btviz_event *ev, unsigned odd);

/* Puts the payload's length right where it is an unusual one that leads nowhere, or a message's
 * that leads nowhere and runs over another record. Counts nothing. False: more bytes are needed to
 * tell. */
bool btvi_mend_length(struct btviz_decoder *d, const struct btviz_event *ev, bool cgroup,
	size_t header, unsigned *pdu_len);

#endif
