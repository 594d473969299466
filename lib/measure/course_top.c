/* course_top.c - courses of all top devices, or of all disks, of a run together. Knows only those
 * of single ones. */
#include "measure/course.h"

#include <math.h>

static const struct btviz_figures *figures_of(struct btviz_summary *s)
{
	const struct btviz_figures *f;

	return btviz_summary_figures(s, &f, NULL) == BTVIZ_OK ? f : NULL;
}

void btvi_course_sum(struct btviz_summary *s, enum btviz_course course,
	enum btviz_direction direction, uint64_t start_ns, uint64_t end_ns, size_t cells,
	double *out, double *scratch)
{
	const struct btviz_figures *const f = figures_of(s);

	for (size_t i = 0; i < cells; i++)
		out[i] = NAN;
	for (size_t t = 0; f && t < f->top_count; t++) {
		if (btviz_summary_series(s, f->top[t], course, direction, start_ns, end_ns, cells,
			    scratch) != BTVIZ_OK)
			continue;
		for (size_t i = 0; i < cells; i++)
			if (!isnan(scratch[i]))
				out[i] = isnan(out[i]) ? scratch[i] : out[i] + scratch[i];
	}
}

static bool is_top(const struct btviz_figures *f, size_t device)
{
	for (size_t t = 0; t < f->top_count; t++)
		if (f->top[t] == device)
			return true;
	return false;
}

void btvi_course_average(struct btviz_summary *s, enum btviz_course course,
	enum btviz_direction direction, bool disks, uint64_t start_ns, uint64_t end_ns,
	size_t cells, double *out, double *scratch)
{
	const struct btviz_figures *const f = figures_of(s);
	double *const weight = scratch, *const x = scratch + cells, *const n = x + cells;

	for (size_t i = 0; i < cells; i++)
		out[i] = weight[i] = 0;
	for (size_t d = 0; f && d < f->device_count; d++) {
		if (disks ? !f->devices[d]->request_based : !is_top(f, d))
			continue;
		if (btviz_summary_series(s, d, course, direction, start_ns, end_ns, cells, x) !=
				BTVIZ_OK ||
			btviz_summary_series(s, d, BTVIZ_COURSE_IOS, direction, start_ns, end_ns,
				cells, n) != BTVIZ_OK)
			continue;
		for (size_t i = 0; i < cells; i++)
			if (!isnan(x[i])) {
				/* Counted at another station it may be 0 here: still an average. */
				const double w = n[i] > 0 ? n[i] : 1e-9;

				out[i] += w * x[i];
				weight[i] += w;
			}
	}
	for (size_t i = 0; i < cells; i++)
		out[i] = weight[i] > 0 ? out[i] / weight[i] : NAN;
}
