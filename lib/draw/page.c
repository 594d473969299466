/* page.c - the layout: which panels, how high, runs side by side or below one another, the shared
 * time axis, and what stands around. Knows no cairo and computes no figures. */
#include "draw/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/quantity.h"
#include "base/status.h"

enum {
	MARGIN = 16,
	LEFT = 66,
	RIGHT = 40,
	HEADING = 17,
	LANE = 18,
	LANE_BARE = 4,
	TIME_AXIS = 34,
	STRIP = 20
};

_Static_assert(
	MARGIN == (int)BTVI_PAGE_TOP && MARGIN + LEFT == (int)BTVI_PAGE_LEFT, "page.h tells them");

/* The measures of one layout. */
struct layout {
	size_t columns, rows;
	double width, column_width;
	size_t count;
	const struct btvi_panel *panels[BTVIZ_PANEL_COUNT];
	double heights[BTVIZ_PANEL_COUNT];
	double header, lane, marks;
	bool lists, stats;
};

static size_t columns_of(const struct btviz_plot_options *o, size_t runs)
{
	size_t columns;

	if (o->layout != BTVIZ_LAYOUT_COLUMNS)
		return 1;
	if (o->columns > 0)
		return o->columns < runs ? o->columns : runs;
	if (runs <= 4)
		return runs;
	for (columns = 4; columns > 2; columns--)
		if (runs % columns == 0)
			break;
	return columns > 2 ? columns : 4;
}

double btvi_page_natural_width(const struct btviz_plot_options *o, size_t run_count)
{
	static const double plot[] = { 0, 1080, 720, 510, 430 };
	const size_t columns = columns_of(o, run_count);

	return 2 * MARGIN + LEFT + (double)columns * (plot[columns > 4 ? 4 : columns] + RIGHT);
}

static void look_at_runs(struct btvi_page *p)
{
	const struct btviz_plot_options *o = p->options;
	double start = INFINITY, end = 0;

	for (size_t i = 0; i < p->run_count; i++) {
		const struct btviz_figures *f = p->runs[i].figures;

		start = fmin(start, p->runs[i].start_s);
		end = fmax(end, p->runs[i].end_s);
		/* Members too: a raid5 reads though nobody asked the array to. */
		for (size_t k = 0; k < f->device_count; k++) {
			const struct btviz_device *d = f->devices[k];

			for (int s = 0; s < BTVIZ_STATION_COUNT; s++) {
				p->has_reads |= d->actions[BTVIZ_OP_READ][s].ios > 0;
				p->has_writes |= d->actions[BTVIZ_OP_WRITE][s].ios > 0;
				p->has_discards |= d->actions[BTVIZ_OP_DISCARD][s].ios > 0;
			}
		}
	}
	p->has_reads = p->has_reads && !o->no_reads;
	p->has_writes = p->has_writes && !o->no_writes;
	p->has_discards = p->has_discards && !o->no_writes;
	p->t0 = o->start_ns > 0 ? (double)o->start_ns * 1e-9 : start;
	p->t1 = o->end_ns > 0 ? (double)o->end_ns * 1e-9 : end;
	/* All in one moment: a microsecond around it, so that there is an axis. */
	if (!(p->t1 > p->t0))
		p->t1 = p->t0 + 1e-6;
	p->read = o->color_count > 0 && !p->overlay ? BTVI_RGB(o->colors[0]) : BTVI_READ;
	p->write = o->color_count > 1 && !p->overlay ? BTVI_RGB(o->colors[1]) : BTVI_WRITE;
	p->discard = o->color_count > 2 && !p->overlay ? BTVI_RGB(o->colors[2]) : BTVI_DISCARD;
}

bool btvi_page_wall(const struct btvi_page *p, int64_t *ret_sec, uint32_t *ret_nsec)
{
	for (size_t i = 0; i < p->run_count && p->options->clock == BTVIZ_CLOCK_WALL; i++) {
		const struct btviz_figures *f = p->runs[i].figures;

		if (!f->has_wall || p->runs[i].shift_s != 0)
			continue;
		*ret_sec = (int64_t)f->wall_sec;
		*ret_nsec = (uint32_t)f->wall_nsec;
		return true;
	}
	return false;
}

