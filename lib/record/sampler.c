/* sampler.c - the machine's memory and CPU figures beside the trace. Reads two files of /proc,
 * writes one line; costs some 30 microseconds. */
#include "record/sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/output.h"
#include "base/status.h"

/* Figures of /proc/vmstat; a name that ends in '_' stands for the sum over all zones. */
static const char *const vm_names[] = {
	"nr_dirty",
	"nr_writeback",
	"nr_free_pages",
	"nr_inactive_file",
	"nr_active_file",
	"nr_dirty_threshold",
	"nr_dirty_background_threshold",
	"nr_dirtied",
	"nr_written",
	"pgscan_direct",
	"pgscan_kswapd",
	"pgsteal_direct",
	"pgsteal_kswapd",
	"allocstall_",
	"pgpgin",
	"pgpgout",
};

enum {
	VM_NAMES = sizeof vm_names / sizeof vm_names[0],
	CPU_COLUMNS = 6,
	COLUMN_BYTES = 32, /* the longest name, the longest number */
	TEXT_FIRST = 16 << 10,
	TEXT_MAX = 8 << 20,
};

static const char *const cpu_names[CPU_COLUMNS] = { "user", "system", "iowait", "irq", "softirq",
	"idle" };

/* The file as it is now. NULL where it cannot be read. */
static const char *read_all(struct btvi_sampler *s, int fd)
{
	for (;;) {
		size_t have = 0;
		ssize_t n = 0;
		char *more;

		while (have + 1 < s->text_room &&
			(n = pread(fd, s->text + have, s->text_room - have - 1, (off_t)have)) > 0)
			have += (size_t)n;
		if (n < 0)
			return NULL;
		if (have + 1 < s->text_room) {
			s->text[have] = '\0';
			return s->text;
		}
		if (s->text_room >= TEXT_MAX)
			return NULL;
		more = realloc(s->text, s->text_room * 2);
		if (!more)
			return NULL;
		s->text = more;
		s->text_room *= 2;
	}
}

/* Which of the known figures a line of vmstat gives, or -1; *ret_value its number. */
static int vm_line(const char *line, uint64_t *ret_value)
{
	const size_t n = strcspn(line, " \n");

	if (line[n] != ' ')
		return -1;
	for (int i = 0; i < VM_NAMES; i++) {
		const size_t len = strlen(vm_names[i]);

		if (vm_names[i][len - 1] == '_' ? n > len && strncmp(line, vm_names[i], len) == 0
						: n == len && memcmp(line, vm_names[i], n) == 0) {
			*ret_value = strtoull(line + n + 1, NULL, 10);
			return i;
		}
	}
	return -1;
}

/* Goes through vmstat; found[i] says whether the figure is there, value[i] what it is. */
static bool read_vm(struct btvi_sampler *s, bool *found, uint64_t *value)
{
	const char *line = read_all(s, s->vmstat_fd);

	memset(found, 0, VM_NAMES * sizeof *found);
	memset(value, 0, VM_NAMES * sizeof *value);
	if (!line)
		return false;
	while (line) {
		uint64_t v;
		const int i = vm_line(line, &v);

		if (i >= 0) {
			found[i] = true;
			value[i] += v;
		}
		line = strchr(line, '\n');
		line = line && line[1] ? line + 1 : NULL;
	}
	return true;
}

/* Goes through the cpu lines of stat. A CPU that is gone keeps its last figures. cells may be NULL.
 */
static size_t read_cpus(struct btvi_sampler *s, uint64_t *cells)
{
	const char *line = read_all(s, s->stat_fd);
	size_t most = 0;

	for (; line && strncmp(line, "cpu", 3) == 0;
		line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		uint64_t v[7] = { 0 };
		size_t cpu = 0;
		char *p = (char *)line + 3;

		if (*p != ' ')
			cpu = strtoul(p, &p, 10) + 1;
		if (cpu > BTVI_CPU_MAX)
			continue;
		for (int i = 0; i < 7; i++)
			v[i] = strtoull(p, &p, 10);
		most = cpu > most ? cpu : most;
		if (!cells || cpu > s->cpus)
			continue;
		/* user nice system idle iowait irq softirq */
		cells[cpu * CPU_COLUMNS + 0] = v[0] + v[1];
		cells[cpu * CPU_COLUMNS + 1] = v[2];
		cells[cpu * CPU_COLUMNS + 2] = v[4];
		cells[cpu * CPU_COLUMNS + 3] = v[5];
		cells[cpu * CPU_COLUMNS + 4] = v[6];
		cells[cpu * CPU_COLUMNS + 5] = v[3];
	}
	return most;
}

static enum btviz_status write_line(struct btvi_sampler *s, size_t size, struct btviz_error *err)
{
	s->line[size++] = '\n';
	if (fwrite(s->line, 1, size, s->file) != size)
		return btvi_fail_errno(err, errno, "cannot write to %s", s->path);
	return BTVIZ_OK;
}

static enum btviz_status write_head(struct btvi_sampler *s, struct btviz_error *err)
{
	char *p = s->line + sprintf(s->line, "time_ns");

