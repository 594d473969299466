/* likeness.c - what is unlike about two runs: their work, their arrays, how they were recorded and
 * read. Knows profiles only; what follows for a verdict is decided by who asks.
 *
 * Every limit is a share that a faster or slower kernel alone does not reach: work that is fixed
 * comes out the same to the byte, and where only its duration is fixed its totals follow the speed,
 * which is why totals count as unlike only where the durations differ as well. */
#include "judge/likeness.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/quantity.h"
#include "base/status.h"

static const double size_ratio = 1.5;       /* of average sizes */
static const double total_ratio = 1.2;      /* of bytes, */
static const double duration_ratio = 1.1;   /* if the durations are not alike to this */
static const double read_share = 0.1;       /* difference of the reads' share of the bytes */
static const double sequence_share = 0.2;   /* difference of the share of I/Os in sequence */
static const double overlap_share = 0.5;    /* of all places touched, those that both touched */
static const double actor_share = 0.05;     /* of the bytes: whose name is looked at */
static const double direction_share = 0.05; /* of the bytes: a direction that has a size */
static const double lossy_share = 0.001;    /* of events missing */

static struct btvi_unlike *add(struct btvi_likeness *l, enum btviz_unlike_kind kind,
	const char *name, const char *format, ...) BTVI_PRINTF(4, 5);

static struct btvi_unlike *add(struct btvi_likeness *l, enum btviz_unlike_kind kind,
	const char *name, const char *format, ...)
{
	struct btvi_unlike *u = NULL;
	va_list ap;

	for (size_t i = 0; i < l->count; i++)
		if (strcmp(l->items[i].pub.name, name) == 0 && kind != BTVIZ_UNLIKE_RECORDING) {
			l->items[i].pub.runs++;
			return &l->items[i];
		}
	if (l->count == BTVI_UNLIKE_MAX)
		return &l->items[l->count - 1];
	u = &l->items[l->count++];
	*u = (struct btvi_unlike){ .pub = { .kind = kind, .name = name, .runs = 1 } };
	va_start(ap, format);
	vsnprintf(u->text, sizeof u->text, format, ap);
	va_end(ap);
	u->pub.text = u->text;
	return u;
}

static bool apart(double a, double b, double by_ratio)
{
	return a > 0 && b > 0 && fmax(a / b, b / a) >= by_ratio;
}

/* ---- work ---------------------------------------------------------------------------------- */

static double mib_of(const struct btvi_profile *p)
{
	return p->traits[BTVI_RUN_READ] + p->traits[BTVI_RUN_WRITTEN];
}

static void operations(
	struct btvi_likeness *l, const struct btvi_named *a, const struct btvi_named *b)
{
	const double x = a->profile->traits[BTVI_RUN_READ_SHARE];
	const double y = b->profile->traits[BTVI_RUN_READ_SHARE];
	char first[BTVI_QUANTITY_SIZE], second[BTVI_QUANTITY_SIZE];

	if (isnan(x) != isnan(y))
		add(l, BTVIZ_UNLIKE_WORK, "operations", "no data moved in %s",
			isnan(x) ? a->name : b->name)
			->grave = true;
	else if (fabs(x - y) > read_share)
		add(l, BTVIZ_UNLIKE_WORK, "operations",
			"reads' share of the bytes: %s in %s, %s in %s",
			btvi_quantity_share(x, first), a->name, btvi_quantity_share(y, second),
			b->name)
			->grave = true;
}

/* Flushes, FUA writes, discards: asked for on one side only, and no trifle there. */
static void others(struct btvi_likeness *l, const struct btvi_named *a, const struct btvi_named *b,
	enum btvi_run_trait trait, const char *name, const char *what)
{
	const double x = a->profile->traits[trait], y = b->profile->traits[trait];
	const struct btvi_named *const one = x > y ? a : b;
	char count[BTVI_QUANTITY_SIZE];

	if ((x > 0) == (y > 0) || fmax(x, y) < fmax(5, 0.01 * one->profile->data_ios))
		return;
	add(l, BTVIZ_UNLIKE_WORK, name, "%s: %s in %s, none in %s", what,
		btvi_quantity_count((uint64_t)fmax(x, y), count), one->name,
		one == a ? b->name : a->name);
}

