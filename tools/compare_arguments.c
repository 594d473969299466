/* compare_arguments.c - the options and operands of btviz compare. */
#include "compare_arguments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "say.h"

enum {
	OPT_TABLE = OPT_OWN,
	OPT_BISECT,
	OPT_THRESHOLD,
	OPT_EXPECT,
	OPT_CHART,
	OPT_DPI,
};

/* clang-format off */
static const struct option_spec specs[] = {
	{ "baseline", 'b', "LABEL", "compare with this label (or series); the first is it\nelse" },
	{ "metric", 'm', "NAME", "the figure that decides: mb_per_s (default),\nios_per_s, seeks_per_s, latency_p50_ms,\nlatency_p99_ms, gap_time_s, effective_members,\nrun_time_s" },
	{ "all", 'a', NULL, "show the other metrics, too" },
	{ "threshold", OPT_THRESHOLD, "PERCENT", "smaller losses than this do not matter (10%)" },
	{ "expect", OPT_EXPECT, "PERCENT", "the change that should have come, e.g. +15%" },
	{ "table", OPT_TABLE, "FILE", "CSV with the columns label,value instead of traces;\n'-' is standard input; repeatable" },
	{ "format", OPT_FORMAT, "FORMAT", "text, json, csv or markdown" },
	{ "output", 'o', "FILE", "draw the comparison, too: .png, .svg or .pdf" },
	{ "chart", OPT_CHART, "HOW", "dots or sweep (auto: a sweep where labels are\nnumbers)" },
	{ "title", 'T', "TEXT", "title above the picture" },
	{ "figure-size", 'F', "WxH", "size in inches, or in pixels if above 100" },
	{ "dpi", OPT_DPI, "N", "pixels an inch, scales the text too (96)" },
	OPTION_DIR,
	OPTION_DEVICE,
	OPTION_XZOOM,
	OPTION_GAP,
	OPTION_SEEK,
	OPTION_STRICT,
	{ "bisect", OPT_BISECT, NULL, "for git bisect run: what goes wrong ends with 128 or\nmore, so that it is never taken for a verdict" },
	OPTION_JOBS,
	OPTION_HELP,
	OPTION_TABLE_END
};
/* clang-format on */

static void print_help(void)
{
	puts("Usage: btviz compare [options] LABEL: TRACE... LABEL: TRACE...\n"
	     "       btviz compare [options] --table FILE.csv\n\n"
	     "Compares groups of runs and says of each label whether it is good, bad, sporadic\n"
	     "or inconclusive. A word that ends in a colon begins a group, A,B,C is one run of\n"
	     "several traces. Labels that are numbers, or NAME@NUMBER, make a sweep.\n\n"
	     "Exit code: 0 good, 1 bad or sporadic, 125 cannot tell, 2 wrong usage;\n"
	     "with --bisect 128 for what cannot be read or written, 129 for wrong usage.\n\n"
	     "Options:");
	options_print(specs);
}

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

static bool parse_metric(const struct option_parser *p, enum btviz_metric *ret_m)
{
	const char *names[BTVIZ_METRIC_COUNT + 1] = { NULL };
	int i;

	for (int m = 0; m < BTVIZ_METRIC_COUNT; m++)
		names[m] = btviz_metric_info((enum btviz_metric)m)->name;
	if (!value_word(p, names, &i))
		return false;
	*ret_m = (enum btviz_metric)i;
	return true;
}

static bool take_option(const struct option_parser *p, int id, struct compare_arguments *a)
{
	static const char *const formats[] = { "text", "json", "csv", "markdown", NULL };
	static const char *const charts[] = { "auto", "dots", "sweep", NULL };
	uint64_t n;
	int word;

	switch (reading_take(&a->read, p, id)) {
	case READING_TOOK:
		return true;
	case READING_WRONG:
		return false;
	case READING_OTHER:
		break;
	}
	switch (id) {
	case 'b':
		a->compare.baseline = p->value;
		return true;
	case OPT_BISECT:
		a->bisect = true;
		return true;
	case 'm':
		return parse_metric(p, &a->metric);
	case 'a':
		a->all = true;
		return true;
	case OPT_THRESHOLD:
		return percent(p, "threshold", &a->compare.threshold);
	case OPT_EXPECT:
		return percent(p, "expect", &a->compare.expect);
	case OPT_TABLE:
		return words_add(p, &a->tables);
	case OPT_FORMAT:
		return value_word(p, formats, &a->format);
	case 'o':
		a->output = p->value;
		return true;
	case OPT_CHART:
		if (!value_word(p, charts, &word))
			return false;
		a->plot.chart = (enum btviz_chart)word;
		return true;
	case 'T':
		a->plot.title = p->value;
		return true;
	case 'F':
		return value_size(p, 1, 32000, &a->figure_w, &a->figure_h);
	case OPT_DPI:
		if (!value_count(p, 10, 2400, &n))
			return false;
		a->plot.dpi = (double)n;
		return true;
	default:
		return true;
	}
}

bool compare_is_label(const char *word)
{
	const size_t n = strlen(word);

	return n > 0 && word[n - 1] == ':';
}

/* The picture's kind and size are known before the first trace is read. */
static bool check_picture(struct compare_arguments *a)
{
	const bool inches = a->figure_w <= 100 && a->figure_h <= 100;
	const double factor = inches ? (a->plot.dpi > 0 ? a->plot.dpi : 96) : 1;
	struct btviz_error err;

	a->plot.width_px = a->figure_w * factor;
	a->plot.height_px = a->figure_h * factor;
	if (!a->output)
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
		else if (a->all)
			say_usage("compare", "--all needs traces: a table holds one metric");
		return a->word_count == 0 && !a->all;
	}
	if (a->word_count == 0) {
		say_usage("compare", "nothing to compare: LABEL: TRACE... LABEL: TRACE...");
		return false;
	}
	if (!compare_is_label(first)) {
		say_usage("compare", "'%s' belongs to no label: write LABEL: before it", first);
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

enum compare_parsed compare_arguments_parse(struct compare_arguments *a, int argc, char **argv)
{
	struct option_parser p;
	int id;

	*a = (struct compare_arguments){ .compare = BTVIZ_COMPARISON_OPTIONS_INIT,
		.plot = BTVIZ_COMPARISON_PLOT_OPTIONS_INIT,
		.bisect = asks_for_bisect(argc, argv) };
	reading_init(&a->read);
	options_init(&p, "compare", specs, argc, argv);
	while ((id = options_next(&p)) >= 0) {
		if (id == OPT_HELP) {
			print_help();
			break;
		}
		if (!take_option(&p, id, a)) {
			id = OPT_WRONG;
			break;
		}
	}
	a->words = argv + options_rest(&p);
	a->word_count = argc - options_rest(&p);
	options_done(&p);
	if (id == OPT_HELP)
		return ARGUMENTS_HELP;
	return id == OPT_END && check_words(a) && check_picture(a) ? ARGUMENTS_GOOD
								   : ARGUMENTS_WRONG;
}
