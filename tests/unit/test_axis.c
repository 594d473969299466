/* test_axis.c - ticks are round, labels differ, whatever the range. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "draw/axis.h"

/* Labels joined with blanks, and the unit behind them. */
static void show(const struct btvi_axis *a, char *out, size_t size)
{
	size_t n = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < a->tick_count; i++)
		n += (size_t)snprintf(out + n, size - n, "%s, ", a->ticks[i].label);
	snprintf(out + n, size - n, "[%s]", a->unit);
}

static const struct {
	const char *name;
	enum btvi_axis_kind kind;
	double min, max;
	unsigned ticks;
	bool round;
	const char *want;
} cases[] = {
	{ "a run of 13 s", BTVI_AXIS_TIME, 0, 13.29, 8, false, "0, 2, 4, 6, 8, 10, 12, [s]" },
	{ "2 ms", BTVI_AXIS_TIME, 0, 0.002, 5, false, "0, 0.5, 1.0, 1.5, 2.0, [ms]" },
	{ "an hour", BTVI_AXIS_TIME, 0, 3600, 7, false, "0, 10, 20, 30, 40, 50, 60, [min]" },
	{ "a day", BTVI_AXIS_TIME, 0, 86400, 6, false, "0, 5, 10, 15, 20, [h]" },
	{ "a single moment", BTVI_AXIS_TIME, 0, 0, 3, false, "0, 0.5, 1.0, [µs]" },
	{ "a single moment, late", BTVI_AXIS_TIME, 1000, 1000, 3, false,
		"+0, +0.5, +1.0, [µs from 1000000000.0 µs]" },
	{ "10^18 ns", BTVI_AXIS_TIME, 0, 1e9, 6, false, "0, 2000, 4000, 6000, 8000, 10000, [d]" },
	{ "a window", BTVI_AXIS_TIME, 3.2, 3.6, 5, false, "3200, 3300, 3400, 3500, 3600, [ms]" },
	{ "a narrow window, late", BTVI_AXIS_TIME, 1234.5, 1234.5005, 6, false,
		"+0, +0.1, +0.2, +0.3, +0.4, +0.5, [ms from 1234500.0 ms]" },
	{ "not a number", BTVI_AXIS_TIME, NAN, INFINITY, 3, false, "0, 0.5, 1.0, [µs]" },
	{ "nothing", BTVI_AXIS_RATE, 0, 0, 4, true, "0, 0.5, 1.0, [MB/s]" },
	{ "76 MB/s", BTVI_AXIS_RATE, 0, 76e6, 5, true, "0, 20, 40, 60, 80, [MB/s]" },
	{ "477 kB/s", BTVI_AXIS_RATE, 0, 477e3, 6, true, "0, 100, 200, 300, 400, 500, [kB/s]" },
	{ "12 GB/s", BTVI_AXIS_RATE, 0, 12e9, 4, true, "0, 5, 10, [GB/s]" },
	{ "no seeks", BTVI_AXIS_COUNT, 0, 0, 3, true, "0, 0.5, 1.0, []" },
	{ "10,000 I/Os", BTVI_AXIS_COUNT, 0, 9999, 4, true, "0, 5k, 10k, []" },
	{ "0.3 a second", BTVI_AXIS_COUNT, 0, 0.3, 4, true, "0, 0.1, 0.2, 0.3, []" },
	{ "a million", BTVI_AXIS_COUNT, 0, 1e6, 3, true, "0, 0.5M, 1.0M, []" },
	{ "millions", BTVI_AXIS_COUNT, 0, 2.4e7, 4, true, "0, 10M, 20M, []" },
	{ "100 MiB", BTVI_AXIS_OFFSET, 0, 98566144, 6, true, "0, 20, 40, 60, 80, 100, [MiB]" },
	{ "3 GiB", BTVI_AXIS_OFFSET, 0, 0x1.8p31, 5, true, "0, 1, 2, 3, [GiB]" },
	{ "one sector", BTVI_AXIS_OFFSET, 0, 512, 4, true, "0, 200, 400, [bytes]" },
	{ "sectors 1e9 to 1e9 + 1e5", BTVI_AXIS_OFFSET, 512e9, 512e9 + 512e5, 5, true,
		"488280, 488300, 488320, [MiB]" },
	{ "a page far out", BTVI_AXIS_OFFSET, 0x1p50, 0x1p50 + 4096, 3, true,
		"+0, +2, +4, [KiB from 1099511627776 KiB]" },
	{ "30 µs to 2 s", BTVI_AXIS_LATENCY, 30e-6, 2, 8, true,
		"10 µs, 100 µs, 1 ms, 10 ms, 100 ms, 1 s, 10 s, []" },
	{ "within a decade", BTVI_AXIS_LATENCY, 2e-3, 7e-3, 6, true,
		"1 ms, 2 ms, 5 ms, 10 ms, []" },
	{ "one latency", BTVI_AXIS_LATENCY, 1e-3, 1e-3, 6, true, "1 ms, 2 ms, 5 ms, 10 ms, []" },
	{ "no latency", BTVI_AXIS_LATENCY, 0, 0, 2, true, "1 µs, 10 µs, []" },
	{ "many decades, few ticks", BTVI_AXIS_LATENCY, 1e-9, 1e3, 4, true,
		"1 ns, 10 µs, 100 ms, 1000 s, []" },
	{ "4 KiB to 1 MiB", BTVI_AXIS_SIZE, 4096, 1048576, 5, true,
		"4 KiB, 16 KiB, 64 KiB, 256 KiB, 1 MiB, []" },
	{ "one size", BTVI_AXIS_SIZE, 4096, 4096, 5, true, "2 KiB, 4 KiB, 8 KiB, []" },
	{ "half a minute by the clock", BTVI_AXIS_CLOCK, 1220000003, 1220000031, 4, false,
		"08:53:30, 08:53:40, 08:53:50, [UTC]" },
	{ "tenths by the clock", BTVI_AXIS_CLOCK, 1220000000, 1220000000.31, 5, false,
		"08:53:20.0, 08:53:20.1, 08:53:20.2, 08:53:20.3, [UTC]" },
};

