/* test_torn.c - a small trace, damaged in every way there is: cut at every byte, every byte
 * changed, spliced with another at every few bytes, and made of fields at their extremes. Each goes
 * through all of the library up to the figures. How many events must survive is known beforehand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <btviz/btviz.h>

#include "../fuzz/promises.h"
#include "../unit/records.h"

static const struct form forms[] = { { 7, false }, { 8, false }, { 7, true }, { 8, true } };
enum { FORMS = sizeof forms / sizeof forms[0], RECORDS_MAX = 64 };

struct trace {
	struct bytes bytes;
	size_t ends[RECORDS_MAX]; /* of its records */
	size_t count;
};

struct reading {
	const unsigned char *at, *end;
};

static ptrdiff_t give(void *data, void *buffer, size_t size)
{
	struct reading *const r = data;
	size_t n = (size_t)(r->end - r->at);

	if (n > size)
		n = size;
	if (n > 0)
		memcpy(buffer, r->at, n);
	r->at += n;
	return (ptrdiff_t)n;
}

/* What a trace came to. */
struct outcome {
	enum btviz_status status;
	struct btviz_health health;
};

/* Reads the bytes as a trace, sums them up, and asks for everything. */
static struct outcome read_all(const unsigned char *bytes, size_t size)
{
	struct btviz_summary_options options = BTVIZ_SUMMARY_OPTIONS_INIT;
	struct reading r = { bytes, bytes + size };
	struct btviz_error err = { .status = BTVIZ_OK };
	struct btviz_summary *s = NULL;
	struct btviz_trace *t = NULL;
	const struct btviz_event *ev;
	struct outcome out = { .status = BTVIZ_OK };

	options.map_columns = options.map_rows = 16;
	out.status = btviz_trace_open_callback("torn", give, &r, NULL, &t, &err);
	assert_int_equal(btviz_summary_new(&options, &s, NULL), BTVIZ_OK);
	while (out.status == BTVIZ_OK) {
		out.status = btviz_trace_next(t, &ev, &err);
		if (out.status == BTVIZ_OK)
			assert_int_equal(btviz_summary_add(s, ev, &err), BTVIZ_OK);
	}
	if (out.status == BTVIZ_END) {
		out.health = *btviz_trace_health(t);
		btviz_summary_add_health(s, &out.health);
		promises_summary(s, false);
	} else {
		assert_int_equal(err.status, out.status);
		assert_true(err.message[0] != '\0');
	}
	btviz_summary_free(s);
	btviz_trace_close(t);
	return out;
}

static void add(struct trace *t, const struct form *form, const struct btviz_event *ev)
{
	bytes_add_event(&t->bytes, form, ev);
	assert_true(t->count < RECORDS_MAX);
	t->ends[t->count++] = t->bytes.size;
}

/* Notes, remaps, splits, an I/O's whole life, a flush, an error, a cgroup: a record of each kind.
 */
static struct trace make(const struct form *form, uint32_t device, uint64_t start_ns)
{
	static const uint16_t life[] = { BTVIZ_ACT_REMAP, BTVIZ_ACT_QUEUE, BTVIZ_ACT_SPLIT,
		BTVIZ_ACT_GETRQ, BTVIZ_ACT_PLUG, BTVIZ_ACT_INSERT, BTVIZ_ACT_UNPLUG,
		BTVIZ_ACT_ISSUE, BTVIZ_ACT_COMPLETE, BTVIZ_ACT_QUEUE, BTVIZ_ACT_BACKMERGE,
		BTVIZ_ACT_ISSUE, BTVIZ_ACT_REQUEUE, BTVIZ_ACT_ISSUE, BTVIZ_ACT_COMPLETE };
	static const unsigned char name[16] = "dd", text[] = "raid5 rmw 8 1";
	struct trace t = { .count = 0 };
	struct btviz_event ev = { .time_ns = start_ns, .device = device, .pid = 7, .cpu = 1 };

	ev.categories = BTVIZ_CAT_NOTIFY;
	ev.payload = name;
	ev.payload_size = sizeof name;
	add(&t, form, &ev);
	ev.event = BTVIZ_NOTE_MESSAGE;
	ev.payload = text;
	ev.payload_size = sizeof text - 1;
	add(&t, form, &ev);
	ev.payload_size = 0;
	for (unsigned i = 0; i < sizeof life / sizeof life[0]; i++) {
		ev.event = life[i];
		ev.categories = categories_of(life[i]) | BTVIZ_CAT_WRITE;
		ev.time_ns += 1000;
		ev.sequence++;
		ev.sector = 4096 + i / 9 * 8;
		ev.bytes = i == 13 ? 0 : 4096;
		ev.error = i == 14 ? -5 : 0;
		ev.flags = 0;
		if (ev.event == BTVIZ_ACT_REMAP) {
			ev.flags = BTVIZ_EV_PAYLOAD;
			ev.u.remap.device_from = BTVIZ_DEVICE(9, 0);
			ev.u.remap.device_to = device;
			ev.u.remap.sector_from = 64;
		} else if (ev.event == BTVIZ_ACT_SPLIT || ev.event == BTVIZ_ACT_UNPLUG) {
			ev.flags = BTVIZ_EV_PAYLOAD;
			ev.u.split_sector = 4100;
		}
		if (i == 9) {
			ev.flags |= BTVIZ_EV_CGROUP;
			ev.cgroup_id = 77;
		}
		add(&t, form, &ev);
	}
	return t;
}

static uint64_t records(const struct outcome *o)
{
	return o->health.events + o->health.notes;
}

/* Records of t that end within its first size bytes. */
static size_t whole(const struct trace *t, size_t size)
{
	size_t n = 0;

	while (n < t->count && t->ends[n] <= size)
		n++;
	return n;
}

