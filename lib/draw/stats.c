/* stats.c - the table of runs, the better value bold, and the foot of the page: what drew it and
 * how whole the data is. Figures come from the summaries; only shares and rates are formed here. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/compare.h>

#include "base/quantity.h"
#include "draw/page.h"
#include "judge/likeness.h"
#include "judge/profile.h"

enum metric {
	TIME,
	RATE,
	READ_RATE,
	WRITE_RATE,
	IO_RATE,
	SEEK_RATE,
	P50,
	P99,
	GAPS,
	GAP_TIME,
	EFFECTIVE,
	METRIC_COUNT,
};

static const struct {
	const char *name;
	int better; /* 1: the larger, -1: the smaller, 0: neither */
} metrics[METRIC_COUNT] = {
	[TIME] = { "time", -1 },
	[RATE] = { "MB/s", 1 },
	[READ_RATE] = { "read MB/s", 1 },
	[WRITE_RATE] = { "write MB/s", 1 },
	[IO_RATE] = { "I/Os a s", 1 },
	[SEEK_RATE] = { "seeks/s", -1 },
	[P50] = { "latency p50", -1 },
	[P99] = { "p99", -1 },
	[GAPS] = { "gaps", -1 },
	[GAP_TIME] = { "in gaps", -1 },
	[EFFECTIVE] = { "effective members", 1 },
};

/* The run's figures: as compare judges them, so that picture and verdict never differ. */
static void measure(const struct btviz_figures *f, double v[METRIC_COUNT])
{
	double read = 0, write = 0;

	for (int m = 0; m < METRIC_COUNT; m++)
		v[m] = NAN;
	v[TIME] = btviz_metric_value(BTVIZ_METRIC_RUN_TIME, f);
	v[RATE] = btviz_metric_value(BTVIZ_METRIC_MB_PER_S, f) * 1e6;
	v[IO_RATE] = btviz_metric_value(BTVIZ_METRIC_IOS_PER_S, f);
	v[SEEK_RATE] = btviz_metric_value(BTVIZ_METRIC_SEEKS_PER_S, f);
	v[P50] = btviz_metric_value(BTVIZ_METRIC_LATENCY_P50, f) / 1000;
	v[P99] = btviz_metric_value(BTVIZ_METRIC_LATENCY_P99, f) / 1000;
	v[GAP_TIME] = btviz_metric_value(BTVIZ_METRIC_GAP_TIME, f);
	v[EFFECTIVE] = btviz_metric_value(BTVIZ_METRIC_EFFECTIVE_MEMBERS, f);
	v[GAPS] = 0;
	for (size_t t = 0; t < f->top_count; t++) {
		const struct btviz_device *d = f->devices[f->top[t]];
		uint64_t count = 0;

		read += (double)d->moved[BTVIZ_DIR_READ].bytes;
		write += (double)d->moved[BTVIZ_DIR_WRITE].bytes;
		/* A slow phase is no standstill. */
		for (int kind = 0; kind < BTVIZ_GAP_KIND_COUNT; kind++)
			count += kind != BTVIZ_GAP_SLOW ? d->gap_totals[kind].count : 0;
		v[GAPS] = fmax(v[GAPS], (double)count);
	}
	v[READ_RATE] = f->span_s > 0 && read > 0 ? read / f->span_s : NAN;
	v[WRITE_RATE] = f->span_s > 0 && write > 0 ? write / f->span_s : NAN;
}

/* Figures of several digits: "1902", "22.5", "0.34". */
static const char *figure(double x, char out[BTVI_QUANTITY_SIZE])
{
	return btvi_quantity_fixed(x, x > 0 && x < 0.095 ? 4 : x < 10 ? 2 : x < 1000 ? 1 : 0, out);
}

static const char *show(enum metric m, double v, char out[BTVI_QUANTITY_SIZE])
{
	switch (m) {
	case TIME:
		btvi_quantity_fixed(v, v < 10 ? 3 : 2, out);
		if (!isnan(v))
			strcat(out, " s");
		return out;
	case P50:
	case P99:
	case GAP_TIME:
		if (v == 0)
			return strcpy(out, "0 s");
		return btvi_quantity_duration(v, out);
	case RATE:
	case READ_RATE:
	case WRITE_RATE:
		return figure(v / 1e6, out);
	case GAPS:
		return isnan(v) ? strcpy(out, "n/a") : btvi_quantity_count((uint64_t)v, out);
	case IO_RATE:
	case SEEK_RATE:
	case METRIC_COUNT:
		return figure(v, out);
	case EFFECTIVE:
		return btvi_quantity_fixed(v, 2, out);
	}
	return out;
}

