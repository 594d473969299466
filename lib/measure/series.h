/* measure/series.h - counters in adaptive time buckets, one column a counter. */
#ifndef BTVI_MEASURE_SERIES_H
#define BTVI_MEASURE_SERIES_H

#include <stdbool.h>

#include <btviz/status.h>

#include "measure/ruler.h"

/* By direction: read, write, other, in this order. */
enum btvi_column {
	BTVI_COL_BYTES, /* by the device's basis */
	BTVI_COL_IOS = BTVI_COL_BYTES + 3,
	BTVI_COL_SIZE_BYTES =
		BTVI_COL_IOS + 3, /* bytes and number of I/Os issued (queued where no D) */
	BTVI_COL_SIZE_IOS = BTVI_COL_SIZE_BYTES + 3,
	BTVI_COL_MERGES = BTVI_COL_SIZE_IOS + 3,
	BTVI_COL_Q2C_NS = BTVI_COL_MERGES + 3, /* sum and number of Q2C of I/Os that completed */
	BTVI_COL_Q2C_IOS = BTVI_COL_Q2C_NS + 3,
	BTVI_COL_SEEKS = BTVI_COL_Q2C_IOS + 3,
	/* without a direction */
	BTVI_COL_OUTSTANDING_NS = BTVI_COL_SEEKS + 3, /* I/Os x ns */
	BTVI_COL_IN_FLIGHT_NS,
	BTVI_COL_BUSY_MORE_NS,    /* time with more in flight than there is a column for */
	BTVI_COL_OUTSTANDING_MAX, /* merges by maximum */
	BTVI_COL_BUSY_NS,         /* time with one, two, three in flight */
	BTVI_COL_BUSY_END = BTVI_COL_BUSY_NS + 3,
	BTVI_COL_OWN_READ = BTVI_COL_BUSY_END, /* bytes queued that no device above asked for */
	BTVI_COL_OWN_WRITE,
	BTVI_COLUMN_COUNT,
	BTVI_COLUMNS_BEFORE_0_2 = BTVI_COL_BUSY_NS,
};

struct btvi_series {
	struct btvi_ruler time;
	uint64_t *columns[BTVI_COLUMN_COUNT]; /* NULL: all 0 */
};

void btvi_series_init(struct btvi_series *s, uint32_t cells);
void btvi_series_done(struct btvi_series *s);

/* Makes do with so many buckets, if there are more; gives memory back. */
void btvi_series_coarsen(struct btvi_series *s, uint32_t cells);

/* Makes the buckets reach a time; to be called once before adds at that time. */
void btvi_series_extend(struct btvi_series *s, uint64_t time_ns);

static inline void btvi_series_reach(struct btvi_series *s, uint64_t time_ns)
{
	if (!btvi_ruler_covers(&s->time, time_ns))
		btvi_series_extend(s, time_ns);
	else if (time_ns > s->time.high)
		s->time.high = time_ns;
}

/* A column, allocated when first wanted; NULL when out of memory. */
uint64_t *btvi_series_column(struct btvi_series *s, unsigned column);

/* Adds amount at a reached time. */
static inline enum btviz_status btvi_series_add(
	struct btvi_series *s, unsigned column, uint64_t time_ns, uint64_t amount)
{
	uint64_t *col = s->columns[column];

	if (!col && !(col = btvi_series_column(s, column)))
		return BTVIZ_ERR_NOMEM;
	col[btvi_ruler_cell(&s->time, time_ns)] += amount;
	return BTVIZ_OK;
}

/* Adds weight x time to every bucket between two reached times; the usual case is one bucket. */
enum btviz_status btvi_series_add_long_span(
	struct btvi_series *s, unsigned column, uint64_t from_ns, uint64_t to_ns, uint64_t weight);

static inline enum btviz_status btvi_series_add_span(
	struct btvi_series *s, unsigned column, uint64_t from_ns, uint64_t to_ns, uint64_t weight)
{
	if (from_ns >> s->time.shift == to_ns >> s->time.shift)
		return btvi_series_add(s, column, from_ns, (to_ns - from_ns) * weight);
	return btvi_series_add_long_span(s, column, from_ns, to_ns, weight);
}

/* The same of two columns, with the weight and with 1. */
static inline enum btviz_status btvi_series_add_spans(struct btvi_series *s, unsigned column,
	uint64_t weight, unsigned other, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t *const a = s->columns[column], *const b = s->columns[other];

	if (a && b && from_ns >> s->time.shift == to_ns >> s->time.shift) {
		const uint32_t cell = btvi_ruler_cell(&s->time, from_ns);

		a[cell] += (to_ns - from_ns) * weight;
		b[cell] += to_ns - from_ns;
		return BTVIZ_OK;
	}
	return btvi_series_add_long_span(s, column, from_ns, to_ns, weight) == BTVIZ_OK
		? btvi_series_add_long_span(s, other, from_ns, to_ns, 1)
		: BTVIZ_ERR_NOMEM;
}

/* Takes back, or with found puts back, weight 1 over a stretch of a column. */
void btvi_series_take(
	struct btvi_series *s, unsigned column, uint64_t from_ns, uint64_t to_ns, bool found);

/* Of the time busy in a stretch one in flight was not there all along, or was after all: returns
 * how much less, or more, was busy. */
uint64_t btvi_series_take_busy(struct btvi_series *s, uint64_t from_ns, uint64_t to_ns, bool found);

/* Raises OUTSTANDING_MAX to a value at a reached time. */
static inline enum btviz_status btvi_series_raise(
	struct btvi_series *s, uint64_t time_ns, uint64_t value)
{
	uint64_t *col = s->columns[BTVI_COL_OUTSTANDING_MAX];

	if (!col && !(col = btvi_series_column(s, BTVI_COL_OUTSTANDING_MAX)))
		return BTVIZ_ERR_NOMEM;
	uint64_t *const cell = &col[btvi_ruler_cell(&s->time, time_ns)];

	if (value > *cell)
		*cell = value;
	return BTVIZ_OK;
}

/* Sets a column to 0. */
void btvi_series_clear(struct btvi_series *s, unsigned column);

/* Adds the columns from first to last of part. */
enum btviz_status btvi_series_merge(
	struct btvi_series *s, const struct btvi_series *part, unsigned first, unsigned last);

/* The sum of a column between two times, buckets cut at the edges counted by their share. */
double btvi_series_sum(const struct btvi_series *s, unsigned column, double from_ns, double to_ns);

#endif
