/* saved_device.c - one device of a saved summary, written and read. */
#include <stdio.h>
#include <string.h>

#include "measure/fields.h"
#include "measure/saved_walk.h"

/* What has to be known before anything else of a device can be read. */
struct identity {
	uint32_t device;
	unsigned level; /* how coarse it was saved, which is as fine as it can be read */
	char name[BTVI_NAME_BYTES];
};

static const struct btvi_field identity_fields[] = {
	{ BTVI_MEMBER_U32(struct identity, device), .merging = BTVI_MERGE_BY_HAND },
	{ BTVI_MEMBER_UP_TO(struct identity, level, BTVI_LEVELS - 1), .later = true },
	{ BTVI_MEMBER_TEXT(struct identity, name), .merging = BTVI_MERGE_BY_HAND },
	{ .name = NULL },
};

static bool walk_errors(struct btvi_walk *w, json_t *device, struct btvi_device *d)
{
	size_t count = d->error_count;
	json_t *const list =
		btvi_walk_list(w, btvi_at_key(device, "errors"), &count, BTVI_ERRORS_KEPT);

	for (size_t i = 0; i < count && list; i++) {
		struct btviz_error_count *const e = &d->errors[i];
		json_int_t error;

		if (w->writing) {
			if (!btvi_walk_put(w, btvi_at_index(list, i),
				    json_pack("[i, I]", e->error, (json_int_t)e->count)))
				return false;
			continue;
		}
		const json_t *const pair = json_array_get(list, i);

		error = json_integer_value(json_array_get(pair, 0));
		e->count = (uint64_t)json_integer_value(json_array_get(pair, 1));
		if (error >= 0 || error < INT16_MIN || e->count == 0)
			return btvi_walk_refuse(w, "an error makes no sense");
		e->error = (int)error;
		d->error_count++;
	}
	return list != NULL;
}

/* Makes a place for an actor that was read in the table; NULL after saying why there is none. */
static struct btvi_actor *take_actor(
	struct btvi_walk *w, struct btvi_actors *a, size_t index, const struct btvi_actor *read)
{
	struct btvi_actor *const actor = btvi_actors_get(a, read->key);

	if (!actor)
		btvi_walk_nomem(w);
	else if (a->count != index + 1 || actor->key != read->key)
		btvi_walk_refuse(w, "a process or cgroup is there twice");
	else
		return memcpy(actor, read, sizeof *actor);
	return NULL;
}

/* Each its numbers, and its latencies. */
static bool walk_actors(
	struct btvi_walk *w, json_t *device, const char *name, struct btvi_actors *a)
{
	size_t count = a->count;
	json_t *const list =
		btvi_walk_list(w, btvi_at_key(device, name), &count, BTVI_PROCESS_MAX + 1);

	for (size_t i = 0; i < count && list; i++) {
		json_t *const item = btvi_walk_open(w, btvi_at_index(list, i), JSON_ARRAY);
		struct btvi_actor read = { .key = 0 }, *actor = w->writing ? &a->items[i] : &read;

		if (!item || !btvi_walk_row(w, btvi_at_index(item, 0), btvi_actor_fields, actor))
			return false;
		if (!w->writing && !(actor = take_actor(w, a, i, &read)))
			return false;
		if (!btvi_walk_histogram(w, btvi_at_index(item, 1), &actor->latency))
			return false;
		if (!w->writing) {
			a->latencies += actor->latency != NULL;
			a->quota->taken += actor->latency != NULL;
		}
	}
	return list != NULL;
}

static bool walk_pauses(struct btvi_walk *w, struct btvi_at at, struct btvi_pause_list *list)
{
	struct btvi_row row;

	if (!btvi_row_open(w, at, &row))
		return false;
	for (uint32_t i = 0; w->writing ? i < list->count : !btvi_row_is_over(&row.in); i++) {
		if (!w->writing && !list->items) {
			list->items = btvi_walk_alloc(w, BTVI_GAP_KEPT, sizeof *list->items);
			if (!list->items)
				return false;
		}
		if (i == BTVI_GAP_KEPT ||
			!btvi_row_pass_fields(&row, btvi_pause_fields, &list->items[i]) ||
			(!w->writing && list->items[i].start_ns > list->items[i].end_ns))
			return btvi_walk_refuse(w, "a pause makes no sense");
		list->count = w->writing ? list->count : i + 1;
	}
	return btvi_row_close(&row, at);
}

static bool walk_gaps(struct btvi_walk *w, json_t *device, struct btvi_gaps *g)
{
	json_t *const object = btvi_walk_open(w, btvi_at_key(device, "gaps"), JSON_OBJECT);
	size_t count = BTVI_PAUSE_KINDS;
	json_t *lists;

	if (!object || !btvi_walk_fields(w, object, btvi_gaps_fields, g))
		return false;
	lists = btvi_walk_list(w, btvi_at_key(object, "lists"), &count, BTVI_PAUSE_KINDS);
	if (!lists || count != BTVI_PAUSE_KINDS)
		return lists && btvi_walk_refuse(w, "not %d kinds of pauses", BTVI_PAUSE_KINDS);
	for (unsigned k = 0; k < BTVI_PAUSE_KINDS; k++) {
		struct btvi_pause_list *const list = &g->lists[k];
		json_t *const in = btvi_walk_open(w, btvi_at_index(lists, k), JSON_OBJECT);

		if (!in || !btvi_walk_fields(w, in, btvi_pause_list_fields, list) ||
			!walk_pauses(w, btvi_at_key(in, "pauses"), list))
			return false;
		if (list->count > 0 && !list->lengths)
			return btvi_walk_refuse(w, "pauses without their lengths");
	}
	return true;
}

