/* script.h - I/O events written as text, for tests: one a line, "TIME ACTION RWBS SECTOR+SECTORS".
 *
 * TIME is in ns. RWBS as blkparse prints it (R, W, D, N, with F before for a flush and F behind for
 * FUA, S, M); Z behind is a zone append, P passthrough, E an error of -5. SECTORS is a number of
 * 512 bytes. X takes a third number, the sector at which the remainder begins: "X W 0+8 8"; A takes
 * the device and sector from which: "A W 100+8 9,0 36". */
#ifndef TESTS_UNIT_SCRIPT_H
#define TESTS_UNIT_SCRIPT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/event.h>

struct script {
	const char *at;
	uint32_t device, pid, cpu;
	uint32_t sequence;
};

static inline unsigned script_action(const char *letter)
{
	for (unsigned i = 1; i <= BTVIZ_ACT_ZONE_UNPLUG; i++)
		if (strcmp(btviz_action_letter(i), letter) == 0)
			return i;
	fprintf(stderr, "script: unknown action %s\n", letter);
	abort();
}

static inline uint32_t script_categories(const char *rwbs, unsigned action)
{
	static const uint32_t own[] = { [BTVIZ_ACT_QUEUE] = BTVIZ_CAT_QUEUE,
		[BTVIZ_ACT_BACKMERGE] = BTVIZ_CAT_QUEUE,
		[BTVIZ_ACT_FRONTMERGE] = BTVIZ_CAT_QUEUE,
		[BTVIZ_ACT_GETRQ] = BTVIZ_CAT_QUEUE,
		[BTVIZ_ACT_INSERT] = BTVIZ_CAT_QUEUE,
		[BTVIZ_ACT_REMAP] = BTVIZ_CAT_QUEUE,
		[BTVIZ_ACT_REQUEUE] = BTVIZ_CAT_REQUEUE,
		[BTVIZ_ACT_ISSUE] = BTVIZ_CAT_ISSUE,
		[BTVIZ_ACT_COMPLETE] = BTVIZ_CAT_COMPLETE,
		[BTVIZ_ACT_ZONE_UNPLUG] = BTVIZ_CAT_QUEUE };
	uint32_t c = own[action];
	bool kind = false;

	for (const char *p = rwbs; *p; p++)
		switch (*p) {
		case 'F':
			c |= kind ? BTVIZ_CAT_FUA : BTVIZ_CAT_FLUSH;
			break;
		case 'R':
		case 'N': /* blkparse prints N for a read of no bytes */
			c |= BTVIZ_CAT_READ;
			kind = true;
			break;
		case 'W':
			c |= BTVIZ_CAT_WRITE;
			kind = true;
			break;
		case 'D':
			c |= BTVIZ_CAT_WRITE | BTVIZ_CAT_DISCARD;
			kind = true;
			break;
		case 'S':
			c |= BTVIZ_CAT_SYNC;
			break;
		case 'M':
			c |= BTVIZ_CAT_META;
			break;
		case 'Z':
			c |= BTVIZ_CAT_ZONE_APPEND;
			break;
		case 'P':
			c |= BTVIZ_CAT_PC;
			break;
		case 'x': /* a completion without its category, as the second one of a zone append
			   */
			c &= ~(uint32_t)BTVIZ_CAT_COMPLETE;
			break;
		default:
			break;
		}
	return c;
}

/* The next event; false at the end. */
static inline bool script_next(struct script *s, struct btviz_event *ev)
{
	unsigned long long time_ns, sector, sectors;
	char action[8], rwbs[16], rest[64] = "";
	unsigned major, minor;
	int used = 0;

	while (*s->at == '\n' || *s->at == ' ')
		s->at++;
	if (*s->at == '\0')
		return false;
	if (sscanf(s->at, "%llu %7s %15s %llu+%llu%n", &time_ns, action, rwbs, &sector, &sectors,
		    &used) != 5) {
		fprintf(stderr, "script: cannot read: %.40s\n", s->at);
		abort();
	}
	s->at += used;
	sscanf(s->at, "%63[^\n]", rest);
	s->at += strcspn(s->at, "\n");
	*ev = (struct btviz_event){ .time_ns = time_ns,
		.sector = sector,
		.bytes = (uint32_t)(sectors * BTVIZ_SECTOR_BYTES),
		.device = s->device,
		.pid = s->pid,
		.cpu = s->cpu,
		.sequence = ++s->sequence,
		.version = 7 };
	ev->event = (uint16_t)script_action(action);
	ev->categories = script_categories(rwbs, ev->event);
	ev->error = strchr(rwbs, 'E') ? -5 : 0;
	if (ev->event == BTVIZ_ACT_SPLIT) {
		ev->u.split_sector = strtoull(rest, NULL, 10);
		ev->flags |= BTVIZ_EV_PAYLOAD;
	} else if (ev->event == BTVIZ_ACT_REMAP &&
		sscanf(rest, "%u,%u %llu", &major, &minor, &sector) == 3) {
		ev->u.remap.device_from = BTVIZ_DEVICE(major, minor);
		ev->u.remap.device_to = s->device;
		ev->u.remap.sector_from = sector;
		ev->flags |= BTVIZ_EV_PAYLOAD;
	}
	return true;
}

#endif
