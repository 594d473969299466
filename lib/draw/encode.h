/* draw/encode.h - a finished scene as the bytes of a PNG, SVG or PDF file. */
#ifndef BTVI_DRAW_ENCODE_H
#define BTVI_DRAW_ENCODE_H

#include <stdbool.h>

#include <btviz/plot.h>

#include "draw/bytes.h"
#include "draw/scene.h"

struct btvi_encoding {
	double pixel; /* device pixels per unit of the scene */
	double dpi;
	bool boxes;                /* PNG: text as boxes, so that no font matters */
	const char *title, *about; /* kept in the file, for those who do not look at the picture */
	const char *command;       /* what made it; may be NULL */
};

/* BTVIZ_OK, BTVIZ_ERR_LIMIT (too many pixels), BTVIZ_ERR_USAGE (HTML is no scene), BTVIZ_ERR_NOMEM.
 */
enum btviz_status btvi_encode(const struct btvi_scene *s, const struct btvi_encoding *e,
	enum btviz_plot_kind kind, struct btvi_bytes *out, struct btviz_error *err);

#endif
