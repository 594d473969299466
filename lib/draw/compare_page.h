/* draw/compare_page.h - what the charts of a comparison share. They draw what was judged and
 * compute no figure. */
#ifndef BTVI_DRAW_COMPARE_PAGE_H
#define BTVI_DRAW_COMPARE_PAGE_H

#include <btviz/compare.h>

#include "base/quantity.h"
#include "draw/axis.h"
#include "draw/scene.h"

/* One chart: a metric within a rectangle, which holds its heading and the texts below it, too. */
struct btvi_chart {
	struct btvi_scene *scene;
	const struct btviz_compared *compared;
	struct btvi_rect box;
	bool large;
	const char *axis; /* the title of a sweep's axis */
};

/* The part of the box above, at the left of and below the plotting area. */
enum { BTVI_CHART_LEFT = 58, BTVI_CHART_TOP = 26, BTVI_CHART_RIGHT = 12 };

void btvi_chart_dots(const struct btvi_chart *c);
void btvi_chart_sweep(const struct btvi_chart *c);

/* Lays out the whole page into a new scene of some width; height 0: what it needs. BTVIZ_OK,
 * BTVIZ_ERR_USAGE (too small), BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_compare_lay_out(struct btvi_scene *s, const struct btviz_compared *metrics,
	size_t count, const struct btviz_comparison_plot_options *o, double height,
	struct btviz_error *err);

/* ---- for both -------------------------------------------------------------------------------- */

/* The plotting area of a chart with so much below it, its y axis from 0 (or the lowest figure, if
 * that is below) to the highest: grid, labels, heading. */
struct btvi_rect btvi_chart_frame(
	const struct btvi_chart *c, double below, struct btvi_axis *ret_y);
double btvi_chart_y(const struct btvi_axis *y, struct btvi_rect r, double value);

/* A figure with three digits, as the table has it. */
const char *btvi_chart_figure(double x, char out[BTVI_QUANTITY_SIZE]);

/* "-42 %", "+18 %", "0 %", "n/a". */
const char *btvi_chart_percent(double share, char out[BTVI_QUANTITY_SIZE]);

/* The colour of a verdict's word, and of its dots. */
uint32_t btvi_chart_color(enum btviz_verdict verdict);

/* A label that fits, or that begins with an ellipsis where all labels begin alike. Returns out. */
enum { BTVI_CHART_LABEL_SIZE = 300 };
const char *btvi_chart_label(const struct btvi_chart *c, const char *label, double size,
	double width, char out[BTVI_CHART_LABEL_SIZE]);

/* Verdicts in words from y on: all that are bad, and of the others as many as there is room for;
 * returns the last line's y. */
double btvi_compare_reasons_height(const struct btviz_judgement *j);
double btvi_compare_reasons(
	struct btvi_scene *s, const struct btviz_judgement *j, double y, double width);

/* The options' notes, a line each. */
double btvi_compare_notes_height(const struct btviz_comparison_plot_options *o);
void btvi_compare_notes(struct btvi_scene *s, const struct btviz_comparison_plot_options *o,
	double y, double width);

/* A ring: what cannot be told is no full dot. */
void btvi_chart_ring(struct btvi_scene *s, double x, double y, double size, uint32_t color);

void btvi_chart_dot(struct btvi_scene *s, double x, double y, double size, uint32_t color);
void btvi_chart_whisker(
	struct btvi_scene *s, double x, double y_low, double y_high, double width, uint32_t color);

#endif
