/* cmd_compare.c - btviz compare: groups of runs against one another, a verdict, and an exit code
 * that git bisect run understands. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/btviz.h>

#include "command.h"
#include "compare_print.h"
#include "options.h"
#include "reading.h"
#include "say.h"
#include "trace_name.h"

/* What git bisect run takes for "skip this one". Whatever goes wrong here ends so: 1 would say that
 * the revision is bad. */
enum { EXIT_CANNOT_TELL = 125 };

enum { TABLE_BYTES_MAX = 64 << 20 };

enum {
	OPT_TABLE = OPT_OWN,
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
	OPTION_JOBS,
	OPTION_HELP,
	OPTION_TABLE_END
};
/* clang-format on */

enum format { TEXT, JSON, CSV, MARKDOWN };

struct arguments {
	struct reading read;
	struct words tables;
	enum btviz_metric metric;
	bool all;
	int format;
	struct btviz_comparison_options compare;
	const char *output;
	enum btviz_plot_kind kind;
	struct btviz_comparison_plot_options plot;
	double figure_w, figure_h;
	char **words; /* LABEL: TRACE… */
	int word_count;
};

static void print_help(void)
{
	puts("Usage: btviz compare [options] LABEL: TRACE... LABEL: TRACE...\n"
	     "       btviz compare [options] --table FILE.csv\n\n"
	     "Compares groups of runs and says of each label whether it is good, bad, sporadic\n"
	     "or inconclusive. A word that ends in a colon begins a group, A,B,C is one run of\n"
	     "several traces. Labels that are numbers, or NAME@NUMBER, make a sweep.\n\n"
	     "Exit code: 0 good, 1 bad or sporadic, 125 cannot tell, 2 wrong usage.\n\nOptions:");
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

static bool take_option(const struct option_parser *p, int id, struct arguments *a)
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

static bool is_label(const char *word)
{
	const size_t n = strlen(word);

	return n > 0 && word[n - 1] == ':';
}

/* The picture's kind and size are known before the first trace is read. */
static bool check_picture(struct arguments *a)
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
static bool check_words(const struct arguments *a)
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
	if (!is_label(first)) {
		say_usage("compare", "'%s' belongs to no label: write LABEL: before it", first);
		return false;
	}
	for (int i = 0; i < a->word_count; i++) {
		const char *const word = a->words[i];

		if (strcmp(word, ":") == 0) {
			say_usage("compare", "a label before the colon is missing");
			return false;
		}
		if (is_label(word) && label) {
			say_usage("compare", "no trace after '%s'", label);
			return false;
		}
		label = is_label(word) ? word : NULL;
	}
	if (label) {
		say_usage("compare", "no trace after '%s'", label);
		return false;
	}
	return true;
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool damaged(const struct btviz_health *h)
{
	return h->lost_events + h->torn_tails + h->bad_stretches + h->unknown_actions +
		h->late_events + h->repeated_events >
		0;
}

/* One run's figures into all comparisons. */
static bool add_run(const struct arguments *a, const char *label, const char *name,
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

/* All traces are tried, so that all that are missing are named. */
static bool read_traces(const struct arguments *a, struct btviz_comparison *const *comparisons)
{
	char *label = NULL;
	bool ok = true;

	for (int i = 0; i < a->word_count; i++) {
		if (is_label(a->words[i])) {
			free(label);
			label = strndup(a->words[i], strlen(a->words[i]) - 1);
			if (!label) {
				say("out of memory");
				return false;
			}
		} else if (!add_run(a, label, a->words[i], comparisons)) {
			ok = false;
		}
	}
	free(label);
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

static bool read_tables(const struct arguments *a, struct btviz_comparison *c)
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

static bool print(const struct comparison_report *r, int format)
{
	switch ((enum format)format) {
	case TEXT:
		compare_print_text(r);
		break;
	case JSON:
		return compare_print_json(r);
	case CSV:
		compare_print_csv(r);
		break;
	case MARKDOWN:
		compare_print_markdown(r);
		break;
	}
	return true;
}

static int judge(const struct arguments *a, struct btviz_comparison *const *comparisons)
{
	struct btviz_compared metrics[BTVIZ_METRIC_COUNT];
	struct comparison_report r = { .metrics = metrics,
		.threshold = a->compare.threshold,
		.expect = a->compare.expect,
		.exact = a->tables.count > 0 };

	for (int i = 0; i < (a->all ? BTVIZ_METRIC_COUNT : 1); i++) {
		/* the metric that decides, then all others in their order */
		const int m = i == 0 ? (int)a->metric : i <= (int)a->metric ? i - 1 : i;
		const struct btviz_judgement *j = NULL;
		struct btviz_error err;

		if (btviz_comparison_judge(comparisons[m], &j, &err) != BTVIZ_OK)
			return say_error(&err) == EXIT_USAGE ? EXIT_USAGE : EXIT_CANNOT_TELL;
		metrics[r.metric_count++] =
			(struct btviz_compared){ btviz_metric_info((enum btviz_metric)m), j };
	}
	r.exit_code = exit_code_of(metrics[0].judgement->verdict);
	if (a->output) {
		struct btviz_error err;

		if (btviz_comparison_plot_write_file(metrics, r.metric_count, &a->plot, a->kind,
			    a->output, &err) != BTVIZ_OK)
			return say_error(&err) == EXIT_USAGE ? EXIT_USAGE : EXIT_CANNOT_TELL;
	}
	if (!print(&r, a->format)) {
		say("out of memory");
		return EXIT_CANNOT_TELL;
	}
	if (fflush(stdout) != 0 || ferror(stdout))
		return EXIT_CANNOT_TELL; /* main() says it */
	return r.exit_code;
}

static int compare(const struct arguments *a)
{
	struct btviz_comparison *comparisons[BTVIZ_METRIC_COUNT] = { NULL };
	int code = EXIT_DONE;

	if (!check_spares(a->output, (const char *const *)a->words, (size_t)a->word_count,
		    a->read.trace.dir) ||
		!check_spares(a->output, a->tables.list, a->tables.count, NULL))
		return EXIT_CANNOT_TELL;
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
			code = say_error(&err) == EXIT_USAGE ? EXIT_USAGE : EXIT_CANNOT_TELL;
	}
	if (code == EXIT_DONE &&
		!(a->tables.count > 0 ? read_tables(a, comparisons[a->metric])
				      : read_traces(a, comparisons)))
		code = EXIT_CANNOT_TELL;
	if (code == EXIT_DONE)
		code = judge(a, comparisons);
	for (int m = 0; m < BTVIZ_METRIC_COUNT; m++)
		btviz_comparison_free(comparisons[m]);
	return code;
}

int cmd_compare(int argc, char **argv)
{
	struct arguments a = { .compare = BTVIZ_COMPARISON_OPTIONS_INIT,
		.plot = BTVIZ_COMPARISON_PLOT_OPTIONS_INIT };
	struct option_parser p;
	int id, code = EXIT_DONE;

	reading_init(&a.read);
	options_init(&p, "compare", specs, argc, argv);
	while ((id = options_next(&p)) >= 0) {
		if (id == OPT_HELP) {
			print_help();
			break;
		}
		if (!take_option(&p, id, &a)) {
			id = OPT_WRONG;
			break;
		}
	}
	a.words = argv + options_rest(&p);
	a.word_count = argc - options_rest(&p);
	options_done(&p);
	if (id == OPT_WRONG)
		code = EXIT_USAGE;
	else if (id == OPT_END)
		code = check_words(&a) && check_picture(&a) ? compare(&a) : EXIT_USAGE;
	return code;
}
