/* record/backend.h - where a recording's events come from: what session.c asks of each source, and
 * nothing else does. A source keeps its state in the recorder. */
#ifndef BTVI_RECORD_BACKEND_H
#define BTVI_RECORD_BACKEND_H

#include <stdbool.h>

#include <btviz/record.h>

#include "record/metadata_write.h"

struct btvi_backend {
	const char *name; /* as in the metadata */

	/* Looks whether it can be used, for these devices, now. Changes nothing.
	 * BTVIZ_ERR_UNSUPPORTED, BTVIZ_ERR_BUSY, BTVIZ_ERR_IO, BTVIZ_ERR_NOMEM. */
	enum btviz_status (*open)(struct btviz_recorder *r, struct btviz_error *err);

	/* Switches tracing on. No file of NAME is made or replaced yet. On failure, too, stop() is
	 * to be called. */
	enum btviz_status (*start)(struct btviz_recorder *r, struct btviz_error *err);

	/* Makes the streams' files, in the place of older ones. */
	enum btviz_status (*create)(struct btviz_recorder *r, struct btviz_error *err);

	/* Takes the events that are there. */
	enum btviz_status (*read)(struct btviz_recorder *r, struct btviz_error *err);

	/* Writes what is held back. */
	enum btviz_status (*flush)(struct btviz_recorder *r, struct btviz_error *err);

	/* A descriptor that is readable when there is something to heed, or -1. */
	int (*watch)(const struct btviz_recorder *r);
	void (*heed)(struct btviz_recorder *r);

	/* Switches tracing off, puts back what was changed; where `keep`, what is still to come is
	 * written, else dropped. Puts its figures into r->result. Once; later calls do nothing. */
	enum btviz_status (*stop)(struct btviz_recorder *r, bool keep, struct btviz_error *err);

	/* What only it knows, for the metadata. */
	void (*tell)(const struct btviz_recorder *r, struct btvi_metadata_out *out);

	/* Removes what create() made. */
	void (*remove)(struct btviz_recorder *r);

	void (*done)(struct btviz_recorder *r);
};

extern const struct btvi_backend btvi_backend_tracefs;
extern const struct btvi_backend btvi_backend_blktrace;

#endif
