/* report_figures.c - names, rates, intervals and merged processes: what all forms of the report
 * need beyond the library's figures. Prints nothing. */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "say.h"

/* A report of more lines than this helps nobody, and must not take the machine's memory. */
enum { INTERVALS_MAX = 100000 };

bool report_knows(
	const struct report_run *run, const struct btviz_device *d, enum btviz_station station)
{
	if (run->f->categories_missing & 1U << station)
		return false;
	switch (station) {
	case BTVIZ_MERGED:
	case BTVIZ_ISSUED:
	case BTVIZ_REQUEUED:
		return d->request_based;
	case BTVIZ_COMPLETED:
		return d->basis == BTVIZ_BASIS_COMPLETE || d->basis == BTVIZ_BASIS_NONE;
	case BTVIZ_QUEUED:
	case BTVIZ_STATION_COUNT:
		break;
	}
	return true;
}

double report_per_s(const struct report_run *run, double x)
{
	return run->f->span_s > 0 ? x / run->f->span_s : NAN;
}

double report_start_s(const struct btviz_figures *f)
{
	return (double)(f->start_ns - f->origin_ns) / 1e9;
}

const char *report_wall_start(const struct btviz_figures *f, char *out, size_t size)
{
	const time_t t = (time_t)f->wall_sec;
	struct tm tm;
	size_t n;

	out[0] = '\0';
	if (!f->has_wall || !gmtime_r(&t, &tm))
		return out;
	n = strftime(out, size, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(out + n, size - n, ".%09uZ", (unsigned)f->wall_nsec);
	return out;
}

const char *report_device_name(
	const struct btviz_figures *f, uint32_t device, char *out, size_t size)
{
	for (size_t i = 0; i < f->device_count; i++)
		if (f->devices[i]->device == device)
			return f->devices[i]->name;
	snprintf(out, size, "%u,%u", BTVIZ_MAJOR(device), BTVIZ_MINOR(device));
	return out;
}

/* ---- intervals ----------------------------------------------------------------------------- */

/* clang-format off */
#define COLUMN(member, course, direction, name, measure, unit) \
	{ offsetof(struct report_interval, member), BTVIZ_COURSE_##course, BTVIZ_DIR_##direction, \
		name, "interval." measure, unit }

const struct report_column report_columns[] = {
	COLUMN(ios_per_s[0], IOS, READ, "reads_per_s", "iops", "1/s"),
	COLUMN(ios_per_s[1], IOS, WRITE, "writes_per_s", "iops", "1/s"),
	COLUMN(bytes_per_s[0], BYTES, READ, "read_bytes_per_s", "throughput", "bytes/s"),
	COLUMN(bytes_per_s[1], BYTES, WRITE, "write_bytes_per_s", "throughput", "bytes/s"),
	COLUMN(merges_per_s[0], MERGES, READ, "read_merges_per_s", "merges", "1/s"),
	COLUMN(merges_per_s[1], MERGES, WRITE, "write_merges_per_s", "merges", "1/s"),
	COLUMN(await_s, QUEUE_LATENCY, ALL, "await_s", "await", "s"),
	COLUMN(outstanding, OUTSTANDING, ALL, "outstanding", "outstanding", ""),
	COLUMN(busy, BUSY, ALL, "utilisation", "utilisation", ""),
};
const size_t report_column_count = sizeof report_columns / sizeof report_columns[0];

#define QUANTILE(member) { #member, offsetof(struct btviz_distribution, member) }

const struct report_quantile report_quantiles[REPORT_QUANTILES] = {
	QUANTILE(min), QUANTILE(avg), QUANTILE(p50), QUANTILE(p90), QUANTILE(p99), QUANTILE(p999),
	QUANTILE(max),
};
/* clang-format on */

double report_double(const void *object, size_t offset)
{
	double x;

	memcpy(&x, (const char *)object + offset, sizeof x);
	return x;
}

/* One column of one device: the whole intervals at once, and the rest of the run behind them. */
static bool fill_column(struct report_run *run, size_t device, size_t column, uint64_t interval_ns,
	size_t whole, double *values)
{
	const struct btviz_figures *const f = run->f;
	const uint64_t whole_end = f->start_ns + whole * interval_ns;

	if (whole > 0 &&
		btviz_summary_series(run->summary, device, report_columns[column].course,
			report_columns[column].direction, f->start_ns, whole_end, whole,
			values) != BTVIZ_OK)
		return false;
	return whole == run->interval_count ||
		btviz_summary_series(run->summary, device, report_columns[column].course,
			report_columns[column].direction, whole_end, f->end_ns, 1,
			values + whole) == BTVIZ_OK;
}

static bool fill_device(
	struct report_run *run, size_t device, uint64_t interval_ns, size_t whole, double *values)
{
	struct report_interval *const rows = run->intervals[device];
	const double zero_s = report_start_s(run->f);

	for (size_t c = 0; c < report_column_count; c++) {
		if (!fill_column(run, device, c, interval_ns, whole, values))
			return false;
		for (size_t i = 0; i < run->interval_count; i++)
			memcpy((char *)&rows[i] + report_columns[c].offset, &values[i],
				sizeof values[i]);
	}
	for (size_t i = 0; i < run->interval_count; i++) {
		rows[i].start_s = zero_s + (double)(i * interval_ns) / 1e9;
		rows[i].end_s = zero_s +
			(i < whole ? (double)((i + 1) * interval_ns) / 1e9 : run->f->span_s);
	}
	return true;
}

bool report_intervals_new(struct report_run *run, uint64_t interval_ns)
{
	const struct btviz_figures *const f = run->f;
	const uint64_t span_ns = f->end_ns - f->start_ns;
	const uint64_t whole = span_ns / interval_ns;
	double *values;
	bool ok = true;

	if (interval_ns < btviz_summary_resolution(run->summary)) {
		say("%s: --interval: a run of this length is known in steps of %.3g s; give at least "
		    "that",
			run->label, (double)btviz_summary_resolution(run->summary) / 1e9);
		return false;
	}
	if (whole >= INTERVALS_MAX) {
		say("%s: --interval: more than %d intervals; give a longer one", run->label,
			INTERVALS_MAX);
		return false;
	}
	run->interval_count = (size_t)whole + (whole * interval_ns < span_ns || whole == 0);
	run->intervals = calloc(f->device_count, sizeof *run->intervals);
	values = calloc(run->interval_count, sizeof *values);
	for (size_t d = 0; ok && values && run->intervals && d < f->device_count; d++) {
		run->intervals[d] = calloc(run->interval_count, sizeof *run->intervals[d]);
		ok = run->intervals[d] && fill_device(run, d, interval_ns, (size_t)whole, values);
	}
	ok = ok && values && run->intervals;
	free(values);
	if (!ok)
		say("%s: --interval: out of memory", run->label);
	return ok;
}

void report_intervals_free(struct report_run *run)
{
	if (!run->intervals)
		return;
	for (size_t d = 0; d < run->f->device_count; d++)
		free(run->intervals[d]);
	free(run->intervals);
	run->intervals = NULL;
}

/* ---- processes ----------------------------------------------------------------------------- */

static void add_count(struct btviz_count *sum, const struct btviz_count *part)
{
	sum->ios += part->ios;
	sum->bytes += part->bytes;
}

/* Count, least, average and most add up; quantiles of two distributions do not. */
static void add_distribution(struct btviz_distribution *sum, const struct btviz_distribution *part)
{
	const double total = (double)sum->count + (double)part->count;

	if (part->count == 0)
		return;
	if (sum->count == 0) {
		*sum = *part;
		return;
	}
	sum->avg = (sum->avg * (double)sum->count + part->avg * (double)part->count) / total;
	sum->min = fmin(sum->min, part->min);
	sum->max = fmax(sum->max, part->max);
	sum->count += part->count;
	sum->p50 = sum->p90 = sum->p99 = sum->p999 = NAN;
}

static int compare_processes(const void *a, const void *b)
{
	const struct btviz_process *const x = a, *const y = b;
	const uint64_t p = x->read.bytes + x->write.bytes, q = y->read.bytes + y->write.bytes;

	return p > q ? -1 : p < q ? 1 : strcmp(x->comm, y->comm);
}

/* Those without a name have nothing in common but that. */
static bool is_merged(const char *comm, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], "*") == 0 || strcmp(names[i], comm) == 0)
			return comm[0] != '\0';
	return false;
}

