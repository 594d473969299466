/* record/metadata_write.h - NAME.btviz.json as the recorder writes it; beside/metadata.c reads it.
 */
#ifndef BTVI_RECORD_METADATA_WRITE_H
#define BTVI_RECORD_METADATA_WRITE_H

#include <btviz/status.h>

#include "record/devices.h"

/* What the recorder knows when it writes the file: once at the start (finished false), once at the
 * end. */
struct btvi_metadata_out {
	const char *kernel, *host, *backend;
	const char *const *argv; /* NULL: no program */
	const struct btvi_devices *devices;
	bool finished, fua_missing;
	bool has_exit_status;
	int exit_status;
	int record_version; /* 7, 8, 0: none was written */
	uint64_t start_ns, end_ns;
	uint64_t wall_start_ns; /* since 1970, UTC */
	uint64_t events, lost_events, bytes;
	const uint64_t *cpu_lost; /* of each CPU; NULL: not known */
	size_t cpu_count;
	double user_s, system_s;
	uint64_t max_rss_bytes;
	double recorder_cpu_s;
	uint64_t recorder_wakeups;
	uint64_t buffer_kb;
	uint64_t sample_interval_ns; /* 0: no samples */
};

/* Writes it to path, by way of a file beside it that is renamed. */
enum btviz_status btvi_metadata_write(
	const char *path, const struct btvi_metadata_out *out, struct btviz_error *err);

#endif