static bool walk_sources(struct btvi_walk *w, json_t *device, struct btvi_remap *remap)
{
	size_t count = remap->source_count;
	json_t *const list =
		btvi_walk_list(w, btvi_at_key(device, "sources"), &count, BTVI_SOURCE_MAX);

	for (size_t i = 0; i < count && list; i++)
		if (!btvi_walk_row(
			    w, btvi_at_index(list, i), btvi_source_fields, &remap->sources[i]))
			return false;
	remap->source_count = (unsigned)count;
	return list != NULL;
}

static bool walk_maps(struct btvi_walk *w, json_t *device, struct btvi_device *d,
	const struct btvi_device_size *size)
{
	size_t count = BTVI_MAPS;
	json_t *const maps = btvi_walk_list(w, btvi_at_key(device, "maps"), &count, BTVI_MAPS);

	if (!maps || count != BTVI_MAPS)
		return maps && btvi_walk_refuse(w, "not %d maps", BTVI_MAPS);
	for (unsigned m = 0; m < BTVI_MAPS; m++)
		if (!btvi_walk_grid(w, btvi_at_index(maps, m), &d->maps[m], size->map_columns,
			    size->map_rows))
			return false;
	if (!btvi_walk_grid(
		    w, btvi_at_key(device, "heat"), &d->heat, size->heat_columns, BTVI_HEAT_ROWS))
		return false;
	/* Its rows are latencies: none is above the highest. */
	return d->heat.y.high < d->heat.y.cells ||
		btvi_walk_refuse(w, "the heat map makes no sense");
}

static bool walk_device(struct btvi_walk *w, json_t *object, struct btvi_device *d,
	const struct btvi_device_size *size)
{
	return btvi_walk_fields(w, object, btvi_device_fields, d) && walk_errors(w, object, d) &&
		btvi_walk_series(w, btvi_at_key(object, "series"), &d->series) &&
		walk_maps(w, object, d, size) &&
		walk_actors(w, object, "processes", &d->processes) &&
		walk_actors(w, object, "cgroups", &d->cgroups) && walk_gaps(w, object, &d->gaps) &&
		walk_sources(w, object, &d->remap);
}

bool btvi_walk_write_device(struct btvi_walk *w, struct btvi_at at, const struct btvi_device *d,
	const struct btvi_device_options *o)
{
	const struct btvi_device_size size = btvi_device_size(o, d->level);
	json_t *const object = btvi_walk_open(w, at, JSON_OBJECT);
	struct btvi_device closed = *d; /* borrows all pointers */
	struct identity id = { .device = d->device, .level = d->level };

	memcpy(id.name, d->name, sizeof id.name);
	btvi_device_count_open(d, closed.open_by_age);
	btvi_device_open_time(d, closed.open_outstanding_ns, closed.open_in_flight_ns);
	closed.given_up += d->pair.given_up;
	closed.repeats += d->pair.repeats;
	return object && btvi_walk_fields(w, object, identity_fields, &id) &&
		walk_device(w, object, &closed, &size);
}

/* The device by its number and name, new in s. */
static struct btvi_device *new_device(
	struct btvi_walk *w, const struct identity *id, struct btviz_summary *s)
{
	const size_t before = s->device_count;
	struct btvi_device *d;

	snprintf(w->part, sizeof w->part, "device %u,%u", BTVIZ_MAJOR(id->device),
		BTVIZ_MINOR(id->device));
	d = btvi_summary_device(s, id->device);
	if (d && s->device_count == before) {
		btvi_walk_refuse(w, "it is there twice");
		return NULL;
	}
	if (!d ||
		(id->name[0] &&
			btviz_summary_name_device(s, id->device, id->name, NULL) != BTVIZ_OK)) {
		btvi_walk_nomem(w);
		return NULL;
	}
	return d;
}

bool btvi_walk_read_device(struct btvi_walk *w, struct btvi_at at, struct btviz_summary *s)
{
	json_t *const object = btvi_walk_open(w, at, JSON_OBJECT);
	struct identity id = { .level = 0 };
	struct btvi_device_size size;
	struct btvi_device *d;

	if (!object || !btvi_walk_fields(w, object, identity_fields, &id) ||
		!(d = new_device(w, &id, s)))
		return false;
	btvi_device_resize(d, &s->device_options, id.level);
	size = btvi_device_size(&s->device_options, id.level);
	w->coarse = size.coarse;
	if (!walk_device(w, object, d, &size))
		return false;
	if (d->events > 0 && (d->first_ns > d->last_ns || !s->has_origin))
		return btvi_walk_refuse(w, "its times make no sense");
	return btvi_device_coarsen(d, &s->device_options, s->level) == BTVIZ_OK ||
		btvi_walk_nomem(w);
}
