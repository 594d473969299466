/* finding_array.c - rules about an array and its members: members-unused, members-uneven,
 * slow-member, read-modify-write, own-traffic, stream-missing. They rest on what measure/balance
 * found from the remaps. */
#include "judge/finding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Fewer I/Os than this a member and any distribution over the members can be chance. */
static const uint64_t ios_a_member_least = 32;

/* A member with less than a tenth of the busiest one's bytes is as good as unused: a superblock
 * write now and then must not make it count. */
static const double used_share_least = 0.10;

/* All are used, but together they do the work of fewer than three quarters. Mirrors read by few
 * readers (0.83 of two) and parity over short runs stay above it. */
static const double uneven_part_most = 0.75;

/* Twice its siblings' average, and at least a millisecond more: below that it is the difference of
 * outer and inner tracks, or of a cache. */
static const double slow_ratio_least = 2.0;
static const double slow_extra_least_s = 0.001;

/* Level 0 moves what it is asked for. I/Os that were under way at either end of a recording are a
 * few in a hundred of a short one. */
static const double level0_deviation_least = 0.1;

/* A member with much more than its share of the bytes waits in its own queue, and is not slow. */
static const double slow_bytes_most = 1.5;

/* Nor is one slow that seeks more than its siblings do: it takes long for good reason. As seeks for
 * each I/O, in proportion, and this much more. */
static const double slow_seeks_times = 1.5;
static const double slow_seeks_extra = 0.1;

/* Old data and parity read, as part of what was written. A sequential writer has some at the edges
 * of its stripes (3 % where all is well); a tenth is no edge. */
static const double rmw_part_least = 0.10;
static const double rmw_part_warning = 0.25;

/* Superblocks and bitmaps are far below a tenth of the members' bytes, a resync is most of them. */
static const double own_share_least = 0.10;
static const double own_bytes_least = 1 << 20;

/* md works on whole pages. */
static const double page_bytes = 4096;

static bool is_parity(const struct btviz_array *a)
{
	return a->level &&
		(strcmp(a->level, "raid4") == 0 || strcmp(a->level, "raid5") == 0 ||
			strcmp(a->level, "raid6") == 0);
}

static double member_bytes(const struct btviz_member *m)
{
	return (double)m->read.bytes + (double)m->write.bytes;
}

static double member_ios(const struct btviz_member *m)
{
	return (double)m->read.ios + (double)m->write.ios;
}

/* Whether all members were traced and did enough for their shares to mean something. */
static bool shares_count(const struct btviz_array *a)
{
	double ios = 0;

	if (a->member_count < 2)
		return false;
	for (size_t i = 0; i < a->member_count; i++) {
		if (!a->members[i]->traced)
			return false;
		ios += member_ios(a->members[i]);
	}
	return ios >= (double)(ios_a_member_least * a->member_count);
}

static const struct btviz_member *busiest(const struct btviz_array *a)
{
	const struct btviz_member *most = a->members[0];

	for (size_t i = 1; i < a->member_count; i++)
		if (member_bytes(a->members[i]) > member_bytes(most))
			most = a->members[i];
	return most;
}

/* Names of the members that are used (or not), as far as they fit: "sdb, sdd, sde". */
static void list_members(
	const struct btviz_array *a, double least_bytes, bool used, char *out, size_t size)
{
	size_t n = 0;

	out[0] = '\0';
	for (size_t i = 0; i < a->member_count; i++) {
		const struct btviz_member *const m = a->members[i];
		const size_t need = strlen(m->name) + 2;

		if ((member_bytes(m) >= least_bytes) != used)
			continue;
		if (n + need + 4 >= size) {
			snprintf(out + n, size - n, ", …");
			return;
		}
		n += (size_t)snprintf(out + n, size - n, "%s%s", n ? ", " : "", m->name);
	}
}

/* Where the array's I/O falls, if it always falls on the same member: it jumps by rows of chunks.
 */
static void why_unused(const struct btviz_array *a, size_t used, char *out, size_t size)
{
	char row[BTVI_QUANTITY_SIZE];

	out[0] = '\0';
	if (used == 1 && a->chunk_bytes > 0 && a->data_members > 1)
		snprintf(out, size,
			" Its I/O keeps to one of the %u chunks of each row (%s): a stride or an "
			"alignment of that size does it.",
			a->data_members,
			btvi_quantity_bytes((double)(a->chunk_bytes * a->data_members), row));
}

/* That a disk which carries nothing is a member is proven by the geometry, or by the metadata;
 * otherwise it may be just a disk that was traced, too. */
static bool is_proven(const struct btviz_array *a)
{
	for (size_t i = 0; i < a->member_count; i++)
		if (a->members[i]->remapped.ios == 0 && a->layout_devices != a->member_count)
			return false;
	return true;
}

