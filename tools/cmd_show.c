/* cmd_show.c - a quick look in the terminal: traces in, blocks of characters out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <btviz/btviz.h>

#include "command.h"
#include "options.h"
#include "reading.h"
#include "say.h"
#include "terminal.h"
#include "trace_name.h"

enum { OPT_ASCII = OPT_OWN, OPT_COLOR, OPT_WIDTH };

enum { NAME_SIZE = 256 };

#define REQUEST struct show_request

struct show_request {
	struct reading read;
	struct btviz_show_options show;
	int color;
};

enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

static const char *const whens[] = { "auto", "always", "never", NULL };

/* clang-format off */
static const struct option_spec specs[] = {
	OPTION_TRACE,
	OPTION_DIR,
	OPTION_DEVICE,
	OPTION_LABEL,
	OPTION_XZOOM,
	{ "writes-only", 'W', NULL, "show writes only", TO_FLAG(show.no_reads) },
	{ "reads-only", 'R', NULL, "show reads only", TO_FLAG(show.no_writes) },
	{ "ascii", OPT_ASCII, NULL, "nothing but ASCII characters", TO_FLAG(show.ascii) },
	{ "color", OPT_COLOR, "WHEN", "auto, always or never (auto)", TO_WORD(color, whens) },
	{ "width", OPT_WIDTH, "N", "columns, 30 to 400 (the terminal's, else 80)", TO_SMALL(show.columns, 30, 400) },
	OPTION_GAP,
	OPTION_SEEK,
	OPTION_STRICT,
	OPTION_JOBS,
	OPTION_NO_PROGRESS,
	OPTION_HELP_ROW,
	OPTION_TABLE_END
};
/* clang-format on */

static bool check(const struct show_request *r, int argc, char **argv)
{
	if (!reading_check(&r->read, "show", argc, argv))
		return false;
	if (r->show.no_reads && r->show.no_writes)
		say_usage("show", "-R (reads only) and -W (writes only) leave nothing");
	return !r->show.no_reads || !r->show.no_writes;
}

static int read_runs(const struct show_request *r, struct btviz_run *runs, char (*names)[NAME_SIZE])
{
	for (size_t i = 0; i < r->read.traces.count; i++) {
		const struct btviz_figures *f;
		int code;

		runs[i] = (struct btviz_run)BTVIZ_RUN_INIT;
		code = reading_run(&r->read, r->read.traces.list[i], &runs[i].summary, &f);
		if (code != EXIT_DONE)
			return code;
		runs[i].trace = r->read.traces.list[i];
		runs[i].label = i < r->read.labels.count
			? r->read.labels.list[i]
			: run_name(r->read.traces.list[i], names[i], sizeof names[i]);
	}
	return EXIT_DONE;
}

static int show(void *request, int argc, char **argv)
{
	struct show_request *const r = request;
	struct btviz_run runs[WORDS_MAX] = { 0 };
	char names[WORDS_MAX][NAME_SIZE];
	int code;

	if (!check(r, argc, argv))
		return EXIT_USAGE;
	if (r->show.columns == 0)
		r->show.columns = terminal_columns(STDOUT_FILENO);
	r->show.color =
		r->color == COLOR_ALWAYS || (r->color == COLOR_AUTO && terminal_has_color());
	r->show.ascii = r->show.ascii || terminal_is_ascii();
	code = read_runs(r, runs, names);
	if (code == EXIT_DONE)
		code = terminal_show(runs, r->read.traces.count, &r->show);
	for (size_t i = 0; i < r->read.traces.count; i++)
		btviz_summary_free(runs[i].summary);
	return code;
}

static void prepare(void *request)
{
	struct show_request *const r = request;

	reading_init(&r->read);
	r->show = (struct btviz_show_options)BTVIZ_SHOW_OPTIONS_INIT;
}

const struct command command_show = {
	.name = "show",
	.help = "a quick look in the terminal",
	.usage = "Usage: btviz show -t NAME [-t NAME...] [options]\n\n"
		 "Shows runs in the terminal: findings, throughput, members and gaps.",
	.specs = specs,
	.request_size = sizeof(struct show_request),
	.prepare = prepare,
	.run = show,
};
