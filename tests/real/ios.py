#!/usr/bin/env python3
"""Compares each I/O of bare disks with an independent pairing of blkparse's lines.

    ios.py BTVIZ DIRECTORY

The lines are those of `btviz events`, which are blkparse's byte for byte (events-real). Here a request is
what D issues: the bios queued in its range and direction that were not issued yet, oldest first where
there are several of one place; it is over with the C of the same place and length, a bio with it."""
import collections
import csv
import io
import os
import re
import subprocess
import sys

import recordings

# Disks whose requests complete whole.
DISKS = [("bfq-messages", None), ("raid0-good", "sdb"), ("raid0-bad", "sdd"), ("raid0-devstall-hw", "sdd"),
         ("raid1-threads-16", "sdb"), ("raid5-rmw", "sdc"), ("partition", "sdc"), ("raid0-onedisk", "sdc")]
LINE = re.compile(r" *(\d+),(\d+) +\d+ +\d+ +([\d.]+) +\d+ +(\S+) +(\S+) (\d+) \+ (\d+) ")


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL).stdout


def nanoseconds(text):
    seconds, _, rest = text.partition(".")
    return int(seconds) * 10 ** 9 + int(rest.ljust(9, "0"))


def paired(lines):
    """Counter of (queued ns, sector, sectors, issued ns, completed ns)."""
    waiting, flying, found = [], collections.defaultdict(list), collections.Counter()
    for line in lines:
        match = LINE.match(line)
        if not match:
            continue
        time, action, rwbs, sector, sectors = \
            nanoseconds(match[3]), match[4], match[5], int(match[6]), int(match[7])
        write = "W" in rwbs or "D" in rwbs
        if action == "Q":
            waiting.append((time, sector, sectors, write))
        elif action == "D":
            taken, places = [], set()
            for bio in waiting:
                if bio[3] == write and sector <= bio[1] and bio[1] + bio[2] <= sector + sectors \
                        and bio[1] not in places:
                    taken.append(bio)
                    places.add(bio[1])
            for bio in taken:
                waiting.remove(bio)
            flying[sector, sectors, write].append((time, taken))
        elif action == "C" and flying[sector, sectors, write]:
            issued, bios = flying[sector, sectors, write].pop(0)
            for bio in bios:
                found[bio[0], bio[1], bio[2], issued, time] += 1
    return found


def printed(text):
    found = collections.Counter()
    for row in csv.DictReader(io.StringIO(text)):
        if row["bytes"] == "0" or not row["q2c_s"] or not row["q2d_s"]:
            continue
        queued = nanoseconds(row["time_s"])
        q2d, d2c = nanoseconds(row["q2d_s"]), nanoseconds(row["d2c_s"])
        if q2d + d2c != nanoseconds(row["q2c_s"]):
            found["stages do not add up", row["time_s"]] += 1
        found[queued, int(row["sector"]), int(row["bytes"]) // 512, queued + q2d, queued + q2d + d2c] += 1
    return found


def main():
    btviz, directory = sys.argv[1:3]
    checked, faults = 0, []
    for name, disk in DISKS:
        trace = os.path.join(directory, name + ".tar.xz")
        only = ["-d", disk] if disk else []
        want = paired(run(btviz, "events", "-t", trace, *only).splitlines())
        have = printed(run(btviz, "ios", "-t", trace, "--format", "csv", *only))
        checked += sum(want.values())
        for what, difference in (("only here", want - have), ("only in btviz ios", have - want)):
            for one, count in list(difference.items())[:3]:
                faults.append(f"{name} {disk or ''}: {what}, {sum(difference.values())} in all: {one} x {count}")
        if not want:
            faults.append(f"{name}: nothing to compare")
    recordings.finish(checked, faults)


if __name__ == "__main__":
    main()
