/* compare_plot.c - the public way to a comparison's picture: the page, and what its charts share.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"
#include "base/output.h"
#include "base/status.h"
#include "draw/cairo_page.h"
#include "draw/compare_page.h"
#include "draw/encode.h"
#include "draw/page.h"
#include "draw/palette.h"

enum {
	MARGIN = 20,
	TITLE = 30,
	SUBTITLE = 20,
	LARGE = 340,
	SMALL = 190,
	BLANK = 14,
	FOOT = 20,
	WIDTH_MIN = 560,
	WIDTH_NOTES = 800, /* sentences want more */
	WIDTH_MAX = 1900,
};

/* ---- what charts share ------------------------------------------------------------------------
 */

double btvi_chart_y(const struct btvi_axis *y, struct btvi_rect r, double value)
{
	return r.y + r.h * (1 - btvi_axis_place(y, value));
}

struct btvi_rect btvi_chart_frame(const struct btvi_chart *c, double below, struct btvi_axis *ret_y)
{
	const struct btviz_judgement *const j = c->compared->judgement;
	const struct btviz_metric_info *const metric = c->compared->metric;
	const struct btvi_rect r = { c->box.x + BTVI_CHART_LEFT, c->box.y + BTVI_CHART_TOP,
		c->box.w - BTVI_CHART_LEFT - BTVI_CHART_RIGHT, c->box.h - BTVI_CHART_TOP - below };
	double low = 0, high = 0;
	char heading[160];

	for (size_t i = 0; i < j->group_count; i++) {
		const struct btviz_group *const g = j->groups[i];

		low = isnan(g->min) ? low : fmin(low, g->min);
		high = isnan(g->max) ? high : fmax(high, g->max);
		high = isnan(g->bar) ? high : fmax(high, g->bar);
	}
	if (!(high > low))
		high = low + 1;
	btvi_axis_init(ret_y, BTVI_AXIS_COUNT, low, high + 0.03 * (high - low),
		(unsigned)fmax(r.h / 40, 2), true);
	for (unsigned i = 0; i < ret_y->tick_count; i++) {
		const double y = btvi_chart_y(ret_y, r, ret_y->ticks[i].at);

		btvi_scene_hline(c->scene, r.x, r.x + r.w, y, 0.8, i == 0 ? BTVI_AXIS : BTVI_GRID);
		btvi_scene_text_fit(c->scene, r.x - 6, y + 4, BTVI_CHART_LEFT - 8, BTVI_END,
			BTVI_TEXT_SMALL, false, BTVI_INK_SOFT, ret_y->ticks[i].label);
	}
	snprintf(heading, sizeof heading, "%s%s%s%s%s%s", metric->title,
		metric->unit[0] ? ", " : "", metric->unit, ret_y->unit[0] ? ", " : "", ret_y->unit,
		metric->lower_is_better ? " (less is better)" : "");
	btvi_scene_text_fit(c->scene, c->box.x, c->box.y + 13, c->box.w * (c->large ? 0.6 : 1),
		BTVI_START, c->large ? BTVI_TEXT_BODY + 1 : BTVI_TEXT_BODY, true, BTVI_INK,
		heading);
	return r;
}

const char *btvi_chart_figure(double x, char out[BTVI_QUANTITY_SIZE])
{
	const double size = fabs(x);

	return btvi_quantity_fixed(x, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2, out);
}

const char *btvi_chart_percent(double share, char out[BTVI_QUANTITY_SIZE])
{
	const double percent = round(100 * share) + 0.0;
	char number[BTVI_QUANTITY_SIZE];

	if (isnan(share))
		return strcpy(out, "n/a");
	btvi_quantity_fixed(percent, 0, number);
	snprintf(out, BTVI_QUANTITY_SIZE, "%s%.30s %%", percent > 0 ? "+" : "", number);
	return out;
}

uint32_t btvi_chart_color(enum btviz_verdict verdict)
{
	switch (verdict) {
	case BTVIZ_VERDICT_GOOD:
		return 0x007a5affU;
	case BTVIZ_VERDICT_BAD:
		return BTVI_ALARM;
	case BTVIZ_VERDICT_SPORADIC:
		return 0xc46a00ffU;
	case BTVIZ_VERDICT_BASE:
		return BTVI_READ;
	case BTVIZ_VERDICT_INCONCLUSIVE:
		break;
	}
	return BTVI_INK_SOFT;
}

