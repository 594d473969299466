/* merge.c - the tree of losers. See merge.h.
 *
 * Events of the same time come in the order in which blkparse prints them, so that its users'
 * scripts and eyes find the same: it keeps its streams in a list, and one that has given an event
 * comes in again before all others of its new time. So the stream that came in last is first.
 */
#include "trace/merge.h"

#include <stdlib.h>

bool btvi_merge_init(struct btvi_merge *m, size_t count)
{
	memset(m, 0, sizeof *m);
	m->streams = calloc(count ? count : 1, sizeof *m->streams);
	m->keys = calloc(count ? count : 1, sizeof *m->keys);
	m->losers = calloc(count ? count : 1, sizeof *m->losers);
	m->came = calloc(count ? count : 1, sizeof *m->came);
	m->count = count;
	m->winner_key = m->limit = BTVI_MERGE_ENDED;
	return m->streams && m->keys && m->losers && m->came;
}

void btvi_merge_done(struct btvi_merge *m)
{
	free(m->streams);
	free(m->keys);
	free(m->losers);
	free(m->came);
}

static inline bool is_before(
	const struct btvi_merge *m, uint64_t a_key, uint32_t a, uint64_t b_key, uint32_t b)
{
	if (__builtin_expect(a_key == b_key, 0))
		return m->came[a] > m->came[b];
	return a_key < b_key;
}

/* The lowest key of those that lost against the winner, one of which is next. */
static inline uint64_t find_limit(const struct btvi_merge *m, uint32_t winner)
{
	uint64_t limit = BTVI_MERGE_ENDED;

	for (size_t node = (winner + m->count) / 2; node > 0; node /= 2) {
		const uint64_t key = m->keys[m->losers[node]];

		limit = key < limit ? key : limit;
	}
	return limit;
}

bool btvi_merge_begin(struct btvi_merge *m)
{
	/* Leaves are nodes count .. 2 count - 1; each inner node is played by its children's
	 * winners. */
	uint32_t *const winners = calloc(2 * m->count + 2, sizeof *winners);

	if (!winners)
		return false;
	for (size_t i = 0; i < m->count; i++) {
		winners[m->count + i] = (uint32_t)i;
		m->came[i] = m->turn++;
	}
	for (size_t node = m->count; node-- > 1;) {
		const uint32_t a = winners[2 * node], b = winners[2 * node + 1];
		const bool a_wins = is_before(m, m->keys[a], a, m->keys[b], b);

		winners[node] = a_wins ? a : b;
		m->losers[node] = a_wins ? b : a;
	}
	if (m->count > 0) {
		m->winner = winners[1];
		m->winner_key = m->keys[m->winner];
		m->limit = find_limit(m, m->winner);
	}
	free(winners);
	return true;
}

void btvi_merge_replay(struct btvi_merge *m)
{
	uint32_t winner = m->winner;
	uint64_t key = m->winner_key;

	m->keys[winner] = key;
	m->came[winner] = m->turn++;
	for (size_t node = (winner + m->count) / 2; node > 0; node /= 2) {
		const uint32_t other = m->losers[node];
		const uint64_t other_key = m->keys[other];
		/* Who wins is a matter of chance, and a branch would be mispredicted half the time:
		 * all ones where the other one wins, and masks instead. */
		const uint64_t mask = 0 - (uint64_t)is_before(m, other_key, other, key, winner);
		const uint32_t swap = (other ^ winner) & (uint32_t)mask;

		m->losers[node] = other ^ swap;
		winner ^= swap;
		key ^= (key ^ other_key) & mask;
	}
	m->winner = winner;
	m->winner_key = key;
	m->limit = find_limit(m, winner);
}
