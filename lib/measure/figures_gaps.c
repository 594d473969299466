/* figures_gaps.c - which pauses are gaps, who held them, and slow phases.
 *
 * The threshold. A pause is a gap if it is much longer than what is ordinary in the run: at least
 * 50 ms and ten times the pause that 99 of 100 do not exceed (of fewer than 1000 pauses: 9 of 10);
 * where something was under way, also three times the latency that 9 of 10 do not exceed, since a
 * disk that takes 200 ms for a request does not stand still while it works on it; where nothing
 * was, half of the median latency, below which a pause is lost among the I/Os. A machine that is
 * idle nine tenths of the time is not held up: there, only pauses of three times the usual one
 * stand out, if there are enough to call one usual. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/figures.h"

#define PAUSE_QUANTILE       0.99
#define PAUSE_TIMES          10.0
#define LATENCY_TIMES        3.0
#define SUBMIT_LATENCY_TIMES 0.5
#define IDLE_SHARE           0.9
#define IDLE_TIMES           3.0
#define STALL_SHARE                                                                              \
	0.5            /* of a gap: a device that stood still for so much of it is held up in it \
			*/
#define SLOW_SHARE 0.5 /* of the typical rate, for at least this long: */
#define SLOW_NS    1e9

/* Of so few pauses one in a hundred is the gap itself; so few long ones are no habit. */
enum { FEW_PAUSES = 1000, USUAL_PAUSES = 8 };

enum { SLOW_CELLS = 2048, SLOW_MAX = 64, LAYERS_MAX = 8 };

static struct btviz_distribution latency_of(
	const struct btvi_device *d, enum btviz_interval interval)
{
	const struct btvi_histogram *const parts[BTVI_DIRECTIONS] = { d->latency[interval][0],
		d->latency[interval][1], d->latency[interval][2] };

	return btvi_distribution(parts, BTVI_DIRECTIONS, 1);
}

/* The median of the idle pauses that were worth keeping. */
static double usual_pause(const struct btvi_pause_list *l)
{
	struct btvi_histogram *long_ones = NULL;
	double median = 0;
	bool ok = true;

	for (uint32_t i = 0; ok && i < l->count; i++)
		ok = btvi_histogram_add(&long_ones, 0, l->items[i].length_ns);
	if (ok && long_ones)
		median = btvi_histogram_quantile(long_ones, 0.5);
	btvi_histogram_free(long_ones);
	return median;
}

static double submit_threshold(const struct btvi_device *d, double span_ns)
{
	const struct btvi_pause_list *l = &d->gaps.lists[BTVIZ_GAP_SUBMIT];
	/* All pauses between submissions, those with something outstanding too. */
	const struct btviz_distribution q2q = latency_of(d, BTVIZ_Q2Q);
	const struct btviz_distribution q2c = latency_of(d, BTVIZ_Q2C);
	double t = 0;

	if (q2q.count > 0)
		t = PAUSE_TIMES * (q2q.count < FEW_PAUSES ? q2q.p90 : q2q.p99);
	if (q2c.count > 0)
		t = fmax(t, SUBMIT_LATENCY_TIMES * q2c.p50);
	if ((double)d->busy_ns < (1 - IDLE_SHARE) * span_ns && l->count >= USUAL_PAUSES)
		t = fmax(t, IDLE_TIMES * usual_pause(l));
	return t;
}

/* Many times a pause of a century is more than any time. */
static uint64_t whole_ns(double ns)
{
	return (uint64_t)fmin(ns, (double)BTVI_TIME_MAX_NS);
}

