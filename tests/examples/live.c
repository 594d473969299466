/* live.c - an example: watches a stream as it comes, e.g. ssh host blktrace -d /dev/sdb -o - | live
 * Bytes in at any size, records out; no trace file, no summary, no end needed. */
#include <inttypes.h>
#include <stdio.h>

#include <btviz/btviz.h>

static void show(uint64_t second, uint64_t bytes[2])
{
	if (bytes[0] + bytes[1] > 0)
		printf("%" PRIu64 " s: %.1f MB read, %.1f MB written\n", second,
			(double)bytes[0] / 1e6, (double)bytes[1] / 1e6);
	fflush(stdout);
	bytes[0] = bytes[1] = 0;
}

int main(void)
{
	struct btviz_decoder *d = btviz_decoder_new();
	const struct btviz_event *ev;
	struct btviz_error err;
	uint64_t second = 0, bytes[2] = { 0, 0 }; /* read, written */
	enum btviz_status status;
	unsigned char buffer[65536];

	if (!d)
		return 1;
	while ((status = btviz_decoder_next(d, &ev, &err)) >= 0 && status != BTVIZ_END) {
		if (status == BTVIZ_NEED_INPUT) {
			const size_t n = fread(buffer, 1, sizeof(buffer), stdin);

			if (n > 0)
				btviz_decoder_feed(d, buffer, n);
			else
				btviz_decoder_feed_end(d);
			continue;
		}
		if (btviz_event_is_note(ev) || ev->event != BTVIZ_ACT_COMPLETE)
			continue;
		/* CPUs take turns in a stream: what is a little late counts for the second at hand.
		 */
		if (ev->time_ns / 1000000000 > second) {
			show(second, bytes);
			second = ev->time_ns / 1000000000;
		}
		if (btviz_event_op(ev) == BTVIZ_OP_READ)
			bytes[0] += ev->bytes;
		else if (btviz_event_op(ev) == BTVIZ_OP_WRITE)
			bytes[1] += ev->bytes;
	}
	show(second, bytes);
	if (status != BTVIZ_END)
		fprintf(stderr, "byte %" PRIu64 ": %s\n", err.offset, err.message);
	printf("%" PRIu64 " events, %" PRIu64 " bytes skipped\n", btviz_decoder_health(d)->events,
		btviz_decoder_health(d)->bad_bytes);
	btviz_decoder_free(d);
	return status == BTVIZ_END ? 0 : 1;
}
