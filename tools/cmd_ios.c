/* cmd_ios.c - btviz ios: one line an I/O. Streams: an I/O is printed as soon as it has ended,
 * unless a sort is asked for. Members of what is traced above them are left out unless they are
 * named. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/btviz.h>

#include "command.h"
#include "database.h"
#include "events_filter.h"
#include "ios_fio.h"
#include "ios_kept.h"
#include "ios_print.h"
#include "layers.h"
#include "lines.h"
#include "options.h"
#include "output.h"
#include "output_format.h"
#include "reading.h"
#include "say.h"
#include "trace_name.h"

enum {
	OPT_OP = OPT_OWN,
	OPT_PROCESS,
	OPT_SECTOR,
	OPT_SLOWER,
	OPT_SLOWEST,
	OPT_AT,
	OPT_FAILED,
	OPT_OPEN,
	OPT_SORT,
	OPT_FIO_TIME,
};

/* What --format takes; the first are enum ios_format. */
enum { FORMAT_JSON = IOS_JSONL + 1, FORMAT_FIO, FORMAT_SQLITE };

#define REQUEST struct ios_request

struct ios_request {
	struct reading read;
	const char *output;
	int format;
	struct events_filter filter;
	uint64_t slower_ns, slowest, at_ns;
	bool at, failed, open;
	enum ios_sort sort;
	enum fio_time fio_time;
};

static bool take_ops(const struct option_parser *p, void *request)
{
	return filter_take_ops(p, &((struct ios_request *)request)->filter);
}

static bool take_sectors(const struct option_parser *p, void *request)
{
	return filter_take_sectors(p, &((struct ios_request *)request)->filter);
}

static bool take_at(const struct option_parser *p, void *request)
{
	struct ios_request *const r = request;

	r->at = true;
	return strcmp(p->value, "0") == 0 || value_duration(p, &r->at_ns);
}

static const char *const formats[] = { "text", "csv", "jsonl", "json", "fio", "sqlite", NULL };
static const char *const sorts[] = { "time", "latency", "size", "sector", NULL };
static const char *const fio_times[] = { "queue", "issue", NULL };

/* clang-format off */
static const struct option_spec specs[] = {
	OPTION_TRACE,
	OPTION_DIR,
	{ "output", 'o', "FILE", "write to FILE: .txt, .csv, .jsonl or .db (standard\noutput)", TO_TEXT(output) },
	{ "format", OPT_FORMAT, "FORMAT", "text, csv, jsonl or json, which are the same here, fio\n(a log for it to replay) or sqlite (a database); as\nFILE is called, or text", TO_WORD(format, formats) },
	OPTION_DEVICE,
	{ "op", OPT_OP, "OPS", "only these: read,write,discard,zeroes,flush,zone,\npassthrough", BY(take_ops), .word = filter_op },
	{ "process", OPT_PROCESS, "WHO", "only of this process: pid, name, or pattern such as\n'kworker*'; repeatable", TO_WORDS(filter.processes) },
	OPTION_XZOOM,
	{ "sector", OPT_SECTOR, "A:B", "only what touches sectors A to B", BY(take_sectors) },
	{ "slower-than", OPT_SLOWER, "TIME", "only what took at least so long", TO_TIME(slower_ns) },
	{ "slowest", OPT_SLOWEST, "N", "only the N slowest, slowest first", TO_COUNT(slowest, 1, IOS_KEPT_MAX) },
	{ "at", OPT_AT, "TIME", "only what was under way at that second of the run", BY(take_at) },
	{ "failed", OPT_FAILED, NULL, "only what ended with an error", TO_FLAG(failed) },
	{ "open", OPT_OPEN, NULL, "only what never ended", TO_FLAG(open) },
	{ "sort", OPT_SORT, "KEY", "time, latency, size or sector (as they end)", TO_WORD(sort, sorts) },
	{ "fio-time", OPT_FIO_TIME, "WHEN", "fio: replay when I/Os were queued, or issued (queue)", TO_WORD(fio_time, fio_times) },
	OPTION_STRICT,
	OPTION_HELP_ROW,
	OPTION_TABLE_END
};
/* clang-format on */

