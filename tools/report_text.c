/* report_text.c - the report as text of at most 80 columns: findings and the run first, then
 * tables. Decides what is shown, not what it means. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "clean.h"
#include "report.h"
#include "report_cell.h"
#include "report_layout.h"

enum { GAPS_SHOWN = 12, PROCESSES_SHOWN = 10 };

/* ---- the run as a whole -------------------------------------------------------------------- */

static void put_findings(FILE *out, const struct report_run *run)
{
	static const char *const marks[] = {
		[BTVIZ_SEV_NOTE] = " - ", [BTVIZ_SEV_WARNING] = " ! ", [BTVIZ_SEV_BAD] = "!! "
	};

	for (size_t i = 0; i < btviz_findings_count(run->findings); i++) {
		const struct btviz_finding *const f = btviz_findings_get(run->findings, i);
		char text[2 * CLEAN_SIZE];

		snprintf(text, sizeof text, "%s [%s]", f->text, f->name);
		report_wrapped(out, marks[f->severity], text, 3);
	}
}

static void put_throughput(FILE *out, const struct report_run *run)
{
	const struct btviz_figures *const f = run->f;

	for (size_t i = 0; i < f->top_count; i++) {
		const struct btviz_device *const d = f->devices[f->top[i]];
		const struct btviz_count r = d->moved[BTVIZ_DIR_READ];
		const struct btviz_count w = d->moved[BTVIZ_DIR_WRITE];
		char line[320], lead[16] = "";

		if (i >= 8) {
			snprintf(line, sizeof line, "and %zu more devices", f->top_count - i);
			report_wrapped(out, "", line, 11);
			return;
		}
		snprintf(line, sizeof line,
			"%.40s: read %s MB/s (%s I/Os), write %s MB/s (%s I/Os), %s", d->name,
			cell_mb(report_per_s(run, (double)r.bytes)).text,
			cell_count(r.ios, true).text,
			cell_mb(report_per_s(run, (double)w.bytes)).text,
			cell_count(w.ios, true).text,
			d->basis == BTVIZ_BASIS_COMPLETE ? "completed"
				: d->basis == BTVIZ_BASIS_ISSUE
				? "issued (no completions in the trace)"
				: d->basis == BTVIZ_BASIS_QUEUE
				? "queued (neither issues nor completions in the trace)"
				: "no I/O");
		if (i == 0)
			strcpy(lead, "Throughput");
		report_wrapped(out, lead, line, 11);
	}
}

static void put_health(FILE *out, const struct report_run *run)
{
	const struct btviz_health *const h = run->f->health;
	char line[320];
	size_t n;

	n = (size_t)snprintf(line, sizeof line,
		"%" PRIu64 " events in %" PRIu64 " stream%s, %" PRIu64 " lost", h->events,
		h->streams, h->streams == 1 ? "" : "s", h->lost_events);
	if (run->f->suspected_loss)
		n += (size_t)snprintf(line + n, sizeof line - n, ", %" PRIu64 " I/Os do not pair",
			run->f->suspected_loss);
	if (h->bad_bytes)
		n += (size_t)snprintf(
			line + n, sizeof line - n, ", %" PRIu64 " unreadable bytes", h->bad_bytes);
	if (h->torn_tails)
		n += (size_t)snprintf(
			line + n, sizeof line - n, ", %" PRIu64 " torn tails", h->torn_tails);
	if (h->unknown_actions)
		n += (size_t)snprintf(line + n, sizeof line - n, ", %" PRIu64 " of unknown kinds",
			h->unknown_actions);
	if (h->late_events)
		n += (size_t)snprintf(
			line + n, sizeof line - n, ", %" PRIu64 " out of order", h->late_events);
	if (run->f->messages_total)
		snprintf(line + n, sizeof line - n, ", %" PRIu64 " messages",
			run->f->messages_total);
	report_wrapped(out, "Trace", line, 11);
}

