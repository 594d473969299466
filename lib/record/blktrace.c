/* blktrace.c - runs the installed blktrace. It is one process, however many devices there are; it
 * writes into a directory of its own, since with several devices it takes no output name. It is
 * told to end when this process dies. Its exit status says nothing (it is 0 where the kernel
 * refused everything): what counts is whether the devices are traced, and what it prints. */
#include "record/blktrace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"
#include "base/text.h"
#include "record/child.h"
#include "base/control.h"
#include "record/tracefs.h"

enum {
	PRINTED_MAX = 1 << 20,
	START_TRIES = 500, /* of 10 ms */
	STOP_TRIES = 3000,
};

static const char *const places[] = { "/usr/sbin/blktrace", "/usr/bin/blktrace", "/sbin/blktrace",
	"/usr/local/sbin/blktrace", "/usr/local/bin/blktrace" };

static void nap(void)
{
	const struct timespec pause = { 0, 10000000 };

	nanosleep(&pause, NULL);
}

enum btviz_status btvi_blktrace_open(struct btvi_blktrace *b, const char *path,
	const struct btvi_devices *devices, struct btviz_error *err)
{
	char line[64], users[300];

	*b = (struct btvi_blktrace){ .program = path, .out_fd = -1 };
	for (size_t i = 0; !b->program && i < sizeof places / sizeof places[0]; i++)
		if (access(places[i], X_OK) == 0)
			b->program = places[i];
	if (!b->program)
		return btvi_fail(err, BTVIZ_ERR_UNSUPPORTED,
			"the program blktrace is not installed (looked in /usr/sbin, /usr/bin, "
			"/usr/local): install it, or use --backend tracefs");
	if (access(b->program, X_OK) != 0)
		return btvi_fail_errno(err, errno, "cannot run %s", b->program);
	if (geteuid() != 0)
		return btvi_fail(err, BTVIZ_ERR_UNSUPPORTED,
			"recording needs root (the capability CAP_SYS_ADMIN): run it with sudo");
	if (btvi_control_line("/sys/kernel/tracing", "current_tracer", line, sizeof line) &&
		strcmp(line, "blk") == 0)
		return btvi_fail(err, BTVIZ_ERR_BUSY,
			"the tracer \"blk\" is in use: while it is, blktrace gets no events. If nobody "
			"uses it: btviz record --cleanup, or echo nop > "
			"/sys/kernel/tracing/current_tracer");
	for (size_t i = 0; i < devices->count; i++) {
		const struct btvi_block_device *d = &devices->list[i];

		if (!d->traced || btvi_control_number(d->sysfs, "trace/enable") == 0)
			continue;
		btvi_tracefs_users(users, sizeof users);
		return btvi_fail(err, BTVIZ_ERR_BUSY,
			"%s is being traced already (its trace/enable is 1): %s. If nobody traces it: "
			"btviz record --cleanup, or blktrace -d /dev/%s -k",
			d->name, users, d->name);
	}
	return BTVIZ_OK;
}

/* The child's side. */
_Noreturn static void run(const char *const *argv, const sigset_t *mask, int out, pid_t parent)
{
	const int null = open("/dev/null", O_RDONLY);

	setsid(); /* Ctrl-C is for the program; we end blktrace after it */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent || null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 ||
		dup2(out, 2) < 0)
		_exit(127);
	pthread_sigmask(SIG_SETMASK, mask, NULL);
	execv(argv[0], (char *const *)argv);
	_exit(127);
}

static enum btviz_status spawn(
	struct btvi_blktrace *b, const struct btvi_devices *devices, struct btviz_error *err)
{
	const char **argv = calloc(2 * devices->count + 8, sizeof *argv);
	char(*nodes)[80] = calloc(devices->count + 1, sizeof *nodes);
	const pid_t parent = getpid();
	size_t n = 0;
	sigset_t mask;
	int fds[2], reason;

