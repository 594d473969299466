/* event.h - one record of a block trace, decoded.
 *
 * The kernel writes a record whenever a request passes a station: it is queued (Q), merged (M, F),
 * gets a request (G), is inserted into the scheduler (I), issued to the driver (D) and completed
 * (C). blkparse's letters name the stations, and so do these. struct btviz_event is the record in
 * the machine's own byte order, whatever version (7 or 8) and byte order it was written in. */
#ifndef BTVIZ_EVENT_H
#define BTVIZ_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A sector is 512 bytes, always, whatever the disk's own sectors are. */
#define BTVIZ_SECTOR_BYTES 512

/* Event numbers of I/O events, as in the kernel's blktrace_api.h. Other numbers can occur, and 16
 * and 17 say nothing that could be counted or drawn: those are counted
 * (btviz_health.unknown_actions), flagged BTVIZ_EV_UNKNOWN and handed out as they are. */
enum btviz_action {
	BTVIZ_ACT_QUEUE = 1,         /* Q */
	BTVIZ_ACT_BACKMERGE = 2,     /* M */
	BTVIZ_ACT_FRONTMERGE = 3,    /* F */
	BTVIZ_ACT_GETRQ = 4,         /* G */
	BTVIZ_ACT_SLEEPRQ = 5,       /* S */
	BTVIZ_ACT_REQUEUE = 6,       /* R */
	BTVIZ_ACT_ISSUE = 7,         /* D */
	BTVIZ_ACT_COMPLETE = 8,      /* C */
	BTVIZ_ACT_PLUG = 9,          /* P */
	BTVIZ_ACT_UNPLUG = 10,       /* U */
	BTVIZ_ACT_UNPLUG_TIMER = 11, /* UT */
	BTVIZ_ACT_INSERT = 12,       /* I */
	BTVIZ_ACT_SPLIT = 13,        /* X */
	BTVIZ_ACT_BOUNCE = 14,       /* B */
	BTVIZ_ACT_REMAP = 15,        /* A */
	BTVIZ_ACT_ABORT = 16,
	BTVIZ_ACT_DRV_DATA = 17,
	BTVIZ_ACT_ZONE_PLUG = 18,   /* ZP */
	BTVIZ_ACT_ZONE_UNPLUG = 19, /* ZU */
};

/* Numbers of notes: records about the trace, not about an I/O (btviz_event_is_note()). */
enum btviz_note {
	BTVIZ_NOTE_PROCESS = 0, /* payload: the name of event.pid, 16 bytes, stale after its NUL */
	BTVIZ_NOTE_TIMESTAMP = 1, /* payload: wall clock, decoded into u.wall */
	BTVIZ_NOTE_MESSAGE = 2,   /* payload: text, without NUL */
};

/* Category bits of event.categories. */
enum {
	BTVIZ_CAT_READ = 1 << 0,
	BTVIZ_CAT_WRITE = 1 << 1,
	BTVIZ_CAT_FLUSH = 1 << 2,
	BTVIZ_CAT_SYNC = 1 << 3,
	BTVIZ_CAT_QUEUE = 1 << 4,
	BTVIZ_CAT_REQUEUE = 1 << 5,
	BTVIZ_CAT_ISSUE = 1 << 6,
	BTVIZ_CAT_COMPLETE = 1 << 7,
	BTVIZ_CAT_FS = 1 << 8,
	BTVIZ_CAT_PC = 1 << 9, /* passthrough: no place on the disk */
	BTVIZ_CAT_NOTIFY = 1 << 10,
	BTVIZ_CAT_AHEAD = 1 << 11,
	BTVIZ_CAT_META = 1 << 12,
	BTVIZ_CAT_DISCARD = 1 << 13,
	BTVIZ_CAT_DRV_DATA = 1 << 14,
	BTVIZ_CAT_FUA = 1 << 15,
	/* version 8 only */
	BTVIZ_CAT_ZONE_APPEND = 1 << 16,
	BTVIZ_CAT_ZONE_RESET = 1 << 17,
	BTVIZ_CAT_ZONE_RESET_ALL = 1 << 18,
	BTVIZ_CAT_ZONE_FINISH = 1 << 19,
	BTVIZ_CAT_ZONE_OPEN = 1 << 20,
	BTVIZ_CAT_ZONE_CLOSE = 1 << 21,
	BTVIZ_CAT_WRITE_ZEROES = 1 << 22,
};

/* Flags of event.flags. */
enum {
	BTVIZ_EV_LATE = 1 << 0,    /* came after a later event was already handed out */
	BTVIZ_EV_CGROUP = 1 << 1,  /* cgroup_id is valid */
	BTVIZ_EV_PAYLOAD = 1 << 2, /* u is valid (remap, split, depth or wall, by the event) */
	BTVIZ_EV_UNKNOWN =
		1 << 3, /* an event number without a meaning here: 0, 16, 17, 20 and more */
	BTVIZ_EV_LOSS =
		1 << 4, /* lost_before events are missing before this one (its CPU, its device) */
	BTVIZ_EV_ODD = 1 << 5, /* a field was absurd: cpu and time are then those of the event
				* before, the sector is as it was found */
};

