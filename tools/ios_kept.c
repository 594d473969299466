/* ios_kept.c - a bounded number of I/Os: all, or, as a heap, those with the smallest keys. Prints
 * nothing. */
#include "ios_kept.h"

#include <stdio.h>
#include <stdlib.h>

#include "ios_print.h"

uint64_t io_latency_ns(const struct btviz_io *io, uint64_t end_ns)
{
	const uint64_t end = io->complete_ns == BTVIZ_TIME_UNKNOWN ? end_ns : io->complete_ns;
	const uint64_t begin = io_begin_ns(io);

	return end > begin ? end - begin : 0;
}

static void swap(struct kept_io *a, struct kept_io *b)
{
	const struct kept_io c = *a;

	*a = *b;
	*b = c;
}

/* The heap has the largest key on top. */
static void sift_up(struct ios_kept *k, size_t i)
{
	for (; i > 0 && k->list[i].key > k->list[(i - 1) / 2].key; i = (i - 1) / 2)
		swap(&k->list[i], &k->list[(i - 1) / 2]);
}

static void sift_down(struct ios_kept *k)
{
	size_t i = 0, child;

	while ((child = 2 * i + 1) < k->count) {
		child += child + 1 < k->count && k->list[child + 1].key > k->list[child].key;
		if (k->list[child].key <= k->list[i].key)
			return;
		swap(&k->list[i], &k->list[child]);
		i = child;
	}
}

static void fill(struct kept_io *to, const struct btviz_io *io, const char *process, uint64_t key)
{
	to->io = *io;
	to->key = key;
	snprintf(to->process, sizeof to->process, "%s", process ? process : "");
}

bool ios_kept_add(struct ios_kept *k, const struct btviz_io *io, const char *process, uint64_t key)
{
	if (k->max > 0 && k->count == k->max) {
		if (key >= k->list[0].key)
			return true;
		fill(&k->list[0], io, process, key);
		sift_down(k);
		return true;
	}
	if (k->count == IOS_KEPT_MAX) {
		k->overflow = true;
		return true;
	}
	if (k->count == k->room) {
		const size_t room = k->room > 0 ? 2 * k->room : 256;
		struct kept_io *const grown = realloc(k->list, room * sizeof *grown);

		if (!grown)
			return false;
		k->list = grown;
		k->room = room;
	}
	fill(&k->list[k->count++], io, process, key);
	if (k->max > 0)
		sift_up(k, k->count - 1);
	return true;
}

static int by_key(const void *a, const void *b)
{
	const struct kept_io *const x = a, *const y = b;
	const uint64_t p = io_begin_ns(&x->io), q = io_begin_ns(&y->io);

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (p != q)
		return p < q ? -1 : 1;
	return x->io.sector < y->io.sector ? -1 : x->io.sector > y->io.sector;
}

void ios_kept_sort(struct ios_kept *k, enum ios_sort sort)
{
	for (size_t i = 0; i < k->count; i++) {
		struct kept_io *const x = &k->list[i];

		switch (sort) {
		case IOS_SORT_TIME:
			x->key = io_begin_ns(&x->io);
			break;
		case IOS_SORT_SIZE:
			x->key = UINT64_MAX - x->io.bytes;
			break;
		case IOS_SORT_SECTOR:
			x->key = x->io.sector;
			break;
		case IOS_SORT_LATENCY:
		case IOS_UNSORTED:
			break;
		}
	}
	if (k->count > 0)
		qsort(k->list, k->count, sizeof *k->list, by_key);
}

void ios_kept_done(struct ios_kept *k)
{
	free(k->list);
	*k = (struct ios_kept){ .list = NULL };
}
