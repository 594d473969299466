/* test_pair.c - the lives of I/Os, case by case, with hand-worked latencies; and random ones whose
 * truth is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/limits.h"
#include "model/pair.h"
#include "script.h"

/* want: what each event ended, in order; then what is left: "outstanding/in flight". */
static const struct {
	const char *name, *in, *want;
} cases[] = {
	{ "plain", "0 Q R 0+8\n1 G R 0+8\n3 I R 0+8\n6 D R 0+8\n16 C R 0+8",
		"Q2G=1 G2I=2 I2D=3 Q2D=6 D2C=10 Q2C=16 | 0/0" },
	{ "no scheduler", "0 Q R 0+8\n1 G R 0+8\n2 D R 0+8\n9 C R 0+8",
		"Q2G=1 Q2D=2 D2C=7 Q2C=9 | 0/0" },
	{ "bio device", "5 Q W 0+8\n9 C W 0+8", "Q2C=4 | 0/0" },
	{ "only D and C", "5 D W 0+8\n9 C W 0+8", "D? D2C=4 | 0/0" },
	{ "back merge",
		"0 Q W 0+8\n1 G W 0+8\n2 Q W 8+8\n3 M W 8+8\n4 I W 0+16\n5 D W 0+16\n10 C W 0+16",
		"Q2G=1 Q2M=1 G2I=3 I2D=1 Q2D=5 Q2D=3 M2D=2 D2C=5 Q2C=8 Q2C=10 | 0/0" },
	{ "front merge: what was known of the request moves to its new first bio",
		"0 Q W 8+8\n1 G W 8+8\n2 Q W 0+8\n3 F W 0+8\n4 I W 0+16\n5 D W 0+16\n10 C W 0+16",
		"Q2G=1 Q2M=1 G2I=3 I2D=1 Q2D=3 M2D=2 Q2D=5 D2C=5 Q2C=10 Q2C=8 | 0/0" },
	{ "two requests that meet",
		"0 Q W 0+8\n0 G W 0+8\n1 Q W 8+8\n1 G W 8+8\n2 M W 8+8\n3 D W 0+16\n9 C W 0+16",
		"Q2G=0 Q2G=0 Q2D=3 Q2D=2 D2C=6 Q2C=8 Q2C=9 | 0/0" },
	{ "partial completions", "0 Q R 0+16\n1 G R 0+16\n2 D R 0+16\n5 C R 0+8\n9 C R 8+8",
		"Q2G=1 Q2D=2 D2C=7 Q2C=9 | 0/0" },
	{ "requeue: D2C from the last D, Q2D from the first",
		"0 Q R 0+8\n1 G R 0+8\n2 D R 0+8\n3 R R 0+8\n7 D R 0+8\n9 C R 0+8",
		"Q2G=1 Q2D=2 D2C=2 Q2C=9 | 0/0" },
	{ "error", "0 Q R 0+8\n1 G R 0+8\n2 D R 0+8\n5 C RE 0+8", "Q2G=1 Q2D=2 D2C=3 Q2C=5 | 0/0" },
	{ "md split without X: pieces in any order, one I/O",
		"0 Q R 0+1024\n5 C R 896+128\n6 C R 0+512\n9 C R 512+384", "Q2C=9 | 0/0" },
	{ "md split with X", "0 Q W 0+192\n1 X W 0+128 128\n5 C W 0+128\n8 C W 128+64",
		"Q2C=8 | 0/0" },
	{ "md split twice",
		"0 Q W 0+300\n1 X W 0+100 100\n1 X W 100+100 200\n5 C W 200+100\n6 C W 0+100\n7 C W 100+100",
		"Q2C=7 | 0/0" },
	{ "dm split: X has the remainder, and only that completes",
		"0 Q W 0+192\n1 X W 128+64 128\n5 C W 128+64", "Q2C=5 | 0/0" },
	{ "disk split: two requests, one I/O",
		"0 Q W 0+16\n1 X W 0+8 8\n2 G W 0+8\n3 G W 8+8\n4 D W 0+8\n5 D W 8+8\n8 C W 8+8\n9 C W 0+8",
		"Q2G=2 Q2G=3 Q2D=4 Q2D=5 D2C=3 D2C=5 Q2C=9 | 0/0" },
	{ "flush and write: one I/O",
		"0 Q FWFS 100+8\n1 G FWFS 100+8\n2 D FN 0+0\n4 C FN 0+0\n5 D WFS 100+8\n9 C WFS 100+8\n"
		"10 C WS 100+0",
		"Q2G=1 D2C=2 Q2D=5 D2C=4 Q2C=9 extra | 0/0" },
	{ "empty flush on a disk", "0 Q FWS 0+0\n1 G FWS 0+0\n2 D FN 0+0\n5 C FN 0+0\n6 C WS 0+0",
		"Q2G=1 D2C=3 Q2C=6 | 0/0" },
	{ "empty flush on md", "0 Q FWS 0+0\n6 C FWS 0+0", "Q2C=6 | 0/0" },
	{ "two flushes with one request",
		"0 Q FWS 0+0\n1 Q FWS 0+0\n2 D FN 0+0\n5 C FN 0+0\n6 C WS 0+0\n7 C WS 0+0",
		"D2C=3 Q2C=6 Q2C=6 | 0/0" },
	{ "C of what was under way before", "5 C R 0+8\n6 Q R 8+8\n9 C R 8+8", "C? Q2C=3 | 0/0" },
	{ "D that never completes", "0 Q R 0+8\n1 G R 0+8\n2 D R 0+8", "Q2G=1 Q2D=2 | 1/1" },
	{ "lost C, then the same place again: no latency of minutes",
		"0 D R 0+8\n60000000000 D R 0+8\n60000000005 C R 0+8", "D? D? D2C=5 | 0/0" },
	{ "lost D: Q2C is still true", "0 Q R 0+8\n1 G R 0+8\n9 C R 0+8", "Q2G=1 Q2C=9 | 0/0" },
	{ "reads and writes at one place", "0 D R 0+8\n1 D W 0+8\n5 C R 0+8\n9 C W 0+8",
		"D? D? D2C=5 D2C=8 | 0/0" },
	{ "native zone append completes twice, elsewhere",
		"0 Q WZ 1000+8\n1 G WZ 1000+8\n2 D WZ 1000+8\n5 C WZ 1016+8\n6 C WZx 1016+8",
		"Q2G=1 Q2D=2 D2C=3 Q2C=5 extra | 0/0" },
	{ "emulated zone append: G and D where it is written",
		"0 Q WZ 1000+8\n1 G W 1016+8\n2 D W 1016+8\n5 C W 1016+8\n6 C WZx 1016+8",
		"Q2G=1 Q2D=2 D2C=3 Q2C=5 extra | 0/0" },
	{ "zone appends whose G was lost leave no trace in the list of those without a place",
		"0 Q WZ 1000+8\n2 D WZ 1000+8\n5 C WZ 1016+8\n6 Q WZ 2000+8\n7 G W 2008+8\n8 D W 2008+8\n"
		"9 C W 2008+8",
		"Q2D=2 D2C=3 Q2C=5 Q2G=1 Q2D=2 D2C=1 Q2C=3 | 0/0" },
	{ "passthrough has no place", "0 D RP 0+1\n1 D RP 0+1\n5 C RP 0+1\n6 C RP 0+1",
		"D? D? D2C=5 D2C=5 | 0/0" },
	{ "zone reset", "0 Q N 64+0\n1 G N 64+0\n2 D N 64+0\n6 C N 64+0",
		"Q2G=1 D2C=4 Q2C=6 | 0/0" },
	{ "clock steps back: never negative", "9 Q R 0+8\n5 C R 0+8", "Q2C=0 | 0/0" },
	{ "equal I/Os: the oldest ends first", "0 Q R 0+8\n3 Q R 0+8\n5 C R 0+8\n8 C R 0+8",
		"Q2C=5 Q2C=5 | 0/0" },
	{ "equal requests: the oldest ends first",
		"0 Q R 0+8\n1 D R 0+8\n3 Q R 0+8\n4 D R 0+8\n6 C R 0+8\n9 C R 0+8",
		"Q2D=1 Q2D=1 D2C=5 Q2C=6 D2C=5 Q2C=6 | 0/0" },
	{ "two lengths at one start",
		"0 Q R 0+8\n1 Q R 0+64\n2 D R 0+8\n3 D R 0+64\n6 C R 0+64\n9 C R 0+8",
		"Q2D=2 Q2D=2 D2C=3 Q2C=5 D2C=7 Q2C=9 | 0/0" },
	{ "two lengths at one start of md", "0 Q R 0+8\n1 Q R 0+64\n6 C R 0+8\n9 C R 0+64",
		"Q2C=6 Q2C=8 | 0/0" },
	{ "two directions at one place of md", "0 Q W 0+8\n10 Q R 0+8\n11 C W 0+8\n20 C R 0+8",
		"Q2C=11 Q2C=10 | 0/0" },
	{ "two directions wait at one place of a disk",
		"0 Q W 0+8\n1 Q R 0+8\n2 D R 0+8\n5 C R 0+8\n6 D W 0+8\n9 C W 0+8",
		"Q2D=1 D2C=3 Q2C=4 Q2D=6 D2C=3 Q2C=9 | 0/0" },
	{ "dm completes the last part only: the second I/O tells",
		"0 Q R 0+100\n5 C R 90+10\n10 Q R 100+100\n16 C R 190+10\n20 Q R 200+100\n27 C R 290+10",
		"Q2C=6 Q2C=5 Q2C=7 | 0/0" },
	{ "dm completes the last part only, and says X of the front",
		"0 Q R 0+100\n1 X R 0+90 90\n5 C R 90+10\n10 Q R 100+100\n11 X R 100+90 190\n16 C R 190+10",
		"Q2C=6 Q2C=5 | 0/0" },
	{ "md completes the last part first: nothing is over before the others",
		"0 Q R 0+100\n5 C R 90+10\n10 Q R 100+100\n12 C R 100+90\n16 C R 190+10\n20 C R 0+90",
		"Q2C=6 Q2C=20 | 0/0" },
	{ "a completion told twice",
		"0 Q W 0+8\n1 D W 0+8\n5 C W 0+8\n6 C W 0+8\n9 Q W 0+8\n11 C W 0+8",
		"Q2D=1 D2C=4 Q2C=5 extra Q2C=2 | 0/0" },
	{ "the request's completion, then those of its bios",
		"0 Q W 0+8\n1 Q W 8+8\n2 D W 0+16\n5 C W 0+16\n6 C W 0+8\n6 C W 8+8",
		"Q2D=2 Q2D=1 D2C=3 Q2C=4 Q2C=5 extra extra | 0/0" },
	{ "an issue told twice", "0 Q W 0+8\n1 D W 0+8\n2 D W 0+8\n5 C W 0+8",
		"Q2D=1 extra D2C=4 Q2C=5 | 0/0" },
	{ "a flush at no place",
		"0 Q FWS 0+0\n2 D FN 18446744073709551615+0\n5 C FN 18446744073709551615+0\n6 C WS 0+0",
		"D2C=3 Q2C=6 | 0/0" },
	{ "unaligned bios over a block's border",
		"0 Q W 5+8\n1 Q W 13+8\n2 G W 5+8\n3 M W 13+8\n4 D W 5+16\n9 C W 5+16",
		"Q2G=2 Q2M=2 Q2D=4 Q2D=3 M2D=1 D2C=5 Q2C=8 Q2C=9 | 0/0" },
};

