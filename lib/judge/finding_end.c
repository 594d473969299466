/* finding_end.c - rules about what did not end well: io-outstanding-at-end, errors. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "judge/finding.h"

/* An I/O that is older at the end than three times the longest that came back, and than this, is
 * stuck; a younger one is under way, as some always are when a recording is stopped. */
static const double stuck_times = 3;
static const double stuck_least_s = 0.5;

/* ---- I/Os that never ended ----------------------------------------------------------------- */

static bool lies_on(const struct btviz_device *d, uint32_t device)
{
	for (size_t i = 0; i < d->parent_count; i++)
		if (d->parents[i] == device)
			return true;
	return false;
}

/* Of the devices below one, the sum of what is open on them, how many of them there are, and the
 * one that has most. */
struct below {
	size_t count;
	uint64_t open;
	const struct btviz_device *most;
};

static struct below look_below(const struct btviz_figures *f, const struct btviz_device *d)
{
	struct below b = { 0, 0, NULL };

	for (size_t i = 0; i < f->device_count; i++) {
		const struct btviz_device *const m = f->devices[i];

		if (m == d || !lies_on(m, d->device))
			continue;
		b.count++;
		b.open += m->open_ios;
		if (m->open_ios > 0 && (!b.most || m->open_ios > b.most->open_ios))
			b.most = m;
	}
	return b;
}

/* The lowest layer that holds I/Os: what is below it has none. */
static const struct btviz_device *holder_of(
	const struct btviz_figures *f, const struct btviz_device *d, struct below *ret_below)
{
	for (size_t layer = 0; layer < f->device_count; layer++) {
		*ret_below = look_below(f, d);
		if (!ret_below->most)
			break;
		d = ret_below->most;
	}
	return d;
}

static uint64_t requests_in_flight(const struct btviz_figures *f)
{
	uint64_t n = 0;

	for (size_t i = 0; i < f->device_count; i++)
		n += f->devices[i]->request_based ? f->devices[i]->open_requests : 0;
	return n;
}

/* "they wait in dm-0, which has handed none to what lies below it". */
static void describe_place(const struct btviz_device *d, const struct btviz_device *holder,
	const struct below *below, char *out, size_t size)
{
	if (holder->request_based && holder->open_requests > 0)
		snprintf(out, size, "%s was issued %s and has not completed them", holder->name,
			holder == d ? "them" : "its part");
	else if (holder->request_based)
		snprintf(out, size, "they wait above %s, which was issued none", holder->name);
	else if (below->count > 0)
		snprintf(out, size, "they wait in %s; what lies below it has none of them",
			holder->name);
	else
		snprintf(out, size, "they wait in %s or below it (nothing below it was traced)",
			holder->name);
}

static void outstanding_at_end(
	const struct btviz_figures *f, const struct btviz_device *d, struct btviz_findings *list)
{
	const bool end_known = f->recorder_end_s > f->span_s;
	const double end_s = end_known ? f->recorder_end_s : f->span_s;
	const double longest = d->latency[BTVIZ_Q2C][BTVIZ_DIR_ALL].max;
	const double age_s = end_s - d->open_since_s;
	struct btvi_finding_draft draft = { .name = "io-outstanding-at-end",
		.severity = BTVIZ_SEV_BAD };
	char place[160], count[BTVI_QUANTITY_SIZE], age[BTVI_QUANTITY_SIZE], who[80] = "";
	char when[160] = "";
	const struct btviz_device *holder;
	struct below below = { 0, 0, NULL };
	bool stuck, held, lossy;

	if (d->open_ios == 0 || isnan(d->open_since_s) || isnan(longest))
		return;
	holder = holder_of(f, d, &below);
	lossy = f->health->lost_events > 0 || d->unpaired > 0 || holder->unpaired > 0;
	stuck = age_s >= stuck_least_s && age_s > stuck_times * longest;
	/* All that is outstanding is in one place, above the disks, and no disk has a thing to do:
	 * so it stood still when the last event was recorded. Of a recording that was just stopped,
	 * disks have something. */
	held = !holder->request_based && below.count > 0 && holder->open_ios >= d->open_ios &&
		d->open_ios > 1 && requests_in_flight(f) == 0;
	if (!stuck && !held)
		return;
	if (!stuck || lossy)
		draft.severity = BTVIZ_SEV_WARNING;
	draft.weight = 1;
	describe_place(d, holder, &below, place, sizeof place);
	btvi_quantity_words(d->open_ios, count);
	count[0] = (char)toupper((unsigned char)count[0]);
	if (d->open_comm && d->open_comm[0] != '\0')
		snprintf(who, sizeof who, " of %.40s", d->open_comm);
	if (!end_known)
		snprintf(when, sizeof when,
			" Nothing was recorded after %.2f s; when the recording ended is not known.",
			f->span_s);
	else
		snprintf(when, sizeof when, " The recording ended at %.2f s.", end_s);
	btvi_finding_evidence(&draft, "outstanding", (double)d->open_ios, "");
	btvi_finding_evidence(&draft, "since", d->open_since_s, "s");
	btvi_finding_evidence(&draft, "age", age_s, "s");
	btvi_finding_evidence(&draft, "longest_before", longest, "s");
	btvi_finding_evidence(&draft, "holder", holder->device, "device");
	btvi_finding_evidence(&draft, "end", end_known ? end_s : NAN, "s");
	btvi_finding_add(list, &draft,
		"%s I/O%s%s had not come back on %s at the end: the oldest was queued at %.2f s, %s "
		"before it; %s%s.%s",
		count, btvi_plural(d->open_ios), who, d->name, d->open_since_s,
		btvi_quantity_duration(age_s, age), place,
		lossy ? " (or their completions are among the records that are missing)" : "",
		when);
}

