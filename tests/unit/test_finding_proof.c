/* test_finding_proof.c - what a sentence may say: each rule of gaps, ends, members and doubt on a
 * run on which it fires, one on which it must not, and one on which it nearly does. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "finding_runs.h"

enum { NONE = -1 };

/* ---- gaps ---------------------------------------------------------------------------------- */

static void disks_busy(struct run *r)
{
	submit_65_percent(r);
	for (size_t i = 0; i < 7; i++) {
		r->gaps[i].disks_ios = 100;
		r->gaps[i].disks_bytes = 10 << 20;
		r->gaps[i].disks_busy_s = 0.5;
	}
}

static void disks_check(struct run *r)
{
	disks_busy(r);
	check(r);
}

/* A superblock is written in one of the gaps. */
static void disks_nearly_idle(struct run *r)
{
	submit_65_percent(r);
	r->gaps[1].disks_ios = 4;
	r->gaps[1].disks_bytes = 2048;
	r->gaps[1].disks_busy_s = 0.02;
}

static void not_continued(struct run *r)
{
	submit_65_percent(r);
	for (size_t i = 0; i < 7; i++)
		r->gaps[i].continued = false;
}

static void filled_by_flushes(struct run *r)
{
	submit_once(r);
	r->gaps[0].flushes = 80;
}

/* One fsync at the pause's beginning fills nothing. */
static void one_flush_in_it(struct run *r)
{
	submit_once(r);
	r->gaps[0].flushes = 9;
}

static void programs_came_and_went(struct run *r)
{
	submit_once(r);
	r->gaps[0].between_programs = true;
	r->gaps[0].continued = false;
	r->gaps[0].before_comm = "fio";
	r->gaps[0].after_pid = 91;
}

static void all_members_stall(struct run *r)
{
	stall_by_sdd(r);
	r->gaps[0].member = r->gaps[1].member = 0;
	r->gaps[0].members_stalled = r->gaps[1].members_stalled = 4;
}

static void two_members_stall(struct run *r)
{
	all_members_stall(r);
	r->gaps[0].members_stalled = r->gaps[1].members_stalled = 2;
}

/* ---- ends ---------------------------------------------------------------------------------- */

static void hang(struct run *r, double since_s)
{
	r->devices[0].open_ios = 8;
	r->devices[0].open_since_s = since_s;
	r->devices[0].open_comm = "fio";
	r->devices[0].latency[BTVIZ_Q2C][BTVIZ_DIR_ALL].max = 0.1;
}

static void below_md0(struct run *r)
{
	static const uint32_t md0 = MD0;

	for (size_t i = 1; i <= MEMBERS; i++) {
		r->devices[i].parents = &md0;
		r->devices[i].parent_count = 1;
		r->devices[i].request_based = true;
	}
}

static void hang_in_sdd(struct run *r)
{
	hang(r, 4);
	below_md0(r);
	r->devices[3].open_ios = 8;
	r->devices[3].open_requests = 1;
}

/* The recorder noted its end: the eight waited for 6 s. */
static void hang_with_known_end(struct run *r)
{
	hang(r, 9.9);
	below_md0(r);
	r->devices[3].open_ios = 8;
	r->f.recorder_end_s = 16;
}

/* Nothing younger than usual, but no disk has a thing to do. */
static void hang_above_idle_disks(struct run *r)
{
	hang(r, 9.95);
	below_md0(r);
}

static void hang_or_loss(struct run *r)
{
	hang_in_sdd(r);
	r->devices[3].unpaired = 5;
}

/* Cut off in the middle of things: the disks have them, and not for long. */
static void stopped_in_the_middle(struct run *r)
{
	hang(r, 9.75);
	below_md0(r);
	r->devices[2].open_ios = 8;
	r->devices[2].open_requests = 8;
}

static void failed_in_dm(struct run *r)
{
	eio(r);
	below_md0(r);
	r->devices[0].errors = &r->error;
	r->devices[0].error_count = 1;
	r->devices[2].error_count = 0;
	r->devices[0].failed[BTVIZ_DIR_READ] =
		(struct btviz_failed){ 16, 0.52, 1.5, 400000, 401999 };
	r->devices[0].failed[BTVIZ_DIR_WRITE] =
		(struct btviz_failed){ 1, 1.56, 1.56, 400100, 400107 };
}

