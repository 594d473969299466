/* cmd_plot.c - the plain drawing command: traces in, a picture out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/btviz.h>

#include "command.h"
#include "options.h"
#include "say.h"

enum {
	OPT_DPI = OPT_OWN,
	OPT_CLOCK,
	OPT_PANELS,
	OPT_LAYOUT,
	OPT_ALIGN,
	OPT_VERSION,
};

/* clang-format off */
static const struct option_spec specs[] = {
	OPTION_TRACE,
	{ "output", 'o', "FILE", "the picture: .png, .svg or .pdf; '-' is standard\noutput (trace.png)" },
	OPTION_DIR,
	OPTION_DEVICE,
	{ "label", 'l', "TEXT", "label of the -t in the same place; repeatable" },
	{ "title", 'T', "TEXT", "title above the picture" },
	{ "writes-only", 'W', NULL, "draw writes only" },
	{ "reads-only", 'R', NULL, "draw reads only" },
	OPTION_XZOOM,
	{ "zoom", 'z', "A:B", "only offsets from A to B MiB (k, M, G, T: others)" },
	{ "rolling-avg", 'r', "TIME", "width of the rolling average (chosen by the span)" },
	{ "only-graph", 'O', "PANEL", "this panel only; repeatable: io, members, tput,\nlatency, seek, iops, depth, size, stats" },
	{ "no-graph", 'N', "PANEL", "not this panel; repeatable" },
	{ "panels", OPT_PANELS, "LIST", "these panels: names with commas, or 'all'" },
	{ "figure-size", 'F', "WxH", "size in inches, or in pixels if above 100" },
	{ "dpi", OPT_DPI, "N", "pixels an inch, scales the text too (96)" },
	{ "columns", 'C', "N", "runs side by side, more go below (4)" },
	{ "layout", OPT_LAYOUT, "HOW", "several runs as columns, rows or overlay" },
	{ "align", OPT_ALIGN, "HOW", "runs begin together (start) or by the clock (wall)" },
	{ "clock", OPT_CLOCK, "HOW", "time axis: relative or wall" },
	{ "colors", 'c', "LIST", "#rrggbb,... for reads, writes, discards (overlay:\nfor the runs)" },
	{ "tag-process", 'P', NULL, "colour the io panel by process" },
	{ "merge", 'M', "NAME", "with -P: processes of this name are one; '*': of any" },
	OPTION_GAP,
	OPTION_SEEK,
	OPTION_STRICT,
	OPTION_JOBS,
	OPTION_NO_PROGRESS,
	OPTION_HELP,
	{ "version", OPT_VERSION, NULL, "print the version" },
	OPTION_TABLE_END
};
/* clang-format on */

static void print_help(void)
{
	puts("Usage: btviz -t NAME [-t NAME...] [-o FILE] [options]\n"
	     "       btviz COMMAND ...\n\n"
	     "Draws block traces of disks and md arrays: where the I/O landed, how fast it\n"
	     "went, where it stood still.\n\nOptions:");
	options_print(specs);
	print_commands();
}

int cmd_plot(int argc, char **argv)
{
	struct option_parser p;
	int id, code = EXIT_DONE;

	if (argc == 1)
		return say_usage(NULL, "no trace given (-t NAME)");
	options_init(&p, NULL, specs, argc, argv);
	while ((id = options_next(&p)) >= 0)
		if (id == OPT_HELP) {
			print_help();
			break;
		}
	if (id == OPT_WRONG)
		code = EXIT_USAGE;
	else if (id == OPT_END)
		say("drawing is not built yet");
	options_done(&p);
	return code;
}
