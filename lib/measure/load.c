/* load.c - a saved summary from its file. The file may be anybody's; load_part.c and load_device.c
 * check what is in it, here are the bounds of the whole. */
#include "measure/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/text.h"
#include "measure/load_part.h"

enum { TEXT_BYTES_MAX = 65536, NAMES_MAX = 65536 };

#define MEMORY_MAX       (UINT64_C(1) << 30)
#define WALL_DISTANCE_NS (UINT64_C(1) << 61)

/* ---- file --------------------------------------------------------------------------------------
 */

/* "NAME" or "DIR/NAME"; the caller frees it. */
static char *path_of(const char *name, const char *dir)
{
	char *path;

	return asprintf(&path, "%s%s%s", dir && name[0] != '/' ? dir : "",
		       dir && name[0] != '/' ? "/" : "", name) < 0
		? NULL
		: path;
}

bool btvi_load_recognises(const char *name, const char *dir)
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

/* The whole text, at most BTVI_SAVED_BYTES of it. */
static char *read_text(struct btvi_loader *l, const char *path, size_t *ret_size)
{
	const gzFile file = gzopen(path, "rbe");
	size_t size = 0, room = 0;
	char *text = NULL;
	int n = 1, closed;

	if (!file) {
		l->status = errno == 0 ? btvi_fail_nomem(l->err)
				       : btvi_fail_errno(l->err, errno, "cannot read %s", path);
		return NULL;
	}
	while (n > 0 && size <= BTVI_SAVED_BYTES) {
		if (size == room) {
			char *const grown = realloc(text, 2 * room + 65536);

			if (!grown) {
				free(text);
				gzclose_r(file);
				btvi_load_nomem(l);
				return NULL;
			}
			text = grown;
			room = 2 * room + 65536;
		}
		n = gzread(file, text + size, (unsigned)(room - size));
		size += n > 0 ? (size_t)n : 0;
	}
	closed = gzclose_r(file);
	*ret_size = size;
	if (n == 0 && closed == Z_OK)
		return text;
	free(text);
	if (n > 0)
		l->status = btvi_fail(l->err, BTVIZ_ERR_LIMIT,
			"%s: larger than any saved summary (%d MiB)", l->name,
			BTVI_SAVED_BYTES >> 20);
	else
		btvi_load_refuse(l, "its compressed data end early or are broken");
	return NULL;
}

/* A parser needs far more memory for small values than their text is long: count them first. */
static bool few_values(const char *text, size_t size)
{
	size_t values = 0;
	bool in_string = false;

	for (size_t i = 0; i < size; i++) {
		if (in_string && text[i] == '\\')
			i++;
		else if (text[i] == '"')
			in_string = !in_string;
		else if (!in_string && (text[i] == ',' || text[i] == '[' || text[i] == '{'))
			values++;
	}
	return values <= BTVI_SAVED_VALUES;
}

static json_t *parse(struct btvi_loader *l, const char *path)
{
	char shown[JSON_ERROR_TEXT_LENGTH];
	json_error_t e;
	size_t size;
	char *const text = read_text(l, path, &size);
	json_t *root = NULL;

	if (!text)
		return NULL;
	if (!few_values(text, size)) {
		l->status = btvi_fail(l->err, BTVIZ_ERR_LIMIT,
			"%s: more values than any saved summary has", l->name);
	} else {
		root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &e);
		if (!root) {
			btvi_text_printable(e.text, strlen(e.text), shown, sizeof shown);
			btvi_load_refuse(l, "no JSON at byte %d: %s", e.position, shown);
		}
	}
	free(text);
	return root;
}

/* ---- content -----------------------------------------------------------------------------------
 */

static bool check_schema(struct btvi_loader *l, const json_t *root)
{
	static const char any[] = "btviz.summary/";
	const char *const schema = json_string_value(json_object_get(root, "schema"));

	if (schema && strcmp(schema, BTVI_SAVED_SCHEMA) == 0)
		return true;
	if (schema && strncmp(schema, any, sizeof any - 1) == 0)
		l->status = btvi_fail(l->err, BTVIZ_ERR_VERSION,
			"%s: a saved summary of another version (%s; this btviz reads %s)", l->name,
			schema, BTVI_SAVED_SCHEMA);
	else
		l->status = btvi_fail(l->err, BTVIZ_ERR_NOT_A_TRACE,
			"%s: JSON, but no saved summary (its schema is %s)", l->name,
			schema ? schema : "not given");
	return false;
}

static bool load_u64(struct btvi_loader *l, const json_t *object, const char *name, uint64_t *ret)
{
	const json_t *const value = btvi_load_member(l, object, name, JSON_INTEGER);

	if (!value)
		return false;
	*ret = (uint64_t)json_integer_value(value);
	return true;
}

