/* tracefs.c - the blk tracer switched on, its ring buffers read, and the plan of how all is put
 * back.
 *
 * The order matters: a change of trace_clock empties the buffers, current_tracer can only be
 * changed while no pipe is open, and the statistics live until the tracer is changed. Whether it
 * may be used at all is looked at in tracefs_check.c. */
#include "record/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "base/control.h"

enum {
	BUFFER_KB_MAX = 32 << 10,  /* of a CPU: over two seconds of 250,000 events/s */
	BUFFER_KB_MIN = 1408,      /* the kernel's own default */
	BUFFER_KB_ALL = 512 << 10, /* of all CPUs */
	STATS_BYTES = 4096,
};

static enum btviz_status add(struct btvi_undo *u, const char *dir, const char *name,
	const char *text, struct btviz_error *err)
{
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	return btvi_undo_add(u, path, text, err);
}

/* "local [mono] boot" to "mono". */
static void chosen(const char *line, char *word, size_t size)
{
	const char *open = strchr(line, '[');
	const char *close = open ? strchr(open, ']') : NULL;

	snprintf(word, size, "%.*s", close ? (int)(close - open - 1) : 0, close ? open + 1 : "");
}

/* The buffers' sizes. Never used ones say "7 (expanded: 1408)", which cannot be written: the tracer
 * expands them for good, and 1408 is what every later tracer would have got. CPUs that differ say
 * "X". */
static enum btviz_status plan_sizes(
	const struct btvi_tracefs *t, struct btvi_undo *u, struct btviz_error *err)
{
	enum btviz_status status = BTVIZ_OK;
	char line[64];
	const char *expanded;

	if (!btvi_control_line(t->dir, "buffer_size_kb", line, sizeof line))
		return btvi_fail_errno(err, errno, "cannot read %s/buffer_size_kb", t->dir);
	expanded = strstr(line, "expanded: ");
	if (expanded)
		memmove(line, expanded + 10, strlen(expanded + 10) + 1);
	if (line[0] != 'X') {
		line[strspn(line, "0123456789")] = '\0';
		return add(u, t->dir, "buffer_size_kb", line, err);
	}
	for (size_t i = 0; i < t->cpu_count && status == BTVIZ_OK; i++) {
		char name[64];

		snprintf(name, sizeof name, "per_cpu/cpu%u/buffer_size_kb", t->cpus[i].cpu);
		if (btvi_control_line(t->dir, name, line, sizeof line))
			status = add(u, t->dir, name, line, err);
	}
	return status;
}

enum btviz_status btvi_tracefs_plan(const struct btvi_tracefs *t,
	const struct btvi_devices *devices, struct btvi_undo *u, struct btviz_error *err)
{
	static const char *const switches[] = { "options/overwrite", "tracing_on" };
	enum btviz_status status = BTVIZ_OK;
	char line[256], clock[32];

	for (size_t i = 0; i < devices->count && status == BTVIZ_OK; i++)
		if (devices->list[i].traced)
			status = add(u, devices->list[i].sysfs, "trace/enable", "0", err);
	if (status == BTVIZ_OK)
		status = add(u, t->dir, "current_tracer", "nop", err);
	if (status == BTVIZ_OK)
		status = plan_sizes(t, u, err);
	if (status != BTVIZ_OK)
		return status;
	if (!btvi_control_line(t->dir, "trace_clock", line, sizeof line))
		return btvi_fail_errno(err, errno, "cannot read %s/trace_clock", t->dir);
	chosen(line, clock, sizeof clock);
	status = add(u, t->dir, "trace_clock", clock, err);
	for (size_t i = 0; i < 2 && status == BTVIZ_OK; i++) {
		if (!btvi_control_line(t->dir, switches[i], line, sizeof line))
			return btvi_fail_errno(
				err, errno, "cannot read %s/%s", t->dir, switches[i]);
		status = add(u, t->dir, switches[i], line, err);
	}
	return status;
}

/* Arms the undoing of a file and writes it. */
static bool change(struct btvi_undo *u, const char *dir, const char *name, const char *text)
{
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	btvi_undo_arm(u, path);
	return btvi_control_write(dir, name, text);
}

static enum btviz_status refused(
	const char *dir, const char *name, const char *text, struct btviz_error *err)
{
	return btvi_fail_errno(err, errno, "cannot write \"%s\" to %s/%s", text, dir, name);
}

/* What a CPU's buffer gets by default: a share of all, within reason and within the memory there
 * is. */
static uint64_t default_buffer_kb(size_t cpus)
{
	const char *available;
	char *text = btvi_control_text("/proc/meminfo", "", 65536, NULL);
	uint64_t kb = BUFFER_KB_ALL / cpus, memory = 0;

	available = text ? strstr(text, "MemAvailable:") : NULL;
	if (available)
		memory = strtoull(available + 13, NULL, 10);
	free(text);
	if (memory > 0 && kb > memory / 16 / cpus)
		kb = memory / 16 / cpus;
	kb = kb < BUFFER_KB_MAX ? kb : BUFFER_KB_MAX;
	return kb > BUFFER_KB_MIN ? kb : BUFFER_KB_MIN;
}

/* As much as asked, or half of it, or a quarter …: less is no reason not to record. */
static enum btviz_status set_sizes(
	struct btvi_tracefs *t, uint64_t kb, struct btvi_undo *u, struct btviz_error *err)
{
	char path[PATH_MAX], text[32];

