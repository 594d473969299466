/* judge/profile.h - what one run was and did, in a few kilobytes that stay when its figures are
 * gone. Taken from figures alone; what two of them mean side by side is decided in likeness.c and
 * change.c. */
#ifndef BTVI_JUDGE_PROFILE_H
#define BTVI_JUDGE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/contrast.h>
#include <btviz/status.h>
#include <btviz/summary.h>

enum {
	BTVI_PROFILE_NAME = 40, /* bytes of a device's or a process's name */
	BTVI_PROFILE_TEXT = 256,
	BTVI_PROFILE_ARRAYS = 4,
	BTVI_PROFILE_MEMBERS = 24,
	BTVI_PROFILE_ACTORS = 16,
	BTVI_PROFILE_FINDINGS = 24,
};

/* How a figure is compared. */
struct btvi_trait {
	const char *name;  /* stable: "d2c_ms" */
	const char *title; /* "latency in the disks, average (D2C)" */
	const char *unit;  /* "ms", "MiB", "%" (of a share), "" */
	enum btviz_layer layer;
	bool tells;   /* a change of it speaks of its layer; else it follows from others */
	int worse;    /* 1: more is worse, -1: less is, 0: neither */
	double least; /* smaller differences never count; in its unit */
};

/* Figures of the run as a whole: of its top devices together, of all disks together. */
enum btvi_run_trait {
	BTVI_RUN_MB_PER_S,
	BTVI_RUN_IOS_PER_S,
	BTVI_RUN_TIME,
	BTVI_RUN_LATENCY,
	BTVI_RUN_LATENCY_P99,
	BTVI_RUN_READ,
	BTVI_RUN_WRITTEN,
	BTVI_RUN_READ_SIZE,
	BTVI_RUN_WRITE_SIZE,
	BTVI_RUN_READ_SHARE,
	BTVI_RUN_SEQUENTIAL,
	BTVI_RUN_FLUSHES,
	BTVI_RUN_FUA,
	BTVI_RUN_DISCARDS,
	BTVI_RUN_SUBMITTERS,
	BTVI_RUN_SUBMIT_GAPS,
	BTVI_RUN_IDLE,
	BTVI_RUN_DEPTH,
	BTVI_RUN_QUEUE_GAPS,
	BTVI_RUN_Q2D,
	BTVI_RUN_Q2D_SHARE,
	BTVI_RUN_MERGE_RATIO,
	BTVI_RUN_REQUEST_SIZE,
	BTVI_RUN_D2C,
	BTVI_RUN_D2C_P99,
	BTVI_RUN_DEVICE_GAPS,
	BTVI_RUN_DISK_SEEKS,
	BTVI_RUN_IN_FLIGHT,
	BTVI_RUN_ERRORS,
	BTVI_RUN_REQUEUES,
	BTVI_RUN_WRITEBACK,
	BTVI_RUN_RECLAIM,
	BTVI_RUN_TRAIT_COUNT,
};

/* Figures of an array. */
enum btvi_array_trait {
	BTVI_ARRAY_EFFECTIVE,
	BTVI_ARRAY_READ_AMPLIFICATION,
	BTVI_ARRAY_WRITE_AMPLIFICATION,
	BTVI_ARRAY_RMW,
	BTVI_ARRAY_OWN,
	BTVI_ARRAY_SPLITS,
	BTVI_ARRAY_ABOVE,
	BTVI_ARRAY_ABOVE_SHARE,
	BTVI_ARRAY_SLOWEST,
	BTVI_ARRAY_TRAIT_COUNT,
};

extern const struct btvi_trait btvi_run_traits[BTVI_RUN_TRAIT_COUNT];
extern const struct btvi_trait btvi_array_traits[BTVI_ARRAY_TRAIT_COUNT];

struct btvi_profile_array {
	char name[BTVI_PROFILE_NAME];
	char level[BTVI_PROFILE_NAME]; /* "" where not known */
	bool inferred;
	uint64_t chunk_bytes;
	size_t member_count; /* may be more than are kept here */
	char members[BTVI_PROFILE_MEMBERS][BTVI_PROFILE_NAME];
	double shares[BTVI_PROFILE_MEMBERS];
	double traits[BTVI_ARRAY_TRAIT_COUNT]; /* NaN where not known */
};

/* Processes of one name, numbers of workers left out. */
struct btvi_profile_actor {
	char name[BTVI_PROFILE_NAME];
	double mib;
};

struct btvi_profile_finding {
	char *name, *text;
	enum btviz_severity severity;
};

/* The gaps of one top device: the longest one by one, of each kind the sum of the others. */
struct btvi_profile_gap {
	enum btviz_gap_kind kind;
	double length_s;
};
struct btvi_profile_stretch {
	struct btvi_profile_gap *gaps;
	size_t gap_count;
	double rest_s[BTVIZ_GAP_KIND_COUNT];
};

/* What was left out in reading. */
struct btvi_profile_window {
	double start_s, end_s;           /* from the run's start; end NaN: to its end */
	double first_mib, last_mib;      /* last NaN: all offsets */
	char devices[BTVI_PROFILE_TEXT]; /* "": all */
};

struct btvi_profile {
	uint64_t fingerprint; /* equal only for one and the same recording, read the same way */
	double traits[BTVI_RUN_TRAIT_COUNT];
	char top[BTVI_PROFILE_NAME]; /* the busiest top device's name */
	char *devices;               /* names of the top devices and their disks, in order */
	struct btvi_profile_array arrays[BTVI_PROFILE_ARRAYS];
	size_t array_count;
	struct btvi_profile_actor actors[BTVI_PROFILE_ACTORS]; /* most bytes first */
	size_t actor_count;
	struct btvi_profile_finding findings[BTVI_PROFILE_FINDINGS];
	size_t finding_count;
	struct btvi_profile_stretch *stretches; /* one a top device */
	size_t stretch_count;
	double gap_threshold_s;     /* no shorter ones were counted */
	double first_mib, last_mib; /* offsets touched on the busiest top device; NaN: none */
	double data_ios;            /* reads and writes that moved */
	struct btvi_profile_window window;
	uint64_t lost, unpaired, damage; /* events missing; I/Os that do not pair; other damage */
	uint64_t events;
	uint32_t masked; /* 1 << enum btviz_station */
	bool fua_missing;
	char command[BTVI_PROFILE_TEXT], kernel[BTVI_PROFILE_TEXT];
};

/* Fills *p from the figures of a run. BTVIZ_OK (free it with btvi_profile_done()) or
 * BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_profile_take(
	const struct btviz_figures *f, struct btvi_profile *p, struct btviz_error *err);
void btvi_profile_done(struct btvi_profile *p);

/* Time in gaps of some kinds (bits 1 << enum btviz_gap_kind) that are not shorter than the
 * threshold, of the top device with most of it. */
double btvi_profile_gap_time(const struct btvi_profile *p, unsigned kinds, double threshold_s);

/* The kinds that are a standstill. */
enum { BTVI_STANDSTILL = 1 << BTVIZ_GAP_SUBMIT | 1 << BTVIZ_GAP_QUEUE | 1 << BTVIZ_GAP_DEVICE };

#endif
