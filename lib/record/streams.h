/* record/streams.h - NAME.<device>.blktrace.<cpu>: one file a device and CPU, as blktrace writes
 * them. Takes entries of the tracer's ring buffer, gives them sequence numbers, puts notes between
 * them, writes. */
#ifndef BTVI_RECORD_STREAMS_H
#define BTVI_RECORD_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <btviz/status.h>

#include "record/devices.h"
#include "record/process.h"
#include "trace/numbering.h"
#include "trace/ring.h"

struct btvi_stream_file {
	char *path;
	unsigned char *buffer; /* records not yet written */
	size_t size;
	uint64_t written; /* bytes in the file: whole records */
	int fd;           /* -1: closed for the moment */
	bool created;
	dev_t device; /* of the file that was created, */
	ino_t inode;  /* and which it is there */
};

struct btvi_streams {
	struct btvi_stream_file *streams; /* device after device, CPU after CPU */
	size_t stream_count, device_count, cpu_count, buffer_size;
	uint32_t *numbers; /* of the devices, and */
	bool *stamped;     /* whether its timestamp note is written */
	size_t *table;     /* device number to index + 1, open addressing */
	size_t table_size;
	struct btvi_numbering *numbering; /* of each CPU */
	struct btvi_processes processes;
	size_t open_count, open_max, evict; /* files open at once */
	uint64_t start_ns, wall_ns;         /* for the timestamp notes */
	uint64_t events, bytes, strangers;  /* written; of devices that are not ours */
	uint8_t version;                    /* of the records, 0: none yet */
};

/* Gets ready; cpus is the highest CPU number + 1. BTVIZ_ERR_NOMEM, BTVIZ_ERR_LIMIT. */
enum btviz_status btvi_streams_open(struct btvi_streams *s, const char *name,
	const struct btvi_devices *devices, size_t cpus, struct btviz_error *err);

/* Creates the files, empty, in the place of older ones. BTVIZ_ERR_IO: some may have been. */
enum btviz_status btvi_streams_create(struct btvi_streams *s, struct btviz_error *err);

/* One entry of a CPU's buffer. BTVIZ_ERR_IO: nothing more is
 * written, what is in the files is whole. */
enum btviz_status btvi_streams_put(struct btvi_streams *s, size_t cpu,
	const struct btvi_ring_entry *entry, struct btviz_error *err);

/* Events of this CPU are missing here. */
void btvi_streams_lose(struct btvi_streams *s, size_t cpu, uint64_t count);

/* Writes what is held back, as far as there is room for it. */
enum btviz_status btvi_streams_flush(struct btvi_streams *s, struct btviz_error *err);

/* Waits until all is on the disk. */
enum btviz_status btvi_streams_sync(struct btvi_streams *s, struct btviz_error *err);

/* Removes the files: of a recording that never began. */
void btvi_streams_remove(struct btvi_streams *s);

void btvi_streams_done(struct btvi_streams *s);

#endif
