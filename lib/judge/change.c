/* change.c - what changed between two groups of runs. Knows profiles only.
 *
 * A figure has changed if the means of the two groups differ by more than the figure's own least
 * difference, by a tenth of the larger one (shares of a whole: by the least difference alone), and
 * by more than the runs of either group differ among themselves. The size of a change is the
 * logarithm of the ratio of both, each with the least difference added, so that something and
 * nothing can be compared as well: 0.7 is "twice", 2.3 "ten times".
 *
 * Which layer that speaks of: only figures count that a layer makes itself (the latency of a disk,
 * not the throughput), and only changes for the worse where the outcome is worse. An I/O passes the
 * layers in order, and what changes above shows below as well: of the layers that changed at least
 * half as much as the one that changed most, it is the first. */
#include "judge/change.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "base/status.h"
#include "judge/statistic.h"

static const double least_ratio = 0.1;    /* of the larger mean */
static const double share_least = 0.05;   /* of members' shares */
static const double actor_most = 2;       /* who did it matters less than what was done */
static const double actor_least = 1;      /* MiB of a process */
static const double size_most = 6;        /* 400 times: more says no more */
static const double first_share = 0.5;    /* of the largest change: still a candidate */
static const double telling_least = 0.18; /* a fifth more: smaller changes name no layer */

/* Findings on the scale of changes: a red one before all figures. */
static const double finding_size[] = {
	[BTVIZ_SEV_NOTE] = 0.7, [BTVIZ_SEV_WARNING] = 3, [BTVIZ_SEV_BAD] = 10
};

