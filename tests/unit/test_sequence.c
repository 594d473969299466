/* test_sequence.c - what sequence numbers tell: holes, repeats, new beginnings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "records.h"
#include "trace/decode.h"

/* Records of one device, numbers and times worked out by hand. */
struct step {
	uint32_t cpu, sequence;
	uint64_t time_ns;
};

enum {
	STEPS_MAX = 16,
};

static const struct {
	const char *name;
	struct step steps[STEPS_MAX];
	unsigned count;
	uint64_t events, lost, holes, repeated, odd;
} cases[] = {
	{ "whole", { { 0, 1, 10 }, { 0, 2, 20 }, { 0, 3, 30 } }, 3, 3, 0, 0, 0, 0 },
	{ "1, 2, 3, 900: the file was cut",
		{ { 0, 1, 10 }, { 0, 2, 20 }, { 0, 3, 30 }, { 0, 900, 40 } }, 4, 4, 896, 1, 0, 0 },
	{ "two holes", { { 0, 1, 10 }, { 0, 3, 20 }, { 0, 4, 30 }, { 0, 7, 40 } }, 4, 4, 3, 2, 0,
		0 },
	{ "a cut at the front is no loss", { { 0, 500, 10 }, { 0, 501, 20 } }, 2, 2, 0, 0, 0, 0 },
	{ "each CPU has its own count",
		{ { 0, 1, 10 }, { 1, 1, 11 }, { 0, 2, 12 }, { 2, 1, 13 }, { 1, 2, 14 },
			{ 0, 3, 15 } },
		6, 6, 0, 0, 0, 0 },
	{ "a record once more", { { 0, 1, 10 }, { 0, 2, 20 }, { 0, 2, 20 }, { 0, 3, 30 } }, 4, 3, 0,
		0, 1, 0 },
	{ "a block once more",
		{ { 0, 1, 10 }, { 0, 2, 20 }, { 0, 3, 30 }, { 0, 4, 40 }, { 0, 2, 20 },
			{ 0, 3, 30 }, { 0, 4, 40 }, { 0, 5, 50 } },
		8, 5, 0, 0, 3, 0 },
	{ "the same numbers at later times: a new beginning",
		{ { 0, 1, 10 }, { 0, 2, 20 }, { 0, 3, 30 }, { 0, 1, 110 }, { 0, 2, 120 },
			{ 0, 3, 130 } },
		6, 6, 0, 0, 0, 0 },
	{ "the same numbers at earlier times: files in the wrong order",
		{ { 0, 1, 110 }, { 0, 2, 120 }, { 0, 3, 130 }, { 0, 1, 10 }, { 0, 2, 20 } }, 5, 5,
		0, 0, 0, 0 },
	{ "what fills a hole is not missing",
		{ { 0, 1, 10 }, { 0, 4, 40 }, { 0, 2, 20 }, { 0, 3, 30 }, { 0, 5, 50 } }, 5, 5, 0,
		1, 0, 0 },
	{ "a part of a hole is filled", { { 0, 1, 10 }, { 0, 6, 60 }, { 0, 3, 30 }, { 0, 7, 70 } },
		4, 4, 3, 1, 0, 0 },
	{ "one broken number is no loss of millions",
		{ { 0, 1, 10 }, { 0, 0x40000002, 20 }, { 0, 2, 30 }, { 0, 3, 40 } }, 4, 4, 0, 0, 0,
		1 },
	{ "but a large hole is one, if it goes on from there",
		{ { 0, 1, 10 }, { 0, 5000000, 20 }, { 0, 5000001, 30 }, { 0, 5000002, 40 } }, 4, 4,
		4999999, 1, 0, 1 },
	{ "a torn record: a new number over an old record's rest",
		{ { 0, 1, 1000 }, { 0, 2, 2000 }, { 0, 3, 1500 }, { 0, 4, 4000 } }, 4, 4, 0, 0, 0,
		0 },
	{ "numbered by nobody", { { 0, 0, 10 }, { 0, 0, 20 }, { 0, 0, 30 } }, 3, 3, 0, 0, 0, 0 },
};

