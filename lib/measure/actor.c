/* actor.c - a bounded table of processes or cgroups. */
#include "measure/actor.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "measure/fields.h"

void btvi_actors_done(struct btvi_actors *a)
{
	for (uint32_t i = 0; i < a->count; i++)
		btvi_histogram_free(a->items[i].latency);
	btvi_quota_give(a->quota, a->latencies);
	free(a->items);
	free(a->slots);
}

void btvi_actors_clear(struct btvi_actors *a)
{
	const struct btvi_actors emptied = {
		.max = a->max, .coarse = a->coarse, .quota = a->quota
	};

	btvi_actors_done(a);
	*a = emptied;
}

static uint32_t *slot_of(const struct btvi_actors *a, uint64_t key)
{
	const uint32_t mask = (1U << a->slot_bits) - 1;
	uint32_t i = (uint32_t)(key * 0x9e3779b97f4a7c15U >> 32) & mask;

	while (a->slots[i] != 0 && a->items[a->slots[i] - 1].key != key)
		i = (i + 1) & mask;
	return &a->slots[i];
}

static uint32_t max_of(const struct btvi_actors *a)
{
	return a->max ? a->max : BTVI_PROCESS_MAX;
}

static bool grow(struct btvi_actors *a)
{
	const uint32_t doubled = a->capacity ? a->capacity * 2 : 16;
	const uint32_t capacity = doubled > max_of(a) ? max_of(a) + 1 : doubled;
	const uint32_t bits = a->slot_bits ? a->slot_bits + 1 : 5; /* never more than half full */
	struct btvi_actor *items = realloc(a->items, capacity * sizeof *items);
	uint32_t *slots;

	if (!items)
		return false;
	a->items = items;
	slots = calloc((size_t)1 << bits, sizeof *slots);
	if (!slots)
		return false;
	free(a->slots);
	a->slots = slots;
	a->slot_bits = bits;
	a->capacity = capacity;
	for (uint32_t i = 0; i < a->count; i++)
		*slot_of(a, a->items[i].key) = i + 1;
	return true;
}

struct btvi_actor *btvi_actors_get(struct btvi_actors *a, uint64_t key)
{
	if (a->count > 0 && a->items[a->last].key == key)
		return &a->items[a->last];
	if (a->count >= max_of(a) && *slot_of(a, key) == 0)
		key = BTVI_ACTOR_OTHERS;
	if (a->count == a->capacity && a->count <= max_of(a) && !grow(a))
		return NULL;

	uint32_t *slot = slot_of(a, key);

	if (*slot == 0) {
		a->items[a->count] = (struct btvi_actor){ .key = key };
		*slot = ++a->count;
	}
	a->last = *slot - 1;
	return &a->items[a->last];
}

/* Whether the actor has a histogram, or may get one: the table has as many as it may have. */
static bool may_have_latency(struct btvi_actors *table, const struct btvi_actor *a)
{
	if (a->latency)
		return true;
	if (!btvi_quota_take(table->quota, 1))
		return false;
	table->latencies++;
	return true;
}

enum btviz_status btvi_actor_latency(struct btvi_actors *table, struct btvi_actor *a, uint64_t ns)
{
	if (!may_have_latency(table, a))
		return BTVIZ_OK;
	return btvi_histogram_add(&a->latency, table->coarse, ns) ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
}

static bool is_seek(uint64_t end, uint64_t sector, uint64_t seek_sectors)
{
	return (sector > end ? sector - end : end - sector) > seek_sectors;
}

void btvi_actor_place(
	struct btvi_actor *a, uint64_t sector, uint64_t sectors, uint64_t seek_sectors)
{
	if (!a->placed)
		a->first_sector = sector;
	else if (is_seek(a->end_sector, sector, seek_sectors))
		a->seeks++;
	a->placed = true;
	a->end_sector = sector + sectors;
}

static enum btviz_status merge_actor(struct btvi_actors *table, struct btvi_actor *into,
	const struct btvi_actor *part, uint64_t seek_sectors)
{
	btvi_fields_merge(btvi_actor_fields, 0, 0, into, part);
	if (into->first_ns == 0 || (part->first_ns != 0 && part->first_ns < into->first_ns))
		into->first_ns = part->first_ns;
	if (part->placed) {
		if (!into->placed)
			into->first_sector = part->first_sector;
		else if (is_seek(into->end_sector, part->first_sector, seek_sectors))
			into->seeks++;
		into->placed = true;
		into->end_sector = part->end_sector;
	}
	if (into->cgroup_id == 0)
		into->cgroup_id = part->cgroup_id;
	else if (part->cgroup_id != 0 && part->cgroup_id != into->cgroup_id)
		into->cgroup_id = UINT64_MAX;
	if (!part->latency || !may_have_latency(table, into))
		return BTVIZ_OK;
	return btvi_histogram_merge(&into->latency, table->coarse, part->latency) ? BTVIZ_OK
										  : BTVIZ_ERR_NOMEM;
}

enum btviz_status btvi_actors_merge(
	struct btvi_actors *a, const struct btvi_actors *part, uint64_t seek_sectors)
{
	for (uint32_t i = 0; i < part->count; i++) {
		struct btvi_actor *into = btvi_actors_get(a, part->items[i].key);

		if (!into || merge_actor(a, into, &part->items[i], seek_sectors) != BTVIZ_OK)
			return BTVIZ_ERR_NOMEM;
	}
	return BTVIZ_OK;
}

enum btviz_status btvi_actors_coarsen(struct btvi_actors *a, uint32_t max, unsigned coarse)
{
	struct btvi_actors fewer = { .max = max, .coarse = coarse };

	if (a->count > max) {
		if (btvi_actors_merge(&fewer, a, BTVI_ACTOR_ELSEWHERE) != BTVIZ_OK) {
			btvi_actors_done(&fewer);
			return BTVIZ_ERR_NOMEM;
		}
		fewer.quota = a->quota;
		btvi_actors_done(a);
		*a = fewer;
		if (a->quota)
			a->quota->taken += a->latencies;
	}
	a->max = max;
	a->coarse = coarse;
	for (uint32_t i = 0; i < a->count; i++)
		btvi_histogram_coarsen(a->items[i].latency, coarse);
	return BTVIZ_OK;
}
