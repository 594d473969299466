/* table.c - CSV text (RFC 4180) to labels and values. The text is foreign: every byte of it is
 * checked, and a table that is not wholly right gives nothing. */
#include "judge/table.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/status.h"
#include "base/text.h"
#include "judge/group.h"

enum { COLUMN_MAX = 256, SHOWN_BYTES = 64 };

struct table_reader {
	const char *at, *end;
	size_t line; /* of at, from 1 */
	char *field; /* the last one: quotes undone, spaces around it cut; room for the whole text
		      */
	size_t size;
	bool last; /* it was the last of its record */
};

/* A field as it can be shown in a message. */
struct shown {
	char text[SHOWN_BYTES];
};

static struct shown show(const struct table_reader *r)
{
	struct shown s;

	btvi_text_printable(r->field, r->size, s.text, sizeof s.text);
	return s;
}

static void trim(struct table_reader *r)
{
	size_t start = 0;

	while (r->size > 0 && (r->field[r->size - 1] == ' ' || r->field[r->size - 1] == '\t'))
		r->size--;
	while (start < r->size && (r->field[start] == ' ' || r->field[start] == '\t'))
		start++;
	r->size -= start;
	memmove(r->field, r->field + start, r->size);
	r->field[r->size] = '\0';
}

/* The inside of a quoted field; at is behind its first quote, and then behind its last. */
static enum btviz_status quoted(struct table_reader *r, size_t line, struct btviz_error *err)
{
	for (; r->at < r->end; r->at++) {
		if (*r->at == '"') {
			if (r->end - r->at < 2 || r->at[1] != '"') {
				r->at++;
				return BTVIZ_OK;
			}
			r->at++;
		} else if (*r->at == '\n') {
			r->line++;
		}
		r->field[r->size++] = *r->at;
	}
	return btvi_fail(
		err, BTVIZ_ERR_NOT_A_TRACE, "line %zu: a quote that is never closed", line);
}

static enum btviz_status next_field(struct table_reader *r, struct btviz_error *err)
{
	const size_t line = r->line;

	r->size = 0;
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
		r->at++;
	const bool quote = r->at < r->end && *r->at == '"';
	if (quote) {
		r->at++;
		const enum btviz_status status = quoted(r, line, err);
		if (status != BTVIZ_OK)
			return status;
		while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
			r->at++;
	}
	while (r->at < r->end && *r->at != ',' && *r->at != '\n' &&
		!(*r->at == '\r' && (r->end - r->at < 2 || r->at[1] == '\n'))) {
		if (quote)
			return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
				"line %zu: text behind a closed quote", r->line);
		r->field[r->size++] = *r->at++;
	}
	r->field[r->size] = '\0';
	if (!quote)
		trim(r);
	if (r->at < r->end && *r->at == '\r')
		r->at++;
	r->last = r->at == r->end || *r->at == '\n';
	if (r->at < r->end) {
		r->line += *r->at == '\n';
		r->at++;
	}
	return BTVIZ_OK;
}

/* Skips empty lines and comments. False at the end of the text. */
static bool next_record(struct table_reader *r)
{
	while (r->at < r->end) {
		const size_t rest = (size_t)(r->end - r->at);
		const char *const newline = memchr(r->at, '\n', rest);
		const size_t size = newline ? (size_t)(newline - r->at) : rest;
		size_t blank = 0;

		while (blank < size &&
			(r->at[blank] == ' ' || r->at[blank] == '\t' || r->at[blank] == '\r'))
			blank++;
		if (blank < size && r->at[0] != '#')
			return true;
		r->at += newline ? size + 1 : size;
		r->line++;
	}
	return false;
}

struct header {
	size_t label, value, block; /* which columns those are; block: SIZE_MAX without it */
	size_t columns;
};

static enum btviz_status read_header(
	struct table_reader *r, struct header *ret_h, struct btviz_error *err)
{
	size_t label = SIZE_MAX, value = SIZE_MAX, block = SIZE_MAX, columns = 0;

