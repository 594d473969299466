/* streams.c - see streams.h. */
#include "streams.h"

#include <string.h>

#include "fuzz.h"

static ptrdiff_t give(void *data, void *buffer, size_t size)
{
	struct streams_bytes *const b = data;
	size_t n = (size_t)(b->end - b->at);

	if (n > size)
		n = size;
	if (n > b->piece)
		n = b->piece;
	if (n > 0)
		memcpy(buffer, b->at, n);
	b->at += n;
	return (ptrdiff_t)n;
}

struct streams streams_divide(const uint8_t *data, size_t size, size_t piece)
{
	struct streams in = { .count = 0 };

	while (in.count < STREAMS_MAX) {
		const uint8_t *const mark =
			memmem(data, size, FUZZ_STREAM_MARK, FUZZ_STREAM_MARK_SIZE);
		const size_t n = mark ? (size_t)(mark - data) : size;

		in.of[in.count++] = (struct streams_bytes){ data, data + n, piece };
		if (!mark)
			break;
		data += n + FUZZ_STREAM_MARK_SIZE;
		size -= n + FUZZ_STREAM_MARK_SIZE;
	}
	return in;
}

struct btvi_sources *streams_sources(struct streams *in)
{
	struct btvi_sources *const s = btvi_sources_new();
	char name[32];

	require(s);
	for (size_t i = 0; i < in->count; i++) {
		struct btvi_input input = { .kind = BTVI_INPUT_CALLBACK,
			.path = name,
			.read = give,
			.read_data = &in->of[i],
			.ordered = i % 2 == 0,
			.fd = -1 };
		struct btvi_lane *lane;

		/* two streams a lane */
		snprintf(name, sizeof name, "sd%c", (int)('a' + i / 2));
		lane = btvi_sources_lane(s, name, strlen(name), NULL);
		require(lane && btvi_sources_add(s, lane, &input));
	}
	return s;
}
