/* comparison.c - all labels of a comparison: who is judged against whom, and the verdict of all.
 * Knows figures only; the rule is in verdict.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/compare.h>

#include "base/list.h"
#include "base/option_struct.h"
#include "base/status.h"
#include "base/text.h"
#include "judge/examine.h"
#include "judge/group.h"
#include "judge/power.h"
#include "judge/statistic.h"
#include "judge/table.h"
#include "judge/verdict.h"

#define BTVI_MISS 0.01

struct btviz_comparison {
	struct btvi_rule rule;
	size_t block, runs_needed;
	char *baseline;
	struct btvi_group *groups;
	size_t group_count, run_count;
	struct btviz_group *judged; /* what *_judge() handed out, through the list */
	const struct btviz_group **judged_list;
	struct btviz_judgement judgement;
};

const char *btviz_verdict_name(enum btviz_verdict verdict)
{
	switch (verdict) {
	case BTVIZ_VERDICT_BASE:
		return "base";
	case BTVIZ_VERDICT_GOOD:
		return "good";
	case BTVIZ_VERDICT_BAD:
		return "bad";
	case BTVIZ_VERDICT_SPORADIC:
		return "sporadic";
	case BTVIZ_VERDICT_INCONCLUSIVE:
		return "inconclusive";
	}
	return "unknown";
}

enum btviz_status btviz_comparison_new(const struct btviz_comparison_options *options,
	struct btviz_comparison **ret_c, struct btviz_error *err)
{
	struct btviz_comparison_options o = BTVIZ_COMPARISON_OPTIONS_INIT;

	if (btvi_options_take(&o, sizeof o, options, "btviz_comparison_options", err) != BTVIZ_OK)
		return BTVIZ_ERR_USAGE;
	if (!(o.threshold > 0 && o.threshold < 1))
		return btvi_fail(
			err, BTVIZ_ERR_USAGE, "the threshold must be above 0 %% and below 100 %%");
	if (!(o.expect > -1 && o.expect <= 1000))
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"the expected change must be above -100 %% and at most 100000 %%");
	if (!(o.sporadic_rate >= 0 && o.sporadic_rate <= 1 && o.miss >= 0 && o.miss < 1))
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"a sporadic fault's rate must be above 0 %% and at most 100 %%, and the chance to "
			"miss it below 100 %%");
	if (!(o.least >= 0 && isfinite(o.least) && o.floor >= 0 && isfinite(o.floor)))
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"the least difference that counts must not be negative");

	struct btviz_comparison *const c = calloc(1, sizeof *c);
	if (!c)
		return btvi_fail_nomem(err);
	c->rule = (struct btvi_rule){ o.threshold, o.expect, o.least, o.floor, o.lower_is_better };
	c->block = o.block;
	if (o.sporadic_rate > 0)
		c->runs_needed = btvi_power_runs(o.sporadic_rate, o.miss > 0 ? o.miss : BTVI_MISS);
	if (o.baseline) {
		c->baseline = strdup(o.baseline);
		if (!c->baseline) {
			free(c);
			return btvi_fail_nomem(err);
		}
	}
	*ret_c = c;
	return BTVIZ_OK;
}

void btviz_comparison_free(struct btviz_comparison *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->group_count; i++)
		btvi_group_done(&c->groups[i]);
	free(c->groups);
	free(c->judged);
	free(c->judged_list);
	free(c->baseline);
	free(c);
}

static enum btviz_status group_of(struct btviz_comparison *c, const char *label,
	struct btvi_group **ret_g, struct btviz_error *err)
{
	struct btvi_group fresh;

	btvi_group_init(&fresh, label); /* so that labels are compared as they are shown */
	for (size_t i = 0; i < c->group_count; i++)
		if (strcmp(c->groups[i].label, fresh.label) == 0) {
			*ret_g = &c->groups[i];
			return BTVIZ_OK;
		}
	if (c->group_count == BTVI_LABEL_MAX)
		return btvi_fail(err, BTVIZ_ERR_LIMIT, "more than %d labels", BTVI_LABEL_MAX);

