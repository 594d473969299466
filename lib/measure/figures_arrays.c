/* figures_arrays.c - how the members of each array took part, and what the array is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/figures.h"
#include "measure/geometry.h"

#define SLOW_MEMBER_RATIO 1.0

static const struct btvi_source *source_of(const struct btvi_device *d, uint32_t array)
{
	for (unsigned i = 0; i < d->remap.source_count; i++)
		if (d->remap.sources[i].device == array)
			return &d->remap.sources[i];
	return NULL;
}

static void fill_member(struct btviz_member *m, const struct btviz_device *dev,
	const struct btvi_device *d, uint32_t array, double span_s)
{
	const struct btvi_source *source = source_of(d, array);

	m->device = dev->device;
	m->name = dev->name;
	m->traced = true;
	m->read = dev->moved[BTVIZ_DIR_READ];
	m->write = dev->moved[BTVIZ_DIR_WRITE];
	if (source) {
		m->remapped.ios = source->ios[0] + source->ios[1];
		m->remapped.bytes = source->bytes[0] + source->bytes[1];
	}
	m->own.ios = d->own[0].ios + d->own[1].ios;
	m->own.bytes = d->own[0].bytes + d->own[1].bytes;
	m->latency_avg_s = dev->latency[BTVIZ_D2C][BTVIZ_DIR_ALL].avg;
	m->utilisation = dev->utilisation;
	m->seeks_per_s = span_s > 0 ? (double)dev->seeks / span_s : NAN;
}

static void balance(struct btviz_array *a, struct btviz_member *members)
{
	double sum = 0, squares = 0, most = 0;

	for (size_t i = 0; i < a->member_count; i++) {
		const double bytes = (double)(members[i].read.bytes + members[i].write.bytes);

		sum += bytes;
		squares += bytes * bytes;
		most = fmax(most, bytes);
	}
	a->effective_members = squares > 0 ? sum * sum / squares : NAN;
	a->skew = sum > 0 ? most * (double)a->member_count / sum : NAN;
	for (size_t i = 0; i < a->member_count; i++)
		members[i].bytes_share = sum > 0
			? (double)(members[i].read.bytes + members[i].write.bytes) / sum
			: NAN;
}

static int compare_doubles(const void *pa, const void *pb)
{
	const double a = *(const double *)pa, b = *(const double *)pb;

	return a < b ? -1 : a > b;
}

/* The slowest member by average D2C against the median of the others. */
static void slowest(
	struct btvi_figures *f, struct btviz_array *a, const struct btviz_member *members)
{
	double *others = btvi_arena_alloc(&f->arena, a->member_count, sizeof *others);
	size_t worst = SIZE_MAX, n = 0;

	a->slowest_ratio = NAN;
	if (!others)
		return;
	for (size_t i = 0; i < a->member_count; i++)
		if (!isnan(members[i].latency_avg_s) &&
			(worst == SIZE_MAX ||
				members[i].latency_avg_s > members[worst].latency_avg_s))
			worst = i;
	for (size_t i = 0; i < a->member_count; i++)
		if (i != worst && !isnan(members[i].latency_avg_s))
			others[n++] = members[i].latency_avg_s;
	if (n == 0)
		return;
	qsort(others, n, sizeof *others, compare_doubles);
	const double median = n % 2 ? others[n / 2] : 0.5 * (others[n / 2 - 1] + others[n / 2]);

	if (median <= 0)
		return;
	a->slowest_ratio = members[worst].latency_avg_s / median;
	if (a->slowest_ratio > SLOW_MEMBER_RATIO)
		a->slowest_member = members[worst].device;
}

/* ---- level and chunk
 * ------------------------------------------------------------------------------- */

static void infer(struct btvi_figures *f, struct btviz_array *a)
{
	const struct btvi_source **sources =
		btvi_arena_alloc(&f->arena, a->member_count, sizeof *sources);
	struct btvi_geometry g;

	if (!sources)
		return;
	for (size_t i = 0; i < a->member_count; i++)
		sources[i] = source_of(
			f->sources[btvi_figures_find(f, a->members[i]->device)], a->device);
	g = btvi_geometry_find(sources, a->member_count, BTVIZ_MAJOR(a->device) == 9,
		a->rmw_messages + a->rcw_messages > 0);
	a->inferred = true;
	a->level = g.level;
	a->layout = g.layout;
	a->layout_devices = g.devices;
	a->data_members = g.data_devices;
	a->chunk_bytes = g.chunk_sectors * BTVIZ_SECTOR_BYTES;
}

/* ---- traffic that the array did not ask for
 * ---------------------------------------------------------- */

static void amplify(
	struct btviz_array *a, const struct btviz_device *array, const struct btviz_member *members)
{
	double read = 0, write = 0, own = 0, array_read, array_write;

