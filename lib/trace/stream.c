/* stream.c - one input to events. See stream.h. */
#include "trace/stream.h"

#include <stdlib.h>

#include "base/status.h"
#include "trace/carry.h"

enum {
	BUFFER_MIN = 4096,
};
#define NOTE_SLACK_NS 1000000000ULL /* blktrace gives what it read within half a second */

void btvi_stream_init(struct btvi_stream *s, const struct btvi_sources *sources,
	const struct btvi_input *input, size_t buffer_size, bool keep_open)
{
	memset(s, 0, sizeof *s);
	btvi_decoder_init(&s->decoder);
	btvi_intake_init(&s->bytes, sources, input, keep_open);
	s->buffer_size = buffer_size;
	/* A short file needs no more than itself, and a byte to see its end with. */
	if (input->kind == BTVI_INPUT_FILE && input->size < buffer_size)
		s->buffer_size = (size_t)input->size + 1;
	if (s->buffer_size < BUFFER_MIN)
		s->buffer_size = BUFFER_MIN;
}

void btvi_stream_lend(struct btvi_stream *s, unsigned char *buffer)
{
	s->buffer = buffer;
	s->lent = true;
}

static void close_input(struct btvi_stream *s)
{
	btvi_intake_close(&s->bytes);
	if (!s->lent)
		free(s->buffer);
	s->buffer = NULL;
}

