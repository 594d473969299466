/* base/control.h - small files of /proc, sysfs and tracefs: one value in, one value out. */
#ifndef BTVI_BASE_CONTROL_H
#define BTVI_BASE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first line of dir/name (name may be ""), without its end; cut to size - 1 bytes. False (errno
 * set) where it cannot be read. */
bool btvi_control_line(const char *dir, const char *name, char *line, size_t size);

/* The number that the file begins with, 0 where there is none. */
uint64_t btvi_control_number(const char *dir, const char *name);

/* Writes text. False (errno set) where the kernel refuses. */
bool btvi_control_write(const char *dir, const char *name, const char *text);

/* The whole file, or of a longer one somewhat more than limit bytes, with a NUL behind. NULL (errno
 * set) or the caller's to free. ret_size may be NULL. */
char *btvi_control_text(const char *dir, const char *name, size_t limit, size_t *ret_size);

#endif
