/* test_io.c - the public stream of I/Os: a life worked by hand, and on real recordings the same
 * I/Os that the summary's latencies are made of. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <btviz/io.h>
#include <btviz/summary.h>
#include <btviz/trace.h>

#include "script.h"

#define UNKNOWN BTVIZ_TIME_UNKNOWN

static struct btviz_ios *play(const char *text, struct btviz_io *ret, size_t max, size_t *ret_count)
{
	struct script s = { .at = text, .device = BTVIZ_DEVICE(8, 16), .pid = 7 };
	struct btviz_ios *const ios = btviz_ios_new();
	const struct btviz_io *io;
	struct btviz_event ev;

	assert_non_null(ios);
	*ret_count = 0;
	while (script_next(&s, &ev)) {
		assert_int_equal(btviz_ios_add(ios, &ev, NULL), BTVIZ_OK);
		while ((io = btviz_ios_next(ios))) {
			assert_true(*ret_count < max);
			ret[(*ret_count)++] = *io;
		}
		assert_null(btviz_ios_next(ios));
	}
	return ios;
}

static void test_merged(void **state)
{
	struct btviz_io got[4];
	size_t count;

	(void)state;
	btviz_ios_free(play("100 Q W 8+8\n110 G W 8+8\n115 I W 8+8\n120 Q W 16+8\n130 M W 16+8\n"
			    "200 D W 8+16\n900 C W 8+16\n",
		got, 4, &count));
	assert_int_equal(count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct btviz_io *const io = &got[i];
		const bool first = io->sector == 8;

		assert_int_equal(io->device, BTVIZ_DEVICE(8, 16));
		assert_int_equal(io->pid, 7);
		assert_int_equal(io->op, BTVIZ_OP_WRITE);
		assert_int_equal(io->error, 0);
		assert_int_equal(io->sector, first ? 8 : 16);
		assert_int_equal(io->bytes, 4096);
		assert_int_equal(io->queue_ns, first ? 100 : 120);
		assert_true(io->get_ns == (first ? 110 : UNKNOWN));
		assert_true(io->insert_ns == (first ? 115 : UNKNOWN));
		assert_true(io->merge_ns == (first ? UNKNOWN : 130));
		assert_int_equal(io->issue_ns, 200);
		assert_int_equal(io->complete_ns, 900);
	}
	assert_int_not_equal(got[0].sector, got[1].sector);
}

/* What never ended: queued alone, merged and issued, in pieces; not what was completed, and a split
 * I/O once. Of a device without a Q, the requests. */
static void test_never_ended(void **state)
{
	static const struct {
		uint64_t sector, bytes, queue_ns, issue_ns;
	} want[] = { { 8, 4096, 100, 200 }, { 16, 4096, 120, 200 }, { 96, 4096, 300, UNKNOWN },
		{ 500, 16384, 500, UNKNOWN } };
	struct btviz_io got[4];
	const struct btviz_io *io;
	size_t count, seen = 0;
	struct btviz_ios *ios =
		play("100 Q W 8+8\n110 G W 8+8\n115 I W 8+8\n120 Q W 16+8\n130 M W "
		     "16+8\n200 D W 8+16\n300 Q W 96+8\n400 Q R 50+8\n410 C R 50+8\n"
		     "500 Q W 500+32\n510 X W 500+16 516\n",
			got, 4, &count);

	(void)state;
	assert_int_equal(count, 1);
	while ((io = btviz_ios_next_open(ios))) {
		size_t k = 0;

		while (k < 4 && want[k].sector != io->sector)
			k++;
		assert_true(k < 4);
		assert_int_equal(io->bytes, want[k].bytes);
		assert_int_equal(io->queue_ns, want[k].queue_ns);
		assert_true(io->issue_ns == want[k].issue_ns);
		assert_true(io->complete_ns == UNKNOWN);
		seen |= (size_t)1 << k;
		count++;
	}
	assert_int_equal(seen, 15);
	assert_int_equal(count, 5);
	assert_null(btviz_ios_next_open(ios));
	btviz_ios_free(ios);
	ios = play("100 D W 8+8\n150 D R 64+8\n200 C W 8+8\n", got, 4, &count);
	io = btviz_ios_next_open(ios);
	assert_non_null(io);
	assert_int_equal(io->sector, 64);
	assert_int_equal(io->issue_ns, 150);
	assert_int_equal(io->op, BTVIZ_OP_READ);
	assert_null(btviz_ios_next_open(ios));
	btviz_ios_free(ios);
}

