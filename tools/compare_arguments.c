/* compare_arguments.c - the options and operands of btviz compare. */
#include "compare_arguments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "output_format.h"
#include "say.h"

#define REQUEST struct compare_arguments

enum {
	OPT_TABLE = OPT_OWN,
	OPT_BISECT,
	OPT_THRESHOLD,
	OPT_EXPECT,
	OPT_SPORADIC_RATE,
	OPT_MISS,
	OPT_BLOCK,
	OPT_CHART,
	OPT_AXIS,
};

/* "10%", "+15 %", "-3.5%", and "10" for 10 %; a share such as 0.1 is refused rather than guessed
 * at. */
static bool percent(const struct option_parser *p, const char *name, double *ret_share)
{
	const char *text = p->value;
	const bool sign = *text == '+' || *text == '-';
	char *end;

	if (strspn(text + sign, "0123456789.") > 0) {
		const double x = strtod(text, &end);
		const char *rest = end + strspn(end, " ");

		if (strcmp(rest, "%") == 0 || (*end == '\0' && (fabs(x) >= 1 || !(fabs(x) > 0)))) {
			*ret_share = x / 100;
			return true;
		}
	}
	say_usage(p->command, "--%s: '%s' is not a percentage such as 10%%", name, text);
	return false;
}

static bool take_threshold(const struct option_parser *p, void *request)
{
	return percent(p, "threshold", &((REQUEST *)request)->compare.threshold);
}

static bool take_expect(const struct option_parser *p, void *request)
{
	return percent(p, "expect", &((REQUEST *)request)->compare.expect);
}

/* A percentage, or a share such as 1/3. */
static bool chance(const struct option_parser *p, const char *name, double *ret_share)
{
	const char *const slash = strchr(p->value, '/');

	if (!slash)
		return percent(p, name, ret_share);
	if (strcmp(p->value, "1/0") != 0 && strncmp(p->value, "1/", 2) == 0 &&
		strspn(slash + 1, "0123456789") == strlen(slash + 1) && atof(slash + 1) >= 1) {
		*ret_share = 1 / atof(slash + 1);
		return true;
	}
	say_usage(p->command, "--%s: '%s' is no percentage and nothing like 1/3", name, p->value);
	return false;
}

static bool take_sporadic_rate(const struct option_parser *p, void *request)
{
	double *const rate = &((REQUEST *)request)->compare.sporadic_rate;

	if (!chance(p, "sporadic-rate", rate))
		return false;
	if (*rate > 0 && *rate <= 1)
		return true;
	say_usage(p->command, "--sporadic-rate: above 0 %% and at most 100 %%");
	return false;
}

static bool take_miss(const struct option_parser *p, void *request)
{
	double *const miss = &((REQUEST *)request)->compare.miss;

	if (!chance(p, "miss", miss))
		return false;
	if (*miss > 0 && *miss < 1)
		return true;
	say_usage(p->command, "--miss: above 0 %% and below 100 %%");
	return false;
}

static bool take_block(const struct option_parser *p, void *request)
{
	uint64_t n;

	if (!value_count(p, 1, 100000, &n))
		return false;
	((REQUEST *)request)->compare.block = (size_t)n;
	return true;
}

static const char *metric_word(int i)
{
	return i < BTVIZ_METRIC_COUNT ? btviz_metric_info((enum btviz_metric)i)->name : NULL;
}

static const char *const formats[] = { "text", "json", "csv", "markdown", "jsonl", NULL };
static const char *const charts[] = { "auto", "dots", "sweep", NULL };

/* clang-format off */
const struct option_spec compare_options[] = {
	{ "trace", 't', "NAME", "a run of a group of its own, labelled by -l or its\nname; repeatable", TO_WORDS(read.traces) },
	OPTION_LABEL,
	{ "baseline", 'b', "LABEL", "compare with this label (or series); the first is it\nelse", TO_TEXT(compare.baseline) },
	{ "metric", 'm', "NAME", "the figure that decides: mb_per_s (default),\nios_per_s, seeks_per_s, latency_p50_ms,\nlatency_p99_ms, gap_time_s, effective_members,\nrun_time_s", TO_NAME(metric, metric_word) },
	{ "all", 'a', NULL, "show the other metrics, too", TO_FLAG(all) },
	{ "threshold", OPT_THRESHOLD, "PERCENT", "smaller losses than this do not matter (10%)", BY(take_threshold) },
	{ "expect", OPT_EXPECT, "PERCENT", "the change that should have come, e.g. +15%", BY(take_expect) },
	{ "sporadic-rate", OPT_SPORADIC_RATE, "RATE", "not good before there are enough runs to meet a fault\nthat shows in 30% or 1/3 of them", BY(take_sporadic_rate) },
	{ "miss", OPT_MISS, "PERCENT", "the chance to miss it with so many runs (1%)", BY(take_miss) },
	{ "block", OPT_BLOCK, "N", "each N runs of a label are of one boot", BY(take_block) },
	{ "table", OPT_TABLE, "FILE", "CSV with the columns label,value instead of traces;\n'-' is standard input; repeatable", TO_WORDS(tables) },
	{ "format", OPT_FORMAT, "FORMAT", "text, json, jsonl, csv or markdown (as FILE is\ncalled; text)", TO_WORD(format, formats) },
	{ "output", 'o', "FILE", "draw the comparison, too: .png, .svg or .pdf; or write\nit to FILE: .txt, .json, .jsonl, .csv or .md", TO_TEXT(output) },
	{ "chart", OPT_CHART, "HOW", "dots or sweep (auto: a sweep where labels are\nnumbers)", TO_WORD(plot.chart, charts) },
	{ "axis", OPT_AXIS, "TEXT", "what the numbers of a sweep are, e.g. threads", TO_TEXT(plot.axis) },
	{ "title", 'T', "TEXT", "title above the picture", TO_TEXT(plot.title) },
	OPTION_FIGURE,
	OPTION_DPI,
	OPTION_DIR,
	OPTION_DEVICE,
	OPTION_XZOOM,
	OPTION_GAP,
	OPTION_SEEK,
	OPTION_STRICT,
	{ "bisect", OPT_BISECT, NULL, "for git bisect run: what goes wrong ends with 128 or\nmore, so that it is never taken for a verdict", TO_FLAG(bisect) },
	OPTION_JOBS,
	OPTION_HELP_ROW,
	OPTION_TABLE_END
};
/* clang-format on */