static uint64_t threshold(const struct btvi_figures *f, const struct btviz_summary *s,
	const struct btvi_device *d, enum btviz_gap_kind kind)
{
	const struct btvi_histogram *ordinary = d->gaps.lists[kind].lengths;
	struct btviz_distribution usual;
	double t = (double)BTVI_GAP_MIN_NS;

	if (s->options.gap_threshold_ns != 0)
		return s->options.gap_threshold_ns;
	if (kind == BTVIZ_GAP_SUBMIT)
		return whole_ns(
			fmax(t, submit_threshold(d, (double)(f->pub.end_ns - f->pub.start_ns))));
	if (ordinary && ordinary->count > 0)
		t = fmax(t, PAUSE_TIMES * btvi_histogram_quantile(ordinary, PAUSE_QUANTILE));
	if (kind == BTVIZ_GAP_QUEUE)
		usual = latency_of(d, BTVIZ_Q2D);
	else
		usual = latency_of(d, d->pair.request_based ? BTVIZ_D2C : BTVIZ_Q2C);
	if (usual.count > 0)
		t = fmax(t, LATENCY_TIMES * usual.p90);
	return whole_ns(t);
}

/* Number and sum of all pauses of at least t, kept or not. */
static struct btviz_gap_total total(const struct btvi_pause_list *l, uint64_t t)
{
	struct btviz_gap_total out = { 0, 0 };

	if (!l->lengths)
		return out;
	if (l->left_out == 0) {
		for (uint32_t i = 0; i < l->count; i++)
			if (l->items[i].length_ns >= t) {
				out.count++;
				out.total_s +=
					(double)(l->items[i].end_ns - l->items[i].start_ns) * 1e-9;
			}
		return out;
	}
	const unsigned width = 1U << l->lengths->coarse;

	for (unsigned b = btvi_histogram_bin(t) / width * width; b < BTVI_HISTOGRAM_BINS;
		b += width) {
		const uint64_t n = btvi_histogram_in(l->lengths, b);
		const double middle = 0.5 *
			((double)btvi_histogram_floor(b) + (double)btvi_histogram_floor(b + width));

		out.count += n;
		out.total_s += (double)n * middle * 1e-9;
	}
	return out;
}

static int compare_gaps(const void *pa, const void *pb)
{
	const struct btviz_gap *a = pa, *b = pb;

	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return (int)a->kind - (int)b->kind;
}

static void fill_gap(struct btvi_figures *f, const struct btviz_summary *s, struct btviz_gap *g,
	enum btviz_gap_kind kind, const struct btvi_pause *p)
{
	g->kind = kind;
	g->start_ns = p->start_ns;
	g->end_ns = p->end_ns;
	g->start_s = btvi_figures_s(f, p->start_ns);
	g->end_s = btvi_figures_s(f, p->end_ns);
	g->idle_s = kind == BTVIZ_GAP_SUBMIT ? (double)p->length_ns * 1e-9 : 0;
	g->outstanding = p->outstanding;
	g->before_pid = p->before_pid;
	g->after_pid = p->after_pid;
	g->before_comm = g->after_comm = "";
	if (p->before_pid)
		g->before_comm = btvi_arena_text(
			&f->arena, btvi_names_get(&s->names, p->before_pid, p->start_ns));
	if (p->after_pid)
		g->after_comm = btvi_arena_text(
			&f->arena, btvi_names_get(&s->names, p->after_pid, p->end_ns));
}

/* ---- slow phases
 * --------------------------------------------------------------------------------- */

static int compare_doubles(const void *pa, const void *pb)
{
	const double a = *(const double *)pa, b = *(const double *)pb;

	return a < b ? -1 : a > b;
}

/* Whether a stretch lies in a gap, to at least half. */
static bool is_in_gap(const struct btviz_gap *gaps, size_t count, double from_ns, double to_ns)
{
	double covered = 0;

	for (size_t i = 0; i < count; i++) {
		const double low = fmax(from_ns, (double)gaps[i].start_ns);
		const double high = fmin(to_ns, (double)gaps[i].end_ns);

		if (high > low)
			covered += high - low;
	}
	return covered > 0.5 * (to_ns - from_ns);
}

/* Looks for stretches of at least a second at under half of the typical (median) rate, which are
 * no gaps. The rate is taken over windows of half a second, so that a device's ordinary bursts do
 * not count. Needs a run of at least eight seconds: in less, a second is no phase. */
