/* movie_file.h - a run's frames through ffmpeg into a file. */
#ifndef BTVIZ_TOOLS_MOVIE_FILE_H
#define BTVIZ_TOOLS_MOVIE_FILE_H

#include <stdbool.h>

#include <btviz/movie.h>

/* Whether the name's end is that of a movie: .mp4, .webm, .ogv or .gif. */
bool movie_is_name(const char *path);

/* Whether movies can be made: ffmpeg is there. Says so if not. */
bool movie_check(void);

/* Encodes the run into path, over a temporary file beside it and a rename. An exit code. */
int movie_write(
	const struct btviz_run *run, const struct btviz_movie_options *options, const char *path);

#endif
