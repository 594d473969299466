/* saved_run.c - what a saved summary keeps of a run as a whole, written and read. */
#include <stdlib.h>

#include "measure/fields.h"
#include "measure/saved_walk.h"
#include "trace/health.h"

enum { TEXT_BYTES_MAX = 65536, NAMES_MAX = 65536 };

#define WALL_DISTANCE_NS (UINT64_C(1) << 61)

/* The names of the devices asked for. */
static bool walk_devices(struct btvi_walk *w, json_t *options, struct btviz_summary_options *o,
	const char ***devices)
{
	size_t count = o->device_count;
	json_t *const list =
		btvi_walk_list(w, btvi_at_key(options, "devices"), &count, BTVI_SAVED_VALUES);

	if (!list)
		return false;
	if (!w->writing) {
		*devices = btvi_walk_alloc(w, count, sizeof **devices);
		if (!*devices)
			return false;
		o->devices = *devices;
		o->device_count = count;
	}
	for (size_t i = 0; i < count; i++) {
		if (w->writing) {
			if (!btvi_walk_put(w, btvi_at_index(list, i), json_string(o->devices[i])))
				return false;
			continue;
		}
		(*devices)[i] = json_string_value(json_array_get(list, i));
		if (!(*devices)[i])
			return btvi_walk_refuse(w, "a device asked for has no name");
	}
	return true;
}

bool btvi_walk_options(
	struct btvi_walk *w, json_t *root, struct btviz_summary_options *o, const char ***devices)
{
	json_t *const object = btvi_walk_open(w, btvi_at_key(root, "options"), JSON_OBJECT);

	if (!object || !btvi_walk_fields(w, object, btvi_summary_options_fields, o) ||
		!walk_devices(w, object, o, devices))
		return false;
	return (o->map_columns != 0 && o->map_rows != 0) ||
		btvi_walk_refuse(w, "maps of a wrong size");
}

/* Items of a size, each an array by the table. Read, there is room for at least so many. */
struct list {
	const char *name;
	const struct btvi_field *table;
	size_t size, max, room;
};

static bool walk_items(
	struct btvi_walk *w, json_t *in, const struct list *list, void **items, size_t *ret_count)
{
	size_t count = *ret_count;
	json_t *const array = btvi_walk_list(w, btvi_at_key(in, list->name), &count, list->max);

	if (!array)
		return false;
	if (!w->writing && count > 0) {
		*items = btvi_walk_alloc(w, count > list->room ? count : list->room, list->size);
		if (!*items)
			return false;
	}
	for (size_t i = 0; i < count; i++) {
		json_t *const item = btvi_walk_open(w, btvi_at_index(array, i), JSON_ARRAY);

		if (!item ||
			!btvi_walk_fields(w, item, list->table, (char *)*items + i * list->size))
			return false;
	}
	*ret_count = count;
	return true;
}

static bool walk_names(struct btvi_walk *w, json_t *told, struct btvi_names *names)
{
	static const struct list list = { "names", btvi_name_fields, sizeof(struct btvi_name),
		NAMES_MAX, 0 };
	void *items = names->items;
	const bool done = walk_items(w, told, &list, &items, &names->count);

	names->items = items;
	if (!w->writing)
		names->capacity = names->count;
	for (size_t i = 1; done && i < names->count; i++) {
		const struct btvi_name *const n = &names->items[i];

		if (n->pid < n[-1].pid || (n->pid == n[-1].pid && n->since_ns < n[-1].since_ns))
			return btvi_walk_refuse(w, "names are not in order");
	}
	return done;
}

static bool walk_messages(struct btvi_walk *w, json_t *told, struct btviz_summary *s)
{
	static const struct list list = { "messages", btvi_message_fields,
		sizeof(struct btvi_message), BTVI_MESSAGE_KEPT, BTVI_MESSAGE_KEPT };
	void *items = s->messages;
	const bool done = walk_items(w, told, &list, &items, &s->message_count);

	s->messages = items;
	for (size_t i = 1; done && i < s->message_count; i++)
		if (s->messages[i].time_ns < s->messages[i - 1].time_ns)
			return btvi_walk_refuse(w, "messages are not in order");
	return done;
}

static bool walk_facts(struct btvi_walk *w, json_t *told, struct btviz_summary *s)
{
	static const struct list list = { "arrays", btvi_array_facts_fields,
		sizeof(struct btvi_array_facts), BTVI_DEVICE_MAX, 0 };
	void *items = s->facts;
	const bool done = walk_items(w, told, &list, &items, &s->fact_count);

	s->facts = items;
	return done;
}

bool btvi_walk_run(struct btvi_walk *w, json_t *root, struct btviz_summary *s)
{
	json_t *const run = btvi_walk_open(w, btvi_at_key(root, "run"), JSON_OBJECT);
	json_t *const health =
		run ? btvi_walk_open(w, btvi_at_key(root, "health"), JSON_OBJECT) : NULL;
	json_t *const told =
		health ? btvi_walk_open(w, btvi_at_key(root, "told"), JSON_OBJECT) : NULL;

	if (!told || !btvi_walk_fields(w, run, btvi_summary_fields, s) ||
		!btvi_walk_fields(w, health, btvi_health_fields, &s->health) ||
		!walk_names(w, told, &s->names) || !walk_messages(w, told, s) ||
		!walk_facts(w, told, s) ||
		!btvi_walk_text(w, btvi_at_key(told, "command"), &s->command, TEXT_BYTES_MAX) ||
		!btvi_walk_text(w, btvi_at_key(told, "kernel"), &s->kernel, TEXT_BYTES_MAX))
		return false;
	/* A day more or less is a clock; a century is not, and would overflow. */
	return !s->wall.known || s->origin_ns - s->wall.time_ns <= WALL_DISTANCE_NS ||
		s->wall.time_ns - s->origin_ns <= WALL_DISTANCE_NS ||
		btvi_walk_refuse(w, "its wall clock makes no sense");
}
