/* figures_topology.c - who is an array, a member or a partition, from the remaps; and in which
 * order devices are shown: an array, then its members, and so on downwards. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/figures.h"

enum { MD_MAJOR = 9 };

/* Majors of disks that have 16 minors each, the disk first: sd, and virtio and Xen disks. */
static bool has_16_minors(uint32_t major)
{
	return major == 8 || (major >= 65 && major <= 71) || (major >= 128 && major <= 135) ||
		major == 202 || major == 252 || major == 253 || major == 254;
}

bool btvi_is_partition_of(uint32_t x, uint32_t d)
{
	const uint32_t major = BTVIZ_MAJOR(x);

	if (major == 259) /* partitions beyond the disk's own minors: NVMe, md */
		return true;
	if (major != BTVIZ_MAJOR(d) || major == 9)
		return false;
	if (has_16_minors(major))
		return BTVIZ_MINOR(x) / 16 == BTVIZ_MINOR(d) / 16 && BTVIZ_MINOR(d) % 16 == 0;
	return BTVIZ_MINOR(x) > BTVIZ_MINOR(d) && BTVIZ_MINOR(x) - BTVIZ_MINOR(d) < 64;
}

/* Names by their parts: sdb before sdaa, md2 before md10. */
static int compare_names(const char *a, const char *b)
{
	while (*a && *b) {
		const size_t x = strspn(a, "0123456789"), y = strspn(b, "0123456789");

		if (x > 0 && y > 0) {
			const unsigned long long m = strtoull(a, NULL, 10),
						 n = strtoull(b, NULL, 10);

			if (m != n)
				return m < n ? -1 : 1;
			a += x;
			b += y;
			continue;
		}
		if (*a != *b)
			break;
		a++;
		b++;
	}
	if (strcspn(a, "0123456789") != strcspn(b, "0123456789"))
		return strcspn(a, "0123456789") < strcspn(b, "0123456789") ? -1 : 1;
	return strcmp(a, b);
}

struct place {
	struct btvi_device *d;
	const struct btvi_device *adopted_by; /* NULL: its remaps tell its place */
	bool is_source, is_partition, placed, has_parent;
};

static int compare_nodes(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;
	int c = compare_names(a->d->name, b->d->name);

	if (c == 0)
		c = a->d->device < b->d->device ? -1 : a->d->device > b->d->device;
	return c;
}

/* Whether d carries I/O of the device called source, which is a layer above it. */
static bool carries(const struct btvi_device *d, uint32_t source)
{
	for (unsigned i = 0; i < d->remap.source_count; i++)
		if (d->remap.sources[i].device == source)
			return source != d->device;
	return false;
}

static void emit(struct btvi_figures *f, struct place *nodes, size_t n, struct place *node)
{
	const size_t at = f->pub.device_count;
	struct btviz_device *out = &f->devices[at];
	const struct btvi_device *d = node->d;
	size_t parents = 0;
	uint32_t *list;

	node->placed = true;
	f->pub.device_count++;
	f->sources[at] = node->d;
	out->device = d->device;
	if (d->name[0] != '\0') {
		out->name = btvi_arena_text(&f->arena, d->name);
	} else {
		char number[32];

		snprintf(number, sizeof number, "%u,%u", BTVIZ_MAJOR(d->device),
			BTVIZ_MINOR(d->device));
		out->name = btvi_arena_text(&f->arena, number);
	}
	list = btvi_arena_alloc(&f->arena, BTVI_SOURCE_MAX + 1, sizeof *list);
	if (!list)
		return;
	for (unsigned i = 0; i < d->remap.source_count; i++)
		if (!btvi_is_partition_of(d->remap.sources[i].device, d->device))
			list[parents++] = d->remap.sources[i].device;
	if (node->adopted_by)
		list[parents++] = node->adopted_by->device;
	out->parents = list;
	out->parent_count = parents;
	out->role = node->is_source && !node->is_partition ? BTVIZ_ROLE_ARRAY
		: node->is_partition                       ? BTVIZ_ROLE_PARTITION
		: parents > 0                              ? BTVIZ_ROLE_MEMBER
							   : BTVIZ_ROLE_DISK;
	for (size_t i = 0; i < n; i++)
		if (!nodes[i].placed &&
			(carries(nodes[i].d, d->device) || nodes[i].adopted_by == d))
			emit(f, nodes, n, &nodes[i]);
}

uint32_t btvi_array_of_thread(const char *comm)
{
	char *end;
	unsigned long minor;

	if (!comm || strncmp(comm, "md", 2) != 0 || comm[2] < '0' || comm[2] > '9')
		return 0;
	minor = strtoul(comm + 2, &end, 10);
	return *end == '_' && minor < 1UL << 20 ? (uint32_t)(MD_MAJOR << 20 | minor) : 0;
}

/* A device without remaps whose I/O is mostly that of md's own threads is a member of their array:
 * a mirror that nobody uses resyncs without a remap. */
