/* mutate_text.c - changes JSON or CSV as something that knows numbers and fields would: a number
 * takes an edge's value or another number's, a field is doubled, moved, or gone. Knows no schema.
 */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "mutate.h"

static uint32_t state;

static uint32_t dice(size_t sides)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return sides ? (uint32_t)(state % sides) : 0;
}

struct span {
	size_t at, size;
};

static bool numeric(uint8_t c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '.';
}

/* The first number at or after some place, or else in all of it; of size 0 if there is none. */
static struct span find_number(const uint8_t *data, size_t size)
{
	size_t at = dice(size);
	struct span s = { 0, 0 };

	for (size_t looked = 0; looked < size && !numeric(data[at]); looked++)
		at = at + 1 < size ? at + 1 : 0;
	if (!numeric(data[at]))
		return s;
	while (at > 0 && numeric(data[at - 1]))
		at--;
	s.at = at;
	while (at + s.size < size && numeric(data[at + s.size]))
		s.size++;
	return s;
}

static bool separates(uint8_t c)
{
	return c == ',' || c == ' ' || c == '\n' || c == ':' || c == '[' || c == ']' || c == '{' ||
		c == '}';
}

/* From a separator up to one of the next few. */
static struct span find_fields(const uint8_t *data, size_t size)
{
	struct span s = { dice(size), 1 };
	uint32_t fields = 1 + dice(3);

	while (s.at > 0 && !separates(data[s.at]))
		s.at--;
	while (s.at + s.size < size) {
		if (separates(data[s.at + s.size]) && --fields == 0)
			break;
		s.size++;
	}
	return s;
}

static size_t replace(uint8_t *data, size_t size, size_t max_size, struct span old,
	const uint8_t *bytes, size_t n)
{
	if (size - old.size + n > max_size)
		return size;
	memmove(data + old.at + n, data + old.at + old.size, size - old.at - old.size);
	if (n > 0)
		memcpy(data + old.at, bytes, n);
	return size - old.size + n;
}

static size_t other_number(uint8_t *data, size_t size, size_t max_size, struct span old)
{
	static const char *const edges[] = { "0", "1", "-1", "2", "7", "8", "63", "64", "255",
		"256", "511", "512", "1023", "1024", "1025", "4095", "4096", "4097", "65535",
		"65536", "262144", "2147483647", "2147483648", "4294967295", "4294967296",
		"4611686018427387904", "9223372036854775807", "-9223372036854775808",
		"9223372036854775808", "18446744073709551615", "18446744073709551616", "0.5",
		"-0.0", "1e308", "1e-308", "1e999", "null", "true", "\"\"", "[]", "{}" };
	char text[64];
	unsigned long long value;
	struct span from;

	switch (dice(4)) {
	case 0:
		from = find_number(data, size);
		if (from.size > sizeof text)
			return size;
		memcpy(text, data + from.at, from.size);
		return replace(data, size, max_size, old, (const uint8_t *)text, from.size);
	case 1: /* a little more or less */
		snprintf(text, sizeof text, "%.*s", (int)(old.size < 60 ? old.size : 60),
			(const char *)data + old.at);
		value = strtoull(text, NULL, 10);
		snprintf(text, sizeof text, "%llu", value + dice(9) - 4);
		break;
	default:
		snprintf(text, sizeof text, "%s", edges[dice(sizeof edges / sizeof edges[0])]);
	}
	return replace(data, size, max_size, old, (const uint8_t *)text, strlen(text));
}

size_t mutate_text(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	uint8_t copy[4096];
	struct span a, b;

	state = seed * 2654435761U | 1;
	dice(2);
	if (size < 2 || dice(8) == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	a = find_number(data, size);
	if (a.size > 0 && dice(4) > 0)
		return other_number(data, size, max_size, a);
	a = find_fields(data, size);
	b = (struct span){ find_fields(data, size).at, 0 };
	if (a.size > sizeof copy)
		return LLVMFuzzerMutate(data, size, max_size);
	memcpy(copy, data + a.at, a.size);
	switch (dice(3)) {
	case 0: /* once more, elsewhere */
		return replace(data, size, max_size, b, copy, a.size);
	case 1: /* gone */
		return replace(data, size, max_size, a, NULL, 0);
	default: /* instead of others */
		return replace(data, size, max_size, find_fields(data, size), copy, a.size);
	}
}
