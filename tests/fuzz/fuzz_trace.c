/* fuzz_trace.c - several streams through all of the library: merged by time, summarised lane by
 * lane and together, figures, findings, courses, maps. What must hold: the order of time, the
 * counts, that parts merge to the whole, and that no figure is nonsense.
 *
 * An input is 8 bytes of options, then streams with FUZZ_STREAM_MARK between them. */
#include <btviz/summary.h>

#include "fuzz.h"
#include "measure/summary.h"
#include "mutate.h"
#include "promises.h"
#include "streams.h"
#include "trace/trace.h"

/* Takes the events of one lane, or all, into a summary; counts I/Os. */
static uint64_t read_lane(const struct btvi_sources *sources, int lane,
	const struct btviz_trace_options *trace_options, struct btviz_summary *s)
{
	struct btviz_error err = { .status = BTVIZ_OK };
	const struct btviz_event *ev;
	struct btviz_trace *t;
	uint64_t events = 0, notes = 0, late = 0, last_ns = 0;
	enum btviz_status status = btvi_trace_open_lane(sources, lane, trace_options, &t, &err);

	if (status != BTVIZ_OK) {
		require(err.status == status && err.message[0] != '\0');
		return 0;
	}
	while ((status = btviz_trace_next(t, &ev, &err)) == BTVIZ_OK) {
		if (btviz_event_is_note(ev)) {
			notes++;
		} else {
			events++;
			late += (ev->flags & BTVIZ_EV_LATE) != 0;
			require(ev->time_ns >= last_ns || (ev->flags & BTVIZ_EV_LATE));
			if (ev->time_ns > last_ns)
				last_ns = ev->time_ns;
		}
		require(btviz_trace_device_name(t, ev->device)[0] != '\0');
		require(btviz_summary_add(s, ev, &err) == BTVIZ_OK);
	}
	require(status == BTVIZ_END || (err.status == status && err.message[0] != '\0'));
	if (status == BTVIZ_END) {
		require(btviz_trace_health(t)->events == events);
		require(btviz_trace_health(t)->notes == notes);
		require(btviz_trace_health(t)->late_events == late);
	}
	btviz_summary_add_health(s, btviz_trace_health(t));
	btviz_trace_close(t);
	return events;
}

/* A summary with few buckets: they are folded more often, and cost less than 4096. */
static struct btviz_summary *summary_new(const struct btviz_summary_options *o, unsigned buckets)
{
	struct btviz_summary *s;

	require(btviz_summary_new(o, &s, NULL) == BTVIZ_OK);
	s->device_options.buckets = buckets;
	return s;
}

/* What the first 8 bytes ask for. */
static void choose(const uint8_t *o, struct btviz_summary_options *so,
	struct btviz_trace_options *to, size_t *ret_piece)
{
	static const uint64_t thresholds[] = { 0, 0, 1, 1000000, 1000000000, UINT64_MAX };

	to->window_events = (uint32_t)o[0] << (o[1] & 7);
	so->gap_threshold_ns = thresholds[o[2] % 6];
	so->seek_sectors = o[3] & 3 ? 0 : o[3];
	so->start_ns = (o[4] & 3) == 3 ? (uint64_t)o[4] << 20 : 0;
	so->end_ns = (o[5] & 3) == 3 ? so->start_ns + ((uint64_t)o[5] << 22) : 0;
	if ((o[6] & 3) == 3)
		so->last_sector =
			(so->first_sector = (uint64_t)o[6] << 10) + ((uint64_t)o[7] << 12);
	so->map_columns = 8U << (o[3] >> 6);
	so->map_rows = 16;
	so->map_owners = o[1] & 8;
	*ret_piece = o[7] & 1 ? 4096 : 1U + o[7];
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return mutate_records(data, size, max_size, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
	uint8_t *out, size_t max_size, unsigned seed)
{
	return mutate_join_records(a, a_size, b, b_size, out, max_size, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btviz_summary_options so = BTVIZ_SUMMARY_OPTIONS_INIT;
	struct btviz_trace_options to = BTVIZ_TRACE_OPTIONS_INIT;
	struct btviz_summary *whole, *joined;
	struct btvi_sources *sources;
	struct streams in;
	uint64_t whole_events, events = 0;
	size_t piece, lanes;
	unsigned buckets;

	if (size < FUZZ_TRACE_HEAD)
		return 0;
	choose(data, &so, &to, &piece);
	buckets = 64U << (data[2] >> 6);
	in = streams_divide(data + FUZZ_TRACE_HEAD, size - FUZZ_TRACE_HEAD, piece);
	sources = streams_sources(&in);
	whole = summary_new(&so, buckets);
	whole_events = read_lane(sources, BTVI_ALL_LANES, &to, whole);
	lanes = sources->lane_count;
	btvi_sources_free(sources);
	promises_summary(whole, false);
	btviz_summary_free(whole);

	/* the same, lane by lane */
	in = streams_divide(data + FUZZ_TRACE_HEAD, size - FUZZ_TRACE_HEAD, piece);
	sources = streams_sources(&in);
	joined = summary_new(&so, buckets);
	for (size_t i = 0; i < lanes; i++) {
		struct btviz_summary *const part = summary_new(&so, buckets);

		events += read_lane(sources, (int)i, &to, part);
		require(btviz_summary_merge(joined, part, NULL) == BTVIZ_OK);
		btviz_summary_free(part);
	}
	/* one bad lane fails the whole when all are opened together */
	require(whole_events <= events);
	btvi_sources_free(sources);
	promises_summary(joined, true);
	btviz_summary_free(joined);
	return 0;
}
