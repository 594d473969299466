#!/usr/bin/env python3
"""Compares the number of records of each action with what an independent decoder counted.

    facts.py BTVIZ DIRECTORY [NAME...]

NAME.facts.json counts by device, NAME.facts.txt over all devices."""
import ast
import json
import re
import sys

import recordings

OTHERS = {"G": "gets", "I": "inserts", "X": "splits", "A": "remaps", "P": "plugs", "U": "unplugs",
          "UT": "timer_unplugs"}
STATIONS = {"Q": ["queued"], "D": ["issued"], "R": ["requeued"], "C": ["completed"], "M": ["merged"]}


def counts(device):
    found = {letter: device["other_events"][name] for letter, name in OTHERS.items()}
    for letter, stations in STATIONS.items():
        found[letter] = sum(op[s]["ios"] or 0 for op in device["actions"].values() for s in stations)
    return found


def compare(where, have, want, faults):
    # Front merges are merges; the report keeps no count of zone plugs.
    want = dict(want)
    want["M"] = want.get("M", 0) + want.pop("F", 0)
    checked = 0
    for letter in sorted(have):
        checked += 1
        if have[letter] != want.get(letter, 0):
            faults.append(f"{where}: {letter}: {want.get(letter, 0)} records, here {have[letter]}")
    return checked


def main():
    btviz, directory, *names = sys.argv[1:]
    checked, faults = 0, []
    for kind in ("facts.json", "facts.txt"):
        for name, trace, path in recordings.known(directory, kind):
            if names and name not in names:
                continue
            with open(path, encoding="utf-8") as file:
                text = file.read()
            run = recordings.report(btviz, trace)
            if kind == "facts.json":
                for device, want in json.loads(text)["actions"].items():
                    for d in run["devices"]:
                        if d["name"] == device:
                            checked += compare(f"{name}: {device}", counts(d), want, faults)
                continue
            # "Qcg" are those with a cgroup id.
            want = {}
            for letter, n in ast.literal_eval(
                    re.search(r"^ *actions (\{.*?\})", text, re.MULTILINE)[1]).items():
                letter = letter.removesuffix("cg")
                want[letter] = want.get(letter, 0) + n
            have = {}
            for d in run["devices"]:
                for letter, n in counts(d).items():
                    have[letter] = have.get(letter, 0) + n
            checked += compare(name, have, want, faults)
    recordings.finish(checked, faults)


main()
