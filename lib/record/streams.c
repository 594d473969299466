/* streams.c - entries of the ring buffer to files. A write that fails (a full disk) leaves the file
 * with whole records in it. */
#include "record/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/output.h"
#include "base/status.h"
#include "trace/wire.h"

enum {
	BUFFER_MAX = 256 << 10,
	BUFFER_MIN = 4 << 10,
	BUFFER_ALL = 64 << 20, /* of all streams */
	OPEN_SPARE = 128,      /* descriptors left for others */
	OPEN_MAX_FILES = 4096,
	NOTE_PROCESS = 1 << 26,
	NOTE_TIMESTAMP = 1 << 26 | 1,
	PROCESS_NOTE_PDU = 16,
	TIMESTAMP_NOTE_PDU = 8,
};

static void put16(unsigned char *p, uint32_t v)
{
	p[0] = (unsigned char)v;
	p[1] = (unsigned char)(v >> 8);
}

static void put32(unsigned char *p, uint32_t v)
{
	put16(p, v);
	put16(p + 2, v >> 16);
}

static void put64(unsigned char *p, uint64_t v)
{
	put32(p, (uint32_t)v);
	put32(p + 4, (uint32_t)(v >> 32));
}

static size_t files_at_once(void)
{
	struct rlimit limit;
	size_t n = 256;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > 2 * OPEN_SPARE)
		n = limit.rlim_cur < OPEN_MAX_FILES + OPEN_SPARE ? limit.rlim_cur - OPEN_SPARE
								 : OPEN_MAX_FILES;
	return n;
}

static enum btviz_status name_file(struct btvi_stream_file *stream, const char *name,
	const char *device, size_t cpu, struct btviz_error *err)
{
	stream->fd = -1;
	if (asprintf(&stream->path, "%s.%s.blktrace.%zu", name, device, cpu) < 0) {
		stream->path = NULL;
		return btvi_fail_nomem(err);
	}
	return BTVIZ_OK;
}

static void fill_table(struct btvi_streams *s)
{
	for (size_t i = 0; i < s->device_count; i++) {
		size_t at = s->numbers[i] * 2654435761U & (s->table_size - 1);

		while (s->table[at] != 0)
			at = (at + 1) & (s->table_size - 1);
		s->table[at] = i + 1;
	}
}

/* Index of a device, or SIZE_MAX. */
static size_t find(const struct btvi_streams *s, uint32_t device)
{
	size_t at = device * 2654435761U & (s->table_size - 1);

	for (; s->table[at] != 0; at = (at + 1) & (s->table_size - 1))
		if (s->numbers[s->table[at] - 1] == device)
			return s->table[at] - 1;
	return SIZE_MAX;
}

enum btviz_status btvi_streams_open(struct btvi_streams *s, const char *name,
	const struct btvi_devices *devices, size_t cpus, struct btviz_error *err)
{
	enum btviz_status status = BTVIZ_OK;
	size_t count = 0;

	*s = (struct btvi_streams){ .cpu_count = cpus };
	for (size_t i = 0; i < devices->count; i++)
		count += devices->list[i].traced;
	if (count * cpus > BTVI_STREAM_MAX)
		return btvi_fail(err, BTVIZ_ERR_LIMIT,
			"%zu devices on %zu CPUs are more than %d files: record fewer devices at once",
			count, cpus, BTVI_STREAM_MAX);
	for (s->table_size = 8; s->table_size < 2 * count;)
		s->table_size *= 2;
	s->buffer_size = BUFFER_ALL / (count * cpus);
	s->buffer_size = s->buffer_size < BUFFER_MIN ? BUFFER_MIN : s->buffer_size;
	s->buffer_size = s->buffer_size > BUFFER_MAX ? BUFFER_MAX : s->buffer_size;
	s->open_max = files_at_once();
	s->stream_count = count * cpus;
	s->streams = calloc(s->stream_count, sizeof *s->streams);
	s->numbers = calloc(count, sizeof *s->numbers);
	s->stamped = calloc(count, sizeof *s->stamped);
	s->table = calloc(s->table_size, sizeof *s->table);
	s->numbering = calloc(cpus, sizeof *s->numbering);
	if (!s->streams || !s->numbers || !s->stamped || !s->table || !s->numbering)
		status = btvi_fail_nomem(err);
	for (size_t i = 0; i < devices->count && status == BTVIZ_OK; i++) {
		const struct btvi_block_device *d = &devices->list[i];

		if (!d->traced)
			continue;
		s->numbers[s->device_count] = d->number;
		for (size_t cpu = 0; cpu < cpus && status == BTVIZ_OK; cpu++)
			status = name_file(
				&s->streams[s->device_count * cpus + cpu], name, d->file, cpu, err);
		s->device_count++;
	}
	if (status != BTVIZ_OK) {
		btvi_streams_done(s);
		return status;
	}
	fill_table(s);
	return BTVIZ_OK;
}

