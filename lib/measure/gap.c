/* gap.c - tracks pauses of submission, issue and completion; keeps the longest. */
#include "measure/gap.h"

#include <stdlib.h>
#include <string.h>

#include "measure/fields.h"

void btvi_gaps_init(struct btvi_gaps *g, uint64_t keep_ns)
{
	memset(g, 0, sizeof *g);
	g->keep_ns = keep_ns;
}

void btvi_gaps_done(struct btvi_gaps *g)
{
	for (unsigned k = 0; k < BTVI_PAUSE_KINDS; k++) {
		free(g->lists[k].items);
		free(g->doubtful[k].items);
		btvi_histogram_free(g->lists[k].lengths);
	}
}

void btvi_gaps_coarsen(struct btvi_gaps *g, unsigned coarse)
{
	g->coarse = coarse;
	for (unsigned k = 0; k < BTVI_PAUSE_KINDS; k++)
		btvi_histogram_coarsen(g->lists[k].lengths, coarse);
}

/* Orders by length, then by time, so that what is kept does not depend on the order of arrival. */
static bool is_shorter(const struct btvi_pause *a, const struct btvi_pause *b)
{
	if (a->length_ns != b->length_ns)
		return a->length_ns < b->length_ns;
	return a->start_ns > b->start_ns;
}

static void swap(struct btvi_pause *a, struct btvi_pause *b)
{
	const struct btvi_pause t = *a;

	*a = *b;
	*b = t;
}

static enum btviz_status keep(struct btvi_pause_list *l, const struct btvi_pause *pause)
{
	if (!l->items) {
		l->items = malloc(BTVI_GAP_KEPT * sizeof *l->items);
		if (!l->items)
			return BTVIZ_ERR_NOMEM;
	}
	if (l->count < BTVI_GAP_KEPT) {
		uint32_t i = l->count++;

		l->items[i] = *pause;
		while (i > 0 && is_shorter(&l->items[i], &l->items[(i - 1) / 2])) {
			swap(&l->items[i], &l->items[(i - 1) / 2]);
			i = (i - 1) / 2;
		}
		return BTVIZ_OK;
	}
	l->left_out++;
	if (!is_shorter(&l->items[0], pause))
		return BTVIZ_OK;
	l->items[0] = *pause;
	for (uint32_t i = 0;;) {
		uint32_t least = i;

		for (uint32_t c = 2 * i + 1; c <= 2 * i + 2 && c < l->count; c++)
			if (is_shorter(&l->items[c], &l->items[least]))
				least = c;
		if (least == i)
			return BTVIZ_OK;
		swap(&l->items[i], &l->items[least]);
		i = least;
	}
}

/* Where a pause belongs. */
static enum btviz_status sort_in(
	struct btvi_gaps *g, enum btviz_gap_kind kind, struct btvi_pause *pause)
{
	if (pause->length_ns >= g->keep_ns)
		return keep(&g->lists[kind], pause);
	for (unsigned i = pause->lost + 1; i <= BTVI_DOUBTS; i++)
		if (pause->lengths_ns[i] >= g->keep_ns)
			return keep(&g->doubtful[kind], pause);
	return BTVIZ_OK;
}

static inline enum btviz_status count(
	struct btvi_gaps *g, enum btviz_gap_kind kind, uint64_t length_ns)
{
	return length_ns == 0 || btvi_histogram_add(&g->lists[kind].lengths, g->coarse, length_ns)
		? BTVIZ_OK
		: BTVIZ_ERR_NOMEM;
}

/* The pause that ends with a submission. */
static enum btviz_status sort_submit_pause(struct btvi_gaps *g, uint64_t time_ns, uint32_t pid)
{
	struct btvi_pause pause = { .start_ns = g->last_queue_ns,
		.end_ns = time_ns,
		.length_ns = g->idle_by_depth_ns[0],
		.flushes = g->flushes,
		.before_pid = g->last_pid,
		.after_pid = pid,
		.lengths_ns = { g->idle_by_depth_ns[0] } };

	for (unsigned i = 1; i <= BTVI_DOUBTS; i++)
		pause.lengths_ns[i] = pause.lengths_ns[i - 1] + g->idle_by_depth_ns[i];
	return sort_in(g, BTVIZ_GAP_SUBMIT, &pause);
}

enum btviz_status btvi_gaps_queue(struct btvi_gaps *g, uint64_t time_ns, uint32_t pid)
{
	enum btviz_status status = BTVIZ_OK;

	btvi_gaps_pass_time(g, time_ns);
	if (!g->queued) {
		g->queued = true;
		g->first_queue_ns = time_ns;
		g->first_pid = pid;
	} else {
		status = count(g, BTVIZ_GAP_SUBMIT, g->idle_by_depth_ns[0]);
		if (status == BTVIZ_OK && time_ns > g->last_queue_ns &&
			time_ns - g->last_queue_ns >= g->keep_ns)
			status = sort_submit_pause(g, time_ns, pid);
	}
	memset(g->idle_by_depth_ns, 0, sizeof g->idle_by_depth_ns);
	g->flushes = 0;
	g->last_queue_ns = time_ns;
	g->last_pid = pid;
	return status;
}

