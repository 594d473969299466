/* base/text.h - text from outside made safe to show. */
#ifndef BTVI_BASE_TEXT_H
#define BTVI_BASE_TEXT_H

#include <stddef.h>

/* Copies size bytes of foreign text into out (at most out_size - 1 bytes and a NUL): invalid UTF-8
 * becomes U+FFFD, control characters (C0, DEL, C1), direction overrides and noncharacters become
 * '?', the end of the text or its first NUL ends it, and it is never cut inside a character.
 * Returns the length. */
size_t btvi_text_printable(const char *in, size_t size, char *out, size_t out_size);

#endif
