/* movie.h - a run as frames of a movie.
 *
 * Each device is a tile: its sectors laid out in rows (as seekwatcher does) or on a disc, the first
 * ones at its rim (as iowatcher does). I/O lights up where it lands and fades as it ages; where
 * nothing happens, nothing moves. Below run throughput and seeks, with a line at the moment that is
 * shown. An array is shown with its members. Frames are plain pixels: what encodes them is the
 * caller's affair.
 *
 * The summary should have been made with as many map_columns as the movie has frames, and with 2048
 * map_rows: its seek map is what is shown. */
#ifndef BTVIZ_MOVIE_H
#define BTVIZ_MOVIE_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/plot.h>
#include <btviz/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum btviz_movie_style { BTVIZ_MOVIE_RECT, BTVIZ_MOVIE_SPINDLE };

struct btviz_movie_options {
	size_t size; /* = sizeof of this struct, set by BTVIZ_MOVIE_OPTIONS_INIT */
	enum btviz_movie_style style;
	unsigned width_px, height_px; /* even; 0: 1280 × 720 */
	double length_s;              /* of the movie, up to an hour; 0: 30 */
	unsigned frames_per_s;        /* 1 to 60; 0: 20 */
	const char *title;            /* NULL: none above the run's own */
	bool no_reads, no_writes;
};
#define BTVIZ_MOVIE_OPTIONS_INIT                                                               \
	{                                                                                      \
		sizeof(struct btviz_movie_options), BTVIZ_MOVIE_RECT, 0, 0, 0, 0, NULL, false, \
			false                                                                  \
	}

struct btviz_movie;

/* Prepares the movie of a run; run->summary is borrowed until btviz_movie_free(). options may be
 * NULL. BTVIZ_OK, BTVIZ_ERR_USAGE (options that make no sense), BTVIZ_ERR_EMPTY, BTVIZ_ERR_NOMEM.
 * Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_movie_new(const struct btviz_run *run,
	const struct btviz_movie_options *options, struct btviz_movie **ret_m,
	struct btviz_error *err);
BTVIZ_EXPORT void btviz_movie_free(struct btviz_movie *m);

/* Its size, and how many frames it has. Since 0.1. */
BTVIZ_EXPORT void btviz_movie_size(
	const struct btviz_movie *m, unsigned *ret_width_px, unsigned *ret_height_px);
BTVIZ_EXPORT unsigned btviz_movie_frames(const struct btviz_movie *m);
BTVIZ_EXPORT unsigned btviz_movie_frames_per_s(const struct btviz_movie *m);

/* The next frame: rows of RGB, a byte each, from the top. Borrowed: valid until the next call on m,
 * or its free. BTVIZ_OK, BTVIZ_END (after the last), BTVIZ_ERR_NOMEM. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_movie_next(
	struct btviz_movie *m, const unsigned char **ret_rows, struct btviz_error *err);

#ifdef __cplusplus
}
#endif
#endif
