/* fields.c - the tables of all that is added up. A member is merged as its row says, or by hand
 * where it says nothing: then by device_merge.c or by who is named beside it. */
#include "measure/fields.h"

#include "measure/summary.h"

_Static_assert(sizeof(struct btviz_count) == 2 * sizeof(uint64_t), "counts are two numbers");
_Static_assert(sizeof(struct btvi_place) == 4 * sizeof(uint64_t), "places are four numbers");
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

#define U64(member, ...)	 { BTVI_MEMBER_U64(struct btvi_device, member), __VA_ARGS__ }
#define U32(member, ...)	 { BTVI_MEMBER_U32(struct btvi_device, member), __VA_ARGS__ }
#define UP_TO(member, max, ...)	 { BTVI_MEMBER_UP_TO(struct btvi_device, member, max), __VA_ARGS__ }
#define FLAG(member, ...)	 { BTVI_MEMBER_FLAG(struct btvi_device, member), __VA_ARGS__ }
#define HISTOGRAM(member, ...)	 { BTVI_MEMBER_HISTOGRAM(struct btvi_device, member), __VA_ARGS__ }
#define BY_HAND			 .merging = BTVI_MERGE_BY_HAND

/* How members are shown: those of the same name in struct btviz_device, as they are. */
/* NOLINTBEGIN(bugprone-macro-parentheses): members and types are no expressions. */
#define SHOWN(member, in_json, in_csv) \
	.figure = { in_json, in_csv, NULL, "", BTVIZ_FIGURE_INTEGER, \
		offsetof(struct btviz_device, member), 0, "0.1" }

/* What is made of them: a distribution by direction, a number, something else. */
#define MADE(member, in_json, in_csv, what, in, by) \
	{ BTVI_SHOWN_ONLY(in_json), .figure = { in_json, in_csv, NULL, in, BTVIZ_FIGURE_##what, \
		offsetof(struct btviz_device, member), by, "0.1" } }
#define REAL(member, in_json, in_csv, in)     MADE(member, in_json, in_csv, REAL, in, 0)
#define NUMBER(member, in_json, in_csv)	      MADE(member, in_json, in_csv, INTEGER, "", 0)
#define SPREAD(member, in_json, in_csv, in)   MADE(member, in_json, in_csv, DISTRIBUTION, in, BTVIZ_DIR_COUNT)
#define LATENCY(from_to, name)		      SPREAD(latency[from_to], "latency." name, "latency." name, "s")
#define OTHER(in_json) \
	{ BTVI_SHOWN_ONLY(in_json), .figure = { .name = in_json, .unit = "", .since = "0.1" } }
/* NOLINTEND(bugprone-macro-parentheses) */

