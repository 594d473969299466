/* measure/device.h - everything that is added up about one device. Bounded, and mergeable. */
#ifndef BTVI_MEASURE_DEVICE_H
#define BTVI_MEASURE_DEVICE_H

#include <btviz/summary.h>

#include "base/histogram.h"
#include "measure/actor.h"
#include "measure/gap.h"
#include "measure/grid.h"
#include "measure/series.h"
#include "model/pair.h"
#include "model/remap.h"

enum { BTVI_DIRECTIONS = 3, BTVI_ERRORS_KEPT = 16, BTVI_MAPS = 3, BTVI_NAME_BYTES = 256 };

/* From which action a place on the disk is taken: the best that the trace has. */
enum btvi_rank { BTVI_RANK_NONE, BTVI_RANK_COMPLETE, BTVI_RANK_QUEUE, BTVI_RANK_ISSUE };

struct btvi_device {
	uint32_t device;
	char name[BTVI_NAME_BYTES]; /* "" where only its number is known */
	unsigned level;             /* how coarse it is: each is half as fine as the one before */
	bool ignored;               /* left out by the options */
	bool traced;                /* has a stream, though perhaps no event */

	uint64_t events, first_ns, last_ns;
	uint64_t stream_cpus; /* those of CPUs below 64 that are not empty, a bit each */
	struct btviz_count actions[BTVIZ_OP_COUNT][BTVIZ_STATION_COUNT];
	uint64_t gets, inserts, splits, remaps, plugs, unplugs, timer_unplugs;
	uint64_t flushes, fua_queued, fua_issued;
	struct btviz_error_count errors[BTVI_ERRORS_KEPT];
	unsigned error_count;

	/* By the best action there is: throughput (C, D, Q) and place (D, Q, C). */
	enum btviz_basis basis;
	struct btviz_count moved[BTVI_DIRECTIONS]; /* without errors */
	enum btvi_rank place;
	uint64_t seeks, place_end, first_place, first_place_ns;
	unsigned first_place_direction;
	bool placed;
	struct btvi_histogram *seek_sectors;
	struct btvi_grid maps[BTVI_MAPS]; /* read, write, discard */

	struct btvi_series series;
	struct btvi_grid heat; /* time x log latency: btvi_heat_row() */
	struct btvi_histogram *latency[BTVIZ_INTERVAL_COUNT][BTVI_DIRECTIONS];
	struct btvi_histogram *queued_bytes[BTVI_DIRECTIONS], *issued_bytes[BTVI_DIRECTIONS];
	uint64_t outstanding_ns, in_flight_ns, busy_ns; /* I/Os x time, time with any */
	uint32_t outstanding_max, in_flight_max;
	uint64_t in_flight_max_ns; /* when it was so many */
	uint64_t state_ns;         /* up to where these are added */
	uint64_t first_queue_ns, last_queue_ns;
	unsigned first_queue_direction;
	bool queued;

	uint64_t unmatched[64]; /* events that found no partner, by log2 of their distance from
				   first_ns */
	uint64_t given_up, repeats;
	uint64_t lost, lost_first_ns, lost_last_ns; /* I/Os taken for lost; when they began */
	struct btvi_failed {
		uint64_t ios, first_ns, last_ns, first_sector, last_sector;
	} failed[BTVI_DIRECTIONS]; /* completed with an error */
	/* What was open at its end, without what is taken for lost: I/Os, requests of them, since
	 * when the oldest is, and whose it is. */
	struct btvi_tail {
		uint64_t ios, requests, since_ns, pid;
	} tail;
	uint64_t open_by_age[64]; /* of parts merged in: I/Os open at their end, by log2 of their
				     age */
	uint64_t open_outstanding_ns[64],
		open_in_flight_ns[64]; /* likewise: what they add to the depths */

	struct btvi_actors processes, cgroups;
	struct btvi_gaps gaps;
	struct btvi_remap remap;
	struct btviz_count own[2]; /* queued without a remap: reads, writes */
	uint64_t rmw_messages, rcw_messages, other_messages;
	struct btvi_pair pair;
};

/* How long something was in flight between two times. */
double btvi_device_busy_ns(const struct btvi_device *d, double from_ns, double to_ns);

