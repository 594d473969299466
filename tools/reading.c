/* reading.c - the options of reading traces, and the reading. Knows no command. */
#include "reading.h"

#include <string.h>

#include "command.h"
#include "progress.h"
#include "say.h"
#include "trace_name.h"

void reading_init(struct reading *r)
{
	*r = (struct reading){ .trace = BTVIZ_TRACE_OPTIONS_INIT,
		.summary = BTVIZ_SUMMARY_OPTIONS_INIT };
	r->summary.devices = r->devices.list;
}

bool reading_take_device(const struct option_parser *p, void *request)
{
	struct reading *const r = request;
	const bool ok = words_add(p, &r->devices);

	r->summary.device_count = r->devices.count;
	return ok;
}

bool reading_take_window(const struct option_parser *p, void *request)
{
	struct reading *const r = request;

	return value_time_range(p, &r->summary.start_ns, &r->summary.end_ns);
}

bool reading_check(const struct reading *r, const char *command, int argc, char **argv)
{
	if (argc > 0)
		say_usage(command,
			"'%s': traces are given with -t (btviz %s -t %s), a device with -d",
			argv[0], command, argv[0]);
	else if (r->traces.count == 0)
		say_usage(command, "no trace given (-t NAME)");
	else if (r->labels.count > r->traces.count)
		say_usage(command, "more labels (-l) than traces (-t)");
	else
		return true;
	return false;
}

/* What the library said of a run without anything in it; where a stretch of time was asked for, how
 * long the run is, too. */
static int say_nothing(const struct reading *r, const char *name, const struct btviz_error *why)
{
	struct btviz_summary_options options = BTVIZ_SUMMARY_OPTIONS_INIT;
	const struct btviz_figures *f;
	struct btviz_summary *s = NULL;
	const int code = say_error(why);

	if (r->summary.start_ns > 0 && strcmp(name, "-") != 0 &&
		btviz_summary_read(name, &r->trace, &options, &s, NULL) == BTVIZ_OK &&
		btviz_summary_figures(s, &f, NULL) == BTVIZ_OK &&
		r->summary.start_ns > f->end_ns - f->origin_ns)
		say("the run lasts %.3f s, and -x begins at %.3f s", f->span_s,
			(double)r->summary.start_ns / 1e9);
	btviz_summary_free(s);
	return code;
}

int reading_run(const struct reading *r, const char *name, struct btviz_summary **ret_s,
	const struct btviz_figures **ret_f)
{
	struct progress *const progress = r->no_progress ? NULL : progress_new(name);
	struct btviz_error err;
	enum btviz_status status = btviz_summary_read(name, &r->trace, &r->summary, ret_s, &err);

	progress_free(progress);
	if (status == BTVIZ_OK)
		status = btviz_summary_figures(*ret_s, ret_f, &err);
	if (status == BTVIZ_ERR_EMPTY)
		return say_nothing(r, name, &err);
	if (status != BTVIZ_OK)
		return say_unread(name, r->trace.dir, &err);
	if (say_health(name, *ret_f) && r->strict) {
		say("%s: damaged, and --strict was given", name);
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}
