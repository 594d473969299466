/* measure/grid.h - amounts over time and a second axis: the seek map (sectors touched by time and
 * place) and the latency map (I/Os by time and logarithm of latency). Both axes adapt.
 *
 * Cells hold amounts that add up, so that folding two cells into one loses nothing but resolution.
 */
#ifndef BTVI_MEASURE_GRID_H
#define BTVI_MEASURE_GRID_H

#include <btviz/status.h>

#include "measure/ruler.h"

/* Rows of a column that are in use; low > high: none. Lets folding skip what is empty. */
struct btvi_extent {
	uint16_t low, high;
};

struct btvi_grid {
	struct btvi_ruler x, y;
	uint32_t *cells;  /* [x.cells][y.cells], saturating; NULL: all 0 */
	uint32_t *owners; /* pid of the last process that touched a cell; NULL: not kept */
	struct btvi_extent *extents; /* [x.cells] */
	bool keep_owners;
};

void btvi_grid_init(struct btvi_grid *g, uint32_t columns, uint32_t rows, bool keep_owners);
void btvi_grid_done(struct btvi_grid *g);
void btvi_grid_clear(struct btvi_grid *g);

/* Gives an empty grid its cells, all 0; others do so when they are first needed. False: out of
 * memory. */
bool btvi_grid_allocate(struct btvi_grid *g);

/* Adds count units, from y on upwards, at time x: each row gets those that fall into it. */
enum btviz_status btvi_grid_add(
	struct btvi_grid *g, uint64_t x, uint64_t y, uint64_t count, uint32_t owner);

/* Makes do with so many columns and rows, if there are more; gives memory back. */
enum btviz_status btvi_grid_coarsen(struct btvi_grid *g, uint32_t columns, uint32_t rows);

/* Adds part, which must not have fewer columns or rows than g. */
enum btviz_status btvi_grid_merge(struct btvi_grid *g, const struct btvi_grid *part);

#endif
