/* compare_tables.h - the tables of a comparison. */
#ifndef BTVIZ_TOOLS_COMPARE_TABLES_H
#define BTVIZ_TOOLS_COMPARE_TABLES_H

#include <btviz/compare.h>

#include "compare_print.h"
#include "tabular.h"

/* Each makes a table without cells where there is no memory; to be freed with tabular_free(). */

/* A column a label, a row a run; then average, change, result: as posted to mailing lists. */
struct tabular compare_table_runs(
	const struct comparison_report *r, const struct btviz_judgement *j);

/* Series of a sweep: a row a number, for each series its average, and change and result for all but
 * the base's, unless it is the only one. */
struct tabular compare_table_sweep(
	const struct comparison_report *r, const struct btviz_judgement *j);

/* All metrics: a row each, the average and the change of each label. */
struct tabular compare_table_metrics(const struct comparison_report *r);

#endif
