/* report_csv.c - the report as tidy CSV: one figure a line, for spreadsheets, sqlite and pandas. A
 * figure that does not exist has an empty value. Decides nothing, computes nothing. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "clean.h"
#include "report.h"

/* What stands in the columns beside measure and value. */
struct csv_row {
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

static void put(FILE *out, const struct csv_row *row, const char *direction, const char *measure,
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

static void put_distribution(FILE *out, const struct csv_row *row, const char *direction,
	const char *name, const struct btviz_distribution *d, const char *unit)
{
	char measure[64];

	snprintf(measure, sizeof measure, "%s.count", name);
	put(out, row, direction, measure, (double)d->count, "");
	for (size_t i = 0; i < REPORT_QUANTILES && d->count > 0; i++) {
		snprintf(measure, sizeof measure, "%s.%s", name, report_quantiles[i].name);
		put(out, row, direction, measure, report_double(d, report_quantiles[i].offset),
			unit);
	}
}

/* ---- figures of the library's list ----------------------------------------------------------- */

static void put_distributions(FILE *out, const struct csv_row *row, const struct btviz_figure *f,
	const struct btviz_distribution *d)
{
	if (f->directions == 0)
		put_distribution(out, row, f->direction, f->measure, d, f->unit);
	for (unsigned dir = 0; dir < f->directions; dir++)
		put_distribution(out, row, btviz_direction_name((enum btviz_direction)dir),
			f->measure, &d[dir], f->unit);
}

static void put_count(FILE *out, const struct csv_row *row, const char *direction, const char *name,
	const struct btviz_count *c, bool known)
{
	char measure[64];

	snprintf(measure, sizeof measure, "%s.ios", name);
	put(out, row, direction, measure, known ? (double)c->ios : (double)NAN, "");
	snprintf(measure, sizeof measure, "%s.bytes", name);
	put(out, row, direction, measure, known ? (double)c->bytes : (double)NAN, "bytes");
}

/* What the list does not say how to write. */
struct csv_special {
	const char *name;
	void (*put)(FILE *out, const struct report_run *run, const struct csv_row *row,
		const void *thing);
};

static void put_figures(FILE *out, const struct report_run *run, const struct csv_row *row,
	enum btviz_subject subject, const void *thing, const struct csv_special *specials)
{
	for (const struct btviz_figure *f = NULL; (f = btviz_figure_next(subject, f));) {
		const char *const at = (const char *)thing + f->offset;
		uint64_t number;

		for (const struct csv_special *s = specials; s && s->name; s++)
			if (strcmp(s->name, f->name) == 0)
				s->put(out, run, row, thing);
		if (!f->measure)
			continue;
		switch (f->type) {
		case BTVIZ_FIGURE_INTEGER:
			memcpy(&number, at, sizeof number);
			put(out, row, f->direction, f->measure, (double)number, f->unit);
			break;
		case BTVIZ_FIGURE_REAL:
			put(out, row, f->direction, f->measure, report_double(at, 0), f->unit);
			break;
		case BTVIZ_FIGURE_COUNT:
			put_count(out, row, f->direction, f->measure,
				(const struct btviz_count *)(const void *)at, true);
			break;
		case BTVIZ_FIGURE_DISTRIBUTION:
			put_distributions(
				out, row, f, (const struct btviz_distribution *)(const void *)at);
			break;
		case BTVIZ_FIGURE_IDENTITY:
		case BTVIZ_FIGURE_PID:
		case BTVIZ_FIGURE_DEVICE:
		case BTVIZ_FIGURE_FLAG:
		case BTVIZ_FIGURE_TEXT:
		case BTVIZ_FIGURE_OTHER:
			break; /* words, not numbers */
		}
	}
}

/* ---- devices --------------------------------------------------------------------------------- */

static void put_actions(
	FILE *out, const struct report_run *run, const struct csv_row *row, const void *thing)
{
	const struct btviz_device *const d = thing;

	for (unsigned op = 0; op < BTVIZ_OP_COUNT; op++)
		for (unsigned s = 0; s < BTVIZ_STATION_COUNT; s++) {
			const enum btviz_station station = (enum btviz_station)s;
			const struct btviz_count *const c = &d->actions[op][s];

			if (c->ios > 0 || op == BTVIZ_OP_READ || op == BTVIZ_OP_WRITE)
				put_count(out, row, btviz_op_name((enum btviz_op)op),
					btviz_station_name(station), c,
					report_knows(run, d, station));
		}
}

static void put_throughput(
	FILE *out, const struct report_run *run, const struct csv_row *row, const void *thing)
{
	const struct btviz_device *const d = thing;

	for (unsigned dir = BTVIZ_DIR_READ; dir <= BTVIZ_DIR_WRITE; dir++) {
		const struct btviz_count c = d->moved[dir];
		const bool known = d->basis != BTVIZ_BASIS_NONE;

		put(out, row, btviz_direction_name((enum btviz_direction)dir), "throughput",
			known ? report_per_s(run, (double)c.bytes) : (double)NAN, "bytes/s");
		put(out, row, btviz_direction_name((enum btviz_direction)dir), "iops",
			known ? report_per_s(run, (double)c.ios) : (double)NAN, "1/s");
	}
}

static void put_seeks_per_s(
	FILE *out, const struct report_run *run, const struct csv_row *row, const void *thing)
{
	const struct btviz_device *const d = thing;

	put(out, row, NULL, "seeks_per_s", report_per_s(run, (double)d->seeks), "1/s");
}

static void put_errors(
	FILE *out, const struct report_run *run, const struct csv_row *row, const void *thing)
{
	const struct btviz_device *const d = thing;

	(void)run;
	for (size_t i = 0; i < d->error_count; i++) {
		char measure[64];

		snprintf(measure, sizeof measure, "errors.%d", d->errors[i].error);
		put(out, row, NULL, measure, (double)d->errors[i].count, "");
	}
}

static void put_gaps(
	FILE *out, const struct report_run *run, const struct csv_row *row, const void *thing)
{
	const struct btviz_device *const d = thing;

	(void)run;
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
		struct csv_row at = *row;
		char measure[64];

		at.start_s = g->start_s;
		snprintf(measure, sizeof measure, "gap.%s", btviz_gap_kind_name(g->kind));
		put(out, &at, NULL, measure, g->end_s - g->start_s, "s");
	}
}

static void put_intervals(
	FILE *out, const struct report_run *run, const struct csv_row *row, const void *thing)
{
	size_t index = 0;

	while (run->f->devices[index] != thing)
		index++;
	for (size_t i = 0; run->intervals && i < run->interval_count; i++) {
		const struct report_interval *const r = &run->intervals[index][i];
		struct csv_row at = *row;

		at.start_s = r->start_s;
		for (size_t c = 0; c < report_column_count; c++) {
			const struct report_column *const column = &report_columns[c];

			put(out, &at,
				column->direction == BTVIZ_DIR_ALL
					? NULL
					: btviz_direction_name(column->direction),
				column->measure, report_double(r, column->offset), column->unit);
		}
	}
}

static const struct csv_special device_specials[] = { { "actions", put_actions },
	{ "throughput", put_throughput }, { "seeks.per_s", put_seeks_per_s },
	{ "errors", put_errors }, { "gaps", put_gaps }, { "intervals", put_intervals },
	{ NULL, NULL } };

/* ---- the rest -------------------------------------------------------------------------------- */

static void put_members(
	FILE *out, const struct report_run *run, const struct csv_row *row, const void *thing)
{
	const struct btviz_array *const a = thing;

	put(out, row, NULL, "array.members", (double)a->member_count, "");
	for (size_t i = 0; i < a->member_count; i++) {
		const struct csv_row member = {
			.run = run->label, .device = a->members[i]->name, .start_s = NAN
		};

		put_figures(out, run, &member, BTVIZ_SUBJECT_MEMBER, a->members[i], NULL);
	}
}

static const struct csv_special array_specials[] = { { "members", put_members }, { NULL, NULL } };

static void put_processes(FILE *out, const struct report_run *run)
{
	size_t count;
	const struct btviz_process *const *const list = report_processes(run, &count);

	for (size_t i = 0; i < count; i++) {
		const struct btviz_process *const p = list[i];
		char name[64];
		const struct csv_row row = { .run = run->label, .process = name, .start_s = NAN };

		if (p->pid != 0)
			snprintf(name, sizeof name, "%s:%" PRIu32, p->comm, p->pid);
		else
			snprintf(name, sizeof name, "%s", p->comm);
		put_figures(out, run, &row, BTVIZ_SUBJECT_PROCESS, p, NULL);
	}
}

static void put_suspected_loss(
	FILE *out, const struct report_run *run, const struct csv_row *row, const void *thing)
{
	(void)thing;
	put(out, row, NULL, "suspected_loss", (double)run->f->suspected_loss, "");
}

static const struct csv_special health_specials[] = { { "suspected_loss", put_suspected_loss },
	{ NULL, NULL } };

static void put_run(FILE *out, const struct report_run *run)
{
	const struct btviz_figures *const f = run->f;
	const struct csv_row row = { .run = run->label, .start_s = NAN };

	put(out, &row, NULL, "span", f->span_s, "s");
	put_figures(out, run, &row, BTVIZ_SUBJECT_HEALTH, f->health, health_specials);
	for (size_t i = 0; i < f->device_count; i++) {
		const struct csv_row device = {
			.run = run->label, .device = f->devices[i]->name, .start_s = NAN
		};

		put_figures(
			out, run, &device, BTVIZ_SUBJECT_DEVICE, f->devices[i], device_specials);
	}
	for (size_t i = 0; i < f->array_count; i++) {
		const struct csv_row array = {
			.run = run->label, .device = f->arrays[i]->name, .start_s = NAN
		};

		put_figures(out, run, &array, BTVIZ_SUBJECT_ARRAY, f->arrays[i], array_specials);
	}
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
