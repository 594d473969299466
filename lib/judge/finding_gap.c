/* finding_gap.c - rules about standstills: submission-gaps, flush-only, between-programs,
 * mostly-idle, device-stalls, queue-stalls, drop-out. They judge the gaps of the top devices, and
 * of members only where the array above them went on; when a stretch is a gap was decided by
 * measure/gap. */
#include "judge/finding.h"

#include <stdio.h>
#include <string.h>

/* Gaps shorter than this share of the run in all, none of them as long as a second, need no
 * sentence: a picture shows them as hair lines. */
static const double gap_share_least = 0.05;
static const double gap_second_s = 1.0;

/* A tenth of the run lost is what people notice as "slower than last time". */
static const double gap_share_bad = 0.10;

/* A device that was asked for something in less than a twentieth of the run is not standing still:
 * it has no work. */
static const double idle_share_least = 0.95;

/* Of a submission gap this much must be without anything outstanding to say "the disks idle". */
static const double idle_part_most = 0.8;

/* A submitter before this much of the time in gaps was before all of them. */
static const double all_of_it = 0.999;
static const double half_of_it = 0.5; /* before less of it, no one submitter is to be named */

/* Slow phases are softer than standstills: they count from a twentieth of the run. */
static const double slow_share_least = 0.05;

/* A member's stall is told apart from its array's only where it is no trifle. */
static const double member_share_least = 0.05;

/* Messages belong to a gap that they are in, or so near to. */
static const double message_edge_s = 0.01;

/* A pause with so many flushes a second is no pause of who flushes. */
static const double flushes_per_s_least = 5;
static const uint32_t flushes_least = 10;

/* Disks that were busy for less than this part of the gaps were idle but for something. */
static const double disks_busy_least = 0.05;

/* What is to be told of in one sentence. */
enum pauses { ALL, EMPTY, FLUSHES, BETWEEN };

/* What the gaps of one kind have in common. */
struct tally {
	double total_s, share, longest_s, idle_s, kept_s;
	uint64_t count;
	const char *who; /* submitter before most of the time, "" if not known */
	double who_pid, who_s;
	uint32_t member;             /* that held most of the time, 0: none */
	double member_s, together_s; /* several held the array up at once */
	uint32_t together;           /* at most so many */
	double continued_s;          /* gaps that somebody went on behind */
	uint64_t disks_ios, disks_bytes, flushes;
	double disks_busy_s;
	const struct btviz_gap *longest;
};

static double length_s(const struct btviz_gap *gap)
{
	return gap->end_s - gap->start_s;
}

static enum pauses pause_of(const struct btviz_gap *gap)
{
	return gap->flushes >= flushes_least && gap->flushes >= flushes_per_s_least * length_s(gap)
		? FLUSHES
		: gap->between_programs ? BETWEEN
					: EMPTY;
}

static bool is_told(const struct btviz_gap *gap, enum btviz_gap_kind kind, enum pauses pauses)
{
	return gap->kind == kind && (pauses == ALL || pauses == pause_of(gap));
}

/* The time of all gaps of the kind for which the same member (or submitter) answers as for gap i.
 */
static double time_alike(const struct btviz_device *d, size_t i, enum pauses pauses, bool by_member)
{
	const struct btviz_gap *const a = d->gaps[i];
	double sum = 0;

	for (size_t k = 0; k < d->gap_count; k++) {
		const struct btviz_gap *const b = d->gaps[k];

		if (is_told(b, a->kind, pauses) &&
			(by_member ? b->member == a->member : b->before_pid == a->before_pid))
			sum += length_s(b);
	}
	return sum;
}

static void add_gap(struct tally *t, const struct btviz_gap *gap)
{
	t->kept_s += length_s(gap);
	t->idle_s += gap->idle_s;
	t->disks_ios += gap->disks_ios;
	t->disks_bytes += gap->disks_bytes;
	t->disks_busy_s += gap->disks_busy_s;
	t->flushes += gap->flushes;
	t->continued_s += gap->continued ? length_s(gap) : 0;
	if (gap->members_stalled > 1) {
		t->together_s += length_s(gap);
		if (gap->members_stalled > t->together)
			t->together = gap->members_stalled;
	}
	if (length_s(gap) > t->longest_s) {
		t->longest_s = length_s(gap);
		t->longest = gap;
	}
}

static struct tally tally_gaps(const struct btviz_figures *f, const struct btviz_device *d,
	enum btviz_gap_kind kind, enum pauses pauses)
{
	struct tally t = { .who = "" };
	uint64_t kept = 0, all = 0;
	double all_s = 0;