void btvi_stream_done(struct btvi_stream *s)
{
	close_input(s);
	btvi_transcoder_free(s->transcoder);
	btvi_window_free(s->window);
	btvi_decoder_done(&s->decoder);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Reads until the first bytes tell what the stream is: they are in the buffer, to be used again. */
static enum btviz_status read_beginning(
	struct btvi_stream *s, enum btvi_stream_kind *ret_kind, struct btviz_error *err)
{
	size_t size = 0;
	bool end = false;

	do {
		size_t got;
		const enum btviz_status status = btvi_intake_read(
			&s->bytes, s->buffer + size, s->buffer_size - size, &got, err);

		if (status != BTVIZ_OK)
			return status;
		size += got;
		/* a file's buffer may be no larger than the file and a byte */
		end = got == 0 || size == s->buffer_size;
		*ret_kind = btvi_sniff(s->bytes.input->path, s->buffer, size, end);
	} while (*ret_kind == BTVI_STREAM_UNDECIDED);
	s->begin_size = size;
	return BTVIZ_OK;
}

enum btviz_status btvi_stream_open(struct btvi_stream *s, struct btviz_error *err)
{
	const enum btvi_input_kind kind = s->bytes.input->kind;
	enum btvi_stream_kind stream_kind = BTVI_STREAM_RECORDS;
	enum btviz_status status;

	s->state = BTVI_STREAM_READING;
	if (kind != BTVI_INPUT_FILE && s->buffer_size < BTVI_STREAM_SNIFF)
		s->buffer_size = BTVI_STREAM_SNIFF;
	if (!s->buffer && !(s->buffer = malloc(s->buffer_size)))
		return btvi_fail_nomem(err);
	status = btvi_intake_open(&s->bytes, err);
	if (status == BTVIZ_OK)
		status = read_beginning(s, &stream_kind, err);
	/* files that are packed were found to be so before */
	if (status == BTVIZ_OK && stream_kind == BTVI_STREAM_PACKED && !s->bytes.unpacker &&
		kind != BTVI_INPUT_FILE) {
		unsigned char *const first = s->buffer;

		s->buffer = malloc(s->buffer_size);
		status = btvi_intake_unpack(&s->bytes, first, s->begin_size, err);
		s->begin_size = 0;
		if (status == BTVIZ_OK && !s->buffer)
			status = btvi_fail_nomem(err);
		if (status == BTVIZ_OK)
			status = read_beginning(s, &stream_kind, err);
	}
	if (status != BTVIZ_OK ||
		(stream_kind != BTVI_STREAM_RING && stream_kind != BTVI_STREAM_PIPE))
		return status;
	s->transcoder = btvi_transcoder_new(stream_kind);
	return s->transcoder ? BTVIZ_OK : btvi_fail_nomem(err);
}

/* Gives the decoder the stream's next bytes, or says that none follow. */
static enum btviz_status feed(struct btvi_stream *s, struct btviz_error *err)
{
	const unsigned char *bytes;
	enum btviz_status status;
	size_t got;

	if (s->state == BTVI_STREAM_UNOPENED) {
		status = btvi_stream_open(s, err);
		if (status != BTVIZ_OK)
			return status;
	}
	for (;;) {
		if (s->begin_size > 0) {
			got = s->begin_size;
			s->begin_size = 0;
		} else {
			status = btvi_intake_read(&s->bytes, s->buffer, s->buffer_size, &got, err);
			if (status != BTVIZ_OK)
				return status;
		}
		if (got == 0)
			s->state = BTVI_STREAM_ENDED;
		bytes = s->buffer;
		if (s->transcoder) {
			status = btvi_transcoder_put(s->transcoder, s->buffer, got,
				s->state == BTVI_STREAM_ENDED, &bytes, &got, err);
			if (status != BTVIZ_OK)
				return status;
		}
		if (got > 0) {
			btviz_decoder_feed(&s->decoder, bytes, got);
			return BTVIZ_OK;
		}
		if (s->state == BTVI_STREAM_ENDED) {
			btviz_decoder_feed_end(&s->decoder);
			return BTVIZ_OK;
		}
	}
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Names the stream in what the decoder said of it. */
static enum btviz_status fail_in(
	const struct btvi_stream *s, enum btviz_status status, struct btviz_error *err)
{
	if (err) {
		const struct btviz_error inner = *err;

		btvi_fail(err, status, "%s: %s", s->bytes.input->path, inner.message);
		btvi_error_where(err, s->bytes.input->path, btvi_offset(&s->decoder));
	}
	return status;
}

enum btviz_status btvi_stream_record(struct btvi_stream *s, struct btviz_error *err)
{
	for (;;) {
		enum btviz_status status = btvi_decoder_next(&s->decoder, &s->ev, err);

		if (status < 0)
			return fail_in(s, status, err);
		if (status != BTVIZ_NEED_INPUT)
			return status;
		if (s->state == BTVI_STREAM_ENDED) {
			/* what the transcoder made at the end has been used up */
			btviz_decoder_feed_end(&s->decoder);
			continue;
		}
		status = feed(s, err);
		if (status != BTVIZ_OK) {
			btvi_error_where(err, s->bytes.input->path, s->bytes.at);
			return status;
		}
	}
}

static uint64_t key_of_note(struct btvi_stream *s)
{
	s->any_note = true;
	s->note_device = s->ev.device;
	if (!s->any_io) {
		if (s->ev.time_ns > s->first_note_ns)
			s->first_note_ns = s->ev.time_ns;
		return 0;
	}
	/* in a stream in order a note is not before what stands before it */
	if (s->notes_off || (!s->window && s->ev.time_ns < s->last_io_ns))
		return s->last_io_ns;
	return s->ev.time_ns;
}

static uint64_t key_of(struct btvi_stream *s)
{
	if (btviz_event_is_note(&s->ev))
		return key_of_note(s);
	if (!s->any_io) {
		const uint64_t slack = s->bytes.input->ordered ? 0 : NOTE_SLACK_NS;

		s->any_io = true;
		s->notes_off = s->ev.time_ns == 0 || s->ev.time_ns + slack < s->first_note_ns;
	}
	if (s->ev.time_ns > s->last_io_ns)
		s->last_io_ns = s->ev.time_ns;
	return s->ev.time_ns;
}

static bool is_last_part(const struct btvi_stream *s)
{
	const struct btvi_intake *const b = &s->bytes;

	return !s->in_order || b->begin + b->size >= b->input->offset + b->input->size;
}

/* What is left when a stream has been decoded: counts, no memory. */
static enum btviz_status finish(struct btvi_stream *s)
{
	const bool cut = s->bytes.cut || (s->bytes.input->cut && is_last_part(s));

	if (s->state != BTVI_STREAM_DECODED && cut && s->decoder.health.torn_tails == 0)
		s->decoder.health.torn_tails++;
	s->state = BTVI_STREAM_DECODED;
	close_input(s);
	return BTVIZ_END;
}

enum btviz_status btvi_stream_next_slow(
	struct btvi_stream *s, uint64_t *ret_key, struct btviz_error *err)
{
	enum btviz_status status;

	if (!s->window) {
		s->head = NULL;
		status = s->state == BTVI_STREAM_DECODED ? BTVIZ_END : btvi_stream_record(s, err);
		if (status == BTVIZ_END)
			return finish(s);
		if (status != BTVIZ_OK)
			return status;
		s->head = &s->ev;
		*ret_key = key_of(s);
		return BTVIZ_OK;
	}
	while (s->state != BTVI_STREAM_DECODED && !btvi_window_is_full(s->window)) {
		status = btvi_stream_record(s, err);
		if (status == BTVIZ_END)
			finish(s);
		else if (status != BTVIZ_OK)
			return status;
		else if (!btvi_window_put(s->window, &s->ev, key_of(s)))
			return btvi_fail_nomem(err);
	}
	s->head = btvi_window_take(s->window, ret_key);
	return s->head ? BTVIZ_OK : BTVIZ_END;
}

void btvi_stream_restrict(struct btvi_stream *s, uint64_t begin, uint64_t size)
{
	s->bytes.begin = s->bytes.input->offset + begin;
	s->bytes.size = size;
	s->in_order = true;
}
