/* cmd_report.c - the numbers: traces in, text, JSON or CSV out. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/btviz.h>

#include "clean.h"
#include "command.h"
#include "options.h"
#include "output.h"
#include "output_format.h"
#include "reading.h"
#include "report.h"
#include "say.h"
#include "trace_name.h"

enum { OPT_DEVICE_TABLES = OPT_OWN, OPT_PROCESS, OPT_INTERVAL, OPT_SAVE };

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_JSONL };

#define REQUEST struct report_request

struct report_request {
	struct reading read;
	const char *output, *save;
	int format;
	struct words merge;
	struct report_options report;
};

static const char *const formats[] = { "text", "json", "csv", "jsonl", NULL };

/* clang-format off */
static const struct option_spec specs[] = {
	OPTION_TRACE,
	{ "output", 'o', "FILE", "write to FILE: .txt, .json, .jsonl or .csv\n(standard output)", TO_TEXT(output) },
	{ "format", OPT_FORMAT, "FORMAT", "text, json, jsonl or csv (as FILE is called; text)", TO_WORD(format, formats) },
	{ "device-tables", OPT_DEVICE_TABLES, NULL, "text: everything about each device", TO_FLAG(report.devices) },
	{ "all-processes", OPT_PROCESS, NULL, "text: all processes, not only the busiest ten", TO_FLAG(report.processes) },
	{ "interval", OPT_INTERVAL, "TIME", "iostat's columns for each stretch of this length", TO_TIME(report.interval_ns) },
	{ "merge", 'M', "NAME", "processes of this name are one; '*': of any", TO_WORDS(merge) },
	OPTION_LABEL,
	OPTION_DEVICE,
	OPTION_DIR,
	OPTION_XZOOM,
	{ "save", OPT_SAVE, "FILE", "keep the run's summary: FILE then serves as a trace", TO_TEXT(save) },
	OPTION_GAP,
	OPTION_SEEK,
	OPTION_STRICT,
	OPTION_JOBS,
	OPTION_NO_PROGRESS,
	OPTION_HELP_ROW,
	GONE("only", OPT_GONE, "a device is chosen with -d (--device) DEV"),
	GONE("process", OPT_GONE + 1, "all processes are listed with --all-processes"),
	OPTION_TABLE_END
};
/* clang-format on */

static bool check(struct report_request *r, int argc, char **argv)
{
	const bool one = !r->save || r->read.traces.count == 1;

	if (!reading_check(&r->read, "report", argc, argv))
		return false;
	if (!one)
		say_usage("report", "--save keeps one run: give one -t");
	if (!one || !output_format("report", r->output, formats, &r->format))
		return false;
	r->report.one_line = r->format == FORMAT_JSONL;
	return true;
}

/* Fills run; an exit code. */
static int read_run(const struct report_request *r, size_t i, struct report_run *run)
{
	struct btviz_error err = { .message = "" };
	char label[CLEAN_SIZE];
	int code;

	run->label = strdup(clean_text(
		i < r->read.labels.count ? r->read.labels.list[i] : r->read.traces.list[i], label,
		sizeof label));
	if (!run->label) {
		say("out of memory");
		return EXIT_FAILED;
	}
	code = reading_run(&r->read, r->read.traces.list[i], &run->summary, &run->f);
	if (code != EXIT_DONE)
		return code;
	if (btviz_findings_new(run->f, &run->findings, &err) != BTVIZ_OK)
		return say_error(&err);
	if (r->merge.count > 0 && !report_merge_processes(run, r->merge.list, r->merge.count))
		return EXIT_FAILED;
	if (r->report.interval_ns != 0 && !report_intervals_new(run, r->report.interval_ns))
		return EXIT_FAILED;
	return EXIT_DONE;
}

static void drop_run(struct report_run *run)
{
	report_intervals_free(run);
	free(run->processes);
	free(run->process_list);
	btviz_findings_free(run->findings);
	btviz_summary_free(run->summary);
	free(run->label);
}

