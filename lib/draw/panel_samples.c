/* panel_samples.c - vm and cpu: what the recorder sampled beside the trace. "Nothing was submitted"
 * and "no page was under writeback meanwhile" belong under one another. */
#include <math.h>

#include <btviz/samples.h>

#include "draw/page.h"
#include "draw/sampled.h"

enum { SERIES_MAX = BTVI_SAMPLED_MAX };

static const struct btvi_sampled vm[SERIES_MAX] = {
	{ { "nr_dirty", NULL }, "dirty", 0xe69f00ffU },
	{ { "nr_writeback", NULL }, "under writeback", 0x4b2e83ffU },
	{ { NULL, NULL }, NULL, 0 },
};

static const struct btvi_sampled cpu[SERIES_MAX] = {
	{ { "cpu_user", NULL }, "user", 0x56b4e9ffU },
	{ { "cpu_system", NULL }, "system", 0xcc79a7ffU },
	{ { "cpu_irq", "cpu_softirq" }, "interrupts", 0x4b2e83ffU },
	{ { "cpu_iowait", NULL }, "waiting for I/O", 0xc0c0c0ffU },
};

struct samples {
	struct btvi_cells cells;
	double *values[SERIES_MAX];
};

const struct btvi_sampled *btvi_sampled(enum btviz_panel panel)
{
	return panel == BTVIZ_PANEL_VM ? vm : cpu;
}

bool btvi_sampled_course(const struct btviz_samples *samples, const struct btvi_sampled *what,
	uint64_t start_ns, uint64_t end_ns, size_t count, double *sum, double *scratch)
{
	bool any = false;

	for (int c = 0; c < 2 && what->columns[c]; c++) {
		const ptrdiff_t column = btviz_samples_column_find(samples, what->columns[c]);

		if (column < 0)
			continue;
		btviz_samples_resample(samples, column, start_ns, end_ns, scratch, count);
		for (size_t i = 0; i < count; i++) {
			any = any || !isnan(scratch[i]);
			sum[i] = c == 0 ? scratch[i] : sum[i] + scratch[i];
		}
	}
	return any;
}

static double *load(struct btvi_page *p, const struct btvi_run *run,
	const struct btvi_sampled *what, const struct btvi_cells *cells)
{
	double *sum = btvi_scene_alloc(p->scene, cells->count, sizeof *sum);
	double *one = btvi_scene_alloc(p->scene, cells->count, sizeof *one);

	return sum && one &&
			btvi_sampled_course(run->samples, what, cells->start_ns, cells->end_ns,
				cells->count, sum, one)
		? sum
		: NULL;
}

static bool prepare(const struct btvi_panel *self, struct btvi_page *p)
{
	struct samples *all = btvi_scene_alloc(p->scene, p->run_count, sizeof *all);
	const struct btvi_sampled *what = btvi_sampled(self->id);
	double max = 0;
	bool any = false;

	if (!all || p->overlay)
		return false;
	p->data[self->id] = all;
	for (size_t run = 0; run < p->run_count; run++) {
		struct samples *s = &all[run];

		if (!p->runs[run].samples)
			continue;
		s->cells = btvi_page_cells(p, run, 4);
		for (int k = 0; k < SERIES_MAX && what[k].name && s->cells.count > 0; k++) {
			s->values[k] = load(p, &p->runs[run], &what[k], &s->cells);
			any = any || s->values[k];
		}
		/* Shares of the CPUs' time stand upon one another; pages of memory do not. */
		for (size_t i = 0; i < s->cells.count; i++) {
			double sum = 0;

			for (int k = 0; k < SERIES_MAX; k++) {
				if (!s->values[k] || isnan(s->values[k][i]))
					continue;
				if (self->id == BTVIZ_PANEL_CPU) {
					sum += s->values[k][i];
					s->values[k][i] = sum;
				}
				max = fmax(max, s->values[k][i]);
			}
		}
	}
	btvi_axis_init(&p->axes[self->id], self->kind, 0, max, 4, true);
	return any;
}

static void draw(const struct btvi_panel *self, struct btvi_page *p, size_t run, struct btvi_rect r)
{
	const struct samples *s = &((const struct samples *)p->data[self->id])[run];
	const struct btvi_sampled *what = btvi_sampled(self->id);

	/* The highest first, so that each lower one covers its part of it. */
	for (int k = SERIES_MAX - 1; k >= 0 && self->id == BTVIZ_PANEL_CPU; k--)
		btvi_page_steps(p, &p->axes[self->id], r, s->values[k], &s->cells, what[k].color);
	for (int k = 0; k < SERIES_MAX && self->id == BTVIZ_PANEL_VM; k++) {
		btvi_page_steps(p, &p->axes[self->id], r, s->values[k], &s->cells,
			btvi_rgba_alpha(what[k].color, 0.2));
		btvi_page_line(
			p, &p->axes[self->id], r, s->values[k], &s->cells, 1.5, 0, what[k].color);
	}
}

static double note(
	const struct btvi_panel *self, struct btvi_page *p, size_t run, double x1, double y)
{
	const struct samples *s = &((const struct samples *)p->data[self->id])[run];
	const struct btvi_sampled *what = btvi_sampled(self->id);

	if (!s->cells.count)
		return x1 -
			btvi_scene_text(p->scene, x1, y, BTVI_END, BTVI_TEXT_SMALL, false,
				BTVI_INK_SOFT, "not sampled");
	for (int k = SERIES_MAX - 1; k >= 0; k--)
		if (s->values[k])
			x1 = btvi_page_key(p, x1, y, what[k].color, what[k].name) - 12;
	return x1;
}

const struct btvi_panel btvi_panel_vm = {
	.id = BTVIZ_PANEL_VM,
	.name = "vm",
	.title = "memory, pages",
	.usual = true,
	.sampled = true,
	.height = 80,
	.kind = BTVI_AXIS_COUNT,
	.prepare = prepare,
	.draw = draw,
	.note = note,
};

const struct btvi_panel btvi_panel_cpu = {
	.id = BTVIZ_PANEL_CPU,
	.name = "cpu",
	.title = "CPUs busy",
	.usual = true,
	.sampled = true,
	.height = 70,
	.kind = BTVI_AXIS_COUNT,
	.prepare = prepare,
	.draw = draw,
	.note = note,
};
