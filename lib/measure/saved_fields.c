/* saved_fields.c - which members of which structs make up a saved summary. A member that is added
 * to one of these structs and that figures depend on belongs here, too: test_saved.c finds out. */
#include <string.h>

#include "measure/saved.h"
#include "measure/summary.h"

/* clang-format off */
#define U64(type, member, n)	  { #member, offsetof(type, member), BTVI_FIELD_U64, n, UINT64_MAX }
#define U32(type, member)	  { #member, offsetof(type, member), BTVI_FIELD_U32, 1, UINT32_MAX }
#define UP_TO(type, member, most) { #member, offsetof(type, member), BTVI_FIELD_U32, 1, most }
#define FLAG(type, member)	  { #member, offsetof(type, member), BTVI_FIELD_BOOL, 1, 1 }
#define TABLE_END		  { NULL, 0, BTVI_FIELD_U64, 0, 0 }

_Static_assert(sizeof(struct btviz_count) == 2 * sizeof(uint64_t), "counts are two numbers in a row");
_Static_assert(sizeof(enum btviz_basis) == 4 && sizeof(enum btvi_rank) == 4, "enums are 32 bits");
_Static_assert(sizeof(struct btvi_stride) == 2 * sizeof(uint64_t), "strides are two numbers in a row");

const struct btvi_field btvi_fields_summary[] = {
	FLAG(struct btviz_summary, has_origin), U64(struct btviz_summary, origin_ns, 1),
	U64(struct btviz_summary, devices_left_out, 1), U64(struct btviz_summary, messages_total, 1),
	FLAG(struct btviz_summary, wall.known), U64(struct btviz_summary, wall.time_ns, 1),
	U32(struct btviz_summary, wall.sec), UP_TO(struct btviz_summary, wall.nsec, 999999999),
	FLAG(struct btviz_summary, fua_missing),
	TABLE_END
};

const struct btvi_field btvi_fields_health[] = {
	U64(struct btviz_health, bytes, 1), U64(struct btviz_health, streams, 1),
	U64(struct btviz_health, events, 1), U64(struct btviz_health, notes, 1),
	U64(struct btviz_health, lost_events, 1), U64(struct btviz_health, sequence_holes, 1),
	U64(struct btviz_health, torn_tails, 1), U64(struct btviz_health, bad_bytes, 1),
	U64(struct btviz_health, bad_stretches, 1), U64(struct btviz_health, first_bad_offset, 1),
	U64(struct btviz_health, unknown_actions, 1), U64(struct btviz_health, odd_fields, 1),
	U64(struct btviz_health, late_events, 1), U64(struct btviz_health, repeated_events, 1),
	U64(struct btviz_health, steps_back, 1), U64(struct btviz_health, no_payload, 1),
	U32(struct btviz_health, versions),
	TABLE_END
};

const struct btvi_field btvi_fields_device[] = {
	U32(struct btvi_device, device), FLAG(struct btvi_device, traced),
	U64(struct btvi_device, events, 1), U64(struct btvi_device, first_ns, 1),
	U64(struct btvi_device, last_ns, 1),
	U64(struct btvi_device, actions, BTVIZ_OP_COUNT * BTVIZ_STATION_COUNT * 2),
	U64(struct btvi_device, gets, 1), U64(struct btvi_device, inserts, 1),
	U64(struct btvi_device, splits, 1), U64(struct btvi_device, remaps, 1),
	U64(struct btvi_device, plugs, 1), U64(struct btvi_device, unplugs, 1),
	U64(struct btvi_device, timer_unplugs, 1), U64(struct btvi_device, flushes, 1),
	U64(struct btvi_device, fua_queued, 1), U64(struct btvi_device, fua_issued, 1),
	UP_TO(struct btvi_device, basis, BTVIZ_BASIS_COMPLETE),
	U64(struct btvi_device, moved, BTVI_DIRECTIONS * 2),
	UP_TO(struct btvi_device, place, BTVI_RANK_ISSUE),
	U64(struct btvi_device, seeks, 1), U64(struct btvi_device, place_end, 1),
	U64(struct btvi_device, first_place, 1), U64(struct btvi_device, first_place_ns, 1),
	FLAG(struct btvi_device, placed), U64(struct btvi_device, outstanding_ns, 1),
	U64(struct btvi_device, in_flight_ns, 1), U64(struct btvi_device, busy_ns, 1),
	U32(struct btvi_device, outstanding_max), U32(struct btvi_device, in_flight_max),
	U64(struct btvi_device, state_ns, 1), U64(struct btvi_device, first_queue_ns, 1),
	U64(struct btvi_device, last_queue_ns, 1),
	UP_TO(struct btvi_device, first_queue_direction, BTVI_DIRECTIONS - 1),
	FLAG(struct btvi_device, queued), U64(struct btvi_device, unmatched, 64),
	U64(struct btvi_device, given_up, 1), U64(struct btvi_device, open_by_age, 64),
	U64(struct btvi_device, open_outstanding_ns, 64),
	U64(struct btvi_device, open_in_flight_ns, 64),
	U64(struct btvi_device, own, 4), U64(struct btvi_device, rmw_messages, 1),
	U64(struct btvi_device, rcw_messages, 1), U64(struct btvi_device, other_messages, 1),
	U64(struct btvi_device, remap.ignored, 1), FLAG(struct btvi_device, pair.request_based),
	TABLE_END
};

