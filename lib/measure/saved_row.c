/* saved_row.c - rows of numbers as text, and back. The text may be anybody's. */
#include "measure/saved_row.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(struct btvi_row_writer *w)
{
	char text[48];
	const char *const blank = w->size > 0 ? " " : "";
	int n;

	if (w->repeats == 1)
		n = snprintf(text, sizeof text, "%s%" PRIu64, blank, w->value);
	else
		n = snprintf(
			text, sizeof text, "%s%" PRIu64 "*%" PRIu64, blank, w->value, w->repeats);
	if (w->size + (size_t)n >= w->room) {
		const size_t room = 2 * w->room + sizeof text;
		char *const grown = realloc(w->text, room);

		if (!grown) {
			w->failed = true;
			return;
		}
		w->text = grown;
		w->room = room;
	}
	memcpy(w->text + w->size, text, (size_t)n + 1);
	w->size += (size_t)n;
}

void btvi_row_put(struct btvi_row_writer *w, uint64_t value)
{
	if (w->repeats > 0 && w->value == value) {
		w->repeats++;
		return;
	}
	if (w->repeats > 0 && !w->failed)
		append(w);
	w->value = value;
	w->repeats = 1;
}

bool btvi_row_end(struct btvi_row_writer *w)
{
	if (w->repeats > 0 && !w->failed)
		append(w);
	w->repeats = 0;
	if (!w->text && !w->failed) {
		w->text = calloc(1, 1);
		w->failed = !w->text;
	}
	return !w->failed;
}

/* A decimal number without sign and without needless zeros. */
static bool number(struct btvi_row_reader *r, uint64_t *ret_value)
{
	const char *const start = r->at;
	uint64_t value = 0;

	while (r->at < r->end && *r->at >= '0' && *r->at <= '9') {
		const uint64_t digit = (uint64_t)(*r->at - '0');

		if (value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
		r->at++;
	}
	*ret_value = value;
	return r->at > start && (*start != '0' || r->at - start == 1);
}

bool btvi_row_get(struct btvi_row_reader *r, uint64_t *ret_value)
{
	if (r->repeats == 0) {
		const char *const start = r->at;

		if (r->at == r->end || !number(r, &r->value)) {
			r->at = start;
			return false;
		}
		r->repeats = 1;
		if (r->at < r->end && *r->at == '*') {
			r->at++;
			if (!number(r, &r->repeats) || r->repeats == 0) {
				r->repeats = 0;
				r->at = start;
				return false;
			}
		}
		if (r->at < r->end && (*r->at != ' ' || ++r->at == r->end)) {
			r->repeats = 0;
			r->at = start;
			return false;
		}
	}
	r->repeats--;
	*ret_value = r->value;
	return true;
}

bool btvi_row_is_over(const struct btvi_row_reader *r)
{
	return r->at == r->end && r->repeats == 0;
}
