/* window.c - see window.h. Patience: an event goes behind the run whose last key is the greatest
 * that is not above its own; the runs' heads are in a heap. */
#include "trace/window.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

enum {
	BLOCK_NODES = 256,
	INLINE_BYTES = 32, /* of payload: all but messages */
};

struct node {
	struct btviz_event ev;
	uint64_t key;
	uint64_t arrival;
	struct node *next;
	unsigned char *long_payload;
	unsigned char payload[INLINE_BYTES];
};

struct block {
	struct block *next;
	struct node nodes[BLOCK_NODES];
};

struct run {
	struct node *head, *tail;
};

struct btvi_window {
	size_t limit, count, notes;
	size_t long_bytes; /* held in payloads of their own */
	uint64_t arrivals;
	struct block *blocks;
	struct node *unused;
	struct node *lent; /* handed out last */
	/* Runs by falling key of their tail; the heap by rising key of their head. */
	struct run **by_tail, **heap;
	struct run *runs; /* BTVI_WINDOW_RUNS of them */
	struct run **unused_runs;
	size_t run_count;
	size_t recent; /* place in by_tail that was used last */
};

struct btvi_window *btvi_window_new(size_t events)
{
	struct btvi_window *const w = calloc(1, sizeof *w);

	if (!w)
		return NULL;
	w->limit = events;
	w->by_tail = malloc(BTVI_WINDOW_RUNS * sizeof(struct run *));
	w->heap = malloc(BTVI_WINDOW_RUNS * sizeof(struct run *));
	w->unused_runs = malloc(BTVI_WINDOW_RUNS * sizeof(struct run *));
	w->runs = malloc(BTVI_WINDOW_RUNS * sizeof *w->runs);
	if (!w->by_tail || !w->heap || !w->unused_runs || !w->runs) {
		btvi_window_free(w);
		return NULL;
	}
	for (size_t i = 0; i < BTVI_WINDOW_RUNS; i++)
		w->unused_runs[i] = &w->runs[i];
	return w;
}

void btvi_window_free(struct btvi_window *w)
{
	if (!w)
		return;
	for (struct block *b = w->blocks; b;) {
		struct block *const next = b->next;

		for (size_t i = 0; i < BLOCK_NODES; i++)
			free(b->nodes[i].long_payload);
		free(b);
		b = next;
	}
	free(w->by_tail);
	free(w->heap);
	free(w->unused_runs);
	free(w->runs);
	free(w);
}

size_t btvi_window_count(const struct btvi_window *w, size_t *ret_notes)
{
	*ret_notes = w->notes;
	return w->count;
}

bool btvi_window_is_full(const struct btvi_window *w)
{
	return w->count >= w->limit || w->run_count == BTVI_WINDOW_RUNS ||
		w->long_bytes > BTVI_WINDOW_BYTES;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static struct node *node_get(struct btvi_window *w)
{
	struct node *n;

	if (!w->unused) {
		struct block *const b = malloc(sizeof *b);

		if (!b)
			return NULL;
		b->next = w->blocks;
		w->blocks = b;
		for (size_t i = 0; i < BLOCK_NODES; i++) {
			b->nodes[i].long_payload = NULL;
			b->nodes[i].next = i + 1 < BLOCK_NODES ? &b->nodes[i + 1] : NULL;
		}
		w->unused = b->nodes;
	}
	n = w->unused;
	w->unused = n->next;
	return n;
}

static void node_put_back(struct btvi_window *w, struct node *n)
{
	if (n->long_payload) {
		w->long_bytes -= n->ev.payload_size;
		free(n->long_payload);
		n->long_payload = NULL;
	}
	n->next = w->unused;
	w->unused = n;
}

static bool node_fill(
	struct btvi_window *w, struct node *n, const struct btviz_event *ev, uint64_t key)
{
	unsigned char *payload = n->payload;

	if (ev->payload_size > INLINE_BYTES) {
		payload = n->long_payload = malloc(ev->payload_size);
		if (!payload)
			return false;
		w->long_bytes += ev->payload_size;
	}
	n->ev = *ev;
	if (ev->payload_size > 0)
		memcpy(payload, ev->payload, ev->payload_size);
	n->ev.payload = payload;
	n->key = key;
	n->arrival = w->arrivals++;
	n->next = NULL;
	return true;
}

/* Events of the same key keep the order in which they came. */
static bool is_before(const struct node *a, const struct node *b)
{
	return a->key != b->key ? a->key < b->key : a->arrival < b->arrival;
}

/* ---- the heap of heads ----------------------------------------------------------------------- */

static void sift_down(struct btvi_window *w, size_t at)
{
	struct run *const r = w->heap[at];

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= w->run_count)
			break;
		if (child + 1 < w->run_count &&
			is_before(w->heap[child + 1]->head, w->heap[child]->head))
			child++;
		if (!is_before(w->heap[child]->head, r->head))
			break;
		w->heap[at] = w->heap[child];
		at = child;
	}
	w->heap[at] = r;
}