	struct btvi_group *const grown =
		realloc(c->groups, (c->group_count + 1) * sizeof *c->groups);
	if (!grown)
		return btvi_fail_nomem(err);
	c->groups = grown;
	c->groups[c->group_count] = fresh;
	*ret_g = &c->groups[c->group_count++];
	return BTVIZ_OK;
}

enum btviz_status btviz_comparison_add_run(
	struct btviz_comparison *c, const struct btviz_comparison_run *run, struct btviz_error *err)
{
	struct btviz_comparison_run r = BTVIZ_COMPARISON_RUN_INIT;
	struct btvi_group *g = NULL;
	enum btviz_status status;

	if (btvi_options_take(&r, sizeof r, run, "btviz_comparison_run", err) != BTVIZ_OK)
		return BTVIZ_ERR_USAGE;
	if (!r.label || r.label[0] == '\0')
		return btvi_fail(err, BTVIZ_ERR_USAGE, "a run without a label");
	if (isinf(r.value))
		return btvi_fail(
			err, BTVIZ_ERR_USAGE, "a run of '%s' has an infinite value", r.label);
	if (c->run_count == BTVI_GROUP_RUNS_MAX)
		return btvi_fail(err, BTVIZ_ERR_LIMIT, "more than %d runs", BTVI_GROUP_RUNS_MAX);
	status = group_of(c, r.label, &g, err);
	if (status == BTVIZ_OK)
		status = btvi_group_add(g, &r, err);
	if (status == BTVIZ_OK)
		c->run_count++;
	return status;
}

enum btviz_status btviz_comparison_add(struct btviz_comparison *c, const char *label,
	const char *name, double value, struct btviz_error *err)
{
	struct btviz_comparison_run run = BTVIZ_COMPARISON_RUN_INIT;

	run.label = label;
	run.name = name;
	run.value = value;
	return btviz_comparison_add_run(c, &run, err);
}

enum btviz_status btviz_comparison_doubt(struct btviz_comparison *c, const char *label,
	const char *why, bool always, struct btviz_error *err)
{
	struct btvi_group fresh;

	btvi_group_init(&fresh, label);
	for (size_t i = 0; i < c->group_count; i++)
		if (strcmp(c->groups[i].label, fresh.label) == 0) {
			btvi_text_printable(
				why, strlen(why), c->groups[i].doubt, sizeof c->groups[i].doubt);
			c->groups[i].doubt_always = always;
			return BTVIZ_OK;
		}
	return btvi_fail(err, BTVIZ_ERR_USAGE, "no label '%s' to doubt", fresh.label);
}

static enum btviz_status add_row(
	struct btviz_comparison *c, const struct btvi_table_row *row, struct btviz_error *err)
{
	struct btviz_comparison_run run = BTVIZ_COMPARISON_RUN_INIT;

	run.label = row->label;
	run.value = row->value;
	run.block = row->block;
	return btviz_comparison_add_run(c, &run, err);
}

enum btviz_status btviz_comparison_add_table(
	struct btviz_comparison *c, const char *bytes, size_t size, struct btviz_error *err)
{
	struct btvi_table table;
	enum btviz_status status = btvi_table_read(bytes, size, &table, err);

	if (status != BTVIZ_OK)
		return status;
	for (size_t i = 0; i < table.count && status == BTVIZ_OK; i++)
		status = add_row(c, &table.rows[i], err);
	btvi_table_done(&table);
	return status;
}

/* ---- who against whom ---------------------------------------------------------------------- */

static bool is_sweep(const struct btviz_comparison *c)
{
	bool differ = false;

	for (size_t i = 0; i < c->group_count; i++) {
		if (!c->groups[i].numbered || c->groups[i].in_series != c->groups[0].in_series)
			return false;
		differ = differ || c->groups[i].number > c->groups[0].number ||
			c->groups[i].number < c->groups[0].number;
	}
	return differ;
}

