/* cmd_events.c - btviz events: one line an event. Streams: what has been read is printed, nothing
 * is kept but names, and the messages before the first I/O event, whose times are counted from it.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/btviz.h>

#include "command.h"
#include "events_filter.h"
#include "events_print.h"
#include "lines.h"
#include "options.h"
#include "output.h"
#include "output_format.h"
#include "reading.h"
#include "say.h"
#include "trace_name.h"

/* What --format takes behind enum events_format. */
enum { FORMAT_JSON = EVENTS_JSONL + 1 };

enum {
	EARLY_MAX = 4096, /* messages before the first I/O event that are kept */
	OPT_ACTION = OPT_OWN,
	OPT_OP,
	OPT_PROCESS,
	OPT_SECTOR,
	OPT_MESSAGES,
};

struct early {
	struct btviz_event ev;
	unsigned char payload[256];
};

#define REQUEST struct events_request

struct events_request {
	struct reading read;
	const char *output;
	int format;
	bool all_messages;
	struct events_filter filter;
};

/* The whole command at work. */
struct events {
	const struct events_request *request;
	const struct events_filter *filter;
	enum events_format format;
	struct btviz_trace *t;
	struct process_names names;
	struct lines out;
	uint64_t origin_ns;
	bool origin_known;
	bool complete; /* all that was there has been written */
	struct early *early;
	size_t early_count;
	struct device_names devices;
	uint64_t last_ns; /* of the I/O events */
};

