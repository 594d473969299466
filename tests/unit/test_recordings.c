/* test_recordings.c - real recordings, record by record: what an independent decoder read in each
 * file (testdata/real/NAME.events.xz) is what this one reads, and merged by time nothing is
 * missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <btviz/trace.h>

#include "records.h"
#include "trace/archive.h"
#include "trace/unpack.h"
#include "trace/source.h"

enum {
	LINE_MAX_SIZE = 1024,
};

/* A listing, unpacked, and where we are in it. */
static struct bytes listing;
static size_t at;

static ptrdiff_t read_fd(void *data, void *buffer, size_t size)
{
	return read(*(int *)data, buffer, size);
}

static void unpack_listing(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct btvi_unpacker *u;
	static unsigned char buffer[1 << 16];
	size_t got;
	bool cut;

	assert_true(fd >= 0);
	assert_int_equal(btvi_unpacker_open(read_fd, &fd, path, true, &u, NULL), BTVIZ_OK);
	bytes_free(&listing);
	at = 0;
	do {
		assert_int_equal(
			btvi_unpacker_read(u, buffer, sizeof buffer, &got, &cut, NULL), BTVIZ_OK);
		bytes_add(&listing, buffer, got);
	} while (got > 0);
	btvi_unpacker_close(u);
	close(fd);
	bytes_add(&listing, "", 1);
}

/* The listing's next line, without its newline; NULL at the end. */
static const char *next_line(void)
{
	char *const line = (char *)listing.data + at;
	char *const end = strchr(line, '\n');

	if (!end)
		return NULL;
	*end = '\0';
	at += (size_t)(end - line) + 1;
	return line;
}

/* Text as Python shows bytes. */
static void add_bytes(char *out, const unsigned char *p, size_t size)
{
	const char quote = memchr(p, '\'', size) && !memchr(p, '"', size) ? '"' : '\'';

	out += sprintf(out, "b%c", quote);
	for (size_t i = 0; i < size; i++) {
		if (p[i] == '\n')
			out += sprintf(out, "\\n");
		else if (p[i] == '\\' || p[i] == (unsigned char)quote)
			out += sprintf(out, "\\%c", p[i]);
		else if (p[i] < 0x20 || p[i] > 0x7e)
			out += sprintf(out, "\\x%02x", p[i]);
		else
			*out++ = (char)p[i];
	}
	sprintf(out, "%c", quote);
}

static const char *kind_of(const struct btviz_event *ev)
{
	const uint32_t c = ev->categories;

	if (c & BTVIZ_CAT_DISCARD)
		return "D";
	if (c & BTVIZ_CAT_ZONE_APPEND)
		return "ZA";
	if (c & BTVIZ_CAT_ZONE_RESET)
		return "ZR";
	if (c & BTVIZ_CAT_ZONE_RESET_ALL)
		return "ZRA";
	if (c & BTVIZ_CAT_ZONE_FINISH)
		return "ZF";
	if (c & BTVIZ_CAT_ZONE_OPEN)
		return "ZO";
	if (c & BTVIZ_CAT_ZONE_CLOSE)
		return "ZC";
	if (c & BTVIZ_CAT_WRITE_ZEROES)
		return "WZ";
	if (ev->bytes == 0)
		return "N";
	return c & BTVIZ_CAT_WRITE ? "W" : "R";
}

/* A record as the listing has it. */
static void describe(const struct btviz_event *ev, uint64_t offset, char *out)
{
	const uint32_t c = ev->categories;
	char *const begin = out;
	char *end;

	out += sprintf(out, "%7llu v%u %u,%u %u seq %u %llu.%09llu pid %u ",
		(unsigned long long)offset, ev->version, BTVIZ_MAJOR(ev->device),
		BTVIZ_MINOR(ev->device), ev->cpu, ev->sequence,
		(unsigned long long)ev->time_ns / 1000000000,
		(unsigned long long)ev->time_ns % 1000000000, ev->pid);
	if (btviz_event_is_note(ev)) {
		if (ev->event == BTVIZ_NOTE_TIMESTAMP) {
			sprintf(out, "TIMESTAMP %u.%09u", ev->u.wall.sec, ev->u.wall.nsec);
		} else if (ev->event == BTVIZ_NOTE_PROCESS) {
			out += sprintf(out, "PROCESS ");
			add_bytes(out, ev->payload, strnlen((const char *)ev->payload, 16));
		} else {
			out += sprintf(out, "MESSAGE ");
			add_bytes(out, ev->payload, ev->payload_size);
		}
	} else {
		out += sprintf(out, "%s %s%s%s%s%s%s %llu + %u B act 0x%llx err %d",
			btviz_action_letter(ev->event), c & BTVIZ_CAT_FLUSH ? "F" : "", kind_of(ev),
			c & BTVIZ_CAT_FUA ? "F" : "", c & BTVIZ_CAT_AHEAD ? "A" : "",
			c & BTVIZ_CAT_SYNC ? "S" : "", c & BTVIZ_CAT_META ? "M" : "",
			(unsigned long long)ev->sector, ev->bytes,
			(unsigned long long)c << 16 | ev->event |
				(ev->flags & BTVIZ_EV_CGROUP ? 0x100U : 0U),
			ev->error);
		if (!(ev->flags & BTVIZ_EV_PAYLOAD))
			;
		else if (ev->event == BTVIZ_ACT_REMAP)
			sprintf(out, " <- (%u,%u) %llu (to %u,%u)",
				BTVIZ_MAJOR(ev->u.remap.device_from),
				BTVIZ_MINOR(ev->u.remap.device_from),
				(unsigned long long)ev->u.remap.sector_from,
				BTVIZ_MAJOR(ev->u.remap.device_to),
				BTVIZ_MINOR(ev->u.remap.device_to));
		else
			sprintf(out, " [%llu]", (unsigned long long)ev->u.depth);
	}
	end = begin + strlen(begin);
	if (ev->flags & BTVIZ_EV_CGROUP)
		sprintf(end, " cgroup=%llu", (unsigned long long)ev->cgroup_id);
}

