/* read.c - from a name to a summary: lanes side by side on several threads, merged in their order,
 * so that the number of threads changes nothing but the time it takes. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <btviz/metadata.h>

#include "base/status.h"
#include "base/text.h"
#include "measure/saved.h"
#include "measure/summary.h"
#include "trace/ahead.h"
#include "trace/source.h"
#include "trace/trace.h"

enum { JOBS_MAX = 256, UNKNOWN_MAJOR = 4095 };

/* What one lane came to. */
struct lane_part {
	struct btviz_summary *summary;
	enum btviz_status status;
	struct btviz_error err;
	uint64_t fingerprint; /* see btvi_trace_fingerprint() */
};

struct work {
	const struct btvi_sources *sources;
	const struct btviz_trace_options *trace_options;
	const struct btviz_summary_options *options;
	bool has_origin;
	uint64_t origin_ns;
	bool ahead; /* there are cores to spare: read on a thread, measure on another */
	struct lane_part *parts;
	size_t *order; /* lanes, largest first */
	size_t next;
	pthread_mutex_t lock;
};

/* ---- one lane
 * --------------------------------------------------------------------------------------- */

/* The CPUs of which the lane has a stream with anything in it. */
static uint64_t stream_cpus(const struct btvi_lane *lane)
{
	uint64_t cpus = 0;

	for (size_t i = 0; i < lane->input_count; i++) {
		const struct btvi_input *const in = &lane->inputs[i];

		if (in->ordered && in->cpu < 64 && in->size > 0)
			cpus |= 1ULL << in->cpu;
	}
	return cpus;
}

/* Devices that have a stream but no event are known by name only; they get numbers that no kernel
 * uses, one for each lane. */
static enum btviz_status name_lane(struct btviz_summary *s, struct btviz_trace *t,
	const struct btvi_lane *lane, size_t index, struct btviz_error *err)
{
	const size_t n = s->device_count;

	for (size_t i = 0; i < n; i++) {
		const uint32_t device = s->devices[i]->device;
		const char *name = btviz_trace_device_name(t, device);
		const enum btviz_status status = btviz_summary_name_device(s, device, name, err);

		if (status != BTVIZ_OK)
			return status;
	}
	/* only a lane of per-CPU files is of one device */
	if (n == 1)
		s->devices[0]->stream_cpus = stream_cpus(lane);
	if (n == 0 && lane->device)
		return btviz_summary_name_device(
			s, BTVIZ_DEVICE(UNKNOWN_MAJOR, index), lane->device, err);
	return BTVIZ_OK;
}

/* A lane being read. */
struct lane_reader {
	struct btviz_summary *s;
	struct btviz_trace *t;
	struct btvi_device *d; /* the last event's */
	bool may_name;         /* the trace may be asked for names now */
};

/* A note, or an event of another device than the last one. A device is named before its first event
 * counts: the options may ask for it by name. */
static enum btviz_status add_rare(
	struct lane_reader *r, const struct btviz_event *ev, struct btviz_error *err)
{
	const size_t n = r->s->device_count;
	enum btviz_status status = BTVIZ_OK;

	r->d = btvi_summary_device(r->s, ev->device);
	if (r->s->device_count > n && r->may_name)
		status = btviz_summary_name_device(
			r->s, ev->device, btviz_trace_device_name(r->t, ev->device), err);
	return status == BTVIZ_OK ? btviz_summary_add(r->s, ev, err) : status;
}

/* BTVIZ_END: the window is over. */
static inline enum btviz_status add(
	struct lane_reader *r, const struct btviz_event *ev, struct btviz_error *err)
{
	const bool note = btviz_event_is_note(ev);

	if (!note && btvi_summary_is_over(r->s, ev->time_ns))
		return btvi_summary_end_window(r->s) == BTVIZ_OK ? BTVIZ_END : btvi_fail_nomem(err);
	if (note || !r->d || ev->device != r->d->device)
		return add_rare(r, ev, err);
	return btvi_summary_add_io(r->s, r->d, ev) == BTVIZ_OK ? BTVIZ_OK : btvi_fail_nomem(err);
}

static enum btviz_status add_all(struct lane_reader *r, struct btviz_error *err)
{
	const struct btviz_event *ev;
	enum btviz_status status;

	while ((status = btviz_trace_next(r->t, &ev, err)) == BTVIZ_OK)
		if ((status = add(r, ev, err)) != BTVIZ_OK)
			break;
	return status;
}

