/* locate.c - which file beside a trace belongs to it. A trace is named in several ways (the run,
 * one of its devices, one of its streams, a directory); the recorder's files carry the run's name
 * only. */
#include "beside/locate.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <btviz/metadata.h>

#include "base/status.h"
#include "beside/metadata.h"

static char *join(const char *dir, const char *word, size_t word_size, const char *suffix)
{
	const bool plain = !dir || word[0] == '/';
	char *path = NULL;

	if (asprintf(&path, "%s%s%.*s%s", plain ? "" : dir, plain ? "" : "/", (int)word_size, word,
		    suffix) < 0)
		return NULL;
	return path;
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The length of a word without ".blktrace" or ".blktrace.N" behind it. */
static size_t without_stream(const char *word, size_t size)
{
	static const char mark[] = ".blktrace";
	const size_t len = sizeof mark - 1;

	for (size_t at = size; at-- > 0;) {
		size_t i = at + len;

		if (word[at] != '.' || size - at < len || memcmp(word + at, mark, len) != 0)
			continue;
		if (i < size && word[i] == '.')
			for (i++; i < size && word[i] >= '0' && word[i] <= '9'; i++)
				;
		return i == size ? at : size;
	}
	return size;
}

/* Whether `part` (the last component of a base) is a device of the run whose metadata is at path.
 */
static bool is_device_of(const char *path, const char *part, size_t part_size)
{
	struct btviz_metadata *m;
	bool found = false;

	if (btvi_metadata_load(path, &m, NULL) != BTVIZ_OK)
		return false;
	for (size_t i = 0; i < btviz_metadata_device_count(m) && !found; i++) {
		const char *name = btviz_metadata_device(m, i)->name;

		found = strlen(name) == part_size;
		for (size_t c = 0; found && c < part_size; c++)
			found = (name[c] == '/' ? '_' : name[c]) == part[c];
	}
	btviz_metadata_close(m);
	return found;
}

/* The run's base in a directory that holds one run: the only NAME.btviz.json there. */
static char *base_in_directory(const char *path)
{
	static const char suffix[] = ".btviz.json";
	DIR *d = opendir(path);
	char *base = NULL;
	int found = 0;

	if (!d)
		return NULL;
	for (const struct dirent *e; found < 2 && (e = readdir(d));) {
		const size_t n = strlen(e->d_name);

		if (n <= sizeof suffix - 1 ||
			strcmp(e->d_name + n - (sizeof suffix - 1), suffix) != 0)
			continue;
		if (found++ == 0)
			base = join(path, e->d_name, n - (sizeof suffix - 1), "");
	}
	closedir(d);
	if (found != 1) {
		free(base);
		return NULL;
	}
	return base;
}

/* Tries one word. *ret_path stays NULL where there is none. */
static enum btviz_status try_word(const char *dir, const char *word, size_t size,
	const char *suffix, char **ret_path, struct btviz_error *err)
{
	const size_t base = without_stream(word, size);
	size_t dot = base;
	char *path = join(dir, word, size, ""), *in_dir;

	if (!path)
		return btvi_fail_nomem(err);
	in_dir = base_in_directory(path);
	free(path);
	path = in_dir ? join(NULL, in_dir, strlen(in_dir), suffix) : join(dir, word, base, suffix);
	free(in_dir);
	if (!path)
		return btvi_fail_nomem(err);
	if (is_file(path)) {
		*ret_path = path;
		return BTVIZ_OK;
	}
	free(path);
	while (dot > 0 && word[dot - 1] != '.' && word[dot - 1] != '/')
		dot--;
	if (dot < 2 || word[dot - 1] != '.')
		return BTVIZ_OK;
	path = join(dir, word, dot - 1, ".btviz.json");
	if (!path)
		return btvi_fail_nomem(err);
	if (is_file(path) && is_device_of(path, word + dot, base - dot)) {
		free(path);
		path = join(dir, word, dot - 1, suffix);
		if (!path)
			return btvi_fail_nomem(err);
		if (is_file(path)) {
			*ret_path = path;
			return BTVIZ_OK;
		}
	}
	free(path);
	return BTVIZ_OK;
}

enum btviz_status btvi_locate(const char *name, const char *dir, const char *suffix,
	char **ret_path, struct btviz_error *err)
{
	char *path = NULL;
	const char *word = name;
	enum btviz_status status = BTVIZ_OK;

	/* A name with a comma in it may be one name, as it is for the trace itself. */
	if (strchr(name, ','))
		status = try_word(dir, name, strlen(name), suffix, &path, err);
	while (status == BTVIZ_OK && !path && word) {
		const char *comma = strchr(word, ',');
		const size_t size = comma ? (size_t)(comma - word) : strlen(word);

		if (size > 0)
			status = try_word(dir, word, size, suffix, &path, err);
		word = comma ? comma + 1 : NULL;
	}
	if (status != BTVIZ_OK)
		return status;
	if (!path)
		return btvi_fail(
			err, BTVIZ_ERR_NOT_FOUND, "no %s%s beside the trace", name, suffix);
	*ret_path = path;
	return BTVIZ_OK;
}
