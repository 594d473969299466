/* report_csv.c - the report as tidy CSV: one figure a line, for spreadsheets, sqlite and pandas. A
 * figure that does not exist has an empty value. Decides nothing, computes nothing. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "clean.h"
#include "report.h"

/* What stands in the columns beside measure and value. */
struct row {
	const char *run, *device, *direction, *process;
	double start_s; /* NaN: none */
};

/* A text field. */
static void put_text(FILE *out, const char *text)
{
	char clean[CLEAN_SIZE], field[2 * CLEAN_SIZE + 4];

	fputs(clean_csv(clean_text(text, clean, sizeof clean), field, sizeof field), out);
}

static void put_number(FILE *out, double x)
{
	if (isfinite(x))
		fprintf(out, "%.15g", x);
}

static void put(FILE *out, const struct row *row, const char *direction, const char *measure,
	double value, const char *unit)
{
	put_text(out, row->run);
	fputc(',', out);
	put_text(out, row->device ? row->device : "");
	fprintf(out, ",%s,%s,",
		direction                ? direction
			: row->direction ? row->direction
					 : "",
		measure);
	put_number(out, value);
	fprintf(out, ",%s,", unit);
	put_text(out, row->process ? row->process : "");
	fputc(',', out);
	put_number(out, row->start_s);
	fputc('\n', out);
}

static void put_distribution(FILE *out, const struct row *row, const char *direction,
	const char *name, const struct btviz_distribution *d, const char *unit)
{
	const struct {
		const char *name;
		double value;
	} fields[] = { { "min", d->min }, { "avg", d->avg }, { "p50", d->p50 }, { "p90", d->p90 },
		{ "p99", d->p99 }, { "p999", d->p999 }, { "max", d->max } };
	char measure[64];

	snprintf(measure, sizeof measure, "%s.count", name);
	put(out, row, direction, measure, (double)d->count, "");
	for (size_t i = 0; i < sizeof fields / sizeof fields[0] && d->count > 0; i++) {
		snprintf(measure, sizeof measure, "%s.%s", name, fields[i].name);
		put(out, row, direction, measure, fields[i].value, unit);
	}
}

static void put_actions(FILE *out, const struct report_run *run, const struct row *row,
	const struct btviz_device *d)
{
	for (unsigned op = 0; op < BTVIZ_OP_COUNT; op++) {
		const char *const direction = btviz_op_name((enum btviz_op)op);

		for (unsigned s = 0; s < BTVIZ_STATION_COUNT; s++) {
			const bool known = report_knows(run, d, (enum btviz_station)s);
			const struct btviz_count *const c = &d->actions[op][s];
			char measure[64];

			if (c->ios == 0 && op != BTVIZ_OP_READ && op != BTVIZ_OP_WRITE)
				continue;
			snprintf(measure, sizeof measure, "%s.ios",
				btviz_station_name((enum btviz_station)s));
			put(out, row, direction, measure, known ? (double)c->ios : (double)NAN, "");
			snprintf(measure, sizeof measure, "%s.bytes",
				btviz_station_name((enum btviz_station)s));
			put(out, row, direction, measure, known ? (double)c->bytes : (double)NAN,
				"bytes");
		}
	}
	for (unsigned dir = BTVIZ_DIR_READ; dir <= BTVIZ_DIR_WRITE; dir++) {
		const struct btviz_count c = d->moved[dir];
		const bool known = d->basis != BTVIZ_BASIS_NONE;

		put(out, row, btviz_direction_name((enum btviz_direction)dir), "throughput",
			known ? report_per_s(run, (double)c.bytes) : (double)NAN, "bytes/s");
		put(out, row, btviz_direction_name((enum btviz_direction)dir), "iops",
			known ? report_per_s(run, (double)c.ios) : (double)NAN, "1/s");
	}
}

