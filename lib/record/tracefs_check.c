/* tracefs_check.c - whether the blk tracer can be used here and now; if not, why, and what to do
 * about it. Reads only. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/status.h"
#include "base/text.h"
#include "base/control.h"
#include "record/tracefs.h"
#include "trace/ring.h"

static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

/* Permission is missing: whose. */
static enum btviz_status not_allowed(int reason, const char *path, struct btviz_error *err)
{
	char line[128];

	if (geteuid() != 0)
		return btvi_fail(err, BTVIZ_ERR_UNSUPPORTED,
			"recording needs root (the capability CAP_SYS_ADMIN): run it with sudo");
	if (btvi_control_line("/sys/kernel/security", "lockdown", line, sizeof line) &&
		strstr(line, "[confidentiality]"))
		return btvi_fail(err, BTVIZ_ERR_UNSUPPORTED,
			"this kernel is locked down for confidentiality, which forbids tracing: boot with "
			"lockdown=integrity or without lockdown");
	return btvi_fail(err, BTVIZ_ERR_UNSUPPORTED,
		"cannot open %s (%s): root of a container needs tracefs mounted and CAP_SYS_ADMIN of the "
		"host",
		path, strerror(reason));
}

static enum btviz_status find_dir(struct btvi_tracefs *t, struct btviz_error *err)
{
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		char path[PATH_MAX];
		int fd;

		snprintf(path, sizeof path, "%s/current_tracer", places[i]);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd >= 0) {
			close(fd);
			snprintf(t->dir, sizeof t->dir, "%s", places[i]);
			return BTVIZ_OK;
		}
		if (errno != ENOENT && errno != ENOTDIR)
			return not_allowed(errno, path, err);
	}
	if (access(places[0], F_OK) != 0)
		return btvi_fail(err, BTVIZ_ERR_UNSUPPORTED,
			"this kernel has no tracefs (there is no %s): it needs CONFIG_FTRACE and "
			"CONFIG_BLK_DEV_IO_TRACE",
			places[0]);
	return btvi_fail(err, BTVIZ_ERR_UNSUPPORTED,
		"tracefs is not mounted: as root, mount -t tracefs tracefs %s", places[0]);
}

static bool has_word(const char *text, const char *word)
{
	const size_t n = strlen(word);

	for (const char *p = text; (p = strstr(p, word)); p += n)
		if ((p == text || isspace((unsigned char)p[-1])) &&
			(p[n] == '\0' || isspace((unsigned char)p[n])))
			return true;
	return false;
}

static enum btviz_status check_tracer(const struct btvi_tracefs *t, struct btviz_error *err)
{
	char *available = btvi_control_text(t->dir, "available_tracers", 4096, NULL);
	const bool has_blk = available && has_word(available, "blk");
	char line[128], users[300];

	free(available);
	if (!has_blk)
		return btvi_fail(err, BTVIZ_ERR_UNSUPPORTED,
			"this kernel has no blk tracer (%s/available_tracers): it needs "
			"CONFIG_BLK_DEV_IO_TRACE",
			t->dir);
	if (!btvi_control_line(t->dir, "current_tracer", line, sizeof line))
		return btvi_fail_errno(err, errno, "cannot read %s/current_tracer", t->dir);
	if (strcmp(line, "nop") != 0) {
		btvi_tracefs_users(users, sizeof users);
		return btvi_fail(err, BTVIZ_ERR_BUSY,
			"the tracer \"%s\" is in use: %s. If nobody uses it: %secho nop > "
			"%s/current_tracer",
			line, users, strcmp(line, "blk") == 0 ? "btviz record --cleanup, or " : "",
			t->dir);
	}
	if (btvi_control_line(t->dir, "set_event", line, sizeof line) && line[0] != '\0') {
		btvi_tracefs_users(users, sizeof users);
		return btvi_fail(err, BTVIZ_ERR_BUSY,
			"event tracing is in use (%s and maybe more): its buffer would be emptied; %s. If "
			"nobody uses it: echo > %s/set_event",
			line, users, t->dir);
	}
	return BTVIZ_OK;
}

static enum btviz_status check_devices(const struct btvi_devices *devices, struct btviz_error *err)
{
	for (size_t i = 0; i < devices->count; i++) {
		const struct btvi_block_device *d = &devices->list[i];
		char line[32], users[300];

		if (!d->traced)
			continue;
		if (!btvi_control_line(d->sysfs, "trace/enable", line, sizeof line))
			return btvi_fail(err, BTVIZ_ERR_UNSUPPORTED,
				"%s cannot be traced (%s/trace/enable: %s): the kernel needs "
				"CONFIG_BLK_DEV_IO_TRACE",
				d->name, d->sysfs, strerror(errno));
		if (strcmp(line, "0") == 0)
			continue;
		btvi_tracefs_users(users, sizeof users);
		return btvi_fail(err, BTVIZ_ERR_BUSY,
			"%s is being traced already (its trace/enable is %.10s): %s. If nobody traces it: "
			"btviz record --cleanup, or echo 0 > %s/trace/enable",
			d->name, line, users, d->sysfs);
	}
	return BTVIZ_OK;
}

static int by_number(const void *a, const void *b)
{
	const unsigned x = ((const struct btvi_tracefs_cpu *)a)->cpu;
	const unsigned y = ((const struct btvi_tracefs_cpu *)b)->cpu;

	return (x > y) - (x < y);
}

