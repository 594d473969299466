/* test_scene.c - the list of things: what is kept, how it is dumped, that overlaps are found; and
 * the fitting of text. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "draw/scene.h"

static void test_dump(void **state)
{
	static const char want[] = "page 100.0 50.0\n"
				   "rect #ff0000ff 1.0 2.0 3.0 4.0\n"
				   "line #00ff00ff 1.5 0.0 0.0 10.0 5.0\n"
				   "rect #00ff00ff 29.3 0.3 1.5 1.5\n"
				   "area #0000ff80 0.0 0.0 0.0 5.0 0.0 5.0 5.0\n"
				   "text #000000ff 50.0 20.0 12.0 > one\n"
				   "text #000000ff 0.0 20.0 10.0 <* -0\n";
	const struct btvi_point line[] = { { 0, 0 }, { 10, 5 }, { 20, NAN }, { 30, 1 } };
	const struct btvi_point area[] = { { 0, 0 }, { 5, 0 }, { 5, 5 } };
	struct btvi_scene s;
	char *got;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	(void)state;
	btvi_scene_init(&s, 100, &btvi_font_fixed);
	s.height = 50;
	btvi_scene_rect(&s, 1, 2, 3, 4, 0xff0000ff);
	btvi_scene_rect(&s, 1, 2, 0, 4, 0xff0000ff);
	btvi_scene_line(&s, line, 4, 1.5, 0, 0x00ff00ff);
	btvi_scene_area(&s, area, 3, 0x0000ff80);
	btvi_scene_area(&s, area, 2, 0x0000ff80);
	btvi_scene_text(&s, 50, 20, BTVI_END, 12, false, 0xff, "one");
	btvi_scene_text(&s, -0.01, 20, BTVI_START, 10, true, 0xff, "-0");
	btvi_scene_text(&s, 50, 20, BTVI_START, 10, true, 0xff, "");
	btvi_scene_dump(&s, out);
	fclose(out);
	assert_string_equal(got, want);
	assert_false(btvi_scene_failed(&s));
	btvi_scene_done(&s);
	free(got);
}

/* Whoever made a text: what is drawn is printable, also where it was cut inside a character. */
static void test_text_is_made_printable(void **state)
{
	struct btvi_scene s;
	char out[16];

	(void)state;
	btvi_scene_init(&s, 100, &btvi_font_fixed);
	btvi_scene_text(&s, 0, 12, BTVI_START, 10, false, 0xff, "a\x1b\xe2\x82");
	assert_string_equal(s.first->text, "a?\xef\xbf\xbd\xef\xbf\xbd");
	assert_float_equal(s.first->rect.w, 24, 1e-9);
	btvi_scene_text_fit(&s, 0, 12, 13, BTVI_START, 10, false, 0xff, "\xc3\n");
	assert_string_equal(s.first->next->text, "\xef\xbf\xbd?");
	btvi_scene_done(&s);
	btvi_font_fit(
		&btvi_font_fixed, "\xff\xff\xff\xff\xff\xff", 10, false, 100, out, sizeof out);
	assert_string_equal(out, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

static void test_overlap(void **state)
{
	const struct btvi_thing *a, *b;
	struct btvi_scene s;

	(void)state;
	btvi_scene_init(&s, 100, &btvi_font_fixed);
	s.height = 50;
	btvi_scene_text(&s, 0, 12, BTVI_START, 10, false, 0xff, "12345");
	btvi_scene_text(&s, 30, 12, BTVI_START, 10, false, 0xff, "beside");
	btvi_scene_text(&s, 0, 22, BTVI_START, 10, false, 0xff, "below");
	assert_false(btvi_scene_overlap(&s, &a, &b));
	btvi_scene_text(&s, 40, 14, BTVI_END, 10, false, 0xff, "on it");
	assert_true(btvi_scene_overlap(&s, &a, &b));
	assert_string_equal(a->text, "12345");
	assert_string_equal(b->text, "on it");
	btvi_scene_done(&s);

	btvi_scene_init(&s, 100, &btvi_font_fixed);
	s.height = 50;
	btvi_scene_text(&s, 95, 20, BTVI_START, 10, false, 0xff, "over the edge");
	assert_true(btvi_scene_overlap(&s, &a, &b));
	assert_ptr_equal(a, b);
	btvi_scene_done(&s);
}

static void test_large_and_small_allocations(void **state)
{
	struct btvi_scene s;

	(void)state;
	btvi_scene_init(&s, 100, &btvi_font_fixed);
	for (size_t i = 1; i < 2000; i++) {
		unsigned char *p = btvi_scene_alloc(&s, i, 97);

		assert_non_null(p);
		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t k = 0; k < 97 * i; k += 61)
			assert_int_equal(p[k], 0);
		memset(p, 0xee, 97 * i);
	}
	assert_null(btvi_scene_alloc(&s, SIZE_MAX / 2, 8));
	assert_true(btvi_scene_failed(&s));
	btvi_scene_done(&s);
}

static void test_fit(void **state)
{
	static const struct {
		const char *in;
		double width; /* in characters */
		const char *want;
	} cases[] = {
		{ "short", 5, "short" },
		{ "a long label", 7, "a long…" },
		{ "a long label", 8, "a long…" }, /* no blank before the dots */
		{ "Größe", 4, "Grö…" },
		{ "日本語の題", 3, "日本…" },
		{ "anything", 0.5, "" },
		{ "", 5, "" },
	};
	char out[64];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_string_equal(btvi_font_fit(&btvi_font_fixed, cases[i].in, 10, false,
					    6 * cases[i].width, out, sizeof out),
			cases[i].want);
}

static void test_fit_into_a_small_buffer(void **state)
{
	char out[16];

	(void)state;
	btvi_font_fit(&btvi_font_fixed, "300 characters would not fit in here", 10, false, 1e6, out,
		sizeof out);
	assert_string_equal(out, "300 charact…");
}

static void test_break(void **state)
{
	const char *text = "one two  three incomprehensibilities", *next;

	(void)state;
	assert_int_equal(btvi_font_break(&btvi_font_fixed, text, 10, false, 48, &next), 7);
	assert_string_equal(next, "three incomprehensibilities");
	assert_int_equal(btvi_font_break(&btvi_font_fixed, next, 10, false, 48, &next), 5);
	assert_int_equal(btvi_font_break(&btvi_font_fixed, next, 10, false, 48, &next), 21);
	assert_string_equal(next, "");
	/* No line ends between a number and its unit. */
	text = "all of 8.62 s (65 %)";
	assert_int_equal(btvi_font_break(&btvi_font_fixed, text, 10, false, 66, &next), 6);
	assert_string_equal(next, "8.62 s (65 %)");
	assert_int_equal(btvi_font_break(&btvi_font_fixed, next, 10, false, 66, &next), 6);
	assert_string_equal(next, "(65 %)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dump),
		cmocka_unit_test(test_text_is_made_printable),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_large_and_small_allocations),
		cmocka_unit_test(test_fit),
		cmocka_unit_test(test_fit_into_a_small_buffer),
		cmocka_unit_test(test_break),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
