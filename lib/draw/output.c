/* output.c - finished bytes into a file, all or nothing. Knows not what they are. */
#include "draw/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

static int write_all(int fd, const unsigned char *data, size_t size)
{
	while (size > 0) {
		const ssize_t n = write(fd, data, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		if (n == 0)
			return EIO;
		data += n;
		size -= (size_t)n;
	}
	return 0;
}

enum btviz_status btvi_output_fd(const struct btvi_bytes *b, int fd, struct btviz_error *err)
{
	const int e = write_all(fd, b->data, b->size);

	return e ? btvi_fail_errno(err, e, "cannot write the picture") : BTVIZ_OK;
}

/* A name beside path that nobody uses; the process id keeps two of us apart, O_EXCL the rest. */
static int open_temporary(const char *path, mode_t mode, char *name, size_t size)
{
	for (unsigned attempt = 0; attempt < 100; attempt++) {
		const char *slash = strrchr(path, '/');
		const int dir = slash ? (int)(slash - path + 1) : 0;
		int fd;

		if (snprintf(name, size, "%.*s.btviz-%ld-%u.tmp", dir, path, (long)getpid(),
			    attempt) >= (int)size) {
			errno = ENAMETOOLONG;
			return -1;
		}
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	errno = EEXIST;
	return -1;
}

static enum btviz_status write_directly(
	const struct btvi_bytes *b, const char *path, struct btviz_error *err)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	int e;

	if (fd < 0)
		return btvi_fail_errno(err, errno, "cannot write %s", path);
	e = write_all(fd, b->data, b->size);
	if (close(fd) != 0 && e == 0)
		e = errno;
	return e ? btvi_fail_errno(err, e, "cannot write %s", path) : BTVIZ_OK;
}

enum btviz_status btvi_output_file(
	const struct btvi_bytes *b, const char *path, struct btviz_error *err)
{
	char temporary[PATH_MAX];
	char *real = realpath(path, NULL); /* NULL where there is nothing yet */
	const char *target = real ? real : path;
	struct stat st;
	const bool exists = stat(target, &st) == 0;
	int fd, e;

	if (exists && S_ISDIR(st.st_mode)) {
		free(real);
		return btvi_fail_errno(err, EISDIR, "cannot write %s", path);
	}
	if (exists && !S_ISREG(st.st_mode)) {
		const enum btviz_status status = write_directly(b, target, err);

		free(real);
		return status;
	}
	fd = open_temporary(target, 0666, temporary, sizeof temporary);
	if (fd < 0) {
		e = errno;
		free(real);
		return btvi_fail_errno(err, e, "cannot write %s", path);
	}
	e = write_all(fd, b->data, b->size);
	if (e == 0 && exists && fchmod(fd, st.st_mode & 07777) != 0)
		e = errno;
	if (close(fd) != 0 && e == 0)
		e = errno;
	if (e == 0 && rename(temporary, target) != 0)
		e = errno;
	if (e != 0)
		unlink(temporary);
	free(real);
	return e ? btvi_fail_errno(err, e, "cannot write %s", path) : BTVIZ_OK;
}
