/* mutate_records.c - changes a stream of records as something that knows records would: a record is
 * moved, doubled, dropped, torn, moved in time, or made to say what another one says. Bytes that
 * look like no record are left to the fuzzer's own mutation. Knows the wire format, nothing of the
 * library.
 */
#include "mutate.h"

#include <string.h>

#include "fuzz.h"

enum { RECORDS_MAX = 4096 };

struct record {
	size_t at, size;
	bool big, v8;
};

struct field {
	unsigned at7, at8, size7, size8;
};

/* Where the fields are: sequence, time, sector, bytes, action, pid, device, cpu, error, pdu_len. */
static const struct field fields[] = {
	{ 4, 4, 4, 4 },
	{ 8, 8, 8, 8 },
	{ 16, 16, 8, 8 },
	{ 24, 24, 4, 4 },
	{ 28, 32, 4, 8 },
	{ 32, 28, 4, 4 },
	{ 36, 40, 4, 4 },
	{ 40, 44, 4, 4 },
	{ 44, 48, 2, 2 },
	{ 46, 50, 2, 2 },
};
enum { FIELD_TIME = 1, FIELD_ACTION = 4, FIELD_COUNT = sizeof fields / sizeof fields[0] };

static uint32_t state;

static uint32_t dice(size_t sides)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return sides ? (uint32_t)(state % sides) : 0;
}

static size_t find_records(const uint8_t *p, size_t size, struct record *records)
{
	size_t count = 0;

	for (size_t at = 0; at + 48 <= size && count < RECORDS_MAX;) {
		const bool big = p[at] == 0x65 && p[at + 1] == 0x61 && p[at + 2] == 0x74;
		const bool little = p[at + 3] == 0x65 && p[at + 2] == 0x61 && p[at + 1] == 0x74;
		const unsigned version = big ? p[at + 3] : p[at];
		const size_t header = version == 8 ? 64 : 48;
		size_t pdu;

		if ((!big && !little) || (version != 7 && version != 8) || at + header > size) {
			at++;
			continue;
		}
		pdu = header == 64 ? 50 : 46;
		pdu = big ? (size_t)p[at + pdu] << 8 | p[at + pdu + 1]
			  : (size_t)p[at + pdu + 1] << 8 | p[at + pdu];
		if (at + header + pdu > size)
			pdu = 0;
		records[count++] = (struct record){ at, header + pdu, big, version == 8 };
		at += header + pdu;
	}
	return count;
}

static uint64_t get(const uint8_t *p, unsigned size, bool big)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < size; i++)
		v = v << 8 | p[big ? i : size - 1 - i];
	return v;
}

static void put(uint8_t *p, unsigned size, bool big, uint64_t v)
{
	for (unsigned i = 0; i < size; i++)
		p[big ? size - 1 - i : i] = (uint8_t)(v >> 8 * i);
}

static uint64_t interesting(uint64_t old)
{
	static const uint64_t values[] = { 0, 1, 7, 8, 15, 16, 127, 128, 255, 256, 4095, 4096, 8191,
		8192, 65535, 65536, 0x7fffffff, 0x80000000, 0xfffffe00, 0xffffffff, 1ULL << 32,
		1ULL << 55, (1ULL << 55) + 1, 1ULL << 62, (1ULL << 62) + 1, 1ULL << 63,
		UINT64_MAX };

	switch (dice(6)) {
	case 0:
		return old + dice(16);
	case 1:
		return old - dice(16);
	case 2:
		return old ^ 1ULL << dice(64);
	case 3:
		return old + ((uint64_t)dice(1000) << dice(40));
	case 4:
		return (uint64_t)dice(UINT32_MAX) << dice(33);
	default:
		return values[dice(sizeof values / sizeof values[0])];
	}
}

static uint64_t an_action(void)
{
	/* letters with their own categories: Q G I D C M F R A X U P, notes, and odd ones */
	static const uint32_t actions[] = { 0x100001, 0x100004, 0x10000c, 0x400007, 0x800008,
		0x100002, 0x100003, 0x200006, 0x10000f, 0xd, 0x10000a, 0x100009, 0x4000000,
		0x4000001, 0x4000002, 0x10, 0x100012, 0x13, 0x40000100, 0 };
	static const uint32_t kinds[] = { 0x10000, 0x20000, 0xa0000, 0x20020000, 0x40000,
		0x80020000, 0x2010000, 0x1000000 };
	uint64_t a = actions[dice(sizeof actions / sizeof actions[0])] |
		kinds[dice(sizeof kinds / sizeof kinds[0])];

	if (dice(8) == 0)
		a |= 0x100;
	if (dice(8) == 0)
		a |= 1ULL << (32 + dice(8)); /* zones and write zeroes, in version 8 */
	return a;
}