bool report_merge_processes(struct report_run *run, const char *const *names, size_t count)
{
	const struct btviz_figures *const f = run->f;
	size_t n = 0;

	run->processes = calloc(f->process_count ? f->process_count : 1, sizeof *run->processes);
	run->process_list =
		calloc(f->process_count ? f->process_count : 1, sizeof *run->process_list);
	if (!run->processes || !run->process_list) {
		say("out of memory");
		return false;
	}
	for (size_t i = 0; i < f->process_count; i++) {
		const struct btviz_process *const p = f->processes[i];
		struct btviz_process *same = NULL;

		for (size_t k = 0; k < n && is_merged(p->comm, names, count) && !same; k++)
			if (strcmp(run->processes[k].comm, p->comm) == 0)
				same = &run->processes[k];
		if (!same) {
			run->processes[n++] = *p;
			continue;
		}
		same->pid = 0;
		add_count(&same->read, &p->read);
		add_count(&same->write, &p->write);
		add_count(&same->other, &p->other);
		same->seeks += p->seeks;
		add_distribution(&same->latency, &p->latency);
		if (same->cgroup_id != p->cgroup_id)
			same->cgroup_id = 0;
	}
	qsort(run->processes, n, sizeof *run->processes, compare_processes);
	for (size_t i = 0; i < n; i++)
		run->process_list[i] = &run->processes[i];
	run->process_count = n;
	return true;
}

const struct btviz_process *const *report_processes(const struct report_run *run, size_t *ret_count)
{
	*ret_count = run->processes ? run->process_count : run->f->process_count;
	return run->processes ? run->process_list : run->f->processes;
}
