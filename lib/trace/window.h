/* trace/window.h - puts a stream in order that is not so itself, as far back as a bounded window
 * reaches.
 *
 * Such streams are several ordered ones in one (`blktrace -o -` writes each CPU's buffer as it gets
 * it; files are put one behind the other), so the window deals the events out to runs, each in
 * order by itself, and merges those: for a stream in order that is next to nothing. */
#ifndef BTVI_TRACE_WINDOW_H
#define BTVI_TRACE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <btviz/event.h>

struct btvi_window;

/* A window of that many events. NULL: out of memory. It takes memory as it fills. */
struct btvi_window *btvi_window_new(size_t events);
void btvi_window_free(struct btvi_window *w);

/* Copies the event, payload and all, under a key (its time, or what stands for it). Not when
 * btvi_window_is_full(). False: out of memory. */
bool btvi_window_put(struct btvi_window *w, const struct btviz_event *ev, uint64_t key);

bool btvi_window_is_full(const struct btvi_window *w);

/* Takes out the event of the lowest key; NULL when there is none. Valid until the next call of
 * take(), or free. */
struct btviz_event *btvi_window_take(struct btvi_window *w, uint64_t *ret_key);

/* Events held, notes among them. */
size_t btvi_window_count(const struct btvi_window *w, size_t *ret_notes);

#endif