static void set_time_axis(struct btvi_page *p)
{
	int64_t sec = 0;
	uint32_t nsec = 0;
	const bool wall = btvi_page_wall(p, &sec, &nsec);
	const double base = (double)sec + (double)nsec * 1e-9;

	btvi_axis_init_horizontal(&p->time, wall ? BTVI_AXIS_CLOCK : BTVI_AXIS_TIME, p->t0 + base,
		p->t1 + base, p->plot_width, p->scene->font, BTVI_TEXT_SMALL);
	/* The page's times stay relative; only the labels tell the clock. */
	for (unsigned i = 0; i < p->time.tick_count; i++)
		p->time.ticks[i].at -= base;
	p->time.min -= base;
	p->time.max -= base;
}

void btvi_page_axis(struct btvi_page *p, const struct btvi_axis *a, struct btvi_rect r)
{
	double last = 1e9;

	for (unsigned i = 0; i < a->tick_count; i++) {
		const double y = btvi_page_y(a, r, a->ticks[i].at);

		/* A panel may be lower than its axis was made for. */
		if (i > 0 && last - y < BTVI_TEXT_SMALL + 1)
			continue;
		last = y;
		btvi_scene_hline(p->scene, r.x, r.x + r.w, y, 0.8,
			i == 0 && a->ticks[i].at == a->min ? BTVI_AXIS : BTVI_GRID);
		if (p->labels)
			btvi_scene_text_fit(p->scene, r.x - 6, y + 4, LEFT - 6, BTVI_END,
				BTVI_TEXT_SMALL, false, BTVI_INK_SOFT, a->ticks[i].label);
	}
}

static void draw_time_axis(struct btvi_page *p, struct btvi_rect r)
{
	char title[120];

	btvi_scene_hline(p->scene, r.x, r.x + r.w, r.y + r.h, 0.9, BTVI_AXIS);
	for (unsigned i = 0; i < p->time.tick_count; i++) {
		const struct btvi_tick *t = &p->time.ticks[i];
		const double x = btvi_page_x(p, r, t->at);
		const double half =
			btvi_font_width(p->scene->font, t->label, BTVI_TEXT_SMALL, false) / 2;

		btvi_scene_rect(p->scene, x - 0.4, r.y + r.h, 0.8, 4, BTVI_AXIS);
		/* A label at the very end moves inwards rather than into the next column. */
		btvi_scene_text(p->scene, fmin(x, r.x + r.w + RIGHT - 12 - half), r.y + r.h + 15,
			BTVI_MIDDLE, BTVI_TEXT_SMALL, false, BTVI_INK_SOFT, t->label);
	}
	snprintf(title, sizeof title, "time (%s)", p->time.unit);
	btvi_scene_text_fit(p->scene, r.x + r.w / 2, r.y + r.h + 30, r.w, BTVI_MIDDLE,
		BTVI_TEXT_SMALL, false, BTVI_INK_SOFT, title);
}

static void heading(struct btvi_page *p, const struct btvi_panel *panel, size_t run, double x,
	double x1, double y)
{
	const struct btvi_axis *a = &p->axes[panel->id];
	char text[160];
	double right = x1;

	if (panel->note && (!p->overlay || run == 0))
		right = panel->note(panel, p, run, x1, y);
	if (!p->labels)
		return;
	snprintf(text, sizeof text, "%s%s%s%s%s", btvi_panel_title(panel, p),
		panel->undirected && (p->options->no_reads || p->options->no_writes)
			? ", of all I/O"
			: "",
		a->unit[0] ? " (" : "", a->unit, a->unit[0] ? ")" : "");
	btvi_scene_text_fit(
		p->scene, x, y, right - x - 12, BTVI_START, BTVI_TEXT_SMALL, true, BTVI_INK, text);
}

/* Where a run ends before the axis does: a dotted line, so that "short" is told from "still". */
static void draw_end(struct btvi_page *p, size_t run, struct btvi_rect r, double lane)
{
	const double end = p->runs[run].end_s;
	const double x = btvi_page_x(p, r, end);
	char text[64], duration[BTVI_QUANTITY_SIZE];

	if (end <= p->t0 || x > r.x + r.w - 10)
		return;
	const struct btvi_point line[] = { { x, r.y - lane }, { x, r.y + r.h } };

	btvi_scene_line(p->scene, line, 2, 0.9, 2, BTVI_INK_SOFT);
	snprintf(text, sizeof text, "ends after %s",
		btvi_quantity_duration(p->runs[run].figures->span_s, duration));
	if (btvi_font_width(p->scene->font, text, BTVI_TEXT_SMALL, false) < r.x + r.w - x - 6)
		btvi_scene_text(p->scene, x + 5, r.y - lane + 12, BTVI_START, BTVI_TEXT_SMALL,
			false, BTVI_INK_SOFT, text);
}

