/* finding.h - what is remarkable about a run, in plain sentences with figures.
 *
 * Rules look at a run's figures and say what a person would have to notice in a picture: "nothing
 * was submitted for 8.6 s, 65 % of the run", "1 of 4 members in use". Each finding has a stable
 * name, under which btviz-report(1) gives its rule and threshold, and carries its evidence as
 * numbers. */
#ifndef BTVIZ_FINDING_H
#define BTVIZ_FINDING_H

#include <stddef.h>

#include <btviz/status.h>
#include <btviz/summary.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A number behind a finding. Of fixed size for ever; names are stable. */
struct btviz_evidence {
	const char *name;
	double value;
	const char *unit; /* "s", "bytes", "" … */
};

enum btviz_severity { BTVIZ_SEV_NOTE, BTVIZ_SEV_WARNING, BTVIZ_SEV_BAD };

/* "note", "warning", "bad". Never NULL. Since 0.1. */
BTVIZ_EXPORT const char *btviz_severity_name(enum btviz_severity severity);

/* One plain sentence about the run, with its evidence. Handed out by address; fields may be
 * appended. */
struct btviz_finding {
	const char *name; /* "submission-gaps"; explained under that name in btviz-report(1) */
	enum btviz_severity severity;
	const char *text;
	const struct btviz_evidence *evidence;
	size_t evidence_count;
};

struct btviz_findings;

/* Applies all rules to f. BTVIZ_OK: *ret_f is the caller's, free it with btviz_findings_free(); it
 * holds at least one finding ("nothing-remarkable" if there is no other), most important first. It
 * does not refer to f. BTVIZ_ERR_NOMEM. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_findings_new(
	const struct btviz_figures *f, struct btviz_findings **ret_f, struct btviz_error *err);
BTVIZ_EXPORT void btviz_findings_free(struct btviz_findings *f);

/* How many there are, at least one. Since 0.1. */
BTVIZ_EXPORT size_t btviz_findings_count(const struct btviz_findings *f);

/* The i-th finding, 0 the most important; NULL beyond the last. Borrowed: valid until f is freed.
 * Since 0.1. */
BTVIZ_EXPORT const struct btviz_finding *btviz_findings_get(
	const struct btviz_findings *f, size_t i);

#ifdef __cplusplus
}
#endif
#endif