	for (size_t i = 0; i < t->cpu_count; i++) {
		snprintf(path, sizeof path, "%s/per_cpu/cpu%u/buffer_size_kb", t->dir,
			t->cpus[i].cpu);
		btvi_undo_arm(u, path);
	}
	for (t->buffer_kb = kb ? kb : default_buffer_kb(t->cpu_count);; t->buffer_kb /= 2) {
		snprintf(text, sizeof text, "%llu", (unsigned long long)t->buffer_kb);
		if (change(u, t->dir, "buffer_size_kb", text))
			return BTVIZ_OK;
		if (errno != ENOMEM || t->buffer_kb < BUFFER_KB_MIN)
			return refused(t->dir, "buffer_size_kb", text, err);
	}
}

static enum btviz_status open_pipes(struct btvi_tracefs *t, struct btviz_error *err)
{
	for (size_t i = 0; i < t->cpu_count; i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof path, "%s/per_cpu/cpu%u/trace_pipe_raw", t->dir,
			t->cpus[i].cpu);
		t->cpus[i].fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (t->cpus[i].fd < 0 && errno != ENODEV && errno != ENXIO)
			return btvi_fail_errno(err, errno, "cannot open %s", path);
	}
	return BTVIZ_OK;
}

static enum btviz_status enable(
	const struct btvi_block_device *d, struct btvi_undo *u, struct btviz_error *err)
{
	char users[300];

	/* Looked at before too; somebody may have come since. What is 1 is never made 0 by us. */
	if (btvi_control_number(d->sysfs, "trace/enable") != 0) {
		btvi_tracefs_users(users, sizeof users);
		return btvi_fail(err, BTVIZ_ERR_BUSY, "%s is being traced by somebody else now: %s",
			d->name, users);
	}
	if (!change(u, d->sysfs, "trace/enable", "1"))
		return refused(d->sysfs, "trace/enable", "1", err);
	return BTVIZ_OK;
}

enum btviz_status btvi_tracefs_start(struct btvi_tracefs *t, const struct btvi_devices *devices,
	uint64_t buffer_kb, struct btvi_undo *u, struct btviz_error *err)
{
	enum btviz_status status;
	char line[256], word[32], users[300];

	if (btvi_control_number(t->dir, "tracing_on") == 0 && !change(u, t->dir, "tracing_on", "1"))
		return refused(t->dir, "tracing_on", "1", err);
	if (btvi_control_number(t->dir, "options/overwrite") == 0 &&
		!change(u, t->dir, "options/overwrite", "1"))
		return refused(t->dir, "options/overwrite", "1", err);
	/* Writing the clock that is set already would empty the buffers all the same. */
	if (btvi_control_line(t->dir, "trace_clock", line, sizeof line)) {
		chosen(line, word, sizeof word);
		if (strcmp(word, "mono") != 0 && !change(u, t->dir, "trace_clock", "mono"))
			return refused(t->dir, "trace_clock", "mono", err);
	}
	status = set_sizes(t, buffer_kb, u, err);
	if (status != BTVIZ_OK)
		return status;
	if (!btvi_control_line(t->dir, "current_tracer", line, sizeof line) ||
		strcmp(line, "nop") != 0)
		return btvi_fail(err, BTVIZ_ERR_BUSY,
			"another tracer was switched on meanwhile: see %s/current_tracer", t->dir);
	if (!change(u, t->dir, "current_tracer", "blk")) {
		if (errno != EBUSY)
			return refused(t->dir, "current_tracer", "blk", err);
		btvi_tracefs_users(users, sizeof users);
		return btvi_fail(err, BTVIZ_ERR_BUSY,
			"somebody has a trace pipe open, so that the tracer cannot be set: %s",
			users);
	}
	status = open_pipes(t, err);
	for (size_t i = 0; i < devices->count && status == BTVIZ_OK; i++)
		if (devices->list[i].traced)
			status = enable(&devices->list[i], u, err);
	return status;
}

enum btviz_status btvi_tracefs_read(struct btvi_tracefs *t, size_t i, size_t most,
	enum btviz_status (*take)(void *data, size_t i, const unsigned char *page, size_t size,
		struct btviz_error *err),
	void *data, size_t *ret_pages, struct btviz_error *err)
{
	size_t pages = 0;

	while (t->cpus[i].fd >= 0 && pages < most) {
		const ssize_t n = read(t->cpus[i].fd, t->page, t->page_size);
		enum btviz_status status;

		if (n < 0 && errno == EINTR)
			continue;
		/* Nothing there: EAGAIN before the CPU's first event, 0 afterwards. */
		if (n == 0 || (n < 0 && errno == EAGAIN))
			break;
		if (n < 0)
			return btvi_fail_errno(
				err, errno, "cannot read the trace of CPU %u", t->cpus[i].cpu);
		status = take(data, i, t->page, (size_t)n, err);
		if (status != BTVIZ_OK)
			return status;
		pages++;
	}
	*ret_pages = pages;
	return BTVIZ_OK;
}

static uint64_t figure(const char *text, const char *name)
{
	const char *p = strstr(text, name);

	return p ? strtoull(p + strlen(name), NULL, 10) : 0;
}

void btvi_tracefs_stats(struct btvi_tracefs *t, size_t i)
{
	char name[64], *text;

	snprintf(name, sizeof name, "per_cpu/cpu%u/stats", t->cpus[i].cpu);
	text = btvi_control_text(t->dir, name, STATS_BYTES, NULL);
	if (text)
		t->cpus[i].overrun =
			figure(text, "\noverrun: ") + figure(text, "\ndropped events: ");
	free(text);
}

void btvi_tracefs_close_pipes(struct btvi_tracefs *t)
{
	for (size_t i = 0; i < t->cpu_count; i++) {
		if (t->cpus[i].fd >= 0)
			close(t->cpus[i].fd);
		t->cpus[i].fd = -1;
	}
}

void btvi_tracefs_done(struct btvi_tracefs *t)
{
	btvi_tracefs_close_pipes(t);
	free(t->cpus);
	free(t->page);
	*t = (struct btvi_tracefs){ 0 };
}
