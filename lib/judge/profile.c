/* profile.c - one run's figures taken down for comparing: the table of what is compared, and how
 * each is measured. Decides nothing about two runs. */
#include "judge/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"

#define MIB 1048576.0

/* Least differences: about what two recordings of one and the same thing differ by on a quiet
 * machine, or what nobody would act upon. */
const struct btvi_trait btvi_run_traits[BTVI_RUN_TRAIT_COUNT] = {
	[BTVI_RUN_MB_PER_S] = { "mb_per_s", "throughput", "MB/s", BTVIZ_LAYER_NONE, false, -1,
		0.05 },
	[BTVI_RUN_IOS_PER_S] = { "ios_per_s", "I/O rate", "IO/s", BTVIZ_LAYER_NONE, false, -1, 1 },
	[BTVI_RUN_TIME] = { "run_time_s", "run time", "s", BTVIZ_LAYER_NONE, false, 1, 0.05 },
	[BTVI_RUN_LATENCY] = { "latency_ms", "latency, average", "ms", BTVIZ_LAYER_NONE, false, 1,
		0.05 },
	[BTVI_RUN_LATENCY_P99] = { "latency_p99_ms", "latency, 99th percentile", "ms",
		BTVIZ_LAYER_NONE, false, 1, 0.1 },
	[BTVI_RUN_READ] = { "read_mib", "read", "MiB", BTVIZ_LAYER_WORKLOAD, false, 0, 1 },
	[BTVI_RUN_WRITTEN] = { "written_mib", "written", "MiB", BTVIZ_LAYER_WORKLOAD, false, 0, 1 },
	[BTVI_RUN_READ_SIZE] = { "read_kib", "size of a read, average", "KiB", BTVIZ_LAYER_WORKLOAD,
		true, 0, 0.5 },
	[BTVI_RUN_WRITE_SIZE] = { "write_kib", "size of a write, average", "KiB",
		BTVIZ_LAYER_WORKLOAD, true, 0, 0.5 },
	[BTVI_RUN_READ_SHARE] = { "read_share", "reads' share of the bytes", "%",
		BTVIZ_LAYER_WORKLOAD, true, 0, 0.05 },
	[BTVI_RUN_SEQUENTIAL] = { "sequential_share", "share of I/Os in sequence", "%",
		BTVIZ_LAYER_WORKLOAD, true, 0, 0.05 },
	[BTVI_RUN_FLUSHES] = { "flushes", "flushes asked for", "", BTVIZ_LAYER_WORKLOAD, true, 0,
		5 },
	[BTVI_RUN_FUA] = { "fua", "FUA writes asked for", "", BTVIZ_LAYER_WORKLOAD, true, 0, 5 },
	[BTVI_RUN_DISCARDS] = { "discards", "discards asked for", "", BTVIZ_LAYER_WORKLOAD, true, 0,
		5 },
	[BTVI_RUN_SUBMITTERS] = { "submitters", "processes with 1 % of the I/Os or more", "",
		BTVIZ_LAYER_WORKLOAD, true, 0, 1.5 },
	[BTVI_RUN_SUBMIT_GAPS] = { "submit_gaps_s", "time in gaps of submission", "s",
		BTVIZ_LAYER_SUBMITTER, true, 1, 0.1 },
	[BTVI_RUN_IDLE] = { "idle_share", "share of the time with nothing outstanding", "%",
		BTVIZ_LAYER_SUBMITTER, true, 1, 0.05 },
	[BTVI_RUN_DEPTH] = { "depth", "I/Os outstanding, average", "", BTVIZ_LAYER_WORKLOAD, false,
		0, 0.5 },
	[BTVI_RUN_WRITEBACK] = { "writeback_in_gaps", "pages under writeback in the gaps", "",
		BTVIZ_LAYER_MEMORY, true, 1, 256 },
	[BTVI_RUN_RECLAIM] = { "reclaim_in_gaps", "direct reclaim in the gaps", "pages/s",
		BTVIZ_LAYER_MEMORY, true, 1, 256 },
	[BTVI_RUN_QUEUE_GAPS] = { "queue_gaps_s", "time in gaps of the queue", "s",
		BTVIZ_LAYER_QUEUE, true, 1, 0.1 },
	[BTVI_RUN_Q2D] = { "q2d_ms", "time before issue, average (Q2D)", "ms", BTVIZ_LAYER_QUEUE,
		true, 1, 0.05 },
	[BTVI_RUN_Q2D_SHARE] = { "q2d_share", "share of their latency before issue", "%",
		BTVIZ_LAYER_QUEUE, false, 1, 0.05 },
	[BTVI_RUN_MERGE_RATIO] = { "merge_ratio", "bios a request", "", BTVIZ_LAYER_QUEUE, true, -1,
		0.2 },
	[BTVI_RUN_REQUEST_SIZE] = { "request_kib", "size of a request, average", "KiB",
		BTVIZ_LAYER_QUEUE, false, -1, 0.5 },
	[BTVI_RUN_D2C] = { "d2c_ms", "time in the device, average (D2C)", "ms", BTVIZ_LAYER_DEVICE,
		true, 1, 0.05 },
	[BTVI_RUN_D2C_P99] = { "d2c_p99_ms", "time in the device, 99th percentile of the worst",
		"ms", BTVIZ_LAYER_DEVICE, false, 1, 0.1 },
	[BTVI_RUN_DEVICE_GAPS] = { "device_gaps_s", "time in gaps of a device", "s",
		BTVIZ_LAYER_DEVICE, true, 1, 0.1 },
	[BTVI_RUN_DISK_SEEKS] = { "disk_seek_share", "share of requests that seek", "%",
		BTVIZ_LAYER_DEVICE, false, 1, 0.05 },
	[BTVI_RUN_IN_FLIGHT] = { "in_flight", "requests in flight, average of a disk", "",
		BTVIZ_LAYER_DEVICE, false, 0, 0.5 },
	[BTVI_RUN_ERRORS] = { "errors", "errors", "", BTVIZ_LAYER_DEVICE, true, 1, 0.5 },
	[BTVI_RUN_REQUEUES] = { "requeues", "requests put back", "", BTVIZ_LAYER_DEVICE, true, 1,
		0.5 },
};

