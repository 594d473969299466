/* draw/smooth.h - the rolling average. */
#ifndef BTVI_DRAW_SMOOTH_H
#define BTVI_DRAW_SMOOTH_H

#include <stddef.h>

/* A stretch of time, in the same unit and from the same origin as the cells. */
struct btvi_stretch {
	double start, end;
};

/* The centred rolling average of cells in[0..count), each cell_width long and the first beginning
 * at 0, over width. It never crosses a break (a gap's edge): cells on the other side do not count,
 * so that an average shows nothing where there was nothing. Cells that are NaN do not count; a cell
 * is NaN in out where it is NaN in in. breaks are in order of time and do not overlap. */
void btvi_smooth(const double *in, size_t count, double cell_width, double width,
	const struct btvi_stretch *breaks, size_t break_count, double *out);

#endif
