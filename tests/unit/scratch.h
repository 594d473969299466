/* scratch.h - a directory of a test's own, with files and links in it. */
#ifndef TEST_SCRATCH_H
#define TEST_SCRATCH_H

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch_dir[64];

static void scratch_new(void)
{
	snprintf(scratch_dir, sizeof scratch_dir, "/tmp/btviz-test-XXXXXX");
	if (!mkdtemp(scratch_dir))
		abort();
}

/* The absolute path of a name in the directory. Valid until the fourth call after it. */
static const char *scratch_path(const char *name)
{
	static char paths[4][PATH_MAX + sizeof scratch_dir];
	static unsigned turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof paths[0], "%s/%s", scratch_dir, name);
	return path;
}

/* Creates the directories of a name. */
static void scratch_parents(const char *name)
{
	char path[PATH_MAX + sizeof scratch_dir];

	snprintf(path, sizeof path, "%s/%s", scratch_dir, name);
	for (char *c = path + strlen(scratch_dir) + 1; *c; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		mkdir(path, 0700);
		*c = '/';
	}
}

static inline void scratch_file(const char *name, const char *text)
{
	FILE *f;

	scratch_parents(name);
	f = fopen(scratch_path(name), "w");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0)
		abort();
}

/* A link from a name to another, both in the directory. */
static inline void scratch_link(const char *name, const char *to)
{
	scratch_parents(name);
	if (symlink(scratch_path(to), scratch_path(name)) != 0)
		abort();
}

static void scratch_remove(void)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf '%s'", scratch_dir);
	if (system(command) != 0)
		abort();
}

/* For cmocka: a directory for each test. */
static inline int scratch_set_up(void **state)
{
	(void)state;
	scratch_new();
	return 0;
}

static inline int scratch_tear_down(void **state)
{
	(void)state;
	scratch_remove();
	return 0;
}

#endif
