/* fake_summary.c - see fake_summary.h. Implements the accessors that draw/ uses, nothing else. */
#include "fake_summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"

enum { DEVICES = FAKE_MEMBER_MAX + 1 };

static const uint64_t origin = 5000000000;

struct btviz_summary {
	struct fake f;
	struct btviz_figures figures;
	struct btviz_device devices[DEVICES];
	char names[DEVICES][16];
	struct btviz_member members[FAKE_MEMBER_MAX];
	struct btviz_array array;
	struct btviz_gap gaps[FAKE_GAP_MAX];
	struct btviz_process processes[16];
	char comms[16][32];
	struct btviz_message messages[512];
	size_t top;
	double busy_s;
	struct btviz_health health;
	struct btviz_memory memory;
	const struct btviz_device *device_list[DEVICES];
	const struct btviz_member *member_list[FAKE_MEMBER_MAX];
	const struct btviz_array *array_list[1];
	const struct btviz_gap *gap_list[FAKE_GAP_MAX];
	const struct btviz_process *process_list[16];
	const struct btviz_message *message_list[512];
};

static double share_of(const struct fake *f, size_t member)
{
	double sum = 0;

	for (size_t i = 0; i < f->members; i++)
		sum += f->shares[i];
	return sum > 0 ? f->shares[member] / sum : 1 / (double)f->members;
}

static bool in_gap(const struct fake *f, double t)
{
	for (size_t i = 0; i < f->gaps; i++)
		if (t >= f->gap[i].start && t < f->gap[i].end && f->gap[i].kind != BTVIZ_GAP_SLOW)
			return true;
	return false;
}

static struct btviz_distribution distribution(double typical, uint64_t count)
{
	if (typical <= 0)
		return (struct btviz_distribution){ 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	return (struct btviz_distribution){ count, typical / 4, typical * 1.2, typical, typical * 2,
		typical * 5, typical * 8, typical * 10 };
}

static void add_gaps(struct btviz_summary *s)
{
	struct btviz_device *d = &s->devices[0];

	s->busy_s = s->f.span_s;
	for (size_t i = 0; i < s->f.gaps; i++) {
		struct btviz_gap *g = &s->gaps[i];

		*g = (struct btviz_gap){
			.continued = true,
			.kind = s->f.gap[i].kind,
			.start_s = s->f.gap[i].start,
			.end_s = s->f.gap[i].end,
			.idle_s = 0.9 * (s->f.gap[i].end - s->f.gap[i].start),
			.outstanding = 4,
			.before_comm = "dd",
			.after_comm = "kworker/u8:3",
		};
		if (g->kind == BTVIZ_GAP_DEVICE && s->f.members > 2)
			g->member = s->devices[3].device;
		g->start_ns = origin + (uint64_t)(g->start_s * 1e9);
		g->end_ns = origin + (uint64_t)(g->end_s * 1e9);
		d->gap_totals[g->kind].count++;
		d->gap_totals[g->kind].total_s += g->end_s - g->start_s;
		s->busy_s -= g->kind == BTVIZ_GAP_SLOW ? 0 : g->end_s - g->start_s;
	}
	BTVI_LIST_OF(s->gap_list, s->gaps, s->f.gaps);
	d->gaps = s->gap_list;
	d->gap_count = s->f.gaps;
	d->gap_threshold_s = 0.3;
}

static void add_device(struct btviz_summary *s, size_t i, double share)
{
	struct btviz_device *d = &s->devices[i];
	const double bytes[2] = { s->f.read_rate * s->busy_s * share,
		s->f.write_rate * s->busy_s * share };

	d->device = i == 0 && s->f.members ? BTVIZ_DEVICE(9, 0)
					   : BTVIZ_DEVICE(8, (s->f.members ? i : i + 1) * 16);
	d->name = s->names[i];
	if (i == 0 && s->f.members)
		snprintf(s->names[i], sizeof s->names[i], "md0");
	else
		snprintf(s->names[i], sizeof s->names[i], "sd%c",
			(char)('b' + (s->f.members ? i - 1 : i)));
	d->role = !s->f.members ? BTVIZ_ROLE_DISK : i == 0 ? BTVIZ_ROLE_ARRAY : BTVIZ_ROLE_MEMBER;
	d->request_based = d->role != BTVIZ_ROLE_ARRAY;
	d->unplugs = 500;
	d->basis = BTVIZ_BASIS_COMPLETE;
	for (int op = 0; op < 2; op++)
		d->moved[op] =
			(struct btviz_count){ (uint64_t)(bytes[op] / 65536), (uint64_t)bytes[op] };
	d->moved[BTVIZ_DIR_ALL].bytes = d->moved[0].bytes + d->moved[1].bytes;
	d->moved[BTVIZ_DIR_ALL].ios = d->moved[0].ios + d->moved[1].ios;
	for (int op = 0; op < 2; op++)
		for (int st = 0; st < BTVIZ_STATION_COUNT; st++) {
			if (st == BTVIZ_REQUEUED || st == BTVIZ_MERGED)
				continue;
			d->actions[op][st] = (struct btviz_count){ (uint64_t)(bytes[op] / 65536),
				(uint64_t)bytes[op] };
		}
	d->seeks = (uint64_t)(s->f.seek_rate * s->f.span_s);
	for (int k = 0; k < BTVIZ_INTERVAL_COUNT; k++)
		for (int dir = 0; dir < BTVIZ_DIR_COUNT; dir++)
			d->latency[k][dir] = distribution(s->f.latency_s, 1000);
	d->map_last_sector =
		s->f.last_sector ? s->f.last_sector : (uint64_t)((bytes[0] + bytes[1]) / 512);
	d->map_first_sector = s->f.first_sector;
	d->outstanding_avg = d->outstanding_max = d->utilisation = d->merge_ratio = NAN;
	d->in_flight_avg = d->in_flight_max = NAN;
}

struct btviz_summary *fake_summary_new(const struct fake *f)
{
	struct btviz_summary *s = calloc(1, sizeof *s);
	double squares = 0;

