/* large.c - see large.h. */
#include "base/large.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

void *btvi_large_alloc(size_t size)
{
	void *p;

	if (size < HUGE_PAGE || size > SIZE_MAX - HUGE_PAGE)
		return malloc(size);
	size = (size + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
	p = aligned_alloc(HUGE_PAGE, size);
#ifdef MADV_HUGEPAGE
	if (p)
		(void)madvise(p, size, MADV_HUGEPAGE); /* slower without, that is all */
#endif
	return p;
}
