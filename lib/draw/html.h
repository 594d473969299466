/* draw/html.h - runs as one page for a browser, which needs nothing else: no network, no other
 * file.
 *
 * The page is lib/draw/html/ (page.html, style.css, *.js), put together and hashed for its
 * Content-Security-Policy when the library is built. Its data comes as JSON. */
#ifndef BTVI_DRAW_HTML_H
#define BTVI_DRAW_HTML_H

#include <btviz/status.h>

#include "draw/bytes.h"
#include "draw/page.h"

/* page needs its runs and options, no scene. Appends to out. BTVIZ_OK, BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_html_write(
	const struct btvi_page *page, struct btvi_bytes *out, struct btviz_error *err);

#endif
