/* compare_changes.c - printing what the library found unlike and changed. Computes nothing. */
#include "compare_changes.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/btviz.h>

#include "clean.h"
#include "compare_runs.h"
#include "tabular.h"

enum { CHANGES_SHOWN = 24, NOTES_SHOWN = 8, NOTE_BYTES = 800 };

/* Which runs of a sporadic label are far below, in the order of the contrast; NULL: all count. */
static bool far_below(
	const struct comparison_report *r, const struct btviz_group *g, bool **ret_flags)
{
	const struct btviz_metric_info *const metric = r->metrics[0].metric;
	size_t at = 0, contrasted = 0;

	*ret_flags = NULL;
	if (g->verdict != BTVIZ_VERDICT_SPORADIC)
		return true;
	*ret_flags = calloc(g->count + 1, sizeof **ret_flags);
	if (!*ret_flags)
		return false;
	for (size_t i = 0; i < r->runs->count && at < g->count; i++) {
		const struct compare_run *const run = &r->runs->list[i];

		if (strcmp(run->label, g->label) != 0 || run->repeats != SIZE_MAX)
			continue;
		if (run->contrasted != SIZE_MAX)
			(*ret_flags)[contrasted++] = metric->lower_is_better
				? g->values[at] >= g->bar
				: g->values[at] <= g->bar;
		at++;
	}
	return true;
}

static bool has_runs(const struct comparison_report *r, const char *label)
{
	for (size_t i = 0; i < r->runs->count; i++)
		if (strcmp(r->runs->list[i].label, label) == 0 &&
			r->runs->list[i].contrasted != SIZE_MAX)
			return true;
	return false;
}

bool compare_differences(
	const struct comparison_report *r, size_t group, const struct btviz_differences **ret_d)
{
	const struct btviz_judgement *const j = r->metrics[0].judgement;
	const struct btviz_group *const g = j->groups[group];
	enum btviz_status status;
	bool *only = NULL;

	*ret_d = NULL;
	if (!r->runs || g->base >= j->group_count || !has_runs(r, g->label) ||
		!has_runs(r, j->groups[g->base]->label))
		return true;
	if (g->base == group)
		return true;
	if (!far_below(r, g, &only))
		return false;
	status = btviz_contrast_between(
		r->runs->contrast, j->groups[g->base]->label, g->label, only, ret_d, NULL);
	free(only);
	return status == BTVIZ_OK;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* A line that begins with so many blanks, broken where it is too long; what follows stands two
 * farther in. */
static void print_wrapped(FILE *out, const char *text, size_t indent)
{
	size_t column = indent;
	bool first = true;

	fprintf(out, "%*s", (int)indent, "");
	while (*text) {
		const char *const blank = strchr(text, ' ');
		const size_t bytes = blank ? (size_t)(blank - text) : strlen(text);
		char word[TABULAR_CELL_BYTES];

		snprintf(word, sizeof word, "%.*s", (int)(bytes < sizeof word ? bytes : 0), text);
		const size_t width = clean_width(word[0] ? word : text);
		if (!first && column + 1 + width > COMPARE_LINE_COLUMNS) {
			fprintf(out, "\n%*s", (int)indent + 2, "");
			column = indent + 2;
		} else if (!first) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, bytes, out);
		column += width;
		first = false;
		text += bytes + (blank ? 1 : 0);
	}
	fputc('\n', out);
}

static void print_line(FILE *out, const char *text, bool markdown)
{
	if (!markdown) {
		print_wrapped(out, text, 2);
		return;
	}
	fputs("- ", out);
	markdown_print(text, out);
	fputc('\n', out);
}

static void print_title(FILE *out, const char *text, bool markdown)
{
	if (!markdown) {
		print_wrapped(out, text, 0);
		return;
	}
	fputs("**", out);
	markdown_print(text, out);
	fputs("**\n\n", out);
}

static void repeats(FILE *out, const struct comparison_report *r, bool markdown)
{
	char line[NOTE_BYTES];

	for (size_t i = 0; r->runs && i < r->runs->count; i++) {
		const struct compare_run *const run = &r->runs->list[i];

		if (run->repeats == SIZE_MAX)
			continue;
		snprintf(line, sizeof line, "%s: %s is the same recording as %s: counted once",
			run->label, run->name, r->runs->list[run->repeats].name);
		print_line(out, line, markdown);
	}
}

static bool has_repeats(const struct comparison_report *r)
{
	for (size_t i = 0; r->runs && i < r->runs->count; i++)
		if (r->runs->list[i].repeats != SIZE_MAX)
			return true;
	return false;
}

