/* find.c - what a name stands for: the files of per-CPU sets, directories, dumps, pipes, archives.
 * Looks at directories, at files' kinds and at their first bytes; reads no record. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/status.h"
#include "trace/archive.h"
#include "trace/names.h"
#include "trace/sniff.h"
#include "trace/source.h"

/* A name being looked for. */
struct finder {
	struct btvi_sources *sources;
	const char *dir; /* NULL: the current directory */
	struct btviz_error *err;
	size_t lanes_before; /* lanes found for earlier names of the same run */
};

/* DIR/NAME where the name is relative. NULL: out of memory. */
static char *path_in(const char *dir, const char *name)
{
	char *path;

	if (!dir || dir[0] == '\0' || name[0] == '/')
		return strdup(name);
	return asprintf(&path, "%s%s%s", dir, dir[strlen(dir) - 1] == '/' ? "" : "/", name) < 0
		? NULL
		: path;
}

/* ---- single files ---------------------------------------------------------------------------- */

/* Whether the same file is already there, under this or another name. */
static bool is_there(const struct btvi_sources *s, const struct stat *st)
{
	for (size_t i = 0; i < s->lane_count; i++) {
		for (size_t j = 0; j < s->lanes[i].input_count; j++) {
			const struct btvi_input *const in = &s->lanes[i].inputs[j];

			if (in->file_inode == st->st_ino && in->file_device == st->st_dev &&
				in->kind != BTVI_INPUT_PIPE)
				return true;
		}
	}
	return false;
}

static enum btviz_status add_input(struct finder *f, const char *base, size_t base_size,
	const char *run, const struct btvi_input *input)
{
	struct btvi_lane *lane;

	if (f->sources->input_count >= BTVI_STREAM_MAX)
		return btvi_fail(f->err, BTVIZ_ERR_LIMIT, "%s: more than %d streams in one run",
			input->path, BTVI_STREAM_MAX);
	lane = btvi_sources_lane(f->sources, base, base_size, run);
	if (f->sources->lane_count > BTVI_DEVICE_MAX)
		return btvi_fail(f->err, BTVIZ_ERR_LIMIT,
			"%s: streams of more than %d devices in one run", input->path,
			BTVI_DEVICE_MAX);
	if (!lane || !btvi_sources_add(f->sources, lane, input))
		return btvi_fail_nomem(f->err);
	return BTVIZ_OK;
}

/* A pipe or a device like a terminal: can be read once. */
static enum btviz_status add_pipe(struct finder *f, const char *path)
{
	struct btvi_input input = { .kind = BTVI_INPUT_PIPE, .path = (char *)path };
	enum btviz_status status;

	input.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (input.fd < 0)
		return btvi_fail_errno(f->err, errno, "cannot open %s", path);
	status = add_input(f, path, strlen(path), NULL, &input);
	if (status != BTVIZ_OK)
		close(input.fd);
	return status;
}

/* A file that is no member of a per-CPU set: a stream, packed or not, or an archive of streams. */
static enum btviz_status add_file(struct finder *f, const char *path, const struct stat *st)
{
	struct btvi_input input = { .kind = BTVI_INPUT_FILE,
		.path = (char *)path,
		.size = (uint64_t)st->st_size,
		.file_device = st->st_dev,
		.file_inode = st->st_ino,
		.fd = -1 };
	unsigned char head[BTVI_STREAM_SNIFF];
	ssize_t got;
	int fd;

	if (is_there(f->sources, st))
		return BTVIZ_OK;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return btvi_fail_errno(f->err, errno, "cannot open %s", path);
	got = pread(fd, head, sizeof head, 0);
	if (got < 0) {
		const int reason = errno;

		close(fd);
		return btvi_fail_errno(f->err, reason, "cannot read %s", path);
	}
	close(fd);
	if (btvi_sniff_packed(head, (size_t)got)) {
		bool single;
		const enum btviz_status status =
			btvi_archive_spool(f->sources, path, &single, f->err);

		if (status != BTVIZ_OK || !single)
			return status;
		input.kind = BTVI_INPUT_PACKED;
	}
	return add_input(f, path, btvi_name_lane(path), NULL, &input);
}

/* ---- directories ----------------------------------------------------------------------------- */

struct entry {
	char *path;
	struct btvi_cpu_name name;
};

struct entries {
	struct entry *items;
	size_t count, capacity;
};

