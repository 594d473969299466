/* summary.h - what a run did, in bounded memory.
 *
 * A summary takes events and keeps none of them: it follows each I/O from its queueing to its
 * completion and adds to counters, time buckets, a seek map, histograms and a list of gaps. Its
 * size depends on the number of devices, not on the length of the trace. Summaries merge: the
 * summary of one device and that of another give the summary of both.
 *
 * Two ways to look at one. btviz_summary_figures() gives a tree of plain structs: totals,
 * latencies, gaps, arrays, processes. btviz_summary_series(), _map() and _heat() give courses over
 * time, resampled to as many cells as the caller has pixels.
 *
 * Arrays of structs are handed out as lists of pointers, since the structs may grow at their end:
 * figures->devices[i]->name. Arrays indexed by an enumeration have more room (BTVIZ_..._ROOM) than
 * it has values (BTVIZ_..._COUNT), since those may become more; go from 0 to _COUNT. Of fixed size
 * for ever are only struct btviz_count, btviz_distribution, btviz_gap_total and btviz_error_count.
 *
 * Times are nanoseconds on the trace's own clock; figures->origin_ns is the run's first I/O event.
 * Seconds (…_s) are relative to it. A figure that does not exist is NaN, or a count of 0 in a
 * struct whose count says so; never a made-up 0. */
#ifndef BTVIZ_SUMMARY_H
#define BTVIZ_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/event.h>
#include <btviz/samples.h>
#include <btviz/status.h>
#include <btviz/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

struct btviz_summary;

struct btviz_summary_options {
	size_t size;               /* = sizeof of this struct, set by BTVIZ_SUMMARY_OPTIONS_INIT */
	uint64_t gap_threshold_ns; /* 0: adapts to the run's ordinary pauses, never below 50 ms */
	uint64_t seek_sectors;     /* farther than this from the last I/O's end is a seek; 0: 128 */
	uint64_t start_ns,
		end_ns; /* window relative to the run's first I/O event; end 0: to the end */
	uint64_t first_sector, last_sector; /* only I/Os that touch these; last 0: all */
	const char *const *devices;         /* only these: names ("md0") or numbers ("9,0") */
	size_t device_count;                /* 0: all */
	unsigned jobs; /* threads of btviz_summary_read(), 0: one a core; no figure depends on it */
	unsigned map_columns, map_rows; /* cells of the seek map, powers of two; 0: 1024 x 512 */
	bool map_owners; /* remember which process touched each cell (twice the memory) */
	bool map_seeks;  /* the seek map holds only the I/Os that are seeks */
};
#define BTVIZ_SUMMARY_OPTIONS_INIT                                                               \
	{                                                                                        \
		sizeof(struct btviz_summary_options), 0, 0, 0, 0, 0, 0, NULL, 0, 0, 0, 0, false, \
			false                                                                    \
	}

/* ---- making one ---------------------------------------------------------------------------- */

/* Reads the trace that NAME stands for (see btviz_trace_open(); a saved summary is taken as it is)
 * and summarises it, devices side by side on several cores. Either options may be NULL.
 * BTVIZ_OK: *ret_s is the caller's. BTVIZ_ERR_EMPTY: no I/O event in it, or none in the window; all
 * errors of btviz_trace_open() and btviz_trace_next(). Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_summary_read(const char *name,
	const struct btviz_trace_options *trace_options,
	const struct btviz_summary_options *options, struct btviz_summary **ret_s,
	struct btviz_error *err);

/* An empty summary to be filled with btviz_summary_add(). options may be NULL. BTVIZ_OK: *ret_s is
 * the caller's, free it with btviz_summary_free() (NULL is nothing). BTVIZ_ERR_USAGE (options that
 * make no sense), BTVIZ_ERR_NOMEM. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_summary_new(const struct btviz_summary_options *options,
	struct btviz_summary **ret_s, struct btviz_error *err);
BTVIZ_EXPORT void btviz_summary_free(struct btviz_summary *s);

/* Adds one event, note or I/O; in time order. It need not come from this library: of an event of
 * your own all that you do not set must be zero; time_ns, sector, bytes, categories, device and
 * event are what it takes at least. BTVIZ_OK or BTVIZ_ERR_NOMEM. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_summary_add(
	struct btviz_summary *s, const struct btviz_event *ev, struct btviz_error *err);

/* Adds what a trace or decoder met to the summary's own health, once at its end. health is as
 * btviz_trace_health() or btviz_decoder_health() handed it out, no copy. Since 0.1. */
