/* scene.c - a picture as a list. Knows neither traces nor cairo. */
#include "draw/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* An arena: blocks that are freed together. */
struct btvi_block {
	struct btvi_block *next;
	size_t used, size;
	max_align_t bytes[];
};

enum { BLOCK_BYTES = 64 * 1024 };

void btvi_scene_init(struct btvi_scene *s, double width, const struct btvi_font *font)
{
	*s = (struct btvi_scene){ .width = width, .font = font };
	s->last = &s->first;
}

void btvi_scene_done(struct btvi_scene *s)
{
	while (s->blocks) {
		struct btvi_block *next = s->blocks->next;

		free(s->blocks);
		s->blocks = next;
	}
	s->first = NULL;
	s->last = &s->first;
}

bool btvi_scene_failed(const struct btvi_scene *s)
{
	return s->failed;
}

void *btvi_scene_alloc(struct btvi_scene *s, size_t count, size_t size)
{
	const size_t align = _Alignof(max_align_t);

	if (size != 0 && count > (SIZE_MAX / 2) / size) {
		s->failed = true;
		return NULL;
	}

	const size_t n = (count * size + align - 1) / align * align;
	struct btvi_block *b = s->blocks;

	if (!b || b->size - b->used < n) {
		const size_t block = n > BLOCK_BYTES / 4 ? n : BLOCK_BYTES;

		b = calloc(1, sizeof *b + block);
		if (!b) {
			s->failed = true;
			return NULL;
		}
		b->size = block;
		/* A block of one's own goes behind the current one, which still has room. */
		if (block == n && s->blocks) {
			b->next = s->blocks->next;
			s->blocks->next = b;
		} else {
			b->next = s->blocks;
			s->blocks = b;
		}
	}

	void *p = (unsigned char *)b->bytes + b->used;

	b->used += n;
	return p;
}

static struct btvi_thing *add(struct btvi_scene *s, enum btvi_thing_kind kind, uint32_t color)
{
	struct btvi_thing *t = btvi_scene_alloc(s, 1, sizeof *t);

	if (!t)
		return NULL;
	t->kind = kind;
	t->color = color;
	*s->last = t;
	s->last = &t->next;
	return t;
}

void btvi_scene_rect(struct btvi_scene *s, double x, double y, double w, double h, uint32_t color)
{
	struct btvi_thing *t;

	if (!(w > 0) || !(h > 0))
		return;
	t = add(s, BTVI_RECT, color);
	if (t)
		t->rect = (struct btvi_rect){ x, y, w, h };
}

static struct btvi_thing *add_points(struct btvi_scene *s, enum btvi_thing_kind kind,
	uint32_t color, const struct btvi_point *points, size_t count)
{
	struct btvi_point *copy = btvi_scene_alloc(s, count, sizeof *copy);
	struct btvi_thing *t = copy ? add(s, kind, color) : NULL;

	if (!t)
		return NULL;
	memcpy(copy, points, count * sizeof *copy);
	t->points = copy;
	t->point_count = count;
	return t;
}

void btvi_scene_line(struct btvi_scene *s, const struct btvi_point *points, size_t count,
	double width, double dash, uint32_t color)
{
	size_t i = 0;

	while (i < count) {
		size_t end;
		struct btvi_thing *t;

		if (isnan(points[i].y)) {
			i++;
			continue;
		}
		for (end = i; end < count && !isnan(points[end].y); end++)
			;
		if (end - i == 1) {
			btvi_scene_rect(s, points[i].x - width / 2, points[i].y - width / 2, width,
				width, color);
		} else {
			t = add_points(s, BTVI_LINE, color, points + i, end - i);
			if (t) {
				t->width = width;
				t->dash = dash;
			}
		}
		i = end;
	}
}

void btvi_scene_hline(
	struct btvi_scene *s, double x0, double x1, double y, double width, uint32_t color)
{
	btvi_scene_rect(s, x0, y - width / 2, x1 - x0, width, color);
}

void btvi_scene_area(
	struct btvi_scene *s, const struct btvi_point *points, size_t count, uint32_t color)
{
	if (count >= 3)
		add_points(s, BTVI_AREA, color, points, count);
}

void btvi_scene_image(struct btvi_scene *s, double x, double y, double w, double h,
	uint32_t *pixels, size_t columns, size_t rows)
{
	struct btvi_thing *t;

	if (!pixels || columns == 0 || rows == 0)
		return;
	t = add(s, BTVI_IMAGE, 0);
	if (!t)
		return;
	t->rect = (struct btvi_rect){ x, y, w, h };
	t->pixels = pixels;
	t->columns = columns;
	t->rows = rows;
}

double btvi_scene_text(struct btvi_scene *s, double x, double y, enum btvi_anchor anchor,
	double size, bool bold, uint32_t color, const char *text)
{
	const size_t n = strlen(text);
	char *copy;
	struct btvi_thing *t;

	if (n == 0)
		return 0;
	/* A byte that is no character becomes three. */
	copy = btvi_scene_alloc(s, 3 * n + 1, 1);
	t = copy ? add(s, BTVI_TEXT, color) : NULL;
	if (!t)
		return 0;
	btvi_text_printable(text, n, copy, 3 * n + 1);
	t->text = copy;
	t->rect.x = x;
	t->rect.y = y;
	t->size = size;
	t->bold = bold;
	t->anchor = anchor;
	t->rect.w = btvi_font_width(s->font, copy, size, bold);
	return t->rect.w;
}

double btvi_scene_text_fit(struct btvi_scene *s, double x, double y, double width,
	enum btvi_anchor anchor, double size, bool bold, uint32_t color, const char *text)
{
	char printable[1024], fitted[1024];

