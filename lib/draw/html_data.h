/* draw/html_data.h - what a page shows, as JSON and arrays. */
#ifndef BTVI_DRAW_HTML_DATA_H
#define BTVI_DRAW_HTML_DATA_H

#include <jansson.h>

#include <btviz/plot.h>

#include "draw/bytes.h"
#include "draw/owners.h"
#include "draw/page.h"

/* The page's arrays (html_arrays.h): what its first view needs, and the maps of devices that stand
 * below others, which are unpacked when that view is drawn: of many members they are most. */
struct btvi_html_pieces {
	struct btvi_bytes first, later;
};

/* The page's tree: what lib/draw/html/data.js reads. Its arrays go into the pieces.
 * *ret_tree is the caller's. BTVIZ_OK, BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_html_data(const struct btvi_page *page, struct btvi_html_pieces *pieces,
	json_t **ret_tree, struct btviz_error *err);

/* Text for the tree: valid UTF-8 without control characters, else jansson refuses it. */
json_t *btvi_html_string(const char *text);

/* A number, null where it does not exist. */
json_t *btvi_html_number(double value);

/* One run's devices with their courses, maps and latencies. cells is how many buckets a course may
 * have; owners matter where the page is coloured by process. */
json_t *btvi_html_devices(const struct btvi_page *page, const struct btvi_owners *owners,
	const struct btvi_run *run, size_t cells, struct btvi_html_pieces *pieces, json_t *tree);

#endif
