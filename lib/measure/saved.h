/* measure/saved.h - summaries from the files that btviz_summary_save() wrote. */
#ifndef BTVI_MEASURE_SAVED_H
#define BTVI_MEASURE_SAVED_H

#include <stdbool.h>

#include <btviz/summary.h>

/* Whether NAME, below dir if it is relative and dir is not NULL, is a regular file of JSON,
 * compressed or not, which a trace cannot be. */
bool btvi_saved_recognises(const char *name, const char *dir);

/* The summary in such a file, with the options it was made with. Of options, devices and the gap
 * threshold apply; a window or a seek distance other than its own cannot be had any more. BTVIZ_OK,
 * BTVIZ_ERR_NOT_A_TRACE (no saved summary, or a damaged one), BTVIZ_ERR_VERSION, BTVIZ_ERR_USAGE
 * (such an option), BTVIZ_ERR_LIMIT, BTVIZ_ERR_IO, BTVIZ_ERR_NOMEM. */
enum btviz_status btvi_saved_load(const char *name, const char *dir,
	const struct btviz_summary_options *options, struct btviz_summary **ret_s,
	struct btviz_error *err);

#endif
