/* backend_tracefs.c - the kernel's blk tracer as a source: its pages become streams. */
#include <stdlib.h>

#include "base/status.h"
#include "record/recorder.h"

enum {
	PAGES_A_TURN = 64,
	TURNS = 64, /* then samples and signals have their turn */
};

static enum btviz_status open_tracefs(struct btviz_recorder *r, struct btviz_error *err)
{
	/* The lock first: it knows better than the tracer's state who is there. */
	const enum btviz_status status = btvi_undo_lock(&r->undo, BTVI_RECORD_STATE, err);

	return status == BTVIZ_OK ? btvi_tracefs_open(&r->tracefs, &r->devices, err) : status;
}

/* ---- reading the buffers --------------------------------------------------------------------- */

/* Losses before a page. The number is in the page, or, where that was full, in the statistics,
 * which also hold what is still to come: never more than those is told. */
static uint64_t lost_before(struct btviz_recorder *r, size_t i, const struct btvi_ring_page *page)
{
	struct btvi_tracefs_cpu *cpu = &r->tracefs.cpus[i];
	uint64_t lost;

	if (page->lost == 0 && !page->lost_unknown)
		return 0;
	btvi_tracefs_stats(&r->tracefs, i);
	lost = cpu->overrun > cpu->told ? cpu->overrun - cpu->told : 0;
	if (!page->lost_unknown && page->lost < lost)
		lost = page->lost;
	cpu->told += lost;
	return lost;
}

static enum btviz_status take_page(
	void *data, size_t i, const unsigned char *bytes, size_t size, struct btviz_error *err)
{
	struct btviz_recorder *r = data;
	const size_t cpu = r->tracefs.cpus[i].cpu;
	struct btvi_ring_page page;
	struct btvi_ring_entry entry;
	uint64_t lost;

	if (!btvi_ring_page_begin(&r->ring, &page, bytes, size))
		return BTVIZ_OK;
	lost = lost_before(r, i, &page);
	btvi_streams_lose(&r->streams, cpu, lost);
	r->cpu_lost[i] += lost;
	while (btvi_ring_page_next(&r->ring, &page, &entry)) {
		const enum btviz_status status = btvi_streams_put(&r->streams, cpu, &entry, err);

		if (status != BTVIZ_OK)
			return status;
	}
	return BTVIZ_OK;
}

/* Reads what all buffers hold, a few pages of each in turn. */
static enum btviz_status read_buffers(struct btviz_recorder *r, struct btviz_error *err)
{
	const size_t quarter = r->tracefs.buffer_kb * 1024 / r->tracefs.page_size / 4;
	bool more = true;

	r->busy = false;
	for (size_t turn = 0; more && turn < TURNS; turn++) {
		more = false;
		for (size_t i = 0; i < r->tracefs.cpu_count; i++) {
			size_t pages;
			const enum btviz_status status = btvi_tracefs_read(
				&r->tracefs, i, PAGES_A_TURN, take_page, r, &pages, err);

			if (status != BTVIZ_OK)
				return status;
			more = more || pages == PAGES_A_TURN;
			r->busy =
				r->busy || (pages == PAGES_A_TURN && turn * PAGES_A_TURN > quarter);
		}
	}
	r->busy = r->busy || more;
	return BTVIZ_OK;
}

/* ---- start and end --------------------------------------------------------------------------- */

static enum btviz_status start(struct btviz_recorder *r, struct btviz_error *err)
{
	const size_t cpus = r->tracefs.cpus[r->tracefs.cpu_count - 1].cpu + 1;
	enum btviz_status status;

