/* html_arrays.c - numbers packed for a page: planes of bytes, deflate, base64. Knows not what they
 * mean. */
#include "draw/html_arrays.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/status.h"

enum { FLOAT_BYTES = 3 };

static json_t *reference(size_t at, size_t count)
{
	return json_pack("{s:I, s:I}", "at", (json_int_t)at, "n", (json_int_t)count);
}

/* The upper three bytes of a single, rounded to nearest. */
static uint32_t short_float(double value)
{
	const float single = (float)value;
	uint32_t bits;

	if (isnan(value))
		return 0x7fc000;
	memcpy(&bits, &single, sizeof bits);
	return (bits + 0x80) >> 8;
}

json_t *btvi_html_floats(struct btvi_bytes *raw, const double *values, size_t count)
{
	const size_t at = raw->size;
	unsigned char *planes;
	bool any = false;

	for (size_t i = 0; i < count && !any; i++)
		any = !isnan(values[i]) && values[i] != 0;
	if (!any)
		return NULL;
	planes = malloc(count * FLOAT_BYTES);
	if (!planes) {
		raw->failed = true;
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		const uint32_t bits = short_float(values[i]);

		for (size_t plane = 0; plane < FLOAT_BYTES; plane++)
			planes[plane * count + i] = (unsigned char)(bits >> (8 * plane));
	}
	btvi_bytes_add(raw, planes, count * FLOAT_BYTES);
	free(planes);
	return reference(at, count);
}

json_t *btvi_html_shades(struct btvi_bytes *raw, const float *values, size_t count)
{
	const size_t at = raw->size;
	unsigned char *shades;
	double max = 0;
	json_t *ref;

	for (size_t i = 0; i < count; i++)
		max = fmax(max, (double)values[i]);
	if (!(max > 0))
		return NULL;
	shades = malloc(count);
	if (!shades) {
		raw->failed = true;
		return NULL;
	}
	/* Where a cell is cut by the map's edge its amount may be below one unit. */
	for (size_t i = 0; i < count; i++) {
		const double v = (double)values[i];

		shades[i] = v > 0 ? (unsigned char)lround(fmin(
					    1 + 254 * log(fmax(v, 1)) / log(fmax(max, 2)), 255))
				  : 0;
	}
	btvi_bytes_add(raw, shades, count);
	free(shades);
	ref = reference(at, count);
	if (ref)
		json_object_set_new(ref, "max", json_real(max));
	return ref;
}

json_t *btvi_html_indices(struct btvi_bytes *raw, const unsigned char *values, size_t count)
{
	const size_t at = raw->size;

	btvi_bytes_add(raw, values, count);
	return reference(at, count);
}

static void add_base64(struct btvi_bytes *out, const unsigned char *data, size_t size)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char line[4096];
	size_t n = 0;

	for (size_t i = 0; i < size; i += 3) {
		const size_t left = size - i;
		const uint32_t bits = (uint32_t)data[i] << 16 |
			(left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
			(left > 2 ? (uint32_t)data[i + 2] : 0);

		line[n++] = digits[bits >> 18];
		line[n++] = digits[bits >> 12 & 63];
		line[n++] = left > 1 ? digits[bits >> 6 & 63] : '=';
		line[n++] = left > 2 ? digits[bits & 63] : '=';
		if (n == sizeof line) {
			btvi_bytes_add(out, line, n);
			n = 0;
		}
	}
	btvi_bytes_add(out, line, n);
}

enum btviz_status btvi_html_pack(
	const struct btvi_bytes *raw, struct btvi_bytes *out, struct btviz_error *err)
{
	static const unsigned char nothing;
	uLongf size = compressBound((uLong)raw->size);
	unsigned char *packed;

	if (raw->failed)
		return btvi_fail_nomem(err);
	packed = malloc(size);
	if (!packed)
		return btvi_fail_nomem(err);
	if (compress2(packed, &size, raw->data ? raw->data : &nothing, (uLong)raw->size, 9) !=
		Z_OK) {
		free(packed);
		return btvi_fail_nomem(err);
	}
	add_base64(out, packed, size);
	free(packed);
	return out->failed ? btvi_fail_nomem(err) : BTVIZ_OK;
}
