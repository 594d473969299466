/* ring.c - the layout of ring-buffer pages and of the blk tracer's entries in them. Little-endian
 * 64-bit kernels only: the bit fields of others lie differently, and no such page has been seen. */
#include "trace/ring.h"

#include <string.h>

#include "base/limits.h"
#include "trace/wire.h"

enum {
	HEAD = 16,             /* time stamp and commit */
	COMMIT_MASK = 0xfffff, /* the rest of commit are flags, sign-extended */
	TYPE_PADDING = 29,
	TYPE_EXTEND = 30,
	TYPE_STAMP = 31,
	NOTIFY = 1 << 26,
	ENTRY_SLACK = 7,     /* entries are padded to 4 bytes, on some machines to 8 */
	BLK_TYPE_FIRST = 10, /* the kernels seen have 13 and 14 */
	BLK_TYPE_LAST = 24,
};

static void put_le32(unsigned char *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (unsigned char)(v >> 8 * i);
}

static void put_le64(unsigned char *p, uint64_t v)
{
	put_le32(p, (uint32_t)v);
	put_le32(p + 4, (uint32_t)(v >> 32));
}

/* A header of a page: the high half of commit is a sign's extension or nothing. */
static bool head_is_sane(const unsigned char *bytes, size_t size)
{
	const uint32_t high = btvi_le32(bytes + 12);

	return (high == 0 || high == 0xffffffff) &&
		(btvi_le32(bytes + 8) & COMMIT_MASK) <= size - HEAD &&
		(btvi_le32(bytes + 8) & 0x3ff00000) == 0 && btvi_le32(bytes + 4) < 0x40000000;
}

bool btvi_ring_page_begin(
	struct btvi_ring *r, struct btvi_ring_page *page, const unsigned char *bytes, size_t size)
{
	uint32_t commit;

	if (size < HEAD || !head_is_sane(bytes, BTVI_RING_PAGE_MAX)) {
		r->bad_bytes += size;
		return false;
	}
	commit = btvi_le32(bytes + 8);
	*page = (struct btvi_ring_page){ .bytes = bytes, .at = HEAD, .time_ns = btvi_le64(bytes) };
	page->end = HEAD + (commit & COMMIT_MASK);
	if (commit & 1U << 31) {
		/* Bit 30 says that the number is there; a full page has no room for it. */
		if ((commit & 1U << 30) && size >= 8 && page->end <= size - 8)
			page->lost = btvi_le64(bytes + page->end);
		page->lost_unknown = page->lost == 0;
	}
	if (page->end > size) {
		page->torn = true;
		page->end = size;
	}
	return true;
}

/* Whether an entry of this length can hold a record of the version. The two layouts exclude each
 * other: where one has its payload's length, the other has the upper half of the CPU number. */
static bool fits(const unsigned char *p, size_t size, unsigned version)
{
	const size_t header = version == 7 ? 48 : 64;
	size_t need;

	if (size < header)
		return false;
	need = header + btvi_le16(p + (version == 7 ? 46 : 50));
	return need <= size && size - need <= ENTRY_SLACK &&
		btvi_le32(p + (version == 7 ? 40 : 44)) < BTVI_CPU_MAX;
}

/* Reads the entry's data as a record; false where it is none of ours. */
static bool read_entry(
	struct btvi_ring *r, const unsigned char *p, size_t size, struct btvi_ring_entry *entry)
{
	const uint32_t type = size >= 2 ? btvi_le16(p) : 0;
	unsigned version = 0;

	if (r->blk_type != 0 ? type != r->blk_type
			     : type < BLK_TYPE_FIRST || type > BLK_TYPE_LAST) {
		r->skipped_entries++;
		return false;
	}
	if (fits(p, size, 8))
		version = 8;
	else if (fits(p, size, 7))
		version = 7;
	if (version == 0) {
		if (r->blk_type != 0)
			r->bad_entries++;
		else
			r->skipped_entries++;
		return false;
	}
	r->blk_type = (uint16_t)type;
	entry->bytes = p;
	entry->version = (uint8_t)version;
	if (version == 7) {
		entry->size = 48 + btvi_le16(p + 46);
		entry->note = (btvi_le32(p + 28) & NOTIFY) != 0;
		entry->pid = btvi_le32(p + 32);
		entry->device = btvi_le32(p + 36);
		entry->cpu = btvi_le32(p + 40);
	} else {
		entry->size = 64 + btvi_le16(p + 50);
		entry->note = (btvi_le32(p + 32) & NOTIFY) != 0;
		entry->pid = btvi_le32(p + 28);
		entry->device = btvi_le32(p + 40);
		entry->cpu = btvi_le32(p + 44);
	}
	return true;
}

