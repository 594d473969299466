/* undo.c - putting the tracer's state back. Knows files and texts, not what they mean; the order is
 * the caller's. */
#include "record/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/status.h"

/* The first line of a state file; then its recorder's process number; then the armed steps, each as
 * its place in the order, path and text between tabs. */
static const char head[] = "btviz.record-state/1 ";

enum {
	STATE_BYTES = 4 << 20, /* a thousand devices need 200 kB */
	BUSY_TRIES = 500,      /* of 10 ms: a killed process's pipes are closed by then */
};

enum btviz_status btvi_undo_add(
	struct btvi_undo *u, const char *path, const char *text, struct btviz_error *err)
{
	struct btvi_undo_step *steps = realloc(u->steps, (u->count + 1) * sizeof *steps);
	struct btvi_undo_step step = { strdup(path), strdup(text), false };

	if (steps)
		u->steps = steps;
	if (!steps || !step.path || !step.text) {
		free(step.path);
		free(step.text);
		return btvi_fail_nomem(err);
	}
	u->steps[u->count++] = step;
	return BTVIZ_OK;
}

/* The recorder's process number in a state file, 0: none. */
static long state_pid(int fd)
{
	char line[64];
	const ssize_t n = pread(fd, line, sizeof line - 1, 0);

	if (n < (ssize_t)sizeof head - 1 || memcmp(line, head, sizeof head - 1) != 0)
		return 0;
	line[n] = '\0';
	return strtol(line + sizeof head - 1, NULL, 10);
}

/* Whether anything follows the first line. */
static bool has_steps(int fd)
{
	char line[64];
	const ssize_t n = pread(fd, line, sizeof line, 0);
	const char *end = n > 0 ? memchr(line, '\n', (size_t)n) : NULL;

	return end && end + 1 < line + n;
}

enum btviz_status btvi_undo_lock(struct btvi_undo *u, const char *path, struct btviz_error *err)
{
	char line[64];
	const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_APPEND, 0600);
	int n;

	if (fd < 0)
		return BTVIZ_OK;
	if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		const long pid = state_pid(fd);

		close(fd);
		return btvi_fail(err, BTVIZ_ERR_BUSY,
			"another btviz record is running (process %ld): wait for it, or stop it with: kill %ld",
			pid, pid);
	}
	if (has_steps(fd)) {
		close(fd);
		return btvi_fail(err, BTVIZ_ERR_BUSY,
			"an earlier btviz record was killed together with its guardian and left tracing "
			"switched on (%s): run btviz record --cleanup first",
			path);
	}
	n = snprintf(line, sizeof line, "%s%ld\n", head, (long)getpid());
	if (ftruncate(fd, 0) != 0 || write(fd, line, (size_t)n) != n) {
		const int reason = errno;

		close(fd);
		return btvi_fail_errno(err, reason, "cannot write %s", path);
	}
	u->state_path = strdup(path);
	if (!u->state_path) {
		close(fd);
		return btvi_fail_nomem(err);
	}
	u->state_fd = fd;
	return BTVIZ_OK;
}

void btvi_undo_arm(struct btvi_undo *u, const char *path)
{
	for (size_t i = 0; i < u->count; i++) {
		struct btvi_undo_step *step = &u->steps[i];
		const unsigned char place[2] = { (unsigned char)(i >> 8), (unsigned char)i };

		if (step->armed || strcmp(step->path, path) != 0)
			continue;
		step->armed = true;
		if (u->notify_fd >= 0 && send(u->notify_fd, place, 2, MSG_NOSIGNAL) != 2)
			u->notify_fd = -1; /* the guardian is gone: the state file remains */
		if (u->state_fd >= 0)
			dprintf(u->state_fd, "%zu\t%s\t%s\n", i, step->path, step->text);
	}
}

/* Writes text to a control file. A tracer cannot be changed while somebody has a pipe open; a
 * recorder that was killed has them open for a moment yet. */
static bool write_control(const char *path, const char *text)
{
	const struct timespec pause = { 0, 10000000 };
	bool done = false;
	int tries = 0;

	do {
		const int fd = open(path, O_WRONLY | O_CLOEXEC);
		const size_t size = strlen(text);

		if (fd < 0)
			return errno == ENOENT; /* a device that is gone needs nothing */
		done = write(fd, text, size) == (ssize_t)size;
		if (!done && errno != EBUSY)
			tries = BUSY_TRIES;
		close(fd);
	} while (!done && ++tries < BUSY_TRIES && nanosleep(&pause, NULL) == 0);
	return done;
}

