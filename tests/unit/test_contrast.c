/* test_contrast.c - what is said to be unlike, to have changed, and which layer that speaks of, on
 * figures made by hand: one change a case, and what must not be said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include <btviz/contrast.h>

#include "hand_run.h"

/* The healthy run with latencies, so that layers have something to say. */
static void usual(struct run *r)
{
	healthy(r);
	r->devices[0].latency[BTVIZ_Q2C][BTVIZ_DIR_ALL] = (struct btviz_distribution){
		.count = 100000, .avg = 0.030, .p50 = 0.03, .p99 = 0.05
	};
	r->devices[0].map_last_sector = 800000;
	for (size_t i = 1; i <= MEMBERS; i++) {
		struct btviz_device *const d = &r->devices[i];

		d->latency[BTVIZ_Q2C][BTVIZ_DIR_ALL] =
			(struct btviz_distribution){ .count = 25000, .avg = 0.025, .p99 = 0.04 };
		d->latency[BTVIZ_Q2D][BTVIZ_DIR_ALL] =
			(struct btviz_distribution){ .count = 25000, .avg = 0.005, .p99 = 0.01 };
		d->latency[BTVIZ_D2C][BTVIZ_DIR_ALL] =
			(struct btviz_distribution){ .count = 250, .avg = 0.020, .p99 = 0.03 };
	}
	r->array.above_s = 0.004;
	r->array.in_members_s = 0.026;
}

/* Makes a run slower by the same share everywhere: an outcome, and of no layer. */
static void slower(struct run *r, double share)
{
	r->f.span_s /= 1 - share;
	r->f.end_ns = (uint64_t)(r->f.span_s * 1e9);
}

/* ---- one change a case ----------------------------------------------------------------------- */

static void nothing(struct run *r)
{
	(void)r;
}

static void pauses(struct run *r)
{
	slower(r, 0.5);
	add_gaps(r, 0, BTVIZ_GAP_SUBMIT, 7, 0.93, 0);
}

static void slow_disks(struct run *r)
{
	slower(r, 0.5);
	for (size_t i = 1; i <= MEMBERS; i++)
		r->devices[i].latency[BTVIZ_D2C][BTVIZ_DIR_ALL].avg = 0.080;
	r->devices[0].latency[BTVIZ_Q2C][BTVIZ_DIR_ALL].avg = 0.090;
}

static void held_in_the_queue(struct run *r)
{
	slower(r, 0.5);
	for (size_t i = 1; i <= MEMBERS; i++)
		r->devices[i].latency[BTVIZ_Q2D][BTVIZ_DIR_ALL].avg = 0.050;
}

static void merging_is_gone(struct run *r)
{
	slower(r, 0.5);
	for (size_t i = 1; i <= MEMBERS; i++)
		count(&r->devices[i], BTVIZ_OP_WRITE, BTVIZ_ISSUED, 25000, 102400000);
}

static void held_by_the_array(struct run *r)
{
	slower(r, 0.5);
	r->array.above_s = 0.060;
}

static void reads_before_writes(struct run *r)
{
	slower(r, 0.5);
	r->array.write_amplification = 2;
	r->array.rmw_read_bytes = 800 << 20;
}

static void random_order(struct run *r)
{
	slower(r, 0.5);
	r->devices[0].seeks = 99000;
	for (size_t i = 1; i <= MEMBERS; i++)
		r->devices[i].latency[BTVIZ_D2C][BTVIZ_DIR_ALL].avg = 0.080;
}

/* The disks are quicker in the slower run: they are not to blame. */
static void slower_with_quick_disks(struct run *r)
{
	slower(r, 0.5);
	for (size_t i = 1; i <= MEMBERS; i++)
		r->devices[i].latency[BTVIZ_D2C][BTVIZ_DIR_ALL].avg = 0.005;
	r->devices[0].outstanding_avg = 60;
}

