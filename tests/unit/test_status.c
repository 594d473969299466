/* test_status.c - what a struct btviz_error says after a failure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/status.h"

static void test_message(void **state)
{
	struct btviz_error err = { .stream = "old", .offset = 7 };

	(void)state;
	assert_int_equal(btvi_fail(&err, BTVIZ_ERR_LIMIT, "%d devices", 3), BTVIZ_ERR_LIMIT);
	assert_int_equal(err.status, BTVIZ_ERR_LIMIT);
	assert_string_equal(err.message, "3 devices");
	assert_string_equal(err.stream, "");
	assert_int_equal(err.offset, 0);
	btvi_error_where(&err, "sdb.blktrace.0", 96);
	assert_string_equal(err.stream, "sdb.blktrace.0");
	assert_int_equal(err.offset, 96);
	assert_int_equal(btvi_fail(NULL, BTVIZ_ERR_LIMIT, "nobody listens"), BTVIZ_ERR_LIMIT);
}

static void test_version(void **state)
{
	char headers[32];

	(void)state;
	snprintf(headers, sizeof headers, "%d.%d.%d", BTVIZ_VERSION_MAJOR, BTVIZ_VERSION_MINOR,
		BTVIZ_VERSION_MICRO);
	assert_string_equal(headers, btviz_version());
	assert_true(BTVIZ_VERSION_AT_LEAST(
		BTVIZ_VERSION_MAJOR, BTVIZ_VERSION_MINOR, BTVIZ_VERSION_MICRO));
	assert_true(BTVIZ_VERSION_AT_LEAST(0, 0, 99));
	assert_false(BTVIZ_VERSION_AT_LEAST(
		BTVIZ_VERSION_MAJOR, BTVIZ_VERSION_MINOR, BTVIZ_VERSION_MICRO + 1));
	assert_false(BTVIZ_VERSION_AT_LEAST(BTVIZ_VERSION_MAJOR + 1, 0, 0));
}

static void test_reason_of_the_system(void **state)
{
	static const struct {
		int sys_errno;
		enum btviz_status status;
		const char *want;
	} cases[] = {
		{ ENOENT, BTVIZ_ERR_IO, "x: No such file or directory" },
		{ EACCES, BTVIZ_ERR_IO, "x: Permission denied" },
		{ ENOSPC, BTVIZ_ERR_IO, "x: No space left on device" },
		{ ENOMEM, BTVIZ_ERR_NOMEM, "x: Cannot allocate memory" },
		{ 9999, BTVIZ_ERR_IO, "x: Unknown error 9999" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct btviz_error err;

		assert_int_equal(
			btvi_fail_errno(&err, cases[i].sys_errno, "%s", "x"), cases[i].status);
		assert_string_equal(err.message, cases[i].want);
		assert_int_equal(err.sys_errno, cases[i].sys_errno);
	}
}

static void test_text_is_made_printable(void **state)
{
	struct btviz_error err;
	char big[2000];

	(void)state;
	memset(big, 'x', sizeof big - 1);
	big[sizeof big - 1] = '\0';
	btvi_fail(&err, BTVIZ_ERR_USAGE, "%s", "\x1b[31m\xff");
	assert_string_equal(err.message, "?[31m\xef\xbf\xbd");
	btvi_fail_errno(&err, ENOENT, "%s", big);
	assert_int_equal(strlen(err.message), sizeof err.message - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_message),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_reason_of_the_system),
		cmocka_unit_test(test_text_is_made_printable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
