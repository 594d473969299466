/* finding_runs.h - the changes that make the healthy run of hand_run.h remarkable, or nearly so:
 * for test_finding.c. */
#ifndef FINDING_RUNS_H
#define FINDING_RUNS_H

#include "hand_run.h"

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
	r->array.layout_devices = MEMBERS;
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

/* For 8 s of the 10, read from the others and written to sdd. */
static void rebuild(struct run *r)
{
	r->array.level = "raid5";
	r->array.sync = "rebuild";
	r->array.sync_member = SDB + 32;
	r->array.sync_start_s = 1;
	r->array.sync_end_s = 9;
	r->array.sync_bytes_per_s = 12500000;
	r->array.sync_read_bytes = 300000000;
	r->array.sync_write_bytes = 100000000;
	for (size_t i = 0; i < MEMBERS; i++) {
		r->members[i].read.bytes = i == 2 ? 0 : 100000000;
		r->members[i].write.bytes = i == 2 ? 100000000 : 0;
	}
}

static void check(struct run *r)
{
	r->array.sync = "check";
	r->array.sync_end_s = 10;
	r->array.sync_bytes_per_s = 7500000;
	r->array.sync_read_bytes = 300000000;
}

static void superblocks(struct run *r)
{
	r->array.sync = "resync";
	r->array.sync_write_bytes = 400000;
}

static void stream_of_sdc_empty(struct run *r)
{
	for (size_t i = 0; i <= MEMBERS; i++)
		r->devices[i].stream_cpus = 3;
	r->devices[2].stream_cpus = 1;
	r->array.write_amplification = 0.875;
}

static void stream_of_md0_empty(struct run *r)
{
	stream_of_sdc_empty(r);
	r->devices[2].stream_cpus = 3;
	r->devices[0].stream_cpus = 2;
	r->array.write_amplification = 2;
}

static void some_records_of_members_lost(struct run *r)
{
	r->array.write_amplification = 0.75;
}

/* an idle CPU */
static void stream_empty_but_all_moved(struct run *r)
{
	stream_of_sdc_empty(r);
	r->array.write_amplification = 0.99;
}

static void stream_empty_on_raid5(struct run *r)
{
	stream_of_sdc_empty(r);
	r->array.level = "raid5";
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
	for (size_t i = 1; i <= MEMBERS; i++) {
		r->devices[i].request_based = true;
		r->devices[i].in_flight_avg = 0.25;
	}
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
