/* marks.c - messages that somebody wrote into the trace (md, bfq, a script's echo): when they came,
 * and what the few that there is room for say. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/quantity.h"
#include "draw/page.h"

/* More than these are marked, but not listed: a scheduler's chatter is no annotation. */
enum { LISTED_MAX = 20, LETTERED_MAX = 24 };

static const uint32_t color = 0x4b2e83ffU;

static bool in_view(
	const struct btvi_page *p, const struct btvi_run *run, const struct btviz_message *m)
{
	const double t = m->time_s + run->shift_s;

	return t >= p->t0 && t <= p->t1;
}

/* Messages of one text have one letter and one line. */
struct texts {
	size_t count, in_view; /* distinct ones; all */
	const struct btviz_message *first[LISTED_MAX];
	size_t times[LISTED_MAX];
	bool too_many;
};

static size_t text_of(const struct texts *t, const struct btviz_message *m)
{
	size_t i = 0;

	while (i < t->count && strcmp(t->first[i]->text, m->text) != 0)
		i++;
	return i;
}

static struct texts texts_in_view(const struct btvi_page *p, const struct btvi_run *run)
{
	struct texts t = { 0 };

	for (size_t i = 0; i < run->figures->message_count; i++) {
		const struct btviz_message *m = run->figures->messages[i];
		const size_t k = text_of(&t, m);

		if (!in_view(p, run, m))
			continue;
		t.in_view++;
		if (k == t.count && t.count == LISTED_MAX) {
			t.too_many = true;
			continue;
		}
		if (k == t.count)
			t.first[t.count++] = m;
		t.times[k]++;
	}
	return t;
}

void btvi_marks(struct btvi_page *p, size_t index, struct btvi_rect r)
{
	enum { LEVELS = 3, MARK = 12 };
	const struct btvi_run *run = &p->runs[index];
	const struct texts texts = texts_in_view(p, run);
	double end[LEVELS] = { -1e9, -1e9, -1e9 };

	for (size_t i = 0; i < run->figures->message_count; i++) {
		const struct btviz_message *m = run->figures->messages[i];
		const double x = btvi_page_x(p, r, m->time_s + run->shift_s);
		const char text[] = { (char)('a' + text_of(&texts, m)), '\0' };
		int level = 0;

		if (!in_view(p, run, m))
			continue;
		if (texts.too_many || texts.times[text_of(&texts, m)] > LETTERED_MAX) {
			/* Hundreds of them stay a texture along the axis, not a curtain. */
			btvi_scene_rect(p->scene, x - 0.4, r.y + r.h - 5, 0.8, 5,
				btvi_rgba_alpha(color, 0.6));
			continue;
		}

		const double w = btvi_font_width(p->scene->font, text, 10, true);
		/* At the very end the letter stands before its mark. */
		const double at = x + 2 + w <= r.x + r.w ? x + 2 : x - 2 - w;

		/* The letter stands at the foot, where no gap has its number; above a neighbour's.
		 */
		while (level < LEVELS - 1 && at < end[level])
			level++;
		btvi_scene_rect(p->scene, x - 0.5, r.y + r.h - MARK * (level + 1), 1,
			MARK * (level + 1), color);
		if (at < end[level])
			continue;
		btvi_scene_text(p->scene, at, r.y + r.h - 3 - MARK * level, BTVI_START, 10, true,
			color, text);
		end[level] = at + w + 1;
	}
}

double btvi_marks_list(
	struct btvi_page *p, size_t index, double x, double y, double width, bool draw)
{
	const struct btvi_run *run = &p->runs[index];
	const struct btviz_figures *f = run->figures;
	const struct texts texts = texts_in_view(p, run);
	const double line = 16, size = BTVI_TEXT_SMALL;
	/* Messages are short; a long list would push the table off the screen. */
	const size_t columns = (size_t)fmax(floor(width / 230), 1);
	const size_t rows = (texts.count + columns - 1) / columns;
	const double column = width / (double)columns;
	char text[256], number[BTVI_QUANTITY_SIZE];

	if (texts.in_view == 0)
		return 0;
	if (texts.too_many || rows > 7) {
		snprintf(text, sizeof text, "%s messages in the trace, the first: %.150s",
			btvi_quantity_count(f->messages_total, number), f->messages[0]->text);
		if (draw)
			btvi_scene_text_fit(p->scene, x, y + 12, width, BTVI_START, size, false,
				BTVI_INK_SOFT, text);
		return line;
	}
	for (size_t i = 0; draw && i < texts.count; i++) {
		const char name[] = { (char)('a' + i), '\0' };
		const double cx = x + (double)(i / rows) * column;
		const double cy = y + (double)(i % rows) * line + 12;

		btvi_quantity_fixed(texts.first[i]->time_s, 2, number);
		snprintf(text, sizeof text, "%s s", number);
		if (texts.times[i] <= LETTERED_MAX)
			btvi_scene_text(p->scene, cx + 14, cy, BTVI_END, size, true, color, name);
		btvi_scene_text(p->scene, cx + 74, cy, BTVI_END, size, false, BTVI_INK, text);
		if (texts.times[i] > 1)
			snprintf(text, sizeof text, "%s × %.200s",
				btvi_quantity_count(texts.times[i], number), texts.first[i]->text);
		else
			snprintf(text, sizeof text, "message: %.200s", texts.first[i]->text);
		btvi_scene_text_fit(p->scene, cx + 84, cy, column - 94, BTVI_START, size, false,
			BTVI_INK, text);
	}
	return (double)rows * line;
}
