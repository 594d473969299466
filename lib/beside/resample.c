/* resample.c - a column of samples over cells of time. Between readings a value follows the
 * straight line; outside the readings there is none. */
#include <math.h>

#include "beside/samples.h"

static double value(const struct btviz_samples *s, size_t row, size_t column)
{
	return s->values[row * s->columns + column];
}

/* The last row whose time is not after t; the caller sees to it that there is one. */
static size_t row_before(const struct btviz_samples *s, uint64_t t)
{
	size_t low = 0, high = s->rows;

	while (high - low > 1) {
		const size_t mid = low + (high - low) / 2;

		if (s->times_ns[mid] <= t)
			low = mid;
		else
			high = mid;
	}
	return low;
}

static double value_at(const struct btviz_samples *s, size_t row, size_t column, uint64_t t)
{
	const double a = value(s, row, column);
	double share;

	if (row + 1 >= s->rows || t <= s->times_ns[row])
		return a;
	share = (double)(t - s->times_ns[row]) / (double)(s->times_ns[row + 1] - s->times_ns[row]);
	return a + (value(s, row + 1, column) - a) * share;
}

/* What lies between t0 and t1, cut to the readings. False where nothing does. */
static bool measure(const struct btviz_samples *s, size_t column, uint64_t t0, uint64_t t1,
	struct btviz_samples_range *range)
{
	const bool count = s->is_count[column];
	double area = 0, previous;
	uint64_t at;
	size_t row;

	if (s->rows == 0)
		return false;
	if (t0 < s->times_ns[0])
		t0 = s->times_ns[0];
	if (t1 > s->times_ns[s->rows - 1])
		t1 = s->times_ns[s->rows - 1];
	if (t0 >= t1)
		return false;
	row = row_before(s, t0);
	at = t0;
	previous = value_at(s, row, column, t0);
	*range = (struct btviz_samples_range){ .min = INFINITY, .max = -INFINITY };
	while (at < t1) {
		const uint64_t next = s->times_ns[row + 1] < t1 ? s->times_ns[row + 1] : t1;
		const double now = value_at(s, row, column, next);
		const double width = (double)(next - at);
		double low = previous < now ? previous : now,
		       high = previous < now ? now : previous;

		if (count) {
			/* A count that goes back (iowait may) has not grown. */
			const double grown = now > previous ? now - previous : 0;

			range->increase += grown;
			low = high = grown / (width / 1e9);
		}
		area += width * (previous + now) / 2;
		range->min = low < range->min ? low : range->min;
		range->max = high > range->max ? high : range->max;
		at = next;
		previous = now;
		row++;
	}
	if (count) {
		range->mean = range->increase / ((double)(t1 - t0) / 1e9);
	} else {
		range->mean = area / (double)(t1 - t0);
		range->increase = previous - value_at(s, row_before(s, t0), column, t0);
	}
	return true;
}

void btviz_samples_range(const struct btviz_samples *s, ptrdiff_t column, uint64_t t0_ns,
	uint64_t t1_ns, struct btviz_samples_range *ret_range)
{
	if (column < 0 || (size_t)column >= s->columns ||
		!measure(s, (size_t)column, t0_ns, t1_ns, ret_range))
		*ret_range = (struct btviz_samples_range){ NAN, NAN, NAN, NAN };
}

/* t0 and the share i/n of what follows; never beyond t1, however large and inexact the numbers. */
static uint64_t cell_edge(uint64_t t0, uint64_t t1, size_t i, size_t n)
{
	const uint64_t span = t1 > t0 ? t1 - t0 : 0;
	const double part = (double)span * (double)i / (double)n;

	return part < (double)span ? t0 + (uint64_t)part : t0 + span;
}

void btviz_samples_resample(const struct btviz_samples *s, ptrdiff_t column, uint64_t t0_ns,
	uint64_t t1_ns, double *ret_cells, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct btviz_samples_range range;
		const uint64_t a = cell_edge(t0_ns, t1_ns, i, n);
		const uint64_t b = cell_edge(t0_ns, t1_ns, i + 1, n);

		btviz_samples_range(s, column, a, b, &range);
		ret_cells[i] = range.mean;
	}
}
