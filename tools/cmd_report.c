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
#include "reading.h"
#include "report.h"
#include "say.h"
#include "trace_name.h"

enum { OPT_DEVICE_TABLES = OPT_OWN, OPT_PROCESS, OPT_INTERVAL, OPT_SAVE };

/* clang-format off */
static const struct option_spec specs[] = {
	OPTION_TRACE,
	{ "output", 'o', "FILE", "write to FILE (standard output)" },
	{ "format", OPT_FORMAT, "FORMAT", "text, json or csv (text)" },
	{ "device", OPT_DEVICE_TABLES, NULL, "text: everything about each device" },
	{ "process", OPT_PROCESS, NULL, "text: all processes, not only the busiest ten" },
	{ "interval", OPT_INTERVAL, "TIME", "iostat's columns for each stretch of this length" },
	{ "merge", 'M', NULL, "processes of one name are one" },
	{ "label", 'l', "TEXT", "label of the -t in the same place; repeatable" },
	{ "only", 'd', "DEV", "only this device (md0, /dev/md0 or 9,0); repeatable" },
	OPTION_DIR,
	OPTION_XZOOM,
	{ "save", OPT_SAVE, "FILE", "keep the run's summary: FILE then serves as a trace" },
	OPTION_GAP,
	OPTION_SEEK,
	OPTION_STRICT,
	OPTION_JOBS,
	OPTION_NO_PROGRESS,
	OPTION_HELP,
	OPTION_TABLE_END
};
/* clang-format on */

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

struct request {
	struct reading read;
	const char *output, *save;
	int format;
	bool merge, help;
	struct report_options report;
};

static void print_help(void)
{
	puts("Usage: btviz report -t NAME [-t NAME...] [options]\n\n"
	     "Prints what a run did: findings first, then figures by device, latencies, gaps,\n"
	     "arrays and processes. btviz-report(1) explains each of them.\n\nOptions:");
	options_print(specs);
}

static bool take_option(const struct option_parser *p, int id, struct request *r)
{
	static const char *const formats[] = { "text", "json", "csv", NULL };

	switch (reading_take(&r->read, p, id)) {
	case READING_TOOK:
		return true;
	case READING_WRONG:
		return false;
	case READING_OTHER:
		break;
	}
	switch (id) {
	case 'o':
		r->output = p->value;
		return true;
	case 'M':
		r->merge = true;
		return true;
	case OPT_FORMAT:
		return value_word(p, formats, &r->format);
	case OPT_DEVICE_TABLES:
		r->report.devices = true;
		return true;
	case OPT_PROCESS:
		r->report.processes = true;
		return true;
	case OPT_INTERVAL:
		return value_duration(p, &r->report.interval_ns);
	case OPT_SAVE:
		r->save = p->value;
		return true;
	case OPT_HELP:
		r->help = true;
		return true;
	default:
		return false;
	}
}

/* False after saying what is wrong. */
static bool parse(int argc, char **argv, struct request *r)
{
	struct option_parser p;
	bool ok = true;
	int id;

	options_init(&p, "report", specs, argc, argv);
	while (ok && !r->help && (id = options_next(&p)) != OPT_END)
		ok = id != OPT_WRONG && take_option(&p, id, r);
	if (ok && !r->help) {
		ok = reading_check(&r->read, &p);
		if (ok && r->save && r->read.traces.count > 1) {
			say_usage("report", "--save keeps one run: give one -t");
			ok = false;
		}
	}
	options_done(&p);
	return ok;
}

/* Fills run; an exit code. */
static int read_run(const struct request *r, size_t i, struct report_run *run)
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
	if (r->merge && !report_merge_processes(run))
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

static int write_report(const struct request *r, const struct report_run *runs)
{
	static bool (*const writers[])(
		FILE *, const struct report_run *, size_t, const struct report_options *) = {
		[FORMAT_TEXT] = report_text,
		[FORMAT_JSON] = report_json,
		[FORMAT_CSV] = report_csv,
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

static int save(const struct request *r, struct report_run *run)
{
	struct btviz_error err;

	if (!r->save || btviz_summary_save(run->summary, r->save, &err) == BTVIZ_OK)
		return EXIT_DONE;
	say_error(&err);
	return EXIT_FAILED;
}

static bool may_write(const struct request *r, const char *path)
{
	return check_spares(path, r->read.traces.list, r->read.traces.count, r->read.trace.dir);
}

int cmd_report(int argc, char **argv)
{
	static struct request request;
	struct request *const r = &request;
	struct report_run *runs;
	int code = EXIT_DONE;

	reading_init(&r->read);
	if (!parse(argc, argv, r))
		return EXIT_USAGE;
	if (r->help) {
		print_help();
		return EXIT_DONE;
	}
	if (!may_write(r, r->output) || !may_write(r, r->save))
		return EXIT_FAILED;
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
