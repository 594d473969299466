/* device_merge.c - adds what two parts of a run know of the same device. */
#include <stdlib.h>
#include <string.h>

#include "measure/device.h"
#include "measure/fields.h"

void btvi_device_count_open(const struct btvi_device *d, uint64_t by_age[64])
{
	for (uint32_t b = 0; b < d->pair.bio_capacity; b++) {
		const struct btvi_bio *bio = &d->pair.bios[b];
		uint64_t age;

		if (!bio->open || bio->whole != BTVI_NONE || /* parts of a split I/O are one */
			(bio->known & BTVI_KNOWN_LOST))
			continue;
		age = d->last_ns > bio->queue_ns ? d->last_ns - bio->queue_ns : 0;
		by_age[age ? 63 - __builtin_clzll(age) : 0]++;
	}
	if (d->queued)
		return;
	/* Without any Q: the requests. */
	for (uint32_t r = d->pair.oldest_request; r != BTVI_NONE; r = d->pair.requests[r].newer) {
		const uint64_t then = d->pair.requests[r].issue_ns;
		const uint64_t age = d->last_ns > then ? d->last_ns - then : 0;

		if (!d->pair.requests[r].lost)
			by_age[age ? 63 - __builtin_clzll(age) : 0]++;
	}
}

static unsigned log2_of(uint64_t x)
{
	return x ? 63U - (unsigned)__builtin_clzll(x) : 0;
}

/* Time in the window only, binned by the whole age. */
static void add_open(const struct btvi_device *d, uint64_t then_ns, uint64_t by_age[64])
{
	const uint64_t from = then_ns > d->first_ns ? then_ns : d->first_ns;

	if (d->last_ns > from) {
		uint64_t *const sum = &by_age[log2_of(d->last_ns - then_ns)];

		*sum = btvi_capped_add(*sum, d->last_ns - from);
	}
}

void btvi_device_open_time(
	const struct btvi_device *d, uint64_t outstanding_ns[64], uint64_t in_flight_ns[64])
{
	const struct btvi_pair *const p = &d->pair;

	for (uint32_t b = 0; b < p->bio_capacity; b++)
		if (p->bios[b].open && p->bios[b].whole == BTVI_NONE &&
			!(p->bios[b].known & BTVI_KNOWN_LOST))
			add_open(d, p->bios[b].queue_ns, outstanding_ns);
	for (uint32_t r = p->oldest_request; r != BTVI_NONE; r = p->requests[r].newer)
		if (!p->requests[r].lost)
			add_open(d, p->requests[r].issue_ns, in_flight_ns);
}

struct btvi_tail btvi_device_tail(const struct btvi_device *d)
{
	const struct btvi_pair *const p = &d->pair;
	struct btvi_tail t = { 0, 0, UINT64_MAX, 0 };

	for (uint32_t b = 0; b < p->bio_capacity; b++) {
		const struct btvi_bio *const bio = &p->bios[b];

		if (!bio->open || bio->whole != BTVI_NONE || (bio->known & BTVI_KNOWN_LOST))
			continue;
		t.ios++;
		if (bio->queue_ns < t.since_ns) {
			t.since_ns = bio->queue_ns;
			t.pid = bio->pid;
		}
	}
	for (uint32_t r = p->oldest_request; r != BTVI_NONE; r = p->requests[r].newer) {
		if (p->requests[r].lost)
			continue;
		t.requests++;
		if (!d->queued && p->requests[r].issue_ns < t.since_ns)
			t.since_ns = p->requests[r].issue_ns;
	}
	return t.ios + t.requests > 0 ? t : d->tail;
}

void btvi_device_close(struct btvi_device *d)
{
	const bool request_based = d->pair.request_based;
	struct btvi_quota *const quota = d->pair.quota;

	(void)btvi_device_sweep(d); /* without memory it stays as it is */
	d->tail = btvi_device_tail(d);
	btvi_device_count_open(d, d->open_by_age);
	btvi_device_open_time(d, d->open_outstanding_ns, d->open_in_flight_ns);
	d->given_up += d->pair.given_up;
	d->repeats += d->pair.repeats;
	btvi_pair_done(&d->pair);
	btvi_pair_init(&d->pair);
	d->pair.request_based = request_based;
	d->pair.quota = quota;
}

/* What rests on the best action: the better one stays, equals are added. */
static enum btviz_status merge_basis(struct btvi_device *d, const struct btvi_device *part)
{
	if (part->basis < d->basis)
		return BTVIZ_OK;
	if (part->basis > d->basis) {
		d->basis = part->basis;
		btvi_device_forget_moved(d);
	}
	if (btvi_fields_merge(btvi_device_fields, BTVI_GROUP_BASIS, d->gaps.coarse, d, part) !=
		BTVIZ_OK)
		return BTVIZ_ERR_NOMEM;
	return btvi_series_merge(
		&d->series, &part->series, BTVI_COL_BYTES, BTVI_COL_SIZE_BYTES - 1);
}

static enum btviz_status merge_place(
	struct btvi_device *d, const struct btvi_device *part, const struct btvi_device_options *o)
{
	enum btviz_status status;

