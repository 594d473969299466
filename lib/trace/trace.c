/* trace.c - the public iterator: finds, opens, merges, counts. */
#include "trace/trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/option_struct.h"
#include "base/large.h"
#include "base/status.h"
#include "base/text.h"
#include "trace/health.h"
#include "trace/merge.h"
#include "trace/order.h"

enum {
	BUFFERS_TOTAL = 8 << 20, /* of all streams together */
	BUFFER_MIN = 16 << 10,
	BUFFER_MAX = 128 << 10,
	WINDOW_MIN = 1024,
	DEVICE_NAME_SIZE = 256,
	RUNS_MAX = 64, /* of a file, read side by side */
};
#define SCAN_MAX_BYTES (4ULL << 30) /* larger files are not read twice */

/* What is to become a stream: an input, or a run of it. */
struct part {
	const struct btvi_input *input;
	uint64_t begin, size;
	bool in_order;
};

struct parts {
	struct part *items;
	size_t count, capacity;
};

struct btviz_trace {
	struct btvi_merge merge;
	bool advance;     /* the winner has been handed out: its stream must go on */
	uint64_t last_ns; /* latest I/O event handed out */
	uint64_t late_events;
	struct btvi_sources *own; /* freed with the trace */
	const struct btvi_sources *sources;
	size_t first_lane, lane_count;
	unsigned char *buffers; /* of all files */
	uint64_t strangers;
	struct btviz_error first_stranger;
	struct btviz_health health;
	char device_name[DEVICE_NAME_SIZE];
};

/* ---- opening --------------------------------------------------------------------------------- */

enum btviz_status btvi_trace_options(const struct btviz_trace_options *given,
	struct btviz_trace_options *ret, struct btviz_error *err)
{
	*ret = (struct btviz_trace_options)BTVIZ_TRACE_OPTIONS_INIT;
	return btvi_options_take(ret, sizeof *ret, given, "btviz_trace_options", err);
}

/* Whether the files of the whole run can stay open: others need descriptors too. */
static bool can_keep_open(const struct btvi_sources *sources)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
		sources->input_count <= limit.rlim_cur / 2;
}

static size_t buffer_size_for(size_t streams)
{
	const size_t size = BUFFERS_TOTAL / (streams ? streams : 1);

	if (size < BUFFER_MIN)
		return BUFFER_MIN;
	/* whole pages */
	return size > BUFFER_MAX ? BUFFER_MAX : size & ~(size_t)4095;
}

/* Gives all files' streams their buffers in one piece, where they are many. */
static bool lend_buffers(struct btviz_trace *t)
{
	size_t total = 0;

	for (size_t i = 0; i < t->merge.count; i++)
		if (t->merge.streams[i].bytes.input->kind == BTVI_INPUT_FILE)
			total += t->merge.streams[i].buffer_size;
	t->buffers = btvi_large_alloc(total ? total : 1);
	if (!t->buffers)
		return false;
	for (size_t i = 0, at = 0; i < t->merge.count; i++)
		if (t->merge.streams[i].bytes.input->kind == BTVI_INPUT_FILE) {
			btvi_stream_lend(&t->merge.streams[i], t->buffers + at);
			at += t->merge.streams[i].buffer_size;
		}
	return true;
}

/* Goes on with a stream. Bytes that are no trace end it like any other stream: they are counted,
 * and whether there is a trace beside them is for the opener to see. */
static enum btviz_status advance(
	struct btviz_trace *t, struct btvi_stream *s, uint64_t *ret_key, struct btviz_error *err)
{
	struct btviz_error own_err;
	enum btviz_status status;

	status = btvi_stream_next_slow(s, ret_key, &own_err);
	if (status == BTVIZ_OK)
		return BTVIZ_OK;
	*ret_key = BTVI_MERGE_ENDED;
	if (status == BTVIZ_ERR_NOT_A_TRACE) {
		if (t->strangers++ == 0)
			t->first_stranger = own_err;
		s->state = BTVI_STREAM_DECODED;
		return BTVIZ_OK;
	}
	if (status == BTVIZ_END)
		return BTVIZ_OK;
	s->state = BTVI_STREAM_DECODED;
	if (err)
		*err = own_err;
	return status;
}

/* Gives a window to each stream that needs one; they share the events that may be held back. */
static enum btviz_status make_windows(
	struct btviz_trace *t, uint32_t window_events, struct btviz_error *err)
{
	size_t needing = 0, share;
	bool *const needs = calloc(t->merge.count ? t->merge.count : 1, sizeof *needs);
	enum btviz_status status = needs ? BTVIZ_OK : btvi_fail_nomem(err);