static struct btvi_change *add(struct btvi_changes *c)
{
	if (c->count == c->room) {
		const size_t room = c->room > 0 ? 2 * c->room : 32;
		struct btvi_change **const grown = realloc(c->items, room * sizeof *grown);

		if (grown) {
			c->items = grown;
			c->room = room;
		}
	}
	struct btvi_change *const change = c->count < c->room ? calloc(1, sizeof *change) : NULL;
	if (!change) {
		c->failed = true;
		return NULL;
	}
	change->pub = (struct btviz_change){ .name = change->name,
		.subject = change->subject,
		.unit = "",
		.before = NAN,
		.after = NAN,
		.text = change->text };
	c->items[c->count++] = change;
	return change;
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* One figure of both groups; room for as many values as there are runs. */
struct pair {
	double *before, *after;
	size_t before_count, after_count; /* of those that are known */
};

static bool pair_init(struct pair *p, const struct btvi_runs *before, const struct btvi_runs *after)
{
	p->before = malloc((before->count + after->count) * sizeof *p->before);
	p->after = p->before ? p->before + before->count : NULL;
	return p->before;
}

static void put(double *values, size_t *count, double value)
{
	if (!isnan(value))
		values[(*count)++] = value;
}

static double spread(const double *x, size_t n)
{
	return n > 1 ? btvi_max(x, n) - btvi_min(x, n) : 0;
}

static bool differs(const struct pair *p, double least, bool share)
{
	if (p->before_count == 0 || p->after_count == 0)
		return false;
	const double a = btvi_mean(p->before, p->before_count);
	const double b = btvi_mean(p->after, p->after_count);
	const double by = fabs(a - b);

	return by >= least && (share || by >= least_ratio * fmax(fabs(a), fabs(b))) &&
		by > spread(p->before, p->before_count) && by > spread(p->after, p->after_count);
}

static double size_of(double a, double b, double least)
{
	return fabs(log((fmax(b, 0) + least) / (fmax(a, 0) + least)));
}

/* Three digits, and never fewer than those before the point. */
static const char *figure(double x, char out[BTVI_QUANTITY_SIZE])
{
	const double size = fabs(x);

	return btvi_quantity_fixed(x,
		size >= 99.95           ? 0
			: size >= 9.995 ? 1
			: size >= 0.995 ? 2
			: size > 0      ? 3
					: 0,
		out);
}

/* " (-47 %)", " (16 times)", "" where one side is 0. */
static void by_how_much(double a, double b, char out[32])
{
	out[0] = '\0';
	if (!(a > 0 && b > 0))
		return;
	if (b / a >= 3)
		snprintf(out, 32, " (%.0f times)", b / a);
	else if (b / a <= 0.05)
		snprintf(out, 32, " (1/%.0f)", a / b);
	else
		snprintf(out, 32, " (%+.0f %%)", 100 * (b / a - 1));
}

static void compare_figure(struct btvi_changes *c, const struct btvi_trait *t, const char *subject,
	const struct pair *p)
{
	const bool share = strcmp(t->unit, "%") == 0;
	struct btvi_change *const change = differs(p, t->least, share) ? add(c) : NULL;
	char first[BTVI_QUANTITY_SIZE], second[BTVI_QUANTITY_SIZE], much[32] = "";

	if (!change)
		return;
	const double a = btvi_mean(p->before, p->before_count);
	const double b = btvi_mean(p->after, p->after_count);

	snprintf(change->name, sizeof change->name, "%s", t->name);
	snprintf(change->subject, sizeof change->subject, "%s", subject);
	change->pub.layer = t->layer;
	change->pub.unit = share ? "" : t->unit;
	change->pub.before = a;
	change->pub.after = b;
	change->pub.size = fmin(size_of(a, b, t->least), size_most);
	change->tells = t->tells;
	change->direction = t->worse * (b > a ? 1 : -1);
	if (share) {
		btvi_quantity_share(a, first);
		btvi_quantity_share(b, second);
	} else {
		figure(a, first);
		figure(b, second);
		by_how_much(a, b, much);
	}
	snprintf(change->text, sizeof change->text, "%s: %s %s -> %s%s%s%s", subject, t->title,
		first, second, share || !t->unit[0] ? "" : " ", share ? "" : t->unit, much);
}

/* ---- what is compared ---------------------------------------------------------------------- */

/* "md0", or "md0/md1" where the groups call it differently. */
static void both_names(const char *a, const char *b, char *out, size_t size)
{
	if (strcmp(a, b) == 0)
		snprintf(out, size, "%s", a);
	else
		snprintf(out, size, "%s/%s", a, b);
}

static double run_value(const struct btvi_profile *p, enum btvi_run_trait t, double threshold_s)
{
	switch (t) {
	case BTVI_RUN_SUBMIT_GAPS:
		return btvi_profile_gap_time(p, 1 << BTVIZ_GAP_SUBMIT, threshold_s);
	case BTVI_RUN_QUEUE_GAPS:
		return btvi_profile_gap_time(p, 1 << BTVIZ_GAP_QUEUE, threshold_s);
	case BTVI_RUN_DEVICE_GAPS:
		return btvi_profile_gap_time(p, 1 << BTVIZ_GAP_DEVICE, threshold_s);
	default:
		return p->traits[t];
	}
}

static void runs(struct btvi_changes *c, const struct btvi_runs *before,
	const struct btvi_runs *after, double threshold_s, struct pair *p)
{
	char top[2 * BTVI_PROFILE_NAME + 2];

	both_names(before->profiles[0]->top, after->profiles[0]->top, top, sizeof top);
	for (int t = 0; t < BTVI_RUN_TRAIT_COUNT; t++) {
		const struct btvi_trait *const trait = &btvi_run_traits[t];
		const bool disks =
			trait->layer == BTVIZ_LAYER_DEVICE || trait->layer == BTVIZ_LAYER_QUEUE;
		const bool gaps = t == BTVI_RUN_QUEUE_GAPS || t == BTVI_RUN_DEVICE_GAPS;

		p->before_count = p->after_count = 0;
		for (size_t i = 0; i < before->count; i++)
			put(p->before, &p->before_count,
				run_value(before->profiles[i], t, threshold_s));
		for (size_t i = 0; i < after->count; i++)
			put(p->after, &p->after_count,
				run_value(after->profiles[i], t, threshold_s));
		compare_figure(c, trait, disks && !gaps ? "disks" : top, p);
	}
}

static const struct btvi_profile_array *array_of(const struct btvi_profile *p, size_t i)
{
	return i < p->array_count ? &p->arrays[i] : NULL;
}

/* The members' shares in one sentence. */
static void shares(struct btvi_changes *c, const struct btvi_runs *before,
	const struct btvi_runs *after, size_t at, const char *subject, struct pair *p)
{
	const struct btvi_profile_array *const x = array_of(before->profiles[0], at);
	const struct btvi_profile_array *const y = array_of(after->profiles[0], at);
	char first[8 * BTVI_PROFILE_MEMBERS] = "", second[8 * BTVI_PROFILE_MEMBERS] = "";
	size_t n = 0, m = 0;
	double largest = 0;

	if (x->member_count != y->member_count || x->member_count < 2)
		return;
	for (size_t k = 0; k < x->member_count && k < BTVI_PROFILE_MEMBERS; k++) {
		p->before_count = p->after_count = 0;
		for (size_t i = 0; i < before->count; i++)
			if (array_of(before->profiles[i], at))
				put(p->before, &p->before_count,
					before->profiles[i]->arrays[at].shares[k]);
		for (size_t i = 0; i < after->count; i++)
			if (array_of(after->profiles[i], at))
				put(p->after, &p->after_count,
					after->profiles[i]->arrays[at].shares[k]);
		if (p->before_count == 0 || p->after_count == 0)
			return;
		const double a = btvi_mean(p->before, p->before_count);
		const double b = btvi_mean(p->after, p->after_count);

		if (differs(p, share_least, true))
			largest = fmax(largest, size_of(a, b, share_least));
		n += (size_t)snprintf(first + n, sizeof first - n, " %.0f", 100 * a);
		m += (size_t)snprintf(second + m, sizeof second - m, " %.0f", 100 * b);
	}
	struct btvi_change *const change = largest > 0 ? add(c) : NULL;
	if (!change)
		return;
	strcpy(change->name, "member_shares");
	snprintf(change->subject, sizeof change->subject, "%s", subject);
	change->pub.layer = BTVIZ_LAYER_ARRAY;
	change->pub.size = largest;
	snprintf(change->text, sizeof change->text, "%s: members' shares of the bytes%s %% ->%s %%",
		subject, first, second);
}

static void arrays(struct btvi_changes *c, const struct btvi_runs *before,
	const struct btvi_runs *after, struct pair *p)
{
	for (size_t at = 0; array_of(before->profiles[0], at) && array_of(after->profiles[0], at);
		at++) {
		char subject[2 * BTVI_PROFILE_NAME + 2];

		both_names(before->profiles[0]->arrays[at].name,
			after->profiles[0]->arrays[at].name, subject, sizeof subject);
		for (int t = 0; t < BTVI_ARRAY_TRAIT_COUNT; t++) {
			p->before_count = p->after_count = 0;
			for (size_t i = 0; i < before->count; i++)
				if (array_of(before->profiles[i], at))
					put(p->before, &p->before_count,
						before->profiles[i]->arrays[at].traits[t]);
			for (size_t i = 0; i < after->count; i++)
				if (array_of(after->profiles[i], at))
					put(p->after, &p->after_count,
						after->profiles[i]->arrays[at].traits[t]);
			compare_figure(c, &btvi_array_traits[t], subject, p);
		}
		shares(c, before, after, at, subject, p);
	}
}

/* ---- processes ----------------------------------------------------------------------------- */

static double mib_of(const struct btvi_profile *p, const char *name)
{
	for (size_t i = 0; i < p->actor_count; i++)
		if (strcmp(p->actors[i].name, name) == 0)
			return p->actors[i].mib;
	return 0;
}

/* Whether profiles before number `run` of the runs know the name already. */
static bool met(const struct btvi_runs *r, size_t run, const char *name)
{
	for (size_t i = 0; i < run; i++)
		for (size_t k = 0; k < r->profiles[i]->actor_count; k++)
			if (strcmp(r->profiles[i]->actors[k].name, name) == 0)
				return true;
	return false;
}

static void actors_of(struct btvi_changes *c, const struct btvi_runs *source,
	const struct btvi_runs *other, const struct btvi_runs *before,
	const struct btvi_runs *after, struct pair *p)
{
	static const struct btvi_trait trait = { "process_mib", "read and written", "MiB",
		BTVIZ_LAYER_WORKLOAD, false, 0, actor_least };

	for (size_t run = 0; run < source->count; run++)
		for (size_t k = 0; k < source->profiles[run]->actor_count; k++) {
			const char *const name = source->profiles[run]->actors[k].name;

			if (met(source, run, name) || (other && met(other, other->count, name)))
				continue;
			p->before_count = p->after_count = 0;
			for (size_t i = 0; i < before->count; i++)
				put(p->before, &p->before_count, mib_of(before->profiles[i], name));
			for (size_t i = 0; i < after->count; i++)
				put(p->after, &p->after_count, mib_of(after->profiles[i], name));
			const size_t known = c->count;

			compare_figure(c, &trait, name, p);
			if (c->count > known)
				c->items[known]->pub.size =
					fmin(c->items[known]->pub.size, actor_most);
		}
}

/* ---- findings ------------------------------------------------------------------------------ */

static const struct btvi_profile_finding *finding_of(const struct btvi_profile *p, const char *name)
{
	for (size_t i = 0; i < p->finding_count; i++)
		if (strcmp(p->findings[i].name, name) == 0)
			return &p->findings[i];
	return NULL;
}

static size_t runs_with(const struct btvi_runs *r, size_t limit, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < limit; i++)
		n += finding_of(r->profiles[i], name) != NULL;
	return n;
}

