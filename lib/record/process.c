/* process.c - thread numbers to names: from /proc while the thread lives, else from the tracer's
 * own saved_cmdlines. A name is asked for again after a second, since programs are exec'ed after a
 * fork. */
#include "record/process.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/control.h"

enum {
	TABLE_FIRST = 256,
	TABLE_MAX = 1 << 16, /* beyond, all names are asked for anew */
	CMDLINES_BYTES = 4 << 20,
};

static const uint64_t stale_ns = 1000000000, cmdlines_stale_ns = 50000000;

static size_t slot_of(const struct btvi_process *table, size_t size, uint32_t pid)
{
	size_t i = (pid * 2654435761U) & (size - 1);

	while (table[i].asked_ns != 0 && table[i].pid != pid)
		i = (i + 1) & (size - 1);
	return i;
}

/* The pid's slot, new or not; NULL without memory. */
static struct btvi_process *find(struct btvi_processes *p, uint32_t pid)
{
	if (p->count * 2 >= p->size) {
		const bool full = p->size >= TABLE_MAX;
		const size_t size = full ? TABLE_FIRST : p->size ? p->size * 2 : TABLE_FIRST;
		struct btvi_process *table = calloc(size, sizeof *table);

		if (!table)
			return NULL;
		for (size_t i = 0; i < p->size && !full; i++)
			if (p->table[i].asked_ns != 0)
				table[slot_of(table, size, p->table[i].pid)] = p->table[i];
		free(p->table);
		p->table = table;
		p->size = size;
		p->count = full ? 0 : p->count;
	}
	return &p->table[slot_of(p->table, p->size, pid)];
}

/* A workqueue's thread is called after what it does at the moment; its own name is what stands
 * before. */
static void set_name(char *name, const char *text)
{
	size_t n = strcspn(text, "\n");

	if (strncmp(text, "kworker/", 8) == 0)
		n = strcspn(text, "-+\n");
	if (n > BTVI_PROCESS_NAME - 1)
		n = BTVI_PROCESS_NAME - 1;
	memset(name, 0, BTVI_PROCESS_NAME);
	memcpy(name, text, n);
}

static bool from_proc(const struct btvi_processes *p, uint32_t pid, char *name)
{
	char path[256], line[64];

	snprintf(path, sizeof path, "%s/%u", p->proc, pid);
	if (!btvi_control_line(path, "comm", line, sizeof line))
		return false;
	set_name(name, line);
	return true;
}

/* "pid comm" lines. */
static bool from_cmdlines(struct btvi_processes *p, uint32_t pid, uint64_t now_ns, char *name)
{
	char want[16];
	const char *line;
	size_t n;

	if (!p->tracefs)
		return false;
	if (!p->cmdlines || now_ns - p->cmdlines_ns > cmdlines_stale_ns) {
		free(p->cmdlines);
		p->cmdlines = btvi_control_text(p->tracefs, "saved_cmdlines", CMDLINES_BYTES, NULL);
		p->cmdlines_ns = now_ns;
	}
	n = (size_t)snprintf(want, sizeof want, "%u ", pid);
	for (line = p->cmdlines; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, want, n) == 0 && strncmp(line + n, "<...>", 5) != 0) {
			set_name(name, line + n);
			return true;
		}
	}
	return false;
}

const char *btvi_process_news(struct btvi_processes *p, uint32_t pid, uint64_t now_ns)
{
	struct btvi_process *known;
	char name[BTVI_PROCESS_NAME];

	/* Nearly every event is of the thread before. */
	if (pid == p->last_pid && p->last_ns != 0 && now_ns - p->last_ns < stale_ns)
		return NULL;
	known = find(p, pid);
	if (!known)
		return NULL;
	p->last_pid = pid;
	p->last_ns = known->asked_ns;
	if (known->asked_ns != 0 && (pid == 0 || now_ns - known->asked_ns < stale_ns))
		return NULL;
	if (known->asked_ns == 0) {
		*known = (struct btvi_process){ .pid = pid };
		p->count++;
	}
	known->asked_ns = now_ns ? now_ns : 1;
	p->last_ns = known->asked_ns;
	if (pid == 0)
		set_name(name, "swapper/0");
	else if (!from_proc(p, pid, name) &&
		(known->name[0] || !from_cmdlines(p, pid, now_ns, name)))
		return NULL;
	if (memcmp(name, known->name, sizeof name) == 0)
		return NULL;
	memcpy(known->name, name, sizeof name);
	return known->name;
}

void btvi_processes_done(struct btvi_processes *p)
{
	free(p->table);
	free(p->cmdlines);
	*p = (struct btvi_processes){ 0 };
}
