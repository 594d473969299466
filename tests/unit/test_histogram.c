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

static void add(struct btvi_histogram **h, uint64_t value)
{
	assert_true(btvi_histogram_add(h, 0, value));
}

static void test_quantiles(void **state)
{
	static const double qs[] = { 0.01, 0.5, 0.9, 0.99, 0.999 };
	struct btvi_histogram *h = NULL;

	(void)state;
	/* 1, 2, ... 100000 times 1000: the quantile q is q x 10^8. */
	for (uint64_t i = 1; i <= 100000; i++)
		add(&h, i * 1000);
	for (size_t i = 0; i < sizeof qs / sizeof qs[0]; i++) {
		const double want = qs[i] * 1e8;

		assert_true(fabs(btvi_histogram_quantile(h, qs[i]) - want) < 0.01 * want);
	}
	assert_int_equal(h->min, 1000);
	assert_int_equal(h->max, 100000000);
	assert_int_equal(h->sum, UINT64_C(1000) * 100000 * 100001 / 2);
	btvi_histogram_free(h);
}

static void test_small_counts(void **state)
{
	static const uint64_t values[] = { 7, 3, 100 };
	struct btvi_histogram *h = NULL, *one = NULL;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		add(&h, values[i]);
	assert_true(btvi_histogram_quantile(h, 0.5) == 7);
	assert_true(btvi_histogram_quantile(h, 0) == 3);
	assert_true(btvi_histogram_quantile(h, 1) == 100);
	add(&one, 123456789); /* one value is all quantiles, not its bin's middle */
	assert_true(btvi_histogram_quantile(one, 0.5) == 123456789);
	btvi_histogram_free(h);
	btvi_histogram_free(one);
}

static void assert_same(const struct btvi_histogram *a, const struct btvi_histogram *b)
{
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->min, b->min);
	assert_int_equal(a->max, b->max);
	assert_int_equal(a->sum, b->sum);
	for (unsigned i = 0; i < BTVI_HISTOGRAM_BINS; i++)
		assert_int_equal(btvi_histogram_in(a, i), btvi_histogram_in(b, i));
}

static void test_merge(void **state)
{
	struct btvi_histogram *all = NULL, *parts[2] = { NULL, NULL }, *empty = NULL;

	(void)state;
	for (uint64_t i = 0; i < 10000; i++) {
		const uint64_t v = i * i * 977 % 1000003;

		add(&all, v);
		add(&parts[i % 2], v);
	}
	assert_true(btvi_histogram_merge(&parts[0], 0, parts[1]));
	assert_same(all, parts[0]);
	assert_true(btvi_histogram_merge(&empty, 0, all)); /* into one without values */
	assert_same(all, empty);
	assert_true(btvi_histogram_merge(&empty, 0, NULL));
	assert_same(all, empty);
	btvi_histogram_free(all);
	btvi_histogram_free(parts[0]);
	btvi_histogram_free(parts[1]);
	btvi_histogram_free(empty);
}

/* Wider bins: the same whether they are wide from the start, made so, or merged with such;
 * quantiles within half a bin. */
static void test_coarse(void **state)
{
	(void)state;
	for (unsigned coarse = 1; coarse <= BTVI_HISTOGRAM_COARSEST; coarse++) {
		struct btvi_histogram *fine = NULL, *wide = NULL, *made = NULL;
		struct btvi_histogram *into = NULL, *from = NULL;
		const double within = (double)(1U << coarse) / 128 + 0.01;

		for (uint64_t i = 0; i < 10000; i++) {
			const uint64_t v = i * i * 977 % 1000003;

			add(&fine, v);
			add(i % 2 ? &into : &made, v);
			assert_true(btvi_histogram_add(&wide, coarse, v));
			if (i % 2 == 0)
				assert_true(btvi_histogram_add(&from, coarse, v));
			if (i == 5000)
				btvi_histogram_coarsen(made, coarse);
		}
		assert_true(btvi_histogram_merge(&made, 0, into));
		assert_same(wide, made);
		assert_true(btvi_histogram_merge(&into, 0, from));
		assert_same(wide, into);
		assert_int_equal(into->coarse, coarse);
		for (double q = 0.1; q < 1; q += 0.1) {
			const double right = btvi_histogram_quantile(fine, q);

			assert_true(
				fabs(btvi_histogram_quantile(wide, q) - right) <= within * right);
		}
		btvi_histogram_free(fine);
		btvi_histogram_free(wide);
		btvi_histogram_free(made);
		btvi_histogram_free(into);
		btvi_histogram_free(from);
	}
}

/* Memory is for what there is: values that are near each other share a row. */
static void test_rows(void **state)
{
	struct btvi_histogram *h = NULL;
	unsigned rows = 0;

	(void)state;
	for (uint64_t v = 1 << 20; v < 1 << 21; v += 997)
		add(&h, v);
	add(&h, UINT64_MAX);
	for (unsigned i = 0; i < BTVI_HISTOGRAM_ROWS; i++)
		rows += h->rows[i] != NULL;
	assert_int_equal(rows, 2);
	assert_int_equal(btvi_histogram_in(h, BTVI_HISTOGRAM_BINS - 1), 1);
	assert_int_equal(btvi_histogram_in(h, 0), 0);
	btvi_histogram_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bins),
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_small_counts),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_coarse),
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
