/* load_device.c - one device of a saved summary. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "measure/load_part.h"

static bool load_errors(struct btvi_loader *l, const json_t *list, struct btvi_device *d)
{
	if (json_array_size(list) > BTVI_ERRORS_KEPT)
		return btvi_load_refuse(l, "too many kinds of errors");
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *const pair = json_array_get(list, i);
		const json_int_t error = json_integer_value(json_array_get(pair, 0));
		const uint64_t count = (uint64_t)json_integer_value(json_array_get(pair, 1));

		if (error >= 0 || error < INT16_MIN || count == 0)
			return btvi_load_refuse(l, "an error makes no sense");
		d->errors[d->error_count++] = (struct btviz_error_count){ (int)error, count };
	}
	return true;
}

static bool load_histograms(struct btvi_loader *l, const json_t *device, const char *name,
	unsigned coarse, struct btvi_histogram **out, size_t count)
{
	const json_t *const list = btvi_load_member(l, device, name, JSON_ARRAY);

	if (!list)
		return false;
	if (json_array_size(list) != count)
		return btvi_load_refuse(l, "'%s' has not %zu histograms", name, count);
	for (size_t i = 0; i < count; i++)
		if (!btvi_load_histogram(l, json_array_get(list, i), coarse, &out[i]))
			return false;
	return true;
}

static bool load_actors(
	struct btvi_loader *l, const json_t *device, const char *name, struct btvi_actors *a)
{
	const json_t *const list = btvi_load_member(l, device, name, JSON_ARRAY);

	if (!list)
		return false;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *const item = json_array_get(list, i);
		const json_t *const numbers = json_array_get(item, 0);
		struct btvi_actor read = { .key = 0 }, *actor;
		struct btvi_row_reader r;

		if (!json_is_string(numbers))
			return btvi_load_refuse(l, "'%s' makes no sense", name);
		r = btvi_load_row(numbers);
		if (!btvi_row_get_fields(&r, btvi_fields_actor, &read) || !btvi_row_is_over(&r))
			return btvi_load_refuse(l, "'%s' makes no sense", name);
		if (a->count > BTVI_PROCESS_MAX)
			return btvi_load_refuse(l, "'%s' are too many", name);
		actor = btvi_actors_get(a, read.key);
		if (!actor)
			return btvi_load_nomem(l);
		if (a->count != i + 1 || actor->key != read.key)
			return btvi_load_refuse(l, "one of '%s' is there twice", name);
		*actor = read;
		if (!btvi_load_histogram(l, json_array_get(item, 1), a->coarse, &actor->latency))
			return false;
		a->latencies += actor->latency != NULL;
		a->quota->taken += actor->latency != NULL;
	}
	return true;
}

static bool load_pauses(
	struct btvi_loader *l, const json_t *object, unsigned coarse, struct btvi_pause_list *list)
{
	const json_t *const text = btvi_load_member(l, object, "pauses", JSON_STRING);
	const json_t *const left_out = btvi_load_member(l, object, "left_out", JSON_INTEGER);
	struct btvi_row_reader r;

	if (!text || !left_out)
		return false;
	list->left_out = (uint64_t)json_integer_value(left_out);
	for (r = btvi_load_row(text); !btvi_row_is_over(&r);) {
		struct btvi_pause *const pause = list->items ? &list->items[list->count] : NULL;

		if (!pause) {
			list->items = btvi_load_alloc(l, BTVI_GAP_KEPT, sizeof *list->items);
			if (!list->items)
				return false;
			continue;
		}
		if (list->count == BTVI_GAP_KEPT ||
			!btvi_row_get_fields(&r, btvi_fields_pause, pause) ||
			pause->start_ns > pause->end_ns)
			return btvi_load_refuse(l, "a pause makes no sense");
		list->count++;
	}
	if (!btvi_load_histogram(l, json_object_get(object, "lengths"), coarse, &list->lengths))
		return false;
	if (list->count > 0 && !list->lengths)
		return btvi_load_refuse(l, "pauses without their lengths");
	return true;
}

static bool load_gaps(struct btvi_loader *l, const json_t *device, struct btvi_gaps *g)
{
	const json_t *const object = btvi_load_member(l, device, "gaps", JSON_OBJECT);
	const json_t *const lists =
		object ? btvi_load_member(l, object, "lists", JSON_ARRAY) : NULL;

	if (!lists || !btvi_load_fields(l, object, btvi_fields_gaps, g))
		return false;
	if (json_array_size(lists) != BTVI_PAUSE_KINDS)
		return btvi_load_refuse(l, "not %d kinds of pauses", BTVI_PAUSE_KINDS);
	for (unsigned k = 0; k < BTVI_PAUSE_KINDS; k++)
		if (!load_pauses(l, json_array_get(lists, k), g->coarse, &g->lists[k]))
			return false;
	return true;
}

static bool load_sources(struct btvi_loader *l, const json_t *device, struct btvi_remap *remap)
{
	const json_t *const list = btvi_load_member(l, device, "sources", JSON_ARRAY);

	if (!list)
		return false;
	if (json_array_size(list) > BTVI_SOURCE_MAX)
		return btvi_load_refuse(l, "too many sources");
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *const text = json_array_get(list, i);
		struct btvi_row_reader r;

		if (json_is_string(text)) {
			r = btvi_load_row(text);
			if (btvi_row_get_fields(&r, btvi_fields_source, &remap->sources[i]) &&
				btvi_row_is_over(&r)) {
				remap->source_count++;
				continue;
			}
		}
		return btvi_load_refuse(l, "a source makes no sense");
	}
	return true;
}

static bool load_maps(struct btvi_loader *l, const json_t *device, struct btvi_device *d)
{
	const json_t *const maps = btvi_load_member(l, device, "maps", JSON_ARRAY);

	if (!maps)
		return false;
	if (json_array_size(maps) != BTVI_MAPS)
		return btvi_load_refuse(l, "not %d maps", BTVI_MAPS);
	for (unsigned m = 0; m < BTVI_MAPS; m++)
		if (!btvi_load_grid(l, json_array_get(maps, m), &d->maps[m]))
			return false;
	if (!btvi_load_grid(l, json_object_get(device, "heat"), &d->heat))
		return false;
	/* Its rows are latencies: none is above the highest. */
	return d->heat.y.high < d->heat.y.cells ||
		btvi_load_refuse(l, "the heat map makes no sense");
}

