/* backend_blktrace.c - the installed blktrace program as a source: it writes the streams itself. */
#include "base/status.h"
#include "record/recorder.h"

enum { FUA_MISSING_SINCE = 6 << 8 | 19 }; /* of version 7 records */

static enum btviz_status open_blktrace(struct btviz_recorder *r, struct btviz_error *err)
{
	const enum btviz_status status =
		btvi_blktrace_open(&r->blktrace, r->blktrace_path, &r->devices, err);

	if (status == BTVIZ_OK && btvi_kernel_version() >= FUA_MISSING_SINCE)
		btvi_recorder_warn(r,
			"from Linux 6.19 on, a blktrace that writes version 7 records (1.2 and before) "
			"gets no FUA writes, write-zeroes or zone operations: --backend tracefs gets "
			"them");
	return status;
}

static enum btviz_status start(struct btviz_recorder *r, struct btviz_error *err)
{
	r->tracing = true;
	return btvi_blktrace_start(&r->blktrace, r->name, &r->devices, err);
}

/* Its files are in a directory of its own until it has ended. */
static enum btviz_status nothing(struct btviz_recorder *r, struct btviz_error *err)
{
	(void)r;
	(void)err;
	return BTVIZ_OK;
}

static int watch(const struct btviz_recorder *r)
{
	return r->blktrace.out_fd;
}

static void heed(struct btviz_recorder *r)
{
	btvi_blktrace_listen(&r->blktrace);
}

static bool fua_missing(const struct btviz_recorder *r)
{
	return r->blktrace.version == 7 && btvi_kernel_version() >= FUA_MISSING_SINCE;
}

static enum btviz_status stop(struct btviz_recorder *r, bool keep, struct btviz_error *err)
{
	enum btviz_status status;

	if (!r->tracing)
		return BTVIZ_OK;
	r->tracing = false;
	status = btvi_blktrace_stop(&r->blktrace, keep ? r->name : NULL, err);
	r->result.events = r->blktrace.events;
	r->result.lost_events = r->blktrace.dropped;
	r->result.bytes = r->blktrace.bytes;
	r->result.recorder_cpu_s = r->blktrace.cpu_s;
	if (keep && fua_missing(r))
		btvi_recorder_warn(r,
			"FUA writes, write-zeroes and zone operations are missing: this "
			"blktrace writes version 7 records, and the kernel leaves them out");
	return status;
}

static void tell(const struct btviz_recorder *r, struct btvi_metadata_out *out)
{
	out->record_version = r->blktrace.version;
	out->fua_missing = fua_missing(r);
}

static void remove_streams(struct btviz_recorder *r)
{
	(void)r; /* what stop() did not keep, it removed */
}

static void done(struct btviz_recorder *r)
{
	btvi_blktrace_done(&r->blktrace);
}

const struct btvi_backend btvi_backend_blktrace = {
	.name = "blktrace",
	.open = open_blktrace,
	.start = start,
	.create = nothing,
	.read = nothing,
	.flush = nothing,
	.watch = watch,
	.heed = heed,
	.stop = stop,
	.tell = tell,
	.remove = remove_streams,
	.done = done,
};
