/* draw/movie_tile.h - one device's place in a movie: which pixel shows which part of it, and how
 * I/O there lights up and fades. */
#ifndef BTVI_DRAW_MOVIE_TILE_H
#define BTVI_DRAW_MOVIE_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include <btviz/movie.h>
#include <btviz/status.h>

enum { BTVI_TILE_KINDS = 2 }; /* reads, writes */

struct btvi_tile {
	unsigned x, y, w, h;             /* in the frame */
	size_t cells;                    /* parts that the device's sectors are cut into */
	uint32_t *cell_of;               /* [h][w]: the cell that a pixel shows, UINT32_MAX: none */
	float *amounts[BTVI_TILE_KINDS]; /* [cells][frames]: sectors touched; NULL: none */
	float most;                      /* the largest of them */
	float *heat[BTVI_TILE_KINDS];    /* [cells]: 1 just now, fading to what was once touched */
};

/* Cuts the place into cells about so many pixels wide. */
enum btviz_status btvi_tile_init(struct btvi_tile *t, enum btviz_movie_style style, unsigned x,
	unsigned y, unsigned w, unsigned h, double cell, struct btviz_error *err);
void btvi_tile_done(struct btvi_tile *t);

/* Fills amounts from the summary's seek map of a device. */
enum btviz_status btvi_tile_load(struct btvi_tile *t, struct btviz_summary *s, size_t device,
	unsigned frames, bool reads, bool writes, struct btviz_error *err);

/* Ages what is there by one frame, lights what the frame brings, and paints the tile into rows of
 * RGB that are stride bytes long. fade: what a frame leaves of the heat. */
void btvi_tile_step(struct btvi_tile *t, unsigned frame, unsigned frames, float fade,
	unsigned char *rows, size_t stride);

#endif
