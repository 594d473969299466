/* plot.c - the public way to a picture: checks what is asked for, has it laid out, encoded,
 * written. */
#include <btviz/plot.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "base/status.h"
#include "base/text.h"
#include "draw/bytes.h"
#include "draw/cairo_page.h"
#include "draw/output.h"
#include "draw/page.h"
#include "draw/png_image.h"
#include "draw/svg_page.h"

/* Cairo cannot do more a side; and 400 MB of pixels are not a picture but a mistake. */
static const double side_max_px = 32000, pixels_max = 100e6;

static const char *const panel_names[BTVIZ_PANEL_COUNT] = {
	[BTVIZ_PANEL_IO] = "io",
	[BTVIZ_PANEL_MEMBERS] = "members",
	[BTVIZ_PANEL_TPUT] = "tput",
	[BTVIZ_PANEL_LATENCY] = "latency",
	[BTVIZ_PANEL_SEEK] = "seek",
	[BTVIZ_PANEL_IOPS] = "iops",
	[BTVIZ_PANEL_DEPTH] = "depth",
	[BTVIZ_PANEL_SIZE] = "size",
	[BTVIZ_PANEL_STATS] = "stats",
};

const char *btviz_panel_name(enum btviz_panel panel)
{
	return (unsigned)panel < BTVIZ_PANEL_COUNT ? panel_names[panel] : NULL;
}

enum btviz_status btviz_plot_kind_of(
	const char *path, enum btviz_plot_kind *ret_kind, struct btviz_error *err)
{
	static const struct {
		const char *suffix;
		enum btviz_plot_kind kind;
	} kinds[] = { { ".png", BTVIZ_PLOT_PNG }, { ".svg", BTVIZ_PLOT_SVG },
		{ ".pdf", BTVIZ_PLOT_PDF } };
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcasecmp(dot, kinds[i].suffix) == 0) {
			*ret_kind = kinds[i].kind;
			return BTVIZ_OK;
		}
	return btvi_fail(err, BTVIZ_ERR_USAGE,
		"%s: the kind of picture follows the name's end: .png, .svg or .pdf", path);
}

/* Reads the caller's options, which may be older (shorter) or newer (longer) than ours. */
static enum btviz_status take_options(const struct btviz_plot_options *from,
	struct btviz_plot_options *to, struct btviz_error *err)
{
	const unsigned char *bytes = (const unsigned char *)from;

	*to = (struct btviz_plot_options)BTVIZ_PLOT_OPTIONS_INIT;
	if (!from)
		return BTVIZ_OK;
	for (size_t i = sizeof *to; i < from->size; i++)
		if (bytes[i] != 0)
			return btvi_fail(err, BTVIZ_ERR_USAGE,
				"the plot options have a field that this version does not know");
	memcpy(to, from, from->size < sizeof *to ? from->size : sizeof *to);
	to->size = sizeof *to;
	if (to->dpi == 0)
		to->dpi = 96;
	if (!(to->dpi >= 10 && to->dpi <= 2400))
		return btvi_fail(err, BTVIZ_ERR_USAGE, "dpi must be from 10 to 2400");
	if (!(to->width_px >= 0) || !(to->height_px >= 0))
		return btvi_fail(err, BTVIZ_ERR_USAGE, "a picture's size cannot be negative");
	if (to->width_px > side_max_px || to->height_px > side_max_px)
		return btvi_fail(err, BTVIZ_ERR_LIMIT, "a picture has at most %.0f pixels a side",
			side_max_px);
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
		name = f->devices[f->top[0]].name;
	if (!name)
		name = "";
	btvi_text_printable(name, strlen(name), run->label, sizeof run->label);
}

