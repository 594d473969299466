/* model/pair_zero.h - pairing of I/Os without bytes. Private to pair*.c. */
#ifndef BTVI_MODEL_PAIR_ZERO_H
#define BTVI_MODEL_PAIR_ZERO_H

#include "model/pair.h"

/* Any event without bytes but Q. */
void btvi_zero_add(struct btvi_pair *p, const struct btviz_event *ev, uint8_t op,
	struct btvi_pair_result *ret);

#endif