	for (size_t i = 0; status == BTVIZ_OK && i < t->merge.count; i++) {
		status = btvi_stream_needs_window(&t->merge.streams[i], &needs[i], err);
		needing += needs[i];
	}
	share = window_events ? window_events : BTVI_WINDOW_EVENTS;
	if (share > BTVI_WINDOW_EVENTS_MAX)
		share = BTVI_WINDOW_EVENTS_MAX;
	if (needing > 1)
		share = share / needing < WINDOW_MIN ? WINDOW_MIN : share / needing;
	for (size_t i = 0; status == BTVIZ_OK && i < t->merge.count; i++) {
		if (!needs[i])
			continue;
		t->merge.streams[i].window = btvi_window_new(share);
		if (!t->merge.streams[i].window)
			status = btvi_fail_nomem(err);
	}
	free(needs);
	return status;
}

/* Reads each stream's first event, and finds the first of all. */
static enum btviz_status begin(
	struct btviz_trace *t, const struct btviz_trace_options *o, struct btviz_error *err)
{
	enum btviz_status status = make_windows(t, o->window_events, err);
	bool any = false;

	for (size_t i = 0; status == BTVIZ_OK && i < t->merge.count; i++) {
		status = advance(t, &t->merge.streams[i], &t->merge.keys[i], err);
		any |= t->merge.streams[i].head != NULL;
	}
	if (status == BTVIZ_OK && !any && t->strangers > 0) {
		if (err)
			*err = t->first_stranger;
		status = BTVIZ_ERR_NOT_A_TRACE;
	}
	if (status == BTVIZ_OK && !btvi_merge_begin(&t->merge))
		status = btvi_fail_nomem(err);
	return status;
}

static bool add_part(struct parts *p, const struct part *part)
{
	if (p->count == p->capacity) {
		const size_t capacity = p->capacity ? p->capacity * 2 : 16;
		struct part *const grown = realloc(p->items, capacity * sizeof *grown);

		if (!grown)
			return false;
		p->items = grown;
		p->capacity = capacity;
	}
	p->items[p->count++] = *part;
	return true;
}

/* A file that is no per-CPU file: where it is several ordered runs one behind the other, each
 * becomes a stream, and no window is needed. The file is read twice for that. */
static enum btviz_status add_runs(struct parts *p, const struct btvi_sources *sources,
	const struct btvi_input *input, struct btviz_error *err)
{
	uint64_t starts[RUNS_MAX];
	struct btvi_stream scan;
	size_t count;
	enum btviz_status status;

	btvi_stream_init(&scan, sources, input, BUFFER_MAX, true);
	status = btvi_stream_find_runs(&scan, starts, RUNS_MAX, &count, err);
	btvi_stream_done(&scan);
	if (status == BTVIZ_ERR_NOT_A_TRACE || status == BTVIZ_ERR_VERSION)
		count = 0; /* the stream will say so */
	else if (status != BTVIZ_OK)
		return status;
	if (count == 0)
		return add_part(p, &(struct part){ .input = input }) ? BTVIZ_OK
								     : btvi_fail_nomem(err);
	for (size_t i = 0; i < count; i++) {
		const struct part part = { .input = input,
			.begin = starts[i],
			.size = i + 1 < count ? starts[i + 1] - starts[i] : UINT64_MAX - starts[i],
			.in_order = true };

		if (!add_part(p, &part))
			return btvi_fail_nomem(err);
	}
	if (input->spooled)
		p->items[p->count - 1].size = input->size - starts[count - 1];
	return BTVIZ_OK;
}

/* The parts of all inputs of the lanes from first to end - 1. */
static enum btviz_status list_parts(const struct btvi_sources *sources, size_t first, size_t end,
	struct parts *ret, struct btviz_error *err)
{
	for (size_t i = first; i < end; i++) {
		for (size_t j = 0; j < sources->lanes[i].input_count; j++) {
			const struct btvi_input *const input = &sources->lanes[i].inputs[j];
			enum btviz_status status = BTVIZ_OK;

			if (input->kind == BTVI_INPUT_FILE && !input->ordered &&
				input->size <= SCAN_MAX_BYTES)
				status = add_runs(ret, sources, input, err);
			else if (!add_part(ret, &(struct part){ .input = input }))
				status = btvi_fail_nomem(err);
			if (status != BTVIZ_OK)
				return status;
		}
	}
	return BTVIZ_OK;
}

