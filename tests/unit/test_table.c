/* test_table.c - CSV as people and spreadsheets write it is read; anything else is refused with the
 * line and the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/group.h"
#include "judge/table.h"

#define TEXT(s) s, sizeof s - 1

static const struct {
	const char *name, *in;
	size_t size;
	const char *labels; /* joined by | */
	double values[4];
} right[] = {
	{ "plain", TEXT("label,value\nx,1\ny,2.5\n"), "x|y", { 1, 2.5 } },
	{ "no newline at the end", TEXT("label,value\nx,1"), "x", { 1 } },
	{ "CR LF", TEXT("label,value\r\nx,1\r\ny,2\r\n"), "x|y", { 1, 2 } },
	{ "byte order mark", TEXT("\xef\xbb\xbflabel,value\nx,1\n"), "x", { 1 } },
	{ "other order, more columns", TEXT("date,value,run,label\n2008-06-20,138,1,fc8\n"), "fc8",
		{ 138 } },
	{ "capitals and spaces", TEXT(" Label , VALUE \n a b , 7 \n"), "a b", { 7 } },
	{ "quotes", TEXT("\"label\",\"value\"\n\"a,b\",\"1\"\n\"say \"\"hi\"\"\",2\n"),
		"a,b|say \"hi\"", { 1, 2 } },
	{ "spaces around quotes", TEXT("label,value\n \"a\" , \"3\" \n"), "a", { 3 } },
	{ "newline in quotes", TEXT("label,value\n\"a\nb\",3\n"), "a\nb", { 3 } },
	{ "comments, empty lines",
		TEXT("# dd's figures\n\nlabel,value\n\n# more\nx,1\n  \n\r\ny,2\n"), "x|y",
		{ 1, 2 } },
	{ "numbers", TEXT("label,value\na,-1\nb,+2\nc,.5\nd,1e3\n"), "a|b|c|d",
		{ -1, 2, 0.5, 1000 } },
	{ "no figure", TEXT("label,value\na,\nb,\"\"\n"), "a|b", { NAN, NAN } },
	{ "a comma at the end", TEXT("label,value\na,1,\n"), "a", { 1 } },
	{ "fewer columns, but both", TEXT("label,value,note\na,1\n"), "a", { 1 } },
};

static void test_right(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
		struct btviz_error err = { .message = "" };
		struct btvi_table t;
		char labels[256] = "";

		if (btvi_table_read(right[i].in, right[i].size, &t, &err) != BTVIZ_OK)
			fail_msg("%s: %s", right[i].name, err.message);
		for (size_t j = 0; j < t.count; j++) {
			strcat(labels, j > 0 ? "|" : "");
			strcat(labels, t.rows[j].label);
			if (isnan(right[i].values[j]))
				assert_true(isnan(t.rows[j].value));
			else
				assert_true(fabs(t.rows[j].value - right[i].values[j]) < 1e-12);
		}
		assert_string_equal(labels, right[i].labels);
		btvi_table_done(&t);
	}
}

static const struct {
	const char *name, *in;
	size_t size;
	const char *message; /* a part of it */
} wrong[] = {
	{ "empty", TEXT(""), "empty" },
	{ "blank", TEXT("\n \n#x\n"), "empty" },
	{ "header only", TEXT("label,value\n"), "no run" },
	{ "no header", TEXT("x,1\ny,2\n"), "no column 'label'" },
	{ "no value column", TEXT("label,mbs\nx,1\n"), "no column 'value'" },
	{ "semicolons", TEXT("label;value\nx;1\n"), "with a comma between" },
	{ "two label columns", TEXT("label,value,label\nx,1,y\n"),
		"two columns are called 'label'" },
	{ "text for a number", TEXT("label,value\nx,1\ny,fast\n"),
		"line 3: the value 'fast' is not a number" },
	{ "decimal comma", TEXT("label,value\nx,\"138,5\"\n"), "line 2: the value '138,5'" },
	{ "unit", TEXT("label,value\nx,138 MB/s\n"), "'138 MB/s'" },
	{ "nan", TEXT("label,value\nx,nan\n"), "'nan'" },
	{ "inf", TEXT("label,value\nx,inf\n"), "'inf'" },
	{ "hexadecimal", TEXT("label,value\nx,0x10\n"), "'0x10'" },
	{ "too large", TEXT("label,value\nx,1e999\n"), "'1e999'" },
	{ "its square is too large", TEXT("label,value\nx,1e308\n"), "'1e308'" },
	{ "lone sign", TEXT("label,value\nx,-\n"), "'-'" },
	{ "lone point", TEXT("label,value\nx,.\n"), "'.'" },
	{ "half an exponent", TEXT("label,value\nx,1e\n"), "'1e'" },
	{ "two points", TEXT("label,value\nx,1.2.3\n"), "'1.2.3'" },
	{ "empty label", TEXT("label,value\n,1\n"), "line 2: the label is empty" },
	{ "one column", TEXT("label,value\nx\n"), "line 2: fewer columns" },
	{ "more columns than named", TEXT("label,value\na,1,x,y\n"), "line 2: more columns" },
	{ "a decimal comma", TEXT("label,value\na,279\nb,66,8\n"), "line 3: more columns" },
	{ "open quote", TEXT("label,value\nx,1\n\"y,2\n"), "line 3: a quote that is never closed" },
	{ "text behind a quote", TEXT("label,value\n\"x\"y,2\n"),
		"line 2: text behind a closed quote" },
	{ "zero byte", TEXT("label,value\nx\0y,1\n"), "zero byte" },
	{ "a png", TEXT("\x89PNG\r\n\x1a\n\0\0"), "zero byte" },
	{ "escape sequence is not repeated", TEXT("label,value\nx,\x1b[31m\n"), "'?[31m'" },
	{ "after quoted newlines", TEXT("label,value\n\"a\n\nb\",1\nc,?\n"), "line 5:" },
};

