/* draw/html_data.h - what a page shows, as JSON and arrays. */
#ifndef BTVI_DRAW_HTML_DATA_H
#define BTVI_DRAW_HTML_DATA_H

#include <jansson.h>

#include <btviz/plot.h>

#include "draw/bytes.h"
#include "draw/page.h"

/* The page's tree: what lib/draw/html/data.js reads. Its arrays go into raw (html_arrays.h).
 * *ret_tree is the caller's. BTVIZ_OK, BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_html_data(const struct btvi_page *page, struct btvi_bytes *raw,
	json_t **ret_tree, struct btviz_error *err);

/* Text for the tree: valid UTF-8 without control characters, else jansson refuses it. */
json_t *btvi_html_string(const char *text);

/* A number, null where it does not exist. */
json_t *btvi_html_number(double value);

/* One run's devices with their courses, maps and latencies. cells is how many buckets a course may
 * have. */
json_t *btvi_html_devices(
	const struct btvi_run *run, size_t cells, struct btvi_bytes *raw, json_t *run_tree);

#endif
