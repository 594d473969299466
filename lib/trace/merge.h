/* trace/merge.h - many ordered streams to one, by time: a tree of losers.
 *
 * Events of one CPU come in bursts, so the tree is not gone through for each: as long as the
 * winner's next key is below all others' (the limit, known from the last time), it wins again. */
#ifndef BTVI_TRACE_MERGE_H
#define BTVI_TRACE_MERGE_H

#include "trace/stream.h"

#define BTVI_MERGE_ENDED UINT64_MAX /* key of a stream at its end: above any time */

struct btvi_merge {
	struct btvi_stream *streams;
	uint64_t *keys;  /* of each stream's head */
	uint32_t *loser; /* loser[0] is the winner, loser[i] lost at inner node i */
	uint32_t winner;
	size_t count;
	uint64_t limit; /* the lowest key of all but the winner */
};

/* Memory for count streams, which the caller fills in (streams and keys) before btvi_merge_begin().
 * False: out of memory. */
bool btvi_merge_init(struct btvi_merge *m, size_t count);
void btvi_merge_done(struct btvi_merge *m);

/* Finds the first winner. */
void btvi_merge_begin(struct btvi_merge *m);

/* The winner's key has changed so much that another one may win. */
void btvi_merge_replay(struct btvi_merge *m);

static inline void btvi_merge_update(struct btvi_merge *m)
{
	if (m->keys[m->winner] >= m->limit)
		btvi_merge_replay(m);
}

#endif
