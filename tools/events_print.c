/* events_print.c - one event as a line of text. Formats numbers itself: printf() takes longer than
 * all the decoding. Knows nothing of where lines go. */
#include "events_print.h"

#include <string.h>

#include <btviz/text.h>

#include "clean.h"

#define NS_PER_S 1000000000U

/* ---- pieces ---------------------------------------------------------------------------------- */

static void put(struct line *l, const char *text, size_t size)
{
	if (size > l->max - l->size)
		size = l->max - l->size;
	memcpy(l->text + l->size, text, size);
	l->size += size;
}

static void put_text(struct line *l, const char *text)
{
	put(l, text, strlen(text));
}

static void put_char(struct line *l, char c)
{
	put(l, &c, 1);
}

/* A decimal number, at least width wide, filled from the left. */
static void put_number(struct line *l, uint64_t n, unsigned width, char fill)
{
	char digits[32];
	size_t at = sizeof digits;

	do
		digits[--at] = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	while (sizeof digits - at < width && at > 0)
		digits[--at] = fill;
	put(l, digits + at, sizeof digits - at);
}

static void put_u(struct line *l, uint64_t n)
{
	put_number(l, n, 1, ' ');
}

/* Right-aligned text. */
static void put_right(struct line *l, const char *text, unsigned width)
{
	for (size_t n = strlen(text); n < width; n++)
		put_char(l, ' ');
	put_text(l, text);
}

/* Seconds and nanoseconds since the origin; before it with a minus. */
static void put_time(struct line *l, uint64_t time_ns, uint64_t origin_ns, unsigned width)
{
	const bool before = time_ns < origin_ns;
	const uint64_t ns = before ? origin_ns - time_ns : time_ns - origin_ns;

	if (before) {
		put_char(l, '-');
		width = width > 0 ? width - 1 : 0;
	}
	put_number(l, ns / NS_PER_S, width ? width : 1, ' ');
	put_char(l, '.');
	put_number(l, ns % NS_PER_S, 9, '0');
}

void events_rwbs(const struct btviz_event *ev, char *out)
{
	static const struct {
		uint32_t category;
		const char *letters;
	} kinds[] = {
		{ BTVIZ_CAT_DISCARD, "D" },
		{ BTVIZ_CAT_ZONE_APPEND, "ZA" },
		{ BTVIZ_CAT_ZONE_RESET, "ZR" },
		{ BTVIZ_CAT_ZONE_RESET_ALL, "ZRA" },
		{ BTVIZ_CAT_ZONE_FINISH, "ZF" },
		{ BTVIZ_CAT_ZONE_OPEN, "ZO" },
		{ BTVIZ_CAT_ZONE_CLOSE, "ZC" },
		{ BTVIZ_CAT_WRITE, "W" },
	};
	const uint32_t c = ev->categories;
	const char *kind = ev->bytes > 0 ? "R" : "N";

	for (size_t i = sizeof kinds / sizeof kinds[0]; i-- > 0;)
		if (c & kinds[i].category)
			kind = kinds[i].letters;
	if (c & BTVIZ_CAT_FLUSH)
		*out++ = 'F';
	while (*kind)
		*out++ = *kind++;
	if (c & BTVIZ_CAT_FUA)
		*out++ = 'F';
	if (c & BTVIZ_CAT_AHEAD)
		*out++ = 'A';
	if (c & BTVIZ_CAT_SYNC)
		*out++ = 'S';
	if (c & BTVIZ_CAT_META)
		*out++ = 'M';
	*out = '\0';
}

/* A message without the newline that `echo` leaves behind it. */
static void message_text(const struct btviz_event *ev, char *out, size_t out_size)
{
	size_t n = ev->payload_size;

	while (n > 0 && ev->payload[n - 1] == '\n')
		n--;
	btviz_text_printable((const char *)ev->payload, n, out, out_size);
}

/* The command of a passthrough request: "(12 00 24 ..) ", the zeroes at its end left out. */
static void put_command(struct line *l, const struct btviz_event *ev)
{
	static const char hex[] = "0123456789abcdef";
	size_t last = ev->payload_size;

	if (last == 0)
		return;
	while (last > 0 && ev->payload[last - 1] == 0)
		last--;
	put_char(l, '(');
	/* blkparse stops behind the first zero of those */
	for (size_t i = 0; i < ev->payload_size && i <= last; i++) {
		if (i > 0)
			put_char(l, ' ');
		put_char(l, hex[ev->payload[i] >> 4]);
		put_char(l, hex[ev->payload[i] & 15]);
	}
	put_text(l, last < ev->payload_size ? " ..) " : ") ");
}

