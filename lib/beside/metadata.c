/* metadata.c - reads NAME.btviz.json. The file may come from anybody: every value is checked for
 * its kind, text is made printable, numbers of devices and members are bounded. */
#include "beside/metadata.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <btviz/event.h>
#include <jansson.h>

#include "base/limits.h"
#include "base/status.h"
#include "base/text.h"
#include "base/control.h"
#include "beside/locate.h"

struct btviz_metadata {
	struct btviz_metadata_run run;
	struct btviz_metadata_device *devices;
	size_t device_count;
	char **texts; /* every string that is handed out */
	size_t text_count, text_capacity;
	bool no_memory;
};

/* Keeps a printable copy; "" where there is no memory (noted) or no text. */
static const char *keep(struct btviz_metadata *m, const char *text, size_t size)
{
	char *copy;

	if (!text || size == 0)
		return "";
	if (m->text_count == m->text_capacity) {
		const size_t n = m->text_capacity ? m->text_capacity * 2 : 64;
		char **texts = realloc(m->texts, n * sizeof *texts);

		if (!texts) {
			m->no_memory = true;
			return "";
		}
		m->texts = texts;
		m->text_capacity = n;
	}
	/* A bad byte becomes three. */
	copy = malloc(size * 3 + 1);
	if (!copy) {
		m->no_memory = true;
		return "";
	}
	btvi_text_printable(text, size, copy, size * 3 + 1);
	m->texts[m->text_count++] = copy;
	return copy;
}

static const char *get_text(struct btviz_metadata *m, const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);
	const size_t size = json_string_length(v);

	return keep(m, json_string_value(v), size < BTVI_COMMAND_BYTES ? size : BTVI_COMMAND_BYTES);
}

static uint64_t get_count(const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);
	const json_int_t n = json_integer_value(v);

	return json_is_integer(v) && n > 0 ? (uint64_t)n : 0;
}

static double get_seconds(const json_t *object, const char *key)
{
	const double n = json_number_value(json_object_get(object, key));

	return n > 0 && n < 1e12 ? n : 0;
}

/* "9:0" (or the kernel's "9,0") to a device number; 0 where it is none. */
static uint32_t parse_dev(const json_t *v)
{
	const char *p = json_string_value(v);
	uint32_t part[2] = { 0, 0 };

	for (int i = 0; p && i < 2; i++) {
		const char *const begin = p;

		for (; *p >= '0' && *p <= '9' && part[i] <= 0xfffff; p++)
			part[i] = part[i] * 10 + (uint32_t)(*p - '0');
		if (p == begin || (i == 0 ? *p != ':' && *p != ',' : *p != '\0'))
			return 0;
		p++;
	}
	return p && part[0] <= 0xfff && part[1] <= 0xfffff ? BTVIZ_DEVICE(part[0], part[1]) : 0;
}

/* The words of the command as a shell would take them. */
static const char *get_command(struct btviz_metadata *m, const json_t *argv)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "%+,-./:=@_^";
	char out[BTVI_COMMAND_BYTES];
	const char *const first = json_string_value(json_array_get(argv, 0));
	const char *const flag = json_string_value(json_array_get(argv, 1));
	const json_t *const shell = json_array_get(argv, 2);
	size_t n = 0;

	/* What was typed for a shell is shown as it was typed. */
	if (json_array_size(argv) == 3 && first && flag && json_is_string(shell) &&
		strcmp(first, "sh") == 0 && strcmp(flag, "-c") == 0) {
		n = json_string_length(shell);
		return keep(m, json_string_value(shell), n < sizeof out ? n : sizeof out);
	}
	for (size_t i = 0; i < json_array_size(argv); i++) {
		const char *word = json_string_value(json_array_get(argv, i));
		bool quote;

		if (!word || n + 4 >= sizeof out)
			break;
		quote = word[0] == '\0' || word[strspn(word, plain)] != '\0';
		if (i > 0)
			out[n++] = ' ';
		if (quote)
			out[n++] = '\'';
		for (; *word && n + 6 < sizeof out; word++) {
			if (*word == '\'') {
				/* The text is ended below.
				 * NOLINTNEXTLINE(bugprone-not-null-terminated-result) */
				memcpy(out + n, "'\\''", 4);
				n += 4;
			} else {
				out[n++] = *word;
			}
		}
		if (quote)
			out[n++] = '\'';
	}
	return keep(m, out, n);
}

static bool has_word(const json_t *array, const char *word)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *v = json_string_value(json_array_get(array, i));

		if (v && strcmp(v, word) == 0)
			return true;
	}
	return false;
}

static void read_run(struct btviz_metadata *m, const json_t *root)
{
	struct btviz_metadata_run *run = &m->run;
	const json_t *const status = json_object_get(root, "exit_status");
	const json_t *const resources = json_object_get(root, "resources");

	run->command = get_command(m, json_object_get(root, "command"));
	run->kernel = get_text(m, root, "kernel");
	run->host = get_text(m, root, "host");
	run->backend = get_text(m, root, "backend");
	run->wall_start = get_text(m, root, "wall_start");
	run->start_ns = get_count(root, "start_ns");
	run->end_ns = get_count(root, "end_ns");
	run->events = get_count(root, "events");
	run->lost_events = get_count(root, "lost_events");
	run->user_s = get_seconds(resources, "user_s");
	run->system_s = get_seconds(resources, "system_s");
	if (json_is_integer(status) && json_integer_value(status) >= 0 &&
		json_integer_value(status) <= 255) {
		run->has_exit_status = true;
		run->exit_status = (int)json_integer_value(status);
	}
	if (!json_is_true(json_object_get(root, "finished")))
		run->flags |= BTVIZ_META_UNFINISHED;
	if (has_word(json_object_get(root, "flags"), "fua-missing"))
		run->flags |= BTVIZ_META_FUA_MISSING;
}

