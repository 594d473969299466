/* plot.h - summaries as a picture.
 *
 * A picture shows one or more runs: each with its seek map, its members, its throughput and more,
 * on one time scale and with one scale a panel, so that "half" looks like half. It goes to a file,
 * a file descriptor or memory, as PNG, SVG or PDF, or as a page for a browser (HTML: one file, that
 * needs no other), in which all panels can be zoomed and read. */
#ifndef BTVIZ_PLOT_H
#define BTVIZ_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/samples.h>
#include <btviz/status.h>
#include <btviz/summary.h>

#ifdef __cplusplus
extern "C" {
#endif

enum btviz_plot_kind { BTVIZ_PLOT_PNG, BTVIZ_PLOT_SVG, BTVIZ_PLOT_PDF, BTVIZ_PLOT_HTML };

enum btviz_panel {
	BTVIZ_PANEL_IO,      /* time × offset: where the I/O landed */
	BTVIZ_PANEL_MEMBERS, /* a row a member, throughput as shade */
	BTVIZ_PANEL_TPUT,    /* MB/s */
	BTVIZ_PANEL_LATENCY, /* time × latency, with median and 99th percentile */
	BTVIZ_PANEL_SEEK,    /* seeks/s */
	BTVIZ_PANEL_IOPS,    /* I/Os a second */
	BTVIZ_PANEL_DEPTH,   /* outstanding and in flight */
	BTVIZ_PANEL_SIZE,    /* average size of an I/O */
	BTVIZ_PANEL_VM,      /* dirty and writeback pages, where the recorder sampled them */
	BTVIZ_PANEL_CPU,     /* what the CPUs did, likewise */
	BTVIZ_PANEL_STATS,   /* the table and the list of gaps */
	BTVIZ_PANEL_MERGE,   /* bios a request, of the disks */
	BTVIZ_PANEL_COUNT,
};
#define BTVIZ_PANEL_BIT(panel) (1U << (panel))

enum btviz_layout {
	BTVIZ_LAYOUT_COLUMNS, /* runs side by side */
	BTVIZ_LAYOUT_ROWS,    /* below one another */
	BTVIZ_LAYOUT_OVERLAY, /* over one another, a colour each */
};
enum btviz_align { BTVIZ_ALIGN_START, BTVIZ_ALIGN_WALL };
enum btviz_clock { BTVIZ_CLOCK_RELATIVE, BTVIZ_CLOCK_WALL };

/* Begins with its size, as options do; in an array all are of the same size. */
struct btviz_run {
	size_t size; /* = sizeof of this struct, set by BTVIZ_RUN_INIT */
	struct btviz_summary *summary;
	const char *label; /* UTF-8; NULL: the traced program, or the device's name */
	const struct btviz_samples *samples; /* of the same run and clock, for vm and cpu; NULL:
						those beside the trace, if there are any */
	const char
		*trace; /* what -t named it, for the commands that a page offers; NULL: not known */
};

#define BTVIZ_RUN_INIT                                           \
	{                                                        \
		sizeof(struct btviz_run), NULL, NULL, NULL, NULL \
	}

struct btviz_plot_options {
	size_t size;                /* = sizeof of this struct, set by BTVIZ_PLOT_OPTIONS_INIT */
	double width_px, height_px; /* 0: what the content needs */
	double dpi;        /* 0: 96. Scales the page where no width is given; goes into the file */
	const char *title; /* NULL: none above the runs' own */
	uint32_t panels;   /* BTVIZ_PANEL_BIT()s; 0: the usual ones */
	enum btviz_layout layout;
	enum btviz_align align;
	enum btviz_clock clock;
	unsigned columns;          /* runs side by side at most, then a further row; 0: chosen */
	uint64_t start_ns, end_ns; /* what is drawn, from the run's start; end 0: to the end */
	uint64_t first_sector, last_sector; /* what the io panel shows; last 0: what was touched */
	uint64_t rolling_ns;                /* width of the rolling average; 0: chosen */
	bool no_reads, no_writes;           /* leave them out of panels that tell them apart */
	bool by_process;                    /* colour the io panel by process */
	const char *const
		*merge_names; /* processes of these names share a colour; "*": of any one name */
	size_t merge_count;
	const uint32_t *colors; /* 0xrrggbb for reads, writes, discards; overlay: for the runs */
	size_t color_count;
	const char *command; /* what made the picture, kept in the file; may be NULL */
	bool boxes_for_text; /* draw text as boxes, so that no font matters (for tests) */
};
#define BTVIZ_PLOT_OPTIONS_INIT                                                                  \
	{                                                                                        \
		sizeof(struct btviz_plot_options), 0, 0, 0, NULL, 0, BTVIZ_LAYOUT_COLUMNS,       \
			BTVIZ_ALIGN_START, BTVIZ_CLOCK_RELATIVE, 0, 0, 0, 0, 0, 0, false, false, \
			false, NULL, 0, NULL, 0, NULL, false                                     \
	}

/* The name of a panel ("io", "tput"), NULL beyond the last. Since 0.1. */
BTVIZ_EXPORT const char *btviz_panel_name(enum btviz_panel panel);

/* The usual panels, as BTVIZ_PANEL_BIT()s: what is drawn where options say 0. Since 0.2. */
BTVIZ_EXPORT uint32_t btviz_panels_usual(void);

/* The kind that belongs to a file name's suffix. BTVIZ_OK or BTVIZ_ERR_USAGE. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_plot_kind_of(
	const char *path, enum btviz_plot_kind *ret_kind, struct btviz_error *err);

/* Draws the runs into the file path: written beside it and renamed, so that there is never half a
 * picture, and a former one stays if anything fails. A symbolic link is followed; a device or a
 * pipe is written to as it is. options may be NULL. The summaries are the caller's and unchanged.
 * BTVIZ_OK, BTVIZ_ERR_USAGE (no run, options that make no sense, no such device), BTVIZ_ERR_LIMIT
 * (too many pixels or runs), BTVIZ_ERR_EMPTY, BTVIZ_ERR_IO, BTVIZ_ERR_NOMEM. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_plot_write_file(const struct btviz_run *runs, size_t run_count,
	const struct btviz_plot_options *options, enum btviz_plot_kind kind, const char *path,
	struct btviz_error *err);

/* The same to an open file descriptor, which stays open. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_plot_write_fd(const struct btviz_run *runs, size_t run_count,
	const struct btviz_plot_options *options, enum btviz_plot_kind kind, int fd,
	struct btviz_error *err);

/* The same to memory. *ret_bytes is the caller's; free it with free(). Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_plot_write_buffer(const struct btviz_run *runs,
	size_t run_count, const struct btviz_plot_options *options, enum btviz_plot_kind kind,
	unsigned char **ret_bytes, size_t *ret_size, struct btviz_error *err);

#ifdef __cplusplus
}
#endif
#endif
