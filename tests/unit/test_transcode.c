/* test_transcode.c - recordings from tracefs give the events that an independent reader found in
 * them (testdata/real/tracefs/decoded.txt), cut into pieces of any size, and whatever damage they
 * have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <btviz/event.h>
#include <btviz/trace.h>

#include "scratch.h"
#include "trace/names.h"
#include "trace/ring.h"
#include "trace/source.h"
#include "trace/transcode.h"

struct bytes {
	unsigned char *p;
	size_t size;
};

/* One file of an archive under testdata/real/tracefs. */
static struct bytes unpack(const char *archive, const char *member)
{
	struct bytes b = { malloc(1 << 20), 0 };
	char command[1024];
	FILE *f;

	assert_non_null(b.p);
	snprintf(command, sizeof command, "tar -xJOf '%s/real/tracefs/%s.tar.xz' %s",
		getenv("TESTDATA"), archive, member);
	f = popen(command, "r");
	assert_non_null(f);
	b.size = fread(b.p, 1, 1 << 20, f);
	assert_int_equal(pclose(f), 0);
	return b;
}

/* Puts a stream through a transcoder in pieces. */
static struct bytes transcode(enum btvi_stream_kind kind, struct bytes in, size_t piece,
	struct btvi_transcoder_stats *ret_stats)
{
	struct btvi_transcoder *t = btvi_transcoder_new(kind);
	struct bytes out = { malloc(4 * in.size + 1), 0 };
	size_t at = 0;
	bool end;

	assert_non_null(t);
	assert_non_null(out.p);
	do {
		const size_t n = in.size - at < piece ? in.size - at : piece;
		const unsigned char *part;
		size_t part_size;
		/* A copy of just these bytes, so that a sanitizer sees a read beyond them. */
		unsigned char *copy = malloc(n + 1);

		memcpy(copy, in.p + at, n);
		at += n;
		end = at == in.size;
		assert_int_equal(
			btvi_transcoder_put(t, copy, n, end, &part, &part_size, NULL), BTVIZ_OK);
		free(copy);
		assert_true(out.size + part_size <= 4 * in.size);
		if (part_size > 0)
			memcpy(out.p + out.size, part, part_size);
		out.size += part_size;
	} while (!end);
	*ret_stats = *btvi_transcoder_stats(t);
	btvi_transcoder_free(t);
	return out;
}

struct counts {
	unsigned letters[64], notes, fua, no_payload;
	uint64_t lost;
};

static struct counts decode(struct bytes b)
{
	struct btviz_decoder *d = btviz_decoder_new();
	const struct btviz_event *ev;
	const struct btviz_health *health;
	struct counts c = { 0 };
	uint64_t last = 0;
	enum btviz_status status;

	assert_non_null(d);
	btviz_decoder_feed(d, b.p, b.size);
	for (;;) {
		status = btviz_decoder_next(d, &ev, NULL);
		if (status == BTVIZ_NEED_INPUT)
			btviz_decoder_feed_end(d);
		else if (status != BTVIZ_OK)
			break;
		else {
			assert_true(ev->time_ns >= last);
			last = ev->time_ns;
			if (btviz_event_is_note(ev)) {
				c.notes++;
				assert_int_equal(ev->sector, 0);
			} else {
				assert_in_range(ev->event, 1, 63);
				c.letters[ev->event]++;
				c.fua += (ev->categories & BTVIZ_CAT_FUA) != 0;
			}
		}
	}
	health = btviz_decoder_health(d);
	c.lost = health->lost_events;
	c.no_payload = (unsigned)health->no_payload;
	assert_int_equal(health->bad_bytes, 0);
	assert_int_equal(health->torn_tails, 0);
	assert_int_equal(health->repeated_events, 0);
	btviz_decoder_free(d);
	return c;
}

/* Sum of the numbers behind the keys of a line {'Q': 8, 'G:WS': 4} that `wanted` accepts. */
static unsigned sum(
	const char *line, bool (*wanted)(const char *key, const char *what), const char *what)
{
	unsigned total = 0;

	for (const char *p = line; (p = strchr(p, '\''));
		p = strchr(p, ',') ? strchr(p, ',') : "") {
		char key[32];
		unsigned n;

		if (sscanf(p, "'%31[^']': %u", key, &n) == 2 && wanted(key, what))
			total += n;
	}
	return total;
}

static bool same(const char *key, const char *what)
{
	return strcmp(key, what) == 0;
}

static bool is_fua(const char *key, const char *what)
{
	(void)what;
	return strstr(key, ":WF") || strstr(key, ":FWF") || strstr(key, ":NF");
}