/* The options that the summary was made with. */
static bool load_options(struct btvi_loader *l, const json_t *root, struct btviz_summary_options *o,
	const char ***ret_devices)
{
	const json_t *const object = btvi_load_member(l, root, "options", JSON_OBJECT);
	const json_t *const devices =
		object ? btvi_load_member(l, object, "devices", JSON_ARRAY) : NULL;
	uint64_t columns, rows;

	if (!devices || !load_u64(l, object, "gap_threshold_ns", &o->gap_threshold_ns) ||
		!load_u64(l, object, "seek_sectors", &o->seek_sectors) ||
		!load_u64(l, object, "start_ns", &o->start_ns) ||
		!load_u64(l, object, "end_ns", &o->end_ns) ||
		!load_u64(l, object, "first_sector", &o->first_sector) ||
		!load_u64(l, object, "last_sector", &o->last_sector) ||
		!load_u64(l, object, "map_columns", &columns) ||
		!load_u64(l, object, "map_rows", &rows))
		return false;
	if (columns == 0 || rows == 0 || columns > 4096 || rows > 4096)
		return btvi_load_refuse(l, "maps of a wrong size");
	o->map_columns = (unsigned)columns;
	o->map_rows = (unsigned)rows;
	o->map_owners = json_is_true(json_object_get(object, "map_owners"));
	o->map_seeks = json_is_true(json_object_get(object, "map_seeks"));
	*ret_devices = btvi_load_alloc(l, json_array_size(devices), sizeof **ret_devices);
	if (!*ret_devices)
		return false;
	for (size_t i = 0; i < json_array_size(devices); i++) {
		(*ret_devices)[i] = json_string_value(json_array_get(devices, i));
		if (!(*ret_devices)[i])
			return btvi_load_refuse(l, "a device asked for has no name");
	}
	o->devices = *ret_devices;
	o->device_count = json_array_size(devices);
	return true;
}

static uint64_t or_default(uint64_t value, uint64_t usual)
{
	return value != 0 ? value : usual;
}

/* What the caller asks for that the saved summary was not made with: possible or not. */
static bool apply(struct btvi_loader *l, const struct btviz_summary_options *asked,
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
		l->status = btvi_fail(l->err, BTVIZ_ERR_USAGE,
			"%s is a saved summary: %s; use the trace", l->name, what);
	return !what;
}

static bool load_text(struct btvi_loader *l, const json_t *value, char **ret_text)
{
	const size_t size = json_string_length(value);

	if (json_is_null(value))
		return true;
	if (!json_is_string(value) || size > TEXT_BYTES_MAX)
		return btvi_load_refuse(l, "a text is missing or too long");
	*ret_text = btvi_load_alloc(l, size + 1, 3);
	if (!*ret_text)
		return false;
	btvi_text_printable(json_string_value(value), size, *ret_text, 3 * (size + 1));
	return true;
}

/* [number, number, text], as names, messages and arrays are kept. */
static bool load_triple(struct btvi_loader *l, const json_t *item, uint64_t max, uint64_t *ret_a,
	uint64_t *ret_b, char *out, size_t out_size)
{
	const json_t *const a = json_array_get(item, 0), *const b = json_array_get(item, 1),
			    *const text = json_array_get(item, 2);

	if (!json_is_integer(a) || !json_is_integer(b) || !json_is_string(text) ||
		(uint64_t)json_integer_value(a) > max)
		return btvi_load_refuse(l, "a name or a message makes no sense");
	*ret_a = (uint64_t)json_integer_value(a);
	*ret_b = (uint64_t)json_integer_value(b);
	btvi_text_printable(json_string_value(text), json_string_length(text), out, out_size);
	return true;
}

static bool load_names(struct btvi_loader *l, const json_t *list, struct btvi_names *names)
{
	const size_t count = json_array_size(list);
	uint64_t pid;

	if (count > NAMES_MAX)
		return btvi_load_refuse(l, "too many names");
	names->items = btvi_load_alloc(l, count, sizeof *names->items);
	if (!names->items)
		return false;
	names->capacity = count;
	for (size_t i = 0; i < count; i++) {
		struct btvi_name *const n = &names->items[i];

		if (!load_triple(l, json_array_get(list, i), UINT32_MAX, &pid, &n->since_ns,
			    n->comm, sizeof n->comm))
			return false;
		n->pid = (uint32_t)pid;
		if (i > 0 &&
			(n->pid < n[-1].pid ||
				(n->pid == n[-1].pid && n->since_ns < n[-1].since_ns)))
			return btvi_load_refuse(l, "names are not in order");
		names->count++;
	}
	return true;
}