size_t btvi_undo_run(struct btvi_undo *u, const char *only)
{
	size_t failed = 0;

	for (size_t i = 0; i < u->count; i++) {
		struct btvi_undo_step *step = &u->steps[i];

		if (!step->armed || (only && strncmp(step->path, only, strlen(only)) != 0))
			continue;
		if (write_control(step->path, step->text))
			step->armed = false;
		else
			failed++;
	}
	return failed;
}

void btvi_undo_done(struct btvi_undo *u)
{
	bool left = false;

	for (size_t i = 0; i < u->count; i++) {
		left = left || u->steps[i].armed;
		free(u->steps[i].path);
		free(u->steps[i].text);
	}
	if (u->state_fd >= 0) {
		if (!left)
			unlink(u->state_path);
		close(u->state_fd);
	}
	free(u->state_path);
	free(u->steps);
	*u = BTVI_UNDO_NONE;
}

/* One line of a state file into the list, at its place. */
static enum btviz_status take_line(struct btvi_undo *u, char *line, struct btviz_error *err)
{
	char *path = strchr(line, '\t');
	char *text = path ? strchr(path + 1, '\t') : NULL;
	const unsigned long place = strtoul(line, NULL, 10);

	/* Only what a recorder may have written: no state file makes this write elsewhere. */
	if (!text || place > 4 * BTVI_DEVICE_MAX + 4 * BTVI_CPU_MAX || strstr(path, "/../") ||
		strncmp(path + 1, "/sys/", 5) != 0)
		return BTVIZ_OK;
	*path++ = '\0';
	*text++ = '\0';
	while (u->count <= place) {
		const enum btviz_status status = btvi_undo_add(u, "", "", err);

		if (status != BTVIZ_OK)
			return status;
	}
	free(u->steps[place].path);
	free(u->steps[place].text);
	u->steps[place] = (struct btvi_undo_step){ strdup(path), strdup(text), true };
	return u->steps[place].path && u->steps[place].text ? BTVIZ_OK : btvi_fail_nomem(err);
}

static enum btviz_status take_file(struct btvi_undo *u, int fd, struct btviz_error *err)
{
	char *text = malloc(STATE_BYTES);
	enum btviz_status status = BTVIZ_OK;
	ssize_t n;

	if (!text)
		return btvi_fail_nomem(err);
	n = pread(fd, text, STATE_BYTES - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	if (n > 0 && state_pid(fd) > 0) {
		char *line = text;

		while (status == BTVIZ_OK && (line = strchr(line, '\n'))) {
			char *end = strchr(++line, '\n');

			if (!end)
				break; /* no line, or one that was being written */
			*end = '\0';
			status = take_line(u, line, err);
			*end = '\n';
			line = end;
		}
	}
	free(text);
	return status;
}

enum btviz_status btvi_undo_cleanup(const char *path, size_t *ret_count, struct btviz_error *err)
{
	struct btvi_undo u = BTVI_UNDO_NONE;
	const int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	enum btviz_status status;
	size_t count = 0, failed;

	if (fd < 0 && errno == ENOENT) {
		*ret_count = 0;
		return BTVIZ_OK;
	}
	if (fd < 0)
		return btvi_fail_errno(err, errno, "cannot open %s", path);
	if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		const long pid = state_pid(fd);

		close(fd);
		return btvi_fail(err, BTVIZ_ERR_BUSY,
			"btviz record is running (process %ld): stop it with: kill %ld", pid, pid);
	}
	status = take_file(&u, fd, err);
	for (size_t i = 0; i < u.count; i++)
		count += u.steps[i].armed;
	failed = status == BTVIZ_OK ? btvi_undo_run(&u, NULL) : 0;
	if (failed > 0) {
		const char *first = "";

		for (size_t i = u.count; i-- > 0;)
			first = u.steps[i].armed ? u.steps[i].path : first;
		status = btvi_fail(err, BTVIZ_ERR_IO,
			"%zu of %zu steps failed, the first is writing to %s: is another program reading "
			"trace_pipe?",
			failed, count, first);
	}
	if (status == BTVIZ_OK) {
		unlink(path);
		*ret_count = count;
	}
	close(fd);
	btvi_undo_done(&u);
	return status;
}
