/* page_lines.c - courses over time as the panels draw them: in cells of the page, smoothed, as
 * lines and steps. Knows no panel; what a course is, is measure/'s. */
#include <math.h>

#include "draw/page.h"
#include "draw/smooth.h"
#include "measure/course.h"

double btvi_page_x(const struct btvi_page *p, struct btvi_rect r, double t_s)
{
	return r.x + btvi_axis_place(&p->time, t_s) * r.w;
}

double btvi_page_y(const struct btvi_axis *a, struct btvi_rect r, double value)
{
	return r.y + r.h - btvi_axis_place(a, value) * r.h;
}

static uint64_t clock_ns(const struct btvi_run *run, double t_s)
{
	const double ns = (t_s - run->shift_s) * 1e9;

	return ns <= 0 ? run->figures->origin_ns : run->figures->origin_ns + (uint64_t)llround(ns);
}

struct btvi_cells btvi_page_cells(const struct btvi_page *p, size_t index, double units)
{
	const struct btvi_run *run = &p->runs[index];
	const double first = fmax(p->t0, run->start_s);
	const double last = fmin(p->t1, run->end_s);
	const double resolution = (double)btviz_summary_resolution(run->summary) * 1e-9;
	struct btvi_cells c = { 0 };

	if (last < first || p->t1 <= p->t0)
		return c;
	/* A run of a single moment still has one cell to show it in. */
	c.width_s = fmax((p->t1 - p->t0) * units / p->plot_width, resolution);
	c.start_s = first;
	c.count = (size_t)fmax(ceil((last - first) / c.width_s - 1e-9), 1);
	/* Whole cells; the last may reach beyond the run's end, so they are made a little narrower.
	 */
	if (last > first)
		c.width_s = (last - first) / (double)c.count;
	else if (run->end_s <= run->start_s)
		c.width_s = fmin(c.width_s, (p->t1 - p->t0) / 100); /* a mark, not a bar */
	c.start_ns = clock_ns(run, first);
	c.end_ns = clock_ns(run, first + c.width_s * (double)c.count);
	if (c.end_ns <= c.start_ns)
		c.end_ns = c.start_ns + 1;
	return c;
}

double *btvi_page_course(struct btvi_page *p, size_t index, enum btviz_course course,
	enum btviz_direction direction, const struct btvi_cells *cells)
{
	double *sum = btvi_scene_alloc(p->scene, cells->count, sizeof *sum);
	double *one = btvi_scene_alloc(p->scene, cells->count, sizeof *one);

	if (!sum || !one || cells->count == 0)
		return NULL;
	btvi_course_sum(p->runs[index].summary, course, direction, cells->start_ns, cells->end_ns,
		cells->count, sum, one);
	return sum;
}

double *btvi_page_average(struct btvi_page *p, size_t index, enum btviz_course course,
	enum btviz_direction direction, const struct btvi_cells *cells, bool disks)
{
	double *out = btvi_scene_alloc(p->scene, cells->count, sizeof *out);
	double *scratch = btvi_scene_alloc(p->scene, 3 * cells->count, sizeof *scratch);

	if (!out || !scratch || cells->count == 0)
		return NULL;
	btvi_course_average(p->runs[index].summary, course, direction, disks, cells->start_ns,
		cells->end_ns, cells->count, out, scratch);
	return out;
}

double *btvi_page_smooth(
	struct btvi_page *p, size_t index, const double *course, const struct btvi_cells *cells)
{
	const struct btvi_run *run = &p->runs[index];
	const double drawn = p->t1 - p->t0;
	double width = (double)p->options->rolling_ns * 1e-9;
	struct btvi_stretch breaks[BTVI_GAPS_DRAWN];
	size_t count = 0;
	struct btvi_drawn_gaps g;
	double *out = btvi_scene_alloc(p->scene, cells->count, sizeof *out);

	if (!out || !course)
		return NULL;
	if (width == 0)
		width = fmax(drawn / 40, 3 * cells->width_s);
	btvi_gaps_find(p, index, &g);
	for (size_t i = 0; i < g.count; i++) {
		const double start = g.gaps[i]->start_s + run->shift_s - cells->start_s;
		const double end = g.gaps[i]->end_s + run->shift_s - cells->start_s;
		/* While the last requests drain there is throughput still. */
		const double still = g.gaps[i]->kind == BTVIZ_GAP_SUBMIT
			? fmax(end - g.gaps[i]->idle_s, start)
			: start;

		if (g.gaps[i]->kind == BTVIZ_GAP_SLOW || (count && still < breaks[count - 1].end))
			continue;
		breaks[count++] = (struct btvi_stretch){ still, end };
	}
	btvi_smooth(course, cells->count, cells->width_s, width, breaks, count, out);
	return out;
}

