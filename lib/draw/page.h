/* draw/page.h - what the parts of a picture share while it is laid out: the runs, the time axis,
 * the scale of each panel. Parts add to the scene; none of them knows cairo or computes figures. */
#ifndef BTVI_DRAW_PAGE_H
#define BTVI_DRAW_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/finding.h>
#include <btviz/plot.h>

#include "draw/axis.h"
#include "draw/palette.h"
#include "draw/scene.h"

/* Sizes of text, in units of the page. */
enum { BTVI_TEXT_TITLE = 18, BTVI_TEXT_LABEL = 15, BTVI_TEXT_BODY = 12, BTVI_TEXT_SMALL = 11 };

/* Where a movie finds the parts of a page of one run: above the header, left of the panels, a
 * title's height, what is below the panels. */
enum { BTVI_PAGE_TOP = 16, BTVI_PAGE_LEFT = 82, BTVI_PAGE_TITLE = 30, BTVI_PAGE_FOOT = 62 };

enum { BTVI_RUN_MAX = 64 };

struct btvi_run {
	struct btviz_summary *summary;
	const struct btviz_figures *figures;
	struct btviz_findings *findings;
	const struct btviz_samples *samples; /* or NULL */
	char label[256];
	const char *trace;     /* what it was read from, NULL: not known */
	bool named;            /* the label was given */
	double shift_s;        /* where its second 0 is on the page's time axis */
	double start_s, end_s; /* of its data, on the page's time axis */
	uint32_t color;        /* where runs are told apart by colour */
};

struct btvi_page {
	struct btvi_scene *scene;
	const struct btviz_plot_options *options;
	struct btvi_run *runs;
	size_t run_count;
	double pixel;  /* device pixels per unit */
	double t0, t1; /* seconds on the page's time axis */
	struct btvi_axis time;
	double plot_width; /* of one run's panels, units */
	double shrink;     /* of panels, where runs stand below one another */
	uint32_t read, write, discard;
	bool has_reads, has_writes, has_discards; /* any run, as far as they are drawn */
	bool overlay;
	bool labels;     /* this column has the labels of the y axes */
	size_t labelled; /* the run that has them in this row of runs */
	struct btvi_axis axes[BTVIZ_PANEL_COUNT];
	void *data[BTVIZ_PANEL_COUNT]; /* each panel's own */
};

/* One kind of panel: the row of btvi_panels that all lists of panels are made from. */
struct btvi_panel {
	enum btviz_panel id;
	const char *name;                /* the word for it: in --panels, in the page's address */
	const char *title;               /* stands above it */
	const char *title_without_array; /* where it is another if no run has members; or NULL */
	bool usual;                      /* drawn if nothing else is asked for */
	bool sampled;                    /* shows what is sampled beside the trace */
	double height;                   /* natural, units */
	enum btvi_axis_kind kind;        /* of its y axis */
	const void *table;               /* what the panels of one file differ by; or NULL */
	bool own_axis;                   /* draws its y axis itself, or has none */
	bool undirected; /* shows all I/O, also where only reads or writes are asked for */
	/* Gets the data of all runs and settles the common scale; false: there is nothing to draw.
	 * prepare is NULL where there is no panel but the table and the lists below. */
	bool (*prepare)(const struct btvi_panel *self, struct btvi_page *p);
	/* Where the height depends on the data; NULL: it does not. */
	double (*own_height)(const struct btvi_panel *self, const struct btvi_page *p);
	/* Draws one run (overlay: is called for each, one over the other). */
	void (*draw)(
		const struct btvi_panel *self, struct btvi_page *p, size_t run, struct btvi_rect r);
	/* What stands at the right above it; NULL: nothing. Returns the left end of it. */
	double (*note)(const struct btvi_panel *self, struct btvi_page *p, size_t run, double x1,
		double y);
};

/* In their order from top to bottom. */
extern const struct btvi_panel *const btvi_panels[BTVIZ_PANEL_COUNT];

extern const struct btvi_panel btvi_panel_io, btvi_panel_members, btvi_panel_tput,
	btvi_panel_latency, btvi_panel_seek, btvi_panel_iops, btvi_panel_depth, btvi_panel_size,
	btvi_panel_vm, btvi_panel_cpu, btvi_panel_merge, btvi_panel_stats;

const char *btvi_panel_title(const struct btvi_panel *panel, const struct btvi_page *p);

/* Lays the picture out. width and height in units, height 0: what it needs (then scene->height
 * says). BTVIZ_OK, BTVIZ_ERR_NOMEM, BTVIZ_ERR_USAGE (too small). */
enum btviz_status btvi_page_draw(
	struct btvi_page *p, double width, double height, struct btviz_error *err);

/* The width that the page has if none is asked for. */
double btvi_page_natural_width(const struct btviz_plot_options *o, size_t run_count);

/* ---- for panels ---------------------------------------------------------------------------- */

/* x of a time on the page's axis within r. */
double btvi_page_x(const struct btvi_page *p, struct btvi_rect r, double t_s);
double btvi_page_y(const struct btvi_axis *a, struct btvi_rect r, double value);

/* The members of an array in the order of their device numbers, which is that of their names: the
 * one that follows m, NULL for the first; NULL behind the last. */
const struct btviz_member *btvi_page_next_member(
	const struct btviz_array *array, const struct btviz_member *m);

/* Grid lines, and in the labelled column tick labels, of a y axis. */
void btvi_page_axis(struct btvi_page *p, const struct btvi_axis *a, struct btvi_rect r);

