#!/usr/bin/env python3
"""Holds the JSON report of each recording to the schema that is shipped, and the text to 80 columns.

    schema.py BTVIZ DIRECTORY SCHEMA VALIDATOR"""
import os
import subprocess
import sys

import recordings


def main():
    btviz, directory, schema, validator = sys.argv[1:]
    checked, faults = 0, []
    for entry in sorted(os.listdir(directory)):
        if not entry.endswith(".tar.xz"):
            continue
        words = [btviz, "report", "-t", os.path.join(directory, entry), "--interval", "1"]
        text = subprocess.run([*words, "--device", "--process"], capture_output=True, text=True)
        found = subprocess.run([*words, "--format", "json"], capture_output=True, text=True)
        checked += 2
        if text.returncode or found.returncode:
            faults.append(f"{entry}: {text.stderr}{found.stderr}")
            continue
        faults += [f"{entry}: wider than 80 columns: {line}"
                   for line in text.stdout.splitlines() if len(line) > 80]
        result = subprocess.run([sys.executable, validator, schema, "-"], input=found.stdout,
                                capture_output=True, text=True)
        if result.returncode:
            faults.append(f"{entry}: {result.stdout}{result.stderr}")
    recordings.finish(checked, faults)


main()
