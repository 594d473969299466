/* test_wire.c - single records: what the kernel wrote, and what our encoder writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "kernel_records.h"
#include "records.h"

/* Bytes of hex, at most size of them; returns how many. */
static size_t unhex(const char *hex, unsigned char *out, size_t size)
{
	size_t n = 0;

	for (; hex[0] && n < size; hex += 2) {
		unsigned value;

		if (sscanf(hex, "%2x", &value) != 1)
			abort();
		out[n++] = (unsigned char)value;
	}
	return n;
}

static void check_record(
	const struct kernel_record *want, const unsigned char *p, size_t size, bool v8, bool big)
{
	const size_t header = v8 ? BTVI_WIRE_V8_SIZE : BTVI_WIRE_V7_SIZE;
	struct btviz_event ev;
	const unsigned pdu_len = btvi_wire_header(p, v8, v8 ? 8 : 7, big, &ev);
	const bool cgroup = (btvi_wire_action_low(p, v8, big) & BTVI_WIRE_CGROUP_BIT) != 0;

	assert_int_equal(pdu_len, want->pdu_len);
	assert_int_equal(header + pdu_len, size);
	assert_true(btvi_wire_payload(&ev, cgroup, p + header, pdu_len, big));
	assert_int_equal(ev.time_ns, want->time_ns);
	assert_int_equal(ev.sector, want->sector);
	assert_int_equal(ev.bytes, want->bytes);
	assert_int_equal(ev.sequence, want->sequence);
	assert_int_equal(ev.pid, want->pid);
	assert_int_equal(ev.event, want->action & 0xffff & ~BTVI_WIRE_CGROUP_BIT);
	assert_int_equal(ev.categories, want->action >> 16);
	assert_int_equal(BTVIZ_MAJOR(ev.device), want->major);
	assert_int_equal(BTVIZ_MINOR(ev.device), want->minor);
	assert_int_equal(ev.cpu, want->cpu);
	assert_int_equal(ev.error, want->error);
	assert_int_equal(ev.cgroup_id, want->cgroup);
	assert_int_equal((ev.flags & BTVIZ_EV_CGROUP) != 0, want->cgroup != 0);
	if (want->text) {
		assert_int_equal(
			strncmp((const char *)ev.payload, want->text, strlen(want->text)), 0);
		return;
	}
	assert_int_equal(
		(ev.flags & BTVIZ_EV_PAYLOAD) != 0, want->number != 0 || want->to_major != 0);
	if (btviz_event_is_note(&ev)) {
		assert_int_equal(ev.u.wall.sec, want->number);
		assert_int_equal(ev.u.wall.nsec, want->number2);
	} else if (ev.event == BTVIZ_ACT_REMAP) {
		assert_int_equal(ev.u.remap.sector_from, want->number);
		assert_int_equal(
			ev.u.remap.device_from, BTVIZ_DEVICE(want->from_major, want->from_minor));
		assert_int_equal(
			ev.u.remap.device_to, BTVIZ_DEVICE(want->to_major, want->to_minor));
	} else if (want->number != 0) {
		assert_int_equal(ev.u.split_sector, want->number);
		assert_int_equal(ev.u.depth, want->number);
	}
}

static void kernel_records_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof kernel_records / sizeof kernel_records[0]; i++) {
		const struct kernel_record *const want = &kernel_records[i];
		unsigned char p[256];
		const size_t size = unhex(want->hex, p, sizeof p);

		print_message("# %s\n", want->name);
		check_record(want, p, size, want->version == 8, false);
	}
}

/* Reads each record, writes it in every form, and reads that: the same event. What is written in
 * the kernel's own form is what the kernel wrote (but for the padding, which it does not clear). */
static void kernel_records_survive_encoding(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof kernel_records / sizeof kernel_records[0]; i++) {
		const struct kernel_record *const want = &kernel_records[i];
		const bool v8 = want->version == 8;
		const size_t header = v8 ? BTVI_WIRE_V8_SIZE : BTVI_WIRE_V7_SIZE;
		const size_t solid = v8 ? 52 : BTVI_WIRE_V7_SIZE;
		static unsigned char out[BTVI_WIRE_RECORD_MAX];
		struct btviz_event ev;
		unsigned char p[256];
		const size_t size = unhex(want->hex, p, sizeof p);

		btvi_wire_header(p, v8, want->version, false, &ev);
		btvi_wire_payload(&ev, want->cgroup != 0, p + header, want->pdu_len, false);
		assert_int_equal(btvi_wire_encode(&ev, want->version, false, out), size);
		assert_memory_equal(out, p, solid);
		assert_memory_equal(out + header, p + header, size - header);
		for (unsigned version = 7; version <= 8; version++) {
			for (int big = 0; big <= 1; big++) {
				struct kernel_record kept = *want;

				if (version == 7)
					kept.action &= 0xffffffff;
				check_record(&kept, out, btvi_wire_encode(&ev, version, big, out),
					version == 8, big);
			}
		}
	}
}

