/* wire.c - records between bytes and struct btviz_event, either version, either byte order. Knows
 * one record at a time: where it stands in a stream, and what stands around it, is decode's
 * business. */
#include "trace/wire.h"

#include <assert.h>

const uint8_t btvi_payload_size[BTVI_EVENT_KNOWN_END] = {
	[BTVIZ_ACT_UNPLUG] = 8,
	[BTVIZ_ACT_UNPLUG_TIMER] = 8,
	[BTVIZ_ACT_SPLIT] = 8,
	[BTVIZ_ACT_REMAP] = 16,
};

unsigned btvi_wire_action_low(const unsigned char *p, bool v8_layout, bool big)
{
	if (v8_layout)
		return (unsigned)(btvi_get64(p + BTVI_WIRE_V8_ACTION, big) & 0xffff);
	return btvi_get32(p + BTVI_WIRE_V7_ACTION, big) & 0xffff;
}

unsigned btvi_wire_header(const unsigned char *p, bool v8_layout, unsigned version, bool big,
	struct btviz_event *ret_ev)
{
	struct btviz_event ev = {
		.time_ns = btvi_get64(p + BTVI_WIRE_TIME, big),
		.sector = btvi_get64(p + BTVI_WIRE_SECTOR, big),
		.bytes = btvi_get32(p + BTVI_WIRE_BYTES, big),
		.sequence = btvi_get32(p + BTVI_WIRE_SEQUENCE, big),
		.version = (uint8_t)version,
	};
	unsigned pdu_len;

	if (v8_layout) {
		const uint64_t action = btvi_get64(p + BTVI_WIRE_V8_ACTION, big);

		ev.pid = btvi_get32(p + BTVI_WIRE_V8_PID, big);
		ev.categories = (uint32_t)(action >> 16);
		ev.event = (uint16_t)(action & 0xffff & ~BTVI_WIRE_CGROUP_BIT);
		ev.device = btvi_get32(p + BTVI_WIRE_V8_DEVICE, big);
		ev.cpu = btvi_get32(p + BTVI_WIRE_V8_CPU, big);
		ev.error = (int16_t)btvi_get16(p + BTVI_WIRE_V8_ERROR, big);
		pdu_len = btvi_get16(p + BTVI_WIRE_V8_PDU_LEN, big);
	} else {
		const uint32_t action = btvi_get32(p + BTVI_WIRE_V7_ACTION, big);

		ev.pid = btvi_get32(p + BTVI_WIRE_V7_PID, big);
		ev.categories = action >> 16;
		ev.event = (uint16_t)(action & 0xffff & ~BTVI_WIRE_CGROUP_BIT);
		ev.device = btvi_get32(p + BTVI_WIRE_V7_DEVICE, big);
		ev.cpu = btvi_get32(p + BTVI_WIRE_V7_CPU, big);
		ev.error = (int16_t)btvi_get16(p + BTVI_WIRE_V7_ERROR, big);
		pdu_len = btvi_get16(p + BTVI_WIRE_V7_PDU_LEN, big);
	}
	*ret_ev = ev;
	return pdu_len;
}

bool btvi_wire_payload(struct btviz_event *ev, bool cgroup, const unsigned char *payload,
	unsigned pdu_len, bool big)
{
	const bool note = btviz_event_is_note(ev);
	unsigned want = 0;

	if (cgroup && pdu_len >= 8) {
		/* before Linux 5.5 these are two 32-bit numbers: an identity all the same */
		ev->cgroup_id = btvi_get64(payload, big);
		ev->flags |= BTVIZ_EV_CGROUP;
		payload += 8;
		pdu_len -= 8;
	}
	ev->payload = payload;
	ev->payload_size = (uint16_t)pdu_len;
	if (note) {
		if (ev->event == BTVIZ_NOTE_TIMESTAMP && pdu_len >= 8) {
			ev->u.wall.sec = btvi_get32(payload, big);
			ev->u.wall.nsec = btvi_get32(payload + 4, big);
			ev->flags |= BTVIZ_EV_PAYLOAD;
		}
		return true;
	}
	if (ev->event < BTVI_EVENT_KNOWN_END)
		want = btvi_payload_size[ev->event];
	if (want == 0)
		return true;
	if (pdu_len < want)
		/* an unplug without its count lacks nothing that anybody needs */
		return ev->event == BTVIZ_ACT_UNPLUG || ev->event == BTVIZ_ACT_UNPLUG_TIMER;
	ev->flags |= BTVIZ_EV_PAYLOAD;
	if (ev->event == BTVIZ_ACT_REMAP) {
		ev->u.remap.device_from = btvi_be32(payload);
		ev->u.remap.device_to = btvi_be32(payload + 4);
		ev->u.remap.sector_from = btvi_be64(payload + 8);
	} else if (ev->event == BTVIZ_ACT_SPLIT) {
		ev->u.split_sector = btvi_be64(payload);
	} else {
		ev->u.depth = btvi_be64(payload);
	}
	return true;
}

