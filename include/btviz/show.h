/* show.h - runs as text: a quick look in a terminal.
 *
 * Throughput, members and gaps over time as blocks of characters, with the findings and the longest
 * gaps in words. It is UTF-8, or plain ASCII, with or without colours (ECMA-48's, of 256). All runs
 * have the same scales. What comes from traces and options is made printable first. */
#ifndef BTVIZ_SHOW_H
#define BTVIZ_SHOW_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/plot.h>
#include <btviz/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct btviz_show_options {
	size_t size;      /* = sizeof of this struct, set by BTVIZ_SHOW_OPTIONS_INIT */
	unsigned columns; /* of the terminal, 30 to 400; 0: 80 */
	bool ascii;       /* nothing but ASCII */
	bool color;
	bool no_reads, no_writes;
};
#define BTVIZ_SHOW_OPTIONS_INIT                                                  \
	{                                                                        \
		sizeof(struct btviz_show_options), 0, false, false, false, false \
	}

/* Shows the runs, one below the other. No line is wider than options->columns. *ret_text is the
 * caller's; free it with free(). options may be NULL. BTVIZ_OK, BTVIZ_ERR_USAGE (no run, options
 * that make no sense), BTVIZ_ERR_EMPTY, BTVIZ_ERR_LIMIT (too many runs), BTVIZ_ERR_NOMEM. Since
 * 0.1. */
BTVIZ_EXPORT enum btviz_status btviz_show_text(const struct btviz_run *runs, size_t run_count,
	const struct btviz_show_options *options, char **ret_text, struct btviz_error *err);

#ifdef __cplusplus
}
#endif
#endif