BTVIZ_EXPORT void btviz_summary_add_health(
	struct btviz_summary *s, const struct btviz_health *health);

/* Names a device, e.g. from a file's base; a later name wins. The name is copied and made
 * printable. BTVIZ_OK or BTVIZ_ERR_NOMEM. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_summary_name_device(
	struct btviz_summary *s, uint32_t device, const char *name, struct btviz_error *err);

/* Adds all of part to s; part stays as it is. Parts may be other devices, or later times of the
 * same ones: counts, buckets, maps and histograms are then exactly those of the whole; an I/O that
 * is open where the parts meet is counted as cut off in both. Both must have been made with the
 * same options. BTVIZ_OK, BTVIZ_ERR_NOMEM, BTVIZ_ERR_USAGE (different options). Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_summary_merge(
	struct btviz_summary *s, const struct btviz_summary *part, struct btviz_error *err);

/* ---- figures ------------------------------------------------------------------------------- */

enum btviz_basis { BTVIZ_BASIS_NONE, BTVIZ_BASIS_QUEUE, BTVIZ_BASIS_ISSUE, BTVIZ_BASIS_COMPLETE };
enum btviz_role { BTVIZ_ROLE_DISK, BTVIZ_ROLE_PARTITION, BTVIZ_ROLE_MEMBER, BTVIZ_ROLE_ARRAY };

/* "", "queue", "issue", "complete"; "disk", "partition", "member", "array". These names and those
 * of the other enumerations are the words of the report's JSON and CSV, and stay; "?" stands for a
 * value that this library does not know. Never NULL. Since 0.1. */
BTVIZ_EXPORT const char *btviz_basis_name(enum btviz_basis basis);
BTVIZ_EXPORT const char *btviz_role_name(enum btviz_role role);

/* Stations at which I/Os are counted; M and F together are merges. */
enum btviz_station {
	BTVIZ_QUEUED,
	BTVIZ_MERGED,
	BTVIZ_ISSUED,
	BTVIZ_REQUEUED,
	BTVIZ_COMPLETED,
	BTVIZ_STATION_COUNT,
};
#define BTVIZ_STATION_ROOM 8

/* "queued", "merged", "issued", "requeued", "completed". Never NULL. Since 0.1. */
BTVIZ_EXPORT const char *btviz_station_name(enum btviz_station station);

/* Latencies, by the letters of the two actions; btt's names. Q2Q is the pause between two
 * queueings. */
enum btviz_interval {
	BTVIZ_Q2Q,
	BTVIZ_Q2G,
	BTVIZ_G2I,
	BTVIZ_Q2M,
	BTVIZ_I2D,
	BTVIZ_M2D,
	BTVIZ_D2C,
	BTVIZ_Q2C,
	BTVIZ_Q2D,
	BTVIZ_INTERVAL_COUNT,
};
#define BTVIZ_INTERVAL_ROOM 16

/* "q2q", "d2c" ... Never NULL. Since 0.1. */
BTVIZ_EXPORT const char *btviz_interval_name(enum btviz_interval interval);

/* Directions of latencies; all is their sum. Discards, flushes, zone operations are "other". */
enum btviz_direction {
	BTVIZ_DIR_READ,
	BTVIZ_DIR_WRITE,
	BTVIZ_DIR_OTHER,
	BTVIZ_DIR_ALL,
	BTVIZ_DIR_COUNT
};
#define BTVIZ_DIR_ROOM 6

/* "read", "write", "other", "all". Never NULL. Since 0.1. */
BTVIZ_EXPORT const char *btviz_direction_name(enum btviz_direction direction);

