/* test_compare_plot.c - the pictures of comparisons: no text lies on another, whatever the labels
 * and figures; what cannot be drawn is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <math.h>

#include "draw/compare_page.h"
#include "scratch.h"

static struct btviz_comparison *comparison(const char *table)
{
	struct btviz_comparison *c = NULL;
	struct btviz_error err;

	assert_int_equal(btviz_comparison_new(NULL, &c, &err), BTVIZ_OK);
	if (btviz_comparison_add_table(c, table, strlen(table), &err) != BTVIZ_OK)
		fail_msg("%s", err.message);
	return c;
}

static const char long_table[] =
	"label,value\n"
	"a label that is much too long to be written out in a column,1\n"
	"another one that is much too long to be written out in a column,2\n"
	"\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac,0.5\nx,\ny,1e12\n";
static const char sweep_table[] =
	"label,value\na@1,100\na@2,99\na@4,98\na@8,97\na@16,90\na@32,85\n"
	"b@1,99\nb@2,80\nb@2,82\nb@4,60\nb@4,61\nb@8,40\nb@16,20\nb@32,10\n"
	"c@1,100\nc@2,81\nc@4,59\nc@8,41\nc@16,21\nc@32,9\n";

/* Twenty of forty are bad: each has its line, whatever else has none. */
static void test_all_that_are_bad(void **state)
{
	struct btviz_comparison *const c = comparison(
		"label,value\nlinux-next-base-x86,280\nlinux-next-base-x86,281\nlinux-next-base-x86,279\n");
	struct btviz_comparison_plot_options o = BTVIZ_COMPARISON_PLOT_OPTIONS_INIT;
	const struct btviz_judgement *j = NULL;
	unsigned char *svg = NULL;
	size_t size = 0, listed = 0;

	(void)state;
	for (int i = 0; i < 40; i++) {
		char label[32];

		snprintf(label, sizeof label, "linux-next-%02d-x86", i);
		for (int k = 0; k < 3; k++)
			assert_int_equal(btviz_comparison_add(c, label, NULL,
						 (i % 2 == 0 ? 280 : 150) + k, NULL),
				BTVIZ_OK);
	}
	assert_int_equal(btviz_comparison_judge(c, &j, NULL), BTVIZ_OK);
	const struct btviz_compared compared = { btviz_metric_info(BTVIZ_METRIC_MB_PER_S), j };
	assert_int_equal(btviz_comparison_plot_write_buffer(
				 &compared, 1, &o, BTVIZ_PLOT_SVG, &svg, &size, NULL),
		BTVIZ_OK);
	char *const text = strndup((const char *)svg, size);
	for (int i = 1; i < 40; i += 2) {
		char label[64];

		/* The column's label is cut to what differs, so the whole one is that of a line. */
		snprintf(label, sizeof label, ">linux-next-%02d-x86<", i);
		listed += strstr(text, label) != NULL;
	}
	assert_int_equal(listed, 20);
	assert_non_null(strstr(text, "and 20 more labels, none of them bad"));
	assert_non_null(strstr(text, ">01<"));
	free(text);
	free(svg);
	btviz_comparison_free(c);
}

static const struct {
	const char *name, *table;
	enum btviz_chart chart;
	double width, height;
} cases[] = {
	{ "two", "label,value\na,1\nb,2\n", BTVIZ_CHART_AUTO, 560, 0 },
	{ "narrow", "label,value\na,1\nb,2\nc,3\nd,4\n", BTVIZ_CHART_AUTO, 300, 0 },
	{ "long labels", long_table, BTVIZ_CHART_AUTO, 700, 0 },
	{ "all alike", "label,value\na,0\nb,0\n", BTVIZ_CHART_AUTO, 560, 500 },
	{ "below zero", "label,value\na,-5\nb,-7\nb,3\n", BTVIZ_CHART_AUTO, 560, 0 },
	{ "sweep", sweep_table, BTVIZ_CHART_AUTO, 720, 0 },
	{ "sweep, small", sweep_table, BTVIZ_CHART_SWEEP, 320, 0 },
	{ "sweep as dots", sweep_table, BTVIZ_CHART_DOTS, 1900, 0 },
	{ "numbers", "label,value\n0,5\n-3,4\n1000000,3\n", BTVIZ_CHART_AUTO, 560, 0 },
	{ "one number twice", "label,value\na@4,5\nb@4,4\n", BTVIZ_CHART_SWEEP, 560, 0 },
	{ "no figures", "label,value\n1,\n2,\n", BTVIZ_CHART_AUTO, 560, 0 },
};

