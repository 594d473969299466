/* movie_tile.c - one device's place in a movie. Knows pixels and cells, not time or text. */
#include "draw/movie_tile.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "draw/palette.h"

static const double pi = 3.14159265358979323846;

/* Row by row from the top left, each cell a square of whole pixels with a seam. */
static void lay_rect(struct btvi_tile *t, double cell)
{
	const unsigned side = (unsigned)ceil(cell), seam = side >= 5 ? 1 : 0;
	const unsigned columns = t->w / side, rows = t->h / side;

	t->cells = (size_t)columns * rows;
	for (unsigned y = 0; y < t->h; y++)
		for (unsigned x = 0; x < t->w; x++) {
			const bool none = x / side >= columns || y / side >= rows ||
				x % side >= side - seam || y % side >= side - seam;

			t->cell_of[(size_t)y * t->w + x] =
				none ? UINT32_MAX : y / side * columns + x / side;
		}
}

/* Rings from the rim to the hub, each cut into as many cells as it has room for, clockwise from the
 * top: outer rings hold more, as on a disk. */
static void lay_spindle(struct btvi_tile *t, double cell)
{
	const double radius = fmin(t->w, t->h) / 2.0, hub = radius * 0.22;
	const unsigned rings = (unsigned)fmax(floor((radius - hub) / cell), 1);
	const double width = (radius - hub) / rings;
	size_t first[4096];

	t->cells = 0;
	for (unsigned k = 0; k < rings && k < 4095; k++) {
		first[k] = t->cells;
		t->cells += (size_t)fmax(floor(2 * pi * (radius - (k + 0.5) * width) / cell), 1);
		first[k + 1] = t->cells;
	}
	for (unsigned y = 0; y < t->h; y++)
		for (unsigned x = 0; x < t->w; x++) {
			const double dx = x + 0.5 - t->w / 2.0, dy = y + 0.5 - t->h / 2.0;
			const double r = hypot(dx, dy);
			uint32_t *const to = &t->cell_of[(size_t)y * t->w + x];
			double turn = atan2(dx, -dy) / (2 * pi);

			*to = UINT32_MAX;
			if (r < hub || r >= radius)
				continue;
			const unsigned k = (unsigned)fmin((radius - r) / width, rings - 1);

			turn -= floor(turn);
			if (width >= 5 && radius - r - k * width > width - 1)
				continue; /* the seam between rings */
			*to = (uint32_t)(first[k] +
				(size_t)(turn * (double)(first[k + 1] - first[k])));
		}
}

enum btviz_status btvi_tile_init(struct btvi_tile *t, enum btviz_movie_style style, unsigned x,
	unsigned y, unsigned w, unsigned h, double cell, struct btviz_error *err)
{
	*t = (struct btvi_tile){ .x = x, .y = y, .w = w, .h = h };
	t->cell_of = malloc((size_t)w * h * sizeof *t->cell_of);
	if (!t->cell_of)
		return btvi_fail_nomem(err);
	if (style == BTVIZ_MOVIE_SPINDLE)
		lay_spindle(t, cell);
	else
		lay_rect(t, cell);
	for (int kind = 0; kind < BTVI_TILE_KINDS; kind++) {
		t->heat[kind] = calloc(t->cells, sizeof *t->heat[kind]);
		if (!t->heat[kind])
			return btvi_fail_nomem(err);
	}
	return BTVIZ_OK;
}

void btvi_tile_done(struct btvi_tile *t)
{
	free(t->cell_of);
	for (int kind = 0; kind < BTVI_TILE_KINDS; kind++) {
		free(t->amounts[kind]);
		free(t->heat[kind]);
	}
	*t = (struct btvi_tile){ 0 };
}

enum btviz_status btvi_tile_load(struct btvi_tile *t, struct btviz_summary *s, size_t device,
	unsigned frames, bool reads, bool writes, struct btviz_error *err)
{
	static const enum btviz_op ops[BTVI_TILE_KINDS] = { BTVIZ_OP_READ, BTVIZ_OP_WRITE };
	const bool wanted[BTVI_TILE_KINDS] = { reads, writes };
	const struct btviz_figures *f;
	enum btviz_status status = btviz_summary_figures(s, &f, err);

	if (status != BTVIZ_OK)
		return status;
	const struct btviz_device *d = f->devices[device];

	if (d->map_first_sector > d->map_last_sector)
		return BTVIZ_OK;
	for (int kind = 0; kind < BTVI_TILE_KINDS; kind++) {
		if (!wanted[kind])
			continue;
		t->amounts[kind] = calloc(t->cells * frames, sizeof *t->amounts[kind]);
		if (!t->amounts[kind])
			return btvi_fail_nomem(err);
		status = btviz_summary_map(s, device, ops[kind], f->start_ns, f->end_ns + 1, frames,
			d->map_first_sector, d->map_last_sector, t->cells, t->amounts[kind], NULL);
		if (status != BTVIZ_OK)
			return btvi_fail(err, status, "the seek map of %s cannot be read", d->name);
		for (size_t i = 0; i < t->cells * frames; i++)
			t->most = fmaxf(t->most, t->amounts[kind][i]);
	}
	return BTVIZ_OK;
}

/* What was touched once stays visible a little: how far the run has come. */
static const float ember = 0.14F;

static void age(struct btvi_tile *t, unsigned frame, unsigned frames, float fade)
{
	for (int kind = 0; kind < BTVI_TILE_KINDS; kind++) {
		if (!t->amounts[kind])
			continue;
		for (size_t cell = 0; cell < t->cells; cell++) {
			float *const heat = &t->heat[kind][cell];
			const float amount = t->amounts[kind][cell * frames + frame];

			if (*heat > ember)
				*heat = fmaxf(ember, *heat * fade);
			if (amount > 0)
				*heat = fmaxf(
					*heat, 0.7F + 0.3F * log1pf(amount) / log1pf(t->most));
		}
	}
}

static unsigned char mix(double read, double write, unsigned shift)
{
	static const uint32_t colors[BTVI_TILE_KINDS] = { BTVI_READ, BTVI_WRITE };
	const double paper = 0xf1;
	const double sum = read + write, heat = fmin(fmax(read, write), 1);
	double color = 0;

	if (sum <= 0)
		return (unsigned char)paper;
	color = (read * (colors[0] >> shift & 0xff) + write * (colors[1] >> shift & 0xff)) / sum;
	return (unsigned char)lround(paper + (color - paper) * heat);
}

void btvi_tile_step(struct btvi_tile *t, unsigned frame, unsigned frames, float fade,
	unsigned char *rows, size_t stride)
{
	age(t, frame, frames, fade);
	for (unsigned y = 0; y < t->h; y++) {
		unsigned char *to = rows + (size_t)(t->y + y) * stride + (size_t)t->x * 3;
		uint32_t last = UINT32_MAX;
		unsigned char rgb[3] = { 0 };

		for (unsigned x = 0; x < t->w; x++, to += 3) {
			const uint32_t cell = t->cell_of[(size_t)y * t->w + x];

			if (cell == UINT32_MAX)
				continue;
			if (cell != last)
				for (unsigned k = 0; k < 3; k++)
					rgb[k] = mix((double)t->heat[0][cell],
						(double)t->heat[1][cell], 24 - 8 * k);
			last = cell;
			to[0] = rgb[0];
			to[1] = rgb[1];
			to[2] = rgb[2];
		}
	}
}
