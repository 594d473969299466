#!/usr/bin/env python3
"""Databases of I/Os against the report of the same recording: database.py BTVIZ DIRECTORY

What select statements over the tables give is what the report says: I/Os and bytes of each device, its raw
counts, gaps, findings and processes; the stages of each I/O add up."""
import os
import sqlite3
import subprocess
import sys
import tempfile

import recordings

NAMES = ["raid0-bad", "raid5-rmw", "lvm-on-raid0", "io-errors", "raid1-threads-4", "bfq-messages"]


def total(device, station, what):
    """Over all operations; None where the trace cannot tell."""
    parts = [op[station][what] for op in device["actions"].values()]
    return None if None in parts else sum(parts)


def main():
    btviz, directory = sys.argv[1:3]
    checked, faults = 0, []

    def check(what, have, want):
        nonlocal checked
        checked += 1
        if have != want:
            faults.append(f"{what}: {have}, the report has {want}")

    for name in NAMES:
        trace = os.path.join(directory, name + ".tar.xz")
        run = recordings.report(btviz, trace)
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "run.db")
            subprocess.run([btviz, "ios", "-t", trace, "-o", path], check=True)
            check(f"{name}: files left", os.listdir(scratch), ["run.db"])
            db = sqlite3.connect(path)
        check(f"{name}: integrity", db.execute("pragma integrity_check").fetchall(), [("ok",)])
        for device in run["devices"]:
            where = device["name"]
            ended = db.execute("select count(*) from ios where device = ? and complete_ns is not null "
                               "and queue_ns is not null", (where,)).fetchone()[0]
            latency = device["latency"]["q2c"]["all"] if "q2c" in device["latency"] else None
            if latency:
                check(f"{name} {where}: I/Os with a Q2C", ended, latency["count"])
            row = db.execute("select queued, queued_bytes, issued, completed, seeks from devices where device = ?",
                             (where,)).fetchone()
            check(f"{name} {where}: raw counts", list(row[:4]),
                  [total(device, "queued", "ios"), total(device, "queued", "bytes"), total(device, "issued", "ios"),
                   total(device, "completed", "ios")])
            check(f"{name} {where}: gaps", db.execute(
                "select count(*) from gaps where device = ?", (where,)).fetchone()[0], len(device["gaps"]))
        check(f"{name}: findings", [row[0] for row in db.execute("select name from findings")],
              [finding["name"] for finding in run["findings"]])
        check(f"{name}: processes", db.execute("select count(*) from processes").fetchone()[0], len(run["processes"]))
        check(f"{name}: stages that do not add up", db.execute(
            "select count(*) from ios where issue_ns is not null and complete_ns is not null and queue_ns is not null "
            "and (issue_ns < queue_ns or complete_ns < issue_ns)").fetchone()[0], 0)
    recordings.finish(checked, faults)


if __name__ == "__main__":
    main()
