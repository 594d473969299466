/* finding_health.c - rules about the trace itself, which all end in "treat with care": lost-events,
 * suspected-loss, damaged-trace, masked-trace, fua-missing. They say what the other figures are
 * worth. */
#include "judge/finding.h"

#include <stdio.h>
#include <string.h>

/* These stand before findings of the same severity that concern less than this share of the run: a
 * number drawn from a lossy trace is read after the warning. */
static const double care_weight = 0.5;

/* Fewer I/Os do not tell what a trace lacks. */
static const uint64_t ios_least = 100;

static void lost_events(const struct btviz_figures *f, struct btviz_findings *list)
{
	const struct btviz_health *const h = f->health;
	struct btvi_finding_draft draft = {
		.name = "lost-events", .severity = BTVIZ_SEV_WARNING, .weight = care_weight
	};
	char lost[BTVI_QUANTITY_SIZE], share[BTVI_QUANTITY_SIZE];
	const double part =
		btvi_share((double)h->lost_events, (double)(h->events + h->lost_events));

	if (h->lost_events == 0)
		return;
	btvi_finding_evidence(&draft, "lost", (double)h->lost_events, "");
	btvi_finding_evidence(&draft, "holes", (double)h->sequence_holes, "");
	btvi_finding_evidence(&draft, "share", part, "");
	btvi_finding_add(list, &draft,
		"Treat with care: %s event%s (%s) %s missing from the trace; figures are too low by about "
		"as much, and gaps may be holes in the recording.",
		btvi_quantity_count(h->lost_events, lost), btvi_plural(h->lost_events),
		btvi_quantity_share(part, share), h->lost_events == 1 ? "is" : "are");
}

/* What members wrote at least, where that is more than what is left of the array's own records. */
static void compare_with_members(
	const struct btviz_figures *f, const struct btviz_array *a, char *out, size_t size)
{
	const struct btviz_device *const d = btvi_figures_device(f, a->device);
	char bytes[BTVI_QUANTITY_SIZE];
	double issued = 0;

	for (size_t i = 0; i < a->member_count; i++) {
		const struct btviz_device *const m = btvi_figures_device(f, a->members[i]->device);
		const struct btviz_count *const w = m ? m->actions[BTVIZ_OP_WRITE] : NULL;

		if (w)
			issued += (double)(w[BTVIZ_ISSUED].bytes > w[BTVIZ_COMPLETED].bytes
					? w[BTVIZ_ISSUED].bytes
					: w[BTVIZ_COMPLETED].bytes);
	}
	if (d && a->level && strcmp(a->level, "raid0") == 0 &&
		issued > 1.01 * (double)d->moved[BTVIZ_DIR_WRITE].bytes)
		snprintf(out, size, " (the members of %.40s wrote at least %s)", a->name,
			btvi_quantity_bytes(issued, bytes));
}

static void suspected_loss(const struct btviz_figures *f, struct btviz_findings *list)
{
	struct btvi_finding_draft draft = {
		.name = "suspected-loss", .severity = BTVIZ_SEV_WARNING, .weight = care_weight
	};
	const struct btviz_device *worst = NULL;
	char count[BTVI_QUANTITY_SIZE], more[120] = "";

	if (f->suspected_loss == 0)
		return;
	for (size_t i = 0; i < f->array_count; i++)
		compare_with_members(f, f->arrays[i], more, sizeof more);
	for (size_t i = 0; i < f->device_count; i++)
		if (!worst || f->devices[i]->unpaired > worst->unpaired)
			worst = f->devices[i];
	btvi_finding_evidence(&draft, "unpaired", (double)f->suspected_loss, "");
	btvi_finding_evidence(&draft, "known_lost", (double)f->health->lost_events, "");
	if (worst && worst->unpaired > 0) {
		btvi_finding_evidence(&draft, "device", worst->device, "device");
		btvi_finding_evidence(&draft, "on_device", (double)worst->unpaired, "");
	}
	btvi_finding_add(list, &draft,
		"Treat with care: %s I/O%s in the middle of the run%s%s%s %s only a beginning or only an "
		"end; the recorder probably dropped events, and figures are lower bounds%s.",
		btvi_quantity_count(f->suspected_loss, count), btvi_plural(f->suspected_loss),
		worst && worst->unpaired > 0 ? " (most on " : "",
		worst && worst->unpaired > 0 ? worst->name : "",
		worst && worst->unpaired > 0 ? ")" : "", f->suspected_loss == 1 ? "has" : "have",
		more);
}

