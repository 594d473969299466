#!/usr/bin/env python3
"""Checks who may include whom: the rule that keeps the stations of lib/ apart.

A folder of lib/ includes its own headers and those of the folders to its left; a public header counts
as one of the folder that keeps what it promises. Only draw/'s cairo files know cairo, only the tool's own headers and <btviz/...> are seen by the tool, and
public headers include nothing but three standard ones and each other.
"""
import os
import re
import sys

ROOT = sys.argv[1]
MAY_SEE = {
    "base": ["base"],
    "beside": ["base", "beside"],
    "trace": ["base", "trace"],
    "model": ["base", "trace", "model"],
    "measure": ["base", "beside", "trace", "model", "measure"],
    "judge": ["base", "beside", "trace", "model", "measure", "judge"],
    "draw": ["base", "beside", "trace", "model", "measure", "judge", "draw"],
    "record": ["base", "beside", "trace", "record"],
}
# The folder that keeps what a public header promises.
KEPT_BY = {
    "status": "base", "output": "base", "event": "base", "text": "base", "catalogue": "base", "metadata": "beside",
    "samples": "beside", "trace": "trace", "io": "model", "summary": "measure", "finding": "judge",
    "compare": "judge", "contrast": "judge", "plot": "draw", "show": "draw", "movie": "draw", "record": "record",
}
PUBLIC_MAY_SEE = ["stddef.h", "stdint.h", "stdbool.h"]
# A foreign library's headers, and the files that may include them (by the start of their paths).
FOREIGN = {
    r"<cairo": ["lib/draw/cairo_"],
    r"<(pango|png\.h|ft2build)": ["lib/draw/"],
    r"<archive": ["lib/trace/unpack"],
    r"<jansson": ["lib/beside/", "lib/draw/html", "lib/judge/", "lib/measure/", "lib/record/",
                  "lib/trace/", "tools/"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
faults = []


def includes(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = INCLUDE.match(line)
            if match:
                yield number, match[1], match[2]


def check(path):
    parts = path.split("/")
    for number, mark, name in includes(path):
        where = f"{path}:{number}: {name}"
        for pattern, allowed in FOREIGN.items():
            if re.match(pattern, mark + name) and not any(path.startswith(a) for a in allowed):
                faults.append(f"{where}: only {', '.join(allowed)}* may include it")
        if parts[0] == "lib":
            if mark == '"' and name.split("/")[0] not in MAY_SEE[parts[1]]:
                faults.append(f"{where}: {parts[1]}/ may include only {', '.join(MAY_SEE[parts[1]])}")
            if name.startswith("btviz/"):
                keeper = KEPT_BY.get(name[6:-2])
                if keeper not in MAY_SEE[parts[1]]:
                    faults.append(f"{where}: {parts[1]}/ may not see {keeper or 'all'}/ through it")
            if mark == '"' and "/" not in name:
                faults.append(f"{where}: name the folder ({parts[1]}/{name})")
        elif parts[0] == "tools":
            if mark == '"' and "/" in name:
                faults.append(f"{where}: the tool sees only <btviz/...> and its own headers")
        elif parts[0] == "include":
            if mark == '"' or not (name.startswith("btviz/") or name in PUBLIC_MAY_SEE):
                faults.append(f"{where}: public headers see <btviz/...>, {', '.join(PUBLIC_MAY_SEE)}")


count = 0
for top in ["include", "lib", "tools"]:
    for folder, _, names in os.walk(os.path.join(ROOT, top)):
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                check(os.path.relpath(os.path.join(folder, name), ROOT))
                count += 1
for fault in faults:
    print(fault)
print(f"{count} files, {len(faults)} faults")
sys.exit(1 if faults or count == 0 else 0)
