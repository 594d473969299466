/* clean.c - printable text in forms and lengths: what is printable, the library says. Knows nothing
 * of where it is printed. */
#include "clean.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include <btviz/text.h>

static const char ellipsis[] = "…";

const char *clean_text(const char *text, char *out, size_t size)
{
	/* Further than out reaches, by more than a character: what ends within size was whole. */
	char whole[2 * CLEAN_SIZE + 8];
	size_t n;

	assert(size > sizeof ellipsis && size <= 2 * CLEAN_SIZE);
	n = btviz_text_printable(text ? text : "", text ? strlen(text) : 0, whole, size + 8);
	if (n >= size) {
		n = size - sizeof ellipsis;
		while (n > 0 && ((unsigned char)whole[n] & 0xc0) == 0x80)
			n--;
		memcpy(whole + n, ellipsis, sizeof ellipsis);
	}
	return strcpy(out, whole);
}

const char *clean_csv(const char *text, char *out, size_t size)
{
	const char first = text[strspn(text, " \t")];
	const bool formula = first != '\0' && strchr("=+-@", first);
	size_t n = 0;

	if (!formula && !strpbrk(text, ",\";\r\n")) {
		strncpy(out, text, size - 1);
		out[size - 1] = '\0';
		return out;
	}
	out[n++] = '"';
	if (formula)
		out[n++] = '\'';
	for (; *text && n + 4 < size; text++) {
		if (*text == '"')
			out[n++] = '"';
		out[n++] = *text;
	}
	out[n++] = '"';
	out[n] = '\0';
	return out;
}

size_t clean_width(const char *text)
{
	size_t n = 0;

	for (const char *p = text; *p; p++)
		n += ((unsigned char)*p & 0xc0) != 0x80;
	return n;
}

const char *clean_cut(const char *text, size_t columns, char *out, size_t size)
{
	char whole[CLEAN_SIZE];
	size_t n = 0, width = 0;

	clean_text(text, whole, sizeof whole);
	if (clean_width(whole) <= columns)
		return clean_text(whole, out, size);
	for (const char *p = whole; *p; p++) {
		if (((unsigned char)*p & 0xc0) != 0x80 && ++width >= columns)
			break;
		if (n + sizeof ellipsis >= size)
			break;
		out[n++] = *p;
	}
	memcpy(out + n, ellipsis, sizeof ellipsis);
	return out;
}
