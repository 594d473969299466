/* compare_print.c - a comparison as text, Markdown and CSV. Computes nothing. */
#include "compare_print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clean.h"
#include "compare_changes.h"
#include "compare_tables.h"

static bool is_series_sweep(const struct btviz_judgement *j)
{
	return j->sweep && j->groups[0]->series[0] != '\0';
}

static void print_heading(FILE *out, const struct comparison_report *r)
{
	const struct btviz_metric_info *const metric = r->metrics[0].metric;
	const struct btviz_judgement *const j = r->metrics[0].judgement;

	fprintf(out, "%s%s%s, %s is better; base: %s; threshold: %.10g %%", metric->title,
		metric->unit[0] ? " in " : "", metric->unit,
		metric->lower_is_better ? "less" : "more",
		is_series_sweep(j) ? j->groups[j->base]->series : j->groups[j->base]->label,
		100 * r->threshold);
	if (r->expect < 0 || r->expect > 0)
		fprintf(out, "; expected change: %+.10g %%", 100 * r->expect);
	fputc('\n', out);
}

static void print_text(FILE *out, const char *text, bool escape)
{
	if (escape)
		markdown_print(text, out);
	else
		fputs(text, out);
}

static void print_reasons(
	FILE *out, const struct btviz_judgement *j, const char *prefix, bool escape)
{
	for (size_t i = 0; i < j->group_count; i++) {
		const struct btviz_group *const group = j->groups[i];

		if (group->verdict != BTVIZ_VERDICT_BASE) {
			fputs(prefix, out);
			print_text(out, group->label, escape);
			fprintf(out, ": %s", btviz_verdict_name(group->verdict));
			if (group->power[0])
				fprintf(out, " (%zu run%s)", group->known,
					group->known == 1 ? "" : "s");
			fprintf(out, ": %s%s%s\n", group->reason, group->power[0] ? "; " : "",
				group->power);
		}
		if (group->note[0]) {
			fputs(prefix, out);
			print_text(out, group->label, escape);
			fprintf(out, ": note: %s\n", group->note);
		}
	}
}

/* Each label of each metric is judged at the level of one test: how many would be called worse by
 * chance alone if nothing differed. */
static void print_many(FILE *out, const struct comparison_report *r)
{
	size_t judged = 0;

	for (size_t m = 0; m < r->metric_count; m++)
		for (size_t i = 0; i < r->metrics[m].judgement->group_count; i++)
			judged += r->metrics[m].judgement->groups[i]->verdict != BTVIZ_VERDICT_BASE;
	fprintf(out,
		"%zu verdicts at up to 3 %% of false alarms each: chance alone makes one of them bad in up "
		"to %.0f %% of such tables; only %s decides\n",
		judged, 100 * (1 - pow(0.97, (double)judged)), r->metrics[0].metric->name);
}

static bool print_table(FILE *out, const struct comparison_report *r, bool markdown)
{
	const struct btviz_judgement *const j = r->metrics[0].judgement;
	const bool series = is_series_sweep(j);
	struct tabular t = series ? compare_table_sweep(r, j) : compare_table_runs(r, j);
	const bool ok = t.cells;

	if (ok && markdown)
		tabular_print_markdown(&t, out);
	else if (ok)
		tabular_print(&t, out, COMPARE_LINE_COLUMNS, series ? 0 : j->base + 1);
	fputc('\n', out);
	tabular_free(&t);
	return ok;
}

static bool print_metrics(FILE *out, const struct comparison_report *r, bool markdown)
{
	if (r->metric_count < 2)
		return true;
	struct tabular t = compare_table_metrics(r);
	const bool ok = t.cells;

	fputc('\n', out);
	if (ok && markdown)
		tabular_print_markdown(&t, out);
	else if (ok)
		tabular_print(&t, out, COMPARE_LINE_COLUMNS, 0);
	fputc('\n', out);
	print_many(out, r);
	tabular_free(&t);
	return ok;
}

bool compare_print_text(FILE *out, const struct comparison_report *r)
{
	const struct btviz_judgement *const j = r->metrics[0].judgement;

	if (!compare_print_unlike(out, r, false))
		return false;
	print_heading(out, r);
	fputc('\n', out);
	if (!print_table(out, r, false))
		return false;
	print_reasons(out, j, "", false);
	if (!print_metrics(out, r, false) || !compare_print_changes(out, r, false))
		return false;
	fprintf(out, "%sverdict: %s\n", r->runs || r->metric_count > 1 ? "\n" : "",
		btviz_verdict_name(j->verdict));
	return true;
}

bool compare_print_markdown(FILE *out, const struct comparison_report *r)
{
	const struct btviz_judgement *const j = r->metrics[0].judgement;

	if (!compare_print_unlike(out, r, true))
		return false;
	print_heading(out, r);
	fputc('\n', out);
	if (!print_table(out, r, true))
		return false;
	print_reasons(out, j, "- ", true);
	if (!print_metrics(out, r, true) || !compare_print_changes(out, r, true))
		return false;
	fprintf(out, "\nverdict: **%s**\n", btviz_verdict_name(j->verdict));
	return true;
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static void print_csv_text(FILE *out, const char *text)
{
	char clean[CLEAN_SIZE], field[2 * CLEAN_SIZE + 4];

	fputs(clean_csv(clean_text(text, clean, sizeof clean), field, sizeof field), out);
}

static void print_csv_number(FILE *out, double x)
{
	fputc(',', out);
	if (!isnan(x))
		fprintf(out, "%.10g", x);
}

void compare_print_csv(FILE *out, const struct comparison_report *r)
{
	fputs("metric,unit,label,runs,average,low,high,min,max,change,change_low,change_high,far_below,"
	      "p_worse,p_within,verdict,reason"
	      "\n",
		out);
	for (size_t m = 0; m < r->metric_count; m++)
		for (size_t i = 0; i < r->metrics[m].judgement->group_count; i++) {
			const struct btviz_group *const g = r->metrics[m].judgement->groups[i];

			print_csv_text(out, r->metrics[m].metric->name);
			fputc(',', out);
			print_csv_text(out, r->metrics[m].metric->unit);
			fputc(',', out);
			print_csv_text(out, g->label);
			fprintf(out, ",%zu", g->known);
			print_csv_number(out, g->mean);
			print_csv_number(out, g->low);
			print_csv_number(out, g->high);
			print_csv_number(out, g->min);
			print_csv_number(out, g->max);
			print_csv_number(out, g->change);
			print_csv_number(out, g->change_low);
			print_csv_number(out, g->change_high);
			fprintf(out, ",%zu", g->far_below);
			print_csv_number(out, g->p_worse);
			print_csv_number(out, g->p_within);
			fprintf(out, ",%s,", btviz_verdict_name(g->verdict));
			print_csv_text(out, g->reason);
			fputc('\n', out);
		}
}