	for (size_t i = 0; i == 0 || !r->last; i++) {
		const enum btviz_status status = next_field(r, err);

		if (status != BTVIZ_OK)
			return status;
		columns = i + 1;
		if (i == COLUMN_MAX)
			return btvi_fail(err, BTVIZ_ERR_LIMIT, "more than %d columns", COLUMN_MAX);
		size_t *const column = strcasecmp(r->field, "label") == 0 ? &label
			: strcasecmp(r->field, "value") == 0              ? &value
			: strcasecmp(r->field, "block") == 0              ? &block
									  : NULL;
		if (column && *column != SIZE_MAX)
			return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE, "two columns are called '%s'",
				show(r).text);
		if (column)
			*column = i;
	}
	if (label == SIZE_MAX || value == SIZE_MAX)
		return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
			"no column '%s' in its first line: it must name the columns label and value, "
			"with a comma between",
			label == SIZE_MAX ? "label" : "value");
	*ret_h = (struct header){ label, value, block, columns };
	return BTVIZ_OK;
}

/* One record into row, whose label is then allocated. */
static enum btviz_status read_row(struct table_reader *r, const struct header *h,
	struct btvi_table_row *row, struct btviz_error *err)
{
	const size_t line = r->line;
	bool has_value = false;

	for (size_t i = 0; i == 0 || !r->last; i++) {
		const enum btviz_status status = next_field(r, err);

		if (status != BTVIZ_OK)
			return status;
		if (i >= h->columns && r->size > 0)
			return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
				"line %zu: more columns than in the header (a decimal comma? "
				"numbers have a point, texts with commas stand in quotes)",
				line);
		if (i == h->label) {
			if (r->size == 0)
				return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
					"line %zu: the label is empty", line);
			if (r->size >= BTVI_LABEL_BYTES)
				return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
					"line %zu: the label '%s' is too long", line, show(r).text);
			row->label = strdup(r->field);
			if (!row->label)
				return btvi_fail_nomem(err);
		} else if (i == h->block && r->size > 0) {
			row->block = strdup(r->field);
			if (!row->block)
				return btvi_fail_nomem(err);
		} else if (i == h->value) {
			has_value = true;
			row->value = NAN;
			if (r->size > 0 && !btvi_number(r->field, r->size, &row->value))
				return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
					"line %zu: the value '%s' is not a number such as 138 or "
					"69.2",
					line, show(r).text);
		}
	}
	if (!row->label || !has_value)
		return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
			"line %zu: fewer columns than in the header", line);
	return BTVIZ_OK;
}

static enum btviz_status read_rows(
	struct table_reader *r, struct btvi_table *t, struct btviz_error *err)
{
	struct header header = { 0, 0, 0, 0 };
	size_t room = 0;
	enum btviz_status status;

	if (!next_record(r))
		return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
			"it is empty: its first line must name the columns label and value");
	status = read_header(r, &header, err);
	while (status == BTVIZ_OK && next_record(r)) {
		if (t->count == BTVI_GROUP_RUNS_MAX)
			return btvi_fail(err, BTVIZ_ERR_LIMIT, "line %zu: more than %d runs",
				r->line, BTVI_GROUP_RUNS_MAX);
		if (t->count == room) {
			struct btvi_table_row *const grown =
				realloc(t->rows, (2 * room + 16) * sizeof *grown);

			if (!grown)
				return btvi_fail_nomem(err);
			t->rows = grown;
			room = 2 * room + 16;
		}
		t->rows[t->count++] = (struct btvi_table_row){ NULL, NULL, NAN };
		status = read_row(r, &header, &t->rows[t->count - 1], err);
	}
	if (status == BTVIZ_OK && t->count == 0)
		return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE, "there is no run in it");
	return status;
}

enum btviz_status btvi_table_read(
	const char *bytes, size_t size, struct btvi_table *ret_t, struct btviz_error *err)
{
	struct table_reader r = { .at = bytes, .end = bytes + size, .line = 1 };
	struct btvi_table t = { NULL, 0 };
	enum btviz_status status;

	if (memchr(bytes, '\0', size))
		return btvi_fail(
			err, BTVIZ_ERR_NOT_A_TRACE, "it is not text: there is a zero byte in it");
	if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
		r.at += 3; /* the byte order mark that spreadsheets write */
	r.field = malloc(size + 1);
	if (!r.field)
		return btvi_fail_nomem(err);
	status = read_rows(&r, &t, err);
	free(r.field);
	if (status == BTVIZ_OK)
		*ret_t = t;
	else
		btvi_table_done(&t);
	return status;
}

void btvi_table_done(struct btvi_table *t)
{
	for (size_t i = 0; i < t->count; i++) {
		free(t->rows[i].label);
		free(t->rows[i].block);
	}
	free(t->rows);
}