/* One ring-buffer event at page->at: its data, or none. False where it runs over the page's end. */
static bool step(struct btvi_ring_page *page, const unsigned char **ret_data, size_t *ret_size)
{
	const unsigned char *p = page->bytes + page->at;
	const size_t room = page->end - page->at;
	uint64_t delta;
	uint32_t type;
	size_t size;

	*ret_data = NULL;
	*ret_size = 0;
	if (room < 4)
		return false;
	type = btvi_le32(p) & 31;
	delta = btvi_le32(p) >> 5;
	if (type >= 1 && type <= 28) {
		size = 4 + 4 * (size_t)type;
		*ret_data = p + 4;
		*ret_size = 4 * (size_t)type;
	} else if (type == TYPE_PADDING && delta == 0) {
		page->at = page->end; /* nothing more in this page */
		return true;
	} else {
		if (room < 8)
			return false;
		size = 8;
		if (type == TYPE_EXTEND) {
			delta += (uint64_t)btvi_le32(p + 4) << 27;
		} else if (type == TYPE_STAMP) {
			/* 59 bits; the highest five are as before. */
			page->time_ns &= ~((UINT64_C(1) << 59) - 1);
			delta += (uint64_t)btvi_le32(p + 4) << 27;
		} else {
			/* A length of its own, which counts itself; padding is a discarded entry.
			 */
			const size_t len = btvi_le32(p + 4);

			if (len < 4 || len > room - 4)
				return false;
			size = 4 + len;
			if (type != TYPE_PADDING) {
				*ret_data = p + 8;
				*ret_size = len - 4;
			}
		}
	}
	if (size > room)
		return false;
	page->time_ns += delta;
	page->at += size;
	return true;
}

bool btvi_ring_page_next(
	struct btvi_ring *r, struct btvi_ring_page *page, struct btvi_ring_entry *ret_entry)
{
	while (page->at < page->end) {
		const unsigned char *data;
		size_t size;

		if (!step(page, &data, &size)) {
			if (!page->torn)
				r->bad_bytes += page->end - page->at;
			page->at = page->end;
			return false;
		}
		if (data && read_entry(r, data, size, ret_entry)) {
			ret_entry->time_ns = page->time_ns;
			return true;
		}
	}
	return false;
}

void btvi_ring_record(const struct btvi_ring_entry *entry, uint32_t sequence, unsigned char *out)
{
	memcpy(out, entry->bytes, entry->size);
	put_le32(out, BTVI_WIRE_MAGIC | entry->version);
	put_le32(out + 4, entry->note ? 0 : sequence);
	put_le64(out + 8, entry->time_ns);
	if (entry->version == 8)
		memset(out + 52, 0, 12);
	if (entry->note) {
		/* The kernel leaves what was there before. */
		put_le64(out + 16, 0);
		put_le32(out + 24, 0);
		memset(out + (entry->version == 7 ? 44 : 48), 0, 2);
	}
}

bool btvi_ring_sniff(const unsigned char *bytes, size_t size)
{
	struct btvi_ring r = { 0 };
	struct btvi_ring_page page;
	const unsigned char *data;
	size_t data_size;
	bool cut;

	if (size <= HEAD || (btvi_le32(bytes) & BTVI_WIRE_MAGIC_MASK) == BTVI_WIRE_MAGIC ||
		btvi_le64(bytes) == 0 ||
		!btvi_ring_page_begin(&r, &page, bytes, BTVI_RING_PAGE_MAX))
		return false;
	/* The first page of a large size may not be here to its end. */
	cut = page.end > size;
	if (cut)
		page.end = size;
	for (int i = 0; page.at < page.end; i++)
		if (!step(&page, &data, &data_size))
			return cut && i > 3;
	return page.end > HEAD;
}

size_t btvi_ring_page_size(const unsigned char *bytes, size_t size, bool end)
{
	for (size_t n = BTVI_RING_PAGE_MIN; n <= BTVI_RING_PAGE_MAX; n *= 2) {
		size_t pages = 0, sane = 0;

		for (size_t at = 0; at + HEAD <= size; at += n, pages++)
			sane += head_is_sane(bytes + at, n) &&
				btvi_le64(bytes + at) >= btvi_le64(bytes) &&
				btvi_le64(bytes + at) - btvi_le64(bytes) < UINT64_C(1) << 59;
		/* Most, not all: a page may be damaged. In the middle of a page few look like one.
		 */
		if (sane * 4 > pages * 3 && (n < size || end))
			return n;
	}
	return 0;
}
