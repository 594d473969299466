/* session.c - a recording from its start to its end, in one thread: every 100 ms the buffers are
 * read and a sample is taken; nothing wakes it in between but the program's end, a signal, or what
 * blktrace says. Whatever fails, what was switched on is switched off before the function returns.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"
#include "base/control.h"
#include "record/outputs.h"
#include "record/recorder.h"

enum {
	SECOND_STOP = 2,
};

static const uint64_t read_interval_ns = 100000000; /* of the buffers */
static const uint64_t busy_interval_ns = 20000000;  /* while they fill fast */
static const uint64_t flush_interval_ns = 1000000000;
static const uint64_t grace_ns = 5000000000; /* for a program that was told to end */
static const uint64_t poll_ns = 20000000;    /* for its end, on kernels without pidfd */

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* ---- the run ------------------------------------------------------------------------------------
 */

static enum btviz_status write_metadata(
	struct btviz_recorder *r, bool finished, struct btviz_error *err)
{
	const struct rusage *u = &r->program.usage;
	struct utsname system = { 0 };
	struct btvi_metadata_out out = { .backend = r->result.backend,
		.argv = (const char *const *)r->argv,
		.devices = &r->devices,
		.finished = finished,
		.has_exit_status = r->result.has_exit_status,
		.exit_status = r->result.exit_status,
		.start_ns = r->start_ns,
		.end_ns = r->end_ns,
		.wall_start_ns = r->wall_ns,
		.events = r->result.events,
		.lost_events = r->result.lost_events,
		.bytes = r->result.bytes,
		.recorder_cpu_s = r->result.recorder_cpu_s,
		.recorder_wakeups = r->result.wakeups,
		.sample_interval_ns = r->no_samples ? 0 : r->sample_interval_ns };
	enum btviz_status status;
	char *path;

	uname(&system);
	out.kernel = system.release;
	out.host = system.nodename;
	r->backend->tell(r, &out);
	out.user_s = (double)u->ru_utime.tv_sec + (double)u->ru_utime.tv_usec / 1e6;
	out.system_s = (double)u->ru_stime.tv_sec + (double)u->ru_stime.tv_usec / 1e6;
	out.max_rss_bytes = (uint64_t)u->ru_maxrss * 1024;
	if (asprintf(&path, "%s.btviz.json", r->name) < 0)
		return btvi_fail_nomem(err);
	status = btvi_metadata_write(path, &out, err);
	free(path);
	return status;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Sleeps until a time, or until something else asks for attention. */
static void wait_until(struct btviz_recorder *r, uint64_t until)
{
	struct pollfd fds[3] = { { .fd = r->wake_fd, .events = POLLIN },
		{ .fd = r->program.pid > 0 ? r->program.pidfd : -1, .events = POLLIN },
		{ .fd = r->backend->watch(r), .events = POLLIN } };
	const uint64_t now = now_ns();
	struct timespec timeout = { 0, 0 };
	uint64_t count;

	if (r->program.pid > 0 && r->program.pidfd < 0)
		until = least(until, now + poll_ns);
	if (until > now) {
		timeout.tv_sec = (time_t)((until - now) / 1000000000);
		timeout.tv_nsec = (long)((until - now) % 1000000000);
	}
	ppoll(fds, 3, &timeout, NULL);
	r->result.wakeups++;
	if (fds[0].revents && read(r->wake_fd, &count, sizeof count) < 0)
		return; /* another thread's stop took it: stops is what counts */
	if (fds[2].revents)
		r->backend->heed(r);
}

/* The signals that somebody asked for since the last time. */
static void pass_on(struct btviz_recorder *r)
{
	for (int word = 0; word < BTVI_SIGNALS / 32; word++) {
		const unsigned bits = atomic_exchange(&r->signals[word], 0);

		for (int bit = 0; bit < 32; bit++)
			if (bits & 1U << bit)
				btvi_program_signal(&r->program, word * 32 + bit);
	}
}

/* Whether the recording is over: the program has ended, or somebody or the time says so. */
static bool is_over(struct btviz_recorder *r, int *stops_seen, uint64_t *give_up)
{
	const int stops = atomic_load(&r->stops);
	const uint64_t now = now_ns();

	if (r->argv && btvi_program_ended(&r->program))
		return true;
	if (stops > *stops_seen) {
		*stops_seen = stops;
		pass_on(r);
		if (!r->argv || stops >= SECOND_STOP)
			return true;
	}
	if (r->duration_ns > 0 && *give_up == UINT64_MAX && now - r->start_ns >= r->duration_ns) {
		if (!r->argv)
			return true;
		btvi_program_signal(&r->program, SIGTERM);
		*give_up = now + grace_ns;
	}
	return now >= *give_up;
}

/* One reading of everything that is due. */
static enum btviz_status work(struct btviz_recorder *r, bool read_due, bool sample_due,
	uint64_t *last_flush, struct btviz_error *err)
{
	enum btviz_status status = BTVIZ_OK;
	const uint64_t now = now_ns();

	if (sample_due && r->sampling)
		status = btvi_sampler_take(&r->sampler, now, err);
	if (status == BTVIZ_OK && read_due && r->tracing)
		status = r->backend->read(r, err);
	if (status == BTVIZ_OK && r->tracing && now - *last_flush >= flush_interval_ns) {
		status = r->backend->flush(r, err);
		*last_flush = now;
	}
	return status;
}

/* One grid for reading and sampling, so that they share their wake-ups. */
static uint64_t next_on_grid(uint64_t start, uint64_t now, uint64_t interval)
{
	return start + ((now - start) / interval + 1) * interval;
}

/* The recording fails: the tracing ends at once, but not the program. */
static void give_up_tracing(
	struct btviz_recorder *r, enum btviz_status status, const struct btviz_error *err)
{
	r->sampling = false;
	btvi_recorder_warn(r, "recording ends here, the program runs on: %s",
		err ? err->message : btviz_status_text(status));
	r->backend->flush(r, NULL); /* what still fits */
	r->backend->stop(r, false, NULL);
}

/* Until it is over, whatever happened so far: the program is waited for. */
static enum btviz_status loop(
	struct btviz_recorder *r, enum btviz_status status, struct btviz_error *err)
{
	uint64_t next_read = r->start_ns + read_interval_ns, next_sample = r->start_ns;
	uint64_t last_flush = r->start_ns, give_up = UINT64_MAX;
	int stops_seen = 0;

