/* fields.c - the tables of all that is added up. A member is merged as its row says, or by hand
 * where it says nothing: then by device_merge.c or by who is named beside it. */
#include "measure/fields.h"

#include "measure/summary.h"

_Static_assert(sizeof(struct btviz_count) == 2 * sizeof(uint64_t), "counts are two numbers");
_Static_assert(sizeof(struct btvi_stride) == 2 * sizeof(uint64_t), "strides are two numbers");
_Static_assert(sizeof(enum btviz_basis) == 4 && sizeof(enum btvi_rank) == 4, "enums are 32 bits");

/* clang-format off */
#define ADD	 .merging = BTVI_MERGE_ADD
#define CAPPED	 .merging = BTVI_MERGE_ADD_CAPPED
#define LARGEST	 .merging = BTVI_MERGE_LARGEST
#define OR	 .merging = BTVI_MERGE_OR
#define NOTES	 .group = BTVI_GROUP_NOTES
#define BASIS	 .group = BTVI_GROUP_BASIS
#define PLACE	 .group = BTVI_GROUP_PLACE
#define LATER	 .later = true
#define END	 { .name = NULL }

#define U64(member, ...)	 { BTVI_U64(struct btvi_device, member), __VA_ARGS__ }
#define U32(member, ...)	 { BTVI_U32(struct btvi_device, member), __VA_ARGS__ }
#define UP_TO(member, max, ...)	 { BTVI_UP_TO(struct btvi_device, member, max), __VA_ARGS__ }
#define FLAG(member, ...)	 { BTVI_FLAG(struct btvi_device, member), __VA_ARGS__ }
#define HISTOGRAM(member, ...)	 { BTVI_HISTOGRAM(struct btvi_device, member), __VA_ARGS__ }
#define BY_HAND			 .merging = BTVI_MERGE_BY_HAND

const struct btvi_field btvi_device_fields[] = {
	U32(device, BY_HAND),
	FLAG(traced, OR, NOTES),
	U64(events, ADD),
	U64(first_ns, BY_HAND),
	U64(last_ns, LARGEST),
	U64(actions, ADD),
	U64(gets, ADD),
	U64(inserts, ADD),
	U64(splits, ADD),
	U64(remaps, ADD),
	U64(plugs, ADD),
	U64(unplugs, ADD),
	U64(timer_unplugs, ADD),
	U64(flushes, ADD),
	U64(fua_queued, ADD),
	U64(fua_issued, ADD),

	UP_TO(basis, BTVIZ_BASIS_COMPLETE, BY_HAND),
	U64(moved, ADD, BASIS),

	UP_TO(place, BTVI_RANK_ISSUE, BY_HAND),
	U64(seeks, ADD, PLACE),
	HISTOGRAM(seek_sectors, ADD, PLACE),
	FLAG(placed, BY_HAND, PLACE),
	U64(place_end, BY_HAND, PLACE),
	U64(first_place, BY_HAND, PLACE),
	U64(first_place_ns, BY_HAND, PLACE),
	UP_TO(first_place_direction, BTVI_DIRECTIONS - 1, BY_HAND, PLACE, LATER),

	HISTOGRAM(latency, ADD),
	HISTOGRAM(queued_bytes, ADD),
	HISTOGRAM(issued_bytes, ADD),
	U64(outstanding_ns, CAPPED),
	U64(in_flight_ns, CAPPED),
	U64(busy_ns, CAPPED),
	U32(outstanding_max, LARGEST),
	U32(in_flight_max, LARGEST),
	U64(state_ns, BY_HAND),

	FLAG(queued, BY_HAND),
	U64(first_queue_ns, BY_HAND),
	UP_TO(first_queue_direction, BTVI_DIRECTIONS - 1, BY_HAND),
	U64(last_queue_ns, BY_HAND),

	U64(unmatched, ADD),
	U64(given_up, ADD),
	U64(open_by_age, ADD),
	U64(open_outstanding_ns, CAPPED),
	U64(open_in_flight_ns, CAPPED),
	FLAG(pair.request_based, OR),

	U64(own, ADD),
	U64(remap.ignored, BY_HAND), /* btvi_remap_merge() */
	U64(rmw_messages, ADD, NOTES),
	U64(rcw_messages, ADD, NOTES),
	U64(other_messages, ADD, NOTES),
	END
};

/* Merged in actor.c. */
const struct btvi_field btvi_actor_fields[] = {
	{ BTVI_U64(struct btvi_actor, key), BY_HAND },
	{ BTVI_U64(struct btvi_actor, count), ADD },
	{ BTVI_U64(struct btvi_actor, seeks), ADD },
	{ BTVI_U64(struct btvi_actor, first_sector), BY_HAND },
	{ BTVI_U64(struct btvi_actor, end_sector), BY_HAND },
	{ BTVI_FLAG(struct btvi_actor, placed), BY_HAND },
	{ BTVI_U64(struct btvi_actor, cgroup_id), BY_HAND },
	END
};

