/* fuzz_decode.c - one stream of bytes through the decoder, whole and in pieces. The events and what
 * was counted must not depend on where the pieces were cut, and every byte must be accounted for.
 */
#include <string.h>

#include <btviz/trace.h>

#include "fuzz.h"
#include "mutate.h"

/* What a decoding came to: all that must be the same. */
struct outcome {
	uint64_t hash, events, notes;
	enum btviz_status status;
	struct btviz_health health;
};

static void mix(uint64_t *hash, uint64_t v)
{
	*hash = (*hash ^ v) * 0x100000001b3U;
	*hash ^= *hash >> 29;
}

static void take(struct outcome *o, const struct btviz_event *ev)
{
	mix(&o->hash, ev->time_ns);
	mix(&o->hash, ev->sector);
	mix(&o->hash, (uint64_t)ev->bytes << 32 | ev->categories);
	mix(&o->hash, (uint64_t)ev->device << 32 | ev->pid);
	mix(&o->hash, (uint64_t)ev->cpu << 32 | ev->sequence);
	mix(&o->hash, (uint64_t)ev->event << 32 | (uint32_t)ev->error << 8 | ev->flags);
	mix(&o->hash, ev->lost_before);
	mix(&o->hash, ev->cgroup_id);
	for (unsigned i = 0; i < ev->payload_size; i++)
		mix(&o->hash, ev->payload[i]);
	require(ev->version == 7 || ev->version == 8);
	require(((ev->flags & BTVIZ_EV_LOSS) != 0) == (ev->lost_before > 0));
	if (btviz_event_is_note(ev))
		o->notes++;
	else
		o->events++;
	require(btviz_event_op(ev) < BTVIZ_OP_COUNT);
	require(btviz_action_letter(ev->event)[0] != '\0');
}

/* How a stream is cut: pieces of one size, or each of a length of its own, made from seed: short
 * ones, as many bytes as a header, as the fast path wants, or all up to some bytes before the end.
 */
enum { PIECES_OF_ALL_SIZES = 0 };

static size_t next_piece(uint32_t *seed, size_t left)
{
	static const size_t sizes[] = { 47, 48, 49, 63, 64, 65, 78, 79, 80, 81, 127, 128, 289, 290,
		1024, 4096 };

	*seed = *seed * 1664525 + 1013904223;
	switch (*seed >> 30) {
	case 0:
		return 1 + (*seed >> 8) % 8;
	case 1:
		return 1 + (*seed >> 8) % 200;
	case 2:
		return sizes[(*seed >> 8) % (sizeof sizes / sizeof sizes[0])];
	default:
		return left > 128 ? left - (*seed >> 8) % 128 : 1 + (*seed >> 8) % left;
	}
}

static struct outcome decode(const uint8_t *data, size_t size, size_t piece, uint32_t seed)
{
	struct btviz_decoder *const d = btviz_decoder_new();
	struct outcome o = { .hash = 1 };
	struct btviz_error err = { .status = BTVIZ_OK };
	const struct btviz_event *ev;
	unsigned char *copy = NULL;
	size_t at = 0;

	require(d);
	while ((o.status = btviz_decoder_next(d, &ev, &err)) == BTVIZ_OK ||
		o.status == BTVIZ_NEED_INPUT) {
		size_t n = piece;

		if (o.status == BTVIZ_OK) {
			take(&o, ev);
			continue;
		}
		free(copy);
		copy = NULL;
		if (at == size) {
			btviz_decoder_feed_end(d);
			continue;
		}
		if (n == PIECES_OF_ALL_SIZES)
			n = next_piece(&seed, size - at);
		if (n > size - at)
			n = size - at;
		/* A piece of its own memory: one byte too far is seen. */
		copy = malloc(n);
		require(copy);
		memcpy(copy, data + at, n);
		btviz_decoder_feed(d, copy, n);
		at += n;
	}
	o.health = *btviz_decoder_health(d);
	require(o.status == BTVIZ_END || (err.status == o.status && err.message[0] != '\0'));
	require(o.health.events == o.events && o.health.notes == o.notes);
	require(o.health.bad_bytes <= size);
	require(o.status != BTVIZ_END || o.health.bytes == size);
	free(copy);
	btviz_decoder_free(d);
	return o;
}

static void compare(const struct outcome *a, const struct outcome *b)
{
	require(a->status == b->status);
	require(a->events == b->events);
	require(a->hash == b->hash);
	if (a->status == BTVIZ_END)
		require(memcmp(&a->health, &b->health, sizeof a->health) == 0);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return mutate_records(data, size, max_size, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
	uint8_t *out, size_t max_size, unsigned seed)
{
	return mutate_join_records(a, a_size, b, b_size, out, max_size, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct outcome whole = decode(data, size, size ? size : 1, 0);
	const uint32_t seed = size > 12 ? data[8] | (uint32_t)data[9] << 8 : (uint32_t)size;
	const struct outcome one = decode(data, size, PIECES_OF_ALL_SIZES, seed);
	const struct outcome other = decode(data, size, PIECES_OF_ALL_SIZES, ~seed);

	compare(&whole, &one);
	compare(&whole, &other);
	if (size < 2048) {
		const struct outcome bytewise = decode(data, size, 1, 0);

		compare(&whole, &bytewise);
	}
	return 0;
}
