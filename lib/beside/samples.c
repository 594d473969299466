/* samples.c - NAME.samples.csv to a bounded table in memory. The text may be anything: a line that
 * is not understood is counted and left out. Resampling is in resample.c. */
#include "beside/samples.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "base/text.h"
#include "beside/locate.h"

/* A decimal number without sign or exponent, always with a point. Returns where it ends, or NULL.
 */
static const char *parse_number(const char *p, const char *end, uint64_t *ret_whole, double *ret)
{
	const char *const begin = p;
	uint64_t whole = 0;
	double fraction = 0, scale = 0.1;

	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		const uint64_t digit = (uint64_t)(*p - '0');

		if (whole > (UINT64_MAX - digit) / 10)
			return NULL;
		whole = whole * 10 + digit;
	}
	if (p == begin)
		return NULL;
	if (p < end && *p == '.') {
		for (p++; p < end && *p >= '0' && *p <= '9'; p++, scale /= 10)
			fraction += scale * (*p - '0');
	}
	*ret_whole = whole;
	*ret = (double)whole + fraction;
	return p;
}

/* Levels are the kernel's nr_ figures; two of them only grow in spite of their name. */
static bool grows(const char *name)
{
	return strncmp(name, "nr_", 3) != 0 || strcmp(name, "nr_dirtied") == 0 ||
		strcmp(name, "nr_written") == 0;
}

static enum btviz_status parse_header(
	struct btviz_samples *s, const char *p, const char *end, struct btviz_error *err)
{
	static const char first[] = "time_ns,";
	size_t n = 1;

	if ((size_t)(end - p) < sizeof first || memcmp(p, first, sizeof first - 1) != 0)
		return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
			"no table of samples: the first line does not begin with \"%s\"", first);
	p += sizeof first - 1;
	for (const char *c = p; c < end; c++)
		n += *c == ',';
	if (n > BTVI_SAMPLES_COLUMNS)
		return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE, "table of samples has %zu columns", n);
	s->names = calloc(n, sizeof *s->names);
	s->is_count = calloc(n, sizeof *s->is_count);
	if (!s->names || !s->is_count)
		return btvi_fail_nomem(err);
	while (s->columns < n) {
		const char *comma = memchr(p, ',', (size_t)(end - p));
		const char *const stop = comma ? comma : end;
		char name[64];

		btvi_text_printable(p, (size_t)(stop - p), name, sizeof name);
		s->names[s->columns] = strdup(name);
		if (!s->names[s->columns])
			return btvi_fail_nomem(err);
		s->is_count[s->columns++] = grows(name);
		p = comma ? comma + 1 : end;
	}
	return BTVIZ_OK;
}

/* Room for one more row: grows to the limit, then gives up every second row and keeps every second
 * of those that follow. */
static enum btviz_status make_room(struct btviz_samples *s, struct btviz_error *err)
{
	const size_t limit =
		BTVI_SAMPLES_CELLS / s->columns > 8 ? BTVI_SAMPLES_CELLS / s->columns : 8;
	size_t capacity;
	uint64_t *times;
	double *values;

	if (s->rows < s->capacity)
		return BTVIZ_OK;
	if (s->capacity == limit) {
		for (size_t i = 0; 2 * i < s->rows; i++) {
			s->times_ns[i] = s->times_ns[2 * i];
			memmove(s->values + i * s->columns, s->values + 2 * i * s->columns,
				s->columns * sizeof *s->values);
		}
		s->rows = (s->rows + 1) / 2;
		s->stride *= 2;
		return BTVIZ_OK;
	}
	capacity = s->capacity ? s->capacity * 2 : 64;
	if (capacity > limit)
		capacity = limit;
	times = realloc(s->times_ns, capacity * sizeof *times);
	if (!times)
		return btvi_fail_nomem(err);
	s->times_ns = times;
	values = realloc(s->values, capacity * s->columns * sizeof *values);
	if (!values)
		return btvi_fail_nomem(err);
	s->values = values;
	s->capacity = capacity;
	return BTVIZ_OK;
}

static enum btviz_status parse_row(
	struct btviz_samples *s, const char *p, const char *end, struct btviz_error *err)
{
	enum btviz_status status;
	uint64_t time, whole;
	double unused, *row;

	p = parse_number(p, end, &time, &unused);
	if (!p || (s->has_newest && time <= s->newest_ns))
		goto bad;
	status = make_room(s, err);
	if (status != BTVIZ_OK)
		return status;
	row = s->values + s->rows * s->columns;
	for (size_t i = 0; i < s->columns; i++) {
		if (p == end || *p != ',')
			goto bad;
		p = parse_number(p + 1, end, &whole, row + i);
		if (!p)
			goto bad;
	}
	if (p != end)
		goto bad;
	s->newest_ns = time;
	s->has_newest = true;
	if (s->good_rows++ % s->stride != 0)
		return BTVIZ_OK;
	s->times_ns[s->rows++] = time;
	return BTVIZ_OK;
bad:
	s->bad_rows++;
	return BTVIZ_OK;
}

static enum btviz_status parse_line(
	struct btviz_samples *s, const char *p, size_t size, struct btviz_error *err)
{
	if (size > 0 && p[size - 1] == '\r')
		size--;
	if (s->columns == 0)
		return parse_header(s, p, p + size, err);
	return size == 0 ? BTVIZ_OK : parse_row(s, p, p + size, err);
}