static void members_use(const struct btviz_array *a, struct btviz_findings *list)
{
	struct btvi_finding_draft draft = { .name = "members-unused", .severity = BTVIZ_SEV_BAD };
	const size_t n = a->member_count;
	char names[120], why[160], effective[BTVI_QUANTITY_SIZE], share[BTVI_QUANTITY_SIZE];
	double least;
	size_t used = 0;

	if (!shares_count(a) || isnan(a->effective_members))
		return;
	least = used_share_least * member_bytes(busiest(a));
	for (size_t i = 0; i < n; i++)
		used += member_bytes(a->members[i]) >= least;
	btvi_finding_evidence(&draft, "used", (double)used, "");
	btvi_finding_evidence(&draft, "members", (double)n, "");
	btvi_finding_evidence(&draft, "effective", a->effective_members, "");
	btvi_finding_evidence(&draft, "largest_share", busiest(a)->bytes_share, "");
	btvi_quantity_fixed(a->effective_members, 1, effective);
	btvi_quantity_share(busiest(a)->bytes_share, share);
	if (used < n) {
		draft.weight = 1 - (double)used / (double)n;
		/* One reader of a mirror is served by one disk: that is how mirrors work. */
		if (a->level && strcmp(a->level, "raid1") == 0)
			draft.severity = BTVIZ_SEV_NOTE;
		else if (!is_proven(a) || a->sync)
			draft.severity = BTVIZ_SEV_WARNING;
		why_unused(a, used, why, sizeof why);
		list_members(a, least, true, names, sizeof names);
		btvi_finding_add(list, &draft,
			"Only %zu of %zu members of %s in use: %s %s %s of the bytes (effective "
			"members %s).%s",
			used, n, a->name, names, used == 1 ? "carries" : "carry up to", share,
			effective, why);
	} else if (a->effective_members < uneven_part_most * (double)n) {
		draft.name = "members-uneven";
		draft.severity = BTVIZ_SEV_WARNING;
		draft.weight = 1 - a->effective_members / (double)n;
		btvi_finding_add(list, &draft,
			"The load is uneven: %s carries %s of the bytes of %s, whose %zu members do "
			"the work of %s.",
			busiest(a)->name, share, a->name, n, effective);
	}
}

static double seeks_an_io(const struct btviz_figures *f, const struct btviz_member *m)
{
	return btvi_share(m->seeks_per_s * f->span_s, member_ios(m));
}

/* Whether the member seeks much more for each I/O than its siblings do on average. */
static bool seeks_more(
	const struct btviz_figures *f, const struct btviz_array *a, const struct btviz_member *m)
{
	double others = 0;

	for (size_t i = 0; i < a->member_count; i++)
		if (a->members[i] != m)
			others += seeks_an_io(f, a->members[i]);
	others /= (double)(a->member_count - 1);
	return seeks_an_io(f, m) > slow_seeks_times * others + slow_seeks_extra;
}

/* The average of the others' latencies, weighted by nothing: each is one disk. */
static double siblings_latency(const struct btviz_array *a, uint32_t except)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < a->member_count; i++) {
		if (a->members[i]->device != except && !isnan(a->members[i]->latency_avg_s)) {
			sum += a->members[i]->latency_avg_s;
			n++;
		}
	}
	return n ? sum / (double)n : NAN;
}

static const struct btviz_member *find_member(const struct btviz_array *a, uint32_t device)
{
	for (size_t i = 0; i < a->member_count; i++)
		if (a->members[i]->device == device)
			return a->members[i];
	return NULL;
}

static void slow_member(
	const struct btviz_figures *f, const struct btviz_array *a, struct btviz_findings *list)
{
	const struct btviz_member *const m =
		a->slowest_member != 0 ? find_member(a, a->slowest_member) : NULL;
	struct btvi_finding_draft draft = { .name = "slow-member", .severity = BTVIZ_SEV_WARNING };
	char own[BTVI_QUANTITY_SIZE], others[BTVI_QUANTITY_SIZE], ratio[BTVI_QUANTITY_SIZE];
	double siblings;

	if (!m || !shares_count(a) || isnan(a->slowest_ratio) ||
		a->slowest_ratio < slow_ratio_least ||
		m->bytes_share * (double)a->member_count > slow_bytes_most ||
		member_ios(m) < (double)ios_a_member_least || seeks_more(f, a, m))
		return;
	siblings = siblings_latency(a, m->device);
	if (isnan(siblings) || m->latency_avg_s - siblings < slow_extra_least_s)
		return;
	draft.weight = 1 - 1 / a->slowest_ratio;
	btvi_finding_evidence(&draft, "member", m->device, "device");
	btvi_finding_evidence(&draft, "ratio", a->slowest_ratio, "");
	btvi_finding_evidence(&draft, "latency", m->latency_avg_s, "s");
	btvi_finding_evidence(&draft, "siblings", siblings, "s");
	btvi_finding_add(list, &draft,
		"%s is the slow member of %s: %s from issue to completion on average, the others "
		"%s (%s times their median).",
		m->name, a->name, btvi_quantity_duration(m->latency_avg_s, own),
		btvi_quantity_duration(siblings, others),
		btvi_quantity_fixed(a->slowest_ratio, 1, ratio));
}

