/* test_output.c - a file is written whole or not at all. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>
#include <unistd.h>
#include <dirent.h>
#include <cmocka.h>

#include "base/output.h"
#include "draw/bytes.h"

static char dir[64];

static int enter(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/btviz-output-XXXXXX");
	return mkdtemp(dir) && chdir(dir) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	char command[96];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", dir);
	return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static struct btvi_bytes bytes(const char *text)
{
	struct btvi_bytes b = { 0 };

	btvi_bytes_text(&b, text);
	return b;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void assert_holds(const char *path, const char *text)
{
	char got[256] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	got[fread(got, 1, sizeof got - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(got, text);
}

static unsigned entries(void)
{
	DIR *d = opendir(".");
	unsigned count = 0;

	while (readdir(d))
		count++;
	closedir(d);
	return count - 2;
}

static void test_new_file_follows_the_umask(void **state)
{
	struct btvi_bytes b = bytes("picture");
	struct stat st;

	(void)state;
	umask(027);
	assert_int_equal(btvi_output_file(b.data, b.size, "new.png", NULL), BTVIZ_OK);
	umask(022);
	assert_holds("new.png", "picture");
	assert_int_equal(stat("new.png", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(entries(), 1);
	btvi_bytes_done(&b);
}

static void test_old_file_is_replaced_and_keeps_its_mode(void **state)
{
	struct btvi_bytes b = bytes("new");
	struct stat st;

	(void)state;
	put("old.png", "old and longer");
	assert_int_equal(chmod("old.png", 0600), 0);
	assert_int_equal(btvi_output_file(b.data, b.size, "old.png", NULL), BTVIZ_OK);
	assert_holds("old.png", "new");
	assert_int_equal(stat("old.png", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	btvi_bytes_done(&b);
}

static void test_symbolic_link_stays(void **state)
{
	struct btvi_bytes b = bytes("new");
	struct stat st;

	(void)state;
	assert_int_equal(mkdir("elsewhere", 0755), 0);
	put("elsewhere/target.png", "old");
	assert_int_equal(symlink("elsewhere/target.png", "link.png"), 0);
	assert_int_equal(btvi_output_file(b.data, b.size, "link.png", NULL), BTVIZ_OK);
	assert_holds("elsewhere/target.png", "new");
	assert_int_equal(lstat("link.png", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	btvi_bytes_done(&b);
}

static void test_special_bits_are_not_kept(void **state)
{
	struct stat st;

	(void)state;
	put("old.png", "old");
	assert_int_equal(chmod("old.png", 07755), 0);
	assert_int_equal(btvi_output_file("new", 3, "old.png", NULL), BTVIZ_OK);
	assert_holds("old.png", "new");
	assert_int_equal(stat("old.png", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
}

static void test_link_that_leads_nowhere_is_told(void **state)
{
	struct btviz_error err;
	struct stat st;

	(void)state;
	assert_int_equal(symlink("gone.png", "link.png"), 0);
	assert_int_equal(symlink("gone/too.png", "far.png"), 0);
	assert_int_equal(symlink("round.png", "round.png"), 0);
	assert_int_equal(btvi_output_file("new", 3, "link.png", &err), BTVIZ_ERR_IO);
	assert_non_null(strstr(err.message, "link.png: it is a link that leads nowhere"));
	assert_int_equal(btvi_output_file("new", 3, "far.png", &err), BTVIZ_ERR_IO);
	assert_non_null(strstr(err.message, "leads nowhere"));
	assert_int_equal(btvi_output_file("new", 3, "round.png", &err), BTVIZ_ERR_IO);
	assert_int_equal(lstat("link.png", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(entries(), 3);
}

/* What is dropped was never there, and what is there at once takes more. */
static void test_dropped_and_created(void **state)
{
	struct btviz_output *o;
	int fd;

	(void)state;
	assert_int_equal(btviz_output_open("a.png", 0, &o, NULL), BTVIZ_OK);
	assert_int_equal(write(btviz_output_fd(o), "new", 3), 3);
	assert_int_equal(entries(), 0);
	btviz_output_drop(o);
	assert_int_equal(entries(), 0);
	put("b", "a former recording");
	assert_int_equal(btvi_output_create("b", &fd, NULL), BTVIZ_OK);
	assert_holds("b", "");
	assert_int_equal(write(fd, "new", 3), 3);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(write(fd, "er", 2), 2);
	close(fd);
	assert_holds("b", "newer");
	assert_int_equal(entries(), 1);
}

static void test_device_is_written_to(void **state)
{
	struct btvi_bytes b = bytes("new");
	struct stat st;

	(void)state;
	assert_int_equal(btvi_output_file(b.data, b.size, "/dev/null", NULL), BTVIZ_OK);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	btvi_bytes_done(&b);
}

static void test_failures_leave_all_as_it_was(void **state)
{
	struct btvi_bytes b = bytes("a picture that is too large for the limit set below");
	struct btviz_error err;
	struct rlimit former, small;
	enum btviz_status status;

	(void)state;
	assert_int_equal(btvi_output_file(b.data, b.size, "no/such/dir.png", &err), BTVIZ_ERR_IO);
	assert_non_null(strstr(err.message, "no/such/dir.png"));
	assert_non_null(strstr(err.message, "No such file"));
	assert_int_equal(btvi_output_file(b.data, b.size, ".", &err), BTVIZ_ERR_IO);
	assert_int_equal(btvi_output_file(b.data, b.size, "/dev/full", &err), BTVIZ_ERR_IO);
	assert_non_null(strstr(err.message, "No space"));

	/* As on a full disk: some bytes go, then no more. */
	put("kept.png", "the good one");
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &former), 0);
	small = (struct rlimit){ 10, former.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	status = btvi_output_file(b.data, b.size, "kept.png", &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &former), 0);
	assert_int_equal(status, BTVIZ_ERR_IO);
	assert_holds("kept.png", "the good one");
	assert_int_equal(entries(), 1);
	btvi_bytes_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_new_file_follows_the_umask, enter, leave),
		cmocka_unit_test_setup_teardown(
			test_old_file_is_replaced_and_keeps_its_mode, enter, leave),
		cmocka_unit_test_setup_teardown(test_symbolic_link_stays, enter, leave),
		cmocka_unit_test_setup_teardown(test_special_bits_are_not_kept, enter, leave),
		cmocka_unit_test_setup_teardown(test_link_that_leads_nowhere_is_told, enter, leave),
		cmocka_unit_test_setup_teardown(test_dropped_and_created, enter, leave),
		cmocka_unit_test_setup_teardown(test_device_is_written_to, enter, leave),
		cmocka_unit_test_setup_teardown(test_failures_leave_all_as_it_was, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
