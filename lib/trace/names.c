/* names.c - what the names of trace files say. See names.h. */
#include "trace/names.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char middle[] = ".blktrace.";

bool btvi_cpu_name_parse(const char *name, struct btvi_cpu_name *ret)
{
	static const char *const packings[] = { "", ".gz", ".xz", ".zst", ".bz2", ".lz4" };
	const char *at = NULL;
	int cpu = 0;
	size_t digits;

	for (const char *p = strstr(name, middle); p; p = strstr(p + 1, middle))
		at = p;
	if (!at || at == name || at[-1] == '/')
		return false;
	digits = strspn(at + sizeof middle - 1, "0123456789");
	if (digits == 0 || digits > 9)
		return false;
	for (size_t i = 0; i < digits; i++)
		cpu = cpu * 10 + (at[sizeof middle - 1 + i] - '0');
	for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
		if (strcmp(at + sizeof middle - 1 + digits, packings[i]) != 0)
			continue;
		*ret = (struct btvi_cpu_name){ (size_t)(at - name), cpu, i > 0 };
		return true;
	}
	return false;
}

size_t btvi_name_without_blktrace(const char *name)
{
	size_t n = strlen(name);
	const size_t whole = n;
	const size_t suffix = sizeof middle - 2; /* without the second dot */

	if (n > 0 && name[n - 1] == '.')
		n--;
	if (n > suffix && strncmp(name + n - suffix, middle, suffix) == 0 &&
		name[n - suffix - 1] != '/')
		return n - suffix;
	return whole;
}

void btvi_name_device(const char *base, const char *run, char *out, size_t out_size)
{
	static const char *const slashed[] = { "cciss_", "ida_", "i2o_", "rd_", "mapper." };
	const char *const slash = strrchr(base, '/');
	const char *name = slash ? slash + 1 : base;
	const char *const dev = strstr(name, "..dev.");

	if (dev && dev[6] != '\0') {
		name = dev + 6;
	} else if (run) {
		const size_t n = strlen(run);

		if (strncmp(name, run, n) == 0 && name[n] == '.' && name[n + 1] != '\0')
			name += n + 1;
	}
	snprintf(out, out_size, "%s", name);
	for (size_t i = 0; i < sizeof slashed / sizeof slashed[0]; i++) {
		const size_t n = strlen(slashed[i]);

		if (strncmp(out, slashed[i], n) == 0 && out[n] != '\0')
			out[n - 1] = '/';
	}
}
