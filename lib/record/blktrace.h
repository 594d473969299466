/* record/blktrace.h - the installed blktrace program as a back end: one process for all devices. */
#ifndef BTVI_RECORD_BLKTRACE_H
#define BTVI_RECORD_BLKTRACE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <btviz/status.h>

#include "record/devices.h"

struct btvi_blktrace {
	const char *program;
	char *dir; /* its own, beside the output, until its files are renamed */
	pid_t pid;
	int out_fd; /* what it prints */
	char *printed;
	size_t printed_size;
	double cpu_s;
	uint64_t events, dropped, bytes;
	int version; /* of the records, 0: none */
};

/* Finds the program (path NULL: in the usual places) and looks whether it can work here. Changes
 * nothing. BTVIZ_ERR_UNSUPPORTED, BTVIZ_ERR_BUSY. */
enum btviz_status btvi_blktrace_open(struct btvi_blktrace *b, const char *path,
	const struct btvi_devices *devices, struct btviz_error *err);

/* Starts it and waits until it traces all devices. */
enum btviz_status btvi_blktrace_start(struct btvi_blktrace *b, const char *name,
	const struct btvi_devices *devices, struct btviz_error *err);

/* Takes what it printed; to be called when out_fd is readable. */
void btvi_blktrace_listen(struct btvi_blktrace *b);

/* Ends it, reads its figures, and renames its files to NAME.<device>.blktrace.<cpu>; name NULL:
 * removes them. */
enum btviz_status btvi_blktrace_stop(
	struct btvi_blktrace *b, const char *name, struct btviz_error *err);

/* Sums up the figures in what blktrace prints at its end ("Total: 104914 events (dropped 3153),
 * …"). */
void btvi_blktrace_figures(const char *printed, uint64_t *ret_events, uint64_t *ret_dropped);

void btvi_blktrace_done(struct btvi_blktrace *b);

#endif
