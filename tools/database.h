/* database.h - a run as tables of SQLite: each I/O, and what the summary says of the run. */
#ifndef BTVIZ_TOOLS_DATABASE_H
#define BTVIZ_TOOLS_DATABASE_H

#include <stdbool.h>

#include <btviz/finding.h>
#include <btviz/io.h>
#include <btviz/summary.h>

#include "ios_print.h"

struct database;

/* Whether the program was built with SQLite; says so if not. */
bool database_is_there(void);

/* Begins a database, in a file without a name in the directory of path. NULL after saying what is
 * wrong. */
struct database *database_new(const char *path);

/* A row of ios. Errors are kept until database_write(). */
void database_add_io(struct database *d, const struct btviz_io *io, const struct io_context *c);

/* Rows of devices, processes, gaps and findings. */
void database_add_run(
	struct database *d, const struct btviz_figures *f, const struct btviz_findings *findings);

/* Ends it and writes it into the descriptor. False after saying what is wrong. */
bool database_write(struct database *d, int fd);
void database_free(struct database *d);

#endif
