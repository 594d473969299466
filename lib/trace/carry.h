/* trace/carry.h - the decoder's unread bytes as one sequence, wherever a piece was cut.
 *
 * What is left of the piece fed last is used in place. Bytes of earlier pieces that are still
 * wanted are carried: copied into a buffer for the largest record and a few ordinary ones, and no
 * more. Where there is no memory for them the decoder keeps that in mind (nomem): until it is asked
 * for, at the end of btvi_decoder_next_slow(), it is as if bytes were still to come. */
#ifndef BTVI_TRACE_CARRY_H
#define BTVI_TRACE_CARRY_H

#include "trace/decode.h"

/* Bytes that are carried; bytes that are there in all. */
size_t btvi_carried(const struct btviz_decoder *d);
size_t btvi_available(const struct btviz_decoder *d);

/* Whether no byte follows those that are there. Not to be told where memory lacks. */
bool btvi_is_all(const struct btviz_decoder *d);

/* Offset in the stream of the next byte to be used. */
uint64_t btvi_offset(const struct btviz_decoder *d);

/* Where all that is carried also stands in the present piece, goes back to using that. */
void btvi_uncarry(struct btviz_decoder *d);

/* n bytes in one place, not used up by that; NULL where there are not as many yet, or no memory for
 * them. Valid until the next call, or a feed. */
const unsigned char *btvi_want(struct btviz_decoder *d, size_t n);

/* Uses up n bytes that are there. */
void btvi_use(struct btviz_decoder *d, size_t n);

/* The version where p begins with a magic number, else -1. */
int btvi_magic_at(const unsigned char *p, bool *ret_big);

/* What stands n bytes on. */
enum btvi_next {
	BTVI_NEXT_UNKNOWN, /* more bytes are needed to tell */
	BTVI_NEXT_RECORD,
	BTVI_NEXT_END, /* the stream ends exactly there */
	BTVI_NEXT_OTHER,
	BTVI_NEXT_BEYOND, /* the stream ends before it */
};
enum btvi_next btvi_next_at(struct btviz_decoder *d, size_t n);

/* Whether what stands there is as it should be behind a record. */
bool btvi_begins_well(enum btvi_next next);

#endif
