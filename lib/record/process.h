/* record/process.h - names of the threads that events name by number, looked up while they still
 * live. */
#ifndef BTVI_RECORD_PROCESS_H
#define BTVI_RECORD_PROCESS_H

#include <stddef.h>
#include <stdint.h>

enum { BTVI_PROCESS_NAME = 16 /* the kernel's TASK_COMM_LEN */ };

struct btvi_process {
	uint32_t pid;
	uint64_t asked_ns; /* when it was looked up last; 0: an empty slot */
	char name[BTVI_PROCESS_NAME];
};

struct btvi_processes {
	const char *proc;           /* "/proc" */
	const char *tracefs;        /* where saved_cmdlines is, NULL: nowhere */
	struct btvi_process *table; /* open addressing, a power of two */
	size_t size, count;
	char *cmdlines; /* saved_cmdlines as last read */
	uint64_t cmdlines_ns;
	uint32_t last_pid; /* asked for just now */
	uint64_t last_ns;
};

/* The name of a thread, where it is not known to be what it was before: NUL-padded, 16 bytes, valid
 * until the next call. NULL: nothing new (or nothing known). now_ns is any clock in ns. */
const char *btvi_process_news(struct btvi_processes *p, uint32_t pid, uint64_t now_ns);

void btvi_processes_done(struct btvi_processes *p);

#endif