/* The device by its number and name, new in s. */
static struct btvi_device *new_device(
	struct btvi_loader *l, const json_t *object, struct btviz_summary *s)
{
	const json_t *const number = btvi_load_member(l, object, "device", JSON_INTEGER);
	const json_t *const name = number ? btvi_load_member(l, object, "name", JSON_STRING) : NULL;
	const size_t before = s->device_count;
	struct btvi_device *d;
	uint64_t device;

	if (!name)
		return NULL;
	device = (uint64_t)json_integer_value(number);
	if (device > UINT32_MAX) {
		btvi_load_refuse(l, "a device number makes no sense");
		return NULL;
	}
	snprintf(l->part, sizeof l->part, "device %u,%u", BTVIZ_MAJOR((uint32_t)device),
		BTVIZ_MINOR((uint32_t)device));
	if (json_string_length(name) > 0 &&
		btviz_summary_name_device(s, (uint32_t)device, json_string_value(name), NULL) !=
			BTVIZ_OK) {
		btvi_load_nomem(l);
		return NULL;
	}
	d = btvi_summary_device(s, (uint32_t)device);
	if (!d)
		btvi_load_nomem(l);
	else if (s->device_count == before)
		btvi_load_refuse(l, "it is there twice");
	return s->device_count > before ? d : NULL;
}

/* How coarse it was saved, which is as fine as it can be read. */
static bool load_level(struct btvi_loader *l, const json_t *object, const struct btviz_summary *s,
	struct btvi_device *d)
{
	const json_t *const level = json_object_get(object, "level"); /* missing: 0 */

	if (level &&
		!(json_is_integer(level) && json_integer_value(level) >= 0 &&
			json_integer_value(level) < BTVI_LEVELS))
		return btvi_load_refuse(l, "its level makes no sense");
	btvi_device_resize(d, &s->device_options, (unsigned)json_integer_value(level));
	return true;
}

bool btvi_load_device(struct btvi_loader *l, const json_t *object, struct btviz_summary *s)
{
	struct btvi_device *const d = new_device(l, object, s);
	const json_t *errors, *series;

	if (!d || !load_level(l, object, s, d) ||
		!btvi_load_fields(l, object, btvi_fields_device, d))
		return false;
	if (d->events > 0 && (d->first_ns > d->last_ns || !s->has_origin))
		return btvi_load_refuse(l, "its times make no sense");
	errors = btvi_load_member(l, object, "errors", JSON_ARRAY);
	series = errors ? btvi_load_member(l, object, "series", JSON_OBJECT) : NULL;
	return series && load_errors(l, errors, d) && btvi_load_series(l, series, &d->series) &&
		btvi_load_histogram(l, json_object_get(object, "seek_sectors"), d->gaps.coarse,
			&d->seek_sectors) &&
		load_maps(l, object, d) &&
		load_histograms(l, object, "latency", d->gaps.coarse, &d->latency[0][0],
			BTVIZ_INTERVAL_COUNT * BTVI_DIRECTIONS) &&
		load_histograms(l, object, "queued_bytes", d->gaps.coarse, d->queued_bytes,
			BTVI_DIRECTIONS) &&
		load_histograms(l, object, "issued_bytes", d->gaps.coarse, d->issued_bytes,
			BTVI_DIRECTIONS) &&
		load_actors(l, object, "processes", &d->processes) &&
		load_actors(l, object, "cgroups", &d->cgroups) && load_gaps(l, object, &d->gaps) &&
		load_sources(l, object, &d->remap) &&
		(btvi_device_coarsen(d, &s->device_options, s->level) == BTVIZ_OK ||
			btvi_load_nomem(l));
}
