/* compare_json.c - a comparison as JSON, schema btviz.compare/1. Computes nothing. */
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include <btviz/btviz.h>

#include "compare_print.h"

/* A figure that does not exist is null, never 0. */
static json_t *number(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

static json_t *pair(double low, double high)
{
	return isfinite(low) && isfinite(high) ? json_pack("[f, f]", low, high) : json_null();
}

static const char *method_name(enum btviz_method method)
{
	switch (method) {
	case BTVIZ_METHOD_NONE:
		return "none";
	case BTVIZ_METHOD_THRESHOLD:
		return "threshold";
	case BTVIZ_METHOD_SEPARATION:
		return "separation";
	case BTVIZ_METHOD_RANK_TEST:
		return "rank-test";
	}
	return "none";
}

static json_t *runs_json(const struct btviz_group *g)
{
	json_t *const runs = json_array();

	for (size_t i = 0; i < g->count; i++)
		json_array_append_new(runs,
			json_pack("{s:o, s:o}", "name",
				g->names[i][0] ? json_string(g->names[i]) : json_null(), "value",
				number(g->values[i])));
	return runs;
}

static json_t *group_json(const struct btviz_judgement *j, const struct btviz_group *g)
{
	json_t *const base =
		g->base < j->group_count ? json_string(j->groups[g->base]->label) : json_null();

	return json_pack(
		"{s:s, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:s, "
		"s:s, s:s}",
		"label", g->label, "series", g->series ? json_string(g->series) : json_null(),
		"number", number(g->number), "base", base, "runs", runs_json(g), "count",
		(json_int_t)g->known, "average", number(g->mean), "interval", pair(g->low, g->high),
		"min", number(g->min), "max", number(g->max), "change", number(g->change),
		"change_interval", pair(g->change_low, g->change_high), "far_below",
		(json_int_t)g->far_below, "p_worse", number(g->p_worse), "p_within",
		number(g->p_within), "method", method_name(g->method), "verdict",
		btviz_verdict_name(g->verdict), "reason", g->reason);
}

static json_t *metric_json(const struct btviz_compared *c)
{
	json_t *const labels = json_array();

	for (size_t i = 0; i < c->judgement->group_count; i++)
		json_array_append_new(labels, group_json(c->judgement, c->judgement->groups[i]));
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "name", c->metric->name, "title",
		c->metric->title, "unit", c->metric->unit, "better",
		c->metric->lower_is_better ? "lower" : "higher", "verdict",
		btviz_verdict_name(c->judgement->verdict), "labels", labels);
}

bool compare_print_json(FILE *out, const struct comparison_report *r)
{
	const struct btviz_judgement *const j = r->metrics[0].judgement;
	json_t *const metrics = json_array();
	char generator[64];

	snprintf(generator, sizeof generator, "btviz %s", btviz_version());
	for (size_t i = 0; i < r->metric_count; i++)
		json_array_append_new(metrics, metric_json(&r->metrics[i]));

	json_t *const root = json_pack("{s:s, s:s, s:s, s:f, s:f, s:b, s:o, s:s, s:i}", "schema",
		"btviz.compare/1", "generator", generator, "base", j->groups[j->base]->label,
		"threshold", r->threshold, "expect", r->expect, "sweep", j->sweep, "metrics",
		metrics, "verdict", btviz_verdict_name(j->verdict), "exit_code", r->exit_code);
	if (!root)
		return false;
	const bool ok = json_dumpf(root, out,
				(r->one_line ? JSON_COMPACT : JSON_INDENT(2)) |
					JSON_REAL_PRECISION(15)) == 0;
	if (ok)
		fputc('\n', out);
	json_decref(root);
	return ok;
}
