/* panel_depth.c - I/Os outstanding (average as an area, maximum as a light one) and requests in
 * flight (a line). */
#include <math.h>

#include "draw/page.h"

struct depth {
	struct btvi_cells cells;
	double *outstanding, *most, *in_flight;
};

static double largest(const double *x, const struct btvi_cells *cells)
{
	double max = 0;

	for (size_t i = 0; x && i < cells->count; i++)
		if (x[i] > max)
			max = x[i];
	return max;
}

static bool prepare(const struct btvi_panel *self, struct btvi_page *p)
{
	struct depth *all = btvi_scene_alloc(p->scene, p->run_count, sizeof *all);
	double max = 0;

	if (!all)
		return false;
	p->data[self->id] = all;
	for (size_t run = 0; run < p->run_count; run++) {
		struct depth *d = &all[run];

		d->cells = btvi_page_cells(p, run, 3);
		d->outstanding = btvi_page_course(
			p, run, BTVIZ_COURSE_OUTSTANDING, BTVIZ_DIR_ALL, &d->cells);
		d->most = btvi_page_course(
			p, run, BTVIZ_COURSE_OUTSTANDING_MAX, BTVIZ_DIR_ALL, &d->cells);
		d->in_flight =
			btvi_page_course(p, run, BTVIZ_COURSE_IN_FLIGHT, BTVIZ_DIR_ALL, &d->cells);
		if (largest(d->in_flight, &d->cells) <= 0)
			d->in_flight = NULL; /* a bio device issues nothing itself */
		max = fmax(max, largest(d->outstanding, &d->cells));
		max = fmax(max, largest(d->in_flight, &d->cells));
		if (!p->overlay)
			max = fmax(max, largest(d->most, &d->cells));
	}
	btvi_axis_init(&p->axes[self->id], self->kind, 0, max, 4, true);
	return max > 0;
}

static void draw(const struct btvi_panel *self, struct btvi_page *p, size_t run, struct btvi_rect r)
{
	const struct depth *d = &((const struct depth *)p->data[self->id])[run];
	const struct btvi_axis *a = &p->axes[self->id];

	if (p->overlay) {
		btvi_page_line(p, a, r, d->outstanding, &d->cells, 1.5, 0, p->runs[run].color);
		return;
	}
	btvi_page_steps(p, a, r, d->most, &d->cells, btvi_rgba_alpha(BTVI_BOTH, 0.13));
	btvi_page_steps(p, a, r, d->outstanding, &d->cells, btvi_rgba_alpha(BTVI_BOTH, 0.3));
	btvi_page_line(p, a, r, d->in_flight, &d->cells, 1.4, 0, 0x009e73ffU);
}

static double note(
	const struct btvi_panel *self, struct btvi_page *p, size_t run, double x1, double y)
{
	const struct depth *d = &((const struct depth *)p->data[self->id])[run];

	if (p->overlay)
		return x1;
	if (d->in_flight)
		x1 = btvi_page_key(p, x1, y, 0x009e73ffU, "in flight") - 12;
	x1 = btvi_page_key(p, x1, y, btvi_rgba_alpha(BTVI_BOTH, 0.13), "most") - 12;
	return btvi_page_key(p, x1, y, btvi_rgba_alpha(BTVI_BOTH, 0.4), "outstanding");
}

const struct btvi_panel btvi_panel_depth = {
	.id = BTVIZ_PANEL_DEPTH,
	.undirected = true,
	.name = "depth",
	.title = "I/Os outstanding",
	.height = 80,
	.kind = BTVI_AXIS_COUNT,
	.prepare = prepare,
	.draw = draw,
	.note = note,
};
