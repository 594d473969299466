/* record/guardian.h - a small process that outlives a killed recorder and puts the tracer's state
 * back. */
#ifndef BTVI_RECORD_GUARDIAN_H
#define BTVI_RECORD_GUARDIAN_H

#include <sys/types.h>

#include <btviz/status.h>

#include "record/undo.h"

struct btvi_guardian {
	pid_t pid; /* 0: none */
	int fd;
};

/* Starts it with the steps of u (none armed yet), and has u tell it what is armed. BTVIZ_ERR_IO. */
enum btviz_status btvi_guardian_start(
	struct btvi_guardian *g, struct btvi_undo *u, struct btviz_error *err);

/* Sends it away; what is still armed in u it tries once more. */
void btvi_guardian_stop(struct btvi_guardian *g, struct btvi_undo *u);

#endif
