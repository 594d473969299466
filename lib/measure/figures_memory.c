/* figures_memory.c - what the sampled memory figures say of the gaps in submission. Knows nothing
 * of why there are gaps: that is for the findings. */
#include <math.h>

#include "measure/figures.h"

/* A column's average in the gaps of the top devices and outside of them. */
static void weigh(const struct btvi_figures *f, const struct btviz_samples *samples,
	const char *name, double *ret_in, double *ret_outside)
{
	const ptrdiff_t column = btviz_samples_column_find(samples, name);
	struct btviz_samples_range all, one;
	double in = 0, in_s = 0;

	*ret_in = *ret_outside = NAN;
	if (column < 0)
		return;
	btviz_samples_range(samples, column, f->pub.start_ns, f->pub.end_ns, &all);
	for (size_t t = 0; t < f->pub.top_count; t++) {
		const struct btviz_device *d = &f->devices[f->pub.top[t]];

		for (size_t i = 0; i < d->gap_count; i++) {
			const struct btviz_gap *g = d->gaps[i];

			if (g->kind != BTVIZ_GAP_SUBMIT)
				continue;
			btviz_samples_range(samples, column, g->start_ns, g->end_ns, &one);
			if (isnan(one.mean))
				continue;
			in += one.mean * (g->end_s - g->start_s);
			in_s += g->end_s - g->start_s;
		}
	}
	if (in_s <= 0)
		return;
	*ret_in = in / in_s;
	if (!isnan(all.mean) && f->pub.span_s > in_s)
		*ret_outside = fmax(0, (all.mean * f->pub.span_s - in) / (f->pub.span_s - in_s));
}

void btvi_figures_memory(struct btvi_figures *f, const struct btviz_summary *s)
{
	struct btviz_memory *m = &f->memory;

	*m = (struct btviz_memory){ NAN, NAN, NAN, NAN };
	if (!s->samples)
		return;
	weigh(f, s->samples, "nr_writeback", &m->writeback_in_gaps, &m->writeback_outside);
	weigh(f, s->samples, "pgscan_direct", &m->reclaim_in_gaps, &m->reclaim_outside);
}
