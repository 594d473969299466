/* finding_load.c - rules about the kind of load and how the disks took it: requeues,
 * seek-bound-readers, small-unmerged, flush-bound, queue-depth-1, submitter-bound. */
#include "judge/finding.h"

#include <math.h>
#include <stdio.h>

/* A requeue now and then is how a busy host works; one request in a hundred is not. */
static const double requeue_part_warning = 0.01;

/* Fewer I/Os than this say nothing about a run's manner of working. */
static const uint64_t ios_least = 100;

/* A process takes part in the reading from this many reads on, and with a tenth of an equal share.
 */
static const uint64_t reader_ios_least = 32;
static const double reader_part_least = 0.1;

/* Sequential readers are the subject where they move this much of the bytes. */
static const double reads_part_least = 0.5;

/* A reader is sequential where less than this part of its own reads are seeks … */
static const double reader_seeks_most = 0.25;

/* … and the disks seek between them where this part of the requests are. One sequential stream has
 * next to none; two in turn have every second. */
static const double disk_seeks_least = 0.3;
static const double disk_seeks_bad = 0.6;

/* The disks must also have been busy: seeks of an idle disk cost nobody anything. */
static const double busy_least = 0.3;

/* Requests of a page or few, in sequence, and not put together: the queue's work is not done. */
static const double small_bytes_most = 16 * 1024;
static const double merge_ratio_most = 1.1;
static const double small_seeks_most = 0.5;

/* A flush takes a disk some milliseconds: at five a second, with less than 4 MiB written between
 * two (a fortieth of a second of a disk's writing), flushing decides the speed. */
static const double flushes_per_s_least = 5;
static const double bytes_a_flush_most = 4 << 20;

/* Average I/Os outstanding while there are any. */
static const double depth_one_most = 1.1;

/* Members that take turns have one request in flight among them, or less. */
static const double turns_most = 1.2;

/* A device that waits for work for half of the time, and not in gaps, is not what limits the run.
 * One that nearly always waits has none. */
static const double idle_least = 0.5;
static const double idle_most = 0.95;
static const double own_time_least = 0.5; /* of the run that it was in use for */
static const double gaps_part_most = 0.1;
static const double unpaired_part_most = 0.02;

/* I/Os with data that went to the disk (were issued); seeks are counted among them. */
static double issued_ios(const struct btviz_device *d)
{
	return (double)d->actions[BTVIZ_OP_READ][BTVIZ_ISSUED].ios +
		(double)d->actions[BTVIZ_OP_WRITE][BTVIZ_ISSUED].ios;
}

static double issued_bytes(const struct btviz_device *d)
{
	return (double)d->actions[BTVIZ_OP_READ][BTVIZ_ISSUED].bytes +
		(double)d->actions[BTVIZ_OP_WRITE][BTVIZ_ISSUED].bytes;
}

static void requeues(const struct btviz_device *d, struct btviz_findings *list)
{
	struct btvi_finding_draft draft = { .name = "requeues" };
	char count[BTVI_QUANTITY_SIZE], share[BTVI_QUANTITY_SIZE];
	uint64_t n = 0, issued = 0;

	for (int op = 0; op < BTVIZ_OP_COUNT; op++) {
		n += d->actions[op][BTVIZ_REQUEUED].ios;
		issued += d->actions[op][BTVIZ_ISSUED].ios;
	}
	if (n == 0)
		return;
	draft.weight = btvi_share((double)n, (double)issued);
	draft.severity = draft.weight >= requeue_part_warning ? BTVIZ_SEV_WARNING : BTVIZ_SEV_NOTE;
	btvi_finding_evidence(&draft, "count", (double)n, "");
	btvi_finding_evidence(&draft, "share", draft.weight, "");
	btvi_finding_evidence(&draft, "device", d->device, "device");
	btvi_finding_add(list, &draft,
		"%s request%s to %s went back to the queue, %s of those issued: the driver or host was "
		"busy.",
		btvi_quantity_count(n, count), n == 1 ? "" : "s", d->name,
		btvi_quantity_share(draft.weight, share));
}

