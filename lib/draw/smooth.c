/* smooth.c - a centred rolling average that stops at gaps and at the ends of the run. A trailing
 * average, as other tools draw it, shows throughput where there was none. */
#include "draw/smooth.h"

#include <math.h>

void btvi_smooth(const double *in, size_t count, double cell_width, double width,
	const struct btvi_stretch *breaks, size_t break_count, double *out)
{
	const size_t half = width > cell_width ? (size_t)floor(width / cell_width / 2) : 0;
	size_t low = 0, gap = 0; /* first cell of the stretch between breaks; next break */

	for (size_t i = 0; i < count;) {
		/* The stretch from low to high has one side: inside a gap, or outside of all. A
		 * cell belongs to a gap only if all of it does: what came just before still shows.
		 */
		size_t first = count, past = count, high = count;

		for (; gap < break_count; gap++) {
			first = (size_t)fmax(ceil(breaks[gap].start / cell_width - 1e-9), 0);
			past = (size_t)fmax(floor(breaks[gap].end / cell_width + 1e-9), 0);
			if (past > low && past > first)
				break;
		}
		if (gap < break_count)
			high = low < first ? first : past;
		if (high > count)
			high = count;
		for (; i < high; i++) {
			const size_t reach = half;
			const size_t from = i - low > reach ? i - reach : low;
			const size_t to = high - 1 - i > reach ? i + reach : high - 1;
			double sum = 0;
			size_t n = 0;

			for (size_t k = from; k <= to; k++)
				if (!isnan(in[k])) {
					sum += in[k];
					n++;
				}
			out[i] = isnan(in[i]) || n == 0 ? NAN : sum / (double)n;
		}
		low = high;
	}
}
