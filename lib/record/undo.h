/* record/undo.h - how the kernel's tracer is put back: an ordered list of (file, text) writes, each
 * armed just before the change it undoes. What is armed also stands in a state file, for --cleanup,
 * and is known to the guardian (guardian.h). The state file is the lock against a second recorder,
 * too. */
#ifndef BTVI_RECORD_UNDO_H
#define BTVI_RECORD_UNDO_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/status.h>

struct btvi_undo_step {
	char *path, *text;
	bool armed;
};

struct btvi_undo {
	struct btvi_undo_step *steps; /* in the order of undoing */
	size_t count;
	char *state_path;
	int state_fd;  /* locked; -1: none */
	int notify_fd; /* to the guardian; -1: none */
};

#define BTVI_UNDO_NONE ((struct btvi_undo){ .state_fd = -1, .notify_fd = -1 })

/* Appends a step, not armed. BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_undo_add(
	struct btvi_undo *u, const char *path, const char *text, struct btviz_error *err);

/* Takes the state file, which must not exist or be left over with nothing in it. BTVIZ_ERR_BUSY: a
 * recorder runs, or one was killed with its guardian (the message says --cleanup). A directory that
 * cannot be written to is no error: there is no state file then. */
enum btviz_status btvi_undo_lock(struct btvi_undo *u, const char *path, struct btviz_error *err);

/* Arms the step of that path. To be called before the change. */
void btvi_undo_arm(struct btvi_undo *u, const char *path);

/* Writes what is armed and disarms it; only where the path begins with `only`, NULL: all.
 * Returns the number of steps that failed. Uses nothing but system calls that a forked child may.
 */
size_t btvi_undo_run(struct btvi_undo *u, const char *only);

/* Removes the state file. Steps that are still armed stay in it: then it is left where it is. */
void btvi_undo_done(struct btvi_undo *u);

/* Does what a left-over state file says, and removes it. *ret_count: steps done. BTVIZ_ERR_BUSY:
 * its recorder runs. BTVIZ_ERR_IO, BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_undo_cleanup(const char *path, size_t *ret_count, struct btviz_error *err);

#endif