static void put_run(FILE *out, const struct report_run *run)
{
	const struct btviz_figures *const f = run->f;
	char line[CLEAN_SIZE + 100], wall[48];
	size_t n;

	fprintf(out, "%s\n\n", run->label);
	put_findings(out, run);
	fputc('\n', out);
	n = (size_t)snprintf(line, sizeof line, "%s s", cell_time(f->span_s).text);
	if (report_start_s(f) > 0)
		n += (size_t)snprintf(line + n, sizeof line - n, " (from second %s to %s)",
			cell_time(report_start_s(f)).text,
			cell_time(report_start_s(f) + f->span_s).text);
	if (f->has_wall)
		snprintf(line + n, sizeof line - n, ", begun at %s",
			report_wall_start(f, wall, sizeof wall));
	report_wrapped(out, "Run", line, 11);
	if (f->command)
		report_wrapped(out, "Command", f->command, 11);
	if (f->kernel)
		report_wrapped(out, "Kernel", f->kernel, 11);
	put_throughput(out, run);
	put_health(out, run);
}

/* ---- devices ------------------------------------------------------------------------------- */

static bool is_traced(const struct btviz_figures *f, uint32_t device)
{
	for (size_t i = 0; i < f->device_count; i++)
		if (f->devices[i]->device == device)
			return true;
	return false;
}

static bool has_traced_parent(const struct btviz_figures *f, const struct btviz_device *d)
{
	for (size_t i = 0; i < d->parent_count; i++)
		if (is_traced(f, d->parents[i]))
			return true;
	return false;
}

static void put_devices(FILE *out, const struct report_run *run)
{
	const struct btviz_figures *const f = run->f;
	const char *basis = "";

	report_heading(out, "Devices");
	fprintf(out, "%-12s%9s%9s%8s%8s%8s%8s%7s%6s%5s\n", "", "read", "write", "reads", "writes",
		"avg", "seeks", "merge", "avg", "busy");
	fprintf(out, "%-12s%9s%9s%8s%8s%8s%8s%7s%6s\n", "", "MB/s", "MB/s", "/s", "/s", "KiB", "/s",
		"ratio", "depth");
	for (size_t i = 0; i < f->device_count; i++) {
		const struct btviz_device *const d = f->devices[i];
		const struct btviz_count r = d->moved[BTVIZ_DIR_READ];
		const struct btviz_count w = d->moved[BTVIZ_DIR_WRITE];
		const double ios = (double)r.ios + (double)w.ios;
		const double bytes = (double)r.bytes + (double)w.bytes;
		const bool below = d->role == BTVIZ_ROLE_MEMBER && has_traced_parent(f, d);

		report_name(out, below ? 2 : 0, d->name, below ? 10 : 12);
		fprintf(out, "%9s%9s%8s%8s%8s%8s%7s%6s%5s\n",
			cell_mb(report_per_s(run, (double)r.bytes)).text,
			cell_mb(report_per_s(run, (double)w.bytes)).text,
			cell_short(report_per_s(run, (double)r.ios)).text,
			cell_short(report_per_s(run, (double)w.ios)).text,
			cell_kib(ios > 0 ? bytes / ios : (double)NAN).text,
			cell_short(report_per_s(run, (double)d->seeks)).text,
			cell_depth(d->merge_ratio).text, cell_depth(d->outstanding_avg).text,
			cell_percent(d->utilisation).text);
		if (d->basis == BTVIZ_BASIS_ISSUE || d->basis == BTVIZ_BASIS_QUEUE)
			basis = "Devices without completions in the trace: issued or queued I/O.";
	}
	if (basis[0])
		fprintf(out, "%s\n", basis);
}

static bool any_ios(const struct btviz_count *stations)
{
	for (unsigned s = 0; s < BTVIZ_STATION_COUNT; s++)
		if (stations[s].ios > 0)
			return true;
	return false;
}

