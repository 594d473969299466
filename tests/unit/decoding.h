/* decoding.h - streams of bytes through a decoder, in pieces of every size, for tests. */
#ifndef TEST_DECODING_H
#define TEST_DECODING_H

#include "records.h"
#include "trace/decode.h"

static const struct form forms[] = { { 7, false }, { 8, false }, { 7, true }, { 8, true } };
enum {
	FORMS = sizeof forms / sizeof forms[0],
	EVENTS_MAX = 4096,
	CHUNKS = 65,
};

/* What came out of a stream, payloads left out. */
struct result {
	struct btviz_event events[EVENTS_MAX];
	size_t count;
	enum btviz_status status;
	struct btviz_health health;
	struct btviz_error err;
};

static unsigned payload_sum; /* so that payloads are really read */

/* Decodes bytes in pieces of chunk bytes. Each piece is a copy of its own, exactly as long, and
 * gone when the next comes: so a pointer kept too long is seen by the sanitizer. */
static inline void decode(const struct bytes *b, size_t chunk, struct result *ret)
{
	struct btviz_decoder *const d = btviz_decoder_new();
	unsigned char *piece = NULL;
	size_t at = 0;

	assert_non_null(d);
	ret->count = 0;
	for (;;) {
		const struct btviz_event *ev;

		ret->status = btviz_decoder_next(d, &ev, &ret->err);
		if (ret->status == BTVIZ_NEED_INPUT) {
			const size_t n = b->size - at < chunk ? b->size - at : chunk;

			free(piece);
			piece = NULL;
			if (n == 0) {
				btviz_decoder_feed_end(d);
				continue;
			}
			piece = malloc(n);
			assert_non_null(piece);
			memcpy(piece, b->data + at, n);
			btviz_decoder_feed(d, piece, n);
			at += n;
			continue;
		}
		if (ret->status != BTVIZ_OK)
			break;
		assert_true(ret->count < EVENTS_MAX);
		/* the payload is there, all of it */
		for (size_t i = 0; i < ev->payload_size; i++)
			payload_sum += ev->payload[i];
		ret->events[ret->count] = *ev;
		ret->events[ret->count++].payload = NULL;
	}
	ret->health = *btviz_decoder_health(d);
	free(piece);
	btviz_decoder_free(d);
}

static struct result whole, cut;

/* Decodes in one piece into `whole`, and makes sure that pieces of 1 to 65 bytes give the same. */
static inline void decode_every_way(const struct bytes *b)
{
	decode(b, b->size ? b->size : 1, &whole);
	for (size_t chunk = 1; chunk <= CHUNKS; chunk++) {
		decode(b, chunk, &cut);
		assert_int_equal(cut.status, whole.status);
		assert_int_equal(cut.count, whole.count);
		for (size_t i = 0; i < cut.count; i++) {
			struct btviz_event x = whole.events[i], y = cut.events[i];

			assert_int_equal(x.time_ns, y.time_ns);
			assert_int_equal(x.sequence, y.sequence);
			assert_int_equal(x.event, y.event);
			assert_int_equal(x.sector, y.sector);
			assert_int_equal(x.flags, y.flags);
			assert_int_equal(x.lost_before, y.lost_before);
			assert_int_equal(x.payload_size, y.payload_size);
			if (x.flags & BTVIZ_EV_PAYLOAD)
				assert_int_equal(x.u.depth, y.u.depth);
		}
		if (whole.status != BTVIZ_ERR_VERSION)
			assert_memory_equal(&cut.health, &whole.health, sizeof cut.health);
	}
}

#endif
