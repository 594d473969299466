/* gaps.c - gaps in the picture: bands through all panels, their numbers, the list below. Which
 * stretches are gaps was found by measure/. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "draw/page.h"

static const struct {
	const char *of_one, *counted, *letter;
	enum btvi_hatch hatch; /* tells the kinds apart where colours do not */
} words[BTVIZ_GAP_KIND_COUNT] = {
	[BTVIZ_GAP_SUBMIT] = { "no submissions", "without submissions", "S", BTVI_HATCH_NONE },
	[BTVIZ_GAP_QUEUE] = { "none issued", "queued but not issued", "Q", BTVI_HATCH_RISING },
	[BTVIZ_GAP_DEVICE] = { "none completed", "device stalled", "D", BTVI_HATCH_FALLING },
	[BTVIZ_GAP_SLOW] = { "slow", "slow", "L", BTVI_HATCH_LEVEL },
};

const char *btvi_gaps_letter(enum btviz_gap_kind kind)
{
	return words[kind].letter;
}

const char *btvi_gaps_word(enum btviz_gap_kind kind)
{
	return words[kind].of_one;
}

static double length(const struct btviz_gap *g)
{
	return g->end_s - g->start_s;
}

static int by_time(const void *a, const void *b)
{
	const struct btviz_gap *const *x = a, *const *y = b;

	return (*x)->start_s < (*y)->start_s ? -1 : (*x)->start_s > (*y)->start_s;
}

/* Whether no top device but this one did anything meanwhile: a disk's pause is not the run's. */
static bool is_of_all(const struct btvi_run *run, size_t device, const struct btviz_gap *g)
{
	const struct btviz_figures *f = run->figures;

	for (size_t t = 0; t < f->top_count; t++) {
		double rate = 0;

		if (f->top[t] == device)
			continue;
		if (btviz_summary_series(run->summary, f->top[t], BTVIZ_COURSE_IOS, BTVIZ_DIR_ALL,
			    g->start_ns, g->end_ns, 1, &rate) == BTVIZ_OK &&
			rate > 0)
			return false;
	}
	return true;
}

static bool is_in_view(
	const struct btvi_page *p, const struct btvi_run *run, const struct btviz_gap *gap)
{
	return gap->end_s + run->shift_s > p->t0 && gap->start_s + run->shift_s < p->t1;
}

void btvi_gaps_find(const struct btvi_page *p, size_t index, struct btvi_drawn_gaps *g)
{
	const struct btvi_run *run = &p->runs[index];
	const struct btviz_figures *f = run->figures;

	*g = (struct btvi_drawn_gaps){ 0 };
	/* With several top devices a gap of the run is one of the first, in which all rest. */
	for (size_t t = 0; t < f->top_count && t < 1; t++) {
		const struct btviz_device *d = f->devices[f->top[t]];

		for (int kind = 0; kind < BTVIZ_GAP_KIND_COUNT; kind++) {
			g->total += d->gap_totals[kind].count;
			g->total_s += d->gap_totals[kind].total_s;
		}
		for (size_t i = 0; i < d->gap_count; i++) {
			const struct btviz_gap *gap = d->gaps[i];
			size_t shortest = 0;

			if (!is_in_view(p, run, gap))
				continue;
			if (f->top_count > 1 && !is_of_all(run, f->top[t], gap))
				continue;
			if (g->count < BTVI_GAPS_DRAWN) {
				g->gaps[g->count++] = gap;
				continue;
			}
			/* The shortest gives way to a longer one. */
			for (size_t k = 1; k < g->count; k++)
				if (length(g->gaps[k]) < length(g->gaps[shortest]))
					shortest = k;
			if (length(g->gaps[shortest]) < length(gap))
				g->gaps[shortest] = gap;
		}
	}
	qsort(g->gaps, g->count, sizeof g->gaps[0], by_time);
	for (size_t i = 0; i < g->count; i++)
		g->device[i] = f->top[0];
}

