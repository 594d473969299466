/* option_struct.c - option structs of any age into this library's. Knows not what is in them. */
#include "base/option_struct.h"

#include <string.h>

#include "base/status.h"

/* No option struct will ever be as large: a greater size is an uninitialised one. */
enum { SIZE_LIMIT = 4096 };

enum btviz_status btvi_options_take(
	void *options, size_t size, const void *given, const char *name, struct btviz_error *err)
{
	const unsigned char *const bytes = given;
	size_t given_size;

	if (!given)
		return BTVIZ_OK;
	memcpy(&given_size, given, sizeof given_size);
	if (given_size < sizeof given_size || given_size > SIZE_LIMIT)
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"a struct %s does not begin with its size: initialise it with its _INIT macro",
			name);
	for (size_t i = size; i < given_size; i++)
		if (bytes[i] != 0)
			return btvi_fail(err, BTVIZ_ERR_USAGE,
				"a struct %s asks for something that this libbtviz (%s) does not know",
				name, btviz_version());
	memcpy(options, given, given_size < size ? given_size : size);
	memcpy(options, &size, sizeof size);
	return BTVIZ_OK;
}
