/* summary.c - takes events to the devices they belong to; merges runs. */
#include "measure/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_struct.h"
#include "base/status.h"
#include "base/text.h"
#include "measure/fields.h"
#include "trace/health.h"

enum { BUCKETS = 4096, MAP_COLUMNS = 1024, MAP_ROWS = 512 };

static bool is_power_of_two(unsigned n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

static enum btviz_status copy_filter(struct btviz_summary *s)
{
	const size_t n = s->options.device_count;

	if (n == 0)
		return BTVIZ_OK;
	s->filter = calloc(n, sizeof *s->filter);
	if (!s->filter)
		return BTVIZ_ERR_NOMEM;
	for (size_t i = 0; i < n; i++) {
		const char *name = s->options.devices[i];

		s->filter[i] = strdup(strncmp(name, "/dev/", 5) == 0 ? name + 5 : name);
		if (!s->filter[i])
			return BTVIZ_ERR_NOMEM;
	}
	s->options.devices = (const char *const *)s->filter;
	return BTVIZ_OK;
}

enum btviz_status btvi_summary_options(const struct btviz_summary_options *given,
	struct btviz_summary_options *ret_o, struct btviz_error *err)
{
	*ret_o = (struct btviz_summary_options)BTVIZ_SUMMARY_OPTIONS_INIT;
	return btvi_options_take(ret_o, sizeof *ret_o, given, "btviz_summary_options", err);
}

enum btviz_status btviz_summary_new(const struct btviz_summary_options *options,
	struct btviz_summary **ret_s, struct btviz_error *err)
{
	struct btviz_summary_options taken, *const o = &taken;
	struct btviz_summary *s;

	if (btvi_summary_options(options, o, err) != BTVIZ_OK)
		return BTVIZ_ERR_USAGE;
	if ((o->map_columns &&
		    (!is_power_of_two(o->map_columns) || o->map_columns > BTVI_MAP_CELLS_MAX)) ||
		(o->map_rows &&
			(!is_power_of_two(o->map_rows) || o->map_rows > BTVI_MAP_CELLS_MAX)))
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"map columns and rows must be powers of two, at most %d",
			BTVI_MAP_CELLS_MAX);
	s = calloc(1, sizeof *s);
	if (!s)
		return btvi_fail_nomem(err);
	s->options = *o;
	s->device_options = (struct btvi_device_options){
		.seek_sectors = o->seek_sectors ? o->seek_sectors : 128,
		.keep_pause_ns = o->gap_threshold_ns && o->gap_threshold_ns < BTVI_GAP_MIN_NS
			? o->gap_threshold_ns
			: BTVI_GAP_MIN_NS,
		.first_sector = o->first_sector,
		.last_sector = o->last_sector ? o->last_sector : UINT64_MAX,
		.buckets = BUCKETS,
		.map_columns = o->map_columns ? o->map_columns : MAP_COLUMNS,
		.map_rows = o->map_rows ? o->map_rows : MAP_ROWS,
		.keep_owners = o->map_owners,
		.map_seeks = o->map_seeks,
	};
	btvi_summary_share(s, 1);
	if (copy_filter(s) != BTVIZ_OK) {
		btviz_summary_free(s);
		return btvi_fail_nomem(err);
	}
	*ret_s = s;
	return BTVIZ_OK;
}

void btviz_summary_free(struct btviz_summary *s)
{
	if (!s)
		return;
	btvi_figures_free(s->figures);
	for (size_t i = 0; i < s->device_count; i++)
		btvi_device_free(s->devices[i]);
	free(s->devices);
	for (size_t i = 0; s->filter && i < s->options.device_count; i++)
		free(s->filter[i]);
	free(s->filter);
	btvi_names_done(&s->names);
	free(s->messages);
	free(s->facts);
	btviz_samples_close(s->samples);
	free(s->command);
	free(s->kernel);
	free(s);
}

const struct btviz_samples *btviz_summary_samples(
	const struct btviz_summary *s, struct btviz_error *err)
{
	if (!s->samples && s->samples_err.status == BTVIZ_OK)
		(void)btvi_fail(
			err, BTVIZ_ERR_NOT_FOUND, "no samples: this was not read from a trace");
	else if (!s->samples && err)
		*err = s->samples_err;
	return s->samples;
}

static void changed(struct btviz_summary *s)
{
	if (s->figures) {
		btvi_figures_free(s->figures);
		s->figures = NULL;
	}
}

/* ---- devices ---------------------------------------------------------------------------- */

