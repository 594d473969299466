/* cmd_compare.c - btviz compare: groups of runs against one another, a verdict, and an exit code
 * that git bisect run understands. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/btviz.h>

#include "command.h"
#include "compare_arguments.h"
#include "compare_changes.h"
#include "compare_print.h"
#include "compare_runs.h"
#include "output.h"
#include "say.h"
#include "trace_name.h"

/* What git bisect run takes for "skip this one", and what ends it: "bad" is 1 to 124, and also 126
 * and 127. Whatever goes wrong ends with none of those: a person has to look at it. */
enum { EXIT_CANNOT_TELL = 125, EXIT_STOP = 128, EXIT_STOP_USAGE = 129 };

enum { TABLE_BYTES_MAX = 64 << 20 };

/* The exit code of what went wrong. */
static int fault(const struct compare_arguments *a, bool usage)
{
	if (a->bisect)
		return usage ? EXIT_STOP_USAGE : EXIT_STOP;
	return usage ? EXIT_USAGE : EXIT_CANNOT_TELL;
}

static int error_fault(const struct compare_arguments *a, const struct btviz_error *err)
{
	return fault(a, say_error(err) == EXIT_USAGE);
}

/* ---- tables ------------------------------------------------------------------------------- */

static char *read_file(const char *name, size_t *ret_size)
{
	FILE *const file = strcmp(name, "-") == 0 ? stdin : fopen(name, "rb");
	size_t size = 0, room = 0, got = 1;
	char *bytes = NULL;

	if (!file) {
		say("%s: %s", name, strerror(errno));
		return NULL;
	}
	while (got > 0 && size <= TABLE_BYTES_MAX) {
		if (size == room) {
			room = room > 0 ? 2 * room : 65536;
			char *const grown = realloc(bytes, room);
			if (!grown)
				break;
			bytes = grown;
		}
		got = fread(bytes + size, 1, room - size, file);
		size += got;
	}
	if (ferror(file) || got > 0) {
		say("%s: %s", name,
			ferror(file) ? strerror(errno) : "too large for a table of figures");
		free(bytes);
		bytes = NULL;
	}
	if (file != stdin)
		fclose(file);
	*ret_size = size;
	return bytes;
}

static bool read_tables(const struct compare_arguments *a, struct btviz_comparison *c)
{
	bool ok = true;

	for (size_t i = 0; i < a->tables.count; i++) {
		struct btviz_error err;
		size_t size;
		char *const bytes = read_file(a->tables.list[i], &size);

		if (bytes && btviz_comparison_add_table(c, bytes, size, &err) != BTVIZ_OK) {
			say("%s: %s", a->tables.list[i], err.message);
			ok = false;
		}
		ok = ok && bytes;
		free(bytes);
	}
	return ok;
}

/* ---- judging ------------------------------------------------------------------------------- */

static int exit_code_of(enum btviz_verdict verdict)
{
	switch (verdict) {
	case BTVIZ_VERDICT_BASE:
	case BTVIZ_VERDICT_GOOD:
		return EXIT_DONE;
	case BTVIZ_VERDICT_BAD:
	case BTVIZ_VERDICT_SPORADIC:
		return EXIT_FAILED;
	case BTVIZ_VERDICT_INCONCLUSIVE:
		break;
	}
	return EXIT_CANNOT_TELL;
}

static bool print(FILE *out, const struct comparison_report *r, enum compare_format format)
{
	switch (format) {
	case COMPARE_TEXT:
		return compare_print_text(out, r);
	case COMPARE_JSON:
	case COMPARE_JSONL:
		return compare_print_json(out, r);
	case COMPARE_CSV:
		compare_print_csv(out, r);
		break;
	case COMPARE_MARKDOWN:
		return compare_print_markdown(out, r);
	}
	return true;
}

/* Into the file of -o, where that is no picture. */
static bool write_down(const struct compare_arguments *a, const struct comparison_report *r)
{
	struct output o;

	if (!output_open(&o, a->picture ? NULL : a->output))
		return false;
	if (print(o.file, r, (enum compare_format)a->format))
		return output_finish(&o); /* of standard output main() says it */
	say("out of memory");
	output_drop(&o);
	return false;
}

