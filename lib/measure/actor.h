/* measure/actor.h - who did the I/O: counters by process or by cgroup. */
#ifndef BTVI_MEASURE_ACTOR_H
#define BTVI_MEASURE_ACTOR_H

#include <stdbool.h>

#include <btviz/status.h>
#include <btviz/summary.h>

#include "base/histogram.h"
#include "base/quota.h"

/* Everybody beyond the limit is counted under this key. */
#define BTVI_ACTOR_OTHERS UINT64_MAX

struct btvi_actor {
	uint64_t key;                /* pid or cgroup id */
	struct btviz_count count[3]; /* read, write, other */
	/* Seeks within its own I/O, whatever others did in between: whether it reads in sequence.
	 */
	uint64_t seeks, first_sector, end_sector;
	bool placed;
	uint64_t first_ns, last_ns;     /* when it queued first and last; cgroups: 0 */
	uint64_t cgroup_id;             /* of a process; UINT64_MAX: several */
	struct btvi_histogram *latency; /* Q2C, or NULL */
};

struct btvi_actors {
	struct btvi_actor *items;
	uint32_t *slots; /* hash of keys, indices + 1 */
	uint32_t count, capacity, slot_bits;
	uint32_t last;            /* index of the one asked for last */
	uint32_t max;             /* the rest is "others"; 0: BTVI_PROCESS_MAX */
	uint32_t latencies;       /* actors that have a histogram, */
	unsigned coarse;          /* which is as coarse as this */
	struct btvi_quota *quota; /* how many may, in all tables together; NULL: all */
};

void btvi_actors_done(struct btvi_actors *a);
void btvi_actors_clear(struct btvi_actors *a);

/* Makes do with so many actors, the first ones, and with coarser histograms; gives memory back. */
enum btviz_status btvi_actors_coarsen(struct btvi_actors *a, uint32_t max, unsigned coarse);

/* The actor of a key, made if need be; NULL when out of memory. Valid until the next call. */
struct btvi_actor *btvi_actors_get(struct btvi_actors *a, uint64_t key);

/* Adds a latency of an actor of the table, unless too many others have a histogram already. */
enum btviz_status btvi_actor_latency(struct btvi_actors *table, struct btvi_actor *a, uint64_t ns);

/* Where its next I/O lies; more than seek_sectors from the end of its last one is a seek. */
void btvi_actor_place(
	struct btvi_actor *a, uint64_t sector, uint64_t sectors, uint64_t seek_sectors);

/* Adds part. If it tells of later times on the same device, seek_sectors is as above and the step
 * from the one to the other counts; for other devices it is BTVI_ACTOR_ELSEWHERE. */
#define BTVI_ACTOR_ELSEWHERE UINT64_MAX
enum btviz_status btvi_actors_merge(
	struct btvi_actors *a, const struct btvi_actors *part, uint64_t seek_sectors);

#endif
