/* stream.c - writes version 7 records, byte by byte, into one file a device and CPU. Knows nothing
 * of what the records say; generate.c does. */
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	HEADER_BYTES = 48,
	RECORD_MAX = HEADER_BYTES + 64,
	MAGIC_V7 = 0x65617407,
	BUFFERS_MAX = 48 << 20, /* all streams' buffers together */
	STEP_NS = 150,          /* a CPU needs at least this from one record to the next */
};

struct stream {
	unsigned char *buffer;
	size_t used;
	uint32_t sequence;
};

struct streams {
	const char *dir;
	char (*names)[16];
	unsigned devices, cpus;
	size_t buffer_size;
	unsigned char *buffers;
	uint64_t *cpu_time; /* of each CPU's last record, whatever the device */
	uint64_t events, bytes;
	struct stream stream[];
};

static _Noreturn void die(const char *what, const char *name)
{
	fprintf(stderr, "generate: %s: %s: %s\n", name, what, strerror(errno));
	exit(1);
}

static void path_of(const struct streams *s, size_t i, char *path, size_t size)
{
	snprintf(path, size, "%s/%s.blktrace.%zu", s->dir, s->names[i / s->cpus], i % s->cpus);
}

static void flush(struct streams *s, size_t i)
{
	struct stream *st = &s->stream[i];
	char path[4096];
	int fd;

	path_of(s, i, path, sizeof(path));
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		die("cannot open", path);
	for (size_t done = 0; done < st->used;) {
		const ssize_t n = write(fd, st->buffer + done, st->used - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die("cannot write", path);
		done += (size_t)n;
	}
	if (close(fd) < 0)
		die("cannot close", path);
	s->bytes += st->used;
	st->used = 0;
}

struct streams *streams_new(const char *dir, char (*names)[16], unsigned devices, unsigned cpus)
{
	const size_t count = (size_t)devices * cpus;
	struct streams *s = calloc(1, sizeof(*s) + count * sizeof(s->stream[0]));
	size_t size = BUFFERS_MAX / count;

	if (size > 256 << 10)
		size = 256 << 10;
	if (size < 4096)
		size = 4096;
	if (!s || !(s->buffers = malloc(size * count)) || !(s->cpu_time = calloc(cpus, 8)))
		die("no memory", dir);
	s->dir = dir;
	s->names = names;
	s->devices = devices;
	s->cpus = cpus;
	s->buffer_size = size;
	for (size_t i = 0; i < count; i++) {
		char path[4096];
		int fd;

		s->stream[i].buffer = s->buffers + i * size;
		path_of(s, i, path, sizeof(path));
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0 || close(fd) < 0)
			die("cannot create", path);
	}
	return s;
}

void streams_free(struct streams *s)
{
	for (size_t i = 0; i < (size_t)s->devices * s->cpus; i++) {
		if (s->stream[i].used > 0)
			flush(s, i);
	}
	free(s->cpu_time);
	free(s->buffers);
	free(s);
}

static unsigned char *put_le(unsigned char *p, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		*p++ = (unsigned char)(v >> 8 * i);
	return p;
}

uint64_t streams_put(struct streams *s, unsigned d, unsigned cpu, const struct record *r)
{
	const size_t i = (size_t)d * s->cpus + cpu;
	struct stream *st = &s->stream[i];
	const int note = (r->action & 1u << 26) != 0;
	uint64_t time_ns = r->time_ns;
	unsigned char *p;

	if (time_ns < s->cpu_time[cpu] + STEP_NS)
		time_ns = s->cpu_time[cpu] + STEP_NS;
	s->cpu_time[cpu] = time_ns;
	if (st->used + RECORD_MAX > s->buffer_size)
		flush(s, i);
	if (!note) {
		st->sequence++;
		s->events++;
	}
	p = st->buffer + st->used;
	p = put_le(p, MAGIC_V7, 4);
	p = put_le(p, note ? 0 : st->sequence, 4);
	p = put_le(p, time_ns, 8);
	p = put_le(p, r->sector, 8);
	p = put_le(p, r->bytes, 4);
	p = put_le(p, r->action, 4);
	p = put_le(p, r->pid, 4);
	p = put_le(p, r->device, 4);
	p = put_le(p, cpu, 4);
	p = put_le(p, 0, 2);
	p = put_le(p, r->payload_size, 2);
	if (r->payload_size > 0)
		memcpy(p, r->payload, r->payload_size);
	st->used += HEADER_BYTES + r->payload_size;
	return time_ns;
}

uint64_t streams_events(const struct streams *s)
{
	return s->events;
}

uint64_t streams_bytes(const struct streams *s)
{
	uint64_t bytes = s->bytes;

	for (size_t i = 0; i < (size_t)s->devices * s->cpus; i++)
		bytes += s->stream[i].used;
	return bytes;
}
