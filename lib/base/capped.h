/* base/capped.h - sums that stay at their largest value instead of starting again from 0: a trace
 * may claim that a thousand I/Os took a century each. */
#ifndef BTVI_BASE_CAPPED_H
#define BTVI_BASE_CAPPED_H

#include <stdint.h>

static inline uint64_t btvi_capped_add(uint64_t a, uint64_t b)
{
	return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* a + b * times */
static inline uint64_t btvi_capped_add_times(uint64_t a, uint64_t b, uint32_t times)
{
	return b > UINT64_MAX >> 32 && times > UINT64_MAX / b ? UINT64_MAX
							      : btvi_capped_add(a, b * times);
}

#endif
