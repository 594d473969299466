/* test_actor.c - seeks of a process are those within its own I/O, however others come in between,
 * and however the run is cut into parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "measure/actor.h"

enum { SEEK = 128 };

/* Who reads eight sectors where, in order of time. */
static const struct {
	uint64_t pid, sector;
} steps[] = {
	{ 1, 1000 },
	{ 2, 500000 }, /* two readers, each in sequence */
	{ 1, 1008 },
	{ 2, 500008 },
	{ 1, 1016 },
	{ 2, 500016 },
	{ 3, 0 },
	{ 3, 136 },  /* 128 sectors from the end of the last: just no seek */
	{ 3, 273 },  /* 129: a seek */
	{ 3, 152 },  /* back by 129: a seek */
	{ 3, 32 },   /* back by 128: none */
	{ 1, 5000 }, /* a seek, though pid 3 was near */
	{ 2, 500024 },
};

static const uint64_t want[4] = { 0, 1, 0, 2 };

enum { STEPS = sizeof steps / sizeof steps[0] };

static void add(struct btvi_actors *a, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		btvi_actor_place(btvi_actors_get(a, steps[i].pid), steps[i].sector, 8, SEEK);
}

static void test_own_seeks(void **state)
{
	struct btvi_actors a = { 0 };

	(void)state;
	add(&a, 0, STEPS);
	for (uint64_t pid = 1; pid <= 3; pid++)
		assert_int_equal(btvi_actors_get(&a, pid)->seeks, want[pid]);
	btvi_actors_done(&a);
}

/* Cut anywhere, the parts together know what the whole knows. */
static void test_parts_of_a_run(void **state)
{
	(void)state;
	for (size_t cut = 0; cut <= STEPS; cut++) {
		struct btvi_actors a = { 0 }, b = { 0 };

		add(&a, 0, cut);
		add(&b, cut, STEPS);
		assert_int_equal(btvi_actors_merge(&a, &b, SEEK), BTVIZ_OK);
		for (uint64_t pid = 1; pid <= 3; pid++)
			assert_int_equal(btvi_actors_get(&a, pid)->seeks, want[pid]);
		btvi_actors_done(&a);
		btvi_actors_done(&b);
	}
}

/* The places of two devices have nothing to do with one another. */
static void test_other_device(void **state)
{
	struct btvi_actors a = { 0 }, b = { 0 };

	(void)state;
	btvi_actor_place(btvi_actors_get(&a, 1), 0, 8, SEEK);
	btvi_actor_place(btvi_actors_get(&b, 1), 1000000, 8, SEEK);
	assert_int_equal(btvi_actors_merge(&a, &b, BTVI_ACTOR_ELSEWHERE), BTVIZ_OK);
	assert_int_equal(btvi_actors_get(&a, 1)->seeks, 0);
	btvi_actors_done(&a);
	btvi_actors_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_seeks),
		cmocka_unit_test(test_parts_of_a_run),
		cmocka_unit_test(test_other_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
