/* base/quantity.h - figures as text for people: the point is always a point, whatever the locale of
 * the program that links the library. A figure that does not exist (NaN) is "n/a". Each function
 * returns out. */
#ifndef BTVI_BASE_QUANTITY_H
#define BTVI_BASE_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room enough for every function here. */
#define BTVI_QUANTITY_SIZE 40

/* value with exactly so many digits behind the point. */
const char *btvi_quantity_fixed(double value, unsigned decimals, char out[BTVI_QUANTITY_SIZE]);

/* "20,378". */
const char *btvi_quantity_count(uint64_t count, char out[BTVI_QUANTITY_SIZE]);

/* "seven" up to twelve, then digits: for counts inside a sentence. */
const char *btvi_quantity_words(uint64_t count, char out[BTVI_QUANTITY_SIZE]);

/* Seconds as "1.53 s", "8.6 s", "12.3 ms", "45.0 µs". */
const char *btvi_quantity_duration(double seconds, char out[BTVI_QUANTITY_SIZE]);

/* Bytes as "4.6 MiB": powers of two, as offsets and sizes are written. */
const char *btvi_quantity_bytes(double bytes, char out[BTVI_QUANTITY_SIZE]);

/* Bytes a second as "22.5 MB/s": powers of ten, as dd prints them. */
const char *btvi_quantity_rate(double bytes_per_s, char out[BTVI_QUANTITY_SIZE]);

/* A share 0..1 as "65 %"; one digit behind the point below 10 %. */
const char *btvi_quantity_share(double share, char out[BTVI_QUANTITY_SIZE]);

/* Whether the blank at text[at] stands between a number and its unit, where no line is broken. */
bool btvi_quantity_tied(const char *text, size_t at);

#endif
