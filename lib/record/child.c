/* child.c - a child process whose signals are its own from its first moment. */
#include "record/child.h"

#include <errno.h>
#include <unistd.h>

/* What execve() will do, but before anything is unblocked. */
static void reset_handlers(void)
{
	for (int sig = 1; sig < NSIG; sig++) {
		struct sigaction action;

		if (sigaction(sig, NULL, &action) != 0 || action.sa_handler == SIG_IGN ||
			action.sa_handler == SIG_DFL)
			continue;
		action = (struct sigaction){ .sa_handler = SIG_DFL };
		sigaction(sig, &action, NULL);
	}
}

pid_t btvi_child_fork(sigset_t *ret_mask)
{
	sigset_t all;
	pid_t pid;
	int reason;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, ret_mask);
	pid = fork();
	if (pid == 0) {
		reset_handlers();
		return 0;
	}
	reason = errno;
	pthread_sigmask(SIG_SETMASK, ret_mask, NULL);
	errno = reason;
	return pid;
}