static void put_gaps(FILE *out, const struct row *row, const struct btviz_device *d)
{
	for (unsigned kind = 0; kind < BTVIZ_GAP_KIND_COUNT; kind++) {
		char measure[64];

		snprintf(measure, sizeof measure, "gaps.%s.count",
			btviz_gap_kind_name((enum btviz_gap_kind)kind));
		put(out, row, NULL, measure, (double)d->gap_totals[kind].count, "");
		snprintf(measure, sizeof measure, "gaps.%s.total",
			btviz_gap_kind_name((enum btviz_gap_kind)kind));
		put(out, row, NULL, measure, d->gap_totals[kind].total_s, "s");
	}
	for (size_t i = 0; i < d->gap_count; i++) {
		const struct btviz_gap *const g = d->gaps[i];
		struct row at = *row;
		char measure[64];

		at.start_s = g->start_s;
		snprintf(measure, sizeof measure, "gap.%s", btviz_gap_kind_name(g->kind));
		put(out, &at, NULL, measure, g->end_s - g->start_s, "s");
	}
}

static void put_intervals(
	FILE *out, const struct report_run *run, const struct row *row, size_t device)
{
	for (size_t i = 0; run->intervals && i < run->interval_count; i++) {
		const struct report_interval *const r = &run->intervals[device][i];
		struct row at = *row;

		at.start_s = r->start_s;
		for (unsigned dir = 0; dir < 2; dir++) {
			const char *const direction = dir ? "write" : "read";

			put(out, &at, direction, "interval.iops", r->ios_per_s[dir], "1/s");
			put(out, &at, direction, "interval.throughput", r->bytes_per_s[dir],
				"bytes/s");
			put(out, &at, direction, "interval.merges", r->merges_per_s[dir], "1/s");
		}
		put(out, &at, NULL, "interval.await", r->await_s, "s");
		put(out, &at, NULL, "interval.outstanding", r->outstanding, "");
		put(out, &at, NULL, "interval.utilisation", r->busy, "");
	}
}

static void put_device(FILE *out, const struct report_run *run, size_t index)
{
	const struct btviz_device *const d = run->f->devices[index];
	const struct row row = { .run = run->label, .device = d->name, .start_s = NAN };

	put_actions(out, run, &row, d);
	put(out, &row, NULL, "seeks", (double)d->seeks, "");
	put(out, &row, NULL, "seeks_per_s", report_per_s(run, (double)d->seeks), "1/s");
	put_distribution(out, &row, NULL, "seek_distance", &d->seek_sectors, "sectors");
	put(out, &row, NULL, "flushes", (double)d->flushes, "");
	put(out, &row, NULL, "fua", (double)d->fua, "");
	for (size_t i = 0; i < d->error_count; i++) {
		char measure[64];

		snprintf(measure, sizeof measure, "errors.%d", d->errors[i].error);
		put(out, &row, NULL, measure, (double)d->errors[i].count, "");
	}
	for (unsigned k = 0; k < BTVIZ_INTERVAL_COUNT; k++) {
		for (unsigned dir = 0; dir < BTVIZ_DIR_COUNT; dir++) {
			char name[32];

			snprintf(name, sizeof name, "latency.%s",
				btviz_interval_name((enum btviz_interval)k));
			put_distribution(out, &row, btviz_direction_name((enum btviz_direction)dir),
				name, &d->latency[k][dir], "s");
		}
	}
	for (unsigned dir = 0; dir < BTVIZ_DIR_COUNT; dir++) {
		put_distribution(out, &row, btviz_direction_name((enum btviz_direction)dir),
			"size.queued", &d->queued_bytes[dir], "bytes");
		put_distribution(out, &row, btviz_direction_name((enum btviz_direction)dir),
			"size.issued", &d->issued_bytes[dir], "bytes");
	}
	put(out, &row, NULL, "outstanding.avg", d->outstanding_avg, "");
	put(out, &row, NULL, "outstanding.max", d->outstanding_max, "");
	put(out, &row, NULL, "in_flight.avg", d->in_flight_avg, "");
	put(out, &row, NULL, "in_flight.max", d->in_flight_max, "");
	put(out, &row, NULL, "merge_ratio", d->merge_ratio, "");
	put(out, &row, NULL, "utilisation", d->utilisation, "");
	put(out, &row, NULL, "pairing.cut_head", (double)d->cut_head, "");
	put(out, &row, NULL, "pairing.cut_tail", (double)d->cut_tail, "");
	put(out, &row, NULL, "pairing.unpaired", (double)d->unpaired, "");
	put_gaps(out, &row, d);
	put_intervals(out, run, &row, index);
}

