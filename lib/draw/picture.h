/* draw/picture.h - from what the caller asks for to a scene: options and runs taken in and checked,
 * the page laid out. What becomes of the scene is not its business. */
#ifndef BTVI_DRAW_PICTURE_H
#define BTVI_DRAW_PICTURE_H

#include <btviz/plot.h>

#include "draw/page.h"

struct btvi_picture {
	struct btviz_plot_options options;
	struct btvi_scene scene;
	struct btvi_page page;
};

/* The longest side of a picture, pixels: cairo cannot do more. */
enum { BTVI_SIDE_MAX = 32000, BTVI_PIXELS_MAX = 100000000 };

/* Takes the caller's options in, which may be older (shorter) or newer (longer) than ours. */
enum btviz_status btvi_picture_options(const struct btviz_plot_options *from,
	struct btviz_plot_options *to, struct btviz_error *err);

/* Lays the runs out; o is what btvi_picture_options() gave. font is borrowed for the picture's
 * life; NULL: the runs are only taken in, for what is no scene. To be ended with
 * btvi_picture_done(), whatever is returned. */
enum btviz_status btvi_picture_init(struct btvi_picture *p, const struct btviz_run *runs,
	size_t run_count, const struct btviz_plot_options *o, const struct btvi_font *font,
	struct btviz_error *err);
void btvi_picture_done(struct btvi_picture *p);

#endif
