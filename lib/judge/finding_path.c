/* finding_path.c - rules about what becomes of an array's I/O on its way to the members: splits,
 * flush-fan-out, members-fragmented. */
#include "judge/finding.h"

#include <math.h>
#include <string.h>

/* Fewer I/Os, or flushes, say nothing. */
static const uint64_t ios_least = 100;
static const uint64_t flushes_least = 50;

/* Of random I/Os of a quarter of a chunk, a fifth crosses a border by chance. */
static const double splits_least = 0.25;
static const double splits_warning = 0.5;

/* A flush that takes twice as long as the members' own, and by a millisecond more, waits for the
 * slowest of them; below that it is what each takes anyway. */
static const double fan_out_times = 2.0;
static const double fan_out_least_s = 0.001;

/* Large and in sequence above: a stripe's worth. Small and out of order below. */
static const double large_least = 128 * 1024;
static const double sequential_seeks_most = 0.1;
static const double small_most = 32 * 1024;
static const double scattered_seeks_least = 0.3;

static uint64_t data_ios(const struct btviz_device *d, enum btviz_station station)
{
	return d->actions[BTVIZ_OP_READ][station].ios + d->actions[BTVIZ_OP_WRITE][station].ios;
}

static double data_bytes(const struct btviz_device *d, enum btviz_station station)
{
	return (double)d->actions[BTVIZ_OP_READ][station].bytes +
		(double)d->actions[BTVIZ_OP_WRITE][station].bytes;
}

/* How often the array's I/Os were cut: by X, which not every driver writes; level 0 carries each
 * piece once, so what it remaps beyond what it was given is pieces, too. */
static uint64_t cuts(const struct btviz_array *a, const struct btviz_device *d)
{
	uint64_t pieces = 0, ios = data_ios(d, BTVIZ_QUEUED);

	for (size_t i = 0; i < a->member_count; i++)
		pieces += a->members[i]->remapped.ios;
	if (!a->level || strcmp(a->level, "raid0") != 0 || pieces < ios)
		return d->splits;
	return pieces - ios > d->splits ? pieces - ios : d->splits;
}

/* I/Os no larger than a chunk that are cut all the same begin off its borders. */
static void splits(
	const struct btviz_array *a, const struct btviz_device *d, struct btviz_findings *list)
{
	const double share = btvi_share((double)cuts(a, d), (double)data_ios(d, BTVIZ_QUEUED));
	const double largest = d->queued_bytes[BTVIZ_DIR_ALL].max;
	struct btvi_finding_draft draft = { .name = "splits",
		.severity = share >= splits_warning ? BTVIZ_SEV_WARNING : BTVIZ_SEV_NOTE,
		.weight = fmin(share, 1) };
	char part[BTVI_QUANTITY_SIZE], chunk[BTVI_QUANTITY_SIZE];

	if (data_ios(d, BTVIZ_QUEUED) < ios_least || a->chunk_bytes == 0 || share < splits_least ||
		!(largest <= (double)a->chunk_bytes))
		return;
	btvi_finding_evidence(&draft, "splits", (double)cuts(a, d), "");
	btvi_finding_evidence(&draft, "share", share, "");
	btvi_finding_evidence(&draft, "largest", largest, "bytes");
	btvi_finding_evidence(&draft, "chunk", (double)a->chunk_bytes, "bytes");
	btvi_finding_add(list, &draft,
		"%s of the I/Os of %s are cut in two at the borders of its chunks (%s), though none is "
		"larger than one: they begin off these borders, as above a volume or partition that "
		"does.",
		btvi_quantity_share(fmin(share, 1), part), d->name,
		btvi_quantity_bytes((double)a->chunk_bytes, chunk));
}

/* Discards share the latencies of flushes: with any, it is not known whose they are. */
static bool flushes_only(const struct btviz_device *d)
{
	uint64_t others = 0;

	for (unsigned op = 0; op < BTVIZ_OP_COUNT; op++)
		if (op != BTVIZ_OP_READ && op != BTVIZ_OP_WRITE && op != BTVIZ_OP_FLUSH)
			others +=
				d->actions[op][BTVIZ_QUEUED].ios + d->actions[op][BTVIZ_ISSUED].ios;
	return others == 0;
}

