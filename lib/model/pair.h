/* model/pair.h - the life of each I/O of one device, from its events.
 *
 * A *bio* is what was queued (Q). On a disk, bios become *requests*: one bio gets one (G), others
 * are merged into it (M, F), it is inserted (I), issued (D) and completed (C). On md and dm a bio
 * is completed itself, often in pieces. btvi_pair_add() takes an event and says what it ended: the
 * interval since the station before, the bios issued and the bios completed. All memory is a pool
 * and a hash that grow to the number of I/Os open at once, up to BTVI_INFLIGHT_MAX, or to what the
 * other devices of the run leave of it. */
#ifndef BTVI_MODEL_PAIR_H
#define BTVI_MODEL_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include <btviz/event.h>
#include <btviz/status.h>

#include "base/quota.h"

#define BTVI_NONE UINT32_MAX

/* What is known of a bio (struct btvi_bio.known) beside its queueing. */
enum {
	BTVI_KNOWN_GET = 1 << 0,
	BTVI_KNOWN_INSERT = 1 << 1,
	BTVI_KNOWN_MERGE = 1 << 2,
	BTVI_KNOWN_REQUEUE = 1 << 3, /* issued before, and put back (R) */
	BTVI_KNOWN_APPEND = 1 << 4,  /* a zone append: its place is known only when it completes */
	BTVI_KNOWN_ISSUE = 1 << 5,   /* without bytes, and issued: there is no request for it */
	BTVI_KNOWN_TAIL = 1 << 6,    /* its last part completed, others did not */
	BTVI_KNOWN_LOST = 1 << 7, /* its completion is taken for lost: not outstanding any more */
};

/* The first cache line holds what looking for a bio takes. */
struct btvi_bio {
	uint64_t sector;
	uint64_t queue_ns;
	uint32_t sectors;
	uint32_t remaining;        /* sectors not completed yet (bio devices) */
	uint32_t next[2], prev[2]; /* chains of the hash, one for each block that it touches */
	uint32_t sibling;          /* next bio of the same request, or of the done list */
	uint32_t request;          /* that it was issued with, or BTVI_NONE */
	uint32_t whole; /* the I/O that this is a part of since a split (X), or BTVI_NONE */
	uint32_t pid;
	uint8_t level; /* it touches at most two blocks of 2^level sectors */
	uint8_t known;
	uint8_t op;
	bool hashed : 1, open : 1, has_parts : 1;
	uint64_t get_ns, insert_ns, merge_ns, issue_ns, tail_ns; /* known says which are valid */
	uint64_t cgroup_id;
	uint32_t ahead;        /* sectors before it that dm cut off, and that complete with it */
	uint32_t older, newer; /* list that it is in: appends without a place, I/Os without bytes,
				  parts of one I/O */
};

struct btvi_list {
	uint32_t oldest, newest;
};

struct btvi_request {
	uint64_t sector, end;
	uint64_t issue_ns;
	uint32_t first;        /* its bios, BTVI_NONE where none of them is known */
	uint32_t next, prev;   /* hash chain */
	uint32_t older, newer; /* list of all by age; those that are lost are its last */
	uint8_t op;
	bool append, lost;
};

/* What one event ended. Intervals are valid where their bit is set in have. */
enum {
	BTVI_HAVE_Q2G = 1 << 0,
	BTVI_HAVE_G2I = 1 << 1,
	BTVI_HAVE_Q2M = 1 << 2,
	BTVI_HAVE_I2D = 1 << 3,
	BTVI_HAVE_D2C = 1 << 4,
	BTVI_HAVE_ISSUED = 1 << 5, /* issued lists the bios that a D took along */
};

