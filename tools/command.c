/* command.c - which commands there are, and what all of them do alike. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

static const struct command *const commands[] = { &command_show, &command_report, &command_compare,
	&command_events, &command_record };

enum { COMMANDS = sizeof commands / sizeof commands[0] };

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(name, commands[i]->name) == 0)
			return commands[i];
	return NULL;
}

void commands_print(void)
{
	puts("\nCommands (btviz COMMAND --help tells more):");
	for (size_t i = 0; i < COMMANDS; i++)
		printf("  %-10s %s\n", commands[i]->name, commands[i]->help);
}

static void print_help(const struct command *c)
{
	printf("%s\n\nOptions:\n", c->usage);
	options_print(c->specs);
	if (!c->name)
		commands_print();
}

int command_run(const struct command *c, int argc, char **argv)
{
	void *const request = calloc(1, c->request_size);
	struct option_parser p;
	int code, id;

	if (!request) {
		say("out of memory");
		return EXIT_FAILED;
	}
	if (c->prepare)
		c->prepare(request);
	if (c->keep_line)
		c->keep_line(request, argc, argv);
	options_init(&p, c->name, c->specs, argc, argv);
	if (c->takes_program)
		options_stop_at_operand(&p);
	id = options_take(&p, request);
	if (id == OPT_HELP)
		print_help(c);
	if (id == OPT_END)
		code = c->run(request, argc - options_rest(&p), argv + options_rest(&p));
	else if (c->refuse)
		code = c->refuse(request, id == OPT_HELP);
	else
		code = id == OPT_HELP ? EXIT_DONE : EXIT_USAGE;
	options_done(&p);
	free(request);
	return code;
}
