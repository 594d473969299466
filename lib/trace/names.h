/* trace/names.h - what the names of trace files say: base, CPU, device. No input. */
#ifndef BTVI_TRACE_NAMES_H
#define BTVI_TRACE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* "DIR/md0.blktrace.3.gz": base "DIR/md0" (base_size bytes of the name), CPU 3, packed. Streams
 * saved from tracefs, "DIR/cpu3.raw" and "DIR/cpu3.bin", have the base "DIR/cpu". */
struct btvi_cpu_name {
	size_t base_size;
	int cpu;
	bool packed; /* has the suffix of a compressed file */
};

/* False where name is not that of a per-CPU file. The last ".blktrace." counts. */
bool btvi_cpu_name_parse(const char *name, struct btvi_cpu_name *ret);

/* Bytes of name without a ".blktrace" or ".blktrace." at its end; its length where there is none.
 */
size_t btvi_name_without_blktrace(const char *name);

/* Bytes of the name that stand for the lane of a file that is none of blktrace's per-CPU files: all
 * of it, but what was saved from tracefs CPU by CPU (cpu0.raw, cpu1.raw; cpu0.bin) belongs
 * together. */
size_t btvi_name_lane(const char *name);

/* The device that a base is named after, NUL-terminated in out: the last path component, without
 * what stands before "..dev." (seekwatcher), without the run's name and a dot where run is not
 * NULL, and with "cciss_c0d0" turned back into "cciss/c0d0". Cut to out_size - 1 bytes. */
void btvi_name_device(const char *base, const char *run, char *out, size_t out_size);

#endif
