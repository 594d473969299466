/* test_series.c - sums over stretches of time: whatever the cells' edges, a run cut into stretches
 * adds up to the whole, and nothing lies before its first or after its last event. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <cmocka.h>

#include "measure/series.h"

enum { CELLS = 64 };

#define BASE UINT64_C(10000000000) /* no multiple of any cell's width that occurs */

static void add(struct btvi_series *s, uint64_t time_ns, uint64_t value)
{
	btvi_series_reach(s, time_ns);
	assert_int_equal(btvi_series_add(s, BTVI_COL_BYTES, time_ns, value), BTVIZ_OK);
}

static double sum(const struct btvi_series *s, double from_s, double to_s)
{
	return btvi_series_sum(
		s, BTVI_COL_BYTES, (double)BASE + from_s * 1e9, (double)BASE + to_s * 1e9);
}

/* Lengths of run for which the last event falls anywhere in the last cell, also on its edge. */
static void test_stretches_add_up(void **state)
{
	(void)state;
	for (uint64_t span_ms = 1; span_ms < 5000; span_ms += 37) {
		struct btvi_series s;
		const double span_s = (double)span_ms / 1e3;

		btvi_series_init(&s, CELLS);
		for (unsigned i = 0; i <= 100; i++)
			add(&s, BASE + span_ms * 10000 * i, 1);
		assert_true(fabs(sum(&s, 0, span_s) - 101) < 1e-6);
		assert_true(sum(&s, -5, 0) < 1e-6 || span_ms == 0);
		assert_true(sum(&s, span_s, span_s + 5) < 1e-6);
		for (unsigned parts = 1; parts <= 10; parts++) {
			double all = 0;

			for (unsigned i = 0; i < parts; i++)
				all += sum(&s, span_s * i / parts, span_s * (i + 1) / parts);
			assert_true(fabs(all - 101) < 1e-6);
		}
		btvi_series_done(&s);
	}
}

/* A last event on a cell's very edge: there is nothing in its cell but that instant. */
static void test_last_event_on_edge(void **state)
{
	struct btvi_series s;

	(void)state;
	btvi_series_init(&s, CELLS);
	add(&s, 0, 1);
	add(&s, UINT64_C(1) << 30, 4);
	assert_true(fabs(btvi_series_sum(&s, BTVI_COL_BYTES, 0, 0x1p29) - 1) < 1e-6);
	assert_true(fabs(btvi_series_sum(&s, BTVI_COL_BYTES, 0x1p29, 0x1p30) - 4) < 1e-6);
	assert_true(btvi_series_sum(&s, BTVI_COL_BYTES, 0x1p30, 0x1p31) == 0);
	btvi_series_done(&s);
}

static void test_one_instant(void **state)
{
	struct btvi_series s;

	(void)state;
	btvi_series_init(&s, CELLS);
	add(&s, BASE, 7);
	assert_true(sum(&s, -1, 1) == 7);
	assert_true(sum(&s, 0, 1) == 7);
	assert_true(sum(&s, 1, 2) == 0);
	assert_true(sum(&s, -2, -1) == 0);
	btvi_series_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stretches_add_up),
		cmocka_unit_test(test_last_event_on_edge),
		cmocka_unit_test(test_one_instant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