static void failed_below(struct run *r)
{
	failed_in_dm(r);
	r->devices[2].error_count = 1;
}

/* ---- members ------------------------------------------------------------------------------- */

static void together(struct run *r)
{
	depth_1(r);
	for (size_t i = 1; i <= MEMBERS; i++) {
		r->devices[i].request_based = true;
		r->devices[i].in_flight_avg = 0.73;
	}
}

static void in_turns(struct run *r)
{
	depth_1(r);
	for (size_t i = 1; i <= MEMBERS; i++) {
		r->devices[i].request_based = true;
		r->devices[i].in_flight_avg = 0.25;
	}
}

static void unproven_member(struct run *r)
{
	one_of_four(r);
	r->array.layout_devices = 0;
}

static void one_chunk_of_each_row(struct run *r)
{
	one_of_four(r);
	r->array.level = "raid0";
	r->array.chunk_bytes = 65536;
	r->array.data_members = 4;
}

static void rmw_while_checking(struct run *r)
{
	rmw(r);
	r->array.sync = "check";
}

static void rcw(struct run *r)
{
	rmw(r);
	r->array.rmw_messages = 0;
	r->array.rcw_messages = 10;
}

static void left_early(struct run *r)
{
	busy_35_percent(r);
	r->devices[0].last_ns = 3500000000u;
}

/* ---- on the way to the members -------------------------------------------------------------- */

static void cut_in_two(struct run *r, uint64_t of_a_thousand)
{
	r->array.chunk_bytes = 65536;
	count(&r->devices[0], BTVIZ_OP_WRITE, BTVIZ_QUEUED, 1000, 65536000);
	r->devices[0].queued_bytes[BTVIZ_DIR_ALL].max = 65536;
	r->devices[0].splits = of_a_thousand;
}

static void all_cut(struct run *r)
{
	cut_in_two(r, 1000);
}

static void a_fifth_cut(struct run *r)
{
	cut_in_two(r, 200);
}

static void larger_than_a_chunk(struct run *r)
{
	all_cut(r);
	r->devices[0].queued_bytes[BTVIZ_DIR_ALL].max = 1 << 20;
}

static void flush_latency(struct run *r, double array_s, double member_s)
{
	for (size_t i = 0; i <= MEMBERS; i++)
		r->devices[i].latency[BTVIZ_Q2C][BTVIZ_DIR_OTHER] =
			(struct btviz_distribution){ .count = 200,
				.avg = i == 0 ? array_s : member_s };
}

static void flush_waits_for_slowest(struct run *r)
{
	flush_latency(r, 0.024, 0.009);
}

static void flush_as_members(struct run *r)
{
	flush_latency(r, 0.017, 0.009);
}

static void flushes_beside_discards(struct run *r)
{
	flush_waits_for_slowest(r);
	count(&r->devices[0], BTVIZ_OP_DISCARD, BTVIZ_QUEUED, 5, 1 << 20);
}

static void large_above_small_below(struct run *r)
{
	count(&r->devices[0], BTVIZ_OP_WRITE, BTVIZ_QUEUED, 1000, 1000u << 20);
	for (size_t i = 1; i <= MEMBERS; i++) {
		r->devices[i].request_based = true;
		count(&r->devices[i], BTVIZ_OP_WRITE, BTVIZ_ISSUED, 10000, 10000 * 8192);
		r->devices[i].seeks = 5000;
	}
}

static void large_above_small_below_in_sequence(struct run *r)
{
	large_above_small_below(r);
	for (size_t i = 1; i <= MEMBERS; i++)
		r->devices[i].seeks = 2000;
}

static void random_above(struct run *r)
{
	large_above_small_below(r);
	r->devices[0].seeks = 500;
}

/* ---- doubt --------------------------------------------------------------------------------- */

static void stall_with_loss(struct run *r)
{
	stall_by_sdd(r);
	lost(r);
}

static void errors_under_a_mask(struct run *r)
{
	eio(r);
	masked(r);
}

static void no_completions(struct run *r)
{
	r->f.categories_missing = 1U << BTVIZ_COMPLETED;
}

static void sdc_without_completions(struct run *r)
{
	r->devices[2].basis = BTVIZ_BASIS_ISSUE;
	count(&r->devices[2], BTVIZ_OP_WRITE, BTVIZ_ISSUED, 500, 500 * 4096);
	for (size_t i = 0; i <= MEMBERS; i++)
		if (i != 2)
			r->devices[i].basis = BTVIZ_BASIS_COMPLETE;
}

