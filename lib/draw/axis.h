/* draw/axis.h - the scale of one side of a panel: its range, its ticks, their labels.
 *
 * Ticks are round: 1, 2, 5 × 10ⁿ of a unit that suits the range. Two labels of an axis are never
 * equal; where a range is narrow and far from zero, labels tell the distance from a base that the
 * unit names ("ms from 12.4 s"). */
#ifndef BTVI_DRAW_AXIS_H
#define BTVI_DRAW_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/font.h"

enum btvi_axis_kind {
	BTVI_AXIS_TIME,    /* seconds */
	BTVI_AXIS_CLOCK,   /* seconds since 1970, UTC; labelled as time of day */
	BTVI_AXIS_OFFSET,  /* bytes, powers of two */
	BTVI_AXIS_RATE,    /* bytes a second, powers of ten */
	BTVI_AXIS_COUNT,   /* numbers */
	BTVI_AXIS_LATENCY, /* seconds, logarithmic */
	BTVI_AXIS_SIZE,    /* bytes, logarithmic to base 2 */
};

enum { BTVI_TICK_MAX = 32 };

struct btvi_tick {
	double at;
	char label[40];
};

struct btvi_axis {
	enum btvi_axis_kind kind;
	double min, max; /* min < max, always */
	char unit[80];   /* "MB/s"; "" where labels carry their own */
	unsigned tick_count;
	struct btvi_tick ticks[BTVI_TICK_MAX];
};

/* An axis for values from min to max with at most max_ticks ticks (2 to BTVI_TICK_MAX). round: it
 * ends at ticks; else exactly at min and max. Values that are not finite or do not make a range are
 * mended. */
void btvi_axis_init(struct btvi_axis *a, enum btvi_axis_kind kind, double min, double max,
	unsigned max_ticks, bool round);

/* The same along length units of a horizontal side, with as many ticks as have room for their
 * labels of that text size. */
void btvi_axis_init_horizontal(struct btvi_axis *a, enum btvi_axis_kind kind, double min,
	double max, double length, const struct btvi_font *font, double size);

/* Where value lies: 0 at min, 1 at max; kept within. NaN stays NaN. */
double btvi_axis_place(const struct btvi_axis *a, double value);

#endif
