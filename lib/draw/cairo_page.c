/* cairo_page.c - a scene through cairo. With cairo_script.c the only file that includes it. */
#include "draw/cairo_page.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/large.h"
#include "base/status.h"
#include "draw/cairo_script.h"
#include "draw/palette.h"

static const char family[] = "sans-serif";

static void select_font(cairo_t *cr, double size, bool bold)
{
	cairo_select_font_face(cr, family, CAIRO_FONT_SLANT_NORMAL,
		bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cr, size);
}

/* Widths must not depend on the scale: what was laid out once fits at every size. */
static void set_font_options(cairo_t *cr)
{
	cairo_font_options_t *o = cairo_font_options_create();

	cairo_font_options_set_hint_metrics(o, CAIRO_HINT_METRICS_OFF);
	cairo_font_options_set_hint_style(o, CAIRO_HINT_STYLE_SLIGHT);
	cairo_font_options_set_antialias(o, CAIRO_ANTIALIAS_GRAY);
	cairo_set_font_options(cr, o);
	cairo_font_options_destroy(o);
}

/* What measuring needs: a context to measure in. */
struct measurer {
	struct btvi_font font;
	cairo_t *cr;
	struct btvi_script script;
};

static double measure(void *data, const char *text, double size, bool bold)
{
	struct measurer *m = data;
	cairo_text_extents_t e;
	double width;

	if (btvi_script_text(&m->script, m->cr, text, size, bold, false, &width))
		return width;
	select_font(m->cr, size, bold);
	cairo_text_extents(m->cr, text, &e);
	return e.x_advance;
}

struct btvi_font *btvi_cairo_font_new(void)
{
	struct measurer *m = calloc(1, sizeof *m);
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
	cairo_t *cr = cairo_create(surface);

	cairo_surface_destroy(surface);
	if (!m || cairo_status(cr) != CAIRO_STATUS_SUCCESS) {
		free(m);
		cairo_destroy(cr);
		return NULL;
	}
	set_font_options(cr);
	m->cr = cr;
	m->font = (struct btvi_font){ measure, m };
	return &m->font;
}

void btvi_cairo_font_free(struct btvi_font *font)
{
	struct measurer *m;

	if (!font)
		return;
	m = font->data;
	cairo_destroy(m->cr);
	free(m);
}

static void set_color(cairo_t *cr, uint32_t c)
{
	cairo_set_source_rgba(cr, (c >> 24) / 255.0, (c >> 16 & 0xff) / 255.0,
		(c >> 8 & 0xff) / 255.0, (c & 0xff) / 255.0);
}

/* Edges on whole pixels: thin lines stay crisp, neighbours meet without a seam. */
static struct btvi_rect snap(cairo_t *cr, struct btvi_rect r, bool whole)
{
	double x0 = r.x, y0 = r.y, x1 = r.x + r.w, y1 = r.y + r.h;

	if (!whole)
		return r;
	cairo_user_to_device(cr, &x0, &y0);
	cairo_user_to_device(cr, &x1, &y1);
	x0 = round(x0);
	y0 = round(y0);
	x1 = fmax(round(x1), x0 + 1);
	y1 = fmax(round(y1), y0 + 1);
	cairo_device_to_user(cr, &x0, &y0);
	cairo_device_to_user(cr, &x1, &y1);
	return (struct btvi_rect){ x0, y0, x1 - x0, y1 - y0 };
}

static void draw_image(cairo_t *cr, const struct btvi_thing *t, bool whole)
{
	const struct btvi_rect r = snap(cr, t->rect, whole);
	cairo_surface_t *surface =
		cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)t->columns, (int)t->rows);
	unsigned char *data = cairo_image_surface_get_data(surface);
	const size_t stride = (size_t)cairo_image_surface_get_stride(surface);

	for (size_t y = 0; data && y < t->rows; y++)
		for (size_t x = 0; x < t->columns; x++) {
			const uint32_t c = t->pixels[y * t->columns + x], a = c & 0xff;
			const uint32_t red = (c >> 24) * a / 255,
				       green = (c >> 16 & 0xff) * a / 255,
				       blue = (c >> 8 & 0xff) * a / 255;
			const uint32_t argb = a << 24 | red << 16 | green << 8 | blue;

			memcpy(data + y * stride + 4 * x, &argb, sizeof argb);
		}
	cairo_surface_mark_dirty(surface);
	cairo_save(cr);
	cairo_translate(cr, r.x, r.y);
	cairo_scale(cr, r.w / (double)t->columns, r.h / (double)t->rows);
	cairo_set_source_surface(cr, surface, 0, 0);
	cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
	cairo_rectangle(cr, 0, 0, (double)t->columns, (double)t->rows);
	cairo_fill(cr);
	cairo_restore(cr);
	cairo_surface_destroy(surface);
}

