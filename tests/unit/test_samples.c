/* test_samples.c - the table of /proc readings: what is read, and the arithmetic of cells, worked
 * out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

#include <btviz/plot.h>
#include <btviz/samples.h>
#include <btviz/summary.h>

#include "beside/samples.h"
#include "records.h"
#include "scratch.h"

#define SECOND 1000000000ULL

static struct btviz_samples *parse(const char *text)
{
	struct btviz_samples *s = NULL;
	struct btviz_error err;

	assert_int_equal(btviz_samples_parse(text, strlen(text), &s, &err), BTVIZ_OK);
	return s;
}

static const char good[] = "time_ns,nr_dirty,pgscan_direct,cpu_user\n"
			   "1000000000,100,0,1.00\n"
			   "2000000000,300,0,1.50\n"
			   "3000000000,300,500,1.75\n";

static void test_columns(void **state)
{
	struct btviz_samples *s = parse(good);
	uint64_t first, last;

	(void)state;
	assert_int_equal(btviz_samples_row_count(s), 3);
	assert_int_equal(btviz_samples_column_count(s), 3);
	assert_string_equal(btviz_samples_column_name(s, 0), "nr_dirty");
	assert_null(btviz_samples_column_name(s, 3));
	assert_false(btviz_samples_column_is_count(s, 0));
	assert_true(btviz_samples_column_is_count(s, 1));
	assert_int_equal(btviz_samples_column_find(s, "cpu_user"), 2);
	assert_int_equal(btviz_samples_column_find(s, "cpu_idle"), -1);
	btviz_samples_span(s, &first, &last);
	assert_int_equal(first, SECOND);
	assert_int_equal(last, 3 * SECOND);
	btviz_samples_close(s);
}

static const struct {
	const char *name, *text;
	enum btviz_status status;
	size_t rows, bad;
} texts[] = {
	{ "empty", "", BTVIZ_ERR_NOT_A_TRACE, 0, 0 },
	{ "another table", "label,value\na,1\n", BTVIZ_ERR_NOT_A_TRACE, 0, 0 },
	{ "no column", "time_ns,\n", BTVIZ_ERR_NOT_A_TRACE, 0, 0 },
	{ "header only", "time_ns,a\n", BTVIZ_OK, 0, 0 },
	{ "torn tail", "time_ns,a\n1,2\n2,", BTVIZ_OK, 1, 1 },
	{ "CR LF", "time_ns,a\r\n1,2\r\n", BTVIZ_OK, 1, 0 },
	{ "too few, too many", "time_ns,a,b\n1,2\n2,3,4,5\n3,4,5\n", BTVIZ_OK, 1, 2 },
	{ "time stands, time goes back", "time_ns,a\n5,1\n5,1\n4,1\n6,1\n", BTVIZ_OK, 2, 2 },
	{ "not numbers", "time_ns,a\nx,1\n1,nan\n2,-1\n3,1e5\n4,0x10\n5, 1\n", BTVIZ_OK, 0, 6 },
	{ "over 64 bits", "time_ns,a\n99999999999999999999,1\n1,1\n", BTVIZ_OK, 1, 1 },
	{ "largest time", "time_ns,a\n18446744073709551615,1\n", BTVIZ_OK, 1, 0 },
	{ "blank lines", "time_ns,a\n\n1,1\n\n", BTVIZ_OK, 1, 0 },
};

static void test_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct btviz_samples *s = NULL;

		assert_int_equal(
			btviz_samples_parse(texts[i].text, strlen(texts[i].text), &s, NULL),
			texts[i].status);
		if (!s)
			continue;
		assert_int_equal(btviz_samples_row_count(s), texts[i].rows);
		assert_int_equal(btviz_samples_bad_rows(s), texts[i].bad);
		btviz_samples_close(s);
	}
}

/* Cells of half a second from 0.5 s to 3.5 s. nr_dirty rises from 100 at 1 s to 300 at 2 s and
 * stays; pgscan_direct grows by 500 in the last second. */
