/* marks.c - messages that somebody wrote into the trace (md, bfq, a script's echo): when they came,
 * and what the few that there is room for say. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/quantity.h"
#include "draw/page.h"

/* More than these are marked, but not listed: a scheduler's chatter is no annotation. */
enum { LISTED_MAX = 20 };

static const uint32_t color = 0x4b2e83ffU;

static bool in_view(
	const struct btvi_page *p, const struct btvi_run *run, const struct btviz_message *m)
{
	const double t = m->time_s + run->shift_s;

	return t >= p->t0 && t <= p->t1;
}

static size_t count_in_view(const struct btvi_page *p, size_t index)
{
	const struct btvi_run *run = &p->runs[index];
	size_t count = 0;

	for (size_t i = 0; i < run->figures->message_count; i++)
		count += in_view(p, run, run->figures->messages[i]);
	return count;
}

void btvi_marks(struct btvi_page *p, size_t index, struct btvi_rect r)
{
	const struct btvi_run *run = &p->runs[index];
	const size_t count = count_in_view(p, index);
	double end = -1e9;
	char letter = 'a';

	for (size_t i = 0; i < run->figures->message_count; i++) {
		const struct btviz_message *m = run->figures->messages[i];
		const double x = btvi_page_x(p, r, m->time_s + run->shift_s);
		const char text[] = { letter, '\0' };

		if (!in_view(p, run, m))
			continue;
		if (count > LISTED_MAX) {
			/* Hundreds of them stay a texture along the axis, not a curtain. */
			btvi_scene_rect(p->scene, x - 0.4, r.y + r.h - 5, 0.8, 5,
				btvi_rgba_alpha(color, 0.6));
			continue;
		}

		const double w = btvi_font_width(p->scene->font, text, 10, true);

		btvi_scene_rect(p->scene, x - 0.5, r.y + r.h - 12, 1, 12, color);
		/* The letter stands at the foot, where no gap has its number. */
		if (x - w / 2 > end && x + w / 2 < r.x + r.w) {
			btvi_scene_text(
				p->scene, x + 2, r.y + r.h - 3, BTVI_START, 10, true, color, text);
			end = x + 2 + w;
		}
		letter++;
	}
}

double btvi_marks_list(
	struct btvi_page *p, size_t index, double x, double y, double width, bool draw)
{
	const struct btvi_run *run = &p->runs[index];
	const struct btviz_figures *f = run->figures;
	const size_t count = count_in_view(p, index);
	const double line = 16, size = BTVI_TEXT_SMALL;
	/* Messages are short; a long list would push the table off the screen. */
	const size_t columns = (size_t)fmax(floor(width / 230), 1);
	const size_t rows = (count + columns - 1) / columns;
	char text[256], number[BTVI_QUANTITY_SIZE];
	char letter = 'a';

	if (count == 0)
		return 0;
	if (count > LISTED_MAX || rows > 7) {
		snprintf(text, sizeof text, "%s messages in the trace, the first: %.150s",
			btvi_quantity_count(f->messages_total, number), f->messages[0]->text);
		if (draw)
			btvi_scene_text_fit(p->scene, x, y + 12, width, BTVI_START, size, false,
				BTVI_INK_SOFT, text);
		return line;
	}
	const double column = width / (double)columns;
	size_t n = 0;

	for (size_t i = 0; draw && i < f->message_count; i++) {
		const struct btviz_message *m = f->messages[i];
		const char name[] = { letter, '\0' };
		const double cx = x + (double)(n / rows) * column;
		const double cy = y + (double)(n % rows) * line + 12;

		if (!in_view(p, run, m))
			continue;
		btvi_quantity_fixed(m->time_s, 2, number);
		snprintf(text, sizeof text, "%s s", number);
		btvi_scene_text(p->scene, cx + 14, cy, BTVI_END, size, true, color, name);
		btvi_scene_text(p->scene, cx + 74, cy, BTVI_END, size, false, BTVI_INK, text);
		snprintf(text, sizeof text, "message: %.200s", m->text);
		btvi_scene_text_fit(p->scene, cx + 84, cy, column - 94, BTVI_START, size, false,
			BTVI_INK, text);
		letter++;
		n++;
	}
	return (double)rows * line;
}
