/* show.c - a run in a terminal: throughput, members and gaps as blocks, findings and gaps in words.
 * The figures are measure's and judge's; lines of a width are text_line.c's. */
#include <btviz/show.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "base/option_struct.h"
#include "base/status.h"
#include "draw/picture.h"
#include "draw/text_line.h"

enum {
	COLUMNS_MIN = 30,
	COLUMNS_MAX = 400,
	LEFT = 8,  /* of names and scales */
	RIGHT = 6, /* of shares */
	ROWS = 4,  /* of a course */
	FINDINGS_SHOWN = 3,
	MEMBERS_SHOWN = 32,
	TEXT_SIZE = 1024,
	/* The palette's colours among the 256. */
	PAINT_READ = 32,
	PAINT_WRITE = 166,
	PAINT_ALARM = 160,
	PAINT_WARNING = 172,
};

struct show {
	struct btvi_text text;
	const struct btvi_page *page;
	bool shown[2];  /* reads, writes */
	unsigned plot;  /* columns of courses */
	double most[2]; /* the highest throughput of any run, read and written */
	double most_member;
};

static const enum btviz_direction directions[2] = { BTVIZ_DIR_READ, BTVIZ_DIR_WRITE };
static const int paints[2] = { PAINT_READ, PAINT_WRITE };

static int paint_of_gap(enum btviz_gap_kind kind)
{
	switch (kind) {
	case BTVIZ_GAP_SUBMIT:
		return 178;
	case BTVIZ_GAP_QUEUE:
		return 175;
	case BTVIZ_GAP_DEVICE:
		return 245;
	case BTVIZ_GAP_SLOW:
	case BTVIZ_GAP_KIND_COUNT:
		break;
	}
	return 74;
}

/* How many of the plot's columns the run reaches, all runs having one time scale. */
static unsigned columns_of(const struct show *s, const struct btvi_run *run)
{
	const double length = s->page->t1 - s->page->t0;
	const double share = (run->end_s - run->start_s) / length;

	return (unsigned)fmin(fmax(ceil(share * s->plot), 1), s->plot);
}

/* Bytes a second of one device in the plot's columns; adds to out. */
static void add_course(const struct show *s, const struct btvi_run *run, size_t device,
	enum btviz_direction direction, double *out)
{
	const unsigned n = columns_of(s, run);
	const double width = (s->page->t1 - s->page->t0) / s->plot;
	double one[COLUMNS_MAX];
	const uint64_t start = run->figures->start_ns;
	const uint64_t length = (uint64_t)llround(n * width * 1e9);

	if (btviz_summary_series(run->summary, device, BTVIZ_COURSE_BYTES, direction, start,
		    start + (length > n ? length : n), n, one) != BTVIZ_OK)
		return;
	for (unsigned i = 0; i < n; i++)
		out[i] += one[i] > 0 ? one[i] : 0;
}

static void throughput(
	const struct show *s, const struct btvi_run *run, int direction, double out[COLUMNS_MAX])
{
	memset(out, 0, COLUMNS_MAX * sizeof *out);
	for (size_t t = 0; t < run->figures->top_count; t++)
		add_course(s, run, run->figures->top[t], directions[direction], out);
}

/* A bar's part in one row, 1 to 8 eighths; nothing below. */
static void add_bar(struct show *s, unsigned column, int paint, double eighths)
{
	static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const signs[] = { ".", ".", ":", ":", "|", "|", "#", "#" };
	const int level = (int)fmin(fmax(round(eighths), 0), 8);

	if (level == 0)
		return;
	btvi_text_to(&s->text, column);
	btvi_text_add(&s->text, paint, s->text.ascii ? signs[level - 1] : blocks[level - 1], 1);
}

