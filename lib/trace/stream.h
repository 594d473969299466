/* trace/stream.h - one input, read in large pieces, decoded, and in order: the events of one
 * stream, each with the key by which streams are merged.
 *
 * A per-CPU file is taken to be in order (its end is looked at before); anything else goes through
 * a window. A note's key is its time, but for notes whose times are of no use: those before the
 * first I/O, and those of a dump that has its I/O times counted from 0 and its notes' not. They
 * keep their place in the stream. */
#ifndef BTVI_TRACE_STREAM_H
#define BTVI_TRACE_STREAM_H

#include "trace/decode.h"
#include "trace/source.h"
#include "trace/transcode.h"
#include "trace/window.h"

struct btvi_unpacker;

struct btvi_stream {
	struct btviz_event *head; /* the event that comes next; NULL at the end */
	struct btviz_event ev;
	struct btviz_decoder decoder;
	struct btvi_window *window; /* NULL: in order by itself */

	const struct btvi_input *input;
	const struct btvi_sources *sources;
	unsigned char *buffer;
	size_t buffer_size;
	bool lent;                      /* the buffer is not the stream's own */
	uint64_t at;                    /* offset of the next byte to read, in the part */
	uint64_t part_begin, part_size; /* of the file, or of the spool */
	bool in_order;                  /* known to be so */
	int fd;                         /* -1: to be opened */
	bool keep_open;                 /* between reads */
	bool opened, ended;             /* ended: no byte follows */
	bool cut;                       /* the packed data breaks off */
	uint32_t packing;               /* BTVIZ_PACKING_... */
	bool decoded;                   /* to its end */
	struct btvi_unpacker *unpacker;
	struct btvi_transcoder *transcoder;
	size_t begin_size;             /* bytes of the stream's beginning that wait in the buffer */
	unsigned char *sniffed_buffer; /* a pipe's first bytes, packed: for the unpacker */
	const unsigned char *sniffed;
	size_t sniffed_size;

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

/* Finds where in a file (not yet opened as s, and never read through it afterwards) time goes back:
 * the offsets at which an ordered run begins, the first being 0. *ret_count is 0 where that is of
 * no use: more than max runs, or records that repeat others. Reads the whole file. */
enum btviz_status btvi_stream_find_runs(struct btvi_stream *s, uint64_t *ret_starts, size_t max,
	size_t *ret_count, struct btviz_error *err);

/* Makes the stream a part of its file, known to be in order. Before anything is read. */
void btvi_stream_restrict(struct btvi_stream *s, uint64_t begin, uint64_t size);

/* Whether the stream is to have a window: it is no per-CPU file, or its end is before its
 * beginning, or it is short and not in order. Opens it. */
enum btviz_status btvi_stream_needs_window(
	struct btvi_stream *s, bool *ret_needs, struct btviz_error *err);

/* Lets the file go until it is read again (when there are too many open). */
void btvi_stream_release(struct btvi_stream *s);

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
