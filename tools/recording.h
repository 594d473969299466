/* recording.h - one recording as the program makes it: with its signals, warnings and last words.
 * For btviz record, and for btviz -p, which draws afterwards. */
#ifndef BTVIZ_TOOLS_RECORDING_H
#define BTVIZ_TOOLS_RECORDING_H

#include <btviz/record.h>

/* Records as the options say (warn and data are set here). Says what happened on standard error.
 * Returns the exit code for the whole: the program's exit status, EXIT_FAILED or EXIT_USAGE where
 * the recording itself failed. *ret_recorded (may be NULL): whether there is a recording that can
 * be drawn. */
int recording_run(struct btviz_recorder_options *options, bool *ret_recorded);

/* The same with a command for the shell, the form of btviz -p 'COMMAND' -d DEV -t NAME. */
int recording_run_shell(const char *command, const char *const *devices, size_t device_count,
	const char *name, bool replace, bool *ret_recorded);

#endif
