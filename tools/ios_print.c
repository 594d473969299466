/* ios_print.c - one I/O as a line. A stage that the I/O did not pass, or that the trace does not
 * tell, is - in text, empty in CSV and null in JSON. Knows nothing of where lines go. */
#include "ios_print.h"

#include <stdbool.h>
#include <string.h>

#define UNKNOWN BTVIZ_TIME_UNKNOWN

uint64_t io_begin_ns(const struct btviz_io *io)
{
	const uint64_t times[] = { io->queue_ns, io->get_ns, io->insert_ns, io->issue_ns };

	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
		if (times[i] != UNKNOWN)
			return times[i];
	return io->complete_ns;
}

/* Stages are from a station to a later one; UNKNOWN where either is. */
static uint64_t stage(uint64_t from_ns, uint64_t to_ns)
{
	return from_ns == UNKNOWN || to_ns == UNKNOWN || to_ns < from_ns ? UNKNOWN
									 : to_ns - from_ns;
}

/* The stages, in the order of their columns. Q2D and D2C add up to Q2C; so do the others with D2C:
 * Q2G, G2I, I2D of what got a request, Q2M, M2D of what was merged into one. */
static const struct {
	const char *name;
	size_t from, to;
} stages[] = {
#define STATION(member) offsetof(struct btviz_io, member)
	{ "q2c_s", STATION(queue_ns), STATION(complete_ns) },
	{ "q2d_s", STATION(queue_ns), STATION(issue_ns) },
	{ "d2c_s", STATION(issue_ns), STATION(complete_ns) },
	{ "q2g_s", STATION(queue_ns), STATION(get_ns) },
	{ "g2i_s", STATION(get_ns), STATION(insert_ns) },
	{ "i2d_s", STATION(insert_ns), STATION(issue_ns) },
	{ "q2m_s", STATION(queue_ns), STATION(merge_ns) },
	{ "m2d_s", STATION(merge_ns), STATION(issue_ns) },
#undef STATION
};

enum { STAGES = sizeof stages / sizeof stages[0], STAGES_IN_TEXT = 3 };

static uint64_t stage_ns(const struct btviz_io *io, size_t i)
{
	uint64_t from, to;

	memcpy(&from, (const char *)io + stages[i].from, sizeof from);
	memcpy(&to, (const char *)io + stages[i].to, sizeof to);
	return stage(from, to);
}

/* ---- text ------------------------------------------------------------------------------------ */

static size_t width_of(const char *text, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < size; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n;
}

/* Blanks, up to so many columns behind where a field began; what is too long is not cut. */
static void pad(struct line *l, size_t begin, size_t columns)
{
	const size_t width = width_of(l->text + begin, l->size - begin);

	for (size_t n = width; n < columns; n++)
		line_char(l, ' ');
}

static void left(struct line *l, const char *text, size_t columns)
{
	const size_t begin = l->size;

	line_text(l, text);
	pad(l, begin, columns);
}

/* Milliseconds with three digits behind the point. */
static void put_ms(struct line *l, uint64_t ns)
{
	if (ns == UNKNOWN) {
		line_right(l, "-", 11);
		return;
	}
	ns += 500; /* to the nearest microsecond */
	line_number(l, ns / 1000000, 7, ' ');
	line_char(l, '.');
	line_number(l, ns / 1000 % 1000, 3, '0');
}