static void only_slower(struct run *r)
{
	slower(r, 0.5);
}

static void trifles(struct run *r)
{
	slower(r, 0.05);
	add_gaps(r, 0, BTVIZ_GAP_SUBMIT, 2, 0.04, 0);
	r->devices[1].latency[BTVIZ_D2C][BTVIZ_DIR_ALL].avg = 0.0207;
	r->array.effective_members = 3.95;
}

static const struct {
	const char *name;
	void (*change)(struct run *r);
	enum btviz_layer likely;
	const char *said; /* a change that must be among them, or NULL: none at all */
} layers[] = {
	{ "nothing", nothing, BTVIZ_LAYER_NONE, NULL },
	{ "trifles", trifles, BTVIZ_LAYER_NONE, NULL },
	{ "slower, and nothing else", only_slower, BTVIZ_LAYER_NONE,
		"md0: throughput 41.0 -> 20.5 MB/s (-50 %)" },
	{ "pauses", pauses, BTVIZ_LAYER_SUBMITTER, "md0: time in gaps of submission 0 -> 6.51 s" },
	{ "slow disks", slow_disks, BTVIZ_LAYER_DEVICE,
		"disks: time in the device, average (D2C) 20.0 -> 80.0 ms (4 times)" },
	{ "held in the queue", held_in_the_queue, BTVIZ_LAYER_QUEUE,
		"disks: time before issue, average (Q2D) 5.00 -> 50.0 ms (10 times)" },
	{ "merging is gone", merging_is_gone, BTVIZ_LAYER_QUEUE,
		"disks: bios a request 100 -> 1.00 (1/100)" },
	{ "held by the array", held_by_the_array, BTVIZ_LAYER_ARRAY,
		"md0: time of an I/O above the members, average 4.00 -> 60.0 ms (15 times)" },
	{ "reads before writes", reads_before_writes, BTVIZ_LAYER_ARRAY,
		"md0: read by members for writes 0 -> 800 MiB" },
	{ "other work", random_order, BTVIZ_LAYER_WORKLOAD,
		"md0: share of I/Os in sequence 100 % -> 1.0 %" },
	{ "slower with quick disks", slower_with_quick_disks, BTVIZ_LAYER_NONE,
		"disks: time in the device, average (D2C) 20.0 -> 5.00 ms (-75 %)" },
};

static void add(struct btviz_contrast *c, const char *label, const struct run *r)
{
	size_t same = 0;

	assert_int_equal(btviz_contrast_add(c, label, NULL, &r->f, &same, NULL), BTVIZ_OK);
	assert_true(same == SIZE_MAX);
}

/* Another run of the same kind: begun at another time. */
static void again(struct run *r, unsigned n)
{
	r->f.origin_ns += n;
	r->f.start_ns += n;
	r->f.end_ns += n;
}

static const struct btviz_differences *between(struct btviz_contrast *c, const bool *only)
{
	const struct btviz_differences *d = NULL;

	assert_int_equal(btviz_contrast_between(c, "a", "b", only, &d, NULL), BTVIZ_OK);
	return d;
}

static bool says(const struct btviz_differences *d, const char *text)
{
	for (size_t i = 0; i < d->change_count; i++)
		if (strcmp(d->changes[i]->text, text) == 0)
			return true;
	return false;
}

static const char *unlike_names(const struct btviz_differences *d, char *out)
{
	out[0] = '\0';
	for (size_t i = 0; i < d->unlike_count; i++) {
		strcat(out, i > 0 ? " " : "");
		strcat(out, d->unlike[i]->name);
	}
	return out;
}

static struct run first, second, third;

