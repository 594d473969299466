/* panel_io.c - the seek map: time × offset, reads, writes and discards in their colours, density as
 * opacity. Several top devices are stacked as bands of their own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/owners.h"
#include "draw/page.h"

/* A map has no more cells than these however large the page: the data has fewer. */
enum { COLUMNS_MAX = 4096, ROWS_MAX = 2048 };
enum { OPS = 3, BAND_MAX = 8 };

static const enum btviz_op ops[OPS] = { BTVIZ_OP_READ, BTVIZ_OP_WRITE, BTVIZ_OP_DISCARD };

/* What one band shows: the i-th top device of every run. */
struct band {
	uint64_t first, last; /* sectors, over all runs */
	struct btvi_axis axis;
};

struct io {
	size_t band_count;
	struct band bands[BAND_MAX];
	size_t hidden; /* top devices beyond BAND_MAX, of the run that has most */
	struct btvi_owners owners;
};

static bool prepare(const struct btvi_panel *self, struct btvi_page *p)
{
	struct io *io = btvi_scene_alloc(p->scene, 1, sizeof *io);
	const uint64_t air = 64; /* sectors */
	bool any = false;

	if (!io)
		return false;
	p->data[self->id] = io;
	for (size_t i = 0; i < BAND_MAX; i++)
		io->bands[i].first = UINT64_MAX;
	for (size_t run = 0; run < p->run_count; run++) {
		const struct btviz_figures *f = p->runs[run].figures;

		for (size_t t = 0; t < f->top_count; t++) {
			const struct btviz_device *d = f->devices[f->top[t]];

			if (t >= BAND_MAX) {
				io->hidden = f->top_count - BAND_MAX;
				break;
			}
			if (t >= io->band_count)
				io->band_count = t + 1;
			if (d->map_first_sector > d->map_last_sector)
				continue;
			any = true;
			if (d->map_first_sector < io->bands[t].first)
				io->bands[t].first = d->map_first_sector;
			if (d->map_last_sector > io->bands[t].last)
				io->bands[t].last = d->map_last_sector;
		}
	}
	for (size_t i = 0; i < io->band_count; i++) {
		struct band *b = &io->bands[i];
		double low, high;

		if (b->first > b->last)
			b->first = 0;
		if (p->options->last_sector > 0) {
			b->first = p->options->first_sector;
			b->last = p->options->last_sector;
		} else if (b->last - b->first < air) {
			/* A single I/O: not a block that fills the panel. */
			b->first = b->first > air ? b->first - air : 0;
			b->last += air;
		} else if (b->first < (b->last - b->first) / 8) {
			b->first = 0; /* near enough: an axis that begins at 0 is read faster */
		}
		low = (double)b->first * BTVIZ_SECTOR_BYTES;
		high = ((double)b->last + 1) * BTVIZ_SECTOR_BYTES;
		btvi_axis_init(&b->axis, BTVI_AXIS_OFFSET, low, high,
			io->band_count == 1           ? 6
				: io->band_count == 2 ? 4
						      : 3,
			p->options->last_sector == 0 && io->band_count == 1);
	}
	/* With several bands each has its own range and says its own unit. */
	if (io->band_count == 1)
		p->axes[self->id] = io->bands[0].axis;
	if (p->options->by_process)
		btvi_owners_find(p, &io->owners);
	return any;
}

/* One map as it came from the summary: sectors a cell, and who. */
struct map {
	size_t columns, rows;
	float *sectors[OPS];
	uint32_t *owners[OPS];
	float least, most; /* of cells that have any */
	double filled;     /* share of cells that have */
};

static bool occurs(const struct btviz_device *d, enum btviz_op op)
{
	for (int s = 0; s < BTVIZ_STATION_COUNT; s++)
		if (d->actions[op][s].ios > 0)
			return true;
	return false;
}

