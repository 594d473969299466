/* device.c - adds up the events of one device. Knows neither other devices nor how figures are
 * shown. */
#include "measure/device.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "measure/fields.h"

static inline bool failed(enum btviz_status status)
{
	return status != BTVIZ_OK;
}

struct btvi_device *btvi_device_new(
	uint32_t device, const struct btvi_device_options *o, unsigned level)
{
	struct btvi_device *d = calloc(1, sizeof *d);

	if (!d)
		return NULL;
	d->device = device;
	btvi_pair_init(&d->pair);
	btvi_gaps_init(&d->gaps, o->keep_pause_ns);
	btvi_device_resize(d, o, level);
	return d;
}

void btvi_device_free(struct btvi_device *d)
{
	if (!d)
		return;
	btvi_pair_done(&d->pair);
	btvi_gaps_done(&d->gaps);
	btvi_series_done(&d->series);
	for (unsigned m = 0; m < BTVI_MAPS; m++)
		btvi_grid_done(&d->maps[m]);
	btvi_grid_done(&d->heat);
	btvi_fields_free(btvi_device_fields, d);
	btvi_actors_done(&d->processes);
	btvi_actors_done(&d->cgroups);
	free(d);
}

static enum btviz_status record(
	const struct btvi_device *d, struct btvi_histogram **h, uint64_t value)
{
	return btvi_histogram_add(h, d->gaps.coarse, value) ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
}

/* ---- what rests on the best action there is --------------------------------------------- */

void btvi_device_forget_place(struct btvi_device *d)
{
	btvi_fields_clear(btvi_device_fields, BTVI_GROUP_PLACE, d);
	for (unsigned c = BTVI_COL_SIZE_BYTES; c < BTVI_COL_MERGES; c++)
		btvi_series_clear(&d->series, c);
	for (unsigned c = BTVI_COL_SEEKS; c < BTVI_COL_OUTSTANDING_NS; c++)
		btvi_series_clear(&d->series, c);
	for (unsigned m = 0; m < BTVI_MAPS; m++)
		btvi_grid_clear(&d->maps[m]);
}

void btvi_device_forget_moved(struct btvi_device *d)
{
	btvi_fields_clear(btvi_device_fields, BTVI_GROUP_BASIS, d);
	for (unsigned c = BTVI_COL_BYTES; c < BTVI_COL_SIZE_BYTES; c++)
		btvi_series_clear(&d->series, c);
}

/* Whether throughput is counted from this action; a better one starts the count anew. */
static bool is_basis(struct btvi_device *d, enum btviz_basis basis)
{
	if (d->basis < basis) {
		d->basis = basis;
		btvi_device_forget_moved(d);
	}
	return d->basis == basis;
}

static bool is_place(struct btvi_device *d, enum btvi_rank place)
{
	if (d->place < place) {
		d->place = place;
		btvi_device_forget_place(d);
	}
	return d->place == place;
}

/* more: bytes beyond the event's own. */
static enum btviz_status move_bytes(struct btvi_device *d, const struct btviz_event *ev,
	enum btviz_op op, uint64_t ios, uint64_t more)
{
	const unsigned dir = btvi_direction(op);
	const uint64_t bytes = ev->bytes + more;

	d->moved[dir].ios += ios;
	d->moved[dir].bytes += bytes;
	if (failed(btvi_series_add(&d->series, BTVI_COL_BYTES + dir, ev->time_ns, bytes)))
		return BTVIZ_ERR_NOMEM;
	return ios ? btvi_series_add(&d->series, BTVI_COL_IOS + dir, ev->time_ns, ios) : BTVIZ_OK;
}

static enum btviz_status seek(struct btvi_device *d, const struct btvi_device_options *o,
	const struct btviz_event *ev, unsigned dir)
{
	const uint64_t end = ev->sector + ev->bytes / BTVIZ_SECTOR_BYTES;
	enum btviz_status status = BTVIZ_OK;

	if (d->placed) {
		const uint64_t distance = ev->sector > d->place_end ? ev->sector - d->place_end
								    : d->place_end - ev->sector;

		status = record(d, &d->seek_sectors, distance);
		if (distance > o->seek_sectors && !failed(status)) {
			d->seeks++;
			status = btvi_series_add(&d->series, BTVI_COL_SEEKS + dir, ev->time_ns, 1);
		}
	} else {
		d->first_place = ev->sector;
		d->first_place_ns = ev->time_ns;
		d->first_place_direction = dir;
	}
	d->placed = true;
	d->place_end = end;
	return status;
}

