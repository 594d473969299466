/* layout.c - tells the layout of records by where the first ones end. See layout.h. */
#include "trace/layout.h"

#include "trace/carry.h"

/* The first record has the layout of 8, or it has that of 7 and its length is damaged: a process
 * note, which traces begin with, is 64 bytes long, too. The second record tells. False: more bytes
 * are needed. */
static bool confirm_wide(struct btviz_decoder *d, enum btvi_next next)
{
	const unsigned char *p = btvi_want(d, BTVI_WIRE_V8_SIZE);
	size_t second;

	if (!p)
		return btvi_is_all(d);
	if (next == BTVI_NEXT_RECORD) {
		second = BTVI_WIRE_V8_SIZE + btvi_get16(p + BTVI_WIRE_V8_PDU_LEN, d->big);
		p = btvi_want(d, second + BTVI_WIRE_V7_SIZE);
		if (!p && !btvi_is_all(d))
			return false;
		if (p)
			next = btvi_next_at(d,
				second + BTVI_WIRE_V7_SIZE +
					btvi_get16(p + second + BTVI_WIRE_V7_PDU_LEN, d->big));
		if (p && next == BTVI_NEXT_UNKNOWN)
			return false;
		d->wide7 = !p || !btvi_begins_well(next);
	} else {
		d->wide7 = true;
	}
	d->wide7_known = true;
	return true;
}

bool btvi_decide_layout(struct btviz_decoder *d)
{
	const unsigned char *p = btvi_want(d, BTVI_WIRE_V7_SIZE);
	enum btvi_next next;

	if (!p)
		return btvi_is_all(d);
	next = btvi_next_at(d, BTVI_WIRE_V7_SIZE + btvi_get16(p + BTVI_WIRE_V7_PDU_LEN, d->big));
	if (next == BTVI_NEXT_UNKNOWN)
		return false;
	if (btvi_begins_well(next)) {
		d->wide7_known = true;
		return true;
	}
	p = btvi_want(d, BTVI_WIRE_V8_SIZE);
	if (!p)
		return btvi_is_all(d);
	next = btvi_next_at(d, BTVI_WIRE_V8_SIZE + btvi_get16(p + BTVI_WIRE_V8_PDU_LEN, d->big));
	if (next == BTVI_NEXT_UNKNOWN)
		return false;
	return btvi_begins_well(next) ? confirm_wide(d, next) : true;
}