static void draw_text(cairo_t *cr, struct btvi_script *script, const struct btvi_scene *s,
	const struct btvi_thing *t, bool boxes)
{
	const struct btvi_rect box = btvi_scene_text_box(s, t);

	set_color(cr, t->color);
	if (boxes) {
		const struct btvi_rect r = snap(cr, box, true);

		cairo_rectangle(cr, r.x, r.y, r.w, r.h);
		cairo_fill(cr);
		return;
	}
	cairo_move_to(cr, box.x, t->rect.y);
	if (btvi_script_text(script, cr, t->text, t->size, t->bold, true, NULL))
		return;
	select_font(cr, t->size, t->bold);
	cairo_show_text(cr, t->text);
}

static void draw(cairo_t *cr, const struct btvi_scene *s, bool whole, bool boxes)
{
	const double dash_none = 0;
	struct btvi_script script = { .tried = false };

	set_font_options(cr);
	set_color(cr, BTVI_PAPER);
	cairo_paint(cr);
	cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
	for (const struct btvi_thing *t = s->first; t; t = t->next) {
		struct btvi_rect r;

		set_color(cr, t->color);
		switch (t->kind) {
		case BTVI_RECT:
			r = snap(cr, t->rect, whole);
			cairo_rectangle(cr, r.x, r.y, r.w, r.h);
			cairo_fill(cr);
			break;
		case BTVI_LINE:
		case BTVI_AREA:
			cairo_new_path(cr);
			for (size_t i = 0; i < t->point_count; i++)
				cairo_line_to(cr, t->points[i].x, t->points[i].y);
			if (t->kind == BTVI_AREA) {
				cairo_close_path(cr);
				cairo_fill(cr);
				break;
			}
			cairo_set_line_width(cr, t->width);
			if (t->dash > 0)
				cairo_set_dash(cr, &t->dash, 1, 0);
			else
				cairo_set_dash(cr, &dash_none, 0, 0);
			cairo_stroke(cr);
			break;
		case BTVI_IMAGE:
			draw_image(cr, t, whole);
			break;
		case BTVI_TEXT:
			draw_text(cr, &script, s, t, boxes);
			break;
		}
	}
}

static enum btviz_status fail(cairo_status_t status, struct btviz_error *err)
{
	if (status == CAIRO_STATUS_NO_MEMORY)
		return btvi_fail_nomem(err);
	return btvi_fail(err, BTVIZ_ERR_LIMIT, "the picture cannot be drawn: %s",
		cairo_status_to_string(status));
}

/* Cairo's four bytes a pixel into three, in place: a second buffer of some megabytes costs more
 * than the drawing. */
static void pack(unsigned char *pixels, size_t stride, unsigned width, unsigned height)
{
	unsigned char *to = pixels;

	for (unsigned y = 0; y < height; y++) {
		const unsigned char *from = pixels + y * stride;

		for (unsigned x = 0; x < width; x++, from += 4) {
			uint32_t c;

			memcpy(&c, from, sizeof c);
			*to++ = (unsigned char)(c >> 16);
			*to++ = (unsigned char)(c >> 8);
			*to++ = (unsigned char)c;
		}
	}
}

enum btviz_status btvi_cairo_pixels(const struct btvi_scene *s, double scale, unsigned width,
	unsigned height, bool boxes, unsigned char **ret_rows, struct btviz_error *err)
{
	const int stride = cairo_format_stride_for_width(CAIRO_FORMAT_RGB24, (int)width);
	unsigned char *pixels = stride > 0 ? btvi_large_alloc((size_t)stride * height) : NULL;
	cairo_surface_t *surface;
	cairo_t *cr;
	cairo_status_t status;

	if (!pixels)
		return btvi_fail_nomem(err);
	surface = cairo_image_surface_create_for_data(
		pixels, CAIRO_FORMAT_RGB24, (int)width, (int)height, stride);
	cr = cairo_create(surface);
	cairo_scale(cr, scale, scale);
	draw(cr, s, true, boxes);
	cairo_surface_finish(surface);
	status = cairo_status(cr);
	cairo_destroy(cr);
	cairo_surface_destroy(surface);
	if (status != CAIRO_STATUS_SUCCESS) {
		free(pixels);
		return fail(status, err);
	}
	pack(pixels, (size_t)stride, width, height);
	*ret_rows = pixels;
	return BTVIZ_OK;
}

static cairo_status_t on_write(void *closure, const unsigned char *data, unsigned size)
{
	struct btvi_bytes *out = closure;

	btvi_bytes_add(out, data, size);
	return out->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

enum btviz_status btvi_cairo_pdf(const struct btvi_scene *s, double points, const char *title,
	const char *subject, const char *command, struct btvi_bytes *out, struct btviz_error *err)
{
	cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
		on_write, out, s->width * points, s->height * points);
	cairo_t *cr = cairo_create(surface);
	cairo_status_t status;

	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "btviz " BTVIZ_VERSION);
	if (title)
		cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title);
	if (subject)
		cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, subject);
	if (command)
		cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_KEYWORDS, command);
	cairo_scale(cr, points, points);
	draw(cr, s, false, false);
	cairo_show_page(cr);
	cairo_surface_finish(surface);
	status = cairo_status(cr);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(surface);
	cairo_destroy(cr);
	cairo_surface_destroy(surface);
	return status == CAIRO_STATUS_SUCCESS ? BTVIZ_OK : fail(status, err);
}
