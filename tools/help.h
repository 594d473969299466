/* help.h - what is said to those who look for a command or an option. */
#ifndef BTVIZ_TOOLS_HELP_H
#define BTVIZ_TOOLS_HELP_H

#include "command.h"

/* What --help prints. */
void help_print(const struct command *c);

/* Prints the version. EXIT_DONE. */
int help_version(void);

/* The words after `btviz help`. An exit code. */
int help_run(int argc, char **argv);

/* Says why a first word is no command, and what is likely meant. Returns EXIT_USAGE. */
int help_no_command(const char *word);

#endif
