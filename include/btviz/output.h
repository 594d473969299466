/* output.h - files that appear whole or not at all, and replace only what may be replaced.
 *
 * A file is written without a name, beside its place, and gets its name at the end; a former file
 * of that name is there until then. Where the file system cannot do without a name, it has one of
 * its own until then, and the thread takes no signals: whatever ends the program, nothing is left.
 *
 *     btviz_output_open("md0.csv", 0, &o, &err);
 *     ok = write_all(btviz_output_fd(o));
 *     if (ok)
 *             btviz_output_finish(o, &err);
 *     else
 *             btviz_output_drop(o); */
#ifndef BTVIZ_OUTPUT_H
#define BTVIZ_OUTPUT_H

#include <stdint.h>

#include <btviz/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct btviz_output;

enum btviz_output_flag {
	/* The file and its directory are on the disk when btviz_output_finish() returns: for what
	 * exists nowhere else. */
	BTVIZ_OUTPUT_DURABLE = 1,
};

/* Begins a file. A symbolic link stays one: the file that it names is replaced; a link that leads
 * nowhere is an error. What is no regular file (a pipe, a device) is written to as it is. In a
 * sticky directory that anyone may write to, another user's link or file is refused, unless it is
 * the directory's owner's, as Linux refuses it (fs.protected_symlinks, _regular). The permission
 * bits are the former file's without the set-user-id, set-group-id and sticky bits, else what the
 * umask leaves of 0666; where a privileged process replaces another user's file, it stays that
 * user's. flags: of enum btviz_output_flag. path is copied. BTVIZ_OK: *ret_o ends with one of the
 * two below. BTVIZ_ERR_IO, BTVIZ_ERR_NOMEM. Since 0.2. */
BTVIZ_EXPORT enum btviz_status btviz_output_open(
	const char *path, uint32_t flags, struct btviz_output **ret_o, struct btviz_error *err);

/* The descriptor to write to. It is the output's: do not close it. Since 0.2. */
BTVIZ_EXPORT int btviz_output_fd(const struct btviz_output *o);

/* Puts the file in its place, and frees o. On failure nothing is left, and what was there stays.
 * BTVIZ_ERR_IO. Since 0.2. */
BTVIZ_EXPORT enum btviz_status btviz_output_finish(struct btviz_output *o, struct btviz_error *err);

/* Leaves everything as it was, and frees o. NULL is nothing. Since 0.2. */
BTVIZ_EXPORT void btviz_output_drop(struct btviz_output *o);

#ifdef __cplusplus
}
#endif
#endif