static void sift_up(struct btvi_window *w, size_t at)
{
	struct run *const r = w->heap[at];

	while (at > 0 && is_before(r->head, w->heap[(at - 1) / 2]->head)) {
		w->heap[at] = w->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	w->heap[at] = r;
}

/* ---- the runs -------------------------------------------------------------------------------- */

/* The place in by_tail of the first run whose tail is not above key; run_count: none. */
static size_t place_for(const struct btvi_window *w, uint64_t key)
{
	size_t low = 0, high = w->run_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (w->by_tail[middle]->tail->key <= key)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static bool is_place_for(const struct btvi_window *w, size_t at, uint64_t key)
{
	return at < w->run_count && w->by_tail[at]->tail->key <= key &&
		(at == 0 || w->by_tail[at - 1]->tail->key > key);
}

bool btvi_window_put(struct btvi_window *w, const struct btviz_event *ev, uint64_t key)
{
	struct node *const n = node_get(w);
	struct run *r;
	size_t at = w->recent;

	if (!n || !node_fill(w, n, ev, key))
		return false;
	w->count++;
	w->notes += btviz_event_is_note(ev);
	if (!is_place_for(w, at, key))
		at = place_for(w, key);
	w->recent = at;
	if (at < w->run_count) {
		r = w->by_tail[at];
		r->tail->next = n;
		r->tail = n;
		return true;
	}
	/* lower than all tails: a run of its own, the last by tail */
	r = w->unused_runs[w->run_count];
	r->head = r->tail = n;
	w->by_tail[at] = r;
	w->heap[w->run_count++] = r;
	sift_up(w, w->run_count - 1);
	return true;
}

/* Removes the run at the top of the heap, whose only node has been taken. */
static void drop_run(struct btvi_window *w, struct run *r, uint64_t tail_key)
{
	size_t at = place_for(w, tail_key);

	while (w->by_tail[at] != r)
		at++;
	memmove(&w->by_tail[at], &w->by_tail[at + 1], (w->run_count - at - 1) * sizeof *w->by_tail);
	w->run_count--;
	w->unused_runs[w->run_count] = r;
	w->heap[0] = w->heap[w->run_count];
	if (w->run_count > 0)
		sift_down(w, 0);
}

struct btviz_event *btvi_window_take(struct btvi_window *w, uint64_t *ret_key)
{
	struct run *r;
	struct node *n;

	if (w->lent) {
		node_put_back(w, w->lent);
		w->lent = NULL;
	}
	if (w->run_count == 0)
		return NULL;
	r = w->heap[0];
	n = r->head;
	w->count--;
	w->notes -= btviz_event_is_note(&n->ev);
	if (n == r->tail) {
		drop_run(w, r, n->key);
	} else {
		r->head = n->next;
		sift_down(w, 0);
	}
	w->lent = n;
	*ret_key = n->key;
	return &n->ev;
}
