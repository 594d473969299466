/* main.c - the btviz program: finds the command and runs it. A first argument that names a
 * command is one; anything else is the plain drawing command. Links the shared library only. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "help.h"
#include "say.h"

/* Results on standard output that could not be written (disk full) must not look like success. */
static int finish(int code)
{
	if (fflush(stdout) != 0 || ferror(stdout)) {
		say("cannot write to standard output: %s", strerror(errno));
		return code == EXIT_DONE ? EXIT_FAILED : code;
	}
	return code;
}

int main(int argc, char **argv)
{
	const struct command *const c = argc > 1 ? command_find(argv[1]) : NULL;

	if (argc > 1 && strcmp(argv[1], "help") == 0)
		return finish(help_run(argc - 2, argv + 2));
	if (c)
		return finish(command_run(c, argc - 1, argv + 1));
	if (argc == 2 && strcmp(argv[1], "version") == 0)
		return finish(help_version());
	if (argc > 1 && argv[1][0] != '-')
		return finish(help_no_command(argv[1]));
	return finish(command_run(&command_plot, argc, argv));
}