static bool is_wanted(const struct btviz_summary *s, const struct btvi_device *d)
{
	char number[32];

	if (s->options.device_count == 0)
		return true;
	snprintf(number, sizeof number, "%u,%u", BTVIZ_MAJOR(d->device), BTVIZ_MINOR(d->device));
	for (size_t i = 0; i < s->options.device_count; i++)
		if (strcmp(s->filter[i], d->name) == 0 || strcmp(s->filter[i], number) == 0)
			return true;
	return false;
}

void btvi_summary_share(struct btviz_summary *s, size_t lanes)
{
	const size_t open = BTVI_INFLIGHT_MAX / lanes, latencies = BTVI_ACTOR_LATENCIES / lanes;

	s->lanes = lanes;
	s->open_ios.max = open > BTVI_INFLIGHT_PART ? (uint32_t)open : BTVI_INFLIGHT_PART;
	s->latencies.max = latencies > 4 ? (uint32_t)latencies : 4;
}

static size_t device_max(const struct btviz_summary *s)
{
	const size_t share = BTVI_DEVICES_ALL / s->lanes;

	return share >= BTVI_DEVICE_MAX ? BTVI_DEVICE_MAX : share > 0 ? share : 1;
}

/* Brings all devices to the level at which so many fit into the memory that there is for them: as
 * many as fit at level 0, and at each further level twice as many. */
static enum btviz_status make_room(struct btviz_summary *s, size_t device_count)
{
	const struct btvi_device_options *const o = &s->device_options;
	const size_t room = BTVI_DEVICES_BYTES / btvi_device_bytes(o, 0);
	const size_t fit = room > BTVI_DEVICES_FINE ? room : BTVI_DEVICES_FINE;
	const unsigned before = s->level;
	enum btviz_status status = BTVIZ_OK;

	while (s->level < BTVI_LEVELS - 1 && device_count * s->lanes > fit << s->level)
		s->level++;
	for (size_t i = 0; s->level > before && i < s->device_count && status == BTVIZ_OK; i++)
		status = btvi_device_coarsen(s->devices[i], o, s->level);
	return status;
}

struct btvi_device *btvi_summary_device(struct btviz_summary *s, uint32_t device)
{
	struct btvi_device *d;

	if (s->last_device < s->device_count && s->devices[s->last_device]->device == device)
		return s->devices[s->last_device];
	for (size_t i = 0; i < s->device_count; i++)
		if (s->devices[i]->device == device) {
			s->last_device = i;
			return s->devices[i];
		}
	if (s->device_count >= device_max(s) || make_room(s, s->device_count + 1) != BTVIZ_OK)
		return NULL;
	if (s->device_count == s->device_capacity) {
		const size_t more = s->device_capacity ? s->device_capacity * 2 : 8;
		struct btvi_device **devices =
			realloc(s->devices, more * sizeof(struct btvi_device *));

		if (!devices)
			return NULL;
		s->devices = devices;
		s->device_capacity = more;
	}
	d = btvi_device_new(device, &s->device_options, s->level);
	if (!d)
		return NULL;
	btvi_device_share(d, &s->open_ios, &s->latencies);
	d->ignored = !is_wanted(s, d);
	s->last_device = s->device_count;
	s->devices[s->device_count++] = d;
	return d;
}

enum btviz_status btviz_summary_name_device(
	struct btviz_summary *s, uint32_t device, const char *name, struct btviz_error *err)
{
	struct btvi_device *d = btvi_summary_device(s, device);

	if (!d)
		return s->device_count >= device_max(s)
			? btvi_fail(err, BTVIZ_ERR_LIMIT, "more than %zu devices", device_max(s))
			: btvi_fail_nomem(err);
	changed(s);
	btvi_text_printable(name, strlen(name), d->name, sizeof d->name);
	d->traced = true;
	d->ignored = !is_wanted(s, d);
	return BTVIZ_OK;
}

/* ---- notes ------------------------------------------------------------------------------ */

static bool begins(const struct btviz_event *ev, const char *word)
{
	const size_t n = strlen(word);

	return ev->payload_size >= n && memcmp(ev->payload, word, n) == 0;
}

static enum btviz_status keep_message(struct btviz_summary *s, const struct btvi_message *m)
{
	size_t at = s->message_count;

