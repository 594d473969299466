/* generate.c - makes benchmark traces: an md raid0 array and its members (or one disk alone), as a
 * kernel of the 6 series writes them while buffered writers and direct readers run on every CPU.
 *
 *	generate [--devices 5] [--cpus 4] [--events 5000000] [--seed 1] OUTDIR
 *
 * A small simulation: writers submit 4 KiB bios that are merged into requests of 64 to 512 KiB,
 * readers submit 4 to 128 KiB, each member serves one request at a time and holds up to 32 more.
 * Every I/O lives its whole life (Q A Q G|M P U I D C, then C on the array; X where a read crosses
 *a chunk), so that nothing is left unpaired. The same arguments give the same bytes. Memory does
 *not depend on the number of events. There are no flushes, errors, requeues or messages in it: for
 * those there are the recordings in testdata. */
#include "stream.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	BIO = 8,            /* sectors of a page, the writers' bio */
	CHUNK = 1024,       /* sectors of the array's chunk */
	DATA_OFFSET = 2048, /* of the array's data on its members */
	DEPTH = 32,         /* requests that a disk takes at once */
	NR_REQUESTS = 64,   /* requests that a disk's queue takes, then submitters wait */
	READS_IN_100 = 30,  /* of the decisions what to submit next */
	DEVICES_MAX = 128,
	CPUS_MAX = 4096,
};
#define MEMBER_SECTORS (UINT64_C(2) << 30)
#define START_NS       UINT64_C(15000000000)

/* Actions, as the kernel combines event and categories. */
enum {
	QUEUE_READ = 0x00190000,
	QUEUE_WRITE = 0x00120000,
	REQUEST_READ = 0x01090000, /* FS, SYNC, READ: plus one of the next three */
	REQUEST_WRITE = 0x01020000,
	IN_QUEUE = 0x00100000,
	ISSUED = 0x00400000,
	COMPLETED = 0x00800000,
	BIO_DONE_READ = 0x00890008,
	BIO_DONE_WRITE = 0x00820008,
	PLUG = 0x00110009,
	UNPLUG = 0x0011000a,
	SPLIT_READ = 0x0009000d,
	NOTE_PROCESS = 0x04000000,
	NOTE_TIMESTAMP = 0x04000001,
	Q = 1,
	M = 2,
	G = 4,
	D = 7,
	C = 8,
	I = 12,
	A = 15,
	PID_SWAPPER = 0,
	PID_DISPATCH = 50,
	PID_WRITER = 10000, /* + cpu */
	PID_READER = 20000, /* + cpu */
};

struct request {
	uint64_t array_sector, sector, inserted_ns, issued_ns;
	uint32_t sectors, bio_sectors, cpu, pid;
	bool read;
};

struct member {
	struct request *ring;
	unsigned head, count, issued; /* of count requests the first `issued` are with the disk */
	unsigned reserved;            /* count, and those that are still being built */
	unsigned first_waiter, last_waiter; /* CPUs in line for a place, CPUS_MAX: none */
	uint64_t last_sector;
};

struct cpu {
	uint64_t next_sector, zone_start, zone_end; /* the writer's place in the array */
	struct request building;
	unsigned bios_left, next_waiter;
	bool named;
};

struct actor { /* a CPU, or (from sim.cpus on) a member that completes its first request */
	uint64_t time_ns;
	unsigned id;
};

static struct {
	unsigned devices, cpus, members, ring_size;
	uint64_t events, planned, random;
	struct streams *out;
	struct member *member;
	struct cpu *cpu;
	struct actor *heap;
	size_t heap_used;
	uint32_t number[DEVICES_MAX];
	char names[DEVICES_MAX][16];
} sim = { .devices = 5, .cpus = 4, .events = 5000000, .random = 1 };

static uint64_t random_below(uint64_t limit)
{
	sim.random ^= sim.random << 13;
	sim.random ^= sim.random >> 7;
	sim.random ^= sim.random << 17;
	return (sim.random >> 11) % limit;
}

static bool sooner(const struct actor *a, const struct actor *b)
{
	return a->time_ns < b->time_ns || (a->time_ns == b->time_ns && a->id < b->id);
}

