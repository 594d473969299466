/* cmd_plot.c - the plain drawing command: traces in, a picture out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include <btviz/btviz.h>

#include "command.h"
#include "figure.h"
#include "help.h"
#include "movie_file.h"
#include "options.h"
#include "reading.h"
#include "recording.h"
#include "say.h"
#include "terminal.h"
#include "trace_name.h"

enum {
	OPT_CLOCK = OPT_OWN,
	OPT_FORCE,
	OPT_PANELS,
	OPT_LAYOUT,
	OPT_ALIGN,
	OPT_MOVIE_LENGTH,
	OPT_MOVIE_FRAMES,
	OPT_VERSION,
};

enum { COLORS_MAX = 256 };

#define REQUEST struct plot_request

/* All that the command line asks for. */
struct plot_request {
	struct reading read;
	struct btviz_plot_options plot;
	enum btviz_plot_kind kind;
	struct btviz_movie_options movie;
	bool is_movie;
	uint64_t movie_ns;  /* its length; 0: not told */
	const char *output; /* NULL: not told */
	struct words merge;
	uint32_t only, without;
	uint32_t colors[COLORS_MAX];
	struct figure figure;
	bool version;
	const char *program; /* to record first, or NULL */
	bool replace;        /* a recording that is there */
	char recorded[4096]; /* where to: the first -t, in its directory */
	char command[4096];
};

/* "io", or "io,tput", or "all": bits of panels. */
static bool panel_list(const struct option_parser *p, uint32_t *bits)
{
	const char *at = p->value;

	if (strcmp(at, "all") == 0) {
		*bits = BTVIZ_PANEL_BIT(BTVIZ_PANEL_COUNT) - 1;
		return true;
	}
	while (true) {
		const size_t n = strcspn(at, ",");
		int panel = 0;

		for (; panel < BTVIZ_PANEL_COUNT; panel++) {
			const char *name = btviz_panel_name((enum btviz_panel)panel);

			if (strlen(name) == n && strncmp(name, at, n) == 0)
				break;
		}
		if (panel == BTVIZ_PANEL_COUNT) {
			char names[256] = "";

			for (panel = 0; panel < BTVIZ_PANEL_COUNT; panel++)
				snprintf(names + strlen(names), sizeof names - strlen(names),
					"%s%s", panel ? ", " : "",
					btviz_panel_name((enum btviz_panel)panel));
			say_usage(NULL, "no panel '%.*s': %s", (int)n, at, names);
			return false;
		}
		*bits |= BTVIZ_PANEL_BIT(panel);
		if (at[n] == '\0')
			return true;
		at += n + 1;
	}
}

static bool take_colors(const struct option_parser *p, void *request)
{
	struct plot_request *const r = request;
	/* The single letters and some names that matplotlib, and so seekwatcher, understands. */
	static const struct {
		const char *name;
		uint32_t rgb;
	} names[] = { { "b", 0x0000ff }, { "g", 0x008000 }, { "r", 0xff0000 }, { "c", 0x00bfbf },
		{ "m", 0xbf00bf }, { "y", 0xbfbf00 }, { "k", 0x000000 }, { "blue", 0x0000ff },
		{ "green", 0x008000 }, { "red", 0xff0000 }, { "cyan", 0x00bfbf },
		{ "magenta", 0xbf00bf }, { "yellow", 0xbfbf00 }, { "black", 0x000000 },
		{ "orange", 0xffa500 }, { "purple", 0x800080 }, { "brown", 0xa52a2a },
		{ "gray", 0x808080 } };
	size_t count = 0;

	for (const char *at = p->value; count < COLORS_MAX; at++) {
		const size_t n = strcspn(at, ",");
		const size_t known = sizeof names / sizeof names[0];
		size_t i = 0;

		if (at[0] == '#' && n == 7 && strspn(at + 1, "0123456789abcdefABCDEF") >= 6) {
			r->colors[count++] = (uint32_t)strtoul(at + 1, NULL, 16);
		} else {
			while (i < known &&
				(strlen(names[i].name) != n || strncmp(names[i].name, at, n) != 0))
				i++;
			if (i == known) {
				say_usage(NULL, "'%.*s' is no colour such as #0072b2 or blue",
					(int)n, at);
				return false;
			}
			r->colors[count++] = names[i].rgb;
		}
		at += n;
		if (*at == '\0')
			break;
	}
	r->plot.colors = r->colors;
	r->plot.color_count = count;
	return true;
}