bool compare_is_label(const char *word)
{
	const size_t n = strlen(word);

	return n > 0 && word[n - 1] == ':';
}

/* The output's kind and size are known before the first trace is read. */
static bool check_output(struct compare_arguments *a)
{
	struct btviz_error err;

	figure_px(&a->figure, &a->plot.width_px, &a->plot.height_px, &a->plot.dpi);
	a->picture = a->output && strcmp(a->output, "-") != 0 && !output_is_text(a->output);
	if (!output_format("compare", a->picture ? NULL : a->output, formats, &a->format))
		return false;
	if (!a->picture)
		return true;
	if (btviz_plot_kind_of(a->output, &a->kind, &err) != BTVIZ_OK) {
		say_usage("compare", "%s", err.message);
		return false;
	}
	if (a->kind == BTVIZ_PLOT_HTML)
		say_usage("compare", "%s: a comparison is drawn as .png, .svg or .pdf", a->output);
	return a->kind != BTVIZ_PLOT_HTML;
}

/* Groups are complete before the first trace is read, which may take minutes. */
static bool check_words(const struct compare_arguments *a)
{
	const char *const first = a->word_count > 0 ? a->words[0] : "";
	const char *label = NULL;

	if (a->tables.count > 0) {
		if (a->word_count > 0)
			say_usage("compare", "either --table or traces, not both ('%s')", first);
		else if (a->read.traces.count > 0)
			say_usage("compare", "either --table or traces, not both ('-t %s')",
				a->read.traces.list[0]);
		else if (a->all)
			say_usage("compare", "--all needs traces: a table holds one metric");
		return a->word_count == 0 && a->read.traces.count == 0 && !a->all;
	}
	if (a->read.labels.count > a->read.traces.count) {
		say_usage("compare", "more labels (-l) than traces (-t)");
		return false;
	}
	if (a->word_count == 0 && a->read.traces.count > 0)
		return true;
	if (a->word_count == 0) {
		say_usage("compare",
			"nothing to compare: LABEL: TRACE... LABEL: TRACE..., or -t TRACE -t TRACE");
		return false;
	}
	if (!compare_is_label(first)) {
		say_usage("compare", "'%s' belongs to no label: write LABEL: before it, or -t",
			first);
		return false;
	}
	for (int i = 0; i < a->word_count; i++) {
		const char *const word = a->words[i];

		if (strcmp(word, ":") == 0) {
			say_usage("compare", "a label before the colon is missing");
			return false;
		}
		if (compare_is_label(word) && label) {
			say_usage("compare", "no trace after '%s'", label);
			return false;
		}
		label = compare_is_label(word) ? word : NULL;
	}
	if (label) {
		say_usage("compare", "no trace after '%s'", label);
		return false;
	}
	return true;
}

/* Whether --bisect stands among the words, found before anything else is looked at: a mistyped word
 * before it must not end with a code that git bisect takes for "bad". */
static bool asks_for_bisect(int argc, char **argv)
{
	static const char name[] = "--bisect";

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strncmp(argv[i], "--bi", 4) == 0 &&
			strncmp(argv[i], name, strlen(argv[i])) == 0)
			return true;
	return false;
}

void compare_arguments_prepare(void *request)
{
	struct compare_arguments *const a = request;

	reading_init(&a->read);
	a->format = FORMAT_UNTOLD;
	a->compare = (struct btviz_comparison_options)BTVIZ_COMPARISON_OPTIONS_INIT;
	a->plot = (struct btviz_comparison_plot_options)BTVIZ_COMPARISON_PLOT_OPTIONS_INIT;
}

void compare_arguments_look(void *request, int argc, char **argv)
{
	((struct compare_arguments *)request)->bisect = asks_for_bisect(argc, argv);
}

bool compare_arguments_check(struct compare_arguments *a, int argc, char **argv)
{
	a->words = argv;
	a->word_count = argc;
	return check_words(a) && check_output(a);
}