/* The number of a gap, with its length and kind as far as there is room in the lane. */
static void label(struct btvi_page *p, const struct btviz_gap *gap, size_t number, double x0,
	double x1, double *left, double right, double y)
{
	const struct btvi_font *font = p->scene->font;
	char text[160], short_text[96], duration[BTVI_QUANTITY_SIZE], only[32], bare[24];
	const char *candidates[] = { text, short_text, only, bare };
	const size_t count = sizeof candidates / sizeof candidates[0];
	const double size = BTVI_TEXT_SMALL;

	btvi_quantity_duration(length(gap), duration);
	snprintf(bare, sizeof bare, "%zu", number);
	snprintf(only, sizeof only, "%zu%.4s", number, words[gap->kind].letter);
	snprintf(text, sizeof text, "%s: %s %s", only, duration, words[gap->kind].of_one);
	snprintf(short_text, sizeof short_text, "%s: %s", only, duration);
	for (size_t i = 0; i < count; i++) {
		const double w = btvi_font_width(font, candidates[i], size, true);
		double middle = (x0 + x1) / 2;

		/* A number may stand beyond a narrow band, not beyond the panel or on another. */
		if (w > (x1 - x0) - 6 && i < 2)
			continue;
		middle = fmin(middle, right - w / 2);
		if (middle - w / 2 < *left)
			middle = *left + w / 2;
		if (middle + w / 2 > right || middle - w / 2 > x1 + 4 ||
			(i + 2 == count && middle - w / 2 > x0 + 2 && w > x1 - x0))
			continue;
		btvi_scene_text(p->scene, middle, y, BTVI_MIDDLE, size, true,
			btvi_palette_gap_text(gap->kind), candidates[i]);
		*left = middle + w / 2 + 3;
		return;
	}
}

/* A band, of which the last requests still drain at the start in a gap in submission: lighter. */
static void band(struct btvi_page *p, const struct btviz_gap *gap, struct btvi_rect r, double x0,
	double idle, double x1, double strength)
{
	const uint32_t color = btvi_palette_gap(gap->kind);
	const double alpha = strength * (color & 0xff) / 255.0;

	btvi_scene_rect(p->scene, x0, r.y, idle - x0, r.h, btvi_rgba_alpha(color, alpha / 2));
	btvi_scene_rect(
		p->scene, idle, r.y, fmax(x1 - idle, 0.7), r.h, btvi_rgba_alpha(color, alpha));
}

/* Those that have no number are there all the same, faintly; many in one place become one band. */
static void faint_bands(
	struct btvi_page *p, size_t index, const struct btvi_drawn_gaps *g, struct btvi_rect r)
{
	const struct btvi_run *run = &p->runs[index];
	const struct btviz_figures *f = run->figures;
	double done = r.x;

	for (size_t i = 0; g->count > 0 && i < f->devices[f->top[0]]->gap_count; i++) {
		const struct btviz_gap *gap = f->devices[f->top[0]]->gaps[i];
		const double x0 = fmax(btvi_page_x(p, r, gap->start_s + run->shift_s), done);
		const double x1 = btvi_page_x(p, r, gap->end_s + run->shift_s);
		bool numbered = false;

		for (size_t k = 0; k < g->count; k++)
			numbered = numbered || g->gaps[k] == gap;
		if (numbered || x1 < done + 0.35 || !is_in_view(p, run, gap) ||
			(f->top_count > 1 && !is_of_all(run, f->top[0], gap)))
			continue;
		band(p, gap, r, x0, x0, x1, 0.4);
		done = fmax(x1, x0 + 0.7);
	}
}

void btvi_gaps_bands(struct btvi_page *p, size_t index, struct btvi_rect r, double lane)
{
	const double shift = p->runs[index].shift_s;
	const struct btvi_rect whole = { r.x, r.y - lane, r.w, r.h + lane };
	struct btvi_drawn_gaps g;
	double left = r.x;

	btvi_gaps_find(p, index, &g);
	faint_bands(p, index, &g, whole);
	for (size_t i = 0; i < g.count; i++) {
		const struct btviz_gap *gap = g.gaps[i];
		const double x0 = btvi_page_x(p, r, gap->start_s + shift);
		const double x1 = btvi_page_x(p, r, gap->end_s + shift);
		double idle = x0;

		if (gap->kind == BTVIZ_GAP_SUBMIT)
			idle = fmax(x0, btvi_page_x(p, r, gap->end_s - gap->idle_s + shift));
		band(p, gap, whole, x0, idle, x1, 1);
		btvi_page_hatch(p, (struct btvi_rect){ x0, r.y, x1 - x0, r.h },
			words[gap->kind].hatch, 12,
			btvi_rgba_alpha(btvi_palette_gap_text(gap->kind), 0.16));
		label(p, gap, i + 1, x0, x1, &left, r.x + r.w, r.y - lane + 12);
	}
}

