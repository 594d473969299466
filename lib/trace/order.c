/* order.c - whether a stream is in order, or several that are so one behind the other. See order.h.
 */
#include "trace/order.h"

#include "base/status.h"
#include "trace/carry.h"

enum {
	PROBE_SIZE = 4 << 10, /* of a per-CPU file's two ends, to see whether it is in order */
};

/* ---- runs ------------------------------------------------------------------------------------ */

enum btviz_status btvi_stream_find_runs(struct btvi_stream *s, uint64_t *ret_starts, size_t max,
	size_t *ret_count, struct btviz_error *err)
{
	uint64_t notes_begin = 0; /* of those right before the present record */
	uint64_t last_ns = 0;
	bool after_note = false;
	size_t count = 1;

	*ret_count = 0;
	ret_starts[0] = 0;
	for (;;) {
		const uint64_t begin = btvi_offset(&s->decoder);
		const enum btviz_status status = btvi_stream_record(s, err);

		if (status == BTVIZ_END)
			break;
		if (status != BTVIZ_OK)
			return status;
		if (s->transcoder)
			return BTVIZ_OK; /* offsets are not the file's */
		if (btviz_event_is_note(&s->ev)) {
			if (!after_note)
				notes_begin = begin;
			after_note = true;
			continue;
		}
		if (s->ev.time_ns < last_ns) {
			if (count == max)
				return BTVIZ_OK;
			/* the notes before a run's first I/O are its own: names, the wall clock */
			ret_starts[count++] = after_note ? notes_begin : begin;
		}
		last_ns = s->ev.time_ns;
		after_note = false;
	}
	if (s->decoder.health.repeated_events == 0)
		*ret_count = count;
	return BTVIZ_OK;
}

/* ---- is it in order? ------------------------------------------------------------------------- */

/* Decodes bytes of the stream apart from it: the times of the first and last I/O event in them. */
static enum btviz_status probe(const unsigned char *bytes, size_t size, bool *ret_any,
	uint64_t *ret_first_ns, uint64_t *ret_last_ns, bool *ret_steps)
{
	struct btviz_decoder d;
	struct btviz_event ev;
	enum btviz_status status;

	*ret_any = false;
	btvi_decoder_init(&d);
	btviz_decoder_feed(&d, bytes, size);
	btviz_decoder_feed_end(&d);
	while ((status = btvi_decoder_next(&d, &ev, NULL)) == BTVIZ_OK) {
		if (btviz_event_is_note(&ev))
			continue;
		if (!*ret_any)
			*ret_first_ns = ev.time_ns;
		*ret_last_ns = ev.time_ns;
		*ret_any = true;
	}
	*ret_steps = d.health.steps_back > 0;
	btvi_decoder_done(&d);
	return status == BTVIZ_ERR_NOMEM ? status : BTVIZ_OK;
}

enum btviz_status btvi_stream_needs_window(
	struct btvi_stream *s, bool *ret_needs, struct btviz_error *err)
{
	uint64_t first_ns = 0, last_ns = 0, end_first_ns, end_last_ns = 0;
	size_t begin_size;
	bool any, any_at_end, steps, steps_at_end;
	unsigned char end[PROBE_SIZE];
	enum btviz_status status;
	size_t size;

	*ret_needs = !s->bytes.input->ordered && !s->in_order;
	if (s->state == BTVI_STREAM_UNOPENED) {
		status = btvi_stream_open(s, err);
		if (status != BTVIZ_OK) {
			btvi_error_where(err, s->bytes.input->path, 0);
			return status;
		}
	}
	if (*ret_needs || s->in_order || s->transcoder || s->bytes.input->kind != BTVI_INPUT_FILE)
		return BTVIZ_OK;
	begin_size = s->begin_size < PROBE_SIZE ? s->begin_size : PROBE_SIZE;
	if (probe(s->buffer, begin_size, &any, &first_ns, &last_ns, &steps) != BTVIZ_OK)
		return btvi_fail_nomem(err);
	*ret_needs = steps;
	if (!any || steps || s->bytes.input->size <= begin_size)
		return BTVIZ_OK;
	size = s->bytes.input->size - begin_size < PROBE_SIZE
		? (size_t)(s->bytes.input->size - begin_size)
		: PROBE_SIZE;
	status = btvi_intake_read_at(&s->bytes, s->bytes.input->size - size, end, size, &size, err);
	if (status == BTVIZ_OK &&
		probe(end, size, &any_at_end, &end_first_ns, &end_last_ns, &steps_at_end) !=
			BTVIZ_OK)
		status = btvi_fail_nomem(err);
	if (status == BTVIZ_OK)
		*ret_needs = any_at_end && (steps_at_end || end_last_ns < last_ns);
	return status;
}