static bool take_only(const struct option_parser *p, void *request)
{
	return panel_list(p, &((struct plot_request *)request)->only);
}

static bool take_without(const struct option_parser *p, void *request)
{
	return panel_list(p, &((struct plot_request *)request)->without);
}

static bool take_zoom(const struct option_parser *p, void *request)
{
	struct btviz_plot_options *const plot = &((struct plot_request *)request)->plot;
	uint64_t a, b;

	if (!value_byte_range(p, &a, &b))
		return false;
	/* Of the picture only: members have other offsets than their array. */
	plot->first_sector = a / BTVIZ_SECTOR_BYTES;
	plot->last_sector = b ? (b - 1) / BTVIZ_SECTOR_BYTES : 0;
	return true;
}

static bool take_movie(const struct option_parser *p, void *request)
{
	struct plot_request *const r = request;
	int style;

	if (!value_word(p, &style))
		return false;
	r->movie.style = (enum btviz_movie_style)style;
	r->is_movie = true;
	return true;
}

static const char *panel_word(int i)
{
	return i < BTVIZ_PANEL_COUNT ? btviz_panel_name((enum btviz_panel)i) : NULL;
}

static const char *const layouts[] = { "columns", "rows", "overlay", NULL };
static const char *const aligns[] = { "start", "wall", NULL };
static const char *const styles[] = { "rect", "spindle", NULL };
static const char *const clocks[] = { "relative", "wall", NULL };

/* clang-format off */
static const struct option_spec specs[] = {
	OPTION_TRACE,
	{ "output", 'o', "FILE", "the picture: .png, .svg, .pdf or .html; '-' is\nstandard output: a PNG, or text on a terminal", TO_TEXT(output) },
	OPTION_DIR,
	OPTION_DEVICE,
	{ "prog", 'p', "COMMAND", "first record the devices of -d into the -t NAME while\nthis shell command runs", TO_TEXT(program) },
	{ "force", OPT_FORCE, NULL, "with -p: replace a recording of that name", TO_FLAG(replace) },
	OPTION_LABEL,
	{ "title", 'T', "TEXT", "title above the picture", TO_TEXT(plot.title) },
	{ "writes-only", 'W', NULL, "draw writes only", TO_FLAG(plot.no_reads) },
	{ "reads-only", 'R', NULL, "draw reads only", TO_FLAG(plot.no_writes) },
	OPTION_XZOOM,
	{ "zoom", 'z', "A:B", "only offsets from A to B MiB (k, M, G, T: others)", BY(take_zoom) },
	{ "rolling-avg", 'r', "TIME", "width of the rolling average (chosen by the span)", TO_TIME(plot.rolling_ns) },
	{ "only-graph", 'O', "PANEL", "this panel only; repeatable: io, members, tput,\nlatency, depth, size, merge, seek, iops, vm, cpu,\nstats", BY(take_only), .word = panel_word },
	{ "no-graph", 'N', "PANEL", "not this panel; repeatable", BY(take_without), .word = panel_word },
	{ "panels", OPT_PANELS, "LIST", "these panels: names with commas, or 'all'", BY(take_only), .word = panel_word },
	OPTION_FIGURE,
	OPTION_DPI,
	{ "columns", 'C', "N", "runs side by side, more go below (4)", TO_SMALL(plot.columns, 1, 64) },
	{ "layout", OPT_LAYOUT, "HOW", "several runs as columns, rows or overlay", TO_WORD(plot.layout, layouts) },
	{ "align", OPT_ALIGN, "HOW", "runs begin together (start) or by the clock (wall)", TO_WORD(plot.align, aligns) },
	{ "clock", OPT_CLOCK, "HOW", "time axis: relative or wall", TO_WORD(plot.clock, clocks) },
	{ "colors", 'c', "LIST", "#rrggbb,... for reads, writes, discards (overlay:\nfor the runs)", BY(take_colors) },
	{ "tag-process", 'P', NULL, "colour the io panel by process", TO_FLAG(plot.by_process) },
	{ "only-io-graph-seeks", 's', NULL, "only I/Os that are seeks in the io panel", TO_FLAG(read.summary.map_seeks) },
	{ "merge", 'M', "NAME", "with -P: processes of this name are one; '*': of any", TO_WORDS(merge) },
	{ "movie", 'm', "STYLE", "a movie (.mp4, .webm, .ogv, .gif): the disks as\n'rect' or 'spindle'", BY(take_movie), .words = styles },
	{ "movie-length", OPT_MOVIE_LENGTH, "TIME", "length of the movie (30s)", TO_TIME(movie_ns) },
	{ "movie-frames", OPT_MOVIE_FRAMES, "N", "its frames a second, 1 to 60 (20)", TO_SMALL(movie.frames_per_s, 1, 60) },
	OPTION_GAP,
	OPTION_SEEK,
	OPTION_STRICT,
	OPTION_JOBS,
	OPTION_NO_PROGRESS,
	OPTION_HELP_ROW,
	{ "version", OPT_VERSION, NULL, "print the version", TO_FLAG(version) },
	OPTION_TABLE_END
};
/* clang-format on */