/* The whole command at work. */
struct ios {
	const struct ios_request *request;
	struct btviz_trace *t;
	struct btviz_ios *ios;
	struct process_names names;
	struct device_names devices;
	struct layers layers;
	struct ios_kept kept;
	struct fio_log fio;
	struct lines out;
	struct database *database; /* or NULL */
	uint64_t origin_ns, last_ns;
	uint64_t seen,
		slowest_ns; /* I/Os that the filters of events take, and the longest of them */
	bool origin_known;
};

static bool is_kept(const struct ios_request *r)
{
	return r->slowest > 0 || r->sort != IOS_UNSORTED;
}

static void print_io(struct ios *i, const struct btviz_io *io, const char *process)
{
	const struct io_context c = { .origin_ns = i->origin_ns,
		.process = process && process[0] ? process : NULL,
		.device = device_names_get(&i->devices, i->t, io->device) };
	struct line line;

	if (i->database) {
		database_add_io(i->database, io, &c);
		i->out.count++;
		return;
	}
	line = lines_begin(&i->out);
	ios_print(&line, (enum ios_format)i->request->format, io, &c);
	lines_add(&i->out, &line);
}

static bool takes(struct ios *i, const struct btviz_io *io, const char *process)
{
	const struct ios_request *const r = i->request;
	const int64_t begin = (int64_t)(io_begin_ns(io) - i->origin_ns);
	const bool open = io->complete_ns == BTVIZ_TIME_UNKNOWN;
	const uint64_t latency = io_latency_ns(io, i->last_ns);

	/* Who asks a database can choose, and join members with their array. */
	if (r->read.devices.count == 0 && !i->database && layers_is_below(&i->layers, io->device))
		return false;
	if (!filter_takes_io(&r->filter, io, begin, process,
		    device_names_get(&i->devices, i->t, io->device)))
		return false;
	i->seen++;
	i->slowest_ns = latency > i->slowest_ns ? latency : i->slowest_ns;
	if ((r->failed || r->open) && !(r->failed && io->error != 0) && !(r->open && open))
		return false;
	if (r->at &&
		(begin > (int64_t)r->at_ns ||
			(!open && io->complete_ns - i->origin_ns <= r->at_ns)))
		return false;
	return latency >= r->slower_ns;
}

/* False: out of memory. */
static bool take_io(struct ios *i, const struct btviz_io *io)
{
	const char *const process = process_names_get(&i->names, io->pid);

	if (!takes(i, io, process))
		return true;
	if (is_kept(i->request))
		return ios_kept_add(
			&i->kept, io, process, UINT64_MAX - io_latency_ns(io, i->last_ns));
	print_io(i, io, process);
	return true;
}

static enum btviz_status take_event(
	struct ios *i, const struct btviz_event *ev, struct btviz_error *err)
{
	const struct btviz_io *io;
	enum btviz_status status;

	if (btviz_event_is_note(ev)) {
		if (ev->event == BTVIZ_NOTE_PROCESS && !process_names_add(&i->names, ev))
			return BTVIZ_ERR_NOMEM;
		return BTVIZ_OK;
	}
	if (!i->origin_known)
		i->origin_ns = ev->time_ns;
	i->origin_known = true;
	i->last_ns = ev->time_ns;
	layers_add(&i->layers, ev);
	if (i->request->format == FORMAT_FIO) {
		const char *const device = device_names_get(&i->devices, i->t, ev->device);

		if ((i->request->read.devices.count > 0 ||
			    !layers_is_below(&i->layers, ev->device)) &&
			filter_takes(&i->request->filter, ev, (int64_t)(ev->time_ns - i->origin_ns),
				process_names_get(&i->names, ev->pid), device))
			fio_log_add(&i->fio, &i->out, ev, i->origin_ns, device);
		return BTVIZ_OK;
	}
	status = btviz_ios_add(i->ios, ev, err);
	while (status == BTVIZ_OK && (io = btviz_ios_next(i->ios)))
		status = take_io(i, io) ? BTVIZ_OK : BTVIZ_ERR_NOMEM;
	return status;
}

