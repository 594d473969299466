/* sequence.c - see sequence.h. Memory is bounded for each device and CPU: the times of some numbers
 * (at most SAMPLE_MAX, ever further apart) and the latest HOLE_MAX holes. Times grow with numbers,
 * so two samples enclose the time that a number between them must have had. */
#include "trace/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

enum {
	SAMPLE_MAX = 1024,
	SAMPLE_STRIDE = 16,
	HOLE_MAX = 64,
	/* A larger step is believed only when the record behind it goes on from there: one broken
	 * number must not be told as millions of lost events. */
	STEP_SURE = 1 << 20,
};

#define FILL_SLACK_NS 10000000ULL

struct sample {
	uint32_t sequence;
	uint64_t time_ns;
};

struct hole {
	uint32_t first, last; /* numbers that did not come */
};

struct btvi_sequence_memory {
	struct sample *samples;
	unsigned sample_count, sample_capacity;
	uint32_t stride;
	struct hole holes[HOLE_MAX];
	unsigned hole_count;
	uint32_t odd_next; /* behind a step that was not believed, 0: none */
};

void btvi_sequence_init(struct btvi_sequence *s)
{
	memset(s, 0, sizeof *s);
	/* no event has this device and CPU: CPUs are bounded before they come here */
	s->none.cpu = UINT32_MAX;
	s->current = &s->none;
}

static void lane_free(struct btvi_sequence_lane *l)
{
	if (!l)
		return;
	free(l->memory->samples);
	free(l->memory);
	free(l);
}

void btvi_sequence_done(struct btvi_sequence *s)
{
	for (size_t i = 0; i < s->table_size; i++)
		lane_free(s->table[i]);
	free(s->table);
	btvi_sequence_init(s);
}

static size_t slot_of(const struct btvi_sequence *s, uint32_t device, uint32_t cpu)
{
	const uint64_t h = ((uint64_t)device << 13 ^ cpu) * 0x9e3779b97f4a7c15U;

	return (size_t)(h >> 32) & (s->table_size - 1);
}

static struct btvi_sequence_lane **place_of(
	const struct btvi_sequence *s, uint32_t device, uint32_t cpu)
{
	size_t i = slot_of(s, device, cpu);

	while (s->table[i] && (s->table[i]->device != device || s->table[i]->cpu != cpu))
		i = (i + 1) & (s->table_size - 1);
	return &s->table[i];
}

struct btvi_sequence_lane *btvi_sequence_lane(
	const struct btvi_sequence *s, uint32_t device, uint32_t cpu)
{
	return s->table_size ? *place_of(s, device, cpu) : NULL;
}

static bool grow(struct btvi_sequence *s)
{
	struct btvi_sequence_lane **const old = s->table;
	const size_t old_size = s->table_size;
	const size_t size = old_size ? old_size * 2 : 8;
	struct btvi_sequence_lane **const table = calloc(size, sizeof *table);

	if (!table)
		return false;
	s->table = table;
	s->table_size = size;
	for (size_t i = 0; i < old_size; i++)
		if (old[i])
			*place_of(s, old[i]->device, old[i]->cpu) = old[i];
	free(old);
	return true;
}

static struct btvi_sequence_lane *lane_new(uint32_t device, uint32_t cpu)
{
	struct btvi_sequence_lane *const l = calloc(1, sizeof *l);

	if (!l)
		return NULL;
	l->memory = calloc(1, sizeof *l->memory);
	if (!l->memory) {
		free(l);
		return NULL;
	}
	l->device = device;
	l->cpu = cpu;
	l->memory->stride = SAMPLE_STRIDE;
	return l;
}

/* Remembers the time of a number that is the highest so far. */
static bool sample(struct btvi_sequence_lane *l, uint32_t sequence, uint64_t time_ns)
{
	struct btvi_sequence_memory *const m = l->memory;

	if (m->sample_count == SAMPLE_MAX) {
		m->sample_count /= 2;
		for (unsigned i = 0; i < m->sample_count; i++)
			m->samples[i] = m->samples[2 * i];
		m->stride *= 2;
	}
	if (m->sample_count == m->sample_capacity) {
		const unsigned capacity = m->sample_capacity ? m->sample_capacity * 2 : 4;
		struct sample *const grown = realloc(m->samples, capacity * sizeof *grown);

		if (!grown)
			return false;
		m->samples = grown;
		m->sample_capacity = capacity;
	}
	m->samples[m->sample_count++] = (struct sample){ sequence, time_ns };
	l->sample_next = sequence + m->stride;
	return true;
}

/* Takes a number out of the hole that it lies in; false where it lies in none. */
static bool fill_hole(struct btvi_sequence_memory *m, uint32_t sequence)
{
	for (unsigned i = m->hole_count; i-- > 0;) {
		struct hole *const h = &m->holes[i];

		if (sequence < h->first || sequence > h->last)
			continue;
		if (sequence == h->first) {
			h->first++;
		} else if (sequence == h->last) {
			h->last--;
		} else if (m->hole_count < HOLE_MAX) {
			m->holes[m->hole_count++] = (struct hole){ sequence + 1, h->last };
			h->last = sequence - 1;
		} else {
			h->first = sequence + 1;
		}
		if (h->first > h->last)
			*h = m->holes[--m->hole_count];
		return true;
	}
	return false;
}

static void add_hole(struct btvi_sequence_memory *m, uint32_t first, uint32_t last)
{
	if (m->hole_count == HOLE_MAX) {
		m->hole_count--;
		memmove(m->holes, m->holes + 1, m->hole_count * sizeof *m->holes);
	}
	m->holes[m->hole_count++] = (struct hole){ first, last };
}

