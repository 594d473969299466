/* test_parts.c - a run cut into parts, which are added up alone and then merged, gives the figures
 * of the whole: cut between devices always, cut in time wherever nothing is open. An I/O that is
 * open at a cut in time is cut off in both parts, as btviz_summary_merge() says; what does not pair
 * is that of the whole even there: counts, sizes, places, seeks, who asked.
 *
 * Recordings are cut at a dozen events each, at BTVIZ_CUTS of them where that is set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <btviz/btviz.h>

#include "base/limits.h"
#include "dump.h"
#include "measure/summary.h"
#include "scratch.h"
#include "script.h"

/* A run's events, in memory with their payloads. */
struct events {
	struct btviz_event *items;
	size_t count, capacity;
};

static void add_event(struct events *e, const struct btviz_event *ev)
{
	if (e->count == e->capacity) {
		e->capacity = e->capacity ? 2 * e->capacity : 4096;
		e->items = realloc(e->items, e->capacity * sizeof *e->items);
		assert_non_null(e->items);
	}
	e->items[e->count] = *ev;
	if (ev->payload_size > 0) {
		unsigned char *const copy = malloc(ev->payload_size);

		assert_non_null(copy);
		memcpy(copy, ev->payload, ev->payload_size);
		e->items[e->count].payload = copy;
	}
	e->count++;
}

static void free_events(struct events *e)
{
	for (size_t i = 0; i < e->count; i++)
		if (e->items[i].payload_size > 0)
			free((void *)(uintptr_t)e->items[i].payload);
	free(e->items);
	*e = (struct events){ 0 };
}

static struct events read_events(const char *name)
{
	struct events e = { 0 };
	struct btviz_trace *t;
	const struct btviz_event *ev;

	assert_int_equal(btviz_trace_open(recording(name), NULL, &t, NULL), BTVIZ_OK);
	while (btviz_trace_next(t, &ev, NULL) == BTVIZ_OK)
		add_event(&e, ev);
	btviz_trace_close(t);
	if (e.count < 20)
		fail_msg("%s: only %zu events", name, e.count);
	return e;
}

static struct btviz_summary *new_summary(void)
{
	struct btviz_summary *s;

	assert_int_equal(btviz_summary_new(NULL, &s, NULL), BTVIZ_OK);
	return s;
}

static struct btviz_summary *add_up(const struct events *e, size_t from, size_t to)
{
	struct btviz_summary *const s = new_summary();

	for (size_t i = from; i < to; i++)
		assert_int_equal(btviz_summary_add(s, &e->items[i], NULL), BTVIZ_OK);
	return s;
}

static void merge(struct btviz_summary *s, struct btviz_summary *part)
{
	assert_int_equal(btviz_summary_merge(s, part, NULL), BTVIZ_OK);
	btviz_summary_free(part);
}

/* Whether no I/O of any device is open. */
static bool is_quiet(const struct btviz_summary *s)
{
	for (size_t i = 0; i < s->device_count; i++)
		if (s->devices[i]->pair.outstanding > 0 || s->devices[i]->pair.in_flight > 0)
			return false;
	return true;
}

/* ---- what does not depend on pairs ----------------------------------------------------------- */

/* Whether a figure rests on what belongs together: an issue and its completion, an I/O and the
 * time for which it was open. All others are the whole's wherever it was cut. */