static bool load_messages(struct btvi_loader *l, const json_t *list, struct btviz_summary *s)
{
	const size_t count = json_array_size(list);
	uint64_t device;

	if (count > BTVI_MESSAGE_KEPT)
		return btvi_load_refuse(l, "too many messages");
	s->messages = count > 0 ? btvi_load_alloc(l, BTVI_MESSAGE_KEPT, sizeof *s->messages) : NULL;
	if (count > 0 && !s->messages)
		return false;
	for (size_t i = 0; i < count; i++) {
		struct btvi_message *const m = &s->messages[i];

		if (!load_triple(l, json_array_get(list, i), UINT32_MAX, &device, &m->time_ns,
			    m->text, sizeof m->text))
			return false;
		m->device = (uint32_t)device;
		if (i > 0 && m->time_ns < m[-1].time_ns)
			return btvi_load_refuse(l, "messages are not in order");
		s->message_count++;
	}
	return true;
}

static bool load_facts(struct btvi_loader *l, const json_t *list, struct btviz_summary *s)
{
	const size_t count = json_array_size(list);
	uint64_t device;

	if (count > BTVI_DEVICE_MAX)
		return btvi_load_refuse(l, "too many arrays");
	s->facts = btvi_load_alloc(l, count, sizeof *s->facts);
	if (!s->facts)
		return false;
	for (size_t i = 0; i < count; i++) {
		struct btvi_array_facts *const f = &s->facts[i];

		if (!load_triple(l, json_array_get(list, i), UINT32_MAX, &device, &f->chunk_bytes,
			    f->level, sizeof f->level))
			return false;
		f->device = (uint32_t)device;
		s->fact_count++;
	}
	return true;
}

static bool load_told(struct btvi_loader *l, const json_t *root, struct btviz_summary *s)
{
	const json_t *const told = btvi_load_member(l, root, "told", JSON_OBJECT);
	const json_t *names, *messages, *arrays;

	if (!told)
		return false;
	names = btvi_load_member(l, told, "names", JSON_ARRAY);
	messages = names ? btvi_load_member(l, told, "messages", JSON_ARRAY) : NULL;
	arrays = messages ? btvi_load_member(l, told, "arrays", JSON_ARRAY) : NULL;
	return arrays && load_names(l, names, &s->names) && load_messages(l, messages, s) &&
		load_facts(l, arrays, s) &&
		load_text(l, json_object_get(told, "command"), &s->command) &&
		load_text(l, json_object_get(told, "kernel"), &s->kernel);
}

static bool load_content(struct btvi_loader *l, const json_t *root, struct btviz_summary *s)
{
	const json_t *const run = btvi_load_member(l, root, "run", JSON_OBJECT);
	const json_t *const health = run ? btvi_load_member(l, root, "health", JSON_OBJECT) : NULL;
	const json_t *const devices =
		health ? btvi_load_member(l, root, "devices", JSON_ARRAY) : NULL;

	if (!devices || !btvi_load_fields(l, run, btvi_fields_summary, s) ||
		!btvi_load_fields(l, health, btvi_fields_health, &s->health) ||
		!load_told(l, root, s))
		return false;
	/* A day more or less is a clock; a century is not, and would overflow. */
	if (s->wall.known && s->origin_ns - s->wall.time_ns > WALL_DISTANCE_NS &&
		s->wall.time_ns - s->origin_ns > WALL_DISTANCE_NS)
		return btvi_load_refuse(l, "its wall clock makes no sense");
	if (json_array_size(devices) > BTVI_DEVICE_MAX)
		return btvi_load_refuse(l, "too many devices");
	for (size_t i = 0; i < json_array_size(devices); i++)
		if (!btvi_load_device(l, json_array_get(devices, i), s))
			return false;
	return true;
}

enum btviz_status btvi_load(const char *name, const char *dir,
	const struct btviz_summary_options *options, struct btviz_summary **ret_s,
	struct btviz_error *err)
{
	struct btvi_loader l = {
		.name = name, .budget = MEMORY_MAX, .status = BTVIZ_ERR_NOMEM, .err = err
	};
	struct btviz_summary_options o = BTVIZ_SUMMARY_OPTIONS_INIT;
	struct btviz_summary *s = NULL;
	const char **devices = NULL;
	char *const path = path_of(name, dir);
	json_t *const root = path ? parse(&l, path) : NULL;

	if (!path)
		btvi_load_nomem(&l);
	if (root && check_schema(&l, root) && load_options(&l, root, &o, &devices) &&
		apply(&l, options, &o)) {
		l.status = btviz_summary_new(&o, &s, err);
		if (l.status == BTVIZ_OK && !load_content(&l, root, s)) {
			btviz_summary_free(s);
			s = NULL;
		}
	}
	json_decref(root);
	free(devices);
	free(path);
	if (l.status == BTVIZ_OK)
		*ret_s = s;
	return l.status;
}
