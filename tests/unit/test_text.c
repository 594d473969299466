/* test_text.c - foreign text is made printable UTF-8, whatever it holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/text.h"

static const struct {
	const char *name, *in;
	size_t size, out_size;
	const char *want;
} cases[] = {
	{ "plain", "kworker/u8:3", 12, 64, "kworker/u8:3" },
	{ "ends at NUL", "dd\0stale", 8, 64, "dd" },
	{ "escape sequence", "\x1b[31mred", 8, 64, "?[31mred" },
	{ "newline", "a\nb", 3, 64, "a?b" },
	{ "two-byte character", "\xc3\xa9t\xc3\xa9", 5, 64, "\xc3\xa9t\xc3\xa9" },
	{ "overlong slash", "\xc0\xaf", 2, 64, "\xef\xbf\xbd\xef\xbf\xbd" },
	{ "surrogate", "\xed\xa0\x80", 3, 64, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
	{ "cut character", "a\xe2\x82", 3, 64, "a\xef\xbf\xbd\xef\xbf\xbd" },
	{ "C1 control", "\xc2\x9b", 2, 64, "?" },
	{ "direction override", "\xe2\x80\xae", 3, 64, "?" },
	{ "byte order mark", "\xef\xbb\xbf", 3, 64, "?" },
	{ "no character, in the first plane", "\xef\xbf\xbf", 3, 64, "?" },
	{ "no character, in the last one", "\xf4\x8f\xbf\xbe", 4, 64, "?" },
	{ "cut at a character's border", "\xe2\x82\xac\xe2\x82\xac", 6, 6, "\xe2\x82\xac" },
	{ "no room at all", "abc", 3, 1, "" },
};

static void test_printable(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char out[64];
		const size_t n =
			btvi_text_printable(cases[i].in, cases[i].size, out, cases[i].out_size);

		assert_string_equal(out, cases[i].want);
		assert_int_equal(n, strlen(cases[i].want));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_printable) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
