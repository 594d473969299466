/* finding.c - the list of findings: applying the rules, order, ownership. What is remarkable is
 * decided in finding_gap.c, finding_array.c, finding_load.c and finding_health.c; must not know
 * traces or pictures. */
#include "judge/finding.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"

struct listed {
	struct btvi_finding_draft draft;
	struct btviz_finding finding;
	char text[BTVI_FINDING_TEXT_SIZE];
	size_t order; /* of being added: the last word where all else is equal */
};

struct btviz_findings {
	struct listed **entries;
	size_t count, capacity;
	bool out_of_memory;
};

/* ---- figures ------------------------------------------------------------------------------- */

const struct btviz_device *btvi_figures_device(const struct btviz_figures *f, uint32_t device)
{
	for (size_t i = 0; i < f->device_count; i++)
		if (f->devices[i]->device == device)
			return f->devices[i];
	return NULL;
}

const struct btviz_array *btvi_figures_array(const struct btviz_figures *f, uint32_t device)
{
	for (size_t i = 0; i < f->array_count; i++)
		if (f->arrays[i]->device == device)
			return f->arrays[i];
	return NULL;
}

const struct btviz_device *btvi_figures_top(const struct btviz_figures *f, size_t i)
{
	return i < f->top_count && f->top[i] < f->device_count ? f->devices[f->top[i]] : NULL;
}

