/* draw/png_image.h - pixels as a PNG. */
#ifndef BTVI_DRAW_PNG_IMAGE_H
#define BTVI_DRAW_PNG_IMAGE_H

#include <btviz/status.h>

#include "draw/bytes.h"

struct btvi_png_text {
	const char *key, *text; /* text may be NULL: left out */
};

/* rows: height rows of width pixels, RGB (channels 3) or RGBA not premultiplied (4), a byte each.
 * dpi 0: not told. texts ends with a NULL key. BTVIZ_OK, BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_png_encode(const unsigned char *rows, unsigned width, unsigned height,
	unsigned channels, double dpi, const struct btvi_png_text *texts, struct btvi_bytes *out,
	struct btviz_error *err);

#endif
