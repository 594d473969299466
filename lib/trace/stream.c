/* stream.c - one input to events. The only file that reads trace files. See stream.h. */
#include "trace/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "trace/archive.h"
#include "trace/carry.h"
#include "trace/unpack.h"

enum {
	PROBE_SIZE = 4 << 10, /* of a per-CPU file's two ends, to see whether it is in order */
	BUFFER_MIN = 4096,
};
#define NOTE_SLACK_NS 1000000000ULL /* blktrace gives what it read within half a second */

void btvi_stream_init(struct btvi_stream *s, const struct btvi_sources *sources,
	const struct btvi_input *input, size_t buffer_size, bool keep_open)
{
	memset(s, 0, sizeof *s);
	btvi_decoder_init(&s->decoder);
	s->input = input;
	s->sources = sources;
	s->fd = -1;
	s->part_begin = input->spooled ? input->offset : 0;
	s->part_size = input->spooled ? input->size : UINT64_MAX; /* a file may grow */
	s->keep_open = keep_open;
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

void btvi_stream_release(struct btvi_stream *s)
{
	if (s->fd >= 0 && s->input->kind == BTVI_INPUT_FILE) {
		close(s->fd);
		s->fd = -1;
	}
}

static void close_input(struct btvi_stream *s)
{
	/* a pipe is the sources' own */
	if (s->fd >= 0 && s->input->kind != BTVI_INPUT_PIPE)
		close(s->fd);
	s->fd = -1;
	if (s->unpacker)
		s->packing |= btvi_unpacker_faults(s->unpacker);
	btvi_unpacker_close(s->unpacker);
	s->unpacker = NULL;
	if (!s->lent)
		free(s->buffer);
	free(s->sniffed_buffer);
	s->buffer = s->sniffed_buffer = NULL;
}

void btvi_stream_done(struct btvi_stream *s)
{
	close_input(s);
	btvi_transcoder_free(s->transcoder);
	btvi_window_free(s->window);
	btvi_decoder_done(&s->decoder);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static enum btviz_status open_file(struct btvi_stream *s, struct btviz_error *err)
{
	struct stat st;

	s->fd = open(s->input->path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0)
		return btvi_fail_errno(err, errno, "cannot open %s", s->input->path);
	if (fstat(s->fd, &st) != 0)
		return btvi_fail_errno(err, errno, "cannot look at %s", s->input->path);
	if (st.st_dev != s->input->file_device || st.st_ino != s->input->file_inode)
		return btvi_fail(
			err, BTVIZ_ERR_IO, "%s was replaced while it was read", s->input->path);
	return BTVIZ_OK;
}

/* Up to size bytes of the file, or of the range of the spool. */
static enum btviz_status read_file(struct btvi_stream *s, uint64_t at, void *buffer, size_t size,
	size_t *ret_got, struct btviz_error *err)
{
	const bool spooled = s->input->spooled;
	const uint64_t left = at < s->part_size ? s->part_size - at : 0;
	size_t got = 0;

	if (size > left)
		size = (size_t)left;
	at += s->part_begin;
	if (!spooled && s->fd < 0) {
		const enum btviz_status status = open_file(s, err);

		if (status != BTVIZ_OK)
			return status;
	}
	while (got < size) {
		const ssize_t n = pread(spooled ? s->sources->spool_fd : s->fd,
			(unsigned char *)buffer + got, size - got, (off_t)(at + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return btvi_fail_errno(err, errno, "cannot read %s", s->input->path);
		if (n == 0)
			break;
		got += (size_t)n;
	}
	if (!s->keep_open)
		btvi_stream_release(s);
	*ret_got = got;
	return BTVIZ_OK;
}

/* Up to size bytes of what can be read once; 0 at the end, or a negative errno. */
static ptrdiff_t read_once(void *data, void *buffer, size_t size)
{
	struct btvi_stream *const s = data;
	ptrdiff_t got;

	if (s->sniffed_size > 0) {
		const size_t n = s->sniffed_size < size ? s->sniffed_size : size;

		memmove(buffer, s->sniffed, n);
		s->sniffed += n;
		s->sniffed_size -= n;
		return (ptrdiff_t)n;
	}
	if (s->input->kind == BTVI_INPUT_CALLBACK)
		return s->input->read(s->input->read_data, buffer, size);
	do
		got = read(s->fd, buffer, size);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

/* Up to size bytes of the stream, unpacked; fewer only where no more are at hand, 0 only at its
 * end. */
static enum btviz_status read_some(
	struct btvi_stream *s, void *buffer, size_t size, size_t *ret_got, struct btviz_error *err)
{
	ptrdiff_t got;

	if (s->unpacker)
		return btvi_unpacker_read(s->unpacker, buffer, size, ret_got, &s->cut, err);
	if (s->input->kind == BTVI_INPUT_FILE)
		return read_file(s, s->at, buffer, size, ret_got, err);
	got = read_once(s, buffer, size);
	if (got < 0)
		return btvi_fail_errno(err, (int)-got, "cannot read %s", s->input->path);
	*ret_got = (size_t)got > size ? size : (size_t)got;
	return BTVIZ_OK;
}

static bool begins_record(const unsigned char *p)
{
	return (btvi_le32(p) & BTVI_WIRE_MAGIC_MASK) == BTVI_WIRE_MAGIC ||
		(btvi_be32(p) & BTVI_WIRE_MAGIC_MASK) == BTVI_WIRE_MAGIC;
}

/* Finds out what the stream is, by its first bytes: they are in the buffer, to be used again. */
static enum btviz_status open_stream(struct btvi_stream *s, struct btviz_error *err)
{
	const enum btvi_input_kind kind = s->input->kind;
	enum btviz_status status = BTVIZ_OK;
	enum btvi_stream_kind stream_kind;
	size_t size = 0;

	s->opened = true;
	if (kind != BTVI_INPUT_FILE && s->buffer_size < BTVI_STREAM_SNIFF)
		s->buffer_size = BTVI_STREAM_SNIFF;
	if (!s->buffer && !(s->buffer = malloc(s->buffer_size)))
		return btvi_fail_nomem(err);
	if (kind == BTVI_INPUT_PIPE)
		s->fd = s->input->fd;
	if (kind == BTVI_INPUT_PACKED) {
		status = open_file(s, err);
		if (status == BTVIZ_OK)
			status = btvi_unpacker_open(
				read_once, s, s->input->path, true, &s->unpacker, err);
		if (status != BTVIZ_OK)
			return status;
	}
	while (size < BTVI_STREAM_SNIFF && size < s->buffer_size) {
		size_t got;

		status = read_some(s, s->buffer + size, s->buffer_size - size, &got, err);
		if (status != BTVIZ_OK)
			return status;
		if (got == 0)
			break;
		size += got;
		s->at += kind == BTVI_INPUT_FILE ? got : 0;
		/* who waits for a live pipe's next record must not wait for 4096 bytes of them */
		if (size >= BTVI_WIRE_V8_SIZE && begins_record(s->buffer))
			break;
	}
	if (!s->unpacker && kind != BTVI_INPUT_FILE && btvi_archive_sniff(s->buffer, size)) {
		unsigned char *const buffer = malloc(s->buffer_size);

		/* The unpacker gets the first buffer's bytes back before the others. */
		if (!buffer)
			return btvi_fail_nomem(err);
		s->sniffed_buffer = s->buffer;
		s->sniffed = s->buffer;
		s->sniffed_size = size;
		s->buffer = buffer;
		size = 0;
		status = btvi_unpacker_open(read_once, s, s->input->path, false, &s->unpacker, err);
		if (status == BTVIZ_OK)
			status = read_some(s, s->buffer, s->buffer_size, &size, err);
		if (status != BTVIZ_OK)
			return status;
	}
	s->begin_size = size;
	stream_kind = btvi_stream_kind(s->input->path, s->buffer, size);
	if (stream_kind != BTVI_STREAM_RECORDS) {
		s->transcoder = btvi_transcoder_new(stream_kind);
		if (!s->transcoder)
			return btvi_fail_nomem(err);
	}
	return BTVIZ_OK;
}

/* Gives the decoder the stream's next bytes, or says that none follow. */
static enum btviz_status feed(struct btvi_stream *s, struct btviz_error *err)
{
	const unsigned char *bytes;
	enum btviz_status status;
	size_t got;

	if (!s->opened) {
		status = open_stream(s, err);
		if (status != BTVIZ_OK)
			return status;
	}
	for (;;) {
		if (s->begin_size > 0) {
			got = s->begin_size;
			s->begin_size = 0;
		} else {
			status = read_some(s, s->buffer, s->buffer_size, &got, err);
			if (status != BTVIZ_OK)
				return status;
			if (s->input->kind == BTVI_INPUT_FILE)
				s->at += got;
		}
		s->ended = got == 0;
		bytes = s->buffer;
		if (s->transcoder) {
			status = btvi_transcoder_put(
				s->transcoder, s->buffer, got, s->ended, &bytes, &got, err);
			if (status != BTVIZ_OK)
				return status;
		}
		if (got > 0) {
			btviz_decoder_feed(&s->decoder, bytes, got);
			return BTVIZ_OK;
		}
		if (s->ended) {
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

		btvi_fail(err, status, "%s: %s", s->input->path, inner.message);
		btvi_error_where(err, s->input->path, btvi_offset(&s->decoder));
	}
	return status;
}

/* The next record as it stands in the stream, into s->ev. */
static enum btviz_status next_record(struct btvi_stream *s, struct btviz_error *err)
{
	for (;;) {
		enum btviz_status status = btvi_decoder_next(&s->decoder, &s->ev, err);

		if (status < 0)
			return fail_in(s, status, err);
		if (status != BTVIZ_NEED_INPUT)
			return status;
		if (s->ended) {
			/* what the transcoder made at the end has been used up */
			btviz_decoder_feed_end(&s->decoder);
			continue;
		}
		status = feed(s, err);
		if (status != BTVIZ_OK) {
			btvi_error_where(err, s->input->path, s->at);
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
		const uint64_t slack = s->input->ordered ? 0 : NOTE_SLACK_NS;

		s->any_io = true;
		s->notes_off = s->ev.time_ns == 0 || s->ev.time_ns + slack < s->first_note_ns;
	}
	if (s->ev.time_ns > s->last_io_ns)
		s->last_io_ns = s->ev.time_ns;
	return s->ev.time_ns;
}

static bool is_last_part(const struct btvi_stream *s)
{
	return !s->in_order || s->part_begin + s->part_size >= s->input->offset + s->input->size;
}

/* What is left when a stream has been decoded: counts, no memory. */
static enum btviz_status finish(struct btvi_stream *s)
{
	if (!s->decoded && (s->cut || (s->input->cut && is_last_part(s))) &&
		s->decoder.health.torn_tails == 0)
		s->decoder.health.torn_tails++;
	s->decoded = true;
	close_input(s);
	return BTVIZ_END;
}

enum btviz_status btvi_stream_next_slow(
	struct btvi_stream *s, uint64_t *ret_key, struct btviz_error *err)
{
	enum btviz_status status;

	if (!s->window) {
		s->head = NULL;
		status = s->decoded ? BTVIZ_END : next_record(s, err);
		if (status == BTVIZ_END)
			return finish(s);
		if (status != BTVIZ_OK)
			return status;
		s->head = &s->ev;
		*ret_key = key_of(s);
		return BTVIZ_OK;
	}
	while (!s->decoded && !btvi_window_is_full(s->window)) {
		status = next_record(s, err);
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

/* ---- runs ------------------------------------------------------------------------------------ */

void btvi_stream_restrict(struct btvi_stream *s, uint64_t begin, uint64_t size)
{
	s->part_begin = s->input->offset + begin;
	s->part_size = size;
	s->in_order = true;
}

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
		const enum btviz_status status = next_record(s, err);

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

	*ret_needs = !s->input->ordered && !s->in_order;
	if (!s->opened) {
		status = open_stream(s, err);
		if (status != BTVIZ_OK) {
			btvi_error_where(err, s->input->path, 0);
			return status;
		}
	}
	if (*ret_needs || s->in_order || s->transcoder || s->input->kind != BTVI_INPUT_FILE)
		return BTVIZ_OK;
	begin_size = s->begin_size < PROBE_SIZE ? s->begin_size : PROBE_SIZE;
	if (probe(s->buffer, begin_size, &any, &first_ns, &last_ns, &steps) != BTVIZ_OK)
		return btvi_fail_nomem(err);
	*ret_needs = steps;
	if (!any || steps || s->input->size <= begin_size)
		return BTVIZ_OK;
	size = s->input->size - begin_size < PROBE_SIZE ? (size_t)(s->input->size - begin_size)
							: PROBE_SIZE;
	status = read_file(s, s->input->size - size, end, size, &size, err);
	if (status == BTVIZ_OK &&
		probe(end, size, &any_at_end, &end_first_ns, &end_last_ns, &steps_at_end) !=
			BTVIZ_OK)
		status = btvi_fail_nomem(err);
	if (status == BTVIZ_OK)
		*ret_needs = any_at_end && (steps_at_end || end_last_ns < last_ns);
	return status;
}