static void put_counts(FILE *out, const struct report_run *run)
{
	const struct btviz_figures *const f = run->f;

	report_heading(out, "I/Os and MiB");
	fprintf(out, "%-11s%-9s%8s%9s%8s%9s%9s%9s%8s\n", "", "", "queued", "MiB", "issued", "MiB",
		"complete", "MiB", "merged");
	for (size_t i = 0; i < f->device_count; i++) {
		const struct btviz_device *const d = f->devices[i];
		const bool merges = report_knows(run, d, BTVIZ_MERGED);
		const bool issues = report_knows(run, d, BTVIZ_ISSUED);
		const bool queues = report_knows(run, d, BTVIZ_QUEUED);
		const bool completes = report_knows(run, d, BTVIZ_COMPLETED);
		bool named = false;

		for (unsigned op = 0; op < BTVIZ_OP_COUNT; op++) {
			const struct btviz_count *const a = d->actions[op];

			if (!any_ios(a))
				continue;
			report_name(out, 0, named ? "" : d->name, 11);
			named = true;
			fprintf(out, "%-9.8s%8s%9s%8s%9s%9s%9s%8s\n",
				btviz_op_name((enum btviz_op)op),
				cell_count(a[BTVIZ_QUEUED].ios, queues).text,
				cell_mib((double)a[BTVIZ_QUEUED].bytes, queues).text,
				cell_count(a[BTVIZ_ISSUED].ios, issues).text,
				cell_mib((double)a[BTVIZ_ISSUED].bytes, issues).text,
				cell_count(a[BTVIZ_COMPLETED].ios, completes).text,
				cell_mib((double)a[BTVIZ_COMPLETED].bytes, completes).text,
				cell_count(a[BTVIZ_MERGED].ios, merges).text);
		}
	}
}

static void put_latency_row(FILE *out, const char *device, const char *stage, const char *direction,
	const struct btviz_distribution *d)
{
	char name[16];

	snprintf(name, sizeof name, "%s %s", stage, direction);
	report_name(out, 0, device, 9);
	fprintf(out, "%-9s%8s%9s%9s%9s%9s%9s%9s\n", name, cell_count(d->count, true).text,
		cell_ms(d->min).text, cell_ms(d->avg).text, cell_ms(d->p50).text,
		cell_ms(d->p90).text, cell_ms(d->p99).text, cell_ms(d->max).text);
}

/* The stages that matter first, all of them with --device. */
static void put_latencies(FILE *out, const struct report_run *run, bool all)
{
	static const char *const stages[BTVIZ_INTERVAL_COUNT] = { "Q2Q", "Q2G", "G2I", "Q2M", "I2D",
		"M2D", "D2C", "Q2C", "Q2D" };
	const struct btviz_figures *const f = run->f;

	report_heading(out, "Latencies in ms");
	fprintf(out, "%-18s%8s%9s%9s%9s%9s%9s%9s\n", "", "count", "least", "average", "p50", "p90",
		"p99", "most");
	for (size_t i = 0; i < f->device_count; i++) {
		const struct btviz_device *const d = f->devices[i];
		const char *name = d->name;

		for (unsigned k = 0; k < BTVIZ_INTERVAL_COUNT; k++) {
			const bool usual = k == BTVIZ_Q2C || k == BTVIZ_D2C || k == BTVIZ_Q2D;

			for (unsigned dir = 0; dir < BTVIZ_DIR_COUNT; dir++) {
				if (d->latency[k][dir].count == 0 ||
					(!all && (!usual || dir != BTVIZ_DIR_ALL)))
					continue;
				put_latency_row(out, name, stages[k],
					all ? btviz_direction_name((enum btviz_direction)dir) : "",
					&d->latency[k][dir]);
				name = "";
			}
		}
		if (name[0] != '\0') {
			report_name(out, 0, name, 9);
			fprintf(out, "%17s\n", "n/a");
		}
	}
}