static const struct btvi_device *served_array(const struct btviz_summary *s,
	const struct place *nodes, size_t n, const struct place *node)
{
	uint64_t all = 0, own = 0;
	uint32_t array = 0;

	for (uint32_t i = 0; i < node->d->processes.count; i++) {
		const struct btvi_actor *const a = &node->d->processes.items[i];
		const uint32_t found = a->key > UINT32_MAX
			? 0
			: btvi_array_of_thread(
				  btvi_names_get(&s->names, (uint32_t)a->key, node->d->last_ns));

		all += a->count[0].ios + a->count[1].ios;
		if (found != 0 && (array == 0 || array == found)) {
			array = found;
			own += a->count[0].ios + a->count[1].ios;
		}
	}
	for (size_t i = 0; i < n; i++)
		if (2 * own > all && nodes[i].d->device == array && &nodes[i] != node)
			return nodes[i].d;
	return NULL;
}

static void adopt_served(const struct btviz_summary *s, struct place *nodes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (nodes[i].d->remap.source_count > 0 ||
			BTVIZ_MAJOR(nodes[i].d->device) == MD_MAJOR)
			continue;
		nodes[i].adopted_by = served_array(s, nodes, n, &nodes[i]);
		nodes[i].has_parent |= nodes[i].adopted_by != NULL;
		for (size_t k = 0; k < n && nodes[i].adopted_by; k++)
			nodes[k].is_source |= nodes[k].d == nodes[i].adopted_by;
	}
}

/* A traced disk without any event has no place: beside a single array it is taken for an idle
 * member, since that is what one traces beside an array. Of layers (dm on md) the lowest has disks.
 */
static void adopt_idle(struct place *nodes, size_t n)
{
	const struct place *array = NULL;

	for (size_t i = 0; i < n; i++) {
		bool lowest = nodes[i].is_source && !nodes[i].is_partition;

		for (size_t k = 0; k < n && lowest; k++)
			lowest = !(nodes[k].is_source && !nodes[k].is_partition &&
				carries(nodes[k].d, nodes[i].d->device));
		if (lowest && array)
			return; /* several: it could belong to any */
		if (lowest)
			array = &nodes[i];
	}
	for (size_t i = 0; array && i < n; i++)
		if (nodes[i].d->events == 0 && nodes[i].d->remap.source_count == 0 &&
			!nodes[i].is_source && !nodes[i].adopted_by &&
			BTVIZ_MAJOR(nodes[i].d->device) != MD_MAJOR) {
			nodes[i].adopted_by = array->d;
			nodes[i].has_parent = true;
		}
}

void btvi_figures_topology(struct btvi_figures *f, struct btviz_summary *s)
{
	struct place *nodes = btvi_arena_alloc(&f->arena, s->device_count, sizeof *nodes);
	const struct btviz_device **list;
	size_t n = 0;
	size_t *top;

	f->devices = btvi_arena_alloc(&f->arena, s->device_count, sizeof *f->devices);
	f->sources = btvi_arena_alloc(&f->arena, s->device_count, sizeof(struct btvi_device *));
	top = btvi_arena_alloc(&f->arena, s->device_count, sizeof *top);
	list = btvi_arena_alloc(&f->arena, s->device_count, sizeof *list);
	if (!nodes || !f->devices || !f->sources || !top || !list)
		return;
	for (size_t i = 0; i < s->device_count; i++)
		if (!s->devices[i]->ignored && (s->devices[i]->events > 0 || s->devices[i]->traced))
			nodes[n++].d = s->devices[i];
	qsort(nodes, n, sizeof *nodes, compare_nodes);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (carries(nodes[k].d, nodes[i].d->device)) {
				nodes[i].is_source = true;
				nodes[k].has_parent = true;
				if (btvi_is_partition_of(nodes[i].d->device, nodes[k].d->device))
					nodes[i].is_partition = true;
			}
	adopt_served(s, nodes, n);
	adopt_idle(nodes, n);
	BTVI_LIST_OF(list, f->devices, s->device_count);
	f->pub.devices = list;
	/* Arrays that nothing is above first, then disks on their own. */
	for (size_t i = 0; i < n; i++)
		if (nodes[i].is_source && !nodes[i].has_parent && !nodes[i].placed)
			emit(f, nodes, n, &nodes[i]);
	for (size_t i = 0; i < n; i++)
		if (!nodes[i].placed)
			emit(f, nodes, n, &nodes[i]);
	f->pub.top = top;
	for (size_t i = 0; i < f->pub.device_count; i++) {
		bool below = false, used = f->sources[i]->events > 0;

		for (size_t p = 0; p < f->devices[i].parent_count; p++)
			below |= btvi_figures_find(f, f->devices[i].parents[p]) != SIZE_MAX;
		/* An array that nobody uses is on top of what its members do. */
		for (size_t k = 0; k < f->pub.device_count && !used && !below; k++)
			used = f->sources[k]->events > 0 &&
				btvi_is_member_of(&f->devices[k], f->devices[i].device);
		if (!below && used)
			top[f->pub.top_count++] = i;
	}
}
