/* measure/ruler.h - cells of equal, adapting width along time, sectors or anything counted.
 *
 * The range is not known beforehand: cells start one unit wide (or min_shift) and double whenever
 * the fixed number of them does not suffice. Edges are multiples of the width, so two rulers of
 * different width and start fit each other, and the width depends on the smallest and largest value
 * alone, not on the order in which they came. */
#ifndef BTVI_MEASURE_RULER_H
#define BTVI_MEASURE_RULER_H

#include <stdbool.h>
#include <stdint.h>

struct btvi_ruler {
	uint64_t low, high; /* smallest and largest value so far */
	uint64_t first;     /* = low >> shift: number of the first cell, counted from value 0 */
	uint32_t cells;     /* how many there are */
	unsigned shift;     /* each is 2^shift wide */
	bool any;
};

/* The cell of a value that the ruler covers. */
static inline uint32_t btvi_ruler_cell(const struct btvi_ruler *r, uint64_t value)
{
	return (uint32_t)((value >> r->shift) - r->first);
}

/* Whether the value is covered as it is. */
static inline bool btvi_ruler_covers(const struct btvi_ruler *r, uint64_t value)
{
	return r->any && value >= r->low && (value >> r->shift) - r->first < r->cells;
}

/* Extends a ruler to cover a value. Says how cells move: cell i of before is now cell
 * ((before_first + i) >> *ret_fold) - first. The caller moves its data when *ret_fold or first
 * changed. */
static inline void btvi_ruler_extend(struct btvi_ruler *r, uint64_t value, unsigned *ret_fold)
{
	const unsigned before = r->shift;

	if (!r->any) {
		r->low = r->high = value;
		r->any = true;
	} else if (value < r->low) {
		r->low = value;
	} else if (value > r->high) {
		r->high = value;
	}
	while ((r->high >> r->shift) - (r->low >> r->shift) >= r->cells)
		r->shift++;
	r->first = r->low >> r->shift;
	*ret_fold = r->shift - before;
}

/* Number of cells in use. */
static inline uint32_t btvi_ruler_used(const struct btvi_ruler *r)
{
	return r->any ? btvi_ruler_cell(r, r->high) + 1 : 0;
}

#endif