static void print_text(struct line *l, const struct btviz_io *io, const struct io_context *c)
{
	size_t at;

	line_time(l, io_begin_ns(io), c->origin_ns, 5);
	line_char(l, ' ');
	left(l, c->device, 8);
	line_char(l, ' ');
	left(l, c->process ? c->process : "-", 16);
	line_number(l, io->pid, 7, ' ');
	line_char(l, ' ');
	left(l, btviz_op_name(io->op), 7);
	line_number(l, io->sector, 12, ' ');
	line_text(l, " + ");
	at = l->size;
	line_u(l, io->bytes / BTVIZ_SECTOR_BYTES);
	pad(l, at, 7);
	for (size_t i = 0; i < STAGES_IN_TEXT; i++)
		put_ms(l, stage_ns(io, i));
	if (io->merge_ns != UNKNOWN)
		line_text(l, " merged");
	if (io->complete_ns == UNKNOWN)
		line_text(l, " never ended");
	if (io->error != 0) {
		line_text(l, " [");
		line_signed(l, io->error);
		line_char(l, ']');
	}
	line_char(l, '\n');
}

/* ---- CSV and JSON lines ---------------------------------------------------------------------- */

static void put_s(struct line *l, uint64_t ns, const char *unknown)
{
	if (ns == UNKNOWN)
		line_text(l, unknown);
	else
		line_time(l, ns, 0, 0);
}

static void print_csv(struct line *l, const struct btviz_io *io, const struct io_context *c)
{
	line_time(l, io_begin_ns(io), c->origin_ns, 0);
	line_char(l, ',');
	line_csv_text(l, c->device);
	line_char(l, ',');
	line_csv_dev(l, io->device);
	line_char(l, ',');
	line_u(l, io->pid);
	line_char(l, ',');
	line_csv_text(l, c->process ? c->process : "");
	line_char(l, ',');
	line_text(l, btviz_op_name(io->op));
	line_char(l, ',');
	line_u(l, io->sector);
	line_char(l, ',');
	line_u(l, io->bytes);
	line_char(l, ',');
	if (io->complete_ns != UNKNOWN)
		line_signed(l, io->error);
	line_char(l, ',');
	if (io->cgroup_id != 0)
		line_u(l, io->cgroup_id);
	for (size_t i = 0; i < STAGES; i++) {
		line_char(l, ',');
		put_s(l, stage_ns(io, i), "");
	}
	line_char(l, '\n');
}

static void print_json(struct line *l, const struct btviz_io *io, const struct io_context *c)
{
	line_text(l, "{\"time_s\":");
	line_time(l, io_begin_ns(io), c->origin_ns, 0);
	line_json_text(l, "device", c->device);
	line_json_dev(l, "dev", io->device);
	line_json_number(l, "pid", io->pid);
	if (c->process)
		line_json_text(l, "process", c->process);
	line_json_text(l, "op", btviz_op_name(io->op));
	line_json_number(l, "sector", io->sector);
	line_json_number(l, "bytes", io->bytes);
	line_json_key(l, "error");
	if (io->complete_ns != UNKNOWN)
		line_signed(l, io->error);
	else
		line_text(l, "null");
	if (io->cgroup_id != 0)
		line_json_number(l, "cgroup", io->cgroup_id);
	for (size_t i = 0; i < STAGES; i++) {
		line_json_key(l, stages[i].name);
		put_s(l, stage_ns(io, i), "null");
	}
	line_text(l, "}\n");
}

/* ---- all ------------------------------------------------------------------------------------- */

void ios_print_header(struct line *l, enum ios_format format)
{
	if (format == IOS_TEXT)
		line_text(l,
			"       time s device   process             pid op           sector + sectors"
			"     Q2C ms     Q2D ms     D2C ms\n");
	if (format != IOS_CSV)
		return;
	line_text(l, "time_s,device,dev,pid,process,op,sector,bytes,error,cgroup");
	for (size_t i = 0; i < STAGES; i++) {
		line_char(l, ',');
		line_text(l, stages[i].name);
	}
	line_char(l, '\n');
}

void ios_print(struct line *l, enum ios_format format, const struct btviz_io *io,
	const struct io_context *c)
{
	switch (format) {
	case IOS_TEXT:
		print_text(l, io, c);
		break;
	case IOS_CSV:
		print_csv(l, io, c);
		break;
	case IOS_JSONL:
		print_json(l, io, c);
		break;
	}
}