const struct btvi_trait btvi_array_traits[BTVI_ARRAY_TRAIT_COUNT] = {
	[BTVI_ARRAY_EFFECTIVE] = { "effective_members", "effective members", "", BTVIZ_LAYER_ARRAY,
		true, -1, 0.2 },
	[BTVI_ARRAY_READ_AMPLIFICATION] = { "read_amplification",
		"bytes its members read for each byte read", "", BTVIZ_LAYER_ARRAY, true, 1, 0.05 },
	[BTVI_ARRAY_WRITE_AMPLIFICATION] = { "write_amplification",
		"bytes its members wrote for each byte written", "", BTVIZ_LAYER_ARRAY, true, 1,
		0.05 },
	[BTVI_ARRAY_RMW] = { "rmw_mib", "read by members for writes", "MiB", BTVIZ_LAYER_ARRAY,
		true, 1, 1 },
	[BTVI_ARRAY_OWN] = { "own_mib", "members' traffic that it did not ask for", "MiB",
		BTVIZ_LAYER_ARRAY, true, 1, 1 },
	[BTVI_ARRAY_SPLITS] = { "split_share", "splits for each I/O", "", BTVIZ_LAYER_ARRAY, true,
		1, 0.02 },
	[BTVI_ARRAY_ABOVE] = { "above_ms", "time of an I/O above the members, average", "ms",
		BTVIZ_LAYER_ARRAY, true, 1, 0.05 },
	[BTVI_ARRAY_ABOVE_SHARE] = { "above_share", "share of an I/O's time above the members", "%",
		BTVIZ_LAYER_ARRAY, false, 1, 0.05 },
	[BTVI_ARRAY_SLOWEST] = { "slowest_ratio", "slowest member's latency to its siblings'", "",
		BTVIZ_LAYER_DEVICE, true, 1, 0.25 },
};

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

static void name_of(const char *from, char out[BTVI_PROFILE_NAME])
{
	btvi_text_printable(from, strlen(from), out, BTVI_PROFILE_NAME);
}

/* ---- the run ------------------------------------------------------------------------------- */

static const struct btviz_distribution *life_of(const struct btviz_device *d)
{
	return &d->latency[BTVIZ_Q2C][BTVIZ_DIR_ALL];
}

/* I/Os of an operation as they were asked for: queued, or issued where there is no Q. */
static uint64_t asked(const struct btviz_device *d, enum btviz_op op)
{
	const uint64_t queued = d->actions[op][BTVIZ_QUEUED].ios;

	return queued > 0 ? queued : d->actions[op][BTVIZ_ISSUED].ios;
}

