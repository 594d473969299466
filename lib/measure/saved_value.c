/* saved_value.c - single values of a saved summary, written and read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "measure/saved_walk.h"

bool btvi_walk_refuse(struct btvi_walk *w, const char *format, ...)
{
	char what[256];
	va_list ap;

	va_start(ap, format);
	vsnprintf(what, sizeof what, format, ap);
	va_end(ap);
	w->status = btvi_fail(w->err, BTVIZ_ERR_NOT_A_TRACE, "%s: damaged saved summary: %s%s%s",
		w->name, w->part, w->part[0] ? ": " : "", what);
	return false;
}

bool btvi_walk_nomem(struct btvi_walk *w)
{
	w->status = btvi_fail_nomem(w->err);
	return false;
}

bool btvi_walk_charge(struct btvi_walk *w, size_t count, size_t size)
{
	if (count > w->budget / size) {
		w->status = btvi_fail(w->err, BTVIZ_ERR_LIMIT,
			"%s: this saved summary would need too much memory", w->name);
		return false;
	}
	w->budget -= count * size;
	return true;
}

void *btvi_walk_alloc(struct btvi_walk *w, size_t count, size_t size)
{
	void *memory = NULL;

	if (btvi_walk_charge(w, count, size) && !(memory = calloc(count > 0 ? count : 1, size)))
		btvi_walk_nomem(w);
	return memory;
}

/* ---- values ---------------------------------------------------------------------------------- */

json_t *btvi_walk_get(struct btvi_at at)
{
	return at.key ? json_object_get(at.in, at.key) : json_array_get(at.in, at.index);
}

bool btvi_walk_put(struct btvi_walk *w, struct btvi_at at, json_t *value)
{
	const int failed = at.key ? json_object_set_new(at.in, at.key, value)
				  : json_array_append_new(at.in, value);

	return !failed || btvi_walk_nomem(w);
}

/* Says of a value read that it is not what it has to be. */
static bool refuse_value(struct btvi_walk *w, struct btvi_at at)
{
	const bool missing = !btvi_walk_get(at);

	if (!at.key)
		return btvi_walk_refuse(w, "entry %zu of a list %s", at.index,
			missing ? "is missing" : "makes no sense");
	return btvi_walk_refuse(w, missing ? "'%s' is missing" : "'%s' makes no sense", at.key);
}

json_t *btvi_walk_open(struct btvi_walk *w, struct btvi_at at, json_type type)
{
	json_t *value = NULL;

	if (w->writing)
		return btvi_walk_put(w, at, type == JSON_ARRAY ? json_array() : json_object())
			? at.key ? json_object_get(at.in, at.key)
				 : json_array_get(at.in, json_array_size(at.in) - 1)
			: NULL;
	value = btvi_walk_get(at);
	if (value && json_typeof(value) == type)
		return value;
	refuse_value(w, at);
	return NULL;
}

json_t *btvi_walk_list(struct btvi_walk *w, struct btvi_at at, size_t *count, size_t max)
{
	json_t *const list = btvi_walk_open(w, at, JSON_ARRAY);

	if (!list || w->writing)
		return list;
	*count = json_array_size(list);
	if (*count <= max)
		return list;
	btvi_walk_refuse(w, "'%s' has %zu entries, more than %zu", at.key, *count, max);
	return NULL;
}

bool btvi_walk_text(struct btvi_walk *w, struct btvi_at at, char **text, size_t bytes)
{
	const json_t *value;
	size_t size;

	if (w->writing)
		return btvi_walk_put(w, at, *text ? json_string(*text) : json_null());
	value = btvi_walk_get(at);
	size = json_string_length(value);
	if (json_is_null(value))
		return true;
	if (!json_is_string(value) || size > bytes)
		return refuse_value(w, at);
	*text = btvi_walk_alloc(w, size + 1, 3);
	if (!*text)
		return false;
	btvi_text_printable(json_string_value(value), size, *text, 3 * (size + 1));
	return true;
}

/* ---- members --------------------------------------------------------------------------------- */

static bool walk_number(
	struct btvi_walk *w, struct btvi_at at, const struct btvi_field *f, void *object)
{
	const json_t *value;

	if (w->writing) {
		const uint64_t number = btvi_field_get(f, object, 0);

		return btvi_walk_put(w, at,
			f->kind == BTVI_FIELD_FLAG ? json_boolean(number)
						   : json_integer((json_int_t)number));
	}
	value = btvi_walk_get(at);
	if (f->kind == BTVI_FIELD_FLAG
			? !json_is_boolean(value)
			: !json_is_integer(value) || (uint64_t)json_integer_value(value) > f->max)
		return refuse_value(w, at);
	btvi_field_set(f, object, 0,
		f->kind == BTVI_FIELD_FLAG ? json_is_true(value)
					   : (uint64_t)json_integer_value(value));
	return true;
}

