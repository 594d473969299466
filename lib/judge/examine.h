/* judge/examine.h - a group's runs looked at before they are compared: their blocks, outliers among
 * a base's, drift; and how sure a good verdict is. Knows groups and numbers. */
#ifndef BTVI_JUDGE_EXAMINE_H
#define BTVI_JUDGE_EXAMINE_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/group.h"
#include "judge/verdict.h"

/* The runs that count, as the rule takes them. */
struct btvi_observed {
	double *means; /* of the blocks, in the order of their first runs */
	size_t count;
	size_t *blocks; /* of each run: the number of the first run of its block */
	bool blocked;   /* some block has several runs: means are not the runs themselves */
	double *usual;  /* the runs without outliers, where there are any */
	size_t usual_count;
	struct {
		size_t low, high;
	} outliers; /* for a metric of which more is better: worse, better */
};

/* runs_per_block: so many after one another are a block where no block was told; 0: each is its
 * own. BTVIZ_OK (free it with btvi_observed_done()) or BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_observe(const struct btvi_group *g, const struct btvi_rule *rule,
	size_t runs_per_block, struct btvi_observed *ret_o);
void btvi_observed_done(struct btvi_observed *o);

/* Whether some block has runs on both sides of the bar. */
bool btvi_observed_mixed(const struct btvi_observed *o, const struct btvi_group *g,
	const struct btvi_rule *rule, double bar);

/* Writes into g->note what is odd about its runs: drift, and of a base outliers and two kinds. "":
 * nothing. */
enum btviz_status btvi_examine(struct btvi_group *g, const struct btvi_rule *rule,
	const struct btvi_observed *o, bool base);

/* What a good verdict of n runs would miss, in words. */
void btvi_power_text(size_t n, char *out, size_t size);

#endif
