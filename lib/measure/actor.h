/* measure/actor.h - who did the I/O: counters by process or by cgroup. */
#ifndef BTVI_MEASURE_ACTOR_H
#define BTVI_MEASURE_ACTOR_H

#include <btviz/status.h>
#include <btviz/summary.h>

#include "base/histogram.h"

/* Everybody beyond the limit is counted under this key. */
#define BTVI_ACTOR_OTHERS UINT64_MAX

struct btvi_actor {
	uint64_t key; /* pid or cgroup id */
	struct btviz_count count[3]; /* read, write, other */
	uint64_t seeks;
	uint64_t cgroup_id; /* of a process; UINT64_MAX: several */
	struct btvi_histogram *latency; /* Q2C, or NULL */
};

struct btvi_actors {
	struct btvi_actor *items;
	uint32_t *slots; /* hash of keys, indices + 1 */
	uint32_t count, capacity, slot_bits;
	uint32_t last; /* index of the one asked for last */
};

void btvi_actors_done(struct btvi_actors *a);
void btvi_actors_clear(struct btvi_actors *a);

/* The actor of a key, made if need be; NULL when out of memory. Valid until the next call. */
struct btvi_actor *btvi_actors_get(struct btvi_actors *a, uint64_t key);

enum btviz_status btvi_actor_latency(struct btvi_actor *a, uint64_t ns);

enum btviz_status btvi_actor_merge(struct btvi_actor *into, const struct btvi_actor *part);
enum btviz_status btvi_actors_merge(struct btvi_actors *a, const struct btvi_actors *part);

#endif
