/* metadata_write.c - writes NAME.btviz.json. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <btviz/event.h>
#include <jansson.h>

#include "base/output.h"
#include "base/status.h"
#include "base/text.h"
#include "record/metadata_write.h"

#include "beside/metadata.h"

/* Foreign text as JSON; never NULL text, jansson takes valid UTF-8 only. */
static json_t *text_json(const char *text)
{
	const size_t size = strlen(text);
	char *printable = malloc(size * 3 + 1);
	json_t *v = NULL;

	if (printable) {
		btvi_text_printable(text, size, printable, size * 3 + 1);
		v = json_string(printable);
		free(printable);
	}
	return v;
}

static json_t *dev_json(uint32_t number)
{
	return json_sprintf("%u:%u", BTVIZ_MAJOR(number), BTVIZ_MINOR(number));
}

static json_t *count_json(uint64_t n)
{
	return json_integer(n <= INT64_MAX ? (json_int_t)n : INT64_MAX);
}

/* Seconds with few digits: 17 of them say nothing that ten do not. */
static json_t *seconds_json(double s)
{
	return json_real((double)(int64_t)(s * 1e6 + 0.5) / 1e6);
}

static json_t *device_json(const struct btvi_block_device *d)
{
	json_t *const o = json_object();
	json_t *const members = json_array();

	json_object_set_new(o, "name", text_json(d->name));
	json_object_set_new(o, "dev", dev_json(d->number));
	json_object_set_new(o, "size_bytes", count_json(d->size_bytes));
	json_object_set_new(o, "traced", json_boolean(d->traced));
	if (d->label[0])
		json_object_set_new(o, "label", text_json(d->label));
	if (d->disk) {
		json_object_set_new(o, "disk", dev_json(d->disk));
		json_object_set_new(o, "start_sector", count_json(d->start_sector));
	}
	if (d->level[0])
		json_object_set_new(o, "level", text_json(d->level));
	if (d->chunk_bytes)
		json_object_set_new(o, "chunk_bytes", count_json(d->chunk_bytes));
	for (size_t i = 0; i < d->member_count; i++)
		json_array_append_new(members, dev_json(d->members[i]));
	json_object_set_new(o, "members", members);
	return o;
}

static json_t *wall_json(uint64_t wall_ns)
{
	const time_t sec = (time_t)(wall_ns / 1000000000);
	struct tm tm;
	char text[32];

	if (wall_ns == 0 || !gmtime_r(&sec, &tm) ||
		strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		return json_null();
	return json_sprintf("%s.%06uZ", text, (unsigned)(wall_ns % 1000000000 / 1000));
}

static void add_run(json_t *root, const struct btvi_metadata_out *out)
{
	json_t *const flags = json_array();
	json_t *command = json_null();

	json_object_set_new(root, "schema", json_string(BTVI_METADATA_SCHEMA));
	json_object_set_new(root, "generator", json_sprintf("btviz %s", btviz_version()));
	json_object_set_new(root, "finished", json_boolean(out->finished));
	json_object_set_new(root, "backend", json_string(out->backend));
	json_object_set_new(root, "kernel", text_json(out->kernel));
	json_object_set_new(root, "host", text_json(out->host));
	if (out->argv) {
		command = json_array();
		for (size_t i = 0; out->argv[i]; i++)
			json_array_append_new(command, text_json(out->argv[i]));
	}
	json_object_set_new(root, "command", command);
	json_object_set_new(root, "exit_status",
		out->has_exit_status ? json_integer(out->exit_status) : json_null());
	json_object_set_new(root, "clock", json_string("monotonic"));
	json_object_set_new(root, "start_ns", count_json(out->start_ns));
	json_object_set_new(root, "end_ns", out->finished ? count_json(out->end_ns) : json_null());
	json_object_set_new(root, "elapsed_s",
		out->finished ? seconds_json((double)(out->end_ns - out->start_ns) / 1e9)
			      : json_null());
	json_object_set_new(root, "wall_start", wall_json(out->wall_start_ns));
	if (out->fua_missing)
		json_array_append_new(flags, json_string("fua-missing"));
	json_object_set_new(root, "flags", flags);
}

static void add_figures(json_t *root, const struct btvi_metadata_out *out)
{
	json_t *const resources = json_object();
	json_t *const recorder = json_object();
	json_t *const losses = json_array();

	json_object_set_new(root, "record_version", json_integer(out->record_version));
	json_object_set_new(root, "events", count_json(out->events));
	json_object_set_new(root, "lost_events", count_json(out->lost_events));
	for (size_t i = 0; out->cpu_lost && i < out->cpu_count; i++)
		if (out->cpu_lost[i] > 0)
			json_array_append_new(losses,
				json_pack("{s:i, s:I}", "cpu", (int)i, "events",
					(json_int_t)out->cpu_lost[i]));
	json_object_set_new(root, "losses", losses);
	json_object_set_new(root, "bytes", count_json(out->bytes));
	if (out->has_exit_status) {
		json_object_set_new(resources, "user_s", seconds_json(out->user_s));
		json_object_set_new(resources, "system_s", seconds_json(out->system_s));
		json_object_set_new(resources, "max_rss_bytes", count_json(out->max_rss_bytes));
	}
	json_object_set_new(root, "resources", resources);
	json_object_set_new(recorder, "cpu_s", seconds_json(out->recorder_cpu_s));
	json_object_set_new(recorder, "wakeups", count_json(out->recorder_wakeups));
	json_object_set_new(recorder, "buffer_kb", count_json(out->buffer_kb));
	json_object_set_new(recorder, "sample_interval_s",
		out->sample_interval_ns ? seconds_json((double)out->sample_interval_ns / 1e9)
					: json_null());
	json_object_set_new(root, "recorder", recorder);
}

enum btviz_status btvi_metadata_write(
	const char *path, const struct btvi_metadata_out *out, struct btviz_error *err)
{
	json_t *const root = json_object();
	json_t *const devices = json_array();
	enum btviz_status status;
	char *text;

	add_run(root, out);
	if (out->finished)
		add_figures(root, out);
	for (size_t i = 0; i < out->devices->count; i++)
		json_array_append_new(devices, device_json(&out->devices->list[i]));
	json_object_set_new(root, "devices", devices);
	text = json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));
	json_decref(root);
	if (!text)
		return btvi_fail_nomem(err);
	status = btvi_output_record(text, strlen(text), path, err);
	free(text);
	return status;
}