static void say(char *out, size_t size, const char *what, uint64_t ns)
{
	const size_t n = strlen(out);

	snprintf(out + n, size - n, "%s=%llu ", what, (unsigned long long)ns);
}

static uint64_t gap(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

static void describe(const struct btvi_pair *p, const struct btviz_event *ev,
	const struct btvi_pair_result *r, char *out, size_t size)
{
	if (r->have & BTVI_HAVE_Q2G)
		say(out, size, "Q2G", r->q2g_ns);
	if (r->have & BTVI_HAVE_Q2M)
		say(out, size, "Q2M", r->q2m_ns);
	if (r->have & BTVI_HAVE_G2I)
		say(out, size, "G2I", r->g2i_ns);
	if (r->have & BTVI_HAVE_I2D)
		say(out, size, "I2D", r->i2d_ns);
	for (uint32_t b = r->issued; b != BTVI_NONE; b = p->bios[b].sibling) {
		const struct btvi_bio *bio = &p->bios[b];

		if (bio->known & BTVI_KNOWN_REQUEUE)
			continue;
		say(out, size, "Q2D", gap(bio->queue_ns, ev->time_ns));
		if (bio->known & BTVI_KNOWN_MERGE)
			say(out, size, "M2D", gap(bio->merge_ns, ev->time_ns));
	}
	if (r->have & BTVI_HAVE_D2C)
		say(out, size, "D2C", r->d2c_ns);
	for (uint32_t b = r->done; b != BTVI_NONE; b = p->bios[b].sibling)
		say(out, size, "Q2C",
			gap(p->bios[b].queue_ns,
				p->bios[b].known & BTVI_KNOWN_TAIL ? p->bios[b].tail_ns
								   : ev->time_ns));
	if (!r->matched && (ev->event == BTVIZ_ACT_ISSUE || ev->event == BTVIZ_ACT_COMPLETE))
		strcat(out, ev->event == BTVIZ_ACT_ISSUE ? "D? " : "C? ");
	if (r->extra && !(r->have & BTVI_HAVE_D2C))
		strcat(out, "extra ");
}

static void test_lives(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct script s = { .at = cases[i].in, .device = BTVIZ_DEVICE(8, 0), .pid = 1 };
		struct btvi_pair_result r;
		struct btvi_pair p;
		struct btviz_event ev;
		char out[1024] = "";

		btvi_pair_init(&p);
		while (script_next(&s, &ev)) {
			assert_int_equal(btvi_pair_add(&p, &ev, &r), BTVIZ_OK);
			describe(&p, &ev, &r, out, sizeof out);
			btvi_pair_release(&p, &r);
		}
		snprintf(out + strlen(out), sizeof out - strlen(out), "| %u/%u", p.outstanding,
			p.in_flight);
		if (strcmp(out, cases[i].want) != 0)
			fail_msg("%s:\n  got  %s\n  want %s", cases[i].name, out, cases[i].want);
		btvi_pair_done(&p);
	}
}

