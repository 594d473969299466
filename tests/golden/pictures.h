/* pictures.h - the pictures of made-up runs that tests/golden and tests/image draw. */
#ifndef TESTS_PICTURES_H
#define TESTS_PICTURES_H

#include <btviz/plot.h>

#include "fake_summary.h"

static const struct fake good = { .span_s = 7.4,
	.members = 4,
	.command = "dd if=/dev/zero of=/dev/md0",
	.write_rate = 22e6,
	.latency_s = 0.02 };

/* The same work, but later answers. */
static const struct fake late = { .span_s = 7.4,
	.members = 4,
	.command = "dd if=/dev/zero of=/dev/md0",
	.write_rate = 22e6,
	.latency_s = 0.06 };

static const struct fake bad = { .span_s = 13.29,
	.members = 4,
	.command = "dd if=/dev/zero of=/dev/md0 bs=1024k count=96",
	.write_rate = 20e6,
	.latency_s = 0.02,
	.messages = 14,
	.gaps = 7,
	.gap = { { 0.480, 2.002, BTVIZ_GAP_SUBMIT }, { 2.576, 3.149, BTVIZ_GAP_SUBMIT },
		{ 3.930, 4.768, BTVIZ_GAP_SUBMIT }, { 5.326, 6.823, BTVIZ_GAP_SUBMIT },
		{ 7.206, 7.674, BTVIZ_GAP_SUBMIT }, { 8.625, 10.525, BTVIZ_GAP_SUBMIT },
		{ 11.344, 13.163, BTVIZ_GAP_SUBMIT } } };

/* One of twelve in use. */
static const struct fake one_disk = {
	.span_s = 100, .members = 12, .write_rate = 4e8, .latency_s = 1e-4, .shares = { 0, 1 }
};

/* All kinds of gaps, more than are drawn, some too narrow for a number. */
static const struct fake many_gaps = { .span_s = 60,
	.members = 4,
	.write_rate = 20e6,
	.latency_s = 0.01,
	.gaps = 16,
	.gap = { { 1, 1.1, BTVIZ_GAP_SUBMIT }, { 1.2, 1.4, BTVIZ_GAP_DEVICE },
		{ 1.5, 1.6, BTVIZ_GAP_SUBMIT }, { 2, 7, BTVIZ_GAP_QUEUE },
		{ 9, 9.2, BTVIZ_GAP_DEVICE }, { 9.3, 9.5, BTVIZ_GAP_DEVICE },
		{ 9.6, 9.9, BTVIZ_GAP_DEVICE }, { 10, 20, BTVIZ_GAP_SLOW },
		{ 22, 30, BTVIZ_GAP_DEVICE }, { 31, 31.6, BTVIZ_GAP_SUBMIT },
		{ 32, 33, BTVIZ_GAP_SUBMIT }, { 34, 35, BTVIZ_GAP_SUBMIT },
		{ 36, 40, BTVIZ_GAP_SUBMIT }, { 59, 59.2, BTVIZ_GAP_SUBMIT },
		{ 59.3, 59.6, BTVIZ_GAP_SUBMIT }, { 59.7, 60, BTVIZ_GAP_SUBMIT } } };

static const struct fake mixed = { .span_s = 30,
	.command = "fio mixed.fio",
	.write_rate = 22e6,
	.read_rate = 44e6,
	.seek_rate = 900,
	.latency_s = 0.003,
	.processes = 14,
	.messages = 500,
	.lost = 33,
	.suspected = 4 };

static const struct fake two_ms = { .span_s = 0.002, .write_rate = 4e8, .latency_s = 1e-4 };
static const struct fake moment = { .span_s = 0, .command = "one I/O", .last_sector = 8 };
static const struct fake far_out = { .span_s = 3,
	.read_rate = 1e6,
	.first_sector = 1000000000,
	.last_sector = 1000100000,
	.latency_s = 0.1 };

static const struct {
	const char *name;
	const struct fake *runs[8];
	struct btviz_plot_options options;
	bool image; /* tests/image compares its pixels */
} pictures[] = {
	{ "bad", { &bad }, { .title = "Where did it go?" }, true },
	{ "good-and-bad", { &good, &bad }, { .width_px = 0 }, true },
	{ "same-work", { &good, &late },
		{ .panels = BTVIZ_PANEL_BIT(BTVIZ_PANEL_STATS) |
				BTVIZ_PANEL_BIT(BTVIZ_PANEL_SEEK) },
		false },
	{ "one-of-twelve", { &one_disk }, { .width_px = 0 }, false },
	{ "many-gaps", { &many_gaps }, { .width_px = 0 }, true },
	{ "processes", { &mixed }, { .by_process = true }, true },
	{ "merged-processes", { &mixed },
		{ .by_process = true,
			.merge_names = (const char *const[]){ "*" },
			.merge_count = 1 },
		false },
	{ "all-panels", { &mixed }, { .panels = BTVIZ_PANEL_BIT(BTVIZ_PANEL_COUNT) - 1 }, false },
	{ "two-ms", { &two_ms }, { .width_px = 0 }, false },
	{ "a-moment", { &moment }, { .width_px = 0 }, false },
	{ "far-out", { &far_out }, { .width_px = 0 }, false },
	{ "overlay", { &good, &bad }, { .layout = BTVIZ_LAYOUT_OVERLAY }, true },
	{ "rows", { &good, &bad }, { .layout = BTVIZ_LAYOUT_ROWS }, false },
	{ "eight", { &good, &bad, &good, &mixed, &bad, &good, &many_gaps, &good },
		{ .width_px = 0 }, false },
	{ "small", { &bad }, { .width_px = 640, .height_px = 480 }, false },
	{ "tiny", { &good, &bad }, { .width_px = 400, .height_px = 300 }, false },
	{ "large", { &bad },
		{ .width_px = 3000,
			.height_px = 2000,
			.panels = BTVIZ_PANEL_BIT(BTVIZ_PANEL_TPUT) },
		false },
	{ "zoomed", { &bad },
		{ .start_ns = 3500000000,
			.end_ns = 5000000000,
			.first_sector = 40960,
			.last_sector = 122880 },
		false },
	{ "reads-only", { &mixed }, { .no_writes = true }, false },
	{ "wall-clock", { &good },
		{ .clock = BTVIZ_CLOCK_WALL,
			.panels = BTVIZ_PANEL_BIT(BTVIZ_PANEL_IO) |
				BTVIZ_PANEL_BIT(BTVIZ_PANEL_STATS) },
		false },
};

enum { PICTURES = sizeof pictures / sizeof pictures[0] };

/* Made-up summaries of a picture's runs; labels are the runs' own. Returns how many. */
static size_t picture_runs(size_t i, struct btviz_run runs[8])
{
	size_t count = 0;

	for (; count < 8 && pictures[i].runs[count]; count++)
		runs[count] = (struct btviz_run){ .size = sizeof(struct btviz_run),
			.summary = fake_summary_new(pictures[i].runs[count]) };
	return count;
}

#endif
