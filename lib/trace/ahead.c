/* ahead.c - a thread that fills batches of events, and a ring between it and who uses them. */
#include "trace/ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct btvi_ahead {
	struct btviz_trace *trace;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned filled, used; /* batches ever filled and used up; both only grow */
	bool stop;
	bool in_use; /* the batch handed out last */
	struct btvi_batch batches[BTVI_AHEAD_RING];
};

/* Texts live no longer than their event in the trace: they are copied, as far as anybody reads
 * them. */
static void fill(struct btviz_trace *t, struct btvi_batch *b)
{
	size_t text = 0;

	b->count = 0;
	b->status = BTVIZ_OK;
	while (b->count < BTVI_AHEAD_BATCH && sizeof b->payload - text >= BTVI_AHEAD_TEXT) {
		const struct btviz_event *ev;
		struct btviz_event *copy = &b->events[b->count];

		b->status = btviz_trace_next(t, &ev, &b->err);
		if (b->status != BTVIZ_OK)
			return;
		*copy = *ev;
		b->count++;
		if (copy->payload_size > BTVI_AHEAD_TEXT)
			copy->payload_size = BTVI_AHEAD_TEXT;
		if (!btviz_event_is_note(ev))
			copy->payload_size = 0;
		if (copy->payload_size == 0)
			continue;
		memcpy(b->payload + text, ev->payload, copy->payload_size);
		copy->payload = b->payload + text;
		text += copy->payload_size;
	}
}

static void *run(void *data)
{
	struct btvi_ahead *a = data;
	bool go_on = true;

	while (go_on) {
		struct btvi_batch *b;

		pthread_mutex_lock(&a->lock);
		/* Whoever has filled the ring sleeps until half of it is used up: woken for each
		 * batch, two threads would take turns. */
		if (a->filled - a->used == BTVI_AHEAD_RING)
			while (a->filled - a->used > BTVI_AHEAD_RING / 2 && !a->stop)
				pthread_cond_wait(&a->changed, &a->lock);
		go_on = !a->stop;
		b = &a->batches[a->filled % BTVI_AHEAD_RING];
		pthread_mutex_unlock(&a->lock);
		if (!go_on)
			break;
		fill(a->trace, b);
		go_on = b->status == BTVIZ_OK;
		pthread_mutex_lock(&a->lock);
		a->filled++;
		pthread_cond_signal(&a->changed);
		pthread_mutex_unlock(&a->lock);
	}
	return NULL;
}

struct btvi_ahead *btvi_ahead_new(struct btviz_trace *t)
{
	struct btvi_ahead *a = calloc(1, sizeof *a);

	if (!a)
		return NULL;
	a->trace = t;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	if (pthread_create(&a->thread, NULL, run, a) != 0) {
		free(a);
		return NULL;
	}
	return a;
}

void btvi_ahead_free(struct btvi_ahead *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_signal(&a->changed);
	pthread_mutex_unlock(&a->lock);
	pthread_join(a->thread, NULL);
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->changed);
	free(a);
}

const struct btvi_batch *btvi_ahead_next(struct btvi_ahead *a)
{
	const struct btvi_batch *b;

	pthread_mutex_lock(&a->lock);
	if (a->in_use) {
		a->used++;
		if (a->filled - a->used <= BTVI_AHEAD_RING / 2)
			pthread_cond_signal(&a->changed);
	}
	while (a->filled == a->used)
		pthread_cond_wait(&a->changed, &a->lock);
	a->in_use = true;
	b = &a->batches[a->used % BTVI_AHEAD_RING];
	pthread_mutex_unlock(&a->lock);
	return b;
}