static void read_device(
	struct btviz_metadata *m, struct btviz_metadata_device *d, const json_t *object)
{
	const json_t *const members = json_object_get(object, "members");
	size_t n = json_array_size(members);
	uint32_t *numbers;

	d->device = parse_dev(json_object_get(object, "dev"));
	d->disk = parse_dev(json_object_get(object, "disk"));
	d->name = get_text(m, object, "name");
	d->label = get_text(m, object, "label");
	d->level = get_text(m, object, "level");
	d->size_bytes = get_count(object, "size_bytes");
	d->start_sector = get_count(object, "start_sector");
	d->chunk_bytes = get_count(object, "chunk_bytes");
	d->traced = !json_is_false(json_object_get(object, "traced"));
	if (n > BTVI_MEMBER_MAX)
		n = BTVI_MEMBER_MAX;
	if (n == 0)
		return;
	numbers = calloc(n, sizeof *numbers);
	if (!numbers) {
		m->no_memory = true;
		return;
	}
	d->members = numbers;
	for (size_t i = 0; i < n; i++) {
		const uint32_t number = parse_dev(json_array_get(members, i));

		if (number != 0)
			numbers[d->member_count++] = number;
	}
}

void btviz_metadata_close(struct btviz_metadata *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->device_count; i++)
		free((void *)m->devices[i].members);
	for (size_t i = 0; i < m->text_count; i++)
		free(m->texts[i]);
	free(m->devices);
	free(m->texts);
	free(m);
}

static enum btviz_status read_root(
	const json_t *root, struct btviz_metadata **ret_m, struct btviz_error *err)
{
	const char *const schema = json_string_value(json_object_get(root, "schema"));
	const json_t *const devices = json_object_get(root, "devices");
	const size_t n = json_array_size(devices);
	struct btviz_metadata *m;

	if (!schema || strncmp(schema, "btviz.metadata/", 15) != 0)
		return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
			"no metadata of a recording: \"schema\" is not \"%s\"",
			BTVI_METADATA_SCHEMA);
	if (strcmp(schema, BTVI_METADATA_SCHEMA) != 0)
		return btvi_fail(err, BTVIZ_ERR_VERSION,
			"metadata of a recording in the form \"%.40s\", known is \"%s\"", schema,
			BTVI_METADATA_SCHEMA);
	if (n > BTVI_DEVICE_MAX)
		return btvi_fail(err, BTVIZ_ERR_LIMIT,
			"metadata of a recording name %zu devices, at most %d are read", n,
			BTVI_DEVICE_MAX);
	m = calloc(1, sizeof *m);
	if (!m)
		return btvi_fail_nomem(err);
	m->devices = calloc(n ? n : 1, sizeof *m->devices);
	if (!m->devices) {
		btviz_metadata_close(m);
		return btvi_fail_nomem(err);
	}
	read_run(m, root);
	for (size_t i = 0; i < n; i++) {
		struct btviz_metadata_device *d = &m->devices[m->device_count];

		read_device(m, d, json_array_get(devices, i));
		if (d->device != 0 && d->name[0] != '\0') {
			m->device_count++;
		} else {
			free((void *)d->members);
			*d = (struct btviz_metadata_device){ 0 };
		}
	}
	if (m->no_memory) {
		btviz_metadata_close(m);
		return btvi_fail_nomem(err);
	}
	*ret_m = m;
	return BTVIZ_OK;
}

enum btviz_status btviz_metadata_parse(
	const char *text, size_t size, struct btviz_metadata **ret_m, struct btviz_error *err)
{
	json_error_t where;
	json_t *root;
	enum btviz_status status;

	if (size > BTVI_METADATA_BYTES)
		return btvi_fail(
			err, BTVIZ_ERR_LIMIT, "metadata of a recording has %zu bytes", size);
	root = json_loadb(text, size, 0, &where);
	if (!root)
		return btvi_fail(err, BTVIZ_ERR_NOT_A_TRACE,
			"no metadata of a recording: line %d: %s", where.line, where.text);
	status = read_root(root, ret_m, err);
	json_decref(root);
	return status;
}

enum btviz_status btvi_metadata_load(
	const char *path, struct btviz_metadata **ret_m, struct btviz_error *err)
{
	size_t size;
	char *text = btvi_control_text(path, "", BTVI_METADATA_BYTES, &size);
	enum btviz_status status;

	if (!text)
		return btvi_fail_errno(err, errno, "cannot read %s", path);
	status = btviz_metadata_parse(text, size, ret_m, err);
	if (status != BTVIZ_OK)
		btvi_error_where(err, path, 0);
	free(text);
	return status;
}

enum btviz_status btviz_metadata_open(
	const char *name, const char *dir, struct btviz_metadata **ret_m, struct btviz_error *err)
{
	char *path;
	enum btviz_status status;

	status = btvi_locate(name, dir, ".btviz.json", &path, err);
	if (status != BTVIZ_OK)
		return status;
	status = btvi_metadata_load(path, ret_m, err);
	free(path);
	return status;
}

const struct btviz_metadata_run *btviz_metadata_run(const struct btviz_metadata *m)
{
	return &m->run;
}

size_t btviz_metadata_device_count(const struct btviz_metadata *m)
{
	return m->device_count;
}

const struct btviz_metadata_device *btviz_metadata_device(const struct btviz_metadata *m, size_t i)
{
	return i < m->device_count ? &m->devices[i] : NULL;
}

const struct btviz_metadata_device *btviz_metadata_find(
	const struct btviz_metadata *m, uint32_t device)
{
	for (size_t i = 0; i < m->device_count; i++)
		if (m->devices[i].device == device)
			return &m->devices[i];
	return NULL;
}