/* Merged by btvi_remap_merge(). */
const struct btvi_field btvi_source_fields[] = {
	{ BTVI_U32(struct btvi_source, device), BY_HAND },
	{ BTVI_U64(struct btvi_source, ios), BY_HAND },
	{ BTVI_U64(struct btvi_source, bytes), BY_HAND },
	{ BTVI_U64(struct btvi_source, from_zero), BY_HAND },
	{ BTVI_U64(struct btvi_source, same_offset), BY_HAND },
	{ BTVI_U64(struct btvi_source, first_offset), BY_HAND },
	{ BTVI_FLAG(struct btvi_source, has_offset), BY_HAND },
	{ BTVI_U64(struct btvi_source, strides), BY_HAND },
	{ BTVI_U64(struct btvi_source, last_from_end), BY_HAND },
	{ BTVI_U64(struct btvi_source, last_to_end), BY_HAND },
	END
};

/* Merged in gap.c, as are the pauses. */
const struct btvi_field btvi_gaps_fields[] = {
	{ BTVI_FLAG(struct btvi_gaps, queued), BY_HAND },
	{ BTVI_FLAG(struct btvi_gaps, idle), BY_HAND },
	{ BTVI_U64(struct btvi_gaps, first_queue_ns), BY_HAND },
	{ BTVI_U32(struct btvi_gaps, first_pid), BY_HAND },
	{ BTVI_U64(struct btvi_gaps, last_queue_ns), BY_HAND },
	{ BTVI_U32(struct btvi_gaps, last_pid), BY_HAND },
	{ BTVI_U64(struct btvi_gaps, idle_since_ns), BY_HAND },
	{ BTVI_U64(struct btvi_gaps, idle_ns), BY_HAND },
	END
};

const struct btvi_field btvi_pause_list_fields[] = {
	{ BTVI_U64(struct btvi_pause_list, left_out), ADD },
	{ BTVI_HISTOGRAM(struct btvi_pause_list, lengths), ADD },
	END
};

const struct btvi_field btvi_pause_fields[] = {
	{ BTVI_U64(struct btvi_pause, start_ns), BY_HAND },
	{ BTVI_U64(struct btvi_pause, end_ns), BY_HAND },
	{ BTVI_U64(struct btvi_pause, length_ns), BY_HAND },
	{ BTVI_U32(struct btvi_pause, outstanding), BY_HAND },
	{ BTVI_U32(struct btvi_pause, before_pid), BY_HAND },
	{ BTVI_U32(struct btvi_pause, after_pid), BY_HAND },
	END
};

/* Merged in summary.c, as are the rest. */
const struct btvi_field btvi_summary_fields[] = {
	{ BTVI_FLAG(struct btviz_summary, has_origin), BY_HAND },
	{ BTVI_U64(struct btviz_summary, origin_ns), BY_HAND },
	{ BTVI_U64(struct btviz_summary, devices_left_out), ADD },
	{ BTVI_U64(struct btviz_summary, messages_total), ADD },
	{ BTVI_FLAG(struct btviz_summary, wall.known), BY_HAND },
	{ BTVI_U64(struct btviz_summary, wall.time_ns), BY_HAND },
	{ BTVI_U32(struct btviz_summary, wall.sec), BY_HAND },
	{ BTVI_UP_TO(struct btviz_summary, wall.nsec, 999999999), BY_HAND },
	{ BTVI_FLAG(struct btviz_summary, fua_missing), OR },
	END
};

const struct btvi_field btvi_summary_options_fields[] = {
	{ BTVI_U64(struct btviz_summary_options, gap_threshold_ns), BY_HAND },
	{ BTVI_U64(struct btviz_summary_options, seek_sectors), BY_HAND },
	{ BTVI_U64(struct btviz_summary_options, start_ns), BY_HAND },
	{ BTVI_U64(struct btviz_summary_options, end_ns), BY_HAND },
	{ BTVI_U64(struct btviz_summary_options, first_sector), BY_HAND },
	{ BTVI_U64(struct btviz_summary_options, last_sector), BY_HAND },
	{ BTVI_UP_TO(struct btviz_summary_options, map_columns, BTVI_MAP_CELLS_MAX), BY_HAND },
	{ BTVI_UP_TO(struct btviz_summary_options, map_rows, BTVI_MAP_CELLS_MAX), BY_HAND },
	{ BTVI_FLAG(struct btviz_summary_options, map_owners), LATER },
	{ BTVI_FLAG(struct btviz_summary_options, map_seeks), LATER },
	END
};

const struct btvi_field btvi_name_fields[] = {
	{ BTVI_U32(struct btvi_name, pid), BY_HAND },
	{ BTVI_U64(struct btvi_name, since_ns), BY_HAND },
	{ BTVI_TEXT(struct btvi_name, comm), BY_HAND },
	END
};

const struct btvi_field btvi_message_fields[] = {
	{ BTVI_U32(struct btvi_message, device), BY_HAND },
	{ BTVI_U64(struct btvi_message, time_ns), BY_HAND },
	{ BTVI_TEXT(struct btvi_message, text), BY_HAND },
	END
};

const struct btvi_field btvi_array_facts_fields[] = {
	{ BTVI_U32(struct btvi_array_facts, device), BY_HAND },
	{ BTVI_U64(struct btvi_array_facts, chunk_bytes), BY_HAND },
	{ BTVI_TEXT(struct btvi_array_facts, level), BY_HAND },
	END
};
/* clang-format on */
