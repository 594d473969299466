/* examine.c - what is odd about the runs of one group, and how much so many of them can tell.
 *
 * Runs of one block (one boot) share what that boot happened to be like: nine runs of three boots
 * are three observations of it, not nine. So means are compared by blocks, while a fault that comes
 * and goes is looked for in the runs. */
#include "judge/examine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "judge/power.h"
#include "judge/statistic.h"

/* The block of a run: its index among the runs that are the first of theirs. */
static size_t block_of(const struct btvi_group *g, size_t runs_per_block, size_t run)
{
	if (!g->blocks[run])
		return runs_per_block > 0 ? run - run % runs_per_block : run;
	for (size_t i = 0; i < run; i++)
		if (g->blocks[i] && strcmp(g->blocks[i], g->blocks[run]) == 0)
			return i;
	return run;
}

static bool has_blocks(const struct btvi_group *g, size_t runs_per_block)
{
	return g->has_blocks || runs_per_block > 1;
}

static enum btviz_status block_means(
	const struct btvi_group *g, size_t runs_per_block, struct btvi_observed *o)
{
	double *const sums = calloc(g->count + 1, sizeof *sums);
	size_t *const counts = calloc(g->count + 1, sizeof *counts);

	o->means = malloc((g->count + 1) * sizeof *o->means);
	o->blocks = malloc((g->count + 1) * sizeof *o->blocks);
	if (!sums || !counts || !o->means || !o->blocks) {
		free(sums);
		free(counts);
		return BTVIZ_ERR_NOMEM;
	}
	for (size_t i = 0; i < g->count; i++) {
		const size_t block =
			has_blocks(g, runs_per_block) ? block_of(g, runs_per_block, i) : i;

		o->blocks[i] = block;
		if (isnan(g->values[i]))
			continue;
		sums[block] += g->values[i];
		counts[block]++;
		o->blocked = o->blocked || counts[block] > 1;
	}
	for (size_t i = 0; i < g->count; i++)
		if (counts[i] > 0)
			o->means[o->count++] = sums[i] / (double)counts[i];
	free(sums);
	free(counts);
	return BTVIZ_OK;
}

static bool is_low(const struct btvi_rule *rule, double value, double bar)
{
	return rule->lower_is_better ? value >= bar : value <= bar;
}

