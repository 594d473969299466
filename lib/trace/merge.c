/* merge.c - the tree of losers. See merge.h. */
#include "trace/merge.h"

#include <stdlib.h>

bool btvi_merge_init(struct btvi_merge *m, size_t count)
{
	memset(m, 0, sizeof *m);
	m->streams = calloc(count ? count : 1, sizeof *m->streams);
	m->keys = calloc(count ? count : 1, sizeof *m->keys);
	m->loser = calloc(count ? count : 1, sizeof *m->loser);
	m->count = count;
	return m->streams && m->keys && m->loser;
}

void btvi_merge_done(struct btvi_merge *m)
{
	free(m->streams);
	free(m->keys);
	free(m->loser);
}

/* Streams of the same key: by device, number, CPU, then by their place. */
static bool is_before_at_tie(const struct btvi_merge *m, uint32_t a, uint32_t b)
{
	int order = 0;

	if (m->keys[a] != BTVI_MERGE_ENDED)
		order = btvi_event_order(m->streams[a].head, m->streams[b].head);
	return order != 0 ? order < 0 : a < b;
}

static inline bool is_before(const struct btvi_merge *m, uint32_t a, uint32_t b)
{
	if (m->keys[a] != m->keys[b])
		return m->keys[a] < m->keys[b];
	return is_before_at_tie(m, a, b);
}

/* The lowest key of those that lost against the winner, one of which is next. */
static void find_limit(struct btvi_merge *m)
{
	uint64_t limit = BTVI_MERGE_ENDED;

	for (size_t node = (m->winner + m->count) / 2; node > 0; node /= 2) {
		const uint64_t key = m->keys[m->loser[node]];

		limit = key < limit ? key : limit;
	}
	m->limit = limit;
}

void btvi_merge_begin(struct btvi_merge *m)
{
	/* Leaves are nodes count .. 2 count - 1. Each inner node, from the last up, plays the
	 * winners of its two children; a winner waits in loser[] of its node until it has played.
	 */
	uint32_t *const winners = m->loser;

	m->winner = 0;
	for (size_t node = m->count - 1; m->count > 1 && node > 0; node--) {
		const size_t left = 2 * node, right = left + 1;
		const uint32_t a = left >= m->count ? (uint32_t)(left - m->count) : winners[left];
		const uint32_t b =
			right >= m->count ? (uint32_t)(right - m->count) : winners[right];

		winners[node] = is_before(m, b, a) ? b : a;
	}
	if (m->count > 1) {
		m->winner = winners[1];
		/* now the losers, from the top: a node's winner went up, so the other child lost */
		for (size_t node = 1; node < m->count; node++) {
			const size_t left = 2 * node, right = left + 1;
			const uint32_t a =
				left >= m->count ? (uint32_t)(left - m->count) : winners[left];
			const uint32_t b =
				right >= m->count ? (uint32_t)(right - m->count) : winners[right];

			m->loser[node] = winners[node] == a ? b : a;
		}
	}
	find_limit(m);
}

void btvi_merge_replay(struct btvi_merge *m)
{
	uint32_t winner = m->winner;

	for (size_t node = (winner + m->count) / 2; node > 0; node /= 2) {
		const uint32_t other = m->loser[node];

		if (is_before(m, other, winner)) {
			m->loser[node] = winner;
			winner = other;
		}
	}
	m->winner = winner;
	find_limit(m);
}