double btvi_share(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

const char *btvi_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- adding -------------------------------------------------------------------------------- */

void btvi_finding_evidence(
	struct btvi_finding_draft *draft, const char *name, double value, const char *unit)
{
	assert(draft->evidence_count < BTVI_EVIDENCE_MAX);
	if (isnan(value) || draft->evidence_count == BTVI_EVIDENCE_MAX)
		return;
	draft->evidence[draft->evidence_count++] =
		(struct btviz_evidence){ .name = name, .value = value, .unit = unit };
}

static bool grow(struct btviz_findings *list)
{
	const size_t capacity = list->capacity ? list->capacity * 2 : 16;
	struct listed **entries;

	if (list->count < list->capacity)
		return true;
	entries = realloc(list->entries, capacity * sizeof *entries);
	if (!entries)
		return false;
	list->entries = entries;
	list->capacity = capacity;
	return true;
}

void btvi_finding_add(struct btviz_findings *list, const struct btvi_finding_draft *draft,
	const char *format, ...)
{
	char raw[BTVI_FINDING_TEXT_SIZE];
	struct listed *e = grow(list) ? calloc(1, sizeof *e) : NULL;
	va_list ap;

	if (!e) {
		list->out_of_memory = true;
		return;
	}
	va_start(ap, format);
	vsnprintf(raw, sizeof raw, format, ap);
	va_end(ap);
	btvi_text_printable(raw, strlen(raw), e->text, sizeof e->text);
	e->draft = *draft;
	e->order = list->count;
	list->entries[list->count++] = e;
}

/* ---- order --------------------------------------------------------------------------------- */

static int compare_entries(const void *a, const void *b)
{
	const struct listed *const x = *(struct listed *const *)a;
	const struct listed *const y = *(struct listed *const *)b;

	if (x->draft.severity != y->draft.severity)
		return x->draft.severity > y->draft.severity ? -1 : 1;
	if (x->draft.weight != y->draft.weight)
		return x->draft.weight > y->draft.weight ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Of each name the first few stay; the last that stays says how many went. */
static void drop_repeats(struct btviz_findings *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct listed *const e = list->entries[i];
		struct listed *last = NULL;
		size_t same = 0, after = 0;

		for (size_t k = 0; k < kept; k++) {
			if (strcmp(list->entries[k]->draft.name, e->draft.name) == 0) {
				last = list->entries[k];
				same++;
			}
		}
		if (same < BTVI_FINDING_SAME_MAX) {
			list->entries[kept++] = e;
			continue;
		}
		/* The first one over the limit: count it and its like behind it. */
		if (!strstr(last->text, "(And likewise ")) {
			const size_t n = strlen(last->text);

			for (size_t k = i; k < list->count; k++)
				after += strcmp(list->entries[k]->draft.name, e->draft.name) == 0;
			snprintf(last->text + n, sizeof last->text - n, " (And likewise %zu more.)",
				after);
		}
		free(e);
	}
	list->count = kept;
}

/* Findings that tell what the figures are worth. */
static bool is_doubt(const struct btvi_finding_draft *draft)
{
	static const char *const names[] = { "lost-events", "suspected-loss", "damaged-trace",
		"stream-missing", "masked-trace", "no-completions", "fua-missing" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(draft->name, names[i]) == 0)
			return true;
	return false;
}

/* Where records are missing or were masked nothing is proven: that is said first, and nothing is
 * worse than a warning. */
static void soften(struct btviz_findings *list)
{
	bool doubt = false;

	for (size_t i = 0; i < list->count; i++)
		doubt |= is_doubt(&list->entries[i]->draft);
	for (size_t i = 0; doubt && i < list->count; i++) {
		struct btvi_finding_draft *const draft = &list->entries[i]->draft;

		if (draft->severity == BTVIZ_SEV_BAD)
			draft->severity = BTVIZ_SEV_WARNING;
		if (is_doubt(draft))
			draft->weight = 2;
	}
}

/* Throughput and time of a run of which there is nothing else to say. */
static void add_nothing_remarkable(const struct btviz_figures *f, struct btviz_findings *list)
{
	struct btvi_finding_draft draft = { .name = "nothing-remarkable",
		.severity = BTVIZ_SEV_NOTE };
	char rate[BTVI_QUANTITY_SIZE], span[BTVI_QUANTITY_SIZE];
	double bytes = 0;

	for (size_t i = 0; i < f->top_count; i++) {
		const struct btviz_device *const d = btvi_figures_top(f, i);

		if (d)
			bytes += (double)d->moved[BTVIZ_DIR_READ].bytes +
				(double)d->moved[BTVIZ_DIR_WRITE].bytes;
	}
	btvi_finding_evidence(&draft, "span", f->span_s, "s");
	btvi_finding_evidence(&draft, "bytes", bytes, "bytes");
	if (f->span_s > 0 && bytes > 0)
		btvi_finding_add(list, &draft, "Nothing remarkable: %s for %s.",
			btvi_quantity_rate(bytes / f->span_s, rate),
			btvi_quantity_duration(f->span_s, span));
	else
		btvi_finding_add(list, &draft, "Nothing remarkable.");
}

enum btviz_status btviz_findings_new(
	const struct btviz_figures *f, struct btviz_findings **ret_f, struct btviz_error *err)
{
	struct btviz_findings *list = calloc(1, sizeof *list);

	assert(f && ret_f);
	if (!list)
		return btvi_fail_nomem(err);
	btvi_findings_gaps(f, list);
	btvi_findings_memory(f, list);
	btvi_findings_array(f, list);
	btvi_findings_load(f, list);
	btvi_findings_path(f, list);
	btvi_findings_end(f, list);
	btvi_findings_health(f, list);
	soften(list);
	if (list->count == 0)
		add_nothing_remarkable(f, list);
	if (list->out_of_memory) {
		btviz_findings_free(list);
		return btvi_fail_nomem(err);
	}
	qsort(list->entries, list->count, sizeof *list->entries, compare_entries);
	drop_repeats(list);
	for (size_t i = 0; i < list->count; i++) {
		struct listed *const e = list->entries[i];

		e->finding = (struct btviz_finding){ .name = e->draft.name,
			.severity = e->draft.severity,
			.text = e->text,
			.evidence = e->draft.evidence,
			.evidence_count = e->draft.evidence_count };
	}
	*ret_f = list;
	return BTVIZ_OK;
}

void btviz_findings_free(struct btviz_findings *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->count; i++)
		free(f->entries[i]);
	free(f->entries);
	free(f);
}

size_t btviz_findings_count(const struct btviz_findings *f)
{
	return f->count;
}

const struct btviz_finding *btviz_findings_get(const struct btviz_findings *f, size_t i)
{
	return i < f->count ? &f->entries[i]->finding : NULL;
}

const char *btviz_severity_name(enum btviz_severity severity)
{
	static const char *const names[] = {
		[BTVIZ_SEV_NOTE] = "note",
		[BTVIZ_SEV_WARNING] = "warning",
		[BTVIZ_SEV_BAD] = "bad",
	};

	return BTVI_WORD(names, severity);
}
