/* catalogue.h - the list of all figures: name, unit, and where each is in its struct.
 *
 * Whoever shows figures or hands them on (the report's JSON and CSV do) can go through the list
 * instead of naming each; figures that a later library adds are then there without a change. */
#ifndef BTVIZ_CATALOGUE_H
#define BTVIZ_CATALOGUE_H

#include <stddef.h>

#include <btviz/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a figure is of: struct btviz_health, btviz_device, btviz_array, btviz_member, btviz_process,
 * btviz_cgroup. */
enum btviz_subject {
	BTVIZ_SUBJECT_HEALTH,
	BTVIZ_SUBJECT_DEVICE,
	BTVIZ_SUBJECT_ARRAY,
	BTVIZ_SUBJECT_MEMBER,
	BTVIZ_SUBJECT_PROCESS,
	BTVIZ_SUBJECT_CGROUP,
};

enum btviz_figure_type {
	BTVIZ_FIGURE_OTHER,    /* a list, a word, or what depends on the run: no type of these, no
				  offset */
	BTVIZ_FIGURE_INTEGER,  /* uint64_t */
	BTVIZ_FIGURE_IDENTITY, /* uint64_t, 0: none */
	BTVIZ_FIGURE_PID,      /* uint32_t, 0: none */
	BTVIZ_FIGURE_DEVICE,   /* uint32_t, a device number; 0: none */
	BTVIZ_FIGURE_REAL,     /* double; NaN: none */
	BTVIZ_FIGURE_FLAG,     /* bool */
	BTVIZ_FIGURE_TEXT,     /* const char *, NULL or "": none */
	BTVIZ_FIGURE_COUNT,    /* struct btviz_count */
	BTVIZ_FIGURE_DISTRIBUTION, /* struct btviz_distribution */
};

/* One figure. Handed out by address; fields may be appended. */
struct btviz_figure {
	const char *name;      /* in the report's JSON, a point where an object is in another:
				  "pairing.cut_head" */
	const char *measure;   /* in its CSV; NULL: it is not there */
	const char *direction; /* in its CSV; NULL: none, or by directions */
	const char *unit;      /* "s", "bytes" … or "" */
	enum btviz_figure_type type;
	size_t offset;       /* in the struct */
	unsigned directions; /* so many, by enum btviz_direction; 0: one, without direction */
	const char *since;   /* the release that came with it, "0.1" */
};

/* The figure behind previous, the first for NULL; NULL behind the last. In the order of the
 * report's JSON. Static: valid for ever. Since 0.2. */
BTVIZ_EXPORT const struct btviz_figure *btviz_figure_next(
	enum btviz_subject subject, const struct btviz_figure *previous);

#ifdef __cplusplus
}
#endif
#endif