struct btviz_count {
	uint64_t ios, bytes;
};

/* A distribution of times in seconds, or of sizes in bytes. Quantiles are within 1 %. NaN if count
 * is 0. */
struct btviz_distribution {
	uint64_t count;
	double min, avg, p50, p90, p99, p999, max;
};

enum btviz_gap_kind {
	BTVIZ_GAP_SUBMIT,
	BTVIZ_GAP_QUEUE,
	BTVIZ_GAP_DEVICE,
	BTVIZ_GAP_SLOW,
	BTVIZ_GAP_KIND_COUNT
};
#define BTVIZ_GAP_KIND_ROOM 8

/* "submit", "queue", "device", "slow". Never NULL. Since 0.1. */
BTVIZ_EXPORT const char *btviz_gap_kind_name(enum btviz_gap_kind kind);

struct btviz_gap {
	enum btviz_gap_kind kind;
	uint64_t start_ns, end_ns; /* trace clock */
	double start_s, end_s;     /* from the origin */
	double idle_s;             /* submit: the part in which nothing was outstanding; else 0 */
	uint32_t outstanding;      /* I/Os outstanding at its start */
	uint32_t member; /* device number of the member that held it, 0: none or not known */
	uint32_t before_pid, after_pid; /* who submitted last before and first after; 0: unknown */
	const char *before_comm, *after_comm; /* "" where no name is known */
	/* Since 0.2. */
	uint32_t flushes;         /* submit: flushes that were queued in it */
	bool between_programs;    /* submit: who submitted before it was not seen again, who
				     submitted after it had not been seen yet */
	bool continued;           /* submit: somebody submitted both before and after it */
	uint64_t disks_ios;       /* submit: what all disks traced completed in its idle part, */
	uint64_t disks_bytes;     /* whoever asked for it (to the width of a time bucket) */
	double disks_busy_s;      /* submit: and how long the busiest of them was busy */
	uint32_t members_stalled; /* device: of those below, how many stalled: with one, it is
				     member; 0: not known */
};

struct btviz_gap_total {
	uint64_t count;
	double total_s;
};

struct btviz_error_count {
	int error; /* negative errno */
	uint64_t count;
};

/* I/Os that were completed with an error. Of fixed size for ever. Since 0.2. */
struct btviz_failed {
	uint64_t ios;
	double first_s, last_s;             /* from the origin; NaN without any */
	uint64_t first_sector, last_sector; /* lowest and highest */
};

struct btviz_device {
	uint32_t device;
	const char *name; /* "sdb", or "8,16" */
	enum btviz_role role;
	bool request_based; /* has G or D: a disk; else a bio device (md, dm) or a masked trace */
	const uint32_t *parents; /* arrays that this is a member of */
	size_t parent_count;
	enum btviz_basis basis; /* what throughput counts */

	uint64_t events;
	uint64_t first_ns, last_ns; /* of its I/O events */
	/* raw counts, as blkparse's */
	struct btviz_count actions[BTVIZ_OP_ROOM][BTVIZ_STATION_ROOM];
	/* what throughput and IO/s count: by basis, without errors */
	struct btviz_count moved[BTVIZ_DIR_ROOM];
	uint64_t gets, inserts, splits, remaps, plugs, unplugs, timer_unplugs;
	uint64_t flushes, fua; /* flush requests queued; FUA writes queued (issued where no Q) */
	uint64_t seeks;        /* in issue order (queue order where there is no D) */
	struct btviz_distribution
		seek_sectors; /* distances of all I/Os, 0 for sequential ones; sectors */
	struct btviz_distribution queued_bytes[BTVIZ_DIR_ROOM], issued_bytes[BTVIZ_DIR_ROOM];
	struct btviz_distribution latency[BTVIZ_INTERVAL_ROOM][BTVIZ_DIR_ROOM]; /* s */
	double outstanding_avg,
		outstanding_max; /* I/Os queued and not completed; NaN: cannot be known */
	double in_flight_avg, in_flight_max; /* requests issued and not completed */
	double utilisation; /* share of the span in which something was in flight (bio device:
			       outstanding) */
	double merge_ratio; /* bios a request: queued / issued, data only; NaN without either */
	const struct btviz_error_count *errors;
	size_t error_count;

