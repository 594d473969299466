/* figures_circumstances.c - what went on while nothing was submitted to a device: what the disks
 * did for others, flushes, programs that ended and began. Which pauses are gaps figures_gaps.c
 * knows. */
#include <math.h>
#include <string.h>

#include "measure/figures.h"

/* Threads of the kernel that submit for programs: that one of them was there only before a pause,
 * and another only behind it, says nothing of the programs. */
static bool is_kernel_thread(const char *comm)
{
	static const char *const prefixes[] = { "kworker/", "jbd2/", "kswapd", "xfsaild", "btrfs-",
		"ext4lazyinit", "flush-", "md", "dm_", "dmcrypt", "ksoftirqd", "kthreadd" };

	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (strncmp(comm, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

/* Whether everybody who submits is either before the gap or behind it, and those next to it are
 * programs. */
static bool is_between_programs(const struct btvi_figures *f, const struct btviz_gap *g)
{
	bool ended = false, began = false;

	if (g->before_pid == 0 || g->after_pid == 0 || g->before_pid == g->after_pid ||
		g->before_comm[0] == '\0' || g->after_comm[0] == '\0' ||
		is_kernel_thread(g->before_comm) || is_kernel_thread(g->after_comm))
		return false;
	for (size_t i = 0; i < f->pub.process_count; i++) {
		const struct btviz_process *const p = f->pub.processes[i];

		/* Those beyond the limit are one: who of them was when is not known. */
		if (p->pid == 0 && p->comm && strcmp(p->comm, "others") == 0)
			return false;
		if (p->first_s < g->end_s && p->last_s > g->start_s)
			return false;
		ended |= p->pid == g->before_pid && p->last_s <= g->start_s;
		began |= p->pid == g->after_pid && p->first_s >= g->end_s;
	}
	return ended && began;
}

/* Whether somebody who submitted before the gap went on behind it: a program by itself, or
 * writeback whose threads take turns. Then it was held up, and did not just come to its end. */
static bool is_continued(const struct btvi_figures *f, const struct btviz_gap *g)
{
	if (strncmp(g->before_comm, "kworker/", 8) == 0 &&
		strncmp(g->after_comm, "kworker/", 8) == 0)
		return true;
	for (size_t i = 0; i < f->pub.process_count; i++) {
		const struct btviz_process *const p = f->pub.processes[i];

		if (p->first_s <= g->start_s && p->last_s >= g->end_s &&
			!is_kernel_thread(p->comm ? p->comm : ""))
			return true;
	}
	return false;
}

/* Whether I/O ends there: nothing that is traced lies below it, and it is not part of a disk that
 * is traced. */
static bool is_disk(const struct btvi_figures *f, size_t index)
{
	const struct btviz_device *const d = &f->devices[index];

	if (d->role == BTVIZ_ROLE_ARRAY || f->sources[index]->events == 0)
		return false;
	for (size_t i = 0; i < f->pub.device_count && d->role == BTVIZ_ROLE_PARTITION; i++)
		if (i != index && f->devices[i].role != BTVIZ_ROLE_PARTITION &&
			btvi_is_partition_of(d->device, f->devices[i].device))
			return false;
	return true;
}

static double sum(const struct btvi_device *d, unsigned first, double from_ns, double to_ns)
{
	double all = 0;

	for (unsigned dir = 0; dir < BTVI_DIRECTIONS; dir++)
		all += btvi_series_sum(&d->series, first + dir, from_ns, to_ns);
	return all;
}

void btvi_gap_circumstances(struct btvi_figures *f, const struct btviz_summary *s,
	struct btviz_gap *g, const struct btvi_pause *p)
{
	double ios = 0, bytes = 0;

	(void)s;
	g->flushes = p->flushes;
	g->between_programs = is_between_programs(f, g);
	g->continued = is_continued(f, g);
	for (size_t i = 0; i < f->pub.device_count; i++) {
		const struct btvi_device *const d = f->sources[i];
		const double bucket = (double)(UINT64_C(1) << d->series.time.shift);
		/* The buckets at its edges hold what was before and behind it, too. */
		const double from = (double)(p->end_ns - p->length_ns) + bucket;
		const double to = (double)p->end_ns - bucket;

		if (!is_disk(f, i) || to <= from)
			continue;
		ios += sum(d, BTVI_COL_IOS, from, to);
		bytes += sum(d, BTVI_COL_BYTES, from, to);
		g->disks_busy_s = fmax(g->disks_busy_s, btvi_device_busy_ns(d, from, to) * 1e-9);
	}
	g->disks_ios = (uint64_t)ceil(ios);
	g->disks_bytes = (uint64_t)ceil(bytes);
}
