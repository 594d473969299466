/* save.c - a summary to a file: see saved.h for its form. What was made of it (figures) is not
 * saved, only what figures are made of. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/output.h"
#include "base/status.h"
#include "measure/saved.h"
#include "measure/summary.h"

/* Maps with more cells in use than this, all devices together, are saved coarser: a seek map of a
 * random load would be megabytes. No figure and no series depends on them. */
enum { MAP_CELLS_KEPT = 65536, MAP_SIDE_MIN = 64 };

/* ---- JSON --------------------------------------------------------------------------------------
 */

static json_t *integer(uint64_t value)
{
	return json_integer((json_int_t)value);
}

/* Takes the writer's text. NULL when out of memory, which json_object_set_new() passes on. */
static json_t *row(struct btvi_row_writer *w)
{
	json_t *const text = btvi_row_end(w) ? json_stringn_nocheck(w->text, w->size) : NULL;

	free(w->text);
	return text;
}

static json_t *fields_json(const struct btvi_field *table, const void *object)
{
	json_t *const out = json_object();
	int failed = 0;

	for (const struct btvi_field *f = table; f->name; f++) {
		struct btvi_row_writer w = { NULL, 0, 0, 0, 0, false };

		for (unsigned i = 0; i < f->count && f->count > 1; i++)
			btvi_row_put(&w, btvi_field_get(f, object, i));
		failed |= json_object_set_new(out, f->name,
			f->kind == BTVI_FIELD_BOOL ? json_boolean(btvi_field_get(f, object, 0))
				: f->count > 1     ? row(&w)
						   : integer(btvi_field_get(f, object, 0)));
	}
	if (!failed)
		return out;
	json_decref(out);
	return NULL;
}

static json_t *text_json(const char *text)
{
	return text ? json_string(text) : json_null();
}

/* sum, min, max, then bin and count of each bin in use. */
static json_t *histogram_json(const struct btvi_histogram *h)
{
	struct btvi_row_writer w = { NULL, 0, 0, 0, 0, false };

	if (!h || h->count == 0)
		return json_null();
	btvi_row_put(&w, h->sum);
	btvi_row_put(&w, h->min);
	btvi_row_put(&w, h->max);
	for (unsigned i = 0; i < BTVI_HISTOGRAM_BINS; i += 1U << h->coarse)
		if (btvi_histogram_in(h, i) > 0) {
			btvi_row_put(&w, i);
			btvi_row_put(&w, btvi_histogram_in(h, i));
		}
	return row(&w);
}

static json_t *histograms_json(struct btvi_histogram *const *list, size_t count)
{
	json_t *const out = json_array();
	int failed = 0;

	for (size_t i = 0; i < count; i++)
		failed |= json_array_append_new(out, histogram_json(list[i]));
	if (!failed)
		return out;
	json_decref(out);
	return NULL;
}

/* Its first cell and width follow from these and the number of cells. */
static json_t *ruler_json(const struct btvi_ruler *r)
{
	struct btvi_row_writer w = { NULL, 0, 0, 0, 0, false };

	if (!r->any)
		return json_null();
	btvi_row_put(&w, r->low);
	btvi_row_put(&w, r->high);
	return row(&w);
}

static json_t *series_json(const struct btvi_series *s)
{
	const uint32_t used = btvi_ruler_used(&s->time);
	json_t *const columns = json_array(), *const out = json_object();
	int failed = 0;

	for (unsigned c = 0; c < BTVI_COLUMN_COUNT; c++) {
		struct btvi_row_writer w = { NULL, 0, 0, 0, 0, false };

		for (uint32_t i = 0; i < used && s->columns[c]; i++)
			btvi_row_put(&w, s->columns[c][i]);
		failed |= json_array_append_new(columns, s->columns[c] ? row(&w) : json_null());
	}
	failed |= json_object_set_new(out, "time", ruler_json(&s->time));
	failed |= json_object_set_new(out, "columns", columns);
	if (!failed)
		return out;
	json_decref(out);
	return NULL;
}

static json_t *cells_json(const struct btvi_grid *g, const uint32_t *cells)
{
	const uint32_t columns = btvi_ruler_used(&g->x), rows = btvi_ruler_used(&g->y);
	struct btvi_row_writer w = { NULL, 0, 0, 0, 0, false };

	for (uint32_t x = 0; x < columns; x++)
		for (uint32_t y = 0; y < rows; y++)
			btvi_row_put(&w, cells[(size_t)x * g->y.cells + y]);
	return row(&w);
}

