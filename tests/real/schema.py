#!/usr/bin/env python3
"""Holds the JSON report of each recording to the schema that is shipped, the text to 80 columns, and the
CSV to one number for each figure.

    schema.py BTVIZ DIRECTORY SCHEMA VALIDATOR [NAME...]"""
import csv
import os
import re
import subprocess
import sys

import recordings

HEADER = ["run", "device", "direction", "measure", "value", "unit", "process", "start_s"]


def csv_faults(text):
    """What a spreadsheet or a database would stumble over."""
    rows = list(csv.reader(text.splitlines()))
    if rows[0] != HEADER:
        yield f"the header is {rows[0]}"
    seen = set()
    for row in rows[1:]:
        if len(row) != len(HEADER):
            yield f"{len(row)} fields: {row}"
            continue
        for number in (row[4], row[7]):
            if number and not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?", number):
                yield f"no number: {row}"
        key = (*row[:4], *row[6:])
        if key in seen:
            yield f"twice: {row}"
        seen.add(key)


def main():
    btviz, directory, schema, validator, *names = sys.argv[1:]
    checked, faults = 0, []
    for entry in sorted(os.listdir(directory)):
        name = entry.removesuffix(".tar.xz")
        if name == entry or (names and name not in names):
            continue
        words = [btviz, "report", "-t", os.path.join(directory, entry), "--interval", "1"]
        text = subprocess.run([*words, "--device-tables", "--all-processes"], capture_output=True, text=True)
        found = subprocess.run([*words, "--format", "json"], capture_output=True, text=True)
        table = subprocess.run([*words, "--format", "csv"], capture_output=True, text=True)
        checked += 3
        if text.returncode or found.returncode or table.returncode:
            faults.append(f"{entry}: {text.stderr}{found.stderr}{table.stderr}")
            continue
        faults += [f"{entry}: CSV: {fault}" for fault in list(csv_faults(table.stdout))[:5]]
        faults += [f"{entry}: wider than 80 columns: {line}"
                   for line in text.stdout.splitlines() if len(line) > 80]
        result = subprocess.run([sys.executable, validator, schema, "-"], input=found.stdout,
                                capture_output=True, text=True)
        if result.returncode:
            faults.append(f"{entry}: {result.stdout}{result.stderr}")
    recordings.finish(checked, faults)


main()
