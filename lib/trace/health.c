/* health.c - which counts health is made of, and how those of two parts become one's. */
#include "trace/health.h"

/* clang-format off */
#define COUNT(member) { BTVI_U64(struct btviz_health, member), .merging = BTVI_MERGE_ADD }

const struct btvi_field btvi_health_fields[] = {
	COUNT(bytes),
	COUNT(streams),
	COUNT(events),
	COUNT(notes),
	COUNT(lost_events),
	COUNT(sequence_holes),
	COUNT(torn_tails),
	COUNT(bad_bytes),
	COUNT(bad_stretches),
	{ BTVI_U64(struct btviz_health, first_bad_offset), .merging = BTVI_MERGE_BY_HAND },
	COUNT(unknown_actions),
	COUNT(odd_fields),
	COUNT(late_events),
	COUNT(repeated_events),
	COUNT(steps_back),
	COUNT(no_payload),
	{ BTVI_U32(struct btviz_health, versions), .merging = BTVI_MERGE_OR },
	{ .name = NULL }
};
/* clang-format on */

void btvi_health_add(struct btviz_health *a, const struct btviz_health *b)
{
	if (a->bad_stretches == 0 && b->bad_stretches > 0)
		a->first_bad_offset = b->first_bad_offset;
	btvi_fields_merge(btvi_health_fields, 0, 0, a, b);
}
