/* quantity.c - figures as text. Knows nothing of what the figures mean. */
#include "base/quantity.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Enough digits that one sees a change of a percent, and no more: 1.53, 8.6, 123. */
static unsigned usual_decimals(double value)
{
	if (value < 1.995)
		return 2;
	return value < 99.95 ? 1 : 0;
}

/* Writes value and its unit. printf's decimal separator is the locale's and may be several bytes
 * long: whatever is no digit and no sign is it, and becomes a point. */
static const char *put(double value, unsigned decimals, const char *unit, char *out)
{
	char raw[400];
	size_t n = 0;
	int point = 0;

	if (isnan(value)) {
		strcpy(out, "n/a");
		return out;
	}
	/* No figure of a trace is larger; this only keeps the text short. */
	if (fabs(value) > 1e18)
		value = value > 0 ? 1e18 : -1e18;
	if (decimals > 9)
		decimals = 9;
	snprintf(raw, sizeof raw, "%.*f", (int)decimals, value);
	for (const char *p = raw; *p != '\0' && n < BTVI_QUANTITY_SIZE - 1; p++) {
		if ((*p >= '0' && *p <= '9') || *p == '-') {
			out[n++] = *p;
		} else if (!point) {
			out[n++] = '.';
			point = 1;
		}
	}
	out[n] = '\0';
	if (n + strlen(unit) < BTVI_QUANTITY_SIZE)
		strcat(out, unit);
	return out;
}

const char *btvi_quantity_fixed(double value, unsigned decimals, char out[BTVI_QUANTITY_SIZE])
{
	return put(value, decimals, "", out);
}

const char *btvi_quantity_count(uint64_t count, char out[BTVI_QUANTITY_SIZE])
{
	char digits[24];
	const int len = snprintf(digits, sizeof digits, "%" PRIu64, count);
	size_t n = 0;

	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			out[n++] = ',';
		out[n++] = digits[i];
	}
	out[n] = '\0';
	return out;
}

const char *btvi_quantity_words(uint64_t count, char out[BTVI_QUANTITY_SIZE])
{
	static const char *const words[] = { "no", "one", "two", "three", "four", "five", "six",
		"seven", "eight", "nine", "ten", "eleven", "twelve" };

	if (count >= sizeof words / sizeof words[0])
		return btvi_quantity_count(count, out);
	strcpy(out, words[count]);
	return out;
}

const char *btvi_quantity_duration(double seconds, char out[BTVI_QUANTITY_SIZE])
{
	const double size = fabs(seconds);

	if (isnan(seconds))
		return put(seconds, 0, "", out);
	if (size >= 0.9995 || size == 0)
		return put(seconds, usual_decimals(size), " s", out);
	if (size >= 0.9995e-3)
		return put(seconds * 1e3, usual_decimals(size * 1e3), " ms", out);
	return put(seconds * 1e6, usual_decimals(size * 1e6), " µs", out);
}

const char *btvi_quantity_bytes(double bytes, char out[BTVI_QUANTITY_SIZE])
{
	static const char *const units[] = { " bytes", " KiB", " MiB", " GiB", " TiB", " PiB" };
	size_t unit = 0;

	if (isnan(bytes))
		return put(bytes, 0, "", out);
	while (fabs(bytes) >= 1023.5 && unit + 1 < sizeof units / sizeof units[0]) {
		bytes /= 1024;
		unit++;
	}
	return put(bytes, unit == 0 ? 0 : bytes < 99.95 ? 1 : 0, units[unit], out);
}

const char *btvi_quantity_rate(double bytes_per_s, char out[BTVI_QUANTITY_SIZE])
{
	static const char *const units[] = { " B/s", " kB/s", " MB/s", " GB/s", " TB/s" };
	size_t unit = 0;

	if (isnan(bytes_per_s))
		return put(bytes_per_s, 0, "", out);
	while (fabs(bytes_per_s) >= 999.5 && unit + 1 < sizeof units / sizeof units[0]) {
		bytes_per_s /= 1000;
		unit++;
	}
	return put(bytes_per_s, unit == 0 ? 0 : bytes_per_s < 99.95 ? 1 : 0, units[unit], out);
}

const char *btvi_quantity_share(double share, char out[BTVI_QUANTITY_SIZE])
{
	const double percent = share * 100;

	if (isnan(share))
		return put(share, 0, "", out);
	return put(percent, percent != 0 && fabs(percent) < 9.95 ? 1 : 0, " %", out);
}

bool btvi_quantity_tied(const char *text, size_t at)
{
	static const char *const units[] = { "%", "s", "ms", "µs", "ns", "B", "KiB", "MiB", "GiB",
		"TiB", "PiB", "EiB", "B/s", "kB/s", "MB/s", "GB/s", "TB/s" };
	const char *const word = text + at + 1;

	if (text[at] != ' ' || at == 0 || text[at - 1] < '0' || text[at - 1] > '9')
		return false;
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
		const size_t n = strlen(units[i]);

		if (strncmp(word, units[i], n) == 0 && strchr(" ,.;:)", word[n])) /* or the end */
			return true;
	}
	return false;
}