/* md completes in pieces; the I/O is over with the last. */
static void test_pieces_and_errors(void **state)
{
	struct btviz_io got[4];
	size_t count;

	(void)state;
	btviz_ios_free(play("100 Q R 0+16\n200 C R 0+8\n300 C RE 8+8\n", got, 4, &count));
	assert_int_equal(count, 1);
	assert_int_equal(got[0].bytes, 8192);
	assert_int_equal(got[0].complete_ns, 300);
	assert_int_equal(got[0].error, -5);
	assert_true(got[0].issue_ns == UNKNOWN);
}

static void test_without_queueing(void **state)
{
	struct btviz_io got[4];
	size_t count;

	(void)state;
	btviz_ios_free(play("100 D R 0+16\n250 C R 0+16\n", got, 4, &count));
	assert_int_equal(count, 1);
	assert_int_equal(got[0].sector, 0);
	assert_int_equal(got[0].bytes, 8192);
	assert_true(got[0].queue_ns == UNKNOWN);
	assert_int_equal(got[0].issue_ns, 100);
	assert_int_equal(got[0].complete_ns, 250);
}

/* Count and sum of what the stream gives for a device, from queueing to completion. */
static void sum_up(const char *path, uint32_t device, uint64_t *ret_count, double *ret_sum_s)
{
	struct btviz_ios *const ios = btviz_ios_new();
	const struct btviz_event *ev;
	const struct btviz_io *io;
	struct btviz_trace *t;
	enum btviz_status status;

	assert_non_null(ios);
	assert_int_equal(btviz_trace_open(path, NULL, &t, NULL), BTVIZ_OK);
	while ((status = btviz_trace_next(t, &ev, NULL)) == BTVIZ_OK) {
		assert_int_equal(btviz_ios_add(ios, ev, NULL), BTVIZ_OK);
		while ((io = btviz_ios_next(ios))) {
			if (io->device != device || io->queue_ns == UNKNOWN)
				continue;
			(*ret_count)++;
			*ret_sum_s += (double)(io->complete_ns - io->queue_ns) * 1e-9;
		}
	}
	assert_int_equal(status, BTVIZ_END);
	btviz_trace_close(t);
	btviz_ios_free(ios);
}

static void test_as_summaries(void **state)
{
	static const char *const names[] = { "raid0-bad", "raid1-threads-4", "v8-fsync" };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct btviz_figures *f;
		struct btviz_summary *s;
		char path[512];

		snprintf(path, sizeof path, "%s/real/%s.tar.xz", getenv("TESTDATA"), names[i]);
		assert_int_equal(btviz_summary_read(path, NULL, NULL, &s, NULL), BTVIZ_OK);
		assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
		assert_true(f->device_count > 1);
		for (size_t d = 0; d < f->device_count; d++) {
			const struct btviz_distribution *const want =
				&f->devices[d]->latency[BTVIZ_Q2C][BTVIZ_DIR_ALL];
			uint64_t count = 0;
			double sum_s = 0;

			sum_up(path, f->devices[d]->device, &count, &sum_s);
			assert_int_equal(count, want->count);
			if (count > 0)
				assert_true(fabs(sum_s / (double)count - want->avg) <
					1e-9 + 1e-9 * want->avg);
		}
		btviz_summary_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_merged),
		cmocka_unit_test(test_never_ended),
		cmocka_unit_test(test_pieces_and_errors),
		cmocka_unit_test(test_without_queueing),
		cmocka_unit_test(test_as_summaries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
