/* dump.h - all figures and courses of a summary as text, to the last bit, for tests that two
 * summaries are the same. */
#ifndef TEST_DUMP_H
#define TEST_DUMP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/btviz.h>

static inline const char *recording(const char *name)
{
	static char path[512];

	snprintf(path, sizeof path, "%s/real/%s.tar.xz", getenv("TESTDATA"), name);
	return path;
}

static void dump_distribution(FILE *out, const char *what, const struct btviz_distribution *d)
{
	fprintf(out, " %s %llu %a %a %a %a %a %a %a\n", what, (unsigned long long)d->count, d->min,
		d->avg, d->p50, d->p90, d->p99, d->p999, d->max);
}

static void dump_courses(
	FILE *out, struct btviz_summary *s, const struct btviz_figures *f, size_t i)
{
	enum { N = 777, W = 40, H = 30 };
	static double cells[N];
	static float map[W * H];

	for (unsigned c = 0; c <= BTVIZ_COURSE_QUEUE_LATENCY; c++)
		for (unsigned dir = 0; dir < BTVIZ_DIR_COUNT; dir++) {
			assert_int_equal(btviz_summary_series(s, i, (enum btviz_course)c,
						 (enum btviz_direction)dir, f->origin_ns,
						 f->end_ns + 1, N, cells),
				BTVIZ_OK);
			fprintf(out, " course %u %u", c, dir);
			for (size_t k = 0; k < N; k++)
				fprintf(out, " %a", cells[k]);
			fputc('\n', out);
		}
	for (unsigned op = 0; op < 3; op++) {
		assert_int_equal(btviz_summary_map(s, i, (enum btviz_op)op, f->origin_ns,
					 f->end_ns + 1, W, 0, 1 << 21, H, map, NULL),
			BTVIZ_OK);
		fprintf(out, " map %u", op);
		for (size_t k = 0; k < W * H; k++)
			fprintf(out, " %a", (double)map[k]);
		fputc('\n', out);
	}
	assert_int_equal(btviz_summary_heat(s, i, f->origin_ns, f->end_ns + 1, W, 1e-6, 10, H, map),
		BTVIZ_OK);
	for (size_t k = 0; k < W * H; k++)
		fprintf(out, " %a", (double)map[k]);
	fputc('\n', out);
}

static void dump_array(FILE *out, const struct btviz_array *a)
{
	fprintf(out, "array %s members %zu effective %a skew %a level %s chunk %llu inferred %d\n",
		a->name, a->member_count, a->effective_members, a->skew, a->level ? a->level : "-",
		(unsigned long long)a->chunk_bytes, a->inferred);
	fprintf(out,
		" amplification %a %a rmw %llu own %llu messages %llu %llu above %a %a slowest %x %a\n",
		a->read_amplification, a->write_amplification,
		(unsigned long long)a->rmw_read_bytes, (unsigned long long)a->own_bytes,
		(unsigned long long)a->rmw_messages, (unsigned long long)a->rcw_messages,
		a->above_s, a->in_members_s, a->slowest_member, a->slowest_ratio);
	for (size_t i = 0; i < a->member_count; i++) {
		const struct btviz_member *m = a->members[i];

		fprintf(out,
			" member %x %s traced %d share %a read %llu write %llu remapped %llu own %llu %a %a %a\n",
			m->device, m->name, m->traced, m->bytes_share,
			(unsigned long long)m->read.bytes, (unsigned long long)m->write.bytes,
			(unsigned long long)m->remapped.bytes, (unsigned long long)m->own.bytes,
			m->latency_avg_s, m->utilisation, m->seeks_per_s);
	}
}

static inline void dump_health(FILE *out, const struct btviz_health *h)
{
	fprintf(out, "health %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %x\n",
		(unsigned long long)h->bytes, (unsigned long long)h->streams,
		(unsigned long long)h->events, (unsigned long long)h->notes,
		(unsigned long long)h->lost_events, (unsigned long long)h->sequence_holes,
		(unsigned long long)h->torn_tails, (unsigned long long)h->bad_bytes,
		(unsigned long long)h->unknown_actions, (unsigned long long)h->late_events,
		(unsigned long long)h->repeated_events, (unsigned long long)h->no_payload,
		h->versions);
}

