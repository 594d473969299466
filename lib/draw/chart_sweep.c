/* chart_sweep.c - a metric over the number in the label: a line a series through its means, a dot a
 * run, and at what is not good its change and colour. The axis is logarithmic where that spreads
 * the numbers (1 2 4 16 32) rather than crowding them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/compare_page.h"
#include "draw/page.h"
#include "draw/palette.h"

enum { BELOW = 42, NOTE_MAX = 64 };

struct sweep {
	const struct btvi_chart *chart;
	const struct btviz_judgement *j;
	struct btvi_axis y;
	struct btvi_rect r;
	double min, max; /* numbers */
	bool logarithmic;
	struct btvi_rect notes[NOTE_MAX]; /* places taken by text */
	size_t note_count;
};

static double x_of(const struct sweep *s, double number)
{
	const double margin = 0.05 * s->r.w;
	const double share = s->logarithmic ? log(number / s->min) / log(s->max / s->min)
		: s->max > s->min           ? (number - s->min) / (s->max - s->min)
					    : 0.5;

	return s->r.x + margin + share * (s->r.w - 2 * margin);
}

static bool is_first_of_series(const struct btviz_judgement *j, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(j->groups[k]->series, j->groups[i]->series) == 0)
			return false;
	return true;
}

static void find_range(struct sweep *s)
{
	s->min = INFINITY;
	s->max = -INFINITY;
	for (size_t i = 0; i < s->j->group_count; i++) {
		s->min = fmin(s->min, s->j->groups[i]->number);
		s->max = fmax(s->max, s->j->groups[i]->number);
	}
	s->logarithmic = s->min > 0 && s->max / s->min >= 7.9;
}

static int by_number(const void *x, const void *y)
{
	const double a = (*(const struct btviz_group *const *)x)->number;
	const double b = (*(const struct btviz_group *const *)y)->number;

	return (a > b) - (a < b);
}

/* The numbers themselves are the ticks, as far as their labels have room. */
static void draw_numbers(const struct sweep *s, const struct btviz_group **sorted, size_t count)
{
	double end = -INFINITY, last = NAN;

	for (size_t i = 0; i < count; i++) {
		const double x = x_of(s, sorted[i]->number);
		const char *const at = strrchr(sorted[i]->label, '@');
		const char *const text = at && sorted[i]->series[0] ? at + 1 : sorted[i]->label;
		const double half =
			btvi_font_width(s->chart->scene->font, text, BTVI_TEXT_BODY, false) / 2;

		if (sorted[i]->number <= last)
			continue;
		last = sorted[i]->number;
		btvi_scene_rect(s->chart->scene, x - 0.4, s->r.y, 0.8, s->r.h, BTVI_GRID);
		if (x - half < end + 6)
			continue;
		end = x + half;
		btvi_scene_text(s->chart->scene, x, s->r.y + s->r.h + 16, BTVI_MIDDLE,
			BTVI_TEXT_BODY, false, BTVI_INK, text);
	}
}

static bool is_inside(struct btvi_rect box, double x, double y)
{
	return x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h;
}

/* Whether the stretch from a to b runs through the box, as far as a look at some of its points
 * tells. */
static bool crosses(struct btvi_rect box, struct btvi_point a, struct btvi_point b)
{
	enum { LOOKS = 60 };

	for (int i = 0; i <= LOOKS; i++)
		if (is_inside(box, a.x + (b.x - a.x) * i / LOOKS, a.y + (b.y - a.y) * i / LOOKS))
			return true;
	return false;
}

static bool is_free(const struct sweep *s, struct btvi_rect box, const struct btvi_point *points,
	size_t count, size_t at)
{
	if (s->note_count == NOTE_MAX || box.x < s->r.x || box.y < s->r.y ||
		box.x + box.w > s->r.x + s->r.w + BTVI_CHART_RIGHT ||
		box.y + box.h > s->r.y + s->r.h)
		return false;
	for (size_t i = 0; i < s->note_count; i++) {
		const struct btvi_rect *const o = &s->notes[i];

		if (box.x < o->x + o->w && o->x < box.x + box.w && box.y < o->y + o->h &&
			o->y < box.y + box.h)
			return false;
	}
	return (at == 0 || !crosses(box, points[at - 1], points[at])) &&
		(at + 1 == count || !crosses(box, points[at], points[at + 1]));
}

/* A text beside a point of a series: below or above it, where its line is not; else none. */
static void note(struct sweep *s, const struct btvi_point *points, size_t count, size_t at,
	uint32_t color, const char *text)
{
	const double width =
		btvi_font_width(s->chart->scene->font, text, BTVI_TEXT_SMALL, true) + 4;
	const double shifts[] = { -0.5, -0.9, -0.1 };

	for (unsigned i = 0; i < 6; i++) {
		const double y = points[at].y + (i < 3 ? 18 : -9);
		const struct btvi_rect box = { points[at].x + shifts[i % 3] * width,
			y - BTVI_TEXT_SMALL, width, BTVI_TEXT_SMALL + 3 };

		if (!is_free(s, box, points, count, at))
			continue;
		s->notes[s->note_count++] = box;
		btvi_scene_text(s->chart->scene, box.x + 2, y, BTVI_START, BTVI_TEXT_SMALL, true,
			color, text);
		return;
	}
}