	if (!argv || !nodes || pipe2(fds, O_CLOEXEC) != 0) {
		reason = errno;
		free(argv);
		free(nodes);
		return btvi_fail_errno(err, reason, "cannot start blktrace");
	}
	argv[n++] = b->program;
	argv[n++] = "-D";
	argv[n++] = b->dir;
	argv[n++] = "-n";
	argv[n++] = "8"; /* buffers of 512 KiB, for each CPU and device */
	for (size_t i = 0; i < devices->count; i++) {
		if (!devices->list[i].traced)
			continue;
		snprintf(nodes[i], sizeof nodes[i], "/dev/%s", devices->list[i].name);
		argv[n++] = "-d";
		argv[n++] = nodes[i];
	}
	b->pid = btvi_child_fork(&mask);
	if (b->pid == 0)
		run(argv, &mask, fds[1], parent);
	reason = errno;
	free(argv);
	free(nodes);
	close(fds[1]);
	b->out_fd = fds[0];
	if (b->pid < 0) {
		b->pid = 0;
		return btvi_fail_errno(err, reason, "cannot start blktrace");
	}
	fcntl(b->out_fd, F_SETFL, O_NONBLOCK);
	return BTVIZ_OK;
}

void btvi_blktrace_listen(struct btvi_blktrace *b)
{
	char piece[4096];
	ssize_t n;

	while (b->out_fd >= 0 && (n = read(b->out_fd, piece, sizeof piece)) != 0) {
		char *more;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return;
		if (b->printed_size > PRINTED_MAX)
			continue;
		more = realloc(b->printed, b->printed_size + (size_t)n + 1);
		if (!more)
			return;
		b->printed = more;
		memcpy(b->printed + b->printed_size, piece, (size_t)n);
		b->printed_size += (size_t)n;
		b->printed[b->printed_size] = '\0';
	}
	if (b->out_fd >= 0)
		close(b->out_fd);
	b->out_fd = -1;
}