static void dump_device(FILE *out, const struct btviz_device *d)
{
	fprintf(out, "device %x %s role %d basis %d events %llu %llu..%llu seeks %llu\n", d->device,
		d->name, d->role, d->basis, (unsigned long long)d->events,
		(unsigned long long)d->first_ns, (unsigned long long)d->last_ns,
		(unsigned long long)d->seeks);
	for (unsigned op = 0; op < BTVIZ_OP_COUNT; op++)
		for (unsigned st = 0; st < BTVIZ_STATION_COUNT; st++)
			fprintf(out, " %llu/%llu", (unsigned long long)d->actions[op][st].ios,
				(unsigned long long)d->actions[op][st].bytes);
	for (unsigned dir = 0; dir < BTVIZ_DIR_COUNT; dir++) {
		fprintf(out, "\n moved %llu %llu\n", (unsigned long long)d->moved[dir].ios,
			(unsigned long long)d->moved[dir].bytes);
		for (unsigned i = 0; i < BTVIZ_INTERVAL_COUNT; i++)
			dump_distribution(out, "latency", &d->latency[i][dir]);
		dump_distribution(out, "queued", &d->queued_bytes[dir]);
		dump_distribution(out, "issued", &d->issued_bytes[dir]);
	}
	dump_distribution(out, "seek", &d->seek_sectors);
	fprintf(out, " depth %a %a %a %a util %a ratio %a cut %llu %llu unpaired %llu\n",
		d->outstanding_avg, d->outstanding_max, d->in_flight_avg, d->in_flight_max,
		d->utilisation, d->merge_ratio, (unsigned long long)d->cut_head,
		(unsigned long long)d->cut_tail, (unsigned long long)d->unpaired);
	for (size_t i = 0; i < d->gap_count; i++)
		fprintf(out, " gap %d %a %a %a %u %x %u %s %u %s\n", d->gaps[i]->kind,
			d->gaps[i]->start_s, d->gaps[i]->end_s, d->gaps[i]->idle_s,
			d->gaps[i]->outstanding, d->gaps[i]->member, d->gaps[i]->before_pid,
			d->gaps[i]->before_comm, d->gaps[i]->after_pid, d->gaps[i]->after_comm);
	fprintf(out,
		" counts %llu %llu %llu %llu %llu %llu %llu flush %llu fua %llu given up %llu based %d\n",
		(unsigned long long)d->gets, (unsigned long long)d->inserts,
		(unsigned long long)d->splits, (unsigned long long)d->remaps,
		(unsigned long long)d->plugs, (unsigned long long)d->unplugs,
		(unsigned long long)d->timer_unplugs, (unsigned long long)d->flushes,
		(unsigned long long)d->fua, (unsigned long long)d->given_up, d->request_based);
	for (size_t i = 0; i < d->error_count; i++)
		fprintf(out, " error %d %llu\n", d->errors[i].error,
			(unsigned long long)d->errors[i].count);
	for (size_t i = 0; i < d->parent_count; i++)
		fprintf(out, " parent %x\n", d->parents[i]);
	fprintf(out, " map %llu %llu threshold %a\n", (unsigned long long)d->map_first_sector,
		(unsigned long long)d->map_last_sector, d->gap_threshold_s);
	for (unsigned k = 0; k < BTVIZ_GAP_KIND_COUNT; k++)
		fprintf(out, " total %llu %a\n", (unsigned long long)d->gap_totals[k].count,
			d->gap_totals[k].total_s);
}

/* Everything there is to know of a summary, as text; the caller frees it. */
static inline char *dump(struct btviz_summary *s)
{
	const struct btviz_figures *f;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(btviz_summary_figures(s, &f, NULL), BTVIZ_OK);
	fprintf(out, "origin %llu span %a wall %d %lld %u loss %llu\n",
		(unsigned long long)f->origin_ns, f->span_s, f->has_wall, (long long)f->wall_sec,
		f->wall_nsec, (unsigned long long)f->suspected_loss);
	fprintf(out, "start %llu end %llu missing %x top", (unsigned long long)f->start_ns,
		(unsigned long long)f->end_ns, f->categories_missing);
	for (size_t i = 0; i < f->top_count; i++)
		fprintf(out, " %zu", f->top[i]);
	fprintf(out, "\ncommand %s kernel %s\n", f->command ? f->command : "-",
		f->kernel ? f->kernel : "-");
	for (size_t i = 0; i < f->device_count; i++) {
		dump_device(out, f->devices[i]);
		dump_courses(out, s, f, i);
	}
	for (size_t i = 0; i < f->array_count; i++)
		dump_array(out, f->arrays[i]);
	for (size_t i = 0; i < f->process_count; i++) {
		const struct btviz_process *p = f->processes[i];

		fprintf(out, "process %u %s %llu %llu %llu\n", p->pid, p->comm,
			(unsigned long long)p->read.bytes, (unsigned long long)p->write.bytes,
			(unsigned long long)p->seeks);
		dump_distribution(out, "latency", &p->latency);
	}
	for (size_t i = 0; i < f->cgroup_count; i++) {
		fprintf(out, "cgroup %llu %llu %llu\n", (unsigned long long)f->cgroups[i]->id,
			(unsigned long long)f->cgroups[i]->read.bytes,
			(unsigned long long)f->cgroups[i]->write.bytes);
		dump_distribution(out, "latency", &f->cgroups[i]->latency);
	}
	for (size_t i = 0; i < f->message_count; i++)
		fprintf(out, "message %a %s\n", f->messages[i]->time_s, f->messages[i]->text);
	fclose(out);
	return text;
}

static inline void assert_same(char *a, char *b)
{
	const char *x = a, *y = b;

	while (*x && *x == *y) {
		x++;
		y++;
	}
	if (*x != *y) {
		const size_t back = x - a > 200 ? 200 : (size_t)(x - a);

		fail_msg("differs at byte %td:\n  %.400s\n  %.400s", x - a, x - back, y - back);
	}
	free(a);
	free(b);
}

#endif
