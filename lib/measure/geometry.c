/* geometry.c - tries the layouts of Linux' md (and dm's stripes) on a sample of remapped places. A
 * layout holds if it puts every array sector of the sample on the member on which it was seen, and
 * there at the place where it was seen, up to one offset a member: where its data begin. Knows
 * neither devices nor figures.
 *
 * The arithmetic is that of md's raid0, raid10 (near, far, offset copies) and raid5 drivers. */
#include "measure/geometry.h"

#include <string.h>

#include "model/remap.h"

enum { DEVICES_MAX = 32, DEGRADED_MAX = 2, CHUNK_LOG_MIN = 3, CHUNK_LOG_MAX = 16 };

/* Fewer places in all prove nothing; nor do places of which no member has two rows. */
enum { PLACES_LEAST = 6 };

/* No array is called linear, whose members carry one stretch each, unless one is longer than any
 * chunk: else these may be the chunks of a single row. */
static const uint64_t linear_sectors_least = UINT64_C(1) << (CHUNK_LOG_MAX + 1);

enum rotation { FIXED, LEFT_SYMMETRIC, LEFT_ASYMMETRIC, RIGHT_SYMMETRIC, RIGHT_ASYMMETRIC };

struct md_layout {
	const char *level, *name;
	unsigned copies;
	enum { NEAR, FAR, OFFSET } way;
	unsigned parity;
	enum rotation rotation;
};

static const struct md_layout layouts[] = {
	{ "raid0", NULL, 1, NEAR, 0, FIXED },
	{ "raid10", "near 2", 2, NEAR, 0, FIXED },
	{ "raid10", "near 3", 3, NEAR, 0, FIXED },
	{ "raid10", "far 2", 2, FAR, 0, FIXED },
	{ "raid10", "offset 2", 2, OFFSET, 0, FIXED },
	{ "raid4", NULL, 1, NEAR, 1, FIXED },
	{ "raid5", "left-symmetric", 1, NEAR, 1, LEFT_SYMMETRIC },
	{ "raid5", "left-asymmetric", 1, NEAR, 1, LEFT_ASYMMETRIC },
	{ "raid5", "right-symmetric", 1, NEAR, 1, RIGHT_SYMMETRIC },
	{ "raid5", "right-asymmetric", 1, NEAR, 1, RIGHT_ASYMMETRIC },
	{ "raid6", "left-symmetric", 1, NEAR, 2, LEFT_SYMMETRIC },
	{ "raid6", "left-asymmetric", 1, NEAR, 2, LEFT_ASYMMETRIC },
	{ "raid6", "right-symmetric", 1, NEAR, 2, RIGHT_SYMMETRIC },
	{ "raid6", "right-asymmetric", 1, NEAR, 2, RIGHT_ASYMMETRIC },
};

enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

/* A layout of so many devices and that chunk. */
struct trial {
	const struct md_layout *l;
	unsigned devices;
	uint64_t chunk;
};

/* On which device a row's data chunk lies, with one parity device or two next to each other. */
static uint64_t parity_device(const struct trial *t, uint64_t row, uint64_t data)
{
	const uint64_t n = t->devices;
	const bool left = t->l->rotation == LEFT_SYMMETRIC || t->l->rotation == LEFT_ASYMMETRIC;
	const uint64_t p = left ? n - 1 - row % n : row % n;

	switch (t->l->rotation) {
	case LEFT_SYMMETRIC:
	case RIGHT_SYMMETRIC:
		return (p + t->l->parity + data) % n;
	case LEFT_ASYMMETRIC:
	case RIGHT_ASYMMETRIC:
		/* Of two, the second may have wrapped around to the first device. */
		if (t->l->parity == 2 && p == n - 1)
			return data + 1;
		return data >= p ? data + t->l->parity : data;
	case FIXED:
		break;
	}
	return data; /* parity on the last device */
}

/* Where an array sector lies on a device, from the beginning of its data, and in which copy; false:
 * not on it. */
