/* judge/finding.h - how the rules add to the list of findings. A rule reads figures, decides by the
 * thresholds at the top of its file, and adds a sentence with its evidence; it does not see the
 * other rules, nor the list's order. */
#ifndef BTVI_JUDGE_FINDING_H
#define BTVI_JUDGE_FINDING_H

#include <stdbool.h>

#include <btviz/finding.h>

#include "base/quantity.h"
#include "base/status.h"

enum {
	BTVI_EVIDENCE_MAX = 8,
	BTVI_FINDING_TEXT_SIZE = 400,
	BTVI_FINDING_SAME_MAX =
		3, /* of one name: the worst, where many devices have the same trouble */
};

/* One finding before the list is put in order. Evidence names and units are literals. */
struct btvi_finding_draft {
	const char *name;
	enum btviz_severity severity;
	double weight; /* 0..1, about the share of the run it concerns: orders findings of one
			  severity */
	struct btviz_evidence evidence[BTVI_EVIDENCE_MAX];
	size_t evidence_count;
};

/* Adds a figure to a draft; a NaN is left out. */
void btvi_finding_evidence(
	struct btvi_finding_draft *draft, const char *name, double value, const char *unit);

/* Adds the draft with its sentence to the list. When memory runs out the list remembers it. */
void btvi_finding_add(struct btviz_findings *list, const struct btvi_finding_draft *draft,
	const char *format, ...) BTVI_PRINTF(3, 4);

/* The rules, by subject. */
void btvi_findings_gaps(const struct btviz_figures *f, struct btviz_findings *list);
void btvi_findings_memory(const struct btviz_figures *f, struct btviz_findings *list);
void btvi_findings_array(const struct btviz_figures *f, struct btviz_findings *list);
void btvi_findings_load(const struct btviz_figures *f, struct btviz_findings *list);
void btvi_findings_path(const struct btviz_figures *f, struct btviz_findings *list);
void btvi_findings_end(const struct btviz_figures *f, struct btviz_findings *list);
void btvi_findings_health(const struct btviz_figures *f, struct btviz_findings *list);

/* ---- what several rules ask of figures ----------------------------------------------------- */

/* The device or array of that number, or NULL. */
const struct btviz_device *btvi_figures_device(const struct btviz_figures *f, uint32_t device);
const struct btviz_array *btvi_figures_array(const struct btviz_figures *f, uint32_t device);

/* The i-th top device (f->top); NULL where the index makes no sense. */
const struct btviz_device *btvi_figures_top(const struct btviz_figures *f, size_t i);

/* part / whole, 0 where there is no whole. */
double btvi_share(double part, double whole);

/* "s" unless n is 1. */
const char *btvi_plural(uint64_t n);

#endif