static bool is_note(const char *key, const char *what)
{
	(void)what;
	return strncmp(key, "note", 4) == 0;
}

/* The [LOST n EVENTS] lines as decoded.txt has them: "…": how often. */
static uint64_t lost_in(const char *line)
{
	uint64_t lost = 0;

	for (const char *p = line; (p = strstr(p, "[LOST ")); p++) {
		unsigned n, times;

		const char *behind = strstr(p, "\": ");

		if (behind && sscanf(p, "[LOST %u", &n) == 1 &&
			sscanf(behind, "\": %u", &times) == 1)
			lost += (uint64_t)n * times;
	}
	return lost;
}

static void check_file(const char *path, unsigned records, const char *by_letter,
	const char *by_kind, const char *others)
{
	static const size_t pieces[] = { SIZE_MAX, 65536, 4096, 1000, 61, 1 };
	const bool raw = strstr(path, ".raw") != NULL;
	char archive[64], member[32];
	struct btvi_transcoder_stats stats;
	struct bytes in, first = { NULL, 0 };
	struct counts c;
	enum btvi_stream_kind kind;

	assert_int_equal(sscanf(path, "%63[^/]/", archive), 1);
	assert_int_equal(sscanf(path + strlen(archive) + 1, "%31[^/]/", member), 1);
	strcat(archive, "-");
	strcat(archive, member);
	snprintf(member, sizeof member, "%.31s", strrchr(path, '/') + 1);
	in = unpack(archive, member);
	kind = btvi_sniff(
		"x", in.p, in.size < BTVI_STREAM_SNIFF ? in.size : BTVI_STREAM_SNIFF, true);
	assert_int_equal(kind, raw ? BTVI_STREAM_RING : BTVI_STREAM_PIPE);
	for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
		struct bytes out = transcode(kind, in, pieces[i], &stats);

		if (i == 0) {
			first = out;
			continue;
		}
		assert_int_equal(out.size, first.size);
		assert_memory_equal(out.p, first.p, out.size);
		free(out.p);
	}
	assert_int_equal(stats.bad_bytes, 0);
	assert_int_equal(stats.torn_tails, 0);
	assert_int_equal(stats.lost_at_end, 0);
	c = decode(first);
	for (unsigned event = 1; event < 20; event++)
		assert_int_equal(
			c.letters[event], sum(by_letter, same, btviz_action_letter(event)));
	assert_int_equal(c.notes, sum(by_letter, is_note, NULL));
	assert_int_equal(c.fua, sum(by_kind, is_fua, NULL));
	assert_int_equal(c.lost, lost_in(others));
	assert_int_equal(sum(by_letter, same, "Q") + records, c.letters[1] + records);
	if (strstr(others, "type: 5"))
		assert_int_equal(stats.skipped_entries, 1);
	if (!raw && strstr(path, "7.3.4"))
		assert_int_equal(stats.cut_records, records);
	free(in.p);
	free(first.p);
}

static void test_real(void **state)
{
	char path[512], line[4][1024];
	unsigned files = 0;
	FILE *f;

	(void)state;
	snprintf(path, sizeof path, "%s/real/tracefs/decoded.txt", getenv("TESTDATA"));
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line[0], sizeof line[0], f)) {
		unsigned size, records;

		assert_int_equal(
			sscanf(line[0], "## %511[^:]: %u bytes, %u records", path, &size, &records),
			3);
		for (int i = 1; i < 4; i++)
			assert_non_null(fgets(line[i], sizeof line[i], f));
		check_file(path, records, line[1], line[2], line[3]);
		files++;
	}
	fclose(f);
	assert_int_equal(files, 35);
}

/* What a damaged page or stream gives. */
static void test_damage(void **state)
{
	struct bytes in = unpack("7.3.4-d-raid10-fua-raw", "cpu2.raw");
	struct btvi_transcoder_stats stats;
	struct bytes out, cut = in;
	struct counts c;

	(void)state;
	/* Torn inside the second page: the first page's events and some of the second's. */
	cut.size = 4096 + 1000;
	out = transcode(BTVI_STREAM_RING, cut, 512, &stats);
	assert_int_equal(stats.torn_tails, 1);
	assert_int_equal(stats.bad_bytes, 0);
	c = decode(out);
	assert_in_range(c.letters[BTVIZ_ACT_QUEUE], 1, 104);
	free(out.p);
	/* The second page's header is no header: its events are gone, the others are there. */
	memset(in.p + 4096 + 8, 0x5a, 8);
	out = transcode(BTVI_STREAM_RING, in, 512, &stats);
	assert_int_equal(stats.bad_bytes, 4096);
	assert_int_equal(stats.bad_stretches, 1);
	assert_int_equal(stats.first_bad_offset, 4096);
	free(out.p);
	free(in.p);

	in = unpack("6.1-b-plain", "cpu0.bin");
	memset(in.p + 480, 0, 48); /* the eleventh record's place or so */
	out = transcode(BTVI_STREAM_PIPE, in, 7, &stats);
	assert_in_range(stats.bad_bytes, 48, 96);
	assert_int_equal(stats.bad_stretches, 1);
	free(out.p);
	in.size -= 5;
	out = transcode(BTVI_STREAM_PIPE, in, 7, &stats);
	assert_int_equal(stats.torn_tails, 1);
	free(out.p);
	free(in.p);
}

