/* ios_kept.h - I/Os that are kept until the end of the trace, for a sort or for the slowest. */
#ifndef BTVIZ_TOOLS_IOS_KEPT_H
#define BTVIZ_TOOLS_IOS_KEPT_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/io.h>

enum { IOS_KEPT_MAX = 1 << 19 }; /* 80 MB */

enum ios_sort { IOS_SORT_TIME, IOS_SORT_LATENCY, IOS_SORT_SIZE, IOS_SORT_SECTOR, IOS_UNSORTED };

struct kept_io {
	struct btviz_io io;
	uint64_t key; /* what it is sorted by: smallest first */
	char process[32];
};

struct ios_kept {
	struct kept_io *list;
	size_t count, room;
	size_t max;    /* the largest keys are thrown away beyond this; 0: what does not fit is an
			  error */
	bool overflow; /* there were more than IOS_KEPT_MAX */
};

/* Takes an I/O; process may be NULL. False: out of memory. */
bool ios_kept_add(struct ios_kept *k, const struct btviz_io *io, const char *process, uint64_t key);

/* Puts them in the order of `sort`; IOS_UNSORTED: of their keys. */
void ios_kept_sort(struct ios_kept *k, enum ios_sort sort);
void ios_kept_done(struct ios_kept *k);

/* How long it took, or had taken at end_ns where it never ended. */
uint64_t io_latency_ns(const struct btviz_io *io, uint64_t end_ns);

#endif
