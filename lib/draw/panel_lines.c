/* panel_lines.c - the panels that are lines over time: throughput, rates, sizes, depths, ratios.
 * Each is a table of its lines; how they are loaded, scaled and drawn is the same for all. */
#include <math.h>

#include "draw/page.h"

enum { LINES_MAX = 4, STRIP_HEIGHT = 14 };

/* What a line is coloured by. */
enum line_paint { READ, WRITE, DISCARD, BOTH, IN_FLIGHT };

struct course_line {
	enum btviz_course course;
	enum btviz_direction direction; /* ALL: reads and writes, as far as they are drawn */
	enum line_paint paint;
	double area;          /* opacity of the area below it, 0: none */
	double width;         /* of the line over it, 0: none */
	double overlay_width; /* the same where runs are laid over one another */
	bool instead;         /* only where no line before it has anything */
	bool smooth;          /* the line is a rolling average of the area's course */
	const char *key;
};

enum adding { SUM, AVERAGE, AVERAGE_OF_DISKS };

struct line_panel {
	struct course_line lines[LINES_MAX];
	double cell;        /* of the raw course, units */
	enum adding adding; /* how devices become one line */
	double per_tick;    /* units of height that a tick needs */
	unsigned ticks_min;
	bool sum;  /* of reads and writes as one more line, where both matter */
	bool rate; /* a single moment has none; "none" is worth a line of text */
};

struct drawn {
	struct btvi_cells cells;
	double *raw[LINES_MAX], *smooth[LINES_MAX];
	double average[LINES_MAX]; /* over the cells in view */
	bool moments;              /* all runs: too short to have a rate */
	bool none;                 /* all runs: nothing at all */
};

static const struct line_panel throughput = {
	.lines = { { BTVIZ_COURSE_BYTES, BTVIZ_DIR_READ, READ, 0.22, 1.6, 1.6, .smooth = true },
		{ BTVIZ_COURSE_BYTES, BTVIZ_DIR_WRITE, WRITE, 0.22, 1.6, 1.6, .smooth = true },
		{ BTVIZ_COURSE_BYTES, BTVIZ_DIR_OTHER, DISCARD, 0.22, 1.6, 1.6, .instead = true,
			.smooth = true } },
	.cell = 4,
	.per_tick = 22,
	.ticks_min = 4,
	.sum = true,
	.rate = true,
};

static const struct line_panel ios = {
	.lines = { { BTVIZ_COURSE_IOS, BTVIZ_DIR_READ, READ, 0.22, 1.6, 1.6, .smooth = true },
		{ BTVIZ_COURSE_IOS, BTVIZ_DIR_WRITE, WRITE, 0.22, 1.6, 1.6, .smooth = true },
		{ BTVIZ_COURSE_IOS, BTVIZ_DIR_OTHER, DISCARD, 0.22, 1.6, 1.6, .instead = true,
			.smooth = true } },
	.cell = 4,
	.per_tick = 22,
	.ticks_min = 4,
	.sum = true,
	.rate = true,
};

static const struct line_panel seeks = {
	.lines = { { BTVIZ_COURSE_SEEKS, BTVIZ_DIR_ALL, BOTH, 0.22, 1.6, 1.6, .smooth = true } },
	.cell = 4,
	.per_tick = 22,
	.ticks_min = 4,
	.rate = true,
};

static const struct line_panel depths = {
	.lines = { { BTVIZ_COURSE_OUTSTANDING_MAX, BTVIZ_DIR_ALL, BOTH, 0.13, 0, 0, .key = "most" },
		{ BTVIZ_COURSE_OUTSTANDING, BTVIZ_DIR_ALL, BOTH, 0.3, 0, 1.5,
			.key = "outstanding" },
		/* A bio device issues nothing itself. */
		{ BTVIZ_COURSE_IN_FLIGHT, BTVIZ_DIR_ALL, IN_FLIGHT, 0, 1.4, 0,
			.key = "in flight" } },
	.cell = 3,
	.ticks_min = 4,
};

