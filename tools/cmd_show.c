/* cmd_show.c - a quick look in the terminal: traces in, blocks of characters out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <btviz/btviz.h>

#include "command.h"
#include "options.h"
#include "progress.h"
#include "say.h"
#include "terminal.h"
#include "trace_name.h"

enum { OPT_ASCII = OPT_OWN, OPT_COLOR, OPT_WIDTH };

enum { RUNS_MAX = 64, DEVICES_MAX = 256, NAME_SIZE = 256 };

/* clang-format off */
static const struct option_spec specs[] = {
	OPTION_TRACE,
	OPTION_DIR,
	OPTION_DEVICE,
	{ "label", 'l', "TEXT", "label of the -t in the same place; repeatable" },
	OPTION_XZOOM,
	{ "writes-only", 'W', NULL, "show writes only" },
	{ "reads-only", 'R', NULL, "show reads only" },
	{ "ascii", OPT_ASCII, NULL, "nothing but ASCII characters" },
	{ "color", OPT_COLOR, "WHEN", "auto, always or never (auto)" },
	{ "width", OPT_WIDTH, "N", "columns, 40 to 400 (the terminal's, else 80)" },
	OPTION_GAP,
	OPTION_SEEK,
	OPTION_STRICT,
	OPTION_JOBS,
	OPTION_NO_PROGRESS,
	OPTION_HELP,
	OPTION_TABLE_END
};
/* clang-format on */

struct request {
	struct btviz_trace_options trace;
	struct btviz_summary_options summary;
	struct btviz_show_options show;
	const char *traces[RUNS_MAX], *labels[RUNS_MAX], *devices[DEVICES_MAX];
	size_t trace_count, label_count;
	int color;
	bool strict, no_progress, help;
};

enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

static void print_help(void)
{
	puts("Usage: btviz show -t NAME [-t NAME...] [options]\n\n"
	     "Shows runs in the terminal: findings, throughput, members and gaps.\n\nOptions:");
	options_print(specs);
}

static bool append(const char **list, size_t *count, size_t max, const struct option_parser *p)
{
	if (*count == max) {
		say_usage("show", "more than %zu of one option", max);
		return false;
	}
	list[(*count)++] = p->value;
	return true;
}

static bool take_option(const struct option_parser *p, int id, struct request *r)
{
	static const char *const whens[] = { "auto", "always", "never", NULL };
	uint64_t n;

	switch (id) {
	case 't':
		return append(r->traces, &r->trace_count, RUNS_MAX, p);
	case 'l':
		return append(r->labels, &r->label_count, RUNS_MAX, p);
	case 'd':
		return append(r->devices, &r->summary.device_count, DEVICES_MAX, p);
	case 'D':
		r->trace.dir = p->value;
		return true;
	case 'x':
		return value_time_range(p, &r->summary.start_ns, &r->summary.end_ns);
	case 'W':
		r->show.no_reads = true;
		return true;
	case 'R':
		r->show.no_writes = true;
		return true;
	case OPT_ASCII:
		r->show.ascii = true;
		return true;
	case OPT_COLOR:
		return value_word(p, whens, &r->color);
	case OPT_WIDTH:
		if (!value_count(p, 40, 400, &n))
			return false;
		r->show.columns = (unsigned)n;
		return true;
	case OPT_GAP_THRESHOLD:
		return value_duration(p, &r->summary.gap_threshold_ns);
	case OPT_SEEK_DISTANCE:
		return value_count(p, 1, UINT64_MAX, &r->summary.seek_sectors);
	case OPT_STRICT:
		r->strict = true;
		return true;
	case 'j':
		if (!value_count(p, 1, 1024, &n))
			return false;
		r->summary.jobs = (unsigned)n;
		return true;
	case OPT_NO_PROGRESS:
		r->no_progress = true;
		return true;
	case OPT_HELP:
		r->help = true;
		return true;
	}
	return false;
}

/* False after saying what is wrong. */
static bool parse(int argc, char **argv, struct request *r)
{
	struct option_parser p;
	bool ok = true;
	int id;

	options_init(&p, "show", specs, argc, argv);
	while (ok && !r->help && (id = options_next(&p)) != OPT_END)
		ok = id != OPT_WRONG && take_option(&p, id, r);
	if (ok && !r->help) {
		const int rest = options_rest(&p);

		ok = false;
		if (rest < argc)
			say_usage("show", "'%s': traces are given with -t, a device with -d",
				argv[rest]);
		else if (r->trace_count == 0)
			say_usage("show", "no trace given (-t NAME)");
		else if (r->label_count > r->trace_count)
			say_usage("show", "more labels (-l) than traces (-t)");
		else if (r->show.no_reads && r->show.no_writes)
			say_usage("show", "-R (reads only) and -W (writes only) leave nothing");
		else
			ok = true;
	}
	options_done(&p);
	return ok;
}

static int read_runs(const struct request *r, struct btviz_run *runs, char (*names)[NAME_SIZE])
{
	for (size_t i = 0; i < r->trace_count; i++) {
		const struct btviz_figures *f;
		struct progress *progress = r->no_progress ? NULL : progress_new(r->traces[i]);
		struct btviz_error err;
		enum btviz_status status;

		runs[i] = (struct btviz_run)BTVIZ_RUN_INIT;
		status = btviz_summary_read(
			r->traces[i], &r->trace, &r->summary, &runs[i].summary, &err);
		progress_free(progress);
		if (status == BTVIZ_OK)
			status = btviz_summary_figures(runs[i].summary, &f, &err);
		if (status != BTVIZ_OK)
			return say_error(&err);
		if (say_health(r->traces[i], f) && r->strict) {
			say("%s: damaged, and --strict was given", r->traces[i]);
			return EXIT_FAILED;
		}
		runs[i].trace = r->traces[i];
		runs[i].label = i < r->label_count
			? r->labels[i]
			: run_name(r->traces[i], names[i], sizeof names[i]);
	}
	return EXIT_DONE;
}

int cmd_show(int argc, char **argv)
{
	struct request r = { .trace = BTVIZ_TRACE_OPTIONS_INIT,
		.summary = BTVIZ_SUMMARY_OPTIONS_INIT,
		.show = BTVIZ_SHOW_OPTIONS_INIT };
	struct btviz_run runs[RUNS_MAX] = { 0 };
	char names[RUNS_MAX][NAME_SIZE];
	int code;

	r.summary.devices = r.devices;
	if (!parse(argc, argv, &r))
		return EXIT_USAGE;
	if (r.help) {
		print_help();
		return EXIT_DONE;
	}
	if (r.show.columns == 0)
		r.show.columns = terminal_columns(STDOUT_FILENO);
	r.show.color = r.color == COLOR_ALWAYS || (r.color == COLOR_AUTO && terminal_has_color());
	code = read_runs(&r, runs, names);
	if (code == EXIT_DONE)
		code = terminal_show(runs, r.trace_count, &r.show);
	for (size_t i = 0; i < r.trace_count; i++)
		btviz_summary_free(runs[i].summary);
	return code;
}