static void put(unsigned char *p, uint64_t v, unsigned size, bool big)
{
	for (unsigned i = 0; i < size; i++)
		p[big ? size - 1 - i : i] = (unsigned char)(v >> 8 * i);
}

/* The payload behind the cgroup id; returns its size. */
static unsigned put_payload(const struct btviz_event *ev, bool big, unsigned char *out)
{
	if (!(ev->flags & BTVIZ_EV_PAYLOAD)) {
		if (ev->payload_size > 0)
			memcpy(out, ev->payload, ev->payload_size);
		return ev->payload_size;
	}
	if (btviz_event_is_note(ev)) {
		put(out, ev->u.wall.sec, 4, big);
		put(out + 4, ev->u.wall.nsec, 4, big);
		return 8;
	}
	if (ev->event == BTVIZ_ACT_REMAP) {
		put(out, ev->u.remap.device_from, 4, true);
		put(out + 4, ev->u.remap.device_to, 4, true);
		put(out + 8, ev->u.remap.sector_from, 8, true);
		return 16;
	}
	put(out, ev->event == BTVIZ_ACT_SPLIT ? ev->u.split_sector : ev->u.depth, 8, true);
	return 8;
}

size_t btvi_wire_encode(
	const struct btviz_event *ev, unsigned version, bool big, unsigned char *out)
{
	const bool v8 = version == 8;
	const bool cgroup = (ev->flags & BTVIZ_EV_CGROUP) != 0;
	const size_t header = v8 ? BTVI_WIRE_V8_SIZE : BTVI_WIRE_V7_SIZE;
	const uint64_t action =
		(uint64_t)ev->categories << 16 | ev->event | (cgroup ? BTVI_WIRE_CGROUP_BIT : 0);
	unsigned pdu_len = 0;

	assert(version == 7 || version == 8);
	memset(out, 0, header);
	if (cgroup) {
		put(out + header, ev->cgroup_id, 8, big);
		pdu_len = 8;
	}
	pdu_len += put_payload(ev, big, out + header + pdu_len);
	assert(pdu_len <= BTVI_WIRE_PDU_MAX);
	put(out, BTVI_WIRE_MAGIC | version, 4, big);
	put(out + BTVI_WIRE_SEQUENCE, ev->sequence, 4, big);
	put(out + BTVI_WIRE_TIME, ev->time_ns, 8, big);
	put(out + BTVI_WIRE_SECTOR, ev->sector, 8, big);
	put(out + BTVI_WIRE_BYTES, ev->bytes, 4, big);
	if (v8) {
		put(out + BTVI_WIRE_V8_PID, ev->pid, 4, big);
		put(out + BTVI_WIRE_V8_ACTION, action, 8, big);
		put(out + BTVI_WIRE_V8_DEVICE, ev->device, 4, big);
		put(out + BTVI_WIRE_V8_CPU, ev->cpu, 4, big);
		put(out + BTVI_WIRE_V8_ERROR, (uint16_t)ev->error, 2, big);
		put(out + BTVI_WIRE_V8_PDU_LEN, pdu_len, 2, big);
	} else {
		put(out + BTVI_WIRE_V7_ACTION, action & 0xffffffff, 4, big);
		put(out + BTVI_WIRE_V7_PID, ev->pid, 4, big);
		put(out + BTVI_WIRE_V7_DEVICE, ev->device, 4, big);
		put(out + BTVI_WIRE_V7_CPU, ev->cpu, 4, big);
		put(out + BTVI_WIRE_V7_ERROR, (uint16_t)ev->error, 2, big);
		put(out + BTVI_WIRE_V7_PDU_LEN, pdu_len, 2, big);
	}
	return header + pdu_len;
}