static const struct line_panel sizes = {
	.lines = { { BTVIZ_COURSE_SIZE, BTVIZ_DIR_READ, READ, 0, 1.6, 1.6, .key = NULL },
		{ BTVIZ_COURSE_SIZE, BTVIZ_DIR_WRITE, WRITE, 0, 1.6, 1.6, .key = NULL } },
	.cell = 4,
	.adding = AVERAGE,
	.per_tick = 15,
};

static const struct line_panel merges = {
	.lines = { { BTVIZ_COURSE_MERGE_RATIO, BTVIZ_DIR_READ, READ, 0, 1.6, 1.6, .key = NULL },
		{ BTVIZ_COURSE_MERGE_RATIO, BTVIZ_DIR_WRITE, WRITE, 0, 1.6, 1.6, .key = NULL } },
	.cell = 4,
	.adding = AVERAGE_OF_DISKS,
	.ticks_min = 4,
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

static double smallest_above_0(const double *x, size_t count)
{
	double min = INFINITY;

	for (size_t i = 0; x && i < count; i++)
		if (x[i] > 0)
			min = fmin(min, x[i]);
	return min;
}

static bool is_wanted(const struct btvi_page *p, const struct course_line *l, const struct drawn *d)
{
	if (l->width == 0 && l->area == 0)
		return false;
	if ((l->direction == BTVIZ_DIR_READ && p->options->no_reads) ||
		(l->direction == BTVIZ_DIR_WRITE && p->options->no_writes))
		return false;
	for (int i = 0; l->instead && i < LINES_MAX; i++)
		if (d->raw[i])
			return false;
	return true;
}

static double *load(struct btvi_page *p, size_t run, enum adding adding,
	const struct course_line *l, const struct btvi_cells *cells)
{
	const enum btviz_direction direction = l->direction != BTVIZ_DIR_ALL ? l->direction
		: p->options->no_reads                                       ? BTVIZ_DIR_WRITE
		: p->options->no_writes                                      ? BTVIZ_DIR_READ
									     : BTVIZ_DIR_ALL;

	if (adding == SUM)
		return btvi_page_course(p, run, l->course, direction, cells);
	return btvi_page_average(p, run, l->course, direction, cells, adding == AVERAGE_OF_DISKS);
}

/* The sum is of use only where both directions matter. It stands behind the table's lines. */
static void add_up(struct btvi_page *p, size_t run, struct drawn *d)
{
	const double a = d->average[READ], b = d->average[WRITE];
	const int sum = BOTH;

	if (!d->raw[READ] || !d->raw[WRITE] || a < 0.05 * b || b < 0.05 * a)
		return;
	d->raw[sum] = btvi_scene_alloc(p->scene, d->cells.count, sizeof *d->raw[sum]);
	if (!d->raw[sum])
		return;
	for (size_t i = 0; i < d->cells.count; i++)
		d->raw[sum][i] = fmax(d->raw[READ][i], 0) + fmax(d->raw[WRITE][i], 0);
	d->average[sum] = a + b;
	d->smooth[sum] = btvi_page_smooth(p, run, d->raw[sum], &d->cells);
}

static void load_run(
	struct btvi_page *p, size_t run, const struct line_panel *what, struct drawn *d)
{
	d->cells = btvi_page_cells(p, run, what->cell);
	for (int i = 0; i < LINES_MAX; i++) {
		if (!is_wanted(p, &what->lines[i], d))
			continue;
		d->raw[i] = load(p, run, what->adding, &what->lines[i], &d->cells);
		/* Nothing there: no line along the bottom. */
		if (largest(d->raw[i], d->cells.count) <= 0)
			d->raw[i] = NULL;
		if (!d->raw[i])
			continue;
		d->average[i] = mean(d->raw[i], d->cells.count);
		if (what->lines[i].smooth)
			d->smooth[i] = btvi_page_smooth(p, run, d->raw[i], &d->cells);
	}
	if (what->sum)
		add_up(p, run, d);
}

/* The part of line i that the scale has to hold. */
static const double *seen(
	const struct btvi_page *p, const struct line_panel *what, const struct drawn *d, int i)
{
	/* Of a sum only the smooth line is drawn; over one another only lines are. */
	if (d->smooth[i] && (p->overlay || (what->sum && i == BOTH)))
		return d->smooth[i];
	if (p->overlay && !d->smooth[i] && what->lines[i].overlay_width == 0)
		return NULL;
	return d->raw[i];
}

static bool prepare(const struct btvi_panel *self, struct btvi_page *p)
{
	const struct line_panel *const what = self->table;
	struct drawn *all = btvi_scene_alloc(p->scene, p->run_count, sizeof *all);
	const unsigned ticks = what->per_tick > 0 ? (unsigned)(self->height / what->per_tick) : 0;
	double min = INFINITY, max = 0;
	bool moments = what->rate;

	if (!all)
		return false;
	p->data[self->id] = all;
	for (size_t run = 0; run < p->run_count; run++) {
		struct drawn *d = &all[run];

		/* A single moment has no rate. */
		if (what->rate && p->runs[run].figures->span_s <= 0) {
			d->cells = btvi_page_cells(p, run, what->cell);
			continue;
		}
		moments = false;
		load_run(p, run, what, d);
		for (int i = 0; i < LINES_MAX; i++) {
			max = fmax(max, largest(seen(p, what, d, i), d->cells.count));
			min = fmin(min, smallest_above_0(seen(p, what, d, i), d->cells.count));
		}
	}
	for (size_t run = 0; run < p->run_count; run++) {
		all[run].none = max <= 0;
		all[run].moments = moments;
	}
	if (max <= 0 && !what->rate)
		return false;
	btvi_axis_init(&p->axes[self->id], self->kind, self->kind == BTVI_AXIS_SIZE ? min : 0, max,
		ticks > what->ticks_min ? ticks : what->ticks_min, true);
	return true;
}

/* "No seeks at all" needs no panel with an axis from 0 to 1, but it is worth a line. */
static double own_height(const struct btvi_panel *self, const struct btvi_page *p)
{
	return ((const struct drawn *)p->data[self->id])->none ? STRIP_HEIGHT
							       : self->height * p->shrink;
}

static uint32_t color_of(const struct btvi_page *p, size_t run, enum line_paint paint)
{
	if (p->overlay)
		return p->runs[run].color;
	switch (paint) {
	case READ:
		return p->read;
	case WRITE:
		return p->write;
	case DISCARD:
		return p->discard;
	case IN_FLIGHT:
		return BTVI_IN_FLIGHT;
	case BOTH:
		break;
	}
	return BTVI_BOTH;
}

static void draw_line(const struct btvi_panel *self, struct btvi_page *p, size_t run,
	struct btvi_rect rect, int i)
{
	const struct line_panel *const what = self->table;
	const struct drawn *d = &((const struct drawn *)p->data[self->id])[run];
	const struct course_line *l = &what->lines[i];
	const bool both = d->raw[READ] && d->raw[WRITE];
	const bool sum = what->sum && i == BOTH;
	const double width = sum ? (both ? 1 : 1.6) : p->overlay ? l->overlay_width : l->width;

	/* Laid over one another, runs differ by colour and reads from writes by dashes. */
	if (width > 0)
		btvi_page_line(p, &p->axes[self->id], rect, d->smooth[i] ? d->smooth[i] : d->raw[i],
			&d->cells, width,
			p->overlay && !sum && l->direction == BTVIZ_DIR_READ && both ? 4 : 0,
			color_of(p, run, sum ? BOTH : l->paint));
}

static void draw(
	const struct btvi_panel *self, struct btvi_page *p, size_t run, struct btvi_rect rect)
{
	const struct line_panel *const what = self->table;
	const struct drawn *d = &((const struct drawn *)p->data[self->id])[run];
	const struct btvi_axis *a = &p->axes[self->id];
	/* The smaller first, so that a line along the bottom does not cover the one that matters.
	 */
	const bool swap = d->average[READ] >= d->average[WRITE];

	if (d->none) {
		btvi_scene_hline(
			p->scene, rect.x, rect.x + rect.w, rect.y + rect.h, 0.8, BTVI_AXIS);
		if (p->labels && (!p->overlay || run == 0))
			btvi_scene_text(p->scene, rect.x, rect.y + 9, BTVI_START, BTVI_TEXT_SMALL,
				false, BTVI_INK_SOFT, d->moments ? "n/a: a single moment" : "none");
		return;
	}
	if (!p->overlay || run == 0)
		btvi_page_axis(p, a, rect);
	for (int i = 0; i < LINES_MAX && !p->overlay; i++)
		if (what->lines[i].area > 0)
			btvi_page_steps(p, a, rect, d->raw[i], &d->cells,
				btvi_rgba_alpha(color_of(p, run, what->lines[i].paint),
					what->lines[i].area));
	for (int i = 0; i < LINES_MAX; i++)
		draw_line(self, p, run, rect, swap && i <= WRITE ? WRITE - i : i);
}

/* What the lines are, where the key of the map does not say it: of directions it does. */
static double note(
	const struct btvi_panel *self, struct btvi_page *p, size_t run, double x1, double y)
{
	const struct line_panel *const what = self->table;
	const struct drawn *d = &((const struct drawn *)p->data[self->id])[run];
	bool any = false;

	if (d->none || p->overlay)
		return x1;
	if (what->sum && d->raw[BOTH])
		return btvi_page_key(p, x1, y, BTVI_BOTH, "both");
	for (int i = LINES_MAX - 1; i >= 0; i--) {
		const struct course_line *l = &what->lines[i];
		const uint32_t color = color_of(p, run, l->paint);

		if (!l->key || !d->raw[i])
			continue;
		x1 = btvi_page_key(p, x1 - (any ? 12 : 0), y,
			l->width > 0 ? color : btvi_rgba_alpha(color, l->area), l->key);
		any = true;
	}
	return x1;
}

const struct btvi_panel btvi_panel_tput = {
	.id = BTVIZ_PANEL_TPUT,
	.name = "tput",
	.title = "throughput",
	.usual = true,
	.height = 125,
	.kind = BTVI_AXIS_RATE,
	.table = &throughput,
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
	.kind = BTVI_AXIS_COUNT,
	.table = &seeks,
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
	.kind = BTVI_AXIS_COUNT,
	.table = &ios,
	.own_axis = true,
	.prepare = prepare,
	.own_height = own_height,
	.note = note,
	.draw = draw,
};

const struct btvi_panel btvi_panel_depth = {
	.id = BTVIZ_PANEL_DEPTH,
	.name = "depth",
	.title = "I/Os outstanding",
	.undirected = true,
	.height = 80,
	.kind = BTVI_AXIS_COUNT,
	.table = &depths,
	.own_axis = true,
	.prepare = prepare,
	.draw = draw,
	.note = note,
};

const struct btvi_panel btvi_panel_size = {
	.id = BTVIZ_PANEL_SIZE,
	.name = "size",
	.title = "average size of an I/O",
	.height = 80,
	.kind = BTVI_AXIS_SIZE,
	.table = &sizes,
	.own_axis = true,
	.prepare = prepare,
	.draw = draw,
};

const struct btvi_panel btvi_panel_merge = {
	.id = BTVIZ_PANEL_MERGE,
	.name = "merge",
	.title = "bios a request",
	.height = 80,
	.kind = BTVI_AXIS_COUNT,
	.table = &merges,
	.own_axis = true,
	.prepare = prepare,
	.draw = draw,
};