static void take_top(const struct btviz_figures *f, struct btvi_profile *p)
{
	double *const t = p->traits;
	double bytes[2] = { 0, 0 }, ios[2] = { 0, 0 }, seeks = 0, waits = 0, waited_s = 0;
	double flushes = 0, fua = 0, discards = 0, most = -1;

	for (size_t i = 0; i < f->top_count; i++) {
		const struct btviz_device *const d = f->devices[f->top[i]];
		const struct btviz_distribution *const life = life_of(d);
		const double moved = (double)d->moved[BTVIZ_DIR_ALL].bytes;

		for (int dir = 0; dir < 2; dir++) {
			bytes[dir] += (double)d->moved[dir].bytes;
			ios[dir] += (double)d->moved[dir].ios;
		}
		seeks += (double)d->seeks;
		flushes += (double)d->flushes;
		fua += (double)d->fua;
		discards += (double)asked(d, BTVIZ_OP_DISCARD);
		if (life->count > 0) {
			waits += (double)life->count;
			waited_s += (double)life->count * life->avg;
		}
		if (moved <= most)
			continue;
		most = moved;
		name_of(d->name, p->top);
		t[BTVI_RUN_IDLE] = 1 - d->utilisation;
		t[BTVI_RUN_DEPTH] = d->outstanding_avg;
		t[BTVI_RUN_LATENCY_P99] = life->count > 0 ? life->p99 * 1e3 : NAN;
		p->first_mib = p->last_mib = NAN;
		if (d->map_first_sector <= d->map_last_sector) {
			p->first_mib = (double)d->map_first_sector * 512 / MIB;
			p->last_mib = (double)d->map_last_sector * 512 / MIB;
		}
	}
	p->data_ios = ios[0] + ios[1];
	t[BTVI_RUN_MB_PER_S] = ratio((bytes[0] + bytes[1]) / 1e6, f->span_s);
	t[BTVI_RUN_IOS_PER_S] = ratio(p->data_ios, f->span_s);
	t[BTVI_RUN_TIME] = f->span_s;
	t[BTVI_RUN_LATENCY] = ratio(waited_s * 1e3, waits);
	t[BTVI_RUN_READ] = bytes[0] / MIB;
	t[BTVI_RUN_WRITTEN] = bytes[1] / MIB;
	t[BTVI_RUN_READ_SIZE] = ratio(bytes[0] / 1024, ios[0]);
	t[BTVI_RUN_WRITE_SIZE] = ratio(bytes[1] / 1024, ios[1]);
	t[BTVI_RUN_READ_SHARE] = ratio(bytes[0], bytes[0] + bytes[1]);
	t[BTVI_RUN_SEQUENTIAL] = p->data_ios > 1 ? fmax(1 - seeks / (p->data_ios - 1), 0) : NAN;
	t[BTVI_RUN_FLUSHES] = flushes;
	t[BTVI_RUN_FUA] = fua;
	t[BTVI_RUN_DISCARDS] = discards;
	t[BTVI_RUN_WRITEBACK] = f->memory ? f->memory->writeback_in_gaps : NAN;
	t[BTVI_RUN_RECLAIM] = f->memory ? f->memory->reclaim_in_gaps : NAN;
}

