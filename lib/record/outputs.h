/* record/outputs.h - the names of a recording's files, and what is there already. */
#ifndef BTVI_RECORD_OUTPUTS_H
#define BTVI_RECORD_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/status.h>

#include "record/devices.h"

/* Whether a recording of that name can be made: files can, and, but where it is to be replaced,
 * there is none. Changes nothing. BTVIZ_ERR_IO, BTVIZ_ERR_BUSY. */
enum btviz_status btvi_outputs_check(const char *name, bool replace, struct btviz_error *err);

/* Removes the streams of an earlier recording of that name: of its devices (as its metadata says)
 * and of the new one's. `stranger` gets the name of a stream that belongs to neither and will be
 * taken as part of the run, or "". */
void btvi_outputs_clear(
	const char *name, const struct btvi_devices *devices, char *stranger, size_t stranger_size);

/* Whether NAME's directory lies on a device that is traced: the recorder would then record its own
 * writing. False where that cannot be told. */
bool btvi_outputs_are_traced(const char *name, const char *sys, const struct btvi_devices *devices);

#endif
