/* base/output.h - bytes into files, by way of <btviz/output.h>. */
#ifndef BTVI_BASE_OUTPUT_H
#define BTVI_BASE_OUTPUT_H

#include <stddef.h>

#include <btviz/output.h>

/* Opens, writes size bytes, finishes. */
enum btviz_status btvi_output_file(
	const void *data, size_t size, const char *path, struct btviz_error *err);

/* The same for what exists nowhere else: it is on the disk afterwards. */
enum btviz_status btvi_output_record(
	const void *data, size_t size, const char *path, struct btviz_error *err);

/* Puts an empty file in its place at once; *ret_fd appends to it and is the caller's. */
enum btviz_status btvi_output_create(const char *path, int *ret_fd, struct btviz_error *err);

/* Writes size bytes to an open descriptor. */
enum btviz_status btvi_output_fd(const void *data, size_t size, int fd, struct btviz_error *err);

#endif