static json_t *grid_json(const struct btvi_grid *g, uint32_t columns, uint32_t rows)
{
	struct btvi_grid coarse;
	json_t *const out = json_object();
	int failed = 0;

	if (!g->cells) {
		json_decref(out);
		return json_null();
	}
	btvi_grid_init(&coarse, columns, rows, g->keep_owners);
	if (columns == g->x.cells && rows == g->y.cells)
		coarse = *g; /* borrowed */
	else if (btvi_grid_merge(&coarse, g) != BTVIZ_OK)
		failed = 1;
	if (!failed) {
		failed |= json_object_set_new(out, "x", ruler_json(&coarse.x));
		failed |= json_object_set_new(out, "y", ruler_json(&coarse.y));
		failed |= json_object_set_new(out, "cells", cells_json(&coarse, coarse.cells));
		if (coarse.owners)
			failed |= json_object_set_new(
				out, "owners", cells_json(&coarse, coarse.owners));
	}
	if (coarse.cells != g->cells)
		btvi_grid_done(&coarse);
	if (!failed)
		return out;
	json_decref(out);
	return NULL;
}

static json_t *actors_json(const struct btvi_actors *a)
{
	json_t *const out = json_array();
	int failed = 0;

	for (uint32_t i = 0; i < a->count; i++) {
		struct btvi_row_writer w = { NULL, 0, 0, 0, 0, false };
		json_t *const actor = json_array();

		btvi_row_put_fields(&w, btvi_fields_actor, &a->items[i]);
		failed |= json_array_append_new(actor, row(&w));
		failed |= json_array_append_new(actor, histogram_json(a->items[i].latency));
		failed |= json_array_append_new(out, actor);
	}
	if (!failed)
		return out;
	json_decref(out);
	return NULL;
}

static json_t *gaps_json(const struct btvi_gaps *g)
{
	json_t *const out = fields_json(btvi_fields_gaps, g), *const lists = json_array();
	int failed = 0;

	for (unsigned k = 0; k < BTVI_PAUSE_KINDS; k++) {
		const struct btvi_pause_list *const l = &g->lists[k];
		struct btvi_row_writer w = { NULL, 0, 0, 0, 0, false };
		json_t *const list = json_object();

		for (uint32_t i = 0; i < l->count; i++)
			btvi_row_put_fields(&w, btvi_fields_pause, &l->items[i]);
		failed |= json_object_set_new(list, "pauses", row(&w));
		failed |= json_object_set_new(list, "left_out", integer(l->left_out));
		failed |= json_object_set_new(list, "lengths", histogram_json(l->lengths));
		failed |= json_array_append_new(lists, list);
	}
	failed |= json_object_set_new(out, "lists", lists);
	if (!failed)
		return out;
	json_decref(out);
	return NULL;
}

static json_t *sources_json(const struct btvi_remap *r)
{
	json_t *const out = json_array();
	int failed = 0;

	for (unsigned i = 0; i < r->source_count; i++) {
		struct btvi_row_writer w = { NULL, 0, 0, 0, 0, false };

		btvi_row_put_fields(&w, btvi_fields_source, &r->sources[i]);
		failed |= json_array_append_new(out, row(&w));
	}
	if (!failed)
		return out;
	json_decref(out);
	return NULL;
}

/* The device as it would be, were another part of the run merged in: nothing open any more. */
static json_t *device_json(const struct btvi_device *d, const struct btvi_device_options *o)
{
	const struct btvi_device_size size = btvi_device_size(o, d->level);
	struct btvi_device closed = *d; /* borrows all pointers */
	json_t *out, *const errors = json_array(), *const maps = json_array();
	int failed = 0;

	btvi_device_count_open(d, closed.open_by_age);
	btvi_device_open_time(d, closed.open_outstanding_ns, closed.open_in_flight_ns);
	closed.given_up += d->pair.given_up;
	out = fields_json(btvi_fields_device, &closed);
	for (unsigned i = 0; i < d->error_count; i++)
		failed |= json_array_append_new(errors,
			json_pack("[i, I]", d->errors[i].error, (json_int_t)d->errors[i].count));
	for (unsigned m = 0; m < BTVI_MAPS; m++)
		failed |= json_array_append_new(
			maps, grid_json(&d->maps[m], size.map_columns, size.map_rows));
	failed |= json_object_set_new(out, "level", integer(d->level));
	failed |= json_object_set_new(out, "name", text_json(d->name));
	failed |= json_object_set_new(out, "errors", errors);
	failed |= json_object_set_new(out, "seek_sectors", histogram_json(d->seek_sectors));
	failed |= json_object_set_new(out, "maps", maps);
	failed |= json_object_set_new(
		out, "heat", grid_json(&d->heat, size.heat_columns, BTVI_HEAT_ROWS));
	failed |= json_object_set_new(out, "series", series_json(&d->series));
	failed |= json_object_set_new(out, "latency",
		histograms_json(&d->latency[0][0], BTVIZ_INTERVAL_COUNT * BTVI_DIRECTIONS));
	failed |= json_object_set_new(
		out, "queued_bytes", histograms_json(d->queued_bytes, BTVI_DIRECTIONS));
	failed |= json_object_set_new(
		out, "issued_bytes", histograms_json(d->issued_bytes, BTVI_DIRECTIONS));
	failed |= json_object_set_new(out, "processes", actors_json(&d->processes));
	failed |= json_object_set_new(out, "cgroups", actors_json(&d->cgroups));
	failed |= json_object_set_new(out, "gaps", gaps_json(&d->gaps));
	failed |= json_object_set_new(out, "sources", sources_json(&d->remap));
	if (!failed)
		return out;
	json_decref(out);
	return NULL;
}

