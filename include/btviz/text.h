/* text.h - text out of a trace, made safe to show.
 *
 * Names of processes and messages are bytes that anybody could have chosen, perhaps to move a
 * terminal's cursor. Whoever prints them should print this instead. */
#ifndef BTVIZ_TEXT_H
#define BTVIZ_TEXT_H

#include <stddef.h>

#include <btviz/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Copies size bytes of foreign text into out (at most out_size - 1 bytes and a NUL): invalid UTF-8
 * becomes U+FFFD, control characters and direction overrides become '?', the first NUL ends it, and
 * it is never cut inside a character. Returns the length. Since 0.1. */
BTVIZ_EXPORT size_t btviz_text_printable(const char *in, size_t size, char *out, size_t out_size);

#ifdef __cplusplus
}
#endif
#endif
