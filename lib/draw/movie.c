/* movie.c - a run as frames: what stands still is drawn once, through the page's own panels; each
 * frame adds its tiles, the moment's line and its words. */
#include <btviz/movie.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "base/option_struct.h"
#include "base/status.h"
#include "draw/cairo_page.h"
#include "draw/movie_tile.h"
#include "draw/picture.h"

enum {
	TILES_MAX = 64,
	TILE_LABEL = 18, /* above each tile */
	TILE_GAP = 12,
	SIDE_MIN = 320,
	SIDE_MAX = 7680,
	WORDS_WIDTH = 420, /* of the moment's words */
	WORDS_HEIGHT = 22,
};

static const double length_max_s = 3600;
/* What a frame may keep for the map: cells grow beyond it. */
static const double amounts_max = 60e6;

struct btviz_movie {
	struct btviz_movie_options options;
	struct btvi_picture picture;
	struct btvi_font *font;
	unsigned frames, next;
	unsigned split;       /* rows above the tiles */
	unsigned panels_y;    /* where what is below them begins */
	unsigned panels_h;    /* as far as the moment's line reaches */
	double x0, plot;      /* of the panels, pixels */
	unsigned char *still; /* what does not move */
	unsigned char *frame;
	size_t tile_count;
	struct btvi_tile tiles[TILES_MAX];
	size_t devices[TILES_MAX];
};

static enum btviz_status take_options(const struct btviz_movie_options *from,
	struct btviz_movie_options *to, struct btviz_error *err)
{
	*to = (struct btviz_movie_options)BTVIZ_MOVIE_OPTIONS_INIT;
	if (btvi_options_take(to, sizeof *to, from, "btviz_movie_options", err) != BTVIZ_OK)
		return BTVIZ_ERR_USAGE;
	to->width_px = to->width_px ? to->width_px : 1280;
	to->height_px = to->height_px ? to->height_px : 720;
	to->length_s = to->length_s > 0 ? to->length_s : 30;
	to->frames_per_s = to->frames_per_s ? to->frames_per_s : 20;
	if (to->width_px < SIDE_MIN || to->width_px > SIDE_MAX || to->height_px < SIDE_MIN ||
		to->height_px > SIDE_MAX || to->width_px % 2 || to->height_px % 2)
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"a movie's sides are even numbers of pixels from %d to %d", SIDE_MIN,
			SIDE_MAX);
	if (to->frames_per_s > 60)
		return btvi_fail(err, BTVIZ_ERR_USAGE, "a movie has 1 to 60 frames a second");
	if (!(to->length_s <= length_max_s))
		return btvi_fail(
			err, BTVIZ_ERR_USAGE, "a movie is at most %.0f s long", length_max_s);
	return BTVIZ_OK;
}

/* The page of the panels below the tiles: what draws pictures lays it out. */
static enum btviz_status lay_out(struct btviz_movie *m, const struct btviz_run *run,
	unsigned char **ret_rows, unsigned *ret_height, struct btviz_error *err)
{
	struct btviz_plot_options plot = BTVIZ_PLOT_OPTIONS_INIT, o;
	enum btviz_status status;

	plot.panels = BTVIZ_PANEL_BIT(BTVIZ_PANEL_TPUT) | BTVIZ_PANEL_BIT(BTVIZ_PANEL_SEEK);
	plot.title = m->options.title;
	plot.no_reads = m->options.no_reads;
	plot.no_writes = m->options.no_writes;
	plot.width_px = m->options.width_px;
	status = btvi_picture_options(&plot, &o, err);
	if (status == BTVIZ_OK) {
		m->font = btvi_cairo_font_new();
		if (!m->font)
			return btvi_fail_nomem(err);
		status = btvi_picture_init(&m->picture, run, 1, &o, m->font, err);
	}
	if (status != BTVIZ_OK)
		return status;
	struct btvi_page *p = &m->picture.page;

	*ret_height = (unsigned)ceil(m->picture.scene.height * p->pixel);
	m->split = (unsigned)floor(p->pixel *
		(BTVI_PAGE_TOP + (plot.title && plot.title[0] ? BTVI_PAGE_TITLE : 0) +
			btvi_header(p, 0, BTVI_PAGE_LEFT, 0, p->plot_width + 26, false)));
	m->x0 = BTVI_PAGE_LEFT * p->pixel;
	m->plot = p->plot_width * p->pixel;
	return btvi_cairo_pixels(&m->picture.scene, p->pixel, m->options.width_px, *ret_height,
		false, ret_rows, err);
}

static size_t index_of(const struct btviz_figures *f, uint32_t device)
{
	for (size_t i = 0; i < f->device_count; i++)
		if (f->devices[i]->device == device)
			return i;
	return SIZE_MAX;
}