	for (size_t i = 0; i < s->vm_columns; i++) {
		const char *name = vm_names[s->vm_index[i]];
		const size_t size = strlen(name) - (name[strlen(name) - 1] == '_');

		p += sprintf(p, ",%.*s", (int)size, name);
	}
	for (size_t i = 0; i < CPU_COLUMNS; i++)
		p += sprintf(p, ",cpu_%s", cpu_names[i]);
	for (size_t cpu = 0; cpu < s->cpus; cpu++)
		for (size_t i = 0; i < CPU_COLUMNS; i++)
			p += sprintf(p, ",cpu%zu_%s", cpu, cpu_names[i]);
	return write_line(s, (size_t)(p - s->line), err);
}

static enum btviz_status prepare(struct btvi_sampler *s, const char *path, struct btviz_error *err)
{
	bool found[VM_NAMES];
	uint64_t value[VM_NAMES];
	enum btviz_status status;
	char name[256];
	int fd;

	snprintf(name, sizeof name, "%s/vmstat", s->proc);
	s->vmstat_fd = open(name, O_RDONLY | O_CLOEXEC);
	snprintf(name, sizeof name, "%s/stat", s->proc);
	s->stat_fd = open(name, O_RDONLY | O_CLOEXEC);
	if (s->vmstat_fd < 0 || s->stat_fd < 0)
		return btvi_fail_errno(err, errno, "cannot open %s/vmstat and stat", s->proc);
	s->text_room = TEXT_FIRST;
	s->text = malloc(s->text_room);
	s->vm_index = calloc(VM_NAMES, sizeof *s->vm_index);
	s->path = strdup(path);
	if (!s->text || !s->vm_index || !s->path)
		return btvi_fail_nomem(err);
	if (!read_vm(s, found, value))
		return btvi_fail_errno(err, errno, "cannot read %s/vmstat", s->proc);
	for (size_t i = 0; i < VM_NAMES; i++)
		if (found[i])
			s->vm_index[s->vm_columns++] = (unsigned char)i;
	s->cpus = read_cpus(s, NULL);
	s->columns = s->vm_columns + (s->cpus + 1) * CPU_COLUMNS;
	s->cells = calloc(s->columns, sizeof *s->cells);
	s->line = malloc((s->columns + 2) * COLUMN_BYTES);
	if (!s->cells || !s->line)
		return btvi_fail_nomem(err);
	s->tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
	status = btvi_output_create(path, &fd, err);
	if (status != BTVIZ_OK)
		return status;
	s->file = fdopen(fd, "a");
	if (!s->file) {
		status = btvi_fail_errno(err, errno, "cannot create %s", path);
		close(fd);
		return status;
	}
	return write_head(s, err);
}

enum btviz_status btvi_sampler_open(
	struct btvi_sampler *s, const char *proc, const char *path, struct btviz_error *err)
{
	enum btviz_status status;

	*s = (struct btvi_sampler){ .proc = proc, .vmstat_fd = -1, .stat_fd = -1 };
	status = prepare(s, path, err);
	if (status != BTVIZ_OK)
		btvi_sampler_close(s, NULL);
	return status;
}

enum btviz_status btvi_sampler_take(
	struct btvi_sampler *s, uint64_t now_ns, struct btviz_error *err)
{
	bool found[VM_NAMES];
	uint64_t value[VM_NAMES];
	const uint64_t per_tick = (uint64_t)(s->tick_s * 1000 + 0.5); /* ms */
	enum btviz_status status;
	char *p = s->line;

	if (read_vm(s, found, value))
		for (size_t i = 0; i < s->vm_columns; i++)
			s->cells[i] = value[s->vm_index[i]];
	read_cpus(s, s->cells + s->vm_columns);
	p += sprintf(p, "%" PRIu64, now_ns);
	for (size_t i = 0; i < s->vm_columns; i++)
		p += sprintf(p, ",%" PRIu64, s->cells[i]);
	for (size_t i = s->vm_columns; i < s->columns; i++) {
		const uint64_t ms = s->cells[i] * per_tick;

		p += sprintf(p, ",%" PRIu64 ".%02u", ms / 1000, (unsigned)(ms % 1000 / 10));
	}
	status = write_line(s, (size_t)(p - s->line), err);
	s->rows++;
	/* Now and then, so that a recorder that is killed leaves its readings. */
	if (status == BTVIZ_OK && s->rows % 16 == 0 && fflush(s->file) != 0)
		status = btvi_fail_errno(err, errno, "cannot write to %s", s->path);
	return status;
}

enum btviz_status btvi_sampler_close(struct btvi_sampler *s, struct btviz_error *err)
{
	enum btviz_status status = BTVIZ_OK;

	bool failed = false;

	if (s->file) {
		failed = fflush(s->file) != 0 || fsync(fileno(s->file)) != 0;
		if (fclose(s->file) != 0 || failed)
			status = btvi_fail_errno(err, errno, "cannot write to %s", s->path);
	}
	if (s->vmstat_fd >= 0)
		close(s->vmstat_fd);
	if (s->stat_fd >= 0)
		close(s->stat_fd);
	free(s->text);
	free(s->vm_index);
	free(s->cells);
	free(s->line);
	free(s->path);
	*s = (struct btvi_sampler){ .vmstat_fd = -1, .stat_fd = -1 };
	return status;
}
