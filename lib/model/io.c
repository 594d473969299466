/* io.c - the public stream of I/Os: events in, what they complete out. Pairing is pair's business.
 */
#include <btviz/io.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/status.h"
#include "model/pair.h"

/* No place in any pool, and not BTVI_NONE, which ends lists. */
#define WALK_BEGINS (UINT32_MAX - 1)

struct lane {
	uint32_t device;
	bool queued; /* a Q was seen: a request of no known I/O is then a lost one's, or a part */
	struct btvi_pair pair;
};

struct btviz_ios {
	struct lane **lanes; /* by rising device number */
	size_t lane_count, lane_room;
	struct lane *current; /* of the last event, NULL after a note */
	struct btvi_pair_result ended;
	uint32_t next; /* the bio that is handed out next */
	bool request;  /* there is a request without bios to hand out */
	struct btviz_event ev;
	struct btvi_quota open;
	struct btviz_io io;
	size_t open_lane;    /* where the walk over the open ones is, */
	uint32_t open_place; /* in the lane's bios, or in its requests where none was queued */
};

struct btviz_ios *btviz_ios_new(void)
{
	struct btviz_ios *const ios = calloc(1, sizeof *ios);

	if (ios) {
		ios->open.max = BTVI_INFLIGHT_MAX;
		ios->open_place = WALK_BEGINS;
	}
	return ios;
}

void btviz_ios_free(struct btviz_ios *ios)
{
	if (!ios)
		return;
	for (size_t i = 0; i < ios->lane_count; i++) {
		btvi_pair_done(&ios->lanes[i]->pair);
		free(ios->lanes[i]);
	}
	free(ios->lanes);
	free(ios);
}

