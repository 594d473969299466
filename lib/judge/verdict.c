/* verdict.c - the rule by which one group of runs is good, bad, sporadic or inconclusive. Knows
 * numbers only: not which metric they are of, nor where they come from.
 *
 * Two questions, both of which must be answered with yes for "bad": is the difference large enough
 * to matter (the practical threshold, a share of the base's mean), and is it larger than what
 * chance makes of runs that are all alike (the statistical one)?
 *
 *   bad           the mean is far below the base's, and Mann and Whitney's exact one-sided rank
 * test says that the runs are worse than the base's (p at most 0.025, that is the usual 5 %
 * two-sided). good          the mean is not far below, and the same test says that the runs are
 * better than the base's would be, were those lowered by the threshold (p at most 0.05). Without
 *                 this, "good" would only mean "too noisy to tell" (non-inferiority, as in
 *                 Schuirmann, J. Pharmacokin. Biopharm. 15, 1987).
 *   sporadic      two kinds of runs and nothing between: see sporadic().
 *   inconclusive  everything else.
 *
 * The rank test knows no shape of the noise, but it needs runs: with 2 against 4, or 3 against 3,
 * not even the clearest outcome reaches the level of "bad". There, groups must stand apart from
 * each other, measured by the spread within the wider of them: see stand_apart(). And with a single
 * run on a side there is too little to compare with: the threshold speaks alone, except that a run
 * among the base's cannot be called bad; the ruling says so.
 *
 * tests/unit/test_verdict.c holds simulations of how often the rule errs. */
#include "judge/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "base/status.h"
#include "judge/power.h"
#include "judge/statistic.h"

#define SPORADIC_TAIL 0.001
#define LEVEL_SLACK   1e-9 /* p is a ratio of whole numbers: 1/20 is not above 0.05 */

/* One comparison, turned so that more is better and shifted so that the base is what is expected.
 */
struct contest {
	double *a, *b; /* both sorted, worst first */
	size_t m, n;
	double allowed; /* a loss of so much is far below; in the metric's unit */
	double scale;   /* what a share is a share of */
	size_t far;     /* b[0..far) are far below */
};