/* Findings that the runs have and the others have not. */
static void findings(struct btvi_changes *c, const struct btvi_runs *have,
	const struct btvi_runs *lack, bool gone)
{
	static const char *const marks[] = { "- ", "! ", "!! " };

	for (size_t i = 0; i < have->count; i++)
		for (size_t k = 0; k < have->profiles[i]->finding_count; k++) {
			const struct btvi_profile_finding *const f =
				&have->profiles[i]->findings[k];
			const size_t n = runs_with(have, have->count, f->name);
			char count[64] = "";

			/* Told once: of the first run that has it, and its first of that name. */
			if (runs_with(have, i, f->name) > 0 ||
				finding_of(have->profiles[i], f->name) != f ||
				runs_with(lack, lack->count, f->name) > 0)
				continue;
			struct btvi_change *const change = add(c);
			if (!change)
				return;
			if (have->count > 1 && n < have->count)
				snprintf(count, sizeof count, " (in %zu of %zu runs)", n,
					have->count);
			else if (have->count > 1)
				snprintf(count, sizeof count, " (in all %zu runs)", n);
			snprintf(change->name, sizeof change->name, "finding:%s", f->name);
			change->pub.size = finding_size[f->severity] * (double)n /
				(double)have->count * (gone ? 0.8 : 1);
			snprintf(change->text, sizeof change->text, "%s finding%s: %s%s [%s]",
				gone ? "gone" : "new", count, marks[f->severity], f->text, f->name);
		}
}