static void test_cells(void **state)
{
	static const double dirty[6] = { NAN, 150, 250, 300, 300, NAN };
	static const double scan[6] = { NAN, 0, 0, 500, 500, NAN };
	static const double user[6] = { NAN, 0.5, 0.5, 0.25, 0.25, NAN };
	static const double *const want[3] = { dirty, scan, user };
	struct btviz_samples *s = parse(good);
	double cells[6];

	(void)state;
	for (int column = 0; column < 3; column++) {
		btviz_samples_resample(s, column, SECOND / 2, 7 * SECOND / 2, cells, 6);
		for (int i = 0; i < 6; i++) {
			if (isnan(want[column][i]))
				assert_true(isnan(cells[i]));
			else
				assert_float_equal(cells[i], want[column][i], 1e-6);
		}
	}
	btviz_samples_resample(s, -1, SECOND, 2 * SECOND, cells, 2);
	assert_true(isnan(cells[0]) && isnan(cells[1]));
	btviz_samples_resample(s, 0, SECOND, SECOND, cells, 1);
	assert_true(isnan(cells[0]));
	btviz_samples_close(s);
}

static void test_range(void **state)
{
	struct btviz_samples *s = parse(good);
	struct btviz_samples_range r;

	(void)state;
	btviz_samples_range(s, 0, 3 * SECOND / 2, 5 * SECOND / 2, &r);
	/* 200 to 300 over half a second, then 300: mean 275. */
	assert_float_equal(r.mean, 275, 1e-6);
	assert_float_equal(r.min, 200, 1e-6);
	assert_float_equal(r.max, 300, 1e-6);
	assert_float_equal(r.increase, 100, 1e-6);
	btviz_samples_range(s, 1, SECOND, 3 * SECOND, &r);
	assert_float_equal(r.mean, 250, 1e-6);
	assert_float_equal(r.min, 0, 1e-6);
	assert_float_equal(r.max, 500, 1e-6);
	assert_float_equal(r.increase, 500, 1e-6);
	btviz_samples_range(s, 1, 4 * SECOND, 5 * SECOND, &r);
	assert_true(isnan(r.mean) && isnan(r.increase));
	btviz_samples_close(s);
}

/* Ten times more readings than are kept: they are thinned out evenly, the span stays. */
static void test_thinned(void **state)
{
	enum { COLUMNS = 4096, ROWS = 3000 };
	char *text = malloc((size_t)ROWS * (COLUMNS * 2 + 32)), *p = text;
	struct btviz_samples *s;
	struct btviz_samples_range r;
	uint64_t first, last;

	(void)state;
	assert_non_null(text);
	p += sprintf(p, "time_ns");
	for (int i = 0; i < COLUMNS; i++)
		p += sprintf(p, ",c");
	p += sprintf(p, "\n");
	for (int row = 1; row <= ROWS; row++) {
		p += sprintf(p, "%d", row * 1000);
		for (int i = 0; i < COLUMNS; i++)
			p += sprintf(p, ",7");
		p += sprintf(p, "\n");
	}
	assert_int_equal(btviz_samples_parse(text, (size_t)(p - text), &s, NULL), BTVIZ_OK);
	assert_in_range(btviz_samples_row_count(s), 500, BTVI_SAMPLES_CELLS / COLUMNS);
	assert_int_equal(btviz_samples_bad_rows(s), 0);
	btviz_samples_span(s, &first, &last);
	assert_int_equal(first, 1000);
	assert_in_range(last, (ROWS - 4) * 1000, ROWS * 1000);
	for (size_t i = 2; i < s->rows; i++)
		assert_int_equal(
			s->times_ns[i] - s->times_ns[i - 1], s->times_ns[1] - s->times_ns[0]);
	btviz_samples_range(s, COLUMNS - 1, first, last, &r);
	assert_float_equal(r.increase, 0, 1e-6);
	btviz_samples_close(s);
	free(text);
}

