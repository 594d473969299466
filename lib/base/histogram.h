/* base/histogram.h - a log-linear histogram of whole numbers (nanoseconds, bytes, sectors).
 *
 * Values below 128 have a bin each; above, every doubling is divided into 64 bins, so a quantile is
 * within 1/128 of the true value. Two histograms merge by adding. Memory: 1/3 KiB, and 1/2 KiB for
 * each row of 64 bins that a value fell into, at most 19 KiB. Where that is too much, 2^coarse bins
 * are kept as one, whose number is that of the first of them.
 *
 * A histogram is made with its first value: where one is pointed to, NULL is one without values. */
#ifndef BTVI_BASE_HISTOGRAM_H
#define BTVI_BASE_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/capped.h"

#define BTVI_HISTOGRAM_SUB_BITS 6
#define BTVI_HISTOGRAM_TOP_BIT  41 /* 2^42 ns is over an hour: longer values share the last bin */
#define BTVI_HISTOGRAM_BINS \
	((BTVI_HISTOGRAM_TOP_BIT - BTVI_HISTOGRAM_SUB_BITS + 2) << BTVI_HISTOGRAM_SUB_BITS)

#define BTVI_HISTOGRAM_ROW  (1U << BTVI_HISTOGRAM_SUB_BITS)
#define BTVI_HISTOGRAM_ROWS (BTVI_HISTOGRAM_BINS >> BTVI_HISTOGRAM_SUB_BITS)

#define BTVI_HISTOGRAM_COARSEST BTVI_HISTOGRAM_SUB_BITS /* one bin a row */

struct btvi_histogram {
	uint64_t count, min, max; /* exact; min: UINT64_MAX without values */
	uint64_t sum;             /* exact up to its largest value */
	unsigned coarse;
	uint64_t *rows[BTVI_HISTOGRAM_ROWS]; /* of the bins; NULL: all are 0 */
};

static inline unsigned btvi_histogram_bin(uint64_t value)
{
	if (value < 2U << BTVI_HISTOGRAM_SUB_BITS)
		return (unsigned)value;

	const unsigned top = 63U - (unsigned)__builtin_clzll(value);

	if (top > BTVI_HISTOGRAM_TOP_BIT)
		return BTVI_HISTOGRAM_BINS - 1;
	return ((top - BTVI_HISTOGRAM_SUB_BITS) << BTVI_HISTOGRAM_SUB_BITS) +
		(unsigned)(value >> (top - BTVI_HISTOGRAM_SUB_BITS));
}

/* The lowest value of a bin, and of the one behind it. */
uint64_t btvi_histogram_floor(unsigned bin);

static inline uint64_t btvi_histogram_in(const struct btvi_histogram *h, unsigned bin)
{
	const uint64_t *const row = h->rows[bin >> BTVI_HISTOGRAM_SUB_BITS];

	return row ? row[bin % BTVI_HISTOGRAM_ROW >> h->coarse] : 0;
}

/* Makes *h, so coarse, where it is NULL, and the row of a bin; false: no memory. */
bool btvi_histogram_reserve(struct btvi_histogram **h, unsigned coarse, unsigned bin);

/* Adds to a bin alone: the caller sees to what is exact. False: no memory. */
static inline bool btvi_histogram_put(
	struct btvi_histogram **h, unsigned coarse, unsigned bin, uint64_t count)
{
	if ((!*h || !(*h)->rows[bin >> BTVI_HISTOGRAM_SUB_BITS]) &&
		!btvi_histogram_reserve(h, coarse, bin))
		return false;
	(*h)->rows[bin >> BTVI_HISTOGRAM_SUB_BITS][bin % BTVI_HISTOGRAM_ROW >> (*h)->coarse] +=
		count;
	return true;
}

/* Adds a value, to a new histogram so coarse where *ref is NULL; false: no memory. */
static inline bool btvi_histogram_add(struct btvi_histogram **ref, unsigned coarse, uint64_t value)
{
	struct btvi_histogram *h;

	if (!btvi_histogram_put(ref, coarse, btvi_histogram_bin(value), 1))
		return false;
	h = *ref;
	h->count++;
	if (value < h->min)
		h->min = value;
	if (value > h->max)
		h->max = value;
	h->sum = btvi_capped_add(h->sum, value);
	return true;
}

/* Adds a part, which may be NULL, to *h, which is then at least so coarse as either was, and, if it
 * is new, as is said; false: no memory. */
bool btvi_histogram_merge(
	struct btvi_histogram **h, unsigned coarse, const struct btvi_histogram *part);

/* Keeps more bins as one and gives memory back. h may be NULL. */
void btvi_histogram_coarsen(struct btvi_histogram *h, unsigned coarse);

/* h may be NULL. */
void btvi_histogram_free(struct btvi_histogram *h);

/* The value below which a share q (0..1) of all values lies: interpolated in its bin, within
 * [min, max]. The count must not be 0. */
double btvi_histogram_quantile(const struct btvi_histogram *h, double q);

#endif