static void show_throughput(struct show *s, const struct btvi_run *run, int direction)
{
	static const char *const names[2] = { "reads", "writes" };
	const double top = s->most[direction];
	const double unit = top >= 1e9 ? 1e9 : top >= 1e6 ? 1e6 : 1e3;
	const unsigned n = columns_of(s, run);
	double course[COLUMNS_MAX];
	char label[64], number[BTVI_QUANTITY_SIZE];

	throughput(s, run, direction, course);
	snprintf(label, sizeof label, "%s, %s/s", names[direction],
		unit >= 1e9           ? "GB"
			: unit >= 1e6 ? "MB"
				      : "kB");
	btvi_text_to(&s->text, LEFT);
	btvi_text_add(&s->text, BTVI_PAINT_BOLD, label, s->plot);
	btvi_text_end_line(&s->text);
	for (int row = ROWS - 1; row >= 0; row--) {
		label[0] = '\0';
		if (row == ROWS - 1)
			snprintf(label, sizeof label, "%s",
				btvi_quantity_fixed(top / unit, top / unit < 10 ? 1 : 0, number));
		else if (row == 0)
			snprintf(label, sizeof label, "0");
		btvi_text_add_right(&s->text, BTVI_PAINT_DIM, label, LEFT - 1);
		for (unsigned i = 0; i < n; i++) {
			const double eighths = course[i] / top * 8 * ROWS - 8 * row;

			/* A trickle is seen, too. */
			add_bar(s, LEFT + i, paints[direction],
				row == 0 && course[i] > 0 ? fmax(eighths, 1) : eighths);
		}
		btvi_text_end_line(&s->text);
	}
}

static bool shows_all(const struct show *s)
{
	return s->shown[0] && s->shown[1];
}

static void show_none(struct show *s)
{
	const char *what = shows_all(s) ? "reads and writes: none"
		: s->shown[0]           ? "reads: none"
					: "writes: none";

	btvi_text_to(&s->text, LEFT);
	btvi_text_add(&s->text, BTVI_PAINT_BOLD, what, s->plot);
	btvi_text_end_line(&s->text);
}

static size_t index_of(const struct btviz_figures *f, uint32_t device)
{
	for (size_t i = 0; i < f->device_count; i++)
		if (f->devices[i]->device == device)
			return i;
	return SIZE_MAX;
}

static void member_course(const struct show *s, const struct btvi_run *run, uint32_t device,
	double read[COLUMNS_MAX], double write[COLUMNS_MAX])
{
	const size_t i = index_of(run->figures, device);

	memset(read, 0, COLUMNS_MAX * sizeof *read);
	memset(write, 0, COLUMNS_MAX * sizeof *write);
	if (i == SIZE_MAX)
		return;
	if (s->shown[0])
		add_course(s, run, i, BTVIZ_DIR_READ, read);
	if (s->shown[1])
		add_course(s, run, i, BTVIZ_DIR_WRITE, write);
}

static void show_member(struct show *s, const struct btvi_run *run, const struct btviz_member *m)
{
	static const char *const shades[] = { "░", "▒", "▓", "█" };
	static const char *const signs[] = { ".", ":", "*", "#" };
	double read[COLUMNS_MAX], write[COLUMNS_MAX];
	const unsigned n = columns_of(s, run);
	char share[BTVI_QUANTITY_SIZE];
	bool any = false;

	member_course(s, run, m->device, read, write);
	btvi_text_add_right(&s->text, BTVI_PAINT_DIM, m->name, LEFT - 1);
	for (unsigned i = 0; i < n; i++) {
		/* The square root, as in the picture: a trickle is seen. */
		const double share_of_most = sqrt((read[i] + write[i]) / s->most_member);
		const int level = (int)fmin(share_of_most * 4, 3);

		if (!(read[i] + write[i] > 0))
			continue;
		any = true;
		btvi_text_to(&s->text, LEFT + i);
		btvi_text_add(&s->text, read[i] > write[i] ? PAINT_READ : PAINT_WRITE,
			s->text.ascii ? signs[level] : shades[level], 1);
	}
	/* Of a disk that was not traced nobody knows. */
	if (!any && index_of(run->figures, m->device) != SIZE_MAX) {
		btvi_text_to(&s->text, LEFT);
		btvi_text_add(&s->text, BTVI_PAINT_DIM, "none", s->plot);
	}
	/* Shares are of all I/O: beside the rows of one kind they would be taken for its. */
	if (!isnan(m->bytes_share) && shows_all(s)) {
		btvi_text_to(&s->text, LEFT + s->plot);
		btvi_text_add_right(&s->text, BTVI_PAINT_DIM,
			btvi_quantity_share(m->bytes_share, share), RIGHT);
	}
	btvi_text_end_line(&s->text);
}

