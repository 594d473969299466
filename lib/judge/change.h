/* judge/change.h - what changed from one group of runs to another, and which layer that speaks of.
 */
#ifndef BTVI_JUDGE_CHANGE_H
#define BTVI_JUDGE_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/contrast.h>

#include "judge/profile.h"

enum { BTVI_CHANGE_TEXT = 640 };

struct btvi_change {
	struct btviz_change pub; /* its texts point at those below */
	bool tells;              /* of its layer */
	int direction;           /* 1: for the worse, -1: for the better, 0: neither */
	char name[64], subject[2 * BTVI_PROFILE_NAME + 2], text[BTVI_CHANGE_TEXT];
};

struct btvi_changes {
	struct btvi_change **items;
	size_t count, room;
	bool failed; /* memory ran out */
};

/* Some runs of one kind. */
struct btvi_runs {
	const struct btvi_profile *const *profiles;
	size_t count;
};

/* Lists what differs by more than the runs of either side differ among themselves, largest first.
 * Gaps shorter than the threshold do not count. figures: false where figures are not to be believed
 * and only findings are compared. */
void btvi_changes_find(struct btvi_changes *c, const struct btvi_runs *before,
	const struct btvi_runs *after, bool figures, double gap_threshold_s);
void btvi_changes_done(struct btvi_changes *c);

/* The layer that the changes speak of, BTVIZ_LAYER_NONE where that is not clear; *ret_change is the
 * change that speaks loudest of it. */
enum btviz_layer btvi_changes_layer(
	const struct btvi_changes *c, const struct btvi_change **ret_change);

#endif
