/* base/output.h - files that are written whole or not at all. */
#ifndef BTVI_BASE_OUTPUT_H
#define BTVI_BASE_OUTPUT_H

#include <limits.h>
#include <signal.h>
#include <stddef.h>

#include <btviz/status.h>

/* A file on its way. */
struct btvi_output {
	int fd; /* to be written to */
	const char *path;
	char target[PATH_MAX];
	char temporary[PATH_MAX + 64]; /* "": the target is written to as it is */
	sigset_t former;
};

/* Opens a temporary file beside path. A symbolic link stays one: its target is replaced. What is no
 * regular file (a pipe, a device) is written to as it is. The mode is that of a new file under the
 * umask, or the former file's. Until it is ended, this thread takes no signals: who ends the
 * program is heard then, and no temporary file stays. path is borrowed. BTVIZ_OK: to be ended by
 * one of the two below; BTVIZ_ERR_IO, BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_output_open(
	struct btvi_output *o, const char *path, struct btviz_error *err);

/* Puts the file in its place. On failure nothing is left, and path is unchanged. */
enum btviz_status btvi_output_finish(struct btvi_output *o, struct btviz_error *err);

/* Leaves everything as it was. */
void btvi_output_drop(struct btvi_output *o);

/* Opens, writes size bytes, finishes. */
enum btviz_status btvi_output_file(
	const void *data, size_t size, const char *path, struct btviz_error *err);

/* Writes size bytes to an open descriptor. */
enum btviz_status btvi_output_fd(const void *data, size_t size, int fd, struct btviz_error *err);

#endif
