/* trace/sequence.h - what the sequence numbers of one stream tell: lost and repeated records.
 *
 * The kernel numbers the I/O events of each device and CPU from 1. A number left out means that a
 * record is missing (the file was cut; since Linux 6.19 also: the buffer was full). A number that
 * comes again with the time it had before is a repeated record (a ring buffer that was overwritten
 * while it was read). A number that steps back with another time is a new beginning: a restart, or
 * files one behind the other. */
#ifndef BTVI_TRACE_SEQUENCE_H
#define BTVI_TRACE_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One device on one CPU. Private to sequence.c but for what the inline functions need. */
struct btvi_sequence_lane {
	uint32_t device, cpu;
	uint32_t next;        /* the number that should come */
	uint32_t sample_next; /* the number at which a time is remembered */
	uint64_t last_ns;     /* brought up to date when another lane becomes the current one */
	struct btvi_sequence_memory *memory;
};

struct btvi_sequence {
	struct btvi_sequence_lane *current; /* lane of the last event; never NULL */
	struct btvi_sequence_lane none;     /* stands for it before the first event */
	struct btvi_sequence_lane **table;  /* open addressing, a power of two */
	size_t table_size, lane_count;
	uint32_t first_device; /* of the first event */
	bool several_devices;
};

void btvi_sequence_init(struct btvi_sequence *s);
void btvi_sequence_done(struct btvi_sequence *s);

enum btvi_sequence_verdict {
	BTVI_SEQUENCE_FOLLOWS,    /* or cannot be judged */
	BTVI_SEQUENCE_HOLE,       /* *ret_lost records are missing before it */
	BTVI_SEQUENCE_FILLS,      /* it fills a hole that was counted before: one less is missing */
	BTVI_SEQUENCE_FILLS_LATE, /* so, but at a time far behind that of the number after it */
	BTVI_SEQUENCE_REPEATED,
	BTVI_SEQUENCE_ODD, /* far from anything that could come: not taken for a hole */
	BTVI_SEQUENCE_NOMEM,
};

/* The lane of a device and CPU, NULL where it is new. */
struct btvi_sequence_lane *btvi_sequence_lane(
	const struct btvi_sequence *s, uint32_t device, uint32_t cpu);

/* The ordinary case, inline: the next event of its device and CPU. previous_ns is the time of the
 * event that was taken before it in this stream. */
static inline bool btvi_sequence_follows(struct btvi_sequence *s, uint32_t device, uint32_t cpu,
	uint32_t sequence, uint64_t previous_ns)
{
	struct btvi_sequence_lane *l = s->current;

	if (__builtin_expect(l->device != device || l->cpu != cpu, 0)) {
		l = btvi_sequence_lane(s, device, cpu);
		if (!l)
			return false;
	}
	if (l->next != sequence || sequence == l->sample_next)
		return false;
	if (l != s->current) {
		s->current->last_ns = previous_ns;
		s->current = l;
	}
	l->next = sequence + 1;
	return true;
}

/* Any event for which btvi_sequence_follows() was false. */
enum btvi_sequence_verdict btvi_sequence_take(struct btvi_sequence *s, uint32_t device,
	uint32_t cpu, uint32_t sequence, uint64_t time_ns, uint64_t previous_ns,
	uint32_t *ret_lost);

/* What all lanes came to, whatever order they were met in: their devices, CPUs, numbers and last
 * times. last_ns is the time of the last event. 0: no events. */
uint64_t btvi_sequence_fingerprint(const struct btvi_sequence *s, uint64_t last_ns);

#endif
