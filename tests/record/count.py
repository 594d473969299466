#!/usr/bin/env python3
"""Counts a recording's events, as an independent reader: by letter, completed bytes, missing sequence numbers, the longest time without a Q.

    count.py KEY FILE...      KEY: events, Q, C, ..., bytes, lost, gap_ms, names, notes, back, whole"""
import collections
import struct
import sys

LETTERS = dict(enumerate("?QMFGSRDCPU", 0)) | {11: "UT", 12: "I", 13: "X", 15: "A"}
WRITE, NOTIFY = 1 << 17, 1 << 26

found = collections.Counter()
names = set()
queued = []
found["whole"] = 1
for path in sys.argv[2:]:
    with open(path, "rb") as file:
        data = file.read()
    at, last_time, last = 0, 0, {}
    while at < len(data):
        if len(data) - at < 48:
            found["whole"] = 0
            break
        magic, sequence, time, sector, size = struct.unpack_from("<IIQQI", data, at)
        if magic == 0x65617407:
            action, pid, device, cpu, error, extra = struct.unpack_from("<IIIIHH", data, at + 28)
            head = 48
        elif magic == 0x65617408:
            pid, action, device, cpu, error, extra = struct.unpack_from("<IQIIHH", data, at + 28)
            head = 64
        else:
            sys.exit(f"{path}: no record at byte {at}")
        if at + head + extra > len(data):
            found["whole"] = 0
            break
        if action & NOTIFY:
            found["notes"] += 1
            if action & 0xff == 0:
                names.add(data[at + head:at + head + extra].split(b"\0")[0].decode())
        else:
            found["events"] += 1
            found[LETTERS.get(action & 0xfeff, "?")] += 1
            if action & 0xfeff == 8 and action & WRITE:
                found["bytes"] += size
            if action & 0xfeff == 1:
                queued.append(time)
            if device in last:
                found["lost"] += sequence - last[device] - 1
            last[device] = sequence
        found["back"] += time < last_time
        last_time = time
        at += head + extra
queued.sort()
found["gap_ms"] = max((b - a for a, b in zip(queued, queued[1:])), default=0) // 1000000
print(" ".join(sorted(names)) if sys.argv[1] == "names" else found[sys.argv[1]])