/* The same with the trace read ahead. */
static enum btviz_status add_all_ahead(
	struct lane_reader *r, struct btvi_ahead *ahead, struct btviz_error *err)
{
	enum btviz_status status = BTVIZ_OK;

	while (status == BTVIZ_OK) {
		const struct btvi_batch *b = btvi_ahead_next(ahead);

		for (uint32_t i = 0; i < b->count && status == BTVIZ_OK; i++)
			status = add(r, &b->events[i], err);
		if (status == BTVIZ_OK && b->status != BTVIZ_OK) {
			status = b->status;
			*err = b->err;
		}
	}
	return status;
}

static enum btviz_status read_lane(struct work *w, size_t index, struct lane_part *part)
{
	const struct btvi_lane *lane = &w->sources->lanes[index];
	struct lane_reader r = { .may_name = true };
	struct btvi_ahead *ahead = NULL;
	enum btviz_status status;

	status = btvi_trace_open_lane(w->sources, (int)index, w->trace_options, &r.t, &part->err);
	if (status != BTVIZ_OK)
		return status;
	status = btviz_summary_new(w->options, &r.s, &part->err);
	if (status != BTVIZ_OK)
		goto out;
	btvi_summary_share(r.s, w->sources->lane_count);
	r.s->has_origin = w->has_origin;
	r.s->origin_ns = w->origin_ns;
	/* While it is read ahead, names cannot be asked for: not if devices are chosen by them. */
	if (w->ahead && r.s->options.device_count == 0)
		ahead = btvi_ahead_new(r.t);
	r.may_name = !ahead;
	status = ahead ? add_all_ahead(&r, ahead, &part->err) : add_all(&r, &part->err);
	btvi_ahead_free(ahead);
	if (status == BTVIZ_END)
		status = name_lane(r.s, r.t, lane, index, &part->err);
	if (status == BTVIZ_OK) {
		btviz_summary_add_health(r.s, btviz_trace_health(r.t));
		part->fingerprint = btvi_trace_fingerprint(r.t);
		if (w->sources->lane_count > 1)
			btvi_summary_close(r.s);
		part->summary = r.s;
		r.s = NULL;
	}
out:
	btviz_summary_free(r.s);
	btviz_trace_close(r.t);
	return status;
}

static void *run(void *data)
{
	struct work *w = data;

	for (;;) {
		size_t lane;

		pthread_mutex_lock(&w->lock);
		lane = w->next < w->sources->lane_count ? w->order[w->next++] : SIZE_MAX;
		pthread_mutex_unlock(&w->lock);
		if (lane == SIZE_MAX)
			return NULL;
		w->parts[lane].status = read_lane(w, lane, &w->parts[lane]);
	}
}

/* ---- the run
 * ---------------------------------------------------------------------------------------- */

/* A window is relative to the run's first event, which may be in any lane. */
static enum btviz_status find_origin(struct work *w, struct btviz_error *err)
{
	for (size_t i = 0; i < w->sources->lane_count; i++) {
		struct btviz_trace *t;
		const struct btviz_event *ev;
		enum btviz_status status =
			btvi_trace_open_lane(w->sources, (int)i, w->trace_options, &t, err);

		if (status != BTVIZ_OK)
			return status;
		while ((status = btviz_trace_next(t, &ev, err)) == BTVIZ_OK)
			if (!btviz_event_is_note(ev)) {
				if (!w->has_origin || ev->time_ns < w->origin_ns)
					w->origin_ns = ev->time_ns;
				w->has_origin = true;
				break;
			}
		btviz_trace_close(t);
		if (status < 0)
			return status;
	}
	return BTVIZ_OK;
}

static unsigned job_count(const struct work *w)
{
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned n = w->options->jobs ? w->options->jobs : cores > 0 ? (unsigned)cores : 1;

	return n < JOBS_MAX ? n : JOBS_MAX;
}

/* Largest first, so that none is left to one thread at the end. */
static void order_lanes(struct work *w)
{
	const size_t n = w->sources->lane_count;

	for (size_t i = 0; i < n; i++) {
		const uint64_t bytes = btvi_sources_lane_bytes(w->sources, i);
		size_t at = i;

		while (at > 0 && btvi_sources_lane_bytes(w->sources, w->order[at - 1]) < bytes) {
			w->order[at] = w->order[at - 1];
			at--;
		}
		w->order[at] = i;
	}
}