/* ---- blkparse's format ----------------------------------------------------------------------- */

static void put_name(struct line *l, const struct event_context *c)
{
	put_char(l, '[');
	put_text(l, c->process ? c->process : "(null)"); /* as blkparse has it */
	put_text(l, "]");
}

static void put_place(struct line *l, const struct btviz_event *ev, bool also_without_length)
{
	const uint32_t sectors = ev->bytes / BTVIZ_SECTOR_BYTES;

	if (sectors > 0) {
		put_u(l, ev->sector);
		put_text(l, " + ");
		put_u(l, sectors);
		put_char(l, ' ');
	} else if (also_without_length) {
		put_u(l, ev->sector);
		put_char(l, ' ');
	}
}

/* What stands behind the direction's letters, by action. */
static void put_details(struct line *l, const struct btviz_event *ev, const struct event_context *c)
{
	const bool pc = (ev->categories & BTVIZ_CAT_PC) != 0;
	const bool payload = (ev->flags & BTVIZ_EV_PAYLOAD) != 0;

	switch (ev->event) {
	case BTVIZ_ACT_COMPLETE:
	case BTVIZ_ACT_REQUEUE:
		if (!pc)
			put_place(l, ev, true);
		else if (ev->event == BTVIZ_ACT_COMPLETE)
			put_command(l, ev);
		put_char(l, '[');
		put_u(l, (uint16_t)ev->error);
		put_char(l, ']');
		break;
	case BTVIZ_ACT_QUEUE:
	case BTVIZ_ACT_INSERT:
	case BTVIZ_ACT_ISSUE:
		if (pc) {
			put_u(l, ev->bytes);
			put_char(l, ' ');
			if (ev->event != BTVIZ_ACT_QUEUE)
				put_command(l, ev);
		} else {
			put_place(l, ev, false);
		}
		put_name(l, c);
		break;
	case BTVIZ_ACT_PLUG:
		put_name(l, c);
		break;
	case BTVIZ_ACT_UNPLUG:
	case BTVIZ_ACT_UNPLUG_TIMER:
		put_name(l, c);
		put_char(l, ' ');
		put_u(l, payload ? ev->u.depth : 0);
		break;
	case BTVIZ_ACT_REMAP:
		put_u(l, ev->sector);
		put_text(l, " + ");
		put_u(l, ev->bytes / BTVIZ_SECTOR_BYTES);
		if (!payload)
			break;
		put_text(l, " <- (");
		put_u(l, BTVIZ_MAJOR(ev->u.remap.device_from));
		put_char(l, ',');
		put_u(l, BTVIZ_MINOR(ev->u.remap.device_from));
		put_text(l, ") ");
		put_u(l, ev->u.remap.sector_from);
		break;
	case BTVIZ_ACT_SPLIT:
		put_u(l, ev->sector);
		put_text(l, " / ");
		put_u(l, payload ? ev->u.split_sector : 0);
		put_char(l, ' ');
		put_name(l, c);
		break;
	default:
		put_place(l, ev, false);
		put_name(l, c);
		break;
	}
}

