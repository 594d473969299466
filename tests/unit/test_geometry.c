/* test_geometry.c - levels from places. The tables are those of md(4) and of the kernel's
 * documentation, chunk by chunk, not the arithmetic of the code under test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "measure/geometry.h"
#include "model/remap.h"

enum { MD0 = 9 << 20, P = -1, ROWS_MAX = 8, DEVICES = 6, OFFSET = 2048 };

/* A period of the layout: which chunk of the array lies in which row of each device; the next
 * period holds the chunks that follow. P: parity, which md remaps from sector 0. */
struct table {
	const char *level, *layout;
	unsigned devices, data, rows, chunks;
	int chunk[ROWS_MAX][DEVICES];
};

static const struct table tables[] = {
	{ "raid0", NULL, 4, 4, 1, 4, { { 0, 1, 2, 3 } } },
	{ "raid0", NULL, 3, 3, 1, 3, { { 0, 1, 2 } } },
	{ "raid0", NULL, 2, 2, 1, 2, { { 0, 1 } } },
	{ "raid10", "near 2", 4, 2, 1, 2, { { 0, 0, 1, 1 } } },
	{ "raid10", "near 2", 5, 2, 2, 5, { { 0, 0, 1, 1, 2 }, { 2, 3, 3, 4, 4 } } },
	{ "raid10", "near 2", 3, 1, 2, 3, { { 0, 0, 1 }, { 1, 2, 2 } } },
	{ "raid10", "near 3", 6, 2, 1, 2, { { 0, 0, 0, 1, 1, 1 } } },
	{ "raid10", "offset 2", 4, 2, 2, 4, { { 0, 1, 2, 3 }, { 3, 0, 1, 2 } } },
	{ "raid4", NULL, 4, 3, 1, 3, { { 0, 1, 2, P } } },
	{ "raid5", "left-symmetric", 4, 3, 4, 12,
		{ { 0, 1, 2, P }, { 4, 5, P, 3 }, { 8, P, 6, 7 }, { P, 9, 10, 11 } } },
	{ "raid5", "left-asymmetric", 4, 3, 4, 12,
		{ { 0, 1, 2, P }, { 3, 4, P, 5 }, { 6, P, 7, 8 }, { P, 9, 10, 11 } } },
	{ "raid5", "right-symmetric", 4, 3, 4, 12,
		{ { P, 0, 1, 2 }, { 5, P, 3, 4 }, { 7, 8, P, 6 }, { 9, 10, 11, P } } },
	{ "raid5", "right-asymmetric", 4, 3, 4, 12,
		{ { P, 0, 1, 2 }, { 3, P, 4, 5 }, { 6, 7, P, 8 }, { 9, 10, 11, P } } },
	{ "raid5", "left-symmetric", 3, 2, 3, 6, { { 0, 1, P }, { 3, P, 2 }, { P, 4, 5 } } },
	{ "raid6", "left-symmetric", 5, 3, 5, 15,
		{ { 0, 1, 2, P, P }, { 4, 5, P, P, 3 }, { 8, P, P, 6, 7 }, { P, P, 9, 10, 11 },
			{ P, 12, 13, 14, P } } },
};

/* Far copies lie in an area of their own, a device further. */
static const struct table far_layout = { "raid10", "far 2", 4, 2, 1, 4, { { 0, 1, 2, 3 } } };

struct devices {
	struct btvi_remap of[DEVICES];
};

static void remap(struct btvi_remap *r, bool write, uint64_t from, uint64_t to, uint64_t sectors)
{
	struct btviz_event ev = { .event = BTVIZ_ACT_REMAP,
		.flags = BTVIZ_EV_PAYLOAD,
		.categories = write ? BTVIZ_CAT_WRITE : BTVIZ_CAT_READ,
		.device = 8 << 20,
		.pid = 7,
		.sector = to,
		.bytes = (uint32_t)(sectors * BTVIZ_SECTOR_BYTES) };

	ev.u.remap.device_from = MD0;
	ev.u.remap.sector_from = from;
	btvi_remap_add(r, &ev);
}