/* Takes the whole lines of text; *ret_used bytes are behind them. What is left without a line's end
 * is either not all read yet, or was torn when the recorder died. */
static enum btviz_status take_lines(struct btviz_samples *s, const char *text, size_t size,
	size_t *ret_used, struct btviz_error *err)
{
	size_t used = 0;

	while (used < size) {
		const char *nl = memchr(text + used, '\n', size - used);
		enum btviz_status status;

		if (!nl)
			break;
		status = parse_line(s, text + used, (size_t)(nl - text) - used, err);
		if (status != BTVIZ_OK)
			return status;
		used = (size_t)(nl - text) + 1;
	}
	*ret_used = used;
	return BTVIZ_OK;
}

static struct btviz_samples *samples_new(void)
{
	struct btviz_samples *s = calloc(1, sizeof *s);

	if (s)
		s->stride = 1;
	return s;
}

void btviz_samples_close(struct btviz_samples *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->columns; i++)
		free(s->names[i]);
	free(s->names);
	free(s->is_count);
	free(s->times_ns);
	free(s->values);
	free(s);
}

static enum btviz_status finish(struct btviz_samples *s, enum btviz_status status, size_t left,
	struct btviz_samples **ret_s, struct btviz_error *err)
{
	if (status == BTVIZ_OK && s->columns == 0)
		status =
			btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE, "no table of samples: no first line");
	if (status != BTVIZ_OK) {
		btviz_samples_close(s);
		return status;
	}
	s->bad_rows += left > 0;
	*ret_s = s;
	return BTVIZ_OK;
}

enum btviz_status btviz_samples_parse(
	const char *text, size_t size, struct btviz_samples **ret_s, struct btviz_error *err)
{
	struct btviz_samples *s = samples_new();
	enum btviz_status status;
	size_t used = 0;

	if (!s)
		return btvi_fail_nomem(err);
	status = take_lines(s, text, size, &used, err);
	return finish(s, status, size - used, ret_s, err);
}

/* Reads fd piece by piece; a line that does not fit into the buffer is no line of ours. */
static enum btviz_status read_lines(
	struct btviz_samples *s, int fd, char *buffer, size_t *ret_left, struct btviz_error *err)
{
	size_t have = 0;
	bool too_long = false;

	for (;;) {
		const ssize_t n = read(fd, buffer + have, BTVI_SAMPLES_LINE - have);
		enum btviz_status status;
		size_t used = 0;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return btvi_fail_errno(err, errno, "cannot read the samples");
		if (n == 0)
			break;
		have += (size_t)n;
		if (too_long) {
			const char *nl = memchr(buffer, '\n', have);

			used = nl ? (size_t)(nl - buffer) + 1 : have;
			too_long = !nl;
			memmove(buffer, buffer + used, have - used);
			have -= used;
		}
		status = take_lines(s, buffer, have, &used, err);
		if (status != BTVIZ_OK)
			return status;
		memmove(buffer, buffer + used, have - used);
		have -= used;
		if (have == BTVI_SAMPLES_LINE) {
			if (s->columns == 0)
				return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
					"no table of samples: the first line has no end");
			s->bad_rows++;
			too_long = true;
			have = 0;
		}
	}
	*ret_left = too_long ? 0 : have;
	return BTVIZ_OK;
}

enum btviz_status btviz_samples_open(
	const char *name, const char *dir, struct btviz_samples **ret_s, struct btviz_error *err)
{
	struct btviz_samples *s = NULL;
	enum btviz_status status;
	char *path = NULL, *buffer = NULL;
	size_t left = 0;
	int fd = -1;

	status = btvi_locate(name, dir, ".samples.csv", &path, err);
	if (status != BTVIZ_OK)
		return status;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		status = btvi_fail_errno(err, errno, "cannot open %s", path);
		free(path);
		return status;
	}
	s = samples_new();
	buffer = malloc(BTVI_SAMPLES_LINE);
	if (!s || !buffer) {
		btviz_samples_close(s);
		status = btvi_fail_nomem(err);
	} else {
		status = read_lines(s, fd, buffer, &left, err);
		status = finish(s, status, left, ret_s, err);
		if (status != BTVIZ_OK)
			btvi_error_where(err, path, 0);
	}
	close(fd);
	free(buffer);
	free(path);
	return status;
}

size_t btviz_samples_row_count(const struct btviz_samples *s)
{
	return s->rows;
}

size_t btviz_samples_bad_rows(const struct btviz_samples *s)
{
	return s->bad_rows;
}

void btviz_samples_span(
	const struct btviz_samples *s, uint64_t *ret_first_ns, uint64_t *ret_last_ns)
{
	*ret_first_ns = s->rows ? s->times_ns[0] : 0;
	*ret_last_ns = s->rows ? s->times_ns[s->rows - 1] : 0;
}

size_t btviz_samples_column_count(const struct btviz_samples *s)
{
	return s->columns;
}

const char *btviz_samples_column_name(const struct btviz_samples *s, size_t column)
{
	return column < s->columns ? s->names[column] : NULL;
}

bool btviz_samples_column_is_count(const struct btviz_samples *s, size_t column)
{
	return column < s->columns && s->is_count[column];
}

ptrdiff_t btviz_samples_column_find(const struct btviz_samples *s, const char *name)
{
	for (size_t i = 0; i < s->columns; i++)
		if (strcmp(s->names[i], name) == 0)
			return (ptrdiff_t)i;
	return -1;
}
