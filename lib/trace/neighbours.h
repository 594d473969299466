/* trace/neighbours.h - a record's time against those of the records around it.
 *
 * The kernel gives out a sequence number and a time with interrupts off: on one CPU of one device
 * both grow together. A record that has its place by its number, but a time that neither the record
 * before it nor those behind it leave room for, has a wrong time. One such record would stretch a
 * run to years, and make all that follow it late. */
#ifndef BTVI_TRACE_NEIGHBOURS_H
#define BTVI_TRACE_NEIGHBOURS_H

#include "trace/decode.h"

/* Whether the neighbours of the I/O record that begins here, size bytes long, contradict its time.
 * *ret_before_ns is then the time of the one before it. BTVIZ_OK: they do. BTVIZ_END: no, or that
 * cannot be told; BTVIZ_NEED_INPUT: more bytes are needed. */
enum btviz_status btvi_contradict_time(struct btviz_decoder *d, const struct btviz_event *ev,
	size_t size, uint64_t *ret_before_ns);

#endif
