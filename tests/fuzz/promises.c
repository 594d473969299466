/* promises.c - see promises.h. Knows the public interface only. */
#include "promises.h"

#include <math.h>

#include <btviz/compare.h>
#include <btviz/finding.h>

#include "fuzz.h"

enum { CELLS = 37 };

static void check_distribution(const struct btviz_distribution *d)
{
	if (d->count == 0) {
		require(isnan(d->avg));
		return;
	}
	require(d->min <= d->p50 && d->p50 <= d->p90 && d->p90 <= d->p99 && d->p99 <= d->p999 &&
		d->p999 <= d->max);
	require(d->min >= 0 && d->avg >= d->min * 0.999999 && d->avg <= d->max * 1.000001);
}

static void check_device(const struct btviz_figures *f, const struct btviz_device *d, bool joined)
{
	require(d->name[0] != '\0');
	require(isnan(d->utilisation) || (d->utilisation >= 0 && d->utilisation <= 1.000001));
	require(joined || isnan(d->outstanding_avg) || isnan(d->outstanding_max) ||
		d->outstanding_avg <= d->outstanding_max + 1e-9);
	for (int i = 0; i < BTVIZ_INTERVAL_COUNT; i++)
		for (int k = 0; k < BTVIZ_DIR_COUNT; k++)
			check_distribution(&d->latency[i][k]);
	for (size_t i = 0; i < d->gap_count; i++) {
		require(d->gaps[i]->start_ns <= d->gaps[i]->end_ns);
		require(d->gaps[i]->end_ns <= f->end_ns && d->gaps[i]->before_comm &&
			d->gaps[i]->after_comm);
	}
}

void promises_figures(const struct btviz_figures *f, bool joined)
{
	require(f->origin_ns <= f->end_ns && f->span_s >= 0);
	require(f->device_count > 0);
	for (size_t i = 0; i < f->device_count; i++)
		check_device(f, f->devices[i], joined);
	for (size_t i = 0; i < f->array_count; i++) {
		const struct btviz_array *const a = f->arrays[i];

		require(isnan(a->effective_members) ||
			a->effective_members <= (double)a->member_count + 1e-6);
	}
	for (size_t i = 0; i < f->process_count; i++)
		check_distribution(&f->processes[i]->latency);
	for (size_t i = 0; i < f->top_count; i++)
		require(f->top[i] < f->device_count);
	for (size_t i = 1; i < f->message_count; i++)
		require(f->messages[i - 1]->time_ns <= f->messages[i]->time_ns);
}

void promises_courses(struct btviz_summary *s, const struct btviz_figures *f)
{
	static float cells[CELLS * CELLS];
	static uint32_t owners[CELLS * CELLS];
	double course[CELLS];
	const size_t n = f->device_count < 4 ? f->device_count : 4;

	for (size_t i = 0; i < n; i++) {
		const struct btviz_device *const d = f->devices[i];

		for (int c = 0; c <= BTVIZ_COURSE_QUEUE_LATENCY; c++) {
			require(btviz_summary_series(s, i, (enum btviz_course)c, BTVIZ_DIR_ALL,
					f->start_ns, f->end_ns + 1, CELLS, course) == BTVIZ_OK);
			for (size_t k = 0; k < CELLS; k++)
				require(isnan(course[k]) ||
					(course[k] >= 0 && isfinite(course[k])));
		}
		if (d->map_first_sector <= d->map_last_sector)
			require(btviz_summary_map(s, i, BTVIZ_OP_WRITE, f->start_ns, f->end_ns + 1,
					CELLS, d->map_first_sector, d->map_last_sector, CELLS,
					cells, owners) == BTVIZ_OK);
		require(btviz_summary_heat(s, i, f->start_ns, f->end_ns + 1, CELLS, 1e-6, 10, CELLS,
				cells) == BTVIZ_OK);
	}
	require(btviz_summary_resolution(s) > 0);
}

static void promises_findings(const struct btviz_figures *f)
{
	struct btviz_findings *findings;

	require(btviz_findings_new(f, &findings, NULL) == BTVIZ_OK);
	require(btviz_findings_count(findings) > 0);
	for (size_t i = 0; i < btviz_findings_count(findings); i++) {
		const struct btviz_finding *const x = btviz_findings_get(findings, i);

		require(x && x->name && x->text[0] != '\0');
		for (const char *c = x->text; *c; c++)
			require((unsigned char)*c >= 0x20 && *c != 0x7f);
	}
	btviz_findings_free(findings);
}

void promises_summary(struct btviz_summary *s, bool joined)
{
	const struct btviz_figures *f;
	struct btviz_error err;
	const enum btviz_status status = btviz_summary_figures(s, &f, &err);

	if (status != BTVIZ_OK) {
		require(status == BTVIZ_ERR_EMPTY && err.message[0] != '\0');
		return;
	}
	promises_figures(f, joined);
	promises_courses(s, f);
	promises_findings(f);
	for (int m = 0; m < BTVIZ_METRIC_COUNT; m++) {
		const double value = btviz_metric_value((enum btviz_metric)m, f);

		require(isnan(value) || (value >= 0 && isfinite(value)));
	}
}