static void damaged_trace(const struct btviz_figures *f, struct btviz_findings *list)
{
	const struct btviz_health *const h = f->health;
	struct btvi_finding_draft draft = {
		.name = "damaged-trace", .severity = BTVIZ_SEV_WARNING, .weight = care_weight
	};
	char a[BTVI_QUANTITY_SIZE], b[BTVI_QUANTITY_SIZE], text[400] = "";
	size_t n = 0;

	if (h->bad_bytes > 0)
		n += (size_t)snprintf(text + n, sizeof text - n, ", %s unreadable bytes",
			btvi_quantity_count(h->bad_bytes, a));
	if (h->torn_tails > 0)
		n += (size_t)snprintf(text + n, sizeof text - n, ", %s stream%s cut off",
			btvi_quantity_words(h->torn_tails, b), btvi_plural(h->torn_tails));
	if (h->late_events > 0)
		n += (size_t)snprintf(text + n, sizeof text - n, ", %s event%s out of order",
			btvi_quantity_count(h->late_events, a), btvi_plural(h->late_events));
	if (h->unknown_actions > 0)
		n += (size_t)snprintf(text + n, sizeof text - n, ", %s event%s of unknown kinds",
			btvi_quantity_count(h->unknown_actions, b),
			btvi_plural(h->unknown_actions));
	if (h->left_out_events > 0)
		n += (size_t)snprintf(text + n, sizeof text - n,
			", %s event%s of more devices than are kept",
			btvi_quantity_count(h->left_out_events, a),
			btvi_plural(h->left_out_events));
	if (h->odd_fields > 0)
		n += (size_t)snprintf(text + n, sizeof text - n,
			", %s record%s with an absurd field", btvi_quantity_count(h->odd_fields, a),
			btvi_plural(h->odd_fields));
	if (h->wrong_times > 0)
		n += (size_t)snprintf(text + n, sizeof text - n,
			", %s record%s with a wrong time set aside",
			btvi_quantity_count(h->wrong_times, b), btvi_plural(h->wrong_times));
	if (h->packing != 0)
		n += (size_t)snprintf(
			text + n, sizeof text - n, ", an archive or compressed file is not whole");
	if (n == 0)
		return;
	btvi_finding_evidence(&draft, "bad_bytes", (double)h->bad_bytes, "bytes");
	btvi_finding_evidence(&draft, "torn_tails", (double)h->torn_tails, "");
	btvi_finding_evidence(&draft, "late_events", (double)h->late_events, "");
	btvi_finding_evidence(&draft, "unknown_actions", (double)h->unknown_actions, "");
	btvi_finding_evidence(&draft, "odd_fields", (double)h->odd_fields, "");
	btvi_finding_evidence(&draft, "wrong_times", (double)h->wrong_times, "");
	btvi_finding_evidence(&draft, "packing", (double)h->packing, "");
	btvi_finding_evidence(&draft, "left_out_events", (double)h->left_out_events, "");
	btvi_finding_add(list, &draft, "Treat with care: the trace is damaged (%s).", text + 2);
}

static void masked_trace(const struct btviz_figures *f, struct btviz_findings *list)
{
	static const char *const names[BTVIZ_STATION_COUNT] = {
		[BTVIZ_QUEUED] = "queueings",
		[BTVIZ_MERGED] = "merges",
		[BTVIZ_ISSUED] = "issues",
		[BTVIZ_REQUEUED] = "requeues",
		[BTVIZ_COMPLETED] = "completions",
	};
	struct btvi_finding_draft draft = {
		.name = "masked-trace", .severity = BTVIZ_SEV_WARNING, .weight = care_weight
	};
	const uint32_t missing = f->categories_missing;
	char text[100] = "";
	size_t n = 0;

	if (missing == 0)
		return;
	for (unsigned i = 0; i < BTVIZ_STATION_COUNT; i++) {
		if (missing & 1U << i)
			n += (size_t)snprintf(
				text + n, sizeof text - n, "%s%s", n ? ", " : "", names[i]);
	}
	btvi_finding_evidence(&draft, "missing", missing, "stations");
	if (missing == 1U << BTVIZ_COMPLETED) {
		btvi_finding_add(list, &draft,
			"Treat with care: there are no completions. Whether the recorder's mask left them "
			"out, or this driver issues none, is not known; latencies, depth and stalls of "
			"the devices are not either.");
		return;
	}
	btvi_finding_add(list, &draft,
		"Treat with care: the recorder's mask left out the %s, so what rests on them is not "
		"known%s.",
		text,
		missing & 1U << BTVIZ_QUEUED
			? " (who submitted, gaps in submission, latency from the queue)"
			: "");
}