static void sizes(struct btvi_likeness *l, const struct btvi_named *a, const struct btvi_named *b)
{
	static const struct {
		enum btvi_run_trait size, bytes;
		const char *name, *what;
	} ways[] = { { BTVI_RUN_READ_SIZE, BTVI_RUN_READ, "read-size", "reads" },
		{ BTVI_RUN_WRITE_SIZE, BTVI_RUN_WRITTEN, "write-size", "writes" } };

	for (size_t i = 0; i < 2; i++) {
		const double x = a->profile->traits[ways[i].size];
		const double y = b->profile->traits[ways[i].size];
		char first[BTVI_QUANTITY_SIZE], second[BTVI_QUANTITY_SIZE];

		if (!apart(x, y, size_ratio) ||
			a->profile->traits[ways[i].bytes] < direction_share * mib_of(a->profile) ||
			b->profile->traits[ways[i].bytes] < direction_share * mib_of(b->profile))
			continue;
		add(l, BTVIZ_UNLIKE_WORK, ways[i].name, "size of %s, average: %s in %s, %s in %s",
			ways[i].what, btvi_quantity_bytes(x * 1024, first), a->name,
			btvi_quantity_bytes(y * 1024, second), b->name)
			->grave = true;
	}
}

static void order(struct btvi_likeness *l, const struct btvi_named *a, const struct btvi_named *b)
{
	const double x = a->profile->traits[BTVI_RUN_SEQUENTIAL];
	const double y = b->profile->traits[BTVI_RUN_SEQUENTIAL];
	char first[BTVI_QUANTITY_SIZE], second[BTVI_QUANTITY_SIZE];

	if (fabs(x - y) > sequence_share)
		add(l, BTVIZ_UNLIKE_WORK, "order", "I/Os in sequence: %s in %s, %s in %s",
			btvi_quantity_share(x, first), a->name, btvi_quantity_share(y, second),
			b->name)
			->grave = true;
}

static void places(struct btvi_likeness *l, const struct btvi_named *a, const struct btvi_named *b)
{
	const struct btvi_profile *const p = a->profile, *const q = b->profile;
	const double all = fmax(p->last_mib, q->last_mib) - fmin(p->first_mib, q->first_mib);
	const double both = fmin(p->last_mib, q->last_mib) - fmax(p->first_mib, q->first_mib);

	if (isnan(all) || isnan(p->first_mib) || isnan(q->first_mib) || both >= overlap_share * all)
		return;
	add(l, BTVIZ_UNLIKE_WORK, "offsets",
		"offsets: %.0f to %.0f MiB in %s, %.0f to %.0f MiB in %s", p->first_mib,
		p->last_mib, a->name, q->first_mib, q->last_mib, b->name);
}

static void totals(struct btvi_likeness *l, const struct btvi_named *a, const struct btvi_named *b)
{
	const double x = mib_of(a->profile), y = mib_of(b->profile);
	char first[BTVI_QUANTITY_SIZE], second[BTVI_QUANTITY_SIZE];

	if (btvi_likeness_lossy(a->profile) || btvi_likeness_lossy(b->profile) ||
		!apart(x, y, total_ratio) ||
		!apart(a->profile->traits[BTVI_RUN_TIME], b->profile->traits[BTVI_RUN_TIME],
			duration_ratio))
		return;
	add(l, BTVIZ_UNLIKE_WORK, "total", "bytes moved: %s in %s, %s in %s",
		btvi_quantity_bytes(x * 1048576, first), a->name,
		btvi_quantity_bytes(y * 1048576, second), b->name)
		->grave = true;
}

/* "dd, kworker": the names behind most of the bytes, in order of the alphabet. */
static void actors_of(const struct btvi_profile *p, char *out, size_t size)
{
	const char *last = "";
	size_t at = 0;

	out[0] = '\0';
	for (;;) {
		const char *next = NULL;

		for (size_t i = 0; i < p->actor_count; i++) {
			const char *const name = p->actors[i].name;

			if (p->actors[i].mib >= actor_share * mib_of(p) && strcmp(name, last) > 0 &&
				(!next || strcmp(name, next) < 0))
				next = name;
		}
		if (!next || at + 1 >= size)
			return;
		at += (size_t)snprintf(out + at, size - at, "%s%s", at > 0 ? ", " : "", next);
		last = next;
	}
}

