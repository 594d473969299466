/* test_cells.c - adaptive time buckets and maps: whatever comes in whatever order, nothing is lost,
 * the width depends on the range alone, and parts merged equal the whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "measure/grid.h"
#include "measure/series.h"

enum { CELLS = 64, COUNT = 5000 };

static uint64_t random_state;

static uint64_t next_random(void)
{
	random_state = random_state * 6364136223846793005U + 1442695040888963407U;
	return random_state >> 16;
}

/* Points of several kinds: late, early, far away, in a burst. */
static void make_points(uint64_t seed, uint64_t times[COUNT], uint64_t places[COUNT])
{
	uint64_t t = seed * 1000000007;

	random_state = seed;
	for (size_t i = 0; i < COUNT; i++) {
		t += next_random() % (next_random() % 100 == 0 ? 100000000 : 1000);
		times[i] = next_random() % 50 == 0 && t > 5000 ? t - 5000 : t;
		places[i] = seed % 2 ? (seed << 30) + i * 8 : next_random() % 2000000;
	}
}

static void test_series(void **state)
{
	static uint64_t times[COUNT], places[COUNT];

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct btvi_series whole, part[2];
		uint64_t sum = 0;

		make_points(seed, times, places);
		btvi_series_init(&whole, CELLS);
		btvi_series_init(&part[0], CELLS);
		btvi_series_init(&part[1], CELLS);
		for (size_t i = 0; i < COUNT; i++) {
			struct btvi_series *p = &part[i % 3 == 0];

			btvi_series_reach(&whole, times[i]);
			btvi_series_reach(p, times[i]);
			assert_int_equal(
				btvi_series_add(&whole, BTVI_COL_BYTES, times[i], i), BTVIZ_OK);
			assert_int_equal(btvi_series_add(p, BTVI_COL_BYTES, times[i], i), BTVIZ_OK);
			assert_int_equal(btvi_series_raise(&whole, times[i], i), BTVIZ_OK);
			assert_int_equal(btvi_series_raise(p, times[i], i), BTVIZ_OK);
			sum += i;
		}
		assert_true(btvi_ruler_used(&whole.time) <= CELLS);
		assert_true(btvi_ruler_used(&whole.time) > CELLS / 2 - 1);
		assert_true(btvi_series_sum(&whole, BTVI_COL_BYTES, 0, 1e18) == (double)sum);
		assert_int_equal(
			btvi_series_merge(&part[0], &part[1], 0, BTVI_COLUMN_COUNT - 1), BTVIZ_OK);
		assert_memory_equal(&part[0].time, &whole.time, sizeof whole.time);
		assert_memory_equal(part[0].columns[BTVI_COL_BYTES], whole.columns[BTVI_COL_BYTES],
			CELLS * sizeof(uint64_t));
		assert_memory_equal(part[0].columns[BTVI_COL_OUTSTANDING_MAX],
			whole.columns[BTVI_COL_OUTSTANDING_MAX], CELLS * sizeof(uint64_t));
		btvi_series_done(&whole);
		btvi_series_done(&part[0]);
		btvi_series_done(&part[1]);
	}
}

static void test_span(void **state)
{
	struct btvi_series s;

	(void)state;
	btvi_series_init(&s, CELLS);
	btvi_series_reach(&s, 1000);
	btvi_series_reach(&s, 10000000);
	assert_int_equal(btvi_series_add_span(&s, BTVI_COL_BUSY_NS, 1000, 10000000, 3), BTVIZ_OK);
	assert_true(btvi_series_sum(&s, BTVI_COL_BUSY_NS, 0, 1e9) == 3 * 9999000.0);
	/* A stretch in the middle holds its share. */
	assert_true(btvi_series_sum(&s, BTVI_COL_BUSY_NS, 5e6, 5.5e6) > 1.49e6);
	assert_true(btvi_series_sum(&s, BTVI_COL_BUSY_NS, 5e6, 5.5e6) < 1.51e6);
	btvi_series_done(&s);
}

static uint64_t total(const struct btvi_grid *g)
{
	uint64_t sum = 0;

	for (size_t i = 0; g->cells && i < (size_t)g->x.cells * g->y.cells; i++)
		sum += g->cells[i];
	return sum;
}