/* Sizes, depths, plugging and what does not pair: with --device. */
static void put_device_details(FILE *out, const struct report_run *run)
{
	const struct btviz_figures *const f = run->f;

	report_heading(out, "Sizes in KiB");
	fprintf(out, "%-9s%-15s%8s%9s%9s%9s%9s%9s\n", "", "", "count", "least", "average", "p50",
		"p99", "most");
	for (size_t i = 0; i < f->device_count; i++) {
		const struct btviz_device *const d = f->devices[i];
		const char *name = d->name;

		for (unsigned k = 0; k < 2 * BTVIZ_DIR_COUNT; k++) {
			const unsigned dir = k % BTVIZ_DIR_COUNT;
			const bool issued = k >= BTVIZ_DIR_COUNT;
			const struct btviz_distribution *const s =
				issued ? &d->issued_bytes[dir] : &d->queued_bytes[dir];
			char of[24];

			if (s->count == 0)
				continue;
			snprintf(of, sizeof of, "%s %s", issued ? "issued" : "queued",
				btviz_direction_name((enum btviz_direction)dir));
			report_name(out, 0, name, 9);
			name = "";
			fprintf(out, "%-15s%8s%9s%9s%9s%9s%9s\n", of,
				cell_count(s->count, true).text, cell_kib(s->min).text,
				cell_kib(s->avg).text, cell_kib(s->p50).text, cell_kib(s->p99).text,
				cell_kib(s->max).text);
		}
	}
	report_heading(out, "Depth, queue and pairing");
	fprintf(out, "%-9s%8s%8s%8s%8s%8s%8s%8s%7s%8s\n", "", "outst.", "most", "flight", "most",
		"merged", "requeue", "plugs", "flush", "unpaird");
	for (size_t i = 0; i < f->device_count; i++) {
		const struct btviz_device *const d = f->devices[i];
		uint64_t merged = 0, requeued = 0;

		for (unsigned op = 0; op < BTVIZ_OP_COUNT; op++) {
			merged += d->actions[op][BTVIZ_MERGED].ios;
			requeued += d->actions[op][BTVIZ_REQUEUED].ios;
		}
		report_name(out, 0, d->name, 9);
		fprintf(out, "%8s%8s%8s%8s%8s%8s%8s%7s%8s\n", cell_depth(d->outstanding_avg).text,
			cell_whole(d->outstanding_max).text, cell_depth(d->in_flight_avg).text,
			cell_whole(d->in_flight_max).text,
			cell_count(merged, report_knows(run, d, BTVIZ_MERGED)).text,
			cell_count(requeued, report_knows(run, d, BTVIZ_REQUEUED)).text,
			cell_count(d->plugs, true).text, cell_count(d->flushes, true).text,
			cell_count(d->unpaired, true).text);
	}
}

/* ---- gaps ---------------------------------------------------------------------------------- */

/* Whether gap g is among the longest that are shown. */
static bool shown(const struct btviz_device *d, size_t g)
{
	const double length = d->gaps[g]->end_s - d->gaps[g]->start_s;
	size_t longer = 0;

	for (size_t i = 0; i < d->gap_count; i++) {
		const double other = d->gaps[i]->end_s - d->gaps[i]->start_s;

		longer += other > length || (other == length && i < g);
	}
	return longer < GAPS_SHOWN;
}

static void put_gap(FILE *out, const struct report_run *run, const struct btviz_gap *g, size_t n)
{
	char number[32], who[CLEAN_SIZE], comm[CLEAN_SIZE];

	if (g->member != 0)
		snprintf(who, sizeof who, "held by %.60s",
			report_device_name(run->f, g->member, number, sizeof number));
	else if (g->before_comm && g->before_comm[0])
		snprintf(who, sizeof who, "after %s",
			clean_cut(g->before_comm, 16, comm, sizeof comm));
	else if (g->before_pid != 0)
		snprintf(who, sizeof who, "after pid %" PRIu32, g->before_pid);
	else
		who[0] = '\0';
	fprintf(out, "%3zu  %-7s%10s%10s%9s%9s%7" PRIu32 "  ", n, btviz_gap_kind_name(g->kind),
		cell_time(g->start_s).text, cell_time(g->end_s).text,
		cell_time(g->end_s - g->start_s).text,
		g->kind == BTVIZ_GAP_SUBMIT ? cell_time(g->idle_s).text : "-", g->outstanding);
	clean_cut(who, 23, comm, sizeof comm);
	fprintf(out, "%s\n", comm);
}

static void put_gaps(FILE *out, const struct report_run *run, const struct btviz_device *d)
{
	char line[240] = "", heading[CLEAN_SIZE];
	size_t n = 0, number = 0;
	uint64_t total = 0;

	for (unsigned kind = 0; kind < BTVIZ_GAP_KIND_COUNT; kind++) {
		const struct btviz_gap_total *const t = &d->gap_totals[kind];

		total += t->count;
		if (t->count > 0)
			n += (size_t)snprintf(line + n, sizeof line - n, "%s%s %" PRIu64 " in %s s",
				n ? ", " : "", btviz_gap_kind_name((enum btviz_gap_kind)kind),
				t->count, cell_time(t->total_s).text);
	}
	if (total == 0)
		return;
	snprintf(heading, sizeof heading, "Gaps on %.60s (from %s s on): %s", d->name,
		cell_time(d->gap_threshold_s).text, line);
	fputc('\n', out);
	report_wrapped(out, "", heading, 0);
	fprintf(out, "%3s  %-7s%10s%10s%9s%9s%7s\n", "", "kind", "start s", "end s", "length",
		"idle", "outst.");
	for (size_t i = 0; i < d->gap_count; i++)
		if (shown(d, i))
			put_gap(out, run, d->gaps[i], ++number);
	if (total > number)
		fprintf(out, "     and %" PRIu64 " shorter ones\n", total - number);
}

