/* trace.h - from bytes to events in time order.
 *
 * Two ways in. A *decoder* takes bytes from anywhere, in pieces of any size, and gives the records
 * in them; it does no input of its own. A *trace* finds the files that a name stands for (per-CPU
 * streams of one or many devices, dumps, pipes, compressed files, archives), decodes and merges
 * them, and gives one sequence of events ordered by time.
 *
 * Damage never stops either: it is counted in struct btviz_health, and what is whole is handed out.
 * Handles are not thread-safe; distinct handles are independent. */
#ifndef BTVIZ_TRACE_H
#define BTVIZ_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/event.h>
#include <btviz/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What was met while decoding and merging. Counts, handed out by address; fields may be appended.
 */
struct btviz_health {
	uint64_t bytes;       /* read from the streams, after decompression */
	uint64_t streams;     /* opened (per-CPU files, archive members, pipes) */
	uint64_t events;      /* I/O events handed out */
	uint64_t notes;       /* notes handed out */
	uint64_t lost_events; /* known to be missing: holes in sequences, or as the recorder said */
	uint64_t sequence_holes;   /* number of holes behind lost_events */
	uint64_t torn_tails;       /* streams that end inside a record */
	uint64_t bad_bytes;        /* skipped: no record there */
	uint64_t bad_stretches;    /* number of stretches behind bad_bytes */
	uint64_t first_bad_offset; /* in its stream; valid where bad_stretches > 0 */
	uint64_t unknown_actions;  /* events whose number is not known */
	uint64_t odd_fields;  /* records with an absurd field (CPU out of range ...), used as far as
				 sane */
	uint64_t late_events; /* came too late to be put in order (flag BTVIZ_EV_LATE) */
	uint64_t repeated_events; /* a (device, CPU, sequence) seen before: dropped */
	uint64_t steps_back;      /* times that a stream's clock went back */
	uint64_t no_payload;      /* remaps, splits whose payload the recorder did not keep */
	uint32_t versions; /* bit 0: version 7 seen, bit 1: version 8 seen, bit 2: other-endian */
	uint64_t left_out_events; /* of more devices than a summary keeps (1024) */
	uint64_t wrong_times;   /* records set aside: their neighbours in the sequence leave no room
				   for their time */
	uint64_t wrong_time_ns; /* the time that the first of them says; this and what
				   follows are valid where wrong_times > 0 */
	uint32_t wrong_time_device, wrong_time_cpu, wrong_time_sequence;
	uint32_t packing; /* BTVIZ_PACKING_...: what was wrong with an archive or compressed file */
};

/* Bits of health.packing. What could be unpacked was read all the same. */
enum {
	BTVIZ_PACKING_NO_END = 1 << 0, /* an archive without its end mark: members may be missing */
	BTVIZ_PACKING_HEADER = 1 << 1, /* a member's header is damaged: members are missing */
	BTVIZ_PACKING_BEHIND = 1 << 2, /* bytes behind the end that are not packed */
	BTVIZ_PACKING_WARNING = 1 << 3, /* something that the unpacker warned of */
};

/* ---- decoder ------------------------------------------------------------------------------- */

struct btviz_decoder;

/* A new decoder, or NULL when out of memory. Free it with btviz_decoder_free(). Since 0.1. */
BTVIZ_EXPORT struct btviz_decoder *btviz_decoder_new(void);
BTVIZ_EXPORT void btviz_decoder_free(struct btviz_decoder *d);

/* Gives the decoder bytes that follow those it had. They are borrowed: they must stay valid and
 * unchanged until next() returns BTVIZ_NEED_INPUT. Only to be called at the start or after
 * BTVIZ_NEED_INPUT. Since 0.1. */
BTVIZ_EXPORT void btviz_decoder_feed(struct btviz_decoder *d, const void *bytes, size_t size);

