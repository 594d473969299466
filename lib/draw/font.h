/* draw/font.h - how wide a text is. The layout asks through this, so that it needs no cairo and a
 * test can lay out with a font whose every character has the same width. */
#ifndef BTVI_DRAW_FONT_H
#define BTVI_DRAW_FONT_H

#include <stdbool.h>

struct btvi_font {
	double (*width)(void *data, const char *text, double size, bool bold);
	void *data;
};

static inline double btvi_font_width(
	const struct btvi_font *font, const char *text, double size, bool bold)
{
	return font->width(font->data, text, size, bold);
}

/* A font for tests: each character (UTF-8) is 0.6 of the size wide. */
extern const struct btvi_font btvi_font_fixed;

/* Copies text into out, made printable, shortened with "…" to what fits into width. Returns out. */
const char *btvi_font_fit(const struct btvi_font *font, const char *text, double size, bool bold,
	double width, char *out, unsigned out_size);

/* Breaks text at blanks: how many bytes of it fit into width, at least one word. *ret_next is where
 * the following line begins. */
unsigned btvi_font_break(const struct btvi_font *font, const char *text, double size, bool bold,
	double width, const char **ret_next);

#endif
