/* histogram.c - quantiles and merging of log-linear histograms. */
#include "base/histogram.h"

#include <assert.h>
#include <stdlib.h>

uint64_t btvi_histogram_floor(unsigned bin)
{
	const unsigned sub = 1U << BTVI_HISTOGRAM_SUB_BITS;

	if (bin < 2 * sub)
		return bin;
	return (uint64_t)(bin % sub + sub) << (bin / sub - 1);
}

bool btvi_histogram_reserve(struct btvi_histogram **h, unsigned bin)
{
	uint64_t **row;

	if (!*h && !(*h = calloc(1, sizeof **h)))
		return false;
	row = &(*h)->rows[bin >> BTVI_HISTOGRAM_SUB_BITS];
	if (!*row)
		*row = calloc(BTVI_HISTOGRAM_ROW, sizeof **row);
	return *row != NULL;
}

void btvi_histogram_free(struct btvi_histogram *h)
{
	if (!h)
		return;
	for (unsigned i = 0; i < BTVI_HISTOGRAM_ROWS; i++)
		free(h->rows[i]);
	free(h);
}

bool btvi_histogram_merge(struct btvi_histogram **ref, const struct btvi_histogram *part)
{
	struct btvi_histogram *h;

	if (!part || part->count == 0)
		return true;
	for (unsigned i = 0; i < BTVI_HISTOGRAM_ROWS; i++) {
		if (!part->rows[i])
			continue;
		if (!btvi_histogram_reserve(ref, i << BTVI_HISTOGRAM_SUB_BITS))
			return false;
		for (unsigned k = 0; k < BTVI_HISTOGRAM_ROW; k++)
			(*ref)->rows[i][k] += part->rows[i][k];
	}
	h = *ref;
	if (h->count == 0 || part->min < h->min)
		h->min = part->min;
	if (part->max > h->max)
		h->max = part->max;
	h->count += part->count;
	h->sum = btvi_capped_add(h->sum, part->sum);
	return true;
}

double btvi_histogram_quantile(const struct btvi_histogram *h, double q)
{
	assert(h->count > 0);

	/* The rank is 1-based: the median of three values is the second. */
	const double rank = q * (double)h->count < 1 ? 1 : q * (double)h->count;
	uint64_t below = 0;
	double value = (double)h->max;

	for (unsigned i = 0; i < BTVI_HISTOGRAM_BINS; i++) {
		const uint64_t n = btvi_histogram_in(h, i);

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