void btvi_gaps_hatch_member(
	struct btvi_page *p, size_t index, uint32_t member, struct btvi_rect row)
{
	const double shift = p->runs[index].shift_s;
	struct btvi_drawn_gaps g;

	btvi_gaps_find(p, index, &g);
	for (size_t i = 0; i < g.count; i++) {
		const double x0 = btvi_page_x(p, row, g.gaps[i]->start_s + shift);
		const double x1 = btvi_page_x(p, row, g.gaps[i]->end_s + shift);

		if (member != 0 && g.gaps[i]->member == member)
			btvi_page_hatch(p, (struct btvi_rect){ x0, row.y, fmax(x1 - x0, 2), row.h },
				BTVI_HATCH_RISING, 5, BTVI_ALARM);
	}
}

void btvi_gaps_marks(struct btvi_page *p, struct btvi_rect lane)
{
	const double row = lane.h / (double)p->run_count;

	for (size_t run = 0; run < p->run_count; run++) {
		const double shift = p->runs[run].shift_s, y = lane.y + (double)run * row;
		struct btvi_drawn_gaps g;

		btvi_gaps_find(p, run, &g);
		for (size_t i = 0; i < g.count; i++) {
			const double x0 = btvi_page_x(p, lane, g.gaps[i]->start_s + shift);
			const double x1 = btvi_page_x(p, lane, g.gaps[i]->end_s + shift);

			btvi_scene_rect(p->scene, x0, y, fmax(x1 - x0, 0.7), row * 0.75,
				p->runs[run].color);
		}
	}
	btvi_scene_text(p->scene, lane.x - 6, lane.y + lane.h / 2 + 3, BTVI_END, BTVI_TEXT_SMALL,
		false, BTVI_INK_SOFT, "gaps");
}

static const char *member_name(const struct btviz_figures *f, uint32_t device)
{
	for (size_t i = 0; i < f->device_count; i++)
		if (f->devices[i]->device == device)
			return f->devices[i]->name;
	return NULL;
}

void btvi_gaps_describe(
	const struct btviz_figures *f, const struct btviz_gap *g, char *out, size_t size)
{
	const char *member = member_name(f, g->member);
	char idle[BTVI_QUANTITY_SIZE];
	size_t n = (size_t)snprintf(out, size, "%s", words[g->kind].of_one);

	if (g->kind == BTVIZ_GAP_SUBMIT)
		n += (size_t)snprintf(
			out + n, size - n, ", idle %s", btvi_quantity_duration(g->idle_s, idle));
	else if (g->outstanding > 0)
		n += (size_t)snprintf(
			out + n, size - n, ", %" PRIu32 " outstanding", g->outstanding);
	if (member && n < size)
		n += (size_t)snprintf(out + n, size - n, ", held by %s", member);
	if (g->kind == BTVIZ_GAP_SUBMIT && n < size) {
		const bool same = strcmp(g->before_comm, g->after_comm) == 0;

		if (g->before_comm[0] && !same)
			n += (size_t)snprintf(out + n, size - n, ", after %s", g->before_comm);
		if (g->after_comm[0] && n < size)
			snprintf(out + n, size - n, "; %s resumed", g->after_comm);
	}
}

void btvi_gaps_none(const struct btviz_device *d, char *out, size_t size)
{
	char threshold[BTVI_QUANTITY_SIZE];

	out[0] = '\0';
	if (d->gap_threshold_s > 0)
		snprintf(out, size, "no pause stands out (threshold %s)",
			btvi_quantity_duration(d->gap_threshold_s, threshold));
}

