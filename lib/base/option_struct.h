/* base/option_struct.h - option structs of callers that were built against an older or a newer
 * library.
 *
 * An option struct begins with its size. An older caller's is shorter: what it lacks is as the
 * defaults have it. A newer caller's is longer: what this library does not know must be zero, or
 * the caller would be served something else than it asked for. */
#ifndef BTVI_BASE_OPTION_STRUCT_H
#define BTVI_BASE_OPTION_STRUCT_H

#include <stddef.h>

#include <btviz/status.h>

/* Copies given, a struct called name, over the defaults in options, which is size bytes long and
 * begins with its size. given may be NULL. BTVIZ_OK or BTVIZ_ERR_USAGE. */
enum btviz_status btvi_options_take(
	void *options, size_t size, const void *given, const char *name, struct btviz_error *err);

#endif
