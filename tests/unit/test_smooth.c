/* test_smooth.c - the rolling average is centred and never reaches over a gap or the run's end. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "draw/smooth.h"

enum { CELLS = 10 };

static const struct {
	const char *name;
	double in[CELLS], width;
	struct btvi_stretch breaks[2];
	size_t break_count;
	double want[CELLS];
} cases[] = {
	{ "a width of one cell changes nothing", { 1, 5, 2, 8, 3, 9, 4, 7, 6, 0 }, 1, { { 0, 0 } },
		0, { 1, 5, 2, 8, 3, 9, 4, 7, 6, 0 } },
	{ "three cells, fewer at the ends", { 0, 3, 6, 9, 0, 0, 0, 3, 3, 9 }, 3, { { 0, 0 } }, 0,
		{ 1.5, 3, 6, 5, 3, 0, 1, 2, 5, 6 } },
	{ "a step stays centred", { 0, 0, 0, 0, 0, 6, 6, 6, 6, 6 }, 3, { { 0, 0 } }, 0,
		{ 0, 0, 0, 0, 2, 4, 6, 6, 6, 6 } },
	{ "a gap stays empty, its sides full", { 6, 6, 6, 0, 0, 0, 0, 6, 6, 6 }, 5, { { 3, 7 } }, 1,
		{ 6, 6, 6, 0, 0, 0, 0, 6, 6, 6 } },
	{ "a gap at the start, one at the end", { 0, 0, 4, 8, 4, 8, 4, 0, 0, 0 }, 3,
		{ { 0, 2 }, { 7, 10 } }, 2, { 0, 0, 6, 16 / 3.0, 20 / 3.0, 16 / 3.0, 6, 0, 0, 0 } },
	{ "a cell partly in a gap is outside", { 6, 6, 6, 2, 0, 0, 0, 6, 6, 6 }, 3,
		{ { 3.4, 7.2 } }, 1, { 6, 6, 14 / 3.0, 4, 0, 0, 0, 6, 6, 6 } },
	{ "a gap within a cell is none", { 6, 6, 6, 3, 6, 6, 6, 6, 6, 6 }, 3, { { 3.1, 3.8 } }, 1,
		{ 6, 6, 5, 5, 5, 6, 6, 6, 6, 6 } },
	{ "what is not there does not count", { 2, NAN, 4, NAN, NAN, NAN, 6, 6, 6, 6 }, 3,
		{ { 0, 0 } }, 0, { 2, NAN, 4, NAN, NAN, NAN, 6, 6, 6, 6 } },
};

static void test_smooth(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		double out[CELLS];

		btvi_smooth(cases[i].in, CELLS, 1, cases[i].width, cases[i].breaks,
			cases[i].break_count, out);
		for (size_t k = 0; k < CELLS; k++)
			if (isnan(cases[i].want[k]) ? !isnan(out[k])
						    : !(fabs(out[k] - cases[i].want[k]) < 1e-9))
				fail_msg("%s: cell %zu is %g, not %g", cases[i].name, k, out[k],
					cases[i].want[k]);
	}
}

static void test_nothing(void **state)
{
	(void)state;
	btvi_smooth(NULL, 0, 1, 3, NULL, 0, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_smooth),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