static void decode_all(const struct bytes *b, struct btviz_health *ret_health)
{
	struct btviz_decoder *const d = btviz_decoder_new();
	const struct btviz_event *ev;
	struct btviz_error err;

	assert_non_null(d);
	btviz_decoder_feed(d, b->data, b->size);
	btviz_decoder_feed_end(d);
	while (btviz_decoder_next(d, &ev, &err) == BTVIZ_OK)
		;
	*ret_health = *btviz_decoder_health(d);
	btviz_decoder_free(d);
}

static void by_hand(void **state)
{
	const struct form form = { 7, false };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct bytes b = { NULL, 0, 0 };
		struct btviz_health h;

		print_message("# %s\n", cases[i].name);
		for (unsigned k = 0; k < cases[i].count; k++) {
			const struct step *const s = &cases[i].steps[k];
			struct btviz_event ev = io_event(BTVIZ_ACT_QUEUE, s->time_ns, s->sequence);

			ev.cpu = s->cpu;
			bytes_add_event(&b, &form, &ev);
		}
		decode_all(&b, &h);
		assert_int_equal(h.events, cases[i].events);
		assert_int_equal(h.lost_events, cases[i].lost);
		assert_int_equal(h.sequence_holes, cases[i].holes);
		assert_int_equal(h.repeated_events, cases[i].repeated);
		assert_int_equal(h.odd_fields, cases[i].odd);
		bytes_free(&b);
	}
}

/* A long stream twice, one behind the other, so long that most of it is remembered only in part. */
static void long_stream_twice(void **state)
{
	const struct form form = { 7, false };
	struct bytes b = { NULL, 0, 0 };
	struct btviz_health h;

	(void)state;
	bytes_add_ios(&b, &form, 1000000, 100000);
	bytes_add_ios(&b, &form, 1000000, 100000);
	decode_all(&b, &h);
	assert_int_equal(h.events, 100000);
	assert_int_equal(h.repeated_events, 100000);
	bytes_free(&b);
	/* another recording of the same numbers: not one is taken for a repeat */
	bytes_add_ios(&b, &form, 1000000, 100000);
	bytes_add_ios(&b, &form, 900000000000, 100000);
	decode_all(&b, &h);
	assert_int_equal(h.events, 200000);
	assert_int_equal(h.repeated_events, 0);
	bytes_free(&b);
}

/* The events behind a hole say how many are missing before them. */
static void holes_are_marked(void **state)
{
	const struct form form = { 8, true };
	struct bytes b = { NULL, 0, 0 };
	struct btviz_decoder *const d = btviz_decoder_new();
	const struct btviz_event *ev;
	struct btviz_event first = io_event(BTVIZ_ACT_QUEUE, 10, 1);
	struct btviz_event second = io_event(BTVIZ_ACT_QUEUE, 20, 11);

	(void)state;
	bytes_add_event(&b, &form, &first);
	bytes_add_event(&b, &form, &second);
	btviz_decoder_feed(d, b.data, b.size);
	btviz_decoder_feed_end(d);
	assert_int_equal(btviz_decoder_next(d, &ev, NULL), BTVIZ_OK);
	assert_int_equal(ev->flags & BTVIZ_EV_LOSS, 0);
	assert_int_equal(btviz_decoder_next(d, &ev, NULL), BTVIZ_OK);
	assert_int_equal(ev->flags & BTVIZ_EV_LOSS, BTVIZ_EV_LOSS);
	assert_int_equal(ev->lost_before, 9);
	assert_int_equal(btviz_decoder_next(d, &ev, NULL), BTVIZ_END);
	btviz_decoder_free(d);
	bytes_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(long_stream_twice),
		cmocka_unit_test(holes_are_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
