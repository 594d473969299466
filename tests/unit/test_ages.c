/* test_ages.c - option structs of callers that were built against an older or a newer library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <btviz/btviz.h>

/* Each function that takes options, called with nothing else to complain of. */

static ptrdiff_t no_bytes(void *data, void *buffer, size_t size)
{
	(void)data;
	(void)buffer;
	(void)size;
	return 0;
}

static enum btviz_status take_trace(const void *options, struct btviz_error *err)
{
	struct btviz_trace *t = NULL;
	const enum btviz_status status =
		btviz_trace_open_callback("x", no_bytes, NULL, options, &t, err);

	btviz_trace_close(t);
	return status;
}

static enum btviz_status take_summary(const void *options, struct btviz_error *err)
{
	struct btviz_summary *s = NULL;
	const enum btviz_status status = btviz_summary_new(options, &s, err);

	btviz_summary_free(s);
	return status;
}

static struct btviz_run run = BTVIZ_RUN_INIT; /* of one I/O */

static enum btviz_status take_plot(const void *options, struct btviz_error *err)
{
	unsigned char *bytes = NULL;
	size_t size;
	const enum btviz_status status =
		btviz_plot_write_buffer(&run, 1, options, BTVIZ_PLOT_SVG, &bytes, &size, err);

	free(bytes);
	return status;
}

static enum btviz_status take_show(const void *options, struct btviz_error *err)
{
	char *text = NULL;
	const enum btviz_status status = btviz_show_text(&run, 1, options, &text, err);

	free(text);
	return status;
}

static enum btviz_status take_movie(const void *options, struct btviz_error *err)
{
	struct btviz_movie *m = NULL;
	const enum btviz_status status = btviz_movie_new(&run, options, &m, err);

	btviz_movie_free(m);
	return status;
}

static enum btviz_status take_comparison(const void *options, struct btviz_error *err)
{
	struct btviz_comparison *c = NULL;
	const enum btviz_status status = btviz_comparison_new(options, &c, err);

	btviz_comparison_free(c);
	return status;
}

static enum btviz_status take_compare_plot(const void *options, struct btviz_error *err)
{
	const struct btviz_judgement *j;
	struct btviz_comparison *c;
	enum btviz_status status;

	assert_int_equal(btviz_comparison_new(NULL, &c, NULL), BTVIZ_OK);
	assert_int_equal(btviz_comparison_add(c, "a", NULL, 1, NULL), BTVIZ_OK);
	assert_int_equal(btviz_comparison_add(c, "b", NULL, 2, NULL), BTVIZ_OK);
	assert_int_equal(btviz_comparison_judge(c, &j, NULL), BTVIZ_OK);
	status = btviz_comparison_plot_write_file(
		&(struct btviz_compared){ btviz_metric_info(BTVIZ_METRIC_RUN_TIME), j }, 1, options,
		BTVIZ_PLOT_SVG, "/dev/null", err);
	btviz_comparison_free(c);
	return status;
}

static enum btviz_status take_record(const void *options, struct btviz_error *err)
{
	struct btviz_recorder *r = NULL;
	const enum btviz_status status = btviz_recorder_open(options, &r, err);

	btviz_recorder_close(r);
	/* There is no such device: good, as far as the options are concerned. */
	return status == BTVIZ_ERR_NOT_FOUND ? BTVIZ_OK : status;
}

static const char *const no_device[] = { "no-such-device" };
static const struct btviz_trace_options trace = BTVIZ_TRACE_OPTIONS_INIT;
static const struct btviz_summary_options summary = BTVIZ_SUMMARY_OPTIONS_INIT;
static const struct btviz_plot_options plot = BTVIZ_PLOT_OPTIONS_INIT;
static const struct btviz_show_options show = BTVIZ_SHOW_OPTIONS_INIT;
static const struct btviz_movie_options movie = BTVIZ_MOVIE_OPTIONS_INIT;
static const struct btviz_comparison_options comparison = BTVIZ_COMPARISON_OPTIONS_INIT;
static const struct btviz_comparison_plot_options compare_plot = BTVIZ_COMPARISON_PLOT_OPTIONS_INIT;
static const struct btviz_recorder_options record = {
	.size = sizeof record, .devices = no_device, .device_count = 1, .name = "x"
};

static const struct {
	const char *name;
	enum btviz_status (*take)(const void *options, struct btviz_error *err);
	const void *usual;
	size_t size;
} cases[] = {
	{ "btviz_trace_options", take_trace, &trace, sizeof trace },
	{ "btviz_summary_options", take_summary, &summary, sizeof summary },
	{ "btviz_plot_options", take_plot, &plot, sizeof plot },
	{ "btviz_show_options", take_show, &show, sizeof show },
	{ "btviz_movie_options", take_movie, &movie, sizeof movie },
	{ "btviz_comparison_options", take_comparison, &comparison, sizeof comparison },
	{ "btviz_comparison_plot_options", take_compare_plot, &compare_plot, sizeof compare_plot },
	{ "btviz_recorder_options", take_record, &record, sizeof record },
};

