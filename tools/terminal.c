/* terminal.c - asks the terminal and the environment what can be shown. Knows no command. */
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"
#include "say.h"

enum { COLUMNS_MIN = 30, COLUMNS_MAX = 400, COLUMNS_USUAL = 80 };

unsigned terminal_columns(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return COLUMNS_USUAL;
	return size.ws_col < COLUMNS_MIN    ? COLUMNS_MIN
		: size.ws_col > COLUMNS_MAX ? COLUMNS_MAX
					    : size.ws_col;
}

bool terminal_has_color(void)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0 &&
		!(no_color && no_color[0]);
}

/* A locale that is set decides; "C" and "POSIX" have no other characters, nor has another code. */
bool terminal_is_ascii(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *locale = NULL;

	for (size_t i = 0; i < sizeof names / sizeof names[0] && !(locale && locale[0]); i++)
		locale = getenv(names[i]);
	if (!locale || !locale[0])
		return false;
	return strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0 ||
		(strchr(locale, '.') && !strcasestr(locale, ".utf-8") &&
			!strcasestr(locale, ".utf8"));
}

int terminal_show(
	const struct btviz_run *runs, size_t count, const struct btviz_show_options *options)
{
	struct btviz_error err;
	char *text;

	if (btviz_show_text(runs, count, options, &text, &err) != BTVIZ_OK)
		return say_error(&err);
	fputs(text, stdout);
	free(text);
	return EXIT_DONE;
}