static void change_field(uint8_t *data, const struct record *r, const struct record *other)
{
	const unsigned i = dice(FIELD_COUNT);
	const struct field *const f = &fields[i];
	uint8_t *const p = data + r->at + (r->v8 ? f->at8 : f->at7);
	const unsigned size = r->v8 ? f->size8 : f->size7;

	if (i == FIELD_ACTION && dice(3) > 0)
		put(p, size, r->big, an_action());
	else if (dice(2))
		put(p, size, r->big,
			get(data + other->at + (other->v8 ? f->at8 : f->at7),
				other->v8 ? f->size8 : f->size7, other->big));
	else
		put(p, size, r->big, interesting(get(p, size, r->big)));
}

/* Replaces old bytes at `at` by n other ones. */
static size_t replace(uint8_t *data, size_t size, size_t max_size, size_t at, size_t old,
	const uint8_t *bytes, size_t n)
{
	if (size - old + n > max_size)
		return size;
	memmove(data + at + n, data + at + old, size - at - old);
	if (n > 0)
		memcpy(data + at, bytes, n);
	return size - old + n;
}

/* All times from a record on, or of one record, moved. */
static void shift_time(uint8_t *data, const struct record *records, size_t count, size_t from)
{
	const uint64_t by = interesting(0);
	const size_t end = dice(2) ? count : from + 1;

	for (size_t i = from; i < end; i++) {
		uint8_t *const p = data + records[i].at + fields[FIELD_TIME].at7;

		put(p, 8, records[i].big, get(p, 8, records[i].big) + by);
	}
}

size_t mutate_records(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	static struct record records[RECORDS_MAX];
	static uint8_t copy[1 << 16];
	const size_t count = find_records(data, size, records);
	const struct record *a, *b;

	state = seed * 2654435761U | 1;
	dice(2);
	if (count == 0 || dice(8) == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	a = &records[dice(count)];
	b = &records[dice(count)];
	if (a->size > sizeof copy)
		return LLVMFuzzerMutate(data, size, max_size);
	memcpy(copy, data + a->at, a->size);
	switch (dice(10)) {
	case 0: /* once more, elsewhere */
		return replace(data, size, max_size, b->at, 0, copy, a->size);
	case 1: /* gone */
		return replace(data, size, max_size, a->at, a->size, NULL, 0);
	case 2: /* instead of another */
		return replace(data, size, max_size, b->at, b->size, copy, a->size);
	case 3: /* torn */
		return replace(data, size, max_size, a->at, dice(a->size), NULL, 0);
	case 4: /* rubbish between */
		for (size_t i = 0; i < 64; i++)
			copy[i] = dice(2) ? (uint8_t)dice(256) : 0;
		return replace(data, size, max_size, a->at, 0, copy, dice(64) + 1);
	case 5:
		shift_time(data, records, count, dice(count));
		return size;
	case 6: /* a stream of its own from here on */
		if (dice(4) > 0)
			break;
		return replace(data, size, max_size, a->at, 0, (const uint8_t *)FUZZ_STREAM_MARK,
			FUZZ_STREAM_MARK_SIZE);
	default:
		break;
	}
	for (uint32_t n = dice(3) + 1; n > 0; n--)
		change_field(data, &records[dice(count)], &records[dice(count)]);
	return size;
}

/* The records of a up to some, then those of b from some on. */
size_t mutate_join_records(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
	uint8_t *out, size_t max_size, unsigned seed)
{
	static struct record records[RECORDS_MAX];
	size_t n, a_end = a_size, b_at = 0;

	state = seed * 2654435761U | 1;
	n = find_records(a, a_size, records);
	if (n > 0)
		a_end = records[dice(n)].at;
	n = find_records(b, b_size, records);
	if (n > 0)
		b_at = records[dice(n)].at;
	if (a_end > max_size)
		a_end = max_size;
	memcpy(out, a, a_end);
	n = b_size - b_at < max_size - a_end ? b_size - b_at : max_size - a_end;
	memcpy(out + a_end, b + b_at, n);
	return a_end + n;
}
