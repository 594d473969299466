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

static enum btviz_status add(
	struct btvi_gaps *g, enum btviz_gap_kind kind, const struct btvi_pause *pause)
{
	struct btvi_pause_list *l = &g->lists[kind];

	if (!btvi_histogram_add(&l->lengths, g->coarse, pause->length_ns))
		return BTVIZ_ERR_NOMEM;
	return pause->length_ns >= g->keep_ns ? keep(l, pause) : BTVIZ_OK;
}

enum btviz_status btvi_gaps_queue(struct btvi_gaps *g, uint64_t time_ns, uint32_t pid)
{
	enum btviz_status status = BTVIZ_OK;

	if (g->idle && time_ns > g->idle_since_ns) {
		g->idle_ns += time_ns - g->idle_since_ns;
		g->idle_since_ns = time_ns;
	}
	if (!g->queued) {
		g->queued = true;
		g->first_queue_ns = time_ns;
		g->first_pid = pid;
	} else if (g->idle_ns > 0) {
		const struct btvi_pause pause = { .start_ns = g->last_queue_ns,
			.end_ns = time_ns,
			.length_ns = g->idle_ns,
			.before_pid = g->last_pid,
			.after_pid = pid };

		status = add(g, BTVIZ_GAP_SUBMIT, &pause);
	}
	g->idle_ns = 0;
	g->last_queue_ns = time_ns;
	g->last_pid = pid;
	return status;
}

enum btviz_status btvi_gaps_issue(struct btvi_gaps *g, uint64_t time_ns)
{
	if (!g->waiting || time_ns <= g->queue_since_ns)
		return BTVIZ_OK;

	const struct btvi_pause pause = { .start_ns = g->queue_since_ns,
		.end_ns = time_ns,
		.length_ns = time_ns - g->queue_since_ns,
		.outstanding = g->queue_outstanding };

	return add(g, BTVIZ_GAP_QUEUE, &pause);
}

enum btviz_status btvi_gaps_complete(struct btvi_gaps *g, uint64_t time_ns, uint32_t outstanding)
{
	enum btviz_status status = BTVIZ_OK;

	if (g->working && time_ns > g->device_since_ns) {
		const struct btvi_pause pause = { .start_ns = g->device_since_ns,
			.end_ns = time_ns,
			.length_ns = time_ns - g->device_since_ns,
			.outstanding = outstanding };

		status = add(g, BTVIZ_GAP_DEVICE, &pause);
	}
	g->device_since_ns = time_ns;
	return status;
}

void btvi_gaps_state(
	struct btvi_gaps *g, uint64_t time_ns, uint32_t outstanding, uint32_t in_flight)
{
	if (outstanding == 0 && !g->idle) {
		g->idle = true;
		g->idle_since_ns = time_ns;
	} else if (outstanding > 0 && g->idle) {
		g->idle = false;
		if (time_ns > g->idle_since_ns)
			g->idle_ns += time_ns - g->idle_since_ns;
	}
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

enum btviz_status btvi_gaps_merge(struct btvi_gaps *g, const struct btvi_gaps *part)
{
	enum btviz_status status = BTVIZ_OK;

	/* The pause over the border between the two. */
	if (g->queued && part->queued && part->first_queue_ns > g->last_queue_ns) {
		if (g->idle && part->first_queue_ns > g->idle_since_ns) {
			const struct btvi_pause pause = { .start_ns = g->last_queue_ns,
				.end_ns = part->first_queue_ns,
				.length_ns = g->idle_ns + part->first_queue_ns - g->idle_since_ns,
				.before_pid = g->last_pid,
				.after_pid = part->first_pid };

			status = add(g, BTVIZ_GAP_SUBMIT, &pause);
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
		g->idle = part->idle;
		g->idle_since_ns = part->idle_since_ns;
		g->idle_ns = part->idle_ns;
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