static void print_text(struct line *l, const struct btviz_event *ev, const struct event_context *c)
{
	const bool remap = ev->event == BTVIZ_ACT_REMAP && (ev->flags & BTVIZ_EV_PAYLOAD);
	const bool note = btviz_event_is_note(ev);
	/* blkparse shows a remap under the device that the I/O goes to, not under the traced one */
	const uint32_t device = remap && !note ? ev->u.remap.device_to : ev->device;
	size_t begin;
	char rwbs[16];

	put_number(l, BTVIZ_MAJOR(device), 3, ' ');
	put_char(l, ',');
	begin = l->size;
	put_u(l, BTVIZ_MINOR(device));
	while (l->size < begin + 3)
		put_char(l, ' ');
	put_char(l, ' ');
	put_number(l, ev->cpu, 2, ' ');
	put_char(l, ' ');
	put_number(l, note ? 0 : ev->sequence, 8, ' ');
	put_char(l, ' ');
	put_time(l, ev->time_ns, c->origin_ns, 5);
	put_char(l, ' ');
	put_number(l, note ? 0 : ev->pid, 5, ' ');
	put_char(l, ' ');
	if (note) {
		char text[EVENTS_LINE_MAX];

		message_text(ev, text, sizeof text);
		put_text(l, " m   N ");
		put_text(l, text);
	} else {
		events_rwbs(ev, rwbs);
		put_right(l, btviz_action_letter(ev->event), 2);
		put_char(l, ' ');
		put_right(l, rwbs, 3);
		put_char(l, ' ');
		put_details(l, ev, c);
	}
	put_char(l, '\n');
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static const char csv_header[] =
	"time_s,device,dev,cpu,sequence,pid,process,action,op,rwbs,sector,bytes,error,from_dev,"
	"from_sector,to_dev,split_sector,depth,cgroup,lost_before,late,message\n";

static void put_csv_text(struct line *l, const char *text)
{
	char field[2 * EVENTS_LINE_MAX + 4];

	put_text(l, clean_csv(text, field, sizeof field));
}

static void put_dev(struct line *l, uint32_t device)
{
	put_u(l, BTVIZ_MAJOR(device));
	put_char(l, ',');
	put_u(l, BTVIZ_MINOR(device));
}

static void put_csv_dev(struct line *l, uint32_t device)
{
	put_char(l, '"');
	put_dev(l, device);
	put_char(l, '"');
}

static void put_signed(struct line *l, int n)
{
	if (n < 0)
		put_char(l, '-');
	put_u(l, (uint64_t)(n < 0 ? -n : n));
}

static void print_csv(struct line *l, const struct btviz_event *ev, const struct event_context *c)
{
	const bool note = btviz_event_is_note(ev);
	const bool payload = !note && (ev->flags & BTVIZ_EV_PAYLOAD);
	const bool remap = payload && ev->event == BTVIZ_ACT_REMAP;
	char text[EVENTS_LINE_MAX];

	put_time(l, ev->time_ns, c->origin_ns, 0);
	put_char(l, ',');
	put_csv_text(l, c->device);
	put_char(l, ',');
	put_csv_dev(l, ev->device);
	put_char(l, ',');
	put_u(l, ev->cpu);
	put_char(l, ',');
	if (!note)
		put_u(l, ev->sequence);
	put_char(l, ',');
	put_u(l, ev->pid);
	put_char(l, ',');
	put_csv_text(l, c->process ? c->process : "");
	put_char(l, ',');
	put_text(l, note ? "m" : btviz_action_letter(ev->event));
	put_char(l, ',');
	if (!note) {
		events_rwbs(ev, text);
		put_text(l, btviz_op_name(btviz_event_op(ev)));
		put_char(l, ',');
		put_text(l, text);
		put_char(l, ',');
		put_u(l, ev->sector);
		put_char(l, ',');
		put_u(l, ev->bytes);
		put_char(l, ',');
		if (ev->event == BTVIZ_ACT_COMPLETE || ev->event == BTVIZ_ACT_REQUEUE)
			put_signed(l, ev->error);
	} else {
		put_text(l, ",,,,");
	}
	put_char(l, ',');
	if (remap) {
		put_csv_dev(l, ev->u.remap.device_from);
		put_char(l, ',');
		put_u(l, ev->u.remap.sector_from);
		put_char(l, ',');
		put_csv_dev(l, ev->u.remap.device_to);
	} else {
		put_text(l, ",,");
	}
	put_char(l, ',');
	if (payload && ev->event == BTVIZ_ACT_SPLIT)
		put_u(l, ev->u.split_sector);
	put_char(l, ',');
	if (payload && !remap && ev->event != BTVIZ_ACT_SPLIT)
		put_u(l, ev->u.depth);
	put_char(l, ',');
	if (ev->flags & BTVIZ_EV_CGROUP)
		put_u(l, ev->cgroup_id);
	put_char(l, ',');
	put_u(l, ev->lost_before);
	put_char(l, ',');
	put_u(l, (ev->flags & BTVIZ_EV_LATE) != 0);
	put_char(l, ',');
	if (note) {
		message_text(ev, text, sizeof text);
		put_csv_text(l, text);
	}
	put_char(l, '\n');
}

/* ---- JSON, one object a line ----------------------------------------------------------------- */

/* A member whose value is text; what is foreign in it is printable already. */
static void put_json_text(struct line *l, const char *key, const char *text)
{
	put_text(l, ",\"");
	put_text(l, key);
	put_text(l, "\":\"");
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			put_char(l, '\\');
		put_char(l, *text);
	}
	put_char(l, '"');
}

