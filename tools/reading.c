/* reading.c - the options of reading traces, and the reading. Knows no command. */
#include "reading.h"

#include "command.h"
#include "progress.h"
#include "say.h"
#include "trace_name.h"

bool words_add(const struct option_parser *p, struct words *w)
{
	if (w->count == WORDS_MAX) {
		say_usage(p->command, "more than %d of the same option", WORDS_MAX);
		return false;
	}
	w->list[w->count++] = p->value;
	return true;
}

void reading_init(struct reading *r)
{
	*r = (struct reading){ .trace = BTVIZ_TRACE_OPTIONS_INIT,
		.summary = BTVIZ_SUMMARY_OPTIONS_INIT };
	r->summary.devices = r->devices.list;
}

static bool take_device(struct reading *r, const struct option_parser *p)
{
	const bool ok = words_add(p, &r->devices);

	r->summary.device_count = r->devices.count;
	return ok;
}

static bool take_jobs(struct reading *r, const struct option_parser *p)
{
	uint64_t n;

	if (!value_count(p, 1, 1024, &n))
		return false;
	r->summary.jobs = (unsigned)n;
	return true;
}

enum reading_took reading_take(struct reading *r, const struct option_parser *p, int id)
{
	bool ok = true;

	switch (id) {
	case 't':
		ok = words_add(p, &r->traces);
		break;
	case 'l':
		ok = words_add(p, &r->labels);
		break;
	case 'd':
		ok = take_device(r, p);
		break;
	case 'D':
		r->trace.dir = p->value;
		break;
	case 'x':
		ok = value_time_range(p, &r->summary.start_ns, &r->summary.end_ns);
		break;
	case 'j':
		ok = take_jobs(r, p);
		break;
	case OPT_GAP_THRESHOLD:
		ok = value_duration(p, &r->summary.gap_threshold_ns);
		break;
	case OPT_SEEK_DISTANCE:
		ok = value_count(p, 1, UINT64_MAX, &r->summary.seek_sectors);
		break;
	case OPT_STRICT:
		r->strict = true;
		break;
	case OPT_NO_PROGRESS:
		r->no_progress = true;
		break;
	default:
		return READING_OTHER;
	}
	return ok ? READING_TOOK : READING_WRONG;
}

bool reading_check(const struct reading *r, const struct option_parser *p)
{
	const int rest = options_rest(p);

	if (rest < p->argc)
		say_usage(p->command, "'%s': traces are given with -t, a device with -d",
			p->argv[rest]);
	else if (r->traces.count == 0)
		say_usage(p->command, "no trace given (-t NAME)");
	else if (r->labels.count > r->traces.count)
		say_usage(p->command, "more labels (-l) than traces (-t)");
	else
		return true;
	return false;
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
	if (status != BTVIZ_OK)
		return say_error(&err);
	if (say_health(name, *ret_f) && r->strict) {
		say("%s: damaged, and --strict was given", name);
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}
