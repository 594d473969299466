/* report_json.c - the report as JSON, schema btviz.report/1 (tools/schema/). A figure that does not
 * exist is null. Decides nothing, computes nothing. */
#include <math.h>
#include <stdlib.h>
#include <jansson.h>

#include "clean.h"
#include "report.h"

/* Fifteen digits carry every nanosecond of a day-long run. */
enum { PRECISION = 15 };

static json_t *real(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

static json_t *integer(uint64_t n)
{
	return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

static json_t *text(const char *s)
{
	char out[CLEAN_SIZE];

	return s && s[0] != '\0' ? json_string(clean_text(s, out, sizeof out)) : json_null();
}

/* Sets a member to a value of its own; a failure of jansson shows as a NULL in the end. */
static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

static json_t *count(const struct btviz_count *c, bool known)
{
	json_t *const o = json_object();

	set(o, "ios", known ? integer(c->ios) : json_null());
	set(o, "bytes", known ? integer(c->bytes) : json_null());
	return o;
}

/* min_s … max_s, or min_bytes … max_bytes, by unit. */
static json_t *distribution(const struct btviz_distribution *d, const char *unit)
{
	const struct {
		const char *name;
		double value;
	} fields[] = { { "min", d->min }, { "avg", d->avg }, { "p50", d->p50 }, { "p90", d->p90 },
		{ "p99", d->p99 }, { "p999", d->p999 }, { "max", d->max } };
	json_t *const o = json_object();

	set(o, "count", integer(d->count));
	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
		char name[24];

		snprintf(name, sizeof name, "%s_%s", fields[i].name, unit);
		set(o, name, d->count ? real(fields[i].value) : json_null());
	}
	return o;
}

static json_t *by_direction(const struct btviz_distribution *d, const char *unit)
{
	json_t *const o = json_object();

	for (unsigned dir = 0; dir < BTVIZ_DIR_COUNT; dir++)
		set(o, btviz_direction_name((enum btviz_direction)dir),
			distribution(&d[dir], unit));
	return o;
}

static json_t *health(const struct btviz_figures *f)
{
	const struct btviz_health *const h = f->health;
	json_t *const o = json_object(), *const versions = json_array(),
		      *const missing = json_array();

	set(o, "events", integer(h->events));
	set(o, "notes", integer(h->notes));
	set(o, "streams", integer(h->streams));
	set(o, "bytes", integer(h->bytes));
	set(o, "lost_events", integer(h->lost_events));
	set(o, "sequence_holes", integer(h->sequence_holes));
	set(o, "torn_tails", integer(h->torn_tails));
	set(o, "bad_bytes", integer(h->bad_bytes));
	set(o, "bad_stretches", integer(h->bad_stretches));
	set(o, "unknown_actions", integer(h->unknown_actions));
	set(o, "odd_fields", integer(h->odd_fields));
	set(o, "late_events", integer(h->late_events));
	set(o, "repeated_events", integer(h->repeated_events));
	set(o, "steps_back", integer(h->steps_back));
	set(o, "no_payload", integer(h->no_payload));
	if (h->left_out_events > 0)
		set(o, "left_out_events", integer(h->left_out_events));
	set(o, "suspected_loss", integer(f->suspected_loss));
	set(o, "fua_missing", json_boolean(f->fua_missing));
	for (unsigned bit = 0; bit < 2; bit++)
		if (h->versions & 1U << bit)
			json_array_append_new(versions, json_integer(7 + (json_int_t)bit));
	set(o, "versions", versions);
	for (unsigned i = 0; i < BTVIZ_STATION_COUNT; i++)
		if (f->categories_missing & 1U << i)
			json_array_append_new(
				missing, json_string(btviz_station_name((enum btviz_station)i)));
	set(o, "missing_stations", missing);
	return o;
}

/* Reads, writes, discards and flushes always; the others where there are any. */
static json_t *actions(const struct report_run *run, const struct btviz_device *d)
{
	json_t *const o = json_object();

	for (unsigned op = 0; op < BTVIZ_OP_COUNT; op++) {
		uint64_t ios = 0;
		json_t *stations;

		for (unsigned s = 0; s < BTVIZ_STATION_COUNT; s++)
			ios += d->actions[op][s].ios;
		if (ios == 0 && op != BTVIZ_OP_READ && op != BTVIZ_OP_WRITE &&
			op != BTVIZ_OP_DISCARD && op != BTVIZ_OP_FLUSH)
			continue;
		stations = json_object();
		for (unsigned s = 0; s < BTVIZ_STATION_COUNT; s++)
			set(stations, btviz_station_name((enum btviz_station)s),
				count(&d->actions[op][s],
					report_knows(run, d, (enum btviz_station)s)));
		set(o, btviz_op_name((enum btviz_op)op), stations);
	}
	return o;
}

static json_t *throughput(const struct report_run *run, const struct btviz_device *d)
{
	json_t *const o = json_object();

	for (unsigned dir = BTVIZ_DIR_READ; dir <= BTVIZ_DIR_WRITE; dir++) {
		const struct btviz_count c = d->moved[dir];
		const bool known = d->basis != BTVIZ_BASIS_NONE;
		json_t *const rate = json_object();

		set(rate, "bytes_per_s",
			real(known ? report_per_s(run, (double)c.bytes) : (double)NAN));
		set(rate, "ios_per_s",
			real(known ? report_per_s(run, (double)c.ios) : (double)NAN));
		set(o, btviz_direction_name((enum btviz_direction)dir), rate);
	}
	return o;
}

static json_t *who(uint32_t pid, const char *comm)
{
	json_t *o;

	if (pid == 0 && (!comm || comm[0] == '\0'))
		return json_null();
	o = json_object();
	set(o, "pid", integer(pid));
	set(o, "comm", text(comm));
	return o;
}

static json_t *gaps(const struct report_run *run, const struct btviz_device *d)
{
	json_t *const list = json_array();

	for (size_t i = 0; i < d->gap_count; i++) {
		const struct btviz_gap *const g = d->gaps[i];
		char number[32];
		json_t *const o = json_object();

		set(o, "kind", json_string(btviz_gap_kind_name(g->kind)));
		set(o, "start_s", real(g->start_s));
		set(o, "end_s", real(g->end_s));
		set(o, "idle_s", g->kind == BTVIZ_GAP_SUBMIT ? real(g->idle_s) : json_null());
		set(o, "outstanding", integer(g->outstanding));
		set(o, "member",
			g->member
				? text(report_device_name(run->f, g->member, number, sizeof number))
				: json_null());
		set(o, "before", who(g->before_pid, g->before_comm));
		set(o, "after", who(g->after_pid, g->after_comm));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *gap_totals(const struct btviz_device *d)
{
	json_t *const o = json_object();

	for (unsigned kind = 0; kind < BTVIZ_GAP_KIND_COUNT; kind++) {
		json_t *const total = json_object();

		set(total, "count", integer(d->gap_totals[kind].count));
		set(total, "total_s", real(d->gap_totals[kind].total_s));
		set(o, btviz_gap_kind_name((enum btviz_gap_kind)kind), total);
	}
	return o;
}

static json_t *errors(const struct btviz_device *d)
{
	json_t *const list = json_array();

	for (size_t i = 0; i < d->error_count; i++) {
		json_t *const o = json_object();

		set(o, "errno", json_integer(d->errors[i].error));
		set(o, "count", integer(d->errors[i].count));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *depth(double avg, double max)
{
	json_t *const o = json_object();

	set(o, "avg", real(avg));
	set(o, "max", real(max));
	return o;
}

static json_t *intervals(const struct report_run *run, size_t device)
{
	json_t *const list = json_array();

	for (size_t i = 0; i < run->interval_count; i++) {
		const struct report_interval *const row = &run->intervals[device][i];
		json_t *const o = json_object();

		set(o, "start_s", real(row->start_s));
		set(o, "end_s", real(row->end_s));
		set(o, "reads_per_s", real(row->ios_per_s[0]));
		set(o, "writes_per_s", real(row->ios_per_s[1]));
		set(o, "read_bytes_per_s", real(row->bytes_per_s[0]));
		set(o, "write_bytes_per_s", real(row->bytes_per_s[1]));
		set(o, "read_merges_per_s", real(row->merges_per_s[0]));
		set(o, "write_merges_per_s", real(row->merges_per_s[1]));
		set(o, "await_s", real(row->await_s));
		set(o, "outstanding", real(row->outstanding));
		set(o, "utilisation", real(row->busy));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *pairing(const struct btviz_device *d)
{
	json_t *const o = json_object();

	set(o, "cut_head", integer(d->cut_head));
	set(o, "cut_tail", integer(d->cut_tail));
	set(o, "unpaired", integer(d->unpaired));
	set(o, "given_up", integer(d->given_up));
	return o;
}

static json_t *device(const struct report_run *run, size_t i)
{
	const struct btviz_device *const d = run->f->devices[i];
	json_t *const o = json_object(), *const parents = json_array(),
		      *const latency = json_object(), *const part = json_object();
	char number[32];

	set(o, "name", text(d->name));
	snprintf(number, sizeof number, "%u,%u", BTVIZ_MAJOR(d->device), BTVIZ_MINOR(d->device));
	set(o, "dev", json_string(number));
	set(o, "role", json_string(btviz_role_name(d->role)));
	for (size_t k = 0; k < d->parent_count; k++)
		json_array_append_new(parents,
			text(report_device_name(run->f, d->parents[k], number, sizeof number)));
	set(o, "parents", parents);
	set(o, "basis", text(btviz_basis_name(d->basis)));
	set(o, "events", integer(d->events));
	set(o, "actions", actions(run, d));
	set(o, "throughput", throughput(run, d));
	set(part, "count", integer(d->seeks));
	set(part, "per_s", real(report_per_s(run, (double)d->seeks)));
	set(part, "distance", distribution(&d->seek_sectors, "sectors"));
	set(o, "seeks", part);
	set(o, "flush", integer(d->flushes));
	set(o, "fua", integer(d->fua));
	set(o, "errors", errors(d));
	for (unsigned k = 0; k < BTVIZ_INTERVAL_COUNT; k++)
		set(latency, btviz_interval_name((enum btviz_interval)k),
			by_direction(d->latency[k], "s"));
	set(o, "latency", latency);

	json_t *const depths = json_object(), *const sizes = json_object(),
		      *const other = json_object();

	set(depths, "outstanding", depth(d->outstanding_avg, d->outstanding_max));
	set(depths, "in_flight", depth(d->in_flight_avg, d->in_flight_max));
	set(o, "depth", depths);
	set(sizes, "queued", by_direction(d->queued_bytes, "bytes"));
	set(sizes, "issued", by_direction(d->issued_bytes, "bytes"));
	set(o, "sizes", sizes);
	set(o, "merge_ratio", real(d->merge_ratio));
	set(o, "utilisation", real(d->utilisation));
	set(other, "gets", integer(d->gets));
	set(other, "inserts", integer(d->inserts));
	set(other, "splits", integer(d->splits));
	set(other, "remaps", integer(d->remaps));
	set(other, "plugs", integer(d->plugs));
	set(other, "unplugs", integer(d->unplugs));
	set(other, "timer_unplugs", integer(d->timer_unplugs));
	set(o, "other_events", other);
	set(o, "pairing", pairing(d));
	set(o, "gap_threshold_s", real(d->gap_threshold_s));
	set(o, "gaps", gaps(run, d));
	set(o, "gap_totals", gap_totals(d));
	if (run->intervals)
		set(o, "intervals", intervals(run, i));
	return o;
}

static json_t *member(const struct btviz_member *m)
{
	json_t *const o = json_object();

	set(o, "name", text(m->name));
	set(o, "traced", json_boolean(m->traced));
	set(o, "bytes_share", real(m->bytes_share));
	set(o, "read", count(&m->read, m->traced));
	set(o, "write", count(&m->write, m->traced));
	set(o, "remapped", count(&m->remapped, m->traced));
	set(o, "own", count(&m->own, m->traced));
	set(o, "latency_avg_s", real(m->latency_avg_s));
	set(o, "utilisation", real(m->utilisation));
	set(o, "seeks_per_s", real(m->seeks_per_s));
	return o;
}

static json_t *array(const struct report_run *run, const struct btviz_array *a)
{
	json_t *const o = json_object(), *const members = json_array();
	char number[32];

	set(o, "name", text(a->name));
	for (size_t i = 0; i < a->member_count; i++)
		json_array_append_new(members, member(a->members[i]));
	set(o, "members", members);
	set(o, "effective_members", real(a->effective_members));
	set(o, "skew", real(a->skew));
	set(o, "level", text(a->level));
	set(o, "chunk_bytes", a->chunk_bytes ? integer(a->chunk_bytes) : json_null());
	set(o, "inferred", json_boolean(a->inferred));
	set(o, "read_amplification", real(a->read_amplification));
	set(o, "write_amplification", real(a->write_amplification));
	set(o, "rmw_read_bytes", integer(a->rmw_read_bytes));
	set(o, "own_bytes", integer(a->own_bytes));
	set(o, "rmw_messages", integer(a->rmw_messages));
	set(o, "rcw_messages", integer(a->rcw_messages));
	set(o, "above_s", real(a->above_s));
	set(o, "in_members_s", real(a->in_members_s));
	set(o, "slowest_member",
		a->slowest_member
			? text(report_device_name(run->f, a->slowest_member, number, sizeof number))
			: json_null());
	set(o, "slowest_ratio", real(a->slowest_ratio));
	return o;
}

static json_t *process(const struct btviz_process *p)
{
	json_t *const o = json_object();

	set(o, "pid", p->pid ? integer(p->pid) : json_null());
	set(o, "comm", text(p->comm));
	set(o, "read", count(&p->read, true));
	set(o, "write", count(&p->write, true));
	set(o, "other", count(&p->other, true));
	set(o, "latency", distribution(&p->latency, "s"));
	set(o, "seeks", integer(p->seeks));
	set(o, "cgroup_id", p->cgroup_id ? integer(p->cgroup_id) : json_null());
	return o;
}

static json_t *cgroup(const struct btviz_cgroup *c)
{
	json_t *const o = json_object();

	set(o, "id", integer(c->id));
	set(o, "read", count(&c->read, true));
	set(o, "write", count(&c->write, true));
	set(o, "other", count(&c->other, true));
	set(o, "latency", distribution(&c->latency, "s"));
	return o;
}

static json_t *finding(const struct btviz_finding *f)
{
	json_t *const o = json_object(), *const evidence = json_object();

	set(o, "name", json_string(f->name));
	set(o, "severity", json_string(btviz_severity_name(f->severity)));
	set(o, "text", text(f->text));
	for (size_t i = 0; i < f->evidence_count; i++) {
		json_t *const e = json_object();

		set(e, "value", real(f->evidence[i].value));
		set(e, "unit", json_string(f->evidence[i].unit));
		set(evidence, f->evidence[i].name, e);
	}
	set(o, "evidence", evidence);
	return o;
}

static json_t *messages(const struct report_run *run)
{
	json_t *const list = json_array();
	char number[32];

	for (size_t i = 0; i < run->f->message_count; i++) {
		const struct btviz_message *const m = run->f->messages[i];
		json_t *const o = json_object();

		set(o, "time_s", real(m->time_s));
		set(o, "device",
			text(report_device_name(run->f, m->device, number, sizeof number)));
		set(o, "text", text(m->text));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *one_run(const struct report_run *run)
{
	const struct btviz_figures *const f = run->f;
	json_t *const o = json_object();
	json_t *const devices = json_array(), *const arrays = json_array(),
		      *const processes = json_array(), *const cgroups = json_array(),
		      *const findings = json_array();
	size_t process_count;
	const struct btviz_process *const *const list = report_processes(run, &process_count);
	char wall[48];

	set(o, "label", json_string(run->label));
	set(o, "span_s", real(f->span_s));
	set(o, "start_s", real(report_start_s(f)));
	set(o, "origin_ns", integer(f->origin_ns));
	set(o, "wall_start", text(report_wall_start(f, wall, sizeof wall)));
	set(o, "command", text(f->command));
	set(o, "kernel", text(f->kernel));
	set(o, "health", health(f));
	for (size_t i = 0; i < f->device_count; i++)
		json_array_append_new(devices, device(run, i));
	set(o, "devices", devices);
	for (size_t i = 0; i < f->array_count; i++)
		json_array_append_new(arrays, array(run, f->arrays[i]));
	set(o, "arrays", arrays);
	for (size_t i = 0; i < process_count; i++)
		json_array_append_new(processes, process(list[i]));
	set(o, "processes", processes);
	for (size_t i = 0; i < f->cgroup_count; i++)
		json_array_append_new(cgroups, cgroup(f->cgroups[i]));
	set(o, "cgroups", cgroups);
	for (size_t i = 0; i < btviz_findings_count(run->findings); i++)
		json_array_append_new(findings, finding(btviz_findings_get(run->findings, i)));
	set(o, "findings", findings);
	set(o, "messages", messages(run));
	set(o, "messages_total", integer(f->messages_total));
	return o;
}

bool report_json(FILE *out, const struct report_run *runs, size_t count,
	const struct report_options *options)
{
	json_t *const root = json_object(), *const list = json_array();
	char generator[64];
	char *dump;

	(void)options;
	snprintf(generator, sizeof generator, "btviz %s", btviz_version());
	set(root, "schema", json_string("btviz.report/1"));
	set(root, "generator", json_string(generator));
	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, one_run(&runs[i]));
	set(root, "runs", list);
	dump = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(PRECISION));
	json_decref(root);
	if (!dump)
		return false;
	fputs(dump, out);
	fputc('\n', out);
	free(dump);
	return true;
}
