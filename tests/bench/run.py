#!/usr/bin/env python3
"""Benchmarks btviz against reading the bytes and against the installed peers, on generated traces.

Figures, never a timed test: everything is measured in one run on one machine, so that ratios mean
something; the order is shuffled anew each round, ratios are taken within a round, and what is printed
is the median with the smallest and largest. Memory is the kernel's peak (ru_maxrss; never less than
this script's own dozen MB). The page cache is warm: the files are read once before the first round.

    tests/bench/run.py                     5 M events, 5 devices x 4 CPUs, with peers (five minutes)
    tests/bench/run.py --quick             200,000 events, 3 rounds: does it work at all?
    tests/bench/run.py --events 1M,10M,50M --no-peers
    tests/bench/run.py --devices 1 --cpus 1,16,128,512 --no-peers
    tests/bench/run.py --cores 1,2
"""
import argparse
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def count(text):
    factor = {"k": 1000, "M": 1000000}.get(text[-1:])
    return int(float(text[:-1]) * factor) if factor else int(text)


def counts(text):
    return [count(word) for word in text.split(",")]


def short(n):
    return f"{n / 1e6:g} M" if n >= 1e6 else f"{n / 1e3:g} k"


def run(commands, cwd):
    """Runs commands one after another; returns wall seconds and the largest peak in MB."""
    peak = 0
    start = time.perf_counter()
    for command in commands:
        with open(os.path.join(cwd, "bench.log"), "wb") as log:
            child = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.DEVNULL, stderr=log)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            with open(os.path.join(cwd, "bench.log"), encoding="utf-8", errors="replace") as log:
                sys.exit(f"{' '.join(command)[:200]}: exit code {child.returncode}\n{log.read()}")
        peak = max(peak, usage.ru_maxrss / 1024)
    return time.perf_counter() - start, peak


def subjects(args, trace, devices):
    """name -> commands, run in the scratch directory."""
    files = sorted(os.path.join(trace, name) for name in os.listdir(trace))
    inputs = []
    for device in devices:
        inputs += ["-i", device]
    dump = ["blkparse", "-q", "-O", "-D", trace, *inputs, "-d", "dump.bin"]
    result = {
        "cat": [["cat", *files]],
        "btviz png": [[args.btviz, "-t", trace, "-o", "out.png"]],
        "btviz report": [[args.btviz, "report", "-t", trace]],
        "btviz summary": [[args.btviz, "report", "-t", trace, "--save", "out.btviz"]],
    }
    if args.peers:
        result["blkparse + iowatcher"] = [dump, ["iowatcher", "-t", "dump.bin", "-o", "out.svg"]]
        result["blkparse + btt"] = [dump, ["btt", "-i", "dump.bin"]]
    return {name: result[name] for name in result if name not in args.skip.split(",")}


def against(name):
    """What a subject's times are divided by, or divide."""
    return {"btviz png": ["blkparse + iowatcher"], "btviz report": ["blkparse + btt"]}.get(name, [])


def spread(values, form):
    low, mid, high = min(values), statistics.median(values), max(values)
    return f"{mid:{form}} ({low:{form}}-{high:{form}})"


def measure(args, devices, cpus, events, cores, scratch):
    os.sched_setaffinity(0, cores)  # what is started inherits it
    trace = os.path.join(scratch, "trace")
    shutil.rmtree(trace, ignore_errors=True)
    made = subprocess.run([args.generate, "--devices", str(devices), "--cpus", str(cpus),
                           "--events", str(events), "--seed", str(args.seed), trace],
                          check=True, capture_output=True, text=True).stdout.split()
    names = sorted({name.split(".")[0] for name in os.listdir(trace)})
    todo = subjects(args, trace, names)
    run(todo["cat"], scratch)
    times = {name: [] for name in todo}
    peaks = {name: [] for name in todo}
    shuffle = random.Random(args.seed)
    for _ in range(args.rounds):
        order = list(todo)
        shuffle.shuffle(order)
        for name in order:
            seconds, peak = run(todo[name], scratch)
            times[name].append(seconds)
            peaks[name].append(peak)
    print(f"\n{short(events)} events ({int(made[2]) / 1e6:.0f} MB), {devices} devices x {cpus} CPUs, "
          f"{len(cores)} core{'s' if len(cores) > 1 else ''}, {args.rounds} rounds:\n")
    print("| what | wall s: median (min-max) | x cat | ns an event | peak MB | |")
    print("|---|---|---|---|---|---|")
    for name, seconds in times.items():
        ratios = [s / c for s, c in zip(seconds, times["cat"])]
        notes = [f"{spread([p / s for p, s in zip(times[peer], seconds)], '.1f')} x faster than {peer}"
                 for peer in against(name) if peer in times]
        print(f"| {name} | {spread(seconds, '.3f')} | {spread(ratios, '.1f')} "
              f"| {statistics.median(seconds) / int(made[0]) * 1e9:.1f} "
              f"| {statistics.median(peaks[name]):.1f} | {'; '.join(notes)} |")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--btviz", default=os.path.join(ROOT, "build", "tools", "btviz"))
    parser.add_argument("--generate", default=os.path.join(ROOT, "build", "tests", "bench", "generate"))
    parser.add_argument("--events", type=counts, default=[5000000], metavar="N,N")
    parser.add_argument("--devices", type=counts, default=[5], metavar="N,N")
    parser.add_argument("--cpus", type=counts, default=[4], metavar="N,N")
    parser.add_argument("--cores", type=counts, default=None, metavar="N,N",
                        help="cores to run on (default: all that there are)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skip", default="", metavar="NAME,NAME", help="subjects left out")
    parser.add_argument("--no-peers", dest="peers", action="store_false")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--dir", default=None, help="where to write the traces (50 M events: 2.6 GB)")
    args = parser.parse_args()
    if args.quick:
        args.events, args.rounds = [200000], 3
    for tool in [args.btviz, args.generate] + (["blkparse", "btt", "iowatcher"] if args.peers else []):
        if not shutil.which(tool):
            sys.exit(f"run.py: {tool} is not there (build first; peers are in Debian's blktrace and "
                     "iowatcher; or --no-peers)")
    here = sorted(os.sched_getaffinity(0))
    print(f"{platform.machine()}, {len(here)} cores, Linux {platform.release()}, "
          f"{subprocess.run([args.btviz, '--version'], capture_output=True, text=True).stdout.strip()}")
    with tempfile.TemporaryDirectory(dir=args.dir, prefix="btviz-bench-") as scratch:
        for cores in args.cores or [len(here)]:
            for devices in args.devices:
                for cpus in args.cpus:
                    for events in args.events:
                        measure(args, devices, cpus, events, set(here[:cores]), scratch)


if __name__ == "__main__":
    main()