/* Averages over all devices that are no arrays, each I/O with the same weight. */
static void take_disks(const struct btviz_figures *f, struct btvi_profile *p)
{
	double *const t = p->traits;
	double queued = 0, queued_s = 0, issued = 0, issued_s = 0, lived_s = 0, bios = 0;
	double requests = 0, bytes = 0, seeks = 0, flight = 0, flights = 0, requeues = 0,
	       errors = 0;

	t[BTVI_RUN_D2C_P99] = NAN;
	for (size_t i = 0; i < f->device_count; i++) {
		const struct btviz_device *const d = f->devices[i];
		const struct btviz_distribution *const q2d = &d->latency[BTVIZ_Q2D][BTVIZ_DIR_ALL];
		const struct btviz_distribution *const d2c = &d->latency[BTVIZ_D2C][BTVIZ_DIR_ALL];

		for (size_t k = 0; k < d->error_count; k++)
			errors += (double)d->errors[k].count;
		if (d->role == BTVIZ_ROLE_ARRAY)
			continue;
		for (int op = 0; op <= BTVIZ_OP_WRITE; op++) {
			bios += (double)d->actions[op][BTVIZ_QUEUED].ios;
			requests += (double)d->actions[op][BTVIZ_ISSUED].ios;
			bytes += (double)d->actions[op][BTVIZ_ISSUED].bytes;
			requeues += (double)d->actions[op][BTVIZ_REQUEUED].ios;
		}
		seeks += (double)d->seeks;
		if (!isnan(d->in_flight_avg) &&
			d->actions[0][BTVIZ_ISSUED].ios + d->actions[1][BTVIZ_ISSUED].ios > 0) {
			flight += d->in_flight_avg;
			flights++;
		}
		if (q2d->count > 0) {
			queued += (double)q2d->count;
			queued_s += (double)q2d->count * q2d->avg;
			lived_s += (double)q2d->count * life_of(d)->avg;
		}
		if (d2c->count > 0) {
			issued += (double)d2c->count;
			issued_s += (double)d2c->count * d2c->avg;
			t[BTVI_RUN_D2C_P99] = fmax(t[BTVI_RUN_D2C_P99], d2c->p99 * 1e3);
		}
	}
	t[BTVI_RUN_Q2D] = ratio(queued_s * 1e3, queued);
	t[BTVI_RUN_Q2D_SHARE] = fmin(ratio(queued_s, lived_s), 1);
	t[BTVI_RUN_D2C] = ratio(issued_s * 1e3, issued);
	t[BTVI_RUN_MERGE_RATIO] = bios > 0 ? ratio(bios, requests) : NAN;
	t[BTVI_RUN_REQUEST_SIZE] = ratio(bytes / 1024, requests);
	t[BTVI_RUN_DISK_SEEKS] = ratio(seeks, requests);
	t[BTVI_RUN_IN_FLIGHT] = ratio(flight, flights);
	t[BTVI_RUN_REQUEUES] = requeues;
	t[BTVI_RUN_ERRORS] = errors;
}

/* ---- arrays, gaps, people ------------------------------------------------------------------ */

static double splits_of(const struct btviz_figures *f, uint32_t device)
{
	for (size_t i = 0; i < f->device_count; i++) {
		const struct btviz_device *const d = f->devices[i];

		if (d->device == device)
			return ratio((double)d->splits,
				(double)(asked(d, BTVIZ_OP_READ) + asked(d, BTVIZ_OP_WRITE)));
	}
	return NAN;
}

static void take_arrays(const struct btviz_figures *f, struct btvi_profile *p)
{
	for (size_t i = 0; i < f->array_count && p->array_count < BTVI_PROFILE_ARRAYS; i++) {
		const struct btviz_array *const a = f->arrays[i];
		struct btvi_profile_array *const out = &p->arrays[p->array_count++];
		double *const t = out->traits;

		name_of(a->name, out->name);
		name_of(a->level ? a->level : "", out->level);
		out->inferred = a->inferred;
		out->chunk_bytes = a->chunk_bytes;
		out->member_count = a->member_count;
		for (size_t k = 0; k < a->member_count && k < BTVI_PROFILE_MEMBERS; k++) {
			name_of(a->members[k]->name, out->members[k]);
			out->shares[k] = a->members[k]->bytes_share;
		}
		t[BTVI_ARRAY_EFFECTIVE] = a->member_count > 1 ? a->effective_members : NAN;
		t[BTVI_ARRAY_READ_AMPLIFICATION] = a->read_amplification;
		t[BTVI_ARRAY_WRITE_AMPLIFICATION] = a->write_amplification;
		t[BTVI_ARRAY_RMW] = (double)a->rmw_read_bytes / MIB;
		t[BTVI_ARRAY_OWN] = (double)a->own_bytes / MIB;
		t[BTVI_ARRAY_SPLITS] = splits_of(f, a->device);
		t[BTVI_ARRAY_ABOVE] = a->above_s * 1e3;
		t[BTVI_ARRAY_ABOVE_SHARE] = ratio(a->above_s, a->above_s + a->in_members_s);
		t[BTVI_ARRAY_SLOWEST] = a->slowest_ratio;
	}
}

