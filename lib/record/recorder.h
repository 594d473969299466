/* record/recorder.h - the inside of struct btviz_recorder, shared by record.c (open, stop, close)
 * and session.c (the run). */
#ifndef BTVI_RECORD_RECORDER_H
#define BTVI_RECORD_RECORDER_H

#include <stdatomic.h>

#include <btviz/record.h>

#include "base/status.h"

#include "record/backend.h"
#include "record/blktrace.h"
#include "record/devices.h"
#include "record/guardian.h"
#include "record/metadata_write.h"
#include "record/program.h"
#include "record/sampler.h"
#include "record/streams.h"
#include "record/tracefs.h"
#include "record/undo.h"

#define BTVI_RECORD_SYS   "/sys"
#define BTVI_RECORD_PROC  "/proc"
#define BTVI_RECORD_STATE "/run/btviz-record.state"

enum { BTVI_SIGNALS = 96 };

struct btviz_recorder {
	/* what was asked for; copies */
	char *name;
	char **argv; /* NULL: no program */
	uint64_t duration_ns, sample_interval_ns;
	uint32_t buffer_kb;
	bool no_samples;
	void (*warn)(void *data, const char *text);
	void *data;
	char *blktrace_path;

	struct btvi_devices devices;
	const struct btvi_backend *backend;
	struct btvi_undo undo;
	struct btvi_guardian guardian;
	struct btvi_tracefs tracefs;
	struct btvi_blktrace blktrace;

	/* of the run */
	struct btvi_ring ring;
	struct btvi_streams streams;
	struct btvi_sampler sampler;
	struct btvi_program program;
	uint64_t start_ns, end_ns, wall_ns;
	uint64_t *cpu_lost;            /* of each of tracefs.cpus */
	bool sampling, tracing, begun; /* begun: the files are this recording's */
	bool busy;                     /* a buffer was well filled: look sooner */

	/* set by btviz_recorder_stop(), from anywhere */
	atomic_int stops;
	atomic_uint signals[BTVI_SIGNALS / 32]; /* to be passed on, a bit each */
	int wake_fd;

	struct btviz_recorder_result result;
};

/* Gives the caller a warning. */
void btvi_recorder_warn(const struct btviz_recorder *r, const char *format, ...) BTVI_PRINTF(2, 3);

/* major << 8 | minor of the running kernel, 0 where it does not say. */
unsigned btvi_kernel_version(void);

#endif