void btvi_chart_dot(struct btvi_scene *s, double x, double y, double size, uint32_t color)
{
	enum { CORNERS = 16 };
	struct btvi_point points[CORNERS];

	for (int i = 0; i < CORNERS; i++) {
		const double angle = 2 * acos(-1) * i / CORNERS;

		points[i] =
			(struct btvi_point){ x + size / 2 * cos(angle), y + size / 2 * sin(angle) };
	}
	btvi_scene_area(s, points, CORNERS, color);
}

void btvi_chart_ring(struct btvi_scene *s, double x, double y, double size, uint32_t color)
{
	btvi_chart_dot(s, x, y, size, color);
	btvi_chart_dot(s, x, y, size - 4, BTVI_PAPER);
}

void btvi_chart_whisker(
	struct btvi_scene *s, double x, double y_low, double y_high, double width, uint32_t color)
{
	const struct btvi_point line[] = { { x, y_low }, { x, y_high } };

	btvi_scene_line(s, line, 2, 1.2, 0, color);
	btvi_scene_hline(s, x - width / 2, x + width / 2, y_low, 1.2, color);
	btvi_scene_hline(s, x - width / 2, x + width / 2, y_high, 1.2, color);
}

/* ---- the page ----------------------------------------------------------------------------------
 */

static bool is_sweep(const struct btviz_judgement *j, enum btviz_chart chart)
{
	return chart == BTVIZ_CHART_SWEEP || (chart == BTVIZ_CHART_AUTO && j->sweep);
}

static double natural_width(const struct btviz_judgement *j, bool sweep, bool notes)
{
	const size_t columns = sweep ? 5 : j->group_count;
	const double each = columns > 12 ? 90 : 120;

	return fmin(fmax(2 * MARGIN + BTVI_CHART_LEFT + BTVI_CHART_RIGHT + (double)columns * each,
			    notes ? WIDTH_NOTES : WIDTH_MIN),
		WIDTH_MAX);
}

static void draw_chart(struct btvi_scene *s, const struct btviz_compared *compared,
	struct btvi_rect box, bool large, bool sweep, const char *axis)
{
	const struct btvi_chart c = { s, compared, box, large, axis };

	if (sweep)
		btvi_chart_sweep(&c);
	else
		btvi_chart_dots(&c);
}

static void subtitle(const struct btviz_judgement *j, char *out, size_t size)
{
	const struct btviz_group *const base = j->groups[j->base];
	const bool series = j->sweep && base->series && base->series[0];
	char number[BTVI_QUANTITY_SIZE], expected[BTVI_QUANTITY_SIZE] = "";
	char text[BTVI_QUANTITY_SIZE * 2] = "";

	if (j->expect < 0 || j->expect > 0) {
		btvi_chart_percent(j->expect, expected);
		snprintf(text, sizeof text, " · expected %s", expected);
	}
	btvi_quantity_fixed(100 * j->threshold, j->threshold * 100 < 9.95 ? 1 : 0, number);
	snprintf(out, size, "base %.100s · threshold %s %%%s · verdict: %s",
		series ? base->series : base->label, number, text, btviz_verdict_name(j->verdict));
}

/* "54a6eb5c against 2.6.25", "3 labels against 2.6.25". */
static void usual_title(const struct btviz_judgement *j, char *out, size_t size)
{
	const struct btviz_group *const base = j->groups[j->base], *other = NULL;
	const bool series = j->sweep && base->series && base->series[0];
	const char *const base_name = series ? base->series : base->label;
	size_t others = 0;

	for (size_t i = 0; i < j->group_count; i++) {
		const struct btviz_group *const g = j->groups[i];

		if (g->verdict == BTVIZ_VERDICT_BASE ||
			(series && other && strcmp(other->series, g->series) == 0))
			continue;
		other = g;
		others++;
	}
	if (others == 1)
		snprintf(out, size, "%.150s against %.150s", series ? other->series : other->label,
			base_name);
	else
		snprintf(out, size, "%zu %s against %.150s", others, series ? "series" : "labels",
			base_name);
}