/* Decodes one file of the recording as it stands, line by line against the listing. */
static size_t check_file(
	const struct btvi_sources *s, const struct btvi_input *input, uint64_t *lost)
{
	struct btviz_decoder *const d = btviz_decoder_new();
	unsigned char *const bytes = malloc(input->size + 1);
	const struct btviz_event *ev;
	char text[LINE_MAX_SIZE];
	uint64_t offset = 0;
	size_t count = 0;

	assert_true(d && bytes);
	assert_int_equal(pread(s->spool_fd, bytes, input->size, (off_t)input->offset), input->size);
	btviz_decoder_feed(d, bytes, input->size);
	btviz_decoder_feed_end(d);
	while (btviz_decoder_next(d, &ev, NULL) == BTVIZ_OK) {
		const char *const want = next_line();

		describe(ev, offset, text);
		assert_non_null(want);
		assert_string_equal(text, want);
		offset += (ev->version == 8 ? 64U : 48U) + ev->payload_size +
			(ev->flags & BTVIZ_EV_CGROUP ? 8U : 0U);
		count++;
	}
	assert_int_equal(btviz_decoder_health(d)->bad_bytes, 0);
	*lost += btviz_decoder_health(d)->lost_events;
	btviz_decoder_free(d);
	free(bytes);
	return count;
}

/* The input that holds the file of the line "# NAME". */
static const struct btvi_input *input_of(const struct btvi_sources *s, const char *line)
{
	for (size_t i = 0; i < s->lane_count; i++)
		for (size_t j = 0; j < s->lanes[i].input_count; j++)
			if (strncmp(s->lanes[i].inputs[j].path, line + 2, strlen(line + 2)) == 0)
				return &s->lanes[i].inputs[j];
	return NULL;
}

static void equal_to_an_independent_decoder(void **state)
{
	static const struct {
		const char *name;
		uint64_t lost; /* as the decoder's totals have it: "missing" */
	} cases[] = {
		{ "v7-cgroup", 0 },
		{ "v7-drops", 11450 },
		{ "v7-fsync", 0 },
		{ "v7-raid0-direct", 0 },
		{ "v8-cgroup", 0 },
		{ "v8-discard", 0 },
		{ "v8-drops", 14281 },
		{ "v8-errors", 0 },
		{ "v8-fsync", 0 },
		{ "v8-partition", 0 },
		{ "v8-raid0-buffered", 0 },
		{ "v8-raid0-direct", 0 },
		{ "v8-zone-mgmt", 0 },
		{ "v8-zone-plug", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *const testdata = getenv("TESTDATA");
		struct btvi_sources *s;
		struct btviz_trace *t;
		const struct btviz_event *ev;
		char path[4096];
		const char *line;
		uint64_t lost = 0;
		size_t count = 0, merged = 0;

		if (!testdata)
			skip();
		print_message("# %s\n", cases[i].name);
		snprintf(path, sizeof path, "%s/real/%s.events.xz", testdata, cases[i].name);
		unpack_listing(path);
		snprintf(path, sizeof path, "%s/real/%s.tar.xz", testdata, cases[i].name);
		assert_int_equal(btvi_sources_find(path, NULL, &s, NULL), BTVIZ_OK);
		while ((line = next_line()) != NULL) {
			assert_int_equal(line[0], '#');
			assert_non_null(input_of(s, line));
			count += check_file(s, input_of(s, line), &lost);
		}
		assert_int_equal(lost, cases[i].lost);
		btvi_sources_free(s);
		assert_int_equal(btviz_trace_open(path, NULL, &t, NULL), BTVIZ_OK);
		while (btviz_trace_next(t, &ev, NULL) == BTVIZ_OK)
			merged++;
		assert_int_equal(merged, count);
		assert_int_equal(btviz_trace_health(t)->late_events, 0);
		assert_int_equal(btviz_trace_health(t)->repeated_events, 0);
		btviz_trace_close(t);
	}
	bytes_free(&listing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_to_an_independent_decoder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