static bool may_write(const struct plot_request *r)
{
	return check_writable(r->output) &&
		check_spares(
			r->output, r->read.traces.list, r->read.traces.count, r->read.trace.dir);
}

/* A movie shows one run, and needs a finer seek map than a picture. */
static int check_movie(struct plot_request *r)
{
	r->movie.length_s = (double)r->movie_ns * 1e-9;

	const double length = r->movie.length_s > 0 ? r->movie.length_s : 30;
	const double frames = length * (r->movie.frames_per_s > 0 ? r->movie.frames_per_s : 20);

	if (!movie_is_name(r->output))
		return say_usage(NULL, "%s: a movie is .mp4, .webm, .ogv or .gif", r->output);
	if (r->read.traces.count > 1)
		return say_usage(NULL, "a movie shows one run: give one -t");
	r->movie.title = r->plot.title;
	r->movie.no_reads = r->plot.no_reads;
	r->movie.no_writes = r->plot.no_writes;
	/* Encoders want even sides. */
	r->movie.width_px = (unsigned)r->plot.width_px / 2 * 2;
	r->movie.height_px = (unsigned)r->plot.height_px / 2 * 2;
	r->read.summary.map_rows = 2048;
	r->read.summary.map_columns = 1024;
	while (r->read.summary.map_columns < frames && r->read.summary.map_columns < 4096)
		r->read.summary.map_columns *= 2;
	return movie_check() && may_write(r) ? EXIT_DONE : EXIT_FAILED;
}

/* What the options mean together. Everything that can be refused is, before any work. */
static int check(struct plot_request *r)
{
	struct btviz_error err;

	if (r->program && r->read.traces.count == 0)
		r->read.traces.list[r->read.traces.count++] = "trace"; /* as seekwatcher calls it */
	if (r->read.traces.count == 0)
		return say_usage(NULL, "no trace given (-t NAME)");
	if (r->program && r->read.summary.device_count == 0)
		return say_usage(NULL, "-p needs the devices to record (-d DEV)");
	if (r->read.labels.count > r->read.traces.count)
		return say_usage(NULL, "more labels (-l) than traces (-t)");
	if (r->plot.no_reads && r->plot.no_writes)
		return say_usage(NULL, "-R (reads only) and -W (writes only) leave nothing");
	r->plot.start_ns = r->read.summary.start_ns;
	r->plot.end_ns = r->read.summary.end_ns;
	r->plot.panels = (r->only ? r->only : btviz_panels_usual()) & ~r->without;
	if (r->plot.panels == 0)
		return say_usage(NULL, "no panel is left to draw");
	figure_px(&r->figure, &r->plot.width_px, &r->plot.height_px, &r->plot.dpi);
	r->plot.merge_count = r->merge.count;
	r->read.summary.map_owners = r->plot.by_process;
	if (!r->output)
		r->output = r->is_movie ? "trace.mp4" : "trace.png";
	if (r->is_movie || movie_is_name(r->output)) {
		r->is_movie = true;
		return check_movie(r);
	}
	if (strcmp(r->output, "-") == 0) {
		r->kind = BTVIZ_PLOT_PNG;
		return EXIT_DONE;
	}
	if (btviz_plot_kind_of(r->output, &r->kind, &err) != BTVIZ_OK)
		return say_usage(NULL, "%s", err.message);
	return may_write(r) ? EXIT_DONE : EXIT_FAILED;
}

