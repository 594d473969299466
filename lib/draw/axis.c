/* axis.c - round ticks and their labels. Knows no pixels: places are shares of the side. */
#include "draw/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/quantity.h"

struct unit {
	const char *name;
	double size;
	double from; /* used for spans of at least this */
};

static const struct unit time_units[] = { { "d", 86400, 3 * 86400.0 }, { "h", 3600, 3 * 3600.0 },
	{ "min", 60, 600 }, { "s", 1, 0.5 }, { "ms", 1e-3, 0.5e-3 }, { "µs", 1e-6, 0.5e-6 },
	{ "ns", 1e-9, 0 } };
static const struct unit offset_units[] = { { "TiB", 0x1p40, 0x1p41 }, { "GiB", 0x1p30, 0x1p31 },
	{ "MiB", 0x1p20, 0x1p21 }, { "KiB", 0x1p10, 0x1p11 }, { "bytes", 1, 0 } };
static const struct unit rate_units[] = { { "GB/s", 1e9, 10e9 }, { "MB/s", 1e6, 0.9e6 },
	{ "kB/s", 1e3, 0.9e3 }, { "bytes/s", 1, 0 } };
static const struct unit count_units[] = { { "", 1, 0 } };

static const struct unit *unit_for(enum btvi_axis_kind kind, double span)
{
	const struct unit *u = count_units;

	switch (kind) {
	case BTVI_AXIS_TIME:
		u = time_units;
		break;
	case BTVI_AXIS_OFFSET:
		u = offset_units;
		break;
	case BTVI_AXIS_RATE:
		u = rate_units;
		break;
	case BTVI_AXIS_COUNT:
	case BTVI_AXIS_CLOCK:
	case BTVI_AXIS_LATENCY:
	case BTVI_AXIS_SIZE:
		break;
	}
	while (span < u->from)
		u++;
	return u;
}

/* The smallest of 1, 2, 5 × 10ⁿ that is at least x. */
static double round_step(double x)
{
	const double power = pow(10, floor(log10(x)));
	const double f = x / power;

	if (f <= 1 + 1e-9)
		return power;
	if (f <= 2 + 1e-9)
		return 2 * power;
	if (f <= 5 + 1e-9)
		return 5 * power;
	return 10 * power;
}

static double next_step(double step)
{
	return round_step(step * 1.5);
}

/* Steps of a clock: nobody reads 20 or 50 seconds past as round, but 15 and 30. */
static double clock_step(double x)
{
	static const double steps[] = { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600,
		7200, 10800, 21600, 43200, 86400 };

	if (x <= 0.5 + 1e-9)
		return round_step(x);
	for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++)
		if (x <= steps[i] + 1e-9)
			return steps[i];
	return 86400 * round_step(x / 86400);
}

static unsigned decimals_of(double step)
{
	const double d = -floor(log10(step) + 1e-9);

	return d > 0 ? (unsigned)fmin(d, 9) : 0;
}

static void label_clock(double at, double step, char *out, unsigned size)
{
	const double whole = floor(at + 1e-9);
	const time_t seconds = (time_t)whole;
	struct tm tm;
	char fraction[BTVI_QUANTITY_SIZE] = "";

	if (!gmtime_r(&seconds, &tm)) {
		snprintf(out, size, "?");
		return;
	}
	if (step < 1) /* the digits behind the point, without the 0 before it */
		btvi_quantity_fixed(fmax(at - whole, 0), decimals_of(step), fraction);
	if (step >= 86400)
		strftime(out, size, "%m-%d", &tm);
	else if (step >= 60)
		strftime(out, size, "%H:%M", &tm);
	else {
		strftime(out, size, "%H:%M:%S", &tm);
		if (fraction[0] == '0' && strlen(out) + strlen(fraction) < size)
			strcat(out, fraction + 1);
	}
}

static void label_count(double at, double step, double max, char *out)
{
	char number[BTVI_QUANTITY_SIZE];
	const char *suffix = "";
	double size = 1;

	if (max >= 1e6) {
		suffix = "M";
		size = 1e6;
	} else if (max >= 1e4) {
		suffix = "k";
		size = 1e3;
	}
	if (at == 0) {
		strcpy(out, "0");
		return;
	}
	btvi_quantity_fixed(at / size, decimals_of(step / size), number);
	snprintf(out, sizeof(((struct btvi_tick *)0)->label), "%.30s%s", number, suffix);
}