/* Cells of maps, halved until so many in use are left of all. */
static void map_size(const struct btviz_summary *s, uint32_t *ret_columns, uint32_t *ret_rows)
{
	uint32_t columns = s->device_options.map_columns, rows = s->device_options.map_rows;
	uint64_t used = 0;

	for (size_t i = 0; i < s->device_count; i++)
		for (unsigned m = 0; m < BTVI_MAPS + 1; m++) {
			const struct btvi_grid *const g =
				m < BTVI_MAPS ? &s->devices[i]->maps[m] : &s->devices[i]->heat;
			const size_t count = (size_t)btvi_ruler_used(&g->x) * g->y.cells;

			for (size_t k = 0; k < count && g->cells; k++)
				used += g->cells[k] > 0;
		}
	for (; used > MAP_CELLS_KEPT && columns > MAP_SIDE_MIN && rows > MAP_SIDE_MIN; used /= 4) {
		columns /= 2;
		rows /= 2;
	}
	*ret_columns = columns;
	*ret_rows = rows;
}

static json_t *options_json(const struct btviz_summary *s, uint32_t columns, uint32_t rows)
{
	const struct btviz_summary_options *const o = &s->options;
	json_t *const out = json_object(), *const devices = json_array();
	int failed = 0;

	for (size_t i = 0; i < o->device_count; i++)
		failed |= json_array_append_new(devices, json_string(s->filter[i]));
	failed |= json_object_set_new(out, "gap_threshold_ns", integer(o->gap_threshold_ns));
	failed |= json_object_set_new(out, "seek_sectors", integer(o->seek_sectors));
	failed |= json_object_set_new(out, "start_ns", integer(o->start_ns));
	failed |= json_object_set_new(out, "end_ns", integer(o->end_ns));
	failed |= json_object_set_new(out, "first_sector", integer(o->first_sector));
	failed |= json_object_set_new(out, "last_sector", integer(o->last_sector));
	failed |= json_object_set_new(out, "devices", devices);
	failed |= json_object_set_new(out, "map_columns", integer(columns));
	failed |= json_object_set_new(out, "map_rows", integer(rows));
	failed |= json_object_set_new(out, "map_owners", json_boolean(o->map_owners));
	failed |= json_object_set_new(out, "map_seeks", json_boolean(o->map_seeks));
	if (!failed)
		return out;
	json_decref(out);
	return NULL;
}

static json_t *people_json(const struct btviz_summary *s)
{
	json_t *const names = json_array(), *const messages = json_array(),
		      *const facts = json_array();
	int failed = 0;

	for (size_t i = 0; i < s->names.count; i++)
		failed |= json_array_append_new(names,
			json_pack("[I, I, s]", (json_int_t)s->names.items[i].pid,
				(json_int_t)s->names.items[i].since_ns, s->names.items[i].comm));
	for (size_t i = 0; i < s->message_count; i++)
		failed |= json_array_append_new(messages,
			json_pack("[I, I, s]", (json_int_t)s->messages[i].device,
				(json_int_t)s->messages[i].time_ns, s->messages[i].text));
	for (size_t i = 0; i < s->fact_count; i++)
		failed |= json_array_append_new(facts,
			json_pack("[I, I, s]", (json_int_t)s->facts[i].device,
				(json_int_t)s->facts[i].chunk_bytes, s->facts[i].level));
	if (!failed)
		return json_pack("{s:o, s:o, s:o, s:o, s:o}", "names", names, "messages", messages,
			"arrays", facts, "command", text_json(s->command), "kernel",
			text_json(s->kernel));
	json_decref(names);
	json_decref(messages);
	json_decref(facts);
	return NULL;
}