static int read_runs(struct plot_request *r, struct btviz_run *runs, char (*names)[256])
{
	for (size_t i = 0; i < r->read.traces.count; i++) {
		const struct btviz_figures *f;
		struct btviz_error err;
		int code;

		runs[i] = (struct btviz_run)BTVIZ_RUN_INIT;
		for (size_t k = 0; k < i; k++)
			if (strcmp(r->read.traces.list[i], r->read.traces.list[k]) == 0) {
				say("%s is given twice: drawn twice", r->read.traces.list[i]);
				break;
			}
		code = reading_run(&r->read, r->read.traces.list[i], &runs[i].summary, &f);
		if (code != EXIT_DONE)
			return code;
		/* Most traces have no samples beside them; what cannot be read is only said. */
		if (!btviz_summary_samples(runs[i].summary, &err) &&
			err.status != BTVIZ_ERR_NOT_FOUND)
			say_error(&err);
		runs[i].trace = r->read.traces.list[i];
		if (i < r->read.labels.count)
			runs[i].label = r->read.labels.list[i];
		else if (r->read.traces.count > 1 || !f->command)
			runs[i].label = run_name(r->read.traces.list[i], names[i], sizeof names[i]);
	}
	return EXIT_DONE;
}

/* Whether any run has something where -z looks: else there would be nothing but an empty picture.
 */
static bool check_zoom(const struct plot_request *r, const struct btviz_run *runs)
{
	const uint64_t first = r->plot.first_sector, last = r->plot.last_sector;
	const struct btviz_figures *f;
	uint64_t least = UINT64_MAX, most = 0;

	if (first == 0 && last == 0)
		return true;
	for (size_t i = 0; i < r->read.traces.count; i++) {
		if (btviz_summary_figures(runs[i].summary, &f, NULL) != BTVIZ_OK)
			continue;
		for (size_t k = 0; k < f->device_count; k++) {
			const struct btviz_device *const d = f->devices[k];

			if (d->map_first_sector > d->map_last_sector)
				continue;
			least = d->map_first_sector < least ? d->map_first_sector : least;
			most = d->map_last_sector > most ? d->map_last_sector : most;
		}
	}
	if (least > most || (first <= most && (last == 0 || last >= least)))
		return true;
	say("nothing lies where -z looks: offsets go from %.0f to %.0f MiB",
		(double)least * BTVIZ_SECTOR_BYTES / 1048576,
		(double)(most + 1) * BTVIZ_SECTOR_BYTES / 1048576);
	return false;
}

static int draw(const struct plot_request *r, const struct btviz_run *runs)
{
	struct btviz_error err;
	enum btviz_status status;

	if (!check_zoom(r, runs))
		return EXIT_FAILED;
	if (r->is_movie)
		return movie_write(&runs[0], &r->movie, r->output);
	/* A terminal gets what it can show. */
	if (strcmp(r->output, "-") == 0 && isatty(STDOUT_FILENO)) {
		struct btviz_show_options show = BTVIZ_SHOW_OPTIONS_INIT;

		show.columns = terminal_columns(STDOUT_FILENO);
		show.color = terminal_has_color();
		show.ascii = terminal_is_ascii();
		show.no_reads = r->plot.no_reads;
		show.no_writes = r->plot.no_writes;
		return terminal_show(runs, r->read.traces.count, &show);
	}
	if (strcmp(r->output, "-") == 0)
		status = btviz_plot_write_fd(
			runs, r->read.traces.count, &r->plot, r->kind, STDOUT_FILENO, &err);
	else
		status = btviz_plot_write_file(
			runs, r->read.traces.count, &r->plot, r->kind, r->output, &err);
	return status == BTVIZ_OK ? EXIT_DONE : say_error(&err);
}