static bool take_gaps(const struct btviz_figures *f, struct btvi_profile *p)
{
	p->stretches = calloc(f->top_count + 1, sizeof *p->stretches);
	if (!p->stretches)
		return false;
	for (size_t i = 0; i < f->top_count; i++) {
		const struct btviz_device *const d = f->devices[f->top[i]];
		struct btvi_profile_stretch *const s = &p->stretches[p->stretch_count++];

		s->gaps = calloc(d->gap_count + 1, sizeof *s->gaps);
		if (!s->gaps)
			return false;
		for (int kind = 0; kind < BTVIZ_GAP_KIND_COUNT; kind++)
			s->rest_s[kind] = d->gap_totals[kind].total_s;
		for (; s->gap_count < d->gap_count; s->gap_count++) {
			const struct btviz_gap *const gap = d->gaps[s->gap_count];
			const double length_s = gap->end_s - gap->start_s;

			s->gaps[s->gap_count] = (struct btvi_profile_gap){ gap->kind, length_s };
			s->rest_s[gap->kind] -= length_s;
		}
		p->gap_threshold_s = fmax(p->gap_threshold_s, d->gap_threshold_s);
	}
	return true;
}

/* "kworker/u8:3" is one of several "kworker": which of them works is chance. */
static void actor_name(const struct btviz_process *process, char out[BTVI_PROFILE_NAME])
{
	const char *const comm = process->comm && process->comm[0] ? process->comm : "?";

	name_of(comm, out);
	if (strncmp(out, "kworker/", 8) == 0)
		strcpy(out, "kworker");
}

static int most_first(const void *x, const void *y)
{
	const struct btvi_profile_actor *const a = x, *const b = y;

	if (a->mib > b->mib || a->mib < b->mib)
		return a->mib > b->mib ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void take_people(const struct btviz_figures *f, struct btvi_profile *p)
{
	double all = 0, many = 0;

	for (size_t i = 0; i < f->process_count; i++) {
		const struct btviz_process *const one = f->processes[i];

		all += (double)(one->read.ios + one->write.ios + one->other.ios);
	}
	for (size_t i = 0; i < f->process_count; i++) {
		const struct btviz_process *const one = f->processes[i];
		const double ios = (double)(one->read.ios + one->write.ios + one->other.ios);
		char name[BTVI_PROFILE_NAME];
		size_t k = 0;

		many += ios >= 0.01 * all && ios > 0;
		actor_name(one, name);
		while (k < p->actor_count && strcmp(p->actors[k].name, name) != 0)
			k++;
		if (k == BTVI_PROFILE_ACTORS)
			continue; /* processes come with the most bytes first */
		if (k == p->actor_count)
			strcpy(p->actors[p->actor_count++].name, name);
		p->actors[k].mib += (double)(one->read.bytes + one->write.bytes) / MIB;
	}
	p->traits[BTVI_RUN_SUBMITTERS] = f->process_count > 0 ? many : NAN;
	qsort(p->actors, p->actor_count, sizeof *p->actors, most_first);
}

static bool take_findings(
	const struct btviz_figures *f, struct btvi_profile *p, struct btviz_error *err)
{
	struct btviz_findings *list = NULL;
	bool ok = btviz_findings_new(f, &list, err) == BTVIZ_OK;

	for (size_t i = 0;
		ok && i < btviz_findings_count(list) && p->finding_count < BTVI_PROFILE_FINDINGS;
		i++) {
		const struct btviz_finding *const from = btviz_findings_get(list, i);
		struct btvi_profile_finding *const to = &p->findings[p->finding_count];

		if (strcmp(from->name, "nothing-remarkable") == 0)
			continue;
		to->name = strdup(from->name);
		to->text = strdup(from->text);
		to->severity = from->severity;
		p->finding_count++;
		ok = to->name && to->text;
	}
	btviz_findings_free(list);
	return ok;
}

/* ---- the recording ------------------------------------------------------------------------- */

static void take_health(const struct btviz_figures *f, struct btvi_profile *p)
{
	const struct btviz_health *const h = f->health;

	p->lost = h->lost_events;
	p->unpaired = f->suspected_loss;
	p->damage = h->torn_tails + h->bad_stretches + h->unknown_actions + h->late_events +
		h->repeated_events + h->left_out_events;
	p->events = h->events;
	p->masked = f->categories_missing;
	p->fua_missing = f->fua_missing;
	if (f->command)
		btvi_text_printable(f->command, strlen(f->command), p->command, sizeof p->command);
	if (f->kernel)
		btvi_text_printable(f->kernel, strlen(f->kernel), p->kernel, sizeof p->kernel);
}

static void take_window(const struct btviz_summary_options *o, struct btvi_profile_window *w)
{
	size_t at = 0;

	*w = (struct btvi_profile_window){ .end_s = NAN, .last_mib = NAN };
	if (!o)
		return;
	w->start_s = (double)o->start_ns * 1e-9;
	if (o->end_ns > 0)
		w->end_s = (double)o->end_ns * 1e-9;
	if (o->last_sector > 0) {
		w->first_mib = (double)o->first_sector * 512 / MIB;
		w->last_mib = (double)o->last_sector * 512 / MIB;
	}
	for (size_t i = 0; i < o->device_count && at + 1 < sizeof w->devices; i++)
		at += (size_t)snprintf(w->devices + at, sizeof w->devices - at, "%s%s",
			i > 0 ? " " : "", o->devices[i]);
}

static bool take_devices(const struct btviz_figures *f, struct btvi_profile *p)
{
	size_t size = 1, at = 0;

	for (size_t i = 0; i < f->device_count; i++)
		size += strlen(f->devices[i]->name) + 1;
	p->devices = calloc(size, 1);
	if (!p->devices)
		return false;
	for (size_t i = 0; i < f->device_count; i++)
		at += (size_t)snprintf(
			p->devices + at, size - at, "%s%s", i > 0 ? " " : "", f->devices[i]->name);
	return true;
}

/* FNV-1a. */
static void stir(uint64_t *hash, uint64_t value)
{
	for (unsigned i = 0; i < 8; i++) {
		*hash ^= value >> 8 * i & 0xff;
		*hash *= UINT64_C(0x100000001b3);
	}
}

static void stir_double(uint64_t *hash, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	stir(hash, bits);
}

/* Two runs never begin and end in the same nanoseconds with the same latencies. */
static uint64_t fingerprint(const struct btviz_figures *f)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	stir(&hash, f->origin_ns);
	stir(&hash, f->start_ns);
	stir(&hash, f->end_ns);
	for (size_t i = 0; i < f->device_count; i++) {
		const struct btviz_device *const d = f->devices[i];
		const struct btviz_distribution *const life = life_of(d);

		stir(&hash, d->device);
		stir(&hash, d->events);
		stir(&hash, d->first_ns);
		stir(&hash, d->last_ns);
		stir(&hash, d->moved[BTVIZ_DIR_ALL].bytes);
		stir(&hash, d->seeks);
		stir_double(&hash, life->count > 0 ? life->avg : 0);
	}
	return hash;
}