static void test_wrong(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct btviz_error err = { .message = "" };
		struct btvi_table t;

		if (btvi_table_read(wrong[i].in, wrong[i].size, &t, &err) !=
				BTVIZ_ERR_NOT_A_TRACE ||
			!strstr(err.message, wrong[i].message))
			fail_msg("%s: '%s'", wrong[i].name, err.message);
		assert_int_equal(btvi_table_read(wrong[i].in, wrong[i].size, &t, NULL),
			BTVIZ_ERR_NOT_A_TRACE);
	}
}

/* Every prefix of a table, from a block of its own so that a sanitizer sees a step beyond its end.
 */
static void test_prefixes(void **state)
{
	static const char text[] =
		"# c\nlabel , value,x\r\n\"a \"\"q\"\"\",1.5e+2,\n\n b,\"-.5\" ,\"u\nv\"\n";

	(void)state;
	for (size_t size = 0; size < sizeof text; size++) {
		char *const copy = malloc(size > 0 ? size : 1);
		struct btvi_table t;

		memcpy(copy, text, size);
		if (btvi_table_read(copy, size, &t, NULL) == BTVIZ_OK)
			btvi_table_done(&t);
		free(copy);
	}
}

static void test_limits(void **state)
{
	const size_t runs = BTVI_GROUP_RUNS_MAX;
	char *const text = malloc(32 + 4 * (runs + 1) + 1024);
	char *end = text;
	struct btvi_table t;

	(void)state;
	end += strlen(strcpy(end, "label,value\n"));
	for (size_t i = 0; i < runs; i++)
		end += strlen(strcpy(end, "x,1\n"));
	assert_int_equal(btvi_table_read(text, (size_t)(end - text), &t, NULL), BTVIZ_OK);
	assert_int_equal(t.count, runs);
	btvi_table_done(&t);
	end += strlen(strcpy(end, "x,1\n"));
	assert_int_equal(btvi_table_read(text, (size_t)(end - text), &t, NULL), BTVIZ_ERR_LIMIT);

	end = text + strlen(strcpy(text, "label,value"));
	memset(end, ',', 254);
	strcpy(end + 254, "\nx,1\n");
	assert_int_equal(btvi_table_read(text, strlen(text), &t, NULL), BTVIZ_OK);
	btvi_table_done(&t);
	strcpy(end + 254, ",\nx,1\n");
	assert_int_equal(btvi_table_read(text, strlen(text), &t, NULL), BTVIZ_ERR_LIMIT);

	end = text + strlen(strcpy(text, "label,value\n"));
	memset(end, 'l', BTVI_LABEL_BYTES - 1);
	strcpy(end + BTVI_LABEL_BYTES - 1, ",1\n");
	assert_int_equal(btvi_table_read(text, strlen(text), &t, NULL), BTVIZ_OK);
	btvi_table_done(&t);
	strcpy(end + BTVI_LABEL_BYTES - 1, "l,1\n");
	assert_int_equal(btvi_table_read(text, strlen(text), &t, NULL), BTVIZ_ERR_NOT_A_TRACE);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_right),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
