/* panel_latency.c - time × latency: how many I/Os took how long, with the median and the 99th
 * percentile as lines. The scale is logarithmic: latencies span decades. */
#include <math.h>
#include <stdlib.h>

#include "draw/page.h"

enum { SEARCH_ROWS = 120 };
static const double shortest_s = 1e-7, longest_s = 1e3;

struct latency {
	struct btvi_cells cells; /* of the lines */
	double *p50, *p99;
};

/* Adds up the heat maps of all top devices. */
static bool heat(const struct btvi_run *run, const struct btvi_cells *cells, size_t columns,
	double min_s, double max_s, size_t rows, float *sum)
{
	const struct btviz_figures *f = run->figures;
	float *one = calloc(columns * rows, sizeof *one);
	bool any = false;

	if (!one)
		return false;
	for (size_t t = 0; t < f->top_count; t++) {
		if (btviz_summary_heat(run->summary, f->top[t], cells->start_ns, cells->end_ns,
			    columns, min_s, max_s, rows, one) != BTVIZ_OK)
			continue;
		for (size_t i = 0; i < columns * rows; i++) {
			sum[i] += one[i];
			any = any || one[i] > 0;
		}
	}
	free(one);
	return any;
}

/* The lowest and highest latency in view. */
static void range(
	const struct btvi_run *run, const struct btvi_cells *cells, double *min, double *max)
{
	float rows[SEARCH_ROWS] = { 0 };
	const double step = log(longest_s / shortest_s) / SEARCH_ROWS;

	if (cells->count == 0 || !heat(run, cells, 1, shortest_s, longest_s, SEARCH_ROWS, rows))
		return;
	for (int i = 0; i < SEARCH_ROWS; i++)
		if (rows[i] > 0) {
			*min = fmin(*min, shortest_s * exp(step * i));
			*max = fmax(*max, shortest_s * exp(step * (i + 1)));
		}
}

static bool prepare(const struct btvi_panel *self, struct btvi_page *p)
{
	struct latency *all = btvi_scene_alloc(p->scene, p->run_count, sizeof *all);
	double min = INFINITY, max = 0;

	if (!all)
		return false;
	p->data[self->id] = all;
	for (size_t run = 0; run < p->run_count; run++) {
		struct latency *l = &all[run];

		l->cells = btvi_page_cells(p, run, 6);
		range(&p->runs[run], &l->cells, &min, &max);
		/* Quantiles of two devices do not add; then the heat map has to do alone. */
		if (p->runs[run].figures->top_count != 1)
			continue;
		l->p50 = btvi_page_course(
			p, run, BTVIZ_COURSE_LATENCY_P50, BTVIZ_DIR_ALL, &l->cells);
		l->p99 = btvi_page_course(
			p, run, BTVIZ_COURSE_LATENCY_P99, BTVIZ_DIR_ALL, &l->cells);
	}
	if (max <= 0)
		return false;
	btvi_axis_init(
		&p->axes[self->id], self->kind, min, max, (unsigned)(self->height / 16), true);
	return true;
}

static void draw_heat(struct btvi_page *p, const struct btvi_axis *a, const struct btvi_run *run,
	const struct btvi_cells *cells, struct btvi_rect r)
{
	const double x0 = btvi_page_x(p, r, cells->start_s);
	const double x1 = btvi_page_x(p, r, cells->start_s + (double)cells->count * cells->width_s);
	const size_t columns = cells->count, rows = (size_t)fmax(floor(r.h / 3), 1);
	uint32_t *pixels = btvi_scene_alloc(p->scene, columns * rows, sizeof *pixels);
	float *counts = calloc(columns * rows, sizeof *counts);
	float most = 0;

	if (!counts)
		p->scene->failed = true;
	if (pixels && counts && heat(run, cells, columns, a->min, a->max, rows, counts)) {
		for (size_t i = 0; i < columns * rows; i++)
			most = fmaxf(most, counts[i]);
		for (size_t row = 0; row < rows; row++)
			for (size_t column = 0; column < columns; column++) {
				const float n = counts[row * columns + column];
				const double alpha = n > 0
					? 0.12 + 0.5 * log1p((double)n) / log1p((double)most)
					: 0;

				pixels[(rows - 1 - row) * columns + column] =
					n > 0 ? btvi_rgba_alpha(0x35506e00U, alpha) : 0;
			}
		btvi_scene_image(p->scene, x0, r.y, x1 - x0, r.h, pixels, columns, rows);
	}
	free(counts);
}

static void draw(const struct btvi_panel *self, struct btvi_page *p, size_t run, struct btvi_rect r)
{
	const struct latency *l = &((const struct latency *)p->data[self->id])[run];
	const struct btvi_axis *a = &p->axes[self->id];

	if (l->cells.count == 0)
		return;
	if (!p->overlay)
		draw_heat(p, a, &p->runs[run], &l->cells, r);
	btvi_page_line(p, a, r, l->p99, &l->cells, 1.4, p->overlay ? 3 : 0,
		p->overlay ? p->runs[run].color : 0xcc4c9cffU);
	btvi_page_line(
		p, a, r, l->p50, &l->cells, 1.6, 0, p->overlay ? p->runs[run].color : BTVI_INK);
}

static double note(
	const struct btvi_panel *self, struct btvi_page *p, size_t run, double x1, double y)
{
	const struct latency *l = &((const struct latency *)p->data[self->id])[run];

	if (!l->p50)
		return x1;
	if (p->overlay)
		return x1 -
			btvi_scene_text(p->scene, x1, y, BTVI_END, BTVI_TEXT_SMALL, false,
				BTVI_INK_SOFT, "median; 99th percentile dashed");
	x1 = btvi_page_key(p, x1, y, 0xcc4c9cffU, "99th percentile") - 12;
	return btvi_page_key(p, x1, y, BTVI_INK, "median");
}

const struct btvi_panel btvi_panel_latency = {
	.id = BTVIZ_PANEL_LATENCY,
	.undirected = true,
	.name = "latency",
	.title = "latency",
	.usual = true,
	.height = 110,
	.kind = BTVI_AXIS_LATENCY,
	.prepare = prepare,
	.draw = draw,
	.note = note,
};