static bool rests_on_pairs(const char *name)
{
	static const char *const beginnings[] = { "depth.", "utilisation", "pairing.",
		"latency.q2g", "latency.g2i", "latency.q2m", "latency.i2d", "latency.m2d",
		"latency.d2c", "latency.q2c", "latency.q2d", "gap_threshold_s" };

	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

static void dump_figure(FILE *out, const struct btviz_figure *f, const void *thing)
{
	const char *const at = (const char *)thing + f->offset;
	const struct btviz_distribution *const d =
		(const struct btviz_distribution *)(const void *)at;
	uint64_t number;
	double real;

	switch (f->type) {
	case BTVIZ_FIGURE_INTEGER:
		memcpy(&number, at, sizeof number);
		fprintf(out, " %s %llu\n", f->name, (unsigned long long)number);
		break;
	case BTVIZ_FIGURE_REAL:
		memcpy(&real, at, sizeof real);
		fprintf(out, " %s %a\n", f->name, real);
		break;
	case BTVIZ_FIGURE_DISTRIBUTION:
		for (unsigned i = 0; i < (f->directions ? f->directions : 1); i++)
			dump_distribution(out, f->name, &d[i]);
		break;
	default:
		break;
	}
}

static char *dump_counts(struct btviz_summary *s)
{
	const struct btviz_figures *f;
	char *text = NULL;
	size_t size = 0;
	FILE *const out = open_memstream(&text, &size);

	assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
	for (size_t i = 0; i < f->device_count; i++) {
		const struct btviz_device *const d = f->devices[i];

		fprintf(out, "%x %s %llu..%llu basis %d\n", d->device, d->name,
			(unsigned long long)d->first_ns, (unsigned long long)d->last_ns, d->basis);
		for (const struct btviz_figure *row = NULL;
			(row = btviz_figure_next(BTVIZ_SUBJECT_DEVICE, row));)
			if (!rests_on_pairs(row->name))
				dump_figure(out, row, d);
		for (unsigned op = 0; op < BTVIZ_OP_COUNT; op++)
			for (unsigned st = 0; st < BTVIZ_STATION_COUNT; st++)
				fprintf(out, " %llu/%llu",
					(unsigned long long)d->actions[op][st].ios,
					(unsigned long long)d->actions[op][st].bytes);
		for (unsigned dir = 0; dir < BTVIZ_DIR_COUNT; dir++)
			fprintf(out, " %llu", (unsigned long long)d->moved[dir].bytes);
		for (size_t k = 0; k < d->error_count; k++)
			fprintf(out, " error %d %llu", d->errors[k].error,
				(unsigned long long)d->errors[k].count);
		fprintf(out, "\n map %llu..%llu\n", (unsigned long long)d->map_first_sector,
			(unsigned long long)d->map_last_sector);
	}
	for (size_t i = 0; i < f->process_count; i++) {
		const struct btviz_process *const p = f->processes[i];

		fprintf(out, "process %u %s %llu %llu %llu seeks %llu cgroup %llu\n", p->pid,
			p->comm, (unsigned long long)p->read.ios,
			(unsigned long long)p->write.bytes, (unsigned long long)p->other.ios,
			(unsigned long long)p->seeks, (unsigned long long)p->cgroup_id);
	}
	for (size_t i = 0; i < f->message_count; i++)
		fprintf(out, "message %a %s\n", f->messages[i]->time_s, f->messages[i]->text);
	fprintf(out, "messages %llu\n", (unsigned long long)f->messages_total);
	fclose(out);
	return text;
}

/* ---- recordings ------------------------------------------------------------------------------ */

static const char *const recordings[] = { "raid0-bad", "raid1-bitmap", "raid10-ext4-fsync",
	"cgroup-ids", "bfq-messages", "io-errors", "partition", "mask-issue-complete", "v8-fsync",
	"v8-zone-mgmt" };

static size_t stride_of(const struct events *e, size_t cuts)
{
	const char *const asked = getenv("BTVIZ_CUTS");

	return e->count / (asked ? strtoul(asked, NULL, 10) + 1 : cuts) + 1;
}

static void test_cut_in_time(void **state)
{
	size_t quiet = 0, others = 0;

	(void)state;
	for (size_t r = 0; r < sizeof recordings / sizeof *recordings; r++) {
		struct events e = read_events(recordings[r]);
		struct btviz_summary *whole = add_up(&e, 0, e.count);
		char *const all = dump(whole), *const counts = dump_counts(whole);

		for (size_t cut = 7, step = stride_of(&e, 12); cut < e.count; cut += step) {
			struct btviz_summary *const s = add_up(&e, 0, cut);
			const bool exact = is_quiet(s);

			merge(s, add_up(&e, cut, e.count));
			assert_same(strdup(counts), dump_counts(s));
			if (exact)
				assert_same(strdup(all), dump(s));
			*(exact ? &quiet : &others) += 1;
			btviz_summary_free(s);
		}
		free(all);
		free(counts);
		btviz_summary_free(whole);
		free_events(&e);
	}
	printf("# %zu cuts with nothing open, %zu others\n", quiet, others);
	assert_true(getenv("BTVIZ_CUTS") || (quiet >= 5 && others >= 20));
}

/* Which part an event goes to: that of its device, notes of threads to the first. */
static void test_cut_between_devices(void **state)
{
	(void)state;
	for (size_t r = 0; r < sizeof recordings / sizeof *recordings; r++) {
		struct events e = read_events(recordings[r]);
		struct btviz_summary *const whole = add_up(&e, 0, e.count);

		for (size_t k = 0; k < whole->device_count; k++) {
			const uint32_t device = whole->devices[k]->device;
			struct btviz_summary *parts[2] = { new_summary(), new_summary() };

			for (size_t i = 0; i < e.count; i++)
				assert_int_equal(
					btviz_summary_add(parts[e.items[i].device == device],
						&e.items[i], NULL),
					BTVIZ_OK);
			merge(parts[0], parts[1]);
			assert_same(dump(whole), dump(parts[0]));
			btviz_summary_free(parts[0]);
		}
		btviz_summary_free(whole);
		free_events(&e);
	}
}

/* ---- made up --------------------------------------------------------------------------------- */

/* A disk: reads and writes here and there, plugs of all kinds, flushes, errors, idle times, one
 * after the other, so that nothing is open between any two of them. */
static struct events disk_of_many_kinds(size_t ios, unsigned pause_each)
{
	static const char *const kinds[] = { "R", "W", "WFS", "FWS", "D", "RM", "FN" };
	struct events e = { 0 };
	uint64_t now = 1000000, seed = 4711, ends[3] = { 0 };
	char line[160];

	for (size_t i = 0; i < ios; i++) {
		const char *const rwbs = kinds[i % 7];
		const bool empty = rwbs[1] == 'N'; /* a flush without data: no submission */
		const unsigned sectors = empty ? 0 : 8 + 8 * (unsigned)(i % 5);
		/* every other I/O of a process goes on where its last one ended */
		const unsigned long long sector = empty ? 0
			: i % 2                         ? ends[i % 3]
							: (seed >> 40) % 100000 * 8;
		static const char *const steps[] = { "P", "Q", "G", "I", "UT", "U", "D", "C" };

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
			struct script s = {
				.device = 8 << 20, .pid = 100 + (uint32_t)(i % 3), .cpu = 0
			};
			struct btviz_event ev;

			if (steps[k][0] == 'U' && (i + k) % 3 == 0)
				continue;
			now += 1000 + (seed >> 50) % 1000;
			snprintf(line, sizeof line, "%llu %s %s%s %llu+%u\n",
				(unsigned long long)now, steps[k], rwbs,
				steps[k][0] == 'C' && i % 7 == 3 ? "E" : "", sector,
				8 + 8 * (unsigned)(i % 5));
			s.at = line;
			assert_true(script_next(&s, &ev));
			add_event(&e, &ev);
		}
		ends[i % 3] = empty ? ends[i % 3] : sector + sectors;
		now += i % pause_each < 2 ? 200000000 + i * 100000 : 100000;
	}
	return e;
}

