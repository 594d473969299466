/* nearest.c - slips of the keyboard. Knows no command. */
#include "nearest.h"

#include <stdbool.h>
#include <string.h>

enum { WORD_MAX = 40 };

/* How many letters have to be typed, left out, changed or swapped to make one word of the other; a
 * word's end may be missing for nothing. */
static size_t distance(const char *typed, const char *meant)
{
	const size_t n = strlen(typed), m = strlen(meant);
	size_t rows[3][WORD_MAX + 1], best;

	if (n > WORD_MAX || m > WORD_MAX)
		return WORD_MAX;
	for (size_t j = 0; j <= m; j++)
		rows[0][j] = j;
	best = n == 0 ? 0 : WORD_MAX;
	for (size_t i = 1; i <= n; i++) {
		size_t *const now = rows[i % 3];
		const size_t *const last = rows[(i + 2) % 3], *const before = rows[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			const bool same = typed[i - 1] == meant[j - 1];
			size_t least = last[j - 1] + !same;

			least = last[j] + 1 < least ? last[j] + 1 : least;
			least = now[j - 1] + 1 < least ? now[j - 1] + 1 : least;
			if (i > 1 && j > 1 && typed[i - 1] == meant[j - 2] &&
				typed[i - 2] == meant[j - 1] && before[j - 2] + 1 < least)
				least = before[j - 2] + 1;
			now[j] = least;
		}
		best = now[m];
	}
	return n >= 3 && n < m && strncmp(typed, meant, n) == 0 ? 0 : best;
}

const char *nearest_word(
	const char *word, const char *(*next)(const void *list, int i), const void *list)
{
	/* One slip in a short word, two in a longer one. */
	size_t least = strlen(word) < 5 ? 2 : 3;
	const char *found = NULL, *candidate;

	for (int i = 0; (candidate = next(list, i)); i++) {
		const size_t d = distance(word, candidate);

		if (d < least) {
			least = d;
			found = candidate;
		}
	}
	return found;
}
