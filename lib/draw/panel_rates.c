/* panel_rates.c - tput, seek and iops: rates by direction, the raw course as a light area, its
 * rolling average as a line over it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/page.h"

enum { READ, WRITE, OTHER, ALL, LINES };

struct rates {
	struct btvi_cells cells;
	double *raw[LINES], *smooth[LINES];
	double average[LINES]; /* over the cells in view */
	bool moments;          /* all runs: too short to have a rate */
	bool none;             /* all runs: nothing at all */
};

static double mean(const double *x, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += isnan(x[i]) ? 0 : x[i];
	return count ? sum / (double)count : 0;
}

static double largest(const double *x, size_t count)
{
	double max = 0;

	for (size_t i = 0; x && i < count; i++)
		if (x[i] > max)
			max = x[i];
	return max;
}

static void load(struct btvi_page *p, size_t run, struct rates *r, int line,
	enum btviz_course course, enum btviz_direction direction)
{
	r->raw[line] = btvi_page_course(p, run, course, direction, &r->cells);
	if (!r->raw[line])
		return;
	r->average[line] = mean(r->raw[line], r->cells.count);
	if (largest(r->raw[line], r->cells.count) <= 0) {
		r->raw[line] = NULL; /* nothing there: no line along the bottom */
		return;
	}
	r->smooth[line] = btvi_page_smooth(p, run, r->raw[line], &r->cells);
}

/* The sum is of use only where both directions matter. */
static void add_up(struct btvi_page *p, size_t run, struct rates *r)
{
	const double a = r->average[READ], b = r->average[WRITE];

	if (!r->raw[READ] || !r->raw[WRITE] || a < 0.05 * b || b < 0.05 * a)
		return;
	r->raw[ALL] = btvi_scene_alloc(p->scene, r->cells.count, sizeof *r->raw[ALL]);
	if (!r->raw[ALL])
		return;
	for (size_t i = 0; i < r->cells.count; i++)
		r->raw[ALL][i] = fmax(r->raw[READ][i], 0) + fmax(r->raw[WRITE][i], 0);
	r->average[ALL] = a + b;
	r->smooth[ALL] = btvi_page_smooth(p, run, r->raw[ALL], &r->cells);
}

static bool prepare(const struct btvi_panel *self, struct btvi_page *p)
{
	struct rates *all = btvi_scene_alloc(p->scene, p->run_count, sizeof *all);
	double max = 0;
	bool moments = true;

	if (!all)
		return false;
	p->data[self->id] = all;
	for (size_t i = 0; i < p->run_count; i++) {
		struct rates *r = &all[i];

		r->cells = btvi_page_cells(p, i, 4);
		/* A single moment has no rate. */
		if (p->runs[i].figures->span_s <= 0)
			continue;
		moments = false;
		if (self->course == BTVIZ_COURSE_SEEKS) {
			load(p, i, r, ALL, self->course,
				p->options->no_reads            ? BTVIZ_DIR_WRITE
					: p->options->no_writes ? BTVIZ_DIR_READ
								: BTVIZ_DIR_ALL);
		} else {
			if (!p->options->no_reads)
				load(p, i, r, READ, self->course, BTVIZ_DIR_READ);
			if (!p->options->no_writes)
				load(p, i, r, WRITE, self->course, BTVIZ_DIR_WRITE);
			if (!r->raw[READ] && !r->raw[WRITE])
				load(p, i, r, OTHER, self->course, BTVIZ_DIR_OTHER);
			add_up(p, i, r);
		}
		for (int line = 0; line < LINES; line++)
			/* Of a sum only the smooth line is drawn. */
			max = fmax(max,
				largest(p->overlay || (line == ALL && r->raw[READ])
						? r->smooth[line]
						: r->raw[line],
					r->cells.count));
	}
	for (size_t i = 0; i < p->run_count; i++) {
		all[i].none = max <= 0;
		all[i].moments = moments;
	}
	btvi_axis_init(
		&p->axes[self->id], self->kind, 0, max, (unsigned)fmax(self->height / 22, 4), true);
	return true;
}

