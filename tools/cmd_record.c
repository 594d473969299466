/* cmd_record.c - btviz record: devices and a program in, trace files out. */
#include <btviz/record.h>

#include "command.h"
#include "options.h"
#include "recording.h"
#include "say.h"

enum {
	OPT_DURATION = OPT_OWN,
	OPT_NO_MEMBERS,
	OPT_BACKEND,
	OPT_BLKTRACE,
	OPT_SAMPLE_INTERVAL,
	OPT_NO_SAMPLES,
	OPT_BUFFER_SIZE,
	OPT_CLEANUP,
	OPT_FORCE,
};

#define REQUEST struct record_request

struct record_request {
	struct btviz_recorder_options recorder;
	struct words devices;
	const char *shell;
	bool clean;
};

static const char *const backends[] = { "auto", "tracefs", "blktrace", NULL };

/* clang-format off */
static const struct option_spec specs[] = {
	{ "device", 'd', "DEV", "record this device (/dev/md0, md0 or 9:0) and, of an\narray, its members; repeatable", TO_WORDS(devices) },
	{ "trace", 't', "NAME", "write NAME.DEVICE.blktrace.CPU, NAME.btviz.json and\nNAME.samples.csv", TO_TEXT(recorder.name) },
	{ "force", OPT_FORCE, NULL, "replace a recording of that name, once PROGRAM runs", TO_FLAG(recorder.replace) },
	{ "prog", 'p', "COMMAND", "run this shell command, instead of PROGRAM", TO_TEXT(shell) },
	{ "duration", OPT_DURATION, "TIME", "end after this time (else with the program, or by\nCtrl-C)", TO_TIME(recorder.duration_ns) },
	{ "no-members", OPT_NO_MEMBERS, NULL, "only the devices named, not what lies under them", TO_FLAG(recorder.no_members) },
	{ "backend", OPT_BACKEND, "WHAT", "auto, tracefs (the kernel's own tracer) or blktrace", TO_WORD(recorder.backend, backends) },
	{ "blktrace", OPT_BLKTRACE, "FILE", "the blktrace program to run", TO_TEXT(recorder.blktrace) },
	{ "buffer-size", OPT_BUFFER_SIZE, "KIB", "buffer of each CPU (chosen by CPUs and memory)", TO_SMALL(recorder.buffer_kb, 64, 16 << 20) },
	{ "sample-interval", OPT_SAMPLE_INTERVAL, "TIME", "how often memory and CPU figures are read (100ms)", TO_TIME(recorder.sample_interval_ns) },
	{ "no-samples", OPT_NO_SAMPLES, NULL, "do not read them", TO_FLAG(recorder.no_samples) },
	{ "cleanup", OPT_CLEANUP, NULL, "put back what a killed recording left behind", TO_FLAG(clean) },
	OPTION_HELP_ROW,
	GONE("output", 'o', "the recording is named with -t (--trace) NAME"),
	OPTION_TABLE_END,
};
/* clang-format on */

static int cleanup(void)
{
	struct btviz_error err = { 0 };
	size_t count;

	if (btviz_recorder_cleanup(&count, &err) != BTVIZ_OK)
		return say_error(&err);
	if (count == 0)
		say("nothing was left behind by a recording");
	else
		say("put back %zu settings of the kernel's tracer", count);
	return EXIT_DONE;
}

static int record(void *request, int argc, char **argv)
{
	struct record_request *const r = request;
	struct btviz_recorder_options *const o = &r->recorder;
	const char *const shell_argv[] = { "sh", "-c", r->shell, NULL };

	if (r->clean)
		return cleanup();
	if (r->shell && argc > 0)
		return say_usage("record", "both -p and a program: %s", argv[0]);
	if (r->shell)
		o->argv = shell_argv;
	else if (argc > 0)
		o->argv = (const char *const *)argv;
	o->devices = r->devices.list;
	o->device_count = r->devices.count;
	if (o->device_count == 0)
		return say_usage("record", "no device to record (-d DEV)");
	if (!o->name)
		return say_usage("record", "no name for the recording (-t NAME)");
	return recording_run(o, NULL);
}

static void prepare(void *request)
{
	struct record_request *const r = request;

	r->recorder = (struct btviz_recorder_options)BTVIZ_RECORDER_OPTIONS_INIT;
}

const struct command command_record = {
	.name = "record",
	.help = "record a trace while a program runs",
	.usage = "Usage: btviz record -d DEV... -t NAME [OPTION]... [--] PROGRAM ARGUMENT...\n"
		 "       btviz record -d DEV... -t NAME [OPTION]...\n"
		 "       btviz record --cleanup\n\n"
		 "Records what block devices do while a program runs; without one, until Ctrl-C.\n"
		 "The exit status is the program's.",
	.specs = specs,
	.request_size = sizeof(struct record_request),
	.prepare = prepare,
	.run = record,
	.takes_program = true,
};