static void test_no_overlap(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct btviz_comparison_plot_options o = BTVIZ_COMPARISON_PLOT_OPTIONS_INIT;
		struct btviz_comparison *const c = comparison(cases[i].table);
		const struct btviz_judgement *j;
		const struct btvi_thing *a, *b;
		struct btvi_scene s;
		struct btviz_error err;

		o.chart = cases[i].chart;
		assert_int_equal(btviz_comparison_judge(c, &j, &err), BTVIZ_OK);
		/* Once alone, once with other metrics below. */
		for (size_t count = 1; count <= 4; count += 3) {
			const struct btviz_compared metrics[] = {
				{ btviz_metric_info(BTVIZ_METRIC_MB_PER_S), j },
				{ btviz_metric_info(BTVIZ_METRIC_LATENCY_P99), j },
				{ btviz_metric_info(BTVIZ_METRIC_EFFECTIVE_MEMBERS), j },
				{ btviz_metric_info(BTVIZ_METRIC_RUN_TIME), j },
			};

			btvi_scene_init(&s, cases[i].width, &btvi_font_fixed);
			if (btvi_compare_lay_out(&s, metrics, count, &o,
				    count == 1 ? cases[i].height : 0, &err) != BTVIZ_OK)
				fail_msg("%s: %s", cases[i].name, err.message);
			assert_true(s.height > 200 && s.height < 5000);
			if (btvi_scene_overlap(&s, &a, &b))
				fail_msg("%s: '%s' on '%s'", cases[i].name, a->text, b->text);
			btvi_scene_done(&s);
		}
		btviz_comparison_free(c);
	}
}

/* To a file, to a descriptor and to memory go the same bytes. */
static void test_three_ways_out(void **state)
{
	struct btviz_comparison *const c = comparison("label,value\na,1\nb,2\n");
	struct btviz_comparison_plot_options o = BTVIZ_COMPARISON_PLOT_OPTIONS_INIT;
	struct btviz_compared compared = { btviz_metric_info(BTVIZ_METRIC_RUN_TIME), NULL };
	unsigned char *memory = NULL;
	size_t size = 0;
	FILE *by_name, *by_fd;

	(void)state;
	o.boxes_for_text = true;
	scratch_new();
	assert_int_equal(btviz_comparison_judge(c, &compared.judgement, NULL), BTVIZ_OK);
	assert_int_equal(btviz_comparison_plot_write_buffer(
				 &compared, 1, &o, BTVIZ_PLOT_SVG, &memory, &size, NULL),
		BTVIZ_OK);
	assert_true(size > 1000 && memcmp(memory, "<svg", 4) == 0);
	assert_int_equal(btviz_comparison_plot_write_file(
				 &compared, 1, &o, BTVIZ_PLOT_SVG, scratch_path("a.svg"), NULL),
		BTVIZ_OK);
	by_name = fopen(scratch_path("a.svg"), "r");
	by_fd = tmpfile();
	assert_true(by_name && by_fd);
	assert_int_equal(btviz_comparison_plot_write_fd(
				 &compared, 1, &o, BTVIZ_PLOT_SVG, fileno(by_fd), NULL),
		BTVIZ_OK);
	rewind(by_fd);
	for (size_t i = 0; i < size; i++) {
		assert_int_equal(fgetc(by_name), memory[i]);
		assert_int_equal(fgetc(by_fd), memory[i]);
	}
	assert_int_equal(fgetc(by_name), EOF);
	assert_int_equal(fgetc(by_fd), EOF);
	fclose(by_name);
	fclose(by_fd);
	free(memory);
	scratch_remove();
	btviz_comparison_free(c);
}