/* What of the options concerns adding. */
struct btvi_device_options {
	uint64_t seek_sectors, keep_pause_ns;
	uint64_t first_sector, last_sector; /* inclusive */
	uint32_t buckets, map_columns, map_rows;
	bool keep_owners;
	bool map_seeks; /* only seeks enter the maps */
};

struct btvi_device *btvi_device_new(
	uint32_t device, const struct btvi_device_options *o, unsigned level);
void btvi_device_free(struct btvi_device *d);

/* The size of what a device is added up in, at a level. */
struct btvi_device_size {
	uint32_t buckets, map_columns, map_rows, heat_columns;
	uint32_t actors;
	unsigned coarse; /* histograms */
};
struct btvi_device_size btvi_device_size(const struct btvi_device_options *o, unsigned level);

/* The memory that a device takes at most at a level, but for its open I/Os and its processes'
 * histograms, which have limits of their own. */
size_t btvi_device_bytes(const struct btvi_device_options *o, unsigned level);

/* Gives a device without events the size of a level. */
void btvi_device_resize(struct btvi_device *d, const struct btvi_device_options *o, unsigned level);

/* Brings a device to a higher level: what is added up stays, what is finer than the level goes. */
enum btviz_status btvi_device_coarsen(
	struct btvi_device *d, const struct btvi_device_options *o, unsigned level);

/* From now on the device shares these with others than before. */
void btvi_device_share(
	struct btvi_device *d, struct btvi_quota *open_ios, struct btvi_quota *latencies);

/* Gives up following what is open; it is counted as open at the end. */
void btvi_device_close(struct btvi_device *d);

/* Adds an I/O event. With measure false it is only followed (outside of the window). */
enum btviz_status btvi_device_add(struct btvi_device *d, const struct btvi_device_options *o,
	const struct btviz_event *ev, bool measure);

enum btviz_status btvi_device_merge(
	struct btvi_device *d, const struct btvi_device *part, const struct btvi_device_options *o);

/* No event follows up to that time: what is open stays so. */
enum btviz_status btvi_device_end(struct btvi_device *d, uint64_t end_ns);

/* Takes I/Os for lost that by now are overtaken by far more than any that ended. */
enum btviz_status btvi_device_sweep(struct btvi_device *d);

/* Takes back, or puts back, what was added up while I/Os were open that pair found lost, or found
 * again, at now. */
enum btviz_status btvi_device_take_back(struct btvi_device *d, uint64_t now_ns);

/* Adds the failed I/Os of a part. */
void btvi_failed_merge(struct btvi_failed *into, const struct btvi_failed *part);

/* A better action came up: what was counted by the lesser one is dropped. */
void btvi_device_forget_moved(struct btvi_device *d);
void btvi_device_forget_place(struct btvi_device *d);

void btvi_device_count_error(struct btvi_device *d, int error, uint64_t count);

/* What is open at its end. */
struct btvi_tail btvi_device_tail(const struct btvi_device *d);

/* Adds the I/Os open at the end, by log2 of their age. */
void btvi_device_count_open(const struct btvi_device *d, uint64_t by_age[64]);

/* Likewise the time that they were open: as I/Os outstanding, as requests in flight. */
void btvi_device_open_time(
	const struct btvi_device *d, uint64_t outstanding_ns[64], uint64_t in_flight_ns[64]);

enum { BTVI_HEAT_ROWS = 512, BTVI_LEVELS = 8 };

/* Rows of the heat map: eight a doubling of the latency in ns. */
static inline uint32_t btvi_heat_row(uint64_t ns)
{
	if (ns < 16)
		return (uint32_t)ns;
	const unsigned top = 63U - (unsigned)__builtin_clzll(ns);

	return (top - 3) * 8 + (uint32_t)(ns >> (top - 3));
}

/* The lowest latency of a row, ns. */
static inline double btvi_heat_floor(uint32_t row)
{
	return row < 16 ? (double)row : (double)((uint64_t)(row % 8 + 8) << (row / 8 - 1));
}

static inline unsigned btvi_direction(enum btviz_op op)
{
	return op == BTVIZ_OP_READ     ? BTVIZ_DIR_READ
		: op == BTVIZ_OP_WRITE ? BTVIZ_DIR_WRITE
				       : BTVIZ_DIR_OTHER;
}

#endif