/* Room for the rows of overlaid runs' gaps, none if there are none. */
static double marks_lane(const struct btvi_page *p)
{
	size_t gaps = 0;

	for (size_t run = 0; run < p->run_count; run++) {
		struct btvi_drawn_gaps g;

		btvi_gaps_find(p, run, &g);
		gaps += g.count;
	}
	return LANE_BARE + (gaps ? fmin(fmax(8 * (double)p->run_count, 12), 96) : 0);
}

/* All panels of one run (overlay: of all), from the gap lane to the time axis. */
static double draw_column(
	struct btvi_page *p, const struct layout *l, size_t first, size_t count, double x, double y)
{
	const struct btvi_rect whole = { x, y + l->lane, p->plot_width, 0 };
	struct btvi_rect all = whole, r = whole;
	double at = y + l->lane;

	for (size_t i = 0; i < l->count; i++)
		all.h += HEADING + l->heights[i];
	if (!p->overlay)
		btvi_gaps_bands(p, first, all, l->lane);
	else if (l->lane > LANE_BARE)
		btvi_gaps_marks(p, (struct btvi_rect){ x, y, p->plot_width, l->lane - LANE_BARE });
	for (size_t i = 0; i < l->count; i++) {
		const struct btvi_panel *panel = l->panels[i];

		heading(p, panel, first, x, x + p->plot_width, at + HEADING - 5);
		r.y = at + HEADING;
		r.h = l->heights[i];
		if (!panel->own_axis)
			btvi_page_axis(p, &p->axes[panel->id], r);
		for (size_t run = first; run < first + count; run++)
			panel->draw(panel, p, run, r);
		at = r.y + r.h;
	}
	if (!p->overlay)
		btvi_marks(p, first, all);
	for (size_t run = first; run < first + count; run++)
		draw_end(p, run, all, count > 1 ? 0 : l->lane);
	draw_time_axis(p, all);
	return l->lane + all.h + TIME_AXIS;
}

static double panels_height(const struct layout *l)
{
	double h = 0;

	for (size_t i = 0; i < l->count; i++)
		h += l->heights[i];
	return h;
}

/* Below the panels of a row of runs: their gaps. */
static double lists(struct btvi_page *p, const struct layout *l, size_t first, double y, bool draw)
{
	double height = 0;

	for (size_t c = 0; c < l->columns && first + c < p->run_count; c++) {
		const double x = MARGIN + LEFT + (double)c * l->column_width;
		const double width = p->plot_width + (l->columns == 1 ? RIGHT : RIGHT - 14);

		double h = btvi_gaps_list(p, first + c, x, y, width, draw);

		h += btvi_marks_list(p, first + c, x, y + h, width, draw);
		height = fmax(height, h);
	}
	return height > 0 ? height + 8 : 0;
}

static double headers(
	struct btvi_page *p, const struct layout *l, size_t first, double y, bool draw)
{
	double height = 0;

	if (p->overlay) {
		for (size_t i = 0; i < p->run_count; i++)
			height += btvi_header(p, i, MARGIN + LEFT, y + height,
				l->width - 2 * MARGIN - LEFT, draw);
		return height;
	}
	for (size_t c = 0; c < l->columns && first + c < p->run_count; c++)
		height = fmax(height,
			btvi_header(p, first + c, MARGIN + LEFT + (double)c * l->column_width, y,
				p->plot_width + RIGHT - 14, draw));
	return height;
}

