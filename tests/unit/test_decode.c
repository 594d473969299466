/* test_decode.c - streams of records: whole, damaged, cut up in every way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "decoding.h"

/* One record of every kind, in order of their numbers. */
static void add_every_kind(struct bytes *b, const struct form *form)
{
	uint32_t sequence = 0;
	uint64_t time_ns = 1000000000;

	for (unsigned event = 1; event <= 19; event++) {
		struct btviz_event ev;

		if (event == BTVIZ_ACT_ABORT || event == BTVIZ_ACT_DRV_DATA)
			continue;
		ev = io_event(event, time_ns += 1000, ++sequence);
		bytes_add_event(b, form, &ev);
		/* the same again, with a cgroup id */
		ev = io_event(event, time_ns += 1000, ++sequence);
		ev.flags |= BTVIZ_EV_CGROUP;
		ev.cgroup_id = 4711;
		bytes_add_event(b, form, &ev);
	}
}

static void every_kind(void **state)
{
	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		struct bytes b = { NULL, 0, 0 };

		add_every_kind(&b, &forms[f]);
		decode_every_way(&b);
		assert_int_equal(whole.status, BTVIZ_END);
		assert_int_equal(whole.count, 34);
		assert_int_equal(whole.health.events, 34);
		assert_int_equal(whole.health.bytes, b.size);
		assert_int_equal(whole.health.bad_bytes, 0);
		assert_int_equal(whole.health.lost_events, 0);
		assert_int_equal(whole.health.versions,
			(forms[f].version == 7 ? 1 : 2) | (forms[f].big ? 4 : 0));
		for (size_t i = 0; i < whole.count; i++) {
			const struct btviz_event *const ev = &whole.events[i];

			assert_int_equal(ev->cgroup_id, i % 2 ? 4711 : 0);
			assert_int_equal(ev->version, forms[f].version);
			if (ev->event == BTVIZ_ACT_REMAP)
				assert_int_equal(ev->u.remap.sector_from, 0x123456789aULL);
			if (ev->event == BTVIZ_ACT_SPLIT)
				assert_int_equal(ev->u.split_sector, ev->sector + 4);
		}
		bytes_free(&b);
	}
}

static void notes(void **state)
{
	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		struct bytes b = { NULL, 0, 0 };
		struct btviz_event ev = note_event(BTVIZ_NOTE_TIMESTAMP, 5, NULL, 0);

		ev.flags = BTVIZ_EV_PAYLOAD;
		ev.u.wall.sec = 1796052792;
		ev.u.wall.nsec = 847899979;
		bytes_add_event(&b, &forms[f], &ev);
		ev = note_event(BTVIZ_NOTE_PROCESS, 6, "dd\0stale bytes!", 16);
		bytes_add_event(&b, &forms[f], &ev);
		ev = note_event(BTVIZ_NOTE_MESSAGE, 7, "stop #1 pid 201", 15);
		ev.flags = BTVIZ_EV_CGROUP;
		ev.cgroup_id = 1;
		bytes_add_event(&b, &forms[f], &ev);
		bytes_add_ios(&b, &forms[f], 8, 2);
		decode_every_way(&b);
		assert_int_equal(whole.health.notes, 3);
		assert_int_equal(whole.health.events, 2);
		assert_int_equal(whole.events[0].u.wall.sec, 1796052792);
		assert_int_equal(whole.events[0].u.wall.nsec, 847899979);
		assert_int_equal(whole.events[1].payload_size, 16);
		assert_int_equal(whole.events[2].payload_size, 15);
		assert_int_equal(whole.events[2].cgroup_id, 1);
		bytes_free(&b);
	}
}

/* What is wrong in a stream of IO records, and what is to come of it. */
static void zeroes_between(void **state)
{
	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		struct bytes b = { NULL, 0, 0 };
		size_t before;

		bytes_add_ios(&b, &forms[f], 1000, 3);
		before = b.size;
		bytes_zero(&b, 48);
		for (unsigned i = 4; i <= 6; i++) {
			const struct btviz_event ev = io_event(BTVIZ_ACT_QUEUE, 1000 * i, i);

			bytes_add_event(&b, &forms[f], &ev);
		}
		decode_every_way(&b);
		assert_int_equal(whole.status, BTVIZ_END);
		assert_int_equal(whole.count, 6);
		assert_int_equal(whole.health.bad_bytes, 48);
		assert_int_equal(whole.health.bad_stretches, 1);
		assert_int_equal(whole.health.first_bad_offset, before);
		assert_int_equal(whole.health.lost_events, 0);
		bytes_free(&b);
	}
}

