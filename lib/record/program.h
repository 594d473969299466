/* record/program.h - the traced program: started, waited for, its use of the machine measured. */
#ifndef BTVI_RECORD_PROGRAM_H
#define BTVI_RECORD_PROGRAM_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <btviz/status.h>

struct btvi_program {
	pid_t pid; /* 0: none, or it has ended */
	int pidfd; /* readable when it ends; -1: the kernel has no such thing */
	bool ended;
	int exit_status; /* 128 + signal when one killed it; 127, 126 when it could not be run */
	struct rusage usage;
};

/* Starts argv[0] with this process's standard streams. A program that cannot be run is no failure
 * here: it ends with 127 (not found) or 126. BTVIZ_ERR_IO. */
enum btviz_status btvi_program_start(
	struct btvi_program *p, const char *const *argv, struct btviz_error *err);

/* Whether it has ended; does not wait. */
bool btvi_program_ended(struct btvi_program *p);

/* Sends it a signal, if it runs. */
void btvi_program_signal(const struct btvi_program *p, int signal);

/* Lets go of it, ended or not. */
void btvi_program_done(struct btvi_program *p);

#endif