/* One comparison a metric; only the one that decides where the figures are from tables. */
struct comparisons {
	struct btviz_comparison *of[BTVIZ_METRIC_COUNT];
};

/* Judges the metric that decides, then all others in their order. */
static bool judge(const struct compare_arguments *a, const struct comparisons *c,
	struct comparison_report *r, struct btviz_compared *metrics, struct btviz_error *err)
{
	r->metrics = metrics;
	r->metric_count = 0;
	for (int i = 0; i < (a->all ? BTVIZ_METRIC_COUNT : 1); i++) {
		const int m = i == 0 ? (int)a->metric : i <= (int)a->metric ? i - 1 : i;
		const struct btviz_judgement *j = NULL;

		if (btviz_comparison_judge(c->of[m], &j, err) != BTVIZ_OK)
			return false;
		metrics[r->metric_count++] =
			(struct btviz_compared){ btviz_metric_info((enum btviz_metric)m), j };
	}
	r->exit_code = exit_code_of(metrics[0].judgement->verdict);
	return true;
}

/* What makes the label's runs and the base's unlike, as a reason; false: nothing of weight.
 * *ret_always: no verdict can rest on the figures. */
static bool why_unlike(
	const struct btviz_differences *d, bool strict, char *out, size_t size, bool *ret_always)
{
	*ret_always = d->lossy || strict;
	for (size_t i = 0; i < d->unlike_count; i++) {
		const struct btviz_unlike *const u = d->unlike[i];

		if (d->lossy && u->kind == BTVIZ_UNLIKE_RECORDING)
			snprintf(out, size, "records are missing: %s", u->text);
		else if (!d->lossy && d->other_work && u->kind == BTVIZ_UNLIKE_WORK)
			snprintf(out, size, "different workload: %s", u->text);
		else if (!d->lossy && !d->other_work && strict && d->strict &&
			u->kind != BTVIZ_UNLIKE_KERNEL)
			snprintf(out, size, "not comparable: %s", u->text);
		else
			continue;
		return true;
	}
	return false;
}

/* Looks whether each label can be compared with its base, and has it doubted where not. */
static bool doubt(const struct compare_arguments *a, const struct comparisons *c,
	const struct comparison_report *r, struct btviz_error *err)
{
	const struct btviz_judgement *const j = r->metrics[0].judgement;
	const size_t count = j->group_count;
	const struct btviz_differences *d = NULL;
	char why[256];
	bool always;

	for (size_t i = 0; i < count; i++) {
		if (!compare_differences(r, i, &d)) {
			*err = (struct btviz_error){ .status = BTVIZ_ERR_NOMEM };
			snprintf(err->message, sizeof err->message, "out of memory");
			return false;
		}
		if (!d || !why_unlike(d, a->read.strict, why, sizeof why, &always))
			continue;
		for (int m = 0; m < BTVIZ_METRIC_COUNT; m++)
			if (btviz_comparison_doubt(
				    c->of[m], j->groups[i]->label, why, always, err) != BTVIZ_OK)
				return false;
	}
	return true;
}

static int draw(const struct compare_arguments *a, const struct comparison_report *r)
{
	struct btviz_comparison_plot_options plot = a->plot;
	struct compare_notes notes = { 0 };
	struct btviz_error err;
	int code = EXIT_DONE;

	if (!compare_notes(r, &notes)) {
		say("out of memory");
		return fault(a, false);
	}
	plot.notes = (const char *const *)notes.lines;
	plot.note_count = notes.count;
	if (btviz_comparison_plot_write_file(
		    r->metrics, r->metric_count, &plot, a->kind, a->output, &err) != BTVIZ_OK)
		code = error_fault(a, &err);
	compare_notes_free(&notes);
	return code;
}

