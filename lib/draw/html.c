/* html.c - the page put together: what was built in, with the title and the data in their places.
 * All that comes from traces passes one of the two escapes here. */
#include "draw/html.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "draw/html_arrays.h"
#include "draw/html_data.h"
#include "draw/html_parts.h"

enum { TITLE_SIZE = 512 };

/* For text between tags. */
static void add_escaped(struct btvi_bytes *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<':
			btvi_bytes_text(out, "&lt;");
			break;
		case '>':
			btvi_bytes_text(out, "&gt;");
			break;
		case '&':
			btvi_bytes_text(out, "&amp;");
			break;
		case '"':
			btvi_bytes_text(out, "&quot;");
			break;
		default:
			btvi_bytes_add(out, text, 1);
		}
}

/* JSON inside a script element: nothing in it can end the element or open a comment. Everything
 * beyond ASCII is escaped by jansson already, U+2028 too. */
static void add_json(struct btvi_bytes *out, const char *json)
{
	for (; *json; json++)
		switch (*json) {
		case '<':
			btvi_bytes_text(out, "\\u003c");
			break;
		case '>':
			btvi_bytes_text(out, "\\u003e");
			break;
		case '&':
			btvi_bytes_text(out, "\\u0026");
			break;
		default:
			btvi_bytes_add(out, json, 1);
		}
}

/* What a page cannot follow is refused, rather than left out silently. */
static enum btviz_status refuse(const struct btviz_plot_options *o, struct btviz_error *err)
{
	if (o->layout == BTVIZ_LAYOUT_OVERLAY)
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"a page lays runs side by side or below one another, not over one another");
	if (o->width_px > 0 || o->height_px > 0)
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"a page is as large as its window: it has no size of its own");
	return BTVIZ_OK;
}

enum btviz_status btvi_html_write(
	const struct btvi_page *page, struct btvi_bytes *out, struct btviz_error *err)
{
	const char *title = page->options->title;
	char safe_title[TITLE_SIZE];
	struct btvi_html_pieces pieces = { 0 };
	json_t *tree = NULL;
	char *json = NULL;
	enum btviz_status status;

	if (!title || !title[0])
		title = page->runs[0].label;
	btvi_text_printable(title, strlen(title), safe_title, sizeof safe_title);
	status = refuse(page->options, err);
	if (status == BTVIZ_OK)
		status = btvi_html_data(page, &pieces, &tree, err);
	if (status == BTVIZ_OK) {
		json = json_dumps(tree, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12));
		if (!json)
			status = btvi_fail_nomem(err);
	}
	for (size_t i = 0; status == BTVIZ_OK && i < btvi_html_part_count; i++) {
		const struct btvi_html_part *part = &btvi_html_parts[i];

		btvi_bytes_add(out, part->text, part->size);
		switch (part->before) {
		case BTVI_HTML_TITLE:
			add_escaped(out, safe_title);
			break;
		case BTVI_HTML_DATA:
			add_json(out, json);
			break;
		case BTVI_HTML_ARRAYS:
			status = btvi_html_pack(&pieces.first, out, err);
			break;
		case BTVI_HTML_LATER:
			status = btvi_html_pack(&pieces.later, out, err);
			break;
		case BTVI_HTML_END:
			break;
		}
	}
	if (status == BTVIZ_OK && out->failed)
		status = btvi_fail_nomem(err);
	free(json);
	json_decref(tree);
	btvi_bytes_done(&pieces.first);
	btvi_bytes_done(&pieces.later);
	return status;
}
