/* report_json.c - the report as JSON, schema btviz.report/1 (tools/schema/). A figure that does not
 * exist is null. Decides nothing, computes nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
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
	json_t *const o = json_object();

	set(o, "count", integer(d->count));
	for (size_t i = 0; i < REPORT_QUANTILES; i++) {
		char name[24];

		snprintf(name, sizeof name, "%s_%s", report_quantiles[i].name, unit);
		set(o, name,
			d->count ? real(report_double(d, report_quantiles[i].offset))
				 : json_null());
	}
	return o;
}

static json_t *by_direction(const struct btviz_figure *f, const struct btviz_distribution *d)
{
	json_t *o;

	if (f->directions == 0)
		return distribution(d, f->unit);
	o = json_object();
	for (unsigned dir = 0; dir < f->directions; dir++)
		set(o, btviz_direction_name((enum btviz_direction)dir),
			distribution(&d[dir], f->unit));
	return o;
}

/* ---- figures of the library's list ----------------------------------------------------------- */

/* What the list does not say how to write: under a name, made of the run and the thing itself.
 * Nothing is written for NULL. */
struct json_special {
	const char *name;
	json_t *(*make)(const struct report_run *run, const void *thing);
};

static json_t *number(const struct report_run *run, const struct btviz_figure *f, const char *at)
{
	uint64_t wide = 0;
	uint32_t narrow = 0;
	char name[32];

	if (f->type == BTVIZ_FIGURE_INTEGER || f->type == BTVIZ_FIGURE_IDENTITY)
		memcpy(&wide, at, sizeof wide);
	else
		memcpy(&narrow, at, sizeof narrow);
	if (f->type == BTVIZ_FIGURE_INTEGER)
		return integer(wide);
	if (f->type == BTVIZ_FIGURE_IDENTITY)
		return wide ? integer(wide) : json_null();
	if (narrow == 0)
		return json_null();
	return f->type == BTVIZ_FIGURE_PID
		? integer(narrow)
		: text(report_device_name(run->f, narrow, name, sizeof name));
}

/* Whether counts are known at all: not those of a member without a trace. */
static json_t *value(const struct report_run *run, const struct btviz_figure *f, const char *at,
	bool counts_known)
{
	const char *word;
	bool flag;

	switch (f->type) {
	case BTVIZ_FIGURE_INTEGER:
	case BTVIZ_FIGURE_IDENTITY:
	case BTVIZ_FIGURE_PID:
	case BTVIZ_FIGURE_DEVICE:
		return number(run, f, at);
	case BTVIZ_FIGURE_REAL:
		return real(report_double(at, 0));
	case BTVIZ_FIGURE_FLAG:
		memcpy(&flag, at, sizeof flag);
		return json_boolean(flag);
	case BTVIZ_FIGURE_TEXT:
		memcpy(&word, at, sizeof word);
		return text(word);
	case BTVIZ_FIGURE_COUNT:
		return count((const struct btviz_count *)(const void *)at, counts_known);
	case BTVIZ_FIGURE_DISTRIBUTION:
		return by_direction(f, (const struct btviz_distribution *)(const void *)at);
	case BTVIZ_FIGURE_OTHER:
		break;
	}
	return NULL;
}

/* Sets "a.b.c" as c in the object b in the object a. */
static void set_deep(json_t *object, const char *name, json_t *value)
{
	const char *point;
	char key[64];

	while ((point = strchr(name, '.'))) {
		json_t *inner;

		snprintf(key, sizeof key, "%.*s", (int)(point - name), name);
		inner = json_object_get(object, key);
		if (!inner) {
			inner = json_object();
			set(object, key, inner);
		}
		object = inner;
		name = point + 1;
	}
	set(object, name, value);
}

/* All figures of a thing, in the list's order. */
static json_t *figures(const struct report_run *run, enum btviz_subject subject, const void *thing,
	bool counts_known, const struct json_special *specials)
{
	json_t *const o = json_object();

	for (const struct btviz_figure *f = NULL; (f = btviz_figure_next(subject, f));) {
		json_t *made = value(run, f, (const char *)thing + f->offset, counts_known);

		for (const struct json_special *s = specials; !made && s && s->name; s++)
			if (strcmp(s->name, f->name) == 0)
				made = s->make(run, thing);
		if (made)
			set_deep(o, f->name, made);
	}
	return o;
}

