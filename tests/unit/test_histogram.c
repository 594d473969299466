/* test_histogram.c - bins, quantiles within 1 %, merging. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/histogram.h"

static void test_bins(void **state)
{
	(void)state;
	/* Every bin begins where the one before it ends, and is at most 1/64 of its value wide. */
	for (unsigned b = 0; b + 2 < BTVI_HISTOGRAM_BINS; b++) {
		const uint64_t low = btvi_histogram_floor(b), high = btvi_histogram_floor(b + 1);

		assert_true(high > low);
		assert_int_equal(btvi_histogram_bin(low), b);
		assert_int_equal(btvi_histogram_bin(high - 1), b);
		assert_true(high - low == 1 || (double)(high - low) <= (double)low / 64);
	}
	assert_int_equal(btvi_histogram_bin(UINT64_MAX), BTVI_HISTOGRAM_BINS - 1);
}

static void test_quantiles(void **state)
{
	static const double qs[] = { 0.01, 0.5, 0.9, 0.99, 0.999 };
	struct btvi_histogram *h = calloc(1, sizeof *h);

	(void)state;
	assert_non_null(h);
	/* 1, 2, ... 100000 times 1000: the quantile q is q x 10^8. */
	for (uint64_t i = 1; i <= 100000; i++)
		btvi_histogram_add(h, i * 1000);
	for (size_t i = 0; i < sizeof qs / sizeof qs[0]; i++) {
		const double want = qs[i] * 1e8;

		assert_true(fabs(btvi_histogram_quantile(h, qs[i]) - want) < 0.01 * want);
	}
	assert_int_equal(h->min, 1000);
	assert_int_equal(h->max, 100000000);
	assert_int_equal(h->sum, UINT64_C(1000) * 100000 * 100001 / 2);
	free(h);
}

static void test_small_counts(void **state)
{
	static const uint64_t values[] = { 7, 3, 100 };
	struct btvi_histogram *h = calloc(1, sizeof *h);

	(void)state;
	assert_non_null(h);
	for (size_t i = 0; i < 3; i++)
		btvi_histogram_add(h, values[i]);
	assert_true(btvi_histogram_quantile(h, 0.5) == 7);
	assert_true(btvi_histogram_quantile(h, 0) == 3);
	assert_true(btvi_histogram_quantile(h, 1) == 100);
	memset(h, 0, sizeof *h);
	btvi_histogram_add(h, 123456789); /* one value is all quantiles, not its bin's middle */
	assert_true(btvi_histogram_quantile(h, 0.5) == 123456789);
	free(h);
}

static void test_merge(void **state)
{
	struct btvi_histogram *h = calloc(3, sizeof *h);

	(void)state;
	assert_non_null(h);
	for (uint64_t i = 0; i < 10000; i++) {
		const uint64_t v = i * i * 977 % 1000003;

		btvi_histogram_add(&h[0], v);
		btvi_histogram_add(&h[1 + i % 2], v);
	}
	btvi_histogram_merge(&h[1], &h[2]);
	assert_memory_equal(&h[0], &h[1], sizeof *h);
	memset(&h[2], 0, sizeof *h);
	btvi_histogram_merge(&h[2], &h[0]); /* into an empty one */
	assert_memory_equal(&h[0], &h[2], sizeof *h);
	free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bins),
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_small_counts),
		cmocka_unit_test(test_merge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
