/* record/program.h - the traced program: started, waited for, its use of the machine measured.
 *
 * It is prepared first (a child that waits) and let go then, so that what must hold before it runs
 * can be looked at when there is a child that gets the terminal's signals: from then on none is
 * lost. */
#ifndef BTVI_RECORD_PROGRAM_H
#define BTVI_RECORD_PROGRAM_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <btviz/status.h>

struct btvi_program {
	pid_t pid; /* 0: none, or it has ended */
	int pidfd; /* readable when it ends; -1: the kernel has no such thing */
	int gate;  /* to the child until it runs; -1: none */
	bool ended;
	int exit_status; /* 128 + signal when one killed it; 127, 126 when it could not be run */
	struct rusage usage;
};

#define BTVI_PROGRAM_NONE ((struct btvi_program){ .pidfd = -1, .gate = -1 })

/* Makes the child, with this process's standard streams; it waits. BTVIZ_ERR_IO, BTVIZ_ERR_NOMEM.
 */
enum btviz_status btvi_program_prepare(
	struct btvi_program *p, const char *const *argv, struct btviz_error *err);

/* Lets it run argv[0], and waits until it does. BTVIZ_ERR_NOT_FOUND, BTVIZ_ERR_UNSUPPORTED: it
 * cannot be run, has ended, and exit_status says 127 or 126. */
enum btviz_status btvi_program_go(
	struct btvi_program *p, const char *const *argv, struct btviz_error *err);

/* Whether it has ended; does not wait. */
bool btvi_program_ended(struct btvi_program *p);

/* Sends it a signal, if it runs. */
void btvi_program_signal(const struct btvi_program *p, int signal);

/* Lets go of it, ended or not; a child that still waits ends without having run anything. */
void btvi_program_done(struct btvi_program *p);

#endif