/* One record. Of fixed size for ever, since callers copy it and make their own (see
 * btviz_summary_add()): what comes later takes what is reserved. Make your own from zeroes. */
struct btviz_event {
	uint64_t time_ns;    /* the trace's own clock (CLOCK_MONOTONIC on all recent kernels) */
	uint64_t sector;     /* first sector, absolute on the whole disk */
	uint32_t bytes;      /* length in bytes; unsigned, discards reach 0xfffffe00 */
	uint32_t categories; /* BTVIZ_CAT_... */
	uint32_t device; /* major << 20 | minor, the kernel's own form: BTVIZ_MAJOR(), BTVIZ_MINOR()
			  */
	uint32_t pid;    /* thread in whose context it happened; for C usually not the submitter */
	uint32_t cpu;
	uint32_t sequence;     /* per device and CPU; 0 in notes */
	uint16_t event;        /* enum btviz_action, or enum btviz_note, without the cgroup bit */
	int16_t error;         /* negative errno of a completion, or 0 */
	uint16_t payload_size; /* bytes at payload, without the cgroup id */
	uint8_t version;       /* 7 or 8 */
	uint8_t reserved;      /* 0 */
	uint32_t lost_before;  /* see BTVIZ_EV_LOSS */
	uint32_t flags;        /* BTVIZ_EV_... */
	uint64_t cgroup_id;    /* 0 where there is none */
	const unsigned char *payload; /* raw; valid as long as the event is */
	union {
		struct {
			uint64_t sector_from;
			uint32_t device_from, device_to;
		} remap;               /* A */
		uint64_t split_sector; /* X: where the remainder begins */
		uint64_t depth;        /* U, UT */
		struct {
			uint32_t sec, nsec;
		} wall;               /* timestamp note */
		uint64_t reserved[3]; /* room for others */
	} u;
};

#define BTVIZ_MAJOR(dev)           ((uint32_t)(dev) >> 20)
#define BTVIZ_MINOR(dev)           ((uint32_t)(dev)&0xfffffU)
#define BTVIZ_DEVICE(major, minor) ((uint32_t)(major) << 20 | (uint32_t)(minor))

/* Whether it tells of the trace rather than of an I/O. */
static inline bool btviz_event_is_note(const struct btviz_event *ev)
{
	return (ev->categories & BTVIZ_CAT_NOTIFY) != 0;
}

/* What an I/O does. Follows the event's categories, and its length where they do not suffice. */
enum btviz_op {
	BTVIZ_OP_READ,
	BTVIZ_OP_WRITE,   /* with data, also zone appends */
	BTVIZ_OP_DISCARD, /* moves no data */
	BTVIZ_OP_ZEROES,  /* write-zeroes, where the trace tells (version 8); moves no data */
	BTVIZ_OP_FLUSH,   /* every I/O without bytes that is none of the others */
	BTVIZ_OP_ZONE,    /* zone management (version 8) */
	BTVIZ_OP_PC,      /* passthrough: counted apart, has no place */
	BTVIZ_OP_COUNT,
};
#define BTVIZ_OP_ROOM 12

/* What the I/O of an event does; of no meaning for a note. */
static inline enum btviz_op btviz_event_op(const struct btviz_event *ev)
{
	const uint32_t c = ev->categories;
	const uint32_t zone = BTVIZ_CAT_ZONE_RESET | BTVIZ_CAT_ZONE_RESET_ALL |
		BTVIZ_CAT_ZONE_FINISH | BTVIZ_CAT_ZONE_OPEN | BTVIZ_CAT_ZONE_CLOSE;

	if (c & (BTVIZ_CAT_PC | BTVIZ_CAT_DISCARD | BTVIZ_CAT_WRITE_ZEROES | zone)) {
		if (c & BTVIZ_CAT_PC)
			return BTVIZ_OP_PC;
		if (c & BTVIZ_CAT_DISCARD)
			return BTVIZ_OP_DISCARD;
		return c & BTVIZ_CAT_WRITE_ZEROES ? BTVIZ_OP_ZEROES : BTVIZ_OP_ZONE;
	}
	if (ev->bytes == 0)
		return BTVIZ_OP_FLUSH;
	return c & BTVIZ_CAT_WRITE ? BTVIZ_OP_WRITE : BTVIZ_OP_READ;
}

/* "read", "write", "discard", "zeroes", "flush", "zone", "passthrough". Never NULL. Since 0.1. */
BTVIZ_EXPORT const char *btviz_op_name(enum btviz_op op);

/* blkparse's letter for an I/O event ("Q", "UT", "ZP"), "?" for unknown ones. Since 0.1. */
BTVIZ_EXPORT const char *btviz_action_letter(unsigned event);

#ifdef __cplusplus
}
#endif
#endif
