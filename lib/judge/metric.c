/* metric.c - what one run's figures say in one number. The only file of the comparison that knows
 * what the numbers are of. */
#include <math.h>

#include <btviz/compare.h>

/* The last figure: what is next to nothing, from a base of 0. */
static const struct btviz_metric_info infos[BTVIZ_METRIC_COUNT] = {
	[BTVIZ_METRIC_MB_PER_S] = { "mb_per_s", "throughput", "MB/s", false, 0, 0.05 },
	[BTVIZ_METRIC_IOS_PER_S] = { "ios_per_s", "I/O rate", "IO/s", false, 0, 1 },
	[BTVIZ_METRIC_SEEKS_PER_S] = { "seeks_per_s", "seek rate", "seeks/s", true, 0, 1 },
	[BTVIZ_METRIC_LATENCY_P50] = { "latency_p50_ms", "latency, median", "ms", true, 0, 0.01 },
	[BTVIZ_METRIC_LATENCY_P99] = { "latency_p99_ms", "latency, 99th percentile", "ms", true, 0,
		0.01 },
	/* 50 ms is the shortest gap there is: two of them more or less say nothing. */
	[BTVIZ_METRIC_GAP_TIME] = { "gap_time_s", "gap time", "s", true, 0.1, 0.1 },
	[BTVIZ_METRIC_EFFECTIVE_MEMBERS] = { "effective_members", "effective members", "", false, 0,
		0.1 },
	[BTVIZ_METRIC_RUN_TIME] = { "run_time_s", "run time", "s", true, 0, 0.01 },
};

const struct btviz_metric_info *btviz_metric_info(enum btviz_metric metric)
{
	return &infos[metric];
}

static const struct btviz_device *busiest(const struct btviz_figures *f)
{
	const struct btviz_device *best = NULL;

	for (size_t i = 0; i < f->top_count; i++) {
		const struct btviz_device *const d = f->devices[f->top[i]];

		if (!best || d->moved[BTVIZ_DIR_ALL].bytes > best->moved[BTVIZ_DIR_ALL].bytes)
			best = d;
	}
	return best;
}

static const struct btviz_distribution *latency_of(const struct btviz_device *d)
{
	const struct btviz_distribution *const disk = &d->latency[BTVIZ_D2C][BTVIZ_DIR_ALL];

	return disk->count > 0 ? disk : &d->latency[BTVIZ_Q2C][BTVIZ_DIR_ALL];
}

static double standstill_s(const struct btviz_device *d)
{
	return d->gap_totals[BTVIZ_GAP_SUBMIT].total_s + d->gap_totals[BTVIZ_GAP_QUEUE].total_s +
		d->gap_totals[BTVIZ_GAP_DEVICE].total_s;
}

/* Of the largest array, as its panel says: a partition, or a volume on one array, has nothing to
 * balance. */
static double effective_members(const struct btviz_figures *f)
{
	size_t members = 1;
	double effective = NAN;

	for (size_t i = 0; i < f->array_count; i++)
		if (f->arrays[i]->member_count > members) {
			members = f->arrays[i]->member_count;
			effective = f->arrays[i]->effective_members;
		}
	return effective;
}

double btviz_metric_value(enum btviz_metric metric, const struct btviz_figures *f)
{
	const struct btviz_device *const top = busiest(f);
	double bytes = 0, ios = 0, seeks = 0, still_s = 0;

	if (!top)
		return NAN;
	for (size_t i = 0; i < f->top_count; i++) {
		const struct btviz_device *const d = f->devices[f->top[i]];

		bytes += (double)d->moved[BTVIZ_DIR_ALL].bytes;
		ios += (double)d->moved[BTVIZ_DIR_ALL].ios;
		seeks += (double)d->seeks;
		still_s = fmax(still_s, standstill_s(d));
	}
	switch (metric) {
	case BTVIZ_METRIC_MB_PER_S:
		return f->span_s > 0 ? bytes / f->span_s / 1e6 : NAN;
	case BTVIZ_METRIC_IOS_PER_S:
		return f->span_s > 0 ? ios / f->span_s : NAN;
	case BTVIZ_METRIC_SEEKS_PER_S:
		return f->span_s > 0 ? seeks / f->span_s : NAN;
	case BTVIZ_METRIC_LATENCY_P50:
		return latency_of(top)->count > 0 ? latency_of(top)->p50 * 1e3 : NAN;
	case BTVIZ_METRIC_LATENCY_P99:
		return latency_of(top)->count > 0 ? latency_of(top)->p99 * 1e3 : NAN;
	case BTVIZ_METRIC_GAP_TIME:
		return still_s;
	case BTVIZ_METRIC_EFFECTIVE_MEMBERS:
		return effective_members(f);
	case BTVIZ_METRIC_RUN_TIME:
		return f->span_s;
	case BTVIZ_METRIC_COUNT:
		break;
	}
	return NAN;
}
