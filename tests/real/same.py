#!/usr/bin/env python3
"""Whether two programs say the same of every recording: same.py OLD NEW DIRECTORY...

For changes that must change nothing. Runs what prints and draws with both on each recording (NAME.tar.xz, or
a directory with streams in it) and names what is not equal byte for byte; --show prints the first lines that
differ. Not a test of the suite: there is no old program in it."""
import argparse
import concurrent.futures
import difflib
import os
import subprocess
import sys
import tempfile

# What is compared, and the name of the file that it writes ("" for what it prints).
VIEWS = {
    "report": (["report", "-t"], ""),
    "json": (["report", "--format", "json", "-t"], ""),
    "csv": (["report", "--format", "csv", "-t"], ""),
    "events": (["events", "-t"], ""),
    "show": (["show", "-t"], ""),
    "png": (["-o", "x.png", "-t"], "x.png"),
    "svg": (["-o", "x.svg", "-t"], "x.svg"),
    "page": (["-o", "x.html", "-t"], "x.html"),
    "saved": (["report", "--save", "x.btviz", "-t"], "x.btviz"),
}


def recordings(directories):
    for directory in directories:
        for entry in sorted(os.listdir(directory)):
            path = os.path.join(directory, entry)
            if entry.endswith(".tar.xz"):
                yield path
            elif os.path.isdir(path):
                yield from recordings_in(path)


def recordings_in(path):
    """A directory that holds streams is one recording; else its directories may be."""
    if any(".blktrace." in f or f.endswith((".bin", ".blktrace")) for f in os.listdir(path)):
        yield path
    else:
        yield from recordings([path])


def look(program, view, recording):
    command, name = VIEWS[view]
    with tempfile.TemporaryDirectory() as scratch:
        result = subprocess.run([os.path.abspath(program), *command, os.path.abspath(recording)], cwd=scratch,
                                capture_output=True, stdin=subprocess.DEVNULL)
        said = result.stderr + b"exit %d\n" % result.returncode
        if not name:
            return result.stdout + said
        path = os.path.join(scratch, name)
        return (open(path, "rb").read() if os.path.exists(path) else b"") + said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("directory", nargs="+")
    parser.add_argument("--views", default=",".join(VIEWS), help="some of: %(default)s")
    parser.add_argument("--show", action="store_true", help="print the first lines that differ")
    parser.add_argument("-j", type=int, default=2)
    args = parser.parse_args()
    work = [(r, v) for r in recordings(args.directory) for v in args.views.split(",")]
    differ = 0
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        pairs = pool.map(lambda w: (look(args.old, w[1], w[0]), look(args.new, w[1], w[0])), work)
        for (recording, view), (old, new) in zip(work, pairs):
            if old == new:
                continue
            differ += 1
            print(f"{recording}: {view} differs")
            if args.show:
                lines = difflib.unified_diff(old.decode("utf-8", "replace").splitlines(),
                                             new.decode("utf-8", "replace").splitlines(), "old", "new", lineterm="", n=0)
                for line in list(lines)[:12]:
                    print("    " + line[:200])
    print(f"{len(work)} views, {differ} differ")
    return 1 if differ or not work else 0


if __name__ == "__main__":
    sys.exit(main())
