/* base/histogram.h - a log-linear histogram of whole numbers (nanoseconds, bytes, sectors).
 *
 * Values below 128 have a bin each; above, every doubling is divided into 64 bins, so a quantile is
 * within 1/128 of the true value. The size is fixed, two histograms merge by adding. */
#ifndef BTVI_BASE_HISTOGRAM_H
#define BTVI_BASE_HISTOGRAM_H

#include <stdint.h>

#include "base/capped.h"

#define BTVI_HISTOGRAM_SUB_BITS 6
#define BTVI_HISTOGRAM_TOP_BIT  41 /* 2^42 ns is over an hour: longer values share the last bin */
#define BTVI_HISTOGRAM_BINS \
	((BTVI_HISTOGRAM_TOP_BIT - BTVI_HISTOGRAM_SUB_BITS + 2) << BTVI_HISTOGRAM_SUB_BITS)

struct btvi_histogram {
	uint64_t count, min, max; /* exact; min is valid where count > 0 */
	uint64_t sum;             /* exact up to its largest value */
	uint64_t bins[BTVI_HISTOGRAM_BINS];
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

static inline void btvi_histogram_add(struct btvi_histogram *h, uint64_t value)
{
	if (h->count++ == 0 || value < h->min)
		h->min = value;
	if (value > h->max)
		h->max = value;
	h->sum = btvi_capped_add(h->sum, value);
	h->bins[btvi_histogram_bin(value)]++;
}

void btvi_histogram_merge(struct btvi_histogram *h, const struct btvi_histogram *part);

/* The value below which a share q (0..1) of all values lies: interpolated in its bin, within
 * [min, max]. The count must not be 0. */
double btvi_histogram_quantile(const struct btvi_histogram *h, double q);

#endif
