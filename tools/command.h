/* command.h - the commands of the program. A command prints results on standard output and messages
 * on standard error. To add one: its cmd_x.c with its struct command, a line here, a line in
 * command.c's table, its man page. */
#ifndef BTVIZ_TOOLS_COMMAND_H
#define BTVIZ_TOOLS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct command {
	const char *name;  /* NULL: the plain drawing command */
	const char *help;  /* one line for btviz --help */
	const char *usage; /* what its own --help prints above the options */
	const struct option_spec *specs;
	size_t request_size;            /* of its request, which is zeroed */
	void (*prepare)(void *request); /* sets what is not 0 by default; may be NULL */
	/* Takes the whole command line, before the options are moved about; may be NULL. */
	void (*keep_line)(void *request, int argc, char **argv);
	int (*run)(void *request, int argc, char **argv); /* with the operands; an exit code */
	/* The exit code where nothing was run: help was printed, or the usage was wrong; may be
	 * NULL. */
	int (*refuse)(const void *request, bool help);
	bool takes_program; /* the first operand ends the options */
};

extern const struct command command_plot, command_show, command_report, command_compare,
	command_events, command_ios, command_record;

/* Takes the options, answers --help, and runs. argv[0] is the command's name. An exit code. */
int command_run(const struct command *c, int argc, char **argv);

/* NULL: there is none of that name. */
const struct command *command_find(const char *name);

/* The plain drawing command, then the others; ends with NULL. */
extern const struct command *const commands[];

#endif
