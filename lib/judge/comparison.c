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
#include "judge/group.h"
#include "judge/statistic.h"
#include "judge/table.h"
#include "judge/verdict.h"

struct btviz_comparison {
	struct btvi_rule rule;
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
	if (!(o.least >= 0 && isfinite(o.least)))
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"the least difference that counts must not be negative");

	struct btviz_comparison *const c = calloc(1, sizeof *c);
	if (!c)
		return btvi_fail_nomem(err);
	c->rule = (struct btvi_rule){ o.threshold, o.expect, o.least, o.lower_is_better };
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

enum btviz_status btviz_comparison_add(struct btviz_comparison *c, const char *label,
	const char *name, double value, struct btviz_error *err)
{
	struct btvi_group *g = NULL;
	enum btviz_status status;

	if (label[0] == '\0')
		return btvi_fail(err, BTVIZ_ERR_USAGE, "a run without a label");
	if (isinf(value))
		return btvi_fail(
			err, BTVIZ_ERR_USAGE, "a run of '%s' has an infinite value", label);
	if (c->run_count == BTVI_GROUP_RUNS_MAX)
		return btvi_fail(err, BTVIZ_ERR_LIMIT, "more than %d runs", BTVI_GROUP_RUNS_MAX);
	status = group_of(c, label, &g, err);
	if (status == BTVIZ_OK)
		status = btvi_group_add(g, name, value, err);
	if (status == BTVIZ_OK)
		c->run_count++;
	return status;
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

enum btviz_status btviz_comparison_add_table(
	struct btviz_comparison *c, const char *bytes, size_t size, struct btviz_error *err)
{
	struct btvi_table table;
	enum btviz_status status = btvi_table_read(bytes, size, &table, err);

	if (status != BTVIZ_OK)
		return status;
	for (size_t i = 0; i < table.count && status == BTVIZ_OK; i++)
		status = btviz_comparison_add(
			c, table.rows[i].label, NULL, table.rows[i].value, err);
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

static enum btviz_status describe(const struct btvi_group *g, struct btviz_group *out)
{
	struct btvi_interval interval;
	const enum btviz_status status = btvi_bootstrap_mean(g->known, g->known_count, &interval);

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
		.reason = g->reason };
	return BTVIZ_OK;
}

static enum btviz_status judge_one(
	struct btviz_comparison *c, size_t i, size_t base, struct btviz_group *out)
{
	struct btvi_group *const g = &c->groups[i];
	struct btvi_interval interval;
	struct btvi_ruling ruling;
	enum btviz_status status = describe(g, out);

	g->reason[0] = '\0';
	out->base = base;
	if (status != BTVIZ_OK)
		return status;
	if (base == SIZE_MAX) {
		strcpy(g->reason, "the base series has no runs of this number");
		return BTVIZ_OK;
	}
	if (base == i) {
		out->change = g->known_count > 0 ? 0 : NAN;
		out->verdict = BTVIZ_VERDICT_BASE;
		return BTVIZ_OK;
	}
	const struct btvi_group *const b = &c->groups[base];
	status = btvi_rule_apply(
		&c->rule, b->known, b->known_count, g->known, g->known_count, &ruling);
	if (status == BTVIZ_OK)
		status = btvi_bootstrap_change(
			b->known, b->known_count, g->known, g->known_count, &interval);
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
	if (g->doubt[0] && (g->doubt_always || out->verdict == BTVIZ_VERDICT_GOOD)) {
		out->verdict = BTVIZ_VERDICT_INCONCLUSIVE;
		out->doubt = g->doubt;
		snprintf(g->reason, sizeof g->reason, "%s; by the figures %s: %s", g->doubt,
			btviz_verdict_name(ruling.verdict), ruling.reason);
	} else if (g->doubt[0]) {
		snprintf(g->reason, sizeof g->reason, "%s; but %s", ruling.reason, g->doubt);
	}
	return BTVIZ_OK;
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
