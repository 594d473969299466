/* unpack.c - see unpack.h. The only file that knows libarchive. */
#include "trace/unpack.h"

#include <btviz/trace.h>

#include "base/limits.h"
#include "base/status.h"

#if !BTVI_HAVE_ARCHIVE

static enum btviz_status unsupported(const char *name, struct btviz_error *err)
{
	return btvi_fail(err, BTVIZ_ERR_UNSUPPORTED,
		"%s is compressed or an archive, and this build of btviz has no libarchive: unpack it "
		"first",
		name);
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

uint32_t btvi_unpacker_faults(const struct btvi_unpacker *u)
{
	(void)u;
	return 0;
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

enum btviz_status btvi_unpacker_member(struct btvi_unpacker *u,
	struct btvi_unpacker_member *ret_member, bool *ret_any, struct btviz_error *err)
{
	(void)u;
	(void)ret_member;
	(void)ret_any;
	return unsupported("this", err);
}

enum btviz_status btvi_unpacker_read_member(struct btvi_unpacker *u, void *buffer, size_t size,
	size_t *ret_got, bool *ret_cut, struct btviz_error *err)
{
	(void)u;
	(void)buffer;
	(void)size;
	(void)ret_got;
	(void)ret_cut;
	return unsupported("this", err);
}

unsigned btvi_unpacker_members(const struct btvi_unpacker *u)
{
	(void)u;
	return 0;
}

#else

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

enum {
	READ_SIZE = 1 << 16,
	TAR_BLOCK = 512,
};

struct btvi_unpacker {
	struct archive *a;
	const char *name;
	ptrdiff_t (*read)(void *data, void *buffer, size_t size);
	void *read_data;
	uint64_t made;       /* bytes unpacked */
	uint64_t given;      /* bytes that libarchive was given */
	size_t in_size;      /* the last of them, which are in in[] */
	uint32_t faults;     /* BTVIZ_PACKING_... */
	uint64_t member_end; /* of a tar: offset behind the last member's data */
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
	if (got > 0)
		u->in_size = (size_t)got;
	u->given += (uint64_t)got;
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

uint32_t btvi_unpacker_faults(const struct btvi_unpacker *u)
{
	return u->faults;
}

/* Offset behind what has been read of the archive, unpacked. */
static uint64_t position(const struct btvi_unpacker *u)
{
	return (uint64_t)archive_filter_bytes(u->a, 0);
}

/* At the end of one compressed stream: whether bytes stand behind it that are no padding. The
 * library takes them for nothing. */
static void look_behind(struct btvi_unpacker *u)
{
	const uint64_t used = (uint64_t)archive_filter_bytes(u->a, -1);
	const uint64_t left = used < u->given ? u->given - used : 0;
	const unsigned char *at = u->in;
	ptrdiff_t got;

	if (archive_format(u->a) != ARCHIVE_FORMAT_RAW || archive_filter_count(u->a) < 2)
		return;
	if (left > 0) {
		got = left < u->in_size ? (ptrdiff_t)left : (ptrdiff_t)u->in_size;
		at += u->in_size - (size_t)got;
	} else {
		got = u->read(u->read_data, u->in, sizeof u->in);
	}
	for (ptrdiff_t i = 0; i < got; i++)
		if (at[i] != 0)
			u->faults |= BTVIZ_PACKING_BEHIND;
}

/* At the end of an archive: a tar that was cut between two members lacks its end mark, a block of
 * zeroes at least, and nothing else tells of it. */
static void look_for_end_mark(struct btvi_unpacker *u)
{
	const uint64_t padded = (u->member_end + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;

	if ((archive_format(u->a) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR &&
		u->members > 0 && position(u) < padded + TAR_BLOCK)
		u->faults |= BTVIZ_PACKING_NO_END;
}

/* A name that cannot be shown in the user's language harms nothing: names are taken as they are. */
static bool is_about_a_name(const struct btvi_unpacker *u)
{
	const char *const text = archive_error_string(u->a);

	return text && strstr(text, "can't be converted") != NULL;
}

/* Goes to the next member. *ret_entry is NULL at the end. */
static enum btviz_status next_member(
	struct btvi_unpacker *u, struct archive_entry **ret_entry, struct btviz_error *err)
{
	int r;

	/* Of a damaged header that the library can pass over, the member is lost, and no other. */
	while ((r = archive_read_next_header(u->a, ret_entry)) == ARCHIVE_RETRY)
		u->faults |= BTVIZ_PACKING_HEADER;
	if (r == ARCHIVE_EOF) {
		*ret_entry = NULL;
		u->ended = true;
		look_for_end_mark(u);
		return BTVIZ_OK;
	}
	if (r == ARCHIVE_WARN && !is_about_a_name(u))
		u->faults |= BTVIZ_PACKING_WARNING;
	if (r < ARCHIVE_WARN) {
		*ret_entry = NULL;
		u->ended = true;
		u->faults |= BTVIZ_PACKING_HEADER;
		/* an archive that was cut short still has its first members */
		return u->members > 0 ? BTVIZ_OK : fail_unpack(u, err);
	}
	if (++u->members > BTVI_STREAM_MAX)
		return btvi_fail(err, BTVIZ_ERR_LIMIT, "%s: an archive of more than %d members",
			u->name, BTVI_STREAM_MAX);
	u->in_member = true;
	return BTVIZ_OK;
}

enum btviz_status btvi_unpacker_read_member(struct btvi_unpacker *u, void *buffer, size_t size,
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
		if (r == ARCHIVE_WARN)
			u->faults |= BTVIZ_PACKING_WARNING;
		if (r == ARCHIVE_EOF) {
			u->member_end = position(u);
			look_behind(u);
		}
		if (r < ARCHIVE_WARN && u->made == 0)
			return fail_unpack(u, err);
		*ret_cut = r < ARCHIVE_WARN;
		u->ended |= *ret_cut;
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
		status = btvi_unpacker_read_member(u, buffer, size, ret_got, ret_cut, err);
		if (status != BTVIZ_OK || *ret_got > 0)
			return status;
		u->in_member = false;
	}
	return BTVIZ_OK;
}

static const char *name_of(struct archive_entry *entry)
{
	const char *name = archive_entry_pathname(entry);

	if (!name)
		name = archive_entry_pathname_utf8(entry);
	return name && name[0] != '\0' ? name : "unnamed";
}

enum btviz_status btvi_unpacker_member(struct btvi_unpacker *u,
	struct btvi_unpacker_member *ret_member, bool *ret_any, struct btviz_error *err)
{
	struct archive_entry *entry = NULL;
	const enum btviz_status status = u->ended ? BTVIZ_OK : next_member(u, &entry, err);

	*ret_any = status == BTVIZ_OK && entry;
	if (*ret_any)
		*ret_member = (struct btvi_unpacker_member){ .name = name_of(entry),
			.is_file = archive_entry_filetype(entry) == AE_IFREG,
			.is_all = archive_format(u->a) == ARCHIVE_FORMAT_RAW };
	return status;
}

unsigned btvi_unpacker_members(const struct btvi_unpacker *u)
{
	return u->members;
}

#endif
