/* encode.c - a scene into the format that is asked for. Knows nothing of what is drawn. */
#include "draw/encode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "draw/cairo_page.h"
#include "draw/picture.h"
#include "draw/png_image.h"
#include "draw/svg_page.h"

static enum btviz_status encode_png(const struct btvi_scene *s, const struct btvi_encoding *e,
	unsigned width, unsigned height, struct btvi_bytes *out, struct btviz_error *err)
{
	const struct btvi_png_text texts[] = { { "Software", "btviz " BTVIZ_VERSION },
		{ "Title", e->title }, { "Description", e->about }, { "Command", e->command },
		{ NULL, NULL } };
	unsigned char *rows;
	enum btviz_status status =
		btvi_cairo_pixels(s, e->pixel, width, height, e->boxes, &rows, err);

	if (status != BTVIZ_OK)
		return status;
	status = btvi_png_encode(rows, width, height, 3, e->dpi, texts, out, err);
	free(rows);
	return status;
}

/* The text line by line made printable, NULL if it is NULL. False: out of memory. */
static bool clean(const char *text, char **ret_copy)
{
	const size_t room = text ? 3 * strlen(text) + 1 : 0;
	size_t n = 0;

	*ret_copy = NULL;
	if (!text)
		return true;
	if (!(*ret_copy = malloc(room)))
		return false;
	for (;;) {
		const size_t line = strcspn(text, "\n");

		n += btvi_text_printable(text, line, *ret_copy + n, room - n);
		if (text[line] == '\0')
			return true;
		(*ret_copy)[n++] = '\n';
		text += line + 1;
	}
}

static enum btviz_status encode_clean(const struct btvi_scene *s, const struct btvi_encoding *e,
	enum btviz_plot_kind kind, struct btvi_bytes *out, struct btviz_error *err)
{
	const double width = ceil(s->width * e->pixel - 1e-6),
		     height = ceil(s->height * e->pixel - 1e-6);

	if (width > BTVI_SIDE_MAX || height > BTVI_SIDE_MAX || width * height > BTVI_PIXELS_MAX)
		return btvi_fail(err, BTVIZ_ERR_LIMIT,
			"a picture of %.0f × %.0f pixels is too large: at most %d a side and %d "
			"million in all",
			width, height, BTVI_SIDE_MAX, BTVI_PIXELS_MAX / 1000000);
	switch (kind) {
	case BTVIZ_PLOT_PNG:
		return encode_png(s, e, (unsigned)width, (unsigned)height, out, err);
	case BTVIZ_PLOT_SVG:
		return btvi_svg_write(s, e->pixel, e->title, e->about, e->command, out, err);
	case BTVIZ_PLOT_PDF:
		return btvi_cairo_pdf(
			s, e->pixel * 72 / e->dpi, e->title, e->about, e->command, out, err);
	case BTVIZ_PLOT_HTML:
		break;
	}
	return btvi_fail(err, BTVIZ_ERR_USAGE, "this picture is drawn as .png, .svg or .pdf");
}

enum btviz_status btvi_encode(const struct btvi_scene *s, const struct btvi_encoding *e,
	enum btviz_plot_kind kind, struct btvi_bytes *out, struct btviz_error *err)
{
	struct btvi_encoding c = *e;
	char *title, *about = NULL, *command = NULL;
	enum btviz_status status;

	if (clean(e->title, &title) && clean(e->about, &about) && clean(e->command, &command)) {
		c.title = title;
		c.about = about;
		c.command = command;
		status = encode_clean(s, &c, kind, out, err);
	} else {
		status = btvi_fail_nomem(err);
	}
	free(title);
	free(about);
	free(command);
	return status;
}