/* "No seeks at all" needs no panel with an axis from 0 to 1, but it is worth a line. */
static double own_height(const struct btvi_panel *self, const struct btvi_page *p)
{
	return ((const struct rates *)p->data[self->id])->none ? 14 : self->height * p->shrink;
}

static uint32_t color_of(const struct btvi_page *p, size_t run, int line)
{
	if (p->overlay)
		return p->runs[run].color;
	switch (line) {
	case READ:
		return p->read;
	case WRITE:
		return p->write;
	case OTHER:
		return p->discard;
	default:
		return BTVI_BOTH;
	}
}

static void draw(
	const struct btvi_panel *self, struct btvi_page *p, size_t run, struct btvi_rect rect)
{
	const struct rates *r = &((const struct rates *)p->data[self->id])[run];
	const struct btvi_axis *a = &p->axes[self->id];

	if (r->none) {
		btvi_scene_hline(
			p->scene, rect.x, rect.x + rect.w, rect.y + rect.h, 0.8, BTVI_AXIS);
		if (p->labels && (!p->overlay || run == 0))
			btvi_scene_text(p->scene, rect.x, rect.y + 9, BTVI_START, BTVI_TEXT_SMALL,
				false, BTVI_INK_SOFT, r->moments ? "n/a: a single moment" : "none");
		return;
	}
	if (!p->overlay || run == 0)
		btvi_page_axis(p, a, rect);
	for (int line = 0; line < LINES; line++)
		if (!p->overlay && !(line == ALL && r->raw[READ]))
			btvi_page_steps(p, a, rect, r->raw[line], &r->cells,
				btvi_rgba_alpha(color_of(p, run, line), 0.22));
	/* The smaller first, so that a line along the bottom does not cover the one that matters.
	 */
	for (int i = 0; i < LINES; i++) {
		const bool both = r->raw[READ] && r->raw[WRITE];
		const int line = i > WRITE                     ? i
			: r->average[READ] < r->average[WRITE] ? i
							       : WRITE - i;

		/* Laid over one another, runs differ by colour and reads from writes by dashes. */
		btvi_page_line(p, a, rect, r->smooth[line], &r->cells,
			line == ALL && both ? 1 : 1.6, p->overlay && line == READ && both ? 4 : 0,
			color_of(p, run, line));
	}
}

/* What the third line is: the first two are in the key of the map. */
static double note(
	const struct btvi_panel *self, struct btvi_page *p, size_t run, double x1, double y)
{
	const struct rates *r = &((const struct rates *)p->data[self->id])[run];

	if (r->none || p->overlay || !r->raw[ALL] || !r->raw[READ])
		return x1;
	return btvi_page_key(p, x1, y, BTVI_BOTH, "both");
}

const struct btvi_panel btvi_panel_tput = {
	.id = BTVIZ_PANEL_TPUT,
	.name = "tput",
	.title = "throughput",
	.usual = true,
	.height = 125,
	.course = BTVIZ_COURSE_BYTES,
	.kind = BTVI_AXIS_RATE,
	.own_axis = true,
	.prepare = prepare,
	.own_height = own_height,
	.note = note,
	.draw = draw,
};

const struct btvi_panel btvi_panel_seek = {
	.id = BTVIZ_PANEL_SEEK,
	.name = "seek",
	.title = "seeks/s",
	.usual = true,
	.height = 66,
	.course = BTVIZ_COURSE_SEEKS,
	.kind = BTVI_AXIS_COUNT,
	.own_axis = true,
	.prepare = prepare,
	.own_height = own_height,
	.draw = draw,
};

const struct btvi_panel btvi_panel_iops = {
	.id = BTVIZ_PANEL_IOPS,
	.name = "iops",
	.title = "I/Os a second",
	.usual = true,
	.height = 80,
	.course = BTVIZ_COURSE_IOS,
	.kind = BTVI_AXIS_COUNT,
	.own_axis = true,
	.prepare = prepare,
	.own_height = own_height,
	.note = note,
	.draw = draw,
};