/* ---- arrays -------------------------------------------------------------------------------- */

static void put_array(FILE *out, const struct report_run *run, const struct btviz_array *a)
{
	char line[320], number[32];

	if (a->member_count < 2 && !is_traced(run->f, a->device))
		return;
	fputc('\n', out);
	/* a dm device or a partition on one other */
	if (a->member_count == 1 && (!a->level || strcmp(a->level, "linear") == 0)) {
		snprintf(line, sizeof line, "%.60s lies on %.60s", a->name, a->members[0]->name);
		report_wrapped(out, "", line, 0);
		return;
	}
	snprintf(line, sizeof line, "Array %.60s: %s%s%s%s%s%s%s, %zu members, effective %s",
		a->name, a->level ? a->level : "level not clear from this trace",
		a->layout ? " " : "", a->layout ? a->layout : "", a->chunk_bytes ? ", chunk " : "",
		a->chunk_bytes ? cell_kib((double)a->chunk_bytes).text : "",
		a->chunk_bytes ? " KiB" : "", a->level && a->inferred ? " (inferred)" : "",
		a->member_count, cell_depth(a->effective_members).text);
	report_wrapped(out, "", line, 0);
	fprintf(out, "%-12s%7s%10s%10s%10s%9s%8s%6s\n", "", "share", "read MiB", "write MiB",
		"own MiB", "D2C ms", "seeks/s", "busy");
	for (size_t i = 0; i < a->member_count; i++) {
		const struct btviz_member *const m = a->members[i];

		report_name(out, 0, m->name, 12);
		if (!m->traced) {
			fputs("    not traced\n", out);
			continue;
		}
		fprintf(out, "%7s%10s%10s%10s%9s%8s%6s\n", cell_percent(m->bytes_share).text,
			cell_mib((double)m->read.bytes, true).text,
			cell_mib((double)m->write.bytes, true).text,
			cell_mib((double)m->own.bytes, true).text, cell_ms(m->latency_avg_s).text,
			cell_short(m->seeks_per_s).text, cell_percent(m->utilisation).text);
	}
	snprintf(line, sizeof line,
		"members' bytes for the array's: read %s, write %s; read-modify-write %s MiB; not "
		"asked for by the array %s MiB",
		cell_number(a->read_amplification).text, cell_number(a->write_amplification).text,
		cell_mib((double)a->rmw_read_bytes, true).text,
		cell_mib((double)a->own_bytes, true).text);
	report_wrapped(out, "", line, 0);
	if (!isnan(a->above_s) || !isnan(a->in_members_s)) {
		snprintf(line, sizeof line,
			"an I/O of the array spends about %s ms above the members, %s ms in them",
			cell_ms(a->above_s).text, cell_ms(a->in_members_s).text);
		report_wrapped(out, "", line, 0);
	}
	if (a->slowest_member != 0) {
		snprintf(line, sizeof line, "slowest member: %s, %s times its siblings' median D2C",
			report_device_name(run->f, a->slowest_member, number, sizeof number),
			cell_number(a->slowest_ratio).text);
		report_wrapped(out, "", line, 0);
	}
}

/* ---- processes ----------------------------------------------------------------------------- */