struct btvi_pair_result {
	unsigned have;
	uint64_t q2g_ns, g2i_ns, q2m_ns, i2d_ns, d2c_ns;
	uint64_t rest_sectors; /* C: completed with it beyond its own length: it names the last part
				  only */
	uint32_t issued;       /* bios issued with this D: walk with bio->sibling */
	uint32_t done; /* bios completed by this C: walk with bio->sibling, then btvi_pair_release()
			*/
	uint32_t pid;  /* D: the submitter of its first bio, 0 if not known */
	bool matched;  /* C: it found what it completes; D, G, I, M: likewise */
	bool extra;    /* D, C: of an I/O that was issued or completed already, to be ignored */
	bool part;     /* C: of a request that goes on */
	bool unissued; /* C: of bios on a disk whose D was lost */
};

/* An I/O (or request) was not there since then: it is lost, or over, or forgotten for lack of room;
 * or it was, since it is found again. */
struct btvi_loss {
	uint64_t since_ns;
	bool request;
	enum btvi_why { BTVI_WHY_LOST, BTVI_WHY_FOUND, BTVI_WHY_OVER } why;
};

/* How I/Os, or requests, end. */
struct btvi_pace {
	uint64_t longest_ns; /* the longest life of one that ended */
	uint64_t newest_ns;  /* when the last to begin of those that ended began */
};

enum { BTVI_LOSSES_MAX = 16, BTVI_RECENT_MAX = 64 };

struct btvi_pair {
	struct btvi_bio *bios;
	struct btvi_request *requests;
	uint32_t bio_capacity, request_capacity, free_bio, free_request;
	uint32_t *bio_hash, *request_hash;
	unsigned bio_hash_bits, request_hash_bits;
	uint32_t outstanding, in_flight;  /* I/Os queued, requests issued, and not completed */
	uint32_t lost_ios, lost_requests; /* taken for lost, and kept, should they end after all */
	uint32_t hashed;
	struct btvi_list appends, zeroes; /* zone appends without a place, I/Os without bytes */
	uint32_t oldest_request, newest_request;
	uint32_t hand; /* the bio looked at last when looking for lost ones */
	uint32_t level_count[34];
	uint64_t levels; /* bit set: level_count[] > 0 */
	unsigned last_level;
	struct btvi_pace io_pace, request_pace;
	uint64_t flush_issue_ns;
	bool flush_in_flight;
	bool request_based; /* a G, I, D or M was seen */
	bool queued;        /* a Q was seen */
	bool parts_end;     /* parts of an I/O complete each by itself: md's way */
	bool tails_end;     /* of an I/O in parts only the last one completes: dm's way */
	uint64_t tail_ns;   /* when a last part completed first, 0: never */
	struct {
		uint64_t sector;
		uint32_t sectors;
		uint8_t op;
	} recent[BTVI_RECENT_MAX]; /* what completed last, to know it again */
	uint32_t recent_count;
	uint64_t given_up, repeats;
	struct btvi_loss losses[BTVI_LOSSES_MAX]; /* of the last event */
	unsigned loss_count;
	uint32_t open_max;        /* how many I/Os may be outstanding, and requests in flight */
	struct btvi_quota *quota; /* where more of them come from; NULL: there are enough */
};

void btvi_pair_init(struct btvi_pair *p);
void btvi_pair_done(struct btvi_pair *p);

/* Takes one I/O event of the device. Ops and times as in the event; *ret is overwritten. */
enum btviz_status btvi_pair_add(
	struct btvi_pair *p, const struct btviz_event *ev, struct btvi_pair_result *ret);

/* Gives the completed bios back; release looks first whether there are any: mostly there are none.
 */
void btvi_pair_give_back(struct btvi_pair *p, struct btvi_pair_result *r);

static inline void btvi_pair_release(struct btvi_pair *p, struct btvi_pair_result *r)
{
	if (r->done != BTVI_NONE)
		btvi_pair_give_back(p, r);
}

/* Looks at all that is open for what is lost, adds to p->losses until that
 * is full; false when it has looked at all. *at is 0 at first. */
bool btvi_pair_sweep(struct btvi_pair *p, uint32_t *at);

#endif