	r->cpu_lost = calloc(r->tracefs.cpu_count, sizeof *r->cpu_lost);
	if (!r->cpu_lost)
		return btvi_fail_nomem(err);
	status = btvi_tracefs_plan(&r->tracefs, &r->devices, &r->undo, err);
	if (status == BTVIZ_OK)
		status = btvi_streams_open(&r->streams, r->name, &r->devices, cpus, err);
	if (status == BTVIZ_OK)
		status = btvi_guardian_start(&r->guardian, &r->undo, err);
	if (status != BTVIZ_OK)
		return status;
	r->ring.blk_type = r->tracefs.blk_type;
	r->streams.processes.proc = BTVI_RECORD_PROC;
	r->streams.processes.tracefs = r->tracefs.dir;
	r->streams.start_ns = r->start_ns;
	r->streams.wall_ns = r->wall_ns;
	r->tracing = true;
	return btvi_tracefs_start(&r->tracefs, &r->devices, r->buffer_kb, &r->undo, err);
}

static enum btviz_status create(struct btviz_recorder *r, struct btviz_error *err)
{
	return btvi_streams_create(&r->streams, err);
}

static enum btviz_status flush(struct btviz_recorder *r, struct btviz_error *err)
{
	return btvi_streams_flush(&r->streams, err);
}

static int watch(const struct btviz_recorder *r)
{
	(void)r;
	return -1;
}

static void heed(struct btviz_recorder *r)
{
	(void)r;
}

/* What the CPUs lost, now that nothing more comes. */
static void add_up_losses(struct btviz_recorder *r)
{
	for (size_t i = 0; i < r->tracefs.cpu_count; i++) {
		struct btvi_tracefs_cpu *cpu = &r->tracefs.cpus[i];

		btvi_tracefs_stats(&r->tracefs, i);
		/* Lost behind the last page, or told as more than it was. */
		if (cpu->overrun > cpu->told)
			r->cpu_lost[i] += cpu->overrun - cpu->told;
		r->result.lost_events += r->cpu_lost[i];
	}
}

static enum btviz_status stop(struct btviz_recorder *r, bool keep, struct btviz_error *err)
{
	enum btviz_status status = BTVIZ_OK;
	size_t failed;

	if (r->tracing) {
		r->tracing = false;
		/* The order of TRACEFS: devices, drain, statistics, pipes, tracer, the rest. */
		btvi_undo_run(&r->undo, BTVI_RECORD_SYS "/devices/");
		for (r->busy = true; keep && r->busy && status == BTVIZ_OK;)
			status = read_buffers(r, err);
		add_up_losses(r);
		btvi_tracefs_close_pipes(&r->tracefs);
		failed = btvi_undo_run(&r->undo, NULL);
		if (failed > 0)
			btvi_recorder_warn(r,
				"%zu settings of the kernel's tracer could not be put back: see %s "
				"(run btviz record --cleanup)",
				failed, r->tracefs.dir);
		if (keep && status == BTVIZ_OK)
			status = btvi_streams_flush(&r->streams, err);
		if (keep && status == BTVIZ_OK)
			status = btvi_streams_sync(&r->streams, err);
		r->result.events = r->streams.events;
		r->result.bytes = r->streams.bytes;
	}
	btvi_guardian_stop(&r->guardian, &r->undo);
	return status;
}

static void tell(const struct btviz_recorder *r, struct btvi_metadata_out *out)
{
	out->record_version = r->streams.version;
	out->cpu_lost = r->cpu_lost;
	out->cpu_count = r->cpu_lost ? r->tracefs.cpu_count : 0;
	out->buffer_kb = r->tracefs.buffer_kb;
}

static void remove_streams(struct btviz_recorder *r)
{
	btvi_streams_remove(&r->streams);
}

static void done(struct btviz_recorder *r)
{
	btvi_streams_done(&r->streams);
	btvi_tracefs_done(&r->tracefs);
	btvi_undo_done(&r->undo);
	free(r->cpu_lost);
	r->cpu_lost = NULL;
}

const struct btvi_backend btvi_backend_tracefs = {
	.name = "tracefs",
	.open = open_tracefs,
	.start = start,
	.create = create,
	.read = read_buffers,
	.flush = flush,
	.watch = watch,
	.heed = heed,
	.stop = stop,
	.tell = tell,
	.remove = remove_streams,
	.done = done,
};