	if (status != BTVIZ_OK)
		give_up_tracing(r, status, err);
	for (;;) {
		const uint64_t now = now_ns();
		const bool read_due = now >= next_read, sample_due = now >= next_sample;

		if (status == BTVIZ_OK && (read_due || sample_due)) {
			status = work(r, read_due, sample_due, &last_flush, err);
			if (status != BTVIZ_OK)
				give_up_tracing(r, status, err);
		}
		if (read_due)
			next_read = next_on_grid(r->start_ns, now, read_interval_ns);
		if (sample_due)
			next_sample = next_on_grid(r->start_ns, now, r->sample_interval_ns);
		if (is_over(r, &stops_seen, &give_up))
			return status;
		if (r->busy && r->tracing) {
			next_read = least(next_read, now + busy_interval_ns);
			r->busy = false;
		}
		wait_until(r,
			least(least(next_read, r->sampling ? next_sample : UINT64_MAX),
				least(give_up,
					r->duration_ns > 0 && give_up == UINT64_MAX
						? r->start_ns + r->duration_ns
						: UINT64_MAX)));
	}
}

/* Keeps the first failure. */
static enum btviz_status first_of(enum btviz_status so_far, enum btviz_status next,
	const struct btviz_error *next_err, struct btviz_error *err)
{
	if (so_far != BTVIZ_OK || next == BTVIZ_OK)
		return so_far;
	if (err)
		*err = *next_err;
	return next;
}

static double thread_cpu_s(void)
{
	return (double)clock_ns(CLOCK_THREAD_CPUTIME_ID) / 1e9;
}

static enum btviz_status begin_samples(struct btviz_recorder *r, struct btviz_error *err)
{
	enum btviz_status status;
	char *path;

