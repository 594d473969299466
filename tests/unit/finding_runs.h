/* finding_runs.h - figures made by hand for test_finding.c: a healthy run of a four-disk array, and
 * the changes that make it remarkable, or nearly so. */
#ifndef FINDING_RUNS_H
#define FINDING_RUNS_H

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
			.before_pid = 77,
			.before_comm = "dd",
			.after_pid = 77,
			.after_comm = "dd" };
	}
	d->gaps = r->gap_list;
	d->gap_count = n;
	d->gap_totals[kind] = (struct btviz_gap_total){ n, (double)n * length_s };
}

/* ---- one change a case --------------------------------------------------------------------- */

static void submit_65_percent(struct run *r)
{
	add_gaps(r, 0, BTVIZ_GAP_SUBMIT, 7, 0.93, 0);
}

static void submit_after_dd_and_mount(struct run *r)
{
	submit_65_percent(r);
	r->gaps[2].before_pid = r->gaps[4].before_pid = 78;
	r->gaps[2].before_comm = r->gaps[4].before_comm = "mount";
}

static void submit_after_anybody(struct run *r)
{
	submit_65_percent(r);
	for (size_t i = 0; i < 7; i++)
		r->gaps[i].before_pid = 77 + (uint32_t)(i / 3);
}

static void submit_once(struct run *r)
{
	add_gaps(r, 0, BTVIZ_GAP_SUBMIT, 1, 2, 0);
}

static void submit_trifle(struct run *r)
{
	add_gaps(r, 0, BTVIZ_GAP_SUBMIT, 2, 0.09, 0);
}

static void idle_98_percent(struct run *r)
{
	add_gaps(r, 0, BTVIZ_GAP_SUBMIT, 4, 2.45, 0);
}

static void stall_by_sdd(struct run *r)
{
	add_gaps(r, 0, BTVIZ_GAP_DEVICE, 2, 1.5, SDB + 32);
}

static void stall_trifle(struct run *r)
{
	add_gaps(r, 0, BTVIZ_GAP_DEVICE, 1, 0.1, SDB + 32);
}

static void stall_of_a_member_only(struct run *r)
{
	add_gaps(r, 2, BTVIZ_GAP_DEVICE, 1, 2.0, 0);
}

static void queue_held_by_dm(struct run *r)
{
	r->devices[1].request_based = false;
	r->devices[1].name = "dm-0";
	add_gaps(r, 0, BTVIZ_GAP_QUEUE, 2, 1.6, SDB);
}

static void queue_held_above_disk(struct run *r)
{
	add_gaps(r, 0, BTVIZ_GAP_QUEUE, 2, 1.6, SDB);
}

static void queue_trifle(struct run *r)
{
	add_gaps(r, 0, BTVIZ_GAP_QUEUE, 1, 0.15, SDB);
}

static void slow_phase(struct run *r)
{
	add_gaps(r, 0, BTVIZ_GAP_SLOW, 2, 1.5, 0);
}

static void slow_moment(struct run *r)
{
	add_gaps(r, 0, BTVIZ_GAP_SLOW, 1, 0.4, 0);
}

static void share(struct run *r, size_t i, double part)
{
	r->members[i].write.bytes = (uint64_t)(409600000 * part);
	r->members[i].bytes_share = part;
}

static void one_of_four(struct run *r)
{
	for (size_t i = 0; i < MEMBERS; i++)
		share(r, i, i == 1 ? 1.0 : 0.0);
	r->array.effective_members = 1;
}

static void one_of_four_mirror(struct run *r)
{
	one_of_four(r);
	r->array.level = "raid1";
}

static void one_of_four_untraced(struct run *r)
{
	one_of_four(r);
	r->members[3].traced = false;
}

static void one_of_four_by_chance(struct run *r)
{
	one_of_four(r);
	for (size_t i = 0; i < MEMBERS; i++)
		r->members[i].write.ios = 3;
}

static void uneven(struct run *r)
{
	const double parts[MEMBERS] = { 0.6, 0.2, 0.1, 0.1 };

	for (size_t i = 0; i < MEMBERS; i++)
		share(r, i, parts[i]);
	r->array.effective_members = 1 / (0.36 + 0.04 + 0.01 + 0.01);
}

