/* line.h - a line of text in a buffer: text, numbers, fields of CSV and members of JSON. */
#ifndef BTVIZ_TOOLS_LINE_H
#define BTVIZ_TOOLS_LINE_H

#include <stddef.h>
#include <stdint.h>

enum { LINE_MAX_SIZE = 4096 };

/* A line that grows to at most its buffer: what does not fit is left out. */
struct line {
	char *text;
	size_t size, max;
};

void line_bytes(struct line *l, const char *text, size_t size);
void line_text(struct line *l, const char *text);
void line_char(struct line *l, char c);
void line_number(struct line *l, uint64_t n, unsigned width, char fill); /* filled from the left */
void line_u(struct line *l, uint64_t n);
void line_signed(struct line *l, int n);
void line_right(struct line *l, const char *text, unsigned width);
/* Seconds and nanoseconds since the origin, before it with a minus. */
void line_time(struct line *l, uint64_t time_ns, uint64_t origin_ns, unsigned width);
void line_dev(struct line *l, uint32_t device); /* "8,16" */

void line_csv_text(struct line *l, const char *text);
void line_csv_dev(struct line *l, uint32_t device); /* 8:16, one field whoever splits it */

/* Each with a comma before it. What is foreign in text is printable already. */
void line_json_key(struct line *l, const char *key);
void line_json_text(struct line *l, const char *key, const char *text);
void line_json_number(struct line *l, const char *key, uint64_t n);
void line_json_dev(struct line *l, const char *key, uint32_t device);

#endif