static double snap(double x)
{
	return fabs(x - round(x)) < 1e-6 ? round(x) : x;
}

static void linear(struct btvi_axis *a, double min, double max, unsigned max_ticks, bool round)
{
	const bool clock = a->kind == BTVI_AXIS_CLOCK;
	const struct unit *u = unit_for(a->kind, max - min);
	char number[BTVI_QUANTITY_SIZE];
	double step = (max - min) / u->size / max_ticks, low, high;

	/* The coarser the number, the finer may a step be that it can still hold. */
	step = fmax(step, fmax(fabs(min), fabs(max)) / u->size * 1e-14);
	step = clock ? clock_step(step) : round_step(step);
	for (;;) {
		const double end = snap(max / u->size / step);

		low = snap(min / u->size / step);
		low = round ? floor(low) : ceil(low);
		high = round ? ceil(end) : floor(end);
		a->min = round ? low * step * u->size : min;
		a->max = round ? high * step * u->size : max;
		/* It begins at a tick; the last is left out where it would leave much of the side
		 * empty. */
		if (round && high - low >= 2 && (high - end) / (high - low) > 0.12) {
			high--;
			a->max = max + 0.03 * (max - a->min);
		}
		if (high - low + 1 <= max_ticks)
			break;
		step = clock ? clock_step(step * 1.01) : next_step(step);
	}
	snprintf(a->unit, sizeof a->unit, "%s", clock ? "UTC" : u->name);

	/* Seven digits and more, of which only the last change, are no labels to read. */
	const double base = !clock && fmax(fabs(low), fabs(high)) >= 1e6 ? low : 0;
	const unsigned decimals = decimals_of(step);

	if (base != 0) {
		btvi_quantity_fixed(base * step, decimals, number);
		snprintf(a->unit, sizeof a->unit, "%s from %s %s", u->name, number, u->name);
	}
	for (double k = low; k <= high && a->tick_count < BTVI_TICK_MAX; k++) {
		struct btvi_tick *t = &a->ticks[a->tick_count++];

		t->at = k * step * u->size;
		if (clock) {
			label_clock(t->at, step, t->label, sizeof t->label);
		} else if (a->kind == BTVI_AXIS_COUNT && base == 0) {
			label_count(t->at, step, high * step, t->label);
		} else {
			btvi_quantity_fixed((k - base) * step, k == base ? 0 : decimals, number);
			snprintf(
				t->label, sizeof t->label, "%s%.30s", base != 0 ? "+" : "", number);
		}
	}
}

static void label_latency(double at, char *out, unsigned size)
{
	static const struct unit units[] = { { "s", 1, 1 }, { "ms", 1e-3, 1e-3 },
		{ "µs", 1e-6, 1e-6 }, { "ns", 1e-9, 0 } };
	const struct unit *u = units;

	while (at < u->from * (1 - 1e-9))
		u++;
	/* below a nanosecond never happens to clocks; 1, 2, 5, 10, 100 else */
	snprintf(out, size, "%.0f %s", at / u->size, u->name);
}

static void label_size(double at, char *out, unsigned size)
{
	static const struct unit units[] = { { "TiB", 0x1p40, 0x1p40 }, { "GiB", 0x1p30, 0x1p30 },
		{ "MiB", 0x1p20, 0x1p20 }, { "KiB", 0x1p10, 0x1p10 }, { "B", 1, 0 } };
	const struct unit *u = units;

	while (at < u->from)
		u++;
	snprintf(out, size, "%.0f %s", at / u->size, u->name);
}

