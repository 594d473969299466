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

static uint64_t less(uint64_t *cell, uint64_t amount)
{
	const uint64_t taken = amount < *cell ? amount : *cell;

	*cell -= taken;
	return taken;
}

/* What a stretch has of a cell. */
struct share {
	uint32_t cell;
	uint64_t ns;
	double part; /* of what happened in the cell, 0..1 */
	bool whole;
};

/* The share of the cell that from lies in, of a stretch up to to; where the next one begins. */
static uint64_t share_of(
	const struct btvi_series *s, uint64_t from_ns, uint64_t to_ns, struct share *ret)
{
	const uint64_t edge = ((from_ns >> s->time.shift) + 1) << s->time.shift;
	const uint64_t start = from_ns >> s->time.shift << s->time.shift;
	const uint64_t low = start > s->time.low ? start : s->time.low;
	const uint64_t high = edge < s->time.high ? edge : s->time.high;
	const uint64_t stop = edge < to_ns ? edge : to_ns;

	ret->cell = btvi_ruler_cell(&s->time, from_ns);
	ret->ns = stop - from_ns;
	ret->part = high > low ? (double)ret->ns / (double)(high - low) : 1;
	if (ret->part > 1)
		ret->part = 1;
	ret->whole = from_ns <= low && stop >= high;
	return stop;
}

void btvi_series_take(
	struct btvi_series *s, unsigned column, uint64_t from_ns, uint64_t to_ns, bool found)
{
	uint64_t *const col = s->columns[column];
	struct share share;

	while (col && from_ns < to_ns) {
		from_ns = share_of(s, from_ns, to_ns, &share);
		if (column == BTVI_COL_OUTSTANDING_MAX) /* where it was there all along */
			col[share.cell] += found ? share.whole
						 : -(uint64_t)(share.whole && col[share.cell] > 0);
		else if (found)
			col[share.cell] += share.ns;
		else
			less(&col[share.cell], share.ns);
	}
}

/* Time with n in flight was time with n - 1, and that with more than three perhaps still is. */
static uint64_t take_busy(uint64_t *const cells[3], double part)
{
	uint64_t moved[3];

	for (unsigned n = 0; n < 3; n++)
		moved[n] = less(cells[n], (uint64_t)((double)*cells[n] * part));
	*cells[0] += moved[1];
	*cells[1] += moved[2];
	return moved[0];
}

static uint64_t put_busy(uint64_t *const cells[3], uint64_t *more, uint64_t ns, double part)
{
	uint64_t moved[3], idle = ns;

	less(&idle, (uint64_t)((double)*more * part));
	for (unsigned n = 0; n < 3; n++) {
		moved[n] = less(cells[n], (uint64_t)((double)*cells[n] * part));
		less(&idle, moved[n]);
	}
	*cells[0] += idle;
	*cells[1] += moved[0];
	*cells[2] += moved[1];
	*more += moved[2];
	return idle;
}

uint64_t btvi_series_take_busy(struct btvi_series *s, uint64_t from_ns, uint64_t to_ns, bool found)
{
	uint64_t *cols[3], *const more = btvi_series_column(s, BTVI_COL_BUSY_MORE_NS), sum = 0;
	struct share share;

	for (unsigned n = 0; n < 3; n++)
		cols[n] = btvi_series_column(s, BTVI_COL_BUSY_NS + n);
	if (!more || !cols[0] || !cols[1] || !cols[2])
		return 0; /* the next event finds out */
	while (from_ns < to_ns) {
		from_ns = share_of(s, from_ns, to_ns, &share);
		uint64_t *const cells[3] = { &cols[0][share.cell], &cols[1][share.cell],
			&cols[2][share.cell] };

		sum += found ? put_busy(cells, &more[share.cell], share.ns, share.part)
			     : take_busy(cells, share.part);
	}
	return sum;
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
