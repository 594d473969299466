#!/usr/bin/env python3
"""An example: libbtviz from Python, without a binding. numbers.py NAME prints, for each device, the
events and the bytes read and written. The struct is that of btviz/event.h, as far as it is used."""
import collections
import ctypes
import sys


class Event(ctypes.Structure):
    _fields_ = [("time_ns", ctypes.c_uint64), ("sector", ctypes.c_uint64), ("bytes", ctypes.c_uint32),
                ("categories", ctypes.c_uint32), ("device", ctypes.c_uint32), ("pid", ctypes.c_uint32),
                ("cpu", ctypes.c_uint32), ("sequence", ctypes.c_uint32), ("event", ctypes.c_uint16)]


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("sys_errno", ctypes.c_int), ("offset", ctypes.c_uint64),
                ("reserved", ctypes.c_uint64 * 4),
                ("stream", ctypes.c_char * 256), ("message", ctypes.c_char * 512)]


btviz = ctypes.CDLL("libbtviz.so.0")
btviz.btviz_trace_device_name.restype = ctypes.c_char_p
trace, event, error = ctypes.c_void_p(), ctypes.POINTER(Event)(), Error()
OK, END, COMPLETE = 0, 2, 8
READ, WRITE, NOTIFY, DISCARD = 1 << 0, 1 << 1, 1 << 10, 1 << 13

if btviz.btviz_trace_open(sys.argv[1].encode(), None, ctypes.byref(trace), ctypes.byref(error)) != OK:
    sys.exit(error.message.decode())
counts = collections.defaultdict(collections.Counter)
while btviz.btviz_trace_next(trace, ctypes.byref(event), ctypes.byref(error)) == OK:
    ev = event.contents
    if ev.categories & NOTIFY:
        continue
    counts[ev.device]["events"] += 1
    if ev.event == COMPLETE and not ev.categories & DISCARD:
        counts[ev.device]["written" if ev.categories & WRITE else "read"] += ev.bytes
for device, count in sorted(counts.items()):
    name = btviz.btviz_trace_device_name(trace, ctypes.c_uint32(device)).decode()
    print(f"{name}: {count['events']} events, {count['read']} bytes read, {count['written']} written")
btviz.btviz_trace_close(trace)
