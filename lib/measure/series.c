/* series.c - columns of time buckets that double their width when they run out. */
#include "measure/series.h"

#include <stdlib.h>
#include <string.h>

void btvi_series_init(struct btvi_series *s, uint32_t cells)
{
	memset(s, 0, sizeof *s);
	s->time.cells = cells;
	s->time.shift = 10; /* a microsecond: nothing shorter can be seen */
}

void btvi_series_done(struct btvi_series *s)
{
	for (unsigned c = 0; c < BTVI_COLUMN_COUNT; c++)
		free(s->columns[c]);
}

uint64_t *btvi_series_column(struct btvi_series *s, unsigned column)
{
	if (!s->columns[column])
		s->columns[column] = calloc(s->time.cells, sizeof *s->columns[column]);
	return s->columns[column];
}

static void join(uint64_t *into, uint64_t value, unsigned column)
{
	if (column != BTVI_COL_OUTSTANDING_MAX)
		*into += value;
	else if (value > *into)
		*into = value;
}

/* Moves the cells of a column to where a changed ruler has them. */
static void refit(uint64_t *col, unsigned column, uint32_t used, uint64_t old_first, unsigned fold,
	uint64_t new_first)
{
	const uint64_t folded_first = old_first >> fold;
	uint32_t n = used;

	if (fold > 0) {
		for (uint32_t i = 0; i < used; i++) {
			const uint32_t to = (uint32_t)(((old_first + i) >> fold) - folded_first);
			const uint64_t value = col[i];

			if (to == i)
				continue;
			col[i] = 0;
			join(&col[to], value, column);
		}
		n = used ? (uint32_t)(((old_first + used - 1) >> fold) - folded_first) + 1 : 0;
	}
	if (folded_first > new_first && n > 0) {
		const size_t by = (size_t)(folded_first - new_first);

		memmove(col + by, col, n * sizeof *col);
		memset(col, 0, (by < n ? by : n) * sizeof *col);
		if (by > n)
			memset(col + n, 0, (by - n) * sizeof *col);
	}
}

void btvi_series_extend(struct btvi_series *s, uint64_t time_ns)
{
	const uint64_t old_first = s->time.first;
	const uint32_t used = btvi_ruler_used(&s->time);
	unsigned fold;

	btvi_ruler_extend(&s->time, time_ns, &fold);
	if (used == 0 || (fold == 0 && s->time.first == old_first))
		return;
	for (unsigned c = 0; c < BTVI_COLUMN_COUNT; c++)
		if (s->columns[c])
			refit(s->columns[c], c, used, old_first, fold, s->time.first);
}

void btvi_series_coarsen(struct btvi_series *s, uint32_t cells)
{
	const uint32_t used = btvi_ruler_used(&s->time);
	const uint64_t old_first = s->time.first;
	unsigned fold = 0;

	if (s->time.cells <= cells)
		return;
	s->time.cells = cells;
	if (used > 0)
		btvi_ruler_extend(&s->time, s->time.high, &fold);
	for (unsigned c = 0; c < BTVI_COLUMN_COUNT; c++) {
		uint64_t *smaller;

		if (!s->columns[c])
			continue;
		refit(s->columns[c], c, used, old_first, fold, s->time.first);
		smaller = realloc(s->columns[c], cells * sizeof *smaller);
		if (smaller)
			s->columns[c] = smaller;
	}
}

enum btviz_status btvi_series_add_long_span(
	struct btvi_series *s, unsigned column, uint64_t from_ns, uint64_t to_ns, uint64_t weight)
{
	uint64_t *col = btvi_series_column(s, column);

	if (!col)
		return BTVIZ_ERR_NOMEM;
	while (from_ns < to_ns) {
		const uint32_t cell = btvi_ruler_cell(&s->time, from_ns);
		const uint64_t edge = ((from_ns >> s->time.shift) + 1) << s->time.shift;
		const uint64_t stop = edge < to_ns ? edge : to_ns;

		col[cell] += (stop - from_ns) * weight;
		from_ns = stop;
	}
	return BTVIZ_OK;
}

enum btviz_status btvi_series_raise(
	struct btvi_series *s, unsigned column, uint64_t time_ns, uint64_t value)
{
	uint64_t *col = btvi_series_column(s, column);

	if (!col)
		return BTVIZ_ERR_NOMEM;
	join(&col[btvi_ruler_cell(&s->time, time_ns)], value, column);
	return BTVIZ_OK;
}

void btvi_series_clear(struct btvi_series *s, unsigned column)
{
	if (s->columns[column])
		memset(s->columns[column], 0, s->time.cells * sizeof *s->columns[column]);
}

enum btviz_status btvi_series_merge(
	struct btvi_series *s, const struct btvi_series *part, unsigned first, unsigned last)
{
	const uint32_t used = btvi_ruler_used(&part->time);

	if (used == 0)
		return BTVIZ_OK;
	btvi_series_reach(s, part->time.low);
	btvi_series_reach(s, part->time.high);
	for (unsigned c = first; c <= last; c++) {
		if (!part->columns[c])
			continue;
		uint64_t *col = btvi_series_column(s, c);

		if (!col)
			return BTVIZ_ERR_NOMEM;
		/* s covers all of part, so its cells are at least as wide. */
		const unsigned fold = s->time.shift - part->time.shift;

		for (uint32_t i = 0; i < used; i++)
			join(&col[((part->time.first + i) >> fold) - s->time.first],
				part->columns[c][i], c);
	}
	return BTVIZ_OK;
}

/* The part of a cell that lies between from and to, 0..1. The first and the last cell reach only as
 * far as there were events: what is in them must not be spread over time before and after the run.
 */
static double part_of(const struct btvi_ruler *r, uint32_t cell, double from_ns, double to_ns)
{
	const double width = (double)(UINT64_C(1) << r->shift);
	const double edge = (double)(r->first + cell) * width;
	const double low = edge > (double)r->low ? edge : (double)r->low;
	const double high = edge + width < (double)r->high ? edge + width : (double)r->high;
	const double from = from_ns > low ? from_ns : low;
	const double to = to_ns < high ? to_ns : high;

	if (high > low)
		return to > from ? (to - from) / (high - low) : 0;
	/* All in one instant, perhaps the run's last: it belongs to the stretch that it ends. */
	return from_ns <= high && high <= to_ns && (from_ns < high || r->low == r->high) ? 1 : 0;
}

double btvi_series_sum(const struct btvi_series *s, unsigned column, double from_ns, double to_ns)
{
	const uint64_t *col = s->columns[column];
	const double width = (double)(UINT64_C(1) << s->time.shift);
	const double start = (double)s->time.first * width;
	const uint32_t used = btvi_ruler_used(&s->time);
	double sum = 0;

	if (!col || to_ns < start || from_ns > start + (double)used * width || to_ns <= from_ns)
		return 0;

	const uint32_t from = from_ns <= start ? 0 : (uint32_t)((from_ns - start) / width);
	const double to = (to_ns - start) / width;

	for (uint32_t i = from; i < used && (double)i <= to; i++)
		sum += (double)col[i] * part_of(&s->time, i, from_ns, to_ns);
	return sum;
}
