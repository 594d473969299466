/* help.c - the help of commands, tables of all options, and guesses at what was meant. Everything
 * comes from the tables that are parsed. */
#include "help.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <btviz/btviz.h>

#include "nearest.h"
#include "say.h"
#include "tabular.h"

enum { OPTIONS_MAX = 256 };

void help_print(const struct command *c)
{
	printf("%s\n\nOptions:\n", c->usage);
	options_print(c->specs);
	if (c->name)
		return;
	puts("\nCommands (btviz help COMMAND tells more, btviz help options lists all options):");
	for (int i = 0; commands[i]; i++)
		if (commands[i]->name)
			printf("  %-10s %s\n", commands[i]->name, commands[i]->help);
}

/* ---- guesses --------------------------------------------------------------------------------- */

static const char *command_name(const void *list, int i)
{
	(void)list;
	return commands[i] ? (commands[i]->name ? commands[i]->name : "help") : NULL;
}

int help_no_command(const char *word)
{
	const char *const near = nearest_word(word, command_name, NULL);
	char file[300];

	snprintf(file, sizeof file, "%s.blktrace.0", word);
	if (access(word, F_OK) == 0 || access(file, F_OK) == 0)
		return say_usage(NULL,
			"'%s' is no command: to draw it, btviz -t %s; for a look, "
			"btviz show -t %s",
			word, word, word);
	if (near)
		return say_usage(NULL, "'%s' is no command: did you mean btviz %s?", word, near);
	return say_usage(NULL, "'%s' is neither an option nor a command", word);
}

/* ---- tables of options ----------------------------------------------------------------------- */

static const struct option_spec *spec_named(const struct command *c, const char *name)
{
	for (const struct option_spec *s = c->specs; s->name; s++)
		if (s->kind != OPTION_GONE && strcmp(s->name, name) == 0)
			return s;
	return NULL;
}

/* All options in the order in which the commands have them; each once. */
static size_t all_options(const struct option_spec **list)
{
	size_t count = 0;

	for (int i = 0; commands[i]; i++)
		for (const struct option_spec *s = commands[i]->specs; s->name; s++) {
			size_t k = 0;

			while (k < count && strcmp(list[k]->name, s->name) != 0)
				k++;
			if (k == count && s->kind != OPTION_GONE && count < OPTIONS_MAX)
				list[count++] = s;
		}
	return count;
}

/* A row an option, a column a command, the option's letter there or an x where it has it. */
static int print_matrix(void)
{
	const struct option_spec *list[OPTIONS_MAX];
	const size_t count = all_options(list);
	size_t columns = 1;

	while (commands[columns - 1])
		columns++;

	struct tabular t = tabular_new(count + 1, columns);
	if (!t.cells) {
		say("out of memory");
		return EXIT_FAILED;
	}
	for (size_t i = 1; i < columns; i++)
		snprintf(tabular_cell(&t, 0, i), TABULAR_CELL_BYTES, "%s",
			commands[i - 1]->name ? commands[i - 1]->name : "btviz");
	for (size_t k = 0; k < count; k++) {
		snprintf(tabular_cell(&t, k + 1, 0), TABULAR_CELL_BYTES, "--%s", list[k]->name);
		for (size_t i = 1; i < columns; i++) {
			const struct option_spec *const s =
				spec_named(commands[i - 1], list[k]->name);

			if (s)
				snprintf(tabular_cell(&t, k + 1, i), TABULAR_CELL_BYTES,
					s->id < 256 ? "-%c" : "x", s->id);
		}
	}
	tabular_print(&t, stdout, 200, 0);
	tabular_free(&t);
	return EXIT_DONE;
}

/* For what makes completions of it: commands, then options, their fields between tabs. */
static void print_rows(void)
{
	for (int i = 0; commands[i]; i++)
		printf("command\t%s\t%s\n", commands[i]->name ? commands[i]->name : "",
			commands[i]->help);
	for (int i = 0; commands[i]; i++)
		for (const struct option_spec *s = commands[i]->specs; s->name; s++) {
			const char *word;

			if (s->kind == OPTION_GONE)
				continue;
			printf("option\t%s\t%s\t%.1s\t%s\t",
				commands[i]->name ? commands[i]->name : "", s->name,
				s->id < 256 ? (const char[]){ (char)s->id, '\0' } : "",
				s->arg ? s->arg : "");
			for (int k = 0; (word = option_word(s, k)); k++)
				printf("%s%s", k > 0 ? " " : "", word);
			putchar('\t');
			for (const char *c = s->help; *c; c++)
				putchar(*c == '\n' ? ' ' : *c);
			putchar('\n');
		}
}

int help_version(void)
{
	printf("btviz %s\n", btviz_version());
	return EXIT_DONE;
}

int help_run(int argc, char **argv)
{
	const struct command *c;

	if (argc == 0 || strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
		help_print(&command_plot);
		return EXIT_DONE;
	}
	if (strcmp(argv[0], "options") == 0)
		return print_matrix();
	if (strcmp(argv[0], "--rows") == 0) {
		print_rows();
		return EXIT_DONE;
	}
	c = command_find(argv[0]);
	if (!c)
		return help_no_command(argv[0]);
	help_print(c);
	return EXIT_DONE;
}
