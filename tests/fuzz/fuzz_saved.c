/* fuzz_saved.c - a saved summary, compressed or not: refused with a reason, or loaded; and what was
 * loaded can be looked at, saved and loaded again. */
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <btviz/finding.h>
#include <btviz/summary.h>

#include "fuzz.h"
#include "measure/load.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btviz_error err = { .status = BTVIZ_OK };
	struct btviz_summary *s = NULL;
	enum btviz_status status;
	char path[64];
	const int fd = memfd_create("saved", MFD_CLOEXEC);

	require(fd >= 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size) {
		btvi_load_recognises(path, NULL);
		status = btvi_load(path, NULL, NULL, &s, &err);
		if (status == BTVIZ_OK)
			look_at(s);
		else
			require(err.status == status && err.message[0] != '\0');
		btviz_summary_free(s);
	}
	close(fd);
	return 0;
}
