/* svg_page.c - a scene as SVG. Written here and not through cairo, which turns text into outlines:
 * text stays text that can be searched and copied, and the file stays small. */
#include "draw/svg_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "draw/png_image.h"

static void put(struct btvi_bytes *out, const char *format, ...) BTVI_PRINTF(2, 3);

static void put(struct btvi_bytes *out, const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	btvi_bytes_text(out, text);
}

/* A hundredth of a unit, in any locale; as short as can be. */
static void put_number(struct btvi_bytes *out, double x)
{
	const long long n = llround(x * 100);
	const long long whole = llabs(n) / 100, part = llabs(n) % 100;

	if (part == 0)
		put(out, "%s%lld", n < 0 ? "-" : "", whole);
	else if (part % 10 == 0)
		put(out, "%s%lld.%lld", n < 0 ? "-" : "", whole, part / 10);
	else
		put(out, "%s%lld.%02lld", n < 0 ? "-" : "", whole, part);
}

static void put_attribute(struct btvi_bytes *out, const char *name, double x)
{
	put(out, " %s=\"", name);
	put_number(out, x);
	put(out, "\"");
}

static void put_color(struct btvi_bytes *out, const char *what, uint32_t color)
{
	const unsigned alpha = (color & 0xff) * 1000 / 255;

	put(out, " %s=\"#%06" PRIx32 "\"", what, color >> 8);
	if (alpha < 1000)
		put(out, " %s-opacity=\".%03u\"", what, alpha);
}

/* Text from a trace is UTF-8 without control characters; only markup has to be escaped. */
static void put_text(struct btvi_bytes *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			btvi_bytes_text(out, "&lt;");
		else if (*text == '>')
			btvi_bytes_text(out, "&gt;");
		else if (*text == '&')
			btvi_bytes_text(out, "&amp;");
		else if (*text == '"')
			btvi_bytes_text(out, "&quot;");
		else if ((unsigned char)*text >= 0x20 || *text == '\n')
			btvi_bytes_add(out, text, 1);
	}
}

static void put_base64(struct btvi_bytes *out, const unsigned char *data, size_t size)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < size; i += 3) {
		const size_t left = size - i;
		const uint32_t v = (uint32_t)data[i] << 16 |
			(left > 1 ? (uint32_t)data[i + 1] << 8 : 0) | (left > 2 ? data[i + 2] : 0);
		const char group[4] = { digits[v >> 18], digits[v >> 12 & 63],
			left > 1 ? digits[v >> 6 & 63] : '=', left > 2 ? digits[v & 63] : '=' };

		btvi_bytes_add(out, group, sizeof group);
	}
}

static enum btviz_status put_image(
	struct btvi_bytes *out, const struct btvi_thing *t, struct btviz_error *err)
{
	struct btvi_bytes png = { 0 };
	unsigned char *rows = malloc(t->columns * t->rows * 4);
	enum btviz_status status;

	if (!rows)
		return btvi_fail_nomem(err);
	for (size_t i = 0; i < t->columns * t->rows; i++)
		for (unsigned k = 0; k < 4; k++)
			rows[4 * i + k] = (unsigned char)(t->pixels[i] >> (24 - 8 * k));
	status = btvi_png_encode(
		rows, (unsigned)t->columns, (unsigned)t->rows, 4, 0, NULL, &png, err);
	free(rows);
	if (status == BTVIZ_OK) {
		put(out, "<image");
		put_attribute(out, "x", t->rect.x);
		put_attribute(out, "y", t->rect.y);
		put_attribute(out, "width", t->rect.w);
		put_attribute(out, "height", t->rect.h);
		put(out,
			" preserveAspectRatio=\"none\" image-rendering=\"pixelated\" "
			"href=\"data:image/png;base64,");
		put_base64(out, png.data, png.size);
		put(out, "\"/>\n");
	}
	btvi_bytes_done(&png);
	return status;
}

static void put_points(struct btvi_bytes *out, const struct btvi_thing *t)
{
	const bool line = t->kind == BTVI_LINE;

	put(out, line ? "<polyline" : "<polygon");
	if (line) {
		put(out, " fill=\"none\"");
		put_color(out, "stroke", t->color);
		put_attribute(out, "stroke-width", t->width);
		if (t->dash > 0)
			put_attribute(out, "stroke-dasharray", t->dash);
	} else {
		put_color(out, "fill", t->color);
	}
	put(out, " points=\"");
	for (size_t i = 0; i < t->point_count; i++) {
		if (i)
			put(out, " ");
		put_number(out, t->points[i].x);
		put(out, ",");
		put_number(out, t->points[i].y);
	}
	put(out, "\"/>\n");
}

/* A viewer with another font is told how long the text may be, so that it never overlaps. */
static void put_label(struct btvi_bytes *out, const struct btvi_thing *t)
{
	static const char *const anchors[] = { "", " text-anchor=\"middle\"",
		" text-anchor=\"end\"" };

	put(out, "<text");
	put_attribute(out, "x", t->rect.x);
	put_attribute(out, "y", t->rect.y);
	put_attribute(out, "font-size", t->size);
	put_color(out, "fill", t->color);
	put_attribute(out, "textLength", t->rect.w);
	put(out, " lengthAdjust=\"spacingAndGlyphs\"%s%s>", anchors[t->anchor],
		t->bold ? " font-weight=\"bold\"" : "");
	put_text(out, t->text);
	put(out, "</text>\n");
}

enum btviz_status btvi_svg_write(const struct btvi_scene *s, double scale, const char *title,
	const char *description, const char *command, struct btvi_bytes *out,
	struct btviz_error *err)
{
	put(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
	put_attribute(out, "width", s->width * scale);
	put_attribute(out, "height", s->height * scale);
	put(out, " viewBox=\"0 0 ");
	put_number(out, s->width);
	put(out, " ");
	put_number(out, s->height);
	put(out,
		"\" font-family=\"DejaVu Sans, Verdana, sans-serif\" stroke-linejoin=\"round\">\n");
	if (title) {
		put(out, "<title>");
		put_text(out, title);
		put(out, "</title>\n");
	}
	if (description) {
		put(out, "<desc>");
		put_text(out, description);
		put(out, "</desc>\n");
	}
	put(out, "<metadata>btviz " BTVIZ_VERSION);
	if (command) {
		put(out, ": ");
		put_text(out, command);
	}
	put(out, "</metadata>\n");
	put(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
	for (const struct btvi_thing *t = s->first; t && !out->failed; t = t->next) {
		enum btviz_status status;

		switch (t->kind) {
		case BTVI_RECT:
			put(out, "<rect");
			put_attribute(out, "x", t->rect.x);
			put_attribute(out, "y", t->rect.y);
			put_attribute(out, "width", t->rect.w);
			put_attribute(out, "height", t->rect.h);
			put_color(out, "fill", t->color);
			put(out, "/>\n");
			break;
		case BTVI_LINE:
		case BTVI_AREA:
			put_points(out, t);
			break;
		case BTVI_IMAGE:
			status = put_image(out, t, err);
			if (status != BTVIZ_OK)
				return status;
			break;
		case BTVI_TEXT:
			put_label(out, t);
			break;
		}
	}
	put(out, "</svg>\n");
	return out->failed ? btvi_fail_nomem(err) : BTVIZ_OK;
}
