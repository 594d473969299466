/* program.c - one child process. */
#include "record/program.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "record/child.h"

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
_Noreturn static void run(const char *const *argv, const sigset_t *mask, int gate)
{
	char go;
	int reason;
	ssize_t n;

	while ((n = read(gate, &go, 1)) < 0 && errno == EINTR)
		;
	if (n != 1)
		_exit(125); /* it is not to run */
	pthread_sigmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], (char *const *)argv);
	reason = errno;
	while (write(gate, &reason, sizeof reason) < 0 && errno == EINTR)
		;
	_exit(reason == ENOENT ? 127 : 126);
}

enum btviz_status btvi_program_prepare(
	struct btvi_program *p, const char *const *argv, struct btviz_error *err)
{
	sigset_t mask;
	int ends[2];
	pid_t pid;

	*p = BTVI_PROGRAM_NONE;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return btvi_fail_errno(err, errno, "cannot start %s", argv[0]);
	pid = btvi_child_fork(&mask);
	if (pid == 0) {
		close(ends[0]);
		run(argv, &mask, ends[1]);
	}
	close(ends[1]);
	if (pid < 0) {
		const int reason = errno;

		close(ends[0]);
		return btvi_fail_errno(err, reason, "cannot start %s", argv[0]);
	}
	p->pid = pid;
	p->gate = ends[0];
	p->pidfd = pidfd_of(pid);
	return BTVIZ_OK;
}

/* Waits for the child's end. */
static void reap(struct btvi_program *p)
{
	while (p->pid > 0 && waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
	p->pid = 0;
}

enum btviz_status btvi_program_go(
	struct btvi_program *p, const char *const *argv, struct btviz_error *err)
{
	const char go = 1;
	int reason = 0;
	ssize_t n;

	/* A child that is gone already is told of by its end. */
	(void)send(p->gate, &go, 1, MSG_NOSIGNAL);
	/* Its end of the gate closes when it runs. */
	while ((n = read(p->gate, &reason, sizeof reason)) < 0 && errno == EINTR)
		;
	close(p->gate);
	p->gate = -1;
	if (n != sizeof reason)
		return BTVIZ_OK;
	reap(p);
	p->ended = true;
	p->exit_status = reason == ENOENT ? 127 : 126;
	return btvi_fail(err, reason == ENOENT ? BTVIZ_ERR_NOT_FOUND : BTVIZ_ERR_UNSUPPORTED,
		"cannot run %.200s: %s; nothing was recorded", argv[0],
		reason == ENOENT            ? "no such program"
			: reason == EACCES  ? "permission denied"
			: reason == ENOEXEC ? "it is no program"
					    : strerror(reason));
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
	if (p->gate >= 0) {
		close(p->gate);
		p->gate = -1;
		reap(p);
	}
	if (p->pidfd >= 0)
		close(p->pidfd);
	p->pidfd = -1;
}