/* A file with a line longer than any of ours, between good ones. */
static void test_file(void **state)
{
	char *text = malloc(3 * (size_t)BTVI_SAMPLES_LINE), *p = text;
	struct btviz_samples *s;

	(void)state;
	assert_non_null(text);
	scratch_new();
	p += sprintf(p, "time_ns,a\n1,1\n");
	memset(p, '1', 2 * (size_t)BTVI_SAMPLES_LINE + 5);
	p += 2 * (size_t)BTVI_SAMPLES_LINE + 5;
	sprintf(p, "\n2,2\n");
	scratch_file("run.samples.csv", text);
	assert_int_equal(btviz_samples_open("run", scratch_dir, &s, NULL), BTVIZ_OK);
	assert_int_equal(btviz_samples_row_count(s), 2);
	assert_int_equal(btviz_samples_bad_rows(s), 1);
	btviz_samples_close(s);
	assert_int_equal(btviz_samples_open("other", scratch_dir, &s, NULL), BTVIZ_ERR_NOT_FOUND);
	scratch_remove();
	free(text);
}

static enum btviz_status draw_memory(struct btviz_summary *s)
{
	struct btviz_plot_options o = BTVIZ_PLOT_OPTIONS_INIT;
	struct btviz_run run = BTVIZ_RUN_INIT;
	unsigned char *bytes = NULL;
	size_t size;
	enum btviz_status status;

	run.summary = s;
	o.panels = BTVIZ_PANEL_BIT(BTVIZ_PANEL_VM);
	status = btviz_plot_write_buffer(&run, 1, &o, BTVIZ_PLOT_SVG, &bytes, &size, NULL);
	free(bytes);
	return status;
}

/* Who draws a run need not know of samples: those beside its trace are there. */
static void test_of_summary(void **state)
{
	static const char name[] = "run.sda.blktrace.0", beside[] = "run.sda.samples.csv";
	struct bytes b = { NULL, 0, 0 };
	struct btviz_trace_options in = BTVIZ_TRACE_OPTIONS_INIT;
	struct btviz_summary *s;
	struct btviz_error err;
	FILE *file;

	(void)state;
	scratch_new();
	in.dir = scratch_dir;
	for (unsigned i = 0; i < 20; i++) {
		const struct btviz_event ev =
			io_event(BTVIZ_ACT_QUEUE, (1 + i) * SECOND / 10, 1 + i);

		bytes_add_event(&b, &(const struct form){ 7, false }, &ev);
	}
	file = fopen(scratch_path(name), "wb");
	assert_int_equal(fwrite(b.data, 1, b.size, file), b.size);
	fclose(file);
	bytes_free(&b);

	assert_int_equal(btviz_summary_read("run.sda", &in, NULL, &s, NULL), BTVIZ_OK);
	assert_null(btviz_summary_samples(s, &err));
	assert_int_equal(err.status, BTVIZ_ERR_NOT_FOUND);
	assert_int_equal(draw_memory(s), BTVIZ_ERR_EMPTY);
	btviz_summary_free(s);

	scratch_file(beside, good);
	assert_int_equal(btviz_summary_read("run.sda", &in, NULL, &s, NULL), BTVIZ_OK);
	assert_int_equal(btviz_samples_row_count(btviz_summary_samples(s, NULL)), 3);
	assert_int_equal(draw_memory(s), BTVIZ_OK);
	btviz_summary_free(s);

	scratch_file(beside, "nothing of the kind\n");
	assert_int_equal(btviz_summary_read("run.sda", &in, NULL, &s, NULL), BTVIZ_OK);
	assert_null(btviz_summary_samples(s, &err));
	assert_int_equal(err.status, BTVIZ_ERR_NOT_A_TRACE);
	btviz_summary_free(s);

	assert_int_equal(btviz_summary_new(NULL, &s, NULL), BTVIZ_OK);
	assert_null(btviz_summary_samples(s, &err));
	assert_int_equal(err.status, BTVIZ_ERR_NOT_FOUND);
	btviz_summary_free(s);
	scratch_remove();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_thinned),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_of_summary),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