/* An I/O that others overtake for too long is lost, since its beginning; and found again if it ends
 * after all.
 */
static void test_lost_and_found(void **state)
{
	static const struct btviz_event slow = { .sector = 1 << 20,
		.bytes = 4096,
		.event = BTVIZ_ACT_QUEUE,
		.categories = BTVIZ_CAT_WRITE | BTVIZ_CAT_QUEUE,
		.time_ns = 7 };
	struct btvi_pair_result r;
	struct btvi_pair p;
	struct btviz_event ev = slow;
	unsigned lost = 0;

	(void)state;
	btvi_pair_init(&p);
	assert_int_equal(btvi_pair_add(&p, &slow, &r), BTVIZ_OK);
	for (unsigned i = 0; i < 400; i++) {
		ev.sector = i * 8;
		ev.event = i % 2 ? BTVIZ_ACT_COMPLETE : BTVIZ_ACT_QUEUE;
		ev.sector = i / 2 * 8;
		ev.categories = BTVIZ_CAT_WRITE | (i % 2 ? BTVIZ_CAT_COMPLETE : BTVIZ_CAT_QUEUE);
		ev.time_ns = 10 + i;
		assert_int_equal(btvi_pair_add(&p, &ev, &r), BTVIZ_OK);
		btvi_pair_release(&p, &r);
		for (unsigned k = 0; k < p.loss_count; k++, lost++) {
			assert_int_equal(p.losses[k].why, BTVI_WHY_LOST);
			assert_int_equal(p.losses[k].since_ns, 7);
		}
	}
	assert_int_equal(lost, 1);
	assert_int_equal(p.outstanding, 0);
	assert_int_equal(p.lost_ios, 1);
	ev = slow;
	ev.event = BTVIZ_ACT_COMPLETE;
	ev.categories = BTVIZ_CAT_WRITE | BTVIZ_CAT_COMPLETE;
	ev.time_ns = 1000;
	assert_int_equal(btvi_pair_add(&p, &ev, &r), BTVIZ_OK);
	assert_true(r.matched && r.done != BTVI_NONE);
	assert_int_equal(p.bios[r.done].queue_ns, 7);
	assert_int_equal(p.loss_count, 1);
	assert_int_equal(p.losses[0].why, BTVI_WHY_FOUND);
	btvi_pair_release(&p, &r);
	assert_int_equal(p.outstanding, 0);
	assert_int_equal(p.lost_ios, 0);
	btvi_pair_done(&p);
}

