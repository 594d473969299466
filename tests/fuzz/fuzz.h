/* fuzz.h - what a fuzz target defines, and what it may use.
 *
 * A target is one function that takes bytes and must come back: no crash, no leak, bounded time and
 * memory, and every promise of the interface kept, which it states with require(). libFuzzer runs
 * it (tests/fuzz/run.sh); in every other build fuzz_main.c replays files through it. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In targets that know what their inputs are made of: see mutate.h. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
	uint8_t *out, size_t max_size, unsigned seed);

/* libFuzzer's own mutation of bytes; fuzz_main.c has a simple one. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

enum { FUZZ_PATH_SIZE = 64 };

/* A file in memory with such content, for functions that want a path; to be closed. */
static inline int fuzz_file(const uint8_t *data, size_t size, char path[FUZZ_PATH_SIZE])
{
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, FUZZ_PATH_SIZE, "/proc/self/fd/%d", fd);
	return fd;
}

/* Stands between the streams of one input of the target "trace". */
#define FUZZ_STREAM_MARK "\n--stream--\n"
enum {
	FUZZ_STREAM_MARK_SIZE = sizeof FUZZ_STREAM_MARK - 1,
	FUZZ_TRACE_HEAD = 8, /* bytes of options before the first stream, or the first brace */
};

#define require(promise)                                                                        \
	do {                                                                                    \
		if (!(promise)) {                                                               \
			fprintf(stderr, "%s:%d: not kept: %s\n", __FILE__, __LINE__, #promise); \
			abort();                                                                \
		}                                                                               \
	} while (0)

#endif