	s->f = *f;
	add_gaps(s);
	for (size_t i = 0; i <= f->members; i++)
		add_device(s, i, i == 0 ? 1 : share_of(f, i - 1));
	for (size_t i = 0; i < f->members; i++) {
		s->members[i] = (struct btviz_member){ .device = s->devices[i + 1].device,
			.name = s->names[i + 1],
			.traced = true,
			.bytes_share = share_of(f, i) };
		squares += share_of(f, i) * share_of(f, i);
	}
	s->array = (struct btviz_array){ .device = s->devices[0].device,
		.name = "md0",
		.members = s->member_list,
		.member_count = f->members,
		.effective_members = squares > 0 ? 1 / squares : NAN,
		.skew = 1,
		.level = "raid0",
		.chunk_bytes = 65536,
		.read_amplification = 1,
		.write_amplification = 1,
		.above_s = NAN,
		.in_members_s = NAN,
		.slowest_ratio = NAN };
	for (size_t i = 0; i < f->processes; i++) {
		snprintf(s->comms[i], sizeof s->comms[i], "fio-%zu", i / 2);
		s->processes[i] = (struct btviz_process){ .pid = (uint32_t)(1000 + i),
			.comm = s->comms[i],
			.write = { 100 - i, (100 - i) * 65536 },
			.latency = distribution(f->latency_s, 10) };
	}
	for (size_t i = 0; i < f->messages; i++) {
		const double t = f->span_s * ((double)i + 0.5) / (double)f->messages;

		s->messages[i] = (struct btviz_message){ .time_ns = origin + (uint64_t)(t * 1e9),
			.time_s = t,
			.device = s->devices[0].device,
			.text = i % 2 ? "continued" : "stopped by the test" };
	}
	BTVI_LIST_OF(s->device_list, s->devices, DEVICES);
	BTVI_LIST_OF(s->member_list, s->members, f->members);
	BTVI_LIST_OF(s->array_list, &s->array, 1);
	BTVI_LIST_OF(s->process_list, s->processes, f->processes);
	BTVI_LIST_OF(s->message_list, s->messages, f->messages);
	s->health = (struct btviz_health){ .events = 123930, .lost_events = f->lost };
	s->memory = (struct btviz_memory){ NAN, NAN, NAN, NAN };
	s->figures = (struct btviz_figures){
		.origin_ns = origin,
		.start_ns = origin,
		.end_ns = origin + (uint64_t)(f->span_s * 1e9),
		.span_s = f->span_s,
		.has_wall = true,
		.wall_sec = 1220000000,
		.command = f->command,
		.health = &s->health,
		.memory = &s->memory,
		.suspected_loss = f->suspected,
		.devices = s->device_list,
		.device_count = f->members + 1,
		.arrays = s->array_list,
		.array_count = f->members ? 1 : 0,
		.processes = s->process_list,
		.process_count = f->processes,
		.messages = s->message_list,
		.message_count = f->messages,
		.messages_total = f->messages,
		.top = &s->top,
		.top_count = 1,
	};
	return s;
}

void btviz_summary_free(struct btviz_summary *s)
{
	free(s);
}

enum btviz_status btviz_summary_figures(
	struct btviz_summary *s, const struct btviz_figures **ret_f, struct btviz_error *err)
{
	(void)err;
	*ret_f = &s->figures;
	return BTVIZ_OK;
}

const struct btviz_samples *btviz_summary_samples(
	const struct btviz_summary *s, struct btviz_error *err)
{
	(void)s;
	(void)err;
	return NULL;
}

uint64_t btviz_summary_resolution(struct btviz_summary *s)
{
	return (uint64_t)fmax(s->f.span_s * 1e9 / 8192, 1);
}

/* A wave, so that a line is not straight; deterministic. */
static double wave(double t, size_t device)
{
	return 1 + 0.4 * sin(17 * t + (double)device) + 0.25 * sin(71 * t);
}

static double course_at(const struct btviz_summary *s, size_t device, enum btviz_course course,
	enum btviz_direction direction, double t)
{
	const double share = device == 0 ? 1 : share_of(&s->f, device - 1);
	const double rates[] = { s->f.read_rate, s->f.write_rate, 0,
		s->f.read_rate + s->f.write_rate };
	double rate;

