/* base/large.h - memory that is large and all used: in huge pages where the system has them. To
 * touch a thousand small pages for the first time can take longer than what is then done with them.
 */
#ifndef BTVI_BASE_LARGE_H
#define BTVI_BASE_LARGE_H

#include <stddef.h>

/* At least size bytes, not cleared, to be given back with free(); NULL: no memory. */
void *btvi_large_alloc(size_t size);

#endif