static void put_processes(FILE *out, const struct report_run *run, bool all)
{
	size_t count;
	const struct btviz_process *const *const list = report_processes(run, &count);

	if (count == 0)
		return;
	report_heading(out, "Processes (as submitted to the top devices; latency is Q2C)");
	fprintf(out, "%8s  %-17s%9s%10s%9s%8s%8s%9s\n", "pid", "name", "read MiB", "write MiB",
		"I/Os", "seeks", "avg ms", "p99 ms");
	for (size_t i = 0; i < count; i++) {
		const struct btviz_process *const p = list[i];

		if (!all && i == PROCESSES_SHOWN) {
			fprintf(out, "          and %zu more (--process)\n", count - i);
			return;
		}
		fprintf(out, "%8s  ", p->pid ? cell_count(p->pid, true).text : "-");
		report_word(out, p->comm[0] ? p->comm : "?", 17);
		fprintf(out, "%9s%10s%9s%8s%8s%9s\n", cell_mib((double)p->read.bytes, true).text,
			cell_mib((double)p->write.bytes, true).text,
			cell_count(p->read.ios + p->write.ios + p->other.ios, true).text,
			cell_count(p->seeks, true).text,
			p->latency.count ? cell_ms(p->latency.avg).text : "n/a",
			p->latency.count ? cell_ms(p->latency.p99).text : "n/a");
	}
}

static void put_cgroups(FILE *out, const struct report_run *run)
{
	const struct btviz_figures *const f = run->f;

	if (f->cgroup_count == 0)
		return;
	report_heading(out, "Control groups (by inode number)");
	fprintf(out, "%20s%10s%10s%9s%9s%9s\n", "id", "read MiB", "write MiB", "I/Os", "avg ms",
		"p99 ms");
	for (size_t i = 0; i < f->cgroup_count; i++) {
		const struct btviz_cgroup *const c = f->cgroups[i];

		fprintf(out, "%20" PRIu64 "%10s%10s%9s%9s%9s\n", c->id,
			cell_mib((double)c->read.bytes, true).text,
			cell_mib((double)c->write.bytes, true).text,
			cell_count(c->read.ios + c->write.ios + c->other.ios, true).text,
			c->latency.count ? cell_ms(c->latency.avg).text : "n/a",
			c->latency.count ? cell_ms(c->latency.p99).text : "n/a");
	}
}

/* ---- intervals ----------------------------------------------------------------------------- */

static void put_intervals(FILE *out, const struct report_run *run, size_t device)
{
	char heading[CLEAN_SIZE];

	snprintf(heading, sizeof heading, "Intervals of %.60s", run->f->devices[device]->name);
	fputc('\n', out);
	report_wrapped(out, "", heading, 0);
	fprintf(out, "%9s%8s%8s%8s%8s%8s%8s%8s%8s%7s\n", "from s", "r/s", "w/s", "rMB/s", "wMB/s",
		"rrqm/s", "wrqm/s", "await", "aqu-sz", "%util");
	for (size_t i = 0; i < run->interval_count; i++) {
		const struct report_interval *const r = &run->intervals[device][i];

		fprintf(out, "%9s%8s%8s%8s%8s%8s%8s%8s%8s%7s\n", cell_time(r->start_s).text,
			cell_short(r->ios_per_s[0]).text, cell_short(r->ios_per_s[1]).text,
			cell_mb(r->bytes_per_s[0]).text, cell_mb(r->bytes_per_s[1]).text,
			cell_short(r->merges_per_s[0]).text, cell_short(r->merges_per_s[1]).text,
			cell_ms(r->await_s).text, cell_number(r->outstanding).text,
			cell_short(r->busy * 100).text);
	}
}

static bool is_top(const struct btviz_figures *f, size_t device)
{
	for (size_t i = 0; i < f->top_count; i++)
		if (f->top[i] == device)
			return true;
	return false;
}

bool report_text(FILE *out, const struct report_run *runs, size_t count,
	const struct report_options *options)
{
	for (size_t i = 0; i < count; i++) {
		const struct report_run *const run = &runs[i];

		if (i > 0)
			fputs("\n\n", out);
		put_run(out, run);
		put_devices(out, run);
		put_counts(out, run);
		put_latencies(out, run, options->devices);
		if (options->devices)
			put_device_details(out, run);
		for (size_t d = 0; d < run->f->device_count; d++)
			if (options->devices || is_top(run->f, d))
				put_gaps(out, run, run->f->devices[d]);
		for (size_t a = 0; a < run->f->array_count; a++)
			put_array(out, run, run->f->arrays[a]);
		put_processes(out, run, options->processes);
		if (options->processes)
			put_cgroups(out, run);
		for (size_t d = 0; run->intervals && d < run->f->device_count; d++)
			put_intervals(out, run, d);
	}
	return true;
}
