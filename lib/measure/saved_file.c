/* saved_file.c - the text of a saved summary, from its file and to it. Knows nothing of what it
 * says, only that it may be anybody's. */
#include "measure/saved_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/output.h"
#include "base/text.h"

/* ---- reading --------------------------------------------------------------------------------- */

/* The whole text, at most BTVI_SAVED_BYTES of it. */
static char *read_text(struct btvi_walk *w, const char *path, size_t *ret_size)
{
	const gzFile file = gzopen(path, "rbe");
	size_t size = 0, room = 0;
	char *text = NULL;
	int n = 1, closed;

	if (!file) {
		w->status = errno == 0 ? btvi_fail_nomem(w->err)
				       : btvi_fail_errno(w->err, errno, "cannot read %s", path);
		return NULL;
	}
	while (n > 0 && size <= BTVI_SAVED_BYTES) {
		if (size == room) {
			char *const grown = realloc(text, 2 * room + 65536);

			if (!grown) {
				free(text);
				gzclose_r(file);
				btvi_walk_nomem(w);
				return NULL;
			}
			text = grown;
			room = 2 * room + 65536;
		}
		n = gzread(file, text + size, (unsigned)(room - size));
		size += n > 0 ? (size_t)n : 0;
	}
	closed = gzclose_r(file);
	*ret_size = size;
	if (n == 0 && closed == Z_OK)
		return text;
	free(text);
	if (n > 0)
		w->status = btvi_fail(w->err, BTVIZ_ERR_LIMIT,
			"%s: larger than any saved summary (%d MiB)", w->name,
			BTVI_SAVED_BYTES >> 20);
	else
		btvi_walk_refuse(w, "its compressed data end early or are broken");
	return NULL;
}

/* A parser needs far more memory for small values than their text is long: count them first. */
static bool few_values(const char *text, size_t size)
{
	size_t values = 0;
	bool in_string = false;

	for (size_t i = 0; i < size; i++) {
		if (in_string && text[i] == '\\')
			i++;
		else if (text[i] == '"')
			in_string = !in_string;
		else if (!in_string && (text[i] == ',' || text[i] == '[' || text[i] == '{'))
			values++;
	}
	return values <= BTVI_SAVED_VALUES;
}

json_t *btvi_saved_parse(struct btvi_walk *w, const char *path)
{
	char shown[JSON_ERROR_TEXT_LENGTH];
	json_error_t e;
	size_t size;
	char *const text = read_text(w, path, &size);
	json_t *root = NULL;

	if (!text)
		return NULL;
	if (!few_values(text, size)) {
		w->status = btvi_fail(w->err, BTVIZ_ERR_LIMIT,
			"%s: more values than any saved summary has", w->name);
	} else {
		root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &e);
		if (!root) {
			btvi_text_printable(e.text, strlen(e.text), shown, sizeof shown);
			btvi_walk_refuse(w, "no JSON at byte %d: %s", e.position, shown);
		}
	}
	free(text);
	return root;
}

/* ---- writing --------------------------------------------------------------------------------- */

struct sink {
	z_stream z;
	FILE *file;
	uint64_t bytes; /* before compression */
	int sys_errno;
};

static int deflate_some(struct sink *k, const char *bytes, size_t size, int flush)
{
	unsigned char out[16384];

	k->z.next_in = (z_const Bytef *)bytes;
	k->z.avail_in = (uInt)size;
	do {
		k->z.next_out = out;
		k->z.avail_out = sizeof out;
		deflate(&k->z, flush);
		const size_t n = sizeof out - k->z.avail_out;
		if (fwrite(out, 1, n, k->file) != n) {
			k->sys_errno = errno;
			return -1;
		}
	} while (k->z.avail_out == 0);
	return 0;
}

static int take(const char *bytes, size_t size, void *data)
{
	struct sink *const k = data;

	k->bytes += size;
	return k->bytes > BTVI_SAVED_BYTES ? -1 : deflate_some(k, bytes, size, Z_NO_FLUSH);
}

static enum btviz_status write_json(
	const json_t *root, FILE *file, const char *path, struct btviz_error *err)
{
	struct sink k = { .file = file };
	int failed;

	if (deflateInit2(&k.z, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) !=
		Z_OK)
		return btvi_fail_nomem(err);
	failed = json_dump_callback(root, take, &k, JSON_PRESERVE_ORDER | JSON_COMPACT);
	if (!failed)
		failed = deflate_some(&k, "\n", 1, Z_FINISH);
	deflateEnd(&k.z);
	if (!failed)
		return BTVIZ_OK;
	if (k.sys_errno != 0)
		return btvi_fail_errno(err, k.sys_errno, "cannot write %s", path);
	if (k.bytes > BTVI_SAVED_BYTES)
		return btvi_fail(err, BTVIZ_ERR_LIMIT,
			"cannot save to %s: more than %d MiB, too many devices", path,
			BTVI_SAVED_BYTES >> 20);
	return btvi_fail_nomem(err);
}

enum btviz_status btvi_saved_write(const json_t *root, const char *path, struct btviz_error *err)
{
	struct btviz_output *o;
	enum btviz_status status = btviz_output_open(path, BTVIZ_OUTPUT_DURABLE, &o, err);
	FILE *file;

	if (status != BTVIZ_OK)
		return status;
	file = fdopen(dup(btviz_output_fd(o)), "w");
	if (!file)
		status = btvi_fail_errno(err, errno, "cannot write %s", path);
	else
		status = write_json(root, file, path, err);
	if (file && fclose(file) != 0 && status == BTVIZ_OK)
		status = btvi_fail_errno(err, errno, "cannot write %s", path);
	if (status == BTVIZ_OK)
		return btviz_output_finish(o, err);
	btviz_output_drop(o);
	return status;
}