/* A million bios merged into requests of 256 sectors: linear time, and the table stays small. */
static void test_many_merges(void **state)
{
	struct btviz_event ev = { .pid = 1, .version = 7 };
	struct btvi_pair_result r;
	struct btvi_pair p;
	uint64_t done = 0;

	(void)state;
	btvi_pair_init(&p);
	for (uint64_t i = 0; i < 1000000; i++) {
		ev.time_ns++;
		ev.sector = i * 8;
		ev.bytes = 4096;
		ev.event = BTVIZ_ACT_QUEUE;
		ev.categories = BTVIZ_CAT_WRITE | BTVIZ_CAT_QUEUE;
		assert_int_equal(btvi_pair_add(&p, &ev, &r), BTVIZ_OK);
		ev.event = i % 32 == 0 ? BTVIZ_ACT_GETRQ : BTVIZ_ACT_BACKMERGE;
		assert_int_equal(btvi_pair_add(&p, &ev, &r), BTVIZ_OK);
		if (i % 32 != 31)
			continue;
		ev.sector = (i - 31) * 8;
		ev.bytes = 32 * 4096;
		ev.event = BTVIZ_ACT_ISSUE;
		ev.categories = BTVIZ_CAT_WRITE | BTVIZ_CAT_ISSUE;
		assert_int_equal(btvi_pair_add(&p, &ev, &r), BTVIZ_OK);
		ev.event = BTVIZ_ACT_COMPLETE;
		ev.categories = BTVIZ_CAT_WRITE | BTVIZ_CAT_COMPLETE;
		assert_int_equal(btvi_pair_add(&p, &ev, &r), BTVIZ_OK);
		for (uint32_t b = r.done; b != BTVI_NONE; b = p.bios[b].sibling)
			done++;
		btvi_pair_release(&p, &r);
	}
	assert_int_equal(done, 1000000);
	assert_int_equal(p.outstanding, 0);
	assert_true(p.bio_capacity <= 256);
	btvi_pair_done(&p);
}

