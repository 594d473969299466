/* judge/table.h - runs' figures from CSV text, as dd's or a benchmark's output was collected in. */
#ifndef BTVI_JUDGE_TABLE_H
#define BTVI_JUDGE_TABLE_H

#include <stddef.h>

#include <btviz/status.h>

struct btvi_table_row {
	char *label;
	char *block;  /* NULL: none */
	double value; /* NaN where the field is empty */
};

struct btvi_table {
	struct btvi_table_row *rows;
	size_t count;
};

/* Reads a whole table; see btviz_comparison_add_table(). BTVIZ_OK: *ret_t is the caller's, free it
 * with btvi_table_done(). BTVIZ_ERR_NOT_A_TRACE, BTVIZ_ERR_LIMIT, BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_table_read(
	const char *bytes, size_t size, struct btvi_table *ret_t, struct btviz_error *err);
void btvi_table_done(struct btvi_table *t);

#endif