/* Whether the runs did the same work, as compare judges it: else no figure of one is better. */
static bool same_work(const struct btvi_page *p)
{
	struct btvi_profile *const profiles = calloc(p->run_count, sizeof *profiles);
	struct btvi_likeness *const likeness = calloc(1, sizeof *likeness);
	bool same = profiles && likeness;
	size_t taken = 0;

	while (same && taken < p->run_count &&
		btvi_profile_take(p->runs[taken].figures, &profiles[taken], NULL) == BTVIZ_OK)
		taken++;
	same = same && taken == p->run_count;
	for (size_t i = 1; same && i < p->run_count; i++)
		btvi_likeness_pair(likeness, &(struct btvi_named){ &profiles[0], p->runs[0].label },
			&(struct btvi_named){ &profiles[i], p->runs[i].label });
	for (size_t i = 0; same && i < likeness->count; i++)
		same = likeness->items[i].pub.kind != BTVIZ_UNLIKE_WORK;
	while (taken > 0)
		btvi_profile_done(&profiles[--taken]);
	free(profiles);
	free(likeness);
	return same;
}

static bool is_best(const struct btvi_page *p, double (*values)[METRIC_COUNT], size_t run, int m)
{
	const double sign = metrics[m].better;
	double best = -INFINITY, worst = INFINITY;

	if (p->run_count < 2 || sign == 0 || isnan(values[run][m]))
		return false;
	for (size_t i = 0; i < p->run_count; i++)
		if (!isnan(values[i][m])) {
			best = fmax(best, sign * values[i][m]);
			worst = fmin(worst, sign * values[i][m]);
		}
	/* What differs by less than a percent is not better. */
	return best - worst > 0.01 * fabs(best) + 1e-12 && sign * values[run][m] == best;
}

/* Has no panel: the table and the lists below them. */
const struct btvi_panel btvi_panel_stats = {
	.id = BTVIZ_PANEL_STATS,
	.name = "stats",
	.title = "table and lists",
	.usual = true,
};

double btvi_stats(struct btvi_page *p, double x, double y, double width, bool draw)
{
	const double line = 18, size = BTVI_TEXT_BODY, pad = 22;
	double(*values)[METRIC_COUNT] = btvi_scene_alloc(p->scene, p->run_count, sizeof *values);
	double widths[METRIC_COUNT] = { 0 }, name_width = 0, total = 0;
	bool used[METRIC_COUNT] = { false }, writes = false;
	char text[BTVI_QUANTITY_SIZE];
	/* The first to go when there is no room. */
	static const enum metric least[] = { READ_RATE, WRITE_RATE, P50, GAP_TIME, IO_RATE,
		EFFECTIVE, P99, SEEK_RATE };
	size_t drop = 0;

	if (!draw || !values)
		return (double)(p->run_count + 1) * line + 6;
	for (size_t i = 0; i < p->run_count; i++) {
		measure(p->runs[i].figures, values[i]);
		name_width = fmax(
			name_width, btvi_font_width(p->scene->font, p->runs[i].label, size, false));
	}
	for (size_t i = 0; i < p->run_count; i++)
		writes = writes || !isnan(values[i][WRITE_RATE]);
	name_width = fmin(name_width, width / 3) + (p->overlay ? 16 : 0);
	for (int m = 0; m < METRIC_COUNT; m++) {
		widths[m] =
			btvi_font_width(p->scene->font, metrics[m].name, BTVI_TEXT_SMALL, false);
		for (size_t i = 0; i < p->run_count; i++) {
			used[m] = used[m] || !isnan(values[i][m]);
			widths[m] = fmax(widths[m],
				btvi_font_width(
					p->scene->font, show(m, values[i][m], text), size, true));
		}
		/* By direction only where there are two. */
		if ((m == READ_RATE || m == WRITE_RATE) && !(used[READ_RATE] && writes))
			used[m] = false;
		total += used[m] ? widths[m] + pad : 0;
	}
	while (name_width + total > width && drop < sizeof least / sizeof least[0]) {
		const enum metric m = least[drop++];

		total -= used[m] ? widths[m] + pad : 0;
		used[m] = false;
	}
	/* A table as wide as it needs to be, airy where there is room. */
	size_t columns = 0;

	for (int m = 0; m < METRIC_COUNT; m++)
		columns += used[m];
	const double air =
		columns ? fmin(fmax((width - name_width - total) / (double)columns, 0), 26) : 0;
	double at = x + name_width;
	const bool comparable = p->run_count > 1 && same_work(p);

	btvi_scene_text(
		p->scene, x, y + 13, BTVI_START, BTVI_TEXT_SMALL, false, BTVI_INK_SOFT, "run");
	for (size_t i = 0; i < p->run_count; i++) {
		const double ty = y + (double)(i + 1) * line + 16;

		if (p->overlay)
			btvi_scene_rect(p->scene, x, ty - 9, 10, 10, p->runs[i].color);
		btvi_scene_text_fit(p->scene, x + (p->overlay ? 16 : 0), ty,
			name_width - (p->overlay ? 16 : 0) + 1, BTVI_START, size, false, BTVI_INK,
			p->runs[i].label);
	}
	for (int m = 0; m < METRIC_COUNT; m++) {
		if (!used[m])
			continue;
		at += widths[m] + pad + air;
		btvi_scene_text(p->scene, at, y + 13, BTVI_END, BTVI_TEXT_SMALL, false,
			BTVI_INK_SOFT, metrics[m].name);
		for (size_t i = 0; i < p->run_count; i++)
			btvi_scene_text(p->scene, at, y + (double)(i + 1) * line + 16, BTVI_END,
				size, comparable && is_best(p, values, i, m), BTVI_INK,
				show(m, values[i][m], text));
	}
	btvi_scene_hline(p->scene, x, at, y + line + 0.5, 0.8, BTVI_AXIS);
	return (double)(p->run_count + 1) * line + 6;
}