static bool several_series(const struct btviz_comparison *c)
{
	for (size_t i = 0; i < c->group_count; i++)
		if (!c->groups[i].in_series)
			return false;
	for (size_t i = 1; i < c->group_count; i++)
		if (strcmp(c->groups[i].series, c->groups[0].series) != 0)
			return true;
	return false;
}

/* The index of the base, or of the first group of the base series. */
static bool find_base(const struct btviz_comparison *c, size_t *ret_base)
{
	*ret_base = 0;
	if (!c->baseline)
		return true;
	for (size_t i = 0; i < c->group_count; i++)
		if (strcmp(c->groups[i].label, c->baseline) == 0 ||
			(c->groups[i].in_series && strcmp(c->groups[i].series, c->baseline) == 0)) {
			*ret_base = i;
			return true;
		}
	return false;
}

static size_t base_of(const struct btviz_comparison *c, size_t group, size_t base)
{
	const struct btvi_group *const g = &c->groups[group];

	if (!several_series(c))
		return base;
	for (size_t i = 0; i < c->group_count; i++)
		if (strcmp(c->groups[i].series, c->groups[base].series) == 0 &&
			c->groups[i].number >= g->number && c->groups[i].number <= g->number)
			return i;
	return SIZE_MAX;
}

/* ---- judging ------------------------------------------------------------------------------- */

static enum btviz_status describe(
	const struct btvi_group *g, const struct btvi_observed *o, struct btviz_group *out)
{
	struct btvi_interval interval;
	const enum btviz_status status = btvi_bootstrap_mean(o->means, o->count, &interval);

	if (status != BTVIZ_OK)
		return status;
	*out = (struct btviz_group){ .label = g->label,
		.series = g->numbered ? g->series : NULL,
		.number = g->number,
		.base = SIZE_MAX,
		.values = g->values,
		.names = (const char *const *)g->names,
		.count = g->count,
		.known = g->known_count,
		.mean = btvi_mean(g->known, g->known_count),
		.min = btvi_min(g->known, g->known_count),
		.max = btvi_max(g->known, g->known_count),
		.low = interval.low,
		.high = interval.high,
		.change = NAN,
		.bar = NAN,
		.change_low = NAN,
		.change_high = NAN,
		.p_worse = NAN,
		.p_within = NAN,
		.method = BTVIZ_METHOD_NONE,
		.verdict = BTVIZ_VERDICT_INCONCLUSIVE,
		.reason = g->reason,
		.note = g->note,
		.power = g->power,
		.blocks = o->count };
	return BTVIZ_OK;
}

static bool is_alarm(enum btviz_verdict v)
{
	return v == BTVIZ_VERDICT_BAD || v == BTVIZ_VERDICT_SPORADIC;
}

/* The rule on runs, or on the means of blocks where there are any; two kinds of runs are looked for
 * among the runs, but a block that is wholly of one kind may be that block's own. */
static enum btviz_status apply(const struct btviz_comparison *c, const struct btvi_group *b,
	const struct btvi_observed *base, const struct btvi_group *g,
	const struct btvi_observed *runs, struct btvi_ruling *ret_r)
{
	struct btvi_ruling of_blocks;
	enum btviz_status status = btvi_rule_apply(
		&c->rule, b->known, b->known_count, g->known, g->known_count, ret_r);

	if (status != BTVIZ_OK || (!base->blocked && !runs->blocked) ||
		(ret_r->verdict == BTVIZ_VERDICT_SPORADIC &&
			btvi_observed_mixed(runs, g, &c->rule, ret_r->bar)))
		return status;
	status = btvi_rule_apply(
		&c->rule, base->means, base->count, runs->means, runs->count, &of_blocks);
	if (status != BTVIZ_OK)
		return status;
	const size_t n = strlen(of_blocks.reason);
	snprintf(of_blocks.reason + n, sizeof of_blocks.reason - n, " (by %zu and %zu blocks)",
		base->count, runs->count);
	of_blocks.far_below = ret_r->far_below;
	*ret_r = of_blocks;
	return BTVIZ_OK;
}

