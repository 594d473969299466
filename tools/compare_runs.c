/* compare_runs.c - reading the runs of a comparison. */
#include "compare_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/btviz.h>

#include "say.h"
#include "trace_name.h"

/* Whether a device of the run is called so: "sdb", "/dev/sdb" or "8,16". */
static bool has_device(const struct btviz_figures *f, const char *asked)
{
	const char *const name = strncmp(asked, "/dev/", 5) == 0 ? asked + 5 : asked;

	for (size_t i = 0; i < f->device_count; i++) {
		const struct btviz_device *const d = f->devices[i];
		char number[32];

		snprintf(number, sizeof number, "%u,%u", BTVIZ_MAJOR(d->device),
			BTVIZ_MINOR(d->device));
		if (strcmp(name, d->name) == 0 || strcmp(name, number) == 0)
			return true;
	}
	return false;
}

/* Whether the run is there and has the devices asked for, which did nothing in it. */
static bool is_idle(const struct compare_arguments *a, const char *name)
{
	struct btviz_summary_options all = a->read.summary;
	const struct btviz_figures *f = NULL;
	struct btviz_summary *s = NULL;
	bool idle = a->read.devices.count > 0;

	all.device_count = 0;
	all.devices = NULL;
	idle = idle && btviz_summary_read(name, &a->read.trace, &all, &s, NULL) == BTVIZ_OK &&
		btviz_summary_figures(s, &f, NULL) == BTVIZ_OK;
	for (size_t i = 0; idle && i < a->read.devices.count; i++)
		idle = has_device(f, a->read.devices.list[i]);
	btviz_summary_free(s);
	return idle;
}

/* A device without I/O moves nothing; what it does not have at all stays unknown. */
static void idle_values(double *values)
{
	for (int m = 0; m < BTVIZ_METRIC_COUNT; m++)
		values[m] = NAN;
	values[BTVIZ_METRIC_MB_PER_S] = 0;
	values[BTVIZ_METRIC_IOS_PER_S] = 0;
	values[BTVIZ_METRIC_SEEKS_PER_S] = 0;
}

/* The run here that has that number in the contrast. */
static size_t contrasted_as(const struct compare_runs *r, size_t number)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->list[i].contrasted == number)
			return i;
	return SIZE_MAX;
}

static bool take_figures(struct compare_runs *r, struct compare_run *run,
	const struct btviz_figures *f, struct btviz_error *err)
{
	const size_t number = btviz_contrast_count(r->contrast);
	size_t same = SIZE_MAX;

	if (btviz_contrast_add(r->contrast, run->label, run->name, f, &same, err) != BTVIZ_OK)
		return false;
	if (same != SIZE_MAX)
		run->repeats = contrasted_as(r, same);
	else
		run->contrasted = number;
	if (f->has_wall)
		run->time_s = (double)f->wall_sec + (double)f->wall_nsec * 1e-9;
	for (int m = 0; m < BTVIZ_METRIC_COUNT; m++)
		run->values[m] = btviz_metric_value((enum btviz_metric)m, f);
	return true;
}

static bool read_run(
	const struct compare_arguments *a, struct compare_runs *r, struct compare_run *run)
{
	const struct btviz_figures *f = NULL;
	struct btviz_summary *s = NULL;
	struct btviz_error err;
	enum btviz_status status =
		btviz_summary_read(run->name, &a->read.trace, &a->read.summary, &s, &err);
	bool ok = true;

	if (status == BTVIZ_OK)
		status = btviz_summary_figures(s, &f, &err);
	if (status == BTVIZ_ERR_EMPTY && is_idle(a, run->name)) {
		idle_values(run->values);
	} else if (status != BTVIZ_OK || !take_figures(r, run, f, &err)) {
		say_unread(run->name, a->read.trace.dir, &err);
		ok = false;
	}
	btviz_summary_free(s);
	return ok;
}

static struct compare_run *add_run(struct compare_runs *r, const char *label, size_t size)
{
	struct compare_run *const grown = realloc(r->list, (r->count + 1) * sizeof *grown);

	if (!grown)
		return NULL;
	r->list = grown;
	struct compare_run *const run = &grown[r->count];
	*run = (struct compare_run){ .label = strndup(label, size),
		.contrasted = SIZE_MAX,
		.repeats = SIZE_MAX,
		.time_s = 0 };
	return run->label ? run : NULL;
}

/* Reads one run of a label. */
static bool take_run(const struct compare_arguments *a, struct compare_runs *r, const char *label,
	size_t size, const char *name)
{
	struct compare_run *const run = add_run(r, label, size);

	if (!run) {
		say("out of memory");
		return false;
	}
	run->name = name;
	if (read_run(a, r, run)) {
		r->count++;
		return true;
	}
	free(run->label);
	return false;
}

bool compare_runs_read(const struct compare_arguments *a, struct compare_runs *r)
{
	const char *label = NULL;
	struct btviz_error err;
	char name[4096];
	bool ok = true;

	*r = (struct compare_runs){ 0 };
	if (btviz_contrast_new(&r->contrast, &err) != BTVIZ_OK) {
		say_error(&err);
		return false;
	}
	for (size_t i = 0; i < a->read.traces.count; i++) {
		const char *const of_trace = i < a->read.labels.count
			? a->read.labels.list[i]
			: run_name(a->read.traces.list[i], name, sizeof name);

		ok = take_run(a, r, of_trace, strlen(of_trace), a->read.traces.list[i]) && ok;
	}
	for (int i = 0; i < a->word_count; i++) {
		if (compare_is_label(a->words[i]))
			label = a->words[i];
		else
			ok = take_run(a, r, label, strlen(label) - 1, a->words[i]) && ok;
	}
	r->gap_threshold_s = btviz_contrast_gap_threshold(r->contrast);
	for (size_t i = 0; i < r->count; i++)
		if (r->list[i].contrasted != SIZE_MAX)
			r->list[i].values[BTVIZ_METRIC_GAP_TIME] =
				btviz_contrast_gap_time(r->contrast, r->list[i].contrasted);
	return ok;
}

void compare_runs_free(struct compare_runs *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->list[i].label);
	free(r->list);
	btviz_contrast_free(r->contrast);
}

enum btviz_status compare_runs_add(const struct compare_runs *r, enum btviz_metric metric,
	struct btviz_comparison *c, struct btviz_error *err)
{
	enum btviz_status status = BTVIZ_OK;

	for (size_t i = 0; i < r->count && status == BTVIZ_OK; i++) {
		struct btviz_comparison_run run = BTVIZ_COMPARISON_RUN_INIT;

		run.label = r->list[i].label;
		run.name = r->list[i].name;
		run.value = r->list[i].values[metric];
		run.time_s = r->list[i].time_s;
		if (r->list[i].repeats == SIZE_MAX)
			status = btviz_comparison_add_run(c, &run, err);
	}
	return status;
}