static bool locate(const struct trial *t, uint64_t sector, unsigned device, uint64_t *ret_sector,
	unsigned *ret_copy)
{
	const uint64_t n = t->devices, k = sector / t->chunk, in = sector % t->chunk;
	const uint64_t data = n - t->l->parity;

	*ret_copy = 0;
	if (t->l->parity > 0) {
		*ret_sector = k / data * t->chunk + in;
		return parity_device(t, k / data, k % data) == device;
	}
	for (unsigned j = 0; j < t->l->copies; j++) {
		const uint64_t v = t->l->way == NEAR ? k * t->l->copies + j : k;
		const uint64_t at = t->l->way == NEAR ? v % n : (k % n + j) % n;
		const uint64_t row = t->l->way == OFFSET ? v / n * t->l->copies + j : v / n;

		if (at != device)
			continue;
		*ret_sector = row * t->chunk + in;
		*ret_copy = j;
		return true;
	}
	return false;
}

/* What the places that fit have among them. */
struct seen {
	bool rows; /* a member has chunks of several rows */
	bool first, copy, write;
};

/* Whether all places of a member fit, if it is that device. */
static bool member_fits(
	const struct trial *t, const struct btvi_source *s, unsigned device, struct seen *seen)
{
	uint64_t offset[2] = { 0, 0 };
	bool known[2] = { false, false };

	for (unsigned i = 0; i < s->place_count; i++) {
		const struct btvi_place *const p = &s->places[i];
		uint64_t sector;
		unsigned copy, area;

		/* A driver cuts what crosses the border of a chunk. */
		if (p->from % t->chunk + p->sectors > t->chunk ||
			!locate(t, p->from, device, &sector, &copy))
			return false;
		/* In the far layout the copies lie in an area of their own. */
		area = t->l->way == FAR && copy > 0;
		if (!known[area]) {
			known[area] = true;
			offset[area] = p->to - sector;
		}
		if (p->to - sector != offset[area])
			return false;
		seen->rows |= p->from / t->chunk != s->places[0].from / t->chunk;
		seen->first |= copy == 0;
		seen->copy |= copy > 0;
		seen->write |= p->is_write != 0;
	}
	return true;
}

/* Whether two members have an array sector in common. */
static bool shares_place(const struct btvi_source *a, const struct btvi_source *b, bool written)
{
	for (unsigned i = 0; i < a->place_count; i++)
		for (unsigned k = 0; k < b->place_count; k++)
			if (a->places[i].from == b->places[k].from &&
				(!written || (a->places[i].is_write && b->places[k].is_write)))
				return true;
	return false;
}

/* Whether a place that was written is on two members. */
static bool written_twice(const struct btvi_source *const *sources, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++)
			if (sources[i] && sources[k] && shares_place(sources[i], sources[k], true))
				return true;
	return false;
}

/* Whether each member can be a device of its own. */
static bool fits(const struct btvi_source *const *sources, size_t count, const struct trial *t)
{
	struct seen seen = { false, false, false, false };
	uint32_t used = 0;

	for (size_t i = 0; i < count; i++) {
		unsigned d = 0;

		if (!sources[i] || sources[i]->place_count == 0)
			continue;
		while (d < t->devices && (used & 1U << d || !member_fits(t, sources[i], d, &seen)))
			d++;
		if (d == t->devices)
			return false;
		used |= 1U << d;
	}
	/* What is written is written to all copies. Reads of the far layout are served by the first
	 * alone, and then it looks like raid0. */
	if (seen.write && (t->l->copies > 1) != written_twice(sources, count))
		return false;
	if (!seen.write && t->l->way == FAR && seen.copy && seen.first)
		return false;
	return seen.rows;
}

/* ---- one stretch a member ------------------------------------------------------------------ */

static uint64_t distance(const struct btvi_source *s)
{
	return s->places[0].to - s->places[0].from;
}

/* The member's sectors are the array's, moved by one distance. */
static bool is_moved_whole(const struct btvi_source *s)
{
	for (unsigned i = 1; i < s->place_count; i++)
		if (s->places[i].to - s->places[i].from != distance(s))
			return false;
	return true;
}

static void range(const struct btvi_source *s, uint64_t *ret_low, uint64_t *ret_high)
{
	*ret_low = UINT64_MAX;
	*ret_high = 0;
	for (unsigned i = 0; i < s->place_count; i++) {
		const uint64_t from = s->places[i].from, end = from + s->places[i].sectors;

		if (from < *ret_low)
			*ret_low = from;
		if (end > *ret_high)
			*ret_high = end;
	}
}

