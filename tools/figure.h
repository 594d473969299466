/* figure.h - how large a picture is to be, as the options of the commands that draw say it. */
#ifndef BTVIZ_TOOLS_FIGURE_H
#define BTVIZ_TOOLS_FIGURE_H

#include "options.h"

struct figure {
	struct size_value size; /* inches, or pixels; 0: not told */
	unsigned dpi;           /* 0: not told */
};

/* Rows of option tables, for the request's member `figure`. */
/* clang-format off */
#define OPTION_FIGURE	{ "figure-size", 'F', "WxH", "size in inches, or in pixels if above 100", TO_SIZE(figure.size, 1, 32000) }
#define OPTION_DPI	{ "dpi", OPT_DPI, "N", "pixels an inch, scales the text too (96)", TO_SMALL(figure.dpi, 10, 2400) }
/* clang-format on */

/* The picture's size, 0 where none was given, and its dots an inch, likewise. */
static inline void figure_px(const struct figure *f, double *ret_w, double *ret_h, double *ret_dpi)
{
	/* As seekwatcher: inches. Nobody wants 100 inches, nor 100 pixels. */
	const bool inches = f->size.w <= 100 && f->size.h <= 100;
	const double factor = inches ? (f->dpi > 0 ? f->dpi : 96) : 1;

	*ret_w = f->size.w * factor;
	*ret_h = f->size.h * factor;
	*ret_dpi = f->dpi;
}

#endif
