/* test_pieces.c - what a decoder gives does not depend on how the bytes come: each recording and
 * each hostile input of testdata, and streams made to tell, in pieces of many sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <unistd.h>

#include "decoding.h"
#include "trace/source.h"

enum {
	BYTEWISE_MAX =
		16 << 10, /* of longer streams the beginning is cut into the smallest pieces */
	PIECES_MAX = 192 << 10, /* and this much into the others */
	PIECE_RANDOM = 0,
};

/* All that must be the same. */
struct outcome {
	uint64_t hash, count;
	enum btviz_status status;
	struct btviz_health health;
};

static void mix(uint64_t *hash, uint64_t v)
{
	*hash = (*hash ^ v) * 0x100000001b3U;
	*hash ^= *hash >> 29;
}

static void mix_event(uint64_t *hash, const struct btviz_event *ev)
{
	mix(hash, ev->time_ns);
	mix(hash, ev->sector);
	mix(hash, (uint64_t)ev->bytes << 32 | ev->categories);
	mix(hash, (uint64_t)ev->device << 32 | ev->pid);
	mix(hash, (uint64_t)ev->cpu << 32 | ev->sequence);
	mix(hash, (uint64_t)ev->event << 32 | (uint32_t)ev->error << 8 | ev->flags);
	mix(hash, ev->lost_before);
	mix(hash, ev->cgroup_id);
	for (unsigned i = 0; i < ev->payload_size; i++)
		mix(hash, ev->payload[i]);
}

/* Each piece is memory of its own, gone when the next one comes. */
static struct outcome decode_in(const unsigned char *data, size_t size, size_t piece, uint32_t seed)
{
	struct btviz_decoder *const d = btviz_decoder_new();
	struct outcome o = { .hash = 1 };
	const struct btviz_event *ev;
	unsigned char *copy = NULL;
	struct btviz_error err;
	size_t at = 0;

	assert_non_null(d);
	while ((o.status = btviz_decoder_next(d, &ev, &err)) == BTVIZ_OK ||
		o.status == BTVIZ_NEED_INPUT) {
		size_t n = piece;

		if (o.status == BTVIZ_OK) {
			o.count++;
			mix_event(&o.hash, ev);
			continue;
		}
		free(copy);
		copy = NULL;
		if (at == size) {
			btviz_decoder_feed_end(d);
			continue;
		}
		if (piece == PIECE_RANDOM) {
			seed = seed * 1664525 + 1013904223;
			n = 1 + (seed >> 8) % (seed >> 30 ? 130 : 4096);
		}
		if (n > size - at)
			n = size - at;
		copy = malloc(n);
		assert_non_null(copy);
		memcpy(copy, data + at, n);
		btviz_decoder_feed(d, copy, n);
		at += n;
	}
	o.health = *btviz_decoder_health(d);
	free(copy);
	btviz_decoder_free(d);
	return o;
}

static void require_same(
	const char *name, size_t piece, const struct outcome *a, const struct outcome *b)
{
	if (a->status == b->status && a->count == b->count && a->hash == b->hash &&
		(a->status != BTVIZ_END || memcmp(&a->health, &b->health, sizeof a->health) == 0))
		return;
	fail_msg("%s in pieces of %zu: %llu events, %llu bad bytes; whole: %llu and %llu", name,
		piece, (unsigned long long)b->count, (unsigned long long)b->health.bad_bytes,
		(unsigned long long)a->count, (unsigned long long)a->health.bad_bytes);
}

static void cut_into_pieces(const char *name, const unsigned char *data, size_t size)
{
	static const size_t pieces[] = { 1, 2, 3, 7, 47, 48, 49, 63, 64, 65, 79, 80, 81, 289, 290,
		1000, 4095, 4096 };
	const size_t little = size < BYTEWISE_MAX ? size : BYTEWISE_MAX;
	const size_t much = size < PIECES_MAX ? size : PIECES_MAX;
	const struct outcome whole_little = decode_in(data, little, little ? little : 1, 0);
	const struct outcome all = decode_in(data, much, much ? much : 1, 0);

	for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
		const bool small = pieces[i] < 8;
		const struct outcome o = decode_in(data, small ? little : much, pieces[i], 0);

		require_same(name, pieces[i], small ? &whole_little : &all, &o);
	}
	for (uint32_t seed = 1; seed <= 6; seed++) {
		const struct outcome o = decode_in(data, much, PIECE_RANDOM, seed);

		require_same(name, PIECE_RANDOM, &all, &o);
	}
	/* and in two, at every place of a short one */
	for (size_t first = 1; size <= 4096 && first < size; first++) {
		const struct outcome o = decode_in(data, size, first, 0);

		require_same(name, first, &all, &o);
	}
}

