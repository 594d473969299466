/* measure/figures.h - the steps that make figures of a summary. Private to figures*.c. */
#ifndef BTVI_MEASURE_FIGURES_H
#define BTVI_MEASURE_FIGURES_H

#include "base/arena.h"
#include "base/list.h"
#include "measure/summary.h"

struct btvi_figures {
	struct btviz_figures pub;
	struct btvi_arena arena;
	struct btviz_memory memory;
	/* In the order of pub.devices: */
	struct btviz_device *devices;
	struct btvi_device **sources;
	double *rates; /* room for the search for slow phases */
};

/* Seconds from the origin. */
static inline double btvi_figures_s(const struct btvi_figures *f, uint64_t time_ns)
{
	return time_ns >= f->pub.origin_ns ? (double)(time_ns - f->pub.origin_ns) * 1e-9
					   : -(double)(f->pub.origin_ns - time_ns) * 1e-9;
}

/* The devices in their order, with roles and parents, and the top ones. */
void btvi_figures_topology(struct btvi_figures *f, struct btviz_summary *s);

/* Everything of one device but its gaps. */
void btvi_figures_of_device(struct btvi_figures *f, const struct btviz_summary *s,
	struct btviz_device *out, const struct btvi_device *d);

/* All devices' gaps; needs topology. */
void btvi_figures_gaps(struct btvi_figures *f, const struct btviz_summary *s);

/* What went on in a gap of a top device's submission: other disks' work, flushes, programs that
 * came and went; needs people. */
void btvi_gap_circumstances(struct btvi_figures *f, const struct btviz_summary *s,
	struct btviz_gap *g, const struct btvi_pause *p);

/* Memory in the gaps and outside of them; needs gaps. */
void btvi_figures_memory(struct btvi_figures *f, const struct btviz_summary *s);

/* Arrays; needs devices. */
void btvi_figures_arrays(struct btvi_figures *f, const struct btviz_summary *s);

/* Rebuild, resync, check: what md did by itself; needs the array's level. */
void btvi_figures_sync(
	struct btvi_figures *f, const struct btviz_summary *s, struct btviz_array *a);

/* raid4, raid5, raid6. */
bool btvi_level_has_parity(const char *level);

/* Processes, cgroups, messages; needs topology. */
void btvi_figures_people(struct btvi_figures *f, const struct btviz_summary *s);

/* A distribution of parts[0..count) together, each value times scale; parts may be NULL. */
struct btviz_distribution btvi_distribution(
	const struct btvi_histogram *const *parts, unsigned count, double scale);

/* The array that a thread of md's serves ("md0_resync", "md127_raid5"), 0: it is none. */
uint32_t btvi_array_of_thread(const char *comm);

/* Index of a device in pub.devices, or SIZE_MAX. */
size_t btvi_figures_find(const struct btvi_figures *f, uint32_t device);

/* Whether m lies directly below the array of that number. */
static inline bool btvi_is_member_of(const struct btviz_device *m, uint32_t array)
{
	for (size_t i = 0; i < m->parent_count; i++)
		if (m->parents[i] == array)
			return true;
	return false;
}

/* Whether x is a partition of d, as far as numbers tell. */
bool btvi_is_partition_of(uint32_t x, uint32_t d);

#endif