static void read_modify_write(
	const struct btviz_figures *f, const struct btviz_array *a, struct btviz_findings *list)
{
	const struct btviz_device *const d = btvi_figures_device(f, a->device);
	struct btvi_finding_draft draft = { .name = "read-modify-write" };
	char read[BTVI_QUANTITY_SIZE], written[BTVI_QUANTITY_SIZE], times[BTVI_QUANTITY_SIZE];
	const double array_bytes = d ? (double)d->moved[BTVIZ_DIR_WRITE].bytes : 0;
	const double for_writes = (double)a->rmw_read_bytes;
	const double part = btvi_share(for_writes, array_bytes);
	const double size = d ? d->queued_bytes[BTVIZ_DIR_WRITE].avg : NAN;
	char way[200] = "";

	/* Only parity arrays read before they write; on others such reads are a resync's. Where one
	 * goes on beside the writing, its reads cannot be told from these. */
	if (part < rmw_part_least || isnan(a->write_amplification) || !is_parity(a) || a->sync)
		return;
	draft.severity = part >= rmw_part_warning ? BTVIZ_SEV_WARNING : BTVIZ_SEV_NOTE;
	draft.weight = part / (part + 1);
	btvi_finding_evidence(&draft, "array_written", array_bytes, "bytes");
	btvi_finding_evidence(&draft, "members_read_for_it", for_writes, "bytes");
	btvi_finding_evidence(&draft, "read_part", part, "");
	btvi_finding_evidence(&draft, "write_amplification", a->write_amplification, "");
	btvi_finding_evidence(&draft, "rmw_messages", (double)a->rmw_messages, "");
	btvi_finding_evidence(&draft, "rcw_messages", (double)a->rcw_messages, "");
	if (a->rmw_messages > 0 && a->rcw_messages > 0)
		snprintf(way, sizeof way,
			" By md's messages %.0f %% of the stripes read what they replace (rmw), the "
			"others the rest of the stripe (rcw).",
			100.0 *
				btvi_share((double)a->rmw_messages,
					(double)(a->rmw_messages + a->rcw_messages)));
	else if (a->rmw_messages > 0)
		snprintf(way, sizeof way,
			" By md's messages it read what they replace, old data and parity (rmw).");
	else if (a->rcw_messages > 0)
		snprintf(way, sizeof way,
			" By md's messages it read the rest of their stripes (rcw).");
	else if (size < page_bytes)
		snprintf(way, sizeof way, " Each write of %.0f bytes costs whole pages of 4 KiB.",
			size);
	btvi_finding_add(list, &draft,
		"Writes that do not fill stripes cost %s reads: its members read %s for %s written, and "
		"wrote %s times that.%s",
		a->name, btvi_quantity_bytes(for_writes, read),
		btvi_quantity_bytes(array_bytes, written),
		btvi_quantity_fixed(a->write_amplification, 1, times), way);
}

