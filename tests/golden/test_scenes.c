/* test_scenes.c - pictures of made-up runs, laid out with a font of fixed width, against what they
 * were (tests/golden/scenes/NAME.txt); and that in none of them texts overlap or leave the page.
 *
 *     test_scenes --update    rewrites the goldens; the difference is then to be reviewed */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "draw/picture.h"
#include "pictures.h"

static bool update;

static char *read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (f && getdelim(&text, &size, '\0', f) < 0) {
		free(text);
		text = NULL;
	}
	if (f)
		fclose(f);
	return text;
}

/* The first line that differs, so that a failure says something. */
static void compare(const char *name, const char *got, const char *want)
{
	for (unsigned line = 1;; line++) {
		const size_t g = strcspn(got, "\n"), w = strcspn(want, "\n");

		if (g != w || strncmp(got, want, g) != 0)
			fail_msg("%s.txt, line %u:\n got %.*s\nwant %.*s", name, line, (int)g, got,
				(int)w, want);
		if (got[g] == '\0' || want[w] == '\0') {
			if (got[g] != want[w])
				fail_msg("%s.txt: %s ends after line %u", name,
					got[g] ? "the golden" : "the scene", line);
			return;
		}
		got += g + 1;
		want += w + 1;
	}
}

static void draw(size_t i, char **ret_text, char **ret_overlap)
{
	struct btviz_plot_options options = pictures[i].options, taken;
	struct btvi_picture picture;
	struct btviz_run runs[8];
	struct btviz_error err = { .message = "" };
	const struct btvi_thing *a, *b;
	const size_t count = picture_runs(i, runs);
	size_t size;
	FILE *out = open_memstream(ret_text, &size);

	options.size = sizeof options;
	assert_int_equal(btvi_picture_options(&options, &taken, &err), BTVIZ_OK);
	if (btvi_picture_init(&picture, runs, count, &taken, &btvi_font_fixed, &err) != BTVIZ_OK)
		fail_msg("%s: %s", pictures[i].name, err.message);
	btvi_scene_dump(&picture.scene, out);
	fclose(out);
	*ret_overlap = NULL;
	if (btvi_scene_overlap(&picture.scene, &a, &b) &&
		asprintf(ret_overlap, "%s: '%s' (%g,%g) and '%s' (%g,%g)", pictures[i].name,
			a->text, a->rect.x, a->rect.y, b->text, b->rect.x, b->rect.y) < 0)
		*ret_overlap = NULL;
	btvi_picture_done(&picture);
	for (size_t k = 0; k < count; k++)
		btviz_summary_free(runs[k].summary);
}

static void test_scenes(void **state)
{
	(void)state;
	for (size_t i = 0; i < PICTURES; i++) {
		char path[512], *got, *want, *overlap;

		draw(i, &got, &overlap);
		free(overlap);
		snprintf(path, sizeof path, "%s/%s.txt", getenv("SCENES"), pictures[i].name);
		if (update) {
			FILE *f = fopen(path, "w");

			assert_non_null(f);
			fputs(got, f);
			fclose(f);
		}
		want = read_file(path);
		if (!want)
			fail_msg("no golden %s: make it with --update", path);
		compare(pictures[i].name, got, want);
		free(want);
		free(got);
	}
}

static void test_no_text_overlaps(void **state)
{
	(void)state;
	for (size_t i = 0; i < PICTURES; i++) {
		char *text, *overlap;

		draw(i, &text, &overlap);
		if (overlap)
			fail_msg("%s", overlap);
		free(text);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scenes),
		cmocka_unit_test(test_no_text_overlaps),
	};

	update = argc > 1 && strcmp(argv[1], "--update") == 0;
	if (!getenv("SCENES"))
		setenv("SCENES", SCENES, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
