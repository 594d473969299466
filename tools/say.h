/* say.h - messages on standard error, all in the same form: "btviz: what, where, what to do". */
#ifndef BTVIZ_TOOLS_SAY_H
#define BTVIZ_TOOLS_SAY_H

#include <btviz/status.h>

#if defined(__GNUC__)
#define SAY_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define SAY_PRINTF(f, a)
#endif

/* "btviz: ..." and a newline. */
void say(const char *format, ...) SAY_PRINTF(1, 2);

/* The message of a usage error, with a pointer to the help of the command (NULL: the plain one).
 * Returns EXIT_USAGE. */
int say_usage(const char *command, const char *format, ...) SAY_PRINTF(2, 3);

/* What the library said of a failure. Returns the exit code that fits it: EXIT_USAGE for
 * BTVIZ_ERR_USAGE, else EXIT_FAILED. */
int say_error(const struct btviz_error *err);

#endif
