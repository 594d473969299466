/* test_record.c - the parts of the recorder that need no kernel: what is put back and by whom,
 * names of threads, samples, the files that are written, what blktrace prints. The whole on a real
 * kernel is in tests/record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <cmocka.h>

#include <btviz/samples.h>
#include <btviz/trace.h>

#include "record/blktrace.h"
#include "base/control.h"
#include "record/guardian.h"
#include "record/outputs.h"
#include "record/process.h"
#include "record/sampler.h"
#include "record/streams.h"
#include "record/undo.h"
#include "scratch.h"

static void assert_line(const char *name, const char *want)
{
	char line[128];

	assert_true(btvi_control_line(scratch_dir, name, line, sizeof line));
	assert_string_equal(line, want);
}

/* ---- undo and guardian ---------------------------------------------------------------------- */

/* Three files that stand at "old", to be put back in this order. */
static struct btvi_undo plan(void)
{
	struct btvi_undo u = BTVI_UNDO_NONE;
	static const char *const names[] = { "a", "b", "c" };

	for (int i = 0; i < 3; i++) {
		scratch_file(names[i], "new\n");
		assert_int_equal(btvi_undo_add(&u, scratch_path(names[i]), "old", NULL), BTVIZ_OK);
	}
	return u;
}

static void test_undo(void **state)
{
	struct btvi_undo u = plan();

	(void)state;
	assert_int_equal(btvi_undo_run(&u, NULL), 0);
	assert_line("a", "new"); /* nothing is armed */
	btvi_undo_arm(&u, scratch_path("c"));
	btvi_undo_arm(&u, scratch_path("a"));
	btvi_undo_arm(&u, "/no/such/step");
	assert_int_equal(btvi_undo_run(&u, scratch_path("a")), 0);
	assert_line("c", "new"); /* not this one yet */
	assert_int_equal(btvi_undo_run(&u, NULL), 0);
	assert_line("a", "old");
	assert_line("b", "new"); /* was never changed */
	assert_line("c", "old");
	scratch_file("a", "new\n");
	assert_int_equal(btvi_undo_run(&u, NULL), 0);
	assert_line("a", "new"); /* once only */
	btvi_undo_done(&u);
}

static void test_state_file(void **state)
{
	struct btvi_undo u = plan(), second = BTVI_UNDO_NONE;
	struct btviz_error err;
	char path[128], *text;
	size_t count;

	(void)state;
	snprintf(path, sizeof path, "%s/state", scratch_dir);
	assert_int_equal(btvi_undo_lock(&u, path, &err), BTVIZ_OK);
	assert_int_equal(btvi_undo_lock(&second, path, &err), BTVIZ_ERR_BUSY);
	assert_non_null(strstr(err.message, "another btviz record is running"));
	assert_int_equal(btvi_undo_cleanup(path, &count, &err), BTVIZ_ERR_BUSY);
	btvi_undo_arm(&u, scratch_path("b"));
	text = btvi_control_text(path, "", 4096, NULL);
	assert_non_null(text);
	assert_non_null(strstr(text, "\n1\t"));
	assert_null(strstr(text, "\n0\t"));
	free(text);
	/* What is left armed keeps the file for --cleanup; then a new recorder refuses. */
	u.steps[1].path[0] = 'X';
	btvi_undo_done(&u);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(btvi_undo_lock(&second, path, &err), BTVIZ_ERR_BUSY);
	assert_non_null(strstr(err.message, "--cleanup"));
	/* A state file makes nobody write outside of /sys: this step is none. */
	scratch_file("b", "new\n");
	assert_int_equal(btvi_undo_cleanup(path, &count, &err), BTVIZ_OK);
	assert_int_equal(count, 0);
	assert_line("b", "new");
	assert_int_not_equal(access(path, F_OK), 0);
	assert_int_equal(btvi_undo_cleanup(path, &count, &err), BTVIZ_OK);
	assert_int_equal(count, 0);
}

static const char *const strange_states[] = {
	"",
	"hello\n",
	"btviz.record-state/1 77\n",
	"btviz.record-state/1 77\n0\t/etc/passwd\tx\n",
	"btviz.record-state/1 77\n0\t/sys/../etc/passwd\tx\n",
	"btviz.record-state/1 77\n99999999999\t/sys/x\tx\n",
	"btviz.record-state/1 77\n0\t/sys/x\n\n\t\t\t\n0",
	"btviz.record-state/1 77\n40\t/sys/no/such/file\tx\n",
};

static void test_strange_states(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof strange_states / sizeof strange_states[0]; i++) {
		size_t count;

		scratch_file("state", strange_states[i]);
		assert_int_equal(btvi_undo_cleanup(scratch_path("state"), &count, NULL), BTVIZ_OK);
		assert_in_range(count, 0, 1);
	}
}

