/* events_print.h - one event as a line of text: blkparse's default format, CSV, or JSON. */
#ifndef BTVIZ_TOOLS_EVENTS_PRINT_H
#define BTVIZ_TOOLS_EVENTS_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/event.h>

#include "line.h"

enum events_format { EVENTS_TEXT, EVENTS_CSV, EVENTS_JSONL };

/* What is known about an event beside its record. */
struct event_context {
	uint64_t origin_ns;  /* of the first I/O event */
	const char *process; /* name of ev->pid, printable; NULL: not known */
	const char *device;  /* name of ev->device */
};

/* Whether the format has a line for the event. Text has one for what blkparse has one for: I/O
 * events that it knows, and messages (those with a cgroup id only with all_messages: blkparse 1.2
 * does not print them, and they come in thousands). The others have one for every I/O event and
 * message. */
bool events_has_line(enum events_format format, const struct btviz_event *ev, bool all_messages);

/* The line that names CSV's columns. */
void events_print_header(struct line *l, enum events_format format);

void events_print(struct line *l, enum events_format format, const struct btviz_event *ev,
	const struct event_context *c);

/* blkparse's letters for direction and kind ("FWFSM"); out has at least 12 bytes. */
void events_rwbs(const struct btviz_event *ev, char *out);

#endif
