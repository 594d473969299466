/* beside/metadata.h - NAME.btviz.json: what its reader and its writer share. */
#ifndef BTVI_BESIDE_METADATA_H
#define BTVI_BESIDE_METADATA_H

#include <btviz/metadata.h>

enum {
	BTVI_METADATA_BYTES = 16 << 20, /* of the file; a thousand devices need a few hundred kB */
	BTVI_COMMAND_BYTES = 4096,      /* of the command, as shown */
};

#define BTVI_METADATA_SCHEMA "btviz.metadata/1"

/* Reads the file at path. */
enum btviz_status btvi_metadata_load(
	const char *path, struct btviz_metadata **ret_m, struct btviz_error *err);

#endif
