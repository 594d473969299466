/* compare_json.c - a comparison as JSON, schema btviz.compare/1. Computes nothing. */
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include <btviz/btviz.h>

#include "compare_changes.h"
#include "compare_print.h"
#include "compare_runs.h"

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
		"s:s, s:s, s:s, s:s, s:I, s:I}",
		"label", g->label, "series", g->series ? json_string(g->series) : json_null(),
		"number", number(g->number), "base", base, "runs", runs_json(g), "count",
		(json_int_t)g->known, "average", number(g->mean), "interval", pair(g->low, g->high),
		"min", number(g->min), "max", number(g->max), "change", number(g->change),
		"change_interval", pair(g->change_low, g->change_high), "far_below",
		(json_int_t)g->far_below, "p_worse", number(g->p_worse), "p_within",
		number(g->p_within), "method", method_name(g->method), "verdict",
		btviz_verdict_name(g->verdict), "reason", g->reason, "note", g->note, "power",
		g->power, "blocks", (json_int_t)g->blocks, "runs_needed",
		(json_int_t)g->runs_needed);
}

static json_t *unlike_json(const struct btviz_differences *d)
{
	json_t *const list = json_array();

	for (size_t i = 0; i < d->unlike_count; i++)
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:s, s:I}", "kind",
				btviz_unlike_kind_name(d->unlike[i]->kind), "name",
				d->unlike[i]->name, "text", d->unlike[i]->text, "runs",
				(json_int_t)d->unlike[i]->runs));
	return list;
}

static json_t *changes_json(const struct btviz_differences *d)
{
	json_t *const list = json_array();

	for (size_t i = 0; i < d->change_count; i++) {
		const struct btviz_change *const c = d->changes[i];

		json_array_append_new(list,
			json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:f, s:s}", "name", c->name,
				"subject", c->subject, "layer", btviz_layer_name(c->layer), "unit",
				c->unit, "before", number(c->before), "after", number(c->after),
				"size", c->size, "text", c->text));
	}
	return list;
}

/* What is unlike and what changed, of each label that has traces and a base with traces. */
static json_t *differences_json(const struct comparison_report *r)
{
	const struct btviz_judgement *const j = r->metrics[0].judgement;
	const struct btviz_differences *d = NULL;
	json_t *const list = json_array();

	for (size_t i = 0; i < j->group_count; i++) {
		if (!compare_differences(r, i, &d)) {
			json_decref(list);
			return NULL;
		}
		if (d)
			json_array_append_new(list,
				json_pack("{s:s, s:s, s:I, s:I, s:b, s:b, s:o, s:o, s:s, s:s}",
					"label", d->label, "base", d->base, "runs",
					(json_int_t)d->label_runs, "base_runs",
					(json_int_t)d->base_runs, "other_work", d->other_work,
					"records_missing", d->lossy, "unlike", unlike_json(d),
					"changes", changes_json(d), "likely_layer",
					d->likely == BTVIZ_LAYER_NONE ? "not clear"
								      : btviz_layer_name(d->likely),
					"likely_text", d->likely_text));
	}
	return list;
}

/* Runs that are the same recording as an earlier one of their label. */
static json_t *repeats_json(const struct comparison_report *r)
{
	json_t *const list = json_array();

	for (size_t i = 0; r->runs && i < r->runs->count; i++) {
		const struct compare_run *const run = &r->runs->list[i];

		if (run->repeats != SIZE_MAX)
			json_array_append_new(list,
				json_pack("{s:s, s:s, s:s}", "label", run->label, "name", run->name,
					"same_as", r->runs->list[run->repeats].name));
	}
	return list;
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

	json_t *const root =
		json_pack("{s:s, s:s, s:s, s:f, s:f, s:b, s:o, s:o, s:o, s:o, s:s, s:i}", "schema",
			"btviz.compare/1", "generator", generator, "base",
			j->groups[j->base]->label, "threshold", r->threshold, "expect", r->expect,
			"sweep", j->sweep, "metrics", metrics, "repeats", repeats_json(r),
			"gap_threshold_s", r->runs ? number(r->runs->gap_threshold_s) : json_null(),
			"differences", differences_json(r), "verdict",
			btviz_verdict_name(j->verdict), "exit_code", r->exit_code);
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