static void test_cut(void **state)
{
	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		struct trace t = make(&forms[f], BTVIZ_DEVICE(8, 16), 1000);

		for (size_t size = 0; size <= t.bytes.size; size++) {
			const size_t n = whole(&t, size);
			const bool torn = size > 0 && (n == 0 || t.ends[n - 1] < size);
			const struct outcome o = read_all(t.bytes.data, size);

			/* fewer than three bytes do not even say that they begin a record */
			if (o.status == BTVIZ_ERR_NOT_A_TRACE && n == 0 && size < 4)
				continue;
			assert_int_equal(o.status, BTVIZ_END);
			assert_int_equal(records(&o), n);
			assert_int_equal(o.health.torn_tails, torn);
			assert_int_equal(o.health.bad_bytes, 0);
		}
		bytes_free(&t.bytes);
	}
}

static void test_flipped(void **state)
{
	static const unsigned char patterns[] = { 0x01, 0x80, 0xff };

	(void)state;
	for (size_t f = 0; f < FORMS; f++) {
		struct trace t = make(&forms[f], BTVIZ_DEVICE(8, 16), 1000);

		for (size_t i = 0; i < 3 * t.bytes.size; i++) {
			unsigned char *const byte = &t.bytes.data[i / 3];
			struct outcome o;

			*byte ^= patterns[i % 3];
			o = read_all(t.bytes.data, t.bytes.size);
			/* A first record of another version is refused by its name. */
			if (o.status != BTVIZ_ERR_VERSION || i / 3 >= 4) {
				assert_int_equal(o.status, BTVIZ_END);
				/* The damaged one and its neighbour. */
				assert_in_range(records(&o), t.count - 2, t.count);
			}
			*byte ^= patterns[i % 3];
		}
		bytes_free(&t.bytes);
	}
}

static void test_spliced(void **state)
{
	(void)state;
	for (size_t f = 0; f < 2; f++) {
		struct trace a = make(&forms[f], BTVIZ_DEVICE(8, 16), 1000);
		struct trace b = make(&forms[1 - f], BTVIZ_DEVICE(8, 32), 5000);

		for (size_t k = 1; k < a.count + a.bytes.size / 13; k++) {
			const size_t i = k <= a.count ? a.ends[k - 1] : (k - a.count) * 13;

			for (size_t j = 0; j < b.bytes.size; j += 29) {
				struct bytes both = { NULL, 0, 0 };
				const size_t head = whole(&a, i);
				const size_t tail = b.count - whole(&b, j) - (j > 0);
				struct outcome o;

				bytes_add(&both, a.bytes.data, i);
				bytes_add(&both, b.bytes.data + j, b.bytes.size - j);
				o = read_all(both.data, both.size);
				if (head + tail > 0 || o.status != BTVIZ_ERR_NOT_A_TRACE)
					assert_int_equal(o.status, BTVIZ_END);
				/* A head cut within a record makes one of both, whose length may
				 * be rubbish; cut behind one, at most the tail's first is lost. */
				if (head > 0 && a.ends[head - 1] == i)
					assert_true(records(&o) + 1 >= head + tail);
				assert_true(records(&o) <= head + tail + 3);
				bytes_free(&both);
			}
		}
		bytes_free(&a.bytes);
		bytes_free(&b.bytes);
	}
}

static uint32_t state_of_dice = 12345;

static uint32_t dice(uint32_t sides)
{
	state_of_dice = state_of_dice * 1664525 + 1013904223;
	return (state_of_dice >> 8) % sides;
}

static uint64_t extreme(void)
{
	static const uint64_t values[] = { 0, 1, 8, 0x7fffffff, 0xffffffff, 1ULL << 32, 1ULL << 54,
		(1ULL << 55) + 1, 1ULL << 62, 1ULL << 63, UINT64_MAX };

	return values[dice(sizeof values / sizeof values[0])] + dice(3) - 1;
}

/* Every field at an extreme, in thousands of records. */
static void test_extremes(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 60; round++) {
		struct bytes b = { NULL, 0, 0 };
		const struct form *const form = &forms[round % FORMS];
		uint64_t time_ns = round % 3 ? 1000 : extreme();
		struct outcome o;

		for (unsigned i = 0; i < 400; i++) {
			struct btviz_event ev = { .time_ns = dice(50) ? time_ns += dice(1000)
								      : extreme(),
				.sector = dice(3) ? dice(64) * 8 : extreme(),
				.bytes = dice(3) ? 4096 : (uint32_t)extreme(),
				.device = dice(9) ? BTVIZ_DEVICE(8, dice(3) * 16)
						  : (uint32_t)extreme(),
				.pid = (uint32_t)extreme(),
				.cpu = dice(9) ? dice(4) : (uint32_t)extreme(),
				.sequence = dice(9) ? i : (uint32_t)extreme(),
				.event = (uint16_t)(dice(20) ? 1 + dice(15) : dice(65536)),
				.error = (int16_t)(dice(9) ? 0 : dice(65536)) };

			ev.categories = categories_of(ev.event) | 1U << dice(16);
			if (dice(2)) {
				ev.flags = BTVIZ_EV_PAYLOAD;
				ev.u.remap.sector_from = extreme();
				ev.u.remap.device_from = (uint32_t)extreme();
				ev.u.remap.device_to = ev.device;
			}
			bytes_add_event(&b, form, &ev);
		}
		o = read_all(b.data, b.size);
		assert_int_equal(o.status, BTVIZ_END);
		assert_true(records(&o) + o.health.repeated_events <= 400);
		bytes_free(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_flipped),
		cmocka_unit_test(test_spliced),
		cmocka_unit_test(test_extremes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
