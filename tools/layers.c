/* layers.c - what lies below what, as remaps tell it. Knows no levels and no sectors. */
#include "layers.h"

#include <stddef.h>

static size_t slot_of(const struct layers *l, uint32_t device)
{
	size_t i = device * 2654435761U % LAYERS_SLOTS;

	for (size_t n = 0; n < LAYERS_SLOTS && l->slots[i].used && l->slots[i].device != device;
		n++)
		i = (i + 1) % LAYERS_SLOTS;
	return i;
}

void layers_add(struct layers *l, const struct btviz_event *ev)
{
	size_t i, from;

	if (ev->event == BTVIZ_ACT_QUEUE || ev->event == BTVIZ_ACT_COMPLETE) {
		i = slot_of(l, ev->device);
		if (!l->slots[i].used) {
			l->slots[i].used = true;
			l->slots[i].device = ev->device;
		}
		if (l->slots[i].device == ev->device)
			l->slots[i].own = true;
		return;
	}
	/* A partition's remap stands in the partition's own trace. */
	if (ev->event != BTVIZ_ACT_REMAP || !(ev->flags & BTVIZ_EV_PAYLOAD) ||
		ev->u.remap.device_from == ev->device)
		return;
	from = slot_of(l, ev->u.remap.device_from);
	if (!l->slots[from].own || l->slots[from].device != ev->u.remap.device_from)
		return;
	i = slot_of(l, ev->device);
	if (!l->slots[i].used) {
		l->slots[i].used = true;
		l->slots[i].device = ev->device;
	}
	if (l->slots[i].device == ev->device)
		l->slots[i].below = true;
}

bool layers_is_below(const struct layers *l, uint32_t device)
{
	const size_t i = slot_of(l, device);

	return l->slots[i].used && l->slots[i].device == device && l->slots[i].below;
}
