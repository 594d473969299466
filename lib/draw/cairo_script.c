/* cairo_script.c - text in any script through Pango.
 *
 * Pango is not linked: with its dependencies it would cost every command that uses the library some
 * 9 ms of start-up (of 13 ms without it), and hardly any label needs it. So it is loaded when a
 * text does; where it is not installed, such a text is drawn as well as cairo can. Its few
 * functions are declared here as its ABI has had them since 1.22 (2008). */
#include "draw/cairo_script.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const struct {
	size_t offset;
	const char *name;
} functions[] = {
	{ offsetof(struct btvi_script, create_layout), "pango_cairo_create_layout" },
	{ offsetof(struct btvi_script, set_text), "pango_layout_set_text" },
	{ offsetof(struct btvi_script, set_single_paragraph),
		"pango_layout_set_single_paragraph_mode" },
	{ offsetof(struct btvi_script, get_size), "pango_layout_get_size" },
	{ offsetof(struct btvi_script, get_baseline), "pango_layout_get_baseline" },
	{ offsetof(struct btvi_script, show_layout), "pango_cairo_show_layout" },
	{ offsetof(struct btvi_script, font_from_string), "pango_font_description_from_string" },
	{ offsetof(struct btvi_script, set_absolute_size),
		"pango_font_description_set_absolute_size" },
	{ offsetof(struct btvi_script, set_font), "pango_layout_set_font_description" },
	{ offsetof(struct btvi_script, free_font), "pango_font_description_free" },
	{ offsetof(struct btvi_script, unref), "g_object_unref" },
};

static const double pango_scale = 1024;

/* Beyond Latin, Greek and Cyrillic; punctuation and mathematics are in every font. */
static bool needs_pango(const char *text)
{
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		uint32_t point;

		if (*c < 0xd6) /* U+0580 and up begin with 0xd6 */
			continue;
		if (*c < 0xe0) {
			if (c[1])
				return true;
			continue;
		}
		if (*c >= 0xf0)
			return true;
		if (!c[1] || !c[2])
			return false;
		point = (*c & 0xfU) << 12 | (c[1] & 0x3fU) << 6 | (c[2] & 0x3fU);
		if (!(point >= 0x1e00 && point < 0x2300) && point != 0xfffd)
			return true;
		c += 2;
	}
	return false;
}

static bool load(struct btvi_script *s)
{
	void *library;

	if (s->tried)
		return s->loaded;
	s->tried = true;
	/* Never closed: GLib registers types for the process's life. */
	library = dlopen("libpangocairo-1.0.so.0", RTLD_NOW | RTLD_LOCAL);
	s->loaded = library != NULL;
	for (size_t i = 0; s->loaded && i < sizeof functions / sizeof functions[0]; i++) {
		void *function = dlsym(library, functions[i].name);

		/* POSIX has both kinds of pointers alike; C alone does not. */
		memcpy((char *)s + functions[i].offset, &function, sizeof function);
		s->loaded = function != NULL;
	}
	return s->loaded;
}

bool btvi_script_text(struct btvi_script *s, cairo_t *cr, const char *text, double size, bool bold,
	bool draw, double *ret_width)
{
	void *layout, *font;
	int width = 0, height = 0;

	if (!needs_pango(text) || !load(s))
		return false;
	layout = s->create_layout(cr);
	font = s->font_from_string(bold ? "sans bold" : "sans");
	if (layout && font) {
		s->set_absolute_size(font, size * pango_scale);
		s->set_font(layout, font);
		s->set_single_paragraph(layout, 1);
		s->set_text(layout, text, -1);
		s->get_size(layout, &width, &height);
		if (draw) {
			const int baseline = s->get_baseline(layout);

			cairo_rel_move_to(cr, 0, -baseline / pango_scale);
			s->show_layout(cr, layout);
		}
	}
	if (font)
		s->free_font(font);
	if (layout)
		s->unref(layout);
	if (ret_width)
		*ret_width = width / pango_scale;
	return layout && font;
}
