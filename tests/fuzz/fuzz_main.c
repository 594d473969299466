/* fuzz_main.c - runs a fuzz target without a fuzzer: replays files, and directories of them, as an
 * ordinary test; with -mutate=N also N inputs made from each by the target's mutator (always the
 * same ones). Prints how many inputs were tried. */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

enum {
	MAX_SIZE = 1 << 20,
	MUTANT_MAX = 1 << 16,
};

static unsigned long tried, mutations;
static uint32_t state = 1;

static uint32_t dice(uint32_t sides)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return sides ? state % sides : 0;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	if (size == 0)
		return 0;
	switch (dice(4)) {
	case 0:
		data[dice((uint32_t)size)] ^= (uint8_t)(1U << dice(8));
		break;
	case 1:
		data[dice((uint32_t)size)] = (uint8_t)dice(256);
		break;
	case 2:
		return dice((uint32_t)size) + 1;
	default:
		if (size < max_size) {
			const size_t at = dice((uint32_t)size);

			memmove(data + at + 1, data + at, size - at);
			size++;
		}
	}
	return size;
}

#ifndef FUZZ_OWN_MUTATOR
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	(void)seed;
	return LLVMFuzzerMutate(data, size, max_size);
}
#endif

static void try(const uint8_t *data, size_t size)
{
	/* Exactly as large as the input, so that a sanitizer sees a byte too far. */
	uint8_t *const copy = malloc(size ? size : 1);

	require(copy);
	if (size > 0)
		memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
	tried++;
}

static void replay_file(const char *path)
{
	static uint8_t bytes[MAX_SIZE], mutant[MUTANT_MAX];
	FILE *const file = fopen(path, "rb");
	size_t size;

	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(1);
	}
	size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	try(bytes, size);
	for (unsigned long i = 0; i < mutations; i++) {
		size_t n = size < sizeof mutant ? size : sizeof mutant;

		memcpy(mutant, bytes, n);
		for (uint32_t times = dice(4) + 1; times > 0; times--)
			n = LLVMFuzzerCustomMutator(mutant, n, sizeof mutant, dice(UINT32_MAX));
		try(mutant, n);
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void replay(const char *path)
{
	char *names[4096];
	size_t count = 0;
	struct stat st;
	struct dirent *entry;
	DIR *dir;

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
		replay_file(path);
		return;
	}
	dir = opendir(path);
	require(dir);
	while ((entry = readdir(dir)) != NULL && count < 4096)
		if (entry->d_name[0] != '.' &&
			asprintf(&names[count], "%s/%s", path, entry->d_name) >= 0)
			count++;
	closedir(dir);
	qsort(names, count, sizeof names[0], by_name);
	for (size_t i = 0; i < count; i++) {
		replay_file(names[i]);
		free(names[i]);
	}
}

int main(int argc, char **argv)
{
	try(NULL, 0);
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "-mutate=", 8) == 0)
			mutations = strtoul(argv[i] + 8, NULL, 10);
		else
			replay(argv[i]);
	}
	printf("%lu inputs\n", tried);
	return 0;
}
