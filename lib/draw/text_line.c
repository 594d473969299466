/* text_line.c - lines of text for a terminal. Knows nothing of runs. Text was made printable
 * before. */
#include "draw/text_line.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/quantity.h"

static uint32_t character(const char *text, size_t *ret_bytes)
{
	const unsigned char *c = (const unsigned char *)text;
	const size_t n = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
	uint32_t code = n == 1 ? c[0] : c[0] & (0x7fU >> n);

	for (size_t i = 1; i < n; i++) {
		if ((c[i] & 0xc0) != 0x80) {
			*ret_bytes = 1;
			return 0xfffd;
		}
		code = code << 6 | (c[i] & 0x3f);
	}
	*ret_bytes = n;
	return code;
}

/* Unicode's East Asian Width W and F, and emoji, in the ranges that occur; and marks that combine.
 * wcwidth() would ask the locale, which a library leaves alone. */
unsigned btvi_text_width(const char *text, size_t *ret_bytes)
{
	static const struct {
		uint32_t first, last;
		unsigned width;
	} ranges[] = { { 0x0300, 0x036f, 0 }, { 0x0483, 0x0489, 0 }, { 0x0591, 0x05bd, 0 },
		{ 0x0610, 0x061a, 0 }, { 0x064b, 0x065f, 0 }, { 0x06d6, 0x06dc, 0 },
		{ 0x093a, 0x093c, 0 }, { 0x0941, 0x0948, 0 }, { 0x0e34, 0x0e3a, 0 },
		{ 0x1100, 0x115f, 2 }, { 0x1ab0, 0x1aff, 0 }, { 0x200b, 0x200f, 0 },
		{ 0x20d0, 0x20f0, 0 }, { 0x231a, 0x231b, 2 }, { 0x23e9, 0x23ec, 2 },
		{ 0x25fd, 0x25fe, 2 }, { 0x2614, 0x2615, 2 }, { 0x2648, 0x2653, 2 },
		{ 0x26a1, 0x26a1, 2 }, { 0x2705, 0x2705, 2 }, { 0x2728, 0x2728, 2 },
		{ 0x274c, 0x274e, 2 }, { 0x2e80, 0x303e, 2 }, { 0x3041, 0x33ff, 2 },
		{ 0x3400, 0x4dbf, 2 }, { 0x4e00, 0x9fff, 2 }, { 0xa000, 0xa4cf, 2 },
		{ 0xac00, 0xd7a3, 2 }, { 0xf900, 0xfaff, 2 }, { 0xfe00, 0xfe0f, 0 },
		{ 0xfe30, 0xfe6f, 2 }, { 0xff00, 0xff60, 2 }, { 0xffe0, 0xffe6, 2 },
		{ 0x1f300, 0x1f64f, 2 }, { 0x1f680, 0x1f6ff, 2 }, { 0x1f900, 0x1faff, 2 },
		{ 0x20000, 0x3fffd, 2 } };
	const uint32_t code = character(text, ret_bytes);

	for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return ranges[i].width;
	return 1;
}

static void paint(struct btvi_text *t, int color)
{
	char code[24];

	if (!t->color || color == t->painting)
		return;
	t->painting = color;
	if (color == BTVI_PAINT_NONE)
		snprintf(code, sizeof code, "\033[0m");
	else if (color == BTVI_PAINT_BOLD)
		snprintf(code, sizeof code, "\033[0;1m");
	else if (color == BTVI_PAINT_DIM)
		snprintf(code, sizeof code, "\033[0;2m");
	else
		snprintf(code, sizeof code, "\033[0;38;5;%dm", color);
	btvi_bytes_text(t->out, code);
}

static unsigned width_of(const char *text)
{
	unsigned width = 0;
	size_t n;

	for (; *text; text += n)
		width += btvi_text_width(text, &n);
	return width;
}

/* Size bytes of text. In ASCII what is none becomes the nearest sign. */
static void add_plain(struct btvi_text *t, const char *text, size_t size)
{
	for (size_t i = 0, n; i < size; i += n) {
		t->at += btvi_text_width(text + i, &n);
		if (!t->ascii || n == 1)
			btvi_bytes_add(t->out, text + i, n);
		else if (n == 2 && memcmp(text + i, "\xc2\xb5", 2) == 0)
			btvi_bytes_text(t->out, "u"); /* µs */
		else if (n == 2 && memcmp(text + i, "\xc2\xb7", 2) == 0)
			btvi_bytes_text(t->out, "-"); /* · */
		else if (n == 3 && memcmp(text + i, "\xe2\x80\xa6", 3) == 0)
			btvi_bytes_text(t->out, "~"); /* … */
		else
			btvi_bytes_text(t->out, btvi_text_width(text + i, &n) == 2 ? "??" : "?");
	}
}

void btvi_text_add(struct btvi_text *t, int color, const char *text, unsigned width)
{
	const unsigned left = t->columns > t->at ? t->columns - t->at : 0;
	unsigned used = 0;
	size_t end = 0, n;

	width = width < left ? width : left;
	if (width == 0 || !*text)
		return;
	paint(t, color);
	if (width_of(text) <= width) {
		add_plain(t, text, strlen(text));
		return;
	}
	while (used + btvi_text_width(text + end, &n) <= width - 1) {
		used += btvi_text_width(text + end, &n);
		end += n;
	}
	add_plain(t, text, end);
	add_plain(t, "…", 3);
}

void btvi_text_add_right(struct btvi_text *t, int color, const char *text, unsigned width)
{
	const unsigned used = width_of(text);

	if (used < width)
		btvi_text_to(t, t->at + width - used);
	btvi_text_add(t, color, text, width);
}

void btvi_text_to(struct btvi_text *t, unsigned column)
{
	if (t->at < column)
		paint(t, BTVI_PAINT_NONE);
	for (; t->at < column && t->at < t->columns; t->at++)
		btvi_bytes_text(t->out, " ");
}

void btvi_text_end_line(struct btvi_text *t)
{
	paint(t, BTVI_PAINT_NONE);
	btvi_bytes_text(t->out, "\n");
	t->at = 0;
}

void btvi_text_wrap(struct btvi_text *t, int color, const char *text, unsigned indent)
{
	while (*text == ' ')
		text++;
	while (*text) {
		char line[1024];
		size_t end = 0, fits = 0, n;
		unsigned used = indent;

		btvi_text_to(t, indent);
		while (text[end] && used + btvi_text_width(text + end, &n) <= t->columns &&
			end + n < sizeof line) {
			used += btvi_text_width(text + end, &n);
			end += n;
			if ((text[end] == ' ' && !btvi_quantity_tied(text, end)) ||
				text[end] == '\0')
				fits = end;
		}
		/* A word that is longer than a line is broken where the line ends. */
		if (fits == 0)
			fits = end;
		if (fits == 0)
			return;
		memcpy(line, text, fits);
		line[fits] = '\0';
		btvi_text_add(t, color, line, t->columns);
		btvi_text_end_line(t);
		text += fits;
		while (*text == ' ')
			text++;
	}
}
