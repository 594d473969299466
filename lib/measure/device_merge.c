/* device_merge.c - adds what two parts of a run know of the same device. */
#include <stdlib.h>
#include <string.h>

#include "measure/device.h"

static enum btviz_status merge_histogram(
	const struct btvi_device *d, struct btvi_histogram **h, const struct btvi_histogram *part)
{
	return btvi_histogram_merge(h, d->gaps.coarse, part) ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
}

void btvi_device_count_open(const struct btvi_device *d, uint64_t by_age[64])
{
	for (uint32_t b = 0; b < d->pair.bio_capacity; b++) {
		const struct btvi_bio *bio = &d->pair.bios[b];
		uint64_t age;

		if (!bio->open || bio->whole != BTVI_NONE) /* parts of a split I/O are one */
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
		if (p->bios[b].open && p->bios[b].whole == BTVI_NONE)
			add_open(d, p->bios[b].queue_ns, outstanding_ns);
	for (uint32_t r = p->oldest_request; r != BTVI_NONE; r = p->requests[r].newer)
		add_open(d, p->requests[r].issue_ns, in_flight_ns);
}

void btvi_device_close(struct btvi_device *d)
{
	const bool request_based = d->pair.request_based;
	struct btvi_quota *const quota = d->pair.quota;

	btvi_device_count_open(d, d->open_by_age);
	btvi_device_open_time(d, d->open_outstanding_ns, d->open_in_flight_ns);
	d->given_up += d->pair.given_up;
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
	for (unsigned dir = 0; dir < BTVI_DIRECTIONS; dir++) {
		d->moved[dir].ios += part->moved[dir].ios;
		d->moved[dir].bytes += part->moved[dir].bytes;
	}
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
	d->seeks += part->seeks;
	status = merge_histogram(d, &d->seek_sectors, part->seek_sectors);
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

static void merge_counts(struct btvi_device *d, const struct btvi_device *part)
{
	d->events += part->events;
	for (unsigned op = 0; op < BTVIZ_OP_COUNT; op++)
		for (unsigned st = 0; st < BTVIZ_STATION_COUNT; st++) {
			d->actions[op][st].ios += part->actions[op][st].ios;
			d->actions[op][st].bytes += part->actions[op][st].bytes;
		}
	d->gets += part->gets;
	d->inserts += part->inserts;
	d->splits += part->splits;
	d->remaps += part->remaps;
	d->plugs += part->plugs;
	d->unplugs += part->unplugs;
	d->timer_unplugs += part->timer_unplugs;
	d->flushes += part->flushes;
	d->fua_queued += part->fua_queued;
	d->fua_issued += part->fua_issued;
	for (unsigned i = 0; i < part->error_count; i++)
		btvi_device_count_error(d, part->errors[i].error, part->errors[i].count);
	d->outstanding_ns = btvi_capped_add(d->outstanding_ns, part->outstanding_ns);
	d->in_flight_ns = btvi_capped_add(d->in_flight_ns, part->in_flight_ns);
	d->busy_ns = btvi_capped_add(d->busy_ns, part->busy_ns);
	if (part->outstanding_max > d->outstanding_max)
		d->outstanding_max = part->outstanding_max;
	if (part->in_flight_max > d->in_flight_max)
		d->in_flight_max = part->in_flight_max;
	for (unsigned i = 0; i < 64; i++) {
		d->unmatched[i] += part->unmatched[i];
		d->open_by_age[i] += part->open_by_age[i];
		d->open_outstanding_ns[i] =
			btvi_capped_add(d->open_outstanding_ns[i], part->open_outstanding_ns[i]);
		d->open_in_flight_ns[i] =
			btvi_capped_add(d->open_in_flight_ns[i], part->open_in_flight_ns[i]);
	}
	btvi_device_count_open(part, d->open_by_age);
	btvi_device_open_time(part, d->open_outstanding_ns, d->open_in_flight_ns);
	d->given_up += part->given_up + part->pair.given_up;
	for (unsigned i = 0; i < 2; i++) {
		d->own[i].ios += part->own[i].ios;
		d->own[i].bytes += part->own[i].bytes;
	}
	d->rmw_messages += part->rmw_messages;
	d->rcw_messages += part->rcw_messages;
	d->other_messages += part->other_messages;
}

static enum btviz_status merge_queue_pause(struct btvi_device *d, const struct btvi_device *part)
{
	enum btviz_status status = BTVIZ_OK;

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
	return status;
}

enum btviz_status btvi_device_merge(
	struct btvi_device *d, const struct btvi_device *part, const struct btvi_device_options *o)
{
	enum btviz_status status;

	if (d->name[0] == '\0')
		memcpy(d->name, part->name, sizeof d->name);
	d->traced |= part->traced;
	if (part->events == 0)
		return BTVIZ_OK;
	if (btvi_device_coarsen(d, o, part->level) != BTVIZ_OK)
		return BTVIZ_ERR_NOMEM;
	/* The I/Os that are open where the parts meet are cut off there. */
	btvi_device_close(d);
	d->pair.request_based |= part->pair.request_based;
	/* Processes are counted by Q where there is any, else by D. */
	if (d->queued || !part->queued) {
		if (part->queued || !d->queued) {
			status =
				btvi_actors_merge(&d->processes, &part->processes, o->seek_sectors);
			if (status == BTVIZ_OK)
				status = btvi_actors_merge(
					&d->cgroups, &part->cgroups, o->seek_sectors);
		} else {
			status = BTVIZ_OK;
		}
	} else {
		btvi_actors_clear(&d->processes);
		btvi_actors_clear(&d->cgroups);
		status = btvi_actors_merge(&d->processes, &part->processes, o->seek_sectors);
		if (status == BTVIZ_OK)
			status = btvi_actors_merge(&d->cgroups, &part->cgroups, o->seek_sectors);
	}
	if (status == BTVIZ_OK)
		status = merge_queue_pause(d, part);
	merge_counts(d, part);
	if (d->events == part->events) { /* d had none */
		d->first_ns = part->first_ns;
		d->last_ns = part->last_ns;
	}
	d->first_ns = part->first_ns < d->first_ns ? part->first_ns : d->first_ns;
	d->last_ns = part->last_ns > d->last_ns ? part->last_ns : d->last_ns;
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
	for (unsigned dir = 0; dir < BTVI_DIRECTIONS && status == BTVIZ_OK; dir++) {
		for (unsigned i = 0; i < BTVIZ_INTERVAL_COUNT && status == BTVIZ_OK; i++)
			status = merge_histogram(d, &d->latency[i][dir], part->latency[i][dir]);
		if (status == BTVIZ_OK)
			status = merge_histogram(d, &d->queued_bytes[dir], part->queued_bytes[dir]);
		if (status == BTVIZ_OK)
			status = merge_histogram(d, &d->issued_bytes[dir], part->issued_bytes[dir]);
	}
	if (status == BTVIZ_OK)
		status = btvi_gaps_merge(&d->gaps, &part->gaps);
	btvi_remap_merge(&d->remap, &part->remap);
	return status;
}