static void test_every_age_of_options(void **state)
{
	enum { MORE = 64 };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const size_t sizes[] = { cases[i].size - sizeof(void *), cases[i].size,
			cases[i].size + MORE };
		unsigned char *const bytes = calloc(1, cases[i].size + MORE);
		struct btviz_error err = { .message = "" };

		assert_non_null(bytes);
		memcpy(bytes, cases[i].usual, cases[i].size);
		for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
			memcpy(bytes, &sizes[k], sizeof sizes[k]);
			if (cases[i].take(bytes, &err) != BTVIZ_OK)
				fail_msg("%s of %zu bytes instead of %zu: %s", cases[i].name,
					sizes[k], cases[i].size, err.message);
		}
		/* Something that this library cannot know of. */
		bytes[cases[i].size + MORE - 1] = 1;
		assert_int_equal(cases[i].take(bytes, &err), BTVIZ_ERR_USAGE);
		assert_non_null(strstr(err.message, cases[i].name));
		/* No _INIT, nothing at all, rubbish. */
		for (size_t k = 0; k < 2; k++) {
			const size_t wrong = k ? SIZE_MAX / 2 : 0;

			memcpy(bytes, &wrong, sizeof wrong);
			assert_int_equal(cases[i].take(bytes, &err), BTVIZ_ERR_USAGE);
			assert_non_null(strstr(err.message, "_INIT"));
		}
		free(bytes);
	}
}

/* Runs are handed over as an array: of any age, but all of one. */
static void test_every_age_of_runs(void **state)
{
	struct {
		struct btviz_run run;
		unsigned char more[16];
	} later[2] = { { run, { 0 } }, { run, { 0 } } };
	struct btviz_run runs[2] = { run, run };
	struct btviz_error err;
	char *text;

	(void)state;
	assert_int_equal(btviz_show_text(runs, 2, NULL, &text, &err), BTVIZ_OK);
	free(text);
	later[0].run.size = later[1].run.size = sizeof later[0];
	assert_int_equal(btviz_show_text(&later[0].run, 2, NULL, &text, &err), BTVIZ_OK);
	free(text);
	later[1].more[15] = 1;
	assert_int_equal(btviz_show_text(&later[0].run, 2, NULL, &text, &err), BTVIZ_ERR_USAGE);
	later[1] = later[0];
	later[1].run.size -= 8;
	assert_int_equal(btviz_show_text(&later[0].run, 2, NULL, &text, &err), BTVIZ_ERR_USAGE);
	assert_non_null(strstr(err.message, "BTVIZ_RUN_INIT"));
	runs[0].size = 0;
	assert_int_equal(btviz_show_text(runs, 1, NULL, &text, &err), BTVIZ_ERR_USAGE);
	runs[1].summary = NULL;
	assert_int_equal(btviz_show_text(&runs[1], 1, NULL, &text, &err), BTVIZ_ERR_USAGE);
}

/* What callers make or copy cannot grow. The sizes are those of 0.1.0. */
static void test_fixed_sizes(void **state)
{
	const size_t pad = sizeof(void *) == 8 || _Alignof(uint64_t) == 4 ? 0 : 4;

	(void)state;
	assert_int_equal(sizeof(struct btviz_event) - sizeof(void *) - pad, 88);
	assert_int_equal(sizeof(struct btviz_error), 816);
	assert_int_equal(sizeof(struct btviz_count), 16);
	assert_int_equal(sizeof(struct btviz_distribution), 64);
	assert_int_equal(sizeof(struct btviz_gap_total), 16);
	assert_int_equal(sizeof(struct btviz_samples_range), 32);
	assert_int_equal(sizeof(struct btviz_compared), 2 * sizeof(void *));
}

static int set_up(void **state)
{
	const struct btviz_event ev = { .time_ns = 1000,
		.sector = 8,
		.bytes = 4096,
		.categories = BTVIZ_CAT_WRITE | BTVIZ_CAT_QUEUE,
		.device = BTVIZ_DEVICE(8, 16),
		.event = BTVIZ_ACT_QUEUE };

	(void)state;
	return btviz_summary_new(NULL, &run.summary, NULL) == BTVIZ_OK &&
			btviz_summary_add(run.summary, &ev, NULL) == BTVIZ_OK
		? 0
		: -1;
}

static int tear_down(void **state)
{
	(void)state;
	btviz_summary_free(run.summary);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_age_of_options),
		cmocka_unit_test(test_every_age_of_runs),
		cmocka_unit_test(test_fixed_sizes),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
