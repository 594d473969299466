/* events_filter.c - which events are wanted, and the names of processes. See events_filter.h. */
#include "events_filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/text.h>

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

/* ---- events ---------------------------------------------------------------------------------- */

static bool is_device(const char *word, const struct btviz_event *ev, const char *name)
{
	char number[32];

	if (strncmp(word, "/dev/", 5) == 0)
		word += 5;
	snprintf(number, sizeof number, "%u,%u", BTVIZ_MAJOR(ev->device), BTVIZ_MINOR(ev->device));
	return strcmp(word, name) == 0 || strcmp(word, number) == 0;
}

static bool is_process(const char *word, uint32_t pid, const char *name)
{
	char number[32];

	snprintf(number, sizeof number, "%u", pid);
	return strcmp(word, number) == 0 || (name && strcmp(word, name) == 0);
}

static bool touches(const struct events_filter *f, const struct btviz_event *ev)
{
	const uint64_t sectors = ev->bytes / BTVIZ_SECTOR_BYTES;
	const uint64_t last = ev->sector + (sectors > 0 ? sectors - 1 : 0);

	return last >= f->first_sector && (f->last_sector == 0 || ev->sector <= f->last_sector);
}

bool filter_takes(const struct events_filter *f, const struct btviz_event *ev, int64_t time_ns,
	const char *process, const char *device)
{
	const bool note = btviz_event_is_note(ev);
	const unsigned event = note || ev->event >= OTHER_ACTIONS ? OTHER_ACTIONS : ev->event;
	bool fits = f->devices->count == 0;

	if (f->actions && !(f->actions & 1U << event))
		return false;
	if (time_ns < 0 ? f->start_ns > 0 : (uint64_t)time_ns < f->start_ns)
		return false;
	if (f->end_ns > 0 && time_ns > 0 && (uint64_t)time_ns >= f->end_ns)
		return false;
	if ((f->ops || f->by_sector) && note)
		return false;
	if (f->ops && !(f->ops & 1U << btviz_event_op(ev)))
		return false;
	if (f->by_sector && !touches(f, ev))
		return false;
	for (size_t i = 0; i < f->devices->count && !fits; i++)
		fits = is_device(f->devices->list[i], ev, device);
	if (!fits)
		return false;
	fits = f->processes.count == 0;
	for (size_t i = 0; i < f->processes.count && !fits; i++)
		fits = is_process(f->processes.list[i], ev->pid, process);
	return fits;
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