void btvi_gaps_none_of_run(const struct btviz_figures *f, char *out, size_t size)
{
	char count[BTVI_QUANTITY_SIZE], duration[BTVI_QUANTITY_SIZE];
	size_t n = 0;

	for (size_t t = 0; f->top_count > 1 && t < f->top_count && n < size; t++) {
		const struct btviz_device *const d = f->devices[f->top[t]];
		struct btviz_gap_total sum = { 0, 0 };

		for (int kind = 0; kind < BTVIZ_GAP_KIND_COUNT; kind++) {
			sum.count += d->gap_totals[kind].count;
			sum.total_s += d->gap_totals[kind].total_s;
		}
		if (sum.count > 0)
			n += (size_t)snprintf(out + n, size - n, "%s %s %s (%s)",
				n == 0 ? "gaps while others went on, not marked:" : ",", d->name,
				btvi_quantity_count(sum.count, count),
				btvi_quantity_duration(sum.total_s, duration));
	}
	if (n == 0)
		btvi_gaps_none(f->devices[f->top[0]], out, size);
}

/* "7 without submissions, 8.62 s (65 %)": all gaps of the run, a part a kind. */
static void total(
	const struct btvi_run *run, const struct btvi_drawn_gaps *g, char *out, size_t size)
{
	const struct btviz_figures *f = run->figures;
	const struct btviz_device *const d = f->devices[f->top[0]];
	size_t n = 0;
	char a[BTVI_QUANTITY_SIZE], b[BTVI_QUANTITY_SIZE], c[BTVI_QUANTITY_SIZE];

	if (g->count == 0) {
		btvi_gaps_none_of_run(f, out, size);
		return;
	}
	n += (size_t)snprintf(out, size, "gaps: ");
	for (int kind = 0; kind < BTVIZ_GAP_KIND_COUNT && n < size; kind++) {
		const struct btviz_gap_total *t = &d->gap_totals[kind];

		if (t->count == 0)
			continue;
		n += (size_t)snprintf(out + n, size - n, "%s%s %s, %s (%s)", n > 6 ? "; " : "",
			btvi_quantity_count(t->count, a), words[kind].counted,
			btvi_quantity_duration(t->total_s, b),
			btvi_quantity_share(f->span_s > 0 ? t->total_s / f->span_s : NAN, c));
	}
	if (g->total > g->count && n < size)
		snprintf(out + n, size - n, "; the longest %zu in view:", g->count);
}

double btvi_gaps_list(
	struct btvi_page *p, size_t index, double x, double y, double width, bool draw)
{
	const struct btvi_run *run = &p->runs[index];
	const double size = BTVI_TEXT_SMALL, line = 16;
	const size_t columns = width >= 900 ? 2 : 1;
	const double column = width / (double)columns;
	struct btvi_drawn_gaps g;
	char text[512], number[24], start[BTVI_QUANTITY_SIZE], duration[BTVI_QUANTITY_SIZE];
	size_t rows;

	if (run->figures->top_count == 0)
		return 0;
	btvi_gaps_find(p, index, &g);
	rows = (g.count + columns - 1) / columns;
	total(run, &g, text, sizeof text);
	if (text[0] == '\0')
		return 0;
	if (!draw)
		return (double)(rows + 1) * line + 4;
	btvi_scene_text_fit(
		p->scene, x, y + 12, width, BTVI_START, size, false, BTVI_INK_SOFT, text);
	for (size_t i = 0; i < g.count; i++) {
		const double cx = x + (double)(i / rows) * column;
		const double cy = y + 16 + (double)(i % rows) * line + 12;

		btvi_gaps_describe(run->figures, g.gaps[i], text, sizeof text);
		snprintf(number, sizeof number, "%zu%.2s", i + 1, words[g.gaps[i]->kind].letter);
		btvi_quantity_fixed(g.gaps[i]->start_s, 2, start);
		strcat(start, " s");
		btvi_quantity_duration(length(g.gaps[i]), duration);
		btvi_scene_text(p->scene, cx + 14, cy, BTVI_END, size, true,
			btvi_palette_gap_text(g.gaps[i]->kind), number);
		btvi_scene_text(p->scene, cx + 74, cy, BTVI_END, size, false, BTVI_INK, start);
		btvi_scene_text(p->scene, cx + 132, cy, BTVI_END, size, true, BTVI_INK, duration);
		btvi_scene_text_fit(p->scene, cx + 142, cy, column - 152, BTVI_START, size, false,
			BTVI_INK, text);
	}
	return (double)(rows + 1) * line + 4;
}