/* One piece of a chunk, a different one in each. */
static void remap_chunk(struct btvi_remap *r, const struct table *t, unsigned row, int chunk,
	unsigned period, uint64_t chunk_sectors, bool write)
{
	const uint64_t number = (uint64_t)chunk + (uint64_t)period * t->chunks;
	const uint64_t in = number * 40 % chunk_sectors / 8 * 8;
	const uint64_t to = ((uint64_t)period * t->rows + row) * chunk_sectors + in + OFFSET;

	if (chunk == P)
		remap(r, write, 0, to, 8);
	else
		remap(r, write, number * chunk_sectors + in, to, 8);
}

static void fill(struct devices *d, const struct table *t, uint64_t chunk_sectors, bool write)
{
	memset(d, 0, sizeof *d);
	for (unsigned period = 0; period < 200; period++)
		for (unsigned row = 0; row < t->rows; row++)
			for (unsigned i = 0; i < t->devices; i++)
				if (write || t->chunk[row][i] != P)
					remap_chunk(&d->of[i], t, row, t->chunk[row][i], period,
						chunk_sectors, write);
}

static struct btvi_geometry find(const struct devices *d, size_t count, bool md)
{
	const struct btvi_source *sources[DEVICES];

	for (size_t i = 0; i < count; i++)
		sources[i] = d->of[i].source_count > 0 ? &d->of[i].sources[0] : NULL;
	return btvi_geometry_find(sources, count, md, false);
}

static void assert_text(const char *got, const char *expected)
{
	if (expected)
		assert_string_equal(got ? got : "(none)", expected);
	else
		assert_null(got);
}

static void test_levels(void **state)
{
	static const uint64_t chunks[] = { 8, 128, 1024 };
	static struct devices d;

	(void)state;
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
		for (size_t c = 0; c < sizeof chunks / sizeof chunks[0]; c++) {
			const struct table *const t = &tables[i];
			struct btvi_geometry g;

			fill(&d, t, chunks[c], true);
			g = find(&d, t->devices, true);
			print_message("# %s %s of %u, chunk %u: %s %s\n", t->level,
				t->layout ? t->layout : "", t->devices, (unsigned)chunks[c],
				g.level ? g.level : "not clear", g.layout ? g.layout : "");
			assert_text(g.level, t->level);
			assert_text(g.layout, t->layout);
			assert_int_equal(g.chunk_sectors, chunks[c]);
			assert_int_equal(g.devices, t->devices);
			assert_int_equal(g.data_devices, t->data);
		}
	}
}

static void fill_far(struct devices *d, bool write)
{
	fill(d, &far_layout, 128, write);
	for (unsigned period = 0; write && period < 200; period++)
		for (unsigned i = 0; i < 4; i++) {
			const uint64_t number = period * 4 + i, in = number * 40 % 128 / 8 * 8;

			remap(&d->of[(i + 1) % 4], true, number * 128 + in,
				UINT64_C(1000000) + period * UINT64_C(128) + in, 8);
		}
}

static void test_far(void **state)
{
	static struct devices d;
	struct btvi_geometry g;

	(void)state;
	fill_far(&d, true);
	g = find(&d, 4, true);
	assert_text(g.level, "raid10");
	assert_text(g.layout, "far 2");
	assert_int_equal(g.chunk_sectors, 128);
	/* Its reads look like raid0's, and raid0's like its own: the level is not clear. */
	fill_far(&d, false);
	g = find(&d, 4, true);
	assert_null(g.level);
	assert_int_equal(g.chunk_sectors, 128);
	assert_int_equal(g.devices, 4);
	/* dm knows no copies. */
	g = find(&d, 4, false);
	assert_text(g.level, "striped");
}

