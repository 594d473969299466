/* test_images.c - a few pictures of made-up runs as pixels, against tests/image/refs/NAME.png. Text
 * is drawn as boxes, so that no font matters. Pixels are compared, not files; where they differ by
 * more than another version of cairo may, NAME.out.png and NAME.diff.png are left in the working
 * directory.
 *
 *     test_images --update    rewrites the references; the difference is then to be looked at */
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "pictures.h"

/* A pixel differs if a channel does by more than this; so many of a thousand may. */
enum { CHANNEL_TOLERANCE = 40, PIXELS_TOLERANCE = 1 };

static bool update;

struct image {
	unsigned width, height;
	unsigned char *rgb;
};

static bool decode(png_image *png, struct image *image)
{
	png->format = PNG_FORMAT_RGB;
	*image = (struct image){ png->width, png->height, malloc(PNG_IMAGE_SIZE(*png)) };
	return image->rgb && png_image_finish_read(png, NULL, image->rgb, 0, NULL);
}

static struct image draw(size_t i, unsigned char **ret_bytes, size_t *ret_size)
{
	struct btviz_plot_options options = pictures[i].options;
	struct btviz_run runs[8];
	struct btviz_error err = { .message = "" };
	const size_t count = picture_runs(i, runs);
	png_image png = { .version = PNG_IMAGE_VERSION };
	struct image image;

	options.size = sizeof options;
	options.boxes_for_text = true;
	if (options.width_px == 0)
		options.width_px = 800;
	if (btviz_plot_write_buffer(
		    runs, count, &options, BTVIZ_PLOT_PNG, ret_bytes, ret_size, &err) != BTVIZ_OK)
		fail_msg("%s: %s", pictures[i].name, err.message);
	for (size_t k = 0; k < count; k++)
		btviz_summary_free(runs[k].summary);
	assert_true(png_image_begin_read_from_memory(&png, *ret_bytes, *ret_size));
	assert_true(decode(&png, &image));
	return image;
}

static void write_file(const char *path, const unsigned char *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	fclose(f);
}

/* Where they are equal grey, where not black to red by how much. Returns how many pixels differ. */
static size_t difference(const struct image *a, const struct image *b, unsigned char *diff)
{
	size_t count = 0;

	for (size_t i = 0; i < (size_t)a->width * a->height; i++) {
		int most = 0;

		for (size_t k = 0; k < 3; k++)
			most = (int)fmax(most, abs(a->rgb[3 * i + k] - b->rgb[3 * i + k]));
		count += most > CHANNEL_TOLERANCE;
		memset(diff + 3 * i, most ? 0 : 230, 3);
		if (most)
			diff[3 * i] = (unsigned char)fmin(4 * most, 255);
	}
	return count;
}

static void test_images(void **state)
{
	(void)state;
	for (size_t i = 0; i < PICTURES; i++) {
		char path[512];
		unsigned char *bytes;
		size_t size, differ = SIZE_MAX;
		struct image got, want = { 0, 0, NULL };
		png_image png = { .version = PNG_IMAGE_VERSION };

		if (!pictures[i].image)
			continue;
		got = draw(i, &bytes, &size);
		snprintf(path, sizeof path, "%s/%s.png", getenv("REFS"), pictures[i].name);
		if (update)
			write_file(path, bytes, size);
		if (!png_image_begin_read_from_file(&png, path) || !decode(&png, &want))
			fail_msg("no reference %s: make it with --update", path);
		if (got.width == want.width && got.height == want.height) {
			unsigned char *diff = malloc((size_t)3 * got.width * got.height);

			differ = difference(&got, &want, diff);
			if (differ * 1000 > (size_t)PIXELS_TOLERANCE * got.width * got.height) {
				png_image out = { .version = PNG_IMAGE_VERSION,
					.width = got.width,
					.height = got.height,
					.format = PNG_FORMAT_RGB };

				snprintf(path, sizeof path, "%s.diff.png", pictures[i].name);
				png_image_write_to_file(&out, path, 0, diff, 0, NULL);
				snprintf(path, sizeof path, "%s.out.png", pictures[i].name);
				write_file(path, bytes, size);
				fail_msg("%s: %zu pixels differ; see %s.out.png and .diff.png",
					pictures[i].name, differ, pictures[i].name);
			}
			free(diff);
		} else {
			fail_msg("%s: %u x %u pixels, not %u x %u", pictures[i].name, got.width,
				got.height, want.width, want.height);
		}
		free(want.rgb);
		free(got.rgb);
		free(bytes);
	}
}