static void put_json_key(struct line *l, const char *key)
{
	put_text(l, ",\"");
	put_text(l, key);
	put_text(l, "\":");
}

static void put_json_number(struct line *l, const char *key, uint64_t n)
{
	put_json_key(l, key);
	put_u(l, n);
}

static void put_json_dev(struct line *l, const char *key, uint32_t device)
{
	put_json_key(l, key);
	put_csv_dev(l, device); /* a quoted "8,16" is the same in JSON */
}

static void put_json_payload(struct line *l, const struct btviz_event *ev)
{
	if (ev->event == BTVIZ_ACT_REMAP) {
		put_json_dev(l, "from_dev", ev->u.remap.device_from);
		put_json_number(l, "from_sector", ev->u.remap.sector_from);
		put_json_dev(l, "to_dev", ev->u.remap.device_to);
	} else if (ev->event == BTVIZ_ACT_SPLIT) {
		put_json_number(l, "split_sector", ev->u.split_sector);
	} else {
		put_json_number(l, "depth", ev->u.depth);
	}
}

static void print_json(struct line *l, const struct btviz_event *ev, const struct event_context *c)
{
	const bool note = btviz_event_is_note(ev);
	char text[EVENTS_LINE_MAX];

	put_text(l, "{\"time_s\":");
	put_time(l, ev->time_ns, c->origin_ns, 0);
	put_json_text(l, "device", c->device);
	put_json_dev(l, "dev", ev->device);
	put_json_number(l, "cpu", ev->cpu);
	if (!note)
		put_json_number(l, "sequence", ev->sequence);
	put_json_number(l, "pid", ev->pid);
	if (c->process)
		put_json_text(l, "process", c->process);
	put_json_text(l, "action", note ? "m" : btviz_action_letter(ev->event));
	if (note) {
		message_text(ev, text, sizeof text);
		put_json_text(l, "message", text);
	} else {
		events_rwbs(ev, text);
		put_json_number(l, "event", ev->event);
		put_json_text(l, "op", btviz_op_name(btviz_event_op(ev)));
		put_json_text(l, "rwbs", text);
		put_json_number(l, "sector", ev->sector);
		put_json_number(l, "bytes", ev->bytes);
		if (ev->event == BTVIZ_ACT_COMPLETE || ev->event == BTVIZ_ACT_REQUEUE) {
			put_json_key(l, "error");
			put_signed(l, ev->error);
		}
		if (ev->flags & BTVIZ_EV_PAYLOAD)
			put_json_payload(l, ev);
	}
	if (ev->flags & BTVIZ_EV_CGROUP)
		put_json_number(l, "cgroup", ev->cgroup_id);
	if (ev->flags & BTVIZ_EV_LOSS)
		put_json_number(l, "lost_before", ev->lost_before);
	if (ev->flags & BTVIZ_EV_LATE)
		put_text(l, ",\"late\":true");
	put_text(l, "}\n");
}

/* ---- all ------------------------------------------------------------------------------------- */

bool events_has_line(enum events_format format, const struct btviz_event *ev, bool all_messages)
{
	if (btviz_event_is_note(ev))
		return ev->event == BTVIZ_NOTE_MESSAGE &&
			(format != EVENTS_TEXT || all_messages || !(ev->flags & BTVIZ_EV_CGROUP));
	return format != EVENTS_TEXT || !(ev->flags & BTVIZ_EV_UNKNOWN);
}

void events_print_header(struct line *l, enum events_format format)
{
	if (format == EVENTS_CSV)
		put_text(l, csv_header);
}

void events_print(struct line *l, enum events_format format, const struct btviz_event *ev,
	const struct event_context *c)
{
	switch (format) {
	case EVENTS_TEXT:
		print_text(l, ev, c);
		break;
	case EVENTS_CSV:
		print_csv(l, ev, c);
		break;
	case EVENTS_JSONL:
		print_json(l, ev, c);
		break;
	}
}
