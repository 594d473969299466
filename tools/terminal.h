/* terminal.h - what standard output can show, and runs shown there. */
#ifndef BTVIZ_TOOLS_TERMINAL_H
#define BTVIZ_TOOLS_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/show.h>

/* Columns of the terminal at standard output, within what can be shown; 80 where it is none. */
unsigned terminal_columns(int fd);

/* Whether it wants colours: it is a terminal, no dumb one, and NO_COLOR is not set. */
bool terminal_has_color(void);

/* Whether the locale that is set has no characters but ASCII's (C, POSIX) or none of Unicode. */
bool terminal_is_ascii(void);

/* Prints the runs. An exit code. */
int terminal_show(
	const struct btviz_run *runs, size_t count, const struct btviz_show_options *options);

#endif