static bool load(struct btvi_page *p, const struct btvi_run *run, size_t device,
	const struct btvi_cells *cells, const struct btvi_axis *axis, struct map *m)
{
	const size_t n = m->columns * m->rows;
	const uint64_t first = (uint64_t)(fmax(axis->min, 0) / BTVIZ_SECTOR_BYTES);
	const uint64_t last = (uint64_t)(axis->max / BTVIZ_SECTOR_BYTES);

	for (int op = 0; op < OPS; op++) {
		if ((ops[op] == BTVIZ_OP_READ && p->options->no_reads) ||
			(ops[op] != BTVIZ_OP_READ && p->options->no_writes) ||
			!occurs(run->figures->devices[device], ops[op]))
			continue;
		m->sectors[op] = calloc(n, sizeof *m->sectors[op]);
		m->owners[op] = p->options->by_process ? calloc(n, sizeof *m->owners[op]) : NULL;
		if (!m->sectors[op] || (p->options->by_process && !m->owners[op])) {
			p->scene->failed = true;
			return false;
		}
		if (btviz_summary_map(run->summary, device, ops[op], cells->start_ns, cells->end_ns,
			    m->columns, first, last > first ? last - 1 : first, m->rows,
			    m->sectors[op], m->owners[op]) != BTVIZ_OK)
			return false;
	}
	size_t filled = 0;

	m->least = INFINITY;
	for (size_t i = 0; i < n; i++) {
		float sum = 0;

		for (int op = 0; op < OPS; op++)
			sum += m->sectors[op] ? m->sectors[op][i] : 0;
		if (sum > 0) {
			m->least = fminf(m->least, sum);
			m->most = fmaxf(m->most, sum);
			filled++;
		}
	}
	m->filled = (double)filled / (double)n;
	return m->most > 0;
}

/* A map that is nearly full says more by its density than by where it has anything. */
static const double dense = 0.3;

/* The colour of a cell: its parts' colours by their shares, opacity by density on a log scale. A
 * single I/O stays well visible beside a million. */
static uint32_t shade(const struct btvi_page *p, const struct io *io, const struct btvi_run *run,
	const struct map *m, size_t at)
{
	const uint32_t own[OPS] = { p->read, p->write, p->discard };
	double sum = 0, rgb[3] = { 0, 0, 0 };
	const double lightest = m->filled > dense ? 0.3 : 0.6;
	double alpha = 1;

	for (int op = 0; op < OPS; op++) {
		const double x = m->sectors[op] ? (double)m->sectors[op][at] : 0;
		uint32_t color = own[op];

		if (x <= 0)
			continue;
		if (p->overlay)
			color = run->color;
		else if (m->owners[op])
			color = btvi_palette_process(
				btvi_owner_of(p, &io->owners, run, m->owners[op][at]));
		for (int k = 0; k < 3; k++)
			rgb[k] += x * (double)(color >> (24 - 8 * k) & 0xff);
		sum += x;
	}
	if (sum <= 0)
		return 0;
	if (m->most > 4 * m->least)
		alpha = lightest +
			(1 - lightest) * log(sum / (double)m->least) /
				(log((double)m->most / (double)m->least));
	return (uint32_t)lround(rgb[0] / sum) << 24 | (uint32_t)lround(rgb[1] / sum) << 16 |
		(uint32_t)lround(rgb[2] / sum) << 8 | (uint32_t)lround(255 * alpha);
}

/* A cell that stands alone is drawn larger, into empty neighbours only: one pixel is not seen. */
static void thicken(uint32_t *pixels, size_t columns, size_t rows, size_t by, uint32_t *from)
{
	memcpy(from, pixels, columns * rows * sizeof *pixels);
	for (size_t y = 0; y < rows; y++)
		for (size_t x = 0; x < columns; x++) {
			const uint32_t color = from[y * columns + x];

			if (!color)
				continue;
			/* To the right and upwards; to the left at the right edge. */
			for (size_t dy = 0; dy <= by && dy <= y; dy++)
				for (size_t dx = 0; dx <= by && dx < columns; dx++) {
					const size_t to_x =
						x + dx < columns ? x + dx : columns - 1 - dx;
					uint32_t *to = &pixels[(y - dy) * columns + to_x];

					if (!*to)
						*to = color;
				}
		}
}

static void draw_band(struct btvi_page *p, const struct io *io, const struct btvi_run *run,
	size_t device, const struct btvi_cells *cells, const struct btvi_axis *axis,
	struct btvi_rect r)
{
	const double x0 = btvi_page_x(p, r, cells->start_s);
	const double x1 = btvi_page_x(p, r, cells->start_s + (double)cells->count * cells->width_s);
	struct map m = { .rows = (size_t)fmin(fmax(floor(r.h * p->pixel), 1), ROWS_MAX) };
	uint32_t *pixels, *copy = NULL;

	m.columns = (size_t)fmin(fmax(floor((x1 - x0) * p->pixel), 1), COLUMNS_MAX);
	pixels = btvi_scene_alloc(p->scene, m.columns * m.rows, sizeof *pixels);
	if (pixels && load(p, run, device, cells, axis, &m)) {
		copy = malloc(m.columns * m.rows * sizeof *copy);
		for (size_t row = 0; row < m.rows; row++)
			for (size_t column = 0; column < m.columns; column++)
				pixels[(m.rows - 1 - row) * m.columns + column] =
					shade(p, io, run, &m, row * m.columns + column);
		if (copy)
			thicken(pixels, m.columns, m.rows,
				m.filled > dense ? 0 : (size_t)ceil(1.2 * fmin(p->pixel, 3)), copy);
		else
			p->scene->failed = true;
		btvi_scene_image(p->scene, x0, r.y, fmax(x1 - x0, 1 / p->pixel), r.h, pixels,
			m.columns, m.rows);
	}
	for (int op = 0; op < OPS; op++) {
		free(m.sectors[op]);
		free(m.owners[op]);
	}
	free(copy);
}

