/* draw/scene.h - a picture as a list of plain things: rectangles, lines, areas, images, texts.
 *
 * Units are points of the page before scaling; y grows downwards. Things are drawn in the order in
 * which they were added. All memory is the scene's own and goes with it. When memory runs out,
 * adding does nothing and btvi_scene_failed() says so at the end: a caller checks once. */
#ifndef BTVI_DRAW_SCENE_H
#define BTVI_DRAW_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "draw/font.h"

struct btvi_point {
	double x, y;
};

struct btvi_rect {
	double x, y, w, h;
};

enum btvi_thing_kind { BTVI_RECT, BTVI_LINE, BTVI_AREA, BTVI_IMAGE, BTVI_TEXT };
enum btvi_anchor { BTVI_START, BTVI_MIDDLE, BTVI_END };

struct btvi_thing {
	enum btvi_thing_kind kind;
	uint32_t color;            /* 0xrrggbbaa; images have their own */
	struct btvi_rect rect;     /* rectangle, image; text: x, y of its anchor on the baseline */
	struct btvi_point *points; /* line, area */
	size_t point_count;
	double width;     /* line */
	double dash;      /* line: length of dashes and of the blanks between, 0: solid */
	uint32_t *pixels; /* image: 0xrrggbbaa, not premultiplied, top row first */
	size_t columns, rows;
	const char *text; /* UTF-8 */
	double size;
	bool bold;
	enum btvi_anchor anchor;
	struct btvi_thing *next;
};

struct btvi_scene {
	double width, height;
	const struct btvi_font *font;
	struct btvi_thing *first, **last;
	struct btvi_block *blocks;
	bool failed;
};

void btvi_scene_init(struct btvi_scene *s, double width, const struct btvi_font *font);
void btvi_scene_done(struct btvi_scene *s);
bool btvi_scene_failed(const struct btvi_scene *s);

/* Zeroed memory that lives as long as the scene; NULL when there is none. */
void *btvi_scene_alloc(struct btvi_scene *s, size_t count, size_t size);

void btvi_scene_rect(struct btvi_scene *s, double x, double y, double w, double h, uint32_t color);

/* Points are copied. A NaN in y breaks a line; a lone point becomes a dot. */
void btvi_scene_line(struct btvi_scene *s, const struct btvi_point *points, size_t count,
	double width, double dash, uint32_t color);
void btvi_scene_hline(
	struct btvi_scene *s, double x0, double x1, double y, double width, uint32_t color);
void btvi_scene_area(
	struct btvi_scene *s, const struct btvi_point *points, size_t count, uint32_t color);

/* pixels belong to the scene already (btvi_scene_alloc()). */
void btvi_scene_image(struct btvi_scene *s, double x, double y, double w, double h,
	uint32_t *pixels, size_t columns, size_t rows);

/* Text on the baseline y. Copied. Returns its width. */
double btvi_scene_text(struct btvi_scene *s, double x, double y, enum btvi_anchor anchor,
	double size, bool bold, uint32_t color, const char *text);

/* The same, shortened with "…" to width. */
double btvi_scene_text_fit(struct btvi_scene *s, double x, double y, double width,
	enum btvi_anchor anchor, double size, bool bold, uint32_t color, const char *text);

/* The place that a text takes. */
struct btvi_rect btvi_scene_text_box(const struct btvi_scene *s, const struct btvi_thing *text);

/* For tests: the first text that overlaps another or leaves the page, and that other one (itself
 * where it leaves the page); false if there is none. */
bool btvi_scene_overlap(const struct btvi_scene *s, const struct btvi_thing **ret_a,
	const struct btvi_thing **ret_b);

/* For tests: the scene as text, a line a thing. */
void btvi_scene_dump(const struct btvi_scene *s, FILE *out);

#endif