/* A terminal is told what was written: the name may be one that nobody gave. */
static void say_written(const struct plot_request *r)
{
	if (strcmp(r->output, "-") != 0 && isatty(STDOUT_FILENO))
		printf("%s\n", r->output);
}

/* Records before anything is drawn. *ret_code is the program's exit status. */
static bool record_first(struct plot_request *r, int *ret_code)
{
	const char *const name = r->read.traces.list[0], *const dir = r->read.trace.dir;
	bool recorded;

	snprintf(r->recorded, sizeof r->recorded, "%s%s%s", dir && name[0] != '/' ? dir : "",
		dir && name[0] != '/' ? "/" : "", name);
	*ret_code = recording_run_shell(r->program, r->read.devices.list,
		r->read.summary.device_count, r->recorded, r->replace, &recorded);
	/* What was recorded is drawn, the members too. */
	r->read.summary.device_count = 0;
	return recorded;
}

static int run(struct plot_request *r)
{
	struct btviz_run *runs = calloc(r->read.traces.count, sizeof *runs);
	char(*names)[256] = calloc(r->read.traces.count, sizeof *names);
	int code, program_code = EXIT_DONE;

	if (!runs || !names) {
		say("out of memory");
		code = EXIT_FAILED;
	} else if (r->program && !record_first(r, &program_code)) {
		code = program_code;
	} else {
		code = read_runs(r, runs, names);
		if (code == EXIT_DONE)
			code = draw(r, runs);
		if (code == EXIT_DONE)
			say_written(r);
		if (code == EXIT_DONE)
			code = program_code;
	}
	for (size_t i = 0; runs && i < r->read.traces.count; i++)
		btviz_summary_free(runs[i].summary);
	free(runs);
	free(names);
	return code;
}

/* The command line as one would type it again, for the picture to carry. */
static void keep_command(void *request, int argc, char **argv)
{
	struct plot_request *const r = request;
	size_t n = (size_t)snprintf(r->command, sizeof r->command, "btviz");

	for (int i = 1; i < argc && n < sizeof r->command; i++) {
		const bool plain = argv[i][0] &&
			argv[i][strspn(argv[i],
				"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				"0123456789-_./:,=+@%")] == '\0';

		n += (size_t)snprintf(
			r->command + n, sizeof r->command - n, plain ? " %s" : " '%s'", argv[i]);
	}
	r->plot.command = r->command;
}

static int plot(void *request, int argc, char **argv)
{
	struct plot_request *const r = request;
	int code;

	if (r->version)
		return help_version();
	if (argc > 0)
		return say_usage(NULL,
			"'%s': each trace is given with a -t of its own, a command "
			"comes first",
			argv[0]);
	code = check(r);
	return code == EXIT_DONE ? run(r) : code;
}

static void prepare(void *request)
{
	struct plot_request *const r = request;

	reading_init(&r->read);
	r->plot = (struct btviz_plot_options)BTVIZ_PLOT_OPTIONS_INIT;
	r->movie = (struct btviz_movie_options)BTVIZ_MOVIE_OPTIONS_INIT;
	r->plot.merge_names = r->merge.list;
}

const struct command command_plot = {
	.help = "a picture",
	.usage = "Usage: btviz -t NAME [-t NAME...] [-o FILE] [options]\n"
		 "       btviz COMMAND ...\n\n"
		 "Draws block traces of disks and md arrays: where the I/O landed, how fast it\n"
		 "went, where it stood still.",
	.specs = specs,
	.request_size = sizeof(struct plot_request),
	.prepare = prepare,
	.keep_line = keep_command,
	.run = plot,
};
