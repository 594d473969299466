/* text.c - foreign text to printable UTF-8. Names of processes, files and messages come from people
 * who may mean harm to the terminal or page that shows them. */
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <btviz/text.h>

/* Decodes one character at in; returns its length, 0 where it is not valid UTF-8. */
static size_t decode_utf8(const unsigned char *in, size_t size, uint32_t *ret_ch)
{
	static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t ch;
	size_t len;

	if (in[0] < 0x80) {
		*ret_ch = in[0];
		return 1;
	}
	if (in[0] >= 0xc2 && in[0] <= 0xdf) {
		len = 2;
		ch = in[0] & 0x1fU;
	} else if (in[0] >= 0xe0 && in[0] <= 0xef) {
		len = 3;
		ch = in[0] & 0x0fU;
	} else if (in[0] >= 0xf0 && in[0] <= 0xf4) {
		len = 4;
		ch = in[0] & 0x07U;
	} else {
		return 0;
	}
	if (len > size)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((in[i] & 0xc0) != 0x80)
			return 0;
		ch = ch << 6 | (in[i] & 0x3fU);
	}
	if (ch < least[len] || ch > 0x10ffff || (ch >= 0xd800 && ch <= 0xdfff))
		return 0;
	*ret_ch = ch;
	return len;
}

/* Characters that move the cursor or turn the direction of what follows, the byte order mark, and
 * those that are none (the last two of each plane; XML knows no U+FFFE and U+FFFF). */
static bool is_control(uint32_t ch)
{
	return ch < 0x20 || (ch >= 0x7f && ch <= 0x9f) || ch == 0x2028 || ch == 0x2029 ||
		(ch >= 0x202a && ch <= 0x202e) || (ch >= 0x2066 && ch <= 0x2069) || ch == 0x200e ||
		ch == 0x200f || ch == 0x061c || ch == 0xfeff || (ch & 0xfffe) == 0xfffe;
}

size_t btvi_text_printable(const char *in, size_t size, char *out, size_t out_size)
{
	const unsigned char *s = (const unsigned char *)in;
	size_t n = 0;

	if (out_size == 0)
		return 0;
	for (size_t i = 0; i < size && s[i] != '\0';) {
		uint32_t ch;
		const size_t len = decode_utf8(s + i, size - i, &ch);
		const char *piece = in + i;
		size_t piece_len = len;

		if (len == 0) {
			piece = "\xef\xbf\xbd";
			piece_len = 3;
		} else if (is_control(ch)) {
			piece = "?";
			piece_len = 1;
		}
		if (n + piece_len >= out_size)
			break;
		memcpy(out + n, piece, piece_len);
		n += piece_len;
		i += len ? len : 1;
	}
	out[n] = '\0';
	return n;
}

size_t btviz_text_printable(const char *in, size_t size, char *out, size_t out_size)
{
	return btvi_text_printable(in, size, out, out_size);
}