void btvi_page_line(struct btvi_page *p, const struct btvi_axis *a, struct btvi_rect r,
	const double *course, const struct btvi_cells *cells, double width, double dash,
	uint32_t color)
{
	struct btvi_point *points;

	if (!course || cells->count == 0)
		return;
	points = btvi_scene_alloc(p->scene, cells->count + 2, sizeof *points);
	if (!points)
		return;
	for (size_t i = 0; i < cells->count; i++) {
		points[i + 1].x =
			btvi_page_x(p, r, cells->start_s + ((double)i + 0.5) * cells->width_s);
		points[i + 1].y = btvi_page_y(a, r, course[i]);
	}
	/* The line reaches to the ends of the first and last cell. */
	points[0].x = btvi_page_x(p, r, cells->start_s);
	points[0].y = points[1].y;
	points[cells->count + 1].x =
		btvi_page_x(p, r, cells->start_s + (double)cells->count * cells->width_s);
	points[cells->count + 1].y = points[cells->count].y;
	btvi_scene_line(p->scene, points, cells->count + 2, width, dash, color);
}

void btvi_page_steps(struct btvi_page *p, const struct btvi_axis *a, struct btvi_rect r,
	const double *course, const struct btvi_cells *cells, uint32_t color)
{
	const double bottom = r.y + r.h;
	struct btvi_point *points;
	size_t n = 0;

	if (!course || cells->count == 0)
		return;
	points = btvi_scene_alloc(p->scene, 2 * cells->count + 2, sizeof *points);
	if (!points)
		return;
	points[n++] = (struct btvi_point){ btvi_page_x(p, r, cells->start_s), bottom };
	for (size_t i = 0; i < cells->count; i++) {
		const double x0 = cells->start_s + (double)i * cells->width_s;
		const double y = isnan(course[i]) ? bottom : btvi_page_y(a, r, course[i]);

		points[n++] = (struct btvi_point){ btvi_page_x(p, r, x0), y };
		points[n++] = (struct btvi_point){ btvi_page_x(p, r, x0 + cells->width_s), y };
	}
	points[n] = (struct btvi_point){ points[n - 1].x, bottom };
	btvi_scene_area(p->scene, points, n + 1, color);
}

/* Lines that rise lie on y = y0 + h - (x - x0) + k x spacing: multiples, so that the pattern of two
 * rectangles in one place is the same. */
void btvi_page_hatch(struct btvi_page *p, struct btvi_rect r, enum btvi_hatch hatch, double spacing,
	uint32_t color)
{
	if (hatch == BTVI_HATCH_NONE || r.w <= 0 || r.h <= 0)
		return;
	for (double at = ceil(-r.h / spacing) * spacing; at < r.w; at += spacing) {
		/* From the lower edge at x + at, cut at both sides. */
		const double from = fmax(at, 0), to = fmin(at + r.h, r.w);
		const bool rising = hatch == BTVI_HATCH_RISING;
		const double bottom = rising ? r.y + r.h - (from - at) : r.y + (from - at);
		const double top = rising ? r.y + r.h - (to - at) : r.y + (to - at);
		const struct btvi_point line[] = { { r.x + from, bottom }, { r.x + to, top } };

		if (hatch != BTVI_HATCH_LEVEL && to > from)
			btvi_scene_line(p->scene, line, 2, 1, 0, color);
	}
	for (double y = spacing; hatch == BTVI_HATCH_LEVEL && y < r.h; y += spacing)
		btvi_scene_hline(p->scene, r.x, r.x + r.w, r.y + y, 1, color);
}

double btvi_page_key(struct btvi_page *p, double x1, double y, uint32_t color, const char *name)
{
	const double w = btvi_scene_text(
		p->scene, x1, y, BTVI_END, BTVI_TEXT_SMALL, false, BTVI_INK_SOFT, name);

	btvi_scene_rect(p->scene, x1 - w - 13, y - 8, 9, 9, color);
	return x1 - w - 13;
}
