#!/usr/bin/env python3
"""Which tests are left out on this machine, and what would let them run.

Prints that as one line, which meson takes as the name of the last test; with --test ends with 77, skipped,
as long as anything is left out. The tests themselves look again, and say the same when they are run alone."""
import os
import shutil
import sys

TRACER = "/sys/kernel/tracing/current_tracer"

# Which tests; what they need one of; what to do about it.
NEEDS = (
    ("pages in Chromium", ("chromedriver",), "apt-get install chromium chromium-driver"),
    ("pages in Firefox", ("firefox-esr", "firefox"), "apt-get install firefox-esr"),
    ("movies", ("ffmpeg",), "apt-get install ffmpeg"),
    ("headers as C++", ("g++", "clang++"), "apt-get install g++"),
)


def left_out():
    for what, programs, remedy in NEEDS:
        if not any(shutil.which(name) for name in programs):
            yield f"{what} ({remedy})"
    if os.geteuid() != 0:
        yield "recording (be root)"
    elif not os.access(TRACER, os.W_OK):
        yield "recording (mount -t tracefs tracefs /sys/kernel/tracing)"


def main():
    out = list(left_out())
    print("; ".join(out))
    return 77 if out and "--test" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
