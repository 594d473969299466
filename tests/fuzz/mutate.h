/* mutate.h - changes to an input that know what it is made of. Each takes and returns what
 * libFuzzer's functions of the like name do, and leaves some of its turns to libFuzzer's own
 * mutation. */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* A stream of records of blktrace, or several. */
size_t mutate_records(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* The records of a up to some, then those of b from some on. */
size_t mutate_join_records(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
	uint8_t *out, size_t max_size, unsigned seed);

/* Text whose numbers and fields matter: JSON, CSV. */
size_t mutate_text(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#endif
