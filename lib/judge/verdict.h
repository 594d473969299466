/* judge/verdict.h - the rule by which one group of runs is good, bad, sporadic or inconclusive. */
#ifndef BTVI_JUDGE_VERDICT_H
#define BTVI_JUDGE_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/compare.h>
#include <btviz/status.h>

/* Levels of the one-sided rank tests: to call a group bad, and to call it good. */
#define BTVI_ALPHA_BAD  0.025
#define BTVI_ALPHA_GOOD 0.05

struct btvi_rule {
	double threshold, expect; /* shares of the base's mean */
	double least;             /* in the metric's unit */
	double floor;             /* likewise, where the base is 0 */
	bool lower_is_better;
};

/* What the rule says of a group; the fields are those of struct btviz_group. */
struct btvi_ruling {
	double change, bar, p_worse, p_within;
	size_t far_below;
	enum btviz_method method;
	enum btviz_verdict verdict;
	char reason[400];
};

/* Judges runs[0..n) against base[0..m). All values are finite. BTVIZ_OK or BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_rule_apply(const struct btvi_rule *rule, const double *base, size_t m,
	const double *runs, size_t n, struct btvi_ruling *ret_r);

#endif
