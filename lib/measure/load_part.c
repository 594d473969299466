/* load_part.c - members, histograms, time buckets and maps of a saved summary. Nothing in the file
 * is believed: each number has its bounds, each row its length, each axis one width that fits. */
#include "measure/load_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool btvi_load_refuse(struct btvi_loader *l, const char *format, ...)
{
	char what[256];
	va_list ap;

	va_start(ap, format);
	vsnprintf(what, sizeof what, format, ap);
	va_end(ap);
	l->status = btvi_fail(l->err, BTVIZ_ERR_NOT_A_TRACE, "%s: damaged saved summary: %s%s%s",
		l->name, l->part, l->part[0] ? ": " : "", what);
	return false;
}

bool btvi_load_nomem(struct btvi_loader *l)
{
	l->status = btvi_fail_nomem(l->err);
	return false;
}

/* Takes count things of a size off the budget. */
static bool charge(struct btvi_loader *l, size_t count, size_t size)
{
	if (count > l->budget / size) {
		l->status = btvi_fail(l->err, BTVIZ_ERR_LIMIT,
			"%s: this saved summary would need too much memory", l->name);
		return false;
	}
	l->budget -= count * size;
	return true;
}

void *btvi_load_alloc(struct btvi_loader *l, size_t count, size_t size)
{
	void *memory = NULL;

	if (charge(l, count, size) && !(memory = calloc(count > 0 ? count : 1, size)))
		btvi_load_nomem(l);
	return memory;
}

const json_t *btvi_load_member(
	struct btvi_loader *l, const json_t *object, const char *name, json_type type)
{
	const json_t *const value = json_object_get(object, name);

	if (value && json_typeof(value) == type)
		return value;
	btvi_load_refuse(l, value ? "'%s' is of a wrong kind" : "'%s' is missing", name);
	return NULL;
}

struct btvi_row_reader btvi_load_row(const json_t *text)
{
	const char *const start = json_string_value(text);

	return (struct btvi_row_reader){ start, start + json_string_length(text), 0, 0 };
}

static bool load_field(
	struct btvi_loader *l, const json_t *value, const struct btvi_field *f, void *out)
{
	struct btvi_row_reader r;
	uint64_t number = 0;

	if (f->kind == BTVI_FIELD_BOOL && json_is_boolean(value)) {
		btvi_field_set(f, out, 0, json_is_true(value));
		return true;
	}
	if (f->count == 1 && json_is_integer(value)) {
		number = (uint64_t)json_integer_value(value);
		if (f->kind != BTVI_FIELD_BOOL && number <= f->max) {
			btvi_field_set(f, out, 0, number);
			return true;
		}
	} else if (f->count > 1 && json_is_string(value)) {
		unsigned i = 0;

		r = btvi_load_row(value);
		while (i < f->count && btvi_row_get(&r, &number) && number <= f->max)
			btvi_field_set(f, out, i++, number);
		if (i == f->count && btvi_row_is_over(&r))
			return true;
	}
	return btvi_load_refuse(l, value ? "'%s' makes no sense" : "'%s' is missing", f->name);
}

bool btvi_load_fields(
	struct btvi_loader *l, const json_t *object, const struct btvi_field *table, void *out)
{
	for (const struct btvi_field *f = table; f->name; f++)
		if (!load_field(l, json_object_get(object, f->name), f, out))
			return false;
	return true;
}

/* Bins and their counts; the smallest and largest value must be in the first and last of them. */
static bool load_bins(struct btvi_loader *l, struct btvi_row_reader *r, unsigned coarse,
	struct btvi_histogram **ret_h)
{
	static const char nonsense[] = "a histogram makes no sense";
	uint64_t sum, min, max, bin, count, total = 0, next = 0;

	if (!btvi_row_get(r, &sum) || !btvi_row_get(r, &min) || !btvi_row_get(r, &max) || min > max)
		return btvi_load_refuse(l, nonsense);
	while (btvi_row_get(r, &bin)) {
		if (!btvi_row_get(r, &count) || bin < next || bin >= BTVI_HISTOGRAM_BINS ||
			count == 0 || count > UINT64_MAX / 2 - total)
			return btvi_load_refuse(l, nonsense);
		if (total == 0 && bin >> coarse != btvi_histogram_bin(min) >> coarse)
			return btvi_load_refuse(l, nonsense);
		if ((next == 0 || bin / BTVI_HISTOGRAM_ROW != (next - 1) / BTVI_HISTOGRAM_ROW) &&
			!charge(l, BTVI_HISTOGRAM_ROW, sizeof(uint64_t)))
			return false;
		if (!btvi_histogram_put(ret_h, coarse, (unsigned)bin, count))
			return btvi_load_nomem(l);
		total += count;
		next = bin + 1;
	}
	if (!btvi_row_is_over(r) || total == 0 ||
		(next - 1) >> coarse != btvi_histogram_bin(max) >> coarse)
		return btvi_load_refuse(l, nonsense);
	(*ret_h)->count = total;
	(*ret_h)->sum = sum;
	(*ret_h)->min = min;
	(*ret_h)->max = max;
	return true;
}

