/* test_finding.c - each finding with figures that make it fire and figures, just short of them,
 * that do not. The figures are made by hand: a healthy run of a four-disk array, and one change a
 * case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "finding_runs.h"

static const struct {
	void (*change)(struct run *);
	const char *name; /* that fires */
	enum btviz_severity severity;
	const char *text;
} fires[] = {
	{ nothing, "nothing-remarkable", BTVIZ_SEV_NOTE,
		"Nothing remarkable: 41.0 MB/s for 10.0 s." },
	{ no_io_at_all, "nothing-remarkable", BTVIZ_SEV_NOTE, "Nothing remarkable." },
	{ submit_65_percent, "submission-gaps", BTVIZ_SEV_BAD,
		"Nothing was submitted for 6.5 s, 65 % of the run: seven gaps, disks idle. The "
		"submitter before them was dd." },
	{ submit_after_dd_and_mount, "submission-gaps", BTVIZ_SEV_BAD,
		"Nothing was submitted for 6.5 s, 65 % of the run: seven gaps, disks idle. The "
		"submitter before 71 % of that time was dd." },
	{ submit_after_anybody, "submission-gaps", BTVIZ_SEV_BAD,
		"Nothing was submitted for 6.5 s, 65 % of the run: seven gaps, disks idle." },
	{ submit_once, "submission-gaps", BTVIZ_SEV_BAD,
		"Nothing was submitted for 2.0 s, 20 % of the run: one gap, disks idle. The submitter "
		"before it was dd." },
	{ idle_98_percent, "mostly-idle", BTVIZ_SEV_NOTE,
		"md0 had nothing to do for 98 % of the run." },
	{ stall_by_sdd, "device-stalls", BTVIZ_SEV_BAD,
		"sdd held up md0 for 3.0 s, 30 % of the run: requests were in flight and none was "
		"completed (two stalls, the longest 1.50 s)." },
	{ stall_of_a_member_only, "device-stalls", BTVIZ_SEV_BAD,
		"sdc completed nothing for 2.0 s, 20 % of the run, with requests in flight (one "
		"stall)." },
	{ queue_held_by_dm, "queue-stalls", BTVIZ_SEV_BAD,
		"dm-0 held back the requests of md0 for 3.2 s, 32 % of the run (two stalls), as a "
		"suspended device does; no disk had any of them." },
	{ queue_held_above_disk, "queue-stalls", BTVIZ_SEV_BAD,
		"Requests waited above sdb for 3.2 s, 32 % of the run (two stalls), and none was "
		"issued: plugging, the scheduler, throttling or a frozen queue." },
	{ slow_phase, "drop-out", BTVIZ_SEV_WARNING,
		"md0 ran at less than half of its usual rate for 3.0 s, 30 % of the run (two phases), "
		"without standing still." },
	{ one_of_four, "members-unused", BTVIZ_SEV_BAD,
		"Only 1 of 4 members of md0 in use: sdc carries 100 % of the bytes (effective members "
		"1.0)." },
	{ one_of_four_mirror, "members-unused", BTVIZ_SEV_NOTE, NULL },
	{ uneven, "members-uneven", BTVIZ_SEV_WARNING,
		"The load is uneven: sdb carries 60 % of the bytes of md0, whose 4 members do the work "
		"of 2.4." },
	{ sdc_three_times_slower, "slow-member", BTVIZ_SEV_WARNING,
		"sdc is the slow member of md0: 60.0 ms from issue to completion on average, the others "
		"20.0 ms (3.0 times their median)." },
	{ rmw, "read-modify-write", BTVIZ_SEV_WARNING,
		"Writes that do not fill stripes cost md0 reads: its members read 781 MiB for 391 MiB "
		"written, and wrote 2.0 times that. By md's messages it read what they replace, old "
		"data and parity (rmw)." },
	{ rebuild, "own-traffic", BTVIZ_SEV_WARNING,
		"A rebuild of sdd of md0 went on from 1.00 to 9.00 s: 12.5 MB/s a member on average. "
		"Of the members' traffic 100 % (381 MiB) was its own, which nobody asked the array "
		"for." },
	{ check, "own-traffic", BTVIZ_SEV_WARNING,
		"A check (or a resync that found nothing to mend) of md0 went on from 0.00 to 10.00 "
		"s, the end of the recording: 7.5 MB/s a member on average. Of the members' traffic "
		"73 % (286 MiB) was its own, which nobody asked the array for." },
	{ stream_of_sdc_empty, "stream-missing", BTVIZ_SEV_WARNING,
		"Treat with care: the members of md0, which is a raid0, wrote 0.88 times what it was "
		"asked for, which cannot be: records of members are missing: the stream of CPU 1 of sdc "
		"is empty or not there." },
	{ stream_of_md0_empty, "stream-missing", BTVIZ_SEV_WARNING,
		"Treat with care: the members of md0, which is a raid0, wrote 2.00 times what it was "
		"asked for, which cannot be: records of md0 are missing: the stream of CPU 0 of md0 is "
		"empty or not there." },
	{ some_records_of_members_lost, "stream-missing", BTVIZ_SEV_WARNING,
		"Treat with care: the members of md0, which is a raid0, wrote 0.75 times what it was "
		"asked for, which cannot be: records of members are missing." },
	{ eio, "errors", BTVIZ_SEV_BAD, "17 I/Os failed on sdc with EIO (input/output error)." },
	{ odd_error, "errors", BTVIZ_SEV_BAD, "17 I/Os failed on sdc with error -77." },
	{ requeued, "requeues", BTVIZ_SEV_WARNING,
		"25 requests to sdb went back to the queue, 10 % of those issued: the driver or host "
		"was busy." },
	{ four_readers, "seek-bound-readers", BTVIZ_SEV_WARNING,
		"4 processes read in parallel, each in sequence, and the disks seek between them: 50 % "
		"of the requests are seeks, one every 128 KiB, at 10.5 MB/s." },
	{ sixteen_readers, "seek-bound-readers", BTVIZ_SEV_BAD, NULL },
	{ small, "small-unmerged", BTVIZ_SEV_WARNING,
		"Requests reach the disks small and unmerged, 4.0 KiB on average (1.00 bios each), "
		"although 100 % of them follow the one before." },
	{ flushes, "flush-bound", BTVIZ_SEV_WARNING,
		"Flushes set the pace of md0: 30.0 flush or FUA requests a second, with 5.0 writes "
		"(20.0 KiB) from one to the next." },
	{ depth_1, "queue-depth-1", BTVIZ_SEV_NOTE,
		"md0 has one I/O outstanding at a time: its 4 members take turns instead of working "
		"together." },
	{ busy_35_percent, "submitter-bound", BTVIZ_SEV_NOTE,
		"md0 had nothing to do for 65 % of its time, in pauses none of which stands out: who "
		"submits sets the pace, not the disks." },
	{ lost, "lost-events", BTVIZ_SEV_WARNING,
		"Treat with care: 3,153 events (3.1 %) are missing from the trace; figures are too low "
		"by about as much, and gaps may be holes in the recording." },
	{ unpaired, "suspected-loss", BTVIZ_SEV_WARNING,
		"Treat with care: 6 I/Os in the middle of the run (most on sdd) have only a beginning or "
		"only an end; the recorder probably dropped events, and figures are lower bounds." },
	{ torn, "damaged-trace", BTVIZ_SEV_WARNING,
		"Treat with care: the trace is damaged (48 unreadable bytes, one stream cut off)." },
	{ masked, "masked-trace", BTVIZ_SEV_WARNING,
		"Treat with care: the recorder's mask left out the queueings, merges, so what rests on "
		"them is not known (who submitted, gaps in submission, latency from the queue)." },
	{ no_fua, "fua-missing", BTVIZ_SEV_WARNING, NULL },
	{ writeback_stops, "writeback-empty", BTVIZ_SEV_WARNING,
		"While nothing was submitted, 12 pages were under writeback, otherwise 21,000: no dirty "
		"pages were handed to the disks." },
	{ reclaim_in_gaps, "direct-reclaim", BTVIZ_SEV_WARNING, NULL },
};