/* ---- errors -------------------------------------------------------------------------------- */

static const char *error_name(int error)
{
	switch (-error) {
	case EIO:
		return "EIO (input/output error)";
	case ENOSPC:
		return "ENOSPC (no space)";
	case ETIMEDOUT:
		return "ETIMEDOUT (timed out)";
	case ENODATA:
		return "ENODATA (medium error)";
	case EREMOTEIO:
		return "EREMOTEIO (target error)";
	case EILSEQ:
		return "EILSEQ (integrity check failed)";
	case ENOLINK:
		return "ENOLINK (path or link failed)";
	case EBADE:
		return "EBADE (reservation conflict)";
	case EOPNOTSUPP:
		return "EOPNOTSUPP (not supported)";
	case EAGAIN:
		return "EAGAIN (would block)";
	case ENODEV:
		return "ENODEV (device gone)";
	default:
		return NULL;
	}
}

/* "13 reads and 4 writes of sectors 400,000 to 401,999, between 0.12 and 0.75 s". */
static void describe_failed(const struct btviz_device *d, char *out, size_t size)
{
	static const char *const names[] = { "read", "write", "other I/O" };
	uint64_t low = UINT64_MAX, high = 0;
	double first_s = INFINITY, last_s = -INFINITY;
	char count[BTVI_QUANTITY_SIZE], sectors[2][BTVI_QUANTITY_SIZE];
	size_t n = 0;

	out[0] = '\0';
	for (unsigned dir = 0; dir < sizeof names / sizeof names[0]; dir++) {
		const struct btviz_failed *const x = &d->failed[dir];

		if (x->ios == 0)
			continue;
		n += (size_t)snprintf(out + n, size - n, "%s%s %s%s", n ? ", " : "",
			btvi_quantity_count(x->ios, count), names[dir], btvi_plural(x->ios));
		low = x->first_sector < low ? x->first_sector : low;
		high = x->last_sector > high ? x->last_sector : high;
		first_s = fmin(first_s, x->first_s);
		last_s = fmax(last_s, x->last_s);
	}
	if (n == 0)
		return;
	btvi_quantity_count(low, sectors[0]);
	btvi_quantity_count(high, sectors[1]);
	snprintf(out + n, size - n, " at sectors %s to %s, between %.2f and %.2f s", sectors[0],
		sectors[1], first_s, last_s);
}

/* Where they arose: below, if a device there failed, too; else in this layer, if all that lies
 * below it was traced. */
static void describe_layer(
	const struct btviz_figures *f, const struct btviz_device *d, char *out, size_t size)
{
	const char *with = NULL, *without = NULL;

	out[0] = '\0';
	for (size_t i = 0; i < f->device_count; i++) {
		const struct btviz_device *const m = f->devices[i];

		if (m == d || !lies_on(m, d->device))
			continue;
		if (m->error_count > 0)
			with = m->name;
		else
			without = m->name;
	}
	if (with)
		snprintf(out, size, " They came from below: %s failed, too.", with);
	else if (without)
		snprintf(out, size, " What lies below it (%s) returned none: %s made them.",
			without, d->name);
}

static void errors(
	const struct btviz_figures *f, const struct btviz_device *d, struct btviz_findings *list)
{
	struct btvi_finding_draft draft = {
		.name = "errors", .severity = BTVIZ_SEV_BAD, .weight = 1
	};
	const struct btviz_error_count *most = NULL;
	char count[BTVI_QUANTITY_SIZE], number[40], failed[200], layer[120];
	const char *name;
	uint64_t all = 0, harmless = 0;

	for (size_t i = 0; i < d->error_count; i++) {
		const struct btviz_error_count *const e = &d->errors[i];

		all += e->count;
		/* "Cannot do that" and "would block" are answers, not losses of data. */
		if (e->error == -EOPNOTSUPP || e->error == -EAGAIN)
			harmless += e->count;
		if (!most || e->count > most->count)
			most = e;
	}
	if (all == 0)
		return;
	if (harmless == all) {
		draft.severity = BTVIZ_SEV_NOTE;
		draft.weight = 0;
	}
	btvi_finding_evidence(&draft, "count", (double)all, "");
	btvi_finding_evidence(&draft, "errno", most->error, "");
	btvi_finding_evidence(&draft, "device", d->device, "device");
	name = error_name(most->error);
	if (!name) {
		snprintf(number, sizeof number, "error %d", most->error);
		name = number;
	}
	describe_failed(d, failed, sizeof failed);
	describe_layer(f, d, layer, sizeof layer);
	btvi_finding_add(list, &draft, "%s I/O%s failed on %s%s with %s%s%s.%s",
		btvi_quantity_count(all, count), btvi_plural(all), d->name,
		d->error_count > 1 ? ", most" : "", name, failed[0] ? ": " : "", failed, layer);
}

void btvi_findings_end(const struct btviz_figures *f, struct btviz_findings *list)
{
	for (size_t i = 0; i < f->device_count; i++)
		errors(f, f->devices[i], list);
	for (size_t i = 0; i < f->top_count; i++)
		if (btvi_figures_top(f, i))
			outstanding_at_end(f, btvi_figures_top(f, i), list);
}
