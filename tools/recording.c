/* recording.c - runs the library's recorder: turns signals into its stop, and its result into words
 * and an exit code. */
#include "recording.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "say.h"

/* The recorder that a signal stops; set only while it runs. */
static struct btviz_recorder *volatile running;

static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

enum { SIGNALS = sizeof signals / sizeof signals[0] };

static void on_signal(int sig, siginfo_t *info, void *context)
{
	(void)context;
	/* From the terminal (Ctrl-C) it goes to the program as well: not twice. */
	if (running)
		btviz_recorder_stop(running, info->si_code == SI_KERNEL ? 0 : sig);
}

/* While nothing is there to be stopped they wait. */
static void hold_signals(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < SIGNALS; i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, before);
}

static void catch_signals(struct sigaction *before, bool alone)
{
	struct sigaction action = { .sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO | SA_RESTART };

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < SIGNALS; i++) {
		sigaction(signals[i], NULL, &before[i]);
		/* Under nohup and the like it stays ignored; but where no program ends the
		 * recording, INT and TERM do: a shell ignores INT for what runs beside it. */
		if (before[i].sa_handler != SIG_IGN ||
			(alone && (signals[i] == SIGINT || signals[i] == SIGTERM)))
			sigaction(signals[i], &action, NULL);
	}
}

static void release_signals(const struct sigaction *before)
{
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &before[i], NULL);
}

static void warn(void *data, const char *text)
{
	(void)data;
	say("warning: %s", text);
}

/* "12.3", with a point in every locale. */
static const char *decimal(double x, char *text, size_t size)
{
	const unsigned long long tenths = (unsigned long long)(x * 10 + 0.5);

	snprintf(text, size, "%llu.%llu", tenths / 10, tenths % 10);
	return text;
}

/* Of what did nothing. */
static void say_idle(const struct btviz_recorder_options *o, double elapsed_s)
{
	char names[512] = "", seconds[32];
	size_t n = 0;

	for (size_t i = 0; i < o->device_count && n < sizeof names; i++)
		n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", i ? ", " : "",
			strncmp(o->devices[i], "/dev/", 5) == 0 ? o->devices[i] + 5
								: o->devices[i]);
	say("no I/O on %s in %s s", names, decimal(elapsed_s, seconds, sizeof seconds));
}

static void say_result(const struct btviz_recorder_result *r, const char *name)
{
	const double elapsed_s = (double)r->elapsed_ns / 1e9;
	char seconds[32], mb[32], cpu[32];

	say("recorded %s: %llu events of %zu device%s in %s s, %s MB (%s; recorder: %s %% of a CPU)",
		name, (unsigned long long)r->events, r->devices, r->devices == 1 ? "" : "s",
		decimal(elapsed_s, seconds, sizeof seconds),
		decimal((double)r->bytes / 1e6, mb, sizeof mb), r->backend,
		decimal(elapsed_s > 0 ? 100 * r->recorder_cpu_s / elapsed_s : 0, cpu, sizeof cpu));
	if (r->lost_events > 0)
		say("warning: %llu events were lost%s", (unsigned long long)r->lost_events,
			strcmp(r->backend, "tracefs") == 0
				? ": a larger --buffer-size, or fewer devices, would keep them"
				: ": blktrace's buffers were full");
}

int recording_run(struct btviz_recorder_options *options, bool *ret_recorded)
{
	struct sigaction before[SIGNALS];
	sigset_t mask;
	struct btviz_recorder *r;
	struct btviz_error err = { 0 };
	const struct btviz_recorder_result *result;
	enum btviz_status status;
	int code;

	if (ret_recorded)
		*ret_recorded = false;
	options->warn = warn;
	options->data = NULL;
	hold_signals(&mask);
	if (btviz_recorder_open(options, &r, &err) != BTVIZ_OK) {
		sigprocmask(SIG_SETMASK, &mask, NULL);
		return say_error(&err);
	}
	running = r;
	catch_signals(before, !options->argv);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	status = btviz_recorder_run(r, &err);
	release_signals(before);
	running = NULL;
	result = btviz_recorder_result(r);
	code = status == BTVIZ_OK ? result->exit_status : say_error(&err);
	if (status == BTVIZ_OK)
		say_result(result, options->name);
	if (status == BTVIZ_OK && result->events == 0)
		say_idle(options, (double)result->elapsed_ns / 1e9);
	/* A program that failed tells more than a recording that did. */
	if (status != BTVIZ_OK && result->has_exit_status && result->exit_status != 0)
		code = result->exit_status;
	if (ret_recorded)
		*ret_recorded = status == BTVIZ_OK;
	btviz_recorder_close(r);
	return code;
}

int recording_run_shell(const char *command, const char *const *devices, size_t device_count,
	const char *name, bool replace, bool *ret_recorded)
{
	const char *const argv[] = { "sh", "-c", command, NULL };
	struct btviz_recorder_options options = BTVIZ_RECORDER_OPTIONS_INIT;

	options.devices = devices;
	options.device_count = device_count;
	options.name = name;
	options.argv = argv;
	options.replace = replace;
	return recording_run(&options, ret_recorded);
}