	if (asprintf(&path, "%s.samples.csv", r->name) < 0)
		return btvi_fail_nomem(err);
	unlink(path); /* an older recording's are not this one's */
	status = r->no_samples ? BTVIZ_OK
			       : btvi_sampler_open(&r->sampler, BTVI_RECORD_PROC, path, err);
	r->sampling = !r->no_samples && status == BTVIZ_OK;
	free(path);
	return status;
}

/* Of a recording of which nothing came. */
static void remove_files(struct btviz_recorder *r)
{
	static const char *const suffixes[] = { ".btviz.json", ".samples.csv" };

	for (size_t i = 0; i < 2; i++) {
		char *path;

		if (asprintf(&path, "%s%s", r->name, suffixes[i]) < 0)
			continue;
		unlink(path);
		free(path);
	}
	r->backend->remove(r);
}

/* The files, in the place of older ones. */
static enum btviz_status begin_files(struct btviz_recorder *r, struct btviz_error *err)
{
	enum btviz_status status;
	char stranger[256];

	btvi_outputs_clear(r->name, &r->devices, stranger, sizeof stranger);
	if (stranger[0])
		btvi_recorder_warn(r,
			"%s belongs to another recording, but -t %s will take it as part of this one: "
			"choose another name, or remove it",
			stranger, r->name);
	r->begun = true;
	status = r->backend->create(r, err);
	if (status == BTVIZ_OK)
		status = begin_samples(r, err);
	if (status == BTVIZ_OK)
		status = write_metadata(r, false, err);
	return status;
}

static void note_time(struct btviz_recorder *r)
{
	r->start_ns = now_ns();
	r->wall_ns = clock_ns(CLOCK_REALTIME);
}

/* Somebody wants it to end before the program runs. */
static enum btviz_status stopped(struct btviz_recorder *r, struct btviz_error *err)
{
	int sig = SIGINT; /* a Ctrl-C names none: it reaches the program by itself */

	for (int i = 1; i < BTVI_SIGNALS; i++)
		if (atomic_load(&r->signals[i / 32]) & 1U << i % 32)
			sig = i;
	btvi_program_done(&r->program);
	r->program.ended = true;
	r->program.exit_status = 128 + sig;
	return btvi_fail(err, BTVIZ_ERR_BUSY,
		"ended by a signal before the program was started; nothing was recorded");
}

/* Tracing on, then the program. From its fork() on it gets the terminal's signals itself; what came
 * before that is known when it is prepared. */
static enum btviz_status start(struct btviz_recorder *r, struct btviz_error *err)
{
	const char *const *argv = (const char *const *)r->argv;
	enum btviz_status status;

	note_time(r);
	status = r->backend->start(r, err);
	if (status == BTVIZ_OK && argv)
		status = btvi_program_prepare(&r->program, argv, err);
	if (status != BTVIZ_OK)
		return status;
	if (argv && atomic_load(&r->stops) > 0)
		return stopped(r, err);
	note_time(r);
	return argv ? btvi_program_go(&r->program, argv, err) : BTVIZ_OK;
}

/* Ends everything, whatever came before. */
static enum btviz_status finish(
	struct btviz_recorder *r, enum btviz_status status, struct btviz_error *err)
{
	struct btviz_error own = { 0 };

	status = first_of(status, r->backend->stop(r, status == BTVIZ_OK, &own), &own, err);
	if (r->sampler.file)
		status = first_of(status, btvi_sampler_close(&r->sampler, &own), &own, err);
	if (!r->begun)
		return status;
	if (status == BTVIZ_OK || r->result.bytes > 0)
		status = first_of(status, write_metadata(r, true, &own), &own, err);
	else
		remove_files(r);
	return status;
}

enum btviz_status btviz_recorder_run(struct btviz_recorder *r, struct btviz_error *err)
{
	enum btviz_status status = start(r, err);

	if (status == BTVIZ_OK) {
		double cpu_s;

		status = begin_files(r, err);
		/* What counts is what the recorder takes from the program, not its own beginning.
		 */
		cpu_s = thread_cpu_s();
		status = loop(r, status, err);
		r->end_ns = now_ns();
		r->result.elapsed_ns = r->end_ns - r->start_ns;
		r->result.recorder_cpu_s = thread_cpu_s() - cpu_s;
		if (r->sampling)
			btvi_sampler_take(&r->sampler, r->end_ns, NULL);
	}
	r->result.has_exit_status = r->program.ended;
	r->result.exit_status = r->program.exit_status;
	return finish(r, status, err);
}
