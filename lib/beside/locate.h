/* beside/locate.h - from a trace's name to the files that the recorder wrote beside it. */
#ifndef BTVI_BESIDE_LOCATE_H
#define BTVI_BESIDE_LOCATE_H

#include <btviz/status.h>

/* The path of the run's file with this suffix (".btviz.json", ".samples.csv"), see
 * btviz_metadata_open() for what is tried. BTVIZ_OK: *ret_path is the caller's, free() it.
 * BTVIZ_ERR_NOT_FOUND, BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_locate(const char *name, const char *dir, const char *suffix,
	char **ret_path, struct btviz_error *err);

#endif
