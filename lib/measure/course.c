/* course.c - series, seek map and latency map resampled to the caller's cells. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/figures.h"

static const struct btviz_figures *figures_of(struct btviz_summary *s)
{
	const struct btviz_figures *f;

	return btviz_summary_figures(s, &f, NULL) == BTVIZ_OK ? f : NULL;
}

uint64_t btviz_summary_resolution(struct btviz_summary *s)
{
	const struct btviz_figures *f = figures_of(s);
	unsigned shift = 0;

	for (size_t i = 0; f && i < f->device_count; i++)
		if (s->figures->sources[i]->series.time.any &&
			s->figures->sources[i]->series.time.shift > shift)
			shift = s->figures->sources[i]->series.time.shift;
	return UINT64_C(1) << shift;
}

/* Sum of a column of one direction or, for all, of reads and writes. */
static double sum_of(const struct btvi_device *d, unsigned column, enum btviz_direction dir,
	double from, double to)
{
	if (dir != BTVIZ_DIR_ALL)
		return btvi_series_sum(&d->series, column + dir, from, to);
	return btvi_series_sum(&d->series, column + BTVIZ_DIR_READ, from, to) +
		btvi_series_sum(&d->series, column + BTVIZ_DIR_WRITE, from, to);
}

static double maximum_of(const struct btvi_device *d, unsigned column, double from, double to)
{
	const uint64_t *col = d->series.columns[column];
	const double width = (double)(UINT64_C(1) << d->series.time.shift);
	const double start = (double)d->series.time.first * width;
	const double used = (double)btvi_ruler_used(&d->series.time);
	double most = 0;

	if (!col || to <= start || from >= start + used * width)
		return 0;
	const double low = from <= start ? 0 : floor((from - start) / width);
	const double high = fmin(used, ceil((to - start) / width));

	for (uint32_t i = (uint32_t)low; (double)i < high; i++)
		most = fmax(most, (double)col[i]);
	return most;
}

/* The latency below which a share q of the cell's I/Os lie, from the latency map. */
static double quantile(const struct btvi_device *d, double q, double from, double to)
{
	const struct btvi_grid *g = &d->heat;
	const double width = (double)(UINT64_C(1) << g->x.shift);
	const double start = (double)g->x.first * width;
	const double used = (double)btvi_ruler_used(&g->x);
	double rows[512] = { 0 }, total = 0, below = 0;

	if (!g->cells || to <= start || from >= start + used * width)
		return NAN;
	const double low = from <= start ? 0 : (from - start) / width;
	const double high = fmin(used, (to - start) / width);

	for (uint32_t c = (uint32_t)low; (double)c < high; c++) {
		const double share = fmin(high, (double)c + 1) - fmax(low, (double)c);

		for (uint32_t r = g->extents[c].low; r <= g->extents[c].high && r < BTVI_HEAT_ROWS;
			r++) {
			const double n = share * g->cells[(size_t)c * g->y.cells + r];

			rows[r] += n;
			total += n;
		}
	}
	if (total <= 0)
		return NAN;
	for (uint32_t r = 0; r < BTVI_HEAT_ROWS; r++) {
		if (rows[r] > 0 && below + rows[r] >= q * total) {
			const uint32_t row = (uint32_t)(g->y.first) + r;
			const double a = btvi_heat_floor(row), b = btvi_heat_floor(row + 1);

			return (a + (b - a) * (q * total - below) / rows[r]) * 1e-9;
		}
		below += rows[r];
	}
	return NAN;
}

/* (sum of bytes)^2 / sum of bytes^2 over the members. */
static double effective(const struct btvi_figures *f, uint32_t array, double from, double to)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < f->pub.device_count; i++) {
		for (size_t p = 0; p < f->devices[i].parent_count; p++) {
			double bytes;

			if (f->devices[i].parents[p] != array)
				continue;
			bytes = sum_of(f->sources[i], BTVI_COL_BYTES, BTVIZ_DIR_ALL, from, to);
			sum += bytes;
			squares += bytes * bytes;
		}
	}
	return squares > 0 ? sum * sum / squares : NAN;
}

static double ratio(double sum, double count)
{
	return count > 0 ? sum / count : NAN;
}

double btvi_device_busy_ns(const struct btvi_device *d, double from, double to)
{
	double sum = btvi_series_sum(&d->series, BTVI_COL_BUSY_MORE_NS, from, to);

	for (unsigned c = BTVI_COL_BUSY_NS; c < BTVI_COL_BUSY_END; c++)
		sum += btvi_series_sum(&d->series, c, from, to);
	return sum;
}

