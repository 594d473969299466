/* compare_print.c - a comparison as text, Markdown and CSV. Computes nothing. */
#include "compare_print.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "tabular.h"

enum { LINE_COLUMNS = 100 };

/* ---- cells: text with a width on the terminal ------------------------------------------------ */

struct cell {
	char text[TABULAR_CELL_BYTES];
};

static struct cell text_cell(const char *text)
{
	struct cell c;

	snprintf(c.text, sizeof c.text, "%s", text);
	return c;
}

/* Three digits, and never fewer than those before the point. */
static struct cell figure_cell(double x)
{
	struct cell c;
	const double size = fabs(x);

	if (isnan(x))
		return text_cell("n/a");
	if (size >= 99.95)
		snprintf(c.text, sizeof c.text, "%.0f", x);
	else if (size >= 9.995)
		snprintf(c.text, sizeof c.text, "%.1f", x);
	else if (size >= 0.9995 || size <= 0)
		snprintf(c.text, sizeof c.text, size <= 0 ? "0" : "%.2f", x);
	else
		snprintf(c.text, sizeof c.text, "%.3g", x);
	return c;
}

static struct cell run_cell(const struct comparison_report *r, double x)
{
	struct cell c;

	if (!r->exact || isnan(x))
		return figure_cell(x);
	snprintf(c.text, sizeof c.text, "%.7g", x);
	return c;
}

/* A change in whole percent, but never all of it if something is left; adding 0 makes 0 of -0. */
static struct cell percent_cell(double share)
{
	struct cell c;

	if (isnan(share))
		return text_cell("n/a");
	if (share > -1 && share < -0.995)
		snprintf(c.text, sizeof c.text, "%.1f", fmax(100 * share, -99.9));
	else
		snprintf(c.text, sizeof c.text, "%.0f", round(100 * share) + 0.0);
	return c;
}

static void put_cell(const struct tabular *t, size_t row, size_t column, struct cell c)
{
	memcpy(tabular_cell(t, row, column), c.text, sizeof c.text);
}

/* ---- tables -------------------------------------------------------------------------------- */

/* Each makes a table without cells where there is no memory. */

/* A column a label, a row a run; then average, change, result: as posted to mailing lists. */
static struct tabular classic(const struct comparison_report *r, const struct btviz_judgement *j)
{
	size_t runs = 0;

	for (size_t i = 0; i < j->group_count; i++)
		runs = j->groups[i]->count > runs ? j->groups[i]->count : runs;

	const struct tabular t = tabular_new(runs + 4, j->group_count + 1);
	if (!t.cells)
		return t;
	for (size_t k = 0; k < runs; k++)
		snprintf(tabular_cell(&t, k + 1, 0), TABULAR_CELL_BYTES, "run %zu", k + 1);
	put_cell(&t, runs + 1, 0, text_cell("average"));
	put_cell(&t, runs + 2, 0, text_cell("change %"));
	put_cell(&t, runs + 3, 0, text_cell("result"));
	for (size_t i = 0; i < j->group_count; i++) {
		const struct btviz_group *const group = j->groups[i];

		put_cell(&t, 0, i + 1, text_cell(group->label));
		for (size_t k = 0; k < group->count; k++)
			put_cell(&t, k + 1, i + 1, run_cell(r, group->values[k]));
		put_cell(&t, runs + 1, i + 1, figure_cell(group->mean));
		put_cell(&t, runs + 2, i + 1, percent_cell(group->change));
		put_cell(&t, runs + 3, i + 1, text_cell(btviz_verdict_name(group->verdict)));
	}
	return t;
}

