/* trace/archive.h - compressed streams and archives of streams, through libarchive.
 *
 * A single compressed stream is unpacked as it is read. Several of them, and the members of an
 * archive, are unpacked beforehand into the spool: one unlinked temporary file, of which each
 * stream is a range. No name from an archive is ever used to write to. What unpacks to absurdly
 * more than its size is refused (base/limits.h). */
#ifndef BTVI_TRACE_ARCHIVE_H
#define BTVI_TRACE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/source.h"

/* Unpacks the streams in an archive into the spool, and adds a lane for each base in it. Where the
 * file is one compressed stream, nothing is done but *ret_single set. BTVIZ_ERR_UNSUPPORTED where
 * the library was built without libarchive; BTVIZ_ERR_NOT_FOUND where no member is a trace. */
enum btviz_status btvi_archive_spool(
	struct btvi_sources *s, const char *path, bool *ret_single, struct btviz_error *err);

/* Unpacks one compressed stream into the spool and makes the input refer to it. */
enum btviz_status btvi_archive_spool_input(
	struct btvi_sources *s, struct btvi_input *input, struct btviz_error *err);

#endif