/* Rubbish of many lengths, with pieces of magic numbers in it. */
static void garbage_between(void **state)
{
	static const char pieces[] = "ta\x07tae\x08tta\x65"
				     "eat\x07"
				     "eaeat"
				     "\xff\x07ta"
				     "aaaa";

	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		for (size_t n = 1; n < sizeof pieces; n++) {
			struct bytes b = { NULL, 0, 0 };
			struct btviz_event ev = io_event(BTVIZ_ACT_QUEUE, 5000, 3);

			bytes_add_ios(&b, &forms[f], 1000, 2);
			bytes_add(&b, pieces + sizeof pieces - 1 - n, n);
			bytes_add_event(&b, &forms[f], &ev);
			decode_every_way(&b);
			assert_int_equal(whole.count, 3);
			assert_int_equal(whole.health.bad_bytes, n);
			assert_int_equal(whole.health.bad_stretches, 1);
			bytes_free(&b);
		}
	}
}

static void cut_at_every_byte(void **state)
{
	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		struct bytes all = { NULL, 0, 0 };
		size_t boundaries[64], count = 0;

		for (unsigned i = 1; i <= 6; i++) {
			const struct btviz_event ev =
				io_event(i % 2 ? BTVIZ_ACT_REMAP : BTVIZ_ACT_QUEUE, 1000 * i, i);

			boundaries[count++] = all.size;
			bytes_add_event(&all, &forms[f], &ev);
		}
		boundaries[count] = all.size;
		for (size_t n = 0; n <= all.size; n++) {
			struct bytes b = all;
			size_t want = 0;

			b.size = n;
			while (want < count && boundaries[want + 1] <= n)
				want++;
			decode(&b, n ? n : 1, &whole);
			decode(&b, 7, &cut);
			assert_int_equal(whole.count, want);
			assert_int_equal(cut.count, want);
			assert_int_equal(whole.status, BTVIZ_END);
			assert_int_equal(whole.health.torn_tails, n != boundaries[want]);
			assert_int_equal(whole.health.bad_bytes, 0);
			assert_memory_equal(&whole.health, &cut.health, sizeof whole.health);
		}
		bytes_free(&all);
	}
}

/* Every byte of a small trace, turned into every one of some values: no more than two records and
 * their neighbours' bytes may be lost, and nothing may hang or be read beyond the end. */
static void every_byte_changed(void **state)
{
	static const unsigned char masks[] = { 0xff, 0x01, 0x80, 0x10 };

	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		struct bytes b = { NULL, 0, 0 };

		bytes_add_ios(&b, &forms[f], 1000, 4);
		add_every_kind(&b, &forms[f]);
		for (size_t i = 0; i < b.size; i++) {
			for (size_t m = 0; m < sizeof masks; m++) {
				b.data[i] ^= masks[m];
				decode(&b, b.size, &whole);
				decode(&b, 61, &cut);
				b.data[i] ^= masks[m];
				assert_int_equal(cut.status, whole.status);
				assert_int_equal(cut.count, whole.count);
				/* the first record's magic turned into another version's: refused
				 */
				if (whole.status == BTVIZ_ERR_VERSION) {
					assert_true(i < 4);
					continue;
				}
				assert_memory_equal(
					&whole.health, &cut.health, sizeof whole.health);
				assert_int_equal(whole.status, BTVIZ_END);
				assert_true(whole.count >= 36);
			}
		}
		bytes_free(&b);
	}
}

