/* saved_part.c - histograms, time buckets and maps of a saved summary, written and read. */
#include <string.h>

#include "measure/saved_walk.h"

static bool write_bins(struct btvi_row *row, const struct btvi_histogram *h)
{
	for (unsigned i = 0; i < BTVI_HISTOGRAM_BINS; i += 1U << h->coarse)
		if (btvi_histogram_in(h, i) > 0) {
			btvi_row_put(&row->out, i);
			btvi_row_put(&row->out, btvi_histogram_in(h, i));
		}
	return true;
}

/* Bins in order; the smallest and largest value must be in the first and last of them. */
static bool read_bins(struct btvi_row *row, uint64_t min, uint64_t max, struct btvi_histogram **h)
{
	struct btvi_walk *const w = row->walk;
	uint64_t bin, count, total = 0, next = 0;

	while (btvi_row_get(&row->in, &bin)) {
		if (!btvi_row_get(&row->in, &count) || bin < next || bin >= BTVI_HISTOGRAM_BINS ||
			count == 0 || count > UINT64_MAX / 2 - total)
			return false;
		if (total == 0 && bin >> w->coarse != btvi_histogram_bin(min) >> w->coarse)
			return false;
		if ((next == 0 || bin / BTVI_HISTOGRAM_ROW != (next - 1) / BTVI_HISTOGRAM_ROW) &&
			!btvi_walk_charge(w, BTVI_HISTOGRAM_ROW, sizeof(uint64_t)))
			return false;
		if (!btvi_histogram_put(h, w->coarse, (unsigned)bin, count))
			return btvi_walk_nomem(w);
		total += count;
		next = bin + 1;
	}
	if (total == 0 || (next - 1) >> w->coarse != btvi_histogram_bin(max) >> w->coarse)
		return false;
	(*h)->count = total;
	return true;
}

/* sum, min, max, then bin and count of each bin in use. */
static bool walk_bins(struct btvi_row *row, struct btvi_histogram **h)
{
	const bool writing = row->walk->writing;
	uint64_t sum = writing ? (*h)->sum : 0, min = writing ? (*h)->min : 0,
		 max = writing ? (*h)->max : 0;

	if (!btvi_row_pass(row, &sum, UINT64_MAX) || !btvi_row_pass(row, &min, UINT64_MAX) ||
		!btvi_row_pass(row, &max, UINT64_MAX) || min > max)
		return false;
	if (writing)
		return write_bins(row, *h);
	if (!read_bins(row, min, max, h))
		return false;
	(*h)->sum = sum;
	(*h)->min = min;
	(*h)->max = max;
	return true;
}

bool btvi_walk_histogram(struct btvi_walk *w, struct btvi_at at, struct btvi_histogram **h)
{
	struct btvi_row row;

	if (w->writing && (!*h || (*h)->count == 0))
		return btvi_walk_put(w, at, json_null());
	if (!w->writing && json_is_null(btvi_walk_get(at)))
		return true;
	if (!btvi_row_open(w, at, &row) || (!w->writing && !btvi_walk_charge(w, 1, sizeof **h)))
		return false;
	if (walk_bins(&row, h) && btvi_row_close(&row, at))
		return true;
	return w->status == BTVIZ_OK && btvi_walk_refuse(w, "a histogram makes no sense");
}

/* Smallest and largest value; the first cell and its width follow from these and the number of
 * cells. */
static bool walk_ruler(struct btvi_walk *w, struct btvi_at at, struct btvi_ruler *ruler)
{
	struct btvi_row row;
	uint64_t low = ruler->low, high = ruler->high;
	unsigned fold;

	if (w->writing && !ruler->any)
		return btvi_walk_put(w, at, json_null());
	if (!w->writing && json_is_null(btvi_walk_get(at)))
		return true;
	if (!btvi_row_open(w, at, &row))
		return false;
	if (!btvi_row_pass(&row, &low, UINT64_MAX) || !btvi_row_pass(&row, &high, UINT64_MAX) ||
		low > high || !btvi_row_close(&row, at))
		return w->status == BTVIZ_OK && btvi_walk_refuse(w, "an axis makes no sense");
	if (!w->writing) {
		btvi_ruler_extend(ruler, low, &fold);
		btvi_ruler_extend(ruler, high, &fold);
	}
	return true;
}

static bool walk_column(
	struct btvi_walk *w, struct btvi_at at, const struct btvi_series *s, uint64_t **column)
{
	const uint32_t used = btvi_ruler_used(&s->time);
	struct btvi_row row;