/* Every page with every byte of its head and first entries turned: nothing but no crash is asked.
 */
static void test_mutations(void **state)
{
	static const char *const files[][2] = { { "6.1-c-raid0-raw", "cpu3.raw" },
		{ "7.3.4-e-discardrawnb", "cpu0.raw" }, { "7.3.4-b-plain", "cpu1.bin" },
		{ "6.1-j-overwrite", "cpu1.bin" } };
	uint32_t random = 12345;

	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		struct bytes in = unpack(files[i][0], files[i][1]);
		unsigned char *whole = malloc(in.size);

		memcpy(whole, in.p, in.size);
		if (in.size > 12288)
			in.size = 12288;
		for (int round = 0; round < 400; round++) {
			struct btvi_transcoder_stats stats;
			struct bytes out;
			const enum btvi_stream_kind kind =
				i < 2 ? BTVI_STREAM_RING : BTVI_STREAM_PIPE;

			for (int n = 0; n < 3; n++) {
				random = random * 1664525 + 1013904223;
				in.p[(random >> 8) % (round % 2 ? in.size : 200)] ^=
					(unsigned char)(random >> 3 | 1);
			}
			out = transcode(kind, in, 4000, &stats);
			free(out.p);
			(void)btvi_sniff("a.raw", in.p, 4096 < in.size ? 4096 : in.size, true);
			memcpy(in.p, whole, in.size);
		}
		free(whole);
		free(in.p);
	}
}

/* Lines between records, worked out by hand. L: a loss of that many before the record. */
static const struct {
	const char *name, *line;
	uint64_t lost, skipped, unsized, bad;
} lines[] = {
	{ "a loss", "CPU:0 [LOST 21660 EVENTS]\n", 21660, 0, 0, 0 },
	{ "a loss of unknown size", "CPU:0 [LOST EVENTS]\n", 1, 0, 1, 0 },
	{ "another entry", "type: 5\n", 0, 1, 0, 0 },
	{ "two", "type: 5\nCPU:12 [LOST 3 EVENTS]\n", 3, 1, 0, 0 },
	{ "no number", "type: x\n", 0, 0, 0, 8 },
	{ "no end", "CPU:0 [LOST 3 EVENTS", 0, 0, 0, 20 },
	{ "words around", "CPU:0 [LOST 3 EVENTS] and more\n", 0, 0, 0, 31 },
	{ "rubbish", "hello", 0, 0, 0, 5 },
};

static void put32(unsigned char *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (unsigned char)(v >> 8 * i);
}

/* A version 7 record of trace_pipe: Q, 8 sectors, without a sequence number. */
static size_t put_record(unsigned char *p, uint32_t time)
{
	memset(p, 0, 48);
	put32(p, 0x65617407);
	put32(p + 8, time);
	put32(p + 24, 4096);
	put32(p + 28, 0x120001);
	put32(p + 32, 77);
	put32(p + 36, 8 << 20 | 16);
	return 48;
}

static void test_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		unsigned char text[512];
		struct btvi_transcoder_stats stats;
		struct bytes in = { text, 0 }, out;
		struct counts c;

		in.size += put_record(text, 100);
		memcpy(text + in.size, lines[i].line, strlen(lines[i].line));
		in.size += strlen(lines[i].line);
		in.size += put_record(text + in.size, 200);
		assert_int_equal(btvi_sniff(NULL, text, in.size, true), BTVI_STREAM_PIPE);
		out = transcode(BTVI_STREAM_PIPE, in, 1, &stats);
		c = decode(out);
		assert_int_equal(c.letters[1], 2);
		assert_int_equal(c.lost, lines[i].lost);
		assert_int_equal(stats.skipped_entries, lines[i].skipped);
		assert_int_equal(stats.losses_unsized, lines[i].unsized);
		assert_int_equal(stats.bad_bytes, lines[i].bad);
		free(out.p);
	}
}

