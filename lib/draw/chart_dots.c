/* chart_dots.c - a column a label: each run a dot, in the order in which they were made, so that a
 * label whose runs are of two kinds shows it; the mean a bar, its interval a whisker; dashed lines
 * for the base's mean and for where far below begins. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/compare_page.h"
#include "draw/palette.h"
#include "draw/page.h"

enum { ROW = 16, SMALL_ROW = 15 };

static void draw_runs(const struct btvi_chart *c, const struct btvi_axis *y, struct btvi_rect r,
	const struct btviz_group *g, double x, double width)
{
	const double spread = fmin(width * 0.6, 9.0 * (double)(g->count - 1));
	const double size = g->count > 40 ? 4 : c->large ? 8 : 6;
	const uint32_t color = btvi_rgba_alpha(btvi_chart_color(g->verdict), 0.75);

	for (size_t i = 0; i < g->count; i++) {
		const double step = g->count > 1 ? (double)i / (double)(g->count - 1) - 0.5 : 0;

		if (!isnan(g->values[i]))
			btvi_chart_dot(c->scene, x + spread * step,
				btvi_chart_y(y, r, g->values[i]), size, color);
	}
}

static void draw_column(const struct btvi_chart *c, const struct btvi_axis *y, struct btvi_rect r,
	const struct btviz_group *g, double x, double width)
{
	const struct btviz_judgement *const j = c->compared->judgement;
	const double left = x - width / 2, right = x + width / 2;

	if (g->base < j->group_count && g->verdict != BTVIZ_VERDICT_BASE &&
		!isnan(j->groups[g->base]->mean)) {
		const double base_y = btvi_chart_y(y, r, j->groups[g->base]->mean);
		const struct btvi_point base[] = { { left, base_y }, { right, base_y } };

		btvi_scene_line(c->scene, base, 2, 1, 4, BTVI_INK_SOFT);
		if (!isnan(g->bar) && g->bar >= y->min && g->bar <= y->max) {
			const double bar_y = btvi_chart_y(y, r, g->bar);
			const struct btvi_point bar[] = { { left, bar_y }, { right, bar_y } };

			btvi_scene_line(c->scene, bar, 2, 1, 2, BTVI_ALARM);
		}
	}
	if (isnan(g->mean)) {
		btvi_scene_text_fit(c->scene, x, r.y + r.h / 2, width - 4, BTVI_MIDDLE,
			BTVI_TEXT_SMALL, false, BTVI_INK_SOFT, "no figure");
		return;
	}
	if (!isnan(g->low) && g->known > 1)
		btvi_chart_whisker(c->scene, x, btvi_chart_y(y, r, g->low),
			btvi_chart_y(y, r, g->high), 10, BTVI_INK);
	btvi_scene_hline(c->scene, x - width * 0.38, x + width * 0.38, btvi_chart_y(y, r, g->mean),
		2, BTVI_INK);
	draw_runs(c, y, r, g, x, width);
}

/* Label, mean, change and verdict. */
static void draw_texts(
	const struct btvi_chart *c, const struct btviz_group *g, double x, double y, double width)
{
	char number[BTVI_QUANTITY_SIZE], text[128], label[BTVI_CHART_LABEL_SIZE];
	const double size = c->large ? BTVI_TEXT_BODY : BTVI_TEXT_SMALL;
	const double row = c->large ? ROW : SMALL_ROW;
	const double fit = width - 6;

	btvi_scene_text_fit(c->scene, x, y, fit, BTVI_MIDDLE, size, true, BTVI_INK,
		btvi_chart_label(c, g->label, size, fit, label));
	y += row;
	if (c->large) {
		snprintf(text, sizeof text, "%s %s", btvi_chart_figure(g->mean, number),
			isnan(g->mean) ? "" : c->compared->metric->unit);
		btvi_scene_text_fit(c->scene, x, y, fit, BTVI_MIDDLE, size, false, BTVI_INK, text);
		y += row;
	}
	if (g->verdict == BTVIZ_VERDICT_BASE) {
		strcpy(text, "base");
	} else {
		btvi_chart_percent(g->change, number);
		snprintf(text, sizeof text, "%s %s", number, btviz_verdict_name(g->verdict));
		if (btvi_font_width(c->scene->font, text, size, true) > fit)
			snprintf(text, sizeof text, "%s", btviz_verdict_name(g->verdict));
	}
	btvi_scene_text_fit(c->scene, x, y, fit, BTVI_MIDDLE, size,
		g->verdict != BTVIZ_VERDICT_BASE,
		g->verdict == BTVIZ_VERDICT_BASE ? BTVI_INK_SOFT : btvi_chart_color(g->verdict),
		text);
}

void btvi_chart_dots(const struct btvi_chart *c)
{
	const struct btviz_judgement *const j = c->compared->judgement;
	struct btvi_axis y;
	const struct btvi_rect r =
		btvi_chart_frame(c, c->large ? 3 * ROW + 6 : 2 * SMALL_ROW + 6, &y);
	const double width = r.w / (double)j->group_count;

	for (size_t i = 0; i < j->group_count; i++) {
		const double x = r.x + ((double)i + 0.5) * width;

		draw_column(c, &y, r, j->groups[i], x, width);
		draw_texts(c, j->groups[i], x, r.y + r.h + (c->large ? ROW : SMALL_ROW) + 2, width);
	}
}