/* Whether the time axis tells the clock; the moment that is 0 on the page's axis. */
bool btvi_page_wall(const struct btvi_page *p, int64_t *ret_sec, uint32_t *ret_nsec);

/* The part of the page's time in which a run has data, as cells of equal width. */
struct btvi_cells {
	size_t count;
	double start_s, width_s;   /* on the page's axis */
	uint64_t start_ns, end_ns; /* on the trace's clock */
};
/* Cells about units wide, but no finer than the data. count is 0 if the run is not in view. */
struct btvi_cells btvi_page_cells(const struct btvi_page *p, size_t run, double units);

/* A course of all top devices of a run together: sums, as for bytes a second. NULL: no memory. */
double *btvi_page_course(struct btvi_page *p, size_t run, enum btviz_course course,
	enum btviz_direction direction, const struct btvi_cells *cells);

/* The same for averages (a size, a ratio), which do not add up: each device's counts as much as it
 * had I/Os in the cell. disks: of the devices that issue requests to hardware, not of the top. */
double *btvi_page_average(struct btvi_page *p, size_t run, enum btviz_course course,
	enum btviz_direction direction, const struct btvi_cells *cells, bool disks);

/* Smooths a course, breaking it at the gaps of the run. */
double *btvi_page_smooth(
	struct btvi_page *p, size_t run, const double *course, const struct btvi_cells *cells);

/* Draws a course as a line of cell middles, or as a stepped area from the bottom. */
void btvi_page_line(struct btvi_page *p, const struct btvi_axis *a, struct btvi_rect r,
	const double *course, const struct btvi_cells *cells, double width, double dash,
	uint32_t color);
void btvi_page_steps(struct btvi_page *p, const struct btvi_axis *a, struct btvi_rect r,
	const double *course, const struct btvi_cells *cells, uint32_t color);

/* Fills r with thin lines so many units apart. */
enum btvi_hatch { BTVI_HATCH_NONE, BTVI_HATCH_RISING, BTVI_HATCH_FALLING, BTVI_HATCH_LEVEL };
void btvi_page_hatch(struct btvi_page *p, struct btvi_rect r, enum btvi_hatch hatch, double spacing,
	uint32_t color);

/* A swatch and a name, right end at x1, for a panel's note. Returns the left end. */
double btvi_page_key(struct btvi_page *p, double x1, double y, uint32_t color, const char *name);

/* ---- parts of the page --------------------------------------------------------------------- */

/* The run's label, its facts in one grey line, its first findings. Returns the height; draws only
 * if draw is true, so that the tallest of a row can be found first. */
double btvi_header(struct btvi_page *p, size_t run, double x, double y, double width, bool draw);

/* Its grey line: "md0 (raid0: sdb sdc) · 13.3 s · …". */
void btvi_header_facts(const struct btvi_run *run, char *out, size_t size);

/* Gaps that are drawn: the longest dozen in view, in order of time. */
enum { BTVI_GAPS_DRAWN = 12 };
struct btvi_drawn_gaps {
	size_t count;
	const struct btviz_gap *gaps[BTVI_GAPS_DRAWN];
	size_t device[BTVI_GAPS_DRAWN]; /* index into figures->devices */
	uint64_t total;
	double total_s;
};
void btvi_gaps_find(const struct btvi_page *p, size_t run, struct btvi_drawn_gaps *ret_g);
/* "S", "Q", "D", "L" beside a gap's number; "no submissions" and so on. */
const char *btvi_gaps_letter(enum btviz_gap_kind kind);
const char *btvi_gaps_word(enum btviz_gap_kind kind);
/* The row of a member: hatched where it held up the run. */
void btvi_gaps_hatch_member(struct btvi_page *p, size_t run, uint32_t member, struct btvi_rect row);
/* Bands from y0 to y1, with numbers in the lane of that height above y0. */
void btvi_gaps_bands(struct btvi_page *p, size_t run, struct btvi_rect r, double lane);
/* Overlaid runs: a row a run in the lane, in which its gaps are marked in its colour. */
void btvi_gaps_marks(struct btvi_page *p, struct btvi_rect lane);
/* What is said where there is no gap: "no pause stands out (threshold 300 ms)"; may be "". */
enum { BTVI_GAPS_NONE_SIZE = 80 };
void btvi_gaps_none(const struct btviz_device *d, char *out, size_t size);

/* The same of a run in whose picture no gap is marked: of several top devices those are named that
 * paused while others went on. */
void btvi_gaps_none_of_run(const struct btviz_figures *f, char *out, size_t size);
/* What happened in a gap, and who: "no submissions, idle 1.40 s; kworker/u8:3 resumed". */
void btvi_gaps_describe(
	const struct btviz_figures *f, const struct btviz_gap *g, char *out, size_t size);
double btvi_gaps_list(struct btvi_page *p, size_t run, double x, double y, double width, bool draw);

/* Text that was written into the trace: marks at the foot of r, lettered if they are few. */
void btvi_marks(struct btvi_page *p, size_t run, struct btvi_rect r);
/* What the letters stand for, below the panels. Returns the height. */
double btvi_marks_list(
	struct btvi_page *p, size_t run, double x, double y, double width, bool draw);

/* The table of all runs. Returns its height. */
double btvi_stats(struct btvi_page *p, double x, double y, double width, bool draw);

/* The line at the page's foot: what drew it, how whole the data is. Returns its height. */
double btvi_foot(struct btvi_page *p, double x, double y, double width, bool draw);

#endif
