/* contrast.c - the runs of all labels and what differs between two of them: the public side of
 * profile.c, likeness.c and change.c. Decides only what a layer cannot be told from. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/contrast.h>

#include "base/status.h"
#include "base/text.h"
#include "judge/change.h"
#include "judge/group.h"
#include "judge/likeness.h"
#include "judge/profile.h"

enum { RUNS_MAX = 10000 };

struct contrast_run {
	char label[BTVI_LABEL_BYTES], name[BTVI_LABEL_BYTES];
	struct btvi_profile profile;
};

/* What *_between() handed out last. */
struct answer {
	struct btviz_differences pub;
	struct btvi_likeness likeness;
	const struct btviz_unlike *unlike[BTVI_UNLIKE_MAX];
	struct btvi_changes changes;
	const struct btviz_change **list;
	const struct btvi_profile **before, **after;
	char base[BTVI_LABEL_BYTES], label[BTVI_LABEL_BYTES];
	char likely[BTVI_CHANGE_TEXT + 128];
};

struct btviz_contrast {
	struct contrast_run **runs;
	size_t count, room;
	struct answer answer;
};

const char *btviz_layer_name(enum btviz_layer layer)
{
	static const char *const names[BTVIZ_LAYER_COUNT] = { "outcome", "workload", "submitter",
		"memory", "array", "queue", "device" };

	return (unsigned)layer < BTVIZ_LAYER_COUNT ? names[layer] : "?";
}

const char *btviz_unlike_kind_name(enum btviz_unlike_kind kind)
{
	static const char *const names[] = { "work", "array", "devices", "reading", "recording",
		"command", "kernel", "same" };

	return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "?";
}

enum btviz_status btviz_contrast_new(struct btviz_contrast **ret_c, struct btviz_error *err)
{
	struct btviz_contrast *const c = calloc(1, sizeof *c);

	if (!c)
		return btvi_fail_nomem(err);
	*ret_c = c;
	return BTVIZ_OK;
}

static void answer_done(struct answer *a)
{
	btvi_changes_done(&a->changes);
	free(a->list);
	free(a->before);
	free(a->after);
	a->list = NULL;
	a->before = a->after = NULL;
}

static void run_free(struct contrast_run *r)
{
	if (r)
		btvi_profile_done(&r->profile);
	free(r);
}

void btviz_contrast_free(struct btviz_contrast *c)
{
	if (!c)
		return;
	answer_done(&c->answer);
	for (size_t i = 0; i < c->count; i++)
		run_free(c->runs[i]);
	free(c->runs);
	free(c);
}

static bool more_room(struct btviz_contrast *c)
{
	const size_t room = c->room > 0 ? 2 * c->room : 16;
	struct contrast_run **const grown = realloc(c->runs, room * sizeof *grown);

	if (!grown)
		return false;
	c->runs = grown;
	c->room = room;
	return true;
}

enum btviz_status btviz_contrast_add(struct btviz_contrast *c, const char *label, const char *name,
	const struct btviz_figures *f, size_t *ret_same, struct btviz_error *err)
{
	struct contrast_run *r = NULL;
	enum btviz_status status;

	if (c->count == RUNS_MAX)
		return btvi_fail(err, BTVIZ_ERR_LIMIT, "more than %d runs", RUNS_MAX);
	if (c->count == c->room && !more_room(c))
		return btvi_fail_nomem(err);
	r = calloc(1, sizeof *r);
	if (!r)
		return btvi_fail_nomem(err);
	btvi_text_printable(label, strlen(label), r->label, sizeof r->label);
	btvi_text_printable(name ? name : "", name ? strlen(name) : 0, r->name, sizeof r->name);
	status = btvi_profile_take(f, &r->profile, err);
	if (status != BTVIZ_OK) {
		free(r);
		return status;
	}
	if (ret_same)
		*ret_same = SIZE_MAX;
	for (size_t i = 0; i < c->count && ret_same; i++)
		if (c->runs[i]->profile.fingerprint == r->profile.fingerprint &&
			strcmp(c->runs[i]->label, r->label) == 0) {
			*ret_same = i;
			run_free(r);
			return BTVIZ_OK;
		}
	c->runs[c->count++] = r;
	return BTVIZ_OK;
}

size_t btviz_contrast_count(const struct btviz_contrast *c)
{
	return c->count;
}

double btviz_contrast_gap_threshold(const struct btviz_contrast *c)
{
	double threshold_s = 0;

	for (size_t i = 0; i < c->count; i++)
		threshold_s = fmax(threshold_s, c->runs[i]->profile.gap_threshold_s);
	return threshold_s;
}

double btviz_contrast_gap_time(const struct btviz_contrast *c, size_t run)
{
	if (run >= c->count)
		return NAN;
	return btvi_profile_gap_time(
		&c->runs[run]->profile, BTVI_STANDSTILL, btviz_contrast_gap_threshold(c));
}

/* ---- between two labels -------------------------------------------------------------------- */

/* The name of a run in texts: its own, or the label's where nobody named it. */
static struct btvi_named named(const struct contrast_run *r)
{
	return (struct btvi_named){ &r->profile, r->name[0] ? r->name : r->label };
}