/* Where an I/O landed: seeks, the map, its size. pid is its submitter. */
static enum btviz_status place(struct btvi_device *d, const struct btvi_device_options *o,
	const struct btviz_event *ev, enum btviz_op op, uint32_t pid)
{
	const unsigned dir = btvi_direction(op);
	const uint64_t sectors = ev->bytes / BTVIZ_SECTOR_BYTES;
	const uint64_t seeks = d->seeks;

	if (op == BTVIZ_OP_FLUSH || op == BTVIZ_OP_ZONE || op == BTVIZ_OP_PC)
		return BTVIZ_OK;
	if (dir != BTVIZ_DIR_OTHER && failed(seek(d, o, ev, dir)))
		return BTVIZ_ERR_NOMEM;
	if (failed(btvi_series_add(
		    &d->series, BTVI_COL_SIZE_BYTES + dir, ev->time_ns, ev->bytes)) ||
		failed(btvi_series_add(&d->series, BTVI_COL_SIZE_IOS + dir, ev->time_ns, 1)))
		return BTVIZ_ERR_NOMEM;
	if (o->map_seeks && d->seeks == seeks)
		return BTVIZ_OK;
	return btvi_grid_add(&d->maps[dir], ev->time_ns, ev->sector, sectors, pid);
}

/* ---- depth
 * ---------------------------------------------------------------------------------------- */

static unsigned busy_column(uint32_t in_flight)
{
	return in_flight <= BTVI_COL_BUSY_END - BTVI_COL_BUSY_NS ? BTVI_COL_BUSY_NS + in_flight - 1
								 : BTVI_COL_BUSY_MORE_NS;
}

/* Adds the time since the last change to the depths that held in it. Inlined: it is of each event.
 */
__attribute__((always_inline)) static inline enum btviz_status pass_time(
	struct btvi_device *d, uint64_t now_ns)
{
	const uint32_t outstanding = d->pair.outstanding;
	const uint32_t in_flight = d->pair.request_based ? d->pair.in_flight : outstanding;
	const uint64_t from = d->state_ns;
	uint64_t ns;

	if (now_ns <= from)
		return BTVIZ_OK;
	d->state_ns = now_ns;
	if ((outstanding | in_flight) == 0)
		return BTVIZ_OK;
	ns = now_ns - from;
	if (outstanding > 0) {
		d->outstanding_ns = btvi_capped_add_times(d->outstanding_ns, ns, outstanding);
		if (failed(btvi_series_add_span(
			    &d->series, BTVI_COL_OUTSTANDING_NS, from, now_ns, outstanding)))
			return BTVIZ_ERR_NOMEM;
	}
	if (in_flight > 0) {
		d->in_flight_ns = btvi_capped_add_times(d->in_flight_ns, ns, in_flight);
		d->busy_ns += ns;
		if (failed(btvi_series_add_spans(&d->series, BTVI_COL_IN_FLIGHT_NS, in_flight,
			    busy_column(in_flight), from, now_ns)))
			return BTVIZ_ERR_NOMEM;
	}
	return BTVIZ_OK;
}

static enum btviz_status note_state(struct btvi_device *d, uint64_t now_ns, bool measure)
{
	const uint32_t outstanding = d->pair.outstanding;
	const uint32_t in_flight = d->pair.request_based ? d->pair.in_flight : outstanding;

	btvi_gaps_state(&d->gaps, now_ns, outstanding, in_flight);
	if (!measure)
		return BTVIZ_OK;
	if (in_flight > d->in_flight_max) {
		d->in_flight_max = in_flight;
		d->in_flight_max_ns = now_ns;
	}
	if (outstanding > d->outstanding_max)
		d->outstanding_max = outstanding;
	return outstanding > 0 ? btvi_series_raise(&d->series, now_ns, outstanding) : BTVIZ_OK;
}

enum btviz_status btvi_device_end(struct btvi_device *d, uint64_t end_ns)
{
	if (d->events == 0 || d->ignored)
		return BTVIZ_OK;
	btvi_series_reach(&d->series, end_ns);
	return pass_time(d, end_ns);
}

