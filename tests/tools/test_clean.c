/* test_clean.c - foreign text made harmless, and cut to columns without breaking a character. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "clean.h"

static const struct {
	const char *in;
	size_t size;
	const char *want;
} texts[] = {
	{ "kworker/u8:2", 64, "kworker/u8:2" },
	{ NULL, 64, "" },
	{ "", 64, "" },
	{ "\x1b[2J\a", 64, "?[2J?" },
	{ "a\nb\tc", 64, "a?b?c" },
	{ "\xc2\x9b"
	  "31m",
		64, "?31m" },
	{ "\xe2\x80\xae"
	  "abc",
		64, "?abc" },
	{ "\xff\xfe", 64, "\xef\xbf\xbd\xef\xbf\xbd" },
	{ "\xe2\x82", 64, "\xef\xbf\xbd\xef\xbf\xbd" },
	{ "\xc3\xa9t\xc3\xa9", 64, "\xc3\xa9t\xc3\xa9" },
	{ "\xed\xa0\x80", 64, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
	{ "abcdefgh", 8, "abcd\xe2\x80\xa6" },
	{ "abcdefg", 8, "abcdefg" },
	{ "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 8, "\xc3\xa9\xc3\xa9\xe2\x80\xa6" },
};

static void test_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		char out[64];

		assert_string_equal(clean_text(texts[i].in, out, texts[i].size), texts[i].want);
		assert_true(strlen(out) < texts[i].size);
	}
}

static const struct {
	const char *in;
	size_t columns;
	const char *want;
} cuts[] = {
	{ "sdb", 10, "sdb" },
	{ "0123456789", 10, "0123456789" },
	{ "0123456789x", 10, "012345678\xe2\x80\xa6" },
	{ "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9" },
	{ "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4, "\xc3\xa9\xc3\xa9\xc3\xa9\xe2\x80\xa6" },
	{ "ab", 1, "\xe2\x80\xa6" },
};

static void test_cut(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
		char out[64];

		clean_cut(cuts[i].in, cuts[i].columns, out, sizeof out);
		assert_string_equal(out, cuts[i].want);
		assert_true(clean_width(out) <= cuts[i].columns);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_text),
		cmocka_unit_test(test_cut) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