	btvi_text_printable(text, strlen(text), printable, sizeof printable);
	btvi_font_fit(s->font, printable, size, bold, width, fitted, sizeof fitted);
	return btvi_scene_text(s, x, y, anchor, size, bold, color, fitted);
}

struct btvi_rect btvi_scene_text_box(const struct btvi_scene *s, const struct btvi_thing *t)
{
	const double w = t->rect.w;
	double x = t->rect.x;

	(void)s;
	if (t->anchor == BTVI_MIDDLE)
		x -= w / 2;
	else if (t->anchor == BTVI_END)
		x -= w;
	/* What letters take of a line: capitals above the baseline, tails below. */
	return (struct btvi_rect){ x, t->rect.y - 0.75 * t->size, w, 0.95 * t->size };
}

static bool overlap(struct btvi_rect a, struct btvi_rect b)
{
	return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

bool btvi_scene_overlap(const struct btvi_scene *s, const struct btvi_thing **ret_a,
	const struct btvi_thing **ret_b)
{
	for (const struct btvi_thing *a = s->first; a; a = a->next) {
		struct btvi_rect box;

		if (a->kind != BTVI_TEXT)
			continue;
		box = btvi_scene_text_box(s, a);
		*ret_a = *ret_b = a;
		if (box.x < 0 || box.y < 0 || box.x + box.w > s->width || box.y + box.h > s->height)
			return true;
		for (const struct btvi_thing *b = a->next; b; b = b->next) {
			*ret_b = b;
			if (b->kind == BTVI_TEXT && overlap(box, btvi_scene_text_box(s, b)))
				return true;
		}
	}
	return false;
}

/* A tenth of a unit is what can be seen; no locale, no "-0.0". */
static void put(FILE *out, double x)
{
	const long long tenths = llround(x * 10);

	fprintf(out, " %s%lld.%lld", tenths < 0 ? "-" : "", llabs(tenths) / 10, llabs(tenths) % 10);
}

static void dump_image(const struct btvi_thing *t, FILE *out)
{
	/* How much is drawn, in sixteenths of the columns: enough to see a change and where. */
	fprintf(out, " %zux%zu", t->columns, t->rows);
	for (size_t part = 0; part < 16; part++) {
		const size_t from = t->columns * part / 16, to = t->columns * (part + 1) / 16;
		uint64_t sum = 0;

		for (size_t row = 0; row < t->rows; row++)
			for (size_t column = from; column < to; column++)
				sum += (t->pixels[row * t->columns + column] & 0xff) != 0;
		fprintf(out, " %llu", (unsigned long long)sum);
	}
}

/* Of many points a dozen, spread evenly, and the mean: so that a golden can be read. */
static void dump_points(const struct btvi_thing *t, FILE *out)
{
	const size_t every = (t->point_count + 11) / 12;
	double sum = 0;

	put(out, t->width);
	for (size_t i = 0; i < t->point_count; i++) {
		sum += t->points[i].y;
		if (i % every == 0 || i + 1 == t->point_count) {
			put(out, t->points[i].x);
			put(out, t->points[i].y);
		}
	}
	if (every > 1) {
		fprintf(out, " of %zu, mean", t->point_count);
		put(out, sum / (double)t->point_count);
	}
}

/* Rectangles of one height in a row, as a member's cells are: how many, where, how dark. Returns
 * the last of them; t itself if they are few. */
static const struct btvi_thing *dump_row(const struct btvi_thing *t, FILE *out)
{
	const struct btvi_thing *last = t;
	double width = 0, alpha = 0;
	unsigned count = 0;

	for (const struct btvi_thing *r = t; r && r->kind == BTVI_RECT && r->rect.y == t->rect.y &&
		r->rect.h == t->rect.h && r->color >> 8 == t->color >> 8;
		r = r->next) {
		width += r->rect.w;
		alpha += r->rect.w * (r->color & 0xff) / 255.0;
		count++;
		last = r;
	}
	if (count < 4)
		return t;
	fprintf(out, "row #%06x", t->color >> 8);
	put(out, t->rect.x);
	put(out, t->rect.y);
	put(out, last->rect.x + last->rect.w - t->rect.x);
	put(out, t->rect.h);
	fprintf(out, " of %u, wide", count);
	put(out, width);
	fputs(", dark", out);
	put(out, alpha);
	fputc('\n', out);
	return last;
}

void btvi_scene_dump(const struct btvi_scene *s, FILE *out)
{
	static const char *const names[] = { "rect", "line", "area", "image", "text" };
	static const char anchors[] = "<|>";

	fputs("page", out);
	put(out, s->width);
	put(out, s->height);
	fputc('\n', out);
	for (const struct btvi_thing *t = s->first; t; t = t->next) {
		if (t->kind == BTVI_RECT) {
			const struct btvi_thing *last = dump_row(t, out);

			if (last != t) {
				t = last;
				continue;
			}
		}
		fprintf(out, "%s #%08x", names[t->kind], t->color);
		switch (t->kind) {
		case BTVI_IMAGE:
		case BTVI_RECT:
			put(out, t->rect.x);
			put(out, t->rect.y);
			put(out, t->rect.w);
			put(out, t->rect.h);
			if (t->kind == BTVI_IMAGE)
				dump_image(t, out);
			break;
		case BTVI_LINE:
		case BTVI_AREA:
			dump_points(t, out);
			break;
		case BTVI_TEXT:
			put(out, t->rect.x);
			put(out, t->rect.y);
			put(out, t->size);
			fprintf(out, " %c%s %s", anchors[t->anchor], t->bold ? "*" : "", t->text);
			break;
		}
		fputc('\n', out);
	}
}
