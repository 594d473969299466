/* histogram.c - quantiles and merging of log-linear histograms. */
#include "base/histogram.h"

#include <assert.h>

uint64_t btvi_histogram_floor(unsigned bin)
{
	const unsigned sub = 1U << BTVI_HISTOGRAM_SUB_BITS;

	if (bin < 2 * sub)
		return bin;
	return (uint64_t)(bin % sub + sub) << (bin / sub - 1);
}

void btvi_histogram_merge(struct btvi_histogram *h, const struct btvi_histogram *part)
{
	if (part->count == 0)
		return;
	if (h->count == 0 || part->min < h->min)
		h->min = part->min;
	if (part->max > h->max)
		h->max = part->max;
	h->count += part->count;
	h->sum = btvi_capped_add(h->sum, part->sum);
	for (unsigned i = 0; i < BTVI_HISTOGRAM_BINS; i++)
		h->bins[i] += part->bins[i];
}

double btvi_histogram_quantile(const struct btvi_histogram *h, double q)
{
	assert(h->count > 0);

	/* The rank is 1-based: the median of three values is the second. */
	const double rank = q * (double)h->count < 1 ? 1 : q * (double)h->count;
	uint64_t below = 0;
	double value = (double)h->max;

	for (unsigned i = 0; i < BTVI_HISTOGRAM_BINS; i++) {
		const uint64_t n = h->bins[i];

		if (n == 0)
			continue;
		if ((double)(below + n) >= rank) {
			const double low = (double)btvi_histogram_floor(i);
			const double width = (double)btvi_histogram_floor(i + 1) - low;

			/* Bins one unit wide hold one value only: nothing to interpolate. */
			value = width <= 1 ? low
					   : low + width * (rank - (double)below - 0.5) / (double)n;
			break;
		}
		below += n;
	}
	if (value < (double)h->min)
		return (double)h->min;
	return value > (double)h->max ? (double)h->max : value;
}
