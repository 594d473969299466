/* measure/saved.h - the form of a saved summary: what save.c writes and load.c reads. Private to
 * them.
 *
 * A file is gzip-compressed JSON (plain JSON is read, too), schema btviz.summary/1. Plain members
 * of a struct are listed once, in the tables of saved_fields.c, and written under their names. Long
 * rows of numbers (histograms, time buckets, maps) are one string each: decimal numbers with a
 * blank between, "7*4" for 7 7 7 7. So a parser of JSON meets few values, and a file that lies
 * about a length is found out before anything is allocated for it.
 *
 * I/Os that are open at the end of a run are not kept but counted as cut off, just as where two
 * parts of a run are merged. All numbers are unsigned and below 2^64; JSON's integers hold them as
 * their two's complement. */
#ifndef BTVI_MEASURE_SAVED_H
#define BTVI_MEASURE_SAVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/status.h>

#define BTVI_SAVED_SCHEMA "btviz.summary/1"

/* ---- members of structs ---------------------------------------------------------------------- */

enum btvi_field_kind { BTVI_FIELD_U64, BTVI_FIELD_U32, BTVI_FIELD_BOOL };

struct btvi_field {
	const char *name; /* NULL ends a table */
	size_t offset;
	enum btvi_field_kind kind;
	unsigned count; /* of an array; its elements are in a row */
	uint64_t max;   /* larger values are refused */
};

extern const struct btvi_field btvi_fields_summary[], btvi_fields_health[], btvi_fields_device[],
	btvi_fields_gaps[], btvi_fields_source[], btvi_fields_pause[], btvi_fields_actor[];

uint64_t btvi_field_get(const struct btvi_field *f, const void *object, unsigned i);
void btvi_field_set(const struct btvi_field *f, void *object, unsigned i, uint64_t value);

/* How many numbers a table stands for. */
size_t btvi_fields_count(const struct btvi_field *table);

/* ---- rows of numbers --------------------------------------------------------------------------
 */

/* A growing text. failed: out of memory; what follows is lost. */
struct btvi_row_writer {
	char *text;
	size_t size, room;
	uint64_t value, repeats; /* not written yet */
	bool failed;
};

void btvi_row_put(struct btvi_row_writer *w, uint64_t value);

/* Ends the row: text is NUL-terminated, and free()d by the caller. False: out of memory. */
bool btvi_row_end(struct btvi_row_writer *w);

/* Puts all members of a table. */
void btvi_row_put_fields(
	struct btvi_row_writer *w, const struct btvi_field *table, const void *object);

struct btvi_row_reader {
	const char *at, *end;
	uint64_t value, repeats;
};

/* False at the end of the row, and where it is no row; reader->at tells which: it is end or not. */
bool btvi_row_get(struct btvi_row_reader *r, uint64_t *ret_value);

/* Whether all of it was read. */
bool btvi_row_is_over(const struct btvi_row_reader *r);

/* Gets all members of a table. False: too few numbers, or one that is too large. */
bool btvi_row_get_fields(struct btvi_row_reader *r, const struct btvi_field *table, void *object);

#endif
