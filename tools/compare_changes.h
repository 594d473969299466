/* compare_changes.h - whether runs can be compared and what changed, as text, Markdown and JSON. */
#ifndef BTVIZ_TOOLS_COMPARE_CHANGES_H
#define BTVIZ_TOOLS_COMPARE_CHANGES_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/contrast.h>

#include "compare_print.h"

/* The differences of a label from its base; *ret_d is NULL of a base, and where there are no traces
 * of one of the two. Lasts until the next call. False: out of memory. */
bool compare_differences(
	const struct comparison_report *r, size_t group, const struct btviz_differences **ret_d);

/* What is unlike, and repeats: to stand before the table. All three return false when out of
 * memory. */
bool compare_print_unlike(FILE *out, const struct comparison_report *r, bool markdown);

/* What changed in each label: to stand behind the table. */
bool compare_print_changes(FILE *out, const struct comparison_report *r, bool markdown);

/* The lines to stand beside a picture; to be freed with compare_notes_free(). */
struct compare_notes {
	char **lines;
	size_t count;
};
bool compare_notes(const struct comparison_report *r, struct compare_notes *n);
void compare_notes_free(struct compare_notes *n);

#endif
