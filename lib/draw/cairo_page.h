/* draw/cairo_page.h - a scene through cairo: as pixels, as PDF; and cairo's fonts for the layout.
 */
#ifndef BTVI_DRAW_CAIRO_PAGE_H
#define BTVI_DRAW_CAIRO_PAGE_H

#include <btviz/status.h>

#include "draw/bytes.h"
#include "draw/scene.h"

/* A font that measures as cairo draws. NULL: out of memory. */
struct btvi_font *btvi_cairo_font_new(void);
void btvi_cairo_font_free(struct btvi_font *font);

/* The scene as rows of RGB, a byte each, width × height pixels, a unit being scale pixels. boxes:
 * text as its boxes. *ret_rows is the caller's to free(). BTVIZ_OK, BTVIZ_ERR_NOMEM,
 * BTVIZ_ERR_LIMIT. */
enum btviz_status btvi_cairo_pixels(const struct btvi_scene *s, double scale, unsigned width,
	unsigned height, bool boxes, unsigned char **ret_rows, struct btviz_error *err);

/* The scene as a PDF of one page, a unit being points of a 72nd of an inch. The texts may be
 * NULL. */
enum btviz_status btvi_cairo_pdf(const struct btvi_scene *s, double points, const char *title,
	const char *subject, const char *command, struct btvi_bytes *out, struct btviz_error *err);

#endif
