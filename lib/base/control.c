/* control.c - reads and writes the kernel's small files. Says nothing about what they mean. */
#include "base/control.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int open_in(const char *dir, const char *name, int flags)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof path, "%s%s%s", dir, name[0] ? "/" : "", name) >=
		(int)sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(path, flags | O_CLOEXEC);
}

bool btvi_control_line(const char *dir, const char *name, char *line, size_t size)
{
	const int fd = open_in(dir, name, O_RDONLY);
	ssize_t n;
	int reason;

	if (fd < 0)
		return false;
	n = read(fd, line, size - 1);
	reason = errno;
	close(fd);
	errno = reason;
	if (n < 0)
		return false;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return true;
}

uint64_t btvi_control_number(const char *dir, const char *name)
{
	char line[32];

	return btvi_control_line(dir, name, line, sizeof line) ? strtoull(line, NULL, 10) : 0;
}

bool btvi_control_write(const char *dir, const char *name, const char *text)
{
	const int fd = open_in(dir, name, O_WRONLY);
	const size_t size = strlen(text);
	ssize_t n;
	int reason;

	if (fd < 0)
		return false;
	n = write(fd, text, size);
	reason = n < 0 ? errno : EIO;
	close(fd);
	errno = reason;
	return n == (ssize_t)size;
}

char *btvi_control_text(const char *dir, const char *name, size_t limit, size_t *ret_size)
{
	const int fd = open_in(dir, name, O_RDONLY);
	char *text = NULL;
	size_t have = 0, room = 0;
	int reason = 0;

	if (fd < 0)
		return NULL;
	while (have <= limit) {
		ssize_t n;

		if (room - have < 4096) {
			char *more = realloc(text, room + 65536);

			if (!more) {
				reason = ENOMEM;
				break;
			}
			text = more;
			room += 65536;
		}
		n = read(fd, text + have, room - have - 1);
		if (n < 0)
			reason = errno;
		if (n <= 0)
			break;
		have += (size_t)n;
	}
	close(fd);
	if (reason != 0) {
		free(text);
		errno = reason;
		return NULL;
	}
	text[have] = '\0';
	if (ret_size)
		*ret_size = have;
	return text;
}