	if (t < 0 || t > s->f.span_s || in_gap(&s->f, t))
		return course == BTVIZ_COURSE_SIZE || course == BTVIZ_COURSE_MERGE_RATIO ||
				course == BTVIZ_COURSE_LATENCY_P50 ||
				course == BTVIZ_COURSE_LATENCY_P99
			? NAN
			: 0;
	rate = rates[direction] * share * wave(t, device);
	switch (course) {
	case BTVIZ_COURSE_BYTES:
		return rate;
	case BTVIZ_COURSE_IOS:
		return rate / 65536;
	case BTVIZ_COURSE_SEEKS:
		return s->f.seek_rate * wave(t, device);
	case BTVIZ_COURSE_OUTSTANDING:
		return 8 * wave(t, device);
	case BTVIZ_COURSE_OUTSTANDING_MAX:
		return 16 * wave(t, device);
	case BTVIZ_COURSE_IN_FLIGHT:
		return 4 * wave(t, device);
	case BTVIZ_COURSE_SIZE:
		return rates[direction] > 0 ? 65536 * wave(t, device) : NAN;
	case BTVIZ_COURSE_MERGE_RATIO:
		return rates[direction] > 0 ? 1 + wave(t, device) : NAN;
	case BTVIZ_COURSE_LATENCY_P50:
		return s->f.latency_s > 0 ? s->f.latency_s * wave(t, device) : NAN;
	case BTVIZ_COURSE_LATENCY_P99:
		return s->f.latency_s > 0 ? 5 * s->f.latency_s * wave(t, device) : NAN;
	case BTVIZ_COURSE_BUSY:
	case BTVIZ_COURSE_EFFECTIVE:
	case BTVIZ_COURSE_MERGES:
	case BTVIZ_COURSE_QUEUE_LATENCY:
		break;
	}
	return NAN;
}

enum btviz_status btviz_summary_series(struct btviz_summary *s, size_t device,
	enum btviz_course course, enum btviz_direction direction, uint64_t start_ns,
	uint64_t end_ns, size_t cells, double *out)
{
	for (size_t i = 0; i < cells; i++) {
		const double ns = ((double)i + 0.5) / (double)cells * (double)(end_ns - start_ns);

		out[i] = course_at(
			s, device, course, direction, ((double)(start_ns - origin) + ns) * 1e-9);
	}
	return BTVIZ_OK;
}

enum btviz_status btviz_summary_map(struct btviz_summary *s, size_t device, enum btviz_op op,
	uint64_t start_ns, uint64_t end_ns, size_t columns, uint64_t first_sector,
	uint64_t last_sector, size_t rows, float *out, uint32_t *owners)
{
	const struct btviz_device *d = &s->devices[device];
	const double rate = op == BTVIZ_OP_READ ? s->f.read_rate
		: op == BTVIZ_OP_WRITE          ? s->f.write_rate
						: 0;
	const double span = (double)(last_sector - first_sector + 1);

	memset(out, 0, columns * rows * sizeof *out);
	for (size_t c = 0; c < columns && rate > 0; c++) {
		const double t =
			((double)(start_ns - origin) +
				((double)c + 0.5) / (double)columns * (double)(end_ns - start_ns)) *
			1e-9;
		double place = s->f.span_s > 0 ? t / s->f.span_s : 0.5;

		if (t < 0 || t > s->f.span_s || in_gap(&s->f, t))
			continue;
		for (int k = 0; k < (s->f.seek_rate > 0 ? 6 : 1); k++) {
			if (s->f.seek_rate > 0)
				place = fmod(
					(double)(c * 7919 + (size_t)k * 104729) * 0.6180339887 +
						(double)op * 0.31,
					1);

			const double sector = (double)d->map_first_sector +
				place * (double)(d->map_last_sector - d->map_first_sector);
			const double row = (sector - (double)first_sector) / span * (double)rows;

			if (row < 0 || row >= (double)rows)
				continue;
			out[(size_t)row * columns + c] = (float)(8 + k * 100);
			if (owners && s->f.processes)
				owners[(size_t)row * columns + c] =
					(uint32_t)(1000 + c / 40 % s->f.processes);
		}
	}
	return BTVIZ_OK;
}

enum btviz_status btviz_summary_heat(struct btviz_summary *s, size_t device, uint64_t start_ns,
	uint64_t end_ns, size_t columns, double min_s, double max_s, size_t rows, float *out)
{
	memset(out, 0, columns * rows * sizeof *out);
	/* At 64 moments of every cell: a wide one must not miss what is there beside a gap. */
	for (size_t i = 0; i < 64 * columns && s->f.latency_s > 0; i++) {
		const size_t c = i / 64;
		const double ns =
			((double)i + 0.5) / (double)(64 * columns) * (double)(end_ns - start_ns);
		const double p50 = course_at(s, device, BTVIZ_COURSE_LATENCY_P50, BTVIZ_DIR_ALL,
			((double)(start_ns - origin) + ns) * 1e-9);

		for (int k = 0; k < 8 && !isnan(p50); k++) {
			const double at = log(p50 * pow(2, k - 3) / min_s) / log(max_s / min_s);

			if (at >= 0 && at < 1)
				out[(size_t)(at * (double)rows) * columns + c] +=
					(float)(64 >> abs(k - 3));
		}
	}
	return BTVIZ_OK;
}
