/* nearest.h - the word that was meant by one that is not there. */
#ifndef BTVIZ_TOOLS_NEAREST_H
#define BTVIZ_TOOLS_NEAREST_H

#include <stddef.h>

/* The word of a list that is likely meant by `word`; NULL where none is near. next() is the i-th
 * word of the list, NULL after the last. */
const char *nearest_word(
	const char *word, const char *(*next)(const void *list, int i), const void *list);

#endif