static uint64_t data_ios(const struct btviz_device *d, enum btviz_op op)
{
	uint64_t n = 0;

	for (unsigned st = 0; st < BTVIZ_STATION_COUNT; st++)
		n += d->actions[op][st].ios;
	return n;
}

/* A disk that is issued requests and completes none, beside others that do: no mask does that. */
static void driver_without_completions(
	const struct btviz_figures *f, const struct btviz_device *d, struct btviz_findings *list)
{
	struct btvi_finding_draft draft = {
		.name = "no-completions", .severity = BTVIZ_SEV_WARNING, .weight = care_weight
	};
	const uint64_t issued = d->actions[BTVIZ_OP_READ][BTVIZ_ISSUED].ios +
		d->actions[BTVIZ_OP_WRITE][BTVIZ_ISSUED].ios;

	if ((f->categories_missing & 1U << BTVIZ_COMPLETED) || issued < ios_least ||
		d->basis == BTVIZ_BASIS_COMPLETE || f->health->lost_events > 0)
		return;
	btvi_finding_evidence(&draft, "issued", (double)issued, "");
	btvi_finding_evidence(&draft, "device", d->device, "device");
	btvi_finding_add(list, &draft,
		"Treat with care: %s has no completions, though others in the trace have: its driver "
		"issues none. Its latencies and depth are not known.",
		d->name);
}

/* Only one direction, and none of what belongs to no direction though disks were at work: a mask of
 * one direction looks so. A program that writes only, without plugging, does too. */
static void one_direction(const struct btviz_figures *f, struct btviz_findings *list)
{
	struct btvi_finding_draft draft = {
		.name = "one-direction", .severity = BTVIZ_SEV_NOTE, .weight = 0
	};
	uint64_t reads = 0, writes = 0, other = 0, issued = 0;

	for (size_t i = 0; i < f->device_count; i++) {
		const struct btviz_device *const d = f->devices[i];

		reads += data_ios(d, BTVIZ_OP_READ);
		writes += data_ios(d, BTVIZ_OP_WRITE);
		other += d->plugs + d->unplugs + d->timer_unplugs;
		for (unsigned op = BTVIZ_OP_WRITE + 1; op < BTVIZ_OP_COUNT; op++)
			other += data_ios(d, (enum btviz_op)op);
		issued += d->request_based ? d->actions[BTVIZ_OP_READ][BTVIZ_ISSUED].ios +
				d->actions[BTVIZ_OP_WRITE][BTVIZ_ISSUED].ios
					   : 0;
	}
	if (other > 0 || f->messages_total > 0 || issued < ios_least ||
		(reads > 0) == (writes > 0) || f->categories_missing != 0)
		return;
	btvi_finding_evidence(&draft, "reads", (double)reads, "");
	btvi_finding_evidence(&draft, "writes", (double)writes, "");
	btvi_finding_add(list, &draft,
		"Only %ss are in the trace, and no event that is neither read nor write: either nothing else "
		"was asked for, or the recorder's mask (-a %s) left the %ss out, and they are not known.",
		reads > 0 ? "read" : "write", reads > 0 ? "read" : "write",
		reads > 0 ? "write" : "read");
}

static void fua_missing(const struct btviz_figures *f, struct btviz_findings *list)
{
	struct btvi_finding_draft draft = {
		.name = "fua-missing", .severity = BTVIZ_SEV_WARNING, .weight = care_weight
	};

	if (!f->fua_missing)
		return;
	btvi_finding_add(list, &draft,
		"Treat with care: this kernel leaves FUA writes, write-zeroes and zone operations out of "
		"recordings in the old format (version 7)%s%s.",
		f->kernel ? "; it was " : "", f->kernel ? f->kernel : "");
}

void btvi_findings_health(const struct btviz_figures *f, struct btviz_findings *list)
{
	lost_events(f, list);
	suspected_loss(f, list);
	damaged_trace(f, list);
	masked_trace(f, list);
	one_direction(f, list);
	for (size_t i = 0; i < f->device_count; i++)
		driver_without_completions(f, f->devices[i], list);
	fua_missing(f, list);
}
