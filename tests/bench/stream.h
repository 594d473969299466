/* stream.h - the per-CPU files of a generated trace: version 7 records, in the kernel's layout. */
#ifndef BENCH_STREAM_H
#define BENCH_STREAM_H

#include <stddef.h>
#include <stdint.h>

struct record {
	uint64_t time_ns, sector;
	uint32_t bytes, action, pid, device;
	const void *payload;
	size_t payload_size;
};

/* One file for each of devices × cpus, named DIR/<names[d]>.blktrace.<cpu>. Opened only while bytes
 * are written, so that thousands of them need no descriptors. Every function exits on failure. */
struct streams;

struct streams *streams_new(const char *dir, char (*names)[16], unsigned devices, unsigned cpus);
void streams_free(struct streams *s); /* writes what is still held back */

/* Appends a record to device index d's stream of a CPU. Its time is moved up to just after the
 * CPU's previous record where it is not later, as no CPU does two things at once; returns that
 * time. Events are numbered from 1, notes (NOTIFY category) have the number 0. */
uint64_t streams_put(struct streams *s, unsigned d, unsigned cpu, const struct record *r);

uint64_t streams_events(const struct streams *s); /* notes not counted */
uint64_t streams_bytes(const struct streams *s);

#endif
