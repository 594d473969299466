/* command.c - which commands there are, and what all of them do alike. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

#include "help.h"
#include "say.h"

const struct command *const commands[] = { &command_plot, &command_show, &command_report,
	&command_compare, &command_events, &command_ios, &command_record, NULL };

const struct command *command_find(const char *name)
{
	for (int i = 0; commands[i]; i++)
		if (commands[i]->name && strcmp(name, commands[i]->name) == 0)
			return commands[i];
	return NULL;
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
		help_print(c);
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
