/* progress.c - progress on a terminal. The library reads without telling how far it is, so a thread
 * asks the kernel how much this process has read. */
#include "progress.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <btviz/text.h>

#include "terminal.h"

struct progress {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t stop;
	bool stopped;
	char name[160];
	unsigned long long bytes_before;
};

/* Bytes that read() gave this process so far; 0 where /proc does not tell. */
static unsigned long long bytes_read(void)
{
	unsigned long long bytes = 0;
	FILE *f = fopen("/proc/self/io", "re");

	if (!f)
		return 0;
	if (fscanf(f, "rchar: %llu", &bytes) != 1)
		bytes = 0;
	fclose(f);
	return bytes;
}

static void *show(void *data)
{
	struct progress *p = data;
	struct timespec until;
	unsigned tenths = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	pthread_mutex_lock(&p->lock);
	while (!p->stopped) {
		until.tv_nsec += 200000000;
		if (until.tv_nsec >= 1000000000) {
			until.tv_sec++;
			until.tv_nsec -= 1000000000;
		}
		pthread_cond_timedwait(&p->stop, &p->lock, &until);
		tenths += 2;
		if (p->stopped || tenths < 10)
			continue;
		fprintf(stderr, "\rreading %s, %llu MB, %u s ", p->name,
			(bytes_read() - p->bytes_before) / 1000000, tenths / 10);
		fflush(stderr);
	}
	pthread_mutex_unlock(&p->lock);
	if (tenths >= 10)
		fputs("\r\033[K", stderr);
	return NULL;
}

struct progress *progress_new(const char *name)
{
	struct progress *p;
	const size_t n = strlen(name), most = terminal_columns(STDERR_FILENO) < 80 ? 10 : 40;
	char tail[48];

	if (!isatty(STDERR_FILENO))
		return NULL;
	p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	/* The end of a long path tells more than its beginning. */
	snprintf(
		tail, sizeof tail, "%s%s", n > most ? "..." : "", name + (n > most ? n - most : 0));
	btviz_text_printable(tail, strlen(tail), p->name, sizeof p->name);
	p->bytes_before = bytes_read();
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->stop, NULL);
	if (pthread_create(&p->thread, NULL, show, p) != 0) {
		free(p);
		return NULL;
	}
	return p;
}

void progress_free(struct progress *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stopped = true;
	pthread_cond_signal(&p->stop);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->stop);
	free(p);
}