static void test_layers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
		struct btviz_contrast *c = NULL;
		const struct btviz_differences *d;

		usual(&first);
		usual(&second);
		again(&second, 7);
		layers[i].change(&second);
		assert_int_equal(btviz_contrast_new(&c, NULL), BTVIZ_OK);
		add(c, "a", &first);
		add(c, "b", &second);
		d = between(c, NULL);
		if (d->likely != layers[i].likely)
			fail_msg("%s: %s", layers[i].name, d->likely_text);
		if (layers[i].said && !says(d, layers[i].said))
			fail_msg("%s: not said, but %s", layers[i].name, d->changes[0]->text);
		if (!layers[i].said && d->change_count > 0)
			fail_msg("%s: %s", layers[i].name, d->changes[0]->text);
		for (size_t k = 1; k < d->change_count; k++)
			assert_true(d->changes[k]->size <= d->changes[k - 1]->size);
		assert_int_equal(d->other_work, layers[i].change == random_order);
		btviz_contrast_free(c);
	}
}

/* Runs of either side that differ by as much as the sides do say nothing; more runs of one kind do.
 */
static void test_spread(void **state)
{
	static const double averages[2][2][3] = {
		{ { 0.020, 0.030, 0.025 }, { 0.034, 0.038, 0.030 } },
		{ { 0.020, 0.021, 0.022 }, { 0.034, 0.038, 0.036 } },
	};

	(void)state;
	for (size_t wide = 0; wide < 2; wide++) {
		struct btviz_contrast *c = NULL;
		bool said = false;

		assert_int_equal(btviz_contrast_new(&c, NULL), BTVIZ_OK);
		for (unsigned side = 0; side < 2; side++)
			for (unsigned i = 0; i < 3; i++) {
				usual(&first);
				again(&first, 1 + side * 3 + i);
				for (size_t k = 1; k <= MEMBERS; k++)
					first.devices[k].latency[BTVIZ_D2C][BTVIZ_DIR_ALL].avg =
						averages[wide][side][i];
				add(c, side == 0 ? "a" : "b", &first);
			}
		const struct btviz_differences *const d = between(c, NULL);
		for (size_t i = 0; i < d->change_count; i++)
			said = said || strcmp(d->changes[i]->name, "d2c_ms") == 0;
		assert_int_equal(said, wide == 1);
		assert_int_equal(d->likely, wide == 1 ? BTVIZ_LAYER_DEVICE : BTVIZ_LAYER_NONE);
		btviz_contrast_free(c);
	}
}

/* Of a label of two kinds of runs the bad ones are contrasted with all others. */
static void test_only_some_runs(void **state)
{
	static const bool only[] = { false, true, false };
	struct btviz_contrast *c = NULL;
	const struct btviz_differences *d;

	(void)state;
	assert_int_equal(btviz_contrast_new(&c, NULL), BTVIZ_OK);
	usual(&first);
	add(c, "a", &first);
	for (unsigned i = 0; i < 3; i++) {
		usual(&second);
		again(&second, 9 + i);
		if (i == 1)
			pauses(&second);
		add(c, "b", &second);
	}
	d = between(c, only);
	assert_int_equal(d->base_runs, 3);
	assert_int_equal(d->label_runs, 1);
	assert_int_equal(d->likely, BTVIZ_LAYER_SUBMITTER);
	d = between(c, NULL);
	assert_int_equal(d->label_runs, 3);
	assert_string_equal(d->changes[0]->name, "finding:submission-gaps");
	assert_non_null(strstr(d->changes[0]->text, "new finding (in 1 of 3 runs): "));
	btviz_contrast_free(c);
}

static void test_repeats(void **state)
{
	struct btviz_contrast *c = NULL;
	size_t same = 0;

	(void)state;
	assert_int_equal(btviz_contrast_new(&c, NULL), BTVIZ_OK);
	usual(&first);
	add(c, "a", &first);
	usual(&second);
	again(&second, 1);
	add(c, "a", &second);
	assert_int_equal(btviz_contrast_add(c, "a", "copy", &first.f, &same, NULL), BTVIZ_OK);
	assert_int_equal(same, 0);
	assert_int_equal(btviz_contrast_count(c), 2);
	add(c, "b", &first); /* another label may have it, but that is said */
	const struct btviz_differences *const d = between(c, NULL);
	assert_int_equal(d->unlike_count, 1);
	assert_int_equal(d->unlike[0]->kind, BTVIZ_UNLIKE_SAME);
	assert_true(d->strict);
	btviz_contrast_free(c);
}