enum btviz_status btvi_compare_lay_out(struct btvi_scene *s, const struct btviz_compared *metrics,
	size_t count, const struct btviz_comparison_plot_options *o, double height,
	struct btviz_error *err)
{
	const struct btviz_judgement *const j = metrics[0].judgement;
	const bool sweep = is_sweep(j, o->chart);
	const size_t rows = count / 2; /* of two small charts */
	const double fixed = 2 * MARGIN + TITLE + SUBTITLE + (double)rows * (SMALL + BLANK) +
		btvi_compare_reasons_height(j) + btvi_compare_notes_height(o) + BLANK + FOOT;
	const double large = height > 0 ? height - fixed : LARGE;
	const double half = (s->width - 2 * MARGIN - BLANK) / 2;
	const char *const axis = o->axis && o->axis[0] ? o->axis : "number in the label";
	char text[400];
	double y = MARGIN;

	if (large < 160 || s->width < 300)
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"the picture is too small: it needs %.0f x %.0f at this resolution", 300.0,
			fixed + 160);
	s->height = fixed + large;
	btvi_scene_rect(s, 0, 0, s->width, s->height, BTVI_PAPER);
	usual_title(j, text, sizeof text);
	btvi_scene_text_fit(s, MARGIN, y + BTVI_TEXT_TITLE, s->width - 2 * MARGIN, BTVI_START,
		BTVI_TEXT_TITLE, true, BTVI_INK, o->title && o->title[0] ? o->title : text);
	y += TITLE;
	subtitle(j, text, sizeof text);
	btvi_scene_text_fit(s, MARGIN, y + BTVI_TEXT_BODY - 2, s->width - 2 * MARGIN, BTVI_START,
		BTVI_TEXT_BODY, false, BTVI_INK_SOFT, text);
	y += SUBTITLE;
	draw_chart(s, &metrics[0], (struct btvi_rect){ MARGIN, y, s->width - 2 * MARGIN, large },
		true, sweep, axis);
	y += large;
	for (size_t i = 1; i < count; i++) {
		const bool right = i % 2 == 0;

		if (!right)
			y += BLANK;
		draw_chart(s, &metrics[i],
			(struct btvi_rect){ MARGIN + (right ? half + BLANK : 0), y, half, SMALL },
			false, sweep, axis);
		if (right || i + 1 == count)
			y += SMALL;
	}
	y = btvi_compare_reasons(s, j, y + BLANK / 2, s->width);
	btvi_compare_notes(s, o, y, s->width);
	btvi_scene_text_fit(s, MARGIN, s->height - MARGIN + 4, s->width - 2 * MARGIN, BTVI_START,
		BTVI_TEXT_SMALL, false, BTVI_INK_SOFT,
		sweep ? "small dots: runs · large dots: means · rings: inconclusive · whiskers: 95 % interval"
		      : "dots: runs in order · bar: mean · whisker: 95 % interval · dashed: base · dotted: far below");
	return btvi_scene_failed(s) ? btvi_fail_nomem(err) : BTVIZ_OK;
}

static enum btviz_status check(const struct btviz_compared *metrics, size_t count,
	const struct btviz_comparison_plot_options *o, enum btviz_plot_kind kind,
	struct btviz_error *err)
{
	if (count == 0 || metrics[0].judgement->group_count == 0)
		return btvi_fail(err, BTVIZ_ERR_USAGE, "nothing to draw");
	if (kind == BTVIZ_PLOT_HTML)
		return btvi_fail(
			err, BTVIZ_ERR_USAGE, "a comparison is drawn as .png, .svg or .pdf");
	if (!(o->dpi >= 0 && o->dpi <= 10000 && o->width_px >= 0 && o->height_px >= 0))
		return btvi_fail(err, BTVIZ_ERR_USAGE, "a size that makes no sense");
	for (size_t i = 0; i < metrics[0].judgement->group_count; i++)
		if (o->chart == BTVIZ_CHART_SWEEP && !metrics[0].judgement->groups[i]->series)
			return btvi_fail(err, BTVIZ_ERR_USAGE,
				"no sweep: the label '%s' is no number and no NAME@NUMBER",
				metrics[0].judgement->groups[i]->label);
	return BTVIZ_OK;
}

/* What the picture shows, for those who do not look at it. The caller frees it. */
static char *about(const struct btviz_judgement *j)
{
	struct btvi_bytes b = { 0 };

	for (size_t i = 0; i < j->group_count; i++) {
		char line[1024];

		snprintf(line, sizeof line, "%s%s: %s%s%s", i > 0 ? "\n" : "", j->groups[i]->label,
			btviz_verdict_name(j->groups[i]->verdict),
			j->groups[i]->reason[0] ? ", " : "", j->groups[i]->reason);
		btvi_bytes_text(&b, line);
	}
	btvi_bytes_add(&b, "", 1);
	if (b.failed)
		btvi_bytes_done(&b);
	return (char *)b.data;
}

