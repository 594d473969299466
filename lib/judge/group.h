/* judge/group.h - the runs of one label, and what a label says: a name, a number, or both. */
#ifndef BTVI_JUDGE_GROUP_H
#define BTVI_JUDGE_GROUP_H

#include <stdbool.h>
#include <stddef.h>

#include <btviz/compare.h>
#include <btviz/status.h>

enum {
	BTVI_LABEL_BYTES = 256, /* of a label or a run's name, with its NUL */
	BTVI_LABEL_MAX = 1000,
	BTVI_GROUP_RUNS_MAX = 100000, /* all labels together */
};

struct btvi_group {
	char label[BTVI_LABEL_BYTES];
	char series[BTVI_LABEL_BYTES];
	bool numbered;  /* the label is NUMBER or NAME@NUMBER */
	bool in_series; /* it is NAME@NUMBER */
	double number;
	double *values; /* as added, NaN for unknown */
	double *known;  /* those that are not */
	char **names;
	char **blocks; /* NULL: of a block of its own */
	double *times; /* s on any clock; NaN: not known */
	bool has_blocks;
	char note[400];  /* what is odd about its runs */
	char power[200]; /* what a good verdict would miss */
	size_t count, known_count, room;
	char doubt[BTVI_LABEL_BYTES]; /* why it cannot be compared, or "" */
	bool doubt_always;            /* whatever the verdict, not only a good one */
	char reason[640];
};

/* Sets the label and takes it apart. */
void btvi_group_init(struct btvi_group *g, const char *label);
void btvi_group_done(struct btvi_group *g);
enum btviz_status btvi_group_add(
	struct btvi_group *g, const struct btviz_comparison_run *run, struct btviz_error *err);

/* A decimal number and nothing else, with a point whatever the locale: not "inf", not "0x10". False
 * if text[0..size) is none, or too large. */
bool btvi_number(const char *text, size_t size, double *ret_x);

#endif