/* Losses that nothing follows, and those before a device's first event, are not forgotten. */
static void test_loss_at_ends(void **state)
{
	static const char loss[] = "CPU:0 [LOST 10 EVENTS]\n";
	unsigned char text[512];
	struct btvi_transcoder_stats stats;
	struct bytes in = { text, 0 }, out;

	(void)state;
	memcpy(text, loss, sizeof loss - 1);
	in.size = sizeof loss - 1;
	in.size += put_record(text + in.size, 100);
	out = transcode(BTVI_STREAM_PIPE, in, 9, &stats);
	assert_int_equal(stats.lost_at_end, 10);
	assert_int_equal(decode(out).lost, 0);
	free(out.p);
	in.size += put_record(text + in.size, 200);
	memcpy(text + in.size, loss, sizeof loss - 1);
	in.size += sizeof loss - 1;
	out = transcode(BTVI_STREAM_PIPE, in, 9, &stats);
	assert_int_equal(stats.lost_at_end, 10);
	assert_int_equal(decode(out).lost, 10);
	free(out.p);
}

/* With the option context-info 16 bytes stand before each record, and before a line of text. */
static void test_context(void **state)
{
	unsigned char text[512] = { 77 };
	struct btvi_transcoder_stats stats;
	struct bytes in = { text, 0 }, out;

	(void)state;
	for (int i = 0; i < 3; i++) {
		in.size += 16;
		in.size += put_record(text + in.size, 100);
	}
	assert_int_equal(btvi_sniff(NULL, text, in.size, true), BTVI_STREAM_PIPE);
	out = transcode(BTVI_STREAM_PIPE, in, 5, &stats);
	assert_int_equal(decode(out).letters[1], 3);
	assert_int_equal(stats.bad_bytes, 0);
	free(out.p);
}

/* Page layouts that the recordings do not have, made by hand: a page of 8 KiB, a lost count behind
 * the data, time extend and absolute time, a discarded entry, an entry of another type. */
static void test_page(void **state)
{
	static unsigned char page[2 * 8192];
	unsigned char *p = page + 16;
	struct btvi_transcoder_stats stats;
	struct bytes in = { page, sizeof page }, out;
	struct btviz_decoder *d = btviz_decoder_new();
	const struct btviz_event *ev;
	uint64_t want[] = { 1000005, 1000005 + (3 << 27) + 7, (UINT64_C(9) << 27) + 11 };

	(void)state;
	memset(page, 0, sizeof page);
	put32(page, 1000000);
	put32(p, 5 << 5 | 12); /* delta 5, 48 bytes */
	put_record(p + 4, 0);
	put32(p + 4, 13);
	p += 52;
	put32(p, 7 << 5 | 30); /* 3 << 27 and 7 more */
	put32(p + 4, 3);
	p += 8;
	put32(p, 0 << 5 | 12);
	put_record(p + 4, 0);
	put32(p + 4, 13);
	p += 52;
	put32(p, 1 << 5 | 29); /* discarded: 4 + 8 bytes */
	put32(p + 4, 8);
	p += 12;
	put32(p, 11 << 5 | 31);
	put32(p + 4, 9);
	p += 8;
	put32(p, 0 << 5 | 2); /* trace_marker: type 5 */
	put32(p + 4, 5);
	p += 12;
	put32(p, 0 << 5 | 12);
	put_record(p + 4, 0);
	put32(p + 4, 13);
	p += 52;
	while (p + 4 <= page + 5000) { /* fills the page past 4096 */
		put32(p, 0 << 5 | 2);
		put32(p + 4, 5);
		p += 12;
	}
	put32(page + 8, (uint32_t)(p - page - 16));
	/* The second page: 42 events lost before it, one event in it. */
	put32(page + 8192, (uint32_t)(UINT64_C(9) << 27) + 50);
	put32(page + 8192 + 8, 0xc0000000 | 52);
	put32(page + 8192 + 12, 0xffffffff);
	put32(page + 8192 + 16, 12);
	put_record(page + 8192 + 20, 0);
	put32(page + 8192 + 20, 13);
	put32(page + 8192 + 16 + 52, 42);

	assert_int_equal(btvi_sniff("x", page, BTVI_STREAM_SNIFF, true), BTVI_STREAM_RING);
	assert_int_equal(btvi_ring_page_size(page, sizeof page, true), 8192);
	out = transcode(BTVI_STREAM_RING, in, 777, &stats);
	assert_int_equal(stats.bad_bytes, 0);
	assert_int_equal(out.size, 4 * 48);
	btviz_decoder_feed(d, out.p, out.size);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(btviz_decoder_next(d, &ev, NULL), BTVIZ_OK);
		assert_int_equal(ev->time_ns, want[i]);
		assert_int_equal(ev->sequence, i + 1);
		assert_int_equal(ev->pid, 77);
	}
	assert_int_equal(btviz_decoder_next(d, &ev, NULL), BTVIZ_OK);
	assert_int_equal(ev->sequence, 4 + 42);
	assert_true(ev->flags & BTVIZ_EV_LOSS);
	assert_int_equal(ev->lost_before, 42);
	btviz_decoder_free(d);
	free(out.p);
	/* A full page has no room for the count: at least one is missing. */
	put32(page + 8192 + 8, 0x80000000 | 52);
	out = transcode(BTVI_STREAM_RING, in, 777, &stats);
	assert_int_equal(stats.losses_unsized, 1);
	assert_int_equal(decode(out).lost, 1);
	free(out.p);
}

