/* trace/stream.h - one input, read in large pieces, decoded, and in order: the events of one
 * stream, each with the key by which streams are merged.
 *
 * A per-CPU file is taken to be in order (its end is looked at before); anything else goes through
 * a window. A note's key is its time, but for notes whose times are of no use: those before the
 * first I/O, and those of a dump that has its I/O times counted from 0 and its notes' not. They
 * keep their place in the stream. */
#ifndef BTVI_TRACE_STREAM_H
#define BTVI_TRACE_STREAM_H

#include "trace/intake.h"
#include "trace/decode.h"
#include "trace/source.h"
#include "trace/transcode.h"
#include "trace/window.h"

enum btvi_stream_state {
	BTVI_STREAM_UNOPENED,
	BTVI_STREAM_READING,
	BTVI_STREAM_ENDED,   /* no byte follows */
	BTVI_STREAM_DECODED, /* no record follows */
};

struct btvi_stream {
	struct btviz_event *head; /* the event that comes next; NULL at the end */
	struct btviz_event ev;
	struct btviz_decoder decoder;
	struct btvi_window *window; /* NULL: in order by itself */

	struct btvi_intake bytes;
	enum btvi_stream_state state;
	unsigned char *buffer;
	size_t buffer_size;
	bool lent;         /* the buffer is not the stream's own */
	bool in_order;     /* known to be so */
	size_t begin_size; /* bytes of the stream's beginning that wait in the buffer */
	struct btvi_transcoder *transcoder;

	bool any_io, notes_off;
	uint64_t first_note_ns; /* the latest of the notes before the first I/O */
	uint64_t last_io_ns;    /* the latest I/O so far */
	uint32_t note_device;
	bool any_note;
};

/* Nothing is opened yet. sources and input are borrowed. */
void btvi_stream_init(struct btvi_stream *s, const struct btvi_sources *sources,
	const struct btvi_input *input, size_t buffer_size, bool keep_open);
void btvi_stream_done(struct btvi_stream *s);

/* Lends it a buffer of s->buffer_size bytes for as long as it lives: only for a file, and before
 * anything is read. */
void btvi_stream_lend(struct btvi_stream *s, unsigned char *buffer);

/* Makes the stream a part of its file, known to be in order. Before anything is read. */
void btvi_stream_restrict(struct btvi_stream *s, uint64_t begin, uint64_t size);

/* Opens it and finds out what it is; done by the first read else. */
enum btviz_status btvi_stream_open(struct btvi_stream *s, struct btviz_error *err);

/* The next record as it stands in the stream, into s->ev. */
enum btviz_status btvi_stream_record(struct btvi_stream *s, struct btviz_error *err);

/* Puts the next event into s->head and its key into *ret_key. BTVIZ_OK, BTVIZ_END (head is NULL),
 * or an error. */
enum btviz_status btvi_stream_next_slow(
	struct btvi_stream *s, uint64_t *ret_key, struct btviz_error *err);

/* The same in the ordinary case, inline: the next I/O event of a stream in order, whose head stays
 * where it is. False: nothing has changed. */
static inline bool btvi_stream_next_fast(struct btvi_stream *s, uint64_t *ret_key)
{
	if (s->window || !btvi_decoder_fast(&s->decoder, &s->ev))
		return false;
	*ret_key = s->ev.time_ns;
	return true;
}

#endif
