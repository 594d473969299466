/* program.c - one child process. */
#include "record/program.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"

static int pidfd_of(pid_t pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0);
#else
	(void)pid;
	return -1;
#endif
}

/* The child's side; only async-signal-safe calls. */
_Noreturn static void run(const char *const *argv, const sigset_t *mask)
{
	static const char head[] = "btviz: cannot run ";
	const char *reason;
	int code;

	pthread_sigmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], (char *const *)argv);
	code = errno == ENOENT ? 127 : 126;
	reason = errno == ENOENT  ? ": no such program\n"
		: errno == EACCES ? ": permission denied\n"
				  : ": it is no program\n";
	if (write(2, head, sizeof head - 1) < 0 || write(2, argv[0], strlen(argv[0])) < 0 ||
		write(2, reason, strlen(reason)) < 0)
		_exit(125);
	_exit(code);
}

enum btviz_status btvi_program_start(
	struct btvi_program *p, const char *const *argv, struct btviz_error *err)
{
	sigset_t all, before;
	pid_t pid;

	*p = (struct btvi_program){ .pidfd = -1 };
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (pid == 0)
		run(argv, &before);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (pid < 0)
		return btvi_fail_errno(err, errno, "cannot start %s", argv[0]);
	p->pid = pid;
	p->pidfd = pidfd_of(pid);
	return BTVIZ_OK;
}

bool btvi_program_ended(struct btvi_program *p)
{
	int status;
	pid_t got;

	if (p->pid == 0)
		return p->ended;
	got = wait4(p->pid, &status, WNOHANG, &p->usage);
	if (got == 0 || (got < 0 && errno == EINTR))
		return false;
	p->ended = true;
	p->pid = 0;
	if (got < 0)
		p->exit_status = 255; /* somebody else has taken its status */
	else
		p->exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return true;
}

void btvi_program_signal(const struct btvi_program *p, int sig)
{
	if (p->pid > 0)
		kill(p->pid, sig);
}

void btvi_program_done(struct btvi_program *p)
{
	if (p->pidfd >= 0)
		close(p->pidfd);
	p->pidfd = -1;
}