enum btviz_status btvi_trace_open_lane(const struct btvi_sources *sources, int lane,
	const struct btviz_trace_options *options, struct btviz_trace **ret_t,
	struct btviz_error *err)
{
	const size_t first = lane == BTVI_ALL_LANES ? 0 : (size_t)lane;
	const size_t end = lane == BTVI_ALL_LANES ? sources->lane_count : first + 1;
	const bool keep_open = can_keep_open(sources);
	struct btviz_trace_options o;
	struct btviz_trace *t;
	enum btviz_status status = btvi_trace_options(options, &o, err);
	struct parts parts = { NULL, 0, 0 };

	if (status == BTVIZ_OK)
		status = list_parts(sources, first, end, &parts, err);
	t = status == BTVIZ_OK ? calloc(1, sizeof *t) : NULL;
	if (!t) {
		free(parts.items);
		return status == BTVIZ_OK ? btvi_fail_nomem(err) : status;
	}
	t->sources = sources;
	t->first_lane = first;
	t->lane_count = end - first;
	if (!btvi_merge_init(&t->merge, parts.count)) {
		btvi_merge_done(&t->merge);
		free(t);
		free(parts.items);
		return btvi_fail_nomem(err);
	}
	for (size_t i = 0; i < parts.count; i++) {
		const struct part *const part = &parts.items[i];

		btvi_stream_init(&t->merge.streams[i], sources, part->input,
			buffer_size_for(parts.count), keep_open);
		if (part->in_order)
			btvi_stream_restrict(&t->merge.streams[i], part->begin, part->size);
	}
	free(parts.items);
	status = lend_buffers(t) ? begin(t, &o, err) : btvi_fail_nomem(err);
	if (status != BTVIZ_OK) {
		btviz_trace_close(t);
		return status;
	}
	*ret_t = t;
	return BTVIZ_OK;
}

/* The trace of all lanes, which owns the sources from now on. */
static enum btviz_status open_all(struct btvi_sources *sources,
	const struct btviz_trace_options *options, struct btviz_trace **ret_t,
	struct btviz_error *err)
{
	const enum btviz_status status =
		btvi_trace_open_lane(sources, BTVI_ALL_LANES, options, ret_t, err);

	if (status == BTVIZ_OK)
		(*ret_t)->own = sources;
	else
		btvi_sources_free(sources);
	return status;
}

enum btviz_status btviz_trace_open(const char *name, const struct btviz_trace_options *options,
	struct btviz_trace **ret_t, struct btviz_error *err)
{
	struct btviz_trace_options o;
	struct btvi_sources *sources;
	enum btviz_status status = btvi_trace_options(options, &o, err);

	if (status == BTVIZ_OK)
		status = btvi_sources_find(name, o.dir, &sources, err);
	return status == BTVIZ_OK ? open_all(sources, options, ret_t, err) : status;
}

enum btviz_status btviz_trace_open_callback(const char *name,
	ptrdiff_t (*read)(void *data, void *buffer, size_t size), void *data,
	const struct btviz_trace_options *options, struct btviz_trace **ret_t,
	struct btviz_error *err)
{
	struct btvi_sources *sources;
	const enum btviz_status status = btvi_sources_callback(name, read, data, &sources, err);

	return status == BTVIZ_OK ? open_all(sources, options, ret_t, err) : status;
}

void btviz_trace_close(struct btviz_trace *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->merge.count; i++)
		btvi_stream_done(&t->merge.streams[i]);
	btvi_merge_done(&t->merge);
	btvi_sources_free(t->own);
	free(t->buffers);
	free(t);
}

/* ---- events ---------------------------------------------------------------------------------- */

enum btviz_status btviz_trace_next(
	struct btviz_trace *t, const struct btviz_event **ret_ev, struct btviz_error *err)
{
	struct btviz_event *ev;

	if (t->advance) {
		struct btvi_stream *const s = &t->merge.streams[t->merge.winner];
		enum btviz_status status = BTVIZ_OK;
		uint64_t key;

		if (!btvi_stream_next_fast(s, &key))
			status = advance(t, s, &key, err);
		t->advance = false;
		btvi_merge_update(&t->merge, key);
		if (status != BTVIZ_OK)
			return status;
	}
	if (t->merge.winner_key == BTVI_MERGE_ENDED)
		return BTVIZ_END;
	ev = t->merge.streams[t->merge.winner].head;
	t->advance = true;
	if (!btviz_event_is_note(ev)) {
		if (ev->time_ns >= t->last_ns) {
			t->last_ns = ev->time_ns;
		} else {
			ev->flags |= BTVIZ_EV_LATE;
			t->late_events++;
		}
	}
	*ret_ev = ev;
	return BTVIZ_OK;
}

