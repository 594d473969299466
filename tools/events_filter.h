/* events_filter.h - which events are wanted, and the names that are known of processes and devices.
 */
#ifndef BTVIZ_TOOLS_EVENTS_FILTER_H
#define BTVIZ_TOOLS_EVENTS_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/io.h>
#include <btviz/trace.h>

#include "options.h"

enum { PROCESS_NAME_SIZE = 64 };

/* Everything given must fit; of several words of one kind, one. */
struct events_filter {
	const struct words *devices;
	struct words processes; /* patterns of names, or pids */
	uint32_t actions; /* a bit for each event number below 31, bit 31: others, and messages; 0:
			     all */
	uint32_t ops;     /* a bit for each enum btviz_op; 0: all */
	uint64_t start_ns, end_ns;          /* since the first I/O event; end 0: none */
	uint64_t first_sector, last_sector; /* the I/O must touch it; last 0: none */
	bool by_sector;
};

/* Whether anything is left out at all. */
bool filter_is_set(const struct events_filter *f);

/* Adds the letters, or operations, of a comma list; false where one is unknown: *ret_wrong is it.
 */
bool filter_add_actions(struct events_filter *f, const char *list, const char **ret_wrong);
bool filter_add_ops(struct events_filter *f, const char *list, const char **ret_wrong);

/* The i-th letter that filter_add_actions() takes, NULL after the last. */
const char *filter_action(int i);

/* Names of pids, as the trace's notes tell them. */
struct process_names {
	struct process_name {
		uint32_t pid;
		bool used;
		char name[PROCESS_NAME_SIZE];
	} * table;
	size_t size, count;
};

/* Takes a process note: from now on that is the pid's name. False: out of memory. */
bool process_names_add(struct process_names *p, const struct btviz_event *note);
/* NULL: not known. Valid until the next add. */
const char *process_names_get(const struct process_names *p, uint32_t pid);
void process_names_done(struct process_names *p);

/* Names of the devices that a trace has shown, kept, since asking the trace takes long. */
enum { DEVICES_CACHED = 64 };
struct device_names {
	struct {
		uint32_t device;
		char name[64];
	} list[DEVICES_CACHED];
	size_t count;
};

const char *device_names_get(struct device_names *n, struct btviz_trace *t, uint32_t device);

/* Says why nothing fitted, and what there is; the run lasted span_ns since its first I/O event. */
void filter_say_nothing(const struct events_filter *f, const struct device_names *devices,
	const struct process_names *processes, uint64_t span_ns);

/* Whether the event fits; time_ns is since the first I/O event. */
bool filter_takes(const struct events_filter *f, const struct btviz_event *ev, int64_t time_ns,
	const char *process, const char *device);
/* The same of an I/O, by when it began and by who queued it. */
bool filter_takes_io(const struct events_filter *f, const struct btviz_io *io, int64_t time_ns,
	const char *process, const char *device);

/* Says that the first of a list of words is none; false. */
bool filter_unknown_word(const struct option_parser *p, const char *what, const char *word);

/* Takers for the rows of option tables; f is the request's filter. */
bool filter_take_ops(const struct option_parser *p, struct events_filter *f);
bool filter_take_sectors(const struct option_parser *p, struct events_filter *f);
/* The i-th operation, NULL after the last. */
const char *filter_op(int i);

#endif
