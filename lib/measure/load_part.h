/* measure/load_part.h - the pieces of loading. Private to load*.c. */
#ifndef BTVI_MEASURE_LOAD_PART_H
#define BTVI_MEASURE_LOAD_PART_H

#include <jansson.h>

#include "base/histogram.h"
#include "base/status.h"
#include "measure/saved.h"
#include "measure/summary.h"

struct btvi_loader {
	const char *name; /* of the file */
	char part[64];    /* of the summary: "device 9,0" */
	uint64_t budget;  /* bytes that may still be allocated: a short text can ask for much */
	enum btviz_status status;
	struct btviz_error *err;
};

/* Says what is wrong with the file (and where) or with the machine, and returns false. */
bool btvi_load_refuse(struct btvi_loader *l, const char *format, ...) BTVI_PRINTF(2, 3);
bool btvi_load_nomem(struct btvi_loader *l);

/* Zeroed memory, taken off the budget; NULL after saying so. */
void *btvi_load_alloc(struct btvi_loader *l, size_t count, size_t size);

/* The member of an object; NULL after saying that it is missing or of another type. */
const json_t *btvi_load_member(
	struct btvi_loader *l, const json_t *object, const char *name, json_type type);

bool btvi_load_fields(
	struct btvi_loader *l, const json_t *object, const struct btvi_field *table, void *out);
struct btvi_row_reader btvi_load_row(const json_t *text);

/* null leaves *ret_h NULL. */
bool btvi_load_histogram(
	struct btvi_loader *l, const json_t *text, unsigned coarse, struct btvi_histogram **ret_h);

bool btvi_load_series(struct btvi_loader *l, const json_t *object, struct btvi_series *s);
bool btvi_load_grid(struct btvi_loader *l, const json_t *value, struct btvi_grid *g);
bool btvi_load_device(struct btvi_loader *l, const json_t *object, struct btviz_summary *s);

#endif
