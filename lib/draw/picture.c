/* picture.c - from runs and options to a scene. Knows no file and no format. */
#include "draw/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"
#include "base/status.h"
#include "base/text.h"

enum btviz_status btvi_picture_options(const struct btviz_plot_options *from,
	struct btviz_plot_options *to, struct btviz_error *err)
{
	*to = (struct btviz_plot_options)BTVIZ_PLOT_OPTIONS_INIT;
	if (btvi_options_take(to, sizeof *to, from, "btviz_plot_options", err) != BTVIZ_OK)
		return BTVIZ_ERR_USAGE;
	if (to->dpi == 0)
		to->dpi = 96;
	if (!(to->dpi >= 10 && to->dpi <= 2400))
		return btvi_fail(err, BTVIZ_ERR_USAGE, "dpi must be from 10 to 2400");
	if (!(to->width_px >= 0) || !(to->height_px >= 0))
		return btvi_fail(err, BTVIZ_ERR_USAGE, "a picture's size cannot be negative");
	if (to->width_px > BTVI_SIDE_MAX || to->height_px > BTVI_SIDE_MAX)
		return btvi_fail(err, BTVIZ_ERR_LIMIT, "a picture has at most %d pixels a side",
			BTVI_SIDE_MAX);
	/* Before anything is laid out: maps are as large as their picture. */
	if (to->width_px * to->height_px > BTVI_PIXELS_MAX)
		return btvi_fail(err, BTVIZ_ERR_LIMIT, "a picture has at most %d million pixels",
			BTVI_PIXELS_MAX / 1000000);
	if ((to->end_ns != 0 && to->end_ns <= to->start_ns) ||
		(to->last_sector != 0 && to->last_sector < to->first_sector))
		return btvi_fail(err, BTVIZ_ERR_USAGE, "a range's end must be after its start");
	if (to->panels & ~(BTVIZ_PANEL_BIT(BTVIZ_PANEL_COUNT) - 1))
		return btvi_fail(err, BTVIZ_ERR_USAGE, "there is no such panel");
	if (to->no_reads && to->no_writes)
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"without reads and without writes there is nothing to draw");
	return BTVIZ_OK;
}

static void name_run(const struct btviz_run *from, struct btvi_run *run)
{
	const struct btviz_figures *f = run->figures;
	const char *name = from->label;

	run->named = name != NULL;
	if (!name || !name[0])
		name = f->command;
	if ((!name || !name[0]) && f->top_count > 0)
		name = f->devices[f->top[0]]->name;
	if (!name)
		name = "";
	btvi_text_printable(name, strlen(name), run->label, sizeof run->label);
}

/* The i-th of an array of structs that the caller's headers may have shorter or longer. */
static enum btviz_status take_run(
	const struct btviz_run *first, size_t i, struct btviz_run *ret, struct btviz_error *err)
{
	const void *const at = (const char *)first + i * first->size;
	size_t size;

	memcpy(&size, at, sizeof size);
	if (btvi_options_take(ret, sizeof *ret, at, "btviz_run", err) != BTVIZ_OK)
		return BTVIZ_ERR_USAGE;
	if (size != first->size)
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"the sizes of the runs differ: initialise each with BTVIZ_RUN_INIT");
	if (!ret->summary)
		return btvi_fail(err, BTVIZ_ERR_USAGE, "a run without its summary");
	return BTVIZ_OK;
}

static enum btviz_status take_runs(const struct btviz_run *from, size_t count,
	const struct btviz_plot_options *o, struct btvi_run *runs, struct btviz_error *err)
{
	double first = INFINITY;

	for (size_t i = 0; i < count; i++) {
		struct btviz_run one = BTVIZ_RUN_INIT;
		struct btvi_run *run = &runs[i];
		enum btviz_status status = take_run(from, i, &one, err);

		if (status != BTVIZ_OK)
			return status;
		run->summary = one.summary;
		run->trace = one.trace;
		run->samples =
			one.samples ? one.samples : btviz_summary_samples(run->summary, NULL);
		status = btviz_summary_figures(run->summary, &run->figures, err);
		if (status == BTVIZ_OK)
			status = btviz_findings_new(run->figures, &run->findings, err);
		if (status != BTVIZ_OK)
			return status;
		name_run(&one, run);
		run->color = i < o->color_count && o->layout == BTVIZ_LAYOUT_OVERLAY
			? BTVI_RGB(o->colors[i])
			: btvi_palette_nth(i);
		if (!run->figures->has_wall && o->align == BTVIZ_ALIGN_WALL)
			return btvi_fail(err, BTVIZ_ERR_USAGE,
				"%s: the trace does not tell its wall clock, so runs cannot be "
				"aligned by it",
				run->label);
		run->shift_s = o->align == BTVIZ_ALIGN_WALL
			? (double)run->figures->wall_sec + (double)run->figures->wall_nsec * 1e-9
			: 0;
		first = fmin(first, run->shift_s);
	}
	for (size_t i = 0; i < count; i++) {
		const struct btviz_figures *f = runs[i].figures;

		runs[i].shift_s -= first;
		runs[i].start_s = runs[i].shift_s + (double)(f->start_ns - f->origin_ns) * 1e-9;
		runs[i].end_s = runs[i].start_s + f->span_s;
	}
	return BTVIZ_OK;
}

enum btviz_status btvi_picture_init(struct btvi_picture *p, const struct btviz_run *runs,
	size_t run_count, const struct btviz_plot_options *o, const struct btvi_font *font,
	struct btviz_error *err)
{
	struct btvi_page *page = &p->page;
	enum btviz_status status;
	double natural;

	*p = (struct btvi_picture){ .options = *o };
	btvi_scene_init(&p->scene, 0, font);
	page->scene = &p->scene;
	page->options = &p->options;
	if (run_count == 0)
		return btvi_fail(err, BTVIZ_ERR_USAGE, "no run to draw");
	if (run_count > BTVI_RUN_MAX)
		return btvi_fail(
			err, BTVIZ_ERR_LIMIT, "at most %d runs fit into a picture", BTVI_RUN_MAX);
	page->runs = calloc(run_count, sizeof *page->runs);
	if (!page->runs)
		return btvi_fail_nomem(err);
	page->run_count = run_count;
	status = take_runs(runs, run_count, &p->options, page->runs, err);
	if (status != BTVIZ_OK || !font)
		return status;

	/* Where a size is asked for, text grows with the page. */
	natural = btvi_page_natural_width(&p->options, run_count);
	page->pixel = o->width_px > 0 ? fmax(o->width_px / natural, 0.85) : o->dpi / 96;
	for (;;) {
		const double width = o->width_px > 0 ? o->width_px / page->pixel : natural;

		p->scene.width = width;
		status = btvi_page_draw(page, width, o->height_px / page->pixel, err);
		/* A small page: everything smaller, as long as it can be read at all. */
		if (status != BTVIZ_ERR_USAGE || o->width_px <= 0 || page->pixel < 0.4)
			return status;
		page->pixel *= 0.85;
		btvi_scene_done(&p->scene);
	}
}

void btvi_picture_done(struct btvi_picture *p)
{
	btvi_scene_done(&p->scene);
	for (size_t i = 0; i < p->page.run_count; i++)
		btviz_findings_free(p->page.runs[i].findings);
	free(p->page.runs);
	p->page.runs = NULL;
	p->page.run_count = 0;
}