/* Judges, draws and prints. */
static int show(const struct compare_arguments *a, const struct comparisons *c,
	const struct compare_runs *runs)
{
	struct btviz_compared metrics[BTVIZ_METRIC_COUNT];
	struct comparison_report r = { .threshold = a->compare.threshold,
		.expect = a->compare.expect,
		.exact = a->tables.count > 0,
		.one_line = a->format == COMPARE_JSONL,
		.runs = runs };
	struct btviz_error err;
	int code = EXIT_DONE;

	if (!judge(a, c, &r, metrics, &err) ||
		(runs && (!doubt(a, c, &r, &err) || !judge(a, c, &r, metrics, &err))))
		return error_fault(a, &err);
	if (a->picture)
		code = draw(a, &r);
	if (code != EXIT_DONE)
		return code;
	return write_down(a, &r) ? r.exit_code : fault(a, false);
}

static enum btviz_status new_comparison(const struct compare_arguments *a, enum btviz_metric metric,
	struct btviz_comparison **ret_c, struct btviz_error *err)
{
	const struct btviz_metric_info *const info = btviz_metric_info(metric);
	struct btviz_comparison_options o = a->compare;

	o.lower_is_better = info->lower_is_better;
	o.least = info->least;
	o.floor = info->floor;
	if (metric != a->metric)
		o.expect = 0; /* it is said of the metric that decides */
	return btviz_comparison_new(&o, ret_c, err);
}

static int compare(const struct compare_arguments *a)
{
	const bool tables = a->tables.count > 0;
	struct comparisons c = { { NULL } };
	struct compare_runs runs = { 0 };
	struct btviz_error err;
	enum btviz_status status = BTVIZ_OK;
	int code = EXIT_DONE;

	if (!check_spares(a->output, (const char *const *)a->words, (size_t)a->word_count,
		    a->read.trace.dir) ||
		!check_spares(
			a->output, a->read.traces.list, a->read.traces.count, a->read.trace.dir) ||
		!check_spares(a->output, a->tables.list, a->tables.count, NULL))
		return fault(a, false);
	for (int m = 0; m < BTVIZ_METRIC_COUNT && status == BTVIZ_OK; m++)
		status = new_comparison(a, (enum btviz_metric)m, &c.of[m], &err);
	if (status != BTVIZ_OK)
		code = error_fault(a, &err);
	else if (!(tables ? read_tables(a, c.of[a->metric]) : compare_runs_read(a, &runs)))
		code = fault(a, false);
	for (int m = 0; m < BTVIZ_METRIC_COUNT && code == EXIT_DONE && !tables; m++)
		if (compare_runs_add(&runs, (enum btviz_metric)m, c.of[m], &err) != BTVIZ_OK)
			code = error_fault(a, &err);
	if (code == EXIT_DONE)
		code = show(a, &c, tables ? NULL : &runs);
	for (int m = 0; m < BTVIZ_METRIC_COUNT; m++)
		btviz_comparison_free(c.of[m]);
	compare_runs_free(&runs);
	return code;
}

static int run(void *request, int argc, char **argv)
{
	struct compare_arguments *const a = request;

	return compare_arguments_check(a, argc, argv) ? compare(a) : fault(a, true);
}

/* Help is no verdict. */
static int refuse(const void *request, bool help)
{
	const struct compare_arguments *const a = request;

	return help && !a->bisect ? EXIT_DONE : fault(a, true);
}

const struct command command_compare = {
	.name = "compare",
	.help = "groups of runs against one another, with a verdict",
	.usage =
		"Usage: btviz compare [options] LABEL: TRACE... LABEL: TRACE...\n"
		"       btviz compare [options] -t TRACE -t TRACE...\n"
		"       btviz compare [options] --table FILE.csv\n\n"
		"Compares groups of runs and says of each label whether it is good, bad, sporadic\n"
		"or inconclusive. A word that ends in a colon begins a group, A,B,C is one run of\n"
		"several traces. Labels that are numbers, or NAME@NUMBER, make a sweep.\n\n"
		"Exit code: 0 good, 1 bad or sporadic, 125 cannot tell, 2 wrong usage;\n"
		"with --bisect 128 for what cannot be read or written, 129 for wrong usage.",
	.specs = compare_options,
	.request_size = sizeof(struct compare_arguments),
	.prepare = compare_arguments_prepare,
	.keep_line = compare_arguments_look,
	.run = run,
	.refuse = refuse,
};