static int by_base_and_cpu(const void *a, const void *b)
{
	const struct entry *const x = a, *const y = b;
	const size_t shorter =
		x->name.base_size < y->name.base_size ? x->name.base_size : y->name.base_size;
	const int order = memcmp(x->path, y->path, shorter);

	if (order != 0)
		return order;
	if (x->name.base_size != y->name.base_size)
		return x->name.base_size < y->name.base_size ? -1 : 1;
	if (x->name.cpu != y->name.cpu)
		return x->name.cpu < y->name.cpu ? -1 : 1;
	return (int)x->name.packed - (int)y->name.packed;
}

/* Takes over path, also on failure. */
static bool keep_entry(struct entries *e, char *path, const struct btvi_cpu_name *name)
{
	if (e->count == e->capacity) {
		const size_t capacity = e->capacity ? e->capacity * 2 : 64;
		struct entry *const grown = realloc(e->items, capacity * sizeof *grown);

		if (!grown) {
			free(path);
			return false;
		}
		e->items = grown;
		e->capacity = capacity;
	}
	e->items[e->count++] = (struct entry){ path, *name };
	return true;
}

/* Which bases of a directory are meant. */
enum match {
	MATCH_ALL,
	MATCH_BASE,   /* that base */
	MATCH_FAMILY, /* that base, a dot and more */
};

static bool is_match(
	const char *name, const struct btvi_cpu_name *parsed, enum match match, const char *base)
{
	const size_t n = base ? strlen(base) : 0;

	switch (match) {
	case MATCH_ALL:
		return true;
	case MATCH_BASE:
		return parsed->base_size == n && strncmp(name, base, n) == 0;
	case MATCH_FAMILY:
		return parsed->base_size > n + 1 && strncmp(name, base, n) == 0 && name[n] == '.';
	}
	return false;
}

/* The per-CPU files that match, in a directory. One that is not there has none. */
static enum btviz_status list(
	struct finder *f, const char *dir, enum match match, const char *base, struct entries *ret)
{
	DIR *const d = opendir(dir[0] ? dir : ".");
	const struct dirent *entry;

	if (!d) {
		if (errno == ENOENT || errno == ENOTDIR)
			return BTVIZ_OK;
		return btvi_fail_errno(f->err, errno, "cannot look into the directory %s", dir);
	}
	while ((entry = readdir(d)) != NULL) {
		struct btvi_cpu_name parsed;
		char *path;

		if (!btvi_cpu_name_parse(entry->d_name, &parsed) ||
			!is_match(entry->d_name, &parsed, match, base))
			continue;
		path = path_in(dir, entry->d_name);
		if (path)
			parsed.base_size += strlen(path) - strlen(entry->d_name);
		if (!path || !keep_entry(ret, path, &parsed)) {
			closedir(d);
			return btvi_fail_nomem(f->err);
		}
	}
	closedir(d);
	if (ret->count > 0)
		qsort(ret->items, ret->count, sizeof *ret->items, by_base_and_cpu);
	return BTVIZ_OK;
}

static bool same_base(const struct entry *a, const struct entry *b)
{
	return a->name.base_size == b->name.base_size &&
		memcmp(a->path, b->path, a->name.base_size) == 0;
}

static enum btviz_status add_entries(
	struct finder *f, const struct entries *entries, const char *run)
{
	bool again = false; /* this base was found for an earlier name of the run */

	for (size_t i = 0; i < entries->count; i++) {
		const struct entry *const e = &entries->items[i];
		const bool first = i == 0 || !same_base(e, e - 1);
		struct btvi_input input = { .kind = BTVI_INPUT_FILE, .path = e->path, .fd = -1 };
		enum btviz_status status;
		struct stat st;

		/* md0.blktrace.0 beside md0.blktrace.0.gz: the same once more */
		if (!first && e->name.cpu == e[-1].name.cpu)
			continue;
		if (stat(e->path, &st) != 0)
			return btvi_fail_errno(f->err, errno, "cannot look at %s", e->path);
		if (first)
			again = f->lanes_before > 0 && is_there(f->sources, &st);
		if (again)
			continue;
		if (S_ISFIFO(st.st_mode)) {
			status = add_pipe(f, e->path);
		} else {
			input.kind = e->name.packed ? BTVI_INPUT_PACKED : BTVI_INPUT_FILE;
			input.size = (uint64_t)st.st_size;
			input.ordered = true;
			input.cpu = (unsigned)e->name.cpu;
			input.file_device = st.st_dev;
			input.file_inode = st.st_ino;
			status = add_input(f, e->path, e->name.base_size, run, &input);
		}
		if (status != BTVIZ_OK)
			return status;
	}
	return BTVIZ_OK;
}

