#!/usr/bin/env python3
"""Every finding that the rules can make is explained under its name in btviz-report(1), and every name
that is explained there is one that they can make.

    findings.py ROOT"""
import glob
import os
import re
import sys

root = sys.argv[1]
made, faults = set(), []
for path in glob.glob(os.path.join(root, "lib", "judge", "finding*.c")):
    with open(path, encoding="utf-8") as file:
        made |= set(re.findall(r'\bname = "([a-z0-9-]+)"', file.read()))
with open(os.path.join(root, "tools", "man", "btviz-report.1"), encoding="utf-8") as file:
    section = file.read().partition("\n.SH FINDINGS\n")[2].partition("\n.SH ")[0]
explained = {name.replace("\\-", "-") for name in re.findall(r"^\.TP\n\.B (\S+)$", section, re.MULTILINE)}
faults += [f"btviz-report.1 does not explain {name}" for name in sorted(made - explained)]
faults += [f"no rule makes {name}, which btviz-report.1 explains" for name in sorted(explained - made)]
print("\n".join([*faults, f"{len(made)} findings, {len(faults)} faults"]))
sys.exit(1 if faults or not made else 0)