/* A request takes the bios that merged into it along when it completes; a bio device has none. */
static double merge_ratio(
	const struct btvi_device *d, enum btviz_direction dir, double from, double to)
{
	const double bios = sum_of(d, BTVI_COL_Q2C_IOS, dir, from, to);

	return d->pair.request_based && bios > 0
		? ratio(bios, sum_of(d, BTVI_COL_IOS, dir, from, to))
		: NAN;
}

static double value(const struct btvi_figures *f, size_t device, enum btviz_course course,
	enum btviz_direction dir, double from, double to)
{
	const struct btvi_device *d = f->sources[device];
	const double s = (to - from) * 1e-9;

	switch (course) {
	case BTVIZ_COURSE_BYTES:
		return sum_of(d, BTVI_COL_BYTES, dir, from, to) / s;
	case BTVIZ_COURSE_IOS:
		return sum_of(d, BTVI_COL_IOS, dir, from, to) / s;
	case BTVIZ_COURSE_SEEKS:
		return sum_of(d, BTVI_COL_SEEKS, dir, from, to) / s;
	case BTVIZ_COURSE_OUTSTANDING:
		return btvi_series_sum(&d->series, BTVI_COL_OUTSTANDING_NS, from, to) / (to - from);
	case BTVIZ_COURSE_IN_FLIGHT:
		return btvi_series_sum(&d->series, BTVI_COL_IN_FLIGHT_NS, from, to) / (to - from);
	case BTVIZ_COURSE_BUSY:
		return fmin(btvi_device_busy_ns(d, from, to) / (to - from), 1);
	case BTVIZ_COURSE_SIZE:
		return ratio(sum_of(d, BTVI_COL_SIZE_BYTES, dir, from, to),
			sum_of(d, BTVI_COL_SIZE_IOS, dir, from, to));
	case BTVIZ_COURSE_LATENCY_P50:
		return quantile(d, 0.5, from, to);
	case BTVIZ_COURSE_LATENCY_P99:
		return quantile(d, 0.99, from, to);
	case BTVIZ_COURSE_EFFECTIVE:
		return effective(f, d->device, from, to);
	case BTVIZ_COURSE_MERGES:
		return sum_of(d, BTVI_COL_MERGES, dir, from, to) / s;
	case BTVIZ_COURSE_MERGE_RATIO:
		return merge_ratio(d, dir, from, to);
	case BTVIZ_COURSE_OUTSTANDING_MAX:
		return maximum_of(d, BTVI_COL_OUTSTANDING_MAX, from, to);
	case BTVIZ_COURSE_QUEUE_LATENCY:
		return 1e-9 *
			ratio(sum_of(d, BTVI_COL_Q2C_NS, dir, from, to),
				sum_of(d, BTVI_COL_Q2C_IOS, dir, from, to));
	}
	return NAN;
}

enum btviz_status btviz_summary_series(struct btviz_summary *s, size_t device,
	enum btviz_course course, enum btviz_direction direction, uint64_t start_ns,
	uint64_t end_ns, size_t cells, double *out)
{
	const struct btviz_figures *f = figures_of(s);

	if (!f || device >= f->device_count || end_ns <= start_ns ||
		(unsigned)direction >= BTVIZ_DIR_COUNT)
		return BTVIZ_ERR_USAGE;

	const double width = (double)(end_ns - start_ns) / (double)cells;

	for (size_t i = 0; i < cells; i++) {
		const double from = (double)start_ns + (double)i * width;

		out[i] = value(s->figures, device, course, direction, from, from + width);
	}
	return BTVIZ_OK;
}

/* The stretch of target cells that a source cell covers: [*low, *high), in parts of a cell. */
static bool target(double first, double width, uint32_t cell, double start, double target_width,
	size_t cells, double *low, double *high)
{
	const double from = (first + (double)cell) * width, to = from + width;

	*low = fmax(0, (from - start) / target_width);
	*high = fmin((double)cells, (to - start) / target_width);
	return *high > *low;
}

