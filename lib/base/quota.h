/* base/quota.h - what many share and must not use up: a number, and how much of it is taken. */
#ifndef BTVI_BASE_QUOTA_H
#define BTVI_BASE_QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btvi_quota {
	uint32_t taken, max;
};

/* Takes n, if there are so many. Without a quota there always are. */
static inline bool btvi_quota_take(struct btvi_quota *q, uint32_t n)
{
	if (!q)
		return true;
	if (q->taken >= q->max || q->max - q->taken < n)
		return false;
	q->taken += n;
	return true;
}

static inline void btvi_quota_give(struct btvi_quota *q, uint32_t n)
{
	if (q)
		q->taken -= n;
}

#endif