static void test_labels(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct btvi_axis a;
		char got[512];

		btvi_axis_init(&a, cases[i].kind, cases[i].min, cases[i].max, cases[i].ticks,
			cases[i].round);
		show(&a, got, sizeof got);
		if (strcmp(got, cases[i].want) != 0)
			fail_msg("%s: got %s, want %s", cases[i].name, got, cases[i].want);
	}
}

/* What must hold for every axis, over many ranges. */
static void check(const struct btvi_axis *a, unsigned max_ticks, double min, double max, bool round)
{
	char all[512];

	show(a, all, sizeof all);
	if (!(a->min < a->max) ||
		a->tick_count > max_ticks + (a->kind >= BTVI_AXIS_LATENCY ? 1 : 0))
		fail_msg("range %g..%g from %g..%g: %s", a->min, a->max, min, max, all);
	if (round && (a->min > min * (1 + 1e-12) || a->max < max * (1 - 1e-12)))
		fail_msg("%g..%g does not hold %g..%g", a->min, a->max, min, max);
	for (unsigned i = 0; i < a->tick_count; i++) {
		const double place = btvi_axis_place(a, a->ticks[i].at);

		if (!(place >= 0 && place <= 1))
			fail_msg("a tick outside: %s", all);
		if (i > 0 &&
			(a->ticks[i].at <= a->ticks[i - 1].at ||
				strcmp(a->ticks[i].label, a->ticks[i - 1].label) == 0))
			fail_msg("equal labels from %g to %g: %s", min, max, all);
	}
}

static void test_all_ranges(void **state)
{
	static const enum btvi_axis_kind kinds[] = { BTVI_AXIS_TIME, BTVI_AXIS_OFFSET,
		BTVI_AXIS_RATE, BTVI_AXIS_COUNT, BTVI_AXIS_LATENCY, BTVI_AXIS_SIZE };

	(void)state;
	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
		for (int exponent = -9; exponent <= 19; exponent++)
			for (int base = -9; base <= 19; base += 2)
				for (unsigned ticks = 2; ticks <= 12; ticks += 5) {
					const double span = 1.7 * pow(10, exponent);
					const double min = base < -8 ? 0 : pow(10, base);
					struct btvi_axis a;

					for (int round = 0; round < 2; round++) {
						btvi_axis_init(&a, kinds[k], min, min + span, ticks,
							round);
						check(&a, ticks, min, min + span,
							round && kinds[k] < BTVI_AXIS_LATENCY &&
								span > min * 1e-12);
					}
				}
}

static void test_horizontal_labels_keep_apart(void **state)
{
	static const double lengths[] = { 60, 100, 200, 430, 1080 };

	(void)state;
	for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++)
		for (int exponent = -9; exponent <= 9; exponent++) {
			struct btvi_axis a;
			double end = -1e9;

			btvi_axis_init_horizontal(&a, BTVI_AXIS_TIME, 1, 1 + pow(10, exponent),
				lengths[l], &btvi_font_fixed, 11);
			for (unsigned i = 0; i < a.tick_count; i++) {
				const double half = btvi_font_width(&btvi_font_fixed,
							    a.ticks[i].label, 11, false) /
					2;
				const double x = btvi_axis_place(&a, a.ticks[i].at) * lengths[l];

				assert_true(x - half >= end);
				end = x + half;
			}
		}
}

static void test_place(void **state)
{
	struct btvi_axis a;

	(void)state;
	btvi_axis_init(&a, BTVI_AXIS_RATE, 0, 80e6, 5, true);
	assert_true(fabs(btvi_axis_place(&a, 40e6) - 0.5) < 1e-9);
	assert_true(btvi_axis_place(&a, -1) == 0);
	assert_true(btvi_axis_place(&a, 1e12) == 1);
	assert_true(isnan(btvi_axis_place(&a, NAN)));
	btvi_axis_init(&a, BTVI_AXIS_LATENCY, 1e-4, 1e-2, 5, true);
	assert_true(fabs(btvi_axis_place(&a, 1e-3) - 0.5) < 1e-9);
	assert_true(btvi_axis_place(&a, 0) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_all_ranges),
		cmocka_unit_test(test_horizontal_labels_keep_apart),
		cmocka_unit_test(test_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