static void refused(void **state)
{
	static const struct {
		const char *name, *bytes;
		size_t size;
		enum btviz_status status;
		const char *in_message;
	} cases[] = {
		{ "version 6", "\x06\x74\x61\x65 and more", 13, BTVIZ_ERR_VERSION, "version 6" },
		{ "version 2", "\x02\x74\x61\x65", 4, BTVIZ_ERR_VERSION, "version 2" },
		{ "version 9", "\x09\x74\x61\x65", 4, BTVIZ_ERR_VERSION, "version 9" },
		{ "version 6, big-endian", "\x65\x61\x74\x06", 4, BTVIZ_ERR_VERSION, "version 6" },
		{ "text", "8,16 1 1 0.000000000 77 Q", 25, BTVIZ_ERR_NOT_A_TRACE, "text" },
		{ "a saved summary", "{\"schema\":\"btviz.summary/1\",\"generator", 36,
			BTVIZ_ERR_NOT_A_TRACE, "saved summary" },
		{ "one byte", "x", 1, BTVIZ_ERR_NOT_A_TRACE, "text" },
		{ "zeroes", "\0\0\0\0\0\0\0\0", 8, BTVIZ_ERR_NOT_A_TRACE, "8 bytes" },
		{ "a program",
			"\x7f"
			"ELF\2\1\1",
			7, BTVIZ_ERR_NOT_A_TRACE, "7f 45 4c 46" },
		{ "nothing", "", 0, BTVIZ_END, NULL },
		{ "half a magic number", "\x07ta", 3, BTVIZ_END, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct bytes b = { NULL, 0, 0 };

		print_message("# %s\n", cases[i].name);
		bytes_add(&b, cases[i].bytes, cases[i].size);
		decode_every_way(&b);
		assert_int_equal(whole.status, cases[i].status);
		assert_int_equal(whole.count, 0);
		if (cases[i].in_message)
			assert_non_null(strstr(whole.err.message, cases[i].in_message));
		bytes_free(&b);
	}
}

/* A version behind records is damage like any other, and the rest is read. */
static void old_version_later(void **state)
{
	struct bytes b = { NULL, 0, 0 };
	struct btviz_event ev = io_event(BTVIZ_ACT_QUEUE, 9000, 4);

	(void)state;
	bytes_add_ios(&b, &forms[0], 1000, 3);
	bytes_add(&b, "\x06tae", 4);
	bytes_add_event(&b, &forms[0], &ev);
	decode_every_way(&b);
	assert_int_equal(whole.count, 4);
	assert_int_equal(whole.health.bad_bytes, 4);
	bytes_free(&b);
}

static void both_versions_and_orders_follow_each_other(void **state)
{
	struct bytes b = { NULL, 0, 0 };
	uint32_t sequence = 0;

	(void)state;
	for (size_t round = 0; round < 3; round++) {
		for (size_t f = 0; f < FORMS; f++) {
			sequence++;
			const struct btviz_event ev =
				io_event(BTVIZ_ACT_SPLIT, 1000 * sequence, sequence);

			bytes_add_event(&b, &forms[f], &ev);
		}
	}
	decode_every_way(&b);
	assert_int_equal(whole.count, 12);
	assert_int_equal(whole.health.versions, 7);
	assert_int_equal(whole.health.bad_bytes, 0);
	bytes_free(&b);
}

/* blkparse -d of a newer blkparse may write version 7 records in the layout of version 8. */
static void layout_of_8_labelled_7(void **state)
{
	(void)state;
	for (int big = 0; big <= 1; big++) {
		for (unsigned count = 1; count <= 5; count++) {
			struct bytes b = { NULL, 0, 0 };
			const struct form form = { 8, big };

			for (unsigned i = 1; i <= count; i++) {
				const size_t at = b.size;
				const struct btviz_event ev = io_event(
					i % 2 ? BTVIZ_ACT_REMAP : BTVIZ_ACT_COMPLETE, 1000 * i, i);

				bytes_add_event(&b, &form, &ev);
				b.data[at + (big ? 3 : 0)] = 7;
			}
			decode_every_way(&b);
			assert_int_equal(whole.count, count);
			assert_int_equal(whole.health.bad_bytes, 0);
			assert_int_equal(whole.events[0].version, 7);
			assert_int_equal(whole.events[0].pid, 77);
			assert_int_equal(whole.events[0].u.remap.sector_from, 0x123456789aULL);
			bytes_free(&b);
		}
	}
}

static void unknown_actions(void **state)
{
	static const unsigned events[] = { 16, 17, 20, 63 };

	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		struct bytes b = { NULL, 0, 0 };

		for (unsigned i = 0; i < 4; i++) {
			const struct btviz_event ev = io_event(events[i], 1000 * i, i + 1);

			bytes_add_event(&b, &forms[f], &ev);
		}
		decode_every_way(&b);
		assert_int_equal(whole.count, 4);
		assert_int_equal(whole.health.unknown_actions, 4);
		assert_int_equal(whole.health.events, 4);
		for (size_t i = 0; i < 4; i++)
			assert_true(whole.events[i].flags & BTVIZ_EV_UNKNOWN);
		bytes_free(&b);
	}
}