/* A recorder that arms two of the steps and then ends as told: 0 it says good-bye, 1 it is killed,
 * 2 its guardian is killed first. */
static void record_and(int how)
{
	struct btvi_undo u = plan();
	const pid_t recorder = fork();

	if (recorder == 0) {
		struct btvi_guardian g;

		if (btvi_undo_lock(&u, scratch_path("state"), NULL) != BTVIZ_OK ||
			btvi_guardian_start(&g, &u, NULL) != BTVIZ_OK)
			_exit(3);
		btvi_undo_arm(&u, scratch_path("c"));
		if (how == 2) {
			kill(g.pid, SIGKILL);
			waitpid(g.pid, NULL, 0);
		}
		btvi_undo_arm(&u, scratch_path("a"));
		if (how == 1)
			raise(SIGKILL);
		btvi_undo_run(&u, NULL);
		btvi_guardian_stop(&g, &u);
		btvi_undo_done(&u);
		_exit(0);
	}
	assert_int_equal(waitpid(recorder, NULL, 0), recorder);
	/* A guardian needs a moment. */
	for (int i = 0; i < 500 && access(scratch_path("state"), F_OK) == 0; i++)
		usleep(10000);
	assert_line("a", "old");
	assert_line("b", "new");
	assert_line("c", "old");
	assert_int_not_equal(access(scratch_path("state"), F_OK), 0);
	btvi_undo_done(&u);
}

static void test_guardian(void **state)
{
	(void)state;
	for (int how = 0; how < 3; how++)
		record_and(how);
}

/* ---- names of threads --------------------------------------------------------------------------
 */

static const char *news(struct btvi_processes *p, uint32_t pid, uint64_t ms)
{
	const char *name = btvi_process_news(p, pid, ms * 1000000);

	return name ? name : "(no news)";
}

static void test_processes(void **state)
{
	char proc[128];
	struct btvi_processes p = { .proc = proc, .tracefs = scratch_dir };

	(void)state;
	snprintf(proc, sizeof proc, "%s/proc", scratch_dir);
	scratch_file("proc/10/comm", "sh\n");
	scratch_file("proc/11/comm", "kworker/u8:1-flush-8:0\n");
	scratch_file("proc/12/comm", "a name of more than fifteen\n");
	scratch_file("saved_cmdlines", "1 init\n100 gone before\n10 other\n7 <...>\n");
	assert_string_equal(news(&p, 10, 1000), "sh");
	assert_string_equal(news(&p, 10, 1001), "(no news)");
	assert_string_equal(news(&p, 11, 1002), "kworker/u8:1");
	assert_string_equal(news(&p, 12, 1003), "a name of more ");
	assert_string_equal(news(&p, 100, 1004), "gone before");
	assert_string_equal(news(&p, 7, 1005), "(no news)"); /* the tracer does not know either */
	assert_string_equal(news(&p, 0, 1006), "swapper/0");
	assert_string_equal(news(&p, 0, 90000), "(no news)");
	/* After an exec() it is another; that is seen a second later, and told once. */
	scratch_file("proc/10/comm", "dd\n");
	assert_string_equal(news(&p, 10, 1500), "(no news)");
	assert_string_equal(news(&p, 10, 2100), "dd");
	assert_string_equal(news(&p, 10, 3200), "(no news)");
	/* It has ended: it keeps its name. */
	unlink(scratch_path("proc/10/comm"));
	assert_string_equal(news(&p, 10, 5000), "(no news)");
	for (uint32_t pid = 1000; pid < 200000; pid++)
		assert_null(btvi_process_news(&p, pid, 6000000000));
	assert_in_range(p.size, 1, 1 << 16);
	btvi_processes_done(&p);
}

/* ---- samples ------------------------------------------------------------------------------------
 */

