/* draw/svg_page.h - a scene as SVG. */
#ifndef BTVI_DRAW_SVG_PAGE_H
#define BTVI_DRAW_SVG_PAGE_H

#include <btviz/status.h>

#include "draw/bytes.h"
#include "draw/scene.h"

/* A unit is scale CSS pixels. The texts may be NULL. BTVIZ_OK, BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_svg_write(const struct btvi_scene *s, double scale, const char *title,
	const char *description, const char *command, struct btvi_bytes *out,
	struct btviz_error *err);

#endif
