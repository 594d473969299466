/* base/list.h - lists of pointers, which is how arrays of structs are handed out.
 *
 * A struct that is handed out may grow at its end in a later release. In an array of them every
 * element but the first would move; so callers get the addresses, which do not. */
#ifndef BTVI_BASE_LIST_H
#define BTVI_BASE_LIST_H

#include <stddef.h>

/* Fills list[0..count) with the addresses of items[0..count); list may be NULL: then nothing. */
#define BTVI_LIST_OF(list, items, count)                          \
	do {                                                      \
		for (size_t i_ = 0; (list) && i_ < (count); i_++) \
			(list)[i_] = &(items)[i_];                \
	} while (0)

#endif
