/* report.h - what the three forms of the report have in common. A run is read, judged and cut into
 * intervals once; report_text.c, report_json.c and report_csv.c only write it down. */
#ifndef BTVIZ_TOOLS_REPORT_H
#define BTVIZ_TOOLS_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include <btviz/btviz.h>

/* iostat's columns over one stretch of the run. NaN: not known. */
struct report_interval {
	double start_s, end_s;
	double ios_per_s[2], bytes_per_s[2], merges_per_s[2]; /* [0] reads, [1] writes */
	double await_s;                                       /* average Q2C of what completed */
	double outstanding;                                   /* aqu-sz */
	double busy;                                          /* %util, 0..1 */
};

/* Where in it a course goes, and its name in the JSON and in the CSV. */
struct report_column {
	size_t offset;
	enum btviz_course course;
	enum btviz_direction direction;
	const char *name, *measure, *unit;
};
extern const struct report_column report_columns[];
extern const size_t report_column_count;

/* The numbers of a distribution but its count: "min" ... "max". */
struct report_quantile {
	const char *name;
	size_t offset;
};
enum { REPORT_QUANTILES = 7 };
extern const struct report_quantile report_quantiles[REPORT_QUANTILES];

struct report_run {
	char *label; /* clean */
	struct btviz_summary *summary;
	const struct btviz_figures *f;
	struct btviz_findings *findings;
	struct btviz_process *processes;           /* merged by name where asked for, else NULL */
	const struct btviz_process **process_list; /* their addresses */
	size_t process_count;
	/* [device][interval], all of the same length; NULL without --interval */
	struct report_interval **intervals;
	size_t interval_count;
};

struct report_options {
	bool devices;         /* text: everything about each device */
	bool processes;       /* text: all processes and cgroups */
	uint64_t interval_ns; /* 0: none */
	bool one_line;        /* JSON: all in one line */
};

/* Each writes all runs. A write error shows in ferror(out); false: out of memory. */
bool report_text(FILE *out, const struct report_run *runs, size_t count,
	const struct report_options *options);
bool report_json(FILE *out, const struct report_run *runs, size_t count,
	const struct report_options *options);
bool report_csv(FILE *out, const struct report_run *runs, size_t count,
	const struct report_options *options);

/* ---- figures of figures -------------------------------------------------------------------- */

/* Fills run->intervals. Says what is wrong and returns false. */
bool report_intervals_new(struct report_run *run, uint64_t interval_ns);
void report_intervals_free(struct report_run *run);

/* Fills run->processes with one entry a name of names ("*": any), and the others. A quantile of
 * several processes is NaN. */
bool report_merge_processes(struct report_run *run, const char *const *names, size_t count);

/* The processes to report. */
const struct btviz_process *const *report_processes(
	const struct report_run *run, size_t *ret_count);

/* Whether the device's trace could show that station at all: a bio device issues nothing, and a
 * masked trace hides what it hides. Where not, a count of 0 is no count. */
bool report_knows(
	const struct report_run *run, const struct btviz_device *d, enum btviz_station station);

/* The double at an offset of a struct. */
double report_double(const void *object, size_t offset);

/* x a second of the run; NaN for a run without length. */
double report_per_s(const struct report_run *run, double x);

/* Where the window begins, in seconds from the run's first I/O event. */
double report_start_s(const struct btviz_figures *f);

/* Start of the run as "2026-11-30T16:20:35.123456789Z"; "" where it is not known. */
const char *report_wall_start(const struct btviz_figures *f, char *out, size_t size);

/* The name of a device number: that of f->devices, else "8,16". */
const char *report_device_name(
	const struct btviz_figures *f, uint32_t device, char *out, size_t size);

#endif
