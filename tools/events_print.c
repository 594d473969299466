/* events_print.c - one event as a line of text. Knows nothing of where lines go. */
#include "events_print.h"

#include <string.h>

#include <btviz/text.h>

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
	line_char(l, '(');
	/* blkparse stops behind the first zero of those */
	for (size_t i = 0; i < ev->payload_size && i <= last; i++) {
		if (i > 0)
			line_char(l, ' ');
		line_char(l, hex[ev->payload[i] >> 4]);
		line_char(l, hex[ev->payload[i] & 15]);
	}
	line_text(l, last < ev->payload_size ? " ..) " : ") ");
}

/* ---- blkparse's format ----------------------------------------------------------------------- */

static void put_name(struct line *l, const struct event_context *c)
{
	line_char(l, '[');
	line_text(l, c->process ? c->process : "(null)"); /* as blkparse has it */
	line_text(l, "]");
}

static void put_place(struct line *l, const struct btviz_event *ev, bool also_without_length)
{
	const uint32_t sectors = ev->bytes / BTVIZ_SECTOR_BYTES;

	if (sectors > 0) {
		line_u(l, ev->sector);
		line_text(l, " + ");
		line_u(l, sectors);
		line_char(l, ' ');
	} else if (also_without_length) {
		line_u(l, ev->sector);
		line_char(l, ' ');
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
		line_char(l, '[');
		line_u(l, (uint16_t)ev->error);
		line_char(l, ']');
		break;
	case BTVIZ_ACT_QUEUE:
	case BTVIZ_ACT_INSERT:
	case BTVIZ_ACT_ISSUE:
		if (pc) {
			line_u(l, ev->bytes);
			line_char(l, ' ');
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
		line_char(l, ' ');
		line_u(l, payload ? ev->u.depth : 0);
		break;
	case BTVIZ_ACT_REMAP:
		line_u(l, ev->sector);
		line_text(l, " + ");
		line_u(l, ev->bytes / BTVIZ_SECTOR_BYTES);
		if (!payload)
			break;
		line_text(l, " <- (");
		line_u(l, BTVIZ_MAJOR(ev->u.remap.device_from));
		line_char(l, ',');
		line_u(l, BTVIZ_MINOR(ev->u.remap.device_from));
		line_text(l, ") ");
		line_u(l, ev->u.remap.sector_from);
		break;
	case BTVIZ_ACT_SPLIT:
		line_u(l, ev->sector);
		line_text(l, " / ");
		line_u(l, payload ? ev->u.split_sector : 0);
		line_char(l, ' ');
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

	line_number(l, BTVIZ_MAJOR(device), 3, ' ');
	line_char(l, ',');
	begin = l->size;
	line_u(l, BTVIZ_MINOR(device));
	while (l->size < begin + 3)
		line_char(l, ' ');
	line_char(l, ' ');
	line_number(l, ev->cpu, 2, ' ');
	line_char(l, ' ');
	line_number(l, note ? 0 : ev->sequence, 8, ' ');
	line_char(l, ' ');
	line_time(l, ev->time_ns, c->origin_ns, 5);
	line_char(l, ' ');
	line_number(l, note ? 0 : ev->pid, 5, ' ');
	line_char(l, ' ');
	if (note) {
		char text[LINE_MAX_SIZE];

		message_text(ev, text, sizeof text);
		line_text(l, " m   N ");
		line_text(l, text);
	} else {
		events_rwbs(ev, rwbs);
		line_right(l, btviz_action_letter(ev->event), 2);
		line_char(l, ' ');
		line_right(l, rwbs, 3);
		line_char(l, ' ');
		put_details(l, ev, c);
	}
	line_char(l, '\n');
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static const char csv_header[] =
	"time_s,device,dev,cpu,sequence,pid,process,action,op,rwbs,sector,bytes,error,from_dev,"
	"from_sector,to_dev,split_sector,depth,cgroup,lost_before,late,message\n";

static void print_csv(struct line *l, const struct btviz_event *ev, const struct event_context *c)
{
	const bool note = btviz_event_is_note(ev);
	const bool payload = !note && (ev->flags & BTVIZ_EV_PAYLOAD);
	const bool remap = payload && ev->event == BTVIZ_ACT_REMAP;
	char text[LINE_MAX_SIZE];

	line_time(l, ev->time_ns, c->origin_ns, 0);
	line_char(l, ',');
	line_csv_text(l, c->device);
	line_char(l, ',');
	line_csv_dev(l, ev->device);
	line_char(l, ',');
	line_u(l, ev->cpu);
	line_char(l, ',');
	if (!note)
		line_u(l, ev->sequence);
	line_char(l, ',');
	line_u(l, ev->pid);
	line_char(l, ',');
	line_csv_text(l, c->process ? c->process : "");
	line_char(l, ',');
	line_text(l, note ? "m" : btviz_action_letter(ev->event));
	line_char(l, ',');
	if (!note) {
		events_rwbs(ev, text);
		line_text(l, btviz_op_name(btviz_event_op(ev)));
		line_char(l, ',');
		line_text(l, text);
		line_char(l, ',');
		line_u(l, ev->sector);
		line_char(l, ',');
		line_u(l, ev->bytes);
		line_char(l, ',');
		if (ev->event == BTVIZ_ACT_COMPLETE || ev->event == BTVIZ_ACT_REQUEUE)
			line_signed(l, ev->error);
	} else {
		line_text(l, ",,,,");
	}
	line_char(l, ',');
	if (remap) {
		line_csv_dev(l, ev->u.remap.device_from);
		line_char(l, ',');
		line_u(l, ev->u.remap.sector_from);
		line_char(l, ',');
		line_csv_dev(l, ev->u.remap.device_to);
	} else {
		line_text(l, ",,");
	}
	line_char(l, ',');
	if (payload && ev->event == BTVIZ_ACT_SPLIT)
		line_u(l, ev->u.split_sector);
	line_char(l, ',');
	if (payload && !remap && ev->event != BTVIZ_ACT_SPLIT)
		line_u(l, ev->u.depth);
	line_char(l, ',');
	if (ev->flags & BTVIZ_EV_CGROUP)
		line_u(l, ev->cgroup_id);
	line_char(l, ',');
	line_u(l, ev->lost_before);
	line_char(l, ',');
	line_u(l, (ev->flags & BTVIZ_EV_LATE) != 0);
	line_char(l, ',');
	if (note) {
		message_text(ev, text, sizeof text);
		line_csv_text(l, text);
	}
	line_char(l, '\n');
}

/* ---- JSON, one object a line ----------------------------------------------------------------- */

static void put_json_payload(struct line *l, const struct btviz_event *ev)
{
	if (ev->event == BTVIZ_ACT_REMAP) {
		line_json_dev(l, "from_dev", ev->u.remap.device_from);
		line_json_number(l, "from_sector", ev->u.remap.sector_from);
		line_json_dev(l, "to_dev", ev->u.remap.device_to);
	} else if (ev->event == BTVIZ_ACT_SPLIT) {
		line_json_number(l, "split_sector", ev->u.split_sector);
	} else {
		line_json_number(l, "depth", ev->u.depth);
	}
}

static void print_json(struct line *l, const struct btviz_event *ev, const struct event_context *c)
{
	const bool note = btviz_event_is_note(ev);
	char text[LINE_MAX_SIZE];

	line_text(l, "{\"time_s\":");
	line_time(l, ev->time_ns, c->origin_ns, 0);
	line_json_text(l, "device", c->device);
	line_json_dev(l, "dev", ev->device);
	line_json_number(l, "cpu", ev->cpu);
	if (!note)
		line_json_number(l, "sequence", ev->sequence);
	line_json_number(l, "pid", ev->pid);
	if (c->process)
		line_json_text(l, "process", c->process);
	line_json_text(l, "action", note ? "m" : btviz_action_letter(ev->event));
	if (note) {
		message_text(ev, text, sizeof text);
		line_json_text(l, "message", text);
	} else {
		events_rwbs(ev, text);
		line_json_number(l, "event", ev->event);
		line_json_text(l, "op", btviz_op_name(btviz_event_op(ev)));
		line_json_text(l, "rwbs", text);
		line_json_number(l, "sector", ev->sector);
		line_json_number(l, "bytes", ev->bytes);
		if (ev->event == BTVIZ_ACT_COMPLETE || ev->event == BTVIZ_ACT_REQUEUE) {
			line_json_key(l, "error");
			line_signed(l, ev->error);
		}
		if (ev->flags & BTVIZ_EV_PAYLOAD)
			put_json_payload(l, ev);
	}
	if (ev->flags & BTVIZ_EV_CGROUP)
		line_json_number(l, "cgroup", ev->cgroup_id);
	if (ev->flags & BTVIZ_EV_LOSS)
		line_json_number(l, "lost_before", ev->lost_before);
	if (ev->flags & BTVIZ_EV_LATE)
		line_text(l, ",\"late\":true");
	line_text(l, "}\n");
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
		line_text(l, csv_header);
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