/* Just short of the threshold, or with the exception that the rule makes. */
static const struct {
	void (*change)(struct run *);
	const char *name; /* that must not fire */
} stays_silent[] = {
	{ submit_trifle, "submission-gaps" },
	{ idle_98_percent, "submission-gaps" },
	{ submit_65_percent, "mostly-idle" },
	{ stall_trifle, "device-stalls" },
	{ stall_by_sdd, "submission-gaps" },
	{ queue_held_by_dm, "submission-gaps" },
	{ queue_held_by_dm, "device-stalls" },
	{ queue_trifle, "queue-stalls" },
	{ slow_moment, "drop-out" },
	{ one_of_four_untraced, "members-unused" },
	{ one_of_four_by_chance, "members-unused" },
	{ uneven, "members-unused" },
	{ a_little_uneven, "members-uneven" },
	{ one_of_four, "members-uneven" },
	{ sdc_slower_by_microseconds, "slow-member" },
	{ sdc_slower_since_it_seeks, "slow-member" },
	{ sdc_slower_since_it_does_most, "slow-member" },
	{ rmw_at_the_edges, "read-modify-write" },
	{ rmw_reads_on_raid10, "read-modify-write" },
	{ superblocks, "own-traffic" },
	{ stream_empty_but_all_moved, "stream-missing" },
	{ stream_empty_on_raid5, "stream-missing" },
	{ nothing, "stream-missing" },
	{ nothing, "errors" },
	{ nothing, "requeues" },
	{ one_reader, "seek-bound-readers" },
	{ four_readers_without_seeks, "seek-bound-readers" },
	{ four_random_readers, "seek-bound-readers" },
	{ small_and_random, "small-unmerged" },
	{ flushes_between_much, "flush-bound" },
	{ depth_3, "queue-depth-1" },
	{ depth_unknown, "queue-depth-1" },
	{ nothing, "submitter-bound" },
	{ busy_55_percent, "submitter-bound" },
	{ busy_3_percent, "submitter-bound" },
	{ busy_35_percent_with_gaps, "submitter-bound" },
	{ busy_35_percent_unpaired, "submitter-bound" },
	{ busy_35_percent_few, "submitter-bound" },
	{ nothing, "lost-events" },
	{ nothing, "suspected-loss" },
	{ nothing, "damaged-trace" },
	{ nothing, "masked-trace" },
	{ nothing, "fua-missing" },
	{ submit_65_percent, "nothing-remarkable" },
	{ nothing, "writeback-empty" },
	{ writeback_goes_on, "writeback-empty" },
	{ submit_65_percent, "direct-reclaim" },
	{ reclaim_everywhere, "direct-reclaim" },
};