static void run_all(struct work *w)
{
	const unsigned wanted = job_count(w);
	const size_t lanes = w->sources->lane_count;
	const unsigned jobs = wanted < lanes ? wanted : (unsigned)lanes;
	pthread_t threads[JOBS_MAX];
	unsigned started = 0;

	/* How far a trace is read beyond the window's end must not depend on the threads. */
	w->ahead = wanted > lanes && w->options->end_ns == 0;

	while (started + 1 < jobs && pthread_create(&threads[started], NULL, run, w) == 0)
		started++;
	run(w);
	for (unsigned i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
}

/* Whether an earlier lane is the same recording: a device that was given under two names. */
static bool is_there_already(const struct work *w, size_t lane)
{
	for (size_t i = 0; i < lane; i++)
		if (w->parts[i].fingerprint == w->parts[lane].fingerprint)
			return w->parts[i].fingerprint != 0;
	return false;
}

/* All parts into the first one. */
static enum btviz_status join(struct work *w, struct btviz_summary **ret_s, struct btviz_error *err)
{
	struct btviz_summary *s = NULL;

	for (size_t i = 0; i < w->sources->lane_count; i++) {
		struct lane_part *p = &w->parts[i];

		if (p->status != BTVIZ_OK) {
			if (err)
				*err = p->err;
			btviz_summary_free(s);
			return p->status;
		}
		if (!s) {
			s = p->summary;
			p->summary = NULL;
			btvi_summary_share(s, 1);
			continue;
		}
		if (is_there_already(w, i)) {
			s->health.repeated_events += p->summary->health.events;
			btviz_summary_free(p->summary);
			p->summary = NULL;
			continue;
		}
		const enum btviz_status status = btvi_summary_absorb(s, p->summary, err);

		p->summary = NULL;
		if (status != BTVIZ_OK) {
			btviz_summary_free(s);
			return status;
		}
	}
	*ret_s = s;
	return BTVIZ_OK;
}

/* ---- metadata
 * --------------------------------------------------------------------------------------- */

static char *copy_text(const char *text)
{
	return text[0] ? strdup(text) : NULL;
}

/* What the recorder knew: names, levels, the command. It is an aid: without it all goes on. */
static enum btviz_status take_metadata(
	struct btviz_summary *s, const struct btviz_metadata *m, struct btviz_error *err)
{
	const struct btviz_metadata_run *r = btviz_metadata_run(m);
	const size_t n = btviz_metadata_device_count(m);

	s->command = copy_text(r->command);
	s->kernel = copy_text(r->kernel);
	s->fua_missing = (r->flags & BTVIZ_META_FUA_MISSING) != 0;
	s->recorder_end_ns = r->end_ns;
	if (r->lost_events > s->health.lost_events)
		s->health.lost_events = r->lost_events;
	s->facts = calloc(n ? n : 1, sizeof *s->facts);
	if (!s->facts)
		return btvi_fail_nomem(err);
	for (size_t i = 0; i < n; i++) {
		const struct btviz_metadata_device *d = btviz_metadata_device(m, i);

		for (size_t k = 0; k < s->device_count; k++)
			if (s->devices[k]->device == d->device) {
				struct btvi_device *dev = s->devices[k];

				btvi_text_printable(
					d->name, strlen(d->name), dev->name, sizeof dev->name);
			}
		if (d->level[0] == '\0')
			continue;
		s->facts[s->fact_count].device = d->device;
		s->facts[s->fact_count].chunk_bytes = d->chunk_bytes;
		snprintf(s->facts[s->fact_count].level, sizeof s->facts[0].level, "%s", d->level);
		s->fact_count++;
	}
	return BTVIZ_OK;
}

static enum btviz_status read_metadata(
	struct btviz_summary *s, const char *name, const char *dir, struct btviz_error *err)
{
	struct btviz_metadata *m;
	enum btviz_status status;

	if (btviz_metadata_open(name, dir, &m, NULL) != BTVIZ_OK)
		return BTVIZ_OK;
	status = take_metadata(s, m, err);
	btviz_metadata_close(m);
	return status;
}

/* ---- the whole
 * -------------------------------------------------------------------------------------- */

static enum btviz_status read_sources(const struct btvi_sources *sources,
	const struct btviz_trace_options *trace_options,
	const struct btviz_summary_options *options, struct btviz_summary **ret_s,
	struct btviz_error *err)
{
	struct work w = { .sources = sources,
		.trace_options = trace_options,
		.options = options,
		.lock = PTHREAD_MUTEX_INITIALIZER };
	const size_t n = sources->lane_count;
	enum btviz_status status = BTVIZ_OK;

	w.parts = calloc(n, sizeof *w.parts);
	w.order = calloc(n, sizeof *w.order);
	if (!w.parts || !w.order)
		status = btvi_fail_nomem(err);
	else if (n > 1 && (options->start_ns || options->end_ns))
		status = find_origin(&w, err);
	if (status == BTVIZ_OK) {
		order_lanes(&w);
		run_all(&w);
		status = join(&w, ret_s, err);
	}
	for (size_t i = 0; w.parts && i < n; i++)
		btviz_summary_free(w.parts[i].summary);
	free(w.parts);
	free(w.order);
	return status;
}

/* Nothing was found in NAME: says which of the possible nothings it is. */
static enum btviz_status fail_empty(
	const struct btviz_summary *s, const char *name, struct btviz_error *err)
{
	char devices[200] = "";
	size_t n = 0;

	if (strcmp(name, "-") == 0)
		name = "standard input";
	if (!s->has_origin && s->health.notes > 0)
		return btvi_fail(err, BTVIZ_ERR_EMPTY, "no I/O event in %s: only %llu notes", name,
			(unsigned long long)s->health.notes);
	if (!s->has_origin)
		return btvi_fail(err, BTVIZ_ERR_EMPTY,
			"no event in %s: %llu bytes in %llu stream%s", name,
			(unsigned long long)s->health.bytes, (unsigned long long)s->health.streams,
			s->health.streams == 1 ? "" : "s");
	for (size_t i = 0; i < s->device_count && n < sizeof devices; i++) {
		const struct btvi_device *d = s->devices[i];

		if (BTVIZ_MAJOR(d->device) == UNKNOWN_MAJOR && d->name[0] == '\0')
			continue;
		n += (size_t)snprintf(devices + n, sizeof devices - n, " %s%s(%u,%u)", d->name,
			d->name[0] ? " " : "", BTVIZ_MAJOR(d->device), BTVIZ_MINOR(d->device));
	}
	return btvi_fail(err, BTVIZ_ERR_EMPTY,
		"no I/O event of the devices, times and sectors asked for in %s, which has%s", name,
		devices);
}

static enum btviz_status read_trace(const char *name,
	const struct btviz_trace_options *trace_options,
	const struct btviz_summary_options *options, struct btviz_summary **ret_s,
	struct btviz_error *err)
{
	const char *const dir = trace_options->dir;
	struct btvi_sources *sources;
	enum btviz_status status;

	status = btvi_sources_find(name, dir, &sources, err);
	if (status != BTVIZ_OK)
		return status;
	status = read_sources(sources, trace_options, options, ret_s, err);
	btvi_sources_free(sources);
	if (status == BTVIZ_OK)
		status = read_metadata(*ret_s, name, dir, err);
	return status;
}

enum btviz_status btviz_summary_read(const char *name,
	const struct btviz_trace_options *trace_options,
	const struct btviz_summary_options *options, struct btviz_summary **ret_s,
	struct btviz_error *err)
{
	struct btviz_trace_options t;
	struct btviz_summary_options o;
	const struct btviz_figures *figures;
	struct btviz_summary *s = NULL;
	enum btviz_status status = btvi_trace_options(trace_options, &t, err);

	if (status == BTVIZ_OK)
		status = btvi_summary_options(options, &o, err);
	if (status != BTVIZ_OK)
		return status;
	if (btvi_saved_recognises(name, t.dir))
		status = btvi_saved_load(name, t.dir, &o, &s, err);
	else
		status = read_trace(name, &t, &o, &s, err);
	/* Samples are an aid: without them figures of memory are not known. */
	if (status == BTVIZ_OK)
		(void)btviz_samples_open(name, t.dir, &s->samples, &s->samples_err);
	if (status == BTVIZ_OK)
		status = btviz_summary_figures(s, &figures, err);
	if (status != BTVIZ_OK) {
		if (status == BTVIZ_ERR_EMPTY && s)
			status = fail_empty(s, name, err);
		btviz_summary_free(s);
		return status;
	}
	*ret_s = s;
	return BTVIZ_OK;
}