/* Adds the matching bases of a directory; *ret_found tells whether there were any. */
static enum btviz_status add_bases(
	struct finder *f, const char *dir, enum match match, const char *base, bool *ret_found)
{
	struct entries entries = { NULL, 0, 0 };
	enum btviz_status status = list(f, dir, match, base, &entries);

	if (status == BTVIZ_OK && entries.count > 0) {
		status = add_entries(f, &entries, match == MATCH_FAMILY ? base : NULL);
		*ret_found = true;
	}
	for (size_t i = 0; i < entries.count; i++)
		free(entries.items[i].path);
	free(entries.items);
	return status;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* The set whose base is path, or else the family that begins with it. */
static enum btviz_status add_set(
	struct finder *f, const char *path, bool family_too, bool *ret_found)
{
	const char *const slash = strrchr(path, '/');
	const char *const base = slash ? slash + 1 : path;
	char *const dir = strndup(path, (size_t)(base - path));
	enum btviz_status status = dir ? BTVIZ_OK : btvi_fail_nomem(f->err);

	if (status == BTVIZ_OK && base[0] != '\0') {
		status = add_bases(f, dir, MATCH_BASE, base, ret_found);
		if (status == BTVIZ_OK && !*ret_found && family_too)
			status = add_bases(f, dir, MATCH_FAMILY, base, ret_found);
	}
	free(dir);
	return status;
}

/* Adds what a directory holds of files saved from tracefs, CPU by CPU: cpu0.raw and so on. */
static enum btviz_status add_saved(struct finder *f, const char *dir_path, bool *ret_found)
{
	enum btviz_status status = BTVIZ_OK;
	DIR *const dir = opendir(dir_path);

	if (!dir)
		return btvi_fail_errno(
			f->err, errno, "cannot look into the directory %s", dir_path);
	for (const struct dirent *e; status == BTVIZ_OK && (e = readdir(dir));) {
		char *path;
		struct stat st;

		if (e->d_name[0] == '.' || btvi_name_lane(e->d_name) == strlen(e->d_name))
			continue;
		if (asprintf(&path, "%s/%s", dir_path, e->d_name) < 0) {
			status = btvi_fail_nomem(f->err);
			break;
		}
		if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
			status = add_file(f, path, &st);
			*ret_found = true;
		}
		free(path);
	}
	closedir(dir);
	return status;
}

/* What is at path, which exists. */
static enum btviz_status add_existing(
	struct finder *f, char *path, const struct stat *st, bool *ret_found)
{
	struct btvi_cpu_name parsed;

	*ret_found = true;
	if (S_ISDIR(st->st_mode)) {
		bool found = false;
		enum btviz_status status = add_bases(f, path, MATCH_ALL, NULL, &found);

		if (status == BTVIZ_OK && !found)
			status = add_saved(f, path, &found);
		if (status != BTVIZ_OK || found)
			return status;
		return btvi_fail(f->err, BTVIZ_ERR_NOT_FOUND,
			"no trace in the directory %s: it holds no file NAME.blktrace.N", path);
	}
	if (S_ISBLK(st->st_mode))
		return btvi_fail(f->err, BTVIZ_ERR_USAGE,
			"%s is a disk, not a trace of it: btviz record makes one", path);
	if (!S_ISREG(st->st_mode))
		return add_pipe(f, path);
	if (btvi_cpu_name_parse(path, &parsed)) {
		/* one of a set stands for the whole set */
		path[parsed.base_size] = '\0';
		return add_set(f, path, false, ret_found);
	}
	return add_file(f, path, st);
}

/* Tries one path: existing, or the base of a set. */
static enum btviz_status add_path(struct finder *f, const char *name, bool *ret_found)
{
	char *const path = path_in(f->dir, name);
	enum btviz_status status;
	struct stat st;

	if (!path)
		return btvi_fail_nomem(f->err);
	if (stat(path, &st) == 0) {
		status = add_existing(f, path, &st, ret_found);
	} else if (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG) {
		status = btvi_fail_errno(f->err, errno, "cannot look at %s", path);
	} else {
		const size_t n = btvi_name_without_blktrace(path);
		const bool cut = path[n] != '\0';

		path[n] = '\0';
		status = add_set(f, path, !cut, ret_found);
	}
	free(path);
	return status;
}

