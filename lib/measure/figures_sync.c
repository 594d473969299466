/* figures_sync.c - what md did by itself: rebuilds, resyncs, checks. Source: md(4), "resync",
 * "recovery", "check"; drivers/md/raid1.c, raid10.c and raid5.c for what each reads and writes.
 *
 * Mirrors' own I/O comes without a remap and is counted exactly. raid5's comes through the same
 * stripes as what it is asked for; there only what the members did while the array had nothing to
 * do is taken for md's own. So what is counted is proven, and may be less than there was. */
#include <math.h>
#include <string.h>

#include "measure/figures.h"

enum { CELLS = 512, MEMBERS_MAX = 64 };

/* Less is metadata: superblocks, bitmaps. */
#define SYNC_BYTES_LEAST ((double)(1 << 20))

/* One member gets nearly all that is written, and less is read from it than half of that: it is
 * being rebuilt. */
#define REBUILT_SHARE 0.8

/* A check writes nothing; what md writes beside it (superblocks) is no more than this of it. */
#define CHECK_WRITE_SHARE 0.05

/* Members take part in a check that read so much of what the busiest one does. */
#define CHECK_PART 0.5

/* A cell takes part from so much of the fullest on: superblocks before and after are no part. */
#define CELL_PART 0.02

/* Of events that do not pair, so many leave what the array was asked for unknown. */
#define UNPAIRED_MOST 0.02

struct member_sync {
	const struct btvi_device *d;
	double moved[2]; /* read, written; bytes */
};

struct sync {
	struct member_sync members[MEMBERS_MAX];
	size_t count;
	double cells[CELLS]; /* bytes of all members */
	double width_ns;
};

static double cell_bytes(
	const struct btvi_device *d, bool own, unsigned dir, double from, double to)
{
	return btvi_series_sum(
		&d->series, (own ? BTVI_COL_OWN_READ : BTVI_COL_BYTES) + dir, from, to);
}

/* Whether the array had nothing to do from a while before the stretch to a while behind it. */
static bool is_quiet(const struct btvi_device *array, double from, double to, double margin)
{
	double any = 0;

	if (!array || array->events == 0)
		return true;
	from -= margin;
	to += margin;
	any += btvi_series_sum(&array->series, BTVI_COL_OUTSTANDING_NS, from, to);
	for (unsigned dir = 0; dir < BTVI_DIRECTIONS; dir++)
		any += btvi_series_sum(&array->series, BTVI_COL_BYTES + dir, from, to);
	return any < 1;
}

/* Threads of the array's own, and those without a name, queued most of what there is. */
static bool is_by_md(
	const struct btviz_summary *s, const struct btvi_device *d, uint32_t array, double bytes)
{
	double others = 0;

	for (uint32_t i = 0; i < d->processes.count; i++) {
		const struct btvi_actor *const a = &d->processes.items[i];
		const char *const comm = a->key > UINT32_MAX
			? ""
			: btvi_names_get(&s->names, (uint32_t)a->key, a->last_ns);

		if (comm && comm[0] != '\0' && btvi_array_of_thread(comm) != array)
			others += (double)(a->count[0].bytes + a->count[1].bytes);
	}
	return (double)(d->moved[0].bytes + d->moved[1].bytes) - others >= 0.5 * bytes;
}

static void collect(
	struct btvi_figures *f, const struct btvi_device *array, bool own, struct sync *y)
{
	const double start = (double)f->pub.start_ns;

	for (unsigned c = 0; c < CELLS; c++) {
		const double from = start + c * y->width_ns, to = from + y->width_ns;

		if (!own && !is_quiet(array, from, to, y->width_ns))
			continue;
		for (size_t i = 0; i < y->count; i++)
			for (unsigned dir = 0; dir < 2; dir++) {
				const double bytes =
					cell_bytes(y->members[i].d, own, dir, from, to);

				y->members[i].moved[dir] += bytes;
				y->cells[c] += bytes;
			}
	}
}