/* What the verdict is without the base's outliers, told in the reason; a good one that rests on an
 * outlier is none. */
static enum btviz_status without_outliers(const struct btviz_comparison *c,
	const struct btvi_observed *base, const struct btvi_group *g, struct btvi_ruling *r)
{
	struct btvi_ruling other;
	enum btviz_status status;
	size_t n;

	if (base->outliers.low + base->outliers.high == 0)
		return BTVIZ_OK;
	status = btvi_rule_apply(
		&c->rule, base->usual, base->usual_count, g->known, g->known_count, &other);
	if (status != BTVIZ_OK)
		return status;
	n = strlen(r->reason);
	if (other.verdict == r->verdict) {
		snprintf(r->reason + n, sizeof r->reason - n,
			"; the same without the base's outliers");
		return BTVIZ_OK;
	}
	snprintf(r->reason + n, sizeof r->reason - n, "; without the base's outliers: %s (%.140s)",
		btviz_verdict_name(other.verdict), other.reason);
	if (r->verdict == BTVIZ_VERDICT_GOOD && is_alarm(other.verdict))
		r->verdict = BTVIZ_VERDICT_INCONCLUSIVE;
	return BTVIZ_OK;
}

/* What stands beside a good verdict: how sure it is, and whether that is enough. */
static void how_sure(
	const struct btviz_comparison *c, struct btvi_group *g, struct btviz_group *out)
{
	const size_t n = out->known;

	out->runs_needed = c->runs_needed;
	if (out->verdict != BTVIZ_VERDICT_GOOD)
		return;
	btvi_power_text(n, g->power, sizeof g->power);
	if (n >= c->runs_needed)
		return;
	char reason[sizeof g->reason];
	snprintf(reason, sizeof reason, "%zu of %zu runs, %zu more: no fault yet (%.400s)", n,
		c->runs_needed, c->runs_needed - n, g->reason);
	memcpy(g->reason, reason, sizeof g->reason);
	out->verdict = BTVIZ_VERDICT_INCONCLUSIVE;
}

/* The label's runs may not be comparable with the base's. */
static void doubted(struct btvi_group *g, struct btviz_group *out)
{
	char reason[sizeof g->reason];

	if (!g->doubt[0])
		return;
	if (g->doubt_always || out->verdict == BTVIZ_VERDICT_GOOD) {
		snprintf(reason, sizeof reason, "%s; by the figures %s: %.300s", g->doubt,
			btviz_verdict_name(out->verdict), g->reason);
		out->verdict = BTVIZ_VERDICT_INCONCLUSIVE;
		out->doubt = g->doubt;
		g->power[0] = '\0';
	} else {
		snprintf(reason, sizeof reason, "%.300s; but %s", g->reason, g->doubt);
	}
	memcpy(g->reason, reason, sizeof g->reason);
}

static enum btviz_status compare_with(struct btviz_comparison *c, size_t base, size_t i,
	const struct btvi_observed *runs, struct btviz_group *out)
{
	const struct btvi_group *const b = &c->groups[base];
	struct btvi_group *const g = &c->groups[i];
	struct btvi_interval interval;
	struct btvi_observed before;
	struct btvi_ruling ruling;
	enum btviz_status status = btvi_observe(b, &c->rule, c->block, &before);

	if (status != BTVIZ_OK)
		return status;
	status = apply(c, b, &before, g, runs, &ruling);
	if (status == BTVIZ_OK)
		status = without_outliers(c, &before, g, &ruling);
	if (status == BTVIZ_OK)
		status = btvi_bootstrap_change(
			before.means, before.count, runs->means, runs->count, &interval);
	btvi_observed_done(&before);
	if (status != BTVIZ_OK)
		return status;
	snprintf(g->reason, sizeof g->reason, "%s", ruling.reason);
	out->change = ruling.change;
	out->change_low = interval.low;
	out->change_high = interval.high;
	out->bar = ruling.bar;
	out->far_below = ruling.far_below;
	out->p_worse = ruling.p_worse;
	out->p_within = ruling.p_within;
	out->method = ruling.method;
	out->verdict = ruling.verdict;
	how_sure(c, g, out);
	doubted(g, out);
	return BTVIZ_OK;
}

