/* trace/intake.h - the bytes of one input: a file or a part of one, a range of the spool, a pipe,
 * the caller's function; unpacked, where they are packed. The only file that reads trace files.
 * What the bytes mean is sniff's and the decoder's business. */
#ifndef BTVI_TRACE_INTAKE_H
#define BTVI_TRACE_INTAKE_H

#include "trace/source.h"

struct btvi_unpacker;

struct btvi_intake {
	const struct btvi_input *input;
	const struct btvi_sources *sources;
	uint64_t at;          /* offset of the next byte to read, in the part */
	uint64_t begin, size; /* the part, of the file or of the spool */
	int fd;               /* -1: to be opened */
	bool keep_open;       /* between reads */
	bool cut;             /* the packed data breaks off */
	uint32_t packing;     /* BTVIZ_PACKING_... */
	struct btvi_unpacker *unpacker;
	unsigned char *first; /* a pipe's first bytes, packed: they are the unpacker's again */
	size_t first_at, first_size;
};

/* Nothing is opened yet. sources and input are borrowed. */
void btvi_intake_init(struct btvi_intake *b, const struct btvi_sources *sources,
	const struct btvi_input *input, bool keep_open);

/* To be called before the first read. */
enum btviz_status btvi_intake_open(struct btvi_intake *b, struct btviz_error *err);

/* Up to size bytes, unpacked; fewer only where no more are at hand, 0 only at the end. */
enum btviz_status btvi_intake_read(
	struct btvi_intake *b, void *buffer, size_t size, size_t *ret_got, struct btviz_error *err);

/* The same from another place of a file; the next read goes on where it was. */
enum btviz_status btvi_intake_read_at(struct btvi_intake *b, uint64_t at, void *buffer, size_t size,
	size_t *ret_got, struct btviz_error *err);

/* What was read so far, the first bytes, turns out to be packed: from now on it is unpacked, from
 * the beginning. Takes the buffer over, in any case. */
enum btviz_status btvi_intake_unpack(
	struct btvi_intake *b, unsigned char *buffer, size_t size, struct btviz_error *err);

/* Lets a file go until it is read again (when there are too many open). */
void btvi_intake_release(struct btvi_intake *b);

/* Closes all; what was met stays. */
void btvi_intake_close(struct btvi_intake *b);

#endif