/* ---- the run's health ------------------------------------------------------------------------ */

static json_t *left_out_events(const struct report_run *run, const void *thing)
{
	(void)thing;
	return run->f->health->left_out_events ? integer(run->f->health->left_out_events) : NULL;
}

static json_t *suspected_loss(const struct report_run *run, const void *thing)
{
	(void)thing;
	return integer(run->f->suspected_loss);
}

static json_t *fua_missing(const struct report_run *run, const void *thing)
{
	(void)thing;
	return json_boolean(run->f->fua_missing);
}

static json_t *versions(const struct report_run *run, const void *thing)
{
	json_t *const list = json_array();

	(void)thing;
	for (unsigned bit = 0; bit < 2; bit++)
		if (run->f->health->versions & 1U << bit)
			json_array_append_new(list, json_integer(7 + (json_int_t)bit));
	return list;
}

static json_t *missing_stations(const struct report_run *run, const void *thing)
{
	json_t *const list = json_array();

	(void)thing;
	for (unsigned i = 0; i < BTVIZ_STATION_COUNT; i++)
		if (run->f->categories_missing & 1U << i)
			json_array_append_new(
				list, json_string(btviz_station_name((enum btviz_station)i)));
	return list;
}

static json_t *wrong_times(const struct report_run *run, const void *thing)
{
	const struct btviz_health *const h = run->f->health;
	json_t *o;

	(void)thing;
	if (h->wrong_times == 0)
		return NULL;
	o = json_object();
	set(o, "count", integer(h->wrong_times));
	set(o, "first_time_ns", integer(h->wrong_time_ns));
	set(o, "first_device", integer(h->wrong_time_device));
	set(o, "first_cpu", integer(h->wrong_time_cpu));
	set(o, "first_sequence", integer(h->wrong_time_sequence));
	return o;
}

static json_t *packing(const struct report_run *run, const void *thing)
{
	static const char *const names[] = { "no_end", "header", "behind", "warning" };
	json_t *list;

	(void)thing;
	if (run->f->health->packing == 0)
		return NULL;
	list = json_array();
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (run->f->health->packing & 1U << i)
			json_array_append_new(list, json_string(names[i]));
	return list;
}

static const struct json_special health_specials[] = { { "left_out_events", left_out_events },
	{ "suspected_loss", suspected_loss }, { "fua_missing", fua_missing },
	{ "versions", versions }, { "missing_stations", missing_stations },
	{ "wrong_times", wrong_times }, { "packing", packing }, { NULL, NULL } };

/* ---- devices --------------------------------------------------------------------------------- */

static json_t *name(const struct report_run *run, const void *device)
{
	(void)run;
	return text(((const struct btviz_device *)device)->name);
}

static json_t *dev(const struct report_run *run, const void *device)
{
	const struct btviz_device *const d = device;

	(void)run;
	return json_sprintf("%u,%u", BTVIZ_MAJOR(d->device), BTVIZ_MINOR(d->device));
}

static json_t *role(const struct report_run *run, const void *device)
{
	(void)run;
	return json_string(btviz_role_name(((const struct btviz_device *)device)->role));
}

static json_t *parents(const struct report_run *run, const void *device)
{
	const struct btviz_device *const d = device;
	json_t *const list = json_array();
	char number[32];

	for (size_t k = 0; k < d->parent_count; k++)
		json_array_append_new(list,
			text(report_device_name(run->f, d->parents[k], number, sizeof number)));
	return list;
}

static json_t *basis(const struct report_run *run, const void *device)
{
	(void)run;
	return text(btviz_basis_name(((const struct btviz_device *)device)->basis));
}

