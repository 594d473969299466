/* measure/summary.h - a run in memory: its devices, names, messages, and the figures made of them.
 */
#ifndef BTVI_MEASURE_SUMMARY_H
#define BTVI_MEASURE_SUMMARY_H

#include <btviz/samples.h>
#include <btviz/summary.h>

#include "base/limits.h"
#include "measure/device.h"
#include "model/thread_names.h"

enum { BTVI_MAP_CELLS_MAX = 4096 }; /* columns, or rows */

struct btvi_message {
	uint64_t time_ns;
	uint32_t device;
	char text[BTVI_MESSAGE_BYTES * 3 + 1];
};

/* What a metadata file told of an array. */
struct btvi_array_facts {
	uint32_t device;
	char level[32];
	uint64_t chunk_bytes;
};

struct btviz_summary {
	struct btviz_summary_options options; /* .devices points into filter */
	char **filter;
	struct btvi_device_options device_options;

	/* Where the run begins, if it is known beforehand (a window is relative to it). */
	bool has_origin;
	uint64_t origin_ns;

	struct btvi_device **devices;
	size_t device_count, device_capacity;
	unsigned level; /* of new devices; others have at least it */
	size_t lanes;   /* parts of the run that are read like this one; it has an equal
			   share of every limit */
	struct btvi_quota open_ios, latencies;
	size_t last_device;        /* index of the one asked for last */
	uint64_t devices_left_out; /* events of devices beyond the limit */

	struct btvi_names names;
	struct btvi_message *messages; /* sorted by time */
	size_t message_count;
	uint64_t messages_total;
	struct {
		bool known;
		uint64_t time_ns;
		uint32_t sec, nsec;
	} wall; /* the earliest wall-clock note */
	struct btviz_health health;

	struct btvi_array_facts *facts;
	size_t fact_count;
	char *command, *kernel;
	struct btviz_samples *samples; /* NULL: none, for this reason: */
	struct btviz_error samples_err;
	bool fua_missing;
	bool window_over;         /* the run goes on behind the window's end */
	uint64_t recorder_end_ns; /* from the metadata; 0: not known */

	struct btvi_figures *figures; /* NULL: to be computed */
};

/* A caller's options of any age, or NULL, as this library's. BTVIZ_OK or BTVIZ_ERR_USAGE. */
enum btviz_status btvi_summary_options(const struct btviz_summary_options *given,
	struct btviz_summary_options *ret_o, struct btviz_error *err);

/* What is added to is one of so many parts of a run; to be called before anything is. 1: the whole
 * run. */
void btvi_summary_share(struct btviz_summary *s, size_t lanes);

/* An event behind the window's end has been met: what is open is so up to that end. */
enum btviz_status btvi_summary_end_window(struct btviz_summary *s);

/* All is read: gives up what takes memory while it is open. */
void btvi_summary_close(struct btviz_summary *s);

/* The device of a number, made if need be; NULL when out of memory or over the limit. */
struct btvi_device *btvi_summary_device(struct btviz_summary *s, uint32_t device);

/* Adds an I/O event of d, a device of s; for who knows it already. */
enum btviz_status btvi_summary_add_io(
	struct btviz_summary *s, struct btvi_device *d, const struct btviz_event *ev);

/* Merges part into s and frees it: cheaper, since what only part has need not be copied. */
enum btviz_status btvi_summary_absorb(
	struct btviz_summary *s, struct btviz_summary *part, struct btviz_error *err);

/* Whether all that is asked for lies before this time (the window is over). */
bool btvi_summary_is_over(const struct btviz_summary *s, uint64_t time_ns);

void btvi_figures_free(struct btvi_figures *f);

#endif