static uint64_t since(uint64_t then_ns, uint64_t now_ns)
{
	return now_ns > then_ns ? now_ns - then_ns : 0;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Since when at most so many were in flight: it only falls between two issues. */
static uint64_t fell_to(const struct btvi_gaps *g, unsigned level)
{
	uint64_t first = UINT64_MAX;

	for (unsigned i = 0; i <= level; i++)
		if (g->in_flight_fell_ns[i] >= g->last_issue_ns && g->in_flight_fell_ns[i] < first)
			first = g->in_flight_fell_ns[i];
	return first == UINT64_MAX ? g->last_issue_ns : first;
}

/* The pause that ends with an issue. */
static enum btviz_status sort_queue_pause(struct btvi_gaps *g, uint64_t time_ns, uint64_t length_ns)
{
	struct btvi_pause pause = { .start_ns = time_ns - length_ns,
		.end_ns = time_ns,
		.length_ns = length_ns,
		.outstanding = g->queue_outstanding,
		.lengths_ns = { length_ns } };

	for (unsigned i = 1; i <= BTVI_DOUBTS; i++)
		if (g->outstanding > i && g->in_flight <= i)
			pause.lengths_ns[i] =
				since(later(g->outstanding_rose_ns[i], fell_to(g, i)), time_ns);
	return sort_in(g, BTVIZ_GAP_QUEUE, &pause);
}

enum btviz_status btvi_gaps_issue(struct btvi_gaps *g, uint64_t time_ns)
{
	const uint64_t length_ns = g->waiting ? since(g->queue_since_ns, time_ns) : 0;
	enum btviz_status status = count(g, BTVIZ_GAP_QUEUE, length_ns);

	if (status == BTVIZ_OK && since(g->last_issue_ns, time_ns) >= g->keep_ns)
		status = sort_queue_pause(g, time_ns, length_ns);
	g->last_issue_ns = time_ns;
	return status;
}

void btvi_gaps_unissued(struct btvi_gaps *g, uint64_t time_ns)
{
	g->queue_since_ns = later(g->queue_since_ns, time_ns);
	g->last_issue_ns = later(g->last_issue_ns, time_ns);
}

/* The pause that ends with a completion. */
static enum btviz_status sort_device_pause(
	struct btvi_gaps *g, uint64_t time_ns, uint64_t length_ns, uint32_t outstanding)
{
	struct btvi_pause pause = { .start_ns = time_ns - length_ns,
		.end_ns = time_ns,
		.length_ns = length_ns,
		.outstanding = outstanding,
		.lengths_ns = { length_ns } };

	for (unsigned i = 1; i <= BTVI_DOUBTS; i++)
		if (g->in_flight > i)
			pause.lengths_ns[i] =
				since(later(g->in_flight_rose_ns[i], g->last_complete_ns), time_ns);
	return sort_in(g, BTVIZ_GAP_DEVICE, &pause);
}

enum btviz_status btvi_gaps_complete(struct btvi_gaps *g, uint64_t time_ns, uint32_t outstanding)
{
	const uint64_t length_ns = g->working ? since(g->device_since_ns, time_ns) : 0;
	enum btviz_status status = count(g, BTVIZ_GAP_DEVICE, length_ns);

	if (status == BTVIZ_OK && since(g->last_complete_ns, time_ns) >= g->keep_ns)
		status = sort_device_pause(g, time_ns, length_ns, outstanding);
	g->device_since_ns = g->last_complete_ns = time_ns;
	return status;
}

/* ---- what was not there ----------------------------------------------------------------- */

/* Whether at least half of a pause lies in a stretch. */
static bool is_mostly_in(const struct btvi_pause *pause, uint64_t from_ns, uint64_t to_ns)
{
	const uint64_t low = later(pause->start_ns, from_ns);
	const uint64_t high = pause->end_ns < to_ns ? pause->end_ns : to_ns;

	return high > low && high - low >= (pause->end_ns - pause->start_ns) / 2;
}

static void heapify(struct btvi_pause_list *l)
{
	for (uint32_t i = 1; i < l->count; i++)
		for (uint32_t c = i; c > 0 && is_shorter(&l->items[c], &l->items[(c - 1) / 2]);
			c = (c - 1) / 2)
			swap(&l->items[c], &l->items[(c - 1) / 2]);
}

/* Takes the pauses of a list that lie in a stretch out of it, each with one more (or less) of those
 * open in it lost; returns how many. */
static uint32_t take_out(struct btvi_pause_list *l, uint64_t from_ns, uint64_t to_ns, bool found,
	struct btvi_pause *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->count;) {
		struct btvi_pause *const pause = &l->items[i];

		if (!is_mostly_in(pause, from_ns, to_ns) || (found && pause->lost == 0)) {
			i++;
			continue;
		}
		pause->lost += found ? -1U : 1U;
		out[n++] = *pause;
		*pause = l->items[--l->count];
	}
	if (n > 0)
		heapify(l);
	return n;
}