bool btvi_load_histogram(
	struct btvi_loader *l, const json_t *text, unsigned coarse, struct btvi_histogram **ret_h)
{
	struct btvi_row_reader r;

	if (json_is_null(text))
		return true;
	if (!json_is_string(text))
		return btvi_load_refuse(l, "a histogram is missing");
	r = btvi_load_row(text);
	return charge(l, 1, sizeof **ret_h) && load_bins(l, &r, coarse, ret_h);
}

/* Sets the range of a new ruler; its width follows. */
static bool load_ruler(struct btvi_loader *l, const json_t *text, struct btvi_ruler *ruler)
{
	struct btvi_row_reader r;
	uint64_t low, high;
	unsigned fold;

	if (json_is_null(text))
		return true;
	if (json_is_string(text)) {
		r = btvi_load_row(text);
		if (btvi_row_get(&r, &low) && btvi_row_get(&r, &high) && btvi_row_is_over(&r) &&
			low <= high) {
			btvi_ruler_extend(ruler, low, &fold);
			btvi_ruler_extend(ruler, high, &fold);
			return true;
		}
	}
	return btvi_load_refuse(l, "an axis makes no sense");
}

bool btvi_load_series(struct btvi_loader *l, const json_t *object, struct btvi_series *s)
{
	const json_t *const columns = btvi_load_member(l, object, "columns", JSON_ARRAY);

	if (!columns || !load_ruler(l, json_object_get(object, "time"), &s->time))
		return false;
	if (json_array_size(columns) != BTVI_COLUMN_COUNT)
		return btvi_load_refuse(l, "%zu columns instead of %d", json_array_size(columns),
			BTVI_COLUMN_COUNT);
	for (unsigned c = 0; c < BTVI_COLUMN_COUNT; c++) {
		const json_t *const text = json_array_get(columns, c);
		const uint32_t used = btvi_ruler_used(&s->time);
		struct btvi_row_reader r;
		uint32_t i = 0;

		if (json_is_null(text))
			continue;
		if (!json_is_string(text))
			return btvi_load_refuse(l, "column %u is missing", c);
		s->columns[c] = btvi_load_alloc(l, s->time.cells, sizeof *s->columns[c]);
		if (!s->columns[c])
			return false;
		r = btvi_load_row(text);
		while (i < used && btvi_row_get(&r, &s->columns[c][i]))
			i++;
		if (i < used || !btvi_row_is_over(&r))
			return btvi_load_refuse(l, "column %u is not a row of %u numbers", c, used);
	}
	return true;
}

/* Fills a grid's cells, or their owners. */
static bool load_cells(
	struct btvi_loader *l, const json_t *text, const struct btvi_grid *g, uint32_t *cells)
{
	const uint32_t columns = btvi_ruler_used(&g->x), rows = btvi_ruler_used(&g->y);
	struct btvi_row_reader r;

	if (!json_is_string(text))
		return btvi_load_refuse(l, "a map is missing");
	r = btvi_load_row(text);
	for (uint32_t x = 0; x < columns; x++)
		for (uint32_t y = 0; y < rows; y++) {
			uint64_t value;

			if (!btvi_row_get(&r, &value) || value > UINT32_MAX)
				return btvi_load_refuse(
					l, "a map is not %u x %u cells", columns, rows);
			cells[(size_t)x * g->y.cells + y] = (uint32_t)value;
		}
	return btvi_row_is_over(&r) || btvi_load_refuse(l, "a map is too long");
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

bool btvi_load_grid(struct btvi_loader *l, const json_t *value, struct btvi_grid *g)
{
	if (json_is_null(value))
		return true;
	if (!load_ruler(l, json_object_get(value, "x"), &g->x) ||
		!load_ruler(l, json_object_get(value, "y"), &g->y))
		return false;
	if (!g->x.any || !g->y.any)
		return btvi_load_refuse(l, "a map without an axis");
	if (!charge(l, (size_t)g->x.cells * g->y.cells,
		    sizeof *g->cells * (g->keep_owners ? 2 : 1)))
		return false;
	if (!btvi_grid_allocate(g))
		return btvi_load_nomem(l);
	if (!load_cells(l, json_object_get(value, "cells"), g, g->cells) ||
		(g->owners && !load_cells(l, json_object_get(value, "owners"), g, g->owners)))
		return false;
	find_extents(g);
	return true;
}