static void print_event(struct events *e, const struct btviz_event *ev)
{
	const struct event_context c = {
		.origin_ns = e->origin_ns,
		.process = process_names_get(&e->names, ev->pid),
		.device = device_names_get(&e->devices, e->t, ev->device),
	};
	struct line line;

	if (!filter_takes(
		    e->filter, ev, (int64_t)(ev->time_ns - e->origin_ns), c.process, c.device))
		return;
	line = lines_begin(&e->out);
	events_print(&line, e->format, ev, &c);
	lines_add(&e->out, &line);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Keeps a message until it is known when the run began. */
static void keep_early(struct events *e, const struct btviz_event *ev)
{
	struct early *const k = e->early_count < EARLY_MAX ? &e->early[e->early_count++] : NULL;

	if (!k)
		return;
	k->ev = *ev;
	if (k->ev.payload_size > sizeof k->payload)
		k->ev.payload_size = sizeof k->payload;
	if (k->ev.payload_size > 0)
		memcpy(k->payload, ev->payload, k->ev.payload_size);
	k->ev.payload = k->payload;
}

static void begin_at(struct events *e, uint64_t origin_ns)
{
	e->origin_ns = origin_ns;
	e->origin_known = true;
	for (size_t i = 0; i < e->early_count; i++)
		print_event(e, &e->early[i].ev);
	e->early_count = 0;
}

/* False: out of memory. */
static bool take_event(struct events *e, const struct btviz_event *ev)
{
	const bool note = btviz_event_is_note(ev);

	if (note && ev->event == BTVIZ_NOTE_PROCESS)
		return process_names_add(&e->names, ev);
	if (!note && !e->origin_known)
		begin_at(e, ev->time_ns);
	if (!note)
		e->last_ns = ev->time_ns;
	if (!events_has_line(e->format, ev, e->request->all_messages))
		return true;
	if (e->origin_known)
		print_event(e, ev);
	else
		keep_early(e, ev);
	return true;
}

static int print_all(struct events *e)
{
	const char *const trace = e->request->read.traces.list[0];
	struct line header = lines_begin(&e->out);
	const struct btviz_event *ev;
	struct btviz_error err;
	enum btviz_status status;
	char label[256];

	events_print_header(&header, e->format);
	lines_add(&e->out, &header);
	e->out.count = 0;
	while ((status = btviz_trace_next(e->t, &ev, &err)) == BTVIZ_OK) {
		if (!take_event(e, ev)) {
			say("out of memory");
			return EXIT_FAILED;
		}
		if (e->out.closed || e->out.error != 0)
			break;
	}
	if (!e->origin_known && e->early_count > 0)
		begin_at(e, e->early[0].ev.time_ns);
	lines_flush(&e->out);
	if (status < 0)
		return say_error(&err);
	if (e->out.error != 0) {
		say("cannot write %s: %s",
			e->request->output ? e->request->output : "to standard output",
			strerror(e->out.error));
		return EXIT_FAILED;
	}
	if (e->out.closed)
		return EXIT_DONE;
	e->complete = true;
	if (btviz_trace_health(e->t)->events + btviz_trace_health(e->t)->notes == 0) {
		say("%s: no events in it", trace);
		return EXIT_FAILED;
	}
	if (e->out.count == 0 && filter_is_set(e->filter)) {
		filter_say_nothing(e->filter, &e->devices, &e->names, e->last_ns - e->origin_ns);
		return EXIT_FAILED;
	}
	if (say_trace_health(run_name(trace, label, sizeof label), btviz_trace_health(e->t), 0) &&
		e->request->read.strict) {
		say("%s: damaged, and --strict was given", trace);
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}

/* ---- options --------------------------------------------------------------------------------- */

static bool take_actions(const struct option_parser *p, void *request)
{
	const char *word;

	return filter_add_actions(&((struct events_request *)request)->filter, p->value, &word) ||
		filter_unknown_word(p, "action", word);
}

static bool take_ops(const struct option_parser *p, void *request)
{
	return filter_take_ops(p, &((struct events_request *)request)->filter);
}

static bool take_sectors(const struct option_parser *p, void *request)
{
	return filter_take_sectors(p, &((struct events_request *)request)->filter);
}

static const char *const formats[] = { "text", "csv", "jsonl", "json", NULL };

/* clang-format off */
static const struct option_spec specs[] = {
	OPTION_TRACE,
	OPTION_DIR,
	{ "output", 'o', "FILE", "write to FILE: .txt, .csv or .jsonl (standard output)", TO_TEXT(output) },
	{ "format", OPT_FORMAT, "FORMAT", "text (blkparse's), csv, jsonl or json, which are the\nsame here (as FILE is called; text)", TO_WORD(format, formats) },
	OPTION_DEVICE,
	{ "action", OPT_ACTION, "LETTERS", "only these: Q,M,F,G,I,D,C,R,X,A,P,U,UT,..., and m\nfor messages", BY(take_actions), .word = filter_action },
	{ "op", OPT_OP, "OPS", "only these: read,write,discard,zeroes,flush,zone,\npassthrough", BY(take_ops), .word = filter_op },
	{ "process", OPT_PROCESS, "WHO", "only of this process: pid, name, or pattern such as\n'kworker*'; repeatable", TO_WORDS(filter.processes) },
	OPTION_XZOOM,
	{ "sector", OPT_SECTOR, "A:B", "only what touches sectors A to B", BY(take_sectors) },
	{ "messages", OPT_MESSAGES, NULL, "in text, print messages with a cgroup id, too", TO_FLAG(all_messages) },
	OPTION_STRICT,
	OPTION_HELP_ROW,
	GONE("time", OPT_GONE, "a stretch of time is chosen with -x (--xzoom) A:B"),
	OPTION_TABLE_END
};
/* clang-format on */

static bool check(struct events_request *r, int argc, char **argv)
{
	const char *const *const traces = r->read.traces.list;

	if (!reading_check(&r->read, "events", argc, argv))
		return false;
	if (r->read.traces.count > 1)
		say_usage("events", "one run at a time: join traces with commas, -t %s,%s",
			traces[0], traces[1]);
	else
		return output_format("events", r->output, formats, &r->format);
	return false;
}

/* A damaged trace's events are kept, though it is an error with --strict; an unwritten line is not.
 */
static int print_into_file(struct events *e)
{
	struct output o;
	int code;

	if (!output_open(&o, e->request->output))
		return EXIT_FAILED;
	e->out.fd = fileno(o.file);
	code = print_all(e);
	if (code == EXIT_DONE || e->complete)
		return output_finish(&o) ? code : EXIT_FAILED;
	output_drop(&o);
	return code;
}

static int run(void *request, int argc, char **argv)
{
	struct events_request *const r = request;
	struct events *const e = calloc(1, sizeof *e);
	struct btviz_error err;
	int code = EXIT_FAILED;

	if (!check(r, argc, argv)) {
		free(e);
		return EXIT_USAGE;
	}
	r->filter.devices = &r->read.devices;
	r->filter.start_ns = r->read.summary.start_ns;
	r->filter.end_ns = r->read.summary.end_ns;
	if (!check_spares(r->output, r->read.traces.list, 1, r->read.trace.dir)) {
		free(e);
		return EXIT_FAILED;
	}
	signal(SIGPIPE, SIG_IGN);
	if (e)
		e->early = calloc(EARLY_MAX, sizeof *e->early);
	if (!e || !e->early) {
		say("out of memory");
		free(e);
		return EXIT_FAILED;
	}
	e->request = r;
	e->filter = &r->filter;
	e->format = r->format == FORMAT_JSON ? EVENTS_JSONL : (enum events_format)r->format;
	if (btviz_trace_open(r->read.traces.list[0], &r->read.trace, &e->t, &err) == BTVIZ_OK) {
		code = print_into_file(e);
		btviz_trace_close(e->t);
	} else {
		code = say_unread(r->read.traces.list[0], r->read.trace.dir, &err);
	}
	process_names_done(&e->names);
	free(e->early);
	free(e);
	return code;
}

static void prepare(void *request)
{
	struct events_request *const r = request;

	reading_init(&r->read);
	r->format = FORMAT_UNTOLD;
}

const struct command command_events = {
	.name = "events",
	.help = "one line an event, like blkparse; CSV and JSON, too",
	.usage = "Usage: btviz events -t NAME [options]\n\n"
		 "Prints one line an event, in order of time: by default as blkparse does. Times\n"
		 "are seconds since the first I/O event.",
	.specs = specs,
	.request_size = sizeof(struct events_request),
	.prepare = prepare,
	.run = run,
};