static void logarithmic(struct btvi_axis *a, double min, double max, unsigned max_ticks)
{
	const double base = a->kind == BTVI_AXIS_SIZE ? 2 : 10;
	double low = floor(snap(log(min) / log(base)));
	double high = ceil(snap(log(max) / log(base)));
	double every = 1;

	if (high <= low)
		high = low + 1;
	if (base == 2 && high - low < 2)
		low -= 1;
	if (base == 2 && low < 0) {
		low = 0;
		high = fmax(high, 2);
	}
	while ((high - low) / every + 1 > max_ticks)
		every += 1;
	a->min = pow(base, low);
	a->max = pow(base, high);
	for (double k = low; k <= high && a->tick_count < BTVI_TICK_MAX; k += every) {
		static const double within[] = { 1, 2, 5 };
		const unsigned n =
			base == 10 && every == 1 && 3 * (high - low) + 1 <= max_ticks ? 3 : 1;

		for (unsigned i = 0; i < n && a->tick_count < BTVI_TICK_MAX; i++) {
			struct btvi_tick *t = &a->ticks[a->tick_count];

			t->at = pow(base, k) * within[i];
			if (t->at > a->max * (1 + 1e-9))
				break;
			if (base == 2)
				label_size(t->at, t->label, sizeof t->label);
			else
				label_latency(t->at, t->label, sizeof t->label);
			a->tick_count++;
		}
	}
}

void btvi_axis_init(struct btvi_axis *a, enum btvi_axis_kind kind, double min, double max,
	unsigned max_ticks, bool round)
{
	const bool is_log = kind == BTVI_AXIS_LATENCY || kind == BTVI_AXIS_SIZE;
	/* What a range is at least wide: a nanosecond, a sector, a byte a second … */
	double least = kind == BTVI_AXIS_OFFSET ? 512 : kind == BTVI_AXIS_RATE ? 1e6 : 1;

	/* And below this it is noise of the arithmetic, not a range. */
	double smallest_span = kind == BTVI_AXIS_COUNT ? 1e-3 : 1;

	if (kind == BTVI_AXIS_TIME || kind == BTVI_AXIS_CLOCK) {
		least = 1e-6;
		smallest_span = 1e-9;
	}
	*a = (struct btvi_axis){ .kind = kind };
	if (max_ticks < 2)
		max_ticks = 2;
	if (max_ticks > BTVI_TICK_MAX)
		max_ticks = BTVI_TICK_MAX;
	if (is_log) {
		const double smallest = kind == BTVI_AXIS_SIZE ? 1 : 1e-9;

		if (!isfinite(min) || min < smallest)
			min = kind == BTVI_AXIS_SIZE ? 512 : 1e-6;
		if (!isfinite(max) || max < min)
			max = min;
		logarithmic(a, min, fmin(max, 1e24), max_ticks);
		return;
	}
	if (!isfinite(min) || fabs(min) > 1e24)
		min = 0;
	if (!isfinite(max) || max > 1e24)
		max = min;
	/* A span that the numbers themselves cannot hold is none. */
	if (!(max - min >= fmax(smallest_span, fabs(max) * 1e-13)))
		max = min + fmax(least, fabs(min) * 1e-12);
	linear(a, min, max, max_ticks, round);
}

void btvi_axis_init_horizontal(struct btvi_axis *a, enum btvi_axis_kind kind, double min,
	double max, double length, const struct btvi_font *font, double size)
{
	unsigned max_ticks = (unsigned)fmin(fmax(length / (4 * size), 2), 16);

	for (;; max_ticks--) {
		bool fits = true;
		double end = -1e30;

		btvi_axis_init(a, kind, min, max, max_ticks, false);
		for (unsigned i = 0; i < a->tick_count; i++) {
			const double half =
				btvi_font_width(font, a->ticks[i].label, size, false) / 2;
			const double x = btvi_axis_place(a, a->ticks[i].at) * length;

			if (x - half < end + size)
				fits = false;
			end = x + half;
		}
		if (fits)
			return;
		if (max_ticks <= 2)
			break;
	}
	if (a->tick_count > 1)
		a->tick_count = 1;
}

double btvi_axis_place(const struct btvi_axis *a, double value)
{
	double x;

	if (a->kind == BTVI_AXIS_LATENCY || a->kind == BTVI_AXIS_SIZE)
		x = value <= 0 ? 0 : log(value / a->min) / log(a->max / a->min);
	else
		x = (value - a->min) / (a->max - a->min);
	return isnan(x) ? x : fmin(fmax(x, 0), 1);
}