	if (!s->messages) {
		s->messages = malloc(BTVI_MESSAGE_KEPT * sizeof *s->messages);
		if (!s->messages)
			return BTVIZ_ERR_NOMEM;
	}
	while (at > 0 && s->messages[at - 1].time_ns > m->time_ns)
		at--;
	if (s->message_count == BTVI_MESSAGE_KEPT) {
		if (at == s->message_count)
			return BTVIZ_OK;
		s->message_count--; /* the last one has to go */
	}
	memmove(&s->messages[at + 1], &s->messages[at],
		(s->message_count - at) * sizeof *s->messages);
	s->messages[at] = *m;
	s->message_count++;
	return BTVIZ_OK;
}

static enum btviz_status add_message(struct btviz_summary *s, const struct btviz_event *ev)
{
	struct btvi_message m = { .time_ns = ev->time_ns, .device = ev->device };
	struct btvi_device *d = btvi_summary_device(s, ev->device);
	size_t size = ev->payload_size < BTVI_MESSAGE_BYTES ? ev->payload_size : BTVI_MESSAGE_BYTES;

	if (!ev->payload || !d)
		return BTVIZ_OK;
	s->messages_total++;
	/* What schedulers and md write for every request is counted, not kept as a mark. */
	if (begins(ev, "raid5 rmw ")) {
		d->rmw_messages++;
		return BTVIZ_OK;
	}
	if (begins(ev, "raid5 rcw ")) {
		d->rcw_messages++;
		return BTVIZ_OK;
	}
	if (begins(ev, "bfq") || begins(ev, "cfq") || begins(ev, "throtl ") ||
		begins(ev, "raid5 ")) {
		d->other_messages++;
		return BTVIZ_OK;
	}
	while (size > 0 && (ev->payload[size - 1] == '\n' || ev->payload[size - 1] == ' '))
		size--;
	btvi_text_printable((const char *)ev->payload, size, m.text, sizeof m.text);
	return keep_message(s, &m);
}

static enum btviz_status add_note(struct btviz_summary *s, const struct btviz_event *ev)
{
	switch (ev->event) {
	case BTVIZ_NOTE_PROCESS:
		return ev->payload ? btvi_names_add(&s->names, ev->pid, ev->time_ns,
					     (const char *)ev->payload, ev->payload_size)
				   : BTVIZ_OK;
	case BTVIZ_NOTE_TIMESTAMP:
		if ((ev->flags & BTVIZ_EV_PAYLOAD) &&
			(!s->wall.known || ev->time_ns < s->wall.time_ns)) {
			s->wall.known = true;
			s->wall.time_ns = ev->time_ns;
			s->wall.sec = ev->u.wall.sec;
			s->wall.nsec = ev->u.wall.nsec;
		}
		return BTVIZ_OK;
	case BTVIZ_NOTE_MESSAGE:
		return add_message(s, ev);
	default:
		return BTVIZ_OK;
	}
}

/* ---- events ----------------------------------------------------------------------------- */

static bool has_window(const struct btviz_summary *s)
{
	return s->options.start_ns != 0 || s->options.end_ns != 0;
}

/* An event that comes late, from before the first one, is in no window. */
static bool is_in_window(const struct btviz_summary *s, uint64_t time_ns)
{
	const uint64_t t = time_ns - s->origin_ns;

	return !has_window(s) ||
		(time_ns >= s->origin_ns && t >= s->options.start_ns &&
			(s->options.end_ns == 0 || t < s->options.end_ns));
}

bool btvi_summary_is_over(const struct btviz_summary *s, uint64_t time_ns)
{
	return s->options.end_ns != 0 && s->has_origin && time_ns > s->origin_ns &&
		time_ns - s->origin_ns >= s->options.end_ns;
}

enum btviz_status btvi_summary_end_window(struct btviz_summary *s)
{
	enum btviz_status status = BTVIZ_OK;

	if (s->window_over)
		return BTVIZ_OK;
	s->window_over = true;
	for (size_t i = 0; i < s->device_count && status == BTVIZ_OK; i++)
		status = btvi_device_end(s->devices[i], s->origin_ns + s->options.end_ns);
	return status;
}

enum btviz_status btvi_summary_add_io(
	struct btviz_summary *s, struct btvi_device *d, const struct btviz_event *ev)
{
	/* As for merged parts: the earliest, also where it comes late. A window stays where it is.
	 */
	if (!s->has_origin || (ev->time_ns < s->origin_ns && !has_window(s))) {
		s->has_origin = true;
		s->origin_ns = ev->time_ns;
	}
	if (d->ignored)
		return BTVIZ_OK;
	return btvi_device_add(d, &s->device_options, ev, is_in_window(s, ev->time_ns));
}

enum btviz_status btviz_summary_add(
	struct btviz_summary *s, const struct btviz_event *ev, struct btviz_error *err)
{
	struct btvi_device *d;
	enum btviz_status status;

