/* archive.c - compressed streams and archives of streams. The only file that knows libarchive. */
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

bool btvi_archive_sniff(const unsigned char *head, size_t size)
{
	static const struct {
		const char *bytes;
		size_t size, at;
	} signs[] = {
		{ "\x1f\x8b", 2, 0 }, /* gzip */
		{ "\xfd"
		  "7zXZ",
			6, 0 },                 /* xz, with its NUL */
		{ "\x28\xb5\x2f\xfd", 4, 0 },   /* zstd */
		{ "BZh", 3, 0 },                /* bzip2 */
		{ "\x04\x22\x4d\x18", 4, 0 },   /* lz4 */
		{ "PK\x03\x04", 4, 0 },         /* zip */
		{ "7z\xbc\xaf\x27\x1c", 6, 0 }, /* 7-zip */
		{ "ustar", 5, 257 },            /* tar */
	};

	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
		if (signs[i].at + signs[i].size <= size &&
			memcmp(head + signs[i].at, signs[i].bytes, signs[i].size) == 0)
			return true;
	return false;
}

#if !BTVI_HAVE_ARCHIVE

static enum btviz_status unsupported(const char *name, struct btviz_error *err)
{
	return btvi_fail(err, BTVIZ_ERR_UNSUPPORTED,
		"%s is compressed or an archive, and this build of btviz has no libarchive: unpack it "
		"first",
		name);
}

enum btviz_status btvi_archive_spool(
	struct btvi_sources *s, const char *path, bool *ret_single, struct btviz_error *err)
{
	(void)s;
	(void)ret_single;
	return unsupported(path, err);
}

enum btviz_status btvi_archive_spool_input(
	struct btvi_sources *s, struct btvi_input *input, struct btviz_error *err)
{
	(void)s;
	return unsupported(input->path, err);
}

enum btviz_status btvi_unpacker_open(ptrdiff_t (*read)(void *data, void *buffer, size_t size),
	void *data, const char *name, bool single, struct btvi_unpacker **ret_u,
	struct btviz_error *err)
{
	(void)read;
	(void)data;
	(void)single;
	(void)ret_u;
	return unsupported(name, err);
}

void btvi_unpacker_close(struct btvi_unpacker *u)
{
	(void)u;
}

enum btviz_status btvi_unpacker_read(struct btvi_unpacker *u, void *buffer, size_t size,
	size_t *ret_got, bool *ret_cut, struct btviz_error *err)
{
	(void)u;
	(void)buffer;
	(void)size;
	(void)ret_got;
	(void)ret_cut;
	return unsupported("this", err);
}

#else

#include <archive.h>
#include <archive_entry.h>

#include "trace/names.h"
#include "trace/transcode.h"
#include "trace/wire.h"

enum {
	READ_SIZE = 1 << 16,
};

struct btvi_unpacker {
	struct archive *a;
	const char *name;
	ptrdiff_t (*read)(void *data, void *buffer, size_t size);
	void *read_data;
	uint64_t made; /* bytes unpacked */
	unsigned members;
	bool in_member, ended;
	const unsigned char *block; /* unpacked, not yet given out; libarchive's */
	size_t block_size;
	unsigned char in[READ_SIZE];
};

static la_ssize_t read_packed(struct archive *a, void *data, const void **ret_bytes)
{
	struct btvi_unpacker *const u = data;
	const ptrdiff_t got = u->read(u->read_data, u->in, sizeof u->in);

	if (got < 0) {
		archive_set_error(a, (int)-got, "%s", "read error");
		return -1;
	}
	*ret_bytes = u->in;
	return got;
}

static enum btviz_status fail_unpack(const struct btvi_unpacker *u, struct btviz_error *err)
{
	const char *const reason = archive_error_string(u->a);

	return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE, "cannot unpack %s: %s", u->name,
		reason ? reason : "its contents are not understood");
}

enum btviz_status btvi_unpacker_open(ptrdiff_t (*read)(void *data, void *buffer, size_t size),
	void *data, const char *name, bool single, struct btvi_unpacker **ret_u,
	struct btviz_error *err)
{
	struct btvi_unpacker *const u = malloc(sizeof *u);
	enum btviz_status status;

	if (!u)
		return btvi_fail_nomem(err);
	*u = (struct btvi_unpacker){ .name = name, .read = read, .read_data = data };
	u->a = archive_read_new();
	if (!u->a) {
		free(u);
		return btvi_fail_nomem(err);
	}
	/* no more formats than needed: a text file must not be taken for a list of files */
	archive_read_support_filter_all(u->a);
	if (!single) {
		archive_read_support_format_tar(u->a);
		archive_read_support_format_zip(u->a);
		archive_read_support_format_7zip(u->a);
	}
	archive_read_support_format_raw(u->a);
	archive_read_support_format_empty(u->a);
	if (archive_read_open(u->a, u, NULL, read_packed, NULL) < ARCHIVE_WARN) {
		status = fail_unpack(u, err);
		btvi_unpacker_close(u);
		return status;
	}
	*ret_u = u;
	return BTVIZ_OK;
}

void btvi_unpacker_close(struct btvi_unpacker *u)
{
	if (!u)
		return;
	archive_read_free(u->a);
	free(u);
}

/* Goes to the next member. *ret_entry is NULL at the end. */
static enum btviz_status next_member(
	struct btvi_unpacker *u, struct archive_entry **ret_entry, struct btviz_error *err)
{
	const int r = archive_read_next_header(u->a, ret_entry);