/* The whole page from top to bottom; returns its height. With draw false it only measures. */
static double walk(struct btvi_page *p, const struct layout *l, bool draw)
{
	double y = MARGIN;

	if (p->options->title && p->options->title[0]) {
		if (draw)
			btvi_scene_text_fit(p->scene, MARGIN + LEFT, y + 18,
				l->width - 2 * MARGIN - LEFT, BTVI_START, BTVI_TEXT_TITLE, true,
				BTVI_INK, p->options->title);
		y += 30;
	}
	for (size_t row = 0; row < l->rows; row++) {
		const size_t first = row * l->columns;
		double height = 0;

		y += headers(p, l, first, y, draw);
		if (!draw)
			height =
				l->lane + panels_height(l) + HEADING * (double)l->count + TIME_AXIS;
		for (size_t c = 0; draw && c < l->columns && first + c < p->run_count; c++) {
			p->labels = c == 0;
			p->labelled = first;
			height = draw_column(p, l, first + c, p->overlay ? p->run_count : 1,
				MARGIN + LEFT + (double)c * l->column_width, y);
		}
		y += height + 4;
		if (l->lists)
			y += lists(p, l, first, y, draw);
		y += row + 1 < l->rows ? 14 : 0;
	}
	if (l->stats)
		y += 6 + btvi_stats(p, MARGIN + LEFT, y + 2, l->width - 2 * MARGIN - LEFT, draw);
	y += btvi_foot(p, MARGIN + LEFT, y, l->width - 2 * MARGIN - LEFT, draw);
	return y + MARGIN / 2;
}

/* Stretches the panels so that the page is as high as asked for; what stands below gives way first.
 */
static bool fit_height(struct btvi_page *p, struct layout *l, double height)
{
	for (int step = 0; step < 3; step++) {
		double natural = 0;

		/* A strip with a line of text does not stretch. */
		for (size_t i = 0; i < l->count; i++)
			natural += l->heights[i] > STRIP ? l->heights[i] * (double)l->rows : 0;

		const double room = height - (walk(p, l, false) - natural);
		const double factor = room / natural;

		if (factor >= (step < 2 ? 0.5 : 0.2)) {
			for (size_t i = 0; i < l->count; i++)
				if (l->heights[i] > STRIP)
					l->heights[i] *= factor;
			return true;
		}
		if (step == 0)
			l->lists = false;
		else if (step == 1)
			l->stats = false;
	}
	return false;
}

enum btviz_status btvi_page_draw(
	struct btvi_page *p, double width, double height, struct btviz_error *err)
{
	const uint32_t wanted = p->options->panels ? p->options->panels : btviz_panels_usual();
	struct layout l = { .width = width };
	bool sampled_only = true;

	p->overlay = p->options->layout == BTVIZ_LAYOUT_OVERLAY && p->run_count > 1;
	l.columns = p->overlay ? 1 : columns_of(p->options, p->run_count);
	l.rows = p->overlay ? 1 : (p->run_count + l.columns - 1) / l.columns;
	l.column_width = (width - 2 * MARGIN - LEFT) / (double)l.columns;
	p->plot_width = l.column_width - RIGHT;
	if (p->plot_width < 60)
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"the picture is too narrow for %zu runs side by side: make it wider, or "
			"use fewer columns",
			l.columns);
	l.stats = (wanted & BTVIZ_PANEL_BIT(BTVIZ_PANEL_STATS)) != 0;
	l.lists = l.stats && !p->overlay;
	l.lane = LANE;
	look_at_runs(p);
	set_time_axis(p);
	if (p->overlay)
		l.lane = marks_lane(p);
	p->shrink = l.rows > 1 ? 0.72 : 1;
	for (size_t i = 0; i < BTVIZ_PANEL_COUNT; i++) {
		const struct btvi_panel *panel = btvi_panels[i];

		if (!(wanted & BTVIZ_PANEL_BIT(panel->id)) || !panel->prepare)
			continue;
		sampled_only = sampled_only && panel->sampled;
		if (!panel->prepare(panel, p))
			continue;
		l.heights[l.count] =
			panel->own_height ? panel->own_height(panel, p) : panel->height * p->shrink;
		l.panels[l.count++] = panel;
	}
	if (btvi_scene_failed(p->scene))
		return btvi_fail_nomem(err);
	if (l.count == 0 && !l.stats)
		return btvi_fail(err, BTVIZ_ERR_EMPTY,
			sampled_only
				? "nothing to draw: no samples of memory and CPUs were recorded with "
				  "the trace (btviz record takes them)"
				: "nothing to draw: no I/O of the kind and in the place asked for");
	if (l.count == 0)
		l.lane = 0;
	else if (height > 0 && !fit_height(p, &l, height))
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"the picture is not high enough for its panels: make it higher, or draw "
			"fewer panels");
	p->scene->height = height > 0 ? height : walk(p, &l, false);
	walk(p, &l, true);
	return btvi_scene_failed(p->scene) ? btvi_fail_nomem(err) : BTVIZ_OK;
}