static void test_cut_made_up(void **state)
{
	struct events e = disk_of_many_kinds(90, 18);
	struct btviz_summary *const whole = add_up(&e, 0, e.count);
	char *const all = dump(whole), *const counts = dump_counts(whole);
	size_t quiet = 0;

	(void)state;
	for (size_t cut = 1; cut < e.count; cut++) {
		struct btviz_summary *const s = add_up(&e, 0, cut);
		const bool exact = is_quiet(s);

		merge(s, add_up(&e, cut, e.count));
		assert_same(strdup(counts), dump_counts(s));
		if (exact)
			assert_same(strdup(all), dump(s));
		quiet += exact;
		btviz_summary_free(s);
	}
	assert_true(quiet > 60);
	free(all);
	free(counts);
	btviz_summary_free(whole);
	free_events(&e);
}

static struct btviz_summary *through_a_file(struct btviz_summary *s)
{
	struct btviz_summary *loaded;
	struct btviz_error err = { .message = "" };

	assert_int_equal(btviz_summary_save(s, scratch_path("part.btviz.json"), NULL), BTVIZ_OK);
	if (btviz_summary_read(scratch_path("part.btviz.json"), NULL, NULL, &loaded, &err) !=
		BTVIZ_OK)
		fail_msg("%s", err.message);
	btviz_summary_free(s);
	return loaded;
}