/* How many samples are of numbers up to that. */
static unsigned samples_up_to(const struct btvi_sequence_memory *m, uint32_t sequence)
{
	unsigned low = 0, high = m->sample_count;

	while (low < high) {
		const unsigned middle = low + (high - low) / 2;

		if (m->samples[middle].sequence <= sequence)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whether a number below l->next, at that time, can be the one that was seen before. */
static bool is_repeat(
	const struct btvi_sequence_lane *l, uint32_t sequence, uint64_t time_ns, uint64_t last_ns)
{
	const struct btvi_sequence_memory *const m = l->memory;
	const unsigned low = samples_up_to(m, sequence);

	if (low == 0)
		return false;
	if (m->samples[low - 1].sequence == sequence)
		return m->samples[low - 1].time_ns == time_ns;
	return time_ns >= m->samples[low - 1].time_ns &&
		time_ns <= (low < m->sample_count ? m->samples[low].time_ns : last_ns);
}

/* Whether a number that fills a hole comes at a time far behind the numbers after it: a dump that
 * was sorted by time has a record with a wrong time at its end. */
static bool is_far_behind(
	const struct btvi_sequence_lane *l, uint32_t sequence, uint64_t time_ns, uint64_t last_ns)
{
	const struct btvi_sequence_memory *const m = l->memory;
	const unsigned after = samples_up_to(m, sequence);
	const uint64_t limit_ns = after < m->sample_count ? m->samples[after].time_ns : last_ns;

	return time_ns > limit_ns && time_ns - limit_ns > FILL_SLACK_NS;
}

/* A new beginning: what went before says nothing about what comes. */
static bool restart(struct btvi_sequence_lane *l, uint32_t sequence, uint64_t time_ns)
{
	l->memory->sample_count = 0;
	l->memory->hole_count = 0;
	l->memory->stride = SAMPLE_STRIDE;
	l->next = sequence + 1;
	return sample(l, sequence, time_ns);
}

/* Makes the lane of a device and CPU the current one; NULL where there can be no more of them. */
static struct btvi_sequence_lane *switch_lane(struct btvi_sequence *s, uint32_t device,
	uint32_t cpu, uint64_t previous_ns, bool *ret_nomem)
{
	struct btvi_sequence_lane **place;

	s->current->last_ns = previous_ns;
	if (s->current->device == device && s->current->cpu == cpu)
		return s->current;
	if (2 * (s->lane_count + 1) > s->table_size && !grow(s)) {
		*ret_nomem = true;
		return NULL;
	}
	place = place_of(s, device, cpu);
	if (!*place) {
		if (s->lane_count >= BTVI_STREAM_MAX)
			return NULL;
		*place = lane_new(device, cpu);
		if (!*place) {
			*ret_nomem = true;
			return NULL;
		}
		if (s->lane_count == 0)
			s->first_device = device;
		s->lane_count++;
		s->several_devices |= device != s->first_device;
	}
	s->current = *place;
	return *place;
}

enum btvi_sequence_verdict btvi_sequence_take(struct btvi_sequence *s, uint32_t device,
	uint32_t cpu, uint32_t sequence, uint64_t time_ns, uint64_t previous_ns, uint32_t *ret_lost)
{
	bool nomem = false;
	struct btvi_sequence_lane *const l = switch_lane(s, device, cpu, previous_ns, &nomem);
	uint32_t lost;

	if (!l)
		return nomem ? BTVI_SEQUENCE_NOMEM : BTVI_SEQUENCE_FOLLOWS;
	if (sequence == 0)
		return BTVI_SEQUENCE_FOLLOWS; /* written by something that does not number */
	if (l->next == 0)
		/* A first number above 1 is a cut that somebody made (blkparse -d -w): not a loss.
		 */
		return restart(l, sequence, time_ns) ? BTVI_SEQUENCE_FOLLOWS : BTVI_SEQUENCE_NOMEM;
	if (sequence < l->next) {
		if (fill_hole(l->memory, sequence))
			return is_far_behind(l, sequence, time_ns, l->last_ns)
				? BTVI_SEQUENCE_FILLS_LATE
				: BTVI_SEQUENCE_FILLS;
		if (is_repeat(l, sequence, time_ns, l->last_ns))
			return BTVI_SEQUENCE_REPEATED;
		return restart(l, sequence, time_ns) ? BTVI_SEQUENCE_FOLLOWS : BTVI_SEQUENCE_NOMEM;
	}
	lost = sequence - l->next;
	if (lost > STEP_SURE && l->memory->odd_next != sequence) {
		l->memory->odd_next = sequence + 1;
		return BTVI_SEQUENCE_ODD;
	}
	l->memory->odd_next = 0;
	if (lost > 0)
		add_hole(l->memory, l->next, sequence - 1);
	l->next = sequence + 1;
	if ((lost > 0 || sequence >= l->sample_next) && !sample(l, sequence, time_ns))
		return BTVI_SEQUENCE_NOMEM;
	if (lost == 0)
		return BTVI_SEQUENCE_FOLLOWS;
	*ret_lost = lost;
	return BTVI_SEQUENCE_HOLE;
}

static uint64_t mix(uint64_t hash, uint64_t v)
{
	hash = (hash ^ v) * 0x9e3779b97f4a7c15U;
	return hash ^ hash >> 32;
}

uint64_t btvi_sequence_fingerprint(const struct btvi_sequence *s, uint64_t last_ns)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->table_size; i++) {
		const struct btvi_sequence_lane *const l = s->table[i];

		if (l)
			sum += mix(mix(mix(1, (uint64_t)l->device << 32 | l->cpu), l->next),
				l == s->current ? last_ns : l->last_ns);
	}
	return sum;
}
