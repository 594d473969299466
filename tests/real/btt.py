#!/usr/bin/env python3
"""Compares latencies with btt's of the same recording.

    btt.py BTVIZ DIRECTORY [NAME...]

btt prints one figure for all disks together, and md's and dm's apart (Q2Qdm, Q2Cdm). Where the
definitions agree, counts are equal, and least, average and most within 0.1 %. Where they do not, what
btt prints must follow from its own definition and these figures:
- D2C: btt has one for each bio of a request, btviz one for each request. Least and most agree, and the
  average over bios is that of Q2C less that of Q2D. The flush that the block layer makes of a bio is
  a request of its own here (direction "other"), and nothing to btt.
- Q2Q: btt takes the pause since the last queueing on *any* device, and puts it down to disks or dm by the
  device that ends it. So the sums of both are the time from the first queueing of all to the last."""
import re
import sys

import recordings

STAGES = ("Q2Q", "Q2G", "G2I", "Q2M", "I2D", "M2D", "D2C", "Q2C")
TOLERANCE = 0.001


def figures(path):
    """{name: (least, average, most, count)} of btt's first table."""
    found = {}
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            row = re.match(r"(\w+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+(\d+)$", line)
            if row:
                found[row[1]] = (*map(float, row.group(2, 3, 4)), int(row[5]))
            elif found and line.startswith("====="):
                break
    return found


def together(devices, stage, directions=("all",)):
    """Least, average, most and count over devices."""
    parts = [d["latency"][stage.lower()][direction] for d in devices for direction in directions]
    parts = [p for p in parts if p["count"]]
    count = sum(p["count"] for p in parts)
    if not count:
        return None
    return (min(p["min_s"] for p in parts), sum(p["avg_s"] * p["count"] for p in parts) / count,
            max(p["max_s"] for p in parts), count)


def ours(disks, arrays, stage):
    """What btt would call stage."""
    if stage.endswith("dm"):
        return together(arrays, stage.removesuffix("dm"))
    if stage != "D2C":
        return together(disks, stage)
    least, average, most, count = together(disks, "D2C", ("read", "write"))
    if any(op["merged"]["ios"] for d in disks for op in d["actions"].values()):
        q2c, q2d = together(disks, "Q2C", ("read", "write")), together(disks, "Q2D", ("read", "write"))
        average = (q2c[1] * q2c[3] - q2d[1] * q2d[3]) / q2c[3]
        count = q2c[3]
    return least, average, most, count


def main():
    btviz, directory, *names = sys.argv[1:]
    checked, faults = 0, []
    for name, trace, path in recordings.known(directory, "btt.txt"):
        if names and name not in names:
            continue
        run = recordings.report(btviz, trace)
        # btt's "dm" is every device that is no disk.
        disks = [d for d in run["devices"] if d["role"] in ("member", "disk")]
        arrays = [d for d in run["devices"] if d["role"] == "array"]
        print(name)
        table = figures(path)
        for stage, want in table.items():
            if stage.removesuffix("dm") not in STAGES:
                continue
            have = ours(disks, arrays, stage)
            if have is None:
                faults.append(f"{name}: {stage}: none here")
                continue
            off = [abs(a - b) / b if b else abs(a) for a, b in zip(have, want)]
            print(f"  {stage:6} count {have[3]:6} of {want[3]:6}  off by least {off[0]:.4%} "
                  f"average {off[1]:.4%} most {off[2]:.4%}")
            checked += 1
            if stage.removesuffix("dm") == "Q2Q":
                continue
            if have[3] != want[3]:
                faults.append(f"{name}: {stage}: {want[3]} in btt, {have[3]} here")
            elif max(off[:3]) > TOLERANCE:
                faults.append(f"{name}: {stage}: btt {want[:3]}, here {have[:3]}")
        # Both together go from the run's first queueing to its last, on whatever device these are.
        theirs = sum(table[stage][1] * table[stage][3] for stage in ("Q2Q", "Q2Qdm"))
        here = max(d["latency"]["q2q"]["all"]["avg_s"] * d["latency"]["q2q"]["all"]["count"]
                   for d in run["devices"])
        print(f"  Q2Q and Q2Qdm in all {theirs:.6f} s, one device {here:.6f} s, run {run['span_s']:.6f} s")
        checked += 1
        if not here * (1 - TOLERANCE) <= theirs <= run["span_s"] * (1 + TOLERANCE):
            faults.append(f"{name}: Q2Q in all: {theirs} s in btt, {here} s on one device here")
    recordings.finish(checked, faults)


main()