	if (r == ARCHIVE_EOF) {
		*ret_entry = NULL;
		u->ended = true;
		return BTVIZ_OK;
	}
	if (r < ARCHIVE_WARN) {
		*ret_entry = NULL;
		u->ended = true;
		/* an archive that was cut short still has its first members */
		return u->members > 0 ? BTVIZ_OK : fail_unpack(u, err);
	}
	if (++u->members > BTVI_STREAM_MAX)
		return btvi_fail(err, BTVIZ_ERR_LIMIT, "%s: an archive of more than %d members",
			u->name, BTVI_STREAM_MAX);
	u->in_member = true;
	return BTVIZ_OK;
}

/* Up to size bytes of the member. */
static enum btviz_status read_member(struct btvi_unpacker *u, void *buffer, size_t size,
	size_t *ret_got, bool *ret_cut, struct btviz_error *err)
{
	uint64_t packed;

	/* By blocks: archive_read_data() keeps to itself what comes before an error. */
	if (u->block_size == 0) {
		const void *block = NULL;
		la_int64_t offset;
		const int r = archive_read_data_block(u->a, &block, &u->block_size, &offset);

		if (r != ARCHIVE_OK && r != ARCHIVE_WARN)
			u->block_size = 0;
		u->block = block;
		if (r < ARCHIVE_WARN && u->made == 0)
			return fail_unpack(u, err);
		*ret_cut = r < ARCHIVE_WARN;
	}
	*ret_got = u->block_size < size ? u->block_size : size;
	if (*ret_got > 0) {
		memcpy(buffer, u->block, *ret_got);
		u->block += *ret_got;
	}
	u->block_size -= *ret_got;
	u->made += *ret_got;
	packed = (uint64_t)archive_filter_bytes(u->a, -1);
	if ((u->made > BTVI_UNPACK_FREE_BYTES && u->made / BTVI_UNPACK_RATIO > packed) ||
		u->made > BTVI_UNPACK_MAX_BYTES)
		return btvi_fail(err, BTVIZ_ERR_LIMIT,
			"%s unpacks to %llu MB and more from %llu kB: no trace is like that",
			u->name, (unsigned long long)u->made / 1000000,
			(unsigned long long)packed / 1000);
	return BTVIZ_OK;
}

enum btviz_status btvi_unpacker_read(struct btvi_unpacker *u, void *buffer, size_t size,
	size_t *ret_got, bool *ret_cut, struct btviz_error *err)
{
	struct archive_entry *entry;
	enum btviz_status status;

	*ret_got = 0;
	*ret_cut = false;
	while (!u->ended) {
		if (!u->in_member) {
			status = next_member(u, &entry, err);
			if (status != BTVIZ_OK || !entry)
				return status;
		}
		status = read_member(u, buffer, size, ret_got, ret_cut, err);
		u->ended |= *ret_cut;
		if (status != BTVIZ_OK || *ret_got > 0)
			return status;
		u->in_member = false;
	}
	return BTVIZ_OK;
}

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
		btvi_stream_kind(name, head, size) != BTVI_STREAM_RECORDS;
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
		status = read_member(u, buffer + filled, READ_SIZE - filled, &got, &cut, err);
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
	u->ended |= cut;
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

static const char *name_of(struct archive_entry *entry)
{
	const char *name = archive_entry_pathname(entry);

	if (!name)
		name = archive_entry_pathname_utf8(entry);
	return name && name[0] != '\0' ? name : "unnamed";
}

static enum btviz_status spool_members(struct btvi_unpacker *u, struct btvi_sources *s,
	const char *path, bool *ret_single, struct btviz_error *err)
{
	size_t found = 0;

	while (!u->ended) {
		struct btvi_input member = { .fd = -1 };
		struct btvi_cpu_name parsed;
		struct archive_entry *entry;
		enum btviz_status status = next_member(u, &entry, err);
		const char *name;
		bool taken;

		if (status != BTVIZ_OK)
			return status;
		if (!entry)
			break;
		if (archive_format(u->a) == ARCHIVE_FORMAT_RAW) {
			*ret_single = true;
			return BTVIZ_OK;
		}
		if (archive_entry_filetype(entry) != AE_IFREG)
			continue;
		name = name_of(entry);
		status = spool_member(u, s, name,
			btvi_cpu_name_parse(name, &parsed) && !parsed.packed, &member, &taken, err);
		if (status == BTVIZ_OK && taken)
			status = add_member(s, path, name, &member, err);
		if (status != BTVIZ_OK)
			return status;
		found += taken;
	}
	if (found == 0)
		return btvi_fail(err, BTVIZ_ERR_NOT_FOUND,
			"no trace in the archive %s: none of its %u members is one", path,
			u->members);
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
	struct archive_entry *entry;
	enum btviz_status status;
	bool taken;

	if (fd < 0)
		return btvi_fail_errno(err, errno, "cannot open %s", input->path);
	status = btvi_unpacker_open(read_fd, &fd, input->path, true, &u, err);
	if (status == BTVIZ_OK) {
		status = open_spool(s, err);
		if (status == BTVIZ_OK)
			status = next_member(u, &entry, err);
		if (status == BTVIZ_OK && entry)
			status = spool_member(u, s, input->path, true, input, &taken, err);
		btvi_unpacker_close(u);
	}
	close(fd);
	return status;
}

#endif
