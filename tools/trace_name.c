/* trace_name.c - names of runs, damage in their data, and whether an output can be written. */
#include "trace_name.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

const char *run_name(const char *name, char *out, size_t size)
{
	size_t end = strlen(name), start;

	if (strcmp(name, "-") == 0) {
		snprintf(out, size, "standard input");
		return out;
	}
	while (end > 1 && name[end - 1] == '/')
		end--;
	/* Several joined with commas have no one name to shorten to. */
	for (start = strchr(name, ',') ? 0 : end; start > 0 && name[start - 1] != '/'; start--)
		;
	snprintf(out, size, "%.*s", (int)(end - start), name + start);
	return out;
}

static void add(char *out, size_t size, unsigned long long count, const char *one, const char *many)
{
	const size_t n = strlen(out);

	if (count > 0 && n < size)
		snprintf(out + n, size - n, "%s%llu %s", n ? ", " : "", count,
			count == 1 ? one : many);
}

bool say_health(const char *name, const struct btviz_figures *f)
{
	return say_trace_health(name, f->health, f->suspected_loss);
}

bool say_trace_health(const char *name, const struct btviz_health *h, uint64_t suspected_loss)
{
	char text[512] = "";

	add(text, sizeof text, h->lost_events, "event lost", "events lost");
	add(text, sizeof text, suspected_loss, "I/O that does not pair (loss suspected)",
		"I/Os that do not pair (loss suspected)");
	add(text, sizeof text, h->torn_tails, "stream torn at its end",
		"streams torn at their ends");
	add(text, sizeof text, h->bad_bytes, "byte that is no record", "bytes that are no records");
	add(text, sizeof text, h->unknown_actions, "event of unknown kind",
		"events of unknown kind");
	add(text, sizeof text, h->odd_fields, "record with an absurd field",
		"records with an absurd field");
	add(text, sizeof text, h->late_events, "event out of order", "events out of order");
	add(text, sizeof text, h->repeated_events, "event that was there twice",
		"events that were there twice");
	add(text, sizeof text, h->left_out_events, "event of more devices than are kept",
		"events of more devices than are kept");
	if (text[0] == '\0')
		return false;
	say("%s: %s", name, text);
	return true;
}

bool check_writable(const char *path)
{
	const char *slash = strrchr(path, '/');
	char dir[4096];
	struct stat st;
	int e = 0;

	snprintf(dir, sizeof dir, "%.*s", slash ? (int)(slash == path ? 1 : slash - path) : 1,
		slash ? path : ".");
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		e = EISDIR;
	else if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		e = access(path, W_OK) == 0 ? 0 : errno;
	else if (access(dir, W_OK | X_OK) != 0)
		e = errno;
	if (e != 0)
		say("cannot write %s: %s", path, strerror(e));
	return e == 0;
}
