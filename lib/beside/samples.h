/* beside/samples.h - the table behind btviz_samples: rows of one time and many values. */
#ifndef BTVI_BESIDE_SAMPLES_H
#define BTVI_BESIDE_SAMPLES_H

#include <btviz/samples.h>

enum {
	BTVI_SAMPLES_CELLS = 1 << 22, /* values kept; beyond, every second row is given up */
	BTVI_SAMPLES_LINE = 1 << 20,  /* bytes of one line: 8192 CPUs of six columns fit */
	BTVI_SAMPLES_COLUMNS = 65536,
};

struct btviz_samples {
	char **names; /* columns, without the time */
	bool *is_count;
	size_t columns;
	uint64_t *times_ns; /* rows, rising */
	double *values;     /* rows * columns */
	size_t rows, capacity;
	size_t stride; /* one good line in so many is kept */
	size_t good_rows;
	uint64_t newest_ns; /* time of the last good line, kept or not */
	bool has_newest;
	size_t bad_rows;
};

#endif
