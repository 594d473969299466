#!/usr/bin/env python3
"""Checks the sources as text: length, blanks, a first comment, and words that must not be in them.

Columns and all else about layout are clang-format's business (.ci/run)."""
import os
import re
import sys

ROOT = sys.argv[1]
TOPS = ["include", "lib", "tools", "tests", "testdata", ".ci"]
CODE = (".c", ".h", ".py", ".js", ".sh", ".css")
TEXT = CODE + (".md", ".build", ".txt", ".map", ".ini", ".1", ".3", ".5", ".json", ".html", ".bash", ".zsh", ".fish")
LINES_MAX = 600
# Paths of one machine, and lines that tools leave in what they wrote. Split, so as not to find itself.
FORBIDDEN = re.compile("|".join([
    "/wo" + "rk/", "/tmp/te" + "am", "/ho" + r"me/\w", r"/ro" + r"ot/\.", "co-authored" + "-by",
    "generated (wi" + "th|by) (clau" + "de|an ai)", "anth" + "ropic", "fire" + "cracker"]), re.IGNORECASE)
faults = []


def check(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        lines = file.readlines()
    if path.endswith(CODE) and len(lines) > LINES_MAX:
        faults.append(f"{path}: {len(lines)} lines: split it ({LINES_MAX} at most)")
    for number, line in enumerate(lines, 1):
        where = f"{path}:{number}"
        found = FORBIDDEN.search(line)
        if found:
            faults.append(f"{where}: must not be here: {found[0]}")
        if re.match(r"(<<<<<<<|>>>>>>>) ", line):
            faults.append(f"{where}: two versions, not put together")
        if path.startswith("testdata/") or path.endswith((".out", ".err", ".txt")):
            continue
        if line != line.rstrip() + "\n":
            faults.append(f"{where}: blanks at the end of the line, or no newline at the file's end")
    if path.endswith((".c", ".h")) and not lines[0].startswith("/* "):
        faults.append(f"{path}: does not begin with a comment that says its job")


count = 0
for top in TOPS:
    for folder, folders, names in os.walk(os.path.join(ROOT, top)):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            if name.endswith(TEXT) or path == ".ci/run":
                check(path)
                count += 1
for name in os.listdir(ROOT):
    if name.endswith((".md", ".build", ".txt", ".ini")):
        check(name)
        count += 1
for fault in faults:
    print(fault)
print(f"{count} files, {len(faults)} faults")
sys.exit(1 if faults or count == 0 else 0)
