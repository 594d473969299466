/* grid.c - a map of cells whose axes double their steps when they run out. */
#include "measure/grid.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const struct btvi_extent empty = { UINT16_MAX, 0 };

void btvi_grid_init(struct btvi_grid *g, uint32_t columns, uint32_t rows, bool keep_owners)
{
	memset(g, 0, sizeof *g);
	g->x.cells = columns;
	g->x.shift = 10;
	g->y.cells = rows;
	g->keep_owners = keep_owners;
}

static size_t plane_bytes(const struct btvi_grid *g)
{
	return (size_t)g->x.cells * g->y.cells * sizeof(uint32_t);
}

/* Zeroed memory whose pages come into being when touched: a sequential run touches few. (calloc
 * gives that only until the allocator has memory to use again.) */
static uint32_t *new_plane(const struct btvi_grid *g)
{
	void *p = mmap(
		NULL, plane_bytes(g), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void free_plane(const struct btvi_grid *g, uint32_t *plane)
{
	if (plane)
		munmap(plane, plane_bytes(g));
}

void btvi_grid_done(struct btvi_grid *g)
{
	free_plane(g, g->cells);
	free_plane(g, g->owners);
	free(g->extents);
}

void btvi_grid_clear(struct btvi_grid *g)
{
	const uint32_t columns = g->x.cells, rows = g->y.cells;
	const bool keep_owners = g->keep_owners;

	btvi_grid_done(g);
	btvi_grid_init(g, columns, rows, keep_owners);
}

bool btvi_grid_allocate(struct btvi_grid *g)
{
	if (g->cells)
		return true;
	g->cells = new_plane(g);
	g->extents = malloc(g->x.cells * sizeof *g->extents);
	if (g->keep_owners)
		g->owners = new_plane(g);
	if (!g->cells || !g->extents || (g->keep_owners && !g->owners)) {
		btvi_grid_done(g);
		g->cells = g->owners = NULL;
		g->extents = NULL;
		return false;
	}
	for (uint32_t i = 0; i < g->x.cells; i++)
		g->extents[i] = empty;
	return true;
}

static void add_cell(
	struct btvi_grid *g, uint32_t column, uint32_t row, uint64_t amount, uint32_t owner)
{
	const size_t at = (size_t)column * g->y.cells + row;
	struct btvi_extent *e = &g->extents[column];

	/* Where two cells become one, the larger part's process owns it. */
	if (g->owners && (owner != 0) && (g->cells[at] <= amount || g->owners[at] == 0))
		g->owners[at] = owner;
	g->cells[at] =
		amount > UINT32_MAX - g->cells[at] ? UINT32_MAX : g->cells[at] + (uint32_t)amount;
	if (row < e->low)
		e->low = (uint16_t)row;
	if (row > e->high)
		e->high = (uint16_t)row;
}

static void move_cell(struct btvi_grid *g, size_t from, uint32_t column, uint32_t row)
{
	const uint32_t amount = g->cells[from];
	const uint32_t owner = g->owners ? g->owners[from] : 0;

	if (amount == 0)
		return;
	g->cells[from] = 0;
	if (g->owners)
		g->owners[from] = 0;
	add_cell(g, column, row, amount, owner);
}

static void move_column(struct btvi_grid *g, uint32_t from, uint32_t to)
{
	const struct btvi_extent e = g->extents[from];

	if (from == to || e.low > e.high)
		return;
	g->extents[from] = empty;
	for (uint32_t r = e.low; r <= e.high; r++)
		move_cell(g, (size_t)from * g->y.cells + r, to, r);
}

static void extend_x(struct btvi_grid *g, uint64_t x)
{
	const uint64_t old_first = g->x.first;
	const uint32_t used = btvi_ruler_used(&g->x);
	unsigned fold;

	btvi_ruler_extend(&g->x, x, &fold);
	if (used == 0 || (fold == 0 && g->x.first == old_first))
		return;

	const uint64_t folded_first = old_first >> fold;
	const uint32_t n = (uint32_t)(((old_first + used - 1) >> fold) - folded_first) + 1;

	if (fold > 0)
		for (uint32_t i = 0; i < used; i++)
			move_column(g, i, (uint32_t)(((old_first + i) >> fold) - folded_first));
	if (folded_first > g->x.first)
		for (uint32_t i = n; i-- > 0;)
			move_column(g, i, i + (uint32_t)(folded_first - g->x.first));
}

static void extend_y(struct btvi_grid *g, uint64_t y)
{
	const uint64_t old_first = g->y.first;
	const bool had = g->y.any;
	unsigned fold;

	btvi_ruler_extend(&g->y, y, &fold);
	if (!had || (fold == 0 && g->y.first == old_first))
		return;

	const uint64_t folded_first = old_first >> fold;
	const uint32_t columns = btvi_ruler_used(&g->x);

	for (uint32_t c = 0; c < columns; c++) {
		const struct btvi_extent e = g->extents[c];
		const size_t base = (size_t)c * g->y.cells;

		if (e.low > e.high)
			continue;
		g->extents[c] = empty;
		/* Downwards first, then upwards: no cell is overwritten before it has moved. */
		for (uint32_t r = e.low; r <= e.high; r++) {
			const uint32_t to = (uint32_t)(((old_first + r) >> fold) - folded_first);

			if (to == r) {
				if (g->cells[base + r] == 0)
					continue;
				struct btvi_extent *now = &g->extents[c];

				now->low = r < now->low ? (uint16_t)r : now->low;
				now->high = r > now->high ? (uint16_t)r : now->high;
			} else {
				move_cell(g, base + r, c, to);
			}
		}
		if (folded_first > g->y.first) {
			const struct btvi_extent f = g->extents[c];
			const uint32_t by = (uint32_t)(folded_first - g->y.first);

			g->extents[c] = empty;
			for (uint32_t r = f.high + 1U; r-- > f.low;)
				move_cell(g, base + r, c, r + by);
		}
	}
}

static void reach(struct btvi_grid *g, uint64_t x, uint64_t y_low, uint64_t y_high)
{
	if (!btvi_ruler_covers(&g->x, x))
		extend_x(g, x);
	else if (x > g->x.high)
		g->x.high = x;
	if (!btvi_ruler_covers(&g->y, y_low))
		extend_y(g, y_low);
	if (!btvi_ruler_covers(&g->y, y_high))
		extend_y(g, y_high);
	else if (y_high > g->y.high)
		g->y.high = y_high;
}

enum btviz_status btvi_grid_add(
	struct btvi_grid *g, uint64_t x, uint64_t y, uint64_t count, uint32_t owner)
{
	if (count == 0)
		return BTVIZ_OK;
	if (!btvi_grid_allocate(g))
		return BTVIZ_ERR_NOMEM;
	reach(g, x, y, y + count - 1);

	const uint32_t column = btvi_ruler_cell(&g->x, x);

	while (count > 0) {
		const uint64_t edge = ((y >> g->y.shift) + 1) << g->y.shift;
		const uint64_t n = edge - y < count ? edge - y : count;

		add_cell(g, column, btvi_ruler_cell(&g->y, y), n, owner);
		y += n;
		count -= n;
	}
	return BTVIZ_OK;
}

enum btviz_status btvi_grid_merge(struct btvi_grid *g, const struct btvi_grid *part)
{
	if (!part->cells)
		return BTVIZ_OK;
	if (!btvi_grid_allocate(g))
		return BTVIZ_ERR_NOMEM;
	reach(g, part->x.low, part->y.low, part->y.high);
	reach(g, part->x.high, part->y.low, part->y.high);

	const unsigned fold_x = g->x.shift - part->x.shift, fold_y = g->y.shift - part->y.shift;
	const uint32_t columns = btvi_ruler_used(&part->x);

	for (uint32_t c = 0; c < columns; c++) {
		const struct btvi_extent e = part->extents[c];
		const uint32_t to = (uint32_t)(((part->x.first + c) >> fold_x) - g->x.first);

		for (uint32_t r = e.low; r <= e.high && e.low <= e.high; r++) {
			const size_t at = (size_t)c * part->y.cells + r;

			if (part->cells[at] > 0)
				add_cell(g, to,
					(uint32_t)(((part->y.first + r) >> fold_y) - g->y.first),
					part->cells[at], part->owners ? part->owners[at] : 0);
		}
	}
	return BTVIZ_OK;
}

enum btviz_status btvi_grid_coarsen(struct btvi_grid *g, uint32_t columns, uint32_t rows)
{
	struct btvi_grid coarse;

	if (g->x.cells <= columns && g->y.cells <= rows)
		return BTVIZ_OK;
	btvi_grid_init(&coarse, columns < g->x.cells ? columns : g->x.cells,
		rows < g->y.cells ? rows : g->y.cells, g->keep_owners);
	if (btvi_grid_merge(&coarse, g) != BTVIZ_OK)
		return BTVIZ_ERR_NOMEM;
	btvi_grid_done(g);
	*g = coarse;
	return BTVIZ_OK;
}