static enum btviz_status lose_in(
	struct btvi_gaps *g, enum btviz_gap_kind kind, uint64_t from_ns, uint64_t to_ns, bool found)
{
	struct btvi_pause_list *const lists[] = { &g->lists[kind], &g->doubtful[kind] };
	struct btvi_pause *moved;
	enum btviz_status status = BTVIZ_OK;
	uint32_t n = 0;

	if (lists[0]->count + lists[1]->count == 0)
		return BTVIZ_OK;
	moved = malloc((lists[0]->count + lists[1]->count) * sizeof *moved);
	if (!moved)
		return BTVIZ_ERR_NOMEM;
	n = take_out(lists[0], from_ns, to_ns, found, moved);
	n += take_out(lists[1], from_ns, to_ns, found, moved + n);
	for (uint32_t i = 0; i < n && status == BTVIZ_OK; i++) {
		struct btvi_pause *const pause = &moved[i];

		if (pause->lost > BTVI_DOUBTS) {
			g->unclear++;
			continue;
		}
		pause->length_ns = pause->lengths_ns[pause->lost];
		if (kind != BTVIZ_GAP_SUBMIT)
			pause->start_ns = pause->end_ns - pause->length_ns;
		status = sort_in(g, kind, pause);
	}
	free(moved);
	return status;
}

/* What was seen at a number of open ones was so at one less, or one more. */
static void shift(uint64_t levels[BTVI_DOUBTS + 1], bool found, uint64_t unknown)
{
	if (found) {
		memmove(levels + 1, levels, BTVI_DOUBTS * sizeof *levels);
		levels[0] = unknown;
	} else {
		memmove(levels, levels + 1, BTVI_DOUBTS * sizeof *levels);
		levels[BTVI_DOUBTS] = unknown;
	}
}

enum btviz_status btvi_gaps_lose(struct btvi_gaps *g, uint64_t since_ns, uint64_t now_ns,
	bool outstanding, bool in_flight, bool found)
{
	enum btviz_status status = BTVIZ_OK;

	if (outstanding) {
		const uint64_t alone_ns = g->idle_by_depth_ns[0];

		btvi_gaps_pass_time(g, now_ns);
		shift(g->idle_by_depth_ns, found, 0);
		g->idle_by_depth_ns[0] += found ? 0 : alone_ns;
		shift(g->outstanding_rose_ns, found, found ? since_ns : now_ns);
		g->outstanding += found ? 1U : -1U;
		status = lose_in(g, BTVIZ_GAP_SUBMIT, since_ns, now_ns, found);
		if (status == BTVIZ_OK)
			status = lose_in(g, BTVIZ_GAP_QUEUE, since_ns, now_ns, found);
	}
	if (in_flight && status == BTVIZ_OK) {
		shift(g->in_flight_rose_ns, found, found ? since_ns : now_ns);
		shift(g->in_flight_fell_ns, found, 0);
		g->in_flight += found ? 1U : -1U;
		status = lose_in(g, BTVIZ_GAP_DEVICE, since_ns, now_ns, found);
	}
	return status;
}

/* ---- parts of a run --------------------------------------------------------------------- */

enum btviz_status btvi_gaps_merge(struct btvi_gaps *g, const struct btvi_gaps *part)
{
	enum btviz_status status = btvi_fields_merge(btvi_gaps_fields, 0, g->coarse, g, part);

	/* The pause over the border between the two. */
	if (status == BTVIZ_OK && g->queued && part->queued &&
		part->first_queue_ns > g->last_queue_ns) {
		if (g->outstanding == 0 && part->first_queue_ns > g->since_ns) {
			struct btvi_pause pause = { .start_ns = g->last_queue_ns,
				.end_ns = part->first_queue_ns,
				.length_ns =
					g->idle_by_depth_ns[0] + part->first_queue_ns - g->since_ns,
				.flushes = g->flushes,
				.before_pid = g->last_pid,
				.after_pid = part->first_pid };

			status = count(g, BTVIZ_GAP_SUBMIT, pause.length_ns);
			if (status == BTVIZ_OK)
				status = sort_in(g, BTVIZ_GAP_SUBMIT, &pause);
		}
	}
	if (part->queued && (!g->queued || part->last_queue_ns > g->last_queue_ns)) {
		if (!g->queued) {
			g->first_queue_ns = part->first_queue_ns;
			g->first_pid = part->first_pid;
		}
		g->queued = true;
		g->last_queue_ns = part->last_queue_ns;
		g->last_pid = part->last_pid;
		g->outstanding = part->outstanding;
		g->since_ns = part->since_ns;
		memcpy(g->idle_by_depth_ns, part->idle_by_depth_ns, sizeof g->idle_by_depth_ns);
		g->flushes = part->flushes;
	}
	for (unsigned k = 0; k < BTVI_PAUSE_KINDS && status == BTVIZ_OK; k++) {
		struct btvi_pause_list *l = &g->lists[k];
		const struct btvi_pause_list *p = &part->lists[k];

		status = btvi_fields_merge(btvi_pause_list_fields, 0, g->coarse, l, p);
		for (uint32_t i = 0; i < p->count && status == BTVIZ_OK; i++)
			status = keep(l, &p->items[i]);
	}
	return status;
}