enum btviz_status btvi_profile_take(
	const struct btviz_figures *f, struct btvi_profile *p, struct btviz_error *err)
{
	*p = (struct btvi_profile){ .first_mib = NAN, .last_mib = NAN };
	for (size_t i = 0; i < BTVI_RUN_TRAIT_COUNT; i++)
		p->traits[i] = NAN;
	take_top(f, p);
	take_disks(f, p);
	take_arrays(f, p);
	take_people(f, p);
	take_health(f, p);
	take_window(f->options, &p->window);
	p->fingerprint = fingerprint(f);
	if (take_gaps(f, p) && take_devices(f, p) && take_findings(f, p, err))
		return BTVIZ_OK;
	btvi_profile_done(p);
	return btvi_fail_nomem(err);
}

void btvi_profile_done(struct btvi_profile *p)
{
	for (size_t i = 0; i < p->finding_count; i++) {
		free(p->findings[i].name);
		free(p->findings[i].text);
	}
	for (size_t i = 0; i < p->stretch_count; i++)
		free(p->stretches[i].gaps);
	free(p->stretches);
	free(p->devices);
}

/* Of one kind on one device. What is not kept one by one is shorter than all that is: it counts
 * where all that is kept does. */
static double time_of(
	const struct btvi_profile_stretch *s, enum btviz_gap_kind kind, double threshold_s)
{
	double sum_s = 0;
	bool all = true;

	for (size_t i = 0; i < s->gap_count; i++) {
		if (s->gaps[i].kind != kind)
			continue;
		if (s->gaps[i].length_s >= threshold_s)
			sum_s += s->gaps[i].length_s;
		else
			all = false;
	}
	return all ? sum_s + fmax(s->rest_s[kind], 0) : sum_s;
}

double btvi_profile_gap_time(const struct btvi_profile *p, unsigned kinds, double threshold_s)
{
	double most_s = 0;

	for (size_t i = 0; i < p->stretch_count; i++) {
		double sum_s = 0;

		for (int kind = 0; kind < BTVIZ_GAP_KIND_COUNT; kind++)
			if (kinds & 1U << kind)
				sum_s += time_of(&p->stretches[i], kind, threshold_s);
		most_s = fmax(most_s, sum_s);
	}
	return most_s;
}
