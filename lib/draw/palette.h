/* draw/palette.h - the colours, the same in all panels and all runs whatever is in them.
 *
 * Okabe and Ito's set ("Color Universal Design", 2008), which people with any kind of colour vision
 * tell apart: reads blue, writes vermilion, discards green. */
#ifndef BTVI_DRAW_PALETTE_H
#define BTVI_DRAW_PALETTE_H

#include <stddef.h>
#include <stdint.h>

#include <btviz/finding.h>
#include <btviz/summary.h>

/* A colour is a uint32_t, 0xrrggbbaa. */

#define BTVI_RGB(rgb) ((uint32_t)(rgb) << 8 | 0xffU)

enum {
	BTVI_INK = 0x1c1c1cff,      /* text that is read first */
	BTVI_INK_SOFT = 0x6a6a6aff, /* tick labels, headings of the table */
	BTVI_GRID = 0x00000018,     /* on white and on bands */
	BTVI_AXIS = 0x00000050,
	BTVI_ROW = 0x00000007, /* an idle member's row */
	BTVI_DISCARD = 0x009e73ff,
};
#define BTVI_PAPER     0xffffffffU
#define BTVI_READ      0x0072b2ffU
#define BTVI_WRITE     0xd55e00ffU
#define BTVI_BOTH      0x404040ffU /* reads and writes together, and what has no direction */
#define BTVI_IN_FLIGHT 0x009e73ffU
#define BTVI_ALARM     0xb2182bffU

/* The same colour at another opacity, 0..1. */
uint32_t btvi_rgba_alpha(uint32_t color, double alpha);

/* A gap's band: light, so that what is drawn in it stays visible; and the text on it. */
uint32_t btvi_palette_gap(enum btviz_gap_kind kind);
uint32_t btvi_palette_gap_text(enum btviz_gap_kind kind);

/* The bar before a finding. */
uint32_t btvi_palette_severity(enum btviz_severity severity);

/* Things that have no colour of their own (processes, runs laid over one another): the i-th of
 * BTVI_PALETTE_COUNT; beyond them grey, for "others". */
enum { BTVI_PALETTE_COUNT = 10 };
uint32_t btvi_palette_nth(size_t i);

/* Processes stand beside reads, writes and discards in one picture: theirs are other colours. */
enum { BTVI_PROCESS_COLORS = 8 };
uint32_t btvi_palette_process(size_t i);

#endif
