/* main.c - the btviz program: finds the command and runs it. A first argument that is a word in the
 * table is a command; anything else is the plain drawing command. Links the shared library only. */
#include <stdio.h>
#include <string.h>

#include <btviz/btviz.h>

#include "command.h"

static const struct command commands[] = {
	{ "show", cmd_show, "a quick look in the terminal" },
	{ "report", cmd_report, "the numbers: text, JSON or CSV" },
	{ "compare", cmd_compare, "groups of runs against one another, with a verdict" },
	{ "events", cmd_events, "one line an event, like blkparse; CSV and JSON, too" },
	{ "record", cmd_record, "record a trace while a program runs" },
	{ NULL, NULL, NULL },
};

void print_commands(void)
{
	if (!commands[0].name)
		return;
	puts("\nCommands (btviz COMMAND --help tells more):");
	for (const struct command *c = commands; c->name; c++)
		printf("  %-10s %s\n", c->name, c->help);
}

/* Results on standard output that could not be written (disk full) must not look like success. */
static int finish(int code)
{
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fputs("btviz: cannot write to standard output\n", stderr);
		return code == EXIT_DONE ? EXIT_FAILED : code;
	}
	return code;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		for (const struct command *c = commands; c->name; c++)
			if (strcmp(argv[1], c->name) == 0)
				return finish(c->run(argc - 1, argv + 1));
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		printf("btviz %s\n", btviz_version());
		return finish(EXIT_DONE);
	}
	return finish(cmd_plot(argc, argv));
}
