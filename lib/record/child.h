/* record/child.h - fork() without a moment in which a signal is lost, or a handler of this
 * process's runs in the child. */
#ifndef BTVI_RECORD_CHILD_H
#define BTVI_RECORD_CHILD_H

#include <signal.h>
#include <sys/types.h>

/* fork() with all signals blocked. In the parent they come again before it returns; in the child
 * they stay blocked, what was caught has its default again, and what was ignored stays so:
 * *ret_mask is what it sets when it is ready to be ended. Sets errno. */
pid_t btvi_child_fork(sigset_t *ret_mask);

#endif