static void schedule(unsigned id, uint64_t time_ns)
{
	const struct actor new = { time_ns, id };
	size_t i = sim.heap_used++;

	for (; i > 0 && sooner(&new, &sim.heap[(i - 1) / 2]); i = (i - 1) / 2)
		sim.heap[i] = sim.heap[(i - 1) / 2];
	sim.heap[i] = new;
}

static struct actor next_actor(void)
{
	const struct actor first = sim.heap[0], last = sim.heap[--sim.heap_used];
	size_t i = 0;

	for (size_t child; (child = 2 * i + 1) < sim.heap_used; i = child) {
		if (child + 1 < sim.heap_used && sooner(&sim.heap[child + 1], &sim.heap[child]))
			child++;
		if (!sooner(&sim.heap[child], &last))
			break;
		sim.heap[i] = sim.heap[child];
	}
	sim.heap[i] = last;
	return first;
}

/* Device 0 is the array where there is one, members follow. */
static unsigned device_of(unsigned member)
{
	return sim.members == 1 ? 0 : member + 1;
}

static unsigned member_of(uint64_t array_sector, uint64_t *ret_sector)
{
	const uint64_t chunk = array_sector / CHUNK;

	if (sim.members == 1) {
		*ret_sector = array_sector;
		return 0;
	}
	*ret_sector = chunk / sim.members * CHUNK + array_sector % CHUNK + DATA_OFFSET;
	return (unsigned)(chunk % sim.members);
}

static uint64_t put(unsigned device, unsigned cpu, uint64_t time_ns, uint32_t action, uint32_t pid,
	uint64_t sector, uint32_t sectors)
{
	return streams_put(sim.out, device, cpu,
		&(struct record){ .time_ns = time_ns + random_below(400),
			.action = action,
			.pid = pid,
			.device = sim.number[device],
			.sector = sector,
			.bytes = sectors * 512 });
}

static void put_be(unsigned char *p, uint64_t v, unsigned bytes)
{
	while (bytes-- > 0) {
		p[bytes] = (unsigned char)v;
		v >>= 8;
	}
}

static uint64_t put_u64(unsigned device, unsigned cpu, uint64_t time_ns, uint32_t action,
	uint32_t pid, uint64_t sector, uint32_t sectors, uint64_t value)
{
	unsigned char payload[8];

	put_be(payload, value, 8);
	return streams_put(sim.out, device, cpu,
		&(struct record){ time_ns, sector, sectors * 512, action, pid, sim.number[device],
			payload, sizeof(payload) });
}

/* A Q of a piece on its member; a disk alone has no A. */
static uint64_t put_queue(
	unsigned m, unsigned cpu, uint64_t t, uint32_t action, const struct request *r)
{
	const unsigned device = device_of(m);
	unsigned char payload[16];

	if (sim.members > 1) {
		put_be(payload, sim.number[0], 4);
		put_be(payload + 4, sim.number[device], 4);
		put_be(payload + 8, r->array_sector, 8);
		t = streams_put(sim.out, device, cpu,
			&(struct record){ t, r->sector, r->sectors * 512, action | A, r->pid,
				sim.number[device], payload, sizeof(payload) });
		t += 300;
	}
	return put(device, cpu, t, action | Q, r->pid, r->sector, r->sectors);
}

/* Names a pid in all devices' streams, as the kernel does when it first meets one. */
static void put_name(unsigned cpu, uint64_t t, uint32_t pid, const char *name, bool numbered)
{
	char comm[16] = "";

	if (numbered)
		snprintf(comm, sizeof(comm), "%s%u", name, cpu);
	else
		snprintf(comm, sizeof(comm), "%s", name);
	for (unsigned d = 0; d < sim.devices; d++)
		streams_put(sim.out, d, cpu,
			&(struct record){ t, 0, 0, NOTE_PROCESS, pid, sim.number[d], comm, 16 });
}

static void issue(unsigned m, struct request *r, unsigned cpu, uint64_t t, uint32_t pid)
{
	if (t < r->inserted_ns + 500)
		t = r->inserted_ns + 500;
	r->issued_ns = put(device_of(m), cpu, t,
		(r->read ? REQUEST_READ : REQUEST_WRITE) | ISSUED | D, pid, r->sector, r->sectors);
	sim.member[m].issued++;
}