/* The names of the processes, in as many lines as they need; draws only if draw is true. */
static double legend(
	struct btvi_page *p, const struct io *io, double x, double y, double width, bool draw)
{
	const double line = 15;
	double at = x, height = io->owners.count ? line : 0;

	for (size_t i = 0; i < io->owners.count + io->owners.others; i++) {
		const char *name = i < io->owners.count ? io->owners.names[i] : "others";
		const double w = btvi_font_width(p->scene->font, name, BTVI_TEXT_SMALL, false) + 28;

		if (at + w > x + width && at > x) {
			at = x;
			height += line;
		}
		if (draw) {
			btvi_scene_rect(p->scene, at, y + height - 11, 9, 9,
				btvi_palette_process(
					i < io->owners.count ? i : BTVI_PROCESS_COLORS));
			btvi_scene_text_fit(p->scene, at + 13, y + height - 3, width - 13,
				BTVI_START, BTVI_TEXT_SMALL, false, BTVI_INK_SOFT, name);
		}
		at += w;
	}
	return height;
}

static double own_height(const struct btvi_panel *self, const struct btvi_page *p)
{
	const struct io *io = p->data[self->id];
	const double extra = 60 * (double)(io->band_count - 1);
	struct btvi_page *q = (struct btvi_page *)p;

	return (self->height + fmin(extra, 240)) * p->shrink +
		legend(q, io, 0, 0, p->plot_width, false);
}

static void draw(const struct btvi_panel *self, struct btvi_page *p, size_t run, struct btvi_rect r)
{
	const struct io *io = p->data[self->id];
	const struct btviz_figures *f = p->runs[run].figures;
	const struct btvi_cells cells = btvi_page_cells(p, run, 1 / p->pixel);
	const double between = io->band_count > 1 ? 16 : 0; /* room for a name */
	const double names = legend(p, io, 0, 0, r.w, false);
	double h;

	if (names > 0) {
		r.h -= names;
		if (p->labels)
			legend(p, io, r.x, r.y + r.h, r.w, true);
	}
	h = r.h / (double)io->band_count - between;
	for (size_t i = 0; i < io->band_count; i++) {
		const struct btvi_rect part = { r.x, r.y + (double)i * (h + between) + between, r.w,
			h };
		char text[160];

		if (!p->overlay || run == 0)
			btvi_page_axis(p, &io->bands[i].axis, part);
		if (i >= f->top_count)
			continue;
		if (cells.count > 0)
			draw_band(
				p, io, &p->runs[run], f->top[i], &cells, &io->bands[i].axis, part);
		if (io->band_count == 1 || (p->overlay && run != 0))
			continue;
		snprintf(text, sizeof text, "%.100s (%s)", f->devices[f->top[i]]->name,
			io->bands[i].axis.unit);
		btvi_scene_text_fit(p->scene, part.x, part.y - 4, part.w, BTVI_START,
			BTVI_TEXT_SMALL, true, BTVI_INK_SOFT, text);
	}
}

/* The key to the colours of directions, for those that occur. */
static double note(
	const struct btvi_panel *self, struct btvi_page *p, size_t run, double x1, double y)
{
	const struct io *io = p->data[self->id];
	char text[64];

	if (io->hidden > 0 && run == 0) {
		snprintf(text, sizeof text, "%zu more devices not drawn", io->hidden);
		x1 -= 12 +
			btvi_scene_text(
				p->scene, x1, y, BTVI_END, BTVI_TEXT_SMALL, true, BTVI_ALARM, text);
	}
	if (p->overlay || io->owners.count > 0)
		return x1;
	if (p->has_discards)
		x1 = btvi_page_key(p, x1, y, p->discard, "discards") - 12;
	if (p->has_writes)
		x1 = btvi_page_key(p, x1, y, p->write, "writes") - 12;
	if (p->has_reads)
		x1 = btvi_page_key(p, x1, y, p->read, "reads") - 12;
	return x1;
}

const struct btvi_panel btvi_panel_io = {
	.id = BTVIZ_PANEL_IO,
	.name = "io",
	.title = "offset",
	.usual = true,
	.height = 270,
	.kind = BTVI_AXIS_OFFSET,
	.own_axis = true,
	.prepare = prepare,
	.own_height = own_height,
	.draw = draw,
	.note = note,
};
