/* archive.c - archives of streams, and compressed ones, unpacked into the spool. */
#include "trace/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/status.h"
#include "trace/names.h"
#include "trace/sniff.h"
#include "trace/unpack.h"
#include "trace/wire.h"

enum { READ_SIZE = 1 << 16 };

/* ---- the spool ------------------------------------------------------------------------------- */

static enum btviz_status open_spool(struct btvi_sources *s, struct btviz_error *err)
{
	static const char *const dirs[] = { "/var/tmp", "/tmp" };
	int reason = ENOENT;

	if (s->spool_fd >= 0)
		return BTVIZ_OK;
	for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; i++) {
		char path[64];

		s->spool_fd = open(dirs[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
		if (s->spool_fd >= 0)
			return BTVIZ_OK;
		/* a file system without O_TMPFILE */
		snprintf(path, sizeof path, "%s/btviz-XXXXXX", dirs[i]);
		s->spool_fd = mkostemp(path, O_CLOEXEC);
		if (s->spool_fd >= 0) {
			unlink(path);
			return BTVIZ_OK;
		}
		reason = errno;
	}
	return btvi_fail_errno(err, reason, "no temporary file in /var/tmp or /tmp to unpack into");
}

static enum btviz_status append(
	struct btvi_sources *s, const unsigned char *bytes, size_t size, struct btviz_error *err)
{
	while (size > 0) {
		const ssize_t put = pwrite(s->spool_fd, bytes, size, (off_t)s->spool_size);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return btvi_fail_errno(err, put < 0 ? errno : ENOSPC,
				"cannot unpack into a temporary file in /var/tmp");
		bytes += put;
		size -= (size_t)put;
		s->spool_size += (uint64_t)put;
	}
	return BTVIZ_OK;
}

/* Whether a member that has no per-CPU name holds records all the same. */
static bool holds_records(const char *name, const unsigned char *head, size_t size)
{
	return (size >= 4 &&
		       ((btvi_le32(head) & BTVI_WIRE_MAGIC_MASK) == BTVI_WIRE_MAGIC ||
			       (btvi_be32(head) & BTVI_WIRE_MAGIC_MASK) == BTVI_WIRE_MAGIC)) ||
		btvi_sniff(name, head, size, true) == BTVI_STREAM_RING ||
		btvi_sniff(name, head, size, true) == BTVI_STREAM_PIPE;
}

/* Copies the member into the spool, or passes over it where it is no trace (*ret_taken is false).
 * With always, it is taken whatever is in it. */
static enum btviz_status spool_member(struct btvi_unpacker *u, struct btvi_sources *s,
	const char *name, bool always, struct btvi_input *ret_input, bool *ret_taken,
	struct btviz_error *err)
{
	unsigned char *const buffer = malloc(READ_SIZE);
	const uint64_t begin = s->spool_size;
	bool cut = false, first = true, taken = always;
	size_t filled = 0, got = 0;
	enum btviz_status status = buffer ? BTVIZ_OK : btvi_fail_nomem(err);

	while (status == BTVIZ_OK && !cut) {
		status = btvi_unpacker_read_member(
			u, buffer + filled, READ_SIZE - filled, &got, &cut, err);
		if (status != BTVIZ_OK)
			break;
		filled += got;
		/* enough in one piece to tell what it is */
		if (first && got > 0 && filled < BTVI_STREAM_SNIFF)
			continue;
		if (first)
			taken |= holds_records(name, buffer, filled);
		first = false;
		if (taken)
			status = append(s, buffer, filled, err);
		filled = 0;
		if (got == 0)
			break;
	}
	free(buffer);
	if (status != BTVIZ_OK)
		return status;
	ret_input->kind = BTVI_INPUT_FILE;
	ret_input->spooled = true;
	ret_input->offset = begin;
	ret_input->size = s->spool_size - begin;
	ret_input->cut = cut;
	*ret_taken = taken;
	return BTVIZ_OK;
}

static ptrdiff_t read_fd(void *data, void *buffer, size_t size)
{
	ssize_t got;

	do
		got = read(*(const int *)data, buffer, size);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

/* Adds the member of that name to its lane. */
static enum btviz_status add_member(struct btvi_sources *s, const char *path, const char *name,
	const struct btvi_input *member, struct btviz_error *err)
{
	struct btvi_input input = *member;
	struct btvi_cpu_name parsed;
	const bool per_cpu = btvi_cpu_name_parse(name, &parsed);
	struct btvi_lane *lane;
	char *label;
	bool added;

	if (s->input_count >= BTVI_STREAM_MAX)
		return btvi_fail(err, BTVIZ_ERR_LIMIT, "%s: more than %d streams in one run", path,
			BTVI_STREAM_MAX);
	if (asprintf(&label, "%s in %s", name, path) < 0)
		return btvi_fail_nomem(err);
	input.path = label;
	input.ordered = per_cpu;
	input.cpu = per_cpu ? (unsigned)parsed.cpu : 0;
	lane = btvi_sources_lane(s, name, per_cpu ? parsed.base_size : btvi_name_lane(name), NULL);
	if (s->lane_count > BTVI_DEVICE_MAX) {
		free(label);
		return btvi_fail(err, BTVIZ_ERR_LIMIT,
			"%s: streams of more than %d devices in one run", path, BTVI_DEVICE_MAX);
	}
	added = lane && btvi_sources_add(s, lane, &input);
	free(label);
	return added ? BTVIZ_OK : btvi_fail_nomem(err);
}

static enum btviz_status spool_members(struct btvi_unpacker *u, struct btvi_sources *s,
	const char *path, bool *ret_single, struct btviz_error *err)
{
	size_t found = 0;

	for (;;) {
		struct btvi_unpacker_member member;
		struct btvi_input input = { .fd = -1 };
		struct btvi_cpu_name parsed;
		bool any, taken;
		enum btviz_status status = btvi_unpacker_member(u, &member, &any, err);

		if (status != BTVIZ_OK)
			return status;
		if (!any)
			break;
		if (member.is_all) {
			*ret_single = true;
			return BTVIZ_OK;
		}
		if (!member.is_file)
			continue;
		status = spool_member(u, s, member.name,
			btvi_cpu_name_parse(member.name, &parsed) && !parsed.packed, &input, &taken,
			err);
		if (status == BTVIZ_OK && taken)
			status = add_member(s, path, member.name, &input, err);
		if (status != BTVIZ_OK)
			return status;
		found += taken;
	}
	if (found == 0)
		return btvi_fail(err, BTVIZ_ERR_NOT_FOUND,
			"no trace in the archive %s: none of its %u members is one", path,
			btvi_unpacker_members(u));
	return BTVIZ_OK;
}

enum btviz_status btvi_archive_spool(
	struct btvi_sources *s, const char *path, bool *ret_single, struct btviz_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct btvi_unpacker *u;
	enum btviz_status status;

	*ret_single = false;
	if (fd < 0)
		return btvi_fail_errno(err, errno, "cannot open %s", path);
	status = btvi_unpacker_open(read_fd, &fd, path, false, &u, err);
	if (status == BTVIZ_OK) {
		status = open_spool(s, err);
		if (status == BTVIZ_OK)
			status = spool_members(u, s, path, ret_single, err);
		if (!*ret_single)
			s->packing |= btvi_unpacker_faults(u);
		btvi_unpacker_close(u);
	}
	close(fd);
	return status;
}

enum btviz_status btvi_archive_spool_input(
	struct btvi_sources *s, struct btvi_input *input, struct btviz_error *err)
{
	int fd = open(input->path, O_RDONLY | O_CLOEXEC);
	struct btvi_unpacker *u;
	struct btvi_unpacker_member member;
	enum btviz_status status;
	bool any = false, taken;

	if (fd < 0)
		return btvi_fail_errno(err, errno, "cannot open %s", input->path);
	status = btvi_unpacker_open(read_fd, &fd, input->path, true, &u, err);
	if (status == BTVIZ_OK) {
		status = open_spool(s, err);
		if (status == BTVIZ_OK)
			status = btvi_unpacker_member(u, &member, &any, err);
		if (any)
			status = spool_member(u, s, input->path, true, input, &taken, err);
		s->packing |= btvi_unpacker_faults(u);
		btvi_unpacker_close(u);
	}
	close(fd);
	return status;
}