/* Says that no bytes follow; next() then gives what is left, and BTVIZ_END. Since 0.1. */
BTVIZ_EXPORT void btviz_decoder_feed_end(struct btviz_decoder *d);

/* The next record. BTVIZ_OK: *ret_ev is valid until the next call on d, or its free.
 * BTVIZ_NEED_INPUT, BTVIZ_END, or BTVIZ_ERR_VERSION (a version below 7; the decoder stays there),
 * BTVIZ_ERR_NOT_A_TRACE (no record in the whole stream; only at its end), BTVIZ_ERR_NOMEM. Since
 * 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_decoder_next(
	struct btviz_decoder *d, const struct btviz_event **ret_ev, struct btviz_error *err);

/* What was met so far. Borrowed: valid until d is freed. Since 0.1. */
BTVIZ_EXPORT const struct btviz_health *btviz_decoder_health(const struct btviz_decoder *d);

/* ---- trace --------------------------------------------------------------------------------- */

struct btviz_trace;

struct btviz_trace_options {
	size_t size;     /* = sizeof of this struct, set by BTVIZ_TRACE_OPTIONS_INIT */
	const char *dir; /* where relative names are looked for (-D), NULL: the current directory */
	uint32_t window_events; /* records held back to put an unordered stream in order, 0: a good
				   default */
};
#define BTVIZ_TRACE_OPTIONS_INIT                            \
	{                                                   \
		sizeof(struct btviz_trace_options), NULL, 0 \
	}

/* Opens what NAME stands for: "-" is standard input, a directory means every trace in it, else a
 * file, NAME.blktrace.N, or NAME.*.blktrace.N; "A,B,C" joins several. options may be NULL.
 * BTVIZ_OK: *ret_t is the caller's, close it with btviz_trace_close(). BTVIZ_ERR_NOT_FOUND (the
 * message says what was tried), BTVIZ_ERR_IO, BTVIZ_ERR_NOT_A_TRACE, BTVIZ_ERR_LIMIT,
 * BTVIZ_ERR_USAGE, BTVIZ_ERR_UNSUPPORTED, BTVIZ_ERR_NOMEM. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_trace_open(const char *name,
	const struct btviz_trace_options *options, struct btviz_trace **ret_t,
	struct btviz_error *err);

/* A trace whose bytes the caller brings: read() is asked for up to size bytes and returns how many
 * it gave, 0 at the end, or a negative errno; it may give fewer than asked for, and is asked by the
 * thread that calls btviz_trace_open_callback() or btviz_trace_next(), as far as these need. name
 * is for messages. Compressed bytes and archives are read too. BTVIZ_OK: *ret_t is the caller's,
 * close it with btviz_trace_close(); data must last as long. Errors as of btviz_trace_open(). Since
 * 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_trace_open_callback(const char *name,
	ptrdiff_t (*read)(void *data, void *buffer, size_t size), void *data,
	const struct btviz_trace_options *options, struct btviz_trace **ret_t,
	struct btviz_error *err);

/* The next event in time order, notes included. BTVIZ_OK: *ret_ev is valid until the next call on
 * t, or its close. BTVIZ_END, or an error (read error, version). Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_trace_next(
	struct btviz_trace *t, const struct btviz_event **ret_ev, struct btviz_error *err);

/* Closes it. NULL is nothing. Since 0.1. */
BTVIZ_EXPORT void btviz_trace_close(struct btviz_trace *t);

/* What was met so far, all streams together. Borrowed: valid until t is closed. Since 0.1. */
BTVIZ_EXPORT const struct btviz_health *btviz_trace_health(struct btviz_trace *t);

/* The name of a device as far as the file names tell it ("sdb", "cciss/c0d0"), else "8,16". Known
 * once an event of the device has been handed out. Borrowed: valid until the next call on t. Since
 * 0.1. */
BTVIZ_EXPORT const char *btviz_trace_device_name(struct btviz_trace *t, uint32_t device);

#ifdef __cplusplus
}
#endif
#endif