static void draw_group(
	const struct sweep *s, const struct btviz_group *g, struct btvi_point at, uint32_t color)
{
	if (g->known > 1 && !isnan(g->low))
		btvi_chart_whisker(s->chart->scene, at.x, btvi_chart_y(&s->y, s->r, g->low),
			btvi_chart_y(&s->y, s->r, g->high), 8, color);
	for (size_t i = 0; i < g->count && g->known > 1; i++)
		if (!isnan(g->values[i]))
			btvi_chart_dot(s->chart->scene, at.x,
				btvi_chart_y(&s->y, s->r, g->values[i]), 4,
				btvi_rgba_alpha(color, 0.5));
	if (g->verdict == BTVIZ_VERDICT_INCONCLUSIVE)
		btvi_chart_ring(s->chart->scene, at.x, at.y, 10, color);
	else
		btvi_chart_dot(s->chart->scene, at.x, at.y, 8, color);
}

/* One series, its groups sorted by number: the line, the runs, and what is not good. */
static void draw_series(struct sweep *s, const char *name, const struct btviz_group **sorted,
	size_t count, struct btvi_point *points, uint32_t color)
{
	char number[BTVI_QUANTITY_SIZE], text[96];
	size_t n = 0, at = 0;

	for (size_t i = 0; i < count; i++)
		if (strcmp(sorted[i]->series, name) == 0 && !isnan(sorted[i]->mean))
			points[n++] = (struct btvi_point){ x_of(s, sorted[i]->number),
				btvi_chart_y(&s->y, s->r, sorted[i]->mean) };
	btvi_scene_line(s->chart->scene, points, n, 2, 0, color);
	for (size_t i = 0; i < count; i++) {
		const struct btviz_group *const g = sorted[i];

		if (strcmp(g->series, name) != 0 || isnan(g->mean))
			continue;
		draw_group(s, g, points[at], color);
		if (g->verdict == BTVIZ_VERDICT_INCONCLUSIVE) {
			note(s, points, n, at, btvi_chart_color(g->verdict), "inconclusive");
		} else if (g->verdict == BTVIZ_VERDICT_BAD ||
			g->verdict == BTVIZ_VERDICT_SPORADIC) {
			btvi_chart_percent(g->change, number);
			snprintf(
				text, sizeof text, "%s %s", number, btviz_verdict_name(g->verdict));
			note(s, points, n, at, btvi_chart_color(g->verdict), text);
		}
		at++;
	}
}

/* Names of the series, from the right end of the heading leftwards. */
static void draw_keys(const struct sweep *s)
{
	double x = s->r.x + s->r.w;
	size_t series = 0, index;

	for (size_t i = 0; i < s->j->group_count; i++)
		series += is_first_of_series(s->j, i);
	index = series;
	for (size_t i = s->j->group_count; i-- > 0;) {
		const struct btviz_group *const g = s->j->groups[i];
		double width;

		if (!is_first_of_series(s->j, i))
			continue;
		index--;
		if (g->series[0] == '\0' || x < s->r.x + 0.4 * s->r.w)
			continue;
		width = btvi_scene_text_fit(s->chart->scene, x, s->chart->box.y + 13, 0.3 * s->r.w,
			BTVI_END, BTVI_TEXT_BODY, true, BTVI_INK, g->series);
		btvi_scene_rect(s->chart->scene, x - width - 16, s->chart->box.y + 8, 12, 3,
			btvi_palette_nth(index));
		x -= width + 30;
	}
}

void btvi_chart_sweep(const struct btvi_chart *c)
{
	struct sweep s = { .chart = c, .j = c->compared->judgement };
	const size_t count = s.j->group_count;
	const struct btviz_group **const sorted = btvi_scene_alloc(c->scene, count, sizeof *sorted);
	struct btvi_point *const points = btvi_scene_alloc(c->scene, count, sizeof *points);
	size_t series = 0;

	if (!sorted || !points)
		return;
	for (size_t i = 0; i < count; i++)
		sorted[i] = s.j->groups[i];
	qsort(sorted, count, sizeof *sorted, by_number);
	find_range(&s);
	s.r = btvi_chart_frame(c, BELOW, &s.y);
	draw_numbers(&s, sorted, count);
	btvi_scene_text_fit(c->scene, s.r.x + s.r.w / 2, s.r.y + s.r.h + 33, s.r.w, BTVI_MIDDLE,
		BTVI_TEXT_SMALL, false, BTVI_INK_SOFT, c->axis);
	for (size_t i = 0; i < count; i++)
		if (is_first_of_series(s.j, i))
			draw_series(&s, s.j->groups[i]->series, sorted, count, points,
				btvi_palette_nth(series++));
	if (c->large)
		draw_keys(&s);
}
