/* saved.c - saves summaries and loads them: what is kept is in the tables of fields.c, its form in
 * saved_walk.h. What was made of a summary (figures) is not kept, only what figures are made of. */
#include "measure/saved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "measure/saved_file.h"

/* Maps with more cells in use than this, all devices together, are saved coarser: a seek map of a
 * random load would be megabytes. No figure and no series depends on them. */
enum { MAP_CELLS_KEPT = 65536, MAP_SIDE_MIN = 64 };

#define MEMORY_MAX (UINT64_C(1) << 30)

/* ---- saving ---------------------------------------------------------------------------------- */

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

static bool write_summary(struct btvi_walk *w, json_t *root, struct btviz_summary *s)
{
	struct btvi_device_options o = s->device_options;
	struct btviz_summary_options options = s->options;
	size_t count = s->device_count;
	json_t *devices;

	map_size(s, &o.map_columns, &o.map_rows);
	options.map_columns = o.map_columns;
	options.map_rows = o.map_rows;
	if (!btvi_walk_put(w, btvi_at_key(root, "schema"), json_string(BTVI_SAVED_SCHEMA)) ||
		!btvi_walk_put(w, btvi_at_key(root, "generator"),
			json_sprintf("btviz %s", btviz_version())) ||
		!btvi_walk_options(w, root, &options, NULL) || !btvi_walk_run(w, root, s))
		return false;
	devices = btvi_walk_list(w, btvi_at_key(root, "devices"), &count, BTVI_DEVICE_MAX);
	for (size_t i = 0; i < count && devices; i++)
		if (!btvi_walk_write_device(w, btvi_at_index(devices, i), s->devices[i], &o))
			return false;
	return devices != NULL;
}

enum btviz_status btviz_summary_save(
	struct btviz_summary *s, const char *path, struct btviz_error *err)
{
	struct btvi_walk w = { .writing = true, .err = err };
	json_t *const root = json_object();
	enum btviz_status status = BTVIZ_ERR_NOMEM;

	if (!root)
		return btvi_fail_nomem(err);
	status = write_summary(&w, root, s) ? btvi_saved_write(root, path, err) : w.status;
	json_decref(root);
	return status;
}

/* ---- loading --------------------------------------------------------------------------------- */

/* "NAME" or "DIR/NAME"; the caller frees it. */
static char *path_of(const char *name, const char *dir)
{
	char *path;

	return asprintf(&path, "%s%s%s", dir && name[0] != '/' ? dir : "",
		       dir && name[0] != '/' ? "/" : "", name) < 0
		? NULL
		: path;
}

bool btvi_saved_recognises(const char *name, const char *dir)
{
	char *const path = path_of(name, dir);
	bool found = false;
	char head[64];
	struct stat st;

	/* Opening a pipe or a device only to have a look would do harm. */
	if (path && stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
		const gzFile file = gzopen(path, "rbe");
		const int n = file ? gzread(file, head, sizeof head - 1) : 0;

		head[n > 0 ? n : 0] = '\0';
		found = head[strspn(head, " \t\r\n")] == '{';
		if (file)
			gzclose_r(file);
	}
	free(path);
	return found;
}

static bool check_schema(struct btvi_walk *w, const json_t *root)
{
	static const char any[] = "btviz.summary/";
	const char *const schema = json_string_value(json_object_get(root, "schema"));

	if (schema && strcmp(schema, BTVI_SAVED_SCHEMA) == 0)
		return true;
	if (schema && strncmp(schema, any, sizeof any - 1) == 0)
		w->status = btvi_fail(w->err, BTVIZ_ERR_VERSION,
			"%s: a saved summary of another version (%s; this btviz reads %s)", w->name,
			schema, BTVI_SAVED_SCHEMA);
	else
		w->status = btvi_fail(w->err, BTVIZ_ERR_NOT_A_TRACE,
			"%s: JSON, but no saved summary (its schema is %s)", w->name,
			schema ? schema : "not given");
	return false;
}

static uint64_t or_default(uint64_t value, uint64_t usual)
{
	return value != 0 ? value : usual;
}

/* What the caller asks for that the saved summary was not made with: possible or not. */
static bool apply(struct btvi_walk *w, const struct btviz_summary_options *asked,
	struct btviz_summary_options *o)
{
	const uint64_t kept = o->gap_threshold_ns != 0 && o->gap_threshold_ns < BTVI_GAP_MIN_NS
		? o->gap_threshold_ns
		: BTVI_GAP_MIN_NS;
	const char *what = NULL;

	if (!asked)
		return true;
	if (asked->device_count > 0) {
		if (o->device_count > 0)
			what = "it is of some devices only, others cannot be picked from it";
		o->devices = asked->devices;
		o->device_count = asked->device_count;
	}
	if (asked->gap_threshold_ns != 0 && asked->gap_threshold_ns < kept)
		what = "it does not know of shorter gaps than those it was saved with";
	else if (asked->gap_threshold_ns != 0)
		o->gap_threshold_ns = asked->gap_threshold_ns;
	if (asked->seek_sectors != 0 && asked->seek_sectors != or_default(o->seek_sectors, 128))
		what = "its seeks were counted with another distance";
	if ((asked->start_ns != 0 || asked->end_ns != 0) &&
		(asked->start_ns != o->start_ns || asked->end_ns != o->end_ns))
		what = "it cannot be cut to another stretch of time";
	if ((asked->first_sector != 0 || asked->last_sector != 0) &&
		(asked->first_sector != o->first_sector || asked->last_sector != o->last_sector))
		what = "it cannot be cut to other sectors";
	if (what)
		w->status = btvi_fail(w->err, BTVIZ_ERR_USAGE,
			"%s is a saved summary: %s; use the trace", w->name, what);
	return !what;
}

static bool read_summary(struct btvi_walk *w, json_t *root, struct btviz_summary *s)
{
	size_t count;
	json_t *devices;

	if (!btvi_walk_run(w, root, s))
		return false;
	devices = btvi_walk_list(w, btvi_at_key(root, "devices"), &count, BTVI_DEVICE_MAX);
	for (size_t i = 0; devices && i < count; i++)
		if (!btvi_walk_read_device(w, btvi_at_index(devices, i), s))
			return false;
	return devices != NULL;
}

enum btviz_status btvi_saved_load(const char *name, const char *dir,
	const struct btviz_summary_options *options, struct btviz_summary **ret_s,
	struct btviz_error *err)
{
	struct btvi_walk w = { .name = name, .budget = MEMORY_MAX, .err = err };
	struct btviz_summary_options o = BTVIZ_SUMMARY_OPTIONS_INIT;
	struct btviz_summary *s = NULL;
	const char **devices = NULL;
	char *const path = path_of(name, dir);
	json_t *const root = path ? btvi_saved_parse(&w, path) : NULL;

	if (!path)
		btvi_walk_nomem(&w);
	if (root && check_schema(&w, root) && btvi_walk_options(&w, root, &o, &devices) &&
		apply(&w, options, &o)) {
		w.status = btviz_summary_new(&o, &s, err);
		if (w.status == BTVIZ_OK && !read_summary(&w, root, s)) {
			btviz_summary_free(s);
			s = NULL;
		}
	}
	json_decref(root);
	free(devices);
	free(path);
	if (w.status == BTVIZ_OK)
		*ret_s = s;
	return w.status;
}
