/* draw/html_arrays.h - the many numbers of a page in few bytes.
 *
 * Courses and maps lie one after another in one piece of memory, which goes into the page deflated
 * and as base64. The page's JSON tells where each begins: {"at": offset, "n": count}, in bytes of
 * the inflated piece. Two kinds: floats  the three upper bytes of each IEEE single, little-endian
 * planes: all lowest kept bytes, then all middle, then all uppermost ones (alike bytes beside one
 * another deflate well). 16 bits of the fraction are kept: a relative error below 1e-5. shades  a
 * byte each on a logarithmic scale: 0 is none, 1 one unit, 255 "max".
 * Indices are bytes as they are. */
#ifndef BTVI_DRAW_HTML_ARRAYS_H
#define BTVI_DRAW_HTML_ARRAYS_H

#include <stddef.h>

#include <jansson.h>

#include <btviz/status.h>

#include "draw/bytes.h"

/* Appends; the reference is the caller's. NULL: there is nothing in it (all 0 or NaN), or memory
 * ran out, which raw->failed tells. */
json_t *btvi_html_floats(struct btvi_bytes *raw, const double *values, size_t count);
json_t *btvi_html_shades(struct btvi_bytes *raw, const float *values, size_t count);
json_t *btvi_html_indices(struct btvi_bytes *raw, const unsigned char *values, size_t count);

/* The piece, deflated (zlib's format) and as base64, appended to out. */
enum btviz_status btvi_html_pack(
	const struct btvi_bytes *raw, struct btvi_bytes *out, struct btviz_error *err);

#endif
