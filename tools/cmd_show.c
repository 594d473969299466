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
	struct reading read;
	struct btviz_show_options show;
	int color;
	bool help;
};

enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

static void print_help(void)
{
	puts("Usage: btviz show -t NAME [-t NAME...] [options]\n\n"
	     "Shows runs in the terminal: findings, throughput, members and gaps.\n\nOptions:");
	options_print(specs);
}

static bool take_option(const struct option_parser *p, int id, struct request *r)
{
	static const char *const whens[] = { "auto", "always", "never", NULL };
	uint64_t n;

	switch (reading_take(&r->read, p, id)) {
	case READING_TOOK:
		return true;
	case READING_WRONG:
		return false;
	case READING_OTHER:
		break;
	}
	switch (id) {
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
		ok = reading_check(&r->read, &p);
		if (ok && r->show.no_reads && r->show.no_writes) {
			say_usage("show", "-R (reads only) and -W (writes only) leave nothing");
			ok = false;
		}
	}
	options_done(&p);
	return ok;
}

static int read_runs(const struct request *r, struct btviz_run *runs, char (*names)[NAME_SIZE])
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

int cmd_show(int argc, char **argv)
{
	struct request r = { .show = BTVIZ_SHOW_OPTIONS_INIT };
	struct btviz_run runs[WORDS_MAX] = { 0 };
	char names[WORDS_MAX][NAME_SIZE];
	int code;

	reading_init(&r.read);
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
		code = terminal_show(runs, r.read.traces.count, &r.show);
	for (size_t i = 0; i < r.read.traces.count; i++)
		btviz_summary_free(runs[i].summary);
	return code;
}