static size_t find_slow(struct btvi_figures *f, const struct btvi_device *d,
	const struct btviz_gap *gaps, size_t gap_count, struct btviz_gap *out)
{
	const double start = (double)d->first_ns, end = (double)d->last_ns;
	const size_t cells = (size_t)fmin((end - start) / (SLOW_NS / 4), SLOW_CELLS);
	const double width = cells ? (end - start) / (double)cells : 0;
	double *const rate = f->rates, *const sorted = rate + SLOW_CELLS;
	size_t used = 0, n = 0, from = SIZE_MAX;
	double typical;

	if (cells < 32)
		return 0;
	for (size_t i = 0; i < cells; i++) {
		const double low = fmax(start, start + ((double)i - 0.5) * width);
		const double high = fmin(end, low + 2 * width);

		rate[i] = (btvi_series_sum(&d->series, BTVI_COL_BYTES, low, high) +
				  btvi_series_sum(&d->series, BTVI_COL_BYTES + 1, low, high)) /
			(high - low);
		if (!is_in_gap(gaps, gap_count, low, high))
			sorted[used++] = rate[i];
	}
	if (used < 16)
		return 0;
	qsort(sorted, used, sizeof *sorted, compare_doubles);
	typical = sorted[used / 2];
	/* A run whose rate has no typical value (a quarter of it below half) has no drop-out
	 * either. */
	if (typical <= 0 || sorted[used / 4] < SLOW_SHARE * typical)
		return 0;
	for (size_t i = 0; i <= cells; i++) {
		const double low = start + (double)i * width;
		const bool slow = i < cells && rate[i] < SLOW_SHARE * typical &&
			!is_in_gap(gaps, gap_count, low, low + width);

		if (slow && from == SIZE_MAX)
			from = i;
		if (slow || from == SIZE_MAX)
			continue;
		if ((double)(i - from) * width >= SLOW_NS && n < SLOW_MAX) {
			out[n].kind = BTVIZ_GAP_SLOW;
			out[n].start_ns = (uint64_t)(start + (double)from * width);
			out[n].end_ns = (uint64_t)low;
			out[n].start_s = btvi_figures_s(f, out[n].start_ns);
			out[n].end_s = btvi_figures_s(f, out[n].end_ns);
			out[n].before_comm = out[n].after_comm = "";
			n++;
		}
		from = SIZE_MAX;
	}
	return n;
}

/* ---- who held it
 * ------------------------------------------------------------------------------------ */

/* How long a device stalled within a stretch at a time: the longest overlap, and in which way. */
static double stall_in(const struct btvi_device *d, uint64_t start_ns, uint64_t end_ns,
	enum btviz_gap_kind *ret_kind)
{
	double most = 0;

	for (unsigned k = BTVIZ_GAP_QUEUE; k <= BTVIZ_GAP_DEVICE; k++) {
		const struct btvi_pause_list *l = &d->gaps.lists[k];

		for (uint32_t i = 0; i < l->count; i++) {
			const double low = fmax((double)start_ns, (double)l->items[i].start_ns);
			const double high = fmin((double)end_ns, (double)l->items[i].end_ns);

			if (high - low > most) {
				most = high - low;
				*ret_kind = (enum btviz_gap_kind)k;
			}
		}
	}
	return most;
}

/* A stall of a device that lies on others is its own only if none of those stalls: else the one
 * below that alone stalls in it holds it, and says in which way; where several do, all of them.
 * Where they are traced and none stalls, the device itself holds its I/Os back. */