/* From when to when it went on. */
static void find_time(struct btvi_figures *f, const struct sync *y, struct btviz_array *a)
{
	const double start_s = btvi_figures_s(f, f->pub.start_ns), width_s = y->width_ns * 1e-9;
	unsigned first = CELLS, last = 0;
	double most = 0;

	for (unsigned c = 0; c < CELLS; c++)
		most = fmax(most, y->cells[c]);
	for (unsigned c = 0; c < CELLS; c++) {
		if (y->cells[c] <= CELL_PART * most)
			continue;
		if (first == CELLS)
			first = c;
		last = c;
	}
	a->sync_start_s = start_s + first * width_s;
	a->sync_end_s = fmin(start_s + (last + 1) * width_s, btvi_figures_s(f, f->pub.end_ns));
}

static void classify(const struct sync *y, struct btviz_array *a)
{
	double read = 0, written = 0, most_read = 0;
	size_t readers = 0, writers = 0;

	for (size_t i = 0; i < y->count; i++) {
		read += y->members[i].moved[0];
		written += y->members[i].moved[1];
		most_read = fmax(most_read, y->members[i].moved[0]);
	}
	for (size_t i = 0; i < y->count; i++) {
		const double *const moved = y->members[i].moved;

		readers += moved[0] >= CHECK_PART * most_read && moved[0] > 0;
		writers += moved[1] >= (1 - REBUILT_SHARE) * written && moved[1] > 0;
		if (moved[1] >= REBUILT_SHARE * written && written >= SYNC_BYTES_LEAST &&
			moved[0] < 0.5 * moved[1] && read >= 0.5 * written) {
			a->sync = "rebuild";
			a->sync_member = y->members[i].d->device;
			return;
		}
	}
	/* Without reading it is no sync: metadata, bitmaps, somebody's own use of a member. */
	if (read < SYNC_BYTES_LEAST)
		return;
	if (written <= CHECK_WRITE_SHARE * read && readers > 1)
		a->sync = "check";
	else if (written > CHECK_WRITE_SHARE * read && writers > 0)
		a->sync = "resync";
}

void btvi_figures_sync(struct btvi_figures *f, const struct btviz_summary *s, struct btviz_array *a)
{
	const size_t at = btvi_figures_find(f, a->device);
	const struct btvi_device *const array = at == SIZE_MAX ? NULL : f->sources[at];
	const bool parity = btvi_level_has_parity(a->level);
	struct sync *const y = btvi_arena_alloc(&f->arena, 1, sizeof *y);
	double most = 0, seconds;

	if (!y || a->member_count < 2 || a->member_count > MEMBERS_MAX ||
		BTVIZ_MAJOR(a->device) != 9 || f->pub.end_ns <= f->pub.start_ns)
		return;
	/* Without its stream, or with holes in it, it is not known what a parity array was asked
	 * for. (Of a mirror a remap that is lost makes one I/O look like its own, and its submitter
	 * tells otherwise.) */
	if (!array || (array->events == 0 && !array->traced) ||
		(parity &&
			(double)f->devices[at].unpaired >
				UNPAIRED_MOST * (double)(array->events + 1)))
		return;
	y->width_ns = (double)(f->pub.end_ns - f->pub.start_ns) / CELLS;
	for (size_t i = 0; i < a->member_count; i++)
		y->members[y->count++].d = f->sources[btvi_figures_find(f, a->members[i]->device)];
	collect(f, array, !parity && array->events > 0, y);
	for (size_t i = 0; i < y->count; i++) {
		const double *const moved = y->members[i].moved;

		a->sync_read_bytes += (uint64_t)moved[0];
		a->sync_write_bytes += (uint64_t)moved[1];
		most = fmax(most, fmax(moved[0], moved[1]));
		if (!is_by_md(s, y->members[i].d, a->device, moved[0] + moved[1]))
			return;
	}
	classify(y, a);
	if (!a->sync)
		return;
	find_time(f, y, a);
	seconds = a->sync_end_s - a->sync_start_s;
	a->sync_asked = array->actions[BTVIZ_OP_READ][BTVIZ_QUEUED].bytes +
			array->actions[BTVIZ_OP_WRITE][BTVIZ_QUEUED].bytes >
		0;
	a->sync_bytes_per_s = seconds > 0 ? most / seconds : NAN;
	if (parity && a->sync_read_bytes + a->sync_write_bytes > a->own_bytes)
		a->own_bytes = a->sync_read_bytes + a->sync_write_bytes;
}
