/* option_values.c - the values of options: each parsed whole, or refused with what would do. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "say.h"

static bool wrong(const struct option_parser *p, const char *what)
{
	char name[64];

	say_usage(p->command, "%s: '%s' is not %s", option_spelling(p, name, sizeof name), p->value,
		what);
	return false;
}

/* A decimal number at the start of text: no sign, no hexadecimal, no "inf". */
static bool number(const char *text, const char **ret_end, double *ret_x)
{
	char *end;

	if (strspn(text, "0123456789.") == 0)
		return false;
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return false;
	*ret_x = strtod(text, &end);
	*ret_end = end;
	return end != text && isfinite(*ret_x);
}

static bool duration(const char *text, size_t size, uint64_t *ret_ns)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "µs", 1e3 },
		{ "ns", 1 }, { "m", 60e9 }, { "min", 60e9 }, { "h", 3600e9 } };
	char copy[48];
	const char *end;
	double x;

	if (size >= sizeof copy)
		return false;
	memcpy(copy, text, size);
	copy[size] = '\0';
	if (!number(copy, &end, &x))
		return false;
	while (*end == ' ')
		end++;
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (strcmp(end, units[i].unit) == 0) {
			if (x * units[i].ns > 9e18)
				return false;
			*ret_ns = (uint64_t)llround(x * units[i].ns);
			return true;
		}
	return false;
}

bool value_duration(const struct option_parser *p, uint64_t *ret_ns)
{
	if (!duration(p->value, strlen(p->value), ret_ns))
		return wrong(p, "a time such as 0.1, 100ms or 2s");
	return *ret_ns > 0 || wrong(p, "longer than 0");
}

/* Splits "A:B" and parses both halves; an empty one is 0. */
static bool range(const struct option_parser *p, const char *what,
	bool (*parse)(const char *text, size_t size, uint64_t *ret), uint64_t *ret_a,
	uint64_t *ret_b)
{
	const char *colon = strchr(p->value, ':');
	uint64_t a = 0, b = 0;

	if (!colon || colon[1 + strcspn(colon + 1, ":")] != '\0')
		return wrong(p, what);
	if (colon != p->value && !parse(p->value, (size_t)(colon - p->value), &a))
		return wrong(p, what);
	if (colon[1] != '\0' && !parse(colon + 1, strlen(colon + 1), &b))
		return wrong(p, what);
	if (b != 0 && b <= a)
		return wrong(p, "a range: its end must be after its start");
	*ret_a = a;
	*ret_b = b;
	return true;
}

bool value_time_range(const struct option_parser *p, uint64_t *ret_a_ns, uint64_t *ret_b_ns)
{
	return range(
		p, "a range of times such as 3.2:3.6, 5: or :200ms", duration, ret_a_ns, ret_b_ns);
}

static bool byte_count(const char *text, size_t size, uint64_t *ret_bytes)
{
	char copy[48];
	const char *end;
	double x, factor = 1048576;

	if (size >= sizeof copy)
		return false;
	memcpy(copy, text, size);
	copy[size] = '\0';
	if (!number(copy, &end, &x))
		return false;
	if (*end != '\0') {
		static const char letters[] = "bkmgt";
		const char *at = strchr(letters, *end | 0x20);

		if (!at)
			return false;
		factor = pow(1024, (double)(at - letters));
		end++;
		if (at != letters && (strcmp(end, "iB") == 0 || strcmp(end, "B") == 0))
			end += strlen(end);
		if (*end != '\0')
			return false;
	}
	if (x * factor > 9e18)
		return false;
	*ret_bytes = (uint64_t)llround(x * factor);
	return true;
}

bool value_byte_range(const struct option_parser *p, uint64_t *ret_a, uint64_t *ret_b)
{
	return range(
		p, "a range of offsets such as 0:100 (MiB) or 1G:1.5G", byte_count, ret_a, ret_b);
}

bool value_size(const struct option_parser *p, double min, double max, double *ret_w, double *ret_h)
{
	const char *end;
	double w, h;
	char what[96];

	if (number(p->value, &end, &w) && (*end == 'x' || *end == 'X') &&
		number(end + 1, &end, &h) && *end == '\0' && w >= min && h >= min && w <= max &&
		h <= max) {
		*ret_w = w;
		*ret_h = h;
		return true;
	}
	snprintf(what, sizeof what, "a size such as 1200x800, each from %g to %g", min, max);
	return wrong(p, what);
}

bool value_count(const struct option_parser *p, uint64_t min, uint64_t max, uint64_t *ret_n)
{
	char *end;
	char what[96];

	errno = 0;
	if (p->value[0] >= '0' && p->value[0] <= '9') {
		const unsigned long long n = strtoull(p->value, &end, 10);

		if (errno == 0 && *end == '\0' && n >= min && n <= max) {
			*ret_n = n;
			return true;
		}
	}
	if (max == UINT64_MAX)
		snprintf(what, sizeof what, "a whole number of at least %llu",
			(unsigned long long)min);
	else
		snprintf(what, sizeof what, "a whole number from %llu to %llu",
			(unsigned long long)min, (unsigned long long)max);
	return wrong(p, what);
}

bool value_word(const struct option_parser *p, int *ret_i)
{
	const struct option_spec *s = p->specs;
	char what[256] = "one of";
	size_t n = strlen(what);
	const char *word;

	while (s->id != p->id)
		s++;
	for (int i = 0; (word = option_word(s, i)); i++) {
		if (strcmp(word, p->value) == 0) {
			*ret_i = i;
			return true;
		}
		if (n < sizeof what)
			n += (size_t)snprintf(what + n, sizeof what - n, " %s", word);
	}
	return wrong(p, what);
}

const char *option_taking(const struct option_spec *specs, const char *word)
{
	const char *known;

	for (const struct option_spec *s = specs; s->name; s++)
		for (int i = 0; (known = option_word(s, i)); i++)
			if (strcmp(known, word) == 0)
				return s->name;
	return NULL;
}

bool words_add(const struct option_parser *p, struct words *w)
{
	if (w->count == WORDS_MAX) {
		say_usage(p->command, "more than %d of the same option", WORDS_MAX);
		return false;
	}
	w->list[w->count++] = p->value;
	return true;
}