/* ---- what is unlike -------------------------------------------------------------------------- */

static void other_size(struct run *r)
{
	count(&r->devices[0], BTVIZ_OP_WRITE, BTVIZ_COMPLETED, 6250, 409600000);
}

static void reads(struct run *r)
{
	count(&r->devices[0], BTVIZ_OP_WRITE, BTVIZ_COMPLETED, 50000, 204800000);
	count(&r->devices[0], BTVIZ_OP_READ, BTVIZ_COMPLETED, 50000, 204800000);
}

static void half_of_it(struct run *r)
{
	count(&r->devices[0], BTVIZ_OP_WRITE, BTVIZ_COMPLETED, 50000, 204800000);
	r->f.span_s = 5;
}

/* A run of fixed duration at half the speed: that is what is compared, not other work. */
static void half_as_fast(struct run *r)
{
	count(&r->devices[0], BTVIZ_OP_WRITE, BTVIZ_COMPLETED, 50000, 204800000);
}

static void elsewhere(struct run *r)
{
	r->devices[0].map_first_sector = 8000000;
	r->devices[0].map_last_sector = 8800000;
}

static void by_another(struct run *r)
{
	r->processes[0].comm = "fio";
}

static void by_another_worker(struct run *r)
{
	r->processes[0].comm = "kworker/u8:0";
	r->processes[0].pid = 78;
}

static void flushed(struct run *r)
{
	r->devices[0].flushes = 5000;
}

static void another_array(struct run *r)
{
	r->array.level = "raid5";
	r->array.chunk_bytes = 524288;
}

static void other_disks(struct run *r)
{
	r->devices[4].name = "sdf";
}

static void another_kernel(struct run *r)
{
	r->f.kernel = "6.12.0";
}

static void another_command(struct run *r)
{
	r->f.command = "dd if=/dev/zero of=/mnt/f bs=1M";
}

static void with_loss(struct run *r)
{
	r->health.events = 1000000;
	r->health.lost_events = 500;
	r->array.level = "raid5";
}

static void with_much_loss(struct run *r)
{
	with_loss(r);
	r->f.suspected_loss = 5000;
	r->array.inferred = true;
}

static void masked(struct run *r)
{
	r->f.categories_missing = 1 << BTVIZ_COMPLETED;
}

static const struct {
	const char *name;
	void (*change)(struct run *r);
	const char *unlike;
	bool other_work, lossy, strict;
} likenesses[] = {
	{ "nothing", nothing, "", false, false, false },
	{ "another worker of the kernel", by_another_worker, "", false, false, false },
	{ "half as fast in the same time", half_as_fast, "", false, false, false },
	{ "another kernel", another_kernel, "kernel", false, false, false },
	{ "another command", another_command, "command", false, false, true },
	{ "16 times the size", other_size, "write-size", true, false, true },
	{ "half of it reads", reads, "operations", true, false, true },
	{ "random", random_order, "order", true, false, true },
	{ "half of the work", half_of_it, "total", true, false, true },
	{ "other places", elsewhere, "offsets", false, false, true },
	{ "another program", by_another, "processes", false, false, true },
	{ "flushes", flushed, "flushes", false, false, true },
	{ "another level and chunk", another_array, "level chunk", false, false, true },
	{ "another disk", other_disks, "devices", false, false, true },
	{ "some loss", with_loss, "loss level", false, false, true },
	{ "much loss, from which no level can be told", with_much_loss, "loss suspected-loss",
		false, true, true },
	{ "a mask", masked, "mask", false, false, true },
};