static int write_report(const struct report_request *r, const struct report_run *runs)
{
	static bool (*const writers[])(
		FILE *, const struct report_run *, size_t, const struct report_options *) = {
		[FORMAT_TEXT] = report_text,
		[FORMAT_JSON] = report_json,
		[FORMAT_CSV] = report_csv,
		[FORMAT_JSONL] = report_json,
	};
	struct output o;

	if (!output_open(&o, r->output))
		return EXIT_FAILED;
	if (!writers[r->format](o.file, runs, r->read.traces.count, &r->report)) {
		say("out of memory");
		output_drop(&o);
		return EXIT_FAILED;
	}
	return output_finish(&o) ? EXIT_DONE : EXIT_FAILED;
}

static int save(const struct report_request *r, struct report_run *run)
{
	struct btviz_error err;

	if (!r->save || btviz_summary_save(run->summary, r->save, &err) == BTVIZ_OK)
		return EXIT_DONE;
	say_error(&err);
	return EXIT_FAILED;
}

/* Whether the recorder was there to the end and saw nothing at all: that is a result, and is said.
 */
static bool says_idle(const struct report_request *r)
{
	const char *const name = r->read.traces.list[0];
	const struct btviz_metadata_run *run;
	struct btviz_metadata *m;
	struct btviz_summary *s = NULL;
	char names[512] = "";
	size_t n = 0;
	bool idle;

	if (r->read.traces.count != 1 || strcmp(name, "-") == 0 ||
		btviz_metadata_open(name, r->read.trace.dir, &m, NULL) != BTVIZ_OK)
		return false;
	run = btviz_metadata_run(m);
	idle = !(run->flags & BTVIZ_META_UNFINISHED) && run->events == 0 && run->lost_events == 0 &&
		run->end_ns > run->start_ns;
	for (size_t i = 0; idle && i < btviz_metadata_device_count(m) && n < sizeof names; i++) {
		const struct btviz_metadata_device *d = btviz_metadata_device(m, i);

		if (d->traced)
			n += (size_t)snprintf(
				names + n, sizeof names - n, "%s%s", n ? ", " : "", d->name);
	}
	/* 0 is also what a recorder says that does not know: the streams must be empty, too. */
	idle = idle && btviz_summary_read(name, &r->read.trace, NULL, &s, NULL) == BTVIZ_ERR_EMPTY;
	if (idle)
		say("no I/O on %s in %.1f s", names, (double)(run->end_ns - run->start_ns) / 1e9);
	btviz_summary_free(s);
	btviz_metadata_close(m);
	return idle;
}

static bool may_write(const struct report_request *r, const char *path)
{
	return check_spares(path, r->read.traces.list, r->read.traces.count, r->read.trace.dir);
}

static int report(void *request, int argc, char **argv)
{
	struct report_request *const r = request;
	struct report_run *runs;
	int code = EXIT_DONE;

	if (!check(r, argc, argv))
		return EXIT_USAGE;
	if (!may_write(r, r->output) || !may_write(r, r->save))
		return EXIT_FAILED;
	if (!r->save && says_idle(r))
		return EXIT_DONE;
	runs = calloc(r->read.traces.count, sizeof *runs);
	if (!runs) {
		say("out of memory");
		return EXIT_FAILED;
	}
	for (size_t i = 0; code == EXIT_DONE && i < r->read.traces.count; i++)
		code = read_run(r, i, &runs[i]);
	/* The summary first: figures, which the report is written from, last until it changes. */
	if (code == EXIT_DONE)
		code = save(r, &runs[0]);
	if (code == EXIT_DONE)
		code = write_report(r, runs);
	for (size_t i = 0; i < r->read.traces.count; i++)
		drop_run(&runs[i]);
	free(runs);
	return code;
}

static void prepare(void *request)
{
	struct report_request *const r = request;

	reading_init(&r->read);
	r->format = FORMAT_UNTOLD;
}

const struct command command_report = {
	.name = "report",
	.help = "the numbers: text, JSON or CSV",
	.usage = "Usage: btviz report -t NAME [-t NAME...] [options]\n\n"
		 "Prints what a run did: findings first, then figures by device, latencies, gaps,\n"
		 "arrays and processes. btviz-report(1) explains each of them.",
	.specs = specs,
	.request_size = sizeof(struct report_request),
	.prepare = prepare,
	.run = report,
};
