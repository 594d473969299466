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

bool btvi_histogram_reserve(struct btvi_histogram **h, unsigned coarse, unsigned bin)
{
	uint64_t **row;

	if (!*h) {
		*h = calloc(1, sizeof **h);
		if (!*h)
			return false;
		(*h)->coarse = coarse;
		(*h)->min = UINT64_MAX;
	}
	row = &(*h)->rows[bin >> BTVI_HISTOGRAM_SUB_BITS];
	if (!*row)
		*row = calloc(BTVI_HISTOGRAM_ROW >> (*h)->coarse, sizeof **row);
	return *row != NULL;
}

void btvi_histogram_coarsen(struct btvi_histogram *h, unsigned coarse)
{
	if (!h || h->coarse >= coarse)
		return;
	for (unsigned i = 0; i < BTVI_HISTOGRAM_ROWS; i++) {
		uint64_t *const row = h->rows[i];

		for (unsigned k = 1; row && k < BTVI_HISTOGRAM_ROW >> h->coarse; k++) {
			const uint64_t n = row[k];

			row[k] = 0;
			row[k >> (coarse - h->coarse)] += n;
		}
		if (row) {
			uint64_t *const less =
				realloc(row, (BTVI_HISTOGRAM_ROW >> coarse) * sizeof *row);

			h->rows[i] = less ? less : row;
		}
	}
	h->coarse = coarse;
}

void btvi_histogram_free(struct btvi_histogram *h)
{
	if (!h)
		return;
	for (unsigned i = 0; i < BTVI_HISTOGRAM_ROWS; i++)
		free(h->rows[i]);
	free(h);
}

bool btvi_histogram_merge(
	struct btvi_histogram **ref, unsigned coarse, const struct btvi_histogram *part)
{
	struct btvi_histogram *h;

	if (!part || part->count == 0)
		return true;
	if (coarse < part->coarse)
		coarse = part->coarse;
	btvi_histogram_coarsen(*ref, part->coarse);
	for (unsigned i = 0; i < BTVI_HISTOGRAM_ROWS; i++) {
		if (!part->rows[i])
			continue;
		if (!btvi_histogram_reserve(ref, coarse, i << BTVI_HISTOGRAM_SUB_BITS))
			return false;
		h = *ref;
		for (unsigned k = 0; k < BTVI_HISTOGRAM_ROW >> part->coarse; k++)
			h->rows[i][k >> (h->coarse - part->coarse)] += part->rows[i][k];
	}
	h = *ref;
	if (part->min < h->min)
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

	for (unsigned i = 0; i < BTVI_HISTOGRAM_BINS; i += 1U << h->coarse) {
		const uint64_t n = btvi_histogram_in(h, i);

		if (n == 0)
			continue;
		if ((double)(below + n) >= rank) {
			const double low = (double)btvi_histogram_floor(i);
			const double width =
				(double)btvi_histogram_floor(i + (1U << h->coarse)) - low;

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