	for (size_t i = 0; i < d->gap_count; i++) {
		const struct btviz_gap *const gap = d->gaps[i];

		if (gap->kind == kind) {
			all++;
			all_s += length_s(gap);
		}
		if (!is_told(gap, kind, pauses))
			continue;
		kept++;
		add_gap(&t, gap);
		if (gap->member != 0 && time_alike(d, i, pauses, true) > t.member_s) {
			t.member = gap->member;
			t.member_s = time_alike(d, i, pauses, true);
		}
		if (gap->before_comm && gap->before_comm[0] != '\0' &&
			time_alike(d, i, pauses, false) > t.who_s) {
			t.who = gap->before_comm;
			t.who_pid = gap->before_pid;
			t.who_s = time_alike(d, i, pauses, false);
		}
	}
	/* Those that were too many to be kept are like the rest: gaps without anything in them. */
	t.count = kept;
	t.total_s = t.kept_s;
	if (pauses == ALL || pauses == EMPTY) {
		t.count += d->gap_totals[kind].count -
			(d->gap_totals[kind].count > all ? all : d->gap_totals[kind].count);
		t.total_s += d->gap_totals[kind].total_s > all_s && d->gap_totals[kind].count > all
			? d->gap_totals[kind].total_s - all_s
			: 0;
	}
	t.share = btvi_share(t.total_s, f->span_s);
	return t;
}

/* Whether there is anything to say, and how loudly. */
static bool judge(const struct tally *t, enum btviz_severity *ret_severity)
{
	if (t->count == 0 || (t->share < gap_share_least && t->longest_s < gap_second_s))
		return false;
	*ret_severity = t->share >= gap_share_bad ? BTVIZ_SEV_BAD
		: t->share >= gap_share_least     ? BTVIZ_SEV_WARNING
						  : BTVIZ_SEV_NOTE;
	return true;
}

static void add_common_evidence(struct btvi_finding_draft *draft, const struct tally *t)
{
	btvi_finding_evidence(draft, "total", t->total_s, "s");
	btvi_finding_evidence(draft, "share", t->share, "");
	btvi_finding_evidence(draft, "count", (double)t->count, "");
	btvi_finding_evidence(draft, "longest", t->longest_s, "s");
}

/* " to md0" where the run has several top devices, else nothing. */
static void name_if_many(const struct btviz_figures *f, const struct btviz_device *d,
	const char *preposition, char *out, size_t size)
{
	out[0] = '\0';
	if (f->top_count > 1)
		snprintf(out, size, " %s %s", preposition, d->name);
}

/* " The submitter before them was dd.", or before how much of their time. */
static void name_submitter(const struct tally *t, char *out, size_t size)
{
	char share[BTVI_QUANTITY_SIZE];

	out[0] = '\0';
	if (t->who[0] == '\0' || t->who_s < half_of_it * t->kept_s)
		return;
	if (t->who_s >= all_of_it * t->kept_s)
		snprintf(out, size, " The submitter before %s was %s.",
			t->count == 1 ? "it" : "them", t->who);
	else
		snprintf(out, size, " The submitter before %s of that time was %s.",
			btvi_quantity_share(btvi_share(t->who_s, t->kept_s), share), t->who);
}

/* An array that was busy with itself in a gap of the device. */
static const struct btviz_array *syncing(
	const struct btviz_figures *f, const struct btviz_device *d)
{
	for (size_t i = 0; i < f->array_count; i++)
		for (size_t k = 0; f->arrays[i]->sync && k < d->gap_count; k++)
			if (is_told(d->gaps[k], BTVIZ_GAP_SUBMIT, EMPTY) &&
				f->arrays[i]->sync_start_s < d->gaps[k]->end_s &&
				f->arrays[i]->sync_end_s > d->gaps[k]->start_s)
				return f->arrays[i];
	return NULL;
}

