/* compare_words.c - the words of a comparison's picture: labels cut to what differs, verdicts with
 * their reasons, notes. Computes no figure. */
#include <stdio.h>
#include <string.h>

#include "draw/compare_page.h"
#include "draw/font.h"
#include "draw/page.h"
#include "draw/palette.h"

enum { REASON = 17, REASONS_MAX = 16, MARGIN = 20, NOTE = 15, NOTE_GAP = 10 };

/* ---- labels -------------------------------------------------------------------------------- */

/* How many bytes all labels begin and end with alike, without cutting a character. */
static void common_ends(const struct btviz_judgement *j, size_t *ret_start, size_t *ret_end)
{
	const char *const first = j->groups[0]->label;
	const size_t size = strlen(first);
	size_t start = size, end = size;

	for (size_t i = 1; i < j->group_count; i++) {
		const char *const label = j->groups[i]->label;
		const size_t n = strlen(label);
		size_t k = 0;

		while (k < start && label[k] == first[k])
			k++;
		start = k;
		k = 0;
		while (k < end && k < n && label[n - 1 - k] == first[size - 1 - k])
			k++;
		end = k;
	}
	while (start > 0 && ((unsigned char)first[start] & 0xc0) == 0x80)
		start--;
	while (end > 0 && ((unsigned char)first[size - end] & 0xc0) == 0x80)
		end--;
	*ret_start = j->group_count > 1 ? start : 0;
	*ret_end = j->group_count > 1 ? end : 0;
}

const char *btvi_chart_label(const struct btvi_chart *c, const char *label, double size,
	double width, char out[BTVI_CHART_LABEL_SIZE])
{
	const size_t n = strlen(label);
	size_t start, end, word;

	snprintf(out, BTVI_CHART_LABEL_SIZE, "%s", label);
	if (btvi_font_width(c->scene->font, label, size, true) <= width)
		return out;
	common_ends(c->compared->judgement, &start, &end);
	for (word = start; word > 0 && !strchr("-._/@+: ", label[word - 1]); word--)
		;
	if (word >= 4 && word < n) {
		snprintf(out, BTVI_CHART_LABEL_SIZE, "…%s", label + word);
		if (btvi_font_width(c->scene->font, out, size, true) <= width)
			return out;
	}
	if (start < 4 || start >= n)
		return out;
	/* What is left is what differs, in the narrowest columns without a word more. */
	const int core = (int)(start + end < n ? n - start - end : n - start);
	snprintf(out, BTVI_CHART_LABEL_SIZE, "…%.*s%s", core, label + start,
		start + end < n && end > 0 ? "…" : "");
	if (btvi_font_width(c->scene->font, out, size, true) > width)
		snprintf(out, BTVI_CHART_LABEL_SIZE, "%.*s", core, label + start);
	return out;
}

/* ---- reasons ------------------------------------------------------------------------------- */

static bool is_alarm(const struct btviz_group *g)
{
	return g->verdict == BTVIZ_VERDICT_BAD || g->verdict == BTVIZ_VERDICT_SPORADIC;
}

/* All that are bad or sporadic have a line, and of the others as many as there is room for. */
static size_t calm_lines(const struct btviz_judgement *j)
{
	size_t alarms = 0;

	for (size_t i = 0; i < j->group_count; i++)
		alarms += is_alarm(j->groups[i]);
	return alarms < REASONS_MAX ? REASONS_MAX - alarms : 0;
}

/* Calls what for each label that has a line; returns how many lines there are, with the one that
 * says how many labels have none. */
static size_t each_line(const struct btviz_judgement *j,
	void (*what)(void *context, const struct btviz_group *g, size_t left_out), void *context)
{
	size_t lines = 0, calm = 0, left_out = 0;

	for (size_t i = 0; i < j->group_count; i++) {
		const struct btviz_group *const g = j->groups[i];

		if (g->verdict == BTVIZ_VERDICT_BASE && !g->note[0])
			continue;
		if (!is_alarm(g) && calm++ >= calm_lines(j)) {
			left_out++;
			continue;
		}
		lines++;
		if (what)
			what(context, g, 0);
	}
	if (left_out > 0) {
		lines++;
		if (what)
			what(context, NULL, left_out);
	}
	return lines;
}

struct words_place {
	struct btvi_scene *scene;
	double y, width;
};

static void draw_line(void *context, const struct btviz_group *g, size_t left_out)
{
	struct words_place *const p = context;
	double x = MARGIN;
	char text[900];

	p->y += REASON;
	if (!g) {
		snprintf(text, sizeof text, "and %zu more label%s, none of them bad", left_out,
			left_out == 1 ? "" : "s");
		btvi_scene_text(
			p->scene, x, p->y, BTVI_START, BTVI_TEXT_BODY, false, BTVI_INK_SOFT, text);
		return;
	}
	x += btvi_scene_text_fit(p->scene, x, p->y, p->width * 0.3, BTVI_START, BTVI_TEXT_BODY,
		     true, BTVI_INK, g->label) +
		8;
	x += btvi_scene_text(p->scene, x, p->y, BTVI_START, BTVI_TEXT_BODY, true,
		     btvi_chart_color(g->verdict), btviz_verdict_name(g->verdict)) +
		8;
	snprintf(text, sizeof text, "%s%s%s%s%s", g->reason, g->power[0] ? "; " : "", g->power,
		g->note[0] && g->reason[0] ? "; " : "", g->note);
	btvi_scene_text_fit(p->scene, x, p->y, p->width - MARGIN - x, BTVI_START, BTVI_TEXT_BODY,
		false, BTVI_INK_SOFT, text);
}

double btvi_compare_reasons_height(const struct btviz_judgement *j)
{
	return (double)each_line(j, NULL, NULL) * REASON;
}

double btvi_compare_reasons(
	struct btvi_scene *s, const struct btviz_judgement *j, double y, double width)
{
	struct words_place p = { s, y, width };

	each_line(j, draw_line, &p);
	return p.y;
}

/* ---- notes --------------------------------------------------------------------------------- */

double btvi_compare_notes_height(const struct btviz_comparison_plot_options *o)
{
	return o->note_count > 0 ? NOTE_GAP + (double)o->note_count * NOTE : 0;
}

void btvi_compare_notes(
	struct btvi_scene *s, const struct btviz_comparison_plot_options *o, double y, double width)
{
	y += NOTE_GAP;
	for (size_t i = 0; i < o->note_count; i++) {
		const bool inner = strncmp(o->notes[i], "  ", 2) == 0;

		y += NOTE;
		btvi_scene_text_fit(s, MARGIN + (inner ? 14 : 0), y,
			width - 2 * MARGIN - (inner ? 14 : 0), BTVI_START, BTVI_TEXT_BODY - 1,
			!inner, inner ? BTVI_INK : BTVI_INK_SOFT, o->notes[i] + (inner ? 2 : 0));
	}
}
