/* draw/owners.h - the processes that the seek map tells apart by colour: those with most bytes of
 * all runs. */
#ifndef BTVI_DRAW_OWNERS_H
#define BTVI_DRAW_OWNERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/page.h"
#include "draw/palette.h"

struct btvi_owners {
	size_t count;
	char names[BTVI_PROCESS_COLORS]
		  [64]; /* most bytes first; the colour is btvi_palette_process() */
	uint32_t pids[BTVI_PROCESS_COLORS]; /* 0: the name stands for several */
	bool others;                        /* there are more, all in one colour */
};

void btvi_owners_find(const struct btvi_page *p, struct btvi_owners *ret_o);

/* Index of a process of the run, BTVI_PROCESS_COLORS for the others. */
size_t btvi_owner_of(const struct btvi_page *p, const struct btvi_owners *o,
	const struct btvi_run *run, uint32_t pid);

#endif