static void people(struct btvi_likeness *l, const struct btvi_named *a, const struct btvi_named *b)
{
	char first[120], second[120];

	actors_of(a->profile, first, sizeof first);
	actors_of(b->profile, second, sizeof second);
	if (first[0] && second[0] && strcmp(first, second) != 0)
		add(l, BTVIZ_UNLIKE_WORK, "processes", "processes: %s in %s, %s in %s", first,
			a->name, second, b->name);
}

/* ---- arrays and devices -------------------------------------------------------------------- */

static const char *level_text(const struct btvi_profile_array *x, char out[64])
{
	snprintf(out, 64, "%s%s", x->level[0] ? x->level : "not known",
		x->level[0] && x->inferred ? " (inferred)" : "");
	return out;
}

static void array(struct btvi_likeness *l, const struct btvi_named *a, const struct btvi_named *b,
	const struct btvi_profile_array *x, const struct btvi_profile_array *y)
{
	char first[64], second[64];

	if ((x->inferred && btvi_likeness_lossy(a->profile)) ||
		(y->inferred && btvi_likeness_lossy(b->profile)))
		return; /* from what is left of a lossy recording nothing can be inferred */
	if (x->level[0] && y->level[0] && strcmp(x->level, y->level) != 0)
		add(l, BTVIZ_UNLIKE_ARRAY, "level", "level of %s: %s in %s, %s in %s", x->name,
			level_text(x, first), a->name, level_text(y, second), b->name);
	if (x->chunk_bytes > 0 && y->chunk_bytes > 0 && x->chunk_bytes != y->chunk_bytes)
		add(l, BTVIZ_UNLIKE_ARRAY, "chunk",
			"chunk of %s: %.0f KiB%s in %s, %.0f KiB%s in %s", x->name,
			(double)x->chunk_bytes / 1024, x->inferred ? " (inferred)" : "", a->name,
			(double)y->chunk_bytes / 1024, y->inferred ? " (inferred)" : "", b->name);
	if (x->member_count != y->member_count)
		add(l, BTVIZ_UNLIKE_ARRAY, "members", "members of %s: %zu in %s, %zu in %s",
			x->name, x->member_count, a->name, y->member_count, b->name);
}

static void arrays(struct btvi_likeness *l, const struct btvi_named *a, const struct btvi_named *b)
{
	const struct btvi_profile *const p = a->profile, *const q = b->profile;

	if (p->array_count != q->array_count)
		add(l, BTVIZ_UNLIKE_ARRAY, "arrays", "arrays: %zu in %s, %zu in %s", p->array_count,
			a->name, q->array_count, b->name);
	for (size_t i = 0; i < p->array_count && i < q->array_count; i++)
		array(l, a, b, &p->arrays[i], &q->arrays[i]);
	if (strcmp(p->devices, q->devices) != 0)
		add(l, BTVIZ_UNLIKE_DEVICES, "devices", "devices: %.120s in %s, %.120s in %s",
			p->devices, a->name, q->devices, b->name);
}

/* ---- reading and recording ----------------------------------------------------------------- */

static bool same(double x, double y)
{
	return (isnan(x) && isnan(y)) || (x >= y && x <= y);
}

static const char *window_text(const struct btvi_profile_window *w, char out[96])
{
	char from[BTVI_QUANTITY_SIZE], to[BTVI_QUANTITY_SIZE];

	if (isnan(w->end_s) && !(w->start_s > 0))
		return strcpy(out, "all of it");
	snprintf(out, 96, "%s s to %s", btvi_quantity_fixed(w->start_s, 3, from),
		isnan(w->end_s) ? "the end" : btvi_quantity_fixed(w->end_s, 3, to));
	return out;
}