const struct btvi_field btvi_device_fields[] = {
	OTHER("name"),
	OTHER("dev"),
	OTHER("role"),
	OTHER("parents"),
	OTHER("basis"),
	U32(device, BY_HAND),
	FLAG(traced, OR, NOTES),
	U64(events, ADD, SHOWN(events, "events", NULL)),
	U64(first_ns, BY_HAND),
	U64(last_ns, LARGEST),
	U64(stream_cpus, OR, .later = true),

	OTHER("actions"),
	U64(actions, ADD),
	OTHER("throughput"),
	UP_TO(basis, BTVIZ_BASIS_COMPLETE, BY_HAND),
	U64(moved, ADD, BASIS),

	UP_TO(place, BTVI_RANK_ISSUE, BY_HAND),
	U64(seeks, ADD, PLACE, SHOWN(seeks, "seeks.count", "seeks")),
	OTHER("seeks.per_s"),
	MADE(seek_sectors, "seeks.distance", "seek_distance", DISTRIBUTION, "sectors", 0),
	HISTOGRAM(seek_sectors, ADD, PLACE),
	FLAG(placed, BY_HAND, PLACE),
	U64(place_end, BY_HAND, PLACE),
	U64(first_place, BY_HAND, PLACE),
	U64(first_place_ns, BY_HAND, PLACE),
	UP_TO(first_place_direction, BTVI_DIRECTIONS - 1, BY_HAND, PLACE, LATER),

	U64(flushes, ADD, SHOWN(flushes, "flush", "flushes")),
	NUMBER(fua, "fua", "fua"),
	U64(fua_queued, ADD),
	U64(fua_issued, ADD),
	OTHER("errors"),

	LATENCY(BTVIZ_Q2Q, "q2q"),
	LATENCY(BTVIZ_Q2G, "q2g"),
	LATENCY(BTVIZ_G2I, "g2i"),
	LATENCY(BTVIZ_Q2M, "q2m"),
	LATENCY(BTVIZ_I2D, "i2d"),
	LATENCY(BTVIZ_M2D, "m2d"),
	LATENCY(BTVIZ_D2C, "d2c"),
	LATENCY(BTVIZ_Q2C, "q2c"),
	LATENCY(BTVIZ_Q2D, "q2d"),
	HISTOGRAM(latency, ADD),

	REAL(outstanding_avg, "depth.outstanding.avg", "outstanding.avg", ""),
	REAL(outstanding_max, "depth.outstanding.max", "outstanding.max", ""),
	REAL(in_flight_avg, "depth.in_flight.avg", "in_flight.avg", ""),
	REAL(in_flight_max, "depth.in_flight.max", "in_flight.max", ""),
	U64(outstanding_ns, CAPPED),
	U64(in_flight_ns, CAPPED),
	U64(busy_ns, CAPPED),
	U32(outstanding_max, LARGEST),
	U32(in_flight_max, LARGEST),
	U64(state_ns, BY_HAND),

	SPREAD(queued_bytes, "sizes.queued", "size.queued", "bytes"),
	SPREAD(issued_bytes, "sizes.issued", "size.issued", "bytes"),
	HISTOGRAM(queued_bytes, ADD),
	HISTOGRAM(issued_bytes, ADD),

	REAL(merge_ratio, "merge_ratio", "merge_ratio", ""),
	REAL(utilisation, "utilisation", "utilisation", ""),
	U64(gets, ADD, SHOWN(gets, "other_events.gets", "gets")),
	U64(inserts, ADD, SHOWN(inserts, "other_events.inserts", "inserts")),
	U64(splits, ADD, SHOWN(splits, "other_events.splits", "splits")),
	U64(remaps, ADD, SHOWN(remaps, "other_events.remaps", "remaps")),
	U64(plugs, ADD, SHOWN(plugs, "other_events.plugs", "plugs")),
	U64(unplugs, ADD, SHOWN(unplugs, "other_events.unplugs", "unplugs")),
	U64(timer_unplugs, ADD, SHOWN(timer_unplugs, "other_events.timer_unplugs", "timer_unplugs")),

	FLAG(queued, BY_HAND),
	U64(first_queue_ns, BY_HAND),
	UP_TO(first_queue_direction, BTVI_DIRECTIONS - 1, BY_HAND),
	U64(last_queue_ns, BY_HAND),

	NUMBER(cut_head, "pairing.cut_head", "pairing.cut_head"),
	NUMBER(cut_tail, "pairing.cut_tail", "pairing.cut_tail"),
	NUMBER(unpaired, "pairing.unpaired", "pairing.unpaired"),
	NUMBER(given_up, "pairing.given_up", "pairing.given_up"),
	U64(unmatched, ADD),
	U64(given_up, ADD),
	NUMBER(lost_ios, "pairing.lost", "pairing.lost"),
	NUMBER(repeats, "pairing.repeats", "pairing.repeats"),
	U64(repeats, ADD, LATER),
	U64(tail, BY_HAND, LATER),
	U64(lost, ADD, LATER),
	U64(lost_first_ns, BY_HAND, LATER),
	U64(lost_last_ns, LARGEST, LATER),
	U64(failed, BY_HAND, LATER),
	U64(open_by_age, ADD),
	U64(open_outstanding_ns, CAPPED),
	U64(open_in_flight_ns, CAPPED),
	FLAG(pair.request_based, OR),

	REAL(gap_threshold_s, "gap_threshold_s", "gap_threshold", "s"),
	OTHER("gaps"),
	OTHER("gap_totals"),
	OTHER("intervals"), /* only where they are asked for */

	U64(own, ADD),
	U64(remap.ignored, BY_HAND), /* btvi_remap_merge() */
	U64(rmw_messages, ADD, NOTES),
	U64(rcw_messages, ADD, NOTES),
	U64(other_messages, ADD, NOTES),
	END
};

/* Merged in actor.c. */
const struct btvi_field btvi_actor_fields[] = {
	{ BTVI_MEMBER_U64(struct btvi_actor, key), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_actor, count), ADD },
	{ BTVI_MEMBER_U64(struct btvi_actor, seeks), ADD },
	{ BTVI_MEMBER_U64(struct btvi_actor, first_sector), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_actor, end_sector), BY_HAND },
	{ BTVI_MEMBER_FLAG(struct btvi_actor, placed), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_actor, first_ns), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_actor, last_ns), LARGEST },
	{ BTVI_MEMBER_U64(struct btvi_actor, cgroup_id), BY_HAND },
	END
};

/* Merged by btvi_remap_merge(). */
const struct btvi_field btvi_source_fields[] = {
	{ BTVI_MEMBER_U32(struct btvi_source, device), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_source, ios), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_source, bytes), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_source, zero_ios), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_source, zero_to), BY_HAND },
	{ BTVI_MEMBER_FLAG(struct btvi_source, zero_differs), BY_HAND },
	{ BTVI_MEMBER_UP_TO(struct btvi_source, place_count, BTVI_PLACE_MAX), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_source, places), BY_HAND },
	END
};