	if (w->writing && !*column)
		return btvi_walk_put(w, at, json_null());
	if (!w->writing && json_is_null(btvi_walk_get(at)))
		return true;
	if (!btvi_row_open(w, at, &row))
		return false;
	if (!w->writing) {
		*column = btvi_walk_alloc(w, s->time.cells, sizeof **column);
		if (!*column)
			return false;
	}
	for (uint32_t i = 0; i < used; i++)
		if (!btvi_row_pass(&row, &(*column)[i], UINT64_MAX))
			return btvi_walk_refuse(
				w, "column %zu is not a row of %u numbers", at.index, used);
	return btvi_row_close(&row, at) ||
		(w->status == BTVIZ_OK &&
			btvi_walk_refuse(
				w, "column %zu is not a row of %u numbers", at.index, used));
}

bool btvi_walk_series(struct btvi_walk *w, struct btvi_at at, struct btvi_series *s)
{
	json_t *const object = btvi_walk_open(w, at, JSON_OBJECT);
	size_t count = BTVI_COLUMN_COUNT;
	json_t *columns;

	if (!object || !walk_ruler(w, btvi_at_key(object, "time"), &s->time))
		return false;
	columns = btvi_walk_list(w, btvi_at_key(object, "columns"), &count, BTVI_COLUMN_COUNT);
	if (!columns)
		return false;
	if (count != BTVI_COLUMN_COUNT && count != BTVI_COLUMNS_BEFORE_0_2)
		return btvi_walk_refuse(w, "%zu columns instead of %d", count, BTVI_COLUMN_COUNT);
	for (unsigned c = 0; c < count; c++)
		if (!walk_column(w, btvi_at_index(columns, c), s, &s->columns[c]))
			return false;
	return true;
}

/* A grid's cells, or their owners. */
static bool walk_cells(
	struct btvi_walk *w, struct btvi_at at, const struct btvi_grid *g, uint32_t *cells)
{
	const uint32_t columns = btvi_ruler_used(&g->x), rows = btvi_ruler_used(&g->y);
	struct btvi_row row;

	if (!btvi_row_open(w, at, &row))
		return false;
	for (uint32_t x = 0; x < columns; x++)
		for (uint32_t y = 0; y < rows; y++) {
			uint32_t *const cell = &cells[(size_t)x * g->y.cells + y];
			uint64_t value = *cell;

			if (!btvi_row_pass(&row, &value, UINT32_MAX))
				return btvi_walk_refuse(
					w, "a map is not %u x %u cells", columns, rows);
			*cell = (uint32_t)value;
		}
	return btvi_row_close(&row, at) ||
		(w->status == BTVIZ_OK && btvi_walk_refuse(w, "a map is too long"));
}

static bool make_cells(struct btvi_walk *w, struct btvi_grid *g)
{
	if (!g->x.any || !g->y.any)
		return btvi_walk_refuse(w, "a map without an axis");
	if (!btvi_walk_charge(w, (size_t)g->x.cells * g->y.cells,
		    sizeof *g->cells * (g->keep_owners ? 2 : 1)))
		return false;
	return btvi_grid_allocate(g) || btvi_walk_nomem(w);
}

static void find_extents(struct btvi_grid *g)
{
	const uint32_t columns = btvi_ruler_used(&g->x), rows = btvi_ruler_used(&g->y);

	for (uint32_t x = 0; x < columns; x++)
		for (uint32_t y = 0; y < rows; y++) {
			struct btvi_extent *const e = &g->extents[x];

			if (g->cells[(size_t)x * g->y.cells + y] == 0)
				continue;
			e->low = y < e->low ? (uint16_t)y : e->low;
			e->high = y > e->high ? (uint16_t)y : e->high;
		}
}

static bool walk_grid(struct btvi_walk *w, struct btvi_at at, struct btvi_grid *g)
{
	json_t *const object = btvi_walk_open(w, at, JSON_OBJECT);

	if (!object || !walk_ruler(w, btvi_at_key(object, "x"), &g->x) ||
		!walk_ruler(w, btvi_at_key(object, "y"), &g->y) ||
		(!w->writing && !make_cells(w, g)) ||
		!walk_cells(w, btvi_at_key(object, "cells"), g, g->cells) ||
		(g->owners && !walk_cells(w, btvi_at_key(object, "owners"), g, g->owners)))
		return false;
	if (!w->writing)
		find_extents(g);
	return true;
}

bool btvi_walk_grid(struct btvi_walk *w, struct btvi_at at, struct btvi_grid *g, uint32_t columns,
	uint32_t rows)
{
	struct btvi_grid coarse;
	bool done;

	if (w->writing && !g->cells)
		return btvi_walk_put(w, at, json_null());
	if (!w->writing && json_is_null(btvi_walk_get(at)))
		return true;
	if (!w->writing || (columns == g->x.cells && rows == g->y.cells))
		return walk_grid(w, at, g);
	btvi_grid_init(&coarse, columns, rows, g->keep_owners);
	done = btvi_grid_merge(&coarse, g) == BTVIZ_OK ? walk_grid(w, at, &coarse)
						       : btvi_walk_nomem(w);
	btvi_grid_done(&coarse);
	return done;
}