/* Spreads the cells of a grid over a target by area. With y_edges NULL rows are of equal height. */
static void spread(const struct btvi_grid *g, double start, double end, size_t columns, double y0,
	double y1, size_t rows, float *out, uint32_t *owners)
{
	const double xw = (double)(UINT64_C(1) << g->x.shift),
		     yw = (double)(UINT64_C(1) << g->y.shift);
	const double tw = (end - start) / (double)columns, th = (y1 - y0) / (double)rows;
	const uint32_t used = g->cells ? btvi_ruler_used(&g->x) : 0;

	for (uint32_t c = 0; c < used; c++) {
		double left, right;

		if (g->extents[c].low > g->extents[c].high ||
			!target((double)g->x.first, xw, c, start, tw, columns, &left, &right))
			continue;
		for (uint32_t r = g->extents[c].low; r <= g->extents[c].high; r++) {
			const size_t at = (size_t)c * g->y.cells + r;
			const double amount = g->cells[at];
			double bottom, top;

			if (amount == 0 ||
				!target((double)g->y.first, yw, r, y0, th, rows, &bottom, &top))
				continue;
			/* Of the source cell's area, each target cell gets its share. */
			const double density = amount * (tw / xw) * (th / yw);

			for (size_t y = (size_t)bottom; (double)y < top; y++)
				for (size_t x = (size_t)left; (double)x < right; x++) {
					const double w =
						fmin(right, (double)x + 1) - fmax(left, (double)x);
					const double h =
						fmin(top, (double)y + 1) - fmax(bottom, (double)y);
					float *cell = &out[y * columns + x];
					const float part = (float)(density * w * h);

					if (owners && g->owners && g->owners[at] &&
						part >= *cell / 2)
						owners[y * columns + x] = g->owners[at];
					*cell += part;
				}
		}
	}
}

enum btviz_status btviz_summary_map(struct btviz_summary *s, size_t device, enum btviz_op op,
	uint64_t start_ns, uint64_t end_ns, size_t columns, uint64_t first_sector,
	uint64_t last_sector, size_t rows, float *out, uint32_t *owners)
{
	const struct btviz_figures *f = figures_of(s);

	if (!f || device >= f->device_count || end_ns <= start_ns || last_sector < first_sector ||
		(op != BTVIZ_OP_READ && op != BTVIZ_OP_WRITE && op != BTVIZ_OP_DISCARD))
		return BTVIZ_ERR_USAGE;
	memset(out, 0, columns * rows * sizeof *out);
	if (owners)
		memset(owners, 0, columns * rows * sizeof *owners);
	spread(&s->figures->sources[device]->maps[op], (double)start_ns, (double)end_ns, columns,
		(double)first_sector, (double)last_sector + 1, rows, out, owners);
	return BTVIZ_OK;
}

enum btviz_status btviz_summary_heat(struct btviz_summary *s, size_t device, uint64_t start_ns,
	uint64_t end_ns, size_t columns, double min_s, double max_s, size_t rows, float *out)
{
	const struct btviz_figures *f = figures_of(s);

	if (!f || device >= f->device_count || end_ns <= start_ns || !(min_s > 0) ||
		!(max_s > min_s))
		return BTVIZ_ERR_USAGE;
	memset(out, 0, columns * rows * sizeof *out);

	const struct btvi_grid *g = &s->figures->sources[device]->heat;
	const double xw = (double)(UINT64_C(1) << g->x.shift);
	const double tw = (double)(end_ns - start_ns) / (double)columns;
	const double log_min = log(min_s), log_row = (log(max_s) - log_min) / (double)rows;
	const uint32_t used = g->cells ? btvi_ruler_used(&g->x) : 0;

	for (uint32_t c = 0; c < used; c++) {
		double left, right;

		if (!target((double)g->x.first, xw, c, (double)start_ns, tw, columns, &left,
			    &right))
			continue;
		for (uint32_t r = g->extents[c].low;
			r <= g->extents[c].high && g->extents[c].low <= g->extents[c].high; r++) {
			const double n = g->cells[(size_t)c * g->y.cells + r];
			const uint32_t row = (uint32_t)g->y.first + r;
			const double low =
				(log(fmax(btvi_heat_floor(row), 1) * 1e-9) - log_min) / log_row;
			const double high =
				(log(btvi_heat_floor(row + 1) * 1e-9) - log_min) / log_row;
			const double bottom = fmax(0, low), top = fmin((double)rows, high);

			if (n == 0 || top <= bottom)
				continue;
			for (size_t y = (size_t)bottom; (double)y < top; y++)
				for (size_t x = (size_t)left; (double)x < right; x++)
					out[y * columns + x] += (float)(n * (tw / xw) *
						(fmin(right, (double)x + 1) -
							fmax(left, (double)x)) *
						(fmin(top, (double)y + 1) -
							fmax(bottom, (double)y)) /
						(high - low));
		}
	}
	return BTVIZ_OK;
}
