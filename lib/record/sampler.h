/* record/sampler.h - readings of /proc/vmstat and /proc/stat into NAME.samples.csv; the columns are
 * told in <btviz/samples.h>. Has no clock of its own: the caller says when. */
#ifndef BTVI_RECORD_SAMPLER_H
#define BTVI_RECORD_SAMPLER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <btviz/status.h>

struct btvi_sampler {
	const char *proc; /* "/proc" */
	FILE *file;
	char *path;
	int vmstat_fd, stat_fd;
	char *text; /* of one reading */
	size_t text_room;
	char *line;      /* to be written: 32 bytes a column */
	uint64_t *cells; /* one row */
	size_t columns, vm_columns, cpus;
	unsigned char *vm_index; /* column to which of the known figures */
	double tick_s;
	uint64_t rows;
};

/* Begins the file with its head: the columns that this kernel has. BTVIZ_ERR_IO, BTVIZ_ERR_NOMEM.
 */
enum btviz_status btvi_sampler_open(
	struct btvi_sampler *s, const char *proc, const char *path, struct btviz_error *err);

/* One reading, one line. BTVIZ_ERR_IO. */
enum btviz_status btvi_sampler_take(
	struct btvi_sampler *s, uint64_t now_ns, struct btviz_error *err);

/* Writes what is held back and closes the file. */
enum btviz_status btvi_sampler_close(struct btvi_sampler *s, struct btviz_error *err);

#endif