	a->read_amplification = a->write_amplification = NAN;
	for (size_t i = 0; i < a->member_count; i++) {
		read += (double)members[i].read.bytes;
		write += (double)members[i].write.bytes;
		own += (double)members[i].own.bytes;
	}
	a->own_bytes = (uint64_t)own;
	if (!array)
		return;
	array_read = (double)array->moved[BTVIZ_DIR_READ].bytes;
	array_write = (double)array->moved[BTVIZ_DIR_WRITE].bytes;
	if (array_read > 0)
		a->read_amplification = read / array_read;
	if (array_write > 0)
		a->write_amplification = write / array_write;
	if (array_write > 0 && read > array_read)
		a->rmw_read_bytes = (uint64_t)(read - array_read);
}

static void split_latency(
	struct btviz_array *a, const struct btviz_device *array, const struct btvi_figures *f)
{
	double sum = 0, count = 0;

	a->above_s = a->in_members_s = NAN;
	if (!array || array->latency[BTVIZ_Q2C][BTVIZ_DIR_ALL].count == 0)
		return;
	for (size_t i = 0; i < a->member_count; i++) {
		const size_t at = btvi_figures_find(f, a->members[i]->device);
		const struct btviz_distribution *q2c =
			&f->devices[at].latency[BTVIZ_Q2C][BTVIZ_DIR_ALL];

		if (q2c->count == 0)
			continue;
		sum += q2c->avg * (double)q2c->count;
		count += (double)q2c->count;
	}
	if (count == 0)
		return;
	/* Members that take longer have I/O that the array's is not made of: then it cannot be
	 * told. */
	if (sum / count > array->latency[BTVIZ_Q2C][BTVIZ_DIR_ALL].avg)
		return;
	a->in_members_s = sum / count;
	a->above_s = array->latency[BTVIZ_Q2C][BTVIZ_DIR_ALL].avg - a->in_members_s;
}

bool btvi_level_has_parity(const char *level)
{
	return level &&
		(strcmp(level, "raid4") == 0 || strcmp(level, "raid5") == 0 ||
			strcmp(level, "raid6") == 0);
}

static void fill_array(struct btvi_figures *f, const struct btviz_summary *s, struct btviz_array *a,
	uint32_t device)
{
	const size_t at = btvi_figures_find(f, device);
	const struct btviz_device *array = at == SIZE_MAX ? NULL : &f->devices[at];
	const struct btviz_member **list;
	struct btviz_member *members;

	a->device = device;
	if (array) {
		a->name = array->name;
	} else {
		char number[32];

		snprintf(number, sizeof number, "%u,%u", BTVIZ_MAJOR(device), BTVIZ_MINOR(device));
		a->name = btvi_arena_text(&f->arena, number);
	}
	members = btvi_arena_alloc(&f->arena, f->pub.device_count, sizeof *members);
	if (!members)
		return;
	for (size_t i = 0; i < f->pub.device_count; i++)
		if (btvi_is_member_of(&f->devices[i], device))
			fill_member(&members[a->member_count++], &f->devices[i], f->sources[i],
				device, f->pub.span_s);
	list = btvi_arena_alloc(&f->arena, a->member_count, sizeof *list);
	BTVI_LIST_OF(list, members, a->member_count);
	a->members = list;
	if (!list)
		return;
	balance(a, members);
	amplify(a, array, members);
	slowest(f, a, members);
	split_latency(a, array, f);
	if (array) {
		a->rmw_messages = f->sources[at]->rmw_messages;
		a->rcw_messages = f->sources[at]->rcw_messages;
	}
	infer(f, a);
	/* Reads that no read explains mean something on parity arrays only. */
	if (!btvi_level_has_parity(a->level))
		a->rmw_read_bytes = 0;
	for (size_t i = 0; i < s->fact_count; i++)
		if (s->facts[i].device == device && s->facts[i].level[0] != '\0') {
			a->level = btvi_arena_text(&f->arena, s->facts[i].level);
			a->chunk_bytes = s->facts[i].chunk_bytes;
			a->inferred = false;
		}
	btvi_figures_sync(f, s, a);
}

void btvi_figures_arrays(struct btvi_figures *f, const struct btviz_summary *s)
{
	uint32_t *ids =
		btvi_arena_alloc(&f->arena, f->pub.device_count * BTVI_SOURCE_MAX + 1, sizeof *ids);
	const struct btviz_array **list;
	struct btviz_array *arrays;
	size_t n = 0;

	if (!ids)
		return;
	for (size_t i = 0; i < f->pub.device_count; i++)
		for (size_t p = 0; p < f->devices[i].parent_count; p++) {
			size_t k = 0;

			while (k < n && ids[k] != f->devices[i].parents[p])
				k++;
			if (k == n)
				ids[n++] = f->devices[i].parents[p];
		}
	arrays = btvi_arena_alloc(&f->arena, n, sizeof *arrays);
	if (!arrays)
		return;
	for (size_t i = 0; i < n; i++)
		fill_array(f, s, &arrays[i], ids[i]);
	list = btvi_arena_alloc(&f->arena, n, sizeof *list);
	BTVI_LIST_OF(list, arrays, n);
	f->pub.arrays = list;
	f->pub.array_count = n;
}
