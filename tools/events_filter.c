/* events_filter.c - which events are wanted, and the names of processes. See events_filter.h. */
#include "events_filter.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/text.h>

#include "say.h"

enum { OTHER_ACTIONS = 31, ACTIONS = 20, NAMES_FIRST = 64, NAMES_MAX = 1 << 20 };

/* ---- words ----------------------------------------------------------------------------------- */

/* The bit of an action letter; 0 where there is none of that letter. */
static uint32_t action_bit(const char *word, size_t size)
{
	for (unsigned event = 1; event < ACTIONS; event++) {
		const char *const letter = btviz_action_letter(event);

		if (strlen(letter) == size && strncmp(letter, word, size) == 0 && letter[0] != 'm')
			return 1U << event;
	}
	return size == 1 && word[0] == 'm' ? 1U << OTHER_ACTIONS : 0;
}

static uint32_t op_bit(const char *word, size_t size)
{
	for (int op = 0; op < BTVIZ_OP_COUNT; op++) {
		const char *const name = btviz_op_name((enum btviz_op)op);

		if (strlen(name) == size && strncmp(name, word, size) == 0)
			return 1U << op;
	}
	return 0;
}

static bool add_words(const char *list, uint32_t (*bit_of)(const char *word, size_t size),
	uint32_t *bits, const char **ret_wrong)
{
	for (;;) {
		const size_t n = strcspn(list, ",");
		const uint32_t bit = bit_of(list, n);

		if (bit == 0) {
			*ret_wrong = list;
			return false;
		}
		*bits |= bit;
		if (list[n] == '\0')
			return true;
		list += n + 1;
	}
}

bool filter_add_actions(struct events_filter *f, const char *list, const char **ret_wrong)
{
	return add_words(list, action_bit, &f->actions, ret_wrong);
}

const char *filter_action(int i)
{
	for (unsigned event = 1; event < ACTIONS; event++) {
		const char *const letter = btviz_action_letter(event);

		if (letter[0] != 'm' && i-- == 0)
			return letter;
	}
	return i == 0 ? "m" : NULL;
}

bool filter_add_ops(struct events_filter *f, const char *list, const char **ret_wrong)
{
	return add_words(list, op_bit, &f->ops, ret_wrong);
}

const char *filter_op(int i)
{
	return i < BTVIZ_OP_COUNT ? btviz_op_name((enum btviz_op)i) : NULL;
}

bool filter_unknown_word(const struct option_parser *p, const char *what, const char *word)
{
	say_usage(p->command, "'%.*s' is no %s: btviz %s --help lists them",
		(int)strcspn(word, ","), word, what, p->command);
	return false;
}

bool filter_take_ops(const struct option_parser *p, struct events_filter *f)
{
	const char *word;

	return filter_add_ops(f, p->value, &word) || filter_unknown_word(p, "operation", word);
}

