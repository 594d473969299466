#!/usr/bin/env python3
"""Checks that a name names one thing, so that who looks for it finds it: base names of files, tags of
structs, unions and enumerations, and constants that a header shows.

A header of include/btviz/ may share its name with the inside of what it promises (btviz/trace.h,
trace/trace.h). Constants that one file keeps to itself may be called as those of another."""
import collections
import glob
import os
import re
import sys

ROOT = sys.argv[1]
COMMENT = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
TAG = re.compile(r"\b(struct|union|enum)\s+(\w+)\s*\{")
ENUM = re.compile(r"\benum\b[^{};()=]*\{([^}]*)\}")
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+([A-Z][A-Z0-9_]*)\b", re.MULTILINE)

files = sorted(f for top in ("include", "lib", "tools")
               for f in glob.glob(os.path.join(ROOT, top, "**", "*.[ch]"), recursive=True))
bases, tags, shown = (collections.defaultdict(set) for _ in range(3))
for path in files:
    name = os.path.relpath(path, ROOT)
    with open(path, encoding="utf-8") as file:
        text = COMMENT.sub(" ", file.read())
    if not name.startswith("include/") and name not in ("tools/output.c", "tools/output.h"):
        stem, ext = os.path.splitext(os.path.basename(name))
        bases[f"{stem}{ext}"].add(name)
    for _, tag in TAG.findall(text):
        tags[tag].add(name)
    constants = set(DEFINE.findall(text))
    for body in ENUM.findall(text):
        constants |= {c for part in body.split(",")
                      for c in re.findall(r"^\s*([A-Z][A-Z0-9_]*)\s*(?:=|$)", part)}
    for constant in constants:
        shown[constant].add(name)
faults = [f"{base} is in {' and '.join(sorted(where))}" for base, where in bases.items() if len(where) > 1]
faults += [f"{tag} is defined in {' and '.join(sorted(where))}" for tag, where in tags.items() if len(where) > 1]
faults += [f"{constant} of a header is defined in {' and '.join(sorted(where))}"
           for constant, where in shown.items() if len(where) > 1 and any(w.endswith(".h") for w in where)]
print("\n".join(sorted(faults)) or f"{len(files)} files, {len(tags)} tags, {len(shown)} constants")
sys.exit(1 if faults or not tags or not shown else 0)