/* What is in the picture: every run a dot, every label, every verdict. */
static void test_content(void **state)
{
	struct btviz_comparison *const c =
		comparison("label,value\ngood,100\ngood,101\ngood,99\nbad,100\nbad,50\nbad,101\n");
	struct btviz_comparison_plot_options o = BTVIZ_COMPARISON_PLOT_OPTIONS_INIT;
	struct btviz_compared compared = { btviz_metric_info(BTVIZ_METRIC_MB_PER_S), NULL };
	struct btviz_error err;
	struct btvi_scene s;
	size_t dots = 0, size = 0;
	char *text = NULL;
	FILE *out;

	(void)state;
	assert_int_equal(btviz_comparison_judge(c, &compared.judgement, &err), BTVIZ_OK);
	btvi_scene_init(&s, 600, &btvi_font_fixed);
	assert_int_equal(btvi_compare_lay_out(&s, &compared, 1, &o, 0, &err), BTVIZ_OK);
	for (const struct btvi_thing *t = s.first; t; t = t->next)
		dots += t->kind == BTVI_AREA;
	assert_int_equal(dots, 6);
	out = open_memstream(&text, &size);
	btvi_scene_dump(&s, out);
	fclose(out);
	assert_non_null(strstr(text, "bad against good"));
	assert_non_null(strstr(text, "throughput, MB/s"));
	assert_non_null(strstr(text, "1 of 3 runs far below, 2 like the base"));
	assert_non_null(strstr(text, "-16 % sporadic"));
	free(text);
	btvi_scene_done(&s);
	btviz_comparison_free(c);
}

static void test_files(void **state)
{
	static const char *const names[] = { "x.png", "x.svg", "x.pdf" };
	static const char *const magic[] = { "\x89PNG", "<svg", "%PDF" };
	struct btviz_comparison *const c = comparison("label,value\na,1\nb,2\n");
	struct btviz_comparison_plot_options o = BTVIZ_COMPARISON_PLOT_OPTIONS_INIT;
	struct btviz_compared compared = { btviz_metric_info(BTVIZ_METRIC_MB_PER_S), NULL };
	struct btviz_error err;

	(void)state;
	scratch_new();
	o.boxes_for_text = true;
	assert_int_equal(btviz_comparison_judge(c, &compared.judgement, &err), BTVIZ_OK);
	for (unsigned i = 0; i < 3; i++) {
		enum btviz_plot_kind kind;
		char head[5] = "";
		FILE *file;

		assert_int_equal(btviz_plot_kind_of(names[i], &kind, &err), BTVIZ_OK);
		assert_int_equal(btviz_comparison_plot_write_file(
					 &compared, 1, &o, kind, scratch_path(names[i]), &err),
			BTVIZ_OK);
		file = fopen(scratch_path(names[i]), "rb");
		assert_int_equal(fread(head, 1, 5, file), 5);
		fclose(file);
		assert_memory_equal(head, magic[i], strlen(magic[i]));
	}
	assert_int_equal(btviz_comparison_plot_write_file(&compared, 1, &o, BTVIZ_PLOT_PNG,
				 scratch_path("no/where.png"), &err),
		BTVIZ_ERR_IO);
	assert_int_equal(btviz_comparison_plot_write_file(
				 &compared, 1, NULL, BTVIZ_PLOT_HTML, scratch_path("x.html"), &err),
		BTVIZ_ERR_USAGE);
	assert_int_equal(btviz_comparison_plot_write_file(
				 &compared, 0, NULL, BTVIZ_PLOT_PNG, scratch_path("y"), &err),
		BTVIZ_ERR_USAGE);
	o.chart = BTVIZ_CHART_SWEEP;
	assert_int_equal(btviz_comparison_plot_write_file(
				 &compared, 1, &o, BTVIZ_PLOT_PNG, scratch_path("y"), &err),
		BTVIZ_ERR_USAGE);
	assert_non_null(strstr(err.message, "'a'"));
	o.chart = BTVIZ_CHART_AUTO;
	o.height_px = 100;
	assert_int_equal(btviz_comparison_plot_write_file(
				 &compared, 1, &o, BTVIZ_PLOT_PNG, scratch_path("y"), &err),
		BTVIZ_ERR_USAGE);
	o.height_px = 1e9;
	assert_int_equal(btviz_comparison_plot_write_file(
				 &compared, 1, &o, BTVIZ_PLOT_PNG, scratch_path("y"), &err),
		BTVIZ_ERR_LIMIT);
	o.size = 4;
	assert_int_equal(btviz_comparison_plot_write_file(
				 &compared, 1, &o, BTVIZ_PLOT_PNG, scratch_path("y"), &err),
		BTVIZ_ERR_USAGE);
	scratch_remove();
	btviz_comparison_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_overlap),
		cmocka_unit_test(test_all_that_are_bad),
		cmocka_unit_test(test_content),
		cmocka_unit_test(test_three_ways_out),
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