bool filter_take_sectors(const struct option_parser *p, struct events_filter *f)
{
	const char *text = p->value;
	char *end;

	f->by_sector = true;
	f->first_sector = strtoull(text, &end, 10);
	if (*end == ':' && text[strspn(text, "0123456789:")] == '\0') {
		f->last_sector = strtoull(end + 1, &end, 10);
		if (*end == '\0' && (f->last_sector == 0 || f->last_sector >= f->first_sector))
			return true;
	}
	say_usage(p->command,
		"--sector: '%s' is not a range of sectors such as 2048:4095 or 2048:", text);
	return false;
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool is_device(const char *word, uint32_t device, const char *name)
{
	char number[32];

	if (strncmp(word, "/dev/", 5) == 0)
		word += 5;
	snprintf(number, sizeof number, "%u,%u", BTVIZ_MAJOR(device), BTVIZ_MINOR(device));
	return strcmp(word, name) == 0 || strcmp(word, number) == 0;
}

static bool is_process(const char *word, uint32_t pid, const char *name)
{
	char number[32];

	snprintf(number, sizeof number, "%u", pid);
	return strcmp(word, number) == 0 || (name && fnmatch(word, name, 0) == 0);
}

static bool takes_device(const struct events_filter *f, uint32_t device, const char *name)
{
	for (size_t i = 0; i < f->devices->count; i++)
		if (is_device(f->devices->list[i], device, name))
			return true;
	return f->devices->count == 0;
}

static bool takes_process(const struct events_filter *f, uint32_t pid, const char *name)
{
	for (size_t i = 0; i < f->processes.count; i++)
		if (is_process(f->processes.list[i], pid, name))
			return true;
	return f->processes.count == 0;
}

static bool takes_place(const struct events_filter *f, uint64_t sector, uint64_t bytes)
{
	const uint64_t sectors = bytes / BTVIZ_SECTOR_BYTES;
	const uint64_t last = sector + (sectors > 0 ? sectors - 1 : 0);

	return !f->by_sector ||
		(last >= f->first_sector && (f->last_sector == 0 || sector <= f->last_sector));
}

static bool takes_time(const struct events_filter *f, int64_t time_ns)
{
	if (time_ns < 0 ? f->start_ns > 0 : (uint64_t)time_ns < f->start_ns)
		return false;
	return f->end_ns == 0 || time_ns <= 0 || (uint64_t)time_ns < f->end_ns;
}

bool filter_is_set(const struct events_filter *f)
{
	return f->devices->count > 0 || f->processes.count > 0 || f->actions || f->ops ||
		f->by_sector || f->start_ns > 0 || f->end_ns > 0;
}

bool filter_takes(const struct events_filter *f, const struct btviz_event *ev, int64_t time_ns,
	const char *process, const char *device)
{
	const bool note = btviz_event_is_note(ev);
	const unsigned event = note || ev->event >= OTHER_ACTIONS ? OTHER_ACTIONS : ev->event;

	if (f->actions && !(f->actions & 1U << event))
		return false;
	if ((f->ops || f->by_sector) && note)
		return false;
	return takes_time(f, time_ns) && (!f->ops || (f->ops & 1U << btviz_event_op(ev))) &&
		takes_place(f, ev->sector, ev->bytes) && takes_device(f, ev->device, device) &&
		takes_process(f, ev->pid, process);
}

bool filter_takes_io(const struct events_filter *f, const struct btviz_io *io, int64_t time_ns,
	const char *process, const char *device)
{
	return takes_time(f, time_ns) && (!f->ops || (f->ops & 1U << io->op)) &&
		takes_place(f, io->sector, io->bytes) && takes_device(f, io->device, device) &&
		takes_process(f, io->pid, process);
}

/* ---- names of processes ---------------------------------------------------------------------- */

static struct process_name *place_of(const struct process_names *p, uint32_t pid)
{
	size_t i = pid * 2654435761U & (p->size - 1);

	while (p->table[i].used && p->table[i].pid != pid)
		i = (i + 1) & (p->size - 1);
	return &p->table[i];
}

static bool grow(struct process_names *p)
{
	struct process_names larger = { NULL, p->size ? p->size * 2 : NAMES_FIRST, p->count };

	larger.table = calloc(larger.size, sizeof *larger.table);
	if (!larger.table)
		return false;
	for (size_t i = 0; i < p->size; i++)
		if (p->table[i].used)
			*place_of(&larger, p->table[i].pid) = p->table[i];
	free(p->table);
	*p = larger;
	return true;
}

bool process_names_add(struct process_names *p, const struct btviz_event *note)
{
	struct process_name *place;

	if (2 * (p->count + 1) > p->size) {
		if (p->size >= NAMES_MAX)
			return true; /* more than pids at a time: the rest goes by its numbers */
		if (!grow(p))
			return false;
	}
	place = place_of(p, note->pid);
	p->count += !place->used;
	place->used = true;
	place->pid = note->pid;
	btviz_text_printable(
		(const char *)note->payload, note->payload_size, place->name, sizeof place->name);
	return true;
}

const char *process_names_get(const struct process_names *p, uint32_t pid)
{
	const struct process_name *const place = p->size ? place_of(p, pid) : NULL;

	return place && place->used ? place->name : NULL;
}

void process_names_done(struct process_names *p)
{
	free(p->table);
	*p = (struct process_names){ NULL, 0, 0 };
}

/* ---- names of devices ------------------------------------------------------------------------ */

const char *device_names_get(struct device_names *n, struct btviz_trace *t, uint32_t device)
{
	const char *name;

	for (size_t i = 0; i < n->count; i++)
		if (n->list[i].device == device)
			return n->list[i].name;
	name = btviz_trace_device_name(t, device);
	if (n->count == DEVICES_CACHED)
		return name;
	n->list[n->count].device = device;
	snprintf(n->list[n->count].name, sizeof n->list[0].name, "%s", name);
	return n->list[n->count++].name;
}

/* ---- nothing --------------------------------------------------------------------------------- */

enum { NAMES_SAID = 12 };

/* Names with commas between them, each once, as many as fit. */
struct listing {
	char text[400];
	size_t size, count;
};

static void list_name(struct listing *l, const char *name)
{
	const size_t n = strlen(name);

	for (const char *at = l->text; (at = strstr(at, name)); at++)
		if ((at == l->text || at[-1] == ' ') && (at[n] == ',' || at[n] == '\0'))
			return;
	if (l->count == NAMES_SAID || l->size + n + 8 > sizeof l->text) {
		if (l->count++ == NAMES_SAID)
			l->size += (size_t)snprintf(l->text + l->size, 8, ", ...");
		return;
	}
	l->size += (size_t)snprintf(
		l->text + l->size, sizeof l->text - l->size, "%s%s", l->count++ ? ", " : "", name);
}

static bool has_device(const struct events_filter *f, const struct device_names *devices)
{
	for (size_t i = 0; i < devices->count; i++)
		for (size_t k = 0; k < f->devices->count; k++)
			if (is_device(f->devices->list[k], devices->list[i].device,
				    devices->list[i].name))
				return true;
	return f->devices->count == 0;
}

static bool has_process(const struct events_filter *f, const struct process_names *processes)
{
	for (size_t i = 0; i < processes->size; i++)
		for (size_t k = 0; processes->table[i].used && k < f->processes.count; k++)
			if (is_process(f->processes.list[k], processes->table[i].pid,
				    processes->table[i].name))
				return true;
	return f->processes.count == 0;
}

void filter_say_nothing(const struct events_filter *f, const struct device_names *devices,
	const struct process_names *processes, uint64_t span_ns)
{
	struct listing l = { .size = 0 };

	if (!has_device(f, devices)) {
		for (size_t i = 0; i < devices->count; i++)
			list_name(&l, devices->list[i].name);
		say("nothing of the device %s: the trace has %s", f->devices->list[0], l.text);
	} else if (!has_process(f, processes)) {
		for (size_t i = 0; i < processes->size; i++)
			if (processes->table[i].used)
				list_name(&l, processes->table[i].name);
		say("nothing of the process %s: the trace has %s", f->processes.list[0],
			l.count ? l.text : "no names, only pids");
	} else if (f->start_ns > span_ns) {
		say("nothing from second %.3f on: the run lasts %.3f s", (double)f->start_ns / 1e9,
			(double)span_ns / 1e9);
	} else {
		say("nothing fits all that is asked for");
	}
}