static struct btviz_findings *judge(void (*change)(struct run *), struct run *r)
{
	struct btviz_findings *list = NULL;

	healthy(r);
	change(r);
	assert_int_equal(btviz_findings_new(&r->f, &list, NULL), BTVIZ_OK);
	assert_true(btviz_findings_count(list) >= 1);
	return list;
}

static const struct btviz_finding *find(const struct btviz_findings *list, const char *name)
{
	for (size_t i = 0; i < btviz_findings_count(list); i++)
		if (strcmp(btviz_findings_get(list, i)->name, name) == 0)
			return btviz_findings_get(list, i);
	return NULL;
}

static void test_fires(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof fires / sizeof fires[0]; i++) {
		struct run *const r = malloc(sizeof *r);
		struct btviz_findings *const list = judge(fires[i].change, r);
		const struct btviz_finding *const finding = find(list, fires[i].name);

		if (!finding)
			fail_msg("case %zu: no %s", i, fires[i].name);
		if (fires[i].text)
			assert_string_equal(finding->text, fires[i].text);
		assert_int_equal(finding->severity, fires[i].severity);
		/* One change, one finding: the others have nothing to say about it. */
		assert_int_equal(btviz_findings_count(list), 1);
		btviz_findings_free(list);
		free(r);
	}
}

