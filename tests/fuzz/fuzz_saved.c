/* fuzz_saved.c - a saved summary, compressed or not: refused with a reason, or loaded; and what was
 * loaded can be looked at, saved and loaded again, and is the same then. */
#include <string.h>

#include <btviz/finding.h>
#include <btviz/summary.h>

#include "fuzz.h"
#include "measure/saved.h"
#include "mutate.h"

static void look_at(struct btviz_summary *s)
{
	static double cells[100];
	static float map[20 * 20];
	const struct btviz_figures *f;
	struct btviz_findings *findings = NULL;

	if (btviz_summary_figures(s, &f, NULL) != BTVIZ_OK)
		return;
	for (size_t i = 0; i < f->device_count && i < 8; i++) {
		const struct btviz_device *const d = f->devices[i];

		for (unsigned c = 0; c <= BTVIZ_COURSE_QUEUE_LATENCY; c++)
			btviz_summary_series(s, i, (enum btviz_course)c, BTVIZ_DIR_ALL,
				f->origin_ns, f->end_ns + 1, 100, cells);
		btviz_summary_map(s, i, BTVIZ_OP_WRITE, f->origin_ns, f->end_ns + 1, 20,
			d->map_first_sector, d->map_last_sector, 20, map, NULL);
		btviz_summary_heat(s, i, f->origin_ns, f->end_ns + 1, 20, 1e-6, 10, 20, map);
		for (size_t g = 0; g < d->gap_count; g++)
			require(d->gaps[g]->start_ns <= d->gaps[g]->end_ns &&
				d->gaps[g]->before_comm);
	}
	require(btviz_findings_new(f, &findings, NULL) == BTVIZ_OK);
	require(btviz_findings_count(findings) > 0);
	btviz_findings_free(findings);
}

static struct btviz_summary *load(const char *path)
{
	struct btviz_error err = { .status = BTVIZ_OK };
	struct btviz_summary *s = NULL;
	const enum btviz_status status = btvi_saved_load(path, NULL, NULL, &s, &err);

	require(status == BTVIZ_OK ? s != NULL : !s);
	require(status == BTVIZ_OK || (err.status == status && err.message[0] != '\0'));
	return s;
}

/* Bytes of a file; the caller frees them. */
static unsigned char *read_file(const char *path, size_t *ret_size)
{
	FILE *const file = fopen(path, "rb");
	unsigned char *const bytes = malloc(1 << 22);

	require(file && bytes);
	*ret_size = fread(bytes, 1, 1 << 22, file);
	fclose(file);
	return bytes;
}

/* What was loaded is what is saved, and what is saved can be loaded. */
static void save_again(struct btviz_summary *s)
{
	static char paths[2][64];
	unsigned char *bytes[2];
	size_t sizes[2];

	for (int i = 0; i < 2; i++) {
		struct btviz_error err;
		struct btviz_summary *saved;

		snprintf(paths[i], sizeof paths[i], "/tmp/btviz-fuzz-%ld-%d", (long)getpid(), i);
		require(btviz_summary_save(s, paths[i], &err) == BTVIZ_OK);
		bytes[i] = read_file(paths[i], &sizes[i]);
		saved = load(paths[i]);
		require(saved);
		unlink(paths[i]);
		if (i > 0)
			btviz_summary_free(s);
		s = saved;
	}
	btviz_summary_free(s);
	require(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
	free(bytes[0]);
	free(bytes[1]);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return mutate_text(data, size, max_size, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btviz_summary *s;
	char path[FUZZ_PATH_SIZE];
	const int fd = fuzz_file(data, size, path);

	btvi_saved_recognises(path, NULL);
	s = load(path);
	close(fd);
	if (!s)
		return 0;
	look_at(s);
	save_again(s);
	btviz_summary_free(s);
	return 0;
}
