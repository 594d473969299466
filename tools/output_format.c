/* output_format.c - names of files and the forms that they promise. Writes nothing. */
#include "output_format.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "say.h"

/* What a suffix holds; JSON and JSON lines are each an object, so that one does for the other. */
static const struct suffix {
	const char *suffix, *format, *also;
} suffixes[] = {
	{ ".json", "json", "jsonl" }, { ".jsonl", "jsonl", "json" }, { ".ndjson", "jsonl", "json" },
	{ ".csv", "csv", NULL }, { ".db", "sqlite", NULL }, { ".sqlite", "sqlite", NULL },
	{ ".md", "markdown", NULL },
	{ ".txt", "text", NULL }, /* any of the others is text as well */
};

static const struct suffix *suffix_of(const char *path)
{
	const char *const dot = path ? strrchr(path, '.') : NULL;

	for (size_t i = 0; dot && i < sizeof suffixes / sizeof suffixes[0]; i++)
		if (strcasecmp(dot, suffixes[i].suffix) == 0)
			return &suffixes[i];
	return NULL;
}

bool output_is_text(const char *path)
{
	return suffix_of(path) != NULL;
}

static int index_of(const char *const *formats, const char *name)
{
	for (int i = 0; name && formats[i]; i++)
		if (strcmp(formats[i], name) == 0)
			return i;
	return FORMAT_UNTOLD;
}

bool output_format(const char *command, const char *path, const char *const *formats, int *format)
{
	const struct suffix *const s = suffix_of(path);

	if (!s) {
		*format = *format == FORMAT_UNTOLD ? 0 : *format;
		return true;
	}
	if (*format == FORMAT_UNTOLD) {
		*format = index_of(formats, s->format);
		if (*format != FORMAT_UNTOLD)
			return true;
		say_usage(command, "%s: btviz %s writes no %s", path, command, s->format);
		return false;
	}
	if (strcmp(s->format, "text") == 0 || strcmp(formats[*format], s->format) == 0 ||
		(s->also && strcmp(formats[*format], s->also) == 0))
		return true;
	say_usage(command,
		"%s would hold %s, as --format says: choose another name, or leave --format out",
		path, formats[*format]);
	return false;
}
