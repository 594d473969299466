/* base/words.h - names of what is enumerated. */
#ifndef BTVI_BASE_WORDS_H
#define BTVI_BASE_WORDS_H

#include <stddef.h>

/* The name of a value, or "?" for one that is not known. */
#define BTVI_WORD(names, value) \
	((size_t)(value) < sizeof(names) / sizeof *(names) ? (names)[(size_t)(value)] : "?")

#endif