static enum btviz_status take_runs(const struct btviz_run *from, size_t count,
	const struct btviz_plot_options *o, struct btvi_run *runs, struct btviz_error *err)
{
	double first = INFINITY;

	for (size_t i = 0; i < count; i++) {
		struct btvi_run *run = &runs[i];
		enum btviz_status status;

		run->summary = from[i].summary;
		status = btviz_summary_figures(run->summary, &run->figures, err);
		if (status == BTVIZ_OK)
			status = btviz_findings_new(run->figures, &run->findings, err);
		if (status != BTVIZ_OK)
			return status;
		name_run(&from[i], run);
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

/* One line a run: what the file says about itself to those who do not look at the picture. */
static char *totals(const struct btvi_run *runs, size_t count)
{
	struct btvi_bytes b = { 0 };

	for (size_t i = 0; i < count; i++) {
		const struct btviz_figures *f = runs[i].figures;
		struct btviz_count moved[2] = { { 0, 0 }, { 0, 0 } };
		char line[512], span[BTVI_QUANTITY_SIZE];

		for (size_t t = 0; t < f->top_count; t++)
			for (int dir = BTVIZ_DIR_READ; dir <= BTVIZ_DIR_WRITE; dir++) {
				const struct btviz_device *d = &f->devices[f->top[t]];

				moved[dir].bytes += d->moved[dir].bytes;
				moved[dir].ios += d->moved[dir].ios;
			}
		snprintf(line, sizeof line,
			"%s%.200s: %s s, read %llu bytes in %llu I/Os, written %llu bytes in %llu I/Os",
			i ? "\n" : "", runs[i].label, btvi_quantity_fixed(f->span_s, 3, span),
			(unsigned long long)moved[0].bytes, (unsigned long long)moved[0].ios,
			(unsigned long long)moved[1].bytes, (unsigned long long)moved[1].ios);
		btvi_bytes_text(&b, line);
		if (runs[i].findings) {
			const struct btviz_finding *finding =
				btviz_findings_get(runs[i].findings, 0);

			btvi_bytes_text(&b, "\n");
			btvi_bytes_text(&b, finding ? finding->text : "");
		}
	}
	btvi_bytes_add(&b, "", 1);
	if (b.failed)
		btvi_bytes_done(&b);
	return (char *)b.data;
}

static enum btviz_status encode(const struct btvi_page *p, const struct btvi_scene *s,
	enum btviz_plot_kind kind, struct btvi_bytes *out, struct btviz_error *err)
{
	const struct btviz_plot_options *o = p->options;
	const double width = ceil(s->width * p->pixel - 1e-6),
		     height = ceil(s->height * p->pixel - 1e-6);
	const char *title = o->title && o->title[0] ? o->title : p->runs[0].label;
	enum btviz_status status = BTVIZ_OK;
	char *about;

	if (width > side_max_px || height > side_max_px || width * height > pixels_max)
		return btvi_fail(err, BTVIZ_ERR_LIMIT,
			"a picture of %.0f × %.0f pixels is too large: at most %.0f a side and %.0f "
			"million in all",
			width, height, side_max_px, pixels_max / 1e6);
	about = totals(p->runs, p->run_count);
	if (!about)
		return btvi_fail_nomem(err);
	switch (kind) {
	case BTVIZ_PLOT_PNG: {
		const struct btvi_png_text texts[] = { { "Software", "btviz " BTVIZ_VERSION },
			{ "Title", title }, { "Description", about }, { "Command", o->command },
			{ NULL, NULL } };
		unsigned char *rows;

		status = btvi_cairo_pixels(s, p->pixel, (unsigned)width, (unsigned)height,
			o->boxes_for_text, &rows, err);
		if (status == BTVIZ_OK) {
			status = btvi_png_encode(rows, (unsigned)width, (unsigned)height, 3, o->dpi,
				texts, out, err);
			free(rows);
		}
		break;
	}
	case BTVIZ_PLOT_SVG:
		status = btvi_svg_write(s, p->pixel, title, about, out, err);
		break;
	case BTVIZ_PLOT_PDF:
		status = btvi_cairo_pdf(s, p->pixel * 72 / o->dpi, title, about, out, err);
		break;
	}
	free(about);
	return status;
}

static enum btviz_status plot(const struct btviz_run *from, size_t count,
	const struct btviz_plot_options *options, enum btviz_plot_kind kind, struct btvi_bytes *out,
	struct btviz_error *err)
{
	struct btviz_plot_options o;
	struct btvi_page page = { .options = &o, .run_count = count };
	struct btvi_scene scene;
	struct btvi_font *font = NULL;
	enum btviz_status status = take_options(options, &o, err);

	if (status != BTVIZ_OK)
		return status;
	if (count == 0)
		return btvi_fail(err, BTVIZ_ERR_USAGE, "no run to draw");
	if (count > BTVI_RUN_MAX)
		return btvi_fail(
			err, BTVIZ_ERR_LIMIT, "at most %d runs fit into a picture", BTVI_RUN_MAX);
	page.runs = calloc(count, sizeof *page.runs);
	if (!page.runs)
		return btvi_fail_nomem(err);
	status = take_runs(from, count, &o, page.runs, err);
	if (status == BTVIZ_OK && !o.boxes_for_text) {
		font = btvi_cairo_font_new();
		if (!font)
			status = btvi_fail_nomem(err);
	}
	if (status == BTVIZ_OK) {
		const double natural = btvi_page_natural_width(&o, count);

		/* Where a size is asked for, text grows with the page. */
		page.pixel = o.width_px > 0 ? fmax(o.width_px / natural, 0.6) : o.dpi / 96;
		for (;;) {
			const double width = o.width_px > 0 ? o.width_px / page.pixel : natural;

			btvi_scene_init(&scene, width, font ? font : &btvi_font_fixed);
			page.scene = &scene;
			status = btvi_page_draw(&page, width, o.height_px / page.pixel, err);
			/* A low, wide page: everything smaller, as long as it can be read. */
			if (status != BTVIZ_ERR_USAGE || o.height_px <= 0 || page.pixel < 0.6)
				break;
			btvi_scene_done(&scene);
			page.pixel *= 0.85;
		}
		if (status == BTVIZ_OK)
			status = encode(&page, &scene, kind, out, err);
		btvi_scene_done(&scene);
	}
	btvi_cairo_font_free(font);
	for (size_t i = 0; i < count; i++)
		btviz_findings_free(page.runs[i].findings);
	free(page.runs);
	if (status != BTVIZ_OK)
		btvi_bytes_done(out);
	return status;
}

enum btviz_status btviz_plot_write_file(const struct btviz_run *runs, size_t run_count,
	const struct btviz_plot_options *options, enum btviz_plot_kind kind, const char *path,
	struct btviz_error *err)
{
	struct btvi_bytes out = { 0 };
	enum btviz_status status = plot(runs, run_count, options, kind, &out, err);

	if (status == BTVIZ_OK)
		status = btvi_output_file(&out, path, err);
	btvi_bytes_done(&out);
	return status;
}

enum btviz_status btviz_plot_write_fd(const struct btviz_run *runs, size_t run_count,
	const struct btviz_plot_options *options, enum btviz_plot_kind kind, int fd,
	struct btviz_error *err)
{
	struct btvi_bytes out = { 0 };
	enum btviz_status status = plot(runs, run_count, options, kind, &out, err);

	if (status == BTVIZ_OK)
		status = btvi_output_fd(&out, fd, err);
	btvi_bytes_done(&out);
	return status;
}

enum btviz_status btviz_plot_write_buffer(const struct btviz_run *runs, size_t run_count,
	const struct btviz_plot_options *options, enum btviz_plot_kind kind,
	unsigned char **ret_bytes, size_t *ret_size, struct btviz_error *err)
{
	struct btvi_bytes out = { 0 };
	const enum btviz_status status = plot(runs, run_count, options, kind, &out, err);

	if (status != BTVIZ_OK)
		return status;
	*ret_bytes = out.data;
	*ret_size = out.size;
	return BTVIZ_OK;
}