static void find_unlike(struct btviz_contrast *c, struct answer *a)
{
	const struct contrast_run *first = NULL;
	struct btvi_likeness *const l = &a->likeness;

	for (size_t i = 0; i < c->count && !first; i++)
		if (strcmp(c->runs[i]->label, a->base) == 0)
			first = c->runs[i];
	for (size_t i = 0; i < c->count; i++) {
		const struct contrast_run *const r = c->runs[i];
		const bool base = strcmp(r->label, a->base) == 0;
		const struct btvi_named one = named(r);
		/* Labels against one another are told by the labels, runs of the base by names. */
		const struct btvi_named x = { &first->profile, base ? named(first).name : a->base };
		const struct btvi_named y = { &r->profile, base ? one.name : a->label };

		if (!base && strcmp(r->label, a->label) != 0)
			continue;
		btvi_likeness_recording(l, &one);
		if (r != first)
			btvi_likeness_pair(l, &x, &y);
	}
	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < c->count; k++) {
			struct btvi_unlike *u = &l->items[l->count];

			if (l->count == BTVI_UNLIKE_MAX ||
				strcmp(c->runs[i]->label, a->base) != 0 ||
				strcmp(c->runs[k]->label, a->label) != 0 ||
				strcmp(a->base, a->label) == 0 ||
				c->runs[i]->profile.fingerprint != c->runs[k]->profile.fingerprint)
				continue;
			*u = (struct btvi_unlike){ .pub = { BTVIZ_UNLIKE_SAME, "same-recording",
							   NULL, 1 } };
			snprintf(u->text, sizeof u->text,
				"one recording (%.150s) is in %.80s and in %.80s",
				named(c->runs[k]).name, a->base, a->label);
			u->pub.text = u->text;
			l->count++;
		}
	for (size_t i = 0; i < l->count; i++) {
		a->unlike[i] = &l->items[i].pub;
		l->items[i].pub.text = l->items[i].text;
		a->pub.other_work |= l->items[i].grave;
		a->pub.strict |= l->items[i].pub.kind != BTVIZ_UNLIKE_KERNEL;
	}
	a->pub.unlike = a->unlike;
	a->pub.unlike_count = l->count;
}

static bool any_lossy(const struct btvi_runs *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (btvi_likeness_lossy(r->profiles[i]))
			return true;
	return false;
}

static void find_layer(struct answer *a)
{
	const struct btvi_change *loudest = NULL;
	const enum btviz_layer layer = btvi_changes_layer(&a->changes, &loudest);

	a->pub.likely_text = a->likely;
	if (a->pub.lossy)
		strcpy(a->likely,
			"likely layer: not clear: records are missing, so figures are not compared");
	else if (!loudest && a->changes.count > 0)
		strcpy(a->likely, "likely layer: not clear");
	else if (!loudest)
		strcpy(a->likely, "nothing differs by more than the runs themselves do");
	else
		snprintf(a->likely, sizeof a->likely, "likely layer: %s (%s)%s",
			btviz_layer_name(layer), loudest->text,
			layer == BTVIZ_LAYER_WORKLOAD
				? ": other work was asked for, what follows below may be due to that"
				: "");
	if (loudest && !a->pub.lossy)
		a->pub.likely = layer;
}

/* The runs of both sides into a->before and a->after; NULL of one: out of memory. */
static void take_sides(struct btviz_contrast *c, const bool *only, struct answer *a,
	struct btvi_runs *before, struct btvi_runs *after)
{
	size_t m = 0, n = 0, of_label = 0;

	a->before = calloc(c->count + 1, sizeof *a->before);
	a->after = calloc(c->count + 1, sizeof *a->after);
	for (size_t i = 0; i < c->count && a->before && a->after; i++) {
		const struct contrast_run *const r = c->runs[i];

		const bool is_base = strcmp(r->label, a->base) == 0;

		if (!is_base && strcmp(r->label, a->label) != 0)
			continue;
		if (!is_base && (!only || only[of_label++]))
			a->after[n++] = &r->profile;
		else
			a->before[m++] = &r->profile;
	}
	*before = (struct btvi_runs){ a->before, m };
	*after = (struct btvi_runs){ a->after, n };
}

enum btviz_status btviz_contrast_between(struct btviz_contrast *c, const char *base,
	const char *label, const bool *only, const struct btviz_differences **ret_d,
	struct btviz_error *err)
{
	struct answer *const a = &c->answer;
	struct btvi_runs before, after;

	answer_done(a);
	*a = (struct answer){ .pub = { .base = a->base, .label = a->label } };
	btvi_text_printable(base, strlen(base), a->base, sizeof a->base);
	btvi_text_printable(label, strlen(label), a->label, sizeof a->label);
	take_sides(c, only, a, &before, &after);
	if (!a->before || !a->after)
		return btvi_fail_nomem(err);
	if (before.count == 0 || after.count == 0)
		return btvi_fail(err, BTVIZ_ERR_USAGE, "no run of '%s'",
			before.count == 0 ? a->base : a->label);
	a->pub.base_runs = before.count;
	a->pub.label_runs = after.count;
	find_unlike(c, a);
	a->pub.lossy = any_lossy(&before) || any_lossy(&after);
	btvi_changes_find(
		&a->changes, &before, &after, !a->pub.lossy, btviz_contrast_gap_threshold(c));
	a->list = calloc(a->changes.count + 1, sizeof *a->list);
	if (a->changes.failed || !a->list)
		return btvi_fail_nomem(err);
	for (size_t i = 0; i < a->changes.count; i++)
		a->list[i] = &a->changes.items[i]->pub;
	a->pub.changes = a->list;
	a->pub.change_count = a->changes.count;
	find_layer(a);
	*ret_d = &a->pub;
	return BTVIZ_OK;
}
