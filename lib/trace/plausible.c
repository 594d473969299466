/* plausible.c - see plausible.h. Knows one record and what stands where it ends. */
#include "trace/plausible.h"

#include "trace/carry.h"

enum {
	EVENT_PLAUSIBLE = 255, /* no kernel has reached 32 */
	MESSAGE_MAX = 136,     /* a cgroup id and what the kernel takes of a text */
	PDU_PLAUSIBLE = 1024, /* the kernel's payloads end at 136; a longer one must prove itself */
};

unsigned btvi_odd_fields(const struct btviz_event *ev, unsigned pdu_len)
{
	const bool note = btviz_event_is_note(ev);
	unsigned odd = 0;

	if (ev->cpu >= BTVI_CPU_MAX)
		odd |= BTVI_ODD_CPU;
	if (ev->time_ns > BTVI_TIME_MAX_NS)
		odd |= BTVI_ODD_TIME;
	if (!note && ev->sector > BTVI_SECTOR_MAX && ev->bytes > 0)
		odd |= BTVI_ODD_SECTOR;
	if (ev->device == 0)
		odd |= BTVI_ODD_DEVICE;
	if (ev->event > (note ? (unsigned)BTVIZ_NOTE_MESSAGE : (unsigned)EVENT_PLAUSIBLE))
		odd |= BTVI_ODD_ACTION;
	if (pdu_len > PDU_PLAUSIBLE)
		odd |= BTVI_ODD_LENGTH;
	return odd;
}

void btvi_mend_fields(struct btviz_decoder *d, struct btviz_event *ev, unsigned odd)
{
	if (odd & BTVI_ODD_CPU)
		ev->cpu = d->last_cpu;
	if (odd & BTVI_ODD_TIME)
		ev->time_ns = d->last_ns;
	d->last_cpu = ev->cpu;
	if (odd & (BTVI_ODD_CPU | BTVI_ODD_TIME | BTVI_ODD_SECTOR)) {
		ev->flags |= BTVIZ_EV_ODD;
		d->health.odd_fields++;
	}
}

/* ---- the payload's length -------------------------------------------------------------------- */

/* How much payload a record of this kind has when all is well; BTVI_WIRE_PDU_MAX: it varies. */
static unsigned usual_pdu_len(const struct btviz_event *ev, bool cgroup)
{
	unsigned usual = cgroup ? 8 : 0;

	if (btviz_event_is_note(ev)) {
		if (ev->event == BTVIZ_NOTE_PROCESS)
			return usual + BTVI_WIRE_NAME_SIZE;
		if (ev->event == BTVIZ_NOTE_TIMESTAMP)
			return usual + 8;
		return BTVI_WIRE_PDU_MAX;
	}
	if (ev->event < BTVI_EVENT_KNOWN_END)
		usual += btvi_payload_size[ev->event];
	return usual;
}

/* Whether a record's first n bytes, up to four, may be these. */
static bool may_begin(const struct btviz_decoder *d, const unsigned char *p, size_t n)
{
	const unsigned char little[4] = { p[0] == 8 ? 8 : 7, 0x74, 0x61, 0x65 };
	const unsigned char big[4] = { 0x65, 0x61, 0x74, n == 4 && p[3] == 8 ? 8 : 7 };

	return memcmp(p, d->big ? big : little, n) == 0;
}

/* The first magic number in a message's text, even if the text's length ends within its first
 * bytes; pdu_len where there is none. False: more bytes are needed to tell. */
static bool find_magic_in_text(
	struct btviz_decoder *d, size_t header, unsigned pdu_len, unsigned *ret_at)
{
	const size_t size = header + pdu_len;
	const size_t there = btvi_is_all(d) && btvi_available(d) < size ? btvi_available(d) : size;
	const unsigned char *p = btvi_want(d, there);

	*ret_at = pdu_len;
	for (size_t i = header; p && i < there; i++) {
		if (!may_begin(d, p + i, there - i < 4 ? there - i : 4))
			continue;
		if (btvi_is_all(d) && btvi_available(d) < i + 4)
			return true;
		p = btvi_want(d, i + 4 > there ? i + 4 : there);
		if (p && may_begin(d, p + i, 4)) {
			*ret_at = (unsigned)(i - header);
			return true;
		}
	}
	return p != NULL;
}

/* A message's length is believed where it can be one and leads to the next record, whatever is in
 * the text. Where it does not, and a record may begin in the text, there the text ends. */
static bool mend_text_length(struct btviz_decoder *d, size_t header, unsigned *pdu_len)
{
	enum btvi_next next;
	unsigned at;

	if (!find_magic_in_text(d, header, *pdu_len, &at))
		return false;
	if (at == *pdu_len)
		return true;
	if (*pdu_len <= MESSAGE_MAX) {
		next = btvi_next_at(d, header + *pdu_len);
		if (next == BTVI_NEXT_UNKNOWN)
			return false;
		if (btvi_begins_well(next))
			return true;
	}
	*pdu_len = at;
	return true;
}

bool btvi_mend_length(struct btviz_decoder *d, const struct btviz_event *ev, bool cgroup,
	size_t header, unsigned *pdu_len)
{
	const unsigned usual = usual_pdu_len(ev, cgroup);
	enum btvi_next next;

	if (usual == BTVI_WIRE_PDU_MAX && !mend_text_length(d, header, pdu_len))
		return false;
	if (*pdu_len == usual || (usual == BTVI_WIRE_PDU_MAX && *pdu_len <= PDU_PLAUSIBLE))
		return true;
	/* No payload looks like a record: where one stands at the usual place, it is one. */
	if (usual != BTVI_WIRE_PDU_MAX) {
		next = btvi_next_at(d, header + usual);
		if (next == BTVI_NEXT_UNKNOWN)
			return false;
		if (next == BTVI_NEXT_RECORD) {
			*pdu_len = usual;
			return true;
		}
	}
	next = btvi_next_at(d, header + *pdu_len);
	if (next == BTVI_NEXT_UNKNOWN)
		return false;
	if (btvi_begins_well(next))
		return true;
	/* Nothing it says can be right: the search for the next record begins at once. */
	if (*pdu_len > PDU_PLAUSIBLE || (usual != BTVI_WIRE_PDU_MAX && next == BTVI_NEXT_OTHER))
		*pdu_len = 0;
	return true;
}