/* When the disk will be done with the first request of its queue. */
static void serve(unsigned m, uint64_t t)
{
	struct member *mb = &sim.member[m];
	const struct request *r = &mb->ring[mb->head];
	const bool seek = r->sector != mb->last_sector;

	if (t < r->issued_ns)
		t = r->issued_ns;
	mb->last_sector = r->sector + r->sectors;
	schedule(sim.cpus + m,
		t + 20000 + r->sectors * UINT64_C(900) + (seek ? 50000 + random_below(400000) : 0));
}

static void insert(unsigned m, const struct request *building, uint64_t t)
{
	struct member *mb = &sim.member[m];
	struct request *r = &mb->ring[(mb->head + mb->count++) % sim.ring_size];

	*r = *building;
	r->inserted_ns = put(device_of(m), r->cpu, t,
		(r->read ? REQUEST_READ : REQUEST_WRITE) | IN_QUEUE | I, r->pid, r->sector,
		r->sectors);
	if (mb->issued < DEPTH)
		issue(m, r, r->cpu, r->inserted_ns + 1000, r->pid);
	if (mb->count == 1)
		serve(m, r->issued_ns);
}

static void complete(unsigned m, uint64_t t)
{
	struct member *mb = &sim.member[m];
	const struct request r = mb->ring[mb->head];

	t = put(device_of(m), r.cpu, t, (r.read ? REQUEST_READ : REQUEST_WRITE) | COMPLETED | C,
		PID_SWAPPER, r.sector, r.sectors);
	if (sim.members > 1) {
		for (uint32_t at = 0; at < r.sectors; at += r.bio_sectors)
			t = put(0, r.cpu, t + 250, r.read ? BIO_DONE_READ : BIO_DONE_WRITE,
				PID_SWAPPER, r.array_sector + at, r.bio_sectors);
	}
	mb->head = (mb->head + 1) % sim.ring_size;
	mb->count--;
	mb->issued--;
	mb->reserved--;
	if (mb->issued < mb->count)
		issue(m, &mb->ring[(mb->head + mb->issued) % sim.ring_size], r.cpu, t + 2000,
			PID_DISPATCH);
	if (mb->count > 0)
		serve(m, t);
	/* One place, one CPU; but who is woken may go elsewhere, so nobody waits for an empty
	 * queue. */
	while (mb->first_waiter < CPUS_MAX) {
		const unsigned waiter = mb->first_waiter;

		mb->first_waiter = sim.cpu[waiter].next_waiter;
		schedule(waiter, t + 5000);
		if (mb->reserved > 0)
			break;
	}
}

/* False: the member's queue is full, and the CPU stands in line. */
static bool reserve(unsigned m, unsigned cpu)
{
	struct member *mb = &sim.member[m];

	if (mb->reserved < NR_REQUESTS) {
		mb->reserved++;
		return true;
	}
	sim.cpu[cpu].next_waiter = CPUS_MAX;
	if (mb->first_waiter == CPUS_MAX)
		mb->first_waiter = cpu;
	else
		sim.cpu[mb->last_waiter].next_waiter = cpu;
	mb->last_waiter = cpu;
	return false;
}

static bool start_write(unsigned cpu)
{
	struct cpu *c = &sim.cpu[cpu];
	struct request *r = &c->building;
	const unsigned per_bio = sim.members > 1 ? 5 : 2;
	const unsigned room = (unsigned)(CHUNK - c->next_sector % CHUNK) / BIO;
	unsigned bios = (unsigned)(16 + random_below(113));
	const uint64_t left = sim.events - sim.planned;
	uint64_t sector;
	const unsigned m = member_of(c->next_sector, &sector);

	if (!reserve(m, cpu))
		return false;
	if (bios > room)
		bios = room;
	if (left < bios * per_bio + 5)
		bios = left < per_bio + 5 ? 1 : (unsigned)(left - 5 + per_bio - 1) / per_bio;
	sim.planned += bios * per_bio + 5;
	*r = (struct request){ .array_sector = c->next_sector,
		.sector = sector,
		.bio_sectors = BIO,
		.cpu = cpu,
		.pid = PID_WRITER + cpu };
	c->bios_left = bios;
	return true;
}

