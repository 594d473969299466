/* measure/geometry.h - what an array is, from where its sectors lie on its members. */
#ifndef BTVI_MEASURE_GEOMETRY_H
#define BTVI_MEASURE_GEOMETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btvi_source;

struct btvi_geometry {
	const char *level;      /* "raid0" …, "linear"; NULL: not clear */
	const char *layout;     /* "near 2", "left-symmetric" …; NULL: the level has none, or not
				   clear */
	uint64_t chunk_sectors; /* 0: none, or not clear */
	unsigned devices;       /* that the array is laid out over; 0: not clear */
	unsigned data_devices;  /* over how many of them a row's data go */
};

/* Finds the only geometry that puts every place of the sample where it is, on every member
 * (sources[0 .. count), NULL: a member without a remap); or of several what they agree upon.
 * md: it is md's array, else dm's (which knows stripes and stretches). parity: md said that this
 * array has parity. */
struct btvi_geometry btvi_geometry_find(
	const struct btvi_source *const *sources, size_t count, bool md, bool parity);

#endif
