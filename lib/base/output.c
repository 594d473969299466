/* output.c - bytes into a file, all or nothing. Knows not what they are.
 *
 * Nothing here trusts a name twice: the directory is opened once, and everything after that happens
 * in it by openat(), linkat(), renameat(). Links are followed one by one and looked at first. */
#include "base/output.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/status.h"

enum { LINKS_MAX = 40, TEMPORARY_TRIES = 100 };

struct btviz_output {
	char *path;              /* as given, for messages */
	int dir;                 /* the directory of the file itself, O_PATH */
	char name[NAME_MAX + 1]; /* in it */
	char temporary[64];      /* in it; "": has no name yet */
	int fd;                  /* to be written to */
	bool direct;             /* no regular file: fd is the thing itself */
	bool spooled;            /* fd can never have a name: it is copied at the end */
	bool exists, durable;
	bool deaf;          /* takes no signals */
	struct stat former; /* where it exists */
	sigset_t signals;   /* before that */
};

static int write_all(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size > 0) {
		const ssize_t n = write(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		if (n == 0)
			return EIO;
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

static enum btviz_status fail(const struct btviz_output *o, int e, struct btviz_error *err)
{
	return btvi_fail_errno(err, e, "cannot write %s", o->path);
}

/* While there is a name that is nobody's, this thread takes no signals. */
static void be_deaf(struct btviz_output *o, bool deaf)
{
	sigset_t all;

	if (deaf == o->deaf)
		return;
	sigfillset(&all);
	pthread_sigmask(deaf ? SIG_BLOCK : SIG_SETMASK, deaf ? &all : &o->signals,
		deaf ? &o->signals : NULL);
	o->deaf = deaf;
}

/* ---- where a path leads -----------------------------------------------------------------------
 */

/* Whether Linux would let us go on to what is of that owner: in a directory where anyone may put
 * things, only to our own and to the directory's owner's. */
static bool may_trust(const struct btviz_output *o, uid_t owner)
{
	const mode_t open_to_all = S_ISVTX | S_IWOTH;
	struct stat st;

	if (fstat(o->dir, &st) != 0)
		return false;
	return (st.st_mode & open_to_all) != open_to_all || owner == geteuid() ||
		owner == st.st_uid;
}

/* Goes into the directory part of a path, seen from where we are; the rest is the name. An errno.
 */
static int enter(struct btviz_output *o, char *path)
{
	char *const slash = strrchr(path, '/');
	const char *const name = slash ? slash + 1 : path;
	int dir;

	if (name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return path[0] == '\0' ? ENOENT : EISDIR;
	if (strlen(name) >= sizeof o->name)
		return ENAMETOOLONG;
	strcpy(o->name, name);
	if (slash)
		slash[slash == path ? 1 : 0] = '\0';
	dir = openat(o->dir, slash ? path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return errno;
	if (o->dir >= 0)
		close(o->dir);
	o->dir = dir;
	return 0;
}

static bool is_proc(int dir)
{
	struct statfs fs;

	return fstatfs(dir, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

static enum btviz_status dangling(const struct btviz_output *o, struct btviz_error *err)
{
	return btvi_fail_errno(
		err, ENOENT, "cannot write %s: it is a link that leads nowhere", o->path);
}

static enum btviz_status strangers(
	const struct btviz_output *o, const char *what, struct btviz_error *err)
{
	return btvi_fail_errno(err, EACCES,
		"cannot write %s: in a directory that anyone may write to, %s is another user's",
		o->path, what);
}

/* Finds the directory and the name of the file itself. */
static enum btviz_status resolve(struct btviz_output *o, struct btviz_error *err)
{
	char path[PATH_MAX];
	int e;

	if (strlen(o->path) >= sizeof path)
		return fail(o, ENAMETOOLONG, err);
	strcpy(path, o->path);
	for (unsigned links = 0;; links++) {
		ssize_t n;

		e = enter(o, path);
		if (e == ENOENT && links > 0)
			return dangling(o, err);
		if (e)
			return fail(o, e, err);
		o->exists = fstatat(o->dir, o->name, &o->former, AT_SYMLINK_NOFOLLOW) == 0;
		if (!o->exists && errno != ENOENT)
			return fail(o, errno, err);
		if (!o->exists && links > 0)
			return dangling(o, err);
		/* The links of /proc/self/fd are doors, not names. */
		if (!o->exists || !S_ISLNK(o->former.st_mode) || is_proc(o->dir))
			break;
		if (!may_trust(o, o->former.st_uid))
			return strangers(o, "the link", err);
		if (links == LINKS_MAX)
			return fail(o, ELOOP, err);
		n = readlinkat(o->dir, o->name, path, sizeof path);
		if (n < 0 || n == sizeof path)
			return fail(o, n < 0 ? errno : ENAMETOOLONG, err);
		path[n] = '\0';
	}
	if (o->exists && (S_ISREG(o->former.st_mode) || S_ISFIFO(o->former.st_mode)) &&
		!may_trust(o, o->former.st_uid))
		return strangers(o, "the file", err);
	return BTVIZ_OK;
}

/* ---- begin -------------------------------------------------------------------------------------
 */

/* /dev/stdout and its like: the descriptor itself, at its place in the file. -1: it is none. */
static int own_descriptor(const struct btviz_output *o)
{
	struct stat here, own;

	if (!S_ISLNK(o->former.st_mode) || fstat(o->dir, &here) != 0 ||
		stat("/proc/self/fd", &own) != 0 || here.st_ino != own.st_ino ||
		here.st_dev != own.st_dev || !isdigit((unsigned char)o->name[0]))
		return -1;
	return fcntl(atoi(o->name), F_DUPFD_CLOEXEC, 0);
}

/* A new file with a name that nobody has. -1 and errno where that does not work. */
static int open_temporary(struct btviz_output *o)
{
	be_deaf(o, true);
	for (unsigned i = 0; i < TEMPORARY_TRIES; i++) {
		int fd;

		snprintf(o->temporary, sizeof o->temporary, ".btviz-%ld-%u.tmp", (long)getpid(), i);
		/* Nobody else reads what replaces a file that nobody else could read. */
		fd = openat(o->dir, o->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
			o->exists ? 0600 : 0666);
		if (fd >= 0)
			return fd;
		if (errno != EEXIST)
			break;
	}
	o->temporary[0] = '\0';
	return -1;
}

/* A file without a name. Where the system cannot give it one later, it is copied then. An errno. */
static int open_file(struct btviz_output *o)
{
	o->fd = openat(o->dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
	if (o->fd >= 0 && access("/proc/self/fd", X_OK) == 0)
		return 0;
	if (o->fd < 0 && errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL &&
		errno != ENOENT)
		return errno;
	if (o->fd >= 0)
		close(o->fd);
	o->spooled = true;
	o->fd = open_temporary(o);
	if (o->fd < 0)
		return errno;
	unlinkat(o->dir, o->temporary, 0);
	o->temporary[0] = '\0';
	be_deaf(o, false);
	return 0;
}

static enum btviz_status begin(struct btviz_output *o, struct btviz_error *err)
{
	const enum btviz_status status = resolve(o, err);
	int e;

	if (status != BTVIZ_OK)
		return status;
	if (o->exists && S_ISDIR(o->former.st_mode))
		return fail(o, EISDIR, err);
	o->direct = o->exists && !S_ISREG(o->former.st_mode);
	if (!o->direct) {
		e = open_file(o);
		return e ? fail(o, e, err) : BTVIZ_OK;
	}
	o->fd = own_descriptor(o);
	if (o->fd < 0)
		o->fd = openat(o->dir, o->name,
			O_WRONLY | O_NOCTTY | O_CLOEXEC |
				(S_ISLNK(o->former.st_mode) ? 0 : O_NOFOLLOW));
	return o->fd < 0 ? fail(o, errno, err) : BTVIZ_OK;
}

enum btviz_status btviz_output_open(
	const char *path, uint32_t flags, struct btviz_output **ret_o, struct btviz_error *err)
{
	struct btviz_output *const o = calloc(1, sizeof *o);
	enum btviz_status status;

	if (!o)
		return btvi_fail_nomem(err);
	o->dir = AT_FDCWD;
	o->fd = -1;
	o->durable = flags & BTVIZ_OUTPUT_DURABLE;
	o->path = strdup(path);
	status = o->path ? begin(o, err) : btvi_fail_nomem(err);
	if (status == BTVIZ_OK)
		*ret_o = o;
	else
		btviz_output_drop(o);
	return status;
}

int btviz_output_fd(const struct btviz_output *o)
{
	return o->fd;
}

/* ---- end ---------------------------------------------------------------------------------------
 */

/* The former file's owner and permission bits; its bytes on the disk. An errno. */
static int settle(const struct btviz_output *o)
{
	struct stat st;

	if (o->exists) {
		if (fstat(o->fd, &st) != 0)
			return errno;
		if (geteuid() == 0 &&
			(st.st_uid != o->former.st_uid || st.st_gid != o->former.st_gid) &&
			fchown(o->fd, o->former.st_uid, o->former.st_gid) != 0)
			return errno;
		if (fchmod(o->fd, o->former.st_mode & 0777) != 0)
			return errno;
	}
	return o->durable && fsync(o->fd) != 0 ? errno : 0;
}

/* Gives the nameless file a name that nobody has. */
static bool give_name(const struct btviz_output *o, const char *name)
{
	char door[40];

	if (linkat(o->fd, "", o->dir, name, AT_EMPTY_PATH) == 0)
		return true;
	if (errno == EEXIST)
		return false;
	snprintf(door, sizeof door, "/proc/self/fd/%d", o->fd);
	return linkat(AT_FDCWD, door, o->dir, name, AT_SYMLINK_FOLLOW) == 0;
}

/* What was written goes on into a file with a temporary name. An errno. */
static int copy(struct btviz_output *o)
{
	const int from = o->fd;
	char piece[16384];
	off_t at = 0;
	int e = 0;

	o->fd = open_temporary(o);
	if (o->fd < 0) {
		o->fd = from;
		return errno;
	}
	while (e == 0) {
		const ssize_t n = pread(from, piece, sizeof piece, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			e = n < 0 ? errno : 0;
			break;
		}
		e = write_all(o->fd, piece, (size_t)n);
		at += n;
	}
	close(from);
	return e;
}

/* A temporary name for the nameless file. An errno. */
static int name_temporary(struct btviz_output *o)
{
	be_deaf(o, true);
	for (unsigned i = 0; i < TEMPORARY_TRIES; i++) {
		snprintf(o->temporary, sizeof o->temporary, ".btviz-%ld-%u.tmp", (long)getpid(), i);
		if (give_name(o, o->temporary))
			return 0;
		if (errno != EEXIST)
			break;
	}
	o->temporary[0] = '\0';
	return errno;
}

/* In its place. An errno. */
static int put(struct btviz_output *o)
{
	int e = o->spooled ? copy(o) : 0;

	if (e == 0)
		e = settle(o);
	if (e)
		return e;
	if (!o->spooled) {
		if (!o->exists && give_name(o, o->name))
			return 0;
		/* Somebody else's came meanwhile: the last one stays. */
		if (!o->exists && errno != EEXIST)
			return errno;
		e = name_temporary(o);
		if (e)
			return e;
	}
	if (renameat(o->dir, o->temporary, o->dir, o->name) != 0)
		return errno;
	o->temporary[0] = '\0';
	return 0;
}

/* The name, too, is to be found after a crash. */
static void sync_directory(const struct btviz_output *o)
{
	const int dir = openat(o->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return; /* may not be read; the file is in it all the same */
	fsync(dir);
	close(dir);
}

enum btviz_status btviz_output_finish(struct btviz_output *o, struct btviz_error *err)
{
	enum btviz_status status = BTVIZ_OK;
	int e = o->direct ? 0 : put(o);

	if (e == 0 && o->durable && !o->direct)
		sync_directory(o);
	/* A network's file system may tell here only that it is full: the file is in its place
	 * then, and this is an error all the same. */
	if (close(o->fd) != 0 && e == 0)
		e = errno;
	o->fd = -1;
	if (e)
		status = fail(o, e, err);
	btviz_output_drop(o);
	return status;
}

void btviz_output_drop(struct btviz_output *o)
{
	if (!o)
		return;
	if (o->fd >= 0)
		close(o->fd);
	if (o->temporary[0])
		unlinkat(o->dir, o->temporary, 0);
	be_deaf(o, false);
	if (o->dir >= 0)
		close(o->dir);
	free(o->path);
	free(o);
}

/* ---- in one go ---------------------------------------------------------------------------------
 */

static enum btviz_status write_file(
	const void *data, size_t size, const char *path, uint32_t flags, struct btviz_error *err)
{
	struct btviz_output *o;
	enum btviz_status status = btviz_output_open(path, flags, &o, err);
	int e;

	if (status != BTVIZ_OK)
		return status;
	e = write_all(o->fd, data, size);
	if (e == 0)
		return btviz_output_finish(o, err);
	status = fail(o, e, err);
	btviz_output_drop(o);
	return status;
}

enum btviz_status btvi_output_file(
	const void *data, size_t size, const char *path, struct btviz_error *err)
{
	return write_file(data, size, path, 0, err);
}

enum btviz_status btvi_output_record(
	const void *data, size_t size, const char *path, struct btviz_error *err)
{
	return write_file(data, size, path, BTVIZ_OUTPUT_DURABLE, err);
}

enum btviz_status btvi_output_create(const char *path, int *ret_fd, struct btviz_error *err)
{
	struct btviz_output *o;
	enum btviz_status status = btviz_output_open(path, 0, &o, err);
	int fd;

	if (status != BTVIZ_OK)
		return status;
	fd = fcntl(o->fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0 || fcntl(fd, F_SETFL, O_APPEND) != 0) {
		status = fail(o, errno, err);
		btviz_output_drop(o);
	} else {
		status = btviz_output_finish(o, err);
	}
	if (status != BTVIZ_OK && fd >= 0)
		close(fd);
	if (status == BTVIZ_OK)
		*ret_fd = fd;
	return status;
}

enum btviz_status btvi_output_fd(const void *data, size_t size, int fd, struct btviz_error *err)
{
	const int e = write_all(fd, data, size);

	return e ? btvi_fail_errno(err, e, "cannot write the picture") : BTVIZ_OK;
}
