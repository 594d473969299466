/* record.c - a recorder's beginning and end: options checked and copied, devices found, the back
 * end chosen. Changes nothing of the kernel's; the run is in session.c. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/option_struct.h"
#include "base/status.h"
#include "record/outputs.h"
#include "record/recorder.h"

enum { NAME_BYTES = 3000, ARGV_MAX = 100000 };

static const uint64_t sample_default_ns = 100000000, sample_least_ns = 1000000;

void btvi_recorder_warn(const struct btviz_recorder *r, const char *format, ...)
{
	char text[512];
	va_list ap;

	if (!r->warn)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	r->warn(r->data, text);
}

unsigned btvi_kernel_version(void)
{
	struct utsname u;
	unsigned major, minor;

	if (uname(&u) != 0 || sscanf(u.release, "%u.%u", &major, &minor) != 2 || minor > 255)
		return 0;
	return major << 8 | minor;
}

static enum btviz_status read_options(const struct btviz_recorder_options *given,
	struct btviz_recorder_options *ret_o, struct btviz_error *err)
{
	*ret_o = (struct btviz_recorder_options)BTVIZ_RECORDER_OPTIONS_INIT;
	if (btvi_options_take(ret_o, sizeof *ret_o, given, "btviz_recorder_options", err) !=
		BTVIZ_OK)
		return BTVIZ_ERR_USAGE;
	if (ret_o->device_count == 0 || !ret_o->devices)
		return btvi_fail(err, BTVIZ_ERR_USAGE, "no device to record (-d DEVICE)");
	if (!ret_o->name || ret_o->name[0] == '\0')
		return btvi_fail(err, BTVIZ_ERR_USAGE, "no name for the recording (-t NAME)");
	if (ret_o->name[strlen(ret_o->name) - 1] == '/' || strcmp(ret_o->name, "-") == 0 ||
		strlen(ret_o->name) > NAME_BYTES)
		return btvi_fail(err, BTVIZ_ERR_USAGE, "\"%.100s\" cannot be the name of files",
			ret_o->name);
	if (ret_o->argv && !ret_o->argv[0])
		ret_o->argv = NULL;
	if (ret_o->sample_interval_ns == 0)
		ret_o->sample_interval_ns = sample_default_ns;
	if (ret_o->sample_interval_ns < sample_least_ns)
		return btvi_fail(err, BTVIZ_ERR_USAGE, "the sample interval is below 1 ms");
	return BTVIZ_OK;
}

static enum btviz_status copy_options(
	struct btviz_recorder *r, const struct btviz_recorder_options *o, struct btviz_error *err)
{
	size_t n = 0;

	r->name = strdup(o->name);
	r->blktrace_path = o->blktrace ? strdup(o->blktrace) : NULL;
	if (!r->name || (o->blktrace && !r->blktrace_path))
		return btvi_fail_nomem(err);
	for (; o->argv && o->argv[n]; n++)
		if (n == ARGV_MAX)
			return btvi_fail(
				err, BTVIZ_ERR_LIMIT, "the program has too many arguments");
	if (n > 0) {
		r->argv = calloc(n + 1, sizeof *r->argv);
		for (size_t i = 0; r->argv && i < n; i++)
			if (!(r->argv[i] = strdup(o->argv[i])))
				return btvi_fail_nomem(err);
		if (!r->argv)
			return btvi_fail_nomem(err);
	}
	r->duration_ns = o->duration_ns;
	r->sample_interval_ns = o->sample_interval_ns;
	r->buffer_kb = o->buffer_kb;
	r->no_samples = o->no_samples;
	r->warn = o->warn;
	r->data = o->data;
	return BTVIZ_OK;
}

static enum btviz_status find_devices(
	struct btviz_recorder *r, const struct btviz_recorder_options *o, struct btviz_error *err)
{
	enum btviz_status status = BTVIZ_OK;
	size_t changed = 0;

	for (size_t i = 0; i < o->device_count && status == BTVIZ_OK; i++)
		status = btvi_devices_add(
			&r->devices, BTVI_RECORD_SYS, o->devices[i], !o->no_members, err);
	if (status == BTVIZ_OK)
		status = btvi_devices_settle(&r->devices, BTVI_RECORD_SYS, &changed, err);
	if (status == BTVIZ_OK && changed > 0)
		btvi_recorder_warn(r,
			"%zu partitions are recorded as part of their whole disk: a disk and its "
			"partitions have one trace",
			changed);
	return status;
}

/* The kernel's own tracer where it can be used. */
static enum btviz_status choose_backend(
	struct btviz_recorder *r, enum btviz_recorder_backend wanted, struct btviz_error *err)
{
	struct btviz_error other;
	enum btviz_status status;

