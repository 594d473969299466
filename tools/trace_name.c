/* trace_name.c - names of runs, damage in their data, and whether an output can be written. */
#include "trace_name.h"

#include <errno.h>
#include <glob.h>
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

static void add_first_wrong_time(char *out, size_t size, const struct btviz_health *h)
{
	const size_t n = strlen(out);

	if (h->wrong_times > 0 && n < size)
		snprintf(out + n, size - n, " (%snumber %u of %u,%u on CPU %u says %.9f s)",
			h->wrong_times > 1 ? "first: " : "", h->wrong_time_sequence,
			BTVIZ_MAJOR(h->wrong_time_device), BTVIZ_MINOR(h->wrong_time_device),
			h->wrong_time_cpu, (double)h->wrong_time_ns / 1e9);
}

static void add_packing(char *out, size_t size, uint32_t packing)
{
	static const struct {
		uint32_t bit;
		const char *text;
	} faults[] = {
		{ BTVIZ_PACKING_NO_END, "the archive has no end mark, members may be missing" },
		{ BTVIZ_PACKING_HEADER, "a header in the archive is damaged, members are missing" },
		{ BTVIZ_PACKING_BEHIND, "bytes that are not packed stand behind packed data" },
		{ BTVIZ_PACKING_WARNING, "the unpacker warned of something in the archive" },
	};

	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		const size_t n = strlen(out);

		if ((packing & faults[i].bit) && n < size)
			snprintf(out + n, size - n, "%s%s", n ? ", " : "", faults[i].text);
	}
}

bool say_health(const char *name, const struct btviz_figures *f)
{
	return say_trace_health(name, f->health, f->suspected_loss);
}

bool say_trace_health(const char *name, const struct btviz_health *h, uint64_t suspected_loss)
{
	char text[1024] = "";

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
	add(text, sizeof text, h->wrong_times, "record whose time is wrong, set aside",
		"records whose times are wrong, set aside");
	add_first_wrong_time(text, sizeof text, h);
	add_packing(text, sizeof text, h->packing);
	if (text[0] == '\0')
		return false;
	say("%s: %s", name, text);
	return true;
}

int say_unread(const char *name, const char *dir, const struct btviz_error *err)
{
	const int code = say_error(err);
	const bool relative = dir && name[0] != '/';
	char pattern[4096], names[300] = "";
	size_t n = 0;
	glob_t found;

	if (err->status != BTVIZ_ERR_NOT_FOUND || !strpbrk(name, "*?["))
		return code;
	snprintf(pattern, sizeof pattern, "%s%s%s", relative ? dir : "", relative ? "/" : "", name);
	if (glob(pattern, 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc && n < sizeof names; i++)
			n += (size_t)snprintf(
				names + n, sizeof names - n, " %s", found.gl_pathv[i]);
		say("quotes keep the shell from expanding %s, which stands for%s%s: -t A -t B reads each "
		    "as a run, -t A,B both as one",
			name, names, n < sizeof names ? "" : "...");
		globfree(&found);
	} else {
		say("no file fits the pattern %s", name);
	}
	return code;
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

/* Whether the file of that name is st's. */
static bool is_file(const char *dir, const char *name, size_t size, const struct stat *st)
{
	const bool relative = dir && size > 0 && name[0] != '/';
	char path[4096];
	struct stat other;
	const int n = snprintf(path, sizeof path, "%s%s%.*s", relative ? dir : "",
		relative ? "/" : "", (int)size, name);

	return n > 0 && (size_t)n < sizeof path && stat(path, &other) == 0 &&
		other.st_dev == st->st_dev && other.st_ino == st->st_ino;
}

static bool is_block_trace(const char *path)
{
	static const unsigned char magic[4] = { 7, 't', 'a', 'e' },
				   magic_8[4] = { 8, 't', 'a', 'e' };
	unsigned char begin[4], turned[4];
	FILE *const file = fopen(path, "rbe");
	const bool read = file && fread(begin, 1, sizeof begin, file) == sizeof begin;

	if (file)
		fclose(file);
	for (size_t i = 0; read && i < sizeof begin; i++)
		turned[i] = begin[3 - i];
	return read &&
		(memcmp(begin, magic, 4) == 0 || memcmp(begin, magic_8, 4) == 0 ||
			memcmp(turned, magic, 4) == 0 || memcmp(turned, magic_8, 4) == 0);
}

bool check_spares(const char *output, const char *const *inputs, size_t count, const char *dir)
{
	struct stat st;
	bool spared = true;

	if (!output || strcmp(output, "-") == 0 || stat(output, &st) != 0 || !S_ISREG(st.st_mode))
		return true;
	for (size_t i = 0; spared && i < count; i++)
		for (const char *name = inputs[i]; spared; name++) {
			const size_t size = strcspn(name, ",");

			spared = !is_file(dir, name, size, &st);
			name += size;
			if (*name == '\0')
				break;
		}
	for (size_t i = 0; spared && i < count; i++) /* a comma may be the name's own */
		spared = !is_file(dir, inputs[i], strlen(inputs[i]), &st);
	if (spared && !is_block_trace(output))
		return true;
	say("%s is %s: it is not written over; choose another name", output,
		spared ? "a block trace" : "what is read here");
	return false;
}