/* Fields that cannot be: used as far as they are sane, and counted, the sequence number too: none
 * of these is missing. */
static void odd_fields(void **state)
{
	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		struct bytes b = { NULL, 0, 0 };
		struct btviz_event ev = io_event(BTVIZ_ACT_QUEUE, 1000, 1);

		ev.cpu = 3;
		bytes_add_event(&b, &forms[f], &ev);
		ev = io_event(BTVIZ_ACT_QUEUE, 2000, 2);
		ev.cpu = 1725552676;
		bytes_add_event(&b, &forms[f], &ev);
		ev = io_event(BTVIZ_ACT_QUEUE, 1ULL << 63, 3);
		ev.cpu = 3;
		bytes_add_event(&b, &forms[f], &ev);
		ev = io_event(BTVIZ_ACT_QUEUE, 4000, 4);
		ev.cpu = 3;
		ev.sector = 1ULL << 60;
		bytes_add_event(&b, &forms[f], &ev);
		ev = io_event(BTVIZ_ACT_QUEUE, 5000, 5);
		ev.cpu = 3;
		bytes_add_event(&b, &forms[f], &ev);
		decode_every_way(&b);
		assert_int_equal(whole.count, 5);
		assert_int_equal(whole.health.odd_fields, 3);
		assert_int_equal(whole.events[1].cpu, 3);
		assert_int_equal(whole.events[2].time_ns, 2000);
		assert_int_equal(whole.events[3].flags, BTVIZ_EV_ODD);
		assert_int_equal(whole.events[4].flags, 0);
		assert_int_equal(whole.health.lost_events, 0);
		bytes_free(&b);
	}
}

/* A payload's length that is wrong must not swallow the records behind it. */
static void wrong_payload_length(void **state)
{
	static const unsigned lengths[] = { 1, 8, 16, 48, 64, 100, 1024, 4096, 65535 };

	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
			struct bytes b = { NULL, 0, 0 };
			const unsigned at =
				forms[f].version == 8 ? BTVI_WIRE_V8_PDU_LEN : BTVI_WIRE_V7_PDU_LEN;

			bytes_add_ios(&b, &forms[f], 1000, 60);
			b.data[at] = (unsigned char)(forms[f].big ? lengths[i] >> 8 : lengths[i]);
			b.data[at + 1] =
				(unsigned char)(forms[f].big ? lengths[i] : lengths[i] >> 8);
			decode_every_way(&b);
			assert_int_equal(whole.health.bad_bytes, 0);
			assert_int_equal(whole.health.odd_fields, 1);
			assert_int_equal(whole.count, 60);
			bytes_free(&b);
		}
	}
}

/* Nor may a message's, which is not known beforehand: the text ends where a record begins, unless
 * the length is one that the kernel gives out and leads to a record. */
static void wrong_message_length(void **state)
{
	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		for (unsigned length = 21; length < 1200; length += length < 200 ? 1 : 37) {
			struct bytes b = { NULL, 0, 0 };
			const unsigned at =
				forms[f].version == 8 ? BTVI_WIRE_V8_PDU_LEN : BTVI_WIRE_V7_PDU_LEN;
			const struct btviz_event ev =
				note_event(BTVIZ_NOTE_MESSAGE, 900, "eat a treat, eat tea", 20);
			const unsigned size = forms[f].version == 8 ? 64 : 48;
			const unsigned hidden = length <= 136 && (length - 20) % size == 0
				? (length - 20) / size
				: 0;

			bytes_add_event(&b, &forms[f], &ev);
			bytes_add_ios(&b, &forms[f], 1000, 60);
			b.data[at] = (unsigned char)(forms[f].big ? length >> 8 : length);
			b.data[at + 1] = (unsigned char)(forms[f].big ? length : length >> 8);
			decode_every_way(&b);
			assert_int_equal(whole.health.bad_bytes, 0);
			assert_int_equal(whole.health.odd_fields, hidden == 0);
			assert_int_equal(whole.count, 61 - hidden);
			bytes_free(&b);
		}
	}
}