/* What the disks did meanwhile: "disks idle" only where none of those traced completed anything. */
static void describe_disks(const struct btviz_figures *f, const struct btviz_device *d,
	const struct tally *t, char *out, size_t size)
{
	const struct btviz_array *const a = syncing(f, d);
	char bytes[BTVI_QUANTITY_SIZE], ios[BTVI_QUANTITY_SIZE], time[BTVI_QUANTITY_SIZE];

	btvi_quantity_bytes((double)t->disks_bytes, bytes);
	btvi_quantity_duration(t->disks_busy_s, time);
	if (t->disks_ios > 0 && a && t->disks_busy_s >= disks_busy_least * t->kept_s)
		snprintf(out, size, "the members of %s busy for %s of it with a %s (%s)", a->name,
			time, a->sync, bytes);
	else if (t->disks_ios > 0 && t->disks_busy_s >= disks_busy_least * t->kept_s)
		snprintf(out, size, "disks busy for %s of it with what others asked for (%s)", time,
			bytes);
	else if (t->disks_ios > 0)
		snprintf(out, size, "disks idle but for %s I/O%s (%s)",
			btvi_quantity_count(t->disks_ios, ios), btvi_plural(t->disks_ios), bytes);
	else if (t->idle_s >= idle_part_most * t->kept_s)
		snprintf(out, size, "disks idle");
	else
		snprintf(out, size, "disks idle for %s of it",
			btvi_quantity_duration(t->idle_s, time));
}

/* " Someone wrote "19 md_update_sb" into the trace …": the first message in a gap of the kind, or
 * at its edge. */
static void name_message(const struct btviz_figures *f, const struct btviz_device *d,
	enum btviz_gap_kind kind, char *out, size_t size)
{
	out[0] = '\0';
	for (size_t i = 0; i < d->gap_count; i++) {
		const struct btviz_gap *const gap = d->gaps[i];

		for (size_t m = 0; gap->kind == kind && m < f->message_count; m++) {
			const struct btviz_message *const message = f->messages[m];

			if (message->time_s < gap->start_s - message_edge_s ||
				message->time_s > gap->end_s + message_edge_s)
				continue;
			snprintf(out, size, " A message in it, at %.2f s: \"%.60s\".",
				message->time_s, message->text);
			return;
		}
	}
}

static void submission_gaps(
	const struct btviz_figures *f, const struct btviz_device *d, struct btviz_findings *list)
{
	const struct tally t = tally_gaps(f, d, BTVIZ_GAP_SUBMIT, EMPTY);
	struct btvi_finding_draft draft = { .name = "submission-gaps", .weight = t.share };
	char total[BTVI_QUANTITY_SIZE], share[BTVI_QUANTITY_SIZE], count[BTVI_QUANTITY_SIZE];
	char where[80], disks[160], who[120], message[160];

	if (!judge(&t, &draft.severity))
		return;
	/* Where nobody from before a gap is there behind it, work may just have come to its end. */
	if (draft.severity == BTVIZ_SEV_BAD && t.continued_s < half_of_it * t.kept_s)
		draft.severity = BTVIZ_SEV_WARNING;
	add_common_evidence(&draft, &t);
	btvi_finding_evidence(&draft, "idle", t.idle_s, "s");
	btvi_finding_evidence(&draft, "disks_meanwhile", (double)t.disks_bytes, "bytes");
	if (t.who[0] != '\0')
		btvi_finding_evidence(&draft, "pid", t.who_pid, "");
	if (t.share >= idle_share_least) {
		draft.name = "mostly-idle";
		draft.severity = BTVIZ_SEV_NOTE;
		btvi_finding_add(list, &draft, "%s had nothing to do for %s of the run.", d->name,
			btvi_quantity_share(t.share, share));
		return;
	}
	name_if_many(f, d, "to", where, sizeof where);
	describe_disks(f, d, &t, disks, sizeof disks);
	name_submitter(&t, who, sizeof who);
	name_message(f, d, BTVIZ_GAP_SUBMIT, message, sizeof message);
	btvi_finding_add(list, &draft,
		"Nothing was submitted%s for %s, %s of the run: %s gap%s, %s.%s%s", where,
		btvi_quantity_duration(t.total_s, total), btvi_quantity_share(t.share, share),
		btvi_quantity_words(t.count, count), btvi_plural(t.count), disks, who, message);
}