/* What a stream has decoded but not yet handed out is not counted yet. */
static void leave_out_waiting(
	struct btviz_health *h, const struct btviz_trace *t, const struct btvi_stream *s)
{
	const bool handed_out = t->advance && s == &t->merge.streams[t->merge.winner];
	size_t notes = 0;

	if (s->window) {
		h->events -= btvi_window_count(s->window, &notes);
		h->events += notes;
		h->notes -= notes;
	}
	if (!s->head || handed_out)
		return;
	if (btviz_event_is_note(s->head))
		h->notes -= h->notes > 0;
	else
		h->events -= h->events > 0;
}

static void add_transcoder(struct btviz_health *h, const struct btvi_transcoder_stats *stats)
{
	struct btviz_health met = { .lost_events = stats->lost_at_end,
		.torn_tails = stats->torn_tails,
		.bad_bytes = stats->bad_bytes,
		.bad_stretches = stats->bad_stretches,
		.first_bad_offset = stats->first_bad_offset,
		.no_payload = stats->cut_records };

	btvi_health_add(h, &met);
}

const struct btviz_health *btviz_trace_health(struct btviz_trace *t)
{
	memset(&t->health, 0, sizeof t->health);
	for (size_t i = 0; i < t->merge.count; i++) {
		const struct btvi_stream *const s = &t->merge.streams[i];
		struct btviz_health h = s->decoder.health;

		/* a file's runs are one stream */
		h.packing = s->bytes.packing;
		h.streams = s->state != BTVI_STREAM_UNOPENED &&
			s->bytes.begin == s->bytes.input->offset;
		leave_out_waiting(&h, t, s);
		if (s->transcoder)
			add_transcoder(&h, btvi_transcoder_stats(s->transcoder));
		btvi_health_add(&t->health, &h);
	}
	t->health.late_events = t->late_events;
	t->health.packing |= t->sources->packing;
	return &t->health;
}

uint64_t btvi_trace_fingerprint(const struct btviz_trace *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->merge.count; i++) {
		const struct btviz_decoder *const d = &t->merge.streams[i].decoder;

		sum += btvi_sequence_fingerprint(&d->sequence, d->last_ns);
	}
	return sum;
}

uint64_t btvi_trace_strangers(const struct btviz_trace *t)
{
	return t->strangers;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Whether a stream has records of that device (*ret_this), and of others. */
static bool holds_others(const struct btvi_stream *s, uint32_t device, bool *ret_this)
{
	const struct btvi_sequence *const q = &s->decoder.sequence;
	const bool any_io = q->lane_count > 0;

	/* What came from tracefs is named after a CPU, whatever devices are in it. */
	if (s->transcoder)
		return true;
	if (any_io && q->first_device == device)
		*ret_this = true;
	if (s->any_note && s->note_device == device)
		*ret_this = true;
	return (any_io && (q->several_devices || q->first_device != device)) ||
		(s->any_note && s->note_device != device);
}

const char *btviz_trace_device_name(struct btviz_trace *t, uint32_t device)
{
	for (size_t i = t->first_lane; i < t->first_lane + t->lane_count; i++) {
		const struct btvi_lane *const lane = &t->sources->lanes[i];
		bool holds_this = false, others = false;

		/* only per-CPU files are named after their device */
		for (size_t j = 0; j < lane->input_count; j++)
			others |= !lane->inputs[j].ordered;
		for (size_t j = 0; j < t->merge.count && !others; j++) {
			const struct btvi_stream *const s = &t->merge.streams[j];

			if (s->bytes.input >= lane->inputs &&
				s->bytes.input < lane->inputs + lane->input_count)
				others |= holds_others(s, device, &holds_this);
		}
		if (!holds_this || others)
			continue;
		btvi_text_printable(
			lane->device, strlen(lane->device), t->device_name, sizeof t->device_name);
		return t->device_name;
	}
	snprintf(t->device_name, sizeof t->device_name, "%u,%u", BTVIZ_MAJOR(device),
		BTVIZ_MINOR(device));
	return t->device_name;
}