/* The name as it is, then as blktrace writes it: '!' and '/' become '_' (cciss!c0d0). */
static enum btviz_status add_name(struct finder *f, const char *name, bool *ret_found)
{
	enum btviz_status status;
	char *changed;

	if (strcmp(name, "-") == 0) {
		const struct btvi_input input = { .kind = BTVI_INPUT_PIPE,
			.path = (char *)"standard input",
			.fd = STDIN_FILENO };

		*ret_found = true;
		return add_input(f, input.path, strlen(input.path), NULL, &input);
	}
	status = add_path(f, name, ret_found);
	if (status != BTVIZ_OK || *ret_found || !strpbrk(name, "!/"))
		return status;
	changed = strdup(name);
	if (!changed)
		return btvi_fail_nomem(f->err);
	for (char *c = changed; *c; c++)
		if (*c == '!')
			*c = '_';
	if (strcmp(changed, name) != 0)
		status = add_path(f, changed, ret_found);
	if (status == BTVIZ_OK && !*ret_found && name[0] != '/' && name[0] != '.') {
		for (char *c = changed; *c; c++)
			if (*c == '/')
				*c = '_';
		status = add_path(f, changed, ret_found);
	}
	free(changed);
	return status;
}

static enum btviz_status not_found(const struct finder *f, const char *name)
{
	const char *const in = f->dir && name[0] != '/' ? f->dir : NULL;

	return btvi_fail(f->err, BTVIZ_ERR_NOT_FOUND,
		"no trace \"%s\"%s%s%s: tried it as a file or directory, %s.blktrace.N, and "
		"%s.*.blktrace.N",
		name, in ? " in the directory \"" : "", in ? in : "", in ? "\"" : "", name, name);
}

/* The parts of "A,B,C". */
static enum btviz_status add_list(struct finder *f, const char *list, bool *ret_found)
{
	const char *part = list;

	for (;;) {
		const size_t n = strcspn(part, ",");
		char *const name = strndup(part, n);
		enum btviz_status status;
		bool found = false;

		if (!name)
			return btvi_fail_nomem(f->err);
		if (n == 0)
			status = btvi_fail(f->err, BTVIZ_ERR_USAGE,
				"\"%s\": a name is missing beside a comma", list);
		else
			status = add_name(f, name, &found);
		if (status == BTVIZ_OK && !found)
			status = not_found(f, name);
		free(name);
		if (status != BTVIZ_OK)
			return status;
		f->lanes_before = f->sources->lane_count;
		if (part[n] == '\0')
			break;
		part += n + 1;
	}
	*ret_found = true;
	return BTVIZ_OK;
}

/* Several packed streams are unpacked beforehand, one after the other: each open decompressor may
 * need a hundred megabytes. */
static enum btviz_status unpack_several(struct btvi_sources *s, struct btviz_error *err)
{
	size_t packed = 0;

	for (size_t i = 0; i < s->lane_count; i++)
		for (size_t j = 0; j < s->lanes[i].input_count; j++)
			packed += s->lanes[i].inputs[j].kind == BTVI_INPUT_PACKED;
	if (packed < 2)
		return BTVIZ_OK;
	for (size_t i = 0; i < s->lane_count; i++) {
		for (size_t j = 0; j < s->lanes[i].input_count; j++) {
			struct btvi_input *const input = &s->lanes[i].inputs[j];
			enum btviz_status status;

			if (input->kind != BTVI_INPUT_PACKED)
				continue;
			status = btvi_archive_spool_input(s, input, err);
			if (status != BTVIZ_OK)
				return status;
		}
	}
	return BTVIZ_OK;
}

enum btviz_status btvi_sources_find(const char *name, const char *dir,
	struct btvi_sources **ret_sources, struct btviz_error *err)
{
	struct finder f = { btvi_sources_new(), dir, err, 0 };
	enum btviz_status status;
	bool found = false;

	if (!f.sources)
		return btvi_fail_nomem(err);
	if (name[0] == '\0')
		status = btvi_fail(err, BTVIZ_ERR_USAGE, "the name of a trace is empty");
	else
		status = add_name(&f, name, &found);
	if (status == BTVIZ_OK && !found && strchr(name, ','))
		status = add_list(&f, name, &found);
	if (status == BTVIZ_OK && !found)
		status = not_found(&f, name);
	if (status == BTVIZ_OK)
		status = unpack_several(f.sources, err);
	if (status != BTVIZ_OK) {
		btvi_sources_free(f.sources);
		return status;
	}
	*ret_sources = f.sources;
	return BTVIZ_OK;
}
