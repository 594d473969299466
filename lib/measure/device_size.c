/* device_size.c - how much memory a device takes. One device has fine maps, series and histograms;
 * where there are so many that all together would take too much, each has coarser ones. */
#include "base/limits.h"
#include "measure/device.h"
#include "measure/fields.h"

/* A level has half as many buckets, columns, rows and actors as the one before. Histograms stay as
 * they are for two levels: figures come before pictures. */
enum { SIDE_MIN = 16, BUCKETS_MIN = 64, ACTORS_MIN = 16, FINE_LEVELS = 1, MALLOC_BYTES = 16 };

static uint32_t halved(uint32_t n, unsigned level, uint32_t min)
{
	const uint32_t less = n >> level;

	return less >= min ? less : n < min ? n : min;
}

struct btvi_device_size btvi_device_size(const struct btvi_device_options *o, unsigned level)
{
	const uint32_t columns = halved(o->map_columns, level, SIDE_MIN);
	const unsigned coarse = level > FINE_LEVELS ? level - FINE_LEVELS : 0;

	return (struct btvi_device_size){
		.buckets = halved(o->buckets, level, BUCKETS_MIN),
		.map_columns = columns,
		.map_rows = halved(o->map_rows, level, SIDE_MIN),
		.heat_columns = (columns + 1) / 2,
		.actors = halved(BTVI_PROCESS_MAX, level, ACTORS_MIN),
		.coarse = coarse < BTVI_HISTOGRAM_COARSEST ? coarse : BTVI_HISTOGRAM_COARSEST,
	};
}

size_t btvi_device_bytes(const struct btvi_device_options *o, unsigned level)
{
	const struct btvi_device_size s = btvi_device_size(o, level);
	const size_t histograms = btvi_fields_count(btvi_device_fields, BTVI_FIELD_HISTOGRAM);
	const size_t planes = o->keep_owners ? 2 * BTVI_MAPS : BTVI_MAPS;
	const size_t cells =
		planes * s.map_columns * s.map_rows + (size_t)s.heat_columns * BTVI_HEAT_ROWS;
	const size_t row = (BTVI_HISTOGRAM_ROW >> s.coarse) * sizeof(uint64_t) + MALLOC_BYTES;
	const size_t histogram = sizeof(struct btvi_histogram) + BTVI_HISTOGRAM_ROWS * row;
	const size_t slots = 4 * sizeof(uint32_t); /* a hash is between a quarter and half full */

	return sizeof(struct btvi_device) + cells * sizeof(uint32_t) +
		(size_t)s.buckets * BTVI_COLUMN_COUNT * sizeof(uint64_t) +
		(histograms + BTVI_PAUSE_KINDS) * histogram +
		2 * (s.actors + 1) * (sizeof(struct btvi_actor) + slots) +
		2 * BTVI_PAUSE_KINDS * BTVI_GAP_KEPT * sizeof(struct btvi_pause) +
		BTVI_INFLIGHT_MIN * 2 * sizeof(struct btvi_bio);
}

void btvi_device_resize(struct btvi_device *d, const struct btvi_device_options *o, unsigned level)
{
	const struct btvi_device_size size = btvi_device_size(o, level);

	d->level = level;
	btvi_gaps_coarsen(&d->gaps, size.coarse);
	btvi_series_init(&d->series, size.buckets);
	for (unsigned m = 0; m < BTVI_MAPS; m++)
		btvi_grid_init(&d->maps[m], size.map_columns, size.map_rows, o->keep_owners);
	btvi_grid_init(&d->heat, size.heat_columns, BTVI_HEAT_ROWS, false);
	d->processes.max = d->cgroups.max = size.actors;
	d->processes.coarse = d->cgroups.coarse = size.coarse;
}

enum btviz_status btvi_device_coarsen(
	struct btvi_device *d, const struct btvi_device_options *o, unsigned level)
{
	const struct btvi_device_size size = btvi_device_size(o, level);

	if (d->level >= level)
		return BTVIZ_OK;
	d->level = level;
	for (unsigned m = 0; m < BTVI_MAPS; m++)
		if (btvi_grid_coarsen(&d->maps[m], size.map_columns, size.map_rows) != BTVIZ_OK)
			return BTVIZ_ERR_NOMEM;
	if (btvi_grid_coarsen(&d->heat, size.heat_columns, BTVI_HEAT_ROWS) != BTVIZ_OK ||
		btvi_actors_coarsen(&d->processes, size.actors, size.coarse) != BTVIZ_OK ||
		btvi_actors_coarsen(&d->cgroups, size.actors, size.coarse) != BTVIZ_OK)
		return BTVIZ_ERR_NOMEM;
	btvi_series_coarsen(&d->series, size.buckets);
	btvi_gaps_coarsen(&d->gaps, size.coarse);
	btvi_fields_coarsen(btvi_device_fields, d, size.coarse);
	return BTVIZ_OK;
}

void btvi_device_share(
	struct btvi_device *d, struct btvi_quota *open_ios, struct btvi_quota *latencies)
{
	d->pair.quota = open_ios;
	open_ios->taken += d->pair.open_max - BTVI_INFLIGHT_MIN;
	d->processes.quota = d->cgroups.quota = latencies;
	latencies->taken += d->processes.latencies + d->cgroups.latencies;
}
