/* draw/cairo_script.h - text in scripts that cairo's own text functions cannot draw: those that
 * join or reorder letters, and those that no one font holds together with Latin. For cairo_page.c
 * only. */
#ifndef BTVI_DRAW_CAIRO_SCRIPT_H
#define BTVI_DRAW_CAIRO_SCRIPT_H

#include <cairo.h>
#include <stdbool.h>

/* Pango's functions, loaded when first needed. To start with: all zero. */
struct btvi_script {
	bool tried, loaded;
	void *(*create_layout)(cairo_t *);
	void (*set_text)(void *layout, const char *text, int size);
	void (*set_single_paragraph)(void *layout, int yes);
	void (*get_size)(void *layout, int *width, int *height);
	int (*get_baseline)(void *layout);
	void (*show_layout)(cairo_t *, void *layout);
	void *(*font_from_string)(const char *);
	void (*set_absolute_size)(void *font, double size);
	void (*set_font)(void *layout, const void *font);
	void (*free_font)(void *font);
	void (*unref)(void *layout);
};

/* Measures text, or draws it with its baseline's left end at the current point, where it needs to
 * be drawn that way and can be: else false, and nothing happens. draw false: only the width. */
bool btvi_script_text(struct btvi_script *s, cairo_t *cr, const char *text, double size, bool bold,
	bool draw, double *ret_width);

#endif
