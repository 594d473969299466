/* line.c - a line of text made piece by piece, numbers included: printf() takes longer than all the
 * decoding. Knows nothing of where lines go. */
#include "line.h"

#include <string.h>

#include <btviz/event.h>

#include "clean.h"

#define NS_PER_S 1000000000U

void line_bytes(struct line *l, const char *text, size_t size)
{
	if (size > l->max - l->size)
		size = l->max - l->size;
	memcpy(l->text + l->size, text, size);
	l->size += size;
}

void line_text(struct line *l, const char *text)
{
	line_bytes(l, text, strlen(text));
}

void line_char(struct line *l, char c)
{
	line_bytes(l, &c, 1);
}

/* A decimal number, at least width wide, filled from the left. */
void line_number(struct line *l, uint64_t n, unsigned width, char fill)
{
	char digits[32];
	size_t at = sizeof digits;

	do
		digits[--at] = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	while (sizeof digits - at < width && at > 0)
		digits[--at] = fill;
	line_bytes(l, digits + at, sizeof digits - at);
}

void line_u(struct line *l, uint64_t n)
{
	line_number(l, n, 1, ' ');
}

/* Right-aligned text. */
void line_right(struct line *l, const char *text, unsigned width)
{
	for (size_t n = strlen(text); n < width; n++)
		line_char(l, ' ');
	line_text(l, text);
}

/* Seconds and nanoseconds since the origin; before it with a minus. */
void line_time(struct line *l, uint64_t time_ns, uint64_t origin_ns, unsigned width)
{
	const bool before = time_ns < origin_ns;
	const uint64_t ns = before ? origin_ns - time_ns : time_ns - origin_ns;

	if (before) {
		line_char(l, '-');
		width = width > 0 ? width - 1 : 0;
	}
	line_number(l, ns / NS_PER_S, width ? width : 1, ' ');
	line_char(l, '.');
	line_number(l, ns % NS_PER_S, 9, '0');
}

void line_csv_text(struct line *l, const char *text)
{
	char field[2 * LINE_MAX_SIZE + 4];

	line_text(l, clean_csv(text, field, sizeof field));
}

void line_dev(struct line *l, uint32_t device)
{
	line_u(l, BTVIZ_MAJOR(device));
	line_char(l, ',');
	line_u(l, BTVIZ_MINOR(device));
}

void line_csv_dev(struct line *l, uint32_t device)
{
	line_u(l, BTVIZ_MAJOR(device));
	line_char(l, ':');
	line_u(l, BTVIZ_MINOR(device));
}

void line_signed(struct line *l, int n)
{
	if (n < 0)
		line_char(l, '-');
	line_u(l, (uint64_t)(n < 0 ? -n : n));
}

/* A member whose value is text; what is foreign in it is printable already. */
void line_json_text(struct line *l, const char *key, const char *text)
{
	line_text(l, ",\"");
	line_text(l, key);
	line_text(l, "\":\"");
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			line_char(l, '\\');
		line_char(l, *text);
	}
	line_char(l, '"');
}

void line_json_key(struct line *l, const char *key)
{
	line_text(l, ",\"");
	line_text(l, key);
	line_text(l, "\":");
}

void line_json_number(struct line *l, const char *key, uint64_t n)
{
	line_json_key(l, key);
	line_u(l, n);
}

void line_json_dev(struct line *l, const char *key, uint32_t device)
{
	line_json_key(l, key);
	line_char(l, '"');
	line_dev(l, device);
	line_char(l, '"');
}
