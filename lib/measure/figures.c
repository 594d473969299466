/* figures.c - makes the public figures of what was added up; devices here, the rest in figures_*.c.
 */
#include "measure/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "measure/fields.h"

struct btviz_distribution btvi_distribution(
	const struct btvi_histogram *const *parts, unsigned count, double scale)
{
	struct btviz_distribution out = { 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	const struct btvi_histogram *only = NULL;
	struct btvi_histogram *sum = NULL;
	unsigned used = 0;

	for (unsigned i = 0; i < count; i++)
		if (parts[i] && parts[i]->count > 0) {
			only = parts[i];
			used++;
		}
	if (used == 0)
		return out;
	if (used > 1) {
		for (unsigned i = 0; i < count; i++)
			if (!btvi_histogram_merge(&sum, 0, parts[i])) {
				btvi_histogram_free(sum);
				return out; /* the caller finds out by its next allocation */
			}
		only = sum;
	}
	out.count = only->count;
	out.min = (double)only->min * scale;
	out.max = (double)only->max * scale;
	out.avg = (double)only->sum / (double)only->count * scale;
	if (!(out.avg >= out.min)) /* a sum that was capped, or rounding */
		out.avg = out.min;
	out.p50 = btvi_histogram_quantile(only, 0.5) * scale;
	out.p90 = btvi_histogram_quantile(only, 0.9) * scale;
	out.p99 = btvi_histogram_quantile(only, 0.99) * scale;
	out.p999 = btvi_histogram_quantile(only, 0.999) * scale;
	btvi_histogram_free(sum);
	return out;
}

size_t btvi_figures_find(const struct btvi_figures *f, uint32_t device)
{
	for (size_t i = 0; i < f->pub.device_count; i++)
		if (f->devices[i].device == device)
			return i;
	return SIZE_MAX;
}

static void distributions(struct btviz_distribution out[BTVIZ_DIR_COUNT],
	struct btvi_histogram *const parts[BTVI_DIRECTIONS], double scale)
{
	const struct btvi_histogram *const all[BTVI_DIRECTIONS] = { parts[0], parts[1], parts[2] };

	for (unsigned dir = 0; dir < BTVI_DIRECTIONS; dir++)
		out[dir] = btvi_distribution(&all[dir], 1, scale);
	out[BTVIZ_DIR_ALL] = btvi_distribution(all, BTVI_DIRECTIONS, scale);
}

static uint64_t data_ios(const struct btvi_device *d, enum btviz_station station)
{
	return d->actions[BTVIZ_OP_READ][station].ios + d->actions[BTVIZ_OP_WRITE][station].ios;
}

static uint64_t station_ios(const struct btvi_device *d, enum btviz_station station)
{
	uint64_t n = 0;

	for (unsigned op = 0; op < BTVIZ_OP_COUNT; op++)
		n += d->actions[op][station].ios;
	return n;
}

/* What lacks its other half was cut off if it is closer than this to an end of the trace, else
 * something is missing: twice the longest latency that was seen. */
static uint64_t open_bound(const struct btvi_device *d)
{
	double longest = 0;

	for (unsigned dir = 0; dir < BTVI_DIRECTIONS; dir++) {
		const struct btvi_histogram *q2c = d->latency[BTVIZ_Q2C][dir];
		const struct btvi_histogram *d2c = d->latency[BTVIZ_D2C][dir];

		if (q2c && (double)q2c->max > longest)
			longest = (double)q2c->max;
		if (d2c && (double)d2c->max > longest)
			longest = (double)d2c->max;
	}
	/* Where nothing ever completes, nothing can be missing. */
	if (station_ios(d, BTVIZ_COMPLETED) == 0 || longest <= 0)
		return UINT64_MAX;
	return (uint64_t)(2 * longest);
}

static void count_unpaired(struct btviz_device *out, const struct btvi_device *d)
{
	const uint64_t bound = open_bound(d);
	uint64_t open[64];

	memcpy(open, d->open_by_age, sizeof open);
	btvi_device_count_open(d, open);
	for (unsigned i = 0; i < 64; i++) {
		const bool near = UINT64_C(1) << i <= bound;

		*(near ? &out->cut_head : &out->unpaired) += d->unmatched[i];
		*(near ? &out->cut_tail : &out->unpaired) += open[i];
	}
	out->given_up = d->given_up + d->pair.given_up;
	out->unpaired += out->given_up + d->lost;
	out->lost_ios = d->lost;
	out->lost_first_ns = d->lost > 0 ? d->lost_first_ns : 0;
	out->lost_last_ns = d->lost > 0 ? d->lost_last_ns : 0;
	out->repeats = d->repeats + d->pair.repeats;
	out->unclear_pauses = d->gaps.unclear;
}

/* An I/O whose completion was lost looks as if it were under way to the end. Averages are put
 * right; how many there were at most, and how long there were any, then cannot be known. */
static void depths(struct btviz_device *out, const struct btvi_device *d, double span_ns)
{
	const bool completes = station_ios(d, BTVIZ_COMPLETED) > 0;
	const bool known = d->queued && completes;
	const bool in_flight_known = d->pair.request_based && completes;
	const uint64_t bound = open_bound(d);
	uint64_t open[2][64];
	double lost[2] = { 0, 0 };

	memcpy(open[0], d->open_outstanding_ns, sizeof open[0]);
	memcpy(open[1], d->open_in_flight_ns, sizeof open[1]);
	btvi_device_open_time(d, open[0], open[1]);
	for (unsigned i = 0; i < 64; i++)
		for (unsigned k = 0; k < 2; k++)
			lost[k] += UINT64_C(1) << i > bound ? (double)open[k][i] : 0;
	out->outstanding_avg = out->outstanding_max = out->in_flight_avg = out->in_flight_max = NAN;
	out->utilisation = NAN;
	if (known && span_ns > 0)
		out->outstanding_avg = fmax(0, (double)d->outstanding_ns - lost[0]) / span_ns;
	if (in_flight_known && span_ns > 0)
		out->in_flight_avg = fmax(0, (double)d->in_flight_ns - lost[1]) / span_ns;
	if (lost[0] + lost[1] > 0)
		return;
	if (known)
		out->outstanding_max = (double)d->outstanding_max;
	if (in_flight_known)
		out->in_flight_max = (double)d->in_flight_max;
	/* Parts of one device that overlap in time are busy at the same time: never above 1. */
	if ((known || in_flight_known) && span_ns > 0)
		out->utilisation = fmin((double)d->busy_ns / span_ns, 1);
}

/* What failed, and what never ended. */
static void ends(struct btvi_figures *f, const struct btviz_summary *s, struct btviz_device *out,
	const struct btvi_device *d)
{
	/* What is open at a window's end goes on behind it. */
	const struct btvi_tail none = { 0, 0, 0, 0 };
	const struct btvi_tail tail = s->window_over ? none : btvi_device_tail(d);

	for (unsigned dir = 0; dir < BTVI_DIRECTIONS; dir++) {
		const struct btvi_failed *const x = &d->failed[dir];

		out->failed[dir] = (struct btviz_failed){ .ios = x->ios,
			.first_s = x->ios > 0 ? btvi_figures_s(f, x->first_ns) : NAN,
			.last_s = x->ios > 0 ? btvi_figures_s(f, x->last_ns) : NAN,
			.first_sector = x->first_sector,
			.last_sector = x->last_sector };
	}
	out->open_ios = tail.ios;
	out->open_requests = tail.requests;
	out->open_since_s = tail.ios + tail.requests > 0 ? btvi_figures_s(f, tail.since_ns) : NAN;
	out->open_pid = (uint32_t)tail.pid;
	out->open_comm = tail.pid == 0
		? ""
		: btvi_arena_text(
			  &f->arena, btvi_names_get(&s->names, (uint32_t)tail.pid, d->last_ns));
}

void btvi_figures_of_device(struct btvi_figures *f, const struct btviz_summary *s,
	struct btviz_device *out, const struct btvi_device *d)
{
	const double span_ns = (double)(f->pub.end_ns - f->pub.start_ns);

	out->request_based = d->pair.request_based;
	out->basis = d->basis;
	btvi_fields_show(btvi_device_fields, d, out);
	out->first_ns = d->first_ns;
	out->last_ns = d->last_ns;
	out->stream_cpus = d->stream_cpus;
	for (unsigned op = 0; op < BTVIZ_OP_COUNT; op++)
		memcpy(out->actions[op], d->actions[op], sizeof d->actions[op]);
	for (unsigned dir = 0; dir < BTVI_DIRECTIONS; dir++)
		out->moved[dir] = d->moved[dir];
	/* Discards and the like move nothing: all means reads and writes. */
	out->moved[BTVIZ_DIR_ALL].ios = d->moved[0].ios + d->moved[1].ios;
	out->moved[BTVIZ_DIR_ALL].bytes = d->moved[0].bytes + d->moved[1].bytes;
	out->fua = d->queued ? d->fua_queued : d->fua_issued;
	out->seek_sectors =
		btvi_distribution((const struct btvi_histogram *const[]){ d->seek_sectors }, 1, 1);
	distributions(out->queued_bytes, d->queued_bytes, 1);
	distributions(out->issued_bytes, d->issued_bytes, 1);
	for (unsigned i = 0; i < BTVIZ_INTERVAL_COUNT; i++)
		distributions(out->latency[i], d->latency[i], 1e-9);

	depths(out, d, span_ns);
	out->merge_ratio = data_ios(d, BTVIZ_QUEUED) > 0 && data_ios(d, BTVIZ_ISSUED) > 0
		? (double)data_ios(d, BTVIZ_QUEUED) / (double)data_ios(d, BTVIZ_ISSUED)
		: NAN;
	if (d->error_count > 0) {
		struct btviz_error_count *errors =
			btvi_arena_alloc(&f->arena, d->error_count, sizeof *errors);

		if (errors)
			memcpy(errors, d->errors, d->error_count * sizeof *errors);
		out->errors = errors;
		out->error_count = errors ? d->error_count : 0;
	}
	count_unpaired(out, d);
	ends(f, s, out, d);
	out->map_first_sector = UINT64_MAX;
	for (unsigned m = 0; m < BTVI_MAPS; m++) {
		const struct btvi_ruler *y = &d->maps[m].y;

		if (!y->any)
			continue;
		if (y->low < out->map_first_sector)
			out->map_first_sector = y->low;
		if (y->high > out->map_last_sector)
			out->map_last_sector = y->high;
	}
}

#define WALL_SLACK_NS 10000000000ULL

static void wall_clock(struct btvi_figures *f, const struct btviz_summary *s)
{
	int64_t ns;

	if (!s->wall.known)
		return;
	f->pub.has_wall = true;
	/* The note's own time is before the first I/O, rarely behind it. Far behind it, it is of
	 * another clock: a dump has the times of I/Os counted from 0, and those of notes not. The
	 * note was written when the recording began, then. */
	if (s->wall.time_ns > f->pub.origin_ns &&
		s->wall.time_ns - f->pub.origin_ns > WALL_SLACK_NS)
		ns = s->wall.nsec;
	else
		ns = (int64_t)s->wall.nsec + (int64_t)(f->pub.origin_ns - s->wall.time_ns);
	f->pub.wall_sec = (int64_t)s->wall.sec + ns / 1000000000;
	ns %= 1000000000;
	if (ns < 0) {
		ns += 1000000000;
		f->pub.wall_sec--;
	}
	f->pub.wall_nsec = (uint32_t)ns;
}

/* Stations that a mask left out: none of them anywhere, though what can only follow them is there.
 */
static uint32_t missing_stations(const struct btvi_figures *f)
{
	uint64_t n[BTVIZ_STATION_COUNT] = { 0 }, gets = 0;
	bool request_based = false;
	uint32_t missing = 0;

	for (size_t i = 0; i < f->pub.device_count; i++) {
		for (unsigned st = 0; st < BTVIZ_STATION_COUNT; st++)
			n[st] += station_ios(f->sources[i], (enum btviz_station)st);
		gets += f->devices[i].gets + f->devices[i].inserts;
		request_based |= f->devices[i].request_based;
	}
	if (n[BTVIZ_QUEUED] == 0)
		missing |= 1U << BTVIZ_QUEUED;
	if (request_based && gets > 0 && n[BTVIZ_ISSUED] == 0)
		missing |= 1U << BTVIZ_ISSUED;
	if (n[BTVIZ_COMPLETED] == 0)
		missing |= 1U << BTVIZ_COMPLETED;
	return missing;
}

enum btviz_status btviz_summary_figures(
	struct btviz_summary *s, const struct btviz_figures **ret_f, struct btviz_error *err)
{
	struct btvi_figures *f;
	uint64_t events = 0; /* in the window, if there is one */
	bool any = false;

	if (s->figures) {
		*ret_f = &s->figures->pub;
		return BTVIZ_OK;
	}
	for (size_t i = 0; i < s->device_count; i++)
		if (btvi_device_sweep(s->devices[i]) != BTVIZ_OK)
			return btvi_fail_nomem(err);
	f = calloc(1, sizeof *f);
	if (!f)
		return btvi_fail_nomem(err);
	/* Times are relative to the run's first I/O event, whatever window was asked for. */
	f->pub.origin_ns = s->origin_ns;
	for (size_t i = 0; i < s->device_count; i++) {
		const struct btvi_device *d = s->devices[i];

		if (d->ignored || d->events == 0)
			continue;
		if (!any || d->last_ns > f->pub.end_ns)
			f->pub.end_ns = d->last_ns;
		events += d->events;
		any = true;
	}
	if (!any) {
		free(f);
		return btvi_fail(err, BTVIZ_ERR_EMPTY,
			s->has_origin ? "no I/O event of the devices, times and sectors asked for"
				      : "no I/O event in it");
	}
	/* A window ends where it was asked to, if the run goes on there: a hang is part of it. */
	if (s->window_over)
		f->pub.end_ns = s->origin_ns + s->options.end_ns;
	if (s->options.start_ns != 0 || s->options.end_ns != 0)
		s->health.events = events;
	f->pub.options = &s->options;
	f->pub.start_ns = s->origin_ns + s->options.start_ns;
	if (f->pub.start_ns > f->pub.end_ns)
		f->pub.start_ns = f->pub.end_ns;
	f->pub.span_s = (double)(f->pub.end_ns - f->pub.start_ns) * 1e-9;
	s->health.left_out_events = s->devices_left_out;
	f->pub.health = &s->health;
	f->pub.memory = &f->memory;
	f->pub.command = s->command;
	f->pub.kernel = s->kernel;
	f->pub.recorder_end_s =
		s->recorder_end_ns == 0 ? NAN : btvi_figures_s(f, s->recorder_end_ns);
	f->pub.fua_missing = s->fua_missing;
	wall_clock(f, s);
	btvi_figures_topology(f, s);
	if (!f->arena.failed) {
		for (size_t i = 0; i < f->pub.device_count; i++) {
			btvi_figures_of_device(f, s, &f->devices[i], f->sources[i]);
			f->pub.suspected_loss += f->devices[i].unpaired;
		}
		f->pub.categories_missing = missing_stations(f);
		btvi_figures_people(f, s);
		btvi_figures_gaps(f, s);
		btvi_figures_memory(f, s);
		btvi_figures_arrays(f, s);
	}
	if (f->arena.failed) {
		btvi_figures_free(f);
		return btvi_fail_nomem(err);
	}
	s->figures = f;
	*ret_f = &f->pub;
	return BTVIZ_OK;
}

void btvi_figures_free(struct btvi_figures *f)
{
	if (!f)
		return;
	btvi_arena_done(&f->arena);
	free(f);
}
