/* record.h - from devices and a program to trace files.
 *
 * A recorder finds the devices (an array's members too), switches tracing on, runs the program, and
 * writes NAME.<device>.blktrace.<cpu> (ordinary streams, which blkparse reads too), NAME.btviz.json
 * (metadata.h) and NAME.samples.csv (samples.h). Two back ends: the kernel's own blk tracer, read
 * through tracefs, and the installed blktrace program.
 *
 * The tracer's state is put back at the end, whatever happens: a small process of its own watches
 * over the recorder and does it when the recorder is killed. It is started by btviz_recorder_run()
 * with fork(), and so is the program; the caller's other children are not touched.
 *
 *     struct btviz_recorder_options o = BTVIZ_RECORDER_OPTIONS_INIT;
 *     o.devices = devs; o.device_count = 1; o.name = "md0.trace"; o.argv = argv;
 *     btviz_recorder_open(&o, &r, &err);
 *     btviz_recorder_run(r, &err);          // a signal handler may call btviz_recorder_stop(r, 0)
 *     exit_status = btviz_recorder_result(r)->exit_status;
 *     btviz_recorder_close(r); */
#ifndef BTVIZ_RECORD_H
#define BTVIZ_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct btviz_recorder;

enum btviz_recorder_backend {
	BTVIZ_RECORDER_AUTO = 0, /* tracefs where the kernel has it, else blktrace */
	BTVIZ_RECORDER_TRACEFS = 1,
	BTVIZ_RECORDER_BLKTRACE = 2,
};

struct btviz_recorder_options {
	size_t size; /* = sizeof of this struct, set by BTVIZ_RECORDER_OPTIONS_INIT */
	const char *const *devices; /* "/dev/md0", "md0", "9:0" */
	size_t device_count;
	const char *name;            /* NAME, may hold directories */
	const char *const *argv;     /* the program, ends with NULL; NULL: none */
	uint64_t duration_ns;        /* 0: until the program ends, or btviz_recorder_stop() */
	uint64_t sample_interval_ns; /* 0: 100 ms */
	uint32_t buffer_kb;          /* of each CPU, 0: a good default */
	enum btviz_recorder_backend backend;
	bool no_members; /* only the devices named */
	bool no_samples;
	/* Called for each warning (and nothing else), from within the calls below. NULL: none. */
	void (*warn)(void *data, const char *text);
	void *data;
	const char *blktrace; /* path of the program, NULL: where it is usually installed */
	/* A recording of that name that is there is replaced, once the program runs; else it is an
	 * error. */
	bool replace;
};
#define BTVIZ_RECORDER_OPTIONS_INIT                                                  \
	{                                                                            \
		sizeof(struct btviz_recorder_options), NULL, 0, NULL, NULL, 0, 0, 0, \
			BTVIZ_RECORDER_AUTO, false, false, NULL, NULL, NULL, false   \
	}

/* How a recording went. Fields may be appended. */
struct btviz_recorder_result {
	bool has_exit_status;
	int exit_status; /* the program's; 128 + signal when one killed it; 127, 126 when it could
			    not be run */
	uint64_t elapsed_ns; /* of the program, or of the recording */
	uint64_t events;     /* I/O events written */
	uint64_t lost_events;
	uint64_t bytes;        /* written into streams */
	size_t devices;        /* traced */
	uint64_t wakeups;      /* of the recorder */
	double recorder_cpu_s; /* CPU time of the recorder while the program ran (tracefs), or of
				  blktrace */
	const char *backend;   /* "tracefs" or "blktrace" */
};

/* Resolves the devices and checks that tracing is possible; changes nothing. All strings are
 * copied. BTVIZ_OK: *ret_r is the caller's, free it with btviz_recorder_close(). BTVIZ_ERR_USAGE,
 * BTVIZ_ERR_NOT_FOUND (no such device or program), BTVIZ_ERR_UNSUPPORTED (permission, lockdown or
 * kernel option: the message says which and how to get it), BTVIZ_ERR_BUSY (another tracer, or a
 * device that is traced already: the message says what to look for; or a recording that is not to
 * be replaced), BTVIZ_ERR_LIMIT, BTVIZ_ERR_IO, BTVIZ_ERR_NOMEM. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_recorder_open(const struct btviz_recorder_options *options,
	struct btviz_recorder **ret_r, struct btviz_error *err);

/* Records until the program ends, the duration is over, or btviz_recorder_stop() was called; then
 * puts everything back. To be called once. On an error too the state is put back and what was
 * written is whole. A program that fails is no error: see its exit status. Where it cannot be run
 * (BTVIZ_ERR_NOT_FOUND, BTVIZ_ERR_UNSUPPORTED; exit status 127, 126) or btviz_recorder_stop() comes
 * before it runs (BTVIZ_ERR_BUSY; 128 + signal), no file is made or replaced. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_recorder_run(
	struct btviz_recorder *r, struct btviz_error *err);

/* Asks a running btviz_recorder_run() to end: sends the signal to the program (0: none) and waits
 * for it; a second call does not wait any longer. May be called from a signal handler or another
 * thread. Since 0.1. */
BTVIZ_EXPORT void btviz_recorder_stop(struct btviz_recorder *r, int signal);

/* Borrowed: valid until r is closed. Since 0.1. */
BTVIZ_EXPORT const struct btviz_recorder_result *btviz_recorder_result(
	const struct btviz_recorder *r);

/* Frees it. NULL is nothing. Since 0.1. */
BTVIZ_EXPORT void btviz_recorder_close(struct btviz_recorder *r);

/* Puts back what a killed recorder (and its killed guardian) left behind. BTVIZ_OK: *ret_count
 * steps were done, 0: there was nothing. BTVIZ_ERR_BUSY: a recorder is running.
 * BTVIZ_ERR_UNSUPPORTED (not allowed), BTVIZ_ERR_IO. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_recorder_cleanup(size_t *ret_count, struct btviz_error *err);

#ifdef __cplusplus
}
#endif
#endif
