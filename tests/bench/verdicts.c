/* verdicts.c - how often a comparison errs, by simulation: false alarms, losses found, sporadic
 * faults, boots, drift, a base with an outlier. Seeded: each call prints the same table.
 *
 *     verdicts [ROUNDS]
 *
 * Runs are 280 MB/s with noise; of each case so many comparisons are made, and how many end with
 * each verdict is printed in percent. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/compare.h>

enum { RUNS_MAX = 64, VERDICTS = BTVIZ_VERDICT_INCONCLUSIVE + 1 };

enum noise { NORMAL, UNIFORM, LAPLACE, SKEWED };
static const char *const noise_names[] = { "normal", "uniform", "Laplace", "skewed" };

/* One kind of experiment. Shares are of the base's mean. */
struct experiment {
	const char *title;
	size_t base, runs; /* runs on each side */
	enum noise noise;
	double width;      /* of the noise */
	double loss;       /* of all runs of the label */
	double fault_rate; /* a run of the label loses half with this chance */
	double boot;       /* standard deviation between boots */
	size_t boot_runs;  /* runs of one boot; 0: each its own */
	bool boots_told;   /* the comparison knows them */
	double drift;      /* of the base, then of the label, from first to last */
	bool dirty;        /* one run of the base is at a quarter */
};

struct outcome {
	size_t of[VERDICTS], noted;
};

static uint64_t state;

static uint64_t next(void)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static double unit(void)
{
	return (double)(next() >> 11) * 0x1p-53;
}

static double draw(enum noise noise)
{
	const double u = 1 - unit(), v = unit();

	switch (noise) {
	case NORMAL:
		return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
	case UNIFORM:
		return (u - 0.5) * sqrt(12);
	case LAPLACE:
		return (v < 0.5 ? -1 : 1) * log(u) / sqrt(2);
	case SKEWED: /* its long tail is on the bad side */
		return log(u) + 1;
	}
	return 0;
}

static void fail(const struct btviz_error *err)
{
	fprintf(stderr, "verdicts: %s\n", err->message);
	exit(1);
}

static void add_runs(struct btviz_comparison *c, const struct experiment *e, bool base)
{
	const size_t n = base ? e->base : e->runs;
	double boot = 0;

	for (size_t i = 0; i < n; i++) {
		struct btviz_comparison_run run = BTVIZ_COMPARISON_RUN_INIT;
		const size_t of_boot = e->boot_runs > 0 ? e->boot_runs : 1;
		const double at = n > 1 ? (double)i / (double)(n - 1) : 0;
		struct btviz_error err;
		char block[32];

		if (i % of_boot == 0)
			boot = e->boot * draw(NORMAL);
		run.label = base ? "base" : "this";
		run.value = 280 * (1 + boot + e->width * draw(e->noise)) * (1 - e->drift * at);
		if (!base)
			run.value *= (1 - e->loss) * (unit() < e->fault_rate ? 0.5 : 1);
		if (base && e->dirty && i == n / 2)
			run.value *= 0.25;
		snprintf(block, sizeof block, "%c%zu", base ? 'b' : 't', i / of_boot);
		run.block = e->boots_told ? block : NULL;
		if (btviz_comparison_add_run(c, &run, &err) != BTVIZ_OK)
			fail(&err);
	}
}

static void compare_once(const struct experiment *e, struct outcome *o)
{
	const struct btviz_judgement *j = NULL;
	struct btviz_comparison *c = NULL;
	struct btviz_error err;

	if (btviz_comparison_new(NULL, &c, &err) != BTVIZ_OK)
		fail(&err);
	add_runs(c, e, true);
	add_runs(c, e, false);
	if (btviz_comparison_judge(c, &j, &err) != BTVIZ_OK)
		fail(&err);
	o->of[j->groups[1]->verdict]++;
	o->noted += j->groups[0]->note[0] || j->groups[1]->note[0];
	btviz_comparison_free(c);
}

