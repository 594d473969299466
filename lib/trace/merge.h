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
	uint64_t *keys;   /* of each stream's head, but the winner's is in winner_key */
	uint32_t *losers; /* losers[i] lost at inner node i */
	uint32_t winner;
	uint64_t winner_key;
	size_t count;
	uint64_t limit; /* the lowest key of all but the winner */
	/* For ties, see merge.c: each stream's last turn to come in. */
	uint64_t turn, *came;
};

/* Memory for count streams. The caller fills in the streams, and the key of each one's head, before
 * btvi_merge_begin(). False: out of memory. */
bool btvi_merge_init(struct btvi_merge *m, size_t count);
void btvi_merge_done(struct btvi_merge *m);

/* Finds the first winner. False: out of memory. */
bool btvi_merge_begin(struct btvi_merge *m);

/* Finds the new winner, when the old one's key may have been overtaken. */
void btvi_merge_replay(struct btvi_merge *m);

/* The winner has a new head, with this key. */
static inline void btvi_merge_update(struct btvi_merge *m, uint64_t key)
{
	m->winner_key = key;
	if (key >= m->limit)
		btvi_merge_replay(m);
}

#endif