	if (part->place < d->place)
		return BTVIZ_OK;
	if (part->place > d->place) {
		d->place = part->place;
		btvi_device_forget_place(d);
	}
	status = btvi_fields_merge(btvi_device_fields, BTVI_GROUP_PLACE, d->gaps.coarse, d, part);
	if (status == BTVIZ_OK)
		status = btvi_series_merge(
			&d->series, &part->series, BTVI_COL_SIZE_BYTES, BTVI_COL_MERGES - 1);
	if (status == BTVIZ_OK)
		status = btvi_series_merge(
			&d->series, &part->series, BTVI_COL_SEEKS, BTVI_COL_OUTSTANDING_NS - 1);
	/* The step from the last place of the one to the first of the other. */
	if (status == BTVIZ_OK && d->placed && part->placed) {
		const uint64_t distance = part->first_place > d->place_end
			? part->first_place - d->place_end
			: d->place_end - part->first_place;

		if (!btvi_histogram_add(&d->seek_sectors, d->gaps.coarse, distance))
			return BTVIZ_ERR_NOMEM;
		if (distance > o->seek_sectors) {
			d->seeks++;
			status = btvi_series_add(&d->series,
				BTVI_COL_SEEKS + part->first_place_direction, part->first_place_ns,
				1);
		}
	}
	if (part->placed) {
		if (!d->placed) {
			d->first_place = part->first_place;
			d->first_place_ns = part->first_place_ns;
			d->first_place_direction = part->first_place_direction;
		}
		d->place_end = part->place_end;
		d->placed = true;
	}
	for (unsigned m = 0; m < BTVI_MAPS && status == BTVIZ_OK; m++)
		status = btvi_grid_merge(&d->maps[m], &part->maps[m]);
	return status;
}

static enum btviz_status merge_events(struct btvi_device *d, const struct btvi_device *part)
{
	if (d->events == 0 || part->first_ns < d->first_ns)
		d->first_ns = part->first_ns;
	/* What was open where the parts meet is cut off there. */
	if (d->events == 0 || part->last_ns >= d->last_ns)
		d->tail = btvi_device_tail(part);
	for (unsigned i = 0; i < part->error_count; i++)
		btvi_device_count_error(d, part->errors[i].error, part->errors[i].count);
	btvi_device_count_open(part, d->open_by_age);
	btvi_device_open_time(part, d->open_outstanding_ns, d->open_in_flight_ns);
	d->given_up += part->pair.given_up;
	d->repeats += part->pair.repeats;
	for (unsigned dir = 0; dir < BTVI_DIRECTIONS; dir++)
		btvi_failed_merge(&d->failed[dir], &part->failed[dir]);
	if (part->lost > 0 && (d->lost == 0 || part->lost_first_ns < d->lost_first_ns))
		d->lost_first_ns = part->lost_first_ns;
	return btvi_fields_merge(btvi_device_fields, BTVI_GROUP_EVENTS, d->gaps.coarse, d, part);
}

/* Processes are counted by Q where there is any, else by D. */
static enum btviz_status merge_actors(
	struct btvi_device *d, const struct btvi_device *part, const struct btvi_device_options *o)
{
	enum btviz_status status;

	if (d->queued && !part->queued)
		return BTVIZ_OK;
	if (part->queued && !d->queued) {
		btvi_actors_clear(&d->processes);
		btvi_actors_clear(&d->cgroups);
	}
	status = btvi_actors_merge(&d->processes, &part->processes, o->seek_sectors);
	return status == BTVIZ_OK ? btvi_actors_merge(&d->cgroups, &part->cgroups, o->seek_sectors)
				  : status;
}

static enum btviz_status merge_queue_pause(struct btvi_device *d, const struct btvi_device *part)
{
	if (!part->queued)
		return BTVIZ_OK;
	if (d->queued && part->first_queue_ns >= d->last_queue_ns) {
		struct btvi_histogram **h = &d->latency[BTVIZ_Q2Q][part->first_queue_direction];

		if (!btvi_histogram_add(h, d->gaps.coarse, part->first_queue_ns - d->last_queue_ns))
			return BTVIZ_ERR_NOMEM;
	}
	if (!d->queued || part->first_queue_ns < d->first_queue_ns) {
		d->first_queue_ns = part->first_queue_ns;
		d->first_queue_direction = part->first_queue_direction;
	}
	if (!d->queued || part->last_queue_ns > d->last_queue_ns)
		d->last_queue_ns = part->last_queue_ns;
	d->queued = true;
	return BTVIZ_OK;
}

enum btviz_status btvi_device_merge(
	struct btvi_device *d, const struct btvi_device *part, const struct btvi_device_options *o)
{
	enum btviz_status status;

	if (d->name[0] == '\0')
		memcpy(d->name, part->name, sizeof d->name);
	status = btvi_fields_merge(btvi_device_fields, BTVI_GROUP_NOTES, d->gaps.coarse, d, part);
	if (part->events == 0 || status != BTVIZ_OK)
		return status;
	if (btvi_device_coarsen(d, o, part->level) != BTVIZ_OK)
		return BTVIZ_ERR_NOMEM;
	/* The I/Os that are open where the parts meet are cut off there. */
	btvi_device_close(d);
	status = merge_actors(d, part, o);
	if (status == BTVIZ_OK)
		status = merge_queue_pause(d, part);
	if (status == BTVIZ_OK)
		status = merge_events(d, part);
	d->state_ns = d->last_ns;
	if (status == BTVIZ_OK)
		status = merge_basis(d, part);
	if (status == BTVIZ_OK)
		status = merge_place(d, part, o);
	if (status == BTVIZ_OK)
		status = btvi_series_merge(
			&d->series, &part->series, BTVI_COL_MERGES, BTVI_COL_SEEKS - 1);
	if (status == BTVIZ_OK)
		status = btvi_series_merge(
			&d->series, &part->series, BTVI_COL_OUTSTANDING_NS, BTVI_COLUMN_COUNT - 1);
	if (status == BTVIZ_OK)
		status = btvi_grid_merge(&d->heat, &part->heat);
	if (status == BTVIZ_OK)
		status = btvi_gaps_merge(&d->gaps, &part->gaps);
	btvi_remap_merge(&d->remap, &part->remap);
	return status;
}