/* A text may hold anything, a whole record even: root writes it. */
static void records_in_a_message(void **state)
{
	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		for (unsigned before = 0; before < 6; before++) {
			const struct btviz_event inner = io_event(BTVIZ_ACT_ISSUE, 666, 99);
			struct bytes b = { NULL, 0, 0 }, text = { NULL, 0, 0 };
			struct btviz_event ev;

			bytes_add(&text, "hello ", before);
			bytes_add_event(&text, &forms[f], &inner);
			ev = note_event(
				BTVIZ_NOTE_MESSAGE, 4000, (const char *)text.data, text.size);
			bytes_add_ios(&b, &forms[f], 1000, 3);
			bytes_add_event(&b, &forms[f], &ev);
			ev = io_event(BTVIZ_ACT_QUEUE, 5000, 4);
			bytes_add_event(&b, &forms[f], &ev);
			decode_every_way(&b);
			assert_int_equal(whole.health.events, 4);
			assert_int_equal(whole.health.notes, 1);
			assert_int_equal(whole.health.odd_fields, 0);
			assert_int_equal(whole.health.lost_events, 0);
			assert_int_equal(whole.events[3].payload_size, text.size);
			bytes_free(&b);
			bytes_free(&text);
		}
	}
}

static void torn_payload(void **state)
{
	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		struct bytes b = { NULL, 0, 0 };
		const struct btviz_event ev = note_event(BTVIZ_NOTE_MESSAGE, 3000,
			"0123456789012345678901234567890123"
			"456789012345678901234567890123",
			64);

		bytes_add_ios(&b, &forms[f], 1000, 2);
		bytes_add_event(&b, &forms[f], &ev);
		b.size -= 64;
		decode_every_way(&b);
		assert_int_equal(whole.count, 2);
		assert_int_equal(whole.health.torn_tails, 1);
		bytes_free(&b);
	}
}

static void payload_missing(void **state)
{
	struct bytes b = { NULL, 0, 0 };
	struct btviz_event ev = io_event(BTVIZ_ACT_REMAP, 1000, 1);

	(void)state;
	ev.flags = 0;
	ev.payload_size = 0;
	bytes_add_event(&b, &forms[1], &ev);
	ev = io_event(BTVIZ_ACT_COMPLETE, 2000, 2);
	bytes_add_event(&b, &forms[1], &ev);
	decode_every_way(&b);
	assert_int_equal(whole.count, 2);
	assert_int_equal(whole.health.no_payload, 1);
	assert_int_equal(whole.events[0].flags & BTVIZ_EV_PAYLOAD, 0);
	bytes_free(&b);
}

/* Time that goes back within a stream. */
static void steps_back(void **state)
{
	struct bytes b = { NULL, 0, 0 };
	static const uint64_t times[] = { 10, 20, 15, 16, 30, 29 };

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		const struct btviz_event ev = io_event(BTVIZ_ACT_QUEUE, times[i], i + 1);

		bytes_add_event(&b, &forms[0], &ev);
	}
	decode_every_way(&b);
	assert_int_equal(whole.count, 6);
	assert_int_equal(whole.health.steps_back, 2);
	bytes_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind),
		cmocka_unit_test(notes),
		cmocka_unit_test(zeroes_between),
		cmocka_unit_test(garbage_between),
		cmocka_unit_test(cut_at_every_byte),
		cmocka_unit_test(every_byte_changed),
		cmocka_unit_test(refused),
		cmocka_unit_test(old_version_later),
		cmocka_unit_test(both_versions_and_orders_follow_each_other),
		cmocka_unit_test(layout_of_8_labelled_7),
		cmocka_unit_test(unknown_actions),
		cmocka_unit_test(odd_fields),
		cmocka_unit_test(wrong_payload_length),
		cmocka_unit_test(wrong_message_length),
		cmocka_unit_test(records_in_a_message),
		cmocka_unit_test(torn_payload),
		cmocka_unit_test(payload_missing),
		cmocka_unit_test(steps_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