/* A big-endian writer's record, byte by byte as FORMAT sections 2 to 6 say, written by hand. */
static void big_endian_by_hand(void **state)
{
	static const char hex[] = "65617407"          /* magic 7 */
				  "00000102"          /* sequence 258 */
				  "000000037a2f7c01"  /* time */
				  "0000000012345678"  /* sector */
				  "00001000"          /* 4096 bytes */
				  "001a010f"          /* A, with cgroup bit, WRITE|SYNC|QUEUE */
				  "0000002a"          /* pid 42 */
				  "00800010"          /* 8,16 */
				  "00000003"          /* cpu 3 */
				  "fffb"              /* error -5 */
				  "0018"              /* 24 bytes follow */
				  "0000000000000032"  /* cgroup 50, in the writer's order */
				  "00900000"          /* from 9,0: always big-endian */
				  "00800010"          /* to 8,16 */
				  "00000000000fa000"; /* 1024000 */
	const struct kernel_record want = {
		.version = 7,
		.sequence = 258,
		.time_ns = 0x37a2f7c01,
		.sector = 0x12345678,
		.bytes = 4096,
		.pid = 42,
		.action = 0x1a010f,
		.major = 8,
		.minor = 16,
		.cpu = 3,
		.error = -5,
		.pdu_len = 24,
		.cgroup = 50,
		.number = 1024000,
		.from_major = 9,
		.to_major = 8,
		.to_minor = 16,
	};
	unsigned char p[256];

	(void)state;
	check_record(&want, p, unhex(hex, p, sizeof p), false, true);
}

/* The payload is never read because of the event's letter alone. */
static void payloads_too_short(void **state)
{
	static const struct {
		const char *name;
		unsigned event;
		bool cgroup;
		unsigned pdu_len;
		bool whole, has_cgroup, has_payload;
	} cases[] = {
		{ "remap without", BTVIZ_ACT_REMAP, false, 0, false, false, false },
		{ "remap of 15", BTVIZ_ACT_REMAP, false, 15, false, false, false },
		{ "remap of 16", BTVIZ_ACT_REMAP, false, 16, true, false, true },
		{ "remap of 16, 8 of them the cgroup", BTVIZ_ACT_REMAP, true, 16, false, true,
			false },
		{ "remap of 24", BTVIZ_ACT_REMAP, true, 24, true, true, true },
		{ "split without", BTVIZ_ACT_SPLIT, false, 0, false, false, false },
		{ "split of 7", BTVIZ_ACT_SPLIT, false, 7, false, false, false },
		{ "split of 8", BTVIZ_ACT_SPLIT, false, 8, true, false, true },
		{ "unplug without", BTVIZ_ACT_UNPLUG, false, 0, true, false, false },
		{ "zone unplug without", BTVIZ_ACT_ZONE_UNPLUG, false, 0, true, false, false },
		{ "queue with cgroup bit and no payload", BTVIZ_ACT_QUEUE, true, 0, true, false,
			false },
		{ "queue with half a cgroup", BTVIZ_ACT_QUEUE, true, 4, true, false, false },
		{ "completion with a command", BTVIZ_ACT_COMPLETE, false, 10, true, false, false },
	};
	/* exactly as long as said, so that a byte too far is seen by the sanitizer */
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct btviz_event ev = { .event = (uint16_t)cases[i].event };
		unsigned char *const payload = calloc(1, cases[i].pdu_len ? cases[i].pdu_len : 1);

		assert_non_null(payload);
		print_message("# %s\n", cases[i].name);
		assert_int_equal(
			btvi_wire_payload(&ev, cases[i].cgroup, payload, cases[i].pdu_len, false),
			cases[i].whole);
		assert_int_equal((ev.flags & BTVIZ_EV_CGROUP) != 0, cases[i].has_cgroup);
		assert_int_equal((ev.flags & BTVIZ_EV_PAYLOAD) != 0, cases[i].has_payload);
		free(payload);
	}
}

static void known_events(void **state)
{
	(void)state;
	for (unsigned event = 0; event < 100; event++)
		assert_int_equal(btvi_event_is_known(event),
			(event >= 1 && event <= 15) || event == 18 || event == 19);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_records_are_read),
		cmocka_unit_test(kernel_records_survive_encoding),
		cmocka_unit_test(big_endian_by_hand),
		cmocka_unit_test(payloads_too_short),
		cmocka_unit_test(known_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