/* raid1: the array's sectors are on all members, at the same distance: on two members of another
 * level that cannot be, since one of them begins later. Linear: each has its own stretch. */
static const char *whole_level(const struct btvi_source *const *sources, size_t count, bool md)
{
	size_t carriers = 0, together = 0;
	uint64_t longest = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t low, high;

		if (!sources[i] || sources[i]->place_count == 0)
			continue;
		if (!is_moved_whole(sources[i]))
			return NULL;
		carriers++;
		range(sources[i], &low, &high);
		if (high - low > longest)
			longest = high - low;
		for (size_t k = 0; k < i; k++)
			together += sources[k] && sources[k]->place_count > 0 &&
				(shares_place(sources[i], sources[k], false) ||
					distance(sources[i]) == distance(sources[k]));
	}
	/* dm's linear target, or what maps like it (crypt), is what one member alone tells of. */
	if (!md && carriers == 1)
		return "linear";
	if (carriers > 1 && together == carriers * (carriers - 1) / 2)
		return "raid1";
	return together == 0 && longest >= linear_sectors_least ? "linear" : NULL;
}

/* ---- the one that fits --------------------------------------------------------------------- */

/* What two that fit have in common. */
static void agree(struct btvi_geometry *g, const struct trial *t, bool first)
{
	const struct btvi_geometry found = { .level = t->l->level,
		.layout = t->l->name,
		.chunk_sectors = t->chunk,
		.devices = t->devices,
		.data_devices =
			t->l->parity > 0 ? t->devices - t->l->parity : t->devices / t->l->copies };

	if (first) {
		*g = found;
		return;
	}
	if (!g->level || strcmp(g->level, found.level) != 0)
		g->level = NULL;
	if (!g->layout || !found.layout || strcmp(g->layout, found.layout) != 0)
		g->layout = NULL;
	if (g->chunk_sectors != found.chunk_sectors)
		g->chunk_sectors = 0;
	if (g->devices != found.devices)
		g->devices = g->data_devices = 0;
}

struct btvi_geometry btvi_geometry_find(
	const struct btvi_source *const *sources, size_t count, bool md, bool parity)
{
	struct btvi_geometry g = { NULL, NULL, 0, 0, 0 };
	size_t carriers = 0, places = 0, whole = 0;
	bool first = true;

	for (size_t i = 0; i < count; i++) {
		carriers += sources[i] && sources[i]->place_count > 0;
		places += sources[i] ? sources[i]->place_count : 0;
		whole += sources[i] && sources[i]->place_count > 0 && is_moved_whole(sources[i]);
		parity |= sources[i] && sources[i]->zero_differs;
	}
	if (carriers == 0 || places < PLACES_LEAST)
		return g;
	g.level = parity ? NULL : whole_level(sources, count, md);
	/* Where nothing was seen to jump, it may be one row of anything. */
	if (g.level || whole == carriers)
		return g;
	for (unsigned i = 0; i < (md ? LAYOUTS : 1); i++) {
		const struct md_layout *const l = &layouts[i];
		const unsigned spare = l->parity > 0 ? DEGRADED_MAX
			: l->copies > 1              ? 1
						     : DEVICES_MAX;
		const unsigned least = l->parity > 0      ? l->parity + 2
			: l->way == NEAR && l->copies > 1 ? l->copies + 1
							  : 2;

		if (parity && l->parity == 0)
			continue;
		/* Parity on one device that is never read is no parity that one could see. */
		if (!parity && l->parity > 0 && l->rotation == FIXED)
			continue;
		for (unsigned n = 2; n <= DEVICES_MAX; n++) {
			if (n < least || n < carriers || n > carriers + spare)
				continue;
			for (unsigned c = CHUNK_LOG_MIN; c <= CHUNK_LOG_MAX; c++) {
				const struct trial t = { l, n, UINT64_C(1) << c };

				if (!fits(sources, count, &t))
					continue;
				agree(&g, &t, first);
				first = false;
			}
		}
	}
	if (!md && g.level)
		g.level = "striped";
	return g;
}