/* Whether it has ended; its use of the CPU is then known. */
static bool ended(struct btvi_blktrace *b)
{
	struct rusage usage;

	if (b->pid > 0 && wait4(b->pid, NULL, WNOHANG, &usage) == b->pid) {
		b->cpu_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
			(double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
		b->pid = 0;
	}
	return b->pid == 0;
}

/* The first line of what it printed, for a message. */
static enum btviz_status say(struct btvi_blktrace *b, const char *what, struct btviz_error *err)
{
	btvi_blktrace_listen(b);
	return btvi_fail(err, BTVIZ_ERR_UNSUPPORTED,
		"%s; it said: %.*s (a kernel that is locked down, as by Secure Boot, refuses its files: "
		"use --backend tracefs)",
		what, b->printed ? (int)strcspn(b->printed, "\n") : 7,
		b->printed ? b->printed : "nothing");
}

static bool all_enabled(const struct btvi_devices *devices)
{
	for (size_t i = 0; i < devices->count; i++)
		if (devices->list[i].traced &&
			btvi_control_number(devices->list[i].sysfs, "trace/enable") == 0)
			return false;
	return true;
}

enum btviz_status btvi_blktrace_start(struct btvi_blktrace *b, const char *name,
	const struct btvi_devices *devices, struct btviz_error *err)
{
	enum btviz_status status;

	if (asprintf(&b->dir, "%s.blktrace-XXXXXX", name) < 0) {
		b->dir = NULL;
		return btvi_fail_nomem(err);
	}
	if (!mkdtemp(b->dir)) {
		status = btvi_fail_errno(err, errno, "cannot make the directory %s", b->dir);
		free(b->dir);
		b->dir = NULL;
		return status;
	}
	status = spawn(b, devices, err);
	if (status != BTVIZ_OK)
		return status;
	for (int i = 0; i < START_TRIES && !ended(b); i++) {
		btvi_blktrace_listen(b);
		if (all_enabled(devices)) {
			/* It may yet fail to open its files, and end. */
			for (int more = 0; more < 5 && !ended(b); more++)
				nap();
			if (b->pid > 0)
				return BTVIZ_OK;
		}
		nap();
	}
	return say(b,
		b->pid > 0 ? "blktrace does not begin to trace" : "blktrace has ended at once",
		err);
}

void btvi_blktrace_figures(const char *printed, uint64_t *ret_events, uint64_t *ret_dropped)
{
	uint64_t events = 0, dropped = 0;

	for (const char *p = printed; p && (p = strstr(p, "Total:")); p++) {
		unsigned long long n, lost;

		if (sscanf(p, "Total: %llu events (dropped %llu)", &n, &lost) == 2) {
			events += n;
			dropped += lost;
		}
	}
	*ret_events = events;
	*ret_dropped = dropped;
}

/* Version of the first record of a file, 0: none. */
static int version_of(const char *path)
{
	unsigned char head[4] = { 0 };
	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	if (read(fd, head, sizeof head) != sizeof head)
		head[0] = 0;
	close(fd);
	return head[0] == 0x65 ? head[3] : head[0];
}

/* Moves DIR/sdb.blktrace.0 to NAME.sdb.blktrace.0, and so on; name NULL: removes them. */
static enum btviz_status rename_files(
	struct btvi_blktrace *b, const char *name, struct btviz_error *err)
{
	enum btviz_status status = BTVIZ_OK;
	DIR *dir = opendir(b->dir);

	for (const struct dirent *e; dir && status == BTVIZ_OK && (e = readdir(dir));) {
		char from[PATH_MAX], to[PATH_MAX];
		struct stat st;
		int version;

		if (e->d_name[0] == '.' ||
			snprintf(from, sizeof from, "%s/%s", b->dir, e->d_name) >= PATH_MAX)
			continue;
		if (!name) {
			unlink(from);
			continue;
		}
		if (snprintf(to, sizeof to, "%s.%s", name, e->d_name) >= PATH_MAX)
			continue;
		version = version_of(from);
		b->version = version > b->version ? version : b->version;
		b->bytes += stat(from, &st) == 0 ? (uint64_t)st.st_size : 0;
		if (rename(from, to) != 0)
			status = btvi_fail_errno(err, errno, "cannot rename %s to %s", from, to);
	}
	if (dir)
		closedir(dir);
	rmdir(b->dir);
	return status;
}

enum btviz_status btvi_blktrace_stop(
	struct btvi_blktrace *b, const char *name, struct btviz_error *err)
{
	const bool early = ended(b);
	enum btviz_status status;

	if (!early)
		kill(b->pid, SIGINT);
	for (int i = 0; i < STOP_TRIES && !ended(b); i++) {
		btvi_blktrace_listen(b);
		nap();
	}
	if (b->pid > 0) {
		kill(b->pid, SIGKILL);
		while (!ended(b))
			nap();
		return say(b, "blktrace did not end within 30 s and was killed", err);
	}
	btvi_blktrace_listen(b);
	btvi_blktrace_figures(b->printed, &b->events, &b->dropped);
	status = rename_files(b, name, err);
	if (status == BTVIZ_OK && name && (early || b->bytes == 0))
		status = say(b,
			early ? "blktrace ended before the program did"
			      : "blktrace has recorded nothing at all",
			err);
	return status;
}

void btvi_blktrace_done(struct btvi_blktrace *b)
{
	if (b->pid > 0) {
		kill(b->pid, SIGTERM);
		for (int i = 0; i < START_TRIES && !ended(b); i++)
			nap();
	}
	if (b->out_fd >= 0)
		close(b->out_fd);
	if (b->dir)
		rmdir(b->dir);
	free(b->dir);
	free(b->printed);
	*b = (struct btvi_blktrace){ .out_fd = -1 };
}