/* ---- foot ---------------------------------------------------------------------------------- */

static void add(char *out, size_t size, const char *words, uint64_t count)
{
	const size_t n = strlen(out);
	char number[BTVI_QUANTITY_SIZE];

	if (count > 0 && n < size)
		snprintf(out + n, size - n, "%s%s %s", n ? ", " : "",
			btvi_quantity_count(count, number), words);
}

/* What is wrong with a run's data; "" if nothing is. */
static void damage(const struct btviz_figures *f, char *out, size_t size)
{
	const struct btviz_health *h = f->health;
	size_t n;

	out[0] = '\0';
	add(out, size, "events lost", h->lost_events);
	add(out, size, "I/Os that do not pair (suspected loss)", f->suspected_loss);
	add(out, size, "streams torn at their end", h->torn_tails);
	add(out, size, "bytes that are no records", h->bad_bytes);
	add(out, size, "events of unknown kind", h->unknown_actions);
	add(out, size, "events out of order", h->late_events);
	add(out, size, "steps back of the clock", h->steps_back);
	add(out, size, "events of more devices than are kept", h->left_out_events);
	n = strlen(out);
	if (f->fua_missing && n < size)
		snprintf(out + n, size - n, "%sFUA writes are missing with this kernel",
			n ? ", " : "");
}

double btvi_foot(struct btvi_page *p, double x, double y, double width, bool draw)
{
	const double line = 14, size = 10;
	char text[600], number[BTVI_QUANTITY_SIZE];
	uint64_t events = 0, lost = 0;
	double height = line;

	for (size_t i = 0; i < p->run_count; i++) {
		char wrong[400];

		events += p->runs[i].figures->health->events;
		lost += p->runs[i].figures->health->lost_events +
			p->runs[i].figures->suspected_loss;
		damage(p->runs[i].figures, wrong, sizeof wrong);
		if (wrong[0] == '\0')
			continue;
		if (p->run_count > 1)
			snprintf(text, sizeof text, "%.150s: %s", p->runs[i].label, wrong);
		else
			snprintf(text, sizeof text, "%s", wrong);
		if (draw)
			btvi_scene_text_fit(p->scene, x + width, y + height - 3, width, BTVI_END,
				size, true, BTVI_ALARM, text);
		height += line;
	}
	snprintf(text, sizeof text, "btviz %s · %s event%s%s", btviz_version(),
		btvi_quantity_count(events, number), events == 1 ? "" : "s",
		lost == 0 ? ", none lost" : "");
	if (draw)
		btvi_scene_text_fit(p->scene, x + width, y + height - 3, width, BTVI_END, size,
			false, BTVI_INK_SOFT, text);
	return height;
}