static bool walk_numbers(
	struct btvi_walk *w, struct btvi_at at, const struct btvi_field *f, void *object)
{
	const struct btvi_field one[] = { *f, { .name = NULL } };

	return btvi_walk_row(w, at, one, object);
}

static bool walk_name(
	struct btvi_walk *w, struct btvi_at at, const struct btvi_field *f, void *object)
{
	char *const text = (char *)object + f->offset;
	const json_t *value;

	if (w->writing)
		return btvi_walk_put(w, at, json_string(text));
	value = btvi_walk_get(at);
	if (!json_is_string(value))
		return refuse_value(w, at);
	btvi_text_printable(json_string_value(value), json_string_length(value), text, f->count);
	return true;
}

static bool walk_histograms(
	struct btvi_walk *w, struct btvi_at at, const struct btvi_field *f, void *object)
{
	json_t *list;
	size_t count = f->count;

	if (f->count == 1)
		return btvi_walk_histogram(w, at, btvi_field_histogram(f, object, 0));
	list = btvi_walk_list(w, at, &count, f->count);
	if (!list || count != f->count)
		return list && btvi_walk_refuse(w, "'%s' has not %u histograms", f->name, f->count);
	for (unsigned i = 0; i < f->count; i++)
		if (!btvi_walk_histogram(
			    w, btvi_at_index(list, i), btvi_field_histogram(f, object, i)))
			return false;
	return true;
}

static bool walk_field(
	struct btvi_walk *w, struct btvi_at at, const struct btvi_field *f, void *object)
{
	if (f->count == 0 || (!w->writing && f->later && !btvi_walk_get(at)))
		return true;
	switch (f->kind) {
	case BTVI_FIELD_U64:
	case BTVI_FIELD_U32:
	case BTVI_FIELD_FLAG:
		return f->count == 1 ? walk_number(w, at, f, object)
				     : walk_numbers(w, at, f, object);
	case BTVI_FIELD_TEXT:
		return walk_name(w, at, f, object);
	case BTVI_FIELD_HISTOGRAM:
		return walk_histograms(w, at, f, object);
	}
	return true;
}

bool btvi_walk_fields(struct btvi_walk *w, json_t *in, const struct btvi_field *table, void *object)
{
	const bool named = json_is_object(in);

	for (const struct btvi_field *f = table; f->name; f++) {
		const struct btvi_at at =
			named ? btvi_at_key(in, f->name) : btvi_at_index(in, (size_t)(f - table));

		if (!walk_field(w, at, f, object))
			return false;
	}
	return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

bool btvi_row_open(struct btvi_walk *w, struct btvi_at at, struct btvi_row *ret_row)
{
	*ret_row = (struct btvi_row){ .walk = w };
	if (!w->writing) {
		const json_t *const value = btvi_walk_get(at);
		const char *const start = json_string_value(value);

		if (!json_is_string(value))
			return refuse_value(w, at);
		ret_row->in.at = start;
		ret_row->in.end = start + json_string_length(value);
	}
	return true;
}

bool btvi_row_pass(struct btvi_row *row, uint64_t *value, uint64_t max)
{
	if (row->walk->writing) {
		btvi_row_put(&row->out, *value);
		return true;
	}
	return btvi_row_get(&row->in, value) && *value <= max;
}

bool btvi_row_pass_fields(struct btvi_row *row, const struct btvi_field *table, void *object)
{
	for (const struct btvi_field *f = table; f->name; f++)
		for (unsigned i = 0; i < f->count; i++) {
			uint64_t value = btvi_field_get(f, object, i);

			if (!btvi_row_pass(row, &value, f->max))
				return false;
			if (!row->walk->writing)
				btvi_field_set(f, object, i, value);
		}
	return true;
}

bool btvi_row_close(struct btvi_row *row, struct btvi_at at)
{
	json_t *text = NULL;

	if (!row->walk->writing)
		return btvi_row_is_over(&row->in);
	if (btvi_row_end(&row->out))
		text = json_stringn_nocheck(row->out.text, row->out.size);
	free(row->out.text);
	return btvi_walk_put(row->walk, at, text);
}

bool btvi_walk_row(
	struct btvi_walk *w, struct btvi_at at, const struct btvi_field *table, void *object)
{
	struct btvi_row row;

	if (!btvi_row_open(w, at, &row))
		return false;
	/* Writing, only the end can fail, and says so itself. */
	if (btvi_row_pass_fields(&row, table, object) && btvi_row_close(&row, at))
		return true;
	return w->writing ? false : refuse_value(w, at);
}