static int by_number(const void *x, const void *y)
{
	const double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

/* Outliers of either side, and the runs without them. */
static enum btviz_status usual_runs(
	const struct btvi_group *g, const struct btvi_rule *rule, struct btvi_observed *o)
{
	const size_t n = g->known_count;
	struct btvi_outliers found;

	o->usual = malloc((n + 1) * sizeof *o->usual);
	if (!o->usual)
		return BTVIZ_ERR_NOMEM;
	memcpy(o->usual, g->known, n * sizeof *o->usual);
	qsort(o->usual, n, sizeof *o->usual, by_number);
	found = btvi_outliers_find(o->usual, n, rule->threshold);
	if (found.low + found.high >= n) /* both ends at once: neither is one */
		found.low = found.high = 0;
	/* Several far better than most: those are the good ones of two kinds. */
	if (!rule->lower_is_better && found.high > 1)
		found = (struct btvi_outliers){ n - found.high, 0 };
	else if (rule->lower_is_better && found.low > 1)
		found = (struct btvi_outliers){ 0, n - found.low };
	o->usual_count = n - found.low - found.high;
	memmove(o->usual, o->usual + found.low, o->usual_count * sizeof *o->usual);
	o->outliers.low = rule->lower_is_better ? found.high : found.low;
	o->outliers.high = rule->lower_is_better ? found.low : found.high;
	return BTVIZ_OK;
}

enum btviz_status btvi_observe(const struct btvi_group *g, const struct btvi_rule *rule,
	size_t runs_per_block, struct btvi_observed *ret_o)
{
	struct btvi_observed o = { .means = NULL };
	enum btviz_status status = block_means(g, runs_per_block, &o);

	if (status == BTVIZ_OK)
		status = usual_runs(g, rule, &o);
	if (status == BTVIZ_OK)
		*ret_o = o;
	else
		btvi_observed_done(&o);
	return status;
}

void btvi_observed_done(struct btvi_observed *o)
{
	free(o->means);
	free(o->blocks);
	free(o->usual);
}

bool btvi_observed_mixed(const struct btvi_observed *o, const struct btvi_group *g,
	const struct btvi_rule *rule, double bar)
{
	for (size_t i = 0, first = 0; i < g->count; i++) {
		if (isnan(g->values[i]))
			continue;
		/* The first run that counts of this block; blocks are mostly short and in order. */
		if (o->blocks[first] != o->blocks[i] || isnan(g->values[first]))
			first = o->blocks[i];
		while (isnan(g->values[first]) || o->blocks[first] != o->blocks[i])
			first++;
		if (is_low(rule, g->values[first], bar) != is_low(rule, g->values[i], bar))
			return true;
	}
	return false;
}

/* ---- notes --------------------------------------------------------------------------------- */

static void note(struct btvi_group *g, const char *text)
{
	const size_t n = strlen(g->note);

	snprintf(g->note + n, sizeof g->note - n, "%s%s", n > 0 ? "; " : "", text);
}

/* "run 3 (70)": the run with that value. */
static void run_text(const struct btvi_group *g, double value, char *out, size_t size)
{
	char number[BTVI_QUANTITY_SIZE];

	for (size_t i = 0; i < g->count; i++)
		if (g->values[i] >= value && g->values[i] <= value) {
			btvi_quantity_fixed(value, fabs(value) < 99.95, number);
			snprintf(out, size, "run %zu (%s)", i + 1, number);
			return;
		}
}

static void outliers_note(
	struct btvi_group *g, const struct btvi_rule *rule, const struct btvi_observed *o)
{
	const size_t worse = o->outliers.low, better = o->outliers.high;
	char run[96] = "a run", text[160];

	if (worse > 1) {
		snprintf(text, sizeof text, "sporadic: %zu of its %zu runs far below the others",
			worse, g->known_count);
		note(g, text);
	} else if (worse == 1) {
		run_text(g,
			rule->lower_is_better ? btvi_max(g->known, g->known_count)
					      : btvi_min(g->known, g->known_count),
			run, sizeof run);
		snprintf(text, sizeof text, "%s is far below the others: an outlier, or sporadic",
			run);
		note(g, text);
	}
	if (better > 0) {
		run_text(g,
			rule->lower_is_better ? btvi_min(g->known, g->known_count)
					      : btvi_max(g->known, g->known_count),
			run, sizeof run);
		snprintf(text, sizeof text, "%s is far better than the others: an outlier", run);
		note(g, text);
	}
}

/* Runs in the order of their times, where all have one. */
static enum btviz_status in_order(const struct btvi_group *g, double **ret_x, size_t *ret_n)
{
	size_t n = 0;
	double *const pairs = malloc((2 * g->count + 1) * sizeof *pairs); /* time, value */
	bool timed = true;

	if (!pairs)
		return BTVIZ_ERR_NOMEM;
	for (size_t i = 0; i < g->count; i++) {
		if (isnan(g->values[i]))
			continue;
		timed = timed && !isnan(g->times[i]);
		pairs[2 * n] = g->times[i];
		pairs[2 * n++ + 1] = g->values[i];
	}
	if (timed)
		qsort(pairs, n, 2 * sizeof *pairs, by_number);
	for (size_t i = 0; i < n; i++)
		pairs[i] = pairs[2 * i + 1];
	*ret_x = pairs;
	*ret_n = n;
	return BTVIZ_OK;
}

enum btviz_status btvi_examine(struct btvi_group *g, const struct btvi_rule *rule,
	const struct btvi_observed *o, bool base)
{
	const double mean = fabs(btvi_mean(g->known, g->known_count));
	char number[BTVI_QUANTITY_SIZE], text[160];
	double *x = NULL, rise, p;
	bool drifts = false;
	size_t n = 0;
	enum btviz_status status;

	g->note[0] = '\0';
	if (base)
		outliers_note(g, rule, o);
	status = in_order(g, &x, &n);
	if (status == BTVIZ_OK)
		status = btvi_drift_find(
			x, n, fmax(rule->threshold / 2 * mean, rule->least), &drifts, &rise, &p);
	free(x);
	if (drifts && mean > 0) {
		btvi_quantity_share(fabs(rise) / mean, number);
		snprintf(text, sizeof text,
			"drift: %s steadily by %s from its first run to its last",
			rise > 0 ? "rises" : "falls", number);
		note(g, text);
	}
	return status;
}

/* A chance as people write it: "13 %", "0.4 %", "under 0.1 %". */
static const char *chance_text(double chance, char out[BTVI_QUANTITY_SIZE])
{
	if (chance < 0.0005)
		return "under 0.1 %";
	if (chance >= 0.095)
		snprintf(out, BTVI_QUANTITY_SIZE, "%.0f %%", round(100 * chance));
	else
		btvi_quantity_share(chance, out);
	return out;
}

void btvi_power_text(size_t n, char *out, size_t size)
{
	char half[BTVI_QUANTITY_SIZE], third[BTVI_QUANTITY_SIZE];
	const size_t enough = btvi_power_runs(1.0 / 3, 0.01);
	int at = snprintf(out, size,
		"a fault in every 2nd run would be missed in %s, in every 3rd in %s",
		chance_text(btvi_power_miss(0.5, n), half),
		chance_text(btvi_power_miss(1.0 / 3, n), third));

	if (n < enough)
		snprintf(out + at, size - (size_t)at, "; %zu runs for 1 %%", enough);
}
