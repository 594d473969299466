/* cmd_events.c - btviz events: one line an event. Streams: what has been read is printed, nothing
 * is kept but names, and the messages before the first I/O event, whose times are counted from it.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <btviz/btviz.h>

#include "command.h"
#include "events_filter.h"
#include "events_print.h"
#include "options.h"
#include "say.h"
#include "trace_name.h"

enum {
	OUT_SIZE = 1 << 16,
	EARLY_MAX = 4096, /* messages before the first I/O event that are kept */
	DEVICES_CACHED = 64,
	OPT_ACTION = OPT_OWN,
	OPT_OP,
	OPT_PROCESS,
	OPT_SECTOR,
	OPT_MESSAGES,
};

/* clang-format off */
static const struct option_spec specs[] = {
	OPTION_TRACE,
	OPTION_DIR,
	{ "format", OPT_FORMAT, "FORMAT", "text (blkparse's), csv, or jsonl" },
	OPTION_DEVICE,
	{ "action", OPT_ACTION, "LETTERS", "only these: Q,M,F,G,I,D,C,R,X,A,P,U,UT,..., and m\nfor messages" },
	{ "op", OPT_OP, "OPS", "only these: read,write,discard,zeroes,flush,zone,\npassthrough" },
	{ "process", OPT_PROCESS, "WHO", "only of this process, by name or pid; repeatable" },
	{ "time", 'x', "A:B", "only from second A to second B of the run" },
	{ "sector", OPT_SECTOR, "A:B", "only what touches sectors A to B" },
	{ "messages", OPT_MESSAGES, NULL, "in text, print messages with a cgroup id, too" },
	OPTION_STRICT,
	OPTION_HELP,
	OPTION_TABLE_END
};
/* clang-format on */

/* Lines on their way to standard output. */
struct out {
	char buffer[OUT_SIZE + EVENTS_LINE_MAX];
	size_t size;
	bool closed; /* nobody reads any more */
	int error;   /* errno of a write that failed otherwise */
};

struct early {
	struct btviz_event ev;
	unsigned char payload[256];
};

/* The whole command at work. */
struct events {
	const char *trace, *dir;
	enum events_format format;
	bool all_messages, strict;
	struct events_filter filter;
	struct btviz_trace *t;
	struct process_names names;
	struct out out;
	uint64_t origin_ns;
	bool origin_known;
	struct early *early;
	size_t early_count;
	struct {
		uint32_t device;
		char name[64];
	} devices[DEVICES_CACHED];
	size_t device_count;
};

static void print_help(void)
{
	puts("Usage: btviz events -t NAME [options]\n\n"
	     "Prints one line an event, in order of time: by default as blkparse does. Times\n"
	     "are seconds since the first I/O event.\n\nOptions:");
	options_print(specs);
}

/* ---- output ---------------------------------------------------------------------------------- */

static void out_flush(struct out *o)
{
	size_t at = 0;

	while (at < o->size && !o->closed && o->error == 0) {
		const ssize_t n = write(STDOUT_FILENO, o->buffer + at, o->size - at);

		if (n >= 0)
			at += (size_t)n;
		else if (errno == EPIPE)
			o->closed = true; /* like `| head`: enough has been seen */
		else if (errno != EINTR)
			o->error = errno;
	}
	o->size = 0;
}

static const char *device_name(struct events *e, uint32_t device)
{
	const char *name;

	for (size_t i = 0; i < e->device_count; i++)
		if (e->devices[i].device == device)
			return e->devices[i].name;
	name = btviz_trace_device_name(e->t, device);
	if (e->device_count == DEVICES_CACHED)
		return name;
	e->devices[e->device_count].device = device;
	snprintf(e->devices[e->device_count].name, sizeof e->devices[0].name, "%s", name);
	return e->devices[e->device_count++].name;
}

static void print_event(struct events *e, const struct btviz_event *ev)
{
	const struct event_context c = {
		.origin_ns = e->origin_ns,
		.process = process_names_get(&e->names, ev->pid),
		.device = device_name(e, ev->device),
	};
	struct line line = { e->out.buffer + e->out.size, 0, EVENTS_LINE_MAX };

	if (!filter_takes(
		    &e->filter, ev, (int64_t)(ev->time_ns - e->origin_ns), c.process, c.device))
		return;
	events_print(&line, e->format, ev, &c);
	e->out.size += line.size;
	if (e->out.size >= OUT_SIZE)
		out_flush(&e->out);
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
	if (!events_has_line(e->format, ev, e->all_messages))
		return true;
	if (e->origin_known)
		print_event(e, ev);
	else
		keep_early(e, ev);
	return true;
}