/* Queued and never completed: the table is bounded, what falls out is counted. */
static void test_bounded(void **state)
{
	struct btviz_event ev = { .pid = 1,
		.version = 7,
		.bytes = 4096,
		.event = BTVIZ_ACT_QUEUE,
		.categories = BTVIZ_CAT_WRITE | BTVIZ_CAT_QUEUE };
	struct btvi_pair_result r;
	struct btvi_pair p;

	(void)state;
	btvi_pair_init(&p);
	for (uint32_t i = 0; i < 3 * BTVI_INFLIGHT_MAX; i++) {
		ev.time_ns++;
		ev.sector = i % 1000 == 0 ? 0 : i * UINT64_C(8); /* some all at one place */
		assert_int_equal(btvi_pair_add(&p, &ev, &r), BTVIZ_OK);
	}
	assert_int_equal(p.outstanding, BTVI_INFLIGHT_MAX);
	assert_int_equal(p.given_up, 2 * BTVI_INFLIGHT_MAX);
	btvi_pair_done(&p);
}

/* ---- random lives whose truth is known
 * -------------------------------------------------------------- */

static uint64_t random_state;

static uint32_t next_random(uint32_t below)
{
	random_state = random_state * 6364136223846793005U + 1442695040888963407U;
	return (uint32_t)(random_state >> 33) % below;
}

struct truth {
	uint64_t sum_q2c, sum_d2c, ios, requests;
};

/* Feeds an event that may be lost. */
static void feed(struct btvi_pair *p, struct btviz_event *ev, struct truth *got)
{
	struct btvi_pair_result r;

	assert_int_equal(btvi_pair_add(p, ev, &r), BTVIZ_OK);
	if (r.have & BTVI_HAVE_D2C) {
		got->sum_d2c += r.d2c_ns;
		got->requests++;
	}
	for (uint32_t b = r.done; b != BTVI_NONE; b = p->bios[b].sibling) {
		got->sum_q2c += ev->time_ns - p->bios[b].queue_ns;
		got->ios++;
	}
	btvi_pair_release(p, &r);
}

enum { OPEN_MAX = 32, BIOS_MAX = 8 };

