/* options.c - parsing of options into a command's request, and the printing of help, both from the
 * command's one table. Knows no command. */
#include "options.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "nearest.h"
#include "say.h"

enum { HELP_COLUMN = 26 };

void options_init(struct option_parser *p, const char *command, const struct option_spec *specs,
	int argc, char **argv)
{
	size_t count = 0, letter = 0;

	while (specs[count].name)
		count++;
	assert(count <= OPTION_MAX);

	struct option *o = calloc(count + 1, sizeof *o);

	if (!o) {
		say("out of memory");
		exit(EXIT_FAILED);
	}
	*p = (struct option_parser){
		.command = command, .specs = specs, .argc = argc, .argv = argv, .long_options = o
	};
	p->letters[letter++] = ':'; /* a missing argument is told from an unknown option */
	for (size_t i = 0; i < count; i++) {
		const int has_arg = specs[i].arg ? required_argument : no_argument;

		o[i] = (struct option){ specs[i].name, has_arg, NULL, specs[i].id };
		if (specs[i].id < 256) {
			p->letters[letter++] = (char)specs[i].id;
			if (specs[i].arg)
				p->letters[letter++] = ':';
		}
	}
	optind = 0; /* glibc: begin anew */
	opterr = 0;
}

void options_stop_at_operand(struct option_parser *p)
{
	memmove(p->letters + 1, p->letters, strlen(p->letters) + 1);
	p->letters[0] = '+';
}

void options_done(struct option_parser *p)
{
	free(p->long_options);
	p->long_options = NULL;
}

static const struct option_spec *spec_of(const struct option_parser *p, int id)
{
	for (const struct option_spec *s = p->specs; s->name; s++)
		if (s->id == id)
			return s;
	return NULL;
}

static const char *spelling(const struct option_parser *p, int id, char *buffer, size_t size)
{
	const struct option_spec *s = spec_of(p, id);

	if (s && s->id < 256)
		snprintf(buffer, size, "-%c (--%s)", s->id, s->name);
	else if (s)
		snprintf(buffer, size, "--%s", s->name);
	else
		snprintf(buffer, size, "-%c", id);
	return buffer;
}

const char *option_spelling(const struct option_parser *p, char *buffer, size_t size)
{
	return spelling(p, p->id, buffer, size);
}

const char *option_word(const struct option_spec *s, int i)
{
	return s->word ? s->word(i) : s->words ? s->words[i] : NULL;
}

static const char *long_name(const void *list, int i)
{
	const struct option_spec *const s = (const struct option_spec *)list + i;

	return s->kind == OPTION_GONE ? "" : s->name;
}

static void refuse(const struct option_parser *p, const char *word)
{
	char name[64];
	const char *near;

	snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
	near = option_taking(p->specs, name + strspn(name, "-"));
	if (near) {
		say_usage(p->command, "no option %s: did you mean --%s %s?", name, near,
			name + strspn(name, "-"));
		return;
	}
	near = nearest_word(name + strspn(name, "-"), long_name, p->specs);
	if (near)
		say_usage(p->command, "no option %s: did you mean --%s?", name, near);
	else
		say_usage(p->command, "no option %s, or more than one begins like that", word);
}

int options_next(struct option_parser *p)
{
	char name[64];
	const int id = getopt_long(p->argc, p->argv, p->letters, p->long_options, NULL);

	p->value = optarg;
	p->id = id;
	if (id == -1)
		return OPT_END;
	if (id == ':') {
		const struct option_spec *s = spec_of(p, optopt);

		say_usage(p->command, "%s needs an argument: %s",
			spelling(p, optopt, name, sizeof name), s && s->arg ? s->arg : "VALUE");
		return OPT_WRONG;
	}
	if (id == '?') {
		if (optopt != 0 && spec_of(p, optopt))
			say_usage(p->command, "%s takes no argument",
				spelling(p, optopt, name, sizeof name));
		else if (optopt != 0)
			say_usage(p->command, "no option -%c", optopt);
		else
			refuse(p, p->argv[optind - 1]);
		return OPT_WRONG;
	}
	return id;
}

int options_rest(const struct option_parser *p)
{
	(void)p;
	return optind;
}

/* Puts one option where its row says. */
static bool take(const struct option_parser *p, const struct option_spec *s, void *request)
{
	void *const field = (char *)request + s->field;
	struct size_value *const size = field;
	uint64_t n = 0;
	int word = 0;

	switch (s->kind) {
	case OPTION_FLAG:
		*(bool *)field = true;
		return true;
	case OPTION_TEXT:
		*(const char **)field = p->value;
		return true;
	case OPTION_WORDS:
		return words_add(p, field);
	case OPTION_TIME:
		return value_duration(p, field);
	case OPTION_COUNT:
		return value_count(p, s->min, s->max, field);
	case OPTION_SMALL:
		if (!value_count(p, s->min, s->max, &n))
			return false;
		*(unsigned *)field = (unsigned)n;
		return true;
	case OPTION_SIZE:
		return value_size(p, (double)s->min, (double)s->max, &size->w, &size->h);
	case OPTION_WORD:
		if (!value_word(p, &word))
			return false;
		memcpy(field, &word, sizeof word); /* enumerations are as large as an int */
		return true;
	case OPTION_CALL:
		return s->take(p, request);
	case OPTION_GONE:
		say_usage(p->command, "%s: %s", p->argv[optind - 1], s->help);
		return false;
	}
	return false;
}

int options_take(struct option_parser *p, void *request)
{
	int id;

	while ((id = options_next(p)) >= 0 && id != OPT_HELP)
		if (!take(p, spec_of(p, id), request))
			return OPT_WRONG;
	return id;
}

void options_print(const struct option_spec *specs)
{
	for (const struct option_spec *s = specs; s->name; s++) {
		char left[64];
		int n;

		if (s->kind == OPTION_GONE)
			continue;
		if (s->id < 256)
			n = snprintf(left, sizeof left, "  -%c, --%s", s->id, s->name);
		else
			n = snprintf(left, sizeof left, "      --%s", s->name);
		if (s->arg)
			n += snprintf(left + n, sizeof left - (size_t)n, " %s", s->arg);
		fputs(left, stdout);
		if (n >= HELP_COLUMN - 1) {
			putchar('\n');
			n = 0;
		}
		printf("%*s", HELP_COLUMN - n, "");
		for (const char *c = s->help; *c; c++) {
			putchar(*c);
			if (*c == '\n')
				printf("%*s", HELP_COLUMN, "");
		}
		putchar('\n');
	}
}