static enum btviz_status draw(const struct btviz_compared *metrics, size_t count,
	const struct btviz_comparison_plot_options *o, enum btviz_plot_kind kind,
	const struct btvi_font *font, struct btvi_bytes *out, struct btviz_error *err)
{
	const struct btviz_judgement *const j = metrics[0].judgement;
	const double dpi = o->dpi > 0 ? o->dpi : 96;
	const double natural = natural_width(j, is_sweep(j, o->chart), o->note_count > 0);
	char *const description = about(j);
	struct btvi_encoding e = { .pixel = dpi / 96,
		.dpi = dpi,
		.boxes = o->boxes_for_text,
		.title = o->title && o->title[0] ? o->title : metrics[0].metric->title,
		.about = description,
		.command = o->command };
	const double width = o->width_px > 0 ? o->width_px / e.pixel : natural;
	struct btvi_scene s;
	enum btviz_status status;

	if (!description)
		return btvi_fail_nomem(err);
	btvi_scene_init(&s, width, font);
	status = btvi_compare_lay_out(&s, metrics, count, o, o->height_px / e.pixel, err);
	if (status == BTVIZ_OK)
		status = btvi_encode(&s, &e, kind, out, err);
	btvi_scene_done(&s);
	free(description);
	return status;
}

static enum btviz_status plot(const struct btviz_compared *metrics, size_t metric_count,
	const struct btviz_comparison_plot_options *options, enum btviz_plot_kind kind,
	struct btvi_bytes *out, struct btviz_error *err)
{
	struct btviz_comparison_plot_options o = BTVIZ_COMPARISON_PLOT_OPTIONS_INIT;
	enum btviz_status status =
		btvi_options_take(&o, sizeof o, options, "btviz_comparison_plot_options", err);
	struct btvi_font *font = NULL;

	if (status == BTVIZ_OK)
		status = check(metrics, metric_count, &o, kind, err);
	if (status != BTVIZ_OK)
		return status;
	if (!o.boxes_for_text) {
		font = btvi_cairo_font_new();
		if (!font)
			return btvi_fail_nomem(err);
	}
	status = draw(metrics, metric_count, &o, kind, font ? font : &btvi_font_fixed, out, err);
	btvi_cairo_font_free(font);
	if (status != BTVIZ_OK)
		btvi_bytes_done(out);
	return status;
}

enum btviz_status btviz_comparison_plot_write_file(const struct btviz_compared *metrics,
	size_t metric_count, const struct btviz_comparison_plot_options *options,
	enum btviz_plot_kind kind, const char *path, struct btviz_error *err)
{
	struct btvi_bytes out = { 0 };
	enum btviz_status status = plot(metrics, metric_count, options, kind, &out, err);

	if (status == BTVIZ_OK)
		status = btvi_output_file(out.data, out.size, path, err);
	btvi_bytes_done(&out);
	return status;
}

enum btviz_status btviz_comparison_plot_write_fd(const struct btviz_compared *metrics,
	size_t metric_count, const struct btviz_comparison_plot_options *options,
	enum btviz_plot_kind kind, int fd, struct btviz_error *err)
{
	struct btvi_bytes out = { 0 };
	enum btviz_status status = plot(metrics, metric_count, options, kind, &out, err);

	if (status == BTVIZ_OK)
		status = btvi_output_fd(out.data, out.size, fd, err);
	btvi_bytes_done(&out);
	return status;
}

enum btviz_status btviz_comparison_plot_write_buffer(const struct btviz_compared *metrics,
	size_t metric_count, const struct btviz_comparison_plot_options *options,
	enum btviz_plot_kind kind, unsigned char **ret_bytes, size_t *ret_size,
	struct btviz_error *err)
{
	struct btvi_bytes out = { 0 };
	const enum btviz_status status = plot(metrics, metric_count, options, kind, &out, err);

	if (status != BTVIZ_OK)
		return status;
	*ret_bytes = out.data;
	*ret_size = out.size;
	return BTVIZ_OK;
}
