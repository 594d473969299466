/* plot.c - the public way to a picture: checks what is asked for, has it laid out, encoded,
 * written. */
#include <btviz/plot.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "base/output.h"
#include "base/status.h"
#include "draw/bytes.h"
#include "draw/cairo_page.h"
#include "draw/encode.h"
#include "draw/html.h"
#include "draw/picture.h"

enum btviz_status btviz_plot_kind_of(
	const char *path, enum btviz_plot_kind *ret_kind, struct btviz_error *err)
{
	static const struct {
		const char *suffix;
		enum btviz_plot_kind kind;
	} kinds[] = { { ".png", BTVIZ_PLOT_PNG }, { ".svg", BTVIZ_PLOT_SVG },
		{ ".pdf", BTVIZ_PLOT_PDF }, { ".html", BTVIZ_PLOT_HTML } };
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcasecmp(dot, kinds[i].suffix) == 0) {
			*ret_kind = kinds[i].kind;
			return BTVIZ_OK;
		}
	return btvi_fail(err, BTVIZ_ERR_USAGE,
		"%s: the kind of picture follows the name's end: .png, .svg, .pdf or .html", path);
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
				const struct btviz_device *d = f->devices[f->top[t]];

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

static enum btviz_status encode(const struct btvi_page *p, enum btviz_plot_kind kind,
	struct btvi_bytes *out, struct btviz_error *err)
{
	const struct btviz_plot_options *o = p->options;
	char *const about = totals(p->runs, p->run_count);
	const struct btvi_encoding encoding = { .pixel = p->pixel,
		.dpi = o->dpi,
		.boxes = o->boxes_for_text,
		.title = o->title && o->title[0] ? o->title : p->runs[0].label,
		.about = about,
		.command = o->command };
	enum btviz_status status;

	if (!about)
		return btvi_fail_nomem(err);
	status = btvi_encode(p->scene, &encoding, kind, out, err);
	free(about);
	return status;
}

static enum btviz_status plot(const struct btviz_run *runs, size_t count,
	const struct btviz_plot_options *options, enum btviz_plot_kind kind, struct btvi_bytes *out,
	struct btviz_error *err)
{
	struct btviz_plot_options o;
	struct btvi_picture picture;
	struct btvi_font *font = NULL;
	enum btviz_status status = btvi_picture_options(options, &o, err);

	if (status != BTVIZ_OK)
		return status;
	if (kind != BTVIZ_PLOT_HTML && !o.boxes_for_text) {
		font = btvi_cairo_font_new();
		if (!font)
			return btvi_fail_nomem(err);
	}
	status = btvi_picture_init(&picture, runs, count, &o,
		kind == BTVIZ_PLOT_HTML ? NULL
			: font          ? font
					: &btvi_font_fixed,
		err);
	if (status == BTVIZ_OK)
		status = kind == BTVIZ_PLOT_HTML ? btvi_html_write(&picture.page, out, err)
						 : encode(&picture.page, kind, out, err);
	btvi_picture_done(&picture);
	btvi_cairo_font_free(font);
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
		status = btvi_output_file(out.data, out.size, path, err);
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
		status = btvi_output_fd(out.data, out.size, fd, err);
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