static void test_grid(void **state)
{
	static uint64_t times[COUNT], places[COUNT];

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct btvi_grid whole, part[2];
		uint64_t sum = 0;

		make_points(seed, times, places);
		btvi_grid_init(&whole, CELLS, 32, false);
		btvi_grid_init(&part[0], CELLS, 32, false);
		btvi_grid_init(&part[1], CELLS, 32, false);
		for (size_t i = 0; i < COUNT; i++) {
			const uint64_t n = i % 100 == 0 ? 100000 : 8;

			assert_int_equal(
				btvi_grid_add(&whole, times[i], places[i], n, 0), BTVIZ_OK);
			assert_int_equal(
				btvi_grid_add(&part[i % 3 == 0], times[i], places[i], n, 0),
				BTVIZ_OK);
			sum += n;
		}
		assert_int_equal(total(&whole), sum);
		assert_int_equal(btvi_grid_merge(&part[0], &part[1]), BTVIZ_OK);
		assert_memory_equal(&part[0].x, &whole.x, sizeof whole.x);
		assert_memory_equal(&part[0].y, &whole.y, sizeof whole.y);
		assert_memory_equal(part[0].cells, whole.cells, CELLS * 32 * sizeof *whole.cells);
		assert_memory_equal(part[0].extents, whole.extents, CELLS * sizeof *whole.extents);
		btvi_grid_done(&whole);
		btvi_grid_done(&part[0]);
		btvi_grid_done(&part[1]);
	}
}

/* The largest disk and the longest time there can be: no overflow, no endless loop. */
static void test_extremes(void **state)
{
	struct btvi_grid g;

	(void)state;
	btvi_grid_init(&g, CELLS, 32, true);
	assert_int_equal(btvi_grid_add(&g, 0, 0, 1, 1), BTVIZ_OK);
	assert_int_equal(btvi_grid_add(&g, UINT64_MAX, UINT64_MAX / 2, 8388607, 2), BTVIZ_OK);
	assert_int_equal(btvi_grid_add(&g, UINT64_MAX / 2, 12345, UINT32_MAX, 3), BTVIZ_OK);
	assert_int_equal(total(&g), UINT64_C(1) + 8388607 + UINT32_MAX);
	btvi_grid_done(&g);
}

/* Fewer cells, sooner or later, from the start or by merging: the same. */
static void test_coarser(void **state)
{
	static uint64_t times[COUNT], places[COUNT];
	enum { FEW = CELLS / 8 };

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct btvi_series few, later, fine;
		struct btvi_grid few_cells, later_cells, fine_cells;

		make_points(seed, times, places);
		btvi_series_init(&few, FEW);
		btvi_series_init(&later, CELLS);
		btvi_series_init(&fine, CELLS);
		btvi_grid_init(&few_cells, FEW, 4, false);
		btvi_grid_init(&later_cells, CELLS, 32, false);
		btvi_grid_init(&fine_cells, CELLS, 32, false);
		for (size_t i = 0; i < COUNT; i++) {
			struct btvi_series *const two[] = { &few, i % 2 ? &later : &fine };
			struct btvi_grid *const maps[] = { &few_cells,
				i % 2 ? &later_cells : &fine_cells };

			for (unsigned k = 0; k < 2; k++) {
				btvi_series_reach(two[k], times[i]);
				assert_int_equal(
					btvi_series_add(two[k], BTVI_COL_BYTES, times[i], i),
					BTVIZ_OK);
				assert_int_equal(
					btvi_grid_add(maps[k], times[i], places[i], 8 + i % 90, 0),
					BTVIZ_OK);
			}
			if (i == COUNT / 2) {
				btvi_series_coarsen(&later, FEW);
				assert_int_equal(btvi_grid_coarsen(&later_cells, FEW, 4), BTVIZ_OK);
			}
		}
		assert_int_equal(
			btvi_series_merge(&later, &fine, 0, BTVI_COLUMN_COUNT - 1), BTVIZ_OK);
		assert_memory_equal(&later.time, &few.time, sizeof few.time);
		assert_memory_equal(later.columns[BTVI_COL_BYTES], few.columns[BTVI_COL_BYTES],
			FEW * sizeof(uint64_t));
		assert_int_equal(btvi_grid_merge(&later_cells, &fine_cells), BTVIZ_OK);
		assert_memory_equal(&later_cells.x, &few_cells.x, sizeof few_cells.x);
		assert_memory_equal(&later_cells.y, &few_cells.y, sizeof few_cells.y);
		assert_memory_equal(
			later_cells.cells, few_cells.cells, FEW * 4 * sizeof *few_cells.cells);
		btvi_series_done(&few);
		btvi_series_done(&later);
		btvi_series_done(&fine);
		btvi_grid_done(&few_cells);
		btvi_grid_done(&later_cells);
		btvi_grid_done(&fine_cells);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_span),
		cmocka_unit_test(test_grid),
		cmocka_unit_test(test_coarser),
		cmocka_unit_test(test_extremes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
