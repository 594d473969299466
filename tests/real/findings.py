#!/usr/bin/env python3
"""Findings on real recordings: what was done to the machine is found, and nothing else.

    findings.py BTVIZ DIRECTORY [NAME...]

MUST names what has to be said, with words of the sentence; MAY what is also true of the recording;
anything else is a false alarm. Notes are always allowed."""
import os
import sys

import recordings

MUST = {
    # dd writes steadily: nothing to say.
    "raid0-good": {},
    # dd was stopped seven times for 8.06 s in all; the pauses of md0 are those and the restarts.
    "raid0-bad": {"submission-gaps": "8.6 s, 65 % of the run: seven gaps"},
    "raid5-bad": {"submission-gaps": "eight gaps"},
    "raid5-good": {},
    "raid0-onedisk": {"members-unused": "Only 1 of 4 members of md0"},
    # sdd's server stopped answering for 1.5 s, twice.
    "raid0-devstall-hw": {"device-stalls": "sdd held up md0 for 3.0 s"},
    "raid0-devstall-dm": {"queue-stalls": "dm-0 held back"},
    "raid5-rmw": {"read-modify-write": "2.0 times"},
    "raid5-rebuild": {"own-traffic": "a rebuild of sdd"},
    "raid1-threads-1": {},
    "raid1-threads-4": {"seek-bound-readers": "4 processes"},
    "raid1-threads-16": {"seek-bound-readers": "16 processes"},
    "raid10-ext4-fsync": {"flush-bound": "md0"},
    "drops-nullblk": {"suspected-loss": "in the middle of the run"},
    "io-errors": {"errors": "EIO", "requeues": "sdf"},
    "mask-issue-complete": {"masked-trace": "queueings"},
    "raw-raid0-fsync": {},
    # The filesystem writes megabytes, then waits: the array was 35 % busy.
    "xfs-on-raid0": {"submitter-bound": "64 % of the time"},
}
MAY = {
    "raid5-bad": {"read-modify-write"},
    # Between the mount and the start of fio.
    "raid10-ext4-fsync": {"submission-gaps"},
}


def main():
    btviz, directory, *names = sys.argv[1:]
    checked, faults = 0, []
    for name, must in MUST.items():
        trace = os.path.join(directory, name)
        if not os.path.isdir(trace):
            trace += ".tar.xz"
        if (names and name not in names) or not os.path.exists(trace):
            continue
        run = recordings.report(btviz, trace)
        print(name)
        found = {}
        for finding in run["findings"]:
            print(f"  {finding['severity']:8} {finding['name']}: {finding['text']}")
            found.setdefault(finding["name"], finding)
            checked += 1
            if finding["severity"] != "note" and finding["name"] not in must and \
                    finding["name"] not in MAY.get(name, ()):
                faults.append(f"{name}: false alarm: {finding['name']}")
        for want, words in must.items():
            if want not in found:
                faults.append(f"{name}: lacks {want}")
            elif words not in found[want]["text"]:
                faults.append(f"{name}: {want}: lacks '{words}'")
    recordings.finish(checked, faults)


main()