/* A raid5 that is only read, one whose member is missing, a raid0 of which one member is used. */
static void test_parts(void **state)
{
	static struct devices d;
	struct btvi_geometry g;

	(void)state;
	fill(&d, &tables[9], 128, false);
	g = find(&d, 4, true);
	assert_text(g.level, "raid5");
	assert_text(g.layout, "left-symmetric");
	fill(&d, &tables[9], 128, true);
	memset(&d.of[2], 0, sizeof d.of[2]);
	g = find(&d, 4, true);
	assert_text(g.level, "raid5");
	assert_int_equal(g.devices, 4);
	fill(&d, &tables[0], 128, true);
	for (unsigned i = 0; i < 4; i++)
		if (i != 2)
			memset(&d.of[i], 0, sizeof d.of[i]);
	g = find(&d, 4, true);
	assert_text(g.level, "raid0");
	assert_int_equal(g.devices, 4);
}

static void test_whole(void **state)
{
	static struct devices d;

	(void)state;
	/* A mirror: two readers, each served by a leg of its own. */
	memset(&d, 0, sizeof d);
	for (unsigned i = 0; i < 100; i++) {
		remap(&d.of[0], false, 1000 + 8 * i, 1000 + 8 * i + OFFSET, 8);
		remap(&d.of[1], false, 900000 + 8 * i, 900000 + 8 * i + OFFSET, 8);
	}
	assert_text(find(&d, 2, true).level, "raid1");
	/* Linear: the second member's sectors begin anew. */
	memset(&d, 0, sizeof d);
	for (unsigned i = 0; i < 100; i++) {
		remap(&d.of[0], true, 8 + 4000 * i, 8 + 4000 * i + OFFSET, 8);
		remap(&d.of[1], true, 500000 + 8 * i, 8 * i + OFFSET, 8);
	}
	assert_text(find(&d, 2, true).level, "linear");
	/* The same within a few MiB: it could be the chunks of one row of a raid0. */
	memset(&d, 0, sizeof d);
	for (unsigned i = 0; i < 100; i++) {
		remap(&d.of[0], true, 8 + 8 * i, 8 + 8 * i + OFFSET, 8);
		remap(&d.of[1], true, 1024 + 8 * i, 8 * i + OFFSET, 8);
	}
	assert_null(find(&d, 2, true).level);
	/* One member, one distance: dm's linear, or md with a single member in use: not clear. */
	memset(&d.of[1], 0, sizeof d.of[1]);
	assert_text(find(&d, 1, false).level, "linear");
	assert_null(find(&d, 1, true).level);
}

/* What no layout explains is none; nor are five places a proof. */
static void test_not_clear(void **state)
{
	static struct devices d;
	uint64_t x = 1;

	(void)state;
	memset(&d, 0, sizeof d);
	for (unsigned i = 0; i < 400; i++) {
		x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
		remap(&d.of[i % 4], true, (x >> 40) * 8, (x >> 38 & 0xffffff) * 8, 8);
	}
	assert_null(find(&d, 4, true).level);
	assert_int_equal(find(&d, 4, true).chunk_sectors, 0);
	memset(&d, 0, sizeof d);
	for (unsigned i = 0; i < 5; i++)
		remap_chunk(&d.of[i % 4], &tables[0], 0, (int)i % 4, i / 4, 128, true);
	assert_null(find(&d, 4, true).level);
}

/* The sample is the same however the run is cut and in whatever order its parts come. */
static void test_merge(void **state)
{
	static struct btvi_remap whole, part[2];

	(void)state;
	memset(&whole, 0, sizeof whole);
	memset(part, 0, sizeof part);
	for (unsigned i = 0; i < 3000; i++) {
		const uint64_t from = i % 1000 * 64 + 8, to = from / 4;

		remap(&whole, i % 3 == 0, from, to, 8 + i % 5);
		remap(&part[i < 1400], i % 3 == 0, from, to, 8 + i % 5);
		remap(&whole, true, 0, 5000 + i / 2000, 8);
		remap(&part[i < 1400], true, 0, 5000 + i / 2000, 8);
	}
	btvi_remap_merge(&part[0], &part[1]);
	assert_int_equal(whole.sources[0].place_count, BTVI_PLACE_MAX);
	assert_memory_equal(&whole.sources[0], &part[0].sources[0], sizeof whole.sources[0]);
	assert_true(whole.sources[0].zero_differs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_far),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_not_clear),
		cmocka_unit_test(test_merge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