	/* What does not pair: at the trace's ends, or lost. */
	uint64_t cut_head; /* completions of what was under way when the trace began */
	uint64_t cut_tail; /* under way when it ended */
	uint64_t unpaired; /* in its middle: the suspected loss */
	uint64_t given_up; /* open I/Os dropped since the table was full, or long overtaken */

	const struct btviz_gap *const *gaps; /* the longest, in order of time; all kinds */
	size_t gap_count;
	struct btviz_gap_total gap_totals[BTVIZ_GAP_KIND_ROOM]; /* all, kept or not */
	double gap_threshold_s;

	uint64_t map_first_sector,
		map_last_sector; /* what the seek map covers; first > last: nothing */

	uint64_t stream_cpus; /* CPUs below 64 of which there is a stream that is not empty, a bit
				 each; 0 where streams are not of single CPUs. Since 0.2 */
	/* Since 0.2. */
	struct btviz_failed failed[BTVIZ_DIR_ROOM];
	uint64_t open_ios, open_requests; /* under way when the recording ended, but for what is
					     taken for lost; */
	double open_since_s;              /* the oldest of them, NaN: none; */
	uint32_t open_pid;                /* and whose it is, 0: not known */
	const char *open_comm;            /* "" where no name is known */
	/* I/Os whose completion is taken for lost, since others that began much later ended (of
	 * unpaired); when the first and the last of them began. They count neither for depth, busy
	 * time nor gaps. */
	uint64_t lost_ios, lost_first_ns, lost_last_ns;
	uint64_t repeats;        /* completions and issues told more than once; they count once */
	uint64_t unclear_pauses; /* in which so many were lost that their kind is not known */
};

/* How one member took part in its array. */
struct btviz_member {
	uint32_t device;
	const char *name;
	bool traced;                    /* has events, or at least a stream, of its own */
	double bytes_share;             /* of all members' bytes, 0..1 */
	struct btviz_count read, write; /* completed on the member (by its basis) */
	struct btviz_count remapped;    /* what remaps from the array brought */
	struct btviz_count
		own; /* queued without a remap from anywhere: metadata, resync before 2.6 … */
	double latency_avg_s; /* D2C, NaN if unknown */
	double utilisation, seeks_per_s;
};

struct btviz_array {
	uint32_t device;
	const char *name;
	const struct btviz_member *const *members;
	size_t member_count;
	double effective_members; /* (sum of bytes)^2 / sum of bytes^2, over the whole run; NaN
				     without bytes */
	double skew;              /* largest member's bytes / the average member's */
	const char *level;        /* "raid0" …, NULL if not known */
	uint64_t chunk_bytes;     /* 0 if not known */
	bool inferred; /* level and chunk were inferred from the remaps, not told by metadata */
	double read_amplification,
		write_amplification; /* members' bytes / the array's; NaN if the array has none */
	uint64_t rmw_read_bytes;     /* members' reads that no read of the array explains */
	uint64_t own_bytes;          /* members' traffic that the array did not ask for */
	uint64_t rmw_messages, rcw_messages; /* md's own words on it, where they are in the trace */
	double above_s, in_members_s; /* an array I/O's average time above the members, and in them;
					 estimate, or NaN */
	uint32_t slowest_member;      /* by D2C, 0 if none stands out */
	double slowest_ratio; /* its average D2C / the median of its siblings', NaN if unknown */
	/* Since 0.2: */
	const char *layout; /* "near 2", "left-symmetric" …, NULL: it has none, or not known */
	unsigned layout_devices; /* that it is laid out over, traced or not; 0: not known */
	unsigned data_members;   /* that a row's data lie on, without parity and copies; 0: not
				    known */
	/* What md did by itself: "rebuild" (of sync_member, or a resync onto it), "check" (or a
	 * resync that found nothing to mend), "resync" (or repair, or reshape); NULL: nothing that
	 * can be told. Only what cannot have been asked for is counted. */
	const char *sync;
	uint32_t sync_member; /* 0: all */
	double sync_start_s, sync_end_s;
	uint64_t sync_read_bytes, sync_write_bytes; /* of all members */
	double sync_bytes_per_s; /* of the member that moved most, from start to end */
	/* The array was used meanwhile: with parity, bytes and rate are lower bounds then. */
	bool sync_asked;
};

