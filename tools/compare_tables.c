/* compare_tables.c - the tables of a comparison: runs by label, a sweep's numbers by series,
 * metrics by label. Computes nothing, prints nothing. */
#include "compare_tables.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"

enum { ROW_NAME_COLUMNS = 44 };

struct table_cell {
	char text[TABULAR_CELL_BYTES];
};

static struct table_cell text_cell(const char *text)
{
	struct table_cell c;

	snprintf(c.text, sizeof c.text, "%s", text);
	return c;
}

/* Three digits, and never fewer than those before the point. */
static struct table_cell figure_cell(double x)
{
	struct table_cell c;
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

static struct table_cell run_cell(const struct comparison_report *r, double x)
{
	struct table_cell c;

	if (!r->exact || isnan(x))
		return figure_cell(x);
	snprintf(c.text, sizeof c.text, "%.7g", x);
	return c;
}

/* A change in whole percent, but never all of it if something is left; adding 0 makes 0 of -0. */
static struct table_cell percent_cell(double share)
{
	struct table_cell c;

	if (isnan(share))
		return text_cell("n/a");
	if (share > -1 && share < -0.995)
		snprintf(c.text, sizeof c.text, "%.1f", fmax(100 * share, -99.9));
	else
		snprintf(c.text, sizeof c.text, "%.0f", round(100 * share) + 0.0);
	return c;
}

static void put_cell(const struct tabular *t, size_t row, size_t column, struct table_cell c)
{
	memcpy(tabular_cell(t, row, column), c.text, sizeof c.text);
}

/* "raid0-good" of "runs/raid0-good.tar.xz" or "raid0-good.btviz.json". */
static void short_name(const char *name, char out[TABULAR_CELL_BYTES])
{
	static const char *const ends[] = { ".json", ".btviz", ".gz", ".xz", ".zst", ".bz2", ".tar",
		".tgz", ".zip" };
	const char *const slash = strrchr(name, '/');
	size_t n;

	snprintf(out, TABULAR_CELL_BYTES, "%s", slash && slash[1] ? slash + 1 : name);
	n = strlen(out);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const size_t end = strlen(ends[i]);

		if (n > end && strcmp(out + n - end, ends[i]) == 0) {
			out[n -= end] = '\0';
			i = SIZE_MAX; /* and what stands before it */
		}
	}
}

/* "run 2", and behind it how the runs of this row are called, each name once, as far as it fits. */
static void row_name(const struct btviz_judgement *j, size_t row, char out[TABULAR_CELL_BYTES])
{
	char last[TABULAR_CELL_BYTES] = "", name[TABULAR_CELL_BYTES];
	size_t at = (size_t)snprintf(out, TABULAR_CELL_BYTES, "run %zu", row + 1);
	bool first = true;

	for (size_t i = 0; i < j->group_count; i++) {
		if (row >= j->groups[i]->count || !j->groups[i]->names[row][0])
			continue;
		short_name(j->groups[i]->names[row], name);
		if (strcmp(name, last) == 0)
			continue;
		if (at + 3 + clean_width(name) > ROW_NAME_COLUMNS) {
			snprintf(out + at, TABULAR_CELL_BYTES - at, " ...");
			return;
		}
		at += (size_t)snprintf(
			out + at, TABULAR_CELL_BYTES - at, "%s%s", first ? "  " : " | ", name);
		strcpy(last, name);
		first = false;
	}
}

/* The verdict's word, or that the runs cannot be compared. */
static const char *result_of(const struct btviz_group *g)
{
	static const char work[] = "different workload";

	if (!g->doubt)
		return btviz_verdict_name(g->verdict);
	if (strncmp(g->doubt, work, strlen(work)) == 0)
		return work;
	return strncmp(g->doubt, "records", 7) == 0 ? "records missing" : "not comparable";
}

/* A column a label, a row a run; then average, change, result: as posted to mailing lists. */
struct tabular compare_table_runs(
	const struct comparison_report *r, const struct btviz_judgement *j)
{
	size_t runs = 0;

	for (size_t i = 0; i < j->group_count; i++)
		runs = j->groups[i]->count > runs ? j->groups[i]->count : runs;

	const struct tabular t = tabular_new(runs + 4, j->group_count + 1);
	if (!t.cells)
		return t;
	for (size_t k = 0; k < runs; k++)
		row_name(j, k, tabular_cell(&t, k + 1, 0));
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
		put_cell(&t, runs + 3, i + 1, text_cell(result_of(group)));
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
struct tabular compare_table_sweep(
	const struct comparison_report *r, const struct btviz_judgement *j)
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
struct tabular compare_table_metrics(const struct comparison_report *r)
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