static void writes_without_plugs(struct run *r)
{
	r->devices[0].unplugs = 0;
	for (size_t i = 1; i <= MEMBERS; i++) {
		r->devices[i].request_based = true;
		r->devices[i].plugs = r->devices[i].unplugs = 0;
		count(&r->devices[i], BTVIZ_OP_WRITE, BTVIZ_ISSUED, 500, 500 * 4096);
	}
}

static void writes_and_a_message(struct run *r)
{
	writes_without_plugs(r);
	r->f.messages_total = 1;
}

static const struct proof {
	void (*change)(struct run *);
	const char *name;
	int severity;     /* NONE: it must not be there */
	const char *part; /* of its text, NULL: any */
} proofs[] = {
	{ submit_65_percent, "submission-gaps", BTVIZ_SEV_BAD, "seven gaps, disks idle." },
	{ disks_busy, "submission-gaps", BTVIZ_SEV_BAD,
		"disks busy for 3.5 s of it with what others asked for (70.0 MiB)" },
	{ disks_check, "submission-gaps", BTVIZ_SEV_BAD,
		"the members of md0 busy for 3.5 s of it with a check (70.0 MiB)" },
	{ disks_nearly_idle, "submission-gaps", BTVIZ_SEV_BAD,
		"disks idle but for 4 I/Os (2.0 KiB)" },
	{ not_continued, "submission-gaps", BTVIZ_SEV_WARNING, NULL },
	{ filled_by_flushes, "submission-gaps", NONE, NULL },
	{ filled_by_flushes, "flush-only", BTVIZ_SEV_WARNING,
		"No data was submitted for 2.0 s, 20 % of the run, flushes only: 80 of them in one "
		"pause." },
	{ one_flush_in_it, "flush-only", NONE, NULL },
	{ one_flush_in_it, "submission-gaps", BTVIZ_SEV_BAD, NULL },
	{ programs_came_and_went, "submission-gaps", NONE, NULL },
	{ programs_came_and_went, "between-programs", BTVIZ_SEV_NOTE,
		"Between programs nothing was submitted for 2.0 s, 20 % of the run: fio (77) was done, "
		"dd (91) had not begun." },
	{ submit_once, "between-programs", NONE, NULL },
	{ all_members_stall, "device-stalls", BTVIZ_SEV_BAD,
		"All 4 members stood still together and held up md0" },
	{ two_members_stall, "device-stalls", BTVIZ_SEV_BAD, "2 of 4 members stood still" },
	{ stall_by_sdd, "device-stalls", BTVIZ_SEV_BAD, "sdd held up md0" },

	{ hang_in_sdd, "io-outstanding-at-end", BTVIZ_SEV_BAD,
		"Eight I/Os of fio had not come back on md0 at the end: the oldest was queued at 4.00 s, "
		"6.0 s before it; sdd was issued its part and has not completed them. Nothing was "
		"recorded after 10.00 s; when the recording ended is not known." },
	{ hang_with_known_end, "io-outstanding-at-end", BTVIZ_SEV_BAD,
		"they wait above sdd, which was issued none. The recording ended at 16.00 s." },
	{ hang_above_idle_disks, "io-outstanding-at-end", BTVIZ_SEV_WARNING,
		"they wait in md0; what lies below it has none of them" },
	{ hang_or_loss, "io-outstanding-at-end", BTVIZ_SEV_WARNING,
		"(or their completions are among the records that are missing)" },
	{ stopped_in_the_middle, "io-outstanding-at-end", NONE, NULL },
	{ nothing, "io-outstanding-at-end", NONE, NULL },
	{ failed_in_dm, "errors", BTVIZ_SEV_BAD,
		"17 I/Os failed on md0 with EIO (input/output error): 16 reads, 1 write at sectors "
		"400,000 to 401,999, between 0.52 and 1.56 s. What lies below it (sde) returned none: "
		"md0 made them." },
	{ failed_below, "errors", BTVIZ_SEV_BAD, "They came from below: sdc failed, too." },

	{ together, "queue-depth-1", BTVIZ_SEV_NOTE,
		"which its members serve together: 3.0 requests in flight on average" },
	{ in_turns, "queue-depth-1", BTVIZ_SEV_NOTE, "its 4 members take turns" },
	{ unproven_member, "members-unused", BTVIZ_SEV_WARNING, NULL },
	{ one_of_four, "members-unused", BTVIZ_SEV_BAD, NULL },
	{ one_chunk_of_each_row, "members-unused", BTVIZ_SEV_BAD,
		"Its I/O keeps to one of the 4 chunks of each row (256 KiB)" },
	{ rmw_while_checking, "read-modify-write", NONE, NULL },
	{ rcw, "read-modify-write", BTVIZ_SEV_WARNING, "it read the rest of their stripes (rcw)" },
	{ left_early, "submitter-bound", NONE, NULL },

	{ all_cut, "splits", BTVIZ_SEV_WARNING,
		"100 % of the I/Os of md0 are cut in two at the borders of its chunks (64.0 KiB)" },
	{ a_fifth_cut, "splits", NONE, NULL },
	{ larger_than_a_chunk, "splits", NONE, NULL },
	{ flush_waits_for_slowest, "flush-fan-out", BTVIZ_SEV_NOTE,
		"A flush of md0 takes 24.0 ms, though one of a member takes 9.0 ms" },
	{ flush_as_members, "flush-fan-out", NONE, NULL },
	{ flushes_beside_discards, "flush-fan-out", NONE, NULL },
	{ large_above_small_below, "members-fragmented", BTVIZ_SEV_WARNING,
		"md0 is given I/Os of 1.0 MiB in sequence, but its members get requests of 8.0 KiB, "
		"50 % of them seeks" },
	{ large_above_small_below_in_sequence, "members-fragmented", NONE, NULL },
	{ random_above, "members-fragmented", NONE, NULL },
	{ nothing, "members-fragmented", NONE, NULL },

	{ stall_with_loss, "device-stalls", BTVIZ_SEV_WARNING, NULL },
	{ errors_under_a_mask, "errors", BTVIZ_SEV_WARNING, NULL },
	{ no_completions, "masked-trace", BTVIZ_SEV_WARNING,
		"Whether the recorder's mask left them out, or this driver issues none, is not known" },
	{ sdc_without_completions, "no-completions", BTVIZ_SEV_WARNING, "sdc has no completions" },
	{ no_completions, "no-completions", NONE, NULL },
	{ writes_without_plugs, "one-direction", BTVIZ_SEV_NOTE, "Only writes are in the trace" },
	{ writes_and_a_message, "one-direction", NONE, NULL },
	{ nothing, "one-direction", NONE, NULL },
};