bool compare_print_unlike(FILE *out, const struct comparison_report *r, bool markdown)
{
	const struct btviz_judgement *const j = r->metrics[0].judgement;
	const struct btviz_differences *d = NULL;
	bool any = has_repeats(r);
	char line[NOTE_BYTES];

	if (any) {
		print_title(out, "Not alike:", markdown);
		repeats(out, r, markdown);
	}
	for (size_t i = 0; i < j->group_count; i++) {
		if (!compare_differences(r, i, &d))
			return false;
		for (size_t k = 0; d && k < d->unlike_count; k++) {
			const struct btviz_unlike *const u = d->unlike[k];

			if (!any)
				print_title(out, "Not alike:", markdown);
			any = true;
			if (u->runs > 1)
				snprintf(line, sizeof line, "%s (and %zu more run%s)", u->text,
					u->runs - 1, u->runs == 2 ? "" : "s");
			else
				snprintf(line, sizeof line, "%s", u->text);
			print_line(out, line, markdown);
		}
	}
	if (any)
		fputc('\n', out);
	return true;
}

/* "What changed in bad against good". */
static void heading(
	const struct btviz_differences *d, const struct btviz_group *g, char *out, size_t size)
{
	if (g->verdict == BTVIZ_VERDICT_SPORADIC)
		snprintf(out, size,
			"What changed in the %zu run%s of %s far below, against its others and %s",
			d->label_runs, d->label_runs == 1 ? "" : "s", d->label, d->base);
	else
		snprintf(out, size, "What changed in %s against %s%s", d->label, d->base,
			d->label_runs == 1 && d->base_runs == 1
				? " (single runs: how much they differ by themselves is not known)"
				: "");
}

bool compare_print_changes(FILE *out, const struct comparison_report *r, bool markdown)
{
	const struct btviz_judgement *const j = r->metrics[0].judgement;
	const struct btviz_differences *d = NULL;
	char line[NOTE_BYTES];

	for (size_t i = 0; i < j->group_count; i++) {
		if (!compare_differences(r, i, &d))
			return false;
		if (!d)
			continue;
		heading(d, j->groups[i], line, sizeof line - 2);
		strcat(line, ":");
		fputc('\n', out);
		print_title(out, line, markdown);
		for (size_t k = 0; k < d->change_count && k < CHANGES_SHOWN; k++)
			print_line(out, d->changes[k]->text, markdown);
		if (d->change_count > CHANGES_SHOWN) {
			snprintf(line, sizeof line,
				"... and %zu smaller ones (--format json has all)",
				d->change_count - CHANGES_SHOWN);
			print_line(out, line, markdown);
		}
		if (markdown) {
			fputs(d->change_count > 0 ? "\n" : "", out);
			markdown_print(d->likely_text, out);
			fputc('\n', out);
		} else {
			print_wrapped(out, d->likely_text, 0);
		}
	}
	return true;
}

/* ---- beside a picture ---------------------------------------------------------------------- */

static bool add_note(struct compare_notes *n, const char *line)
{
	char **const grown = realloc(n->lines, (n->count + 1) * sizeof *grown);

	if (!grown)
		return false;
	n->lines = grown;
	n->lines[n->count] = strdup(line);
	return n->lines[n->count++];
}

bool compare_notes(const struct comparison_report *r, struct compare_notes *n)
{
	const struct btviz_judgement *const j = r->metrics[0].judgement;
	const struct btviz_differences *d = NULL;
	char line[NOTE_BYTES];
	bool ok = true;

	*n = (struct compare_notes){ 0 };
	for (size_t i = 0; i < j->group_count && ok; i++) {
		ok = compare_differences(r, i, &d);
		if (!ok || !d)
			continue;
		for (size_t k = 0; k < d->unlike_count && k < NOTES_SHOWN && ok; k++) {
			snprintf(line, sizeof line, "not alike: %s", d->unlike[k]->text);
			ok = add_note(n, line);
		}
		heading(d, j->groups[i], line, sizeof line - 2);
		strcat(line, ":");
		ok = ok && (d->change_count == 0 || add_note(n, line));
		for (size_t k = 0; k < d->change_count && k < NOTES_SHOWN && ok; k++) {
			snprintf(line, sizeof line, "  %s", d->changes[k]->text);
			ok = add_note(n, line);
		}
		ok = ok && add_note(n, d->likely_text);
	}
	if (!ok)
		compare_notes_free(n);
	return ok;
}

void compare_notes_free(struct compare_notes *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->lines[i]);
	free(n->lines);
	*n = (struct compare_notes){ 0 };
}
