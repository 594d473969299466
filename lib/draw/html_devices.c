/* html_devices.c - the devices of a run for a page: courses, seek maps, latencies, cut along the
 * summary's own buckets, so that each number in the page is one of the summary's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/html_arrays.h"
#include "draw/html_data.h"
#include "draw/owners.h"
#include "draw/sampled.h"
#include "measure/device.h"

enum { COARSE = 4, MAP_ROWS = 512, MEMBER_MAP_ROWS = 256, HEAT_ROWS_MAX = 384 /* 13 days */ };

/* Cells of equal width whose edges are the buckets' (multiples of the width on the trace's clock).
 */
struct cut {
	uint64_t start_ns, width_ns;
	size_t count;
	size_t columns; /* = count, in cells COARSE times as wide: of maps, heat and percentiles */
	uint64_t coarse_start_ns;
};

/* What goes into the page of each device; the names are those that data.js asks for. */
static const struct {
	const char *name;
	enum btviz_course course;
	enum btviz_direction direction;
	bool coarse;
} courses[] = {
	{ "bytes_read", BTVIZ_COURSE_BYTES, BTVIZ_DIR_READ, false },
	{ "bytes_write", BTVIZ_COURSE_BYTES, BTVIZ_DIR_WRITE, false },
	{ "bytes_other", BTVIZ_COURSE_BYTES, BTVIZ_DIR_OTHER, false },
	{ "ios_read", BTVIZ_COURSE_IOS, BTVIZ_DIR_READ, false },
	{ "ios_write", BTVIZ_COURSE_IOS, BTVIZ_DIR_WRITE, false },
	{ "seeks_read", BTVIZ_COURSE_SEEKS, BTVIZ_DIR_READ, false },
	{ "seeks_write", BTVIZ_COURSE_SEEKS, BTVIZ_DIR_WRITE, false },
	{ "outstanding", BTVIZ_COURSE_OUTSTANDING, BTVIZ_DIR_ALL, false },
	{ "in_flight", BTVIZ_COURSE_IN_FLIGHT, BTVIZ_DIR_ALL, false },
	{ "size_read", BTVIZ_COURSE_SIZE, BTVIZ_DIR_READ, false },
	{ "size_write", BTVIZ_COURSE_SIZE, BTVIZ_DIR_WRITE, false },
	{ "merge_read", BTVIZ_COURSE_MERGE_RATIO, BTVIZ_DIR_READ, false },
	{ "merge_write", BTVIZ_COURSE_MERGE_RATIO, BTVIZ_DIR_WRITE, false },
	{ "p50", BTVIZ_COURSE_LATENCY_P50, BTVIZ_DIR_ALL, true },
	{ "p99", BTVIZ_COURSE_LATENCY_P99, BTVIZ_DIR_ALL, true },
};

static struct cut cut_time(const struct btvi_run *run, size_t cells)
{
	const struct btviz_figures *f = run->figures;
	struct cut c = { .width_ns = btviz_summary_resolution(run->summary) };

	for (;; c.width_ns *= 2) {
		const uint64_t coarse = c.width_ns * COARSE;

		c.start_ns = f->start_ns / c.width_ns * c.width_ns;
		c.count = (size_t)((f->end_ns - c.start_ns) / c.width_ns + 1);
		c.coarse_start_ns = f->start_ns / coarse * coarse;
		c.columns = (size_t)((f->end_ns - c.coarse_start_ns) / coarse + 1);
		if (c.count <= cells)
			return c;
	}
}

static void set(json_t *object, const char *name, json_t *value)
{
	if (value)
		json_object_set_new(object, name, value);
}

static bool add_courses(const struct btvi_run *run, size_t device, const struct cut *c,
	struct btvi_bytes *raw, json_t *tree)
{
	double *values = malloc(c->count * sizeof *values);
	json_t *refs = json_object();

	for (size_t i = 0; values && i < sizeof courses / sizeof courses[0]; i++) {
		const bool coarse = courses[i].coarse;
		const uint64_t start = coarse ? c->coarse_start_ns : c->start_ns;
		const size_t n = coarse ? c->columns : c->count;
		const uint64_t end = start + n * c->width_ns * (coarse ? COARSE : 1);

		if (btviz_summary_series(run->summary, device, courses[i].course,
			    courses[i].direction, start, end, n, values) == BTVIZ_OK)
			set(refs, courses[i].name, btvi_html_floats(raw, values, n));
	}
	set(tree, "courses", refs);
	free(values);
	return values && refs;
}

/* Which process a cell belongs to: 0 where it is nobody's, else its colour and 1. */
static json_t *owners_of(const struct btvi_page *p, const struct btvi_owners *o,
	const struct btvi_run *run, const float *cells, const uint32_t *pids, size_t count,
	struct btvi_bytes *raw)
{
	unsigned char *indices = malloc(count);
	uint32_t last = 0;
	size_t owner = BTVI_PROCESS_COLORS;
	json_t *ref;