enum btviz_status btvi_streams_create(struct btvi_streams *s, struct btviz_error *err)
{
	for (size_t i = 0; i < s->stream_count; i++) {
		struct btvi_stream_file *stream = &s->streams[i];
		struct stat st;
		int fd;
		const enum btviz_status status = btvi_output_create(stream->path, &fd, err);

		if (status != BTVIZ_OK)
			return status;
		stream->created = true;
		if (fstat(fd, &st) == 0) {
			stream->device = st.st_dev;
			stream->inode = st.st_ino;
		}
		close(fd);
	}
	return BTVIZ_OK;
}

/* A descriptor for the stream; another one's is closed where there are too many. */
static bool open_file(struct btvi_streams *s, struct btvi_stream_file *stream)
{
	struct stat st;

	if (stream->fd >= 0)
		return true;
	while (s->open_count >= s->open_max) {
		struct btvi_stream_file *victim = &s->streams[s->evict];

		s->evict = (s->evict + 1) % s->stream_count;
		if (victim->fd >= 0) {
			close(victim->fd);
			victim->fd = -1;
			s->open_count--;
		}
	}
	stream->fd = open(stream->path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (stream->fd < 0)
		return false;
	s->open_count++;
	/* It was closed meanwhile: is it still the one that was created? */
	if (fstat(stream->fd, &st) == 0 && st.st_dev == stream->device &&
		st.st_ino == stream->inode)
		return true;
	close(stream->fd);
	stream->fd = -1;
	s->open_count--;
	errno = ESTALE;
	return false;
}

/* How many of the first `size` bytes are whole records. */
static size_t whole_records(const struct btvi_streams *s, const unsigned char *bytes, size_t size)
{
	const bool v7 = s->version == 7;
	const size_t header = v7 ? BTVI_WIRE_V7_SIZE : BTVI_WIRE_V8_SIZE;
	const size_t length = v7 ? BTVI_WIRE_V7_PDU_LEN : BTVI_WIRE_V8_PDU_LEN;
	size_t at = 0;

	while (size - at >= header) {
		const size_t next =
			header + (bytes[at + length] | (size_t)bytes[at + length + 1] << 8);

		if (next > size - at)
			break;
		at += next;
	}
	return at;
}

/* A write that failed after `done` bytes: what is whole of them stays. */
static void keep_whole(struct btvi_streams *s, struct btvi_stream_file *stream,
	const unsigned char *bytes, size_t done)
{
	const size_t whole = whole_records(s, bytes, done);

	stream->written += whole;
	s->bytes += whole;
	/* Where that fails too there is a torn tail, which every reader survives. */
	if (whole < done && ftruncate(stream->fd, (off_t)stream->written) != 0)
		stream->written += done - whole;
}

static enum btviz_status write_out(struct btvi_streams *s, struct btvi_stream_file *stream,
	const unsigned char *bytes, size_t size, struct btviz_error *err)
{
	size_t done = 0;

	if (!open_file(s, stream))
		return btvi_fail_errno(err, errno, "cannot open %s", stream->path);
	while (done < size) {
		const ssize_t n = write(stream->fd, bytes + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			const int reason = n < 0 ? errno : ENOSPC;

			keep_whole(s, stream, bytes, done);
			return btvi_fail_errno(err, reason, "cannot write to %s", stream->path);
		}
		done += (size_t)n;
	}
	stream->written += size;
	s->bytes += size;
	return BTVIZ_OK;
}

static enum btviz_status flush(
	struct btvi_streams *s, struct btvi_stream_file *stream, struct btviz_error *err)
{
	const size_t size = stream->size;

	stream->size = 0;
	return size > 0 ? write_out(s, stream, stream->buffer, size, err) : BTVIZ_OK;
}

/* Room for size bytes in the stream's buffer; *ret_p is NULL where so many never have room. */
static enum btviz_status reserve(struct btvi_streams *s, struct btvi_stream_file *stream,
	size_t size, unsigned char **ret_p, struct btviz_error *err)
{
	if (!stream->buffer) {
		stream->buffer = malloc(s->buffer_size);
		if (!stream->buffer)
			return btvi_fail_nomem(err);
	}
	if (size > s->buffer_size - stream->size) {
		const enum btviz_status status = flush(s, stream, err);

		if (status != BTVIZ_OK)
			return status;
	}
	*ret_p = size <= s->buffer_size ? stream->buffer + stream->size : NULL;
	return BTVIZ_OK;
}

/* A note of the recorder's own. */
static enum btviz_status put_note(struct btvi_streams *s, size_t device, size_t cpu,
	uint32_t action, uint64_t time_ns, uint32_t pid, const void *payload, size_t size,
	struct btviz_error *err)
{
	struct btvi_stream_file *stream = &s->streams[device * s->cpu_count + cpu];
	const bool v7 = s->version == 7;
	const size_t header = v7 ? BTVI_WIRE_V7_SIZE : BTVI_WIRE_V8_SIZE;
	unsigned char *p;
	const enum btviz_status status = reserve(s, stream, header + size, &p, err);

	if (status != BTVIZ_OK)
		return status;
	memset(p, 0, header);
	put32(p, BTVI_WIRE_MAGIC | s->version);
	put64(p + BTVI_WIRE_TIME, time_ns);
	put32(p + (v7 ? BTVI_WIRE_V7_ACTION : BTVI_WIRE_V8_ACTION), action);
	put32(p + (v7 ? BTVI_WIRE_V7_PID : BTVI_WIRE_V8_PID), pid);
	put32(p + (v7 ? BTVI_WIRE_V7_DEVICE : BTVI_WIRE_V8_DEVICE), s->numbers[device]);
	put32(p + (v7 ? BTVI_WIRE_V7_CPU : BTVI_WIRE_V8_CPU), (uint32_t)cpu);
	put16(p + (v7 ? BTVI_WIRE_V7_PDU_LEN : BTVI_WIRE_V8_PDU_LEN), (uint32_t)size);
	memcpy(p + header, payload, size);
	stream->size += header + size;
	return BTVIZ_OK;
}

/* The wall clock at the start, once a device, in whichever of its files comes first. */
static enum btviz_status put_timestamp(
	struct btvi_streams *s, size_t device, size_t cpu, struct btviz_error *err)
{
	unsigned char payload[TIMESTAMP_NOTE_PDU];

	put32(payload, (uint32_t)(s->wall_ns / 1000000000));
	put32(payload + 4, (uint32_t)(s->wall_ns % 1000000000));
	s->stamped[device] = true;
	return put_note(
		s, device, cpu, NOTE_TIMESTAMP, s->start_ns, 0, payload, sizeof payload, err);
}

/* A name is written for all devices, as blktrace does: each device's files can be read alone. */
static enum btviz_status put_name(struct btvi_streams *s, size_t cpu, uint32_t pid,
	uint64_t time_ns, const char *name, struct btviz_error *err)
{
	enum btviz_status status = BTVIZ_OK;

	for (size_t i = 0; i < s->device_count && status == BTVIZ_OK; i++) {
		if (!s->stamped[i])
			status = put_timestamp(s, i, cpu, err);
		if (status == BTVIZ_OK)
			status = put_note(
				s, i, cpu, NOTE_PROCESS, time_ns, pid, name, PROCESS_NOTE_PDU, err);
	}
	return status;
}

enum btviz_status btvi_streams_put(struct btvi_streams *s, size_t cpu,
	const struct btvi_ring_entry *entry, struct btviz_error *err)
{
	const size_t device = find(s, entry->device);
	enum btviz_status status = BTVIZ_OK;
	struct btvi_stream_file *stream;
	const char *name;
	unsigned char *p;
	uint32_t sequence;

	if (device == SIZE_MAX || cpu >= s->cpu_count) {
		s->strangers++;
		return BTVIZ_OK;
	}
	s->version = entry->version;
	if (!s->stamped[device])
		status = put_timestamp(s, device, cpu, err);
	name = entry->note ? NULL : btvi_process_news(&s->processes, entry->pid, entry->time_ns);
	if (name && status == BTVIZ_OK)
		status = put_name(s, cpu, entry->pid, entry->time_ns, name, err);
	if (status != BTVIZ_OK)
		return status;
	stream = &s->streams[device * s->cpu_count + cpu];
	sequence = entry->note ? 0 : btvi_numbering_next(&s->numbering[cpu], entry->device);
	status = reserve(s, stream, entry->size, &p, err);
	if (status != BTVIZ_OK)
		return status;
	s->events += !entry->note;
	if (p) {
		btvi_ring_record(entry, sequence, p);
		stream->size += entry->size;
		return BTVIZ_OK;
	}
	/* Larger than the whole buffer: on its own. */
	p = malloc(entry->size);
	if (!p)
		return btvi_fail_nomem(err);
	btvi_ring_record(entry, sequence, p);
	status = write_out(s, stream, p, entry->size, err);
	free(p);
	return status;
}

void btvi_streams_lose(struct btvi_streams *s, size_t cpu, uint64_t count)
{
	if (cpu < s->cpu_count)
		btvi_numbering_lose(&s->numbering[cpu], count);
}

enum btviz_status btvi_streams_flush(struct btvi_streams *s, struct btviz_error *err)
{
	enum btviz_status first = BTVIZ_OK;

	/* All of them, even if one fails: another may still have room. */
	for (size_t i = 0; i < s->stream_count; i++) {
		const enum btviz_status status =
			flush(s, &s->streams[i], first == BTVIZ_OK ? err : NULL);

		if (first == BTVIZ_OK)
			first = status;
	}
	return first;
}

enum btviz_status btvi_streams_sync(struct btvi_streams *s, struct btviz_error *err)
{
	for (size_t i = 0; i < s->stream_count; i++) {
		struct btvi_stream_file *stream = &s->streams[i];

		if (stream->written == 0)
			continue;
		if (!open_file(s, stream))
			return btvi_fail_errno(err, errno, "cannot open %s", stream->path);
		if (fsync(stream->fd) != 0)
			return btvi_fail_errno(err, errno, "cannot write %s", stream->path);
	}
	return BTVIZ_OK;
}

void btvi_streams_remove(struct btvi_streams *s)
{
	for (size_t i = 0; s->streams && i < s->stream_count; i++)
		if (s->streams[i].created)
			unlink(s->streams[i].path);
}

void btvi_streams_done(struct btvi_streams *s)
{
	for (size_t i = 0; s->streams && i < s->stream_count; i++) {
		if (s->streams[i].path && s->streams[i].fd >= 0)
			close(s->streams[i].fd);
		free(s->streams[i].path);
		free(s->streams[i].buffer);
	}
	for (size_t i = 0; s->numbering && i < s->cpu_count; i++)
		btvi_numbering_done(&s->numbering[i]);
	btvi_processes_done(&s->processes);
	free(s->streams);
	free(s->numbers);
	free(s->stamped);
	free(s->table);
	free(s->numbering);
	*s = (struct btvi_streams){ 0 };
}