/* ---- the single actions ----------------------------------------------------------------- */

static void count_unmatched(struct btvi_device *d, uint64_t now_ns)
{
	const uint64_t age = now_ns > d->first_ns ? now_ns - d->first_ns : 0;

	d->unmatched[age ? 63 - __builtin_clzll(age) : 0]++;
}

static void count_actor(struct btvi_actor *a, const struct btvi_device_options *o,
	const struct btviz_event *ev, unsigned dir)
{
	if (dir != BTVIZ_DIR_OTHER)
		btvi_actor_place(a, ev->sector, ev->bytes / BTVIZ_SECTOR_BYTES, o->seek_sectors);
	a->count[dir].ios++;
	a->count[dir].bytes += ev->bytes;
	if (a->cgroup_id == 0)
		a->cgroup_id = ev->cgroup_id;
	else if (ev->cgroup_id != 0 && ev->cgroup_id != a->cgroup_id)
		a->cgroup_id = UINT64_MAX;
}

/* Who asked for it. */
static enum btviz_status count_actors(struct btvi_device *d, const struct btvi_device_options *o,
	const struct btviz_event *ev, unsigned dir)
{
	struct btvi_actor *a = btvi_actors_get(&d->processes, ev->pid);

	if (!a)
		return BTVIZ_ERR_NOMEM;
	if (a->first_ns == 0)
		a->first_ns = ev->time_ns;
	if (ev->time_ns > a->last_ns)
		a->last_ns = ev->time_ns;
	count_actor(a, o, ev, dir);
	if (ev->cgroup_id == 0)
		return BTVIZ_OK;
	a = btvi_actors_get(&d->cgroups, ev->cgroup_id);
	if (!a)
		return BTVIZ_ERR_NOMEM;
	count_actor(a, o, ev, dir);
	return BTVIZ_OK;
}

static enum btviz_status add_queue(struct btvi_device *d, const struct btvi_device_options *o,
	const struct btviz_event *ev, enum btviz_op op)
{
	const unsigned dir = btvi_direction(op);

	if (!d->queued) {
		d->first_queue_ns = ev->time_ns;
		d->first_queue_direction = dir;
		/* until now they were counted as issued */
		btvi_actors_clear(&d->processes);
		btvi_actors_clear(&d->cgroups);
	} else if (ev->time_ns >= d->last_queue_ns &&
		failed(record(d, &d->latency[BTVIZ_Q2Q][dir], ev->time_ns - d->last_queue_ns))) {
		return BTVIZ_ERR_NOMEM;
	}
	d->queued = true;
	d->last_queue_ns = ev->time_ns;
	d->flushes += (ev->categories & BTVIZ_CAT_FLUSH) != 0;
	d->fua_queued += (ev->categories & BTVIZ_CAT_FUA) != 0;
	if (!btvi_remap_follows(&d->remap, ev) && dir < 2) {
		d->own[dir].ios++;
		d->own[dir].bytes += ev->bytes;
		if (failed(btvi_series_add(
			    &d->series, BTVI_COL_OWN_READ + dir, ev->time_ns, ev->bytes)))
			return BTVIZ_ERR_NOMEM;
	}
	if (failed(count_actors(d, o, ev, dir)))
		return BTVIZ_ERR_NOMEM;
	if (op == BTVIZ_OP_FLUSH)
		return BTVIZ_OK;
	if (failed(record(d, &d->queued_bytes[dir], ev->bytes)) ||
		(is_basis(d, BTVIZ_BASIS_QUEUE) && failed(move_bytes(d, ev, op, 1, 0))))
		return BTVIZ_ERR_NOMEM;
	return is_place(d, BTVI_RANK_QUEUE) ? place(d, o, ev, op, ev->pid) : BTVIZ_OK;
}

