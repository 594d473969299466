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
		cmocka_unit_test(test_pieces_and_errors),
		cmocka_unit_test(test_without_queueing),
		cmocka_unit_test(test_as_summaries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
