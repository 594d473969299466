/* trace/wire.h - the layout of a record on the wire, and numbers to and from bytes.
 *
 * A record is a header of 48 bytes (version 7) or 64 bytes (version 8), then pdu_len bytes of
 * payload. Nothing is aligned: after an odd payload the next header stands at an odd address, so
 * everything is loaded byte by byte or through memcpy. */
#ifndef BTVI_TRACE_WIRE_H
#define BTVI_TRACE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <btviz/event.h>

#define BTVI_WIRE_MAGIC      0x65617400U /* | version, in the writer's byte order */
#define BTVI_WIRE_MAGIC_MASK 0xffffff00U
#define BTVI_WIRE_CGROUP_BIT                                                \
	0x100U /* in the low half of the action: 8 bytes of cgroup id first \
		*/

enum {
	BTVI_WIRE_V7_SIZE = 48,
	BTVI_WIRE_V8_SIZE = 64,
	BTVI_WIRE_PDU_MAX = 65535,
	BTVI_WIRE_RECORD_MAX = BTVI_WIRE_V8_SIZE + BTVI_WIRE_PDU_MAX,
	BTVI_WIRE_NAME_SIZE = 16, /* of a process note's payload */

	/* offsets common to both versions */
	BTVI_WIRE_SEQUENCE = 4,
	BTVI_WIRE_TIME = 8,
	BTVI_WIRE_SECTOR = 16,
	BTVI_WIRE_BYTES = 24,

	BTVI_WIRE_V7_ACTION = 28,
	BTVI_WIRE_V7_PID = 32,
	BTVI_WIRE_V7_DEVICE = 36,
	BTVI_WIRE_V7_CPU = 40,
	BTVI_WIRE_V7_ERROR = 44,
	BTVI_WIRE_V7_PDU_LEN = 46,

	BTVI_WIRE_V8_PID = 28,
	BTVI_WIRE_V8_ACTION = 32, /* 64 bits */
	BTVI_WIRE_V8_DEVICE = 40,
	BTVI_WIRE_V8_CPU = 44,
	BTVI_WIRE_V8_ERROR = 48,
	BTVI_WIRE_V8_PDU_LEN = 50,
};

/* Loads of a number in a stated byte order. Compilers make one instruction of each. */
static inline uint16_t btvi_be16(const unsigned char *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t btvi_be32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint64_t btvi_be64(const unsigned char *p)
{
	return (uint64_t)btvi_be32(p) << 32 | btvi_be32(p + 4);
}

static inline uint16_t btvi_le16(const unsigned char *p)
{
	return (uint16_t)(p[1] << 8 | p[0]);
}

static inline uint32_t btvi_le32(const unsigned char *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline uint64_t btvi_le64(const unsigned char *p)
{
	return (uint64_t)btvi_le32(p + 4) << 32 | btvi_le32(p);
}

static inline uint16_t btvi_get16(const unsigned char *p, bool big)
{
	return big ? btvi_be16(p) : btvi_le16(p);
}

static inline uint32_t btvi_get32(const unsigned char *p, bool big)
{
	return big ? btvi_be32(p) : btvi_le32(p);
}

static inline uint64_t btvi_get64(const unsigned char *p, bool big)
{
	return big ? btvi_be64(p) : btvi_le64(p);
}

/* The machine's own order, for the fast path. */
static inline uint16_t btvi_native16(const unsigned char *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static inline uint32_t btvi_native32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static inline uint64_t btvi_native64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

/* What the payload of an I/O event is, after any cgroup id. */
enum btvi_payload {
	BTVI_PAYLOAD_NONE,
	BTVI_PAYLOAD_NUMBER, /* be64: X, U, UT */
	BTVI_PAYLOAD_REMAP,  /* be32, be32, be64: A */
};

enum {
	BTVI_EVENT_KNOWN_END = 20, /* one above the largest number that has a meaning */
};

/* By event number; sizes are 0, 8, 16. */
extern const uint8_t btvi_payload_size[BTVI_EVENT_KNOWN_END];

/* Whether an event number has a meaning to btviz: 1 to 15, 18, 19. (16 and 17, "abort" and "driver
 * data", have names but nothing that could be drawn or counted.) */
static inline bool btvi_event_is_known(unsigned event)
{
	return event < BTVI_EVENT_KNOWN_END && ((0xcfffeU >> event) & 1) != 0;
}

/* Fills everything of *ret_ev from the header at p (48 bytes for the v7 layout, 64 for the v8
 * layout), but for cpu's sanity and the payload: btvi_wire_payload() does that. Returns pdu_len.
 * version is what ev->version shall say (7 or 8). */
unsigned btvi_wire_header(const unsigned char *p, bool v8_layout, unsigned version, bool big,
	struct btviz_event *ret_ev);

/* Takes the payload of the header just read: cgroup id, remap, split, depth, wall clock. Never
 * reads beyond pdu_len. Returns false where a payload that belongs to the event is missing. */
bool btvi_wire_payload(struct btviz_event *ev, bool cgroup, const unsigned char *payload,
	unsigned pdu_len, bool big);

/* The low half of the action as it stood in the header at p. */
unsigned btvi_wire_action_low(const unsigned char *p, bool v8_layout, bool big);

/* Writes ev as a record of version 7 or 8 in the byte order asked for; returns its size, at most
 * BTVI_WIRE_RECORD_MAX. The payload is made from u where BTVIZ_EV_PAYLOAD is set, else taken from
 * payload and payload_size; BTVIZ_EV_CGROUP puts cgroup_id in front. Categories that version 7
 * cannot hold are left out. */
size_t btvi_wire_encode(
	const struct btviz_event *ev, unsigned version, bool big_endian, unsigned char *out);

#endif