static void test_stays_silent(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof stays_silent / sizeof stays_silent[0]; i++) {
		struct run *const r = malloc(sizeof *r);
		struct btviz_findings *const list = judge(stays_silent[i].change, r);

		if (find(list, stays_silent[i].name))
			fail_msg("case %zu: %s", i, find(list, stays_silent[i].name)->text);
		btviz_findings_free(list);
		free(r);
	}
}

/* What is missing first, then the worst, whatever the order of the rules. */
static void test_order(void **state)
{
	struct run *const r = malloc(sizeof *r);
	struct btviz_findings *list = NULL;

	(void)state;
	healthy(r);
	depth_1(r);
	lost(r);
	one_of_four(r);
	eio(r);
	assert_int_equal(btviz_findings_new(&r->f, &list, NULL), BTVIZ_OK);
	assert_int_equal(btviz_findings_count(list), 4);
	assert_string_equal(btviz_findings_get(list, 0)->name, "lost-events");
	assert_string_equal(btviz_findings_get(list, 1)->name, "errors");
	assert_string_equal(btviz_findings_get(list, 2)->name, "members-unused");
	assert_string_equal(btviz_findings_get(list, 3)->name, "queue-depth-1");
	assert_null(btviz_findings_get(list, 4));
	btviz_findings_free(list);
	free(r);
}

/* Five disks with errors: three sentences, and a word about the others. */
static void test_repeats(void **state)
{
	struct run *const r = malloc(sizeof *r);
	struct btviz_findings *list = NULL;

	(void)state;
	healthy(r);
	r->error = (struct btviz_error_count){ -EIO, 17 };
	for (size_t i = 0; i < MEMBERS + 1; i++) {
		r->devices[i].errors = &r->error;
		r->devices[i].error_count = 1;
	}
	assert_int_equal(btviz_findings_new(&r->f, &list, NULL), BTVIZ_OK);
	assert_int_equal(btviz_findings_count(list), 3);
	assert_string_equal(btviz_findings_get(list, 2)->text,
		"17 I/Os failed on sdc with EIO (input/output error). (And likewise 2 more.)");
	btviz_findings_free(list);
	free(r);
}

static void test_evidence(void **state)
{
	struct run *const r = malloc(sizeof *r);
	struct btviz_findings *const list = judge(submit_65_percent, r);
	const struct btviz_finding *const finding = btviz_findings_get(list, 0);

	(void)state;
	assert_string_equal(finding->evidence[0].name, "total");
	assert_string_equal(finding->evidence[0].unit, "s");
	assert_true(fabs(finding->evidence[0].value - 6.51) < 1e-9);
	for (size_t i = 0; i < finding->evidence_count; i++)
		assert_false(isnan(finding->evidence[i].value));
	btviz_findings_free(list);
	btviz_findings_free(NULL);
	free(r);
}

/* Names that try to move the cursor arrive as text. */
static void test_hostile_name(void **state)
{
	struct run *const r = malloc(sizeof *r);
	struct btviz_findings *list = NULL;

	(void)state;
	healthy(r);
	eio(r);
	r->devices[2].name = "\x1b[2Jsdc\n";
	assert_int_equal(btviz_findings_new(&r->f, &list, NULL), BTVIZ_OK);
	assert_string_equal(btviz_findings_get(list, 0)->text,
		"17 I/Os failed on ?[2Jsdc? with EIO (input/output error).");
	btviz_findings_free(list);
	free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fires),
		cmocka_unit_test(test_stays_silent),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_evidence),
		cmocka_unit_test(test_hostile_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