static void blame(struct btvi_figures *f, size_t index, struct btviz_gap *g, unsigned layer)
{
	const double half = STALL_SHARE * (double)(g->end_ns - g->start_ns);
	double most = half;
	enum btviz_gap_kind kind = g->kind;
	size_t member = SIZE_MAX;
	uint32_t stalled = 0;
	bool below = false;

	if (layer == LAYERS_MAX)
		return;
	for (size_t i = 0; i < f->pub.device_count; i++) {
		enum btviz_gap_kind k = BTVIZ_GAP_DEVICE;
		double stall;

		if (i == index || !btvi_is_member_of(&f->devices[i], f->devices[index].device))
			continue;
		below = true;
		stall = stall_in(f->sources[i], g->start_ns, g->end_ns, &k);
		stalled += stall > half;
		if (stall > most) {
			most = stall;
			member = i;
			kind = k;
		}
	}
	if (layer == 0)
		g->members_stalled = stalled;
	if (stalled > 1) { /* none of them is to blame alone */
		g->kind = kind;
		g->member = 0;
	} else if (member != SIZE_MAX) {
		g->kind = kind;
		g->member = f->devices[member].device;
		blame(f, member, g, layer + 1);
	} else if (below) {
		g->kind = BTVIZ_GAP_QUEUE;
	}
}

static void device_gaps(struct btvi_figures *f, const struct btviz_summary *s, size_t index)
{
	const struct btvi_device *d = f->sources[index];
	struct btviz_device *out = &f->devices[index];
	const struct btviz_gap **list;
	struct btviz_gap *gaps;
	size_t n = SLOW_MAX;

	for (unsigned k = 0; k < BTVI_PAUSE_KINDS; k++)
		n += d->gaps.lists[k].count;
	gaps = btvi_arena_alloc(&f->arena, n, sizeof *gaps);
	n = 0;
	if (!gaps)
		return;
	out->gap_threshold_s = (double)threshold(f, s, d, BTVIZ_GAP_SUBMIT) * 1e-9;
	for (unsigned k = 0; k < BTVI_PAUSE_KINDS; k++) {
		const struct btvi_pause_list *l = &d->gaps.lists[k];
		const uint64_t t = threshold(f, s, d, (enum btviz_gap_kind)k);

		for (uint32_t i = 0; i < l->count; i++) {
			if (l->items[i].length_ns < t)
				continue;
			fill_gap(f, s, &gaps[n], (enum btviz_gap_kind)k, &l->items[i]);
			if (k == BTVIZ_GAP_SUBMIT)
				btvi_gap_circumstances(f, s, &gaps[n], &l->items[i]);
			else
				blame(f, index, &gaps[n], 0);
			n++;
		}
		if (k == BTVIZ_GAP_SUBMIT)
			out->gap_totals[k] = total(l, t);
	}
	/* Blame may have changed the kind: what was kept is counted as what it is now. */
	for (size_t i = 0; i < n; i++)
		if (gaps[i].kind != BTVIZ_GAP_SUBMIT) {
			out->gap_totals[gaps[i].kind].count++;
			out->gap_totals[gaps[i].kind].total_s += gaps[i].end_s - gaps[i].start_s;
		}
	for (unsigned k = BTVIZ_GAP_QUEUE; k < BTVI_PAUSE_KINDS; k++) {
		const struct btvi_pause_list *l = &d->gaps.lists[k];

		if (l->left_out > 0)
			out->gap_totals[k] = total(l, threshold(f, s, d, (enum btviz_gap_kind)k));
	}
	const size_t slow = find_slow(f, d, gaps, n, gaps + n);

	for (size_t i = n; i < n + slow; i++) {
		out->gap_totals[BTVIZ_GAP_SLOW].count++;
		out->gap_totals[BTVIZ_GAP_SLOW].total_s += gaps[i].end_s - gaps[i].start_s;
	}
	n += slow;
	qsort(gaps, n, sizeof *gaps, compare_gaps);
	list = btvi_arena_alloc(&f->arena, n, sizeof *list);
	BTVI_LIST_OF(list, gaps, n);
	out->gaps = list;
	out->gap_count = n;
}

void btvi_figures_gaps(struct btvi_figures *f, const struct btviz_summary *s)
{
	f->rates = btvi_arena_alloc(&f->arena, 2 * SLOW_CELLS, sizeof *f->rates);
	if (!f->rates)
		return;
	/* From the lowest layer upwards: the order of devices is downwards. */
	for (size_t i = f->pub.device_count; i-- > 0;)
		device_gaps(f, s, i);
}
