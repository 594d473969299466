/* group.c - the runs of one label, and what a label says. Knows no rule. */
#include "judge/group.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"

#define NUMBER_MAX 1e100

static size_t digits(const char *text, size_t size, size_t at)
{
	size_t n = 0;

	while (at + n < size && text[at + n] >= '0' && text[at + n] <= '9')
		n++;
	return n;
}

/* [+-] digits [. digits] [e [+-] digits], where one of the first two digits may be missing. */
static bool is_number(const char *text, size_t size)
{
	size_t at = size > 0 && (text[0] == '+' || text[0] == '-') ? 1 : 0;
	const size_t whole = digits(text, size, at);
	size_t part = 0;

	at += whole;
	if (at < size && text[at] == '.') {
		part = digits(text, size, at + 1);
		at += 1 + part;
	}
	if (whole + part == 0)
		return false;
	if (at < size && (text[at] == 'e' || text[at] == 'E')) {
		at++;
		if (at < size && (text[at] == '+' || text[at] == '-'))
			at++;
		const size_t power = digits(text, size, at);
		if (power == 0)
			return false;
		at += power;
	}
	return at == size;
}

bool btvi_number(const char *text, size_t size, double *ret_x)
{
	char copy[64];

	if (size >= sizeof copy || !is_number(text, size))
		return false;
	memcpy(copy, text, size);
	copy[size] = '\0';

	/* The locale is the program's, the point is ours. */
	const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (c == (locale_t)0)
		return false;
	const double x = strtod_l(copy, NULL, c);
	freelocale(c);
	/* Sums of squares must stay numbers, and nothing is so large. */
	if (!(fabs(x) <= NUMBER_MAX))
		return false;
	*ret_x = x;
	return true;
}

void btvi_group_init(struct btvi_group *g, const char *label)
{
	*g = (struct btvi_group){ .number = NAN };
	btvi_text_printable(label, strlen(label), g->label, sizeof g->label);

	const char *const at = strrchr(g->label, '@');
	if (at && at != g->label && btvi_number(at + 1, strlen(at + 1), &g->number)) {
		g->numbered = g->in_series = true;
		memcpy(g->series, g->label, (size_t)(at - g->label));
	} else {
		g->numbered = btvi_number(g->label, strlen(g->label), &g->number);
	}
}

void btvi_group_done(struct btvi_group *g)
{
	for (size_t i = 0; i < g->count; i++)
		free(g->names[i]);
	for (size_t i = 0; i < g->count; i++)
		free(g->blocks[i]);
	free(g->names);
	free(g->blocks);
	free(g->times);
	free(g->values);
	free(g->known);
}

static enum btviz_status more_room(struct btvi_group *g, struct btviz_error *err)
{
	const size_t room = g->room > 0 ? 2 * g->room : 8;
	double *const values = realloc(g->values, room * sizeof *values);

	if (values)
		g->values = values;
	double *const known = realloc(g->known, room * sizeof *known);
	if (known)
		g->known = known;
	char **const names = realloc(g->names, room * sizeof *names);
	if (names)
		g->names = names;
	char **const blocks = realloc(g->blocks, room * sizeof *blocks);
	if (blocks)
		g->blocks = blocks;
	double *const times = realloc(g->times, room * sizeof *times);
	if (times)
		g->times = times;
	if (!values || !known || !names || !blocks || !times)
		return btvi_fail_nomem(err);
	g->room = room;
	return BTVIZ_OK;
}

enum btviz_status btvi_group_add(
	struct btvi_group *g, const struct btviz_comparison_run *run, struct btviz_error *err)
{
	const char *const name = run->name ? run->name : "";
	char shown[BTVI_LABEL_BYTES];
	enum btviz_status status;

	if (g->count == g->room) {
		status = more_room(g, err);
		if (status != BTVIZ_OK)
			return status;
	}
	btvi_text_printable(name, strlen(name), shown, sizeof shown);
	g->names[g->count] = strdup(shown);
	if (!g->names[g->count])
		return btvi_fail_nomem(err);
	g->blocks[g->count] = run->block && run->block[0] ? strdup(run->block) : NULL;
	if (run->block && run->block[0] && !g->blocks[g->count]) {
		free(g->names[g->count]);
		return btvi_fail_nomem(err);
	}
	g->has_blocks = g->has_blocks || g->blocks[g->count];
	g->times[g->count] = run->time_s > 0 ? run->time_s : NAN;
	g->values[g->count++] = run->value;
	if (!isnan(run->value))
		g->known[g->known_count++] = run->value;
	return BTVIZ_OK;
}