/* ---- all ----------------------------------------------------------------------------------- */

static int largest_first(const void *x, const void *y)
{
	const struct btvi_change *const a = *(struct btvi_change *const *)x;
	const struct btvi_change *const b = *(struct btvi_change *const *)y;

	if (a->pub.size > b->pub.size || a->pub.size < b->pub.size)
		return a->pub.size > b->pub.size ? -1 : 1;
	return strcmp(a->text, b->text);
}

void btvi_changes_find(struct btvi_changes *c, const struct btvi_runs *before,
	const struct btvi_runs *after, bool figures, double gap_threshold_s)
{
	struct pair p;

	if (!pair_init(&p, before, after)) {
		c->failed = true;
		return;
	}
	findings(c, after, before, false);
	findings(c, before, after, true);
	if (figures) {
		runs(c, before, after, gap_threshold_s, &p);
		arrays(c, before, after, &p);
		actors_of(c, before, NULL, before, after, &p);
		actors_of(c, after, before, before, after, &p);
	}
	free(p.before);
	if (c->count > 0)
		qsort(c->items, c->count, sizeof *c->items, largest_first);
}

void btvi_changes_done(struct btvi_changes *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->items[i]);
	free(c->items);
	*c = (struct btvi_changes){ 0 };
}

/* Whether the runs came out worse (1), better (-1) or alike: the first of these that changed. */
static int outcome(const struct btvi_changes *c)
{
	static const enum btvi_run_trait order[] = { BTVI_RUN_MB_PER_S, BTVI_RUN_TIME,
		BTVI_RUN_LATENCY };

	for (size_t k = 0; k < sizeof order / sizeof *order; k++)
		for (size_t i = 0; i < c->count; i++)
			if (strcmp(c->items[i]->name, btvi_run_traits[order[k]].name) == 0)
				return c->items[i]->direction;
	return 0;
}

enum btviz_layer btvi_changes_layer(
	const struct btvi_changes *c, const struct btvi_change **ret_change)
{
	const struct btvi_change *loudest[BTVIZ_LAYER_COUNT] = { NULL };
	const int came = outcome(c);
	double most = 0;

	*ret_change = NULL;
	for (size_t i = 0; i < c->count; i++) {
		const struct btvi_change *const one = c->items[i];

		if (!one->tells || loudest[one->pub.layer] ||
			(one->direction != 0 && came != 0 && one->direction != came))
			continue;
		loudest[one->pub.layer] = one; /* the largest come first */
		most = fmax(most, one->pub.size);
	}
	if (most < telling_least)
		return BTVIZ_LAYER_NONE;
	for (int layer = 1; layer < BTVIZ_LAYER_COUNT; layer++)
		if (loudest[layer] && loudest[layer]->pub.size >= first_share * most) {
			*ret_change = loudest[layer];
			return (enum btviz_layer)layer;
		}
	return BTVIZ_LAYER_NONE;
}
