/* names.c - what the names of trace files say. See names.h. */
#include "trace/names.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char middle[] = ".blktrace.";

static const char *const packings[] = { "", ".gz", ".xz", ".zst", ".bz2", ".lz4" };

/* A number of digits at text; false where there is none, or it is absurdly long. */
static bool parse_cpu(const char *text, const char **ret_end, int *ret_cpu)
{
	const size_t digits = strspn(text, "0123456789");

	*ret_cpu = 0;
	if (digits == 0 || digits > 9)
		return false;
	for (size_t i = 0; i < digits; i++)
		*ret_cpu = *ret_cpu * 10 + (text[i] - '0');
	*ret_end = text + digits;
	return true;
}

static bool parse_packing(const char *text, bool *ret_packed)
{
	for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
		*ret_packed = i > 0;
		if (strcmp(text, packings[i]) == 0)
			return true;
	}
	return false;
}

/* "cpu3.raw", "cpu3.bin": what was saved of each CPU's trace_pipe_raw or trace_pipe. */
static bool parse_pipe_name(const char *name, struct btvi_cpu_name *ret)
{
	const char *const slash = strrchr(name, '/');
	const char *const base = slash ? slash + 1 : name;
	const char *end;

	if (strncmp(base, "cpu", 3) != 0 || !parse_cpu(base + 3, &end, &ret->cpu) ||
		(strncmp(end, ".raw", 4) != 0 && strncmp(end, ".bin", 4) != 0))
		return false;
	ret->base_size = (size_t)(base + 3 - name);
	return parse_packing(end + 4, &ret->packed);
}

bool btvi_cpu_name_parse(const char *name, struct btvi_cpu_name *ret)
{
	struct btvi_cpu_name parsed;
	const char *at = NULL, *end;

	for (const char *p = strstr(name, middle); p; p = strstr(p + 1, middle))
		at = p;
	if (!at) {
		if (!parse_pipe_name(name, &parsed))
			return false;
	} else {
		if (at == name || at[-1] == '/' ||
			!parse_cpu(at + sizeof middle - 1, &end, &parsed.cpu) ||
			!parse_packing(end, &parsed.packed))
			return false;
		parsed.base_size = (size_t)(at - name);
	}
	*ret = parsed;
	return true;
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

size_t btvi_name_lane(const char *name)
{
	const size_t size = strlen(name);
	size_t n = size;

	if (n < 5 || (strcmp(name + n - 4, ".raw") != 0 && strcmp(name + n - 4, ".bin") != 0))
		return size;
	for (n -= 4; n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9'; n--)
		;
	return n > 0 && name[n - 1] != '/' && n < size - 4 ? n : size;
}
