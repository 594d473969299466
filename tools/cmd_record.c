/* cmd_record.c - btviz record: devices and a program in, trace files out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
};

/* clang-format off */
static const struct option_spec specs[] = {
	{ "device", 'd', "DEV", "record this device (/dev/md0, md0 or 9:0) and, of an\narray, its members; repeatable" },
	{ "trace", 't', "NAME", "write NAME.DEVICE.blktrace.CPU, NAME.btviz.json and\nNAME.samples.csv" },
	{ "prog", 'p', "COMMAND", "run this shell command, instead of PROGRAM" },
	{ "duration", OPT_DURATION, "TIME", "end after this time (else with the program, or by\nCtrl-C)" },
	{ "no-members", OPT_NO_MEMBERS, NULL, "only the devices named, not what lies under them" },
	{ "backend", OPT_BACKEND, "WHAT", "auto, tracefs (the kernel's own tracer) or blktrace" },
	{ "blktrace", OPT_BLKTRACE, "FILE", "the blktrace program to run" },
	{ "buffer-size", OPT_BUFFER_SIZE, "KIB", "buffer of each CPU (chosen by CPUs and memory)" },
	{ "sample-interval", OPT_SAMPLE_INTERVAL, "TIME", "how often memory and CPU figures are read (100ms)" },
	{ "no-samples", OPT_NO_SAMPLES, NULL, "do not read them" },
	{ "cleanup", OPT_CLEANUP, NULL, "put back what a killed recording left behind" },
	OPTION_HELP,
	OPTION_TABLE_END,
};
/* clang-format on */

static void print_help(void)
{
	puts("Usage: btviz record -d DEV... -t NAME [OPTION]... [--] PROGRAM ARGUMENT...\n"
	     "       btviz record -d DEV... -t NAME [OPTION]...\n"
	     "       btviz record --cleanup\n\n"
	     "Records what block devices do while a program runs; without one, until Ctrl-C.\n"
	     "The exit status is the program's.\n\nOptions:");
	options_print(specs);
}

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

static int record(struct btviz_recorder_options *o, const char *shell, char **operands)
{
	const char *const shell_argv[] = { "sh", "-c", shell, NULL };

	if (shell && operands[0])
		return say_usage("record", "both -p and a program: %s", operands[0]);
	if (shell)
		o->argv = shell_argv;
	else if (operands[0])
		o->argv = (const char *const *)operands;
	if (o->device_count == 0)
		return say_usage("record", "no device to record (-d DEV)");
	if (!o->name)
		return say_usage("record", "no name for the recording (-t NAME)");
	return recording_run(o, NULL);
}

/* Takes the option just parsed; false where its value is wrong. */
static bool take_option(const struct option_parser *p, struct btviz_recorder_options *o)
{
	static const char *const backends[] = { "auto", "tracefs", "blktrace", NULL };
	uint64_t n;
	int i;

	switch (p->id) {
	case 't':
		o->name = p->value;
		break;
	case OPT_DURATION:
		return value_duration(p, &o->duration_ns);
	case OPT_NO_MEMBERS:
		o->no_members = true;
		break;
	case OPT_BACKEND:
		if (!value_word(p, backends, &i))
			return false;
		o->backend = (enum btviz_recorder_backend)i;
		break;
	case OPT_BLKTRACE:
		o->blktrace = p->value;
		break;
	case OPT_BUFFER_SIZE:
		if (!value_count(p, 64, 16 << 20, &n))
			return false;
		o->buffer_kb = (uint32_t)n;
		break;
	case OPT_SAMPLE_INTERVAL:
		return value_duration(p, &o->sample_interval_ns);
	case OPT_NO_SAMPLES:
		o->no_samples = true;
		break;
	}
	return true;
}

int cmd_record(int argc, char **argv)
{
	struct btviz_recorder_options o = BTVIZ_RECORDER_OPTIONS_INIT;
	const char **devices = calloc((size_t)argc, sizeof *devices);
	const char *shell = NULL;
	struct option_parser p;
	bool clean = false;
	int id, code = EXIT_DONE;

	if (!devices) {
		say("out of memory");
		return EXIT_FAILED;
	}
	options_init(&p, "record", specs, argc, argv);
	options_stop_at_operand(&p);
	while ((id = options_next(&p)) >= 0 && id != OPT_HELP) {
		if (id == 'd')
			devices[o.device_count++] = p.value;
		else if (id == 'p')
			shell = p.value;
		else if (id == OPT_CLEANUP)
			clean = true;
		else if (!take_option(&p, &o))
			break;
	}
	o.devices = devices;
	if (id == OPT_HELP)
		print_help();
	else if (id != OPT_END)
		code = EXIT_USAGE;
	else
		code = clean ? cleanup() : record(&o, shell, argv + options_rest(&p));
	options_done(&p);
	free(devices);
	return code;
}
