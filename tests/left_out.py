#!/usr/bin/env python3
"""Which tests are left out on this machine, and what would let them run.

Prints that as one line, which meson takes as the name of the last test; with --test ends with 77, skipped,
as long as anything is left out. The tests themselves look again, and say the same when they are run alone."""
import os
import shutil
import sys

TRACER = "/sys/kernel/tracing/current_tracer"

# Which tests; the programs of which they need one; the packages that bring it.
NEEDS = (
    ("html", ("chromedriver",), "chromium-driver"),
    ("firefox", ("firefox-esr", "firefox"), "firefox-esr"),
    ("movie", ("ffmpeg",), "ffmpeg"),
    ("headers-c++17", ("g++", "clang++"), "g++"),
)


def left_out():
    """Names of tests, and what to do."""
    missing = [(what, package) for what, programs, package in NEEDS if not any(map(shutil.which, programs))]
    tests = [what for what, _ in missing]
    remedies = ["apt-get install " + " ".join(package for _, package in missing)] if missing else []
    if os.geteuid() != 0:
        remedies.append("be root")
    elif not os.access(TRACER, os.W_OK):
        remedies.append("mount tracefs")
    if len(remedies) > bool(missing):
        tests.append("record")
    return tests, remedies


def main():
    tests, remedies = left_out()
    if tests:
        print(" ".join(tests), f"({'; '.join(remedies)})")
    return 77 if tests and "--test" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