static void test_sampler(void **state)
{
	char proc[128], path[128];
	struct btvi_sampler sampler;
	struct btviz_samples *s;
	struct btviz_samples_range r;

	(void)state;
	snprintf(proc, sizeof proc, "%s/proc", scratch_dir);
	snprintf(path, sizeof path, "%s/run.samples.csv", scratch_dir);
	scratch_file("proc/vmstat",
		"nr_free_pages 5\nnr_dirty 100\nnr_writeback 7\npgscan_direct 0\n"
		"allocstall_dma 1\nallocstall_normal 2\nnr_dirty_x 9\n");
	scratch_file("proc/stat",
		"cpu  100 10 50 800 20 1 2 0 0 0\ncpu0 60 10 30 400 10 1 1 0 0 0\n"
		"cpu1 40 0 20 400 10 0 1 0 0 0\nintr 5\n");
	assert_int_equal(btvi_sampler_open(&sampler, proc, path, NULL), BTVIZ_OK);
	assert_int_equal(btvi_sampler_take(&sampler, 1000000000, NULL), BTVIZ_OK);
	scratch_file("proc/vmstat",
		"nr_free_pages 5\nnr_dirty 300\nnr_writeback 0\npgscan_direct 64\n"
		"allocstall_dma 1\nallocstall_normal 5\n");
	/* A second later, half of the first CPU was busy; the second one was unplugged. */
	scratch_file(
		"proc/stat", "cpu  140 10 60 850 20 1 2 0 0 0\ncpu0 100 10 40 450 10 1 1 0 0 0\n");
	/* The files were replaced: the sampler has the old ones open, as it has in /proc. */
	close(sampler.vmstat_fd);
	close(sampler.stat_fd);
	sampler.vmstat_fd = open(scratch_path("proc/vmstat"), O_RDONLY);
	sampler.stat_fd = open(scratch_path("proc/stat"), O_RDONLY);
	assert_int_equal(btvi_sampler_take(&sampler, 2000000000, NULL), BTVIZ_OK);
	assert_int_equal(btvi_sampler_close(&sampler, NULL), BTVIZ_OK);

	assert_int_equal(btviz_samples_open("run", scratch_dir, &s, NULL), BTVIZ_OK);
	assert_int_equal(btviz_samples_row_count(s), 2);
	assert_int_equal(btviz_samples_column_count(s), 5 + 3 * 6);
	btviz_samples_range(s, btviz_samples_column_find(s, "nr_dirty"), 0, UINT64_MAX, &r);
	assert_float_equal(r.max, 300, 1e-9);
	btviz_samples_range(s, btviz_samples_column_find(s, "allocstall"), 0, UINT64_MAX, &r);
	assert_float_equal(r.increase, 3, 1e-9);
	btviz_samples_range(s, btviz_samples_column_find(s, "cpu0_user"), 0, UINT64_MAX, &r);
	assert_float_equal(r.mean, 0.4, 1e-9);
	btviz_samples_range(s, btviz_samples_column_find(s, "cpu_system"), 0, UINT64_MAX, &r);
	assert_float_equal(r.mean, 0.1, 1e-9);
	btviz_samples_range(s, btviz_samples_column_find(s, "cpu1_idle"), 0, UINT64_MAX, &r);
	assert_float_equal(r.increase, 0, 1e-9);
	btviz_samples_close(s);
}

/* ---- streams
 * ------------------------------------------------------------------------------------- */

/* A real recording's pages (raid10, Linux 7.3) into files, as a recorder would, of three of its
 * five devices; read back by name. */
static void record_pages(size_t open_max, uint64_t lost)
{
	static unsigned char pages[32768];
	static const char *const files[] = { "cpu0.raw", "cpu1.raw", "cpu2.raw", "cpu3.raw" };
	struct btvi_block_device list[] = { { .file = "md0", .number = 9 << 20, .traced = true },
		{ .file = "sdb", .number = 8 << 20 | 16, .traced = true },
		{ .file = "sdc", .number = 8 << 20 | 32, .traced = true },
		{ .file = "sdd", .number = 8 << 20 | 48, .traced = false } };
	const struct btvi_devices devices = { list, 4 };
	char name[128], proc[128];
	struct btvi_streams s;
	struct btvi_ring ring = { 0 };
	struct btviz_trace *t;
	const struct btviz_event *ev;
	unsigned queued = 0, names = 0, stamps = 0;

	snprintf(name, sizeof name, "%s/run", scratch_dir);
	snprintf(proc, sizeof proc, "%s/proc", scratch_dir);
	assert_int_equal(btvi_streams_open(&s, name, &devices, 4, NULL), BTVIZ_OK);
	assert_int_equal(btvi_streams_create(&s, NULL), BTVIZ_OK);
	s.open_max = open_max;
	s.start_ns = 1000;
	s.wall_ns = 1796052792847899979;
	s.processes.proc = proc;
	for (size_t cpu = 0; cpu < 4; cpu++) {
		char command[512];
		FILE *f;
		size_t size;

		snprintf(command, sizeof command,
			"tar -xJOf '%s/real/tracefs/7.3.4-d-raid10-fua-raw.tar.xz' %s",
			getenv("TESTDATA"), files[cpu]);
		f = popen(command, "r");
		assert_non_null(f);
		size = fread(pages, 1, sizeof pages, f);
		pclose(f);
		for (size_t at = 0; at + 4096 <= size; at += 4096) {
			struct btvi_ring_page page;
			struct btvi_ring_entry entry;

			assert_true(btvi_ring_page_begin(&ring, &page, pages + at, 4096));
			if (at == 4096)
				btvi_streams_lose(&s, cpu, lost);
			while (btvi_ring_page_next(&ring, &page, &entry))
				assert_int_equal(btvi_streams_put(&s, cpu, &entry, NULL), BTVIZ_OK);
		}
	}
	assert_int_equal(btvi_streams_flush(&s, NULL), BTVIZ_OK);
	assert_in_range(s.open_count, 1, open_max);
	/* decoded.txt has 784 events and two notes. */
	assert_int_equal(s.strangers + s.events, 26 - 2 + 174 + 306 + 280);
	btvi_streams_done(&s);

	assert_int_equal(btviz_trace_open("run",
				 &(struct btviz_trace_options){
					 sizeof(struct btviz_trace_options), scratch_dir, 0 },
				 &t, NULL),
		BTVIZ_OK);
	while (btviz_trace_next(t, &ev, NULL) == BTVIZ_OK) {
		if (btviz_event_is_note(ev)) {
			stamps += ev->event == BTVIZ_NOTE_TIMESTAMP;
			if (ev->event == BTVIZ_NOTE_TIMESTAMP)
				assert_int_equal(ev->u.wall.sec, 1796052792);
			names += ev->event == BTVIZ_NOTE_PROCESS;
		} else {
			queued += ev->event == BTVIZ_ACT_QUEUE;
			assert_true(ev->device == 9 << 20 || ev->device == (8 << 20 | 16) ||
				ev->device == (8 << 20 | 32));
		}
	}
	assert_int_equal(stamps, 3);
	assert_in_range(
		names, 3, 3); /* swapper, for each device; nobody else lives in this /proc */
	assert_in_range(queued, 40, 168);
	assert_int_equal(btviz_trace_health(t)->lost_events, lost * 4);
	assert_int_equal(btviz_trace_health(t)->steps_back, 0);
	btviz_trace_close(t);
}

