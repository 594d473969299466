/* draw/html_parts.h - the page as it was built in, cut where something is to be put in. Made by
 * html/build.py. */
#ifndef BTVI_DRAW_HTML_PARTS_H
#define BTVI_DRAW_HTML_PARTS_H

#include <stddef.h>

/* What comes after a part. */
enum btvi_html_place {
	BTVI_HTML_TITLE,
	BTVI_HTML_DATA,
	BTVI_HTML_ARRAYS,
	BTVI_HTML_LATER,
	BTVI_HTML_END
};

struct btvi_html_part {
	const unsigned char *text;
	size_t size;
	enum btvi_html_place before;
};

extern const struct btvi_html_part btvi_html_parts[];
extern const size_t btvi_html_part_count;

#endif