/* A record of the machine's order that is there twice, one of the other order, one of the machine's
 * with rubbish behind it: the fast path must not go on where the order has changed. */
static void both_orders_and_rubbish(void **state)
{
	(void)state;
	for (unsigned other = 0; other < FORMS; other++) {
		for (unsigned one = 0; one < FORMS; one++) {
			struct bytes b = { NULL, 0, 0 };
			struct btviz_event ev = io_event(BTVIZ_ACT_QUEUE, 1000000, 1);

			bytes_add_event(&b, &forms[one], &ev);
			bytes_add_event(&b, &forms[one], &ev);
			ev = io_event(BTVIZ_ACT_COMPLETE, 2000000, 12);
			ev.device = BTVIZ_DEVICE(251, 0);
			bytes_add_event(&b, &forms[other], &ev);
			ev = io_event(BTVIZ_ACT_COMPLETE, 3000000, 2);
			bytes_add_event(&b, &forms[one], &ev);
			bytes_add(&b, "rubbish, which begins no record at all: 0123456789", 50);
			cut_into_pieces("both orders", b.data, b.size);
			bytes_free(&b);
		}
	}
}

/* Times that are wrong, at the border of every piece. */
static void wrong_times(void **state)
{
	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		struct bytes b = { NULL, 0, 0 };

		for (unsigned i = 0; i < 60; i++) {
			const uint64_t wrong = i % 7 == 3 ? 3600000000000 : i % 11 == 4 ? 5 : 0;
			const struct btviz_event ev =
				io_event(i % 3 ? BTVIZ_ACT_QUEUE : BTVIZ_ACT_REMAP,
					wrong ? wrong : 1000000000 + i * 20000000ULL, i + 1);

			bytes_add_event(&b, &forms[f], &ev);
			if (i % 5 == 0) {
				const struct btviz_event note =
					note_event(BTVIZ_NOTE_MESSAGE, 7, "a\7tae b", 7);

				bytes_add_event(&b, &forms[f], &note);
			}
		}
		cut_into_pieces("wrong times", b.data, b.size);
		bytes_free(&b);
	}
}

/* All streams of a file or archive. */
static void cut_streams_of(const char *path)
{
	struct btvi_sources *s;
	struct btviz_error err;

	if (btvi_sources_find(path, NULL, &s, &err) != BTVIZ_OK)
		return; /* no trace at all: tables, text */
	for (size_t i = 0; i < s->lane_count; i++) {
		for (size_t j = 0; j < s->lanes[i].input_count; j++) {
			const struct btvi_input *const in = &s->lanes[i].inputs[j];
			const size_t size = in->size < PIECES_MAX ? (size_t)in->size : PIECES_MAX;
			unsigned char *const data = malloc(size ? size : 1);

			assert_non_null(data);
			if (in->spooled) {
				assert_int_equal(
					pread(s->spool_fd, data, size, (off_t)in->offset), size);
				cut_into_pieces(in->path, data, size);
			}
			free(data);
		}
	}
	btvi_sources_free(s);
}

static void each_file_in(const char *folder, bool raw)
{
	char path[4096];
	const struct dirent *e;
	DIR *dir;

	snprintf(path, sizeof path, "%s/%s", getenv("TESTDATA"), folder);
	dir = opendir(path);
	assert_non_null(dir);
	while ((e = readdir(dir)) != NULL) {
		static unsigned char bytes[1 << 20];
		size_t size;
		FILE *f;

		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s/%s", getenv("TESTDATA"), folder, e->d_name);
		if (!raw) {
			cut_streams_of(path);
			continue;
		}
		f = fopen(path, "rb");
		assert_non_null(f);
		size = fread(bytes, 1, sizeof bytes, f);
		fclose(f);
		cut_into_pieces(path, bytes, size);
	}
	closedir(dir);
}

static void recordings(void **state)
{
	(void)state;
	each_file_in("real", false);
}

static void hostile_inputs(void **state)
{
	(void)state;
	each_file_in("hostile/decode", true);
	each_file_in("hostile/trace", true);
	each_file_in("hostile/archive", true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_orders_and_rubbish),
		cmocka_unit_test(wrong_times),
		cmocka_unit_test(hostile_inputs),
		cmocka_unit_test(recordings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
