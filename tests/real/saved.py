#!/usr/bin/env python3
"""The report of a saved summary is, to the last digit, that of the trace it was made of.

    saved.py BTVIZ DIRECTORY [NAME...]"""
import os
import sys
import tempfile

import recordings


def differences(a, b, path="$"):
    if type(a) is not type(b):
        yield f"{path}: {a!r}, saved {b!r}"
    elif isinstance(a, dict):
        for name in sorted(set(a) | set(b)):
            yield from differences(a.get(name), b.get(name), f"{path}.{name}")
    elif isinstance(a, list):
        if len(a) != len(b):
            yield f"{path}: {len(a)} entries, saved {len(b)}"
        for i, (x, y) in enumerate(zip(a, b)):
            yield from differences(x, y, f"{path}[{i}]")
    elif a != b:
        yield f"{path}: {a!r}, saved {b!r}"


def main():
    btviz, directory, *names = sys.argv[1:]
    checked, faults = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        saved = os.path.join(scratch, "run.btviz.json")
        for entry in sorted(os.listdir(directory)):
            name = entry.removesuffix(".tar.xz")
            if name == entry or (names and name not in names):
                continue
            options = ["-l", name, "--interval", "0.5"]
            want = recordings.report(btviz, os.path.join(directory, entry), *options, "--save", saved)
            have = recordings.report(btviz, saved, *options)
            checked += 1
            faults += [f"{name}: {text}" for text in list(differences(want, have))[:5]]
    recordings.finish(checked, faults)


main()