/* The place of a device among the lanes, or the one where it belongs. */
static size_t place_of(const struct btviz_ios *ios, uint32_t device)
{
	size_t low = 0, high = ios->lane_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (ios->lanes[middle]->device < device)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static enum btviz_status add_lane(
	struct btviz_ios *ios, size_t at, uint32_t device, struct btviz_error *err)
{
	struct lane *lane;

	if (ios->lane_count == BTVI_DEVICE_MAX)
		return btvi_fail(err, BTVIZ_ERR_LIMIT, "more than %d devices", BTVI_DEVICE_MAX);
	if (ios->lane_count == ios->lane_room) {
		const size_t room = ios->lane_room ? 2 * ios->lane_room : 8;
		struct lane **const grown = realloc(ios->lanes, room * sizeof(struct lane *));

		if (!grown)
			return btvi_fail_nomem(err);
		ios->lanes = grown;
		ios->lane_room = room;
	}
	lane = calloc(1, sizeof *lane);
	if (!lane)
		return btvi_fail_nomem(err);
	lane->device = device;
	btvi_pair_init(&lane->pair);
	lane->pair.quota = &ios->open;
	memmove(&ios->lanes[at + 1], &ios->lanes[at],
		(ios->lane_count - at) * sizeof(struct lane *));
	ios->lanes[at] = lane;
	ios->lane_count++;
	return BTVIZ_OK;
}

enum btviz_status btviz_ios_add(
	struct btviz_ios *ios, const struct btviz_event *ev, struct btviz_error *err)
{
	struct lane *lane = ios->current;
	enum btviz_status status = BTVIZ_OK;

	if (lane)
		btvi_pair_release(&lane->pair, &ios->ended);
	ios->current = NULL;
	if (btviz_event_is_note(ev))
		return BTVIZ_OK;
	if (!lane || lane->device != ev->device) {
		const size_t at = place_of(ios, ev->device);

		if (at == ios->lane_count || ios->lanes[at]->device != ev->device)
			status = add_lane(ios, at, ev->device, err);
		if (status != BTVIZ_OK)
			return status;
		lane = ios->lanes[at];
	}
	if (btvi_pair_add(&lane->pair, ev, &ios->ended) != BTVIZ_OK) {
		btvi_pair_release(&lane->pair, &ios->ended);
		return btvi_fail_nomem(err);
	}
	lane->queued |= ev->event == BTVIZ_ACT_QUEUE;
	ios->current = lane;
	ios->ev = *ev;
	ios->next = ios->ended.done;
	ios->request = !lane->queued && (ios->ended.have & BTVI_HAVE_D2C) != 0;
	return BTVIZ_OK;
}

static uint64_t issue_time(const struct btviz_ios *ios, const struct btvi_bio *bio)
{
	if (ios->ended.have & BTVI_HAVE_D2C)
		return ios->ev.time_ns - ios->ended.d2c_ns;
	/* a part of a request: the rest of it goes on */
	return bio && bio->request != BTVI_NONE ? ios->current->pair.requests[bio->request].issue_ns
						: BTVIZ_TIME_UNKNOWN;
}

static uint64_t time_if(const struct btvi_bio *bio, unsigned known, uint64_t time_ns)
{
	return bio->known & known ? time_ns : BTVIZ_TIME_UNKNOWN;
}

/* What is known of an I/O since it was queued. */
static void fill_from_bio(struct btviz_io *io, const struct btvi_bio *bio)
{
	io->pid = bio->pid;
	io->op = (enum btviz_op)bio->op;
	io->sector = bio->sector;
	io->bytes = (uint64_t)bio->sectors * BTVIZ_SECTOR_BYTES;
	io->cgroup_id = bio->cgroup_id;
	io->queue_ns = bio->queue_ns;
	io->get_ns = time_if(bio, BTVI_KNOWN_GET, bio->get_ns);
	io->merge_ns = time_if(bio, BTVI_KNOWN_MERGE, bio->merge_ns);
	io->insert_ns = time_if(bio, BTVI_KNOWN_INSERT, bio->insert_ns);
}

const struct btviz_io *btviz_ios_next(struct btviz_ios *ios)
{
	struct btviz_io *const io = &ios->io;
	const struct btvi_bio *bio;

	if (!ios->current || (ios->next == BTVI_NONE && !ios->request))
		return NULL;
	*io = (struct btviz_io){ .device = ios->ev.device,
		.pid = ios->ev.pid,
		.op = btviz_event_op(&ios->ev),
		.error = ios->ev.error,
		.sector = ios->ev.sector,
		.bytes = ios->ev.bytes,
		.cgroup_id = ios->ev.cgroup_id,
		.queue_ns = BTVIZ_TIME_UNKNOWN,
		.get_ns = BTVIZ_TIME_UNKNOWN,
		.merge_ns = BTVIZ_TIME_UNKNOWN,
		.insert_ns = BTVIZ_TIME_UNKNOWN,
		.issue_ns = issue_time(ios, NULL),
		.complete_ns = ios->ev.time_ns };
	ios->request = false;
	if (ios->next == BTVI_NONE)
		return io;
	bio = &ios->current->pair.bios[ios->next];
	ios->next = bio->sibling;
	fill_from_bio(io, bio);
	io->issue_ns = issue_time(ios, bio);
	return io;
}

static const struct btviz_io *open_bio(struct btviz_ios *ios, const struct lane *lane, uint32_t b)
{
	const struct btvi_bio *const bio = &lane->pair.bios[b];

	/* Parts of a split I/O go with the whole. */
	if (!bio->open || bio->whole != BTVI_NONE)
		return NULL;
	ios->io = (struct btviz_io){ .device = lane->device,
		.issue_ns = bio->request != BTVI_NONE ? lane->pair.requests[bio->request].issue_ns
						      : BTVIZ_TIME_UNKNOWN,
		.complete_ns = BTVIZ_TIME_UNKNOWN };
	fill_from_bio(&ios->io, bio);
	return &ios->io;
}

/* The request at ios->open_place of the list of all in flight, for a device without a Q. */
static const struct btviz_io *open_request(struct btviz_ios *ios, const struct lane *lane)
{
	const struct btvi_request *const r = &lane->pair.requests[ios->open_place];

	ios->open_place = r->newer;
	ios->io = (struct btviz_io){ .device = lane->device,
		.op = (enum btviz_op)r->op,
		.sector = r->sector,
		.bytes = (r->end - r->sector) * BTVIZ_SECTOR_BYTES,
		.queue_ns = BTVIZ_TIME_UNKNOWN,
		.get_ns = BTVIZ_TIME_UNKNOWN,
		.merge_ns = BTVIZ_TIME_UNKNOWN,
		.insert_ns = BTVIZ_TIME_UNKNOWN,
		.issue_ns = r->issue_ns,
		.complete_ns = BTVIZ_TIME_UNKNOWN };
	return &ios->io;
}

const struct btviz_io *btviz_ios_next_open(struct btviz_ios *ios)
{
	if (ios->current) { /* the walk begins: what the last event ended is over */
		btvi_pair_release(&ios->current->pair, &ios->ended);
		ios->current = NULL;
	}
	for (; ios->open_lane < ios->lane_count; ios->open_lane++) {
		const struct lane *const lane = ios->lanes[ios->open_lane];
		const struct btviz_io *io = NULL;

		if (ios->open_place == WALK_BEGINS)
			ios->open_place = lane->queued ? 0 : lane->pair.oldest_request;
		while (lane->queued && !io && ios->open_place < lane->pair.bio_capacity)
			io = open_bio(ios, lane, ios->open_place++);
		if (!lane->queued && ios->open_place != BTVI_NONE)
			io = open_request(ios, lane);
		if (io)
			return io;
		ios->open_place = WALK_BEGINS;
	}
	return NULL;
}