	if (!indices) {
		raw->failed = true;
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		if (pids[i] != last) {
			last = pids[i];
			owner = btvi_owner_of(p, o, run, last);
		}
		indices[i] = cells[i] > 0 ? (unsigned char)(owner + 1) : 0;
	}
	ref = btvi_html_indices(raw, indices, count);
	free(indices);
	return ref;
}

/* The seek map in the summary's own rows: 2^shift sectors each, from a multiple of it. */
static bool add_map(const struct btvi_page *p, const struct btvi_owners *o,
	const struct btvi_run *run, size_t device, size_t most_rows, const struct cut *c,
	struct btvi_bytes *raw, json_t *tree)
{
	static const struct {
		const char *name, *owners;
		enum btviz_op op;
	} ops[] = { { "read", "read_owners", BTVIZ_OP_READ },
		{ "write", "write_owners", BTVIZ_OP_WRITE },
		{ "discard", "discard_owners", BTVIZ_OP_DISCARD } };
	const struct btviz_device *d = run->figures->devices[device];
	const uint64_t end = c->coarse_start_ns + c->columns * c->width_ns * COARSE;
	unsigned shift = 0;
	uint64_t first, last;
	size_t rows;
	float *cells;
	uint32_t *pids = NULL;
	json_t *map;

	if (d->map_first_sector > d->map_last_sector)
		return true;
	while ((d->map_last_sector >> shift) - (d->map_first_sector >> shift) >= most_rows)
		shift++;
	first = d->map_first_sector >> shift << shift;
	rows = (size_t)((d->map_last_sector >> shift) - (first >> shift) + 1);
	last = first + ((uint64_t)rows << shift) - 1;
	cells = malloc(c->columns * rows * sizeof *cells);
	if (p->options->by_process)
		pids = malloc(c->columns * rows * sizeof *pids);
	map = json_pack("{s:I, s:I, s:I}", "rows", (json_int_t)rows, "first", (json_int_t)first,
		"sectors", (json_int_t)1 << shift);
	for (size_t i = 0; cells && map && i < sizeof ops / sizeof ops[0]; i++) {
		json_t *shades;

		if (btviz_summary_map(run->summary, device, ops[i].op, c->coarse_start_ns, end,
			    c->columns, first, last, rows, cells, pids) != BTVIZ_OK)
			continue;
		shades = btvi_html_shades(raw, cells, c->columns * rows);
		if (shades && pids)
			set(map, ops[i].owners,
				owners_of(p, o, run, cells, pids, c->columns * rows, raw));
		set(map, ops[i].name, shades);
	}
	set(tree, "map", map);
	free(cells);
	free(pids);
	return cells && map && (pids || !p->options->by_process);
}

/* One row of the summary's own latency map: whole numbers, but for what rounding at its borders
 * lets in of its neighbours. */
static bool heat_row(
	const struct btvi_run *run, size_t device, const struct cut *c, size_t row, float *cells)
{
	const uint64_t end = c->coarse_start_ns + c->columns * c->width_ns * COARSE;
	const bool ok = btviz_summary_heat(run->summary, device, c->coarse_start_ns, end,
				c->columns, fmax(btvi_heat_floor((uint32_t)row), 1) * 1e-9,
				btvi_heat_floor((uint32_t)row + 1) * 1e-9, 1, cells) == BTVIZ_OK;

	for (size_t i = 0; ok && i < c->columns; i++)
		if (cells[i] < 1e-3F)
			cells[i] = 0;
	return ok;
}

/* The rows that have anything: [*first, *last]. */
static bool heat_range(
	const struct btvi_run *run, size_t device, const struct cut *c, size_t *first, size_t *last)
{
	const struct cut whole = { .columns = 1,
		.coarse_start_ns = c->coarse_start_ns,
		.width_ns = c->columns * c->width_ns };
	bool any = false;

	for (size_t row = 1; row + 1 < HEAT_ROWS_MAX; row++) {
		float count = 0;

		if (!heat_row(run, device, &whole, row, &count) || !(count > 0))
			continue;
		*first = any ? *first : row;
		*last = row;
		any = true;
	}
	return any;
}

/* The latency map in the summary's own rows, so that quantiles of any stretch can be had from it.
 */
static bool add_heat(const struct btvi_run *run, size_t device, const struct cut *c,
	struct btvi_bytes *raw, json_t *tree)
{
	size_t first = 0, last = 0, count;
	json_t *heat, *edges;
	double *counts;
	float *cells;

