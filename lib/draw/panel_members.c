/* panel_members.c - a thin row a member disk, its throughput as shade: that only one disk of four
 * is in use is seen at once. Where there is no array but several devices, a row a device. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/quantity.h"
#include "draw/page.h"

enum { ROW_MAX = 64 };

struct member_row {
	size_t device; /* index into figures->devices, SIZE_MAX: not traced */
	const char *name;
	double share; /* of its array's bytes, NaN if unknown */
	bool begins_array;
	double *read, *write; /* bytes a second in cells */
};

struct rows {
	struct btvi_cells cells;
	size_t count, hidden;
	struct member_row rows[ROW_MAX];
	double effective; /* of the array with most members */
	size_t members;
	bool both; /* reads and writes, both more than a trickle, in any run */
};

static size_t device_index(const struct btviz_figures *f, uint32_t device)
{
	for (size_t i = 0; i < f->device_count; i++)
		if (f->devices[i]->device == device)
			return i;
	return SIZE_MAX;
}

static void add(struct rows *r, size_t device, const char *name, double share, bool begins)
{
	if (r->count == ROW_MAX) {
		r->hidden++;
		return;
	}
	r->rows[r->count++] = (struct member_row){
		.device = device, .name = name, .share = share, .begins_array = begins
	};
}

static void collect(const struct btviz_figures *f, struct rows *r)
{
	r->effective = NAN;
	for (size_t a = 0; a < f->array_count; a++) {
		const struct btviz_array *array = f->arrays[a];

		/* A partition, or a volume on one array, has nothing to balance. */
		if (array->member_count < 2)
			continue;
		if (array->member_count > r->members) {
			r->members = array->member_count;
			r->effective = array->effective_members;
		}

		const size_t before = r->count;

		for (const struct btviz_member *m = NULL;
			(m = btvi_page_next_member(array, m)) != NULL;)
			add(r, device_index(f, m->device), m->name, m->bytes_share,
				r->count == before && before > 0);
	}
	if (r->count > 0 || f->top_count < 2)
		return;
	for (size_t t = 0; t < f->top_count; t++)
		add(r, f->top[t], f->devices[f->top[t]]->name, NAN, false);
}

static double *course(struct btvi_page *p, size_t run, size_t device,
	enum btviz_direction direction, const struct btvi_cells *cells, double *max, double *sum)
{
	double *x;

	if (device == SIZE_MAX || cells->count == 0)
		return NULL;
	x = btvi_scene_alloc(p->scene, cells->count, sizeof *x);
	if (!x)
		return NULL;
	if (btviz_summary_series(p->runs[run].summary, device, BTVIZ_COURSE_BYTES, direction,
		    cells->start_ns, cells->end_ns, cells->count, x) != BTVIZ_OK)
		return NULL;
	for (size_t i = 0; i < cells->count; i++) {
		if (x[i] > *max)
			*max = x[i];
		if (x[i] > 0)
			*sum += x[i];
	}
	return x;
}

static bool prepare(const struct btvi_panel *self, struct btvi_page *p)
{
	struct rows *all = btvi_scene_alloc(p->scene, p->run_count, sizeof *all);
	double max = 0, sums[2] = { 0, 0 };
	bool any = false;

	if (!all)
		return false;
	p->data[self->id] = all;
	for (size_t run = 0; run < p->run_count; run++) {
		struct rows *r = &all[run];

		collect(p->runs[run].figures, r);
		r->cells = btvi_page_cells(p, run, 3);
		any = any || r->count > 0;
		for (size_t i = 0; i < r->count; i++) {
			struct member_row *row = &r->rows[i];

			if (!p->options->no_reads)
				row->read = course(p, run, row->device, BTVIZ_DIR_READ, &r->cells,
					&max, &sums[0]);
			if (!p->options->no_writes)
				row->write = course(p, run, row->device, BTVIZ_DIR_WRITE, &r->cells,
					&max, &sums[1]);
		}
	}
	for (size_t run = 0; run < p->run_count; run++)
		all[run].both = sums[0] > 0.02 * sums[1] && sums[1] > 0.02 * sums[0];
	p->axes[self->id].max = max;
	return any && !p->overlay;
}

static size_t most_rows(const struct btvi_panel *self, const struct btvi_page *p)
{
	const struct rows *all = p->data[self->id];
	size_t most = 1;

	for (size_t run = 0; run < p->run_count; run++)
		if (all[run].count > most)
			most = all[run].count;
	return most;
}

static double own_height(const struct btvi_panel *self, const struct btvi_page *p)
{
	const size_t rows = most_rows(self, p);

	return (double)rows * (rows <= 8 ? 17 : rows <= 16 ? 14 : 8);
}

static uint32_t shade_of(uint32_t color, double share)
{
	/* The square root: a trickle is seen, full speed still stands out. */
	return btvi_rgba_alpha(color, 0.12 + 0.88 * round(16 * sqrt(share)) / 16);
}

/* One direction of a row. Cells of one shade in a row become one rectangle. */
static void draw_course(const struct btvi_panel *self, struct btvi_page *p, const struct rows *r,
	const double *course, uint32_t color, struct btvi_rect at)
{
	const double max = p->axes[self->id].max;
	uint32_t former = 0;
	size_t from = 0;

	for (size_t i = 0; course && i <= r->cells.count; i++) {
		uint32_t shade = 0;

		if (i < r->cells.count && course[i] > 0)
			shade = shade_of(color, course[i] / max);
		if (shade == former)
			continue;
		if (former) {
			const double x0 = btvi_page_x(
				p, at, r->cells.start_s + (double)from * r->cells.width_s);
			const double x1 =
				btvi_page_x(p, at, r->cells.start_s + (double)i * r->cells.width_s);

			btvi_scene_rect(p->scene, x0, at.y, x1 - x0, at.h, former);
		}
		former = shade;
		from = i;
	}
}

