/* movie_file.c - frames piped into ffmpeg. No picture touches the disk. */
#include "movie_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include <btviz/output.h>

#include "command.h"
#include "say.h"

/* What each kind of file asks of ffmpeg. */
static const struct kind {
	const char *suffix;
	const char *const arguments[16];
} kinds[] = {
	{ ".mp4",
		{ "-c:v", "libx264", "-preset", "medium", "-crf", "20", "-pix_fmt", "yuv420p",
			"-movflags", "+faststart", "-f", "mp4", NULL } },
	{ ".webm",
		{ "-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "30", "-deadline", "realtime",
			"-cpu-used", "6", "-pix_fmt", "yuv420p", "-f", "webm", NULL } },
	{ ".ogv", { "-c:v", "libtheora", "-q:v", "8", "-pix_fmt", "yuv420p", "-f", "ogg", NULL } },
	{ ".gif",
		{ "-filter_complex",
			"split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=none",
			"-f", "gif", NULL } },
};

static const struct kind *kind_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcasecmp(dot, kinds[i].suffix) == 0)
			return &kinds[i];
	return NULL;
}

bool movie_is_name(const char *path)
{
	return kind_of(path) != NULL;
}

bool movie_check(void)
{
	const char *path = getenv("PATH");

	while (path && *path) {
		const size_t n = strcspn(path, ":");
		char name[PATH_MAX];

		if (snprintf(name, sizeof name, "%.*s/ffmpeg", (int)n, path) < (int)sizeof name &&
			access(name, X_OK) == 0)
			return true;
		path += n + (path[n] == ':');
	}
	say("a movie needs ffmpeg, which is not in PATH: install it (Debian: apt-get install "
	    "ffmpeg), or draw a picture or a page (-o FILE.png, .svg, .pdf, .html)");
	return false;
}

/* Starts ffmpeg with its standard input at *ret_fd. -1 after saying why not. */
static pid_t start(const struct kind *kind, unsigned width, unsigned height, unsigned frames_per_s,
	int out, int *ret_fd)
{
	const char *arguments[48] = { "ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error",
		"-f", "rawvideo", "-pix_fmt", "rgb24" };
	char size[32], rate[16], path[32];
	size_t n = 9;
	int fds[2];
	pid_t pid;

	snprintf(size, sizeof size, "%ux%u", width, height);
	snprintf(rate, sizeof rate, "%u", frames_per_s);
	snprintf(path, sizeof path, "/dev/fd/%d", out);
	arguments[n++] = "-s";
	arguments[n++] = size;
	arguments[n++] = "-r";
	arguments[n++] = rate;
	arguments[n++] = "-i";
	arguments[n++] = "pipe:0";
	arguments[n++] = "-an";
	for (size_t i = 0; kind->arguments[i]; i++)
		arguments[n++] = kind->arguments[i];
	arguments[n++] = "-y";
	arguments[n++] = path;
	if (pipe2(fds, O_CLOEXEC) != 0) {
		say("cannot make a pipe: %s", strerror(errno));
		return -1;
	}
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		dup2(fds[0], STDIN_FILENO);
		fcntl(out, F_SETFD, 0);
		signal(SIGPIPE, SIG_DFL);
		execvp(arguments[0], (char *const *)arguments);
		_exit(127);
	}
	close(fds[0]);
	if (pid < 0) {
		say("cannot start ffmpeg: %s", strerror(errno));
		close(fds[1]);
		return -1;
	}
	*ret_fd = fds[1];
	return pid;
}

static bool write_all(int fd, const unsigned char *data, size_t size)
{
	while (size > 0) {
		const ssize_t n = write(fd, data, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		size -= (size_t)n;
	}
	return true;
}

/* ffmpeg opens the file by way of its descriptor: it has no name yet. */
static int encode(struct btviz_movie *m, const struct kind *kind, int out)
{
	void (*former)(int) = signal(SIGPIPE, SIG_IGN); /* ffmpeg may end early: it says why */
	const unsigned char *rows;
	struct btviz_error err;
	enum btviz_status status;
	unsigned width, height;
	bool written = true;
	int fd, result = 0;
	pid_t pid;

	btviz_movie_size(m, &width, &height);
	pid = start(kind, width, height, btviz_movie_frames_per_s(m), out, &fd);
	if (pid < 0) {
		signal(SIGPIPE, former);
		return EXIT_FAILED;
	}
	while ((status = btviz_movie_next(m, &rows, &err)) == BTVIZ_OK && written)
		written = write_all(fd, rows, (size_t)width * height * 3);
	close(fd);
	while (waitpid(pid, &result, 0) < 0 && errno == EINTR)
		;
	signal(SIGPIPE, former);
	if (status < 0)
		return say_error(&err);
	if (!written || !WIFEXITED(result) || WEXITSTATUS(result) != 0) {
		say("ffmpeg failed; it needs its encoder for %s files", kind->suffix);
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}

int movie_write(
	const struct btviz_run *run, const struct btviz_movie_options *options, const char *path)
{
	struct btviz_output *out;
	struct btviz_movie *m;
	struct btviz_error err;
	int code;

	if (btviz_output_open(path, 0, &out, &err) != BTVIZ_OK)
		return say_error(&err);
	if (btviz_movie_new(run, options, &m, &err) != BTVIZ_OK) {
		btviz_output_drop(out);
		return say_error(&err);
	}
	code = encode(m, kind_of(path), btviz_output_fd(out));
	btviz_movie_free(m);
	if (code != EXIT_DONE)
		btviz_output_drop(out);
	else if (btviz_output_finish(out, &err) != BTVIZ_OK)
		code = say_error(&err);
	return code;
}
