/* output.c - where a command's result goes: standard output, or a file by the library's
 * btviz_output. Knows nothing of what is written. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "say.h"

bool output_open(struct output *o, const char *path)
{
	struct btviz_error err;
	int fd;

	*o = (struct output){ .path = path };
	if (!path || strcmp(path, "-") == 0) {
		o->file = stdout;
		return true;
	}
	if (btviz_output_open(path, 0, &o->output, &err) != BTVIZ_OK) {
		say_error(&err);
		return false;
	}
	fd = fcntl(btviz_output_fd(o->output), F_DUPFD_CLOEXEC, 0);
	o->file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (o->file)
		return true;
	say("%s: cannot write: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	output_drop(o);
	return false;
}

bool output_finish(struct output *o)
{
	struct btviz_output *const output = o->output;
	const bool failed = fflush(o->file) != 0 || ferror(o->file);
	struct btviz_error err;

	if (!output)
		return !failed;
	if (failed) {
		say("%s: cannot write: %s", o->path, strerror(errno));
		output_drop(o);
		return false;
	}
	fclose(o->file);
	*o = (struct output){ .file = NULL };
	if (btviz_output_finish(output, &err) == BTVIZ_OK)
		return true;
	say_error(&err);
	return false;
}

void output_drop(struct output *o)
{
	if (o->file && o->file != stdout)
		fclose(o->file);
	btviz_output_drop(o->output);
	*o = (struct output){ .file = NULL };
}