/* Parts that were kept in files meanwhile join as well: what a join needs is in them. */
static void test_cut_saved(void **state)
{
	struct events e = disk_of_many_kinds(90, 18);
	struct btviz_summary *const whole = add_up(&e, 0, e.count);
	char *const all = dump(whole);

	(void)state;
	for (size_t cut = 1; cut < e.count; cut++) {
		struct btviz_summary *s = add_up(&e, 0, cut);
		struct btviz_summary *rest;

		if (!is_quiet(s) || cut < 8) {
			btviz_summary_free(s);
			continue;
		}
		s = through_a_file(s);
		rest = through_a_file(add_up(&e, cut, e.count));
		merge(s, rest);
		assert_same(strdup(all), dump(s));
		btviz_summary_free(s);
	}
	free(all);
	btviz_summary_free(whole);
	free_events(&e);
}

/* Merging groups as one likes: (a + b) + c is a + (b + c). */
static void test_order_of_merging(void **state)
{
	struct events e = disk_of_many_kinds(90, 18);
	const size_t third = e.count / 3;

	(void)state;
	for (size_t shift = 0; shift < 16; shift++) {
		const size_t x = third + shift, y = 2 * third + shift;
		struct btviz_summary *const left = add_up(&e, 0, x);
		struct btviz_summary *const right = add_up(&e, 0, x);
		struct btviz_summary *const tail = add_up(&e, x, y);

		merge(left, add_up(&e, x, y));
		merge(left, add_up(&e, y, e.count));
		merge(tail, add_up(&e, y, e.count));
		merge(right, tail);
		assert_same(dump(left), dump(right));
		btviz_summary_free(left);
		btviz_summary_free(right);
	}
	free_events(&e);
}

/* More pauses than are kept: how many there were, and how long, is known all the same, and the
 * longest are there. */
static void test_pauses_left_out(void **state)
{
	struct events e = disk_of_many_kinds(5 * BTVI_GAP_KEPT, 4);
	struct btviz_summary *const whole = add_up(&e, 0, e.count);
	size_t cut = e.count / 2;
	struct btviz_summary *const s = add_up(&e, 0, cut);

	(void)state;
	while (!is_quiet(s))
		assert_int_equal(btviz_summary_add(s, &e.items[cut++], NULL), BTVIZ_OK);
	assert_true(whole->devices[0]->gaps.lists[BTVIZ_GAP_SUBMIT].left_out > 0);
	merge(s, add_up(&e, cut, e.count));
	assert_int_equal(whole->devices[0]->gaps.lists[BTVIZ_GAP_SUBMIT].left_out,
		s->devices[0]->gaps.lists[BTVIZ_GAP_SUBMIT].left_out);
	assert_same(dump(whole), dump(s));
	btviz_summary_free(whole);
	btviz_summary_free(s);
	free_events(&e);
}

/* Each count of health, of two parts: its sum; what is shown by name is found by name. */
static void test_health(void **state)
{
	struct btviz_health a = { 0 }, b = { 0 };
	struct events e = disk_of_many_kinds(2, 18);
	struct btviz_summary *const s = add_up(&e, 0, e.count), *const part = new_summary();
	const struct btviz_figures *f;
	uint64_t n = 1, checked = 0;

	(void)state;
	for (int round = 0; round < 2; round++) {
		uint64_t k = 1;

		for (const struct btviz_figure *row = NULL;
			(row = btviz_figure_next(BTVIZ_SUBJECT_HEALTH, row)); k++)
			if (row->type == BTVIZ_FIGURE_INTEGER) {
				n = k * (round ? 1000 : 1);
				memcpy((char *)(round ? &b : &a) + row->offset, &n, sizeof n);
			}
	}
	a.versions = 1;
	b.versions = 2;
	b.first_bad_offset = 77;
	a.first_bad_offset = 33;
	btviz_summary_add_health(s, &a);
	btviz_summary_add_health(part, &b);
	merge(s, part);
	assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
	n = 1;
	for (const struct btviz_figure *row = NULL;
		(row = btviz_figure_next(BTVIZ_SUBJECT_HEALTH, row)); n++) {
		uint64_t sum;

		if (row->type != BTVIZ_FIGURE_INTEGER)
			continue;
		memcpy(&sum, (const char *)f->health + row->offset, sizeof sum);
		if (sum != n * 1001)
			fail_msg("%s: %llu, not %llu", row->name, (unsigned long long)sum,
				(unsigned long long)(n * 1001));
		checked++;
	}
	assert_true(checked >= 15);
	assert_int_equal(f->health->steps_back % 1001, 0);
	assert_int_equal(f->health->versions, 3);
	assert_int_equal(f->health->first_bad_offset, 33);
	btviz_summary_free(s);
	free_events(&e);
}