/* Reads, writes, discards and flushes always; the others where there are any. */
static json_t *actions(const struct report_run *run, const void *device)
{
	const struct btviz_device *const d = device;
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

static json_t *throughput(const struct report_run *run, const void *device)
{
	const struct btviz_device *const d = device;
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

static json_t *gaps(const struct report_run *run, const void *device)
{
	const struct btviz_device *const d = device;
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

static json_t *gap_totals(const struct report_run *run, const void *device)
{
	const struct btviz_device *const d = device;
	json_t *const o = json_object();

	(void)run;
	for (unsigned kind = 0; kind < BTVIZ_GAP_KIND_COUNT; kind++) {
		json_t *const total = json_object();

		set(total, "count", integer(d->gap_totals[kind].count));
		set(total, "total_s", real(d->gap_totals[kind].total_s));
		set(o, btviz_gap_kind_name((enum btviz_gap_kind)kind), total);
	}
	return o;
}

static json_t *errors(const struct report_run *run, const void *device)
{
	const struct btviz_device *const d = device;
	json_t *const list = json_array();

	(void)run;
	for (size_t i = 0; i < d->error_count; i++) {
		json_t *const o = json_object();

		set(o, "errno", json_integer(d->errors[i].error));
		set(o, "count", integer(d->errors[i].count));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *seeks_per_s(const struct report_run *run, const void *device)
{
	return real(report_per_s(run, (double)((const struct btviz_device *)device)->seeks));
}

static json_t *intervals(const struct report_run *run, const void *device)
{
	json_t *list;
	size_t index = 0;

	if (!run->intervals)
		return NULL;
	list = json_array();
	while (run->f->devices[index] != device)
		index++;
	for (size_t i = 0; i < run->interval_count; i++) {
		const struct report_interval *const row = &run->intervals[index][i];
		json_t *const o = json_object();

		set(o, "start_s", real(row->start_s));
		set(o, "end_s", real(row->end_s));
		for (size_t c = 0; c < report_column_count; c++)
			set(o, report_columns[c].name,
				real(report_double(row, report_columns[c].offset)));
		json_array_append_new(list, o);
	}
	return list;
}

static const struct json_special device_specials[] = { { "name", name }, { "dev", dev },
	{ "role", role }, { "parents", parents }, { "basis", basis }, { "actions", actions },
	{ "throughput", throughput }, { "seeks.per_s", seeks_per_s }, { "errors", errors },
	{ "gaps", gaps }, { "gap_totals", gap_totals }, { "intervals", intervals },
	{ NULL, NULL } };

/* ---- the rest -------------------------------------------------------------------------------- */

static json_t *members(const struct report_run *run, const void *array)
{
	const struct btviz_array *const a = array;
	json_t *const list = json_array();

	for (size_t i = 0; i < a->member_count; i++)
		json_array_append_new(list,
			figures(run, BTVIZ_SUBJECT_MEMBER, a->members[i], a->members[i]->traced,
				NULL));
	return list;
}

static const struct json_special array_specials[] = { { "members", members }, { NULL, NULL } };

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
	set(o, "health", figures(run, BTVIZ_SUBJECT_HEALTH, f->health, true, health_specials));
	for (size_t i = 0; i < f->device_count; i++)
		json_array_append_new(devices,
			figures(run, BTVIZ_SUBJECT_DEVICE, f->devices[i], true, device_specials));
	set(o, "devices", devices);
	for (size_t i = 0; i < f->array_count; i++)
		json_array_append_new(arrays,
			figures(run, BTVIZ_SUBJECT_ARRAY, f->arrays[i], true, array_specials));
	set(o, "arrays", arrays);
	for (size_t i = 0; i < process_count; i++)
		json_array_append_new(
			processes, figures(run, BTVIZ_SUBJECT_PROCESS, list[i], true, NULL));
	set(o, "processes", processes);
	for (size_t i = 0; i < f->cgroup_count; i++)
		json_array_append_new(
			cgroups, figures(run, BTVIZ_SUBJECT_CGROUP, f->cgroups[i], true, NULL));
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

	snprintf(generator, sizeof generator, "btviz %s", btviz_version());
	set(root, "schema", json_string("btviz.report/1"));
	set(root, "generator", json_string(generator));
	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, one_run(&runs[i]));
	set(root, "runs", list);
	dump = json_dumps(root,
		(options->one_line ? JSON_COMPACT : JSON_INDENT(1)) |
			JSON_REAL_PRECISION(PRECISION));
	json_decref(root);
	if (!dump)
		return false;
	fputs(dump, out);
	fputc('\n', out);
	free(dump);
	return true;
}