/* What md does by itself: it may be why the array is slow, and is no fault. */
static void own_traffic(
	const struct btviz_figures *f, const struct btviz_array *a, struct btviz_findings *list)
{
	struct btvi_finding_draft draft = { .name = "own-traffic", .severity = BTVIZ_SEV_WARNING };
	const struct btviz_member *const onto =
		a->sync_member != 0 ? find_member(a, a->sync_member) : NULL;
	const double moved = (double)a->sync_read_bytes + (double)a->sync_write_bytes;
	char bytes[BTVI_QUANTITY_SIZE], share[BTVI_QUANTITY_SIZE], rate[BTVI_QUANTITY_SIZE];
	/* Of an array with parity only what its members did while nobody used it is md's for sure.
	 */
	const bool part = is_parity(a) && a->sync_asked;
	char what[200];
	double all = 0;

	for (size_t i = 0; i < a->member_count; i++)
		all += member_bytes(a->members[i]);
	draft.weight = fmin(1, btvi_share(moved, all));
	if (!a->sync || draft.weight < own_share_least || moved < own_bytes_least)
		return;
	btvi_finding_evidence(&draft, "own", moved, "bytes");
	btvi_finding_evidence(&draft, "share", draft.weight, "");
	btvi_finding_evidence(&draft, "start", a->sync_start_s, "s");
	btvi_finding_evidence(&draft, "end", a->sync_end_s, "s");
	btvi_finding_evidence(&draft, "member_rate", a->sync_bytes_per_s, "bytes/s");
	if (onto) {
		btvi_finding_evidence(&draft, "rebuilt_member", onto->device, "device");
		btvi_finding_evidence(&draft, "rebuilt", (double)onto->write.bytes, "bytes");
		snprintf(what, sizeof what, "A rebuild of %.60s (or a resync onto it)", onto->name);
		if (is_parity(a))
			snprintf(what, sizeof what, "A rebuild of %.60s", onto->name);
	} else if (strcmp(a->sync, "check") == 0) {
		snprintf(what, sizeof what, "A check (or a resync that found nothing to mend)");
	} else {
		snprintf(what, sizeof what, "A resync, repair or reshape");
	}
	btvi_finding_add(list, &draft,
		"%s of %s went on from %.2f to %.2f s%s: %s%s a member on average. Of the members' "
		"traffic %s%s (%s) was its own, which nobody asked the array for.",
		what, a->name, a->sync_start_s, fmin(a->sync_end_s, f->span_s),
		a->sync_end_s >= f->span_s * 0.99 ? ", the end of the recording" : "",
		part ? "at least " : "", btvi_quantity_rate(a->sync_bytes_per_s, rate),
		part ? "at least " : "", btvi_quantity_share(draft.weight, share),
		btvi_quantity_bytes(moved, bytes));
}

/* The CPU whose stream a device lacks, though others of the array have it; -1: none. */
static int missing_cpu(
	const struct btviz_figures *f, const struct btviz_array *a, const struct btviz_device *d)
{
	uint64_t all = 0;

	for (size_t i = 0; i < f->device_count; i++)
		for (size_t k = 0; k <= a->member_count; k++)
			if (f->devices[i]->device ==
				(k < a->member_count ? a->members[k]->device : a->device))
				all |= f->devices[i]->stream_cpus;
	if (d->stream_cpus == 0 || (all & ~d->stream_cpus) == 0)
		return -1;
	return __builtin_ctzll(all & ~d->stream_cpus);
}

/* What level 0 is given, its members move, no more and no less. Where they do not, records are
 * missing: the streams tell whose. */
static void stream_missing(
	const struct btviz_figures *f, const struct btviz_array *a, struct btviz_findings *list)
{
	struct btvi_finding_draft draft = {
		.name = "stream-missing", .severity = BTVIZ_SEV_WARNING, .weight = 0.5
	};
	const bool written = !(fabs(a->read_amplification - 1) > level0_deviation_least);
	const double ratio = written ? a->write_amplification : a->read_amplification;
	char moved[BTVI_QUANTITY_SIZE], whose[160] = "";
	size_t n = 0;

	/* a range of sectors is not the same one above and below */
	if (!a->level || strcmp(a->level, "raid0") != 0 || !shares_count(a) ||
		(f->options && f->options->last_sector != 0) ||
		!(fabs(ratio - 1) > level0_deviation_least))
		return;
	for (size_t i = 0; i < f->device_count && n < sizeof whose; i++) {
		const struct btviz_device *const d = f->devices[i];
		bool member = false;
		int cpu;

		for (size_t k = 0; k < a->member_count; k++)
			member |= a->members[k]->device == d->device;
		/* too little on the members: theirs lack; too much: the array's own */
		if (ratio < 1 ? !member : d->device != a->device)
			continue;
		cpu = missing_cpu(f, a, d);
		if (cpu < 0)
			continue;
		n += (size_t)snprintf(whose + n, sizeof whose - n,
			"%s the stream of CPU %d of %s is empty or not there", n ? "," : ":", cpu,
			d->name);
		btvi_finding_evidence(&draft, "device", d->device, "device");
		btvi_finding_evidence(&draft, "cpu", cpu, "");
		if (ratio < 1 && n > sizeof whose / 2)
			break;
	}
	btvi_finding_evidence(&draft, "ratio", ratio, "");
	btvi_finding_add(list, &draft,
		"Treat with care: the members of %s, which is a raid0, %s %s times what it was asked "
		"for, which cannot be: records of %s are missing%s.",
		a->name, written ? "wrote" : "read", btvi_quantity_fixed(ratio, 2, moved),
		ratio < 1 ? "members" : a->name, whose);
}

void btvi_findings_array(const struct btviz_figures *f, struct btviz_findings *list)
{
	for (size_t i = 0; i < f->array_count; i++) {
		const struct btviz_array *const a = f->arrays[i];

		members_use(a, list);
		slow_member(f, a, list);
		read_modify_write(f, a, list);
		own_traffic(f, a, list);
		stream_missing(f, a, list);
	}
}