static void reading(struct btvi_likeness *l, const struct btvi_named *a, const struct btvi_named *b)
{
	const struct btvi_profile_window *const v = &a->profile->window;
	const struct btvi_profile_window *const w = &b->profile->window;
	char first[96], second[96];

	if (!same(v->start_s, w->start_s) || !same(v->end_s, w->end_s))
		add(l, BTVIZ_UNLIKE_READING, "window", "window: %s in %s, %s in %s",
			window_text(v, first), a->name, window_text(w, second), b->name);
	if (!same(v->first_mib, w->first_mib) || !same(v->last_mib, w->last_mib))
		add(l, BTVIZ_UNLIKE_READING, "sectors", "not the same sectors were looked at");
	if (strcmp(v->devices, w->devices) != 0)
		add(l, BTVIZ_UNLIKE_READING, "filter", "devices asked for: %s in %s, %s in %s",
			v->devices[0] ? v->devices : "all", a->name,
			w->devices[0] ? w->devices : "all", b->name);
}

void btvi_likeness_pair(
	struct btvi_likeness *l, const struct btvi_named *a, const struct btvi_named *b)
{
	const struct btvi_profile *const p = a->profile, *const q = b->profile;

	operations(l, a, b);
	sizes(l, a, b);
	order(l, a, b);
	others(l, a, b, BTVI_RUN_FLUSHES, "flushes", "flushes");
	others(l, a, b, BTVI_RUN_FUA, "fua", "FUA writes");
	others(l, a, b, BTVI_RUN_DISCARDS, "discards", "discards");
	places(l, a, b);
	totals(l, a, b);
	people(l, a, b);
	arrays(l, a, b);
	reading(l, a, b);
	if (p->command[0] && q->command[0] && strcmp(p->command, q->command) != 0)
		add(l, BTVIZ_UNLIKE_COMMAND, "command", "command: '%.120s' in %s, '%.120s' in %s",
			p->command, a->name, q->command, b->name);
	if (p->kernel[0] && q->kernel[0] && strcmp(p->kernel, q->kernel) != 0)
		add(l, BTVIZ_UNLIKE_KERNEL, "kernel", "kernel: %.80s in %s, %.80s in %s", p->kernel,
			a->name, q->kernel, b->name);
}

static void mask(struct btvi_likeness *l, const struct btvi_named *run)
{
	static const char *const names[BTVIZ_STATION_COUNT] = { "queueings", "merges", "issues",
		"requeues", "completions" };
	char text[100] = "";
	size_t at = 0;

	for (unsigned i = 0; i < BTVIZ_STATION_COUNT; i++)
		if (run->profile->masked & 1U << i)
			at += (size_t)snprintf(
				text + at, sizeof text - at, "%s%s", at > 0 ? ", " : "", names[i]);
	if (at > 0)
		add(l, BTVIZ_UNLIKE_RECORDING, "mask", "%s: without %s", run->name, text);
}

void btvi_likeness_recording(struct btvi_likeness *l, const struct btvi_named *run)
{
	const struct btvi_profile *const p = run->profile;
	char count[BTVI_QUANTITY_SIZE], all[BTVI_QUANTITY_SIZE];

	if (p->lost > 0)
		add(l, BTVIZ_UNLIKE_RECORDING, "loss", "%s: %s of %s events lost", run->name,
			btvi_quantity_count(p->lost, count),
			btvi_quantity_count(p->events + p->lost, all));
	if (p->unpaired > 0)
		add(l, BTVIZ_UNLIKE_RECORDING, "suspected-loss",
			"%s: %s I/Os do not pair (loss suspected), of %s events", run->name,
			btvi_quantity_count(p->unpaired, count),
			btvi_quantity_count(p->events, all));
	if (p->damage > 0)
		add(l, BTVIZ_UNLIKE_RECORDING, "damage", "%s: damaged in %s places", run->name,
			btvi_quantity_count(p->damage, count));
	mask(l, run);
	if (p->fua_missing)
		add(l, BTVIZ_UNLIKE_RECORDING, "fua-missing",
			"%s: the kernel leaves FUA writes out of this kind of recording",
			run->name);
}

bool btvi_likeness_lossy(const struct btvi_profile *p)
{
	return (double)(p->lost + p->unpaired) > lossy_share * (double)p->events;
}