static void test_likeness(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof likenesses / sizeof *likenesses; i++) {
		struct btviz_contrast *c = NULL;
		const struct btviz_differences *d;
		char names[256];

		usual(&first);
		first.health.events = 1000000;
		first.f.kernel = "6.1.0";
		first.f.command = "fio job";
		second = first;
		usual(&second);
		second.health.events = 1000000;
		second.f.kernel = "6.1.0";
		second.f.command = "fio job";
		again(&second, 3);
		likenesses[i].change(&second);
		assert_int_equal(btviz_contrast_new(&c, NULL), BTVIZ_OK);
		add(c, "a", &first);
		add(c, "b", &second);
		d = between(c, NULL);
		unlike_names(d, names);
		if (strcmp(names, likenesses[i].unlike) != 0)
			fail_msg("%s: %s", likenesses[i].name, names);
		if (d->other_work != likenesses[i].other_work || d->lossy != likenesses[i].lossy ||
			d->strict != likenesses[i].strict)
			fail_msg("%s: other work %d, lossy %d, strict %d", likenesses[i].name,
				d->other_work, d->lossy, d->strict);
		if (d->lossy) /* of figures that are too low nothing is said to have changed */
			for (size_t k = 0; k < d->change_count; k++)
				assert_int_equal(strncmp(d->changes[k]->name, "finding:", 8), 0);
		btviz_contrast_free(c);
	}
}

/* Each run has adapted to its own pauses; compared they are by one threshold, the largest. */
static void test_gap_threshold(void **state)
{
	struct btviz_contrast *c = NULL;

	(void)state;
	assert_int_equal(btviz_contrast_new(&c, NULL), BTVIZ_OK);
	usual(&first);
	add_gaps(&first, 0, BTVIZ_GAP_SUBMIT, 5, 0.3, 0);
	first.devices[0].gap_threshold_s = 0.05;
	usual(&second);
	again(&second, 1);
	add_gaps(&second, 0, BTVIZ_GAP_SUBMIT, 2, 1.5, 0);
	second.devices[0].gap_threshold_s = 0.5;
	usual(&third);
	again(&third, 2);
	add_gaps(&third, 0, BTVIZ_GAP_SLOW, 2, 1.5, 0); /* slow is no standstill */
	add(c, "a", &first);
	assert_true(fabs(btviz_contrast_gap_time(c, 0) - 1.5) < 1e-9);
	add(c, "b", &second);
	add(c, "b", &third);
	assert_true(fabs(btviz_contrast_gap_threshold(c) - 0.5) < 1e-9);
	assert_true(fabs(btviz_contrast_gap_time(c, 0)) < 1e-9);
	assert_true(fabs(btviz_contrast_gap_time(c, 1) - 3) < 1e-9);
	assert_true(fabs(btviz_contrast_gap_time(c, 2)) < 1e-9);
	assert_true(isnan(btviz_contrast_gap_time(c, 3)));
	btviz_contrast_free(c);
}

static void test_wrong_use(void **state)
{
	const struct btviz_differences *d = NULL;
	struct btviz_contrast *c = NULL;
	struct btviz_error err;

	(void)state;
	assert_int_equal(btviz_contrast_new(&c, NULL), BTVIZ_OK);
	usual(&first);
	add(c, "a", &first);
	assert_int_equal(btviz_contrast_between(c, "a", "b", NULL, &d, &err), BTVIZ_ERR_USAGE);
	assert_non_null(strstr(err.message, "'b'"));
	btviz_contrast_free(c);
	btviz_contrast_free(NULL);
	assert_string_equal(btviz_layer_name(BTVIZ_LAYER_SUBMITTER), "submitter");
	assert_string_equal(btviz_unlike_kind_name(BTVIZ_UNLIKE_SAME), "same");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layers),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_only_some_runs),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_likeness),
		cmocka_unit_test(test_gap_threshold),
		cmocka_unit_test(test_wrong_use),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
