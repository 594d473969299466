/* measure/gap.h - stretches in which a device makes no progress, from exact event times.
 *
 * The tracker is told of submissions, issues and completions and keeps every pause's length in a
 * histogram and the longest pauses whole. What counts as a gap, an unusual pause, is decided when
 * figures are asked for: only then is it known what was usual. */
#ifndef BTVI_MEASURE_GAP_H
#define BTVI_MEASURE_GAP_H

#include <stdbool.h>

#include <btviz/status.h>
#include <btviz/summary.h>

#include "base/histogram.h"
#include "base/limits.h"

/* Kinds that are tracked; slow phases are found in the series. */
enum { BTVI_PAUSE_KINDS = BTVIZ_GAP_DEVICE + 1 };

/* So many of the open I/Os may turn out to be lost, and what a pause then was is known. */
enum { BTVI_DOUBTS = 3 };

#define BTVI_GAP_MIN_NS UINT64_C(50000000) /* shorter pauses are never gaps by default */

struct btvi_pause {
	uint64_t start_ns, end_ns;
	uint64_t length_ns; /* what is compared with the threshold: the idle part of a submit gap */
	uint32_t outstanding;
	uint32_t flushes; /* queued in it */
	uint32_t before_pid, after_pid;
	uint32_t lost;                        /* of those open, turned out to be lost so far */
	uint64_t lengths_ns[BTVI_DOUBTS + 1]; /* length_ns for each number of lost ones; 0: none */
};

struct btvi_pause_list {
	struct btvi_pause *items; /* a heap, shortest first */
	uint32_t count;
	uint64_t left_out;              /* pauses worth keeping that had to go */
	struct btvi_histogram *lengths; /* of all pauses of the kind */
};

struct btvi_gaps {
	struct btvi_pause_list lists[BTVI_PAUSE_KINDS];
	/* what would be worth keeping if some of what was open were lost; without lengths */
	struct btvi_pause_list doubtful[BTVI_PAUSE_KINDS];
	uint64_t unclear; /* pauses in which more were lost than there are doubts: of no kind */
	uint64_t keep_ns; /* pauses at least as long are worth keeping */
	unsigned coarse;  /* of the histograms */

	/* submit: since the last submission, and how long so many were outstanding since then */
	uint64_t last_queue_ns, idle_by_depth_ns[BTVI_DOUBTS + 1];
	uint32_t last_pid;
	uint32_t flushes;
	bool queued, waiting, working;
	/* where the first submission was, to join parts of a run */
	uint64_t first_queue_ns;
	uint32_t first_pid;
	/* queue and device: since the last progress, while there is something to progress with */
	uint64_t queue_since_ns, device_since_ns, last_issue_ns, last_complete_ns;
	uint32_t queue_outstanding;
	/* the state, since when, and when it last rose above, or fell to, so many */
	uint32_t outstanding, in_flight;
	uint64_t since_ns;
	uint64_t outstanding_rose_ns[BTVI_DOUBTS + 1];
	uint64_t in_flight_rose_ns[BTVI_DOUBTS + 1], in_flight_fell_ns[BTVI_DOUBTS + 1];
};

void btvi_gaps_init(struct btvi_gaps *g, uint64_t keep_ns);
void btvi_gaps_done(struct btvi_gaps *g);
void btvi_gaps_coarsen(struct btvi_gaps *g, unsigned coarse);

/* Something with bytes was queued; to be called before outstanding changes. */
enum btviz_status btvi_gaps_queue(struct btvi_gaps *g, uint64_t time_ns, uint32_t pid);

/* A flush was queued: no data is submitted, but a pause that has some is not empty. */
static inline void btvi_gaps_flush(struct btvi_gaps *g)
{
	if (g->flushes < UINT32_MAX)
		g->flushes++;
}

/* Something was issued (to the disk), something was completed; before in flight changes. */
enum btviz_status btvi_gaps_issue(struct btvi_gaps *g, uint64_t time_ns);
enum btviz_status btvi_gaps_complete(struct btvi_gaps *g, uint64_t time_ns, uint32_t outstanding);

/* So many were outstanding up to then. */
static inline void btvi_gaps_pass_time(struct btvi_gaps *g, uint64_t time_ns)
{
	if (time_ns <= g->since_ns)
		return;
	if (g->outstanding <= BTVI_DOUBTS)
		g->idle_by_depth_ns[g->outstanding] += time_ns - g->since_ns;
	g->since_ns = time_ns;
}

/* The state after an event: outstanding I/Os; requests in flight (on bio devices outstanding too).
 */
static inline void btvi_gaps_state(
	struct btvi_gaps *g, uint64_t time_ns, uint32_t outstanding, uint32_t in_flight)
{
	if (outstanding != g->outstanding) {
		btvi_gaps_pass_time(g, time_ns);
		if (outstanding > g->outstanding && outstanding <= BTVI_DOUBTS + 1)
			g->outstanding_rose_ns[outstanding - 1] = time_ns;
		g->outstanding = outstanding;
	}
	if (in_flight > g->in_flight && in_flight <= BTVI_DOUBTS + 1)
		g->in_flight_rose_ns[in_flight - 1] = time_ns;
	else if (in_flight < g->in_flight && in_flight <= BTVI_DOUBTS)
		g->in_flight_fell_ns[in_flight] = time_ns;
	g->in_flight = in_flight;
	if (in_flight > 0 && !g->working)
		g->device_since_ns = time_ns;
	g->working = in_flight > 0;

	const bool waiting = outstanding > 0 && in_flight == 0;

	if (waiting && !g->waiting) {
		g->queue_since_ns = time_ns;
		g->queue_outstanding = outstanding;
	}
	g->waiting = waiting;
}

/* Something was completed whose issue is missing: nothing waited for one. */
void btvi_gaps_unissued(struct btvi_gaps *g, uint64_t time_ns);

/* An I/O that was counted as outstanding (or, in_flight, as in flight) from then to now was not
 * there, or, found, was there after all. Before the state is told. */
enum btviz_status btvi_gaps_lose(struct btvi_gaps *g, uint64_t since_ns, uint64_t now_ns,
	bool outstanding, bool in_flight, bool found);

/* Adds the gaps of part, whose times follow. */
enum btviz_status btvi_gaps_merge(struct btvi_gaps *g, const struct btvi_gaps *part);

#endif