static enum btviz_status find_cpus(struct btvi_tracefs *t, struct btviz_error *err)
{
	char path[PATH_MAX];
	DIR *dir;

	snprintf(path, sizeof path, "%s/per_cpu", t->dir);
	dir = opendir(path);
	t->cpus = calloc(BTVI_CPU_MAX, sizeof *t->cpus);
	if (!dir || !t->cpus) {
		const int reason = errno;

		if (dir)
			closedir(dir);
		return btvi_fail_errno(err, reason, "cannot read %s", path);
	}
	for (const struct dirent *e; t->cpu_count < BTVI_CPU_MAX && (e = readdir(dir));) {
		unsigned cpu;

		if (sscanf(e->d_name, "cpu%5u", &cpu) == 1 && cpu < BTVI_CPU_MAX)
			t->cpus[t->cpu_count++] = (struct btvi_tracefs_cpu){ .cpu = cpu, .fd = -1 };
	}
	closedir(dir);
	qsort(t->cpus, t->cpu_count, sizeof *t->cpus, by_number);
	if (t->cpu_count == 0)
		return btvi_fail(err, BTVIZ_ERR_UNSUPPORTED, "%s has no CPU in it", path);
	return BTVIZ_OK;
}

/* The size of a page, and the number of the blk tracer's entries: it has no description of its own,
 * but comes just before bputs. Both are told by the stream itself where the kernel does not. */
static enum btviz_status find_layout(struct btvi_tracefs *t, struct btviz_error *err)
{
	char *text = btvi_control_text(t->dir, "events/header_page", 4096, NULL);
	const char *data = text ? strstr(text, "char data;") : NULL;
	unsigned offset = 16, size = 4080;

	if (data && sscanf(data, "char data; offset:%u; size:%u", &offset, &size) == 2 &&
		offset != 16) {
		free(text);
		return btvi_fail(err, BTVIZ_ERR_UNSUPPORTED,
			"the ring buffer of this kernel has a layout that is not known (data at byte %u): "
			"64-bit little-endian kernels are",
			offset);
	}
	free(text);
	t->page_size = offset + size;
	if (t->page_size < BTVI_RING_PAGE_MIN || t->page_size > 16 * BTVI_RING_PAGE_MAX)
		t->page_size = BTVI_RING_PAGE_MIN;
	t->page = malloc(t->page_size);
	if (!t->page)
		return btvi_fail_nomem(err);
	text = btvi_control_text(t->dir, "events/ftrace/bputs/format", 16384, NULL);
	data = text ? strstr(text, "ID: ") : NULL;
	if (data)
		t->blk_type = (uint16_t)(strtoul(data + 4, NULL, 10) - 1);
	free(text);
	return BTVIZ_OK;
}

enum btviz_status btvi_tracefs_open(
	struct btvi_tracefs *t, const struct btvi_devices *devices, struct btviz_error *err)
{
	enum btviz_status status;

	*t = (struct btvi_tracefs){ 0 };
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	return btvi_fail(err, BTVIZ_ERR_UNSUPPORTED,
		"the tracefs back end reads little-endian kernels only: use --backend blktrace");
#endif
	status = find_dir(t, err);
	if (status == BTVIZ_OK)
		status = check_tracer(t, err);
	if (status == BTVIZ_OK)
		status = check_devices(devices, err);
	if (status == BTVIZ_OK)
		status = find_cpus(t, err);
	if (status == BTVIZ_OK)
		status = find_layout(t, err);
	if (status != BTVIZ_OK)
		btvi_tracefs_done(t);
	return status;
}

/* Whether a process has a trace pipe open. */
static bool has_pipe(const char *pid)
{
	char path[PATH_MAX], target[PATH_MAX];
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof path, "/proc/%.20s/fd", pid);
	dir = opendir(path);
	if (!dir)
		return false;
	for (const struct dirent *e; !found && (e = readdir(dir));) {
		const ssize_t n = readlinkat(dirfd(dir), e->d_name, target, sizeof target - 1);

		target[n > 0 ? n : 0] = '\0';
		found = strstr(target, "/trace_pipe") != NULL;
	}
	closedir(dir);
	return found;
}

void btvi_tracefs_users(char *text, size_t size)
{
	DIR *dir = opendir("/proc");
	size_t n = 0;

	text[0] = '\0';
	for (const struct dirent *e; dir && (e = readdir(dir));) {
		char path[64], line[32], comm[64];
		const char *how = NULL;

		if (!isdigit((unsigned char)e->d_name[0]) ||
			strtol(e->d_name, NULL, 10) == getpid())
			continue;
		snprintf(path, sizeof path, "/proc/%.20s", e->d_name);
		if (!btvi_control_line(path, "comm", line, sizeof line))
			continue;
		if (has_pipe(e->d_name))
			how = "has a trace pipe open";
		else if (strcmp(line, "blktrace") == 0 || strcmp(line, "trace-cmd") == 0)
			how = "is running";
		if (!how)
			continue;
		btvi_text_printable(line, strlen(line), comm, sizeof comm);
		n += (size_t)snprintf(text + n, size - n, "%sprocess %.20s (%s) %s", n ? ", " : "",
			e->d_name, comm, how);
		if (n >= size - 64) {
			text[n < size ? n : size - 1] = '\0';
			break;
		}
	}
	if (dir)
		closedir(dir);
	if (n == 0)
		snprintf(text, size, "look for blktrace, trace-cmd or a script that uses tracefs");
}