/* All request devices together, and the busiest of them. */
struct disks {
	double ios, bytes, seeks, queued, busiest;
	size_t count;
};

static struct disks sum_disks(const struct btviz_figures *f)
{
	struct disks sum = { 0 };

	for (size_t i = 0; i < f->device_count; i++) {
		const struct btviz_device *const d = f->devices[i];

		if (!d->request_based || d->role == BTVIZ_ROLE_PARTITION)
			continue;
		sum.count++;
		sum.ios += issued_ios(d);
		sum.bytes += issued_bytes(d);
		sum.seeks += (double)d->seeks;
		sum.queued += (double)d->actions[BTVIZ_OP_READ][BTVIZ_QUEUED].ios +
			(double)d->actions[BTVIZ_OP_WRITE][BTVIZ_QUEUED].ios;
		if (d->utilisation > sum.busiest)
			sum.busiest = d->utilisation;
	}
	return sum;
}

/* What the processes read, and those of them that read in sequence. */
struct readers {
	double all_bytes, read_bytes, sequential_bytes;
	uint64_t count; /* of sequential ones */
};

static struct readers find_readers(const struct btviz_figures *f)
{
	struct readers r = { 0 };
	double candidates = 0;

	for (size_t i = 0; i < f->process_count; i++) {
		const struct btviz_process *const p = f->processes[i];

		r.all_bytes += (double)p->read.bytes + (double)p->write.bytes;
		r.read_bytes += (double)p->read.bytes;
		candidates += p->read.ios >= reader_ios_least;
	}
	for (size_t i = 0; i < f->process_count; i++) {
		const struct btviz_process *const p = f->processes[i];

		if (p->read.ios >= reader_ios_least &&
			(double)p->read.bytes * candidates >= reader_part_least * r.read_bytes &&
			(double)p->seeks <= reader_seeks_most * (double)p->read.ios) {
			r.count++;
			r.sequential_bytes += (double)p->read.bytes;
		}
	}
	return r;
}

static void seek_bound_readers(const struct btviz_figures *f, struct btviz_findings *list)
{
	const struct disks disks = sum_disks(f);
	const struct readers readers = find_readers(f);
	const double part = btvi_share(disks.seeks, disks.ios);
	struct btvi_finding_draft draft = { .name = "seek-bound-readers" };
	char count[BTVI_QUANTITY_SIZE], rate[BTVI_QUANTITY_SIZE], share[BTVI_QUANTITY_SIZE];
	char between[BTVI_QUANTITY_SIZE];

	if (f->top_count != 1 || readers.count < 2 || disks.ios < (double)ios_least ||
		readers.sequential_bytes < reads_part_least * readers.all_bytes ||
		part < disk_seeks_least || disks.busiest < busy_least || !(f->span_s > 0))
		return;
	draft.severity = part >= disk_seeks_bad ? BTVIZ_SEV_BAD : BTVIZ_SEV_WARNING;
	draft.weight = part;
	btvi_finding_evidence(&draft, "readers", (double)readers.count, "");
	btvi_finding_evidence(&draft, "seeks_per_s", disks.seeks / f->span_s, "1/s");
	btvi_finding_evidence(&draft, "seek_share", part, "");
	btvi_finding_evidence(&draft, "bytes_per_s", disks.bytes / f->span_s, "bytes/s");
	btvi_finding_add(list, &draft,
		"%s processes read in parallel, each in sequence, and the disks seek between them: %s of "
		"the requests are seeks, one every %s, at %s.",
		btvi_quantity_count(readers.count, count), btvi_quantity_share(part, share),
		btvi_quantity_bytes(disks.bytes / disks.seeks, between),
		btvi_quantity_rate(disks.bytes / f->span_s, rate));
}

