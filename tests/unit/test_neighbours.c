/* test_neighbours.c - one record's time against those of the records around it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "decoding.h"

/* Records of one CPU, a microsecond apart from a second on; the one at `at` says time_ns instead.
 */
static void add_with_wrong_time(
	struct bytes *b, const struct form *form, unsigned count, unsigned at, uint64_t time_ns)
{
	for (unsigned i = 0; i < count; i++) {
		const struct btviz_event ev =
			io_event(BTVIZ_ACT_QUEUE, i == at ? time_ns : 1000000000 + 1000 * i, i + 1);

		bytes_add_event(b, form, &ev);
	}
}

/* One time that the neighbours leave no room for: that record is set aside, and it alone. */
static void wrong_time(void **state)
{
	static const uint64_t times[] = { 0, 900000000, 1100000000, 3600000000000, 864000000000000,
		1ULL << 61, 3600000000000000000 };

	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		for (size_t t = 0; t < sizeof times / sizeof times[0]; t++) {
			for (unsigned at = 0; at < 9; at++) {
				struct bytes b = { NULL, 0, 0 };
				/* that a first record is early nobody can tell */
				const bool told = at > 0 || times[t] > 1000000000;

				add_with_wrong_time(&b, &forms[f], 10, at, times[t]);
				decode_every_way(&b);
				assert_int_equal(whole.health.wrong_times, told);
				assert_int_equal(whole.count, told ? 9 : 10);
				assert_int_equal(whole.health.lost_events, 0);
				assert_int_equal(whole.health.steps_back, 0);
				assert_int_equal(whole.events[whole.count - 1].time_ns, 1000009000);
				if (told) {
					assert_int_equal(whole.health.wrong_time_ns, times[t]);
					assert_int_equal(whole.health.wrong_time_sequence, at + 1);
					assert_int_equal(whole.health.wrong_time_device,
						BTVIZ_DEVICE(8, 16));
				}
				bytes_free(&b);
			}
		}
	}
}

/* What is no wrong time: a pause, however long; a restart; a clock that goes back for good; a CPU
 * behind another one's in the same stream; small steps. */
static void time_that_only_looks_wrong(void **state)
{
	static const struct {
		uint32_t cpu, sequence;
		uint64_t time_ms;
	} cases[][7] = {
		{ { 0, 1, 1000 }, { 0, 2, 1001 }, { 0, 3, 900000 }, { 0, 4, 900001 },
			{ 0, 5, 900002 }, { 0, 6, 900003 }, { 0, 7, 900004 } },
		{ { 0, 1, 1000 }, { 0, 2, 1001 }, { 0, 3, 1002 }, { 0, 1, 5 }, { 0, 2, 6 },
			{ 0, 3, 7 }, { 0, 4, 8 } },
		{ { 0, 1, 1000 }, { 0, 2, 1001 }, { 0, 3, 1002 }, { 0, 4, 5 }, { 0, 5, 6 },
			{ 0, 6, 7 }, { 0, 7, 8 } },
		{ { 0, 1, 1000 }, { 0, 2, 1500 }, { 1, 1, 1001 }, { 1, 2, 1501 }, { 1, 3, 1502 },
			{ 0, 3, 1503 }, { 0, 4, 1504 } },
		{ { 0, 1, 1000 }, { 0, 2, 1005 }, { 0, 3, 1004 }, { 0, 4, 1006 }, { 0, 5, 1007 },
			{ 0, 6, 1008 }, { 0, 7, 1009 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct bytes b = { NULL, 0, 0 };

		for (unsigned k = 0; k < 7; k++) {
			struct btviz_event ev = io_event(BTVIZ_ACT_QUEUE,
				cases[i][k].time_ms * 1000000, cases[i][k].sequence);

			ev.cpu = cases[i][k].cpu;
			bytes_add_event(&b, &forms[0], &ev);
		}
		decode_every_way(&b);
		assert_int_equal(whole.count, 7);
		assert_int_equal(whole.health.wrong_times, 0);
		bytes_free(&b);
	}
}

/* A dump sorted by time has the record of a wrong time at its end, out of its number's order. */
static void wrong_time_in_a_sorted_dump(void **state)
{
	struct bytes b = { NULL, 0, 0 };

	(void)state;
	for (unsigned i = 0; i < 10; i++) {
		const unsigned number = i < 4 ? i + 1 : i < 9 ? i + 2 : 5;
		const struct btviz_event ev =
			io_event(BTVIZ_ACT_QUEUE, i < 9 ? 1000 * number : 3600000000000, number);

		bytes_add_event(&b, &forms[0], &ev);
	}
	decode_every_way(&b);
	assert_int_equal(whole.count, 9);
	assert_int_equal(whole.health.wrong_times, 1);
	assert_int_equal(whole.health.wrong_time_sequence, 5);
	assert_int_equal(whole.health.lost_events, 0);
	bytes_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_time),
		cmocka_unit_test(time_that_only_looks_wrong),
		cmocka_unit_test(wrong_time_in_a_sorted_dump),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
