/* health.c - which counts health is made of, and how those of two parts become one's. */
#include "trace/health.h"

/* clang-format off */
/* NOLINTBEGIN(bugprone-macro-parentheses): members and types are no expressions. */
#define SHOWN(member, in_csv) \
	.figure = { #member, in_csv, NULL, "", BTVIZ_FIGURE_INTEGER, \
		offsetof(struct btviz_health, member), 0, "0.1" }
#define COUNT(member, in_csv) \
	{ BTVI_MEMBER_U64(struct btviz_health, member), .merging = BTVI_MERGE_ADD, SHOWN(member, in_csv) }
#define OTHER(shown) \
	{ BTVI_SHOWN_ONLY(shown), .figure = { .name = shown, .unit = "", .since = "0.1" } }
/* NOLINTEND(bugprone-macro-parentheses) */

const struct btvi_field btvi_health_fields[] = {
	COUNT(events, "events"),
	COUNT(notes, NULL),
	COUNT(streams, NULL),
	COUNT(bytes, NULL),
	COUNT(lost_events, "lost_events"),
	COUNT(sequence_holes, NULL),
	COUNT(torn_tails, NULL),
	COUNT(bad_bytes, NULL),
	COUNT(bad_stretches, NULL),
	{ BTVI_MEMBER_U64(struct btviz_health, first_bad_offset), .merging = BTVI_MERGE_BY_HAND },
	COUNT(unknown_actions, NULL),
	COUNT(odd_fields, NULL),
	COUNT(late_events, NULL),
	COUNT(repeated_events, NULL),
	COUNT(steps_back, NULL),
	COUNT(no_payload, NULL),
	OTHER("left_out_events"), /* the summary's: only where there are any */
	OTHER("suspected_loss"),  /* what follows is the run's */
	OTHER("fua_missing"),
	{ BTVI_MEMBER_U32(struct btviz_health, versions), .merging = BTVI_MERGE_OR,
		.figure = { .name = "versions", .unit = "", .since = "0.1" } },
	OTHER("missing_stations"),
	{ BTVI_MEMBER_U64(struct btviz_health, wrong_times), .merging = BTVI_MERGE_ADD, .later = true,
		.figure = { .name = "wrong_times", .unit = "", .since = "0.2" } },
	{ BTVI_MEMBER_U64(struct btviz_health, wrong_time_ns), .merging = BTVI_MERGE_BY_HAND,
		.later = true },
	{ BTVI_MEMBER_U32(struct btviz_health, wrong_time_device), .merging = BTVI_MERGE_BY_HAND,
		.later = true },
	{ BTVI_MEMBER_U32(struct btviz_health, wrong_time_cpu), .merging = BTVI_MERGE_BY_HAND,
		.later = true },
	{ BTVI_MEMBER_U32(struct btviz_health, wrong_time_sequence), .merging = BTVI_MERGE_BY_HAND,
		.later = true },
	{ BTVI_MEMBER_U32(struct btviz_health, packing), .merging = BTVI_MERGE_OR, .later = true,
		.figure = { .name = "packing", .unit = "", .since = "0.2" } },
	{ .name = NULL }
};
/* clang-format on */

void btvi_health_add(struct btviz_health *a, const struct btviz_health *b)
{
	if (a->bad_stretches == 0 && b->bad_stretches > 0)
		a->first_bad_offset = b->first_bad_offset;
	if (a->wrong_times == 0 && b->wrong_times > 0) {
		a->wrong_time_ns = b->wrong_time_ns;
		a->wrong_time_device = b->wrong_time_device;
		a->wrong_time_cpu = b->wrong_time_cpu;
		a->wrong_time_sequence = b->wrong_time_sequence;
	}
	btvi_fields_merge(btvi_health_fields, 0, 0, a, b);
}