/* Top devices; an array with its members behind it. */
static void choose_devices(struct btviz_movie *m)
{
	const struct btviz_figures *f = m->picture.page.runs[0].figures;

	for (size_t t = 0; t < f->top_count; t++) {
		const struct btviz_device *d = f->devices[f->top[t]];

		if (m->tile_count < TILES_MAX)
			m->devices[m->tile_count++] = f->top[t];
		for (size_t a = 0; a < f->array_count; a++) {
			const struct btviz_member *member = NULL;

			if (f->arrays[a]->device != d->device)
				continue;
			while ((member = btvi_page_next_member(f->arrays[a], member)) != NULL) {
				const size_t i = index_of(f, member->device);

				if (i != SIZE_MAX && m->tile_count < TILES_MAX)
					m->devices[m->tile_count++] = i;
			}
		}
	}
}

/* Columns of tiles that give each the largest square. */
static size_t tile_columns(size_t count, double width, double height)
{
	size_t best = 1;
	double best_side = 0;

	for (size_t columns = 1; columns <= count; columns++) {
		const double rows = (double)((count + columns - 1) / columns);
		const double side = fmin(
			width / (double)columns - TILE_GAP, height / rows - TILE_LABEL - TILE_GAP);

		if (side > best_side) {
			best_side = side;
			best = columns;
		}
	}
	return best;
}

/* A text into the frame's pixels. */
static void put_text(struct btviz_movie *m, unsigned char *rows, unsigned x, unsigned y, unsigned w,
	const char *text, bool bold)
{
	struct btvi_scene scene;
	unsigned char *pixels;

	if (x + w > m->options.width_px || y + WORDS_HEIGHT > m->options.height_px)
		return;
	btvi_scene_init(&scene, w, m->font);
	scene.height = WORDS_HEIGHT;
	btvi_scene_rect(&scene, 0, 0, w, WORDS_HEIGHT, BTVI_PAPER);
	btvi_scene_text_fit(&scene, 0, 14, w, BTVI_START, BTVI_TEXT_BODY, bold, BTVI_INK, text);
	if (btvi_cairo_pixels(&scene, 1, w, WORDS_HEIGHT, false, &pixels, NULL) == BTVIZ_OK) {
		for (unsigned row = 0; row < TILE_LABEL; row++)
			memcpy(rows + ((size_t)(y + row) * m->options.width_px + x) * 3,
				pixels + (size_t)row * w * 3, (size_t)w * 3);
		free(pixels);
	}
	btvi_scene_done(&scene);
}

static enum btviz_status make_tiles(struct btviz_movie *m, struct btviz_error *err)
{
	const struct btviz_figures *f = m->picture.page.runs[0].figures;
	const double left = m->x0, width = m->options.width_px - 2 * left + 40;
	const double top = m->split + TILE_LABEL, height = m->panels_y - top;
	const size_t columns = tile_columns(m->tile_count, width, height);
	const size_t rows = (m->tile_count + columns - 1) / columns;
	const double tw = width / (double)columns - TILE_GAP;
	const double th = height / (double)rows - TILE_LABEL - TILE_GAP;
	const double pixels = tw * th * (double)m->tile_count;
	/* Wider where there are too many of them for the frames. */
	const double usual = m->options.style == BTVIZ_MOVIE_SPINDLE ? 4 : 6;
	const double cell = fmax(usual, sqrt(pixels * m->frames * BTVI_TILE_KINDS / amounts_max));
	char text[160];

	if (tw < cell || th < cell || tw < 16 || th < 16)
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"the movie is too small for %zu devices: make it larger, or choose devices",
			m->tile_count);
	for (size_t i = 0; i < m->tile_count; i++) {
		const struct btviz_device *d = f->devices[m->devices[i]];
		const unsigned x = (unsigned)(left + (double)(i % columns) * (tw + TILE_GAP));
		const unsigned y = (unsigned)(top +
			(double)(i / columns) * (th + TILE_LABEL + TILE_GAP) + TILE_LABEL);
		char a[BTVI_QUANTITY_SIZE], b[BTVI_QUANTITY_SIZE];
		enum btviz_status status;

		snprintf(text, sizeof text, "%.60s", d->name);
		if (d->map_first_sector <= d->map_last_sector)
			snprintf(text, sizeof text, "%.60s  %s – %s", d->name,
				btvi_quantity_bytes(
					(double)d->map_first_sector * BTVIZ_SECTOR_BYTES, a),
				btvi_quantity_bytes(
					((double)d->map_last_sector + 1) * BTVIZ_SECTOR_BYTES, b));
		put_text(m, m->still, x, y - TILE_LABEL, (unsigned)tw, text, true);
		status = btvi_tile_init(&m->tiles[i], m->options.style, x, y, (unsigned)tw,
			(unsigned)th, cell, err);
		if (status == BTVIZ_OK)
			status = btvi_tile_load(&m->tiles[i], m->picture.page.runs[0].summary,
				m->devices[i], m->frames, !m->options.no_reads,
				!m->options.no_writes, err);
		if (status != BTVIZ_OK)
			return status;
	}
	return BTVIZ_OK;
}

static enum btviz_status prepare(
	struct btviz_movie *m, const struct btviz_run *run, struct btviz_error *err)
{
	const unsigned width = m->options.width_px, height = m->options.height_px;
	const size_t stride = (size_t)width * 3;
	unsigned char *page = NULL;
	unsigned page_height = 0;
	enum btviz_status status = lay_out(m, run, &page, &page_height, err);

