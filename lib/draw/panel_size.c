/* panel_size.c - the average size of an I/O, by direction, on a scale of powers of two. */
#include <math.h>

#include "draw/page.h"

struct sizes {
	struct btvi_cells cells;
	double *read, *write;
};

static void widen(const double *x, const struct btvi_cells *cells, double *min, double *max)
{
	for (size_t i = 0; x && i < cells->count; i++)
		if (x[i] > 0) {
			*min = fmin(*min, x[i]);
			*max = fmax(*max, x[i]);
		}
}

static bool prepare(const struct btvi_panel *self, struct btvi_page *p)
{
	struct sizes *all = btvi_scene_alloc(p->scene, p->run_count, sizeof *all);
	double min = INFINITY, max = 0;

	if (!all)
		return false;
	p->data[self->id] = all;
	for (size_t run = 0; run < p->run_count; run++) {
		struct sizes *s = &all[run];

		s->cells = btvi_page_cells(p, run, 4);
		if (!p->options->no_reads)
			s->read =
				btvi_page_average(p, run, self->course, BTVIZ_DIR_READ, &s->cells);
		if (!p->options->no_writes)
			s->write =
				btvi_page_average(p, run, self->course, BTVIZ_DIR_WRITE, &s->cells);
		widen(s->read, &s->cells, &min, &max);
		widen(s->write, &s->cells, &min, &max);
	}
	if (max <= 0)
		return false;
	btvi_axis_init(
		&p->axes[self->id], self->kind, min, max, (unsigned)(self->height / 15), true);
	return true;
}

static void draw(const struct btvi_panel *self, struct btvi_page *p, size_t run, struct btvi_rect r)
{
	const struct sizes *s = &((const struct sizes *)p->data[self->id])[run];
	const struct btvi_axis *a = &p->axes[self->id];
	const bool both = s->read && s->write;

	btvi_page_line(p, a, r, s->read, &s->cells, 1.6, p->overlay && both ? 4 : 0,
		p->overlay ? p->runs[run].color : p->read);
	btvi_page_line(
		p, a, r, s->write, &s->cells, 1.6, 0, p->overlay ? p->runs[run].color : p->write);
}

const struct btvi_panel btvi_panel_size = {
	.id = BTVIZ_PANEL_SIZE,
	.name = "size",
	.title = "average size of an I/O",
	.height = 80,
	.course = BTVIZ_COURSE_SIZE,
	.kind = BTVI_AXIS_SIZE,
	.prepare = prepare,
	.draw = draw,
};
