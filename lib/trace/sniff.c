/* sniff.c - see sniff.h. */
#include "trace/sniff.h"

#include <string.h>

#include "trace/ring.h"
#include "trace/transcode.h"
#include "trace/wire.h"

bool btvi_sniff_packed(const unsigned char *begin, size_t size)
{
	static const struct {
		const char *bytes;
		size_t size, at;
	} signs[] = {
		{ "\x1f\x8b", 2, 0 }, /* gzip */
		{ "\xfd"
		  "7zXZ",
			6, 0 },                 /* xz, with its NUL */
		{ "\x28\xb5\x2f\xfd", 4, 0 },   /* zstd */
		{ "BZh", 3, 0 },                /* bzip2 */
		{ "\x04\x22\x4d\x18", 4, 0 },   /* lz4 */
		{ "PK\x03\x04", 4, 0 },         /* zip */
		{ "7z\xbc\xaf\x27\x1c", 6, 0 }, /* 7-zip */
		{ "ustar", 5, 257 },            /* tar */
	};

	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
		if (signs[i].at + signs[i].size <= size &&
			memcmp(begin + signs[i].at, signs[i].bytes, signs[i].size) == 0)
			return true;
	return false;
}

static bool is_record(const unsigned char *begin, size_t size)
{
	return size >= 4 &&
		((btvi_le32(begin) & BTVI_WIRE_MAGIC_MASK) == BTVI_WIRE_MAGIC ||
			(btvi_be32(begin) & BTVI_WIRE_MAGIC_MASK) == BTVI_WIRE_MAGIC);
}

static enum btvi_sniffed answer(bool yes)
{
	return yes ? BTVI_SNIFFED_YES : BTVI_SNIFFED_NO;
}

static enum btvi_sniffed packed(const char *name, const unsigned char *begin, size_t size, bool end)
{
	(void)name;
	if (is_record(begin, size))
		return BTVI_SNIFFED_NO;
	return end ? answer(btvi_sniff_packed(begin, size)) : BTVI_SNIFFED_MORE;
}

static enum btvi_sniffed ring(const char *name, const unsigned char *begin, size_t size, bool end)
{
	(void)name;
	if (is_record(begin, size))
		return BTVI_SNIFFED_NO;
	return end ? answer(btvi_ring_sniff(begin, size)) : BTVI_SNIFFED_MORE;
}

static enum btvi_sniffed pipe_of_records(
	const char *name, const unsigned char *begin, size_t size, bool end)
{
	(void)name;
	return btvi_pipe_sniff(begin, size, end);
}

/* What is called so, if it is nothing else: its first page may be damaged. */
static enum btvi_sniffed called_raw(
	const char *name, const unsigned char *begin, size_t size, bool end)
{
	const size_t n = name ? strlen(name) : 0;

	if (n <= 4 || strcmp(name + n - 4, ".raw") != 0 || btvi_pipe_mark(begin, size))
		return BTVI_SNIFFED_NO;
	return end ? answer(size > 0) : BTVI_SNIFFED_MORE;
}

/* In this order: the first that says yes. */
static const struct {
	enum btvi_stream_kind kind;
	enum btvi_sniffed (*begins)(
		const char *name, const unsigned char *begin, size_t size, bool end);
} formats[] = {
	{ BTVI_STREAM_PACKED, packed },
	{ BTVI_STREAM_RING, ring },
	{ BTVI_STREAM_PIPE, pipe_of_records },
	{ BTVI_STREAM_RING, called_raw },
};

enum btvi_stream_kind btvi_sniff(
	const char *name, const unsigned char *begin, size_t size, bool end)
{
	if (size >= BTVI_STREAM_SNIFF) {
		size = BTVI_STREAM_SNIFF;
		end = true;
	}
	if (size < 4 && !end)
		return BTVI_STREAM_UNDECIDED;
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		const enum btvi_sniffed sniffed = formats[i].begins(name, begin, size, end);

		if (sniffed == BTVI_SNIFFED_MORE)
			return BTVI_STREAM_UNDECIDED;
		if (sniffed == BTVI_SNIFFED_YES)
			return formats[i].kind;
	}
	return BTVI_STREAM_RECORDS;
}