static void show_members(struct show *s, const struct btvi_run *run)
{
	const struct btviz_figures *f = run->figures;
	size_t shown = 0, all = 0;

	for (size_t a = 0; a < f->array_count; a++) {
		const struct btviz_array *array = f->arrays[a];
		const struct btviz_member *m = NULL;
		char label[160], effective[BTVI_QUANTITY_SIZE];

		all += array->member_count > 1 ? array->member_count : 0;
		if (array->member_count < 2 || shown >= MEMBERS_SHOWN)
			continue;
		snprintf(label, sizeof label, "members of %.60s", array->name);
		if (!isnan(array->effective_members) && shows_all(s))
			snprintf(label + strlen(label), sizeof label - strlen(label),
				", effective %s of %zu",
				btvi_quantity_fixed(array->effective_members, 1, effective),
				array->member_count);
		btvi_text_to(&s->text, LEFT);
		btvi_text_add(&s->text, BTVI_PAINT_BOLD, label, s->plot + RIGHT);
		btvi_text_end_line(&s->text);
		for (; shown < MEMBERS_SHOWN && (m = btvi_page_next_member(array, m)); shown++)
			show_member(s, run, m);
	}
	if (all > shown) {
		char label[64];

		snprintf(label, sizeof label, "%zu more members", all - shown);
		btvi_text_to(&s->text, LEFT);
		btvi_text_add(&s->text, BTVI_PAINT_DIM, label, s->plot);
		btvi_text_end_line(&s->text);
	}
}

/* A lane with each gap's number where it begins and a line as long as it lasts. */
static void show_lane(struct show *s, const struct btvi_run *run, const struct btvi_drawn_gaps *g)
{
	const double width = (s->page->t1 - s->page->t0) / s->plot;

	btvi_text_add_right(&s->text, BTVI_PAINT_DIM, "gaps", LEFT - 1);
	for (size_t i = 0; i < g->count; i++) {
		const struct btviz_gap *gap = g->gaps[i];
		const double from = (gap->start_s + run->shift_s - run->start_s) / width;
		const double to = (gap->end_s + run->shift_s - run->start_s) / width;
		const unsigned first = LEFT + (unsigned)fmin(fmax(round(from), 0), s->plot - 1);
		const unsigned last = LEFT + (unsigned)fmin(fmax(round(to), 0), s->plot);
		char number[24];

		if (s->text.at > first && s->text.at >= last)
			continue; /* no room: the list has it */
		btvi_text_to(&s->text, first);
		snprintf(number, sizeof number, "%zu%.2s", i + 1, btvi_gaps_letter(gap->kind));
		if (s->text.at + strlen(number) <= LEFT + s->plot)
			btvi_text_add(&s->text, paint_of_gap(gap->kind), number, 3);
		while (s->text.at < last)
			btvi_text_add(
				&s->text, paint_of_gap(gap->kind), s->text.ascii ? "-" : "━", 1);
	}
	btvi_text_end_line(&s->text);
}

