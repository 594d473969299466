/* test_options.c - the values of the command line. What is said when one is wrong is a matter of
 * tests/cli. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "options.h"

#define REQUEST struct request

struct request {
	bool flag;
	const char *value;
	struct words list;
	uint64_t time_ns, count;
	unsigned small;
	struct size_value size;
	enum { TEXT, JSON } format;
	int calls;
};

static bool called(const struct option_parser *p, void *request)
{
	((struct request *)request)->calls++;
	return strcmp(p->value, "wrong") != 0;
}

static const char *const formats[] = { "text", "json", NULL };

enum { OPT_LIST = OPT_OWN + 1, OPT_TIME, OPT_COUNT, OPT_SMALL, OPT_SIZE, OPT_BY };

static const struct option_spec specs[] = { { "value", 'v', "V", "a value", TO_TEXT(value) },
	{ "flag", 'f', NULL, "a flag", TO_FLAG(flag) },
	{ "long-only", OPT_OWN, "V", "no letter", TO_WORD(format, formats) },
	{ "list", OPT_LIST, "V", "repeatable", TO_WORDS(list) },
	{ "time", OPT_TIME, "V", "ns", TO_TIME(time_ns) },
	{ "count", OPT_COUNT, "V", "large", TO_COUNT(count, 2, UINT64_MAX) },
	{ "small", OPT_SMALL, "V", "small", TO_SMALL(small, 1, 64) },
	{ "size", OPT_SIZE, "V", "two", TO_SIZE(size, 1, 100) },
	{ "by", OPT_BY, "V", "a function", BY(called) }, OPTION_HELP_ROW, OPTION_TABLE_END };

static struct option_parser with(const char *value)
{
	return (struct option_parser){ .specs = specs, .id = 'v', .value = value };
}

static void test_duration(void **state)
{
	static const struct {
		const char *in;
		bool ok;
		uint64_t want;
	} cases[] = {
		{ "0.1", true, 100000000 },
		{ "100ms", true, 100000000 },
		{ "2s", true, 2000000000 },
		{ "50us", true, 50000 },
		{ "50µs", true, 50000 },
		{ "7ns", true, 7 },
		{ "1.5m", true, 90000000000 },
		{ "1h", true, 3600000000000 },
		{ "0", false, 0 },
		{ ".5", true, 500000000 },
		{ "2 s", true, 2000000000 },
		{ "", false, 0 },
		{ "s", false, 0 },
		{ "-1", false, 0 },
		{ "1x", false, 0 },
		{ "0x10", false, 0 },
		{ "inf", false, 0 },
		{ "nan", false, 0 },
		{ "1e99", false, 0 },
		{ "1,5", false, 0 },
		{ "1s1", false, 0 },
		{ ".", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct option_parser p = with(cases[i].in);
		uint64_t got = 0;

		if (value_duration(&p, &got) != cases[i].ok || got != cases[i].want)
			fail_msg("'%s' gives %llu", cases[i].in, (unsigned long long)got);
	}
}

static void test_time_range(void **state)
{
	static const struct {
		const char *in;
		bool ok;
		uint64_t a, b;
	} cases[] = {
		{ "3.2:3.6", true, 3200000000, 3600000000 },
		{ "5:", true, 5000000000, 0 },
		{ ":200ms", true, 0, 200000000 },
		{ ":", true, 0, 0 },
		{ "5:0", true, 5000000000, 0 },
		{ "3", false, 0, 0 },
		{ "3:2", false, 0, 0 },
		{ "3:3", false, 0, 0 },
		{ "1:2:3", false, 0, 0 },
		{ "a:b", false, 0, 0 },
		{ "-1:2", false, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct option_parser p = with(cases[i].in);
		uint64_t a = 0, b = 0;

		if (value_time_range(&p, &a, &b) != cases[i].ok || a != cases[i].a ||
			b != cases[i].b)
			fail_msg("'%s' gives %llu:%llu", cases[i].in, (unsigned long long)a,
				(unsigned long long)b);
	}
}

static void test_byte_range(void **state)
{
	static const struct {
		const char *in;
		bool ok;
		uint64_t a, b;
	} cases[] = {
		{ "0:100", true, 0, 104857600 },
		{ "1G:1.5GiB", true, 1073741824, 1610612736 },
		{ "512b:4k", true, 512, 4096 },
		{ "0:0", true, 0, 0 },
		{ "1T:", true, 1ULL << 40, 0 },
		{ "1X:2", false, 0, 0 },
		{ "10", false, 0, 0 },
		{ "2:1", false, 0, 0 },
		{ "1e30:2e30", false, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct option_parser p = with(cases[i].in);
		uint64_t a = 0, b = 0;

		if (value_byte_range(&p, &a, &b) != cases[i].ok || a != cases[i].a ||
			b != cases[i].b)
			fail_msg("'%s' gives %llu:%llu", cases[i].in, (unsigned long long)a,
				(unsigned long long)b);
	}
}

static void test_size(void **state)
{
	static const struct {
		const char *in;
		bool ok;
	} cases[] = { { "1200x800", true }, { "8X6", true }, { "8", false }, { "8x", false },
		{ "x8", false }, { "8x6x4", false }, { "0x5", false }, { "-8x6", false },
		{ "99999x8", false }, { "1e3x800", true } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct option_parser p = with(cases[i].in);
		double w, h;

		if (value_size(&p, 1, 32000, &w, &h) != cases[i].ok)
			fail_msg("'%s'", cases[i].in);
	}
}

static void test_count_and_word(void **state)
{
	struct option_parser p = with("12");
	uint64_t n = 0;
	int word = -1;

	(void)state;
	assert_true(value_count(&p, 1, 64, &n));
	assert_int_equal(n, 12);
	p = with("65");
	assert_false(value_count(&p, 1, 64, &n));
	p = with("-1");
	assert_false(value_count(&p, 0, UINT64_MAX, &n));
	p = with("99999999999999999999999");
	assert_false(value_count(&p, 0, UINT64_MAX, &n));
	p = with("json");
	p.id = OPT_OWN;
	assert_true(value_word(&p, &word));
	assert_int_equal(word, 1);
	p = with("JSON");
	p.id = OPT_OWN;
	assert_false(value_word(&p, &word));
}

static void test_parsing(void **state)
{
	char words[][16] = { "btviz", "-f", "-vone", "operand", "--value=two", "--long-only",
		"text", "--", "-f" };
	enum { COUNT = sizeof words / sizeof words[0] };
	char *argv[COUNT + 1] = { NULL };
	struct option_parser p;

	(void)state;
	for (size_t i = 0; i < COUNT; i++)
		argv[i] = words[i];
	options_init(&p, NULL, specs, COUNT, argv);
	assert_int_equal(options_next(&p), 'f');
	assert_int_equal(options_next(&p), 'v');
	assert_string_equal(p.value, "one");
	assert_int_equal(options_next(&p), 'v');
	assert_string_equal(p.value, "two");
	assert_int_equal(options_next(&p), OPT_OWN);
	assert_string_equal(p.value, "text");
	assert_int_equal(options_next(&p), OPT_END);
	assert_string_equal(p.argv[options_rest(&p)], "operand");
	assert_string_equal(p.argv[options_rest(&p) + 1], "-f");
	options_done(&p);
}

static void test_wrong_options(void **state)
{
	char words[][16] = { "-q", "--nothing", "-v", "--flag=1" }, name[] = "report";

	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		char *argv[] = { name, words[i], NULL };
		struct option_parser p;

		options_init(&p, "report", specs, 2, argv);
		assert_int_equal(options_next(&p), OPT_WRONG);
		options_done(&p);
	}
}

static int take(struct request *r, size_t count, const char *const *words)
{
	char copies[24][24], *argv[25] = { NULL };
	struct option_parser p;
	int id;

	memset(r, 0, sizeof *r);
	for (size_t i = 0; i < count; i++)
		argv[i] = strcpy(copies[i], words[i]);
	options_init(&p, "report", specs, (int)count, argv);
	id = options_take(&p, r);
	options_done(&p);
	return id;
}

/* Each kind of option goes into its own member, and into no other. */
static void test_taking(void **state)
{
	static const char *const words[] = { "report", "-f", "--long-only", "json", "--list", "a",
		"--list", "b", "--time", "2ms", "--count", "5000000000", "--small", "7", "--size",
		"3x4", "--by", "x", "--by", "y" };
	struct request r;

	(void)state;
	assert_int_equal(take(&r, sizeof words / sizeof words[0], words), OPT_END);
	assert_true(r.flag);
	assert_null(r.value);
	assert_int_equal(r.format, JSON);
	assert_int_equal(r.list.count, 2);
	assert_int_equal(r.time_ns, 2000000);
	assert_int_equal(r.count, 5000000000);
	assert_int_equal(r.small, 7);
	assert_true(r.size.w > 2.5 && r.size.w < 3.5 && r.size.h > 3.5);
	assert_int_equal(r.calls, 2);
}

static void test_taking_ends(void **state)
{
	static const char *const cases[][3] = { { "report", "--small", "65" },
		{ "report", "--long-only", "x" }, { "report", "--by", "wrong" },
		{ "report", "--time", "0" }, { "report", "--count", "1" } };
	static const char *const help[] = { "report", "--help", "--small", "65" };
	struct request r;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_int_equal(take(&r, 3, cases[i]), OPT_WRONG);
	assert_int_equal(take(&r, 4, help), OPT_HELP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_time_range),
		cmocka_unit_test(test_byte_range),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_count_and_word),
		cmocka_unit_test(test_parsing),
		cmocka_unit_test(test_wrong_options),
		cmocka_unit_test(test_taking),
		cmocka_unit_test(test_taking_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
