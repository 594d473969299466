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
#include "report.h"
#include "say.h"

enum { OPT_DEVICE_TABLES = OPT_OWN, OPT_PROCESS, OPT_INTERVAL, OPT_SAVE };

enum { RUNS_MAX = 256, DEVICES_MAX = 256 };

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
	OPTION_HELP,
	OPTION_TABLE_END
};
/* clang-format on */

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

struct request {
	const char *names[RUNS_MAX], *labels[RUNS_MAX], *devices[DEVICES_MAX];
	size_t name_count, label_count, device_count;
	const char *output, *save;
	int format;
	bool merge, strict, help;
	struct report_options report;
	struct btviz_trace_options trace;
	struct btviz_summary_options summary;
};

static void print_help(void)
{
	puts("Usage: btviz report -t NAME [-t NAME...] [options]\n\n"
	     "Prints what a run did: findings first, then figures by device, latencies, gaps,\n"
	     "arrays and processes. btviz-report(1) explains each of them.\n\nOptions:");
	options_print(specs);
}

/* Appends to a list of words; says so where it is full. */
static bool append(const char **list, size_t *count, size_t max, const char *word, const char *what)
{
	if (*count == max) {
		say_usage("report", "more than %zu %s", max, what);
		return false;
	}
	list[(*count)++] = word;
	return true;
}

static bool take_option(const struct option_parser *p, int id, struct request *r)
{
	static const char *const formats[] = { "text", "json", "csv", NULL };
	uint64_t n;

	switch (id) {
	case 't':
		return append(r->names, &r->name_count, RUNS_MAX, p->value, "runs (-t)");
	case 'l':
		return append(r->labels, &r->label_count, RUNS_MAX, p->value, "labels (-l)");
	case 'd':
		return append(r->devices, &r->device_count, DEVICES_MAX, p->value, "devices (-d)");
	case 'o':
		r->output = p->value;
		return true;
	case 'D':
		r->trace.dir = p->value;
		return true;
	case 'M':
		r->merge = true;
		return true;
	case 'x':
		return value_time_range(p, &r->summary.start_ns, &r->summary.end_ns);
	case 'j':
		if (!value_count(p, 1, 1024, &n))
			return false;
		r->summary.jobs = (unsigned)n;
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
		if (!value_duration(p, &r->report.interval_ns))
			return false;
		if (r->report.interval_ns == 0) {
			say_usage("report", "--interval: must be longer than 0");
			return false;
		}
		return true;
	case OPT_SAVE:
		r->save = p->value;
		return true;
	case OPT_GAP_THRESHOLD:
		return value_duration(p, &r->summary.gap_threshold_ns);
	case OPT_SEEK_DISTANCE:
		return value_count(p, 1, UINT64_MAX, &r->summary.seek_sectors);
	case OPT_STRICT:
		r->strict = true;
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
		const int rest = options_rest(&p);

		ok = false;
		if (rest < argc)
			say_usage("report", "'%s': traces are given with -t, a device with -d",
				argv[rest]);
		else if (r->name_count == 0)
			say_usage("report", "no trace given (-t NAME)");
		else if (r->label_count > r->name_count)
			say_usage("report", "more labels (-l) than runs (-t)");
		else if (r->save && r->name_count > 1)
			say_usage("report", "--save keeps one run: give one -t");
		else
			ok = true;
	}
	options_done(&p);
	r->summary.devices = r->devices;
	r->summary.device_count = r->device_count;
	return ok;
}

/* Damage of a trace, once on standard error; findings and health repeat it in the report. */
static bool say_damage(const struct report_run *run)
{
	const struct btviz_health *const h = run->f->health;

	if (h->lost_events > 0)
		say("%s: %" PRIu64 " events are missing", run->label, h->lost_events);
	if (h->torn_tails > 0)
		say("%s: %" PRIu64 " streams end inside a record", run->label, h->torn_tails);
	if (h->bad_bytes > 0)
		say("%s: %" PRIu64 " bytes are no records, the first at byte %" PRIu64
		    " of its stream",
			run->label, h->bad_bytes, h->first_bad_offset);
	if (h->unknown_actions > 0)
		say("%s: %" PRIu64 " events of unknown kinds", run->label, h->unknown_actions);
	if (h->late_events > 0)
		say("%s: %" PRIu64 " events came too late to be put in order", run->label,
			h->late_events);
	if (h->left_out_events > 0)
		say("%s: %" PRIu64 " events of more than 1024 devices are left out", run->label,
			h->left_out_events);
	return h->left_out_events || h->lost_events || h->torn_tails || h->bad_bytes ||
		h->unknown_actions || h->late_events;
}

/* Fills run; an exit code. */
static int read_run(const struct request *r, size_t i, struct report_run *run)
{
	struct btviz_error err = { .message = "" };
	char label[CLEAN_SIZE];
	enum btviz_status status;

	run->label = strdup(
		clean_text(i < r->label_count ? r->labels[i] : r->names[i], label, sizeof label));
	if (!run->label) {
		say("out of memory");
		return EXIT_FAILED;
	}
	status = btviz_summary_read(r->names[i], &r->trace, &r->summary, &run->summary, &err);
	if (status == BTVIZ_OK)
		status = btviz_summary_figures(run->summary, &run->f, &err);
	if (status == BTVIZ_OK)
		status = btviz_findings_new(run->f, &run->findings, &err);
	if (status != BTVIZ_OK)
		return say_error(&err);
	if (say_damage(run) && r->strict) {
		say("%s: damaged, and --strict was given", run->label);
		return EXIT_FAILED;
	}
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
	if (!writers[r->format](o.file, runs, r->name_count, &r->report)) {
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

int cmd_report(int argc, char **argv)
{
	static struct request request;
	struct request *const r = &request;
	struct report_run *runs;
	int code = EXIT_DONE;

	*r = (struct request){ .trace = BTVIZ_TRACE_OPTIONS_INIT,
		.summary = BTVIZ_SUMMARY_OPTIONS_INIT };
	if (!parse(argc, argv, r))
		return EXIT_USAGE;
	if (r->help) {
		print_help();
		return EXIT_DONE;
	}
	runs = calloc(r->name_count, sizeof *runs);
	if (!runs) {
		say("out of memory");
		return EXIT_FAILED;
	}
	for (size_t i = 0; code == EXIT_DONE && i < r->name_count; i++)
		code = read_run(r, i, &runs[i]);
	/* The summary first: figures, which the report is written from, last until it changes. */
	if (code == EXIT_DONE)
		code = save(r, &runs[0]);
	if (code == EXIT_DONE)
		code = write_report(r, runs);
	for (size_t i = 0; i < r->name_count; i++)
		drop_run(&runs[i]);
	free(runs);
	return code;
}
