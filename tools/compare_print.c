/* compare_print.c - a comparison as text, Markdown and CSV. Computes nothing. */
#include "compare_print.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"

enum { CELL_BYTES = 320, LINE_COLUMNS = 100 };

/* ---- cells: text with a width on the terminal ------------------------------------------------ */

struct cell {
	char text[CELL_BYTES];
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

static size_t columns(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* A table of cells, the first column flush left and the others flush right. */
struct grid {
	size_t row_count, column_count;
	struct cell *cells; /* [row][column] */
};

static struct grid grid_new(size_t rows, size_t cols)
{
	struct grid g = { rows, cols, calloc(rows * cols, sizeof(struct cell)) };

	if (!g.cells) {
		fputs("btviz: out of memory\n", stderr);
		exit(125);
	}
	return g;
}

static struct cell *cell_at(const struct grid *g, size_t row, size_t column)
{
	return &g->cells[row * g->column_count + column];
}

static size_t column_width(const struct grid *g, size_t column)
{
	size_t width = 0;

	for (size_t row = 0; row < g->row_count; row++) {
		const size_t w = columns(cell_at(g, row, column)->text);

		width = w > width ? w : width;
	}
	return width;
}

static void print_padded(const struct grid *g, size_t row, size_t column)
{
	const char *const text = cell_at(g, row, column)->text;

	printf("  %*s%s", (int)(column_width(g, column) - columns(text)), "", text);
}

static void print_columns(const struct grid *g, size_t first, size_t count, size_t repeated)
{
	for (size_t row = 0; row < g->row_count; row++) {
		const char *const head = cell_at(g, row, 0)->text;
		size_t end = first + count;

		while (end > first && cell_at(g, row, end - 1)->text[0] == '\0')
			end--; /* no blanks at the end of a line */
		fputs(head, stdout);
		if (end > first || repeated > 0)
			printf("%*s", (int)(column_width(g, 0) - columns(head)), "");
		if (repeated > 0)
			print_padded(g, row, repeated);
		for (size_t i = first; i < end; i++)
			print_padded(g, row, i);
		putchar('\n');
	}
}

/* As many columns side by side as fit; further ones below, each time beside the base's. */
static void print_grid(const struct grid *g, size_t base_column)
{
	size_t next = 1;

	while (next < g->column_count) {
		const size_t repeated = next > 1 && base_column < next ? base_column : 0;
		size_t width = column_width(g, 0), count = 0;

		if (repeated > 0)
			width += 2 + column_width(g, repeated);
		while (next + count < g->column_count) {
			width += 2 + column_width(g, next + count);
			if (count > 0 && width > LINE_COLUMNS)
				break;
			count++;
		}
		if (next > 1)
			putchar('\n');
		print_columns(g, next, count, repeated);
		next += count;
	}
}

static void print_escaped(const char *text)
{
	for (; *text; text++) {
		if (strchr("|\\<>&*_`", *text))
			putchar('\\');
		putchar(*text);
	}
}

static void print_grid_markdown(const struct grid *g)
{
	for (size_t row = 0; row < g->row_count; row++) {
		for (size_t i = 0; i < g->column_count; i++) {
			fputs(i > 0 ? " | " : "| ", stdout);
			print_escaped(cell_at(g, row, i)->text);
		}
		puts(" |");
		for (size_t i = 0; row == 0 && i < g->column_count; i++)
			fputs(i > 0 ? "---:|" : "|---|", stdout);
		if (row == 0)
			putchar('\n');
	}
}

/* ---- tables -------------------------------------------------------------------------------- */

/* A column a label, a row a run; then average, change, result: as posted to mailing lists. */
static struct grid classic(const struct comparison_report *r, const struct btviz_judgement *j)
{
	size_t runs = 0;

	for (size_t i = 0; i < j->group_count; i++)
		runs = j->groups[i]->count > runs ? j->groups[i]->count : runs;

	const struct grid g = grid_new(runs + 4, j->group_count + 1);
	for (size_t k = 0; k < runs; k++)
		snprintf(cell_at(&g, k + 1, 0)->text, CELL_BYTES, "run %zu", k + 1);
	*cell_at(&g, runs + 1, 0) = text_cell("average");
	*cell_at(&g, runs + 2, 0) = text_cell("change %");
	*cell_at(&g, runs + 3, 0) = text_cell("result");
	for (size_t i = 0; i < j->group_count; i++) {
		const struct btviz_group *const group = j->groups[i];

		*cell_at(&g, 0, i + 1) = text_cell(group->label);
		for (size_t k = 0; k < group->count; k++)
			*cell_at(&g, k + 1, i + 1) = run_cell(r, group->values[k]);
		*cell_at(&g, runs + 1, i + 1) = figure_cell(group->mean);
		*cell_at(&g, runs + 2, i + 1) = percent_cell(group->change);
		*cell_at(&g, runs + 3, i + 1) = text_cell(btviz_verdict_name(group->verdict));
	}
	return g;
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

/* Series of a sweep: a row a number, for each series its average, and change and result for all but
 * the base's. *ret_base_column is the column of the base series. */
static struct grid sweep(const struct comparison_report *r, const struct btviz_judgement *j)
{
	const size_t n = j->group_count;
	double *const numbers = calloc(n, sizeof *numbers);
	size_t *const first = calloc(n, sizeof *first); /* of each series */
	size_t rows = 0, series = 0, column = 1;

	if (!numbers || !first) {
		fputs("btviz: out of memory\n", stderr);
		exit(125);
	}
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		numbers[i] = j->groups[i]->number;
		while (k < series && strcmp(j->groups[first[k]]->series, j->groups[i]->series) != 0)
			k++;
		if (k == series)
			first[series++] = i;
	}
	qsort(numbers, n, sizeof *numbers, by_number);
	for (size_t i = 0; i < n; i++)
		if (rows == 0 || !same(numbers[rows - 1], numbers[i]))
			numbers[rows++] = numbers[i];

	const struct grid g = grid_new(rows + 1, 3 * series + 1);
	for (size_t k = 0; k < rows; k++)
		snprintf(cell_at(&g, k + 1, 0)->text, CELL_BYTES, "%.9g", numbers[k]);
	for (size_t s = 0; s < series; s++) {
		const char *const name = j->groups[first[s]]->series;
		const bool base = strcmp(name, j->groups[j->base]->series) == 0;

		*cell_at(&g, 0, column) = text_cell(name[0] ? name : "average");
		if (!base || series == 1) {
			*cell_at(&g, 0, column + 1) = text_cell("change %");
			*cell_at(&g, 0, column + 2) = text_cell("result");
		}
		for (size_t i = 0; i < n; i++) {
			const struct btviz_group *const group = j->groups[i];
			size_t row = 1;

			if (strcmp(group->series, name) != 0)
				continue;
			while (!same(numbers[row - 1], group->number))
				row++;
			*cell_at(&g, row, column) = group->count == 1
				? run_cell(r, group->values[0])
				: figure_cell(group->mean);
			if (base && series > 1)
				continue;
			*cell_at(&g, row, column + 1) = percent_cell(group->change);
			*cell_at(&g, row, column + 2) =
				text_cell(btviz_verdict_name(group->verdict));
		}
		column += base && series > 1 ? 1 : 3;
	}
	free(numbers);
	free(first);

	/* The base series takes one column only: close the grid up. */
	struct grid shut = grid_new(g.row_count, column);
	for (size_t row = 0; row < g.row_count; row++)
		for (size_t i = 0; i < column; i++)
			*cell_at(&shut, row, i) = *cell_at(&g, row, i);
	free(g.cells);
	return shut;
}

/* All metrics: a row each, the average and the change of each label. */
static struct grid overview(const struct comparison_report *r)
{
	const struct btviz_judgement *const main_one = r->metrics[0].judgement;
	const struct grid g = grid_new(r->metric_count + 1, 2 * main_one->group_count + 1);

	for (size_t i = 0; i < main_one->group_count; i++)
		*cell_at(&g, 0, 2 * i + 1) = text_cell(main_one->groups[i]->label);
	for (size_t m = 0; m < r->metric_count; m++) {
		const struct btviz_metric_info *const metric = r->metrics[m].metric;

		snprintf(cell_at(&g, m + 1, 0)->text, CELL_BYTES, "%s%s%s", metric->title,
			metric->unit[0] ? ", " : "", metric->unit);
		for (size_t i = 0; i < main_one->group_count; i++) {
			const struct btviz_group *const group = r->metrics[m].judgement->groups[i];
			struct cell *const note = cell_at(&g, m + 1, 2 * i + 2);

			*cell_at(&g, m + 1, 2 * i + 1) = figure_cell(group->mean);
			if (group->verdict != BTVIZ_VERDICT_BASE)
				snprintf(note->text, CELL_BYTES, "%.24s %%, %s",
					percent_cell(group->change).text,
					btviz_verdict_name(group->verdict));
		}
	}
	return g;
}

static bool is_series_sweep(const struct btviz_judgement *j)
{
	return j->sweep && j->groups[0]->series[0] != '\0';
}

static void print_heading(const struct comparison_report *r)
{
	const struct btviz_metric_info *const metric = r->metrics[0].metric;
	const struct btviz_judgement *const j = r->metrics[0].judgement;

	printf("%s%s%s, %s is better; base: %s; threshold: %.3g %%", metric->title,
		metric->unit[0] ? " in " : "", metric->unit,
		metric->lower_is_better ? "less" : "more",
		is_series_sweep(j) ? j->groups[j->base]->series : j->groups[j->base]->label,
		100 * r->threshold);
	if (r->expect < 0 || r->expect > 0)
		printf("; expected change: %+.3g %%", 100 * r->expect);
	putchar('\n');
}

static void print_reasons(const struct btviz_judgement *j, const char *prefix, bool escape)
{
	for (size_t i = 0; i < j->group_count; i++) {
		const struct btviz_group *const group = j->groups[i];

		if (group->verdict == BTVIZ_VERDICT_BASE)
			continue;
		fputs(prefix, stdout);
		if (escape)
			print_escaped(group->label);
		else
			fputs(group->label, stdout);
		printf(": %s: %s\n", btviz_verdict_name(group->verdict), group->reason);
	}
}

void compare_print_text(const struct comparison_report *r)
{
	const struct btviz_judgement *const j = r->metrics[0].judgement;
	const struct grid g = is_series_sweep(j) ? sweep(r, j) : classic(r, j);

	print_heading(r);
	putchar('\n');
	print_grid(&g, is_series_sweep(j) ? 0 : j->base + 1);
	free(g.cells);
	putchar('\n');
	print_reasons(j, "", false);
	if (r->metric_count > 1) {
		const struct grid all = overview(r);

		putchar('\n');
		print_grid(&all, 0);
		free(all.cells);
		putchar('\n');
	}
	printf("verdict: %s\n", btviz_verdict_name(j->verdict));
}

void compare_print_markdown(const struct comparison_report *r)
{
	const struct btviz_judgement *const j = r->metrics[0].judgement;
	const struct grid g = is_series_sweep(j) ? sweep(r, j) : classic(r, j);

	print_heading(r);
	putchar('\n');
	print_grid_markdown(&g);
	free(g.cells);
	putchar('\n');
	print_reasons(j, "- ", true);
	if (r->metric_count > 1) {
		const struct grid all = overview(r);

		putchar('\n');
		print_grid_markdown(&all);
		free(all.cells);
	}
	printf("\nverdict: **%s**\n", btviz_verdict_name(j->verdict));
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static void print_csv_text(const char *text)
{
	char clean[CLEAN_SIZE], field[2 * CLEAN_SIZE + 4];

	fputs(clean_csv(clean_text(text, clean, sizeof clean), field, sizeof field), stdout);
}

static void print_csv_number(double x)
{
	putchar(',');
	if (!isnan(x))
		printf("%.10g", x);
}

void compare_print_csv(const struct comparison_report *r)
{
	puts("metric,unit,label,runs,average,low,high,min,max,change,change_low,change_high,far_below,"
	     "p_worse,p_within,verdict,reason");
	for (size_t m = 0; m < r->metric_count; m++)
		for (size_t i = 0; i < r->metrics[m].judgement->group_count; i++) {
			const struct btviz_group *const g = r->metrics[m].judgement->groups[i];

			print_csv_text(r->metrics[m].metric->name);
			putchar(',');
			print_csv_text(r->metrics[m].metric->unit);
			putchar(',');
			print_csv_text(g->label);
			printf(",%zu", g->known);
			print_csv_number(g->mean);
			print_csv_number(g->low);
			print_csv_number(g->high);
			print_csv_number(g->min);
			print_csv_number(g->max);
			print_csv_number(g->change);
			print_csv_number(g->change_low);
			print_csv_number(g->change_high);
			printf(",%zu", g->far_below);
			print_csv_number(g->p_worse);
			print_csv_number(g->p_within);
			printf(",%s,", btviz_verdict_name(g->verdict));
			print_csv_text(g->reason);
			putchar('\n');
		}
}
