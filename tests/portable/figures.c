/* figures.c - prints what a trace comes to, so that builds for other machines can be compared with
 * the native one line by line. Stands in for the metadata reader, whose library those builds lack.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <btviz/btviz.h>

#include "measure/saved.h"

enum btviz_status btviz_metadata_open(
	const char *name, const char *dir, struct btviz_metadata **ret_m, struct btviz_error *err)
{
	(void)name;
	(void)dir;
	(void)ret_m;
	(void)err;
	return BTVIZ_ERR_NOT_FOUND;
}

bool btvi_saved_recognises(const char *name, const char *dir)
{
	(void)name;
	(void)dir;
	return false;
}

enum btviz_status btvi_saved_load(const char *name, const char *dir,
	const struct btviz_summary_options *options, struct btviz_summary **ret_s,
	struct btviz_error *err)
{
	(void)name;
	(void)dir;
	(void)options;
	(void)ret_s;
	(void)err;
	return BTVIZ_ERR_UNSUPPORTED;
}

enum btviz_status btviz_samples_open(
	const char *name, const char *dir, struct btviz_samples **ret_s, struct btviz_error *err)
{
	(void)name;
	(void)dir;
	(void)ret_s;
	(void)err;
	return BTVIZ_ERR_NOT_FOUND;
}

void btviz_samples_close(struct btviz_samples *s)
{
	(void)s;
}

ptrdiff_t btviz_samples_column_find(const struct btviz_samples *s, const char *name)
{
	(void)s;
	(void)name;
	return -1;
}

void btviz_samples_range(const struct btviz_samples *s, ptrdiff_t column, uint64_t t0_ns,
	uint64_t t1_ns, struct btviz_samples_range *ret_range)
{
	(void)s;
	(void)column;
	(void)t0_ns;
	(void)t1_ns;
	(void)ret_range;
}

void btviz_metadata_close(struct btviz_metadata *m)
{
	(void)m;
}

const struct btviz_metadata_run *btviz_metadata_run(const struct btviz_metadata *m)
{
	(void)m;
	return NULL;
}

size_t btviz_metadata_device_count(const struct btviz_metadata *m)
{
	(void)m;
	return 0;
}

const struct btviz_metadata_device *btviz_metadata_device(const struct btviz_metadata *m, size_t i)
{
	(void)m;
	(void)i;
	return NULL;
}

const struct btviz_metadata_device *btviz_metadata_find(
	const struct btviz_metadata *m, uint32_t device)
{
	(void)m;
	(void)device;
	return NULL;
}

static void print_device(struct btviz_summary *s, const struct btviz_figures *f, size_t i)
{
	const struct btviz_device *d = f->devices[i];
	double cells[7];

	printf("device %s role %d events %" PRIu64 " seeks %" PRIu64 " plugs %" PRIu64 "\n",
		d->name, (int)d->role, d->events, d->seeks, d->plugs);
	for (unsigned op = 0; op < BTVIZ_OP_COUNT; op++)
		for (unsigned at = 0; at < BTVIZ_STATION_COUNT; at++)
			if (d->actions[op][at].ios > 0)
				printf("  %s %u: %" PRIu64 " %" PRIu64 "\n",
					btviz_op_name((enum btviz_op)op), at,
					d->actions[op][at].ios, d->actions[op][at].bytes);
	for (unsigned k = 0; k < BTVIZ_INTERVAL_COUNT; k++) {
		const struct btviz_distribution *l = &d->latency[k][BTVIZ_DIR_ALL];

		if (l->count > 0)
			printf("  interval %u: %" PRIu64 " %.6g %.6g %.6g %.6g\n", k, l->count,
				l->min, l->avg, l->p99, l->max);
	}
	for (size_t g = 0; g < d->gap_count; g++)
		printf("  gap %d: %.6f %.6f %.6f\n", (int)d->gaps[g]->kind, d->gaps[g]->start_s,
			d->gaps[g]->end_s, d->gaps[g]->idle_s);
	if (btviz_summary_series(s, i, BTVIZ_COURSE_BYTES, BTVIZ_DIR_ALL, f->origin_ns, f->end_ns,
		    7, cells) == BTVIZ_OK)
		for (unsigned c = 0; c < 7; c++)
			printf("  rate %u: %.6g\n", c, cells[c]);
}

int main(int argc, char **argv)
{
	struct btviz_summary *s;
	const struct btviz_figures *f;
	struct btviz_findings *findings;
	struct btviz_error err;

	if (argc != 2 || btviz_summary_read(argv[1], NULL, NULL, &s, &err) < 0 ||
		btviz_summary_figures(s, &f, &err) < 0 ||
		btviz_findings_new(f, &findings, &err) < 0) {
		fprintf(stderr, "%s\n", argc == 2 ? err.message : "one name");
		return 1;
	}
	printf("origin %" PRIu64 " span %.9f events %" PRIu64 " notes %" PRIu64 " bad %" PRIu64
	       " wall %" PRId64 "\n",
		f->origin_ns, f->span_s, f->health->events, f->health->notes, f->health->bad_bytes,
		f->has_wall ? f->wall_sec : 0);
	for (size_t i = 0; i < f->device_count; i++)
		print_device(s, f, i);
	for (size_t i = 0; i < f->process_count; i++)
		printf("process %" PRIu32 " %s %" PRIu64 "\n", f->processes[i]->pid,
			f->processes[i]->comm, f->processes[i]->write.bytes);
	for (size_t i = 0; i < btviz_findings_count(findings); i++)
		printf("%s: %s\n", btviz_findings_get(findings, i)->name,
			btviz_findings_get(findings, i)->text);
	btviz_findings_free(findings);
	btviz_summary_free(s);
	return 0;
}
