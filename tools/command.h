/* command.h - the commands of the program. To add one: its cmd_x.c, a line here, a line in main.c's
 * table, its man page. A command gets its own arguments with argv[0] as its name ("report"), prints
 * results on standard output and messages on standard error, and returns the exit code. */
#ifndef BTVIZ_TOOLS_COMMAND_H
#define BTVIZ_TOOLS_COMMAND_H

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help; /* one line for btviz --help */
};

int cmd_compare(int argc, char **argv);
int cmd_events(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_report(int argc, char **argv);

/* Prints the list of commands: the end of btviz --help. */
void print_commands(void);

#endif
