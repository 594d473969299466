/* base/field.h - what is in a struct, as a table: a row a member. Who adds up two parts of a run,
 * or writes a struct to a file and reads it back, goes through the table; so a member that is added
 * is a row, and nothing else. Knows no struct. */
#ifndef BTVI_BASE_FIELD_H
#define BTVI_BASE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/catalogue.h>
#include <btviz/status.h>

struct btvi_histogram;

enum btvi_field_kind {
	BTVI_FIELD_U64,
	BTVI_FIELD_U32,
	BTVI_FIELD_FLAG,
	BTVI_FIELD_TEXT,      /* a NUL-terminated char array of count bytes */
	BTVI_FIELD_HISTOGRAM, /* struct btvi_histogram *, NULL without values */
};

/* How two of a member become one. */
enum btvi_merging {
	BTVI_MERGE_BY_HAND, /* by who knows what the struct means */
	BTVI_MERGE_ADD,
	BTVI_MERGE_ADD_CAPPED, /* stays at the largest number */
	BTVI_MERGE_LARGEST,
	BTVI_MERGE_OR, /* all bits */
};

struct btvi_field {
	const char *name; /* NULL ends a table */
	size_t offset;
	enum btvi_field_kind kind;
	unsigned count; /* of an array; 0: nothing is kept */
	uint64_t max;   /* larger numbers are refused when read back */
	enum btvi_merging merging;
	unsigned group; /* members that are merged, or forgotten, together; of the table's owner */
	bool later;     /* files of older versions lack it: then it is 0 */
	struct btviz_figure
		figure; /* how it is shown; its name is NULL: not at all, or not alone */
};

/* A row that only shows something: figures are made of it elsewhere. */
#define BTVI_SHOWN_ONLY(shown) .name = (shown), .count = 0

/* The parts of a row. Arrays of struct btviz_count and the like are arrays of their numbers.
 * NOLINTBEGIN(bugprone-macro-parentheses): members and types are no expressions. */
#define BTVI_AT(type, member) #member, offsetof(type, member)
#define BTVI_MEMBER_U64(type, member) \
	BTVI_AT(type, member), BTVI_FIELD_U64, sizeof(((type *)0)->member) / 8, UINT64_MAX
#define BTVI_MEMBER_U32(type, member)         BTVI_AT(type, member), BTVI_FIELD_U32, 1, UINT32_MAX
#define BTVI_MEMBER_UP_TO(type, member, most) BTVI_AT(type, member), BTVI_FIELD_U32, 1, most
#define BTVI_MEMBER_FLAG(type, member)        BTVI_AT(type, member), BTVI_FIELD_FLAG, 1, 1
#define BTVI_MEMBER_TEXT(type, member) \
	BTVI_AT(type, member), BTVI_FIELD_TEXT, sizeof(((type *)0)->member), 0
#define BTVI_MEMBER_HISTOGRAM(type, member)          \
	BTVI_AT(type, member), BTVI_FIELD_HISTOGRAM, \
		sizeof(((type *)0)->member) / sizeof(struct btvi_histogram *), 0

/* NOLINTEND(bugprone-macro-parentheses) */

/* The i-th number of a member that is one, or several. */
uint64_t btvi_field_get(const struct btvi_field *f, const void *object, unsigned i);
void btvi_field_set(const struct btvi_field *f, void *object, unsigned i, uint64_t value);

/* The i-th histogram of a member. */
static inline struct btvi_histogram **btvi_field_histogram(
	const struct btvi_field *f, const void *object, unsigned i)
{
	return (struct btvi_histogram **)(void *)((const char *)object + f->offset) + i;
}

/* Merges the members of a group; histograms become at least so coarse. BTVIZ_OK or
 * BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_fields_merge(const struct btvi_field *table, unsigned group, unsigned coarse,
	void *into, const void *part);

/* Sets the members of a group to 0, and frees its histograms. */
void btvi_fields_clear(const struct btvi_field *table, unsigned group, void *object);

/* Makes all histograms so coarse. */
void btvi_fields_coarsen(const struct btvi_field *table, void *object, unsigned coarse);

/* Takes over the single numbers that are shown as they are kept. */
void btvi_fields_show(const struct btvi_field *table, const void *kept, void *shown);

/* The row behind the one that previous is of, from the first on that is shown; NULL: none. */
const struct btviz_figure *btvi_fields_next(
	const struct btvi_field *table, const struct btviz_figure *previous);

/* Frees all histograms. */
void btvi_fields_free(const struct btvi_field *table, void *object);

/* How many of a kind there are. */
size_t btvi_fields_count(const struct btvi_field *table, enum btvi_field_kind kind);

#endif