static int by_number(const void *x, const void *y)
{
	const double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static bool same(double a, double b)
{
	return a >= b && a <= b;
}

/* One series of a sweep into its columns: the average, and but for the base's change and result. */
static void put_series(const struct tabular *t, const struct comparison_report *r,
	const struct btviz_judgement *j, const char *name, bool alone, const double *numbers,
	size_t column)
{
	put_cell(t, 0, column, text_cell(name[0] ? name : "average"));
	if (!alone) {
		put_cell(t, 0, column + 1, text_cell("change %"));
		put_cell(t, 0, column + 2, text_cell("result"));
	}
	for (size_t i = 0; i < j->group_count; i++) {
		const struct btviz_group *const group = j->groups[i];
		size_t row = 1;

		if (strcmp(group->series, name) != 0)
			continue;
		while (!same(numbers[row - 1], group->number))
			row++;
		put_cell(t, row, column,
			group->count == 1 ? run_cell(r, group->values[0])
					  : figure_cell(group->mean));
		if (alone)
			continue;
		put_cell(t, row, column + 1, percent_cell(group->change));
		put_cell(t, row, column + 2, text_cell(btviz_verdict_name(group->verdict)));
	}
}

/* Series of a sweep: a row a number, for each series its average, and change and result for all but
 * the base's, unless it is the only one. */
static struct tabular sweep(const struct comparison_report *r, const struct btviz_judgement *j)
{
	const char *const base = j->groups[j->base]->series;
	const size_t n = j->group_count;
	double *const numbers = calloc(n, sizeof *numbers);
	size_t *const first = calloc(n, sizeof *first); /* of each series */
	struct tabular t = { 0, 0, NULL };
	size_t rows = 0, series = 0, column = 1;

	for (size_t i = 0; numbers && first && i < n; i++) {
		size_t k = 0;

		numbers[i] = j->groups[i]->number;
		while (k < series && strcmp(j->groups[first[k]]->series, j->groups[i]->series) != 0)
			k++;
		if (k == series)
			first[series++] = i;
	}
	if (numbers && first) {
		qsort(numbers, n, sizeof *numbers, by_number);
		for (size_t i = 0; i < n; i++)
			if (rows == 0 || !same(numbers[rows - 1], numbers[i]))
				numbers[rows++] = numbers[i];
		t = tabular_new(rows + 1, series == 1 ? 4 : 3 * series - 1);
	}
	for (size_t k = 0; t.cells && k < rows; k++)
		snprintf(tabular_cell(&t, k + 1, 0), TABULAR_CELL_BYTES, "%.9g", numbers[k]);
	for (size_t s = 0; t.cells && s < series; s++) {
		const char *const name = j->groups[first[s]]->series;
		const bool alone = series > 1 && strcmp(name, base) == 0;

		put_series(&t, r, j, name, alone, numbers, column);
		column += alone ? 1 : 3;
	}
	free(numbers);
	free(first);
	return t;
}

/* All metrics: a row each, the average and the change of each label. */
static struct tabular overview(const struct comparison_report *r)
{
	const struct btviz_judgement *const main_one = r->metrics[0].judgement;
	const struct tabular t = tabular_new(r->metric_count + 1, 2 * main_one->group_count + 1);

	if (!t.cells)
		return t;
	for (size_t i = 0; i < main_one->group_count; i++)
		put_cell(&t, 0, 2 * i + 1, text_cell(main_one->groups[i]->label));
	for (size_t m = 0; m < r->metric_count; m++) {
		const struct btviz_metric_info *const metric = r->metrics[m].metric;

		snprintf(tabular_cell(&t, m + 1, 0), TABULAR_CELL_BYTES, "%s%s%s", metric->title,
			metric->unit[0] ? ", " : "", metric->unit);
		for (size_t i = 0; i < main_one->group_count; i++) {
			const struct btviz_group *const group = r->metrics[m].judgement->groups[i];

			put_cell(&t, m + 1, 2 * i + 1, figure_cell(group->mean));
			if (group->verdict != BTVIZ_VERDICT_BASE)
				snprintf(tabular_cell(&t, m + 1, 2 * i + 2), TABULAR_CELL_BYTES,
					"%.24s %%, %s", percent_cell(group->change).text,
					btviz_verdict_name(group->verdict));
		}
	}
	return t;
}

static bool is_series_sweep(const struct btviz_judgement *j)
{
	return j->sweep && j->groups[0]->series[0] != '\0';
}

static void print_heading(FILE *out, const struct comparison_report *r)
{
	const struct btviz_metric_info *const metric = r->metrics[0].metric;
	const struct btviz_judgement *const j = r->metrics[0].judgement;

	fprintf(out, "%s%s%s, %s is better; base: %s; threshold: %.3g %%", metric->title,
		metric->unit[0] ? " in " : "", metric->unit,
		metric->lower_is_better ? "less" : "more",
		is_series_sweep(j) ? j->groups[j->base]->series : j->groups[j->base]->label,
		100 * r->threshold);
	if (r->expect < 0 || r->expect > 0)
		fprintf(out, "; expected change: %+.3g %%", 100 * r->expect);
	fputc('\n', out);
}

static void print_reasons(
	FILE *out, const struct btviz_judgement *j, const char *prefix, bool escape)
{
	for (size_t i = 0; i < j->group_count; i++) {
		const struct btviz_group *const group = j->groups[i];

		if (group->verdict == BTVIZ_VERDICT_BASE)
			continue;
		fputs(prefix, out);
		if (escape)
			markdown_print(group->label, out);
		else
			fputs(group->label, out);
		fprintf(out, ": %s: %s\n", btviz_verdict_name(group->verdict), group->reason);
	}
}

/* The tables of a comparison; the second only where more than one metric was asked for. */
struct tables {
	struct tabular runs, metrics;
};

static bool tables_new(struct tables *t, const struct comparison_report *r)
{
	const struct btviz_judgement *const j = r->metrics[0].judgement;

	t->runs = is_series_sweep(j) ? sweep(r, j) : classic(r, j);
	t->metrics = (struct tabular){ 0, 0, NULL };
	if (t->runs.cells && r->metric_count > 1)
		t->metrics = overview(r);
	return t->runs.cells && (t->metrics.cells || r->metric_count <= 1);
}

static void tables_free(struct tables *t)
{
	tabular_free(&t->runs);
	tabular_free(&t->metrics);
}

bool compare_print_text(FILE *out, const struct comparison_report *r)
{
	const struct btviz_judgement *const j = r->metrics[0].judgement;
	struct tables t;
	const bool ok = tables_new(&t, r);

	if (ok) {
		print_heading(out, r);
		fputc('\n', out);
		tabular_print(&t.runs, out, LINE_COLUMNS, is_series_sweep(j) ? 0 : j->base + 1);
		fputc('\n', out);
		print_reasons(out, j, "", false);
		if (t.metrics.cells) {
			fputc('\n', out);
			tabular_print(&t.metrics, out, LINE_COLUMNS, 0);
			fputc('\n', out);
		}
		fprintf(out, "verdict: %s\n", btviz_verdict_name(j->verdict));
	}
	tables_free(&t);
	return ok;
}

bool compare_print_markdown(FILE *out, const struct comparison_report *r)
{
	const struct btviz_judgement *const j = r->metrics[0].judgement;
	struct tables t;
	const bool ok = tables_new(&t, r);

	if (ok) {
		print_heading(out, r);
		fputc('\n', out);
		tabular_print_markdown(&t.runs, out);
		fputc('\n', out);
		print_reasons(out, j, "- ", true);
		if (t.metrics.cells) {
			fputc('\n', out);
			tabular_print_markdown(&t.metrics, out);
		}
		fprintf(out, "\nverdict: **%s**\n", btviz_verdict_name(j->verdict));
	}
	tables_free(&t);
	return ok;
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
