/* test_report_cell.c - figures for tables keep their width and their unit, and say n/a. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "report_cell.h"

static const struct {
	struct cell (*cell)(double);
	double value;
	const char *want;
} cases[] = {
	{ cell_ms, 0.0000123, "0.0123" },
	{ cell_ms, 0.001, "1.000" },
	{ cell_ms, 0.0123456, "12.35" },
	{ cell_ms, 0.1234, "123.4" },
	{ cell_ms, 12.3456, "12346" },
	{ cell_ms, 0.00999999, "10.00" },
	{ cell_ms, NAN, "n/a" },
	{ cell_ms, 0, "0.0000" },
	{ cell_short, 999.94, "999.9" },
	{ cell_short, 999.96, "1000" },
	{ cell_short, NAN, "n/a" },
	{ cell_depth, 0.21, "0.21" },
	{ cell_depth, 216.2, "216.2" },
	{ cell_depth, 12345, "12345" },
	{ cell_whole, 900, "900" },
	{ cell_whole, NAN, "n/a" },
	{ cell_mb, 22480000, "22.48" },
	{ cell_mb, 1e9, "1000.0" },
	{ cell_mb, NAN, "n/a" },
	{ cell_kib, 4096, "4.0" },
	{ cell_percent, 0.654, "65%" },
	{ cell_percent, 1, "100%" },
	{ cell_percent, NAN, "n/a" },
	{ cell_time, 13.2914, "13.291" },
	{ cell_time, 1e300, "1000000000000000.000" },
};

static void test_cells(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_string_equal(cases[i].cell(cases[i].value).text, cases[i].want);
}

static void test_counts(void **state)
{
	(void)state;
	assert_string_equal(cell_count(0, true).text, "0");
	assert_string_equal(cell_count(0, false).text, "n/a");
	assert_string_equal(cell_count(9999999, true).text, "9999999");
	assert_string_equal(cell_count(12345678, true).text, "12.3M");
	assert_string_equal(cell_count(UINT64_MAX, true).text, "18446744073.7G");
	assert_string_equal(cell_mib(98156 * 1024.0, true).text, "95.9");
	assert_string_equal(cell_mib(0, false).text, "n/a");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_cells),
		cmocka_unit_test(test_counts) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
