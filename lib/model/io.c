/* io.c - the public stream of I/Os: events in, what they complete out. Pairing is pair's business.
 */
#include <btviz/io.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/status.h"
#include "model/pair.h"

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
};

struct btviz_ios *btviz_ios_new(void)
{
	struct btviz_ios *const ios = calloc(1, sizeof *ios);

	if (ios)
		ios->open.max = BTVI_INFLIGHT_MAX;
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
	io->pid = bio->pid;
	io->op = (enum btviz_op)bio->op;
	io->sector = bio->sector - bio->ahead;
	io->bytes = ((uint64_t)bio->sectors + bio->ahead) * BTVIZ_SECTOR_BYTES;
	if (bio->known & BTVI_KNOWN_TAIL)
		io->complete_ns = bio->tail_ns;
	io->cgroup_id = bio->cgroup_id;
	io->queue_ns = bio->queue_ns;
	io->get_ns = time_if(bio, BTVI_KNOWN_GET, bio->get_ns);
	io->merge_ns = time_if(bio, BTVI_KNOWN_MERGE, bio->merge_ns);
	io->insert_ns = time_if(bio, BTVI_KNOWN_INSERT, bio->insert_ns);
	io->issue_ns = issue_time(ios, bio);
	return io;
}
