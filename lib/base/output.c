/* output.c - bytes into a file, all or nothing. Knows not what they are. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

static int write_all(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size > 0) {
		const ssize_t n = write(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		if (n == 0)
			return EIO;
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

static enum btviz_status fail(const struct btvi_output *o, int e, struct btviz_error *err)
{
	return btvi_fail_errno(err, e, "cannot write %s", o->path);
}

/* A name beside the target that nobody uses; the process id keeps two of us apart, O_EXCL the rest.
 */
static int open_temporary(struct btvi_output *o)
{
	for (unsigned attempt = 0; attempt < 100; attempt++) {
		const char *slash = strrchr(o->target, '/');
		const int dir = slash ? (int)(slash - o->target + 1) : 0;
		int fd;

		snprintf(o->temporary, sizeof o->temporary, "%.*s.btviz-%ld-%u.tmp", dir, o->target,
			(long)getpid(), attempt);
		fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	errno = EEXIST;
	return -1;
}

/* Where path leads, through symbolic links; itself where there is nothing yet. */
static int find_target(struct btvi_output *o)
{
	if (strlen(o->path) >= sizeof o->target)
		return ENAMETOOLONG;
	if (!realpath(o->path, o->target))
		strcpy(o->target, o->path);
	return 0;
}

enum btviz_status btvi_output_open(struct btvi_output *o, const char *path, struct btviz_error *err)
{
	struct stat st;
	bool exists;
	int e;

	o->path = path;
	o->temporary[0] = '\0';
	e = find_target(o);
	if (e)
		return fail(o, e, err);
	exists = stat(o->target, &st) == 0;
	if (exists && S_ISDIR(st.st_mode))
		return fail(o, EISDIR, err);
	if (exists && !S_ISREG(st.st_mode)) {
		o->fd = open(o->target, O_WRONLY | O_CLOEXEC);
		return o->fd < 0 ? fail(o, errno, err) : BTVIZ_OK;
	}

	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &o->former);
	o->fd = open_temporary(o);
	if (o->fd < 0) {
		e = errno;
		pthread_sigmask(SIG_SETMASK, &o->former, NULL);
		return fail(o, e, err);
	}
	if (exists && fchmod(o->fd, st.st_mode & 07777) != 0) {
		e = errno;
		btvi_output_drop(o);
		return fail(o, e, err);
	}
	return BTVIZ_OK;
}

/* Closes what is left open, and lets signals come again. */
static void end(struct btvi_output *o, bool keep)
{
	if (o->fd >= 0)
		close(o->fd);
	o->fd = -1;
	if (o->temporary[0] == '\0')
		return;
	if (!keep)
		unlink(o->temporary);
	pthread_sigmask(SIG_SETMASK, &o->former, NULL);
}

enum btviz_status btvi_output_finish(struct btvi_output *o, struct btviz_error *err)
{
	int e = close(o->fd) != 0 ? errno : 0;

	o->fd = -1;
	if (e == 0 && o->temporary[0] != '\0' && rename(o->temporary, o->target) != 0)
		e = errno;
	end(o, e == 0);
	return e ? fail(o, e, err) : BTVIZ_OK;
}

void btvi_output_drop(struct btvi_output *o)
{
	end(o, false);
}

enum btviz_status btvi_output_file(
	const void *data, size_t size, const char *path, struct btviz_error *err)
{
	struct btvi_output o;
	const enum btviz_status status = btvi_output_open(&o, path, err);
	int e;

	if (status != BTVIZ_OK)
		return status;
	e = write_all(o.fd, data, size);
	if (e == 0)
		return btvi_output_finish(&o, err);
	btvi_output_drop(&o);
	return fail(&o, e, err);
}

enum btviz_status btvi_output_fd(const void *data, size_t size, int fd, struct btviz_error *err)
{
	const int e = write_all(fd, data, size);

	return e ? btvi_fail_errno(err, e, "cannot write the picture") : BTVIZ_OK;
}