static void draw(const struct btvi_panel *self, struct btvi_page *p, size_t run, struct btvi_rect r)
{
	const struct rows *all = p->data[self->id], *rows = &all[run];
	const struct rows *named = &all[p->labelled];
	const double h = r.h / (double)most_rows(self, p);
	const double size = fmin(BTVI_TEXT_SMALL, fmax(h * 0.8, 7));
	double last_label = -1e9;

	for (size_t i = 0; i < rows->count; i++) {
		const struct member_row *row = &rows->rows[i];
		const struct btvi_rect at = { r.x, r.y + (double)i * h + 1, r.w, fmax(h - 2, 1) };
		const double baseline = at.y + at.h / 2 + 0.35 * size;

		btvi_scene_rect(p->scene, at.x, at.y, at.w, at.h, BTVI_ROW);
		if (row->begins_array)
			btvi_scene_hline(p->scene, r.x, r.x + r.w, at.y - 1, 1, BTVI_AXIS);
		/* Where members both read and write, each has its half of the row. */
		const struct btvi_rect upper = { at.x, at.y, at.w, rows->both ? at.h / 2 : at.h };
		const struct btvi_rect lower = { at.x, at.y + at.h - upper.h, at.w, upper.h };

		draw_course(self, p, rows, row->read, p->read, upper);
		draw_course(self, p, rows, row->write, p->write, lower);
		if (row->device != SIZE_MAX)
			btvi_gaps_hatch_member(
				p, run, p->runs[run].figures->devices[row->device]->device, at);
		if (baseline - last_label < size)
			continue;
		last_label = baseline;
		/* The share beside the row; in a page of several columns both stand at its left. */
		if (p->labels)
			btvi_scene_text_fit(p->scene, r.x - 6, baseline, 58, BTVI_END, size, false,
				BTVI_INK_SOFT, row->name);
		/* Beside a run with other members the names at the left do not hold. */
		else if (i >= named->count || strcmp(row->name, named->rows[i].name) != 0)
			btvi_scene_text_fit(p->scene, r.x + 2, baseline, r.w, BTVI_START, size,
				true, BTVI_INK, row->name);
		if (!isnan(row->share)) {
			char share[BTVI_QUANTITY_SIZE];

			btvi_quantity_fixed(100 * row->share, 0, share);
			strcat(share, " %");
			btvi_scene_text(p->scene, r.x + r.w + 4, baseline, BTVI_START,
				fmin(size, 10), false, BTVI_INK_SOFT, share);
		}
	}
}

/* What the shades stand for: from nothing to the fastest cell of any member. */
static double shade_scale(const struct btvi_panel *self, struct btvi_page *p, double x1, double y)
{
	enum { STEPS = 6, STEP = 9, SCALE_ROOM = 500 };
	const uint32_t color = p->has_writes || !p->has_reads ? p->write : p->read;
	char rate[BTVI_QUANTITY_SIZE];

	if (!(p->axes[self->id].max > 0) || p->plot_width < SCALE_ROOM)
		return x1;
	x1 -= 4 +
		btvi_scene_text(p->scene, x1, y, BTVI_END, BTVI_TEXT_SMALL, false, BTVI_INK_SOFT,
			btvi_quantity_rate(p->axes[self->id].max, rate));
	for (int i = 0; i < STEPS; i++)
		btvi_scene_rect(p->scene, x1 - (STEPS - i) * STEP, y - 8, STEP, 9,
			shade_of(color, (i + 0.5) / STEPS));
	x1 -= STEPS * STEP + 4;
	return x1 -
		btvi_scene_text(
			p->scene, x1, y, BTVI_END, BTVI_TEXT_SMALL, false, BTVI_INK_SOFT, "0");
}

static double note(
	const struct btvi_panel *self, struct btvi_page *p, size_t run, double x1, double y)
{
	const struct rows *r = &((const struct rows *)p->data[self->id])[run];
	char text[96], effective[BTVI_QUANTITY_SIZE];

	if (r->hidden > 0) {
		snprintf(text, sizeof text, "%zu more not drawn", r->hidden);
		x1 -= 10 +
			btvi_scene_text(
				p->scene, x1, y, BTVI_END, BTVI_TEXT_SMALL, true, BTVI_ALARM, text);
	}
	x1 = shade_scale(self, p, x1, y) - 12;
	if (isnan(r->effective))
		return x1;
	const bool few = r->effective < 0.6 * (double)r->members;

	snprintf(text, sizeof text, "effective members %s of %zu",
		btvi_quantity_fixed(r->effective, 1, effective), r->members);
	return x1 -
		btvi_scene_text(p->scene, x1, y, BTVI_END, BTVI_TEXT_SMALL, few,
			few ? BTVI_ALARM : BTVI_INK_SOFT, text);
}

const struct btvi_panel btvi_panel_members = {
	.id = BTVIZ_PANEL_MEMBERS,
	.name = "members",
	.title = "members, throughput as shade",
	.title_without_array = "devices, throughput as shade",
	.usual = true,
	.height = 68,
	.own_axis = true,
	.prepare = prepare,
	.own_height = own_height,
	.draw = draw,
	.note = note,
};
