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
    "raid5-rebuild": {"own-traffic": "A rebuild of sdd of md0 went on from 0.2"},
    "raid1-threads-1": {},
    "raid1-threads-4": {"seek-bound-readers": "4 processes"},
    "raid1-threads-16": {"seek-bound-readers": "16 processes"},
    "raid10-ext4-fsync": {"flush-bound": "md0"},
    "drops-nullblk": {"suspected-loss": "in the middle of the run"},
    "io-errors": {"errors": "16 reads, 1 write at sectors 400,000 to 402,047, between 0.52 and 1.56 s. What lies "
                            "below it (sdb) returned none", "requeues": "sdf"},
    "mask-issue-complete": {"masked-trace": "queueings"},
    "raw-raid0-fsync": {},
    # sdd under dm-0 was suspended at 2.33 s and not resumed: what dm-0 had then never came back.
    "hang-raid0": {"io-outstanding-at-end": "they wait in dm-0; what lies below it has none of them"},
    # Both legs write each I/O; a 1 MiB write spans all four members.
    "raid1-qd1-writes": {"queue-depth-1": "which its members serve together"},
    "raid0-good-direct": {"queue-depth-1": "3.0 requests in flight"},
    # Traced with -a write under a random mix of reads and writes.
    "mask-write": {"one-direction": "left the reads out"},
    # dd wrote 128 MiB; the array's own records tell of a third.
    "drops-raid0": {"suspected-loss": "wrote at least 128 MiB"},
    "check-raid5": {"own-traffic": "A check", "submission-gaps": "busy for 3.2 s of it with a check"},
    "rebuild-idle-raid5": {"own-traffic": "A rebuild of sde of md0"},
    # All four members stopped at once.
    "all-stall": {"device-stalls": "All 4 members stood still together"},
    "two-programs": {"between-programs": "fio (195) was done, dd (204) had not begun"},
    "raid10-far": {"between-programs": "was done"},
    "raid1-resync": {"own-traffic": "A rebuild of sdc (or a resync onto it)"},
    "raid1-bitmap": {},
    "lvm-misaligned": {"splits": "100 % of the I/Os of md0 are cut in two"},
    "lvm-on-raid0": {},
    "crypt-on-raid1": {},
    "cgroup-ids": {},
    "raid5-one-member-slow": {"device-stalls": "sdd held up md0", "slow-member": "sdd is the slow member"},
    "raid1-reader-stopped": {"submission-gaps": "two gaps"},
    "v8-errors": {"errors": "1 read, 1 write at sectors 1,000"},
    # The filesystem writes megabytes, then waits: the array was 35 % busy.
    "xfs-on-raid0": {"submitter-bound": "64 % of its time"},
}
# Level, layout and chunk as mdadm made them. (Reads of a raid0 look like those of a raid10 in the far layout.)
LEVELS = {
    "raid0-bad": ("raid0", None, 524288), "raid0-good": ("raid0", None, 524288), "drops-raid0": ("raid0", None, 65536),
    "raid0-good-direct": ("raid0", None, 65536), "raid0-onedisk": ("raid0", None, 65536),
    "hang-raid0": ("raid0", None, 65536), "mask-write": ("raid0", None, 65536), "all-stall": ("raid0", None, 65536),
    "raid0-delay": ("raid0", None, 65536), "two-programs": ("raid0", None, 65536),
    "raid1-qd1-writes": ("raid1", None, None), "raid1-threads-4": ("raid1", None, None),
    "raid1-reader-stopped": ("raid1", None, None), "raid1-resync": ("raid1", None, None),
    "raid10-discard": ("raid10", "near 2", 65536), "raid10-ext4-fsync": ("raid10", "near 2", 65536),
    "raid10-far": ("raid10", "far 2", 65536), "raid5-good": ("raid5", "left-symmetric", 524288),
    "raid5-rmw": ("raid5", "left-symmetric", 524288), "raid5-rebuild": ("raid5", "left-symmetric", 65536),
    "raid5-one-member-slow": ("raid5", "left-symmetric", 65536), "check-raid5": ("raid5", "left-symmetric", 65536),
    "rebuild-idle-raid5": ("raid5", "left-symmetric", 65536),
}
MAY = {
    "raid5-bad": {"read-modify-write"},
    # The members wrote three times what is left of md0's own records.
    "drops-raid0": {"stream-missing", "io-outstanding-at-end"},
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
        for array in run["arrays"]:
            got = array["level"], array["layout"], array["chunk_bytes"] or None
            checked += 1
            if array["name"] == "md0" and name in LEVELS and got != LEVELS[name]:
                faults.append(f"{name}: md0 is {LEVELS[name]}, told {got}")
            if array["name"] in [member["name"] for member in array["members"]]:
                faults.append(f"{name}: {array['name']} is a member of itself")
        for want, words in must.items():
            if want not in found:
                faults.append(f"{name}: lacks {want}")
            elif words not in found[want]["text"]:
                faults.append(f"{name}: {want}: lacks '{words}'")
    recordings.finish(checked, faults)


main()
