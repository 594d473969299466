/* font.c - fitting text into a width. Knows no cairo: widths come from a callback. */
#include "draw/font.h"

#include <string.h>

#include "base/quantity.h"
#include "base/text.h"

static bool begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static double fixed_width(void *data, const char *text, double size, bool bold)
{
	unsigned count = 0;

	(void)data;
	(void)bold;
	for (; *text; text++)
		count += begins_character(*text);
	return 0.6 * size * count;
}

const struct btvi_font btvi_font_fixed = { fixed_width, NULL };

const char *btvi_font_fit(const struct btvi_font *font, const char *text, double size, bool bold,
	double width, char *out, unsigned out_size)
{
	size_t n = btvi_text_printable(text, strlen(text), out, out_size);

	if (strlen(text) < out_size && btvi_font_width(font, out, size, bold) <= width)
		return out;
	while (n > 0) {
		do
			n--;
		while (n > 0 && (!begins_character(out[n]) || n >= out_size - sizeof "…"));
		/* No blank before the dots. */
		if (n > 0 && out[n - 1] == ' ')
			continue;
		memcpy(out + n, "…", sizeof "…");
		if (btvi_font_width(font, out, size, bold) <= width)
			return out;
	}
	out[0] = '\0';
	return out;
}

unsigned btvi_font_break(const struct btvi_font *font, const char *text, double size, bool bold,
	double width, const char **ret_next)
{
	char line[512];
	size_t best = 0;

	for (size_t at = 0;;) {
		size_t word = at + strcspn(text + at, " ");

		while (btvi_quantity_tied(text, word))
			word += 1 + strcspn(text + word + 1, " ");
		if (word >= sizeof line)
			break;
		memcpy(line, text, word);
		line[word] = '\0';
		if (best != 0 && btvi_font_width(font, line, size, bold) > width)
			break;
		best = word;
		if (text[word] == '\0')
			break;
		at = word + strspn(text + word, " ");
		if (text[at] == '\0')
			break;
	}
	if (best == 0)
		best = strcspn(text, " ");
	*ret_next = text + best + strspn(text + best, " ");
	return (unsigned)best;
}
