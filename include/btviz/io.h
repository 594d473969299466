/* btviz/io.h - I/Os: each from its queueing to its completion, made of events.
 *
 *     struct btviz_ios *ios = btviz_ios_new();
 *     while ((status = btviz_trace_next(trace, &ev, &err)) == BTVIZ_OK) {
 *             if (btviz_ios_add(ios, ev, &err) != BTVIZ_OK)
 *                     break;
 *             while ((io = btviz_ios_next(ios)))
 *                     printf("%llu\n", (unsigned long long)(io->complete_ns - io->queue_ns));
 *     }
 *     btviz_ios_free(ios);
 *
 * An I/O is what was queued (blkparse's Q). On a disk several may be merged into one request, and
 * complete with it; on md and dm one may complete in pieces, and is over with its last. Memory is
 * bounded by what is open at once. For figures of a whole run see btviz/summary.h: they are made of
 * the same I/Os. */
#ifndef BTVIZ_IO_H
#define BTVIZ_IO_H

#include <stdint.h>

#include <btviz/event.h>
#include <btviz/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A time of a station that an I/O did not pass, or that the trace does not tell. */
#define BTVIZ_TIME_UNKNOWN UINT64_MAX

/* Times are ns on the trace's own clock. Fields may be appended. */
struct btviz_io {
	uint32_t device;
	uint32_t pid; /* who queued it; where no queueing was seen, who completed it */
	enum btviz_op op;
	int error;          /* negative errno of its completion, or 0 */
	uint64_t sector;    /* first sector, absolute on the whole disk */
	uint64_t bytes;     /* 0: a flush alone */
	uint64_t cgroup_id; /* 0 where there is none */
	uint64_t queue_ns;  /* Q */
	uint64_t get_ns;    /* G */
	uint64_t merge_ns;  /* M or F */
	uint64_t insert_ns; /* I */
	uint64_t issue_ns;  /* D, the last one where it was requeued */
	uint64_t complete_ns;
};

struct btviz_ios;

/* NULL: no memory. Free it with btviz_ios_free(). Since 0.1. */
BTVIZ_EXPORT struct btviz_ios *btviz_ios_new(void);
BTVIZ_EXPORT void btviz_ios_free(struct btviz_ios *ios);

/* Takes the next event of a run, in the order in which btviz_trace_next() gives them; ev is not
 * needed afterwards. I/Os that were not fetched are passed over. BTVIZ_OK, BTVIZ_ERR_LIMIT (more
 * devices than a run may have), BTVIZ_ERR_NOMEM. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_ios_add(
	struct btviz_ios *ios, const struct btviz_event *ev, struct btviz_error *err);

/* The next I/O that the event added last has completed, NULL after the last. Borrowed: valid until
 * the next call on ios. Where no queueing is in the trace, these are the requests. Since 0.1. */
BTVIZ_EXPORT const struct btviz_io *btviz_ios_next(struct btviz_ios *ios);

/* After the last event: the next of the I/Os that never ended, in no order, NULL after the last;
 * its complete_ns is BTVIZ_TIME_UNKNOWN. Borrowed as above. Since 0.2. */
BTVIZ_EXPORT const struct btviz_io *btviz_ios_next_open(struct btviz_ios *ios);

#ifdef __cplusplus
}
#endif

#endif