static int print_all(struct events *e)
{
	struct line header = { e->out.buffer, 0, EVENTS_LINE_MAX };
	const struct btviz_event *ev;
	struct btviz_error err;
	enum btviz_status status;
	char label[256];

	events_print_header(&header, e->format);
	e->out.size = header.size;
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
	out_flush(&e->out);
	if (status < 0)
		return say_error(&err);
	if (e->out.error != 0) {
		say("cannot write to standard output: %s", strerror(e->out.error));
		return EXIT_FAILED;
	}
	if (e->out.closed)
		return EXIT_DONE;
	if (btviz_trace_health(e->t)->events + btviz_trace_health(e->t)->notes == 0) {
		say("%s: no events in it", e->trace);
		return EXIT_FAILED;
	}
	if (say_trace_health(
		    run_name(e->trace, label, sizeof label), btviz_trace_health(e->t), 0) &&
		e->strict) {
		say("%s: damaged, and --strict was given", e->trace);
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}

/* ---- options --------------------------------------------------------------------------------- */

static bool keep(const struct option_parser *p, const char **list, size_t *count)
{
	if (*count == FILTER_WORDS_MAX) {
		say_usage(p->command, "more than %d of the same option", FILTER_WORDS_MAX);
		return false;
	}
	list[(*count)++] = p->value;
	return true;
}

static bool unknown_word(const struct option_parser *p, const char *what, const char *word)
{
	say_usage(p->command, "'%.*s' is no %s: btviz events --help lists them",
		(int)strcspn(word, ","), word, what);
	return false;
}

static bool sector_range(const struct option_parser *p, struct events_filter *f)
{
	const char *text = p->value;
	char *end;

	f->by_sector = true;
	f->first_sector = strtoull(text, &end, 10);
	if (*end == ':' && text[strspn(text, "0123456789:")] == '\0') {
		f->last_sector = strtoull(end + 1, &end, 10);
		if (*end == '\0' && (f->last_sector == 0 || f->last_sector >= f->first_sector))
			return true;
	}
	say_usage(p->command,
		"--sector: '%s' is not a range of sectors such as 2048:4095 or 2048:", text);
	return false;
}

static bool take_option(const struct option_parser *p, int id, struct events *e)
{
	static const char *const formats[] = { "text", "csv", "jsonl", NULL };
	const char *word;
	int format;

	switch (id) {
	case 't':
		if (e->trace) {
			say_usage(p->command,
				"one run at a time: join traces with commas, -t %s,%s", e->trace,
				p->value);
			return false;
		}
		e->trace = p->value;
		return true;
	case 'D':
		e->dir = p->value;
		return true;
	case 'd':
		return keep(p, e->filter.devices, &e->filter.device_count);
	case 'x':
		return value_time_range(p, &e->filter.start_ns, &e->filter.end_ns);
	case OPT_FORMAT:
		if (!value_word(p, formats, &format))
			return false;
		e->format = (enum events_format)format;
		return true;
	case OPT_ACTION:
		return filter_add_actions(&e->filter, p->value, &word) ||
			unknown_word(p, "action", word);
	case OPT_OP:
		return filter_add_ops(&e->filter, p->value, &word) ||
			unknown_word(p, "operation", word);
	case OPT_PROCESS:
		return keep(p, e->filter.processes, &e->filter.process_count);
	case OPT_SECTOR:
		return sector_range(p, &e->filter);
	case OPT_MESSAGES:
		e->all_messages = true;
		return true;
	case OPT_STRICT:
		e->strict = true;
		return true;
	}
	return false;
}

/* EXIT_DONE with e->trace NULL: there is nothing to do. */
static int parse(int argc, char **argv, struct events *e)
{
	struct option_parser p;
	int id, code = EXIT_DONE;

	options_init(&p, "events", specs, argc, argv);
	while (code == EXIT_DONE && (id = options_next(&p)) != OPT_END) {
		if (id == OPT_HELP) {
			print_help();
			options_done(&p);
			e->trace = NULL;
			return EXIT_DONE;
		}
		if (id == OPT_WRONG || !take_option(&p, id, e))
			code = EXIT_USAGE;
	}
	if (code == EXIT_DONE && options_rest(&p) < argc)
		code = say_usage("events", "what is '%s'? A trace is given with -t NAME",
			argv[options_rest(&p)]);
	if (code == EXIT_DONE && !e->trace)
		code = say_usage("events", "no trace given (-t NAME)");
	options_done(&p);
	return code;
}

int cmd_events(int argc, char **argv)
{
	struct btviz_trace_options options = BTVIZ_TRACE_OPTIONS_INIT;
	struct events *const e = calloc(1, sizeof *e);
	struct btviz_error err;
	int code;

	if (!e) {
		say("out of memory");
		return EXIT_FAILED;
	}
	code = parse(argc, argv, e);
	if (code != EXIT_DONE || !e->trace) {
		free(e);
		return code;
	}
	signal(SIGPIPE, SIG_IGN);
	options.dir = e->dir;
	e->early = calloc(EARLY_MAX, sizeof *e->early);
	if (!e->early) {
		say("out of memory");
		code = EXIT_FAILED;
	} else if (btviz_trace_open(e->trace, &options, &e->t, &err) == BTVIZ_OK) {
		code = print_all(e);
		btviz_trace_close(e->t);
	} else {
		code = say_error(&err);
	}
	process_names_done(&e->names);
	free(e->early);
	free(e);
	return code;
}
