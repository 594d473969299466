/* measure/saved_walk.h - the form of a saved summary, as one walk over it: to the file when
 * writing, from the file when reading. Private to saved*.c.
 *
 * A file is gzip-compressed JSON (plain JSON is read, too), schema btviz.summary/2. Members of
 * structs stand under their names, as the tables of fields.c list them; long rows of numbers are a
 * text (saved_row.h). I/Os that are open at the end of a run are not kept but counted as cut off,
 * just as where two parts of a run are merged. All numbers are unsigned and below 2^64; JSON's
 * integers hold them as their two's complement.
 *
 * What is read may be anybody's: each number has its bounds, each row its length, each axis one
 * width that fits, all together a budget of memory. */
#ifndef BTVI_MEASURE_SAVED_WALK_H
#define BTVI_MEASURE_SAVED_WALK_H

#include <jansson.h>

#include "base/field.h"
#include "base/histogram.h"
#include "base/status.h"
#include "measure/saved_row.h"
#include "measure/summary.h"

#define BTVI_SAVED_SCHEMA "btviz.summary/2"

/* Every step returns false when all is over; status and err then say why. */
struct btvi_walk {
	bool writing;
	enum btviz_status status;
	struct btviz_error *err;
	/* reading: */
	const char *name; /* of the file */
	char part[64];    /* of the summary: "device 9,0" */
	uint64_t budget;  /* bytes that may still be allocated: a short text can ask for much */
	unsigned coarse;  /* of histograms */
};

bool btvi_walk_refuse(struct btvi_walk *w, const char *format, ...) BTVI_PRINTF(2, 3);
bool btvi_walk_nomem(struct btvi_walk *w);

/* Takes count things of a size off the budget. */
bool btvi_walk_charge(struct btvi_walk *w, size_t count, size_t size);

/* Zeroed memory, taken off the budget; NULL after saying so. */
void *btvi_walk_alloc(struct btvi_walk *w, size_t count, size_t size);

/* ---- values: saved_value.c ------------------------------------------------------------------- */

/* Where a value stands: under a key of an object, or, without one, at an index of an array. */
struct btvi_at {
	json_t *in;
	const char *key;
	size_t index;
};

static inline struct btvi_at btvi_at_key(json_t *object, const char *key)
{
	return (struct btvi_at){ .in = object, .key = key };
}

static inline struct btvi_at btvi_at_index(json_t *array, size_t index)
{
	return (struct btvi_at){ .in = array, .index = index };
}

/* The value read, NULL: there is none. */
json_t *btvi_walk_get(struct btvi_at at);

/* Writes a value, which is taken over; NULL: out of memory. */
bool btvi_walk_put(struct btvi_walk *w, struct btvi_at at, json_t *value);

/* The object or array that stands there; borrowed. NULL: it is missing or something else. */
json_t *btvi_walk_open(struct btvi_walk *w, struct btvi_at at, json_type type);

/* An array; *count is how many entries it gets, or has, which may be no more than max. */
json_t *btvi_walk_list(struct btvi_walk *w, struct btvi_at at, size_t *count, size_t max);

/* A text of at most that many bytes, or none; read, it is printable, and the caller's to free. */
bool btvi_walk_text(struct btvi_walk *w, struct btvi_at at, char **text, size_t bytes);

/* All members of a table, by name in an object, one after the other in an array. */
bool btvi_walk_fields(
	struct btvi_walk *w, json_t *in, const struct btvi_field *table, void *object);

/* A row of numbers, between open and close. */
struct btvi_row {
	struct btvi_row_writer out;
	struct btvi_row_reader in;
	struct btvi_walk *walk;
};

bool btvi_row_open(struct btvi_walk *w, struct btvi_at at, struct btvi_row *ret_row);

/* False: the row is too short, or this number of it makes no sense or is above max. */
bool btvi_row_pass(struct btvi_row *row, uint64_t *value, uint64_t max);
bool btvi_row_pass_fields(struct btvi_row *row, const struct btvi_field *table, void *object);

/* False: there is more in it. */
bool btvi_row_close(struct btvi_row *row, struct btvi_at at);

/* All numbers of a table as one row. */
bool btvi_walk_row(
	struct btvi_walk *w, struct btvi_at at, const struct btvi_field *table, void *object);

/* ---- parts: saved_part.c --------------------------------------------------------------------- */

/* NULL is one without values. */
bool btvi_walk_histogram(struct btvi_walk *w, struct btvi_at at, struct btvi_histogram **h);
bool btvi_walk_series(struct btvi_walk *w, struct btvi_at at, struct btvi_series *s);

/* Written with so many columns and rows at most. */
bool btvi_walk_grid(struct btvi_walk *w, struct btvi_at at, struct btvi_grid *g, uint32_t columns,
	uint32_t rows);

/* ---- devices and the rest: saved_device.c, saved_run.c ----------------------------------------
 */

/* Writes a device as it would be, were another part of the run merged in: nothing open any more; or
 * reads one into s, which does not have it yet. */
bool btvi_walk_write_device(struct btvi_walk *w, struct btvi_at at, const struct btvi_device *d,
	const struct btvi_device_options *o);
bool btvi_walk_read_device(struct btvi_walk *w, struct btvi_at at, struct btviz_summary *s);

/* The options that a summary was made with. Read, *devices is the caller's to free, its texts are
 * root's. */
bool btvi_walk_options(
	struct btvi_walk *w, json_t *root, struct btviz_summary_options *o, const char ***devices);

/* What was read and told of the run as a whole. */
bool btvi_walk_run(struct btvi_walk *w, json_t *root, struct btviz_summary *s);

#endif
