#!/usr/bin/env python3
"""Checks that all that lists panels names the same ones.

    panels.py ROOT BTVIZ

The reference is the library's table (lib/draw/panels.c), as the program prints it when it meets a panel
that there is none of. Completions are made from it, too (help.py)."""
import os
import re
import subprocess
import sys

root, btviz = sys.argv[1:3]
faults = []


def read(*path):
    with open(os.path.join(root, *path), encoding="utf-8") as file:
        return file.read()


def compare(where, have):
    for name in [n for n in panels if n not in have]:
        faults.append(f"{where}: lacks the panel {name}")
    for name in [n for n in have if n not in panels]:
        faults.append(f"{where}: names a panel {name}, of which there is none")


said = subprocess.run([btviz, "-t", "x", "-O", "nothing"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stderr
panels = re.findall(r"\w+", (re.search(r"no panel 'nothing': ([a-z, ]+)", said) or ["", ""])[1])
if len(panels) < 2:
    sys.exit(f"btviz -O nothing names no panels: {said!r}")
text = subprocess.run([btviz, "--help"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
option = re.search(r"--only-graph PANEL(.*?)\n  -", text, re.DOTALL)
compare("btviz --help, --only-graph", re.findall(r"\w+", option[1].partition("repeatable:")[2]) if option else [])
picture = read("tools", "man", "btviz.1").partition("\n.SS The picture\n")[2].partition("\n.SS ")[0]
marked = set(re.findall(r"^\.BR? (\w+)", picture, re.MULTILINE))
compare("tools/man/btviz.1, The picture", [n for n in panels if n in marked])
# The page draws all but the table, which is there always.
drawn = re.findall(r"\b(?:id: '|(?:rate|sampled|average)Panel\(')(\w+)'", read("lib", "draw", "html", "panels.js") +
                   read("lib", "draw", "html", "maps.js"))
compare("lib/draw/html", drawn + ["stats"])
for fault in faults:
    print(fault)
print(f"{len(panels)} panels, {len(faults)} faults")
sys.exit(1 if faults else 0)