/* Merged in gap.c, as are the pauses. */
const struct btvi_field btvi_gaps_fields[] = {
	{ BTVI_MEMBER_FLAG(struct btvi_gaps, queued), BY_HAND },
	{ BTVI_MEMBER_U32(struct btvi_gaps, outstanding), BY_HAND, LATER },
	{ BTVI_MEMBER_U64(struct btvi_gaps, first_queue_ns), BY_HAND },
	{ BTVI_MEMBER_U32(struct btvi_gaps, first_pid), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_gaps, last_queue_ns), BY_HAND },
	{ BTVI_MEMBER_U32(struct btvi_gaps, last_pid), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_gaps, since_ns), BY_HAND, LATER },
	{ BTVI_MEMBER_U64(struct btvi_gaps, idle_by_depth_ns), BY_HAND, LATER },
	{ BTVI_MEMBER_U64(struct btvi_gaps, unclear), ADD, LATER },
	{ BTVI_MEMBER_U32(struct btvi_gaps, flushes), BY_HAND, LATER },
	END
};

const struct btvi_field btvi_pause_list_fields[] = {
	{ BTVI_MEMBER_U64(struct btvi_pause_list, left_out), ADD },
	{ BTVI_MEMBER_HISTOGRAM(struct btvi_pause_list, lengths), ADD },
	END
};

const struct btvi_field btvi_pause_fields[] = {
	{ BTVI_MEMBER_U64(struct btvi_pause, start_ns), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_pause, end_ns), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_pause, length_ns), BY_HAND },
	{ BTVI_MEMBER_U32(struct btvi_pause, outstanding), BY_HAND },
	{ BTVI_MEMBER_U32(struct btvi_pause, flushes), BY_HAND },
	{ BTVI_MEMBER_U32(struct btvi_pause, before_pid), BY_HAND },
	{ BTVI_MEMBER_U32(struct btvi_pause, after_pid), BY_HAND },
	END
};

/* Merged in summary.c, as are the rest. */
const struct btvi_field btvi_summary_fields[] = {
	{ BTVI_MEMBER_FLAG(struct btviz_summary, has_origin), BY_HAND },
	{ BTVI_MEMBER_U64(struct btviz_summary, origin_ns), BY_HAND },
	{ BTVI_MEMBER_U64(struct btviz_summary, devices_left_out), ADD },
	{ BTVI_MEMBER_U64(struct btviz_summary, messages_total), ADD },
	{ BTVI_MEMBER_FLAG(struct btviz_summary, wall.known), BY_HAND },
	{ BTVI_MEMBER_U64(struct btviz_summary, wall.time_ns), BY_HAND },
	{ BTVI_MEMBER_U32(struct btviz_summary, wall.sec), BY_HAND },
	{ BTVI_MEMBER_UP_TO(struct btviz_summary, wall.nsec, 999999999), BY_HAND },
	{ BTVI_MEMBER_FLAG(struct btviz_summary, fua_missing), OR },
	{ BTVI_MEMBER_FLAG(struct btviz_summary, window_over), OR, .later = true },
	{ BTVI_MEMBER_U64(struct btviz_summary, recorder_end_ns), LARGEST, LATER },
	END
};

const struct btvi_field btvi_summary_options_fields[] = {
	{ BTVI_MEMBER_U64(struct btviz_summary_options, gap_threshold_ns), BY_HAND },
	{ BTVI_MEMBER_U64(struct btviz_summary_options, seek_sectors), BY_HAND },
	{ BTVI_MEMBER_U64(struct btviz_summary_options, start_ns), BY_HAND },
	{ BTVI_MEMBER_U64(struct btviz_summary_options, end_ns), BY_HAND },
	{ BTVI_MEMBER_U64(struct btviz_summary_options, first_sector), BY_HAND },
	{ BTVI_MEMBER_U64(struct btviz_summary_options, last_sector), BY_HAND },
	{ BTVI_MEMBER_UP_TO(struct btviz_summary_options, map_columns, BTVI_MAP_CELLS_MAX), BY_HAND },
	{ BTVI_MEMBER_UP_TO(struct btviz_summary_options, map_rows, BTVI_MAP_CELLS_MAX), BY_HAND },
	{ BTVI_MEMBER_FLAG(struct btviz_summary_options, map_owners), LATER },
	{ BTVI_MEMBER_FLAG(struct btviz_summary_options, map_seeks), LATER },
	END
};

const struct btvi_field btvi_name_fields[] = {
	{ BTVI_MEMBER_U32(struct btvi_name, pid), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_name, since_ns), BY_HAND },
	{ BTVI_MEMBER_TEXT(struct btvi_name, comm), BY_HAND },
	END
};

const struct btvi_field btvi_message_fields[] = {
	{ BTVI_MEMBER_U32(struct btvi_message, device), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_message, time_ns), BY_HAND },
	{ BTVI_MEMBER_TEXT(struct btvi_message, text), BY_HAND },
	END
};

const struct btvi_field btvi_array_facts_fields[] = {
	{ BTVI_MEMBER_U32(struct btvi_array_facts, device), BY_HAND },
	{ BTVI_MEMBER_U64(struct btvi_array_facts, chunk_bytes), BY_HAND },
	{ BTVI_MEMBER_TEXT(struct btvi_array_facts, level), BY_HAND },
	END
};
/* clang-format on */
