/* judge/likeness.h - whether two runs are of a kind, so that their figures can be compared. */
#ifndef BTVI_JUDGE_LIKENESS_H
#define BTVI_JUDGE_LIKENESS_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/contrast.h>

#include "judge/profile.h"

enum { BTVI_UNLIKE_MAX = 64, BTVI_UNLIKE_TEXT = 400 };

struct btvi_unlike {
	struct btviz_unlike pub; /* text points at the text below */
	bool grave;              /* "good" would say nothing */
	char text[BTVI_UNLIKE_TEXT];
};

/* What was found unlike; of one name only once, with the number of runs. Beyond the limit nothing
 * is added: by then enough is said. */
struct btvi_likeness {
	struct btvi_unlike items[BTVI_UNLIKE_MAX];
	size_t count;
};

/* A run as it is called in texts. */
struct btvi_named {
	const struct btvi_profile *profile;
	const char *name;
};

/* What is unlike about b, seen from a. */
void btvi_likeness_pair(
	struct btvi_likeness *l, const struct btvi_named *a, const struct btvi_named *b);

/* What was wrong with the recording of a run. */
void btvi_likeness_recording(struct btvi_likeness *l, const struct btvi_named *run);

/* Whether so much is missing that latencies, depths and gaps are not to be believed. */
bool btvi_likeness_lossy(const struct btvi_profile *p);

#endif
