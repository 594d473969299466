/* clean.c - harmless text. Knows nothing of where it is printed. */
#include "clean.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const char ellipsis[] = "…";

/* Length of the valid UTF-8 character at s, 0 if there is none. */
static size_t character(const unsigned char *s, uint32_t *ret_ch)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const size_t len = s[0] < 0x80        ? 1
		: s[0] >= 0xc2 && s[0] < 0xe0 ? 2
		: s[0] >= 0xe0 && s[0] < 0xf0 ? 3
		: s[0] >= 0xf0 && s[0] < 0xf5 ? 4
					      : 0;
	uint32_t ch = len == 1 ? s[0] : s[0] & (0x7fU >> len);

	if (len == 0)
		return 0;
	for (size_t i = 1; i < len; i++) {
		/* The terminating NUL is no continuation byte: this never reads past it. */
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		ch = ch << 6 | (s[i] & 0x3fU);
	}
	if (ch < least[len] || ch > 0x10ffff || (ch >= 0xd800 && ch <= 0xdfff))
		return 0;
	*ret_ch = ch;
	return len;
}

static bool harmful(uint32_t ch)
{
	return ch < 0x20 || (ch >= 0x7f && ch <= 0x9f) || ch == 0x61c || ch == 0x200e ||
		ch == 0x200f || (ch >= 0x2028 && ch <= 0x202e) || (ch >= 0x2066 && ch <= 0x2069) ||
		ch == 0xfeff;
}

const char *clean_text(const char *text, char *out, size_t size)
{
	const unsigned char *s = (const unsigned char *)(text ? text : "");
	size_t n = 0, room_for_ellipsis = 0;

	while (*s != '\0') {
		uint32_t ch = 0;
		const size_t len = character(s, &ch);
		const bool keep = len > 0 && !harmful(ch);
		const size_t need = keep ? len : 1;

		if (n + need + sizeof ellipsis <= size)
			room_for_ellipsis = n + need;
		if (n + need >= size) {
			if (size > sizeof ellipsis)
				strcpy(out + room_for_ellipsis, ellipsis);
			return out;
		}
		if (keep)
			memcpy(out + n, s, len);
		else
			out[n] = '?';
		n += need;
		out[n] = '\0';
		s += len ? len : 1;
	}
	out[n] = '\0';
	return out;
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
