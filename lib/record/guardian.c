/* guardian.c - waits for the end of a stream whose other end only the recorder holds. The end
 * without a good-bye means that the recorder died: then the armed steps are done here. It lives in
 * a session of its own, so that neither Ctrl-C nor a hang-up reaches it, and holds nothing of the
 * recorder's but the stream and the state file's lock. Between fork() and _exit() only system calls
 * are made. */
#include "record/guardian.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "record/child.h"

static const unsigned char good_bye[2] = { 0xff, 0xff };

/* Closes everything but the two; the recorder's output pipes must not stay open through us. */
static void close_others(int keep, int keep_too)
{
	struct rlimit limit;
	int top = 65536;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536)
		top = (int)limit.rlim_cur;
	for (int fd = 0; fd < top; fd++)
		if (fd != keep && fd != keep_too)
			close(fd);
}

_Noreturn static void guard(struct btvi_undo *u, int fd)
{
	unsigned char place[2];
	size_t have = 0, failed;

	setsid();
	prctl(PR_SET_NAME, "btviz-guardian");
	for (int sig = 1; sig < 32; sig++)
		signal(sig, SIG_IGN);
	close_others(fd, u->state_fd);
	if (chdir("/") != 0)
		_exit(1);
	for (;;) {
		const ssize_t n = read(fd, place + have, 2 - have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		have += (size_t)n;
		if (have < 2)
			continue;
		have = 0;
		if (place[0] == good_bye[0] && place[1] == good_bye[1])
			_exit(0);
		if ((size_t)(place[0] << 8 | place[1]) < u->count)
			u->steps[place[0] << 8 | place[1]].armed = true;
	}
	failed = btvi_undo_run(u, NULL);
	if (failed == 0 && u->state_path)
		unlink(u->state_path);
	_exit(failed > 0);
}

enum btviz_status btvi_guardian_start(
	struct btvi_guardian *g, struct btvi_undo *u, struct btviz_error *err)
{
	int fds[2];
	sigset_t mask;
	pid_t pid;

	if (u->count >= 0xffff)
		return btvi_fail(err, BTVIZ_ERR_LIMIT, "too many devices and CPUs to guard");
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
		return btvi_fail_errno(err, errno, "cannot make a pair of sockets");
	pid = btvi_child_fork(&mask);
	if (pid == 0) {
		close(fds[1]);
		for (int sig = 1; sig < 32; sig++)
			signal(sig, SIG_IGN);
		pthread_sigmask(SIG_SETMASK, &mask, NULL);
		guard(u, fds[0]);
	}
	if (pid < 0) {
		const int reason = errno;

		close(fds[0]);
		close(fds[1]);
		return btvi_fail_errno(err, reason, "cannot start the guardian process");
	}
	close(fds[0]);
	g->pid = pid;
	g->fd = fds[1];
	u->notify_fd = fds[1];
	return BTVIZ_OK;
}

void btvi_guardian_stop(struct btvi_guardian *g, struct btvi_undo *u)
{
	bool left = false;

	if (g->pid == 0)
		return;
	for (size_t i = 0; i < u->count; i++)
		left = left || u->steps[i].armed;
	/* Without a good-bye it does what is left. */
	if (!left)
		(void)send(g->fd, good_bye, sizeof good_bye, MSG_NOSIGNAL);
	u->notify_fd = -1;
	close(g->fd);
	while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
	g->pid = 0;
}