	if (!heat_range(run, device, c, &first, &last))
		return true;
	count = c->columns * (last - first + 1);
	counts = malloc(count * sizeof *counts);
	cells = malloc(c->columns * sizeof *cells);
	edges = json_array();
	heat = json_pack("{s:I, s:I}", "rows", (json_int_t)last - (json_int_t)first + 1, "first",
		(json_int_t)first);
	for (size_t row = first; counts && cells && row <= last; row++) {
		if (!heat_row(run, device, c, row, cells))
			memset(cells, 0, c->columns * sizeof *cells);
		for (size_t i = 0; i < c->columns; i++)
			counts[(row - first) * c->columns + i] = (double)cells[i];
		json_array_append_new(
			edges, json_real(fmax(btvi_heat_floor((uint32_t)row), 1) * 1e-9));
	}
	if (counts && cells && heat) {
		json_array_append_new(edges, json_real(btvi_heat_floor((uint32_t)last + 1) * 1e-9));
		json_object_set(heat, "edges", edges);
		set(heat, "ios", btvi_html_floats(raw, counts, count));
	}
	json_decref(edges);
	set(tree, "heat", heat);
	free(cells);
	free(counts);
	return cells && counts && heat;
}

static bool is_top(const struct btviz_figures *f, size_t device)
{
	for (size_t t = 0; t < f->top_count; t++)
		if (f->top[t] == device)
			return true;
	return false;
}

static json_t *indices_of(const struct btviz_figures *f, const struct btviz_device *d)
{
	json_t *list = json_array();

	for (size_t p = 0; p < d->parent_count; p++)
		for (size_t i = 0; i < f->device_count; i++)
			if (f->devices[i]->device == d->parents[p])
				json_array_append_new(list, json_integer((json_int_t)i));
	return list;
}

/* The courses of vm and cpu, where the recorder sampled them: in the cells of maps. */
static json_t *samples_of(const struct btvi_run *run, const struct cut *c, struct btvi_bytes *raw)
{
	static const enum btviz_panel panels[] = { BTVIZ_PANEL_VM, BTVIZ_PANEL_CPU };
	const uint64_t end = c->coarse_start_ns + c->columns * c->width_ns * COARSE;
	double *values = malloc(2 * c->columns * sizeof *values);
	json_t *tree = json_object();

	raw->failed = raw->failed || !values;
	for (size_t i = 0; values && run->samples && i < 2; i++) {
		const struct btvi_sampled *what = btvi_sampled(panels[i]);
		json_t *list = json_array();

		for (int k = 0; k < BTVI_SAMPLED_MAX && what[k].name; k++)
			if (btvi_sampled_course(run->samples, &what[k], c->coarse_start_ns, end,
				    c->columns, values, values + c->columns))
				json_array_append_new(list,
					json_pack("{s:s, s:I, s:o*}", "name", what[k].name, "color",
						(json_int_t)(what[k].color >> 8), "course",
						btvi_html_floats(raw, values, c->columns)));
		if (json_array_size(list) > 0)
			set(tree, btviz_panel_name(panels[i]), list);
		else
			json_decref(list);
	}
	free(values);
	return tree;
}

json_t *btvi_html_devices(const struct btvi_page *p, const struct btvi_owners *owners,
	const struct btvi_run *run, size_t cells, struct btvi_html_pieces *pieces, json_t *run_tree)
{
	const struct btviz_figures *f = run->figures;
	const struct cut c = cut_time(run, cells);
	const int64_t origin = (int64_t)f->origin_ns;
	json_t *list = json_array();
	bool ok = list != NULL;

	set(run_tree, "cells",
		json_pack("{s:I, s:f, s:f}", "count", (json_int_t)c.count, "start_s",
			(double)((int64_t)c.start_ns - origin) * 1e-9, "width_s",
			(double)c.width_ns * 1e-9));
	set(run_tree, "coarse",
		json_pack("{s:I, s:f, s:f}", "count", (json_int_t)c.columns, "start_s",
			(double)((int64_t)c.coarse_start_ns - origin) * 1e-9, "width_s",
			(double)(c.width_ns * COARSE) * 1e-9));
	set(run_tree, "samples", samples_of(run, &c, &pieces->first));
	for (size_t i = 0; ok && i < f->device_count; i++) {
		const struct btviz_device *d = f->devices[i];
		const bool top = is_top(f, i);
		struct btvi_bytes *maps = top ? &pieces->first : &pieces->later;
		char none[BTVI_GAPS_NONE_SIZE];
		json_t *tree;

		btvi_gaps_none(d, none, sizeof none);
		tree = json_pack("{s:o, s:s, s:s, s:b, s:b, s:o, s:s}", "name",
			btvi_html_string(d->name), "role", btviz_role_name(d->role), "basis",
			btviz_basis_name(d->basis), "top", top, "requests", d->request_based,
			"parents", indices_of(f, d), "no_gaps", none);

		ok = tree && add_courses(run, i, &c, &pieces->first, tree) &&
			add_map(p, owners, run, i,
				top && f->top_count <= 4 ? MAP_ROWS : MEMBER_MAP_ROWS, &c, maps,
				tree) &&
			add_heat(run, i, &c, maps, tree);
		if (tree)
			json_array_append_new(list, tree);
	}
	if (ok)
		return list;
	json_decref(list);
	return NULL;
}