static enum btviz_status add_issue(struct btvi_device *d, const struct btvi_device_options *o,
	const struct btviz_event *ev, enum btviz_op op, const struct btvi_pair_result *r)
{
	const unsigned dir = btvi_direction(op);

	d->fua_issued += (ev->categories & BTVIZ_CAT_FUA) != 0;
	if (r->have & BTVI_HAVE_I2D && failed(record(d, &d->latency[BTVIZ_I2D][dir], r->i2d_ns)))
		return BTVIZ_ERR_NOMEM;
	for (uint32_t b = r->issued; b != BTVI_NONE; b = d->pair.bios[b].sibling) {
		const struct btvi_bio *bio = &d->pair.bios[b];

		if (bio->known & BTVI_KNOWN_REQUEUE)
			continue;
		if (ev->time_ns >= bio->queue_ns &&
			failed(record(d, &d->latency[BTVIZ_Q2D][dir], ev->time_ns - bio->queue_ns)))
			return BTVIZ_ERR_NOMEM;
		if ((bio->known & BTVI_KNOWN_MERGE) && ev->time_ns >= bio->merge_ns &&
			failed(record(d, &d->latency[BTVIZ_M2D][dir], ev->time_ns - bio->merge_ns)))
			return BTVIZ_ERR_NOMEM;
	}
	if (op == BTVIZ_OP_FLUSH || r->extra)
		return BTVIZ_OK;
	if (!d->queued && failed(count_actors(d, o, ev, dir)))
		return BTVIZ_ERR_NOMEM;
	if (!r->matched && d->queued && op != BTVIZ_OP_PC)
		count_unmatched(d, ev->time_ns);
	if (failed(record(d, &d->issued_bytes[dir], ev->bytes)) ||
		(is_basis(d, BTVIZ_BASIS_ISSUE) && failed(move_bytes(d, ev, op, 1, 0))))
		return BTVIZ_ERR_NOMEM;
	return is_place(d, BTVI_RANK_ISSUE) ? place(d, o, ev, op, r->pid ? r->pid : ev->pid)
					    : BTVIZ_OK;
}

void btvi_device_count_error(struct btvi_device *d, int error, uint64_t count)
{
	for (unsigned i = 0; i < d->error_count; i++)
		if (d->errors[i].error == error) {
			d->errors[i].count += count;
			return;
		}
	if (d->error_count < BTVI_ERRORS_KEPT)
		d->errors[d->error_count++] = (struct btviz_error_count){ error, count };
	else
		d->errors[BTVI_ERRORS_KEPT - 1].count += count;
}

void btvi_failed_merge(struct btvi_failed *into, const struct btvi_failed *part)
{
	if (part->ios == 0)
		return;
	if (into->ios == 0 || part->first_ns < into->first_ns)
		into->first_ns = part->first_ns;
	if (into->ios == 0 || part->first_sector < into->first_sector)
		into->first_sector = part->first_sector;
	if (part->last_ns > into->last_ns)
		into->last_ns = part->last_ns;
	if (part->last_sector > into->last_sector)
		into->last_sector = part->last_sector;
	into->ios += part->ios;
}

static void count_failed(struct btvi_device *d, const struct btviz_event *ev, unsigned dir)
{
	const uint64_t sectors = ev->bytes / BTVIZ_SECTOR_BYTES;
	const struct btvi_failed one = { 1, ev->time_ns, ev->time_ns, ev->sector,
		ev->sector + (sectors > 0 ? sectors - 1 : 0) };

	btvi_device_count_error(d, ev->error, 1);
	btvi_failed_merge(&d->failed[dir], &one);
}

/* An I/O, from its queueing to its completion, is over. */
static enum btviz_status end_bio(
	struct btvi_device *d, const struct btviz_event *ev, const struct btvi_bio *bio)
{
	const unsigned dir = btvi_direction((enum btviz_op)bio->op);
	const uint64_t end_ns = bio->known & BTVI_KNOWN_TAIL ? bio->tail_ns : ev->time_ns;
	struct btvi_actor *a;
	uint64_t ns;

	if (end_ns < bio->queue_ns)
		return BTVIZ_OK;
	ns = end_ns - bio->queue_ns;
	a = btvi_actors_get(&d->processes, bio->pid);
	if (failed(record(d, &d->latency[BTVIZ_Q2C][dir], ns)) || !a ||
		failed(btvi_actor_latency(&d->processes, a, ns)) ||
		failed(btvi_series_add(&d->series, BTVI_COL_Q2C_NS + dir, ev->time_ns, ns)) ||
		failed(btvi_series_add(&d->series, BTVI_COL_Q2C_IOS + dir, ev->time_ns, 1)))
		return BTVIZ_ERR_NOMEM;
	if (bio->cgroup_id != 0) {
		a = btvi_actors_get(&d->cgroups, bio->cgroup_id);
		if (!a || failed(btvi_actor_latency(&d->cgroups, a, ns)))
			return BTVIZ_ERR_NOMEM;
	}
	if (d->pair.request_based)
		return BTVIZ_OK;
	return btvi_grid_add(&d->heat, ev->time_ns, btvi_heat_row(ns), 1, 0);
}

