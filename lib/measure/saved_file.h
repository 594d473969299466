/* measure/saved_file.h - a saved summary's file: gzip-compressed JSON, bounded. Private to
 * saved*.c.
 */
#ifndef BTVI_MEASURE_SAVED_FILE_H
#define BTVI_MEASURE_SAVED_FILE_H

#include "measure/saved_walk.h"

/* The JSON in a file; NULL after saying what is wrong. json_decref() it. */
json_t *btvi_saved_parse(struct btvi_walk *w, const char *path);

/* BTVIZ_OK, BTVIZ_ERR_IO, BTVIZ_ERR_LIMIT, BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_saved_write(const json_t *root, const char *path, struct btviz_error *err);

#endif