	changed(s);
	if (btviz_event_is_note(ev)) {
		status = add_note(s, ev);
		return status == BTVIZ_OK ? BTVIZ_OK : btvi_fail_nomem(err);
	}
	if (btvi_summary_is_over(s, ev->time_ns) && btvi_summary_end_window(s) != BTVIZ_OK)
		return btvi_fail_nomem(err);
	d = btvi_summary_device(s, ev->device);
	if (!d) {
		if (s->device_count < device_max(s))
			return btvi_fail_nomem(err);
		s->devices_left_out++;
		return BTVIZ_OK;
	}
	status = btvi_summary_add_io(s, d, ev);
	return status == BTVIZ_OK ? BTVIZ_OK : btvi_fail_nomem(err);
}

void btviz_summary_add_health(struct btviz_summary *s, const struct btviz_health *health)
{
	changed(s);
	btvi_health_add(&s->health, health);
}

void btvi_summary_close(struct btviz_summary *s)
{
	for (size_t i = 0; i < s->device_count; i++)
		btvi_device_close(s->devices[i]);
}

static bool same_options(const struct btviz_summary *a, const struct btviz_summary *b)
{
	const struct btvi_device_options *x = &a->device_options, *y = &b->device_options;

	return x->seek_sectors == y->seek_sectors && x->keep_pause_ns == y->keep_pause_ns &&
		x->first_sector == y->first_sector && x->last_sector == y->last_sector &&
		x->buckets == y->buckets && x->map_columns == y->map_columns &&
		x->map_rows == y->map_rows && x->keep_owners == y->keep_owners &&
		x->map_seeks == y->map_seeks && a->options.start_ns == b->options.start_ns &&
		a->options.end_ns == b->options.end_ns;
}

/* Adds the devices of part; those that s does not have are moved over where part is to be used up.
 */
static enum btviz_status merge_devices(
	struct btviz_summary *s, const struct btviz_summary *part, struct btvi_device **movable)
{
	enum btviz_status status = BTVIZ_OK;

	for (size_t i = 0; i < part->device_count && status == BTVIZ_OK; i++) {
		const struct btvi_device *p = part->devices[i];
		const size_t before = s->device_count;
		struct btvi_device *d = btvi_summary_device(s, p->device);

		if (!d) {
			if (before < device_max(s))
				return BTVIZ_ERR_NOMEM;
			s->devices_left_out += p->events;
			continue;
		}
		if (movable && s->device_count > before) {
			s->devices[before] = movable[i];
			movable[i] = d; /* the empty one goes with part */
			btvi_device_share(s->devices[before], &s->open_ios, &s->latencies);
			status = btvi_device_coarsen(
				s->devices[before], &s->device_options, s->level);
		} else {
			status = btvi_device_merge(d, p, &s->device_options);
		}
		s->devices[s->last_device]->ignored = !is_wanted(s, s->devices[s->last_device]);
	}
	return status;
}

static enum btviz_status merge(struct btviz_summary *s, const struct btviz_summary *part,
	struct btvi_device **movable, struct btviz_error *err)
{
	enum btviz_status status;

	if (!same_options(s, part))
		return btvi_fail(err, BTVIZ_ERR_USAGE,
			"summaries made with different options cannot be merged");
	changed(s);
	if (part->has_origin && (!s->has_origin || part->origin_ns < s->origin_ns)) {
		s->has_origin = true;
		s->origin_ns = part->origin_ns;
	}
	status = merge_devices(s, part, movable);
	if (status == BTVIZ_OK)
		status = btvi_names_merge(&s->names, &part->names);
	for (size_t i = 0; i < part->message_count && status == BTVIZ_OK; i++)
		status = keep_message(s, &part->messages[i]);
	if (part->wall.known && (!s->wall.known || part->wall.time_ns < s->wall.time_ns))
		s->wall = part->wall;
	btvi_fields_merge(btvi_summary_fields, 0, 0, s, part);
	btvi_health_add(&s->health, &part->health);
	return status == BTVIZ_OK ? BTVIZ_OK : btvi_fail_nomem(err);
}

enum btviz_status btviz_summary_merge(
	struct btviz_summary *s, const struct btviz_summary *part, struct btviz_error *err)
{
	return merge(s, part, NULL, err);
}

enum btviz_status btvi_summary_absorb(
	struct btviz_summary *s, struct btviz_summary *part, struct btviz_error *err)
{
	const enum btviz_status status = merge(s, part, part->devices, err);

	btviz_summary_free(part);
	return status;
}