static void put_array(FILE *out, const struct report_run *run, const struct btviz_array *a)
{
	const struct row row = { .run = run->label, .device = a->name, .start_s = NAN };

	put(out, &row, NULL, "array.members", (double)a->member_count, "");
	put(out, &row, NULL, "array.effective_members", a->effective_members, "");
	put(out, &row, NULL, "array.skew", a->skew, "");
	put(out, &row, "read", "array.amplification", a->read_amplification, "");
	put(out, &row, "write", "array.amplification", a->write_amplification, "");
	put(out, &row, NULL, "array.rmw_read", (double)a->rmw_read_bytes, "bytes");
	put(out, &row, NULL, "array.own", (double)a->own_bytes, "bytes");
	put(out, &row, NULL, "array.above", a->above_s, "s");
	put(out, &row, NULL, "array.in_members", a->in_members_s, "s");
	for (size_t i = 0; i < a->member_count; i++) {
		const struct row member = {
			.run = run->label, .device = a->members[i]->name, .start_s = NAN
		};

		put(out, &member, NULL, "member.bytes_share", a->members[i]->bytes_share, "");
	}
}

static void put_processes(FILE *out, const struct report_run *run)
{
	size_t count;
	const struct btviz_process *const *const list = report_processes(run, &count);

	for (size_t i = 0; i < count; i++) {
		const struct btviz_process *const p = list[i];
		char name[64];
		const struct row row = { .run = run->label, .process = name, .start_s = NAN };

		if (p->pid != 0)
			snprintf(name, sizeof name, "%s:%" PRIu32, p->comm, p->pid);
		else
			snprintf(name, sizeof name, "%s", p->comm);
		put(out, &row, "read", "process.ios", (double)p->read.ios, "");
		put(out, &row, "read", "process.bytes", (double)p->read.bytes, "bytes");
		put(out, &row, "write", "process.ios", (double)p->write.ios, "");
		put(out, &row, "write", "process.bytes", (double)p->write.bytes, "bytes");
		put(out, &row, "other", "process.ios", (double)p->other.ios, "");
		put(out, &row, "other", "process.bytes", (double)p->other.bytes, "bytes");
		put(out, &row, NULL, "process.seeks", (double)p->seeks, "");
		put_distribution(out, &row, NULL, "process.latency", &p->latency, "s");
	}
}

static void put_run(FILE *out, const struct report_run *run)
{
	const struct btviz_figures *const f = run->f;
	const struct row row = { .run = run->label, .start_s = NAN };

	put(out, &row, NULL, "span", f->span_s, "s");
	put(out, &row, NULL, "events", (double)f->health->events, "");
	put(out, &row, NULL, "lost_events", (double)f->health->lost_events, "");
	put(out, &row, NULL, "suspected_loss", (double)f->suspected_loss, "");
	for (size_t i = 0; i < f->device_count; i++)
		put_device(out, run, i);
	for (size_t i = 0; i < f->array_count; i++)
		put_array(out, run, f->arrays[i]);
	put_processes(out, run);
	for (size_t i = 0; i < btviz_findings_count(run->findings); i++) {
		const struct btviz_finding *const finding = btviz_findings_get(run->findings, i);
		char measure[80];
		unsigned before = 0; /* of the same name: on another device */

		for (size_t k = 0; k < i; k++)
			before += strcmp(btviz_findings_get(run->findings, k)->name,
					  finding->name) == 0;
		if (before == 0)
			snprintf(measure, sizeof measure, "finding.%s", finding->name);
		else
			snprintf(measure, sizeof measure, "finding.%s.%u", finding->name,
				before + 1);
		put(out, &row, NULL, measure, (double)finding->severity, "severity");
	}
}

bool report_csv(FILE *out, const struct report_run *runs, size_t count,
	const struct report_options *options)
{
	(void)options;
	fputs("run,device,direction,measure,value,unit,process,start_s\n", out);
	for (size_t i = 0; i < count; i++)
		put_run(out, &runs[i]);
	return true;
}