/* Who flushes waits for its flushes: the pause is no riddle, and no fault of who submits. */
static void flush_only(
	const struct btviz_figures *f, const struct btviz_device *d, struct btviz_findings *list)
{
	const struct tally t = tally_gaps(f, d, BTVIZ_GAP_SUBMIT, FLUSHES);
	struct btvi_finding_draft draft = { .name = "flush-only", .weight = t.share };
	char total[BTVI_QUANTITY_SIZE], share[BTVI_QUANTITY_SIZE], count[BTVI_QUANTITY_SIZE];
	char flushes[BTVI_QUANTITY_SIZE], where[80];

	if (!judge(&t, &draft.severity))
		return;
	if (draft.severity == BTVIZ_SEV_BAD)
		draft.severity = BTVIZ_SEV_WARNING;
	add_common_evidence(&draft, &t);
	btvi_finding_evidence(&draft, "flushes", (double)t.flushes, "");
	name_if_many(f, d, "to", where, sizeof where);
	btvi_finding_add(list, &draft,
		"No data was submitted%s for %s, %s of the run, flushes only: %s of them in %s pause%s.",
		where, btvi_quantity_duration(t.total_s, total),
		btvi_quantity_share(t.share, share), btvi_quantity_count(t.flushes, flushes),
		btvi_quantity_words(t.count, count), btvi_plural(t.count));
}

/* One program ended, another began later: that is how it was started, and no fault. */
static void between_programs(
	const struct btviz_figures *f, const struct btviz_device *d, struct btviz_findings *list)
{
	const struct tally t = tally_gaps(f, d, BTVIZ_GAP_SUBMIT, BETWEEN);
	struct btvi_finding_draft draft = { .name = "between-programs", .weight = t.share };
	char total[BTVI_QUANTITY_SIZE], share[BTVI_QUANTITY_SIZE], where[80];

	if (!judge(&t, &draft.severity) || !t.longest)
		return;
	draft.severity = BTVIZ_SEV_NOTE;
	add_common_evidence(&draft, &t);
	btvi_finding_evidence(&draft, "before_pid", t.longest->before_pid, "");
	btvi_finding_evidence(&draft, "after_pid", t.longest->after_pid, "");
	name_if_many(f, d, "to", where, sizeof where);
	btvi_finding_add(list, &draft,
		"Between programs nothing was submitted%s for %s, %s of the run: %s%s (%u) was done, %s "
		"(%u) had not begun.",
		where, btvi_quantity_duration(t.total_s, total),
		btvi_quantity_share(t.share, share), t.count > 1 ? "in the longest pause " : "",
		t.longest->before_comm, t.longest->before_pid, t.longest->after_comm,
		t.longest->after_pid);
}

/* The device on which it hangs: the member that held most of the time, or the device itself. */
static const char *holder(
	const struct btviz_figures *f, const struct btviz_device *d, const struct tally *t)
{
	const struct btviz_device *const member =
		t->member != 0 ? btvi_figures_device(f, t->member) : NULL;

	return member ? member->name : d->name;
}

/* "All 4 members", "2 of 4 members". */
static void describe_together(const struct btviz_figures *f, const struct btviz_device *d,
	const struct tally *t, char *out, size_t size)
{
	const struct btviz_array *const a = btvi_figures_array(f, d->device);
	const size_t n = a ? a->member_count : 0;

	if (t->together >= n)
		snprintf(out, size, "All %u members", t->together);
	else
		snprintf(out, size, "%u of %zu members", t->together, n);
}

static void device_stalls(const struct btviz_figures *f, const struct btviz_device *d,
	double share_least, struct btviz_findings *list)
{
	const struct tally t = tally_gaps(f, d, BTVIZ_GAP_DEVICE, ALL);
	struct btvi_finding_draft draft = { .name = "device-stalls", .weight = t.share };
	char total[BTVI_QUANTITY_SIZE], share[BTVI_QUANTITY_SIZE], count[BTVI_QUANTITY_SIZE];
	char longest[BTVI_QUANTITY_SIZE], tail[80] = "", names[80];
	const char *const by = holder(f, d, &t);

	if (!judge(&t, &draft.severity) || t.share < share_least)
		return;
	add_common_evidence(&draft, &t);
	if (t.member != 0) {
		btvi_finding_evidence(&draft, "member", t.member, "device");
		btvi_finding_evidence(&draft, "member_total", t.member_s, "s");
	}
	if (t.count > 1)
		snprintf(tail, sizeof tail, ", the longest %s",
			btvi_quantity_duration(t.longest_s, longest));
	btvi_quantity_duration(t.total_s, total);
	btvi_quantity_share(t.share, share);
	btvi_quantity_words(t.count, count);
	if (t.together_s >= half_of_it * t.kept_s) {
		btvi_finding_evidence(&draft, "members_stalled", t.together, "");
		describe_together(f, d, &t, names, sizeof names);
		btvi_finding_add(list, &draft,
			"%s stood still together and held up %s for %s, %s of the run (%s stall%s%s): no "
			"one of them is to blame alone.",
			names, d->name, total, share, count, btvi_plural(t.count), tail);
	} else if (t.member != 0 && strcmp(by, d->name) != 0)
		btvi_finding_add(list, &draft,
			"%s held up %s for %s, %s of the run: requests were in flight and none "
			"was completed (%s stall%s%s).",
			by, d->name, total, share, count, btvi_plural(t.count), tail);
	else
		btvi_finding_add(list, &draft,
			"%s completed nothing for %s, %s of the run, with requests in flight "
			"(%s stall%s%s).",
			d->name, total, share, count, btvi_plural(t.count), tail);
}