static enum btviz_status add_complete(struct btvi_device *d, const struct btvi_device_options *o,
	const struct btviz_event *ev, enum btviz_op op, const struct btvi_pair_result *r)
{
	const unsigned dir = btvi_direction(op);
	uint64_t ios = 0;

	for (uint32_t b = r->done; b != BTVI_NONE; b = d->pair.bios[b].sibling) {
		ios++;
		if (failed(end_bio(d, ev, &d->pair.bios[b])))
			return BTVIZ_ERR_NOMEM;
	}
	if (r->have & BTVI_HAVE_D2C)
		if (failed(record(d, &d->latency[BTVIZ_D2C][dir], r->d2c_ns)) ||
			failed(btvi_grid_add(
				&d->heat, ev->time_ns, btvi_heat_row(r->d2c_ns), 1, 0)))
			return BTVIZ_ERR_NOMEM;
	if (op == BTVIZ_OP_FLUSH) {
		if (ev->error != 0)
			count_failed(d, ev, dir);
		return BTVIZ_OK;
	}
	if (r->extra)
		return BTVIZ_OK;
	if (ev->error != 0)
		count_failed(d, ev, dir);
	if (!r->matched && (d->queued || d->pair.request_based))
		count_unmatched(d, ev->time_ns);
	/* A disk completes requests. What md completes are pieces: the I/O is over with its last.
	 */
	if (d->pair.request_based || !d->queued)
		ios = !r->part;
	else if (!r->matched) /* its Q is lost; of pieces it cannot be known which is the last */
		ios = !d->pair.parts_end;
	/* What failed moves nothing, and tells that there are completions. */
	if (is_basis(d, BTVIZ_BASIS_COMPLETE) && ev->error == 0 &&
		failed(move_bytes(d, ev, op, ios, r->rest_sectors * BTVIZ_SECTOR_BYTES)))
		return BTVIZ_ERR_NOMEM;
	return is_place(d, BTVI_RANK_COMPLETE) ? place(d, o, ev, op, ev->pid) : BTVIZ_OK;
}

static void count(struct btvi_device *d, const struct btviz_event *ev, enum btviz_op op,
	enum btviz_station station)
{
	d->actions[op][station].ios++;
	d->actions[op][station].bytes += ev->bytes;
}

/* Counts the event and measures what it ended. */
static enum btviz_status measure_event(struct btvi_device *d, const struct btvi_device_options *o,
	const struct btviz_event *ev, enum btviz_op op, const struct btvi_pair_result *r)
{
	const unsigned dir = btvi_direction(op);

	switch (ev->event) {
	case BTVIZ_ACT_QUEUE:
		count(d, ev, op, BTVIZ_QUEUED);
		return add_queue(d, o, ev, op);
	case BTVIZ_ACT_BACKMERGE:
	case BTVIZ_ACT_FRONTMERGE:
		count(d, ev, op, BTVIZ_MERGED);
		if (!r->matched && d->queued)
			count_unmatched(d, ev->time_ns);
		if (failed(btvi_series_add(&d->series, BTVI_COL_MERGES + dir, ev->time_ns, 1)))
			return BTVIZ_ERR_NOMEM;
		return r->have & BTVI_HAVE_Q2M ? record(d, &d->latency[BTVIZ_Q2M][dir], r->q2m_ns)
					       : BTVIZ_OK;
	case BTVIZ_ACT_GETRQ:
		d->gets++;
		return r->have & BTVI_HAVE_Q2G ? record(d, &d->latency[BTVIZ_Q2G][dir], r->q2g_ns)
					       : BTVIZ_OK;
	case BTVIZ_ACT_INSERT:
		d->inserts++;
		return r->have & BTVI_HAVE_G2I ? record(d, &d->latency[BTVIZ_G2I][dir], r->g2i_ns)
					       : BTVIZ_OK;
	case BTVIZ_ACT_REQUEUE:
		count(d, ev, op, BTVIZ_REQUEUED);
		return BTVIZ_OK;
	case BTVIZ_ACT_ISSUE:
		count(d, ev, op, BTVIZ_ISSUED);
		return add_issue(d, o, ev, op, r);
	case BTVIZ_ACT_COMPLETE:
		count(d, ev, op, BTVIZ_COMPLETED);
		return add_complete(d, o, ev, op, r);
	case BTVIZ_ACT_PLUG:
		d->plugs++;
		break;
	case BTVIZ_ACT_UNPLUG:
		d->unplugs++;
		break;
	case BTVIZ_ACT_UNPLUG_TIMER:
		d->timer_unplugs++;
		break;
	case BTVIZ_ACT_SPLIT:
		d->splits++;
		break;
	case BTVIZ_ACT_REMAP:
		d->remaps++;
		btvi_remap_add(&d->remap, ev);
		break;
	default:
		break;
	}
	return BTVIZ_OK;
}

