/* say.c - messages on standard error, printable. Knows nothing of what they are about. */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <btviz/text.h>

#include "command.h"

static void SAY_PRINTF(1, 0) say_list(const char *format, va_list ap)
{
	char text[4096], printable[sizeof text];

	/* Names of files and what options hold may mean harm to the terminal, too. */
	vsnprintf(text, sizeof text, format, ap);
	btviz_text_printable(text, strlen(text), printable, sizeof printable);
	fflush(stdout);
	fprintf(stderr, "btviz: %s\n", printable);
}

void say(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say_list(format, ap);
	va_end(ap);
}

int say_usage(const char *command, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say_list(format, ap);
	va_end(ap);
	fprintf(stderr, "Try 'btviz %s%s--help'.\n", command ? command : "", command ? " " : "");
	return EXIT_USAGE;
}

int say_error(const struct btviz_error *err)
{
	/* Most messages name their stream themselves. */
	if (err->stream[0] == '\0' || strstr(err->message, err->stream))
		say("%s", err->message);
	else if (err->offset != 0)
		say("%s, byte %llu: %s", err->stream, (unsigned long long)err->offset,
			err->message);
	else
		say("%s: %s", err->stream, err->message);
	return err->status == BTVIZ_ERR_USAGE ? EXIT_USAGE : EXIT_FAILED;
}