static void test_streams(void **state)
{
	(void)state;
	record_pages(100, 0);
	record_pages(1, 0); /* each file is closed for the next */
	record_pages(3, 1000);
}

static void test_outputs(void **state)
{
	struct btvi_block_device list[] = { { .name = "cciss/c0d0" }, { .name = "sda" } };
	const struct btvi_devices devices = { list, 2 };
	char stranger[64];

	(void)state;
	scratch_file("old.btviz.json",
		"{\"schema\":\"btviz.metadata/1\",\"devices\":[{\"name\":\"md7\","
		"\"dev\":\"9:7\"}]}");
	scratch_file("old.sda.blktrace.0", "x");
	scratch_file("old.cciss_c0d0.blktrace.31", "x");
	scratch_file("old.md7.blktrace.1", "x");
	scratch_file("old.sdb.blktrace.0", "x");
	scratch_file("old.sda.blktrace.txt", "x");
	scratch_file("older.sda.blktrace.0", "x");
	btvi_outputs_clear(scratch_path("old"), &devices, stranger, sizeof stranger);
	assert_string_equal(stranger, "old.sdb.blktrace.0");
	assert_int_not_equal(access(scratch_path("old.sda.blktrace.0"), F_OK), 0);
	assert_int_not_equal(access(scratch_path("old.cciss_c0d0.blktrace.31"), F_OK), 0);
	assert_int_not_equal(access(scratch_path("old.md7.blktrace.1"), F_OK), 0);
	assert_int_equal(access(scratch_path("old.sdb.blktrace.0"), F_OK), 0);
	assert_int_equal(access(scratch_path("old.sda.blktrace.txt"), F_OK), 0);
	assert_int_equal(access(scratch_path("older.sda.blktrace.0"), F_OK), 0);
}

/* ---- blktrace
 * ------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *printed;
	uint64_t events, dropped;
} figures[] = {
	{ "nothing", "", 0, 0 },
	{ "one device",
		"=== nullb0 ===\n  CPU  0:                21166 events,      993 KiB data\n"
		"  Total:                104914 events (dropped 3153),     4918 KiB data\n",
		104914, 3153 },
	{ "two devices",
		"=== md0 ===\n  Total:                 10 events (dropped 0),     1 KiB data\n"
		"=== sdb ===\n  Total:                 20 events (dropped 7),     1 KiB data\n",
		30, 7 },
	{ "cut short", "  Total:       10 events (drop", 0, 0 },
	{ "a refusal", "Thread 0 failed open /sys/kernel/debug/block/loop0/trace0: 1/Operation", 0,
		0 },
};

static void test_figures(void **state)
{
	uint64_t events, dropped;

	(void)state;
	for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
		btvi_blktrace_figures(figures[i].printed, &events, &dropped);
		assert_int_equal(events, figures[i].events);
		assert_int_equal(dropped, figures[i].dropped);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_undo, scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(test_state_file, scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(
			test_strange_states, scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(test_guardian, scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(test_processes, scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(test_sampler, scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(test_streams, scratch_set_up, scratch_tear_down),
		cmocka_unit_test_setup_teardown(test_outputs, scratch_set_up, scratch_tear_down),
		cmocka_unit_test(test_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
