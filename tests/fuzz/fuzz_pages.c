/* fuzz_pages.c - recordings of the kernel's tracer: ring-buffer pages and trace_pipe's stream, made
 * ordinary records. What comes out must not depend on where the pieces were cut, must be bounded by
 * what went in, and must be records to the decoder. */
#include <string.h>

#include <btviz/trace.h>

#include "fuzz.h"
#include "trace/transcode.h"

struct out {
	unsigned char *bytes;
	size_t size, room;
};

static void append(struct out *o, const unsigned char *bytes, size_t size)
{
	if (o->size + size > o->room) {
		o->room = 2 * (o->size + size);
		o->bytes = realloc(o->bytes, o->room);
		require(o->bytes);
	}
	if (size > 0)
		memcpy(o->bytes + o->size, bytes, size);
	o->size += size;
}

static struct out transcode(enum btvi_stream_kind kind, const uint8_t *data, size_t size,
	size_t piece, struct btvi_transcoder_stats *ret_stats)
{
	struct btvi_transcoder *const t = btvi_transcoder_new(kind);
	struct out o = { NULL, 0, 0 };
	size_t at = 0;
	bool end;

	require(t);
	do {
		const size_t n = piece < size - at ? piece : size - at;
		const unsigned char *bytes;
		size_t got;

		end = at + n == size;
		require(btvi_transcoder_put(t, data + at, n, end, &bytes, &got, NULL) == BTVIZ_OK);
		require(got <= 3 * (at + n) + BTVI_TRANSCODER_HELD);
		append(&o, bytes, got);
		at += n;
	} while (!end);
	*ret_stats = *btvi_transcoder_stats(t);
	require(ret_stats->bad_bytes <= size);
	require(ret_stats->bad_stretches <= ret_stats->bad_bytes);
	btvi_transcoder_free(t);
	return o;
}

/* What the transcoder makes is never damaged. */
static void decode(const struct out *o)
{
	struct btviz_decoder *const d = btviz_decoder_new();
	const struct btviz_event *ev;
	enum btviz_status status;

	require(d);
	if (o->size > 0)
		btviz_decoder_feed(d, o->bytes, o->size);
	while ((status = btviz_decoder_next(d, &ev, NULL)) == BTVIZ_OK ||
		status == BTVIZ_NEED_INPUT)
		if (status == BTVIZ_NEED_INPUT)
			btviz_decoder_feed_end(d);
	require(status == BTVIZ_END);
	btviz_decoder_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum btvi_stream_kind kinds[] = { BTVI_STREAM_RING, BTVI_STREAM_PIPE };
	const size_t piece = size > 3 ? 1U + data[3] * 37U : 1;

	(void)btvi_sniff("sdb.raw", data, size, true);
	(void)btvi_sniff(NULL, data, size < BTVI_STREAM_SNIFF ? size : BTVI_STREAM_SNIFF, true);
	for (int i = 0; i < 2; i++) {
		struct btvi_transcoder_stats a_stats, b_stats;
		struct out a = transcode(kinds[i], data, size, size ? size : 1, &a_stats);
		struct out b = transcode(kinds[i], data, size, piece, &b_stats);

		require(a.size == b.size);
		require(a.size == 0 || memcmp(a.bytes, b.bytes, a.size) == 0);
		require(memcmp(&a_stats, &b_stats, sizeof a_stats) == 0);
		decode(&a);
		free(a.bytes);
		free(b.bytes);
	}
	return 0;
}
