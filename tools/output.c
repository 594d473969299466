/* output.c - temporary file and rename. Knows nothing of what is written. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

/* ---- a temporary file that does not outlive us ----------------------------------------------- */

static char *volatile guarded;

static void unlink_and_end(int sig)
{
	if (guarded)
		unlink(guarded);
	signal(sig, SIG_DFL);
	raise(sig);
}

void output_guard(char *temporary)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGTERM };
	static bool installed;

	guarded = temporary;
	for (size_t i = 0; !installed && i < sizeof ends / sizeof ends[0]; i++) {
		struct sigaction former;

		/* Who was told not to care, by nohup, goes on not to. */
		if (sigaction(ends[i], NULL, &former) == 0 && former.sa_handler == SIG_DFL)
			signal(ends[i], unlink_and_end);
	}
	installed = true;
}

/* ---- the file -------------------------------------------------------------------------------- */

static const char suffix[] = ".XXXXXX";

static bool fail(struct output *o, const char *what, const char *path)
{
	say("%s: cannot %s: %s", path, what, strerror(errno));
	output_drop(o);
	return false;
}

/* The mode that open(path, O_CREAT, 0666) would have given; an existing file keeps its own. */
static mode_t wanted_mode(const char *target)
{
	struct stat st;
	const mode_t mask = umask(0);

	umask(mask);
	return stat(target, &st) == 0 ? st.st_mode & 07777 : 0666 & ~mask;
}

bool output_open(struct output *o, const char *path)
{
	struct stat st;
	size_t size;
	int fd;

	*o = (struct output){ .path = path };
	if (!path || strcmp(path, "-") == 0) {
		o->file = stdout;
		return true;
	}
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		o->file = fopen(path, "we");
		return o->file ? true : fail(o, "write", path);
	}
	/* Through a symbolic link: the file it names is replaced, the link stays. */
	o->target = realpath(path, NULL);
	if (!o->target)
		o->target = strdup(path);
	size = o->target ? strlen(o->target) + sizeof suffix : 0;
	o->temporary = o->target ? malloc(size) : NULL;
	if (!o->temporary) {
		errno = ENOMEM;
		return fail(o, "write", path);
	}
	snprintf(o->temporary, size, "%s%s", o->target, suffix);
	fd = mkostemp(o->temporary, O_CLOEXEC);
	if (fd < 0) {
		free(o->temporary);
		o->temporary = NULL;
		return fail(o, "write", path);
	}
	output_guard(o->temporary);
	if (fchmod(fd, wanted_mode(o->target)) != 0 || !(o->file = fdopen(fd, "w"))) {
		close(fd);
		return fail(o, "write", path);
	}
	return true;
}

bool output_finish(struct output *o)
{
	const bool failed = fflush(o->file) != 0 || ferror(o->file);

	if (!o->temporary) {
		if (o->file == stdout)
			return !failed;
		if (failed || fclose(o->file) != 0) {
			o->file = failed ? o->file : NULL;
			return fail(o, "write", o->path);
		}
		o->file = NULL;
		return true;
	}
	if (failed)
		return fail(o, "write", o->path);
	const int closed = fclose(o->file);

	o->file = NULL;
	if (closed != 0)
		return fail(o, "write", o->path);
	if (rename(o->temporary, o->target) != 0)
		return fail(o, "replace", o->path);
	output_guard(NULL);
	free(o->temporary);
	free(o->target);
	*o = (struct output){ .file = NULL };
	return true;
}

void output_drop(struct output *o)
{
	if (o->file && o->file != stdout)
		fclose(o->file);
	if (o->temporary) {
		unlink(o->temporary);
		output_guard(NULL);
	}
	free(o->temporary);
	free(o->target);
	*o = (struct output){ .file = NULL };
}