static enum btviz_status judge_one(
	struct btviz_comparison *c, size_t i, size_t base, struct btviz_group *out)
{
	struct btvi_group *const g = &c->groups[i];
	struct btvi_observed runs;
	enum btviz_status status = btvi_observe(g, &c->rule, c->block, &runs);

	g->reason[0] = g->power[0] = '\0';
	if (status != BTVIZ_OK)
		return status;
	status = describe(g, &runs, out);
	if (status == BTVIZ_OK)
		status = btvi_examine(g, &c->rule, &runs, base == i);
	out->base = base;
	if (base == SIZE_MAX) {
		strcpy(g->reason, "the base series has no runs of this number");
	} else if (base == i) {
		out->change = g->known_count > 0 ? 0 : NAN;
		out->verdict = BTVIZ_VERDICT_BASE;
	} else if (status == BTVIZ_OK) {
		status = compare_with(c, base, i, &runs, out);
	}
	btvi_observed_done(&runs);
	return status;
}

/* The worse of two verdicts. The base's own is better than any. */
static enum btviz_verdict worse(enum btviz_verdict a, enum btviz_verdict b)
{
	static const int rank[] = {
		[BTVIZ_VERDICT_BASE] = 0,
		[BTVIZ_VERDICT_GOOD] = 1,
		[BTVIZ_VERDICT_INCONCLUSIVE] = 2,
		[BTVIZ_VERDICT_SPORADIC] = 3,
		[BTVIZ_VERDICT_BAD] = 4,
	};

	return rank[a] > rank[b] ? a : b;
}

enum btviz_status btviz_comparison_judge(
	struct btviz_comparison *c, const struct btviz_judgement **ret_j, struct btviz_error *err)
{
	struct btviz_judgement j = { .verdict = BTVIZ_VERDICT_BASE,
		.sweep = is_sweep(c),
		.threshold = c->rule.threshold,
		.expect = c->rule.expect };
	bool compared = false;

	if (c->group_count == 0)
		return btvi_fail(err, BTVIZ_ERR_EMPTY, "no runs to compare");
	if (!find_base(c, &j.base))
		return btvi_fail(
			err, BTVIZ_ERR_USAGE, "no label '%s' to compare with", c->baseline);
	free(c->judged);
	c->judged = calloc(c->group_count, sizeof *c->judged);
	free(c->judged_list);
	c->judged_list = calloc(c->group_count, sizeof *c->judged_list);
	if (!c->judged || !c->judged_list)
		return btvi_fail_nomem(err);
	for (size_t i = 0; i < c->group_count; i++) {
		const enum btviz_status status =
			judge_one(c, i, base_of(c, i, j.base), &c->judged[i]);

		if (status != BTVIZ_OK)
			return btvi_fail_nomem(err);
		compared = compared || c->judged[i].verdict != BTVIZ_VERDICT_BASE;
		j.verdict = worse(j.verdict, c->judged[i].verdict);
	}
	if (!compared)
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"only one label, '%s': nothing to compare it with",
			c->groups[j.base].label);
	BTVI_LIST_OF(c->judged_list, c->judged, c->group_count);
	j.groups = c->judged_list;
	j.group_count = c->group_count;
	c->judgement = j;
	*ret_j = &c->judgement;
	return BTVIZ_OK;
}
