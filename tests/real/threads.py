#!/usr/bin/env python3
"""What is printed, saved and drawn does not depend on the number of threads, to the last byte. Under the
thread sanitizer it also shows whether they keep out of each other's way.

    threads.py BTVIZ DIRECTORY [NAME...]"""
import os
import re
import subprocess
import sys
import tempfile

import recordings

# Arrays of several devices, dm on top of one, formats 7 and 8.
NAMES = ["raid0-bad", "lvm-on-raid0", "raid5-rmw", "drops-nullblk", "v8-fsync"]
JOBS = ["1", "2", "5"]


def outputs(btviz, trace, jobs):
    """Name and bytes of what is made with so many threads: all figures, all that is kept, a picture."""
    with tempfile.TemporaryDirectory() as scratch:
        for name, words in {"report.json": ["report", "--format", "json", "-o"], "saved": ["report", "--save"],
                            "picture.svg": ["-o"]}.items():
            path = os.path.join(scratch, name)
            command = [btviz, *words[:-1], "-t", trace, "-j", jobs, words[-1], path]
            result = subprocess.run(command, capture_output=True, text=True)
            if result.returncode != 0:
                raise SystemExit(f"{' '.join(command)}: exit code {result.returncode}\n{result.stderr}")
            with open(path, "rb") as file:
                # A picture tells the command that made it.
                yield name, re.sub(rb"<metadata>.*</metadata>", b"", file.read())


def main():
    btviz, directory, *names = sys.argv[1:]
    checked, faults = 0, []
    for name in names or NAMES:
        trace = os.path.join(directory, name + ".tar.xz")
        want = dict(outputs(btviz, trace, JOBS[0]))
        for jobs in JOBS[1:]:
            for what, have in outputs(btviz, trace, jobs):
                checked += 1
                if not have or have != want[what]:
                    faults.append(f"{name}: {what}: with {jobs} threads other than with one")
    recordings.finish(checked, faults)


main()