/* Those that never ended, and then what was kept. False: out of memory. */
static bool print_rest(struct ios *i)
{
	const struct ios_request *const r = i->request;
	const struct btviz_io *io;

	while ((r->open || r->at || i->database) && r->format != FORMAT_FIO &&
		(io = btviz_ios_next_open(i->ios)))
		if (!take_io(i, io))
			return false;
	ios_kept_sort(&i->kept, r->sort);
	for (size_t k = 0; k < i->kept.count && !i->kept.overflow; k++)
		print_io(i, &i->kept.list[k].io, i->kept.list[k].process);
	if (r->format == FORMAT_FIO)
		fio_log_end(&i->fio, &i->out, i->last_ns - i->origin_ns);
	return true;
}

/* What is to be said when all has been read and printed; *ret_whole: nothing is missing. */
static int finish(struct ios *i, bool *ret_whole)
{
	const struct ios_request *const r = i->request;
	const char *const trace = r->read.traces.list[0];
	const struct btviz_health *const health = btviz_trace_health(i->t);
	char label[256];

	if (i->out.error != 0) {
		say("cannot write %s: %s", r->output ? r->output : "to standard output",
			strerror(i->out.error));
		return EXIT_FAILED;
	}
	if (i->kept.overflow) {
		say("more than %d I/Os are not sorted: choose some (-x, -d, --slower-than), or the "
		    "--slowest N",
			IOS_KEPT_MAX);
		return EXIT_FAILED;
	}
	*ret_whole = true;
	if (i->out.closed)
		return EXIT_DONE;
	if (!i->origin_known) {
		say("%s: no I/O event in it", trace);
		return EXIT_FAILED;
	}
	if (i->out.count == 0 && i->seen > 0) {
		say("none of %llu I/Os is of the kind asked for; they took %.6f s at most, and the "
		    "run %.3f s",
			(unsigned long long)i->seen, (double)i->slowest_ns / 1e9,
			(double)(i->last_ns - i->origin_ns) / 1e9);
		return EXIT_FAILED;
	}
	if (i->out.count == 0 && filter_is_set(&r->filter)) {
		filter_say_nothing(&r->filter, &i->devices, &i->names, i->last_ns - i->origin_ns);
		return EXIT_FAILED;
	}
	if (say_trace_health(run_name(trace, label, sizeof label), health, 0) && r->read.strict) {
		say("%s: damaged, and --strict was given", trace);
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}

static int print_all(struct ios *i, bool *ret_whole)
{
	const struct btviz_event *ev;
	struct btviz_error err;
	enum btviz_status status;
	struct line header = lines_begin(&i->out);

	if (i->request->format == FORMAT_FIO)
		fio_log_begin(&header);
	else if (!i->database)
		ios_print_header(&header, (enum ios_format)i->request->format);
	lines_add(&i->out, &header);
	i->out.count = 0;
	while ((status = btviz_trace_next(i->t, &ev, &err)) == BTVIZ_OK) {
		status = take_event(i, ev, &err);
		if (status != BTVIZ_OK || i->out.closed || i->out.error != 0)
			break;
	}
	if (status == BTVIZ_ERR_NOMEM || (status == BTVIZ_END && !print_rest(i))) {
		say("out of memory");
		return EXIT_FAILED;
	}
	if (status < 0)
		return say_error(&err);
	/* Where nothing fits, that is said, and no heading is printed. */
	if (i->out.count == 0 && (i->seen > 0 || filter_is_set(&i->request->filter)))
		i->out.size = 0;
	lines_flush(&i->out);
	return finish(i, ret_whole);
}

/* What the summary says of the run, into the database: the trace is read once more. */
static bool add_run(struct ios *i)
{
	const struct reading *const r = &i->request->read;
	struct btviz_findings *findings = NULL;
	struct btviz_summary *s = NULL;
	const struct btviz_figures *f;
	struct btviz_error err;
	const bool ok = btviz_summary_read(r->traces.list[0], &r->trace, &r->summary, &s, &err) ==
			BTVIZ_OK &&
		btviz_summary_figures(s, &f, &err) == BTVIZ_OK &&
		btviz_findings_new(f, &findings, &err) == BTVIZ_OK;

	if (ok)
		database_add_run(i->database, f, findings);
	else
		say_error(&err);
	btviz_findings_free(findings);
	btviz_summary_free(s);
	return ok;
}

/* The file of -o appears if all of it is there, damage in the trace or not. */
static int print_into_file(struct ios *i)
{
	struct output o;
	bool whole = false;
	int code;

	if (i->request->format == FORMAT_SQLITE) {
		i->database = database_new(i->request->output);
		if (!i->database)
			return EXIT_FAILED;
	}
	if (!output_open(&o, i->request->output))
		return EXIT_FAILED;
	i->out.fd = fileno(o.file);
	code = print_all(i, &whole);
	if (whole && i->database)
		whole = add_run(i) && database_write(i->database, i->out.fd);
	if (whole)
		return output_finish(&o) ? code : EXIT_FAILED;
	output_drop(&o);
	return code == EXIT_DONE ? EXIT_FAILED : code;
}

static bool check(struct ios_request *r, int argc, char **argv)
{
	if (!reading_check(&r->read, "ios", argc, argv) ||
		!output_format("ios", r->output, formats, &r->format))
		return false;
	if (r->read.traces.count > 1)
		say_usage("ios", "one run at a time: join traces with commas, -t %s,%s",
			r->read.traces.list[0], r->read.traces.list[1]);
	else if (r->format == FORMAT_SQLITE &&
		(!r->output || strcmp(r->output, "-") == 0 ||
			strcmp(r->read.traces.list[0], "-") == 0))
		say_usage("ios",
			"a database is written into a file (-o FILE), of a trace that can be read "
			"twice");
	else if (r->format == FORMAT_FIO &&
		(is_kept(r) || r->failed || r->open || r->at || r->slower_ns))
		say_usage("ios",
			"a log for fio is in order of time, and of what was begun: --sort, "
			"--slowest, --slower-than, --at, --failed and --open do not go with it");
	else
		return true;
	return false;
}

static int run(void *request, int argc, char **argv)
{
	struct ios_request *const r = request;
	struct btviz_error err;
	struct ios *i;
	int code = EXIT_FAILED;

	if (!check(r, argc, argv))
		return EXIT_USAGE;
	if (r->format == FORMAT_SQLITE && !database_is_there())
		return EXIT_FAILED;
	if (!check_spares(r->output, r->read.traces.list, 1, r->read.trace.dir))
		return EXIT_FAILED;
	if (r->format == FORMAT_JSON)
		r->format = IOS_JSONL;
	r->filter.devices = &r->read.devices;
	r->filter.start_ns = r->read.summary.start_ns;
	r->filter.end_ns = r->read.summary.end_ns;
	signal(SIGPIPE, SIG_IGN);
	i = calloc(1, sizeof *i);
	if (i)
		i->ios = btviz_ios_new();
	if (!i || !i->ios) {
		say("out of memory");
		free(i);
		return EXIT_FAILED;
	}
	i->request = r;
	i->kept.max = r->slowest;
	i->fio.when = r->fio_time;
	if (btviz_trace_open(r->read.traces.list[0], &r->read.trace, &i->t, &err) == BTVIZ_OK) {
		code = print_into_file(i);
		btviz_trace_close(i->t);
	} else {
		code = say_unread(r->read.traces.list[0], r->read.trace.dir, &err);
	}
	btviz_ios_free(i->ios);
	process_names_done(&i->names);
	ios_kept_done(&i->kept);
	database_free(i->database);
	free(i);
	return code;
}

static void prepare(void *request)
{
	struct ios_request *const r = request;

	reading_init(&r->read);
	r->format = FORMAT_UNTOLD;
	r->sort = IOS_UNSORTED;
}

const struct command command_ios = {
	.name = "ios",
	.help = "one line an I/O: where, who, how long; the slowest",
	.usage = "Usage: btviz ios -t NAME [options]\n\n"
		 "Prints one line an I/O as it ends, from its queueing to its completion, of the\n"
		 "devices on top (an array, not its members) or of those of -d.",
	.specs = specs,
	.request_size = sizeof(struct ios_request),
	.prepare = prepare,
	.run = run,
};