struct request {
	uint64_t sector, queue_ns[BIOS_MAX], issue_ns;
	uint32_t sectors[BIOS_MAX], bios, total;
	bool lost_issue, lost_complete, write;
};

static void set(struct btviz_event *ev, unsigned event, uint32_t category, uint64_t sector,
	uint32_t sectors, bool write)
{
	ev->event = (uint16_t)event;
	ev->categories = category | (write ? BTVIZ_CAT_WRITE : BTVIZ_CAT_READ);
	ev->sector = sector;
	ev->bytes = sectors * BTVIZ_SECTOR_BYTES;
	ev->time_ns += next_random(1000);
}

/* Queues, merges, requeues, splits completions, loses D and C at random; up to OPEN_MAX at once, at
 * places that do not overlap. loss: one of so many Ds or Cs is lost, 0: none. */
static void run_random(uint64_t seed, uint32_t loss)
{
	struct btviz_event ev = { .pid = 1, .version = 7 };
	struct request open[OPEN_MAX];
	struct truth want = { 0 }, got = { 0 };
	struct btvi_pair p;
	uint32_t n = 0;
	uint64_t place = 0;

	random_state = seed;
	btvi_pair_init(&p);
	for (unsigned step = 0; step < 20000; step++) {
		if (n < OPEN_MAX && next_random(2) == 0) {
			struct request *q = &open[n++];

			*q = (struct request){ .sector = place, .write = next_random(2) };
			q->bios = 1 + next_random(BIOS_MAX);
			for (uint32_t b = 0; b < q->bios; b++) {
				q->sectors[b] = 1 + next_random(40);
				set(&ev, BTVIZ_ACT_QUEUE, BTVIZ_CAT_QUEUE, place, q->sectors[b],
					q->write);
				q->queue_ns[b] = ev.time_ns;
				feed(&p, &ev, &got);
				ev.event = b == 0 ? BTVIZ_ACT_GETRQ : BTVIZ_ACT_BACKMERGE;
				feed(&p, &ev, &got);
				place += q->sectors[b];
				q->total += q->sectors[b];
			}
			place += 1 + next_random(100);
			do {
				set(&ev, BTVIZ_ACT_ISSUE, BTVIZ_CAT_ISSUE, q->sector, q->total,
					q->write);
				q->issue_ns = ev.time_ns;
				q->lost_issue = loss != 0 && next_random(loss) == 0;
				if (!q->lost_issue)
					feed(&p, &ev, &got);
				if (q->lost_issue || next_random(10) != 0)
					break;
				set(&ev, BTVIZ_ACT_REQUEUE, BTVIZ_CAT_REQUEUE, q->sector, q->total,
					q->write);
				feed(&p, &ev, &got);
			} while (true);
		} else if (n > 0) {
			const uint32_t i = next_random(n);
			struct request q = open[i];
			const bool lost = loss != 0 && next_random(loss) == 0;
			uint32_t first = next_random(4) == 0 && q.bios > 1 ? q.sectors[0] : 0;

			open[i] = open[--n];
			if (lost)
				continue;
			if (first > 0) { /* completes in two pieces */
				set(&ev, BTVIZ_ACT_COMPLETE, BTVIZ_CAT_COMPLETE, q.sector, first,
					q.write);
				want.sum_q2c += ev.time_ns - q.queue_ns[0];
				feed(&p, &ev, &got);
			}
			set(&ev, BTVIZ_ACT_COMPLETE, BTVIZ_CAT_COMPLETE, q.sector + first,
				q.total - first, q.write);
			feed(&p, &ev, &got);
			for (uint32_t b = first > 0; b < q.bios; b++)
				want.sum_q2c += ev.time_ns - q.queue_ns[b];
			want.ios += q.bios;
			if (!q.lost_issue) {
				want.sum_d2c += ev.time_ns - q.issue_ns;
				want.requests++;
			}
		}
	}
	assert_int_equal(got.ios, want.ios);
	assert_int_equal(got.sum_q2c, want.sum_q2c);
	assert_int_equal(got.requests, want.requests);
	assert_int_equal(got.sum_d2c, want.sum_d2c);
	btvi_pair_done(&p);
}

static void test_random(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		run_random(seed, 0);
		run_random(seed, 20);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lives),
		cmocka_unit_test(test_lost_and_found),
		cmocka_unit_test(test_many_merges),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