/* What a reader of the file finds without looking at the picture. */
static void test_png_says_what_it_is(void **state)
{
	unsigned char *bytes;
	size_t size;
	struct btviz_run run = {
		.size = sizeof run, .summary = fake_summary_new(&bad), .label = "bad <run> 日本"
	};
	struct btviz_plot_options options = BTVIZ_PLOT_OPTIONS_INIT;

	(void)state;
	options.command = "btviz -t md0 -o md0.png";
	options.dpi = 192;
	options.panels = BTVIZ_PANEL_BIT(BTVIZ_PANEL_TPUT);
	options.boxes_for_text = true;
	assert_int_equal(
		btviz_plot_write_buffer(&run, 1, &options, BTVIZ_PLOT_PNG, &bytes, &size, NULL),
		BTVIZ_OK);
	assert_non_null(memmem(bytes, size, "Command\0btviz -t md0 -o md0.png", 31));
	assert_non_null(memmem(bytes, size, "iTXt", 4));
	assert_non_null(memmem(bytes, size, "written 9345", 12));
	/* 192 dots an inch are 7559 a metre. */
	assert_non_null(memmem(bytes, size, "pHYs\x00\x00\x1d\x87\x00\x00\x1d\x87\x01", 13));
	free(bytes);
	btviz_summary_free(run.summary);
}

static void test_svg_keeps_text_as_text(void **state)
{
	unsigned char *bytes;
	size_t size;
	struct btviz_run run = {
		.size = sizeof run, .summary = fake_summary_new(&bad), .label = "a <b> & \"c\""
	};
	struct btviz_plot_options o = BTVIZ_PLOT_OPTIONS_INIT;

	(void)state;
	o.command = "btviz -l '<b>'";
	assert_int_equal(btviz_plot_write_buffer(&run, 1, &o, BTVIZ_PLOT_SVG, &bytes, &size, NULL),
		BTVIZ_OK);
	assert_non_null(memmem(bytes, size, ": btviz -l '&lt;b&gt;'</metadata>", 32));
	assert_non_null(memmem(bytes, size, "<title>a &lt;b&gt; &amp; &quot;c&quot;</title>", 46));
	assert_non_null(memmem(bytes, size, ">throughput (MB/s)</text>", 25));
	assert_non_null(memmem(bytes, size, "data:image/png;base64,", 22));
	assert_null(memmem(bytes, size, "<b>", 3));
	free(bytes);
	btviz_summary_free(run.summary);
}

static void test_limits(void **state)
{
	struct btviz_run runs[65], run = { .size = sizeof run, .summary = fake_summary_new(&good) };
	struct btviz_plot_options o = BTVIZ_PLOT_OPTIONS_INIT;
	unsigned char *bytes = NULL;
	size_t size = 0;
	struct btviz_error err;
	/* An options struct of a later version, whose new field is set. */
	struct {
		struct btviz_plot_options o;
		uint64_t later;
	} later = { BTVIZ_PLOT_OPTIONS_INIT, 1 };

	(void)state;
	o.width_px = 40000;
	assert_int_equal(btviz_plot_write_buffer(&run, 1, &o, BTVIZ_PLOT_PNG, &bytes, &size, &err),
		BTVIZ_ERR_LIMIT);
	o.width_px = o.height_px = 30000;
	assert_int_equal(btviz_plot_write_buffer(&run, 1, &o, BTVIZ_PLOT_PNG, &bytes, &size, &err),
		BTVIZ_ERR_LIMIT);
	o.width_px = o.height_px = 20;
	assert_int_equal(btviz_plot_write_buffer(&run, 1, &o, BTVIZ_PLOT_PNG, &bytes, &size, &err),
		BTVIZ_ERR_USAGE);
	o.width_px = NAN;
	assert_int_equal(btviz_plot_write_buffer(&run, 1, &o, BTVIZ_PLOT_PNG, &bytes, &size, &err),
		BTVIZ_ERR_USAGE);
	assert_int_equal(
		btviz_plot_write_buffer(&run, 0, NULL, BTVIZ_PLOT_PNG, &bytes, &size, &err),
		BTVIZ_ERR_USAGE);
	for (size_t i = 0; i < 65; i++)
		runs[i] = run;
	assert_int_equal(
		btviz_plot_write_buffer(runs, 65, NULL, BTVIZ_PLOT_PNG, &bytes, &size, &err),
		BTVIZ_ERR_LIMIT);
	later.o.size = sizeof later;
	assert_int_equal(
		btviz_plot_write_buffer(&run, 1, &later.o, BTVIZ_PLOT_PNG, &bytes, &size, &err),
		BTVIZ_ERR_USAGE);
	later.later = 0;
	assert_int_equal(
		btviz_plot_write_buffer(&run, 1, &later.o, BTVIZ_PLOT_PNG, &bytes, &size, &err),
		BTVIZ_OK);
	free(bytes);
	btviz_summary_free(run.summary);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_images),
		cmocka_unit_test(test_png_says_what_it_is),
		cmocka_unit_test(test_svg_keeps_text_as_text),
		cmocka_unit_test(test_limits),
	};

	update = argc > 1 && strcmp(argv[1], "--update") == 0;
	if (!getenv("REFS"))
		setenv("REFS", REFS, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