static void run(const struct experiment *e, size_t rounds)
{
	struct outcome o = { { 0 }, 0 };

	state = 20080620;
	for (size_t i = 0; i < rounds; i++)
		compare_once(e, &o);
	printf("%-44s %2zu:%-2zu %-7s %4.1f %%  %5.1f %5.1f %5.1f %5.1f   %5.1f\n", e->title,
		e->base, e->runs, noise_names[e->noise], 100 * e->width,
		100.0 * (double)o.of[BTVIZ_VERDICT_GOOD] / (double)rounds,
		100.0 * (double)o.of[BTVIZ_VERDICT_BAD] / (double)rounds,
		100.0 * (double)o.of[BTVIZ_VERDICT_SPORADIC] / (double)rounds,
		100.0 * (double)o.of[BTVIZ_VERDICT_INCONCLUSIVE] / (double)rounds,
		100.0 * (double)o.noted / (double)rounds);
}

static void alarms(size_t rounds)
{
	static const size_t sizes[] = { 2, 3, 5, 10 };

	for (enum noise noise = NORMAL; noise <= SKEWED; noise++)
		for (size_t k = 0; k < 4; k++)
			for (int wide = 0; wide < 2; wide++)
				run(&(struct experiment){ .title = "nothing differs",
					    .base = sizes[k],
					    .runs = sizes[k],
					    .noise = noise,
					    .width = wide ? 0.1 : 0.03 },
					rounds);
}

static void found(size_t rounds)
{
	static const size_t sizes[] = { 2, 3, 5, 10 };

	for (size_t k = 0; k < 4; k++)
		run(&(struct experiment){ .title = "a loss of 20 %",
			    .base = sizes[k],
			    .runs = sizes[k],
			    .width = 0.05,
			    .loss = 0.2 },
			rounds);
}

static void sporadic(size_t rounds)
{
	static const double rates[] = { 0.2, 0.3, 0.5 };
	static const size_t sizes[] = { 3, 5, 10 };
	char title[64];

	for (size_t r = 0; r < 3; r++)
		for (size_t k = 0; k < 3; k++) {
			snprintf(title, sizeof title,
				"half is lost in %.0f %% of runs (missed: %.0f %%)", 100 * rates[r],
				100 * pow(1 - rates[r], (double)sizes[k]));
			run(&(struct experiment){ .title = title,
				    .base = sizes[k],
				    .runs = sizes[k],
				    .width = 0.02,
				    .fault_rate = rates[r] },
				rounds);
		}
}

static void circumstances(size_t rounds)
{
	const struct experiment list[] = {
		{ "boots 5 % apart, 3 of 3 runs, not told", 9, 9, NORMAL, 0.01, .boot = 0.05,
			.boot_runs = 3 },
		{ "the same, told", 9, 9, NORMAL, 0.01, .boot = 0.05, .boot_runs = 3,
			.boots_told = true },
		{ "the same, told, a loss of 20 %", 9, 9, NORMAL, 0.01, .loss = 0.2, .boot = 0.05,
			.boot_runs = 3, .boots_told = true },
		{ "boots 5 % apart, a boot a run", 9, 9, NORMAL, 0.01, .boot = 0.05 },
		{ "both drift down by 15 %", 5, 5, NORMAL, 0.01, .drift = 0.15 },
		{ "both drift down by 15 %", 10, 10, NORMAL, 0.01, .drift = 0.15 },
		{ "one run of the base at a quarter", 5, 5, NORMAL, 0.02, .dirty = true },
		{ "the same, a loss of 20 %", 5, 5, NORMAL, 0.02, .loss = 0.2, .dirty = true },
		{ "the same, a loss of 20 %", 10, 10, NORMAL, 0.02, .loss = 0.2, .dirty = true },
	};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		run(&list[i], rounds);
}

int main(int argc, char **argv)
{
	const size_t rounds = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 2000;

	if (rounds == 0) {
		fputs("usage: verdicts [ROUNDS]\n", stderr);
		return 2;
	}
	printf("%-44s %-5s %-7s %-6s  %5s %5s %5s %5s   %s\n", "percent of comparisons", "runs",
		"noise", "width", "good", "bad", "spor.", "inc.", "noted");
	alarms(rounds);
	found(rounds);
	sporadic(rounds);
	circumstances(rounds);
	return 0;
}
