#!/usr/bin/env python3
"""Runs what the tutorial has its readers type: tutorial.py BTVIZ ROOT

Each command after a dollar must end with 0 and print what the story says of it. Those after a hash are run
where recording is possible (root, tracefs, a free tracer, a loop device), but for the one that needs an array."""
import os
import re
import subprocess
import sys
import tempfile

BTVIZ, ROOT = map(os.path.abspath, sys.argv[1:])
TRACING = "/sys/kernel/tracing"

# What the story rests on: a command's end, and what it must and must not print.
STORY = (
    ("report -t raid0-bad.tar.xz", ("submission-gaps", "8.6 s", "seven gaps"), ("device-stalls",)),
    ("report -t raid0-devstall-hw.tar.xz", ("device-stalls", "sdd held up"), ("submission-gaps",)),
    ("report -t raid0-onedisk.tar.xz", ("members-unused", "sdc"), ("submission-gaps", "device-stalls")),
    ("compare good: raid0-good.tar.xz bad: raid0-bad.tar.xz || test $? -eq 1", ("verdict: bad",), ()),
    ("compare good: good.btviz bad: raid0-bad.tar.xz || test $? -eq 1", ("verdict: bad",), ()),
)


def commands(mark):
    with open(os.path.join(ROOT, "tools/man/btviz-tutorial.md"), encoding="utf-8") as file:
        return re.findall(rf"^    {mark} (.*)$", file.read(), re.M)


def can_record():
    if os.geteuid() != 0 or not os.access(TRACING + "/current_tracer", os.W_OK):
        return False
    with open(TRACING + "/current_tracer", encoding="ascii") as tracer, \
            open(TRACING + "/available_tracers", encoding="ascii") as available:
        return tracer.read().strip() == "nop" and "blk" in available.read().split() and \
            not os.path.exists("/run/btviz-record.state") and os.path.exists("/dev/loop-control")


def main():
    faults = []
    told = set()
    with tempfile.TemporaryDirectory() as scratch:
        bin_folder = os.path.join(scratch, "bin")
        os.mkdir(bin_folder)
        os.symlink(BTVIZ, os.path.join(bin_folder, "btviz"))
        env = dict(os.environ, BTVIZ_SOURCE=ROOT, PATH=bin_folder + ":" + os.environ["PATH"], COLUMNS="100")

        def run(script):
            result = subprocess.run(["sh", "-eu", "-c", script], cwd=scratch, env=env, text=True,
                                    capture_output=True, stdin=subprocess.DEVNULL)
            if result.returncode != 0:
                faults.append(f"{script}\nends with {result.returncode}\n{result.stdout}{result.stderr}")
            return result.stdout

        typed = commands(r"\$")
        for command in typed:
            printed = " ".join(run(command).split())
            for end, wanted, unwanted in STORY:
                if command.endswith(end):
                    told.add(end)
                    faults += [f"{command}: does not say '{w}'" for w in wanted if w not in printed]
                    faults += [f"{command}: says '{w}'" for w in unwanted if w in printed]
        faults += [f"the tutorial does not have: {end}" for end, _, _ in STORY if end not in told]
        rooted = [c for c in commands("#") if "/dev/md0" not in c]
        if can_record():
            # The tracer exists once: the same lock as the tests of recording.
            setup = "exec 9>/tmp/btviz-record-test.lock; flock -w 120 9; LOOP=; " \
                "trap 'if [ -n \"$LOOP\" ] && losetup \"$LOOP\" >/dev/null 2>&1; then losetup -d \"$LOOP\"; fi' EXIT\n"
            run(setup + "\n".join(rooted))
        else:
            print(f"left out, for lack of a tracer: {len(rooted)} commands")
    for fault in faults:
        print(fault)
    print(f"{len(typed)} commands and {len(rooted)} as root, {len(faults)} faults")
    return 1 if faults or not typed or not rooted else 0


if __name__ == "__main__":
    sys.exit(main())