static void flush_fan_out(const struct btviz_figures *f, const struct btviz_array *a,
	const struct btviz_device *d, struct btviz_findings *list)
{
	const struct btviz_distribution *const whole = &d->latency[BTVIZ_Q2C][BTVIZ_DIR_OTHER];
	struct btvi_finding_draft draft = { .name = "flush-fan-out", .severity = BTVIZ_SEV_NOTE };
	char one[BTVI_QUANTITY_SIZE], all[BTVI_QUANTITY_SIZE];
	double sum = 0;
	size_t n = 0;

	if (!flushes_only(d) || whole->count < flushes_least || a->member_count < 2)
		return;
	for (size_t i = 0; i < a->member_count; i++) {
		const struct btviz_device *const m = btvi_figures_device(f, a->members[i]->device);
		const struct btviz_distribution *const l =
			m ? &m->latency[BTVIZ_Q2C][BTVIZ_DIR_OTHER] : NULL;

		if (!l || l->count < flushes_least || !flushes_only(m))
			return;
		sum += l->avg;
		n++;
	}
	sum /= (double)n;
	if (!(whole->avg >= fan_out_times * sum && whole->avg - sum >= fan_out_least_s))
		return;
	btvi_finding_evidence(&draft, "flush", whole->avg, "s");
	btvi_finding_evidence(&draft, "members_flush", sum, "s");
	btvi_finding_evidence(&draft, "flushes", (double)whole->count, "");
	btvi_finding_add(list, &draft,
		"A flush of %s takes %s, though one of a member takes %s: it waits for the slowest of "
		"the %zu.",
		d->name, btvi_quantity_duration(whole->avg, all), btvi_quantity_duration(sum, one),
		a->member_count);
}

/* The array is given large I/Os in sequence, and its members get neither: the regression of raid5
 * in 2022, when stripes were handled out of order, looked so. */
static void members_fragmented(const struct btviz_figures *f, const struct btviz_array *a,
	const struct btviz_device *d, struct btviz_findings *list)
{
	const double queued = (double)data_ios(d, BTVIZ_QUEUED);
	const double size = btvi_share(data_bytes(d, BTVIZ_QUEUED), queued);
	struct btvi_finding_draft draft = { .name = "members-fragmented",
		.severity = BTVIZ_SEV_WARNING };
	char above[BTVI_QUANTITY_SIZE], below[BTVI_QUANTITY_SIZE], share[BTVI_QUANTITY_SIZE];
	double issued = 0, bytes = 0, seeks = 0;

	/* A chunk smaller than that cuts them by itself; md's own work is none of the array's. */
	if (queued < (double)ios_least || size < large_least || a->sync ||
		(a->chunk_bytes > 0 && (double)a->chunk_bytes <= small_most) ||
		(double)d->seeks > sequential_seeks_most * queued)
		return;
	for (size_t i = 0; i < a->member_count; i++) {
		const struct btviz_device *const m = btvi_figures_device(f, a->members[i]->device);

		if (!m || !m->request_based)
			return;
		issued += (double)data_ios(m, BTVIZ_ISSUED);
		bytes += data_bytes(m, BTVIZ_ISSUED);
		seeks += (double)m->seeks;
	}
	if (issued < (double)ios_least || btvi_share(bytes, issued) > small_most ||
		seeks < scattered_seeks_least * issued)
		return;
	draft.weight = btvi_share(seeks, issued);
	btvi_finding_evidence(&draft, "array_size", size, "bytes");
	btvi_finding_evidence(&draft, "member_size", btvi_share(bytes, issued), "bytes");
	btvi_finding_evidence(&draft, "member_seeks", draft.weight, "");
	btvi_finding_add(list, &draft,
		"%s is given I/Os of %s in sequence, but its members get requests of %s, %s of them "
		"seeks: what is put together above is taken apart below.",
		d->name, btvi_quantity_bytes(size, above),
		btvi_quantity_bytes(btvi_share(bytes, issued), below),
		btvi_quantity_share(draft.weight, share));
}

void btvi_findings_path(const struct btviz_figures *f, struct btviz_findings *list)
{
	for (size_t i = 0; i < f->array_count; i++) {
		const struct btviz_array *const a = f->arrays[i];
		const struct btviz_device *const d = btvi_figures_device(f, a->device);

		if (!d || d->request_based)
			continue;
		splits(a, d, list);
		flush_fan_out(f, a, d, list);
		members_fragmented(f, a, d, list);
	}
}