/* Tells the gap tracker before the event changes what is open. */
static enum btviz_status track_gaps(
	struct btvi_device *d, const struct btviz_event *ev, enum btviz_op op)
{
	if (ev->event == BTVIZ_ACT_QUEUE && op != BTVIZ_OP_FLUSH)
		return btvi_gaps_queue(&d->gaps, ev->time_ns, ev->pid);
	if (ev->event == BTVIZ_ACT_QUEUE)
		btvi_gaps_flush(&d->gaps);
	if (ev->event == BTVIZ_ACT_ISSUE)
		return btvi_gaps_issue(&d->gaps, ev->time_ns);
	if (ev->event == BTVIZ_ACT_COMPLETE)
		return btvi_gaps_complete(&d->gaps, ev->time_ns, d->pair.outstanding);
	return BTVIZ_OK;
}

static bool changes_depth(unsigned event)
{
	const uint32_t change = 1U << BTVIZ_ACT_QUEUE | 1U << BTVIZ_ACT_ISSUE |
		1U << BTVIZ_ACT_COMPLETE | 1U << BTVIZ_ACT_REQUEUE;

	return event < 32 && (change >> event & 1) != 0;
}

enum btviz_status btvi_device_add(struct btvi_device *d, const struct btvi_device_options *o,
	const struct btviz_event *ev, bool measure)
{
	const enum btviz_op op = btviz_event_op(ev);
	const bool request_based = d->pair.request_based;
	const bool depth = changes_depth(ev->event);
	struct btvi_pair_result r;
	enum btviz_status status = BTVIZ_OK;

	if (ev->bytes > 0 && o->last_sector != UINT64_MAX &&
		(ev->sector > o->last_sector ||
			ev->sector + (ev->bytes - 1) / BTVIZ_SECTOR_BYTES < o->first_sector))
		return BTVIZ_OK;
	if (measure) {
		if (d->events++ == 0) {
			d->first_ns = d->last_ns = ev->time_ns;
			d->state_ns = ev->time_ns;
		}
		if (ev->time_ns < d->first_ns)
			d->first_ns = ev->time_ns;
		if (ev->time_ns > d->last_ns)
			d->last_ns = ev->time_ns;
		btvi_series_reach(&d->series, ev->time_ns);
		if (depth && failed(pass_time(d, ev->time_ns)))
			return BTVIZ_ERR_NOMEM;
		if (depth && failed(track_gaps(d, ev, op)))
			return BTVIZ_ERR_NOMEM;
	}
	status = btvi_pair_add(&d->pair, ev, &r);
	if (d->pair.loss_count > 0 && !failed(status))
		status = btvi_device_take_back(d, ev->time_ns);
	if (r.unissued)
		btvi_gaps_unissued(&d->gaps, ev->time_ns);
	if (measure && !failed(status))
		status = measure_event(d, o, ev, op, &r);
	btvi_pair_release(&d->pair, &r);
	/* The first G tells that what is outstanding is not in flight yet. */
	if ((depth || request_based != d->pair.request_based) && !failed(status))
		status = note_state(d, ev->time_ns, measure);
	return status;
}
