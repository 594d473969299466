/* layers.h - which devices of a trace carry I/O of others in it, learnt as the events come by. */
#ifndef BTVIZ_TOOLS_LAYERS_H
#define BTVIZ_TOOLS_LAYERS_H

#include <stdbool.h>

#include <btviz/event.h>

/* A run has so many devices at most. */
enum { LAYERS_SLOTS = 4096 };

/* Which devices have events of their own, and which carry I/O of one that has. */
struct layers {
	struct {
		uint32_t device;
		bool used, own, below;
	} slots[LAYERS_SLOTS];
};

void layers_add(struct layers *l, const struct btviz_event *ev);
bool layers_is_below(const struct layers *l, uint32_t device);

#endif