static void a_little_uneven(struct run *r)
{
	const double parts[MEMBERS] = { 0.35, 0.25, 0.2, 0.2 };

	for (size_t i = 0; i < MEMBERS; i++)
		share(r, i, parts[i]);
	r->array.effective_members = 1 / (0.1225 + 0.0625 + 0.04 + 0.04);
}

static void sdc_three_times_slower(struct run *r)
{
	r->members[1].latency_avg_s = 0.060;
	r->array.slowest_member = SDB + 16;
	r->array.slowest_ratio = 3;
}

static void sdc_slower_by_microseconds(struct run *r)
{
	for (size_t i = 0; i < MEMBERS; i++)
		r->members[i].latency_avg_s = 0.0001;
	r->members[1].latency_avg_s = 0.0003;
	r->array.slowest_member = SDB + 16;
	r->array.slowest_ratio = 3;
}

static void sdc_slower_since_it_seeks(struct run *r)
{
	sdc_three_times_slower(r);
	for (size_t i = 0; i < MEMBERS; i++)
		r->members[i].seeks_per_s = i == 1 ? 20 : 2;
}

static void sdc_slower_since_it_does_most(struct run *r)
{
	sdc_three_times_slower(r);
	share(r, 0, 0.2);
	share(r, 1, 0.45);
	share(r, 2, 0.2);
	share(r, 3, 0.15);
	r->array.effective_members = 1 / (0.04 + 0.2025 + 0.04 + 0.0225);
}

static void rmw(struct run *r)
{
	r->array.level = "raid5";
	r->array.rmw_read_bytes = 819200000;
	r->array.write_amplification = 2;
	r->array.rmw_messages = 100000;
}

static void rmw_at_the_edges(struct run *r)
{
	rmw(r);
	r->array.rmw_read_bytes = 12000000;
	r->array.write_amplification = 1.34;
}

static void rmw_reads_on_raid10(struct run *r)
{
	rmw(r);
	r->array.level = "raid10";
}

static void rebuild(struct run *r)
{
	r->array.own_bytes = 400000000;
	for (size_t i = 0; i < MEMBERS; i++) {
		r->members[i].read.bytes = i == 2 ? 0 : 100000000;
		r->members[i].write.bytes = i == 2 ? 100000000 : 0;
	}
}

static void check(struct run *r)
{
	r->array.own_bytes = 300000000;
}

static void superblocks(struct run *r)
{
	r->array.own_bytes = 400000;
}

static void eio(struct run *r)
{
	r->error = (struct btviz_error_count){ -EIO, 17 };
	r->devices[2].errors = &r->error;
	r->devices[2].error_count = 1;
}

static void odd_error(struct run *r)
{
	eio(r);
	r->error.error = -77;
}

static void requeued(struct run *r)
{
	count(&r->devices[1], BTVIZ_OP_WRITE, BTVIZ_REQUEUED, 25, 100000);
}

static void readers(struct run *r, size_t n, uint64_t disk_seeks)
{
	r->f.process_count = n;
	for (size_t i = 0; i < n; i++)
		r->processes[i] = (struct btviz_process){ .pid = 100 + (uint32_t)i,
			.comm = "fio",
			.read = { 400, 26214400 },
			.seeks = 3 };
	count(&r->devices[0], BTVIZ_OP_READ, BTVIZ_COMPLETED, 400 * n, 26214400 * n);
	count(&r->devices[0], BTVIZ_OP_WRITE, BTVIZ_COMPLETED, 0, 0);
	for (size_t i = 0; i < MEMBERS; i++) {
		count(&r->devices[i + 1], BTVIZ_OP_READ, BTVIZ_QUEUED, 100 * n, 6553600 * n);
		count(&r->devices[i + 1], BTVIZ_OP_READ, BTVIZ_ISSUED, 100 * n, 6553600 * n);
		count(&r->devices[i + 1], BTVIZ_OP_WRITE, BTVIZ_QUEUED, 0, 0);
		count(&r->devices[i + 1], BTVIZ_OP_WRITE, BTVIZ_ISSUED, 0, 0);
		r->devices[i + 1].seeks = disk_seeks;
	}
}