	r->backend =
		wanted == BTVIZ_RECORDER_BLKTRACE ? &btvi_backend_blktrace : &btvi_backend_tracefs;
	status = r->backend->open(r, err);
	if (status != BTVIZ_ERR_UNSUPPORTED || wanted != BTVIZ_RECORDER_AUTO)
		return status;
	r->backend->done(r);
	r->backend = &btvi_backend_blktrace;
	/* The message is that of the better back end. */
	if (r->backend->open(r, &other) != BTVIZ_OK)
		return status;
	btvi_recorder_warn(
		r, "recording with blktrace, since the kernel's own tracer cannot be used");
	return BTVIZ_OK;
}

enum btviz_status btviz_recorder_open(const struct btviz_recorder_options *options,
	struct btviz_recorder **ret_r, struct btviz_error *err)
{
	struct btviz_recorder_options o;
	struct btviz_recorder *r;
	enum btviz_status status = read_options(options, &o, err);

	if (status != BTVIZ_OK)
		return status;
	r = calloc(1, sizeof *r);
	if (!r)
		return btvi_fail_nomem(err);
	r->undo = BTVI_UNDO_NONE;
	r->program = BTVI_PROGRAM_NONE;
	r->blktrace.out_fd = -1;
	r->sampler.vmstat_fd = r->sampler.stat_fd = -1;
	r->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->wake_fd < 0)
		status = btvi_fail_errno(err, errno, "cannot make an event descriptor");
	if (status == BTVIZ_OK)
		status = copy_options(r, &o, err);
	if (status == BTVIZ_OK)
		status = find_devices(r, &o, err);
	if (status == BTVIZ_OK)
		status = choose_backend(r, o.backend, err);
	if (status == BTVIZ_OK)
		status = btvi_outputs_check(r->name, o.replace, err);
	if (status != BTVIZ_OK) {
		btviz_recorder_close(r);
		return status;
	}
	r->result.backend = r->backend->name;
	for (size_t i = 0; i < r->devices.count; i++)
		r->result.devices += r->devices.list[i].traced;
	if (btvi_outputs_are_traced(r->name, BTVI_RECORD_SYS, &r->devices))
		btvi_recorder_warn(r,
			"%s lies on a device that is recorded: the recorder's own writing will be in the "
			"recording (another disk or a tmpfs avoids that)",
			r->name);
	*ret_r = r;
	return BTVIZ_OK;
}

void btviz_recorder_stop(struct btviz_recorder *r, int signal)
{
	const uint64_t one = 1;
	const int before = errno;

	if (signal > 0 && signal < BTVI_SIGNALS)
		atomic_fetch_or(&r->signals[signal / 32], 1U << signal % 32);
	atomic_fetch_add(&r->stops, 1);
	if (write(r->wake_fd, &one, sizeof one) < 0)
		errno = before; /* full: it is awake anyway */
	errno = before;
}

const struct btviz_recorder_result *btviz_recorder_result(const struct btviz_recorder *r)
{
	return &r->result;
}

void btviz_recorder_close(struct btviz_recorder *r)
{
	if (!r)
		return;
	if (r->backend)
		r->backend->done(r);
	btvi_devices_done(&r->devices);
	btvi_program_done(&r->program);
	for (size_t i = 0; r->argv && r->argv[i]; i++)
		free(r->argv[i]);
	if (r->wake_fd >= 0)
		close(r->wake_fd);
	free(r->argv);
	free(r->name);
	free(r->blktrace_path);
	free(r);
}

enum btviz_status btviz_recorder_cleanup(size_t *ret_count, struct btviz_error *err)
{
	return btvi_undo_cleanup(BTVI_RECORD_STATE, ret_count, err);
}