/* Ordinary streams are left alone. */
static void test_ordinary(void **state)
{
	unsigned char text[256];
	size_t size = put_record(text, 100);

	(void)state;
	put32(text + 4, 1);
	assert_int_equal(btvi_sniff("sda.blktrace.0", text, size, true), BTVI_STREAM_RECORDS);
	put32(text + 4, 0);
	put32(text + 28, 0x4000001); /* a timestamp note, then the first event with its number */
	size += put_record(text + size, 200);
	put32(text + 48 + 4, 1);
	assert_int_equal(btvi_sniff("sda.blktrace.0", text, size, true), BTVI_STREAM_RECORDS);
	assert_int_equal(btvi_sniff("x", text, 0, true), BTVI_STREAM_RECORDS);
	assert_int_equal(btvi_sniff("x", (const unsigned char *)"hello, world", 12, true),
		BTVI_STREAM_RECORDS);
	memset(text, 0, sizeof text);
	assert_int_equal(btvi_sniff("x", text, sizeof text, true), BTVI_STREAM_RECORDS);
}

static const struct {
	const char *name;
	size_t lane;
} lanes[] = {
	{ "cpu0.raw", 3 },
	{ "dir/cpu12.bin", 7 },
	{ "0.raw", 5 }, /* nothing is left of it */
	{ "dir/0.raw", 9 },
	{ "trace.raw", 9 },
	{ "sda.blktrace.0", 14 },
	{ "raw", 3 },
	{ "", 0 },
};

/* The CPUs' files of one recording belong together, or an I/O that ends on another CPU has no end.
 * They are not named after a device. */
static void test_lanes(void **state)
{
	char archive[512], command[1024];
	const char *const names[] = { archive, scratch_dir };

	(void)state;
	for (size_t i = 0; i < sizeof lanes / sizeof lanes[0]; i++)
		assert_int_equal(btvi_name_lane(lanes[i].name), lanes[i].lane);
	scratch_new();
	snprintf(archive, sizeof archive, "%s/real/tracefs/6.1-j-overwrite.tar.xz",
		getenv("TESTDATA"));
	snprintf(command, sizeof command, "tar -xJf '%s' -C '%s'", archive, scratch_dir);
	assert_int_equal(system(command), 0);
	for (size_t i = 0; i < 2; i++) {
		struct btvi_sources *sources;
		struct btviz_trace *t;
		const struct btviz_event *ev;
		uint64_t events = 0;

		assert_int_equal(btvi_sources_find(names[i], NULL, &sources, NULL), BTVIZ_OK);
		assert_int_equal(sources->lane_count, 1);
		assert_int_equal(sources->input_count, 2);
		btvi_sources_free(sources);
		assert_int_equal(btviz_trace_open(names[i], NULL, &t, NULL), BTVIZ_OK);
		while (btviz_trace_next(t, &ev, NULL) == BTVIZ_OK)
			events++;
		assert_int_equal(events, 1604 + 1838);
		assert_string_equal(btviz_trace_device_name(t, BTVIZ_DEVICE(251, 1)), "251,1");
		assert_int_equal(btviz_trace_health(t)->lost_events, 6396 + 6162);
		btviz_trace_close(t);
	}
	scratch_remove();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_real),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_mutations),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_loss_at_ends),
		cmocka_unit_test(test_context),
		cmocka_unit_test(test_page),
		cmocka_unit_test(test_ordinary),
		cmocka_unit_test(test_lanes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