/* One bio of the run: the first becomes a request, the others are merged into it. */
static uint64_t write_bio(unsigned cpu, uint64_t t)
{
	struct cpu *c = &sim.cpu[cpu];
	struct request *r = &c->building, bio = *r;
	const unsigned m = member_of(r->array_sector, &bio.sector), device = device_of(m);

	bio.array_sector += r->sectors;
	bio.sector += r->sectors;
	bio.sectors = BIO;
	if (sim.members > 1)
		t = put(0, cpu, t, QUEUE_WRITE | Q, bio.pid, bio.array_sector, BIO) + 1500;
	t = put_queue(m, cpu, t, QUEUE_WRITE, &bio) + 800;
	t = put(device, cpu, t, QUEUE_WRITE | (r->sectors == 0 ? G : M), bio.pid, bio.sector, BIO);
	if (r->sectors == 0)
		t = put(device, cpu, t + 400, PLUG, bio.pid, 0, 0);
	r->sectors += BIO;
	c->next_sector += BIO;
	if (c->next_sector >= c->zone_end)
		c->next_sector = c->zone_start;
	if (--c->bios_left > 0)
		return t + 800 + random_below(2500);
	t = put_u64(device, cpu, t + 2000, UNPLUG, bio.pid, 0, 0, 1) + 900;
	insert(m, r, t);
	return t + 3000 + random_below(20000);
}

static bool read_direct(unsigned cpu, uint64_t t)
{
	const uint32_t sectors = 8u << random_below(6);
	const uint32_t pid = PID_READER + cpu;
	uint64_t at = random_below(MEMBER_SECTORS * sim.members / 8 - 32) * 8, sector;
	const uint64_t end = at + sectors;

	if (!reserve(member_of(at, &sector), cpu))
		return false;
	if (sim.members > 1) {
		sim.planned++;
		t = put(0, cpu, t, QUEUE_READ | Q, pid, at, sectors) + 1500;
	}
	for (bool first = true; at < end; first = false) {
		uint32_t piece = (uint32_t)(CHUNK - at % CHUNK);
		struct request r = { .array_sector = at, .cpu = cpu, .pid = pid, .read = true };
		const unsigned m = member_of(at, &r.sector);

		if (piece > end - at || sim.members == 1)
			piece = (uint32_t)(end - at);
		if (piece < end - at) {
			sim.planned++;
			t = put_u64(0, cpu, t, SPLIT_READ, pid, at, piece, at + piece) + 300;
		}
		r.sectors = r.bio_sectors = piece;
		if (!first)
			sim.member[m].reserved++; /* it is queued already: cannot wait */
		sim.planned += sim.members > 1 ? 7 : 5;
		t = put_queue(m, cpu, t, QUEUE_READ, &r) + 700;
		t = put(device_of(m), cpu, t, QUEUE_READ | G, pid, r.sector, piece) + 600;
		insert(m, &r, t);
		t += 2500;
		at += piece;
	}
	schedule(cpu, t + 2000 + random_below(30000));
	return true;
}

static void step(unsigned cpu, uint64_t t)
{
	struct cpu *c = &sim.cpu[cpu];

	if (!c->named) {
		put_name(cpu, t, PID_WRITER + cpu, "kworker/u8:", true);
		put_name(cpu, t, PID_READER + cpu, "fio", false);
		c->named = true;
	}
	if (c->bios_left == 0) {
		if (sim.planned >= sim.events)
			return;
		if (random_below(100) < READS_IN_100) {
			(void)read_direct(cpu, t);
			return;
		}
		if (!start_write(cpu))
			return;
	}
	schedule(cpu, write_bio(cpu, t));
}

/* md0, then sdb … sdz, sdaa …, with the numbers that the kernel gives them. */
static void name_devices(void)
{
	static const uint32_t majors[] = { 8, 65, 66, 67, 68, 69, 70, 71 };

	for (unsigned d = 0; d < sim.devices; d++) {
		const unsigned disk = sim.members == 1 ? d + 1 : d;

		sim.number[d] = majors[disk / 16] << 20 | disk % 16 * 16;
		if (disk < 26)
			snprintf(sim.names[d], 16, "sd%c", 'a' + disk);
		else
			snprintf(sim.names[d], 16, "sd%c%c", 'a' + disk / 26 - 1, 'a' + disk % 26);
	}
	if (sim.members > 1) {
		sim.number[0] = 9u << 20;
		strcpy(sim.names[0], "md0");
	}
}

