/* intake.c - see intake.h. */
#include "trace/intake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "trace/unpack.h"

void btvi_intake_init(struct btvi_intake *b, const struct btvi_sources *sources,
	const struct btvi_input *input, bool keep_open)
{
	*b = (struct btvi_intake){ .input = input,
		.sources = sources,
		.begin = input->spooled ? input->offset : 0,
		.size = input->spooled ? input->size : UINT64_MAX, /* a file may grow */
		.fd = -1,
		.keep_open = keep_open };
}

void btvi_intake_release(struct btvi_intake *b)
{
	if (b->fd >= 0 && b->input->kind == BTVI_INPUT_FILE) {
		close(b->fd);
		b->fd = -1;
	}
}

void btvi_intake_close(struct btvi_intake *b)
{
	/* a pipe is the sources' own */
	if (b->fd >= 0 && b->input->kind != BTVI_INPUT_PIPE)
		close(b->fd);
	b->fd = -1;
	if (b->unpacker)
		b->packing |= btvi_unpacker_faults(b->unpacker);
	btvi_unpacker_close(b->unpacker);
	b->unpacker = NULL;
	free(b->first);
	b->first = NULL;
	b->first_at = b->first_size = 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

static enum btviz_status open_file(struct btvi_intake *b, struct btviz_error *err)
{
	struct stat st;

	b->fd = open(b->input->path, O_RDONLY | O_CLOEXEC);
	if (b->fd < 0)
		return btvi_fail_errno(err, errno, "cannot open %s", b->input->path);
	if (fstat(b->fd, &st) != 0)
		return btvi_fail_errno(err, errno, "cannot look at %s", b->input->path);
	if (st.st_dev != b->input->file_device || st.st_ino != b->input->file_inode)
		return btvi_fail(
			err, BTVIZ_ERR_IO, "%s was replaced while it was read", b->input->path);
	return BTVIZ_OK;
}

enum btviz_status btvi_intake_read_at(struct btvi_intake *b, uint64_t at, void *buffer, size_t size,
	size_t *ret_got, struct btviz_error *err)
{
	const bool spooled = b->input->spooled;
	const uint64_t left = at < b->size ? b->size - at : 0;
	size_t got = 0;

	if (size > left)
		size = (size_t)left;
	at += b->begin;
	if (!spooled && b->fd < 0) {
		const enum btviz_status status = open_file(b, err);

		if (status != BTVIZ_OK)
			return status;
	}
	while (got < size) {
		const ssize_t n = pread(spooled ? b->sources->spool_fd : b->fd,
			(unsigned char *)buffer + got, size - got, (off_t)(at + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return btvi_fail_errno(err, errno, "cannot read %s", b->input->path);
		if (n == 0)
			break;
		got += (size_t)n;
	}
	if (!b->keep_open)
		btvi_intake_release(b);
	*ret_got = got;
	return BTVIZ_OK;
}

/* ---- what can be read once ------------------------------------------------------------------- */

/* Up to size bytes, packed or not; 0 at the end, or a negative errno. */
static ptrdiff_t read_once(void *data, void *buffer, size_t size)
{
	struct btvi_intake *const b = data;
	ptrdiff_t got;

	if (b->first_size > b->first_at) {
		const size_t left = b->first_size - b->first_at;
		const size_t n = left < size ? left : size;

		memcpy(buffer, b->first + b->first_at, n);
		b->first_at += n;
		return (ptrdiff_t)n;
	}
	if (b->input->kind == BTVI_INPUT_CALLBACK)
		return b->input->read(b->input->read_data, buffer, size);
	do
		got = read(b->fd, buffer, size);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

enum btviz_status btvi_intake_open(struct btvi_intake *b, struct btviz_error *err)
{
	enum btviz_status status;

	if (b->input->kind == BTVI_INPUT_PIPE)
		b->fd = b->input->fd;
	if (b->input->kind != BTVI_INPUT_PACKED)
		return BTVIZ_OK;
	status = open_file(b, err);
	return status == BTVIZ_OK
		? btvi_unpacker_open(read_once, b, b->input->path, true, &b->unpacker, err)
		: status;
}

enum btviz_status btvi_intake_unpack(
	struct btvi_intake *b, unsigned char *buffer, size_t size, struct btviz_error *err)
{
	b->first = buffer;
	b->first_at = 0;
	b->first_size = size;
	return btvi_unpacker_open(read_once, b, b->input->path, false, &b->unpacker, err);
}

enum btviz_status btvi_intake_read(
	struct btvi_intake *b, void *buffer, size_t size, size_t *ret_got, struct btviz_error *err)
{
	enum btviz_status status;
	ptrdiff_t got;

	if (b->unpacker)
		return btvi_unpacker_read(b->unpacker, buffer, size, ret_got, &b->cut, err);
	if (b->input->kind == BTVI_INPUT_FILE) {
		status = btvi_intake_read_at(b, b->at, buffer, size, ret_got, err);
		if (status == BTVIZ_OK)
			b->at += *ret_got;
		return status;
	}
	got = read_once(b, buffer, size);
	if (got < 0)
		return btvi_fail_errno(err, (int)-got, "cannot read %s", b->input->path);
	*ret_got = (size_t)got > size ? size : (size_t)got;
	return BTVIZ_OK;
}