static void test_proofs(void **state)
{
	static struct run r;

	(void)state;
	for (size_t i = 0; i < sizeof proofs / sizeof proofs[0]; i++) {
		const struct proof *const p = &proofs[i];
		const struct btviz_finding *found = NULL;
		struct btviz_findings *list = NULL;

		healthy(&r);
		p->change(&r);
		assert_int_equal(btviz_findings_new(&r.f, &list, NULL), BTVIZ_OK);
		for (size_t k = 0; k < btviz_findings_count(list); k++)
			if (strcmp(btviz_findings_get(list, k)->name, p->name) == 0 &&
				(!found || !p->part || !strstr(found->text, p->part)))
				found = btviz_findings_get(list, k);
		print_message("# case %zu, %s: %s\n", i, p->name, found ? found->text : "not said");
		assert_true((found != NULL) == (p->severity != NONE));
		if (found) {
			assert_int_equal(found->severity, p->severity);
			assert_true(!p->part || strstr(found->text, p->part));
		}
		btviz_findings_free(list);
	}
}

/* What is missing is said before all else. */
static void test_doubt_first(void **state)
{
	static struct run r;
	struct btviz_findings *list = NULL;

	(void)state;
	healthy(&r);
	submit_65_percent(&r);
	unpaired(&r);
	assert_int_equal(btviz_findings_new(&r.f, &list, NULL), BTVIZ_OK);
	assert_string_equal(btviz_findings_get(list, 0)->name, "suspected-loss");
	assert_string_equal(btviz_findings_get(list, 1)->name, "submission-gaps");
	assert_int_equal(btviz_findings_get(list, 1)->severity, BTVIZ_SEV_WARNING);
	btviz_findings_free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_proofs),
		cmocka_unit_test(test_doubt_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