static json_t *summary_json(const struct btviz_summary *s)
{
	json_t *const root = json_object(), *const devices = json_array();
	struct btvi_device_options o = s->device_options;
	int failed = 0;

	map_size(s, &o.map_columns, &o.map_rows);
	for (size_t i = 0; i < s->device_count; i++)
		failed |= json_array_append_new(devices, device_json(s->devices[i], &o));
	failed |= json_object_set_new(root, "schema", json_string(BTVI_SAVED_SCHEMA));
	failed |= json_object_set_new(root, "generator", json_sprintf("btviz %s", btviz_version()));
	failed |= json_object_set_new(root, "options", options_json(s, o.map_columns, o.map_rows));
	failed |= json_object_set_new(root, "run", fields_json(btvi_fields_summary, s));
	failed |= json_object_set_new(root, "health", fields_json(btvi_fields_health, &s->health));
	failed |= json_object_set_new(root, "told", people_json(s));
	failed |= json_object_set_new(root, "devices", devices);
	if (!failed)
		return root;
	json_decref(root);
	return NULL;
}

/* ---- file --------------------------------------------------------------------------------------
 */

struct sink {
	z_stream z;
	FILE *file;
	uint64_t bytes; /* before compression */
	int sys_errno;
};

static int deflate_some(struct sink *k, const char *bytes, size_t size, int flush)
{
	unsigned char out[16384];

	k->z.next_in = (z_const Bytef *)bytes;
	k->z.avail_in = (uInt)size;
	do {
		k->z.next_out = out;
		k->z.avail_out = sizeof out;
		deflate(&k->z, flush);
		const size_t n = sizeof out - k->z.avail_out;
		if (fwrite(out, 1, n, k->file) != n) {
			k->sys_errno = errno;
			return -1;
		}
	} while (k->z.avail_out == 0);
	return 0;
}

static int take(const char *bytes, size_t size, void *data)
{
	struct sink *const k = data;

	k->bytes += size;
	return k->bytes > BTVI_SAVED_BYTES ? -1 : deflate_some(k, bytes, size, Z_NO_FLUSH);
}

static enum btviz_status write_json(
	const json_t *root, FILE *file, const char *path, struct btviz_error *err)
{
	struct sink k = { .file = file };
	int failed;

	if (deflateInit2(&k.z, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) !=
		Z_OK)
		return btvi_fail_nomem(err);
	failed = json_dump_callback(root, take, &k, JSON_PRESERVE_ORDER | JSON_COMPACT);
	if (!failed)
		failed = deflate_some(&k, "\n", 1, Z_FINISH);
	deflateEnd(&k.z);
	if (!failed)
		return BTVIZ_OK;
	if (k.sys_errno != 0)
		return btvi_fail_errno(err, k.sys_errno, "cannot write %s", path);
	if (k.bytes > BTVI_SAVED_BYTES)
		return btvi_fail(err, BTVIZ_ERR_LIMIT,
			"cannot save to %s: more than %d MiB, too many devices", path,
			BTVI_SAVED_BYTES >> 20);
	return btvi_fail_nomem(err);
}

static enum btviz_status write_file(const json_t *root, const char *path, struct btviz_error *err)
{
	struct btvi_output o;
	enum btviz_status status = btvi_output_open(&o, path, err);
	FILE *file;

	if (status != BTVIZ_OK)
		return status;
	file = fdopen(dup(o.fd), "w");
	if (!file)
		status = btvi_fail_errno(err, errno, "cannot write %s", path);
	else
		status = write_json(root, file, path, err);
	if (file && fclose(file) != 0 && status == BTVIZ_OK)
		status = btvi_fail_errno(err, errno, "cannot write %s", path);
	if (status == BTVIZ_OK)
		return btvi_output_finish(&o, err);
	btvi_output_drop(&o);
	return status;
}

enum btviz_status btviz_summary_save(
	struct btviz_summary *s, const char *path, struct btviz_error *err)
{
	json_t *const root = summary_json(s);

	if (!root)
		return btvi_fail_nomem(err);
	const enum btviz_status status = write_file(root, path, err);
	json_decref(root);
	return status;
}
