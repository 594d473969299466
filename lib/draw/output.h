/* draw/output.h - finished bytes into a file, all or nothing. */
#ifndef BTVI_DRAW_OUTPUT_H
#define BTVI_DRAW_OUTPUT_H

#include <btviz/status.h>

#include "draw/bytes.h"

/* Writes to a temporary file beside path and renames it. A symbolic link stays one: its target is
 * replaced. What is no regular file (a pipe, a device) is written to as it is. The mode is that of
 * a new file under the umask, or the former file's. On failure nothing is left and path is
 * unchanged. */
enum btviz_status btvi_output_file(
	const struct btvi_bytes *b, const char *path, struct btviz_error *err);

enum btviz_status btvi_output_fd(const struct btvi_bytes *b, int fd, struct btviz_error *err);

#endif
