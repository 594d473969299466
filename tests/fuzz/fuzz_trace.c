/* fuzz_trace.c - several streams through all of the library: merged by time, summarised lane by
 * lane and together, figures, findings, courses, maps. What must hold: the order of time, the
 * counts, that parts merge to the whole, and that no figure is nonsense.
 *
 * An input is 8 bytes of options, then streams with FUZZ_STREAM_MARK between them. */
#include <string.h>

#include <btviz/summary.h>

#include "fuzz.h"
#include "promises.h"
#include "trace/source.h"
#include "trace/trace.h"

enum { STREAMS_MAX = 8 };

struct bytes {
	const uint8_t *at, *end;
	size_t piece;
};

static ptrdiff_t give(void *data, void *buffer, size_t size)
{
	struct bytes *const b = data;
	size_t n = (size_t)(b->end - b->at);

	if (n > size)
		n = size;
	if (n > b->piece)
		n = b->piece;
	if (n > 0)
		memcpy(buffer, b->at, n);
	b->at += n;
	return (ptrdiff_t)n;
}

/* The streams of an input. */
struct input {
	struct bytes streams[STREAMS_MAX];
	size_t count;
};

static struct input divide(const uint8_t *data, size_t size, size_t piece)
{
	struct input in = { .count = 0 };

	while (in.count < STREAMS_MAX) {
		const uint8_t *const mark =
			memmem(data, size, FUZZ_STREAM_MARK, FUZZ_STREAM_MARK_SIZE);
		const size_t n = mark ? (size_t)(mark - data) : size;

		in.streams[in.count++] = (struct bytes){ data, data + n, piece };
		if (!mark)
			break;
		data += n + FUZZ_STREAM_MARK_SIZE;
		size -= n + FUZZ_STREAM_MARK_SIZE;
	}
	return in;
}

static struct btvi_sources *sources_of(struct input *in)
{
	struct btvi_sources *const s = btvi_sources_new();
	char name[32];

	require(s);
	for (size_t i = 0; i < in->count; i++) {
		struct btvi_input input = { .kind = BTVI_INPUT_CALLBACK,
			.path = name,
			.read = give,
			.read_data = &in->streams[i],
			.ordered = i % 2 == 0,
			.fd = -1 };
		struct btvi_lane *lane;

		/* two streams a lane */
		snprintf(name, sizeof name, "sd%c", (int)('a' + i / 2));
		lane = btvi_sources_lane(s, name, strlen(name), NULL);
		require(lane && btvi_sources_add(s, lane, &input));
	}
	return s;
}

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btviz_summary_options so = BTVIZ_SUMMARY_OPTIONS_INIT;
	struct btviz_trace_options to = BTVIZ_TRACE_OPTIONS_INIT;
	struct btviz_summary *whole, *joined;
	struct btvi_sources *sources;
	struct input in;
	uint64_t whole_events, events = 0;
	size_t piece, lanes;

	if (size < FUZZ_TRACE_HEAD)
		return 0;
	choose(data, &so, &to, &piece);
	in = divide(data + FUZZ_TRACE_HEAD, size - FUZZ_TRACE_HEAD, piece);
	sources = sources_of(&in);
	require(btviz_summary_new(&so, &whole, NULL) == BTVIZ_OK);
	whole_events = read_lane(sources, BTVI_ALL_LANES, &to, whole);
	lanes = sources->lane_count;
	btvi_sources_free(sources);
	promises_summary(whole, false);
	btviz_summary_free(whole);

	/* the same, lane by lane */
	in = divide(data + FUZZ_TRACE_HEAD, size - FUZZ_TRACE_HEAD, piece);
	sources = sources_of(&in);
	require(btviz_summary_new(&so, &joined, NULL) == BTVIZ_OK);
	for (size_t i = 0; i < lanes; i++) {
		struct btviz_summary *part;

		require(btviz_summary_new(&so, &part, NULL) == BTVIZ_OK);
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