static void small_unmerged(const struct btviz_figures *f, struct btviz_findings *list)
{
	const struct disks disks = sum_disks(f);
	const double size = btvi_share(disks.bytes, disks.ios);
	const double ratio = btvi_share(disks.queued, disks.ios);
	const double part = btvi_share(disks.seeks, disks.ios);
	struct btvi_finding_draft draft = {
		.name = "small-unmerged", .severity = BTVIZ_SEV_WARNING, .weight = 1 - part
	};
	char bytes[BTVI_QUANTITY_SIZE], share[BTVI_QUANTITY_SIZE], times[BTVI_QUANTITY_SIZE];

	if (disks.ios < (double)ios_least || size > small_bytes_most || size <= 0 ||
		disks.queued <= 0 || ratio > merge_ratio_most || part > small_seeks_most)
		return;
	btvi_finding_evidence(&draft, "average", size, "bytes");
	btvi_finding_evidence(&draft, "merge_ratio", ratio, "");
	btvi_finding_evidence(&draft, "seek_share", part, "");
	btvi_finding_add(list, &draft,
		"Requests reach the disks small and unmerged, %s on average (%s bios each), although %s "
		"of them follow the one before.",
		btvi_quantity_bytes(size, bytes), btvi_quantity_fixed(ratio, 2, times),
		btvi_quantity_share(1 - part, share));
}

static void flush_bound(
	const struct btviz_figures *f, const struct btviz_device *d, struct btviz_findings *list)
{
	const struct btviz_count writes = d->moved[BTVIZ_DIR_WRITE];
	const double forced = (double)(d->flushes > d->fua ? d->flushes : d->fua);
	const double rate = btvi_share(forced, f->span_s);
	const double between = btvi_share((double)writes.bytes, forced);
	struct btvi_finding_draft draft = { .name = "flush-bound", .severity = BTVIZ_SEV_WARNING };
	char per_s[BTVI_QUANTITY_SIZE], bytes[BTVI_QUANTITY_SIZE], ios[BTVI_QUANTITY_SIZE];

	if (forced < (double)ios_least / 2 || rate < flushes_per_s_least ||
		between > bytes_a_flush_most)
		return;
	draft.weight = btvi_share(forced, forced + (double)writes.ios);
	btvi_finding_evidence(&draft, "flushes", (double)d->flushes, "");
	btvi_finding_evidence(&draft, "fua", (double)d->fua, "");
	btvi_finding_evidence(&draft, "per_s", rate, "1/s");
	btvi_finding_evidence(&draft, "bytes_between", between, "bytes");
	btvi_finding_add(list, &draft,
		"Flushes set the pace of %s: %s flush or FUA requests a second, with %s write%s (%s) "
		"from one to the next.",
		d->name, btvi_quantity_fixed(rate, 1, per_s),
		btvi_quantity_fixed(btvi_share((double)writes.ios, forced), 1, ios),
		btvi_share((double)writes.ios, forced) == 1 ? "" : "s",
		btvi_quantity_bytes(between, bytes));
}

/* Requests that the members have in flight while the array has something outstanding; their own
 * traffic (a check) would count as if they worked together: NaN with one. */
static double members_at_once(
	const struct btviz_figures *f, const struct btviz_array *a, const struct btviz_device *d)
{
	double sum = 0;

	if (a->sync || !(d->utilisation > 0))
		return NAN;
	for (size_t i = 0; i < a->member_count; i++) {
		const struct btviz_device *const m = btvi_figures_device(f, a->members[i]->device);
		const double depth = !m    ? NAN
			: m->request_based ? m->in_flight_avg
					   : m->outstanding_avg;

		if (!isnan(depth))
			sum += depth;
	}
	return sum > 0 ? sum / d->utilisation : NAN;
}