/* "0 s" at the left end, the length at the right. */
static void show_time(struct show *s)
{
	const double t0 = s->page->t0, t1 = s->page->t1;
	const unsigned parts = s->plot >= 60 ? 4 : 2;
	char text[BTVI_QUANTITY_SIZE];

	btvi_text_to(&s->text, LEFT);
	for (unsigned i = 0; i <= parts; i++) {
		const double t = t0 + (t1 - t0) * i / parts;
		const unsigned at = LEFT + s->plot * i / parts;

		if (t == 0)
			snprintf(text, sizeof text, "0 s");
		else
			btvi_quantity_duration(t, text);
		if (i == 0)
			btvi_text_add(&s->text, BTVI_PAINT_DIM, text, s->plot);
		else if (at > s->text.at + strlen(text))
			btvi_text_add_right(&s->text, BTVI_PAINT_DIM, text,
				(i == parts ? at : at + (unsigned)strlen(text) / 2) - s->text.at);
	}
	btvi_text_end_line(&s->text);
}

static void show_gaps(struct show *s, const struct btvi_run *run, const struct btvi_drawn_gaps *g)
{
	char text[TEXT_SIZE], number[24], start[BTVI_QUANTITY_SIZE], length[BTVI_QUANTITY_SIZE];

	for (size_t i = 0; i < g->count; i++) {
		const struct btviz_gap *gap = g->gaps[i];

		snprintf(number, sizeof number, "%zu%.2s", i + 1, btvi_gaps_letter(gap->kind));
		btvi_quantity_fixed(gap->start_s, 2, start);
		strcat(start, " s");
		btvi_quantity_duration(gap->end_s - gap->start_s, length);
		btvi_gaps_describe(run->figures, gap, text, sizeof text);
		btvi_text_add_right(&s->text, paint_of_gap(gap->kind), number, 3);
		btvi_text_add_right(&s->text, BTVI_PAINT_NONE, start, 10);
		btvi_text_add_right(&s->text, BTVI_PAINT_BOLD, length, 9);
		if (s->text.columns >= 60) {
			btvi_text_to(&s->text, 24);
			btvi_text_wrap(&s->text, BTVI_PAINT_NONE, text, 24);
		} else {
			btvi_text_end_line(&s->text);
			btvi_text_wrap(&s->text, BTVI_PAINT_NONE, text, 4);
		}
	}
	if (g->total > g->count) {
		snprintf(text, sizeof text, "and %llu shorter ones; all: %s",
			(unsigned long long)(g->total - g->count),
			btvi_quantity_duration(g->total_s, length));
		btvi_text_wrap(&s->text, BTVI_PAINT_DIM, text, 4);
	}
	if (g->count == 0 && run->figures->top_count > 0) {
		btvi_gaps_none_of_run(run->figures, text, sizeof text);
		btvi_text_wrap(&s->text, BTVI_PAINT_DIM, text, 4);
	}
}

static void show_run(struct show *s, size_t index)
{
	static const int severities[] = { BTVI_PAINT_DIM, PAINT_WARNING, PAINT_ALARM };
	const struct btvi_run *run = &s->page->runs[index];
	struct btvi_drawn_gaps gaps = { 0 };
	char text[TEXT_SIZE];

	btvi_text_add(&s->text, BTVI_PAINT_BOLD, run->label, s->text.columns);
	btvi_text_end_line(&s->text);
	btvi_header_facts(run, text, sizeof text);
	btvi_text_wrap(&s->text, BTVI_PAINT_DIM, text, 0);
	for (size_t i = 0; i < FINDINGS_SHOWN && i < btviz_findings_count(run->findings); i++) {
		const struct btviz_finding *f = btviz_findings_get(run->findings, i);

		if (i > 0 && f->severity == BTVIZ_SEV_NOTE)
			break;
		btvi_text_add(&s->text, severities[f->severity], s->text.ascii ? "* " : "▌ ", 2);
		btvi_text_wrap(&s->text, BTVI_PAINT_NONE, f->text, 2);
	}
	for (int d = 0; d < 2; d++)
		if (s->most[d] > 0)
			show_throughput(s, run, d);
	if (s->most[0] <= 0 && s->most[1] <= 0)
		show_none(s);
	show_members(s, run);
	if (run->figures->top_count > 0)
		btvi_gaps_find(s->page, index, &gaps);
	if (gaps.count > 0)
		show_lane(s, run, &gaps);
	show_time(s);
	show_gaps(s, run, &gaps);
}