struct btviz_process {
	uint32_t pid;     /* 0 with an own name "others" for those beyond the limit */
	const char *comm; /* "" where no name is known */
	struct btviz_count read, write,
		other;  /* queued by it (issued where no Q), on the top devices */
	uint64_t seeks; /* within its own I/O: farther than the seek distance from its own last
			   one's end */
	struct btviz_distribution latency; /* Q2C */
	uint64_t cgroup_id;                /* 0: none or several */
	double first_s, last_s; /* when it submitted first and last, from the origin. Since 0.2. */
};

struct btviz_cgroup {
	uint64_t id;
	struct btviz_count read, write, other;
	struct btviz_distribution latency;
};

struct btviz_message {
	uint64_t time_ns;
	double time_s;
	uint32_t device;
	const char *text; /* printable UTF-8 */
};

/* What the machine's memory did in the gaps of submission and outside of them, from the samples
 * that the recorder took (NAME.samples.csv); NaN without samples or gaps. Not kept in saved
 * summaries. */
struct btviz_memory {
	double writeback_in_gaps, writeback_outside; /* nr_writeback, pages on average */
	double reclaim_in_gaps, reclaim_outside;     /* pgscan_direct, pages a second */
};

struct btviz_figures {
	uint64_t origin_ns; /* the run's first I/O event on the trace's clock: second 0 */
	uint64_t start_ns;  /* where the window begins: the origin, if none was asked for */
	uint64_t end_ns;  /* the last I/O event in it; of a window that the run goes beyond: its end
			   */
	double span_s;    /* from start to end */
	bool has_wall;    /* wall clock known: */
	int64_t wall_sec; /* of the origin, seconds since 1970 */
	uint32_t wall_nsec;
	const char *command; /* what was traced, from the metadata file, or NULL */
	const char *kernel;  /* its kernel, from there, or NULL */
	bool fua_missing; /* a version-7 recording of a kernel that leaves FUA writes out of those
			   */
	const struct btviz_health *health; /* what was met in reading, never NULL */
	uint64_t suspected_loss;           /* I/Os that do not pair in the middle of the run */
	uint32_t categories_missing;       /* stations that the trace's mask left out: 1 << enum
					      btviz_station */

	/* arrays first, each followed by its members; then the others */
	const struct btviz_device *const *devices;
	size_t device_count;
	const struct btviz_array *const *arrays;
	size_t array_count;
	const struct btviz_process *const *processes; /* most bytes first */
	size_t process_count;
	const struct btviz_cgroup *const *cgroups;
	size_t cgroup_count;
	const struct btviz_message *const *messages; /* in order of time, at most 512 */
	size_t message_count;
	uint64_t messages_total;
	const struct btviz_memory *memory; /* never NULL */
	const size_t *top; /* indices of devices that no other device was remapped from: what a
			      picture shows */
	size_t top_count;
	const struct btviz_summary_options *options; /* what the summary was made with. Since 0.2 */
	double recorder_end_s; /* when the recorder or the traced program ended, from the origin;
				  NaN: not known. Since 0.2 */
};

/* Computes the figures of all that was added so far. Borrowed: valid until s is changed or freed.
 * BTVIZ_OK, BTVIZ_ERR_EMPTY (no I/O event), BTVIZ_ERR_NOMEM. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_summary_figures(
	struct btviz_summary *s, const struct btviz_figures **ret_f, struct btviz_error *err);

/* What the recorder sampled of memory and CPUs beside the trace that s was read from, on its clock;
 * NULL: there is nothing (BTVIZ_ERR_NOT_FOUND), or nothing that can be read, as err says, which may
 * be NULL. Borrowed: valid until s is freed. Since 0.2. */
