/* test_quantity.c - figures as text, in the C locale and in one with a decimal comma. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/quantity.h"

static const struct {
	const char *(*put)(double, char *);
	double value;
	const char *want;
} cases[] = {
	{ btvi_quantity_duration, 1.5261, "1.53 s" },
	{ btvi_quantity_duration, 8.616, "8.6 s" },
	{ btvi_quantity_duration, 123.4, "123 s" },
	{ btvi_quantity_duration, 0.9999, "1.00 s" },
	{ btvi_quantity_duration, 0.0123, "12.3 ms" },
	{ btvi_quantity_duration, 0.000045, "45.0 µs" },
	{ btvi_quantity_duration, 0, "0.00 s" },
	{ btvi_quantity_duration, NAN, "n/a" },
	{ btvi_quantity_bytes, 0, "0 bytes" },
	{ btvi_quantity_bytes, 512, "512 bytes" },
	{ btvi_quantity_bytes, 1023.9, "1.0 KiB" },
	{ btvi_quantity_bytes, 4096, "4.0 KiB" },
	{ btvi_quantity_bytes, 4.6 * 1048576, "4.6 MiB" },
	{ btvi_quantity_bytes, 167772160, "160 MiB" },
	{ btvi_quantity_bytes, NAN, "n/a" },
	{ btvi_quantity_rate, 22480000, "22.5 MB/s" },
	{ btvi_quantity_rate, 999999, "1.0 MB/s" },
	{ btvi_quantity_rate, 12, "12 B/s" },
	{ btvi_quantity_rate, 1e300, "1000000000000000000 TB/s" },
	{ btvi_quantity_share, 0.648, "65 %" },
	{ btvi_quantity_share, 0.0234, "2.3 %" },
	{ btvi_quantity_share, 0, "0 %" },
	{ btvi_quantity_share, 1, "100 %" },
	{ btvi_quantity_share, NAN, "n/a" },
};

static void test_units(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char out[BTVI_QUANTITY_SIZE];

		assert_string_equal(cases[i].put(cases[i].value, out), cases[i].want);
	}
}

static void test_counts(void **state)
{
	char out[BTVI_QUANTITY_SIZE];

	(void)state;
	assert_string_equal(btvi_quantity_count(0, out), "0");
	assert_string_equal(btvi_quantity_count(999, out), "999");
	assert_string_equal(btvi_quantity_count(20378, out), "20,378");
	assert_string_equal(btvi_quantity_count(UINT64_MAX, out), "18,446,744,073,709,551,615");
	assert_string_equal(btvi_quantity_words(7, out), "seven");
	assert_string_equal(btvi_quantity_words(12, out), "twelve");
	assert_string_equal(btvi_quantity_words(13, out), "13");
	assert_string_equal(btvi_quantity_fixed(-1.25, 3, out), "-1.250");
	assert_string_equal(btvi_quantity_fixed(2.5, 0, out), "2");
	assert_string_equal(btvi_quantity_fixed(INFINITY, 2, out), "1000000000000000000.00");
}

static void test_tied(void **state)
{
	static const struct {
		const char *text;
		size_t at;
		bool want;
	} ties[] = { { "8.6 s (65 %)", 3, true }, { "8.6 s (65 %)", 5, false },
		{ "8.6 s (65 %)", 9, true }, { "45 µs, then", 2, true }, { "7 seeks", 1, false },
		{ "22.5 MB/s.", 4, true }, { "in s", 2, false }, { "5 ", 1, false },
		{ " s", 0, false }, { "5", 1, false }, { "sdb1 s", 4, true } };

	(void)state;
	for (size_t i = 0; i < sizeof ties / sizeof ties[0]; i++)
		if (btvi_quantity_tied(ties[i].text, ties[i].at) != ties[i].want)
			fail_msg("\"%s\" at %zu", ties[i].text, ties[i].at);
}

/* Where the system has such a locale; the C locale is tried in any case. */
static void test_decimal_comma(void **state)
{
	(void)state;
	if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
		print_message("# no locale with a decimal comma here\n");
	test_units(NULL);
	test_counts(NULL);
	setlocale(LC_ALL, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_tied),
		cmocka_unit_test(test_decimal_comma),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