/* Messages of a device that has no I/O event of its own. */
static void test_messages_alone(void **state)
{
	static const char text[] = "raid5 rmw 8 1";
	struct events e = disk_of_many_kinds(4, 18);
	struct btviz_summary *const s = add_up(&e, 0, e.count), *const part = new_summary();
	const struct btviz_event note = { .time_ns = 5,
		.device = BTVIZ_DEVICE(9, 0),
		.categories = BTVIZ_CAT_NOTIFY,
		.event = BTVIZ_NOTE_MESSAGE,
		.payload = (const unsigned char *)text,
		.payload_size = sizeof text - 1 };

	(void)state;
	assert_int_equal(btviz_summary_add(s, &note, NULL), BTVIZ_OK);
	assert_int_equal(btviz_summary_add(part, &note, NULL), BTVIZ_OK);
	merge(s, part);
	assert_int_equal(btvi_summary_device(s, note.device)->rmw_messages, 2);
	btviz_summary_free(s);
	free_events(&e);
}

/* A count is found under its own name. */
static void test_shown_by_name(void **state)
{
	struct events e = disk_of_many_kinds(90, 18);
	struct btviz_summary *const s = add_up(&e, 0, e.count);
	const struct btviz_figures *f;
	size_t found = 0;

	(void)state;
	assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
	const struct btviz_device *const d = f->devices[0];
	const struct {
		const char *name;
		uint64_t count;
	} counts[] = { { "events", e.count }, { "other_events.gets", 90 },
		{ "other_events.inserts", 90 }, { "other_events.plugs", 90 },
		{ "other_events.unplugs", d->unplugs },
		{ "other_events.timer_unplugs", d->timer_unplugs }, { "seeks.count", d->seeks },
		{ "flush", d->flushes }, { "fua", d->fua } };

	assert_true(d->unplugs > 0 && d->unplugs < 90 && d->timer_unplugs > 0);
	for (const struct btviz_figure *row = NULL;
		(row = btviz_figure_next(BTVIZ_SUBJECT_DEVICE, row));)
		for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
			uint64_t n;

			if (strcmp(row->name, counts[i].name) != 0)
				continue;
			memcpy(&n, (const char *)d + row->offset, sizeof n);
			if (n != counts[i].count)
				fail_msg("%s: %llu", row->name, (unsigned long long)n);
			found++;
		}
	assert_int_equal(found, sizeof counts / sizeof *counts);
	btviz_summary_free(s);
	free_events(&e);
}

/* A part that comes first in time may be merged last: the run begins where it begins. */
static void test_earlier_part_last(void **state)
{
	struct events e = disk_of_many_kinds(20, 18);
	struct btviz_summary *const s = add_up(&e, e.count / 2, e.count);
	const struct btviz_figures *f;

	(void)state;
	merge(s, add_up(&e, 0, e.count / 2));
	assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
	assert_true(f->devices[0]->first_ns == e.items[0].time_ns);
	assert_true(f->origin_ns == e.items[0].time_ns);
	assert_true(f->devices[0]->last_ns == e.items[e.count - 1].time_ns);
	btviz_summary_free(s);
	free_events(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut_in_time),
		cmocka_unit_test(test_cut_between_devices),
		cmocka_unit_test(test_cut_made_up),
		cmocka_unit_test_setup_teardown(test_cut_saved, scratch_set_up, scratch_tear_down),
		cmocka_unit_test(test_order_of_merging),
		cmocka_unit_test(test_pauses_left_out),
		cmocka_unit_test(test_health),
		cmocka_unit_test(test_messages_alone),
		cmocka_unit_test(test_shown_by_name),
		cmocka_unit_test(test_earlier_part_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
