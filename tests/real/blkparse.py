#!/usr/bin/env python3
"""Compares counts and KiB of each device with blkparse's totals of the same recording.

    blkparse.py BTVIZ DIRECTORY [NAME...]

They must be equal, once blkparse's habits are accounted for:
- it goes by the direction bit: discards, write-zeroes and zone operations are its writes, and a flush is
  a write or a read by the bit that its records happen to carry (Q and G write, D and C read);
- what it prints as MiB is thousands of KiB, cut off;
- from the bytes issued it takes back what was put back (R), but not from the I/Os issued;
- it counts passthrough apart."""
import re
import sys

import recordings

STATIONS = {"Queued": "queued", "Dispatches": "issued", "Requeued": "requeued", "Completed": "completed",
            "Merges": "merged"}
AS_WRITE = ("write", "discard", "zeroes", "zone")


def totals(path):
    """{device: {station: {"read"|"write": (ios, KiB or None, whether it was cut to MiB)}}}"""
    found, device = {}, None
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            head = re.match(r"(Total|CPU\d+) \((.*)\):$", line)
            if head:
                # A device that only one CPU touched has no total of its own.
                device = head[2]
                if head[1] == "Total" or device not in found:
                    found[device] = {}
                else:
                    device = None
            elif line.startswith("Throughput") or not line.strip():
                device = None if line.strip() else device
            elif device:
                for word, kind, ios, size, unit in re.findall(
                        r"(Read|Write)s? (Queued|Dispatches|Requeued|Completed|Merges):\s+(\d+)"
                        r"(?:,\s*(\d+)([KMG]iB))?", line):
                    factor = {"KiB": 1, "MiB": 1000, "GiB": 1000000, "": None}[unit]
                    found[device].setdefault(STATIONS[kind], {})[word.lower()] = \
                        (int(ios), int(size) * factor if factor else None, unit not in ("KiB", ""))
    return found


def main():
    btviz, directory, *names = sys.argv[1:]
    checked, faults = 0, []
    for name, trace, path in recordings.known(directory, "blkparse.txt"):
        if names and name not in names:
            continue
        if name.startswith("cgroup-ids"):
            continue  # blkparse 1.2.0 reads no record with the cgroup bit: facts.py has these
        run = recordings.report(btviz, trace)
        devices = {d["name"]: d for d in run["devices"]}
        for device, stations in totals(path).items():
            if device not in devices:
                if any(part[0] for station in stations.values() for part in station.values()):
                    faults.append(f"{name}: no device {device}")
                continue
            actions = devices[device]["actions"]
            for station, want in stations.items():
                def ours(op, what):
                    return (actions.get(op, {}).get(station, {}).get(what) or 0)
                flushes = ours("flush", "ios")
                read, write = ours("read", "ios"), sum(ours(op, "ios") for op in AS_WRITE)
                extra = (want["read"][0] - read, want["write"][0] - write)
                checked += 1
                if min(extra) < 0 or sum(extra) != flushes:
                    faults.append(f"{name}: {device}: {station}: blkparse {want['read'][0]} reads, "
                                  f"{want['write'][0]} writes; here {read}, {write}, {flushes} flushes")
                for word, ops in (("read", ["read"]), ("write", AS_WRITE)):
                    kib, cut = want[word][1:]
                    if kib is None:
                        continue
                    have = sum(ours(op, "bytes") for op in ops)
                    if station == "issued":
                        have -= sum(actions.get(op, {}).get("requeued", {}).get("bytes") or 0
                                    for op in ops)
                    checked += 1
                    if have // 1024 // (1000 if cut else 1) * (1000 if cut else 1) != kib:
                        faults.append(f"{name}: {device}: {station}: blkparse {kib} KiB {word}, "
                                      f"here {have / 1024:.3f}")
    recordings.finish(checked, faults)


main()