const struct btvi_field btvi_fields_gaps[] = {
	FLAG(struct btvi_gaps, queued), FLAG(struct btvi_gaps, idle),
	U64(struct btvi_gaps, first_queue_ns, 1), U32(struct btvi_gaps, first_pid),
	U64(struct btvi_gaps, last_queue_ns, 1), U32(struct btvi_gaps, last_pid),
	U64(struct btvi_gaps, idle_since_ns, 1), U64(struct btvi_gaps, idle_ns, 1),
	TABLE_END
};

const struct btvi_field btvi_fields_source[] = {
	U32(struct btvi_source, device), U64(struct btvi_source, ios, 2),
	U64(struct btvi_source, bytes, 2), U64(struct btvi_source, from_zero, 1),
	U64(struct btvi_source, same_offset, 1), U64(struct btvi_source, first_offset, 1),
	FLAG(struct btvi_source, has_offset),
	U64(struct btvi_source, strides, 2 * BTVI_STRIDE_MAX),
	U64(struct btvi_source, last_from_end, 1), U64(struct btvi_source, last_to_end, 1),
	TABLE_END
};

const struct btvi_field btvi_fields_pause[] = {
	U64(struct btvi_pause, start_ns, 1), U64(struct btvi_pause, end_ns, 1),
	U64(struct btvi_pause, length_ns, 1), U32(struct btvi_pause, outstanding),
	U32(struct btvi_pause, before_pid), U32(struct btvi_pause, after_pid),
	TABLE_END
};

const struct btvi_field btvi_fields_actor[] = {
	U64(struct btvi_actor, key, 1), U64(struct btvi_actor, count, 6),
	U64(struct btvi_actor, seeks, 1), U64(struct btvi_actor, first_sector, 1),
	U64(struct btvi_actor, end_sector, 1), FLAG(struct btvi_actor, placed),
	U64(struct btvi_actor, cgroup_id, 1),
	TABLE_END
};
/* clang-format on */

uint64_t btvi_field_get(const struct btvi_field *f, const void *object, unsigned i)
{
	const char *const at = (const char *)object + f->offset;
	uint64_t u64;
	uint32_t u32;
	bool flag;

	switch (f->kind) {
	case BTVI_FIELD_U64:
		memcpy(&u64, at + i * sizeof u64, sizeof u64);
		return u64;
	case BTVI_FIELD_U32:
		memcpy(&u32, at + i * sizeof u32, sizeof u32);
		return u32;
	case BTVI_FIELD_BOOL:
		memcpy(&flag, at + i * sizeof flag, sizeof flag);
		return flag;
	}
	return 0;
}

void btvi_field_set(const struct btvi_field *f, void *object, unsigned i, uint64_t value)
{
	char *const at = (char *)object + f->offset;
	const uint32_t u32 = (uint32_t)value;
	const bool flag = value != 0;

	switch (f->kind) {
	case BTVI_FIELD_U64:
		memcpy(at + i * sizeof value, &value, sizeof value);
		break;
	case BTVI_FIELD_U32:
		memcpy(at + i * sizeof u32, &u32, sizeof u32);
		break;
	case BTVI_FIELD_BOOL:
		memcpy(at + i * sizeof flag, &flag, sizeof flag);
		break;
	}
}

size_t btvi_fields_count(const struct btvi_field *table)
{
	size_t n = 0;

	for (const struct btvi_field *f = table; f->name; f++)
		n += f->count;
	return n;
}