static int worst_first(const void *x, const void *y)
{
	const double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

/* Whether a loss is far below: as much as is allowed, or more; a loss that is exactly that is not
 * spared by a rounding error. */
static bool is_far(const struct contest *c, double loss)
{
	return c->allowed > 0 ? loss >= c->allowed * (1 - 1e-12) - 1e-12 * c->scale : loss > 0;
}

static double spread(const double *sorted, size_t n)
{
	return n > 0 ? sorted[n - 1] - sorted[0] : 0;
}

static void say(struct btvi_ruling *r, const char *format, ...) BTVI_PRINTF(2, 3);

static void say(struct btvi_ruling *r, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(r->reason, sizeof r->reason, format, ap);
	va_end(ap);
}

static const char *p_text(double p, char out[BTVI_QUANTITY_SIZE])
{
	char raw[BTVI_QUANTITY_SIZE];

	if (p < 0.001)
		return "p < 0.001";
	snprintf(out, BTVI_QUANTITY_SIZE, "p = %s", btvi_quantity_fixed(p, 3, raw));
	return out;
}

/* A percentage as it was asked for: all its digits, none of the binary fraction's. */
static void percent_text(double share, char out[BTVI_QUANTITY_SIZE])
{
	size_t n;

	btvi_quantity_fixed(100 * share, 9, out);
	n = strlen(out);
	while (n > 0 && out[n - 1] == '0')
		out[--n] = '\0';
	if (n > 0 && out[n - 1] == '.')
		out[n - 1] = '\0';
}

/* The change of the mean in words: "42 % below the base", "+8 % where +15 % was expected". */
static const char *loss_text(const struct contest *c, const struct btvi_rule *rule, double loss,
	double change, char out[BTVI_QUANTITY_SIZE * 3])
{
	const char *const side = (loss < 0) != rule->lower_is_better ? "above" : "below";
	char number[BTVI_QUANTITY_SIZE], expected[BTVI_QUANTITY_SIZE];

	if (!(loss < 0 || loss > 0) && rule->expect <= 0 && rule->expect >= 0)
		return "equal to the base";
	if (!(c->scale > 0)) {
		btvi_quantity_fixed(fabs(loss), 3, number);
		snprintf(out, BTVI_QUANTITY_SIZE * 3, "%s %s the base", number, side);
	} else if (rule->expect < 0 || rule->expect > 0) {
		btvi_quantity_fixed(100 * change, fabs(change) < 0.0995, number);
		percent_text(rule->expect, expected);
		snprintf(out, BTVI_QUANTITY_SIZE * 3, "%s%s %% where %s%s %% was expected",
			change > 0 ? "+" : "", number, rule->expect > 0 ? "+" : "", expected);
	} else {
		btvi_quantity_fixed(100 * fabs(change), fabs(change) < 0.0995, number);
		snprintf(out, BTVI_QUANTITY_SIZE * 3, "%s %% %s the base", number, side);
	}
	return out;
}

/* Two kinds of runs: some like the base, and some far below. Noise alone makes such runs, too, so
 * three more things must hold. The stretch between the two kinds is empty and wider than the spread
 * of the base and of the runs that are like it; it is wider than the threshold; and it is hardly by
 * chance (SPORADIC_TAIL) that so many of the runs fall as low as the best of the low ones, were
 * they all as the base and its likes are (normal noise; for one low run that is Hahn's prediction
 * bound, J. Am. Stat. Assoc. 65, 1970; several together are less likely than one). The low runs'
 * own spread does not matter: a fault need not hit equally hard each time. Runs better than all of
 * the base's are of a third kind: they say nothing of how low the base's would fall, so they widen
 * nothing. A single run on both sides of the stretch gives no spread at all, and then the first two
 * conditions must do. */
static bool two_kinds(const struct contest *c, size_t low)
{
	const double *const like = c->b + low;
	const size_t like_count = c->n - low;
	size_t usual = 0; /* of the likes: not better than all of the base's */

	while (usual < like_count && (c->m < 2 || like[usual] <= c->a[c->m - 1]))
		usual++;
	const double stretch = like[0] - c->b[low - 1];

	if (stretch <= spread(c->a, c->m) || stretch <= spread(like, usual) || stretch < c->allowed)
		return false;
	const double df = (double)(c->m - 1 + (usual > 0 ? usual - 1 : 0));
	if (df < 1)
		return true;
	const double deviation = sqrt((btvi_squares(c->a, c->m) + btvi_squares(like, usual)) / df);
	const double below = btvi_mean(c->a, c->m) - c->b[low - 1];

	return deviation > 0
		? btvi_chance_low(below / deviation, low, c->n, c->m, df) <= SPORADIC_TAIL
		: below > 0;
}

/* The stretch lies where the runs themselves have it: a run just beyond the bar (by a quarter of
 * what is allowed) may belong to those above. Returns how many runs are of the low kind, 0: there
 * are no two kinds. */
static size_t sporadic(const struct contest *c)
{
	const double bar = btvi_mean(c->a, c->m) - c->allowed;

	if (c->n < 3 || c->far == c->n)
		return 0;
	for (size_t low = c->far; low > 0 && c->b[low] >= bar - c->allowed / 4; low--)
		if (two_kinds(c, low))
			return low;
	return 0;
}

/* Both one-sided rank tests, where they can speak. lowered has room for m values. */
static enum btviz_status rank_tests(const struct contest *c, double *lowered, struct btvi_ruling *r)
{
	const double floor = btvi_rank_floor(c->m, c->n);
	enum btviz_status status = BTVIZ_OK;

	for (size_t i = 0; i < c->m; i++)
		lowered[i] = c->a[i] - c->allowed;
	if (floor <= BTVI_ALPHA_BAD + LEVEL_SLACK)
		status = btvi_rank_lower(c->a, c->m, c->b, c->n, &r->p_worse);
	if (status == BTVIZ_OK && floor <= BTVI_ALPHA_GOOD + LEVEL_SLACK)
		status = btvi_rank_lower(c->b, c->n, lowered, c->m, &r->p_within);
	return status;
}

/* Two or three runs on a side: one group lies wholly above the other, by so many times the spread
 * within the wider one that runs which are all alike seldom fall that way: in 2.5 % of cases (bad)
 * or 5 % (good), whether their noise is normal, uniform, exponential or Laplace's. The factors were
 * found by simulation, for 4, 5, 6 … runs in all (beyond the tables the rank test speaks). The idea
 * of measuring a distance by ranges is Lord's (Biometrika 34, 1947). */
static bool stand_apart(const struct contest *c, double distance, bool bad)
{
	static const double bad_factor[] = { 2.0, 0.9, 0.5, 0.3, 0.2, 0.1 };
	static const double good_factor[] = { 1.1, 0.4, 0.15 };
	const size_t count = bad ? sizeof bad_factor / sizeof *bad_factor
				 : sizeof good_factor / sizeof *good_factor;
	const size_t at = c->m + c->n - 4 < count ? c->m + c->n - 4 : count - 1;
	const double factor = bad ? bad_factor[at] : good_factor[at];

	return distance > factor * fmax(spread(c->a, c->m), spread(c->b, c->n));
}

/* A single run on a side. */
static void decide_single(
	const struct contest *c, bool far, const char *loss, struct btvi_ruling *r)
{
	if (far && c->a[0] <= c->b[c->n - 1]) {
		say(r, "%s, but not beyond all runs of the other side; single run: threshold only",
			loss);
	} else if (!far && c->far > 0) {
		say(r, "%s, but %zu of %zu runs far below; single run of the base: threshold only",
			loss, c->far, c->n);
	} else {
		r->verdict = far ? BTVIZ_VERDICT_BAD : BTVIZ_VERDICT_GOOD;
		say(r, "%s; single run: threshold only", loss);
	}
}

static void decide(const struct contest *c, const struct btvi_rule *rule, struct btvi_ruling *r)
{
	const double mean_loss = btvi_mean(c->a, c->m) - btvi_mean(c->b, c->n);
	const bool far = is_far(c, mean_loss);
	const double p = far ? r->p_worse : r->p_within;
	const double level = far ? BTVI_ALPHA_BAD : BTVI_ALPHA_GOOD;
	const double distance =
		far ? c->a[0] - c->b[c->n - 1] : c->b[0] - (c->a[c->m - 1] - c->allowed);
	char loss_out[BTVI_QUANTITY_SIZE * 3], p_out[BTVI_QUANTITY_SIZE];
	const char *const loss = loss_text(c, rule, mean_loss, r->change, loss_out);

	r->verdict = BTVIZ_VERDICT_INCONCLUSIVE;
	r->method = c->m < 2 || c->n < 2 ? BTVIZ_METHOD_THRESHOLD
		: isnan(p)               ? BTVIZ_METHOD_SEPARATION
					 : BTVIZ_METHOD_RANK_TEST;
	const size_t low = sporadic(c);
	if (low > 0) {
		r->verdict = BTVIZ_VERDICT_SPORADIC;
		say(r, "%zu of %zu runs far below, %zu like %s%s", low, c->n, c->n - low,
			rule->expect != 0 ? "what is expected" : "the base",
			c->m < 2 ? "; single run of the base: threshold only" : "");
	} else if (r->method == BTVIZ_METHOD_THRESHOLD) {
		decide_single(c, far, loss, r);
	} else if (r->method == BTVIZ_METHOD_SEPARATION) {
		if (stand_apart(c, distance, far)) {
			r->verdict = far ? BTVIZ_VERDICT_BAD : BTVIZ_VERDICT_GOOD;
			say(r, "%s; few runs, but clear", loss);
		} else {
			say(r, "%s; too few runs for so much spread", loss);
		}
	} else if (p <= level + LEVEL_SLACK) {
		r->verdict = far ? BTVIZ_VERDICT_BAD : BTVIZ_VERDICT_GOOD;
		say(r, "%s; %s%s", loss, far ? "" : "no loss beyond the threshold, ",
			p_text(p, p_out));
	} else {
		char count[64] = "";

		if (!far && c->far > 0)
			snprintf(count, sizeof count, "%zu of %zu runs far below; ", c->far, c->n);
		say(r, "%s; %stoo noisy or too few runs, %s", loss, count, p_text(p, p_out));
	}
}

/* How much below the expected mean is far below. Of an expected gain at least half must come, or a
 * threshold of 10 % would let "+8 % expected, nothing came" pass. */
static double allowed_share(const struct btvi_rule *rule)
{
	const double gain = rule->lower_is_better ? -rule->expect : rule->expect;

	return gain > 0 ? fmin(rule->threshold, gain / 2) : rule->threshold;
}

static bool all_zero(const double *x, size_t n)
{
	return btvi_min(x, n) >= 0 && btvi_max(x, n) <= 0;
}

enum btviz_status btvi_rule_apply(const struct btvi_rule *rule, const double *base, size_t m,
	const double *runs, size_t n, struct btvi_ruling *ret_r)
{
	struct btvi_ruling r = { .change = NAN,
		.bar = NAN,
		.p_worse = NAN,
		.p_within = NAN,
		.method = BTVIZ_METHOD_NONE,
		.verdict = BTVIZ_VERDICT_INCONCLUSIVE };
	const double sign = rule->lower_is_better ? -1 : 1;
	enum btviz_status status = BTVIZ_OK;

	if (m > 0 && n > 0 && all_zero(base, m) && all_zero(runs, n)) {
		r.change = 0;
		r.bar = 0;
		r.method = m < 2 || n < 2 ? BTVIZ_METHOD_THRESHOLD : BTVIZ_METHOD_SEPARATION;
		r.verdict = BTVIZ_VERDICT_GOOD;
		say(&r, "0 as in the base%s",
			r.method == BTVIZ_METHOD_THRESHOLD ? "; single run: threshold only" : "");
		*ret_r = r;
		return BTVIZ_OK;
	}
	if (m == 0 || n == 0) {
		say(&r, "%s",
			n == 0 ? "no run has this figure" : "no run of the base has this figure");
		*ret_r = r;
		return BTVIZ_OK;
	}
	double *const room = malloc((2 * m + n) * sizeof *room);
	if (!room)
		return BTVIZ_ERR_NOMEM;

	const double mean = btvi_mean(base, m);
	struct contest c = { .a = room, .b = room + m, .m = m, .n = n, .scale = fabs(mean) };

	c.allowed = fmax(allowed_share(rule) * c.scale, rule->least);
	if (!(c.scale > 0))
		c.allowed = fmax(c.allowed, rule->floor);
	for (size_t i = 0; i < m; i++)
		c.a[i] = sign * base[i] * (1 + rule->expect);
	for (size_t i = 0; i < n; i++)
		c.b[i] = sign * runs[i];
	qsort(c.a, m, sizeof *c.a, worst_first);
	qsort(c.b, n, sizeof *c.b, worst_first);
	const double bar = btvi_mean(c.a, m) - c.allowed;
	r.bar = sign * bar;
	while (c.far < n && is_far(&c, btvi_mean(c.a, m) - c.b[c.far]))
		c.far++;

	if (c.scale > 0)
		r.change = (btvi_mean(runs, n) - mean) / c.scale;
	else if (btvi_min(runs, n) >= 0 && btvi_max(runs, n) <= 0)
		r.change = 0;
	r.far_below = c.far;
	if (m > 1 && n > 1)
		status = rank_tests(&c, room + m + n, &r);
	if (status == BTVIZ_OK) {
		decide(&c, rule, &r);
		*ret_r = r;
	}
	free(room);
	return status;
}
