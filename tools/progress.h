/* progress.h - a line on the terminal that tells that long work goes on. */
#ifndef BTVIZ_TOOLS_PROGRESS_H
#define BTVIZ_TOOLS_PROGRESS_H

struct progress;

/* Shows "reading NAME, N MB, S s" on standard error from the first second on, until
 * progress_free(). NULL (which progress_free() takes) where standard error is no terminal. */
struct progress *progress_new(const char *name);
void progress_free(struct progress *p);

#endif
