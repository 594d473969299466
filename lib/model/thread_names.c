/* thread_names.c - a sorted list of process names with their times. */
#include "model/thread_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { NAMES_MAX = 65536 };

void btvi_names_done(struct btvi_names *n)
{
	free(n->items);
}

/* The first item that is not before (pid, time). */
static size_t lower_bound(const struct btvi_names *n, uint32_t pid, uint64_t time_ns)
{
	size_t low = 0, high = n->count;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;
		const struct btvi_name *it = &n->items[mid];

		if (it->pid < pid || (it->pid == pid && it->since_ns < time_ns))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static enum btviz_status add(struct btvi_names *n, uint32_t pid, uint64_t time_ns, const char *comm)
{
	const size_t at = lower_bound(n, pid, time_ns);

	/* The same note stands in every device's streams: once is enough, the earliest counts. */
	if (at > 0 && n->items[at - 1].pid == pid && strcmp(n->items[at - 1].comm, comm) == 0)
		return BTVIZ_OK;
	if (at < n->count && n->items[at].pid == pid && strcmp(n->items[at].comm, comm) == 0) {
		n->items[at].since_ns = time_ns;
		return BTVIZ_OK;
	}
	if (n->count >= NAMES_MAX)
		return BTVIZ_OK;
	if (n->count == n->capacity) {
		const size_t more = n->capacity ? n->capacity * 2 : 64;
		struct btvi_name *items = realloc(n->items, more * sizeof *items);

		if (!items)
			return BTVIZ_ERR_NOMEM;
		n->items = items;
		n->capacity = more;
	}
	memmove(&n->items[at + 1], &n->items[at], (n->count - at) * sizeof *n->items);
	n->count++;
	n->items[at] = (struct btvi_name){ .since_ns = time_ns, .pid = pid };
	memcpy(n->items[at].comm, comm, strlen(comm) + 1);
	return BTVIZ_OK;
}

enum btviz_status btvi_names_add(
	struct btvi_names *n, uint32_t pid, uint64_t time_ns, const char *raw, size_t size)
{
	char comm[BTVI_COMM_BYTES];

	if (btvi_text_printable(raw, size < 16 ? size : 16, comm, sizeof comm) == 0)
		return BTVIZ_OK;
	return add(n, pid, time_ns, comm);
}

enum btviz_status btvi_names_merge(struct btvi_names *n, const struct btvi_names *part)
{
	for (size_t i = 0; i < part->count; i++) {
		const struct btvi_name *it = &part->items[i];
		const enum btviz_status status = add(n, it->pid, it->since_ns, it->comm);

		if (status != BTVIZ_OK)
			return status;
	}
	return BTVIZ_OK;
}

const char *btvi_names_get(const struct btvi_names *n, uint32_t pid, uint64_t time_ns)
{
	const size_t at = lower_bound(n, pid, time_ns + (time_ns != UINT64_MAX));

	if (at > 0 && n->items[at - 1].pid == pid)
		return n->items[at - 1].comm;
	if (at < n->count && n->items[at].pid == pid)
		return n->items[at].comm;
	return "";
}