static void four_readers(struct run *r)
{
	readers(r, 4, 200);
}

static void sixteen_readers(struct run *r)
{
	readers(r, 16, 1500);
}

static void one_reader(struct run *r)
{
	readers(r, 1, 80);
}

static void four_readers_without_seeks(struct run *r)
{
	readers(r, 4, 20);
}

static void four_random_readers(struct run *r)
{
	four_readers(r);
	for (size_t i = 0; i < 4; i++)
		r->processes[i].seeks = 390;
}

static void small(struct run *r)
{
	for (size_t i = 1; i <= MEMBERS; i++) {
		count(&r->devices[i], BTVIZ_OP_WRITE, BTVIZ_ISSUED, 25000, 102400000);
		count(&r->devices[i], BTVIZ_OP_WRITE, BTVIZ_COMPLETED, 25000, 102400000);
	}
}

static void small_and_random(struct run *r)
{
	small(r);
	for (size_t i = 1; i <= MEMBERS; i++)
		r->devices[i].seeks = 24000;
}

static void flushes(struct run *r)
{
	count(&r->devices[0], BTVIZ_OP_WRITE, BTVIZ_COMPLETED, 1500, 1500 * 4096);
	r->devices[0].flushes = 300;
	r->devices[0].fua = 290;
}

static void flushes_between_much(struct run *r)
{
	r->devices[0].flushes = 60;
}

static void depth_1(struct run *r)
{
	r->devices[0].outstanding_avg = 0.97;
	r->devices[0].outstanding_max = 1;
	r->devices[0].utilisation = 0.97;
}

static void depth_3(struct run *r)
{
	r->devices[0].outstanding_avg = 3;
}

static void depth_unknown(struct run *r)
{
	r->devices[0].outstanding_avg = NAN;
}

static void busy_35_percent(struct run *r)
{
	r->devices[0].utilisation = 0.35;
}

static void busy_55_percent(struct run *r)
{
	r->devices[0].utilisation = 0.55;
}

static void busy_3_percent(struct run *r)
{
	r->devices[0].utilisation = 0.03;
}

static void busy_35_percent_with_gaps(struct run *r)
{
	busy_35_percent(r);
	submit_65_percent(r);
}

static void busy_35_percent_unpaired(struct run *r)
{
	busy_35_percent(r);
	r->devices[0].unpaired = r->devices[0].moved[BTVIZ_DIR_WRITE].ios / 20;
}

static void busy_35_percent_few(struct run *r)
{
	busy_35_percent(r);
	r->devices[0].moved[BTVIZ_DIR_READ].ios = 0;
	r->devices[0].moved[BTVIZ_DIR_WRITE].ios = 99;
}

static void lost(struct run *r)
{
	r->health.events = 100000;
	r->health.lost_events = 3153;
	r->health.sequence_holes = 12;
}

static void unpaired(struct run *r)
{
	r->f.suspected_loss = 6;
	r->devices[3].unpaired = 6;
}

static void torn(struct run *r)
{
	r->health.torn_tails = 1;
	r->health.bad_bytes = 48;
}

static void masked(struct run *r)
{
	r->f.categories_missing = 1U << BTVIZ_QUEUED | 1U << BTVIZ_MERGED;
}

static void no_fua(struct run *r)
{
	r->f.fua_missing = true;
	r->f.kernel = "7.3.0";
}

static void nothing(struct run *r)
{
	(void)r;
}

static void no_io_at_all(struct run *r)
{
	r->f = (struct btviz_figures){ .health = &r->health, .memory = &r->memory };
}

static void writeback_stops(struct run *r)
{
	r->memory = (struct btviz_memory){ 12, 21000, NAN, NAN };
}

static void writeback_goes_on(struct run *r)
{
	submit_65_percent(r);
	r->memory = (struct btviz_memory){ 9000, 21000, NAN, NAN };
}

static void reclaim_in_gaps(struct run *r)
{
	r->memory = (struct btviz_memory){ NAN, NAN, 50000, 100 };
}

static void reclaim_everywhere(struct run *r)
{
	submit_65_percent(r);
	r->memory = (struct btviz_memory){ NAN, NAN, 50000, 40000 };
}

#endif