	if (status != BTVIZ_OK)
		return status;
	m->still = malloc(stride * height);
	m->frame = malloc(stride * height);
	if (!m->still || !m->frame) {
		free(page);
		return btvi_fail_nomem(err);
	}
	/* The header stays at the top, the panels go to the bottom. */
	if (page_height + 60 > height) {
		free(page);
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"a movie %u pixels wide must be at least %u high", width, page_height + 60);
	}
	memset(m->still, 0xff, stride * height);
	memcpy(m->still, page, stride * m->split);
	m->panels_h = page_height - m->split;
	m->panels_y = height - m->panels_h;
	memcpy(m->still + stride * m->panels_y, page + stride * m->split, stride * m->panels_h);
	free(page);
	choose_devices(m);
	return make_tiles(m, err);
}

enum btviz_status btviz_movie_new(const struct btviz_run *run,
	const struct btviz_movie_options *options, struct btviz_movie **ret_m,
	struct btviz_error *err)
{
	struct btviz_movie *m = calloc(1, sizeof *m);
	enum btviz_status status;

	if (!m)
		return btvi_fail_nomem(err);
	status = take_options(options, &m->options, err);
	if (status == BTVIZ_OK) {
		const double frames = m->options.length_s * m->options.frames_per_s;

		m->frames = (unsigned)fmax(round(frames), 1);
		status = prepare(m, run, err);
	}
	if (status != BTVIZ_OK) {
		btviz_movie_free(m);
		return status;
	}
	*ret_m = m;
	return BTVIZ_OK;
}

void btviz_movie_free(struct btviz_movie *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->tile_count; i++)
		btvi_tile_done(&m->tiles[i]);
	btvi_picture_done(&m->picture);
	btvi_cairo_font_free(m->font);
	free(m->still);
	free(m->frame);
	free(m);
}

void btviz_movie_size(const struct btviz_movie *m, unsigned *ret_width_px, unsigned *ret_height_px)
{
	*ret_width_px = m->options.width_px;
	*ret_height_px = m->options.height_px;
}

unsigned btviz_movie_frames(const struct btviz_movie *m)
{
	return m->frames;
}

unsigned btviz_movie_frames_per_s(const struct btviz_movie *m)
{
	return m->options.frames_per_s;
}

/* "8.63 s   gap 6, 1.90 s: no submissions, idle 1.76 s". */
static void put_moment(struct btviz_movie *m, double t)
{
	const struct btvi_page *p = &m->picture.page;
	const struct btvi_run *run = &p->runs[0];
	struct btvi_drawn_gaps gaps = { 0 };
	char text[640], words[480], number[BTVI_QUANTITY_SIZE];

	snprintf(text, sizeof text, "%s s",
		btvi_quantity_fixed(t, p->t1 - p->t0 < 1 ? 4 : 2, number));
	if (run->figures->top_count > 0)
		btvi_gaps_find(p, 0, &gaps);
	for (size_t i = 0; i < gaps.count; i++)
		if (t >= gaps.gaps[i]->start_s + run->shift_s &&
			t < gaps.gaps[i]->end_s + run->shift_s) {
			btvi_gaps_describe(run->figures, gaps.gaps[i], words, sizeof words);
			snprintf(text + strlen(text), sizeof text - strlen(text),
				"     gap %zu, %s: %s", i + 1,
				btvi_quantity_duration(
					gaps.gaps[i]->end_s - gaps.gaps[i]->start_s, number),
				words);
		}
	put_text(m, m->frame, (unsigned)m->x0, m->split,
		(unsigned)fmin(m->plot, m->options.width_px - m->x0), text, true);
}

enum btviz_status btviz_movie_next(
	struct btviz_movie *m, const unsigned char **ret_rows, struct btviz_error *err)
{
	const size_t stride = (size_t)m->options.width_px * 3;
	const struct btvi_page *p = &m->picture.page;
	/* Half gone in 0.4 s of the movie. */
	const float fade = exp2f(-1 / (0.4F * (float)m->options.frames_per_s));
	double share, x;

	(void)err;
	if (m->next == m->frames)
		return BTVIZ_END;
	share = ((double)m->next + 0.5) / m->frames;
	memcpy(m->frame, m->still, stride * m->options.height_px);
	for (size_t i = 0; i < m->tile_count; i++)
		btvi_tile_step(&m->tiles[i], m->next, m->frames, fade, m->frame, stride);
	put_moment(m, p->t0 + share * (p->t1 - p->t0));
	x = m->x0 + share * m->plot;
	for (unsigned y = m->panels_y; y < m->panels_y + m->panels_h - BTVI_PAGE_FOOT * p->pixel;
		y++) {
		unsigned char *to = m->frame + (size_t)y * stride + (size_t)x * 3;

		for (unsigned k = 0; k < 6; k++)
			to[k] = (unsigned char)(to[k] / 4);
	}
	m->next++;
	*ret_rows = m->frame;
	return BTVIZ_OK;
}