/* The common scales: of time, of throughput, of members. */
static void find_scales(struct show *s, struct btvi_page *page)
{
	double read[COLUMNS_MAX], write[COLUMNS_MAX];

	page->t0 = INFINITY;
	page->t1 = -INFINITY;
	for (size_t i = 0; i < page->run_count; i++) {
		page->t0 = fmin(page->t0, page->runs[i].start_s);
		page->t1 = fmax(page->t1, page->runs[i].end_s);
	}
	if (!(page->t1 > page->t0))
		page->t1 = page->t0 + 1e-6;
	for (size_t i = 0; i < page->run_count; i++) {
		const struct btviz_figures *f = page->runs[i].figures;

		for (int d = 0; d < 2; d++) {
			throughput(s, &page->runs[i], d, read);
			for (unsigned k = 0; k < s->plot && s->shown[d]; k++)
				s->most[d] = fmax(s->most[d], read[k]);
		}
		for (size_t a = 0; a < f->array_count; a++)
			for (size_t m = 0; m < f->arrays[a]->member_count; m++) {
				member_course(s, &page->runs[i], f->arrays[a]->members[m]->device,
					read, write);
				for (unsigned k = 0; k < s->plot; k++)
					s->most_member = fmax(s->most_member, read[k] + write[k]);
			}
	}
}

static enum btviz_status take_options(const struct btviz_show_options *from,
	struct btviz_show_options *to, struct btviz_error *err)
{
	*to = (struct btviz_show_options)BTVIZ_SHOW_OPTIONS_INIT;
	if (btvi_options_take(to, sizeof *to, from, "btviz_show_options", err) != BTVIZ_OK)
		return BTVIZ_ERR_USAGE;
	if (to->columns == 0)
		to->columns = 80;
	if (to->columns < COLUMNS_MIN || to->columns > COLUMNS_MAX)
		return btvi_fail(err, BTVIZ_ERR_USAGE, "columns must be from %d to %d, not %u",
			COLUMNS_MIN, COLUMNS_MAX, to->columns);
	return BTVIZ_OK;
}

enum btviz_status btviz_show_text(const struct btviz_run *runs, size_t run_count,
	const struct btviz_show_options *options, char **ret_text, struct btviz_error *err)
{
	struct btviz_plot_options plot = BTVIZ_PLOT_OPTIONS_INIT;
	struct btvi_bytes out = { 0 };
	struct btviz_show_options o;
	struct btvi_picture picture;
	struct show s = { 0 };
	enum btviz_status status = take_options(options, &o, err);

	if (status != BTVIZ_OK)
		return status;
	status = btvi_picture_options(NULL, &plot, err);
	if (status != BTVIZ_OK)
		return status;
	status = btvi_picture_init(&picture, runs, run_count, &plot, NULL, err);
	if (status == BTVIZ_OK) {
		s.text = (struct btvi_text){
			.out = &out, .columns = o.columns, .ascii = o.ascii, .color = o.color
		};
		s.page = &picture.page;
		s.plot = o.columns - LEFT - RIGHT;
		s.shown[0] = !o.no_reads;
		s.shown[1] = !o.no_writes;
		find_scales(&s, &picture.page);
		for (size_t i = 0; i < run_count; i++) {
			if (i > 0)
				btvi_text_end_line(&s.text);
			show_run(&s, i);
		}
		btvi_bytes_add(&out, "", 1);
		if (out.failed)
			status = btvi_fail_nomem(err);
	}
	btvi_picture_done(&picture);
	if (status != BTVIZ_OK) {
		btvi_bytes_done(&out);
		return status;
	}
	*ret_text = (char *)out.data;
	return BTVIZ_OK;
}