BTVIZ_EXPORT const struct btviz_samples *btviz_summary_samples(
	const struct btviz_summary *s, struct btviz_error *err);

/* ---- courses over time --------------------------------------------------------------------- */

enum btviz_course {
	BTVIZ_COURSE_BYTES,       /* bytes a second, by the device's basis */
	BTVIZ_COURSE_IOS,         /* I/Os a second, by the device's basis */
	BTVIZ_COURSE_SEEKS,       /* seeks a second, by what sought */
	BTVIZ_COURSE_OUTSTANDING, /* I/Os, time-weighted average (direction ignored) */
	BTVIZ_COURSE_IN_FLIGHT,   /* requests, time-weighted average (direction ignored) */
	BTVIZ_COURSE_BUSY, /* share of time with something in flight, 0..1 (direction ignored) */
	BTVIZ_COURSE_SIZE, /* average bytes of an I/O issued (queued where no D) */
	BTVIZ_COURSE_LATENCY_P50, /* seconds; D2C, or Q2C on bio devices (direction ignored) */
	BTVIZ_COURSE_LATENCY_P99,
	BTVIZ_COURSE_EFFECTIVE, /* arrays: effective members (direction ignored) */
	BTVIZ_COURSE_MERGES,    /* merges a second */
	BTVIZ_COURSE_OUTSTANDING_MAX,
	BTVIZ_COURSE_QUEUE_LATENCY, /* seconds, average Q2C of I/Os completed in the cell (await) */
	BTVIZ_COURSE_MERGE_RATIO,   /* bios a request completed; bio devices: NaN */
};

/* Fills out[0..cells) with the course of figures->devices[device] from start_ns to end_ns (trace
 * clock), each cell the average over its stretch. NaN where there is no data (a size or latency
 * without an I/O). direction: BTVIZ_DIR_READ, _WRITE, _OTHER (bytes of discards and the like) or
 * _ALL (reads and writes). The data's own resolution is btviz_summary_resolution().
 * BTVIZ_OK or BTVIZ_ERR_USAGE. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_summary_series(struct btviz_summary *s, size_t device,
	enum btviz_course course, enum btviz_direction direction, uint64_t start_ns,
	uint64_t end_ns, size_t cells, double *out);

/* Width of the time buckets behind series, map and heat, ns; finer cells only repeat what is in
 * them. Since 0.1. */
BTVIZ_EXPORT uint64_t btviz_summary_resolution(struct btviz_summary *s);

/* Fills out[rows][columns] (row 0: lowest sectors) with the sectors touched in each cell of the
 * given stretch of time and place of a device; 0 where none. op: BTVIZ_OP_READ, _WRITE or _DISCARD.
 * owners, where not NULL, gets the pid of a process that touched the cell most, 0 for none.
 * BTVIZ_OK or BTVIZ_ERR_USAGE. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_summary_map(struct btviz_summary *s, size_t device,
	enum btviz_op op, uint64_t start_ns, uint64_t end_ns, size_t columns, uint64_t first_sector,
	uint64_t last_sector, size_t rows, float *out, uint32_t *owners);

/* Fills out[rows][columns] (row 0: shortest) with the number of I/Os that completed in each cell of
 * time × latency, rows on a log scale from min_s to max_s. D2C, or Q2C on bio devices.
 * BTVIZ_OK or BTVIZ_ERR_USAGE. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_summary_heat(struct btviz_summary *s, size_t device,
	uint64_t start_ns, uint64_t end_ns, size_t columns, double min_s, double max_s, size_t rows,
	float *out);

/* ---- saved summaries ----------------------------------------------------------------------- */

/* Writes s to a file that every function which reads a trace takes instead of one (gzip-compressed
 * JSON of kilobytes): over a temporary file beside it and a rename, as btviz_plot_write_file().
 * BTVIZ_OK, BTVIZ_ERR_IO, BTVIZ_ERR_NOMEM. Since 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_summary_save(
	struct btviz_summary *s, const char *path, struct btviz_error *err);

#ifdef __cplusplus
}
#endif
#endif
