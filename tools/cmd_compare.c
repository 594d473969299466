/* cmd_compare.c - btviz compare: groups of runs against one another, a verdict, and an exit code
 * that git bisect run understands. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/btviz.h>

#include "command.h"
#include "compare_arguments.h"
#include "compare_print.h"
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

/* ---- reading ------------------------------------------------------------------------------- */

static bool damaged(const struct btviz_health *h)
{
	return h->lost_events + h->torn_tails + h->bad_stretches + h->unknown_actions +
		h->late_events + h->repeated_events >
		0;
}

/* One run's figures into all comparisons. */
static bool add_run(const struct compare_arguments *a, const char *label, const char *name,
	struct btviz_comparison *const *comparisons)
{
	const struct btviz_figures *f = NULL;
	struct btviz_summary *s = NULL;
	struct btviz_error err;
	bool ok = false;

	if (btviz_summary_read(name, &a->read.trace, &a->read.summary, &s, &err) != BTVIZ_OK ||
		btviz_summary_figures(s, &f, &err) != BTVIZ_OK) {
		say_error(&err);
	} else if (a->read.strict && damaged(f->health)) {
		say("%s: damaged, and --strict is given", name);
	} else {
		ok = true;
		for (int m = 0; m < BTVIZ_METRIC_COUNT && ok; m++)
			if (btviz_comparison_add(comparisons[m], label, name,
				    btviz_metric_value((enum btviz_metric)m, f),
				    &err) != BTVIZ_OK) {
				say_error(&err);
				ok = false;
			}
	}
	btviz_summary_free(s);
	return ok;
}

/* All traces are tried, so that all that are missing are named: those of -t, each a run of a group
 * of its own unless labels of -l are the same, then the groups of the operands. */
static bool read_traces(
	const struct compare_arguments *a, struct btviz_comparison *const *comparisons)
{
	const struct reading *const r = &a->read;
	char label[4096];
	bool ok = true;

	for (size_t i = 0; i < r->traces.count; i++) {
		if (i < r->labels.count)
			snprintf(label, sizeof label, "%s", r->labels.list[i]);
		else
			run_name(r->traces.list[i], label, sizeof label);
		ok = add_run(a, label, r->traces.list[i], comparisons) && ok;
	}
	for (int i = 0; i < a->word_count; i++) {
		if (compare_is_label(a->words[i]))
			snprintf(label, sizeof label, "%.*s", (int)strlen(a->words[i]) - 1,
				a->words[i]);
		else
			ok = add_run(a, label, a->words[i], comparisons) && ok;
	}
	return ok;
}

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

static int judge(const struct compare_arguments *a, struct btviz_comparison *const *comparisons)
{
	struct btviz_compared metrics[BTVIZ_METRIC_COUNT];
	struct comparison_report r = { .metrics = metrics,
		.threshold = a->compare.threshold,
		.expect = a->compare.expect,
		.exact = a->tables.count > 0,
		.one_line = a->format == COMPARE_JSONL };

	for (int i = 0; i < (a->all ? BTVIZ_METRIC_COUNT : 1); i++) {
		/* the metric that decides, then all others in their order */
		const int m = i == 0 ? (int)a->metric : i <= (int)a->metric ? i - 1 : i;
		const struct btviz_judgement *j = NULL;
		struct btviz_error err;

		if (btviz_comparison_judge(comparisons[m], &j, &err) != BTVIZ_OK)
			return error_fault(a, &err);
		metrics[r.metric_count++] =
			(struct btviz_compared){ btviz_metric_info((enum btviz_metric)m), j };
	}
	r.exit_code = exit_code_of(metrics[0].judgement->verdict);
	if (a->picture) {
		struct btviz_error err;

		if (btviz_comparison_plot_write_file(metrics, r.metric_count, &a->plot, a->kind,
			    a->output, &err) != BTVIZ_OK)
			return error_fault(a, &err);
	}
	return write_down(a, &r) ? r.exit_code : fault(a, false);
}

static int compare(const struct compare_arguments *a)
{
	struct btviz_comparison *comparisons[BTVIZ_METRIC_COUNT] = { NULL };
	int code = EXIT_DONE;

	if (!check_spares(a->output, (const char *const *)a->words, (size_t)a->word_count,
		    a->read.trace.dir) ||
		!check_spares(
			a->output, a->read.traces.list, a->read.traces.count, a->read.trace.dir) ||
		!check_spares(a->output, a->tables.list, a->tables.count, NULL))
		return fault(a, false);
	for (int m = 0; m < BTVIZ_METRIC_COUNT && code == EXIT_DONE; m++) {
		const struct btviz_metric_info *const info =
			btviz_metric_info((enum btviz_metric)m);
		struct btviz_comparison_options o = a->compare;
		struct btviz_error err;

		o.lower_is_better = info->lower_is_better;
		o.least = info->least;
		if (m != (int)a->metric)
			o.expect = 0; /* it is said of the metric that decides */
		if (btviz_comparison_new(&o, &comparisons[m], &err) != BTVIZ_OK)
			code = error_fault(a, &err);
	}
	if (code == EXIT_DONE &&
		!(a->tables.count > 0 ? read_tables(a, comparisons[a->metric])
				      : read_traces(a, comparisons)))
		code = fault(a, false);
	if (code == EXIT_DONE)
		code = judge(a, comparisons);
	for (int m = 0; m < BTVIZ_METRIC_COUNT; m++)
		btviz_comparison_free(comparisons[m]);
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