static void queue_stalls(
	const struct btviz_figures *f, const struct btviz_device *d, struct btviz_findings *list)
{
	const struct tally t = tally_gaps(f, d, BTVIZ_GAP_QUEUE, ALL);
	struct btvi_finding_draft draft = { .name = "queue-stalls", .weight = t.share };
	char total[BTVI_QUANTITY_SIZE], share[BTVI_QUANTITY_SIZE], count[BTVI_QUANTITY_SIZE];
	const struct btviz_device *const member =
		t.member != 0 ? btvi_figures_device(f, t.member) : NULL;

	if (!judge(&t, &draft.severity))
		return;
	add_common_evidence(&draft, &t);
	if (t.member != 0)
		btvi_finding_evidence(&draft, "member", t.member, "device");
	btvi_quantity_duration(t.total_s, total);
	btvi_quantity_share(t.share, share);
	btvi_quantity_words(t.count, count);
	/* A dm or md device that holds its requests was suspended; before a disk it is the queue.
	 */
	if (member && member != d && !member->request_based)
		btvi_finding_add(list, &draft,
			"%s held back the requests of %s for %s, %s of the run (%s stall%s), as a "
			"suspended device does; no disk had any of them.",
			member->name, d->name, total, share, count, btvi_plural(t.count));
	else
		btvi_finding_add(list, &draft,
			"Requests waited above %s for %s, %s of the run (%s stall%s), and none was "
			"issued: plugging, the scheduler, throttling or a frozen queue.",
			member ? member->name : d->name, total, share, count, btvi_plural(t.count));
}

static void drop_out(
	const struct btviz_figures *f, const struct btviz_device *d, struct btviz_findings *list)
{
	const struct tally t = tally_gaps(f, d, BTVIZ_GAP_SLOW, ALL);
	struct btvi_finding_draft draft = { .name = "drop-out",
		.weight = t.share,
		/* Never worse: that less was asked for, or something harder, looks the same. */
		.severity = BTVIZ_SEV_WARNING };
	char total[BTVI_QUANTITY_SIZE], share[BTVI_QUANTITY_SIZE], count[BTVI_QUANTITY_SIZE];

	if (t.count == 0 || t.share < slow_share_least)
		return;
	add_common_evidence(&draft, &t);
	btvi_finding_add(list, &draft,
		"%s ran at less than half of its usual rate for %s, %s of the run (%s phase%s), "
		"without standing still.",
		d->name, btvi_quantity_duration(t.total_s, total),
		btvi_quantity_share(t.share, share), btvi_quantity_words(t.count, count),
		btvi_plural(t.count));
}

static bool is_top(const struct btviz_figures *f, const struct btviz_device *d)
{
	for (size_t i = 0; i < f->top_count; i++)
		if (btvi_figures_top(f, i) == d)
			return true;
	return false;
}

/* Whether a device above d (at any height) had gaps of the kind itself: then they are told there.
 */
static bool told_above(
	const struct btviz_figures *f, const struct btviz_device *d, enum btviz_gap_kind kind)
{
	for (size_t i = 0; i < f->top_count; i++) {
		const struct btviz_device *const top = btvi_figures_top(f, i);

		if (top && top != d && top->gap_totals[kind].count > 0)
			return true;
	}
	return false;
}

void btvi_findings_gaps(const struct btviz_figures *f, struct btviz_findings *list)
{
	for (size_t i = 0; i < f->device_count; i++) {
		const struct btviz_device *const d = f->devices[i];

		if (is_top(f, d)) {
			submission_gaps(f, d, list);
			flush_only(f, d, list);
			between_programs(f, d, list);
			device_stalls(f, d, 0, list);
			queue_stalls(f, d, list);
			drop_out(f, d, list);
		} else if (!told_above(f, d, BTVIZ_GAP_DEVICE)) {
			device_stalls(f, d, member_share_least, list);
		}
	}
}
