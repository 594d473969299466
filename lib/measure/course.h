/* measure/course.h - courses over time of all top devices of a run together, in cells as of
 * btviz_summary_series(). Room for them is the caller's. */
#ifndef BTVI_MEASURE_COURSE_H
#define BTVI_MEASURE_COURSE_H

#include <btviz/summary.h>

/* Sums, as for bytes a second. scratch: as many doubles as cells. */
void btvi_course_sum(struct btviz_summary *s, enum btviz_course course,
	enum btviz_direction direction, uint64_t start_ns, uint64_t end_ns, size_t cells,
	double *out, double *scratch);

/* Averages weighted by the devices' I/Os, as for sizes. disks: of the devices that issue requests,
 * not of the top ones. scratch: three times as many. */
void btvi_course_average(struct btviz_summary *s, enum btviz_course course,
	enum btviz_direction direction, bool disks, uint64_t start_ns, uint64_t end_ns,
	size_t cells, double *out, double *scratch);

#endif
