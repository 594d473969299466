/* hand_run.h - figures made by hand: a healthy run of a four-disk array, for tests of what is said
 * about runs. */
#ifndef HAND_RUN_H
#define HAND_RUN_H

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <btviz/finding.h>

#include "base/list.h"

enum { MEMBERS = 4, MD0 = 9 << 20, SDB = 8 << 20 | 16 };

/* A run with everything that figures point to. */
struct run {
	struct btviz_figures f;
	struct btviz_device devices[MEMBERS + 1];
	struct btviz_array array;
	struct btviz_member members[MEMBERS];
	struct btviz_process processes[16];
	struct btviz_gap gaps[8];
	struct btviz_error_count error;
	size_t top[2];
	struct btviz_health health;
	struct btviz_memory memory;
	const struct btviz_device *device_list[MEMBERS + 1];
	const struct btviz_array *array_list[1];
	const struct btviz_member *member_list[MEMBERS];
	const struct btviz_process *process_list[16];
	const struct btviz_gap *gap_list[8];
};

static const char *const member_names[MEMBERS] = { "sdb", "sdc", "sdd", "sde" };

static void count(struct btviz_device *d, enum btviz_op op, enum btviz_station station,
	uint64_t ios, uint64_t bytes)
{
	d->actions[op][station] = (struct btviz_count){ ios, bytes };
	if (station == BTVIZ_COMPLETED && op <= BTVIZ_OP_WRITE)
		d->moved[op] = d->actions[op][station];
}

/* 10 s, 400 MB written in sequence at some depth, spread evenly, nothing odd. */
static void healthy(struct run *r)
{
	memset(r, 0, sizeof *r);
	BTVI_LIST_OF(r->device_list, r->devices, MEMBERS + 1);
	BTVI_LIST_OF(r->array_list, &r->array, 1);
	BTVI_LIST_OF(r->member_list, r->members, MEMBERS);
	BTVI_LIST_OF(r->process_list, r->processes, 16);
	BTVI_LIST_OF(r->gap_list, r->gaps, 8);
	r->f = (struct btviz_figures){ .end_ns = 10000000000u,
		.span_s = 10,
		.health = &r->health,
		.memory = &r->memory,
		.devices = r->device_list,
		.device_count = MEMBERS + 1,
		.arrays = r->array_list,
		.array_count = 1,
		.processes = r->process_list,
		.process_count = 1,
		.top = r->top,
		.top_count = 1 };
	r->processes[0] = (struct btviz_process){
		.pid = 77, .comm = "kworker/u8:2", .write = { 100000, 409600000 }
	};
	r->devices[0] = (struct btviz_device){ .device = MD0,
		.last_ns = 10000000000u,
		.unplugs = 100,
		.name = "md0",
		.role = BTVIZ_ROLE_ARRAY,
		.basis = BTVIZ_BASIS_COMPLETE,
		.outstanding_avg = 300,
		.outstanding_max = 900,
		.in_flight_avg = NAN,
		.in_flight_max = NAN,
		.utilisation = 0.99,
		.merge_ratio = NAN };
	count(&r->devices[0], BTVIZ_OP_WRITE, BTVIZ_QUEUED, 100000, 409600000);
	count(&r->devices[0], BTVIZ_OP_WRITE, BTVIZ_COMPLETED, 100000, 409600000);
	for (size_t i = 0; i < MEMBERS; i++) {
		struct btviz_device *const d = &r->devices[i + 1];

		*d = (struct btviz_device){ .device = SDB + (uint32_t)i * 16,
			.name = member_names[i],
			.role = BTVIZ_ROLE_MEMBER,
			.request_based = true,
			.basis = BTVIZ_BASIS_COMPLETE,
			.outstanding_avg = 75,
			.in_flight_avg = 2,
			.in_flight_max = 8,
			.utilisation = 0.95,
			.seeks = 5,
			.merge_ratio = 100 };
		count(d, BTVIZ_OP_WRITE, BTVIZ_QUEUED, 25000, 102400000);
		count(d, BTVIZ_OP_WRITE, BTVIZ_ISSUED, 250, 102400000);
		count(d, BTVIZ_OP_WRITE, BTVIZ_COMPLETED, 250, 102400000);
		r->members[i] = (struct btviz_member){ .device = d->device,
			.name = d->name,
			.traced = true,
			.bytes_share = 0.25,
			.write = { 250, 102400000 },
			.latency_avg_s = 0.020,
			.utilisation = 0.95 };
	}
	r->array = (struct btviz_array){ .device = MD0,
		.name = "md0",
		.members = r->member_list,
		.member_count = MEMBERS,
		.effective_members = 4,
		.skew = 1,
		.level = "raid0",
		.chunk_bytes = 65536,
		.read_amplification = NAN,
		.write_amplification = 1,
		.above_s = NAN,
		.in_members_s = NAN,
		.slowest_ratio = 1.05 };
}

/* n gaps of one kind on a device, each of the given length. */
static void add_gaps(struct run *r, size_t device, enum btviz_gap_kind kind, size_t n,
	double length_s, uint32_t member)
{
	struct btviz_device *const d = &r->devices[device];

	for (size_t i = 0; i < n; i++) {
		r->gaps[i] = (struct btviz_gap){ .kind = kind,
			.start_s = (double)i,
			.end_s = (double)i + length_s,
			.idle_s = kind == BTVIZ_GAP_SUBMIT ? length_s * 0.9 : 0,
			.member = member,
			.continued = kind == BTVIZ_GAP_SUBMIT,
			.before_pid = 77,
			.before_comm = "dd",
			.after_pid = 77,
			.after_comm = "dd" };
	}
	d->gaps = r->gap_list;
	d->gap_count = n;
	d->gap_totals[kind] = (struct btviz_gap_total){ n, (double)n * length_s };
}

#endif