static void queue_depth_1(
	const struct btviz_figures *f, const struct btviz_device *d, struct btviz_findings *list)
{
	const struct btviz_array *const a = btvi_figures_array(f, d->device);
	const double busy = d->request_based ? d->in_flight_avg : d->outstanding_avg;
	const double depth = d->utilisation > 0 ? busy / d->utilisation : NAN;
	const double ios =
		(double)d->moved[BTVIZ_DIR_READ].ios + (double)d->moved[BTVIZ_DIR_WRITE].ios;
	struct btvi_finding_draft draft = { .name = "queue-depth-1", .severity = BTVIZ_SEV_NOTE };
	char at_once[BTVI_QUANTITY_SIZE];
	double together;

	if (isnan(depth) || depth > depth_one_most || d->utilisation < busy_least ||
		ios < (double)ios_least)
		return;
	btvi_finding_evidence(&draft, "depth_while_busy", depth, "");
	btvi_finding_evidence(&draft, "utilisation", d->utilisation, "");
	together = a ? members_at_once(f, a, d) : NAN;
	if (a && a->member_count > 1 && !isnan(together)) {
		btvi_finding_evidence(&draft, "members", (double)a->member_count, "");
		btvi_finding_evidence(&draft, "members_at_once", together, "");
	}
	if (a && a->member_count > 1 && together <= turns_most)
		btvi_finding_add(list, &draft,
			"%s has one I/O outstanding at a time: its %zu members take turns instead of "
			"working together.",
			d->name, a->member_count);
	else if (a && a->member_count > 1 && !isnan(together))
		btvi_finding_add(list, &draft,
			"%s has one I/O outstanding at a time, which its members serve together: %s "
			"requests in flight on average; the next waits for the slowest of them.",
			d->name, btvi_quantity_fixed(together, 1, at_once));
	else
		btvi_finding_add(list, &draft,
			"%s has one I/O outstanding at a time: each waits for the one before.",
			d->name);
}

static void submitter_bound(
	const struct btviz_figures *f, const struct btviz_device *d, struct btviz_findings *list)
{
	/* Of the time from its first to its last event: who has left waits for nothing. */
	const double own_s = (double)(d->last_ns - d->first_ns) * 1e-9;
	const double idle = 1 - fmin(1, btvi_share(d->utilisation * f->span_s, own_s));
	const double in_gaps = btvi_share(d->gap_totals[BTVIZ_GAP_SUBMIT].total_s, f->span_s);
	const double ios =
		(double)d->moved[BTVIZ_DIR_READ].ios + (double)d->moved[BTVIZ_DIR_WRITE].ios;
	struct btvi_finding_draft draft = {
		.name = "submitter-bound", .severity = BTVIZ_SEV_NOTE, .weight = idle
	};
	char share[BTVI_QUANTITY_SIZE];

	/* Where events are missing, it is not known what was outstanding. */
	if (!(idle >= idle_least && idle < idle_most) || own_s < own_time_least * f->span_s ||
		in_gaps >= gaps_part_most || ios < (double)ios_least ||
		(double)d->unpaired > unpaired_part_most * ios)
		return;
	btvi_finding_evidence(&draft, "idle_share", idle, "");
	btvi_finding_evidence(&draft, "bytes_per_s",
		btvi_share((double)d->moved[BTVIZ_DIR_READ].bytes +
				(double)d->moved[BTVIZ_DIR_WRITE].bytes,
			f->span_s),
		"bytes/s");
	btvi_finding_add(list, &draft,
		"%s had nothing to do for %s of its time, in pauses none of which stands out: who submits "
		"sets the pace, not the disks.",
		d->name, btvi_quantity_share(idle, share));
}

void btvi_findings_load(const struct btviz_figures *f, struct btviz_findings *list)
{
	for (size_t i = 0; i < f->device_count; i++)
		requeues(f->devices[i], list);
	seek_bound_readers(f, list);
	small_unmerged(f, list);
	for (size_t i = 0; i < f->top_count; i++) {
		const struct btviz_device *const d = btvi_figures_top(f, i);

		if (d) {
			flush_bound(f, d, list);
			queue_depth_1(f, d, list);
			submitter_bound(f, d, list);
		}
	}
}