static void set_up(const char *dir)
{
	const uint64_t zone = MEMBER_SECTORS * sim.members / sim.cpus / CHUNK * CHUNK;
	static const unsigned char wall[8] = { 0x38, 0x97, 0x0d, 0x6b, 0x4b, 0xed, 0x89, 0x32 };

	sim.ring_size = NR_REQUESTS + 2 * sim.cpus;
	sim.member = calloc(sim.members, sizeof(*sim.member));
	sim.cpu = calloc(sim.cpus, sizeof(*sim.cpu));
	sim.heap = calloc(sim.cpus + sim.members, sizeof(*sim.heap));
	if (!sim.member || !sim.cpu || !sim.heap)
		exit(1);
	for (unsigned m = 0; m < sim.members; m++) {
		sim.member[m].first_waiter = CPUS_MAX;
		sim.member[m].ring = calloc(sim.ring_size, sizeof(struct request));
		if (!sim.member[m].ring)
			exit(1);
	}
	name_devices();
	sim.out = streams_new(dir, sim.names, sim.devices, sim.cpus);
	for (unsigned d = 0; d < sim.devices; d++)
		streams_put(sim.out, d, 0,
			&(struct record){
				START_NS, 0, 0, NOTE_TIMESTAMP, 0, sim.number[d], wall, 8 });
	put_name(0, START_NS, PID_SWAPPER, "swapper/", true);
	put_name(0, START_NS, PID_DISPATCH, "kworker/0:1H", false);
	for (unsigned cpu = 0; cpu < sim.cpus; cpu++) {
		sim.cpu[cpu].next_sector = sim.cpu[cpu].zone_start = zone * cpu;
		sim.cpu[cpu].zone_end = zone * (cpu + 1);
		schedule(cpu, START_NS + 400000000 + random_below(2000000));
	}
}

static uint64_t number(const char *text, uint64_t min, uint64_t max)
{
	char *end;
	uint64_t v;

	errno = 0;
	v = strtoull(text, &end, 10);
	if (errno || *end || end == text || v < min || v > max) {
		fprintf(stderr, "generate: %s is not a number from %" PRIu64 " to %" PRIu64 "\n",
			text, min, max);
		exit(2);
	}
	return v;
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "devices", required_argument, NULL, 'd' },
		{ "cpus", required_argument, NULL, 'c' },
		{ "events", required_argument, NULL, 'e' },
		{ "seed", required_argument, NULL, 's' }, { NULL, 0, NULL, 0 } };

	for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		if (o == 'd')
			sim.devices = (unsigned)number(optarg, 1, DEVICES_MAX);
		else if (o == 'c')
			sim.cpus = (unsigned)number(optarg, 1, CPUS_MAX);
		else if (o == 'e')
			sim.events = number(optarg, 1, UINT64_MAX / 2);
		else if (o == 's')
			sim.random = number(optarg, 0, UINT64_MAX / 2) * 2 + 1;
		else
			return 2;
	}
	if (optind != argc - 1 || sim.devices == 2) {
		fputs("usage: generate [--devices 1|3…] [--cpus N] [--events N] [--seed N] OUTDIR\n"
		      "One device is a disk alone, N devices are an array and N - 1 members.\n",
			stderr);
		return 2;
	}
	sim.members = sim.devices > 1 ? sim.devices - 1 : 1;
	if (mkdir(argv[optind], 0777) < 0 && errno != EEXIST) {
		perror(argv[optind]);
		return 1;
	}
	set_up(argv[optind]);
	while (sim.heap_used > 0) {
		const struct actor a = next_actor();

		if (a.id < sim.cpus)
			step(a.id, a.time_ns);
		else
			complete(a.id - sim.cpus, a.time_ns);
	}
	printf("%" PRIu64 " events, %" PRIu64 " bytes\n", streams_events(sim.out),
		streams_bytes(sim.out));
	streams_free(sim.out);
	return 0;
}
